"""What is not covered: the longest gap, and the energy that it may hold."""

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.method.uncertainty import SHAPES


def filled(energy_j, uncovered_s, smallest_w, largest_w):
    """Energy with the gaps filled by the smallest and by the largest power.

    Parameters
    ----------
    energy_j : float or ndarray
        Energy of the covered part. [J]
    uncovered_s : float or ndarray
        Length of what is not covered. [s]
    smallest_w, largest_w : float or ndarray
        Smallest and largest power of the same phase; nan where it was never read. [W]

    Returns
    -------
    low, high : float or ndarray
        Energy of the whole; nan where something is missing and nothing is known of it. [J]

    Examples
    --------
    >>> low, high = filled(57000.0, 3.0, 400.0, 1000.0)
    >>> float(low), float(high)
    (58200.0, 60000.0)
    """
    missing = np.asarray(uncovered_s) > 0
    return tuple(energy_j + np.where(missing, uncovered_s * np.asarray(power), 0.0) for power in (smallest_w, largest_w))


def rectangular(low, high):
    """Standard uncertainty of a value that may lie anywhere between two limits.

    Examples
    --------
    >>> round(float(rectangular(58200.0, 60000.0)), 3)
    519.615
    """
    return (np.asarray(high) - low) / 2 / SHAPES["rectangular"]


def extremes(pieces, begin_s, end_s):
    """Smallest and largest power that was read in each window.

    Parameters
    ----------
    pieces : joulebook.method.meters.pieces.Pieces
        What was read.
    begin_s, end_s : ndarray, shape (m,)
        Edges of the windows. [s]

    Returns
    -------
    smallest, largest : ndarray, shape (m,)
        Of readings in [begin, end), and of means and counters of those that reach into it; where a window lies between two
        instantaneous samples, of the line at its edges. nan where nothing is known. [W]
    """
    begin, end = np.atleast_1d(begin_s), np.atleast_1d(end_s)
    out = np.full((2, begin.size), np.nan)
    if not pieces.count:
        return out
    if pieces.kind == "instantaneous":
        first, last = np.searchsorted(pieces.times, [begin, end], side="left")
        source = pieces.values
    elif pieces.kind == "interval_mean":
        first = np.searchsorted(pieces.times, begin, side="right")
        last = np.searchsorted(pieces.times, end, side="left") + 1
        last = np.where(end <= pieces.first_s, 0, np.minimum(last, pieces.times.size))
        begins = [pieces.block(place - 1, place)[0][0] if place > 0 else np.inf for place in last]
        last = np.where(np.array(begins) < end, last, last - 1)  # after a gap a mean may not reach back into the window
        source = pieces.values
    else:
        first, last = pieces.place(begin), pieces.place(end)
        last = np.where(pieces.times[last] < end, last + 1, last)
        last = np.where((end <= pieces.first_s) | (begin >= pieces.last_s), 0, last)
        source = pieces.values if pieces.kind == "on_change" else _powers(pieces, first, last)
    some = last > first
    if some.any():
        places = np.stack([first[some], last[some]], axis=1).ravel()
        for row, function in enumerate((np.minimum, np.maximum)):
            out[row, some] = _reduced(function, source, places)
    if pieces.kind == "instantaneous" and not some.all():
        at_edges = pieces.power(np.stack([begin[~some], end[~some]]))
        out[:, ~some] = np.fmin(*at_edges), np.fmax(*at_edges)
    return out


def longest_gap(pieces, begin_s, end_s):
    """Longest time between two neighbouring readings in each window, its edges counted as readings of it.

    Parameters
    ----------
    pieces, begin_s, end_s
        As in `extremes`.

    Returns
    -------
    ndarray, shape (m,)
        Longest time without a reading. [s]
    """
    begin, end = np.atleast_1d(begin_s), np.atleast_1d(end_s)
    found = np.zeros(begin.size)
    for i, (start, stop) in enumerate(zip(begin, end, strict=True)):
        first, last = np.searchsorted(pieces.times, [start, stop])
        before = pieces.times[max(first - 1, 0) : last + 1]
        lengths = [(part[1:].clip(start, stop) - part[:-1].clip(start, stop)).max(initial=0.0) for part in _parts(before)]
        outside = max(pieces.first_s - start, stop - pieces.last_s, 0.0)
        found[i] = max(min(outside, stop - start), *lengths, 0.0)
    return found


def uncovered(pieces, begin_s, end_s):
    """Stretches of a window that nothing covers.

    Parameters
    ----------
    pieces : joulebook.method.meters.pieces.Pieces
        What was read.
    begin_s, end_s : float
        Edges of the window. [s]

    Returns
    -------
    ndarray, shape (k, 2)
        Begin and end of each stretch, in the order of time. [s]

    Examples
    --------
    >>> from joulebook.method.meters.pieces import Pieces
    >>> from joulebook.method.series import Channel
    >>> uncovered(Pieces(Channel("wall", [0.0, 1.0, 2.0, 7.0, 8.0], [400.0] * 5)), 0.0, 9.0).tolist()
    [[2.0, 7.0], [8.0, 9.0]]
    """
    found, reached = [], begin_s
    for first, last in pieces.blocks(pieces.place(begin_s), pieces.place(end_s) + 1):
        begin, end, *_ = pieces.block(first, last)
        known = (end > begin) & (end > begin_s) & (begin < end_s)
        begin, end = begin[known], end[known]
        before = np.concatenate(([reached], end))[:-1]
        open_ = begin > before
        found.append(np.column_stack([before[open_], begin[open_]]))
        reached = end[-1] if end.size else reached
    if reached < end_s:
        found.append(np.array([[reached, end_s]]))
    return np.concatenate(found) if found else np.empty((0, 2))


def is_covered(coverage, min_coverage):
    """Whether a coverage reaches the least that is accepted, but for rounding."""
    return coverage >= min_coverage * (1 - 1e-12)


def require_coverage(coverage, min_coverage, what="the window", stretches=""):
    """Refuse what is covered too little, naming the stretches that nothing covers.

    Raises
    ------
    InputError
        If the coverage is below the limit.
    """
    if not is_covered(coverage, min_coverage):
        open_ = f": nothing covers {stretches}" if stretches else ""
        raise InputError(Problem(f"{what} is not covered well enough{open_}", field="min_coverage", value=float(coverage),
                                 allowed=f"a coverage of at least {min_coverage:g}, or a lower limit"))


def _powers(pieces, first, last):
    """Mean power between polls as far as the windows need it; zeros elsewhere."""
    low, high = int(first.min()), max(int(last.max()), int(first.min()) + 1)
    power = np.zeros(high)
    for start, stop in pieces.blocks(low, min(high, pieces.count)):
        power[start:stop] = pieces.block(start, stop)[2]
    return power


def _reduced(function, source, places):
    """Reduce stretches of an array given by their first and last places."""
    return np.array([function.reduce(source[low:high]) for low, high in places.reshape(-1, 2)])


def _parts(values, size=2**16):
    """An array in overlapping parts, so that neighbours stay together."""
    return [values[start : start + size + 1] for start in range(0, max(values.size - 1, 1), size)]
