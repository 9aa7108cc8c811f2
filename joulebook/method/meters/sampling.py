"""What sampling may have missed: the energy of every second reading against that of all."""

from dataclasses import replace

import numpy as np

from joulebook.method.meters.integral import integral
from joulebook.method.meters.pieces import BLOCK, Pieces

_AROUND = 6  # readings beside a window that its thinned energy may rest on

class _Thinned(Pieces):
    """Every second of some readings of a channel. Gaps stay gaps, and the first and the last stay, so that it covers the same."""

    def __init__(self, pieces, start, low, high):
        times = pieces.times[low:high]
        gaps = np.zeros(times.size - 1, bool)  # between a reading and the next
        for first in range(0, gaps.size, BLOCK):
            gaps[first : first + BLOCK] = np.diff(times[first : first + BLOCK + 1]) > pieces.max_gap_s
        keep = _kept(times.size, (start - low) % 2, gaps)
        self.channel, self.kind, self.interval_s = pieces.channel, pieces.kind, pieces.interval_s
        self.length_s = pieces.length_s if np.ndim(pieces.length_s) == 0 else pieces.length_s[low:high][keep]
        self.times, self.values = times[keep], _registers(pieces, low, high)[keep]
        if self.kind == "counter":
            self.channel = replace(self.channel, counter_range_j=None)
        self.gaps = gaps[keep[:-1]]
        self.max_gap_s = np.inf
        self.count = self.times.size - (self.kind != "interval_mean")
        self.first_s, self.last_s = float(self.times[0]), float(self.times[-1])

    def block(self, first, last):
        begin, end, low, high = super().block(first, last)
        if self.kind == "instantaneous":
            return begin, np.where(self.gaps[first:last], begin, end), low, high
        if self.kind == "interval_mean":
            after = np.concatenate(([True], self.gaps))[first:last]
            length = self.length_s if np.ndim(self.length_s) == 0 else self.length_s[first:last]
            return np.where(after, np.maximum(begin, end - length), begin), end, low, high
        return begin, end, low, high


def _kept(count, start, gaps):
    """Places of every second reading, with the first, the last and those beside gaps."""
    every = np.arange(start, count, 2)
    beside = np.flatnonzero(gaps)
    if beside.size:
        return np.union1d(every, np.concatenate([beside, beside + 1, [0, count - 1]]))
    first, last = np.arange(min(start, 1)), np.arange(count - 1, count)
    return np.concatenate([first, every] if (count - 1 - start) % 2 == 0 else [first, every, last])


def sampling_differences(pieces, begin_s, end_s):
    r"""Energy of every second reading less that of all, starting at the first and at the second.

    Parameters
    ----------
    pieces : joulebook.method.meters.pieces.Pieces
        What was read.
    begin_s, end_s : ndarray, shape (m,)
        Edges of the windows. [s]

    Returns
    -------
    ndarray, shape (2, m)
        Differences; 0 for on-change readings, which tell every change. [J]

    Notes
    -----
    The larger size of the two is the sampling error; both keep the sign, so that channels and windows can be added first.
    What is thinned covers the same: a gap stays one, and the first and the last reading stay.
    """
    found = np.zeros((2, np.size(begin_s)))
    if pieces.kind == "on_change" or pieces.times.size < 3:
        return found
    low = max(int(np.searchsorted(pieces.times, np.min(begin_s))) - _AROUND, 0)
    high = int(np.searchsorted(pieces.times, np.max(end_s), side="right")) + _AROUND
    if min(high, pieces.times.size) - low < 3:
        return found
    whole = integral(pieces, begin_s, end_s).energy_j
    for start in (0, 1):
        found[start] = integral(_Thinned(pieces, start, low, high), begin_s, end_s).energy_j - whole
    return found


def _registers(pieces, low, high):
    """Values that can be thinned: of a counter the register as it would stand if it did not wrap."""
    values, size = pieces.values[low:high], pieces.channel.counter_range_j
    if pieces.kind != "counter" or size is None or not (wraps := values[1:] < values[:-1]).any():
        return values
    register = np.zeros(values.size)  # one array, as a year of them is large
    np.cumsum(wraps, dtype=float, out=register[1:])
    register *= size
    register += values
    return register
