"""A channel as pieces of straight lines of power: what its readings say of the time between them, by their kind."""

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.method.meters.wraps import poll_energies
from joulebook.method.series import KINDS

GAP_IN_INTERVALS = 3.0  # a gap longer than this many sampling intervals is never bridged
ROUNDING = 1e-9  # relative; times are differences of time stamps
BLOCK = 2**16  # pieces that are looked at together, so that a year of seconds needs no second copy of itself


def sampling_interval(times_s):
    """Median time between successive samples.

    Parameters
    ----------
    times_s : array_like, shape (n,)
        Times of the samples, increasing, n >= 2. [s]

    Returns
    -------
    float
        Median interval. [s]

    Examples
    --------
    >>> sampling_interval([0.0, 1.0, 2.0, 5.0])
    1.0
    """
    return _middle(np.diff(increasing(times_s)))


def longest_bridged_gap(times_s):
    """Longest time between two samples that is still integrated, where none was declared.

    Parameters
    ----------
    times_s : array_like, shape (n,)
        Times of the samples, increasing, n >= 2. [s]

    Returns
    -------
    float
        Three median intervals. [s]

    Examples
    --------
    >>> longest_bridged_gap([0.0, 1.0, 2.0, 7.0])
    3.0
    """
    return GAP_IN_INTERVALS * sampling_interval(times_s)


class Pieces:
    """Pieces of straight lines of power, in the order of time.

    Parameters
    ----------
    channel : joulebook.method.series.Channel
        What was read.
    max_gap_s : float, optional
        Longest time between two readings that is bridged, of instantaneous samples and of interval means; three median
        intervals where none is given. [s]

    Attributes
    ----------
    interval_s : float or None
        Median time between readings; None where there is one reading only. [s]
    length_s : float, ndarray of shape (n,) or None
        Length of an interval mean, or of each. [s]
    max_gap_s : float
        Longest time that is bridged; infinite for counters and on-change readings, which have no gap. [s]
    count : int
        Number of pieces.

    Raises
    ------
    InputError
        If the kind is unknown, readings are fewer than an integral needs, times do not increase, or a number is missing.

    Notes
    -----
    Between two instantaneous samples power is a straight line. An interval mean holds from the reading before it to its stamp,
    after a gap for its own length only, as the first one does. An on-change reading holds until the next. Between two polls of a
    counter power is the difference over the time. Nothing is known before the first reading or after the last.
    """

    def __init__(self, channel, max_gap_s=None):
        self.channel, self.kind = channel, channel.kind
        self.times, self.values = _readings(channel)
        several = self.times.size > 1
        self.interval_s = _middle(np.diff(self.times)) if several else None
        self.length_s = self.interval_s if channel.interval_s is None else channel.interval_s  # of an interval mean, or of each
        bridges = self.kind in ("instantaneous", "interval_mean")
        if max_gap_s is not None and not max_gap_s > 0:
            raise InputError(Problem("must be positive", field="max_gap_s", value=max_gap_s))
        given = max_gap_s if max_gap_s is not None else GAP_IN_INTERVALS * (self.interval_s or float(np.max(self.length_s)))
        self.max_gap_s = given * (1 + ROUNDING) if bridges else np.inf
        self.count = self.times.size - (self.kind != "interval_mean")
        before = np.ravel(self.length_s)[0] if self.kind == "interval_mean" else 0.0
        self.first_s, self.last_s = float(self.times[0] - before), float(self.times[-1])
        if self.kind == "counter":
            poll_energies(channel, self.times, self.values, BLOCK)

    def block(self, first, last):
        """Pieces from one number to before another.

        Returns
        -------
        begin, end : ndarray
            Where each piece begins and ends; the same where a gap is. [s]
        power_begin, power_end : ndarray
            Power at both. [W]
        """
        if self.kind == "interval_mean":
            end, value = self.times[first:last], self.values[first:last]
            before = np.concatenate(([-np.inf], end[:-1])) if first == 0 else self.times[first - 1 : last - 1]
            length = self.length_s if np.ndim(self.length_s) == 0 else self.length_s[first:last]
            held = np.where(end - before <= self.max_gap_s, before, np.maximum(before, end - length))
            return held, end, value, value
        begin, end = self.times[first:last], self.times[first + 1 : last + 1]
        value = self.values[first : last + 1]
        if self.kind == "instantaneous":
            return begin, np.where(end - begin <= self.max_gap_s, end, begin), value[:-1], value[1:]
        if self.kind == "on_change":
            return begin, end, value[:-1], value[:-1]
        power = poll_energies(self.channel, self.times[first : last + 1], value) / (end - begin)
        return begin, end, power, power

    def blocks(self, first=0, last=None):
        """Numbers of the first piece of each block, and of the first after it."""
        last = self.count if last is None else last
        return [(start, min(start + BLOCK, last)) for start in range(first, last, BLOCK)]

    def place(self, at):
        """Number of the piece in which a time lies, the nearest where it lies outside of all."""
        found = np.searchsorted(self.times, at, side="right") - (self.kind != "interval_mean")
        return np.clip(found, 0, self.count - 1)

    def running(self, at):
        """Energy and covered time up to each of some times, counted from one origin that these share.

        Parameters
        ----------
        at : ndarray
            Times. [s]

        Returns
        -------
        energy, covered : ndarray
            Running energy [J] and covered time [s]; only differences of them mean anything.
        """
        shape, at = np.shape(at), np.ravel(at)
        energy, covered = np.zeros(at.size), np.zeros(at.size)
        if not at.size or not self.count:
            return energy.reshape(shape), covered.reshape(shape)
        first, last = self.times.searchsorted([at.min(), at.max()], "right").tolist()
        shift = self.kind != "interval_mean"
        begin, end = (min(max(found - shift, 0), self.count - 1) for found in (first, last))
        end += 1
        blocks = self.blocks(begin, end)
        if len(blocks) == 1:
            self._within(at, slice(None), begin, end, (0.0, 0.0), energy, covered)
            return energy.reshape(shape), covered.reshape(shape)
        order = np.argsort(at, kind="stable")
        place = self.place(at[order])
        cuts = np.searchsorted(place, [*(first for first, _ in blocks), end])
        total = (0.0, 0.0)
        for (first, last), low, high in zip(blocks, cuts[:-1], cuts[1:], strict=True):
            total = self._within(at[order[low:high]], order[low:high], first, last, total, energy, covered)
        return energy.reshape(shape), covered.reshape(shape)

    def _within(self, at, to, first, last, total, energy, covered):
        """Fill running sums at times inside one block; the sums at its end."""
        begin, end, low, high = self.block(first, last)
        length = end - begin
        parts = (low + high) / 2 * length
        if at.size:
            shift = self.kind != "interval_mean"
            stamps = self.times[first + shift : last - 1 + shift]  # what lies between two pieces
            i = np.searchsorted(stamps, at, side="right")
            span = length[i]
            since = np.minimum(np.maximum(at - begin[i], 0.0), span)
            slope = np.divide(high[i] - low[i], span, out=np.zeros(at.size), where=span > 0)
            before = np.cumsum(parts)[i] - parts[i], np.cumsum(length)[i] - span
            energy[to] = total[0] + before[0] + (low[i] + slope * since / 2) * since
            covered[to] = total[1] + before[1] + since
        return total[0] + parts.sum(), total[1] + length.sum()

    def power(self, at):
        """Power at some times, that of what follows where it steps; nan where nothing is known. [W]"""
        at = np.asarray(at, float)
        flat, found = at.ravel(), np.full(at.size, np.nan)
        place = self.place(flat)
        order = np.argsort(place, kind="stable")
        blocks = self.blocks(place.min(), place.max() + 1) if flat.size and self.count else []
        for first, last in blocks:
            low, high = np.searchsorted(place[order], [first, last])
            if low == high:
                continue
            to = order[low:high]
            begin, end, power_begin, power_end = self.block(first, last)
            i = place[to] - first
            length = end[i] - begin[i]
            share = np.divide(flat[to] - begin[i], length, out=np.full(i.size, -1.0), where=length > 0)
            inside = (share >= 0) & (share <= 1)
            found[to[inside]] = (power_begin[i] + (power_end[i] - power_begin[i]) * share)[inside]
        return found.reshape(at.shape)


