"""Peaks of power: the largest reading, and the largest mean over a sliding time."""

from itertools import pairwise

import numpy as np

from joulebook.method.meters.gaps import extremes
from joulebook.method.meters.pieces import BLOCK
from joulebook.method.meters.shifts import largest_and_smallest

AVERAGING_S = (1.0, 2.0, 5.0, 10.0, 60.0, 900.0)
_MOST = 2**19  # knots that are looked at together at most


def sliding_peak(pieces, begin_s, end_s, averaging_s):
    r"""Largest time-weighted mean power over a sliding time inside a window.

    Parameters
    ----------
    pieces : sequence of joulebook.method.meters.pieces.Pieces
        Channels, which are added.
    begin_s, end_s : float
        Edges of the window. [s]
    averaging_s : float
        Length of the mean. [s]

    Returns
    -------
    float
        The mean; nan where no such time is covered whole. [W]

    Notes
    -----
    .. math:: P_\tau = \max_{b \le t \le e - \tau} \frac{1}{\tau} \int_t^{t + \tau} P \, dt

    It slides over all times, not from block to block, which would cut a burst in two.

    Examples
    --------
    >>> from joulebook.method.meters.pieces import Pieces
    >>> from joulebook.method.series import Channel
    >>> burst = Pieces(Channel("wall", [1.0, 2.0, 3.0, 4.0], [1000.0, 3000.0, 1000.0, 1000.0], "interval_mean"))
    >>> sliding_peak([burst], 0.0, 4.0, 2.0)
    2000.0
    """
    last = end_s - averaging_s
    if last < begin_s:
        return np.nan
    found = np.nan
    for early, late in _stretches(pieces, begin_s, last, averaging_s):
        most = sum(_largest(piece, early, late + averaging_s) for piece in pieces)
        if most <= found:
            continue  # no mean is above the largest reading
        energy, *_ = largest_and_smallest(pieces, [0.0], [averaging_s], early, late)
        found = np.fmax(found, energy / averaging_s)
    return float(found)


def peaks(pieces, begin_s, end_s, averaging_s=AVERAGING_S):
    """Largest mean over each of several sliding times, over all the windows of a span.

    Parameters
    ----------
    pieces : sequence of joulebook.method.meters.pieces.Pieces
        Channels, which are added.
    begin_s, end_s : ndarray, shape (m,)
        Edges of the windows; no mean reaches from one into the next. [s]
    averaging_s : sequence of float
        Lengths of the mean. [s]

    Returns
    -------
    ndarray
        A power for each length; nan where it is longer than any covered stretch. [W]
    """
    spans = list(zip(np.atleast_1d(begin_s), np.atleast_1d(end_s), strict=True))
    each = [[sliding_peak(pieces, begin, end, length) for begin, end in spans] for length in averaging_s]
    return np.array([np.fmax.reduce(row) for row in each])


def peak_power(pieces, begin_s, end_s):
    """Largest power that was read over all the windows of a span: of one channel a reading, of several their sum at a reading.

    Parameters
    ----------
    pieces, begin_s, end_s
        As in `peaks`.

    Returns
    -------
    float
        The power; nan where nothing was read. [W]
    """
    begin, end = np.atleast_1d(begin_s), np.atleast_1d(end_s)
    if len(pieces) == 1:
        return float(np.fmax.reduce(extremes(pieces[0], begin, end)[1]))
    found = np.nan
    for start, stop in zip(begin, end, strict=True):
        for piece in pieces:
            low, high = np.searchsorted(piece.times, [start, stop])
            for first in range(low, max(high, low + 1), BLOCK):
                stamps = piece.times[first : min(first + BLOCK, high)]
                before = np.nextafter(stamps, -np.inf) if piece.kind == "interval_mean" else stamps[:0]
                at = np.concatenate([[start], stamps, before[before >= start]])
                found = np.fmax(found, np.fmax.reduce(sum(other.power(at) for other in pieces)))
    return float(found)


def _largest(piece, begin_s, end_s):
    """An upper limit of the power of a channel between two times."""
    if piece.kind == "counter":
        return np.inf
    low = max(int(piece.place(begin_s)) - 1, 0)
    return float(piece.values[low : int(piece.place(end_s)) + 2].max(initial=-np.inf))


def _stretches(pieces, earliest_s, latest_s, averaging_s):
    """Parts of the starts of a sliding time, each with so many knots as can be looked at together."""
    piece = max(pieces, key=lambda one: np.diff(np.searchsorted(one.times, [earliest_s, latest_s + averaging_s]))[0])
    low, high = np.searchsorted(piece.times, [earliest_s, latest_s])
    knots = np.searchsorted(piece.times, latest_s + averaging_s) - low
    step = int(np.clip(knots * averaging_s / (latest_s - earliest_s + averaging_s), BLOCK, _MOST))
    return pairwise(np.concatenate(([earliest_s], piece.times[low + step : high : step], [latest_s])))
