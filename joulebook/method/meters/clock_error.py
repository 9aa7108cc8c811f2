"""What clocks and stamps may shift: the energy that a window gains or loses when it moves."""

import numpy as np

from joulebook.method.meters.integral import integral
from joulebook.method.meters.shifts import largest_and_smallest


def shift_error(pieces, begin_s, end_s, earliest_s, latest_s):
    r"""Largest change of the energy of a span when it is shifted by up to two limits.

    Parameters
    ----------
    pieces : sequence of joulebook.method.meters.pieces.Pieces
        Channels, which are added.
    begin_s, end_s : ndarray, shape (m,)
        Edges of the windows of the span, which shift together. [s]
    earliest_s, latest_s : float
        Limits of the shift, 0 between them. [s]

    Returns
    -------
    float
        A rectangular limit; nan where a shifted span is not covered as the span itself is, so that nothing can be said. [J]

    Notes
    -----
    .. math:: \Delta E = \max_{d} \lvert E(b + d, e + d) - E(b, e) \rvert   (equation ``eq-metering-clock`` in the book)

    From the integral, not to first order: d (P(e) - P(b)) is 0 where a window begins and ends on a step.

    Examples
    --------
    >>> from joulebook.method.meters.pieces import Pieces
    >>> from joulebook.method.series import Channel
    >>> step = Pieces(Channel("wall", range(7), [400.0, 400.0, 1000.0, 1000.0, 1000.0, 400.0, 400.0]))
    >>> shift_error([step], [2.0], [4.0], -0.5, 0.5)
    75.0
    """
    begin, end = np.atleast_1d(begin_s), np.atleast_1d(end_s)
    if earliest_s == latest_s == 0:
        return 0.0
    here = [integral(piece, begin, end) for piece in pieces]
    covered = np.array([np.sum(one.covered_s) for one in here])
    energy = float(sum(np.sum(one.energy_j) for one in here))
    largest, smallest, everywhere = largest_and_smallest(pieces, begin, end, earliest_s, latest_s, covered)
    return max(largest - energy, energy - smallest, 0.0) if everywhere else np.nan


def clock_error(pieces, begin_s, end_s, residual_s):
    """Largest change of the energy of a span for a clock that is off by up to a residual; see `shift_error`."""
    return shift_error(pieces, begin_s, end_s, -residual_s, residual_s)