def _middle(steps):
    """Median of numbers, which are put into another order; numpy's own takes longer than all else of a short log."""
    half = steps.size // 2
    if steps.size % 2:
        steps.partition(half)
        return float(steps[half])
    steps.partition((half - 1, half))
    return float((steps[half - 1] + steps[half]) / 2)


def increasing(times_s, file=None):
    """Times as an array; `file` is named where something is wrong with them.

    Raises
    ------
    InputError
        If there are fewer than two, or they do not increase.
    """
    times = np.asarray(times_s, dtype=float)
    if times.ndim != 1 or times.size < 2:
        raise InputError(Problem("an integral needs at least two samples", file=file, field="times_s", value=times.size))
    if not all(
        np.isfinite(part).all() and (np.diff(part) > 0).all()
        for part in (times[start : start + BLOCK + 1] for start in range(0, times.size, BLOCK))
    ):
        raise InputError(Problem("times must increase from sample to sample", file=file, field="times_s"))
    return times


def _readings(channel):
    times, values = np.asarray(channel.times_s, float), np.asarray(channel.values, float)
    about = {"file": f"channel {channel.name}"}
    if channel.kind not in KINDS:
        raise InputError(Problem("no such kind of reading", **about, field="kind", value=channel.kind, allowed=", ".join(KINDS)))
    if values.shape != times.shape:
        raise InputError(
            Problem("there must be one value for every time", **about, field="values", value=values.size,
                    allowed=f"{times.size} values")
        )
    if not (times.size == 1 and channel.kind == "interval_mean" and channel.interval_s is not None):
        times = increasing(times, **about)
    if not all(np.isfinite(values[start : start + BLOCK]).all() for start in range(0, values.size, BLOCK)):
        raise InputError(Problem("a value is not a finite number", **about, field="values",
                                 allowed="failed reads are taken out before"))
    return times, values
