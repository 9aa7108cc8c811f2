"""Energy of windows: the integral of what was read, and what of a window it covers."""

from dataclasses import dataclass

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.method.meters.pieces import Pieces
from joulebook.method.series import Channel


@dataclass(frozen=True)
class Integral:
    """Energy of the covered part of a window.

    Parameters
    ----------
    energy_j : float or ndarray
        Energy of the covered part, never scaled up to the window. [J]
    covered_s : float or ndarray
        Length of the covered part. [s]
    window_s : float or ndarray
        Length of the window. [s]
    """

    energy_j: object
    covered_s: object
    window_s: object

    @property
    def coverage(self):
        """Covered share of the window. [1]"""
        return self.covered_s / self.window_s


def integral(pieces, begin_s, end_s):
    r"""Energy over one window or several.

    Parameters
    ----------
    pieces : joulebook.method.meters.pieces.Pieces
        What was read.
    begin_s, end_s : float or array_like, shape (m,)
        Edges of the window or windows [begin, end), begin before end. [s]

    Returns
    -------
    Integral
        Energy of the covered part [J], its length [s], that of the window [s].

    Raises
    ------
    InputError
        If a window is not positive.

    Notes
    -----
    The energy of a window is the difference of one running integral at its two edges, so energies add over any partition of it:

    .. math:: E = \sum_i \int_{\max(a_i, b)}^{\min(z_i, e)} P_i(t)\, dt   (equation ``eq-metering-energy`` in the book)

    Examples
    --------
    >>> whole = integral(Pieces(Channel("wall", [0.0, 1.0, 2.0], [400.0, 400.0, 1000.0])), 0.5, 2.5)
    >>> whole.energy_j, whole.covered_s, whole.coverage
    (900.0, 1.5, 0.75)
    """
    begin, end = windows(begin_s, end_s)
    energy, covered = pieces.running(np.stack([begin, end]))
    window = end - begin
    parts = energy[1] - energy[0], np.minimum(covered[1] - covered[0], window), window
    return Integral(*(float(part) if part.ndim == 0 else part for part in map(np.asarray, parts)))


def energy_of_samples(times_s, power_w, begin_s, end_s, max_gap_s):
    """Energy of instantaneous power samples over one window or several.

    Parameters
    ----------
    times_s : array_like, shape (n,)
        Times of the samples, strictly increasing, n >= 2. [s]
    power_w : array_like, shape (n,)
        Power at these times; failed reads taken out before. [W]
    begin_s, end_s : float or array_like, shape (m,)
        Edges of the window or windows, begin before end. [s]
    max_gap_s : float
        Longest time between two samples that is bridged by a straight line. [s]

    Returns
    -------
    Integral
        See `integral`.

    Raises
    ------
    InputError
        If times do not increase, a number is missing, lengths differ, a window is not positive or `max_gap_s` is not.

    Examples
    --------
    >>> whole = energy_of_samples([0.0, 1.0, 2.0], [400.0, 400.0, 1000.0], 0.5, 2.5, max_gap_s=3.0)
    >>> whole.energy_j, whole.covered_s, whole.coverage
    (900.0, 1.5, 0.75)
    """
    return integral(Pieces(Channel("samples", times_s, power_w), max_gap_s), begin_s, end_s)


def windows(begin_s, end_s):
    """Edges of windows as arrays.

    Raises
    ------
    InputError
        If a window does not begin before it ends.
    """
    begin, end = np.asarray(begin_s, dtype=float), np.asarray(end_s, dtype=float)
    if begin.shape != end.shape:
        begin, end = np.broadcast_arrays(begin, end)
    if not (np.isfinite(begin).all() and np.isfinite(end).all() and np.all(begin < end)):
        raise InputError(Problem("a window must begin before it ends", field="begin_s, end_s"))
    return begin, end
