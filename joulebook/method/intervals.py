"""Series of different steps joined by the time that their intervals share, never by equal stamps."""

import numpy as np

from joulebook.errors import InputError, Problem


def interval_means(begins, ends, of_begins, of_ends, values, field="values", lacks="no value for part of the time"):
    r"""Mean of a series of steps over other intervals.

    Parameters
    ----------
    begins, ends : array_like of datetime64, shape (n,)
        Intervals in UTC to take the mean over; each begins before it ends.
    of_begins, of_ends : array_like of datetime64, shape (m,)
        Intervals in UTC in which a value holds, in order of time and without overlap; there may be gaps.
    values : array_like of float, shape (m,)
        A value for each of them.
    field, lacks : str, optional
        Where the values stand, and what is said where one lacks.

    Returns
    -------
    ndarray of float, shape (n,)
        Mean over the time of each interval, in the unit of `values`.

    Raises
    ------
    InputError
        If intervals do not begin before they end, those of the series overlap or are not in order, a value is not finite, or an
        interval is not covered in full: the first instant without a value is named.

    Notes
    -----
    .. math:: \bar v_i = \frac{1}{e_i - b_i} \int_{b_i}^{e_i} v(t)\, dt

    Examples
    --------
    >>> quarters = np.datetime64("2026-03-01T10:00", "m") + np.arange(4) * np.timedelta64(15, "m")
    >>> hour = np.array(["2026-03-01T10:00", "2026-03-01T11:00"], "datetime64[m]")
    >>> interval_means(quarters, quarters + np.timedelta64(15, "m"), hour[:1], hour[1:], [0.20]).tolist()
    [0.2, 0.2, 0.2, 0.2]
    """
    begin, end, of_begin, of_end = (_nanoseconds(times) for times in (begins, ends, of_begins, of_ends))
    value = np.asarray(values, float)
    _check(begin, end, of_begin, of_end, value, field)
    if not begin.size:
        return np.empty(0)
    lengths = of_end - of_begin
    # Of each interval, the first and the last that holds a value in it, and what lies between: sums of whole steps.
    first = np.clip(np.searchsorted(of_begin, begin, side="right") - 1, 0, None)
    last = np.searchsorted(of_begin, end, side="left") - 1
    covered = np.concatenate(([0], np.cumsum(lengths)))
    weighted = np.concatenate(([0.0], np.cumsum(value * lengths)))

    def before(place, instant):
        within = np.clip(instant - of_begin[place], 0, lengths[place])
        return covered[place] + within, weighted[place] + value[place] * within

    time_end, sum_end = before(np.clip(last, 0, None), end)
    time_begin, sum_begin = before(first, begin)
    lost = (time_end - time_begin) != end - begin
    if lost.any():
        instant = _first_uncovered(begin[lost][0], of_begin, of_end)
        raise InputError(Problem(lacks, field=field, value=_stamp(instant), allowed="a value for every instant"))
    # Inside one step the value itself, free of the rounding of a difference of long sums.
    return np.where(first == last, value[first], (sum_end - sum_begin) / (end - begin))


def _nanoseconds(times):
    return np.asarray(times, "datetime64[ns]").astype("int64")


def _stamp(nanoseconds):
    return np.datetime_as_string(np.datetime64(int(nanoseconds), "ns"), unit="s") + "Z"


def _check(begin, end, of_begin, of_end, value, field):
    if begin.shape != end.shape or of_begin.shape != of_end.shape or of_begin.shape != value.shape:
        raise InputError(Problem("not one begin, end and value for each interval", field=field))
    if not of_begin.size:
        raise InputError(Problem("no value at all", field=field, allowed="a value for every instant"))
    if (begin >= end).any() or (of_begin >= of_end).any():
        raise InputError(Problem("an interval that does not begin before it ends", field=field))
    if (of_begin[1:] < of_end[:-1]).any():
        place = int(np.argmax(of_begin[1:] < of_end[:-1])) + 1
        raise InputError(Problem("an interval that begins before the one above it has ended", field=field,
                                 value=_stamp(of_begin[place]),
                                 allowed="intervals in order of time, each instant once; in UTC an hour that repeats is two"))
    if not np.isfinite(value).all():
        raise InputError(Problem("not a finite number", field=field, allowed="a number for every interval"))


def _first_uncovered(instant, of_begin, of_end):
    for start, stop in zip(of_begin, of_end, strict=True):
        if start > instant:
            break
        instant = max(instant, stop)
    return instant
