"""Clocks on the wall and instants in UTC, through days of 23 and 25 hours."""

import re

import numpy as np
import pandas as pd

from joulebook.errors import InputError, Problem

QUARTER = np.timedelta64(15, "m")  # offsets from UTC are whole quarters of an hour
DAY_MIN = 1440
_CLOCK = re.compile(r"(\d\d):(\d\d)")
_TWO_KINDS = "a time of the day in one, an instant in the other"
_ALLOWED = "both HH:MM, for each day, or both a date and time with its offset"


def utc_of_local(stamps, timezone, field):
    """Instants of stamps on a local clock that follows daylight saving.

    Parameters
    ----------
    stamps : pandas.DatetimeIndex
        Without offset, in order of time; of an hour that repeats both passes.
    timezone : str
        IANA name.
    field : str
        Where they stand, for the error.

    Returns
    -------
    pandas.DatetimeIndex
        In UTC.

    Raises
    ------
    InputError
        If a stamp does not exist on that clock, or it is not clear which pass of an hour it is.

    Examples
    --------
    >>> twice = pd.DatetimeIndex(["2026-10-25 02:00", "2026-10-25 02:00"])
    >>> [str(stamp) for stamp in utc_of_local(twice, "Europe/Berlin", "carbon_csv")]
    ['2026-10-25 00:00:00+00:00', '2026-10-25 01:00:00+00:00']
    """
    try:
        return stamps.tz_localize(timezone, ambiguous="infer", nonexistent="raise").tz_convert("UTC")
    except ValueError as error:  # pandas names the stamp
        raise InputError(
            Problem(
                f"not a local time of {timezone}: {error}",
                field=field,
                allowed="both passes of the hour that repeats, none that does not exist; or stamps with offset",
            )
        ) from None


def instants(stamps):
    """Stamps of a time zone as instants in UTC.

    Examples
    --------
    >>> instants(pd.DatetimeIndex(["2026-10-25 01:00"], tz="Europe/Berlin")).tolist() == instants(
    ...     pd.DatetimeIndex(["2026-10-24 23:00"], tz="UTC")).tolist()
    True
    """
    return stamps.tz_convert(None).to_numpy().astype("datetime64[ns]")


def hours_of_clock(begin, end, timezone):
    """Intervals in which a clock on the wall shows the same hour.

    Parameters
    ----------
    begin, end : datetime64
        Instants in UTC.
    timezone : str
        IANA name.

    Returns
    -------
    edges : ndarray of datetime64, shape (n + 1,)
        From `begin` to `end`. An hour that repeats is one interval of two hours.
    hour : ndarray of int, shape (n,)
        What the clock shows, 0 to 23.

    Examples
    --------
    >>> day = np.array(["2026-10-24T22:00", "2026-10-25T23:00"], "datetime64[ns]")
    >>> edges, hour = hours_of_clock(*day, "Europe/Berlin")
    >>> (np.diff(edges) / np.timedelta64(1, "h")).tolist()[:4], len(hour)
    ([1.0, 1.0, 2.0, 1.0], 24)
    """
    begin, end = (np.datetime64(instant, "ns") for instant in (begin, end))
    quarters = np.arange(begin.astype("datetime64[h]").astype("datetime64[ns]"), end, QUARTER)
    local = pd.DatetimeIndex(quarters, tz="UTC").tz_convert(timezone)
    changes = np.append(True, (local.hour[1:] != local.hour[:-1]) | (local.day[1:] != local.day[:-1]))
    edges = np.append(np.maximum(quarters[changes], begin), end)
    kept = np.append(np.diff(edges) > np.timedelta64(0), True)
    return edges[kept], local.hour.to_numpy()[changes][kept[:-1]]


def local_text(instants, timezone=None):
    """Instants as dates and times of a clock, UTC without a time zone.

    Examples
    --------
    >>> local_text(np.array(["2026-03-29T01:00"], "datetime64[ns]"), "Europe/Berlin").tolist()
    ['2026-03-29 03:00']
    """
    return np.array(pd.DatetimeIndex(instants, tz="UTC").tz_convert(timezone or "UTC").strftime("%Y-%m-%d %H:%M"), str)


def midnights(begin, end, timezone=None):
    """Midnights of the days that hold some time, the first at or before it, the last at or after it.

    Examples
    --------
    >>> hours = np.array(["2026-03-28T23:00", "2026-03-29T01:00"], "datetime64[ns]")
    >>> (np.diff(midnights(*hours, "Europe/Berlin")) / np.timedelta64(1, "h")).tolist()
    [23.0]
    """
    first, last = pd.DatetimeIndex([begin, end], tz="UTC").tz_convert(timezone or "UTC")
    until = last.normalize().tz_localize(None) + pd.Timedelta(days=int(last != last.normalize()))
    days = pd.date_range(first.normalize().tz_localize(None), until)
    return _instants(days, timezone or "UTC")


def windows(begin, end, earliest_start=None, deadline=None, timezone=None):
    """Windows in which work may run: one, or one a day.

    Parameters
    ----------
    begin, end : datetime64
        Instants in UTC between which something is known of the grid.
    earliest_start, deadline : str, optional
        Times of the day as ``HH:MM``, for a window a day, over midnight where the deadline is not after the earliest start;
        or instants with their offset, for one window. What is not given of a window a day is the begin of the day, and the
        earliest start of the next; of one window, the begin and the end of the hours that are known.
    timezone : str, optional
        Where the clock of times of the day stands.

    Returns
    -------
    found : ndarray of datetime64, shape (n, 2)
        Windows that lie within the hours that are known.
    lost : int
        Windows that do so in part only, and are left out.

    Raises
    ------
    InputError
        If a time of the day has no time zone, both kinds are mixed, or the deadline is not after the earliest start.

    Examples
    --------
    >>> two = np.array(["2026-03-27T23:00", "2026-03-29T22:00"], "datetime64[ns]")
    >>> found, lost = windows(*two, "22:00", "07:00", "Europe/Berlin")
    >>> (found[:, 1] - found[:, 0]).astype("timedelta64[h]").astype(int).tolist(), lost  # the clock is set forward at night
    ([8], 2)
    """
    given = {name: text for name, text in (("earliest_start", earliest_start), ("deadline", deadline)) if text is not None}
    daily = {name: _CLOCK.fullmatch(text) is not None for name, text in given.items()}
    if len(set(daily.values())) > 1:
        raise InputError(Problem(_TWO_KINDS, field="deadline", value=deadline, allowed=_ALLOWED))
    if not any(daily.values()):
        return _one_window(begin, end, given)
    _need(timezone)
    start, stop = _minutes(earliest_start or "00:00"), _minutes(deadline or earliest_start)
    stop += DAY_MIN * (stop <= start)
    first, last = pd.DatetimeIndex([begin, end], tz="UTC").tz_convert(timezone).tz_localize(None).normalize()
    days = pd.date_range(first - pd.Timedelta(days=1), last)
    found = np.stack([_instants(_on(days, minutes), timezone) for minutes in (start, stop)], axis=1)
    found = found[(found[:, 1] > begin) & (found[:, 0] < end) & (found[:, 0] < found[:, 1])]
    whole = (found[:, 0] >= begin) & (found[:, 1] <= end)
    return found[whole], int((~whole).sum())


def start_in(window, current_start, timezone=None):
    """When work begins now, in a window: its begin where nothing is given.

    Parameters
    ----------
    window : ndarray of datetime64, shape (2,)
        Begin and end in UTC.
    current_start : str or None
        A time of the day, or an instant with its offset.
    timezone : str, optional
        Where the clock of a time of the day stands.

    Returns
    -------
    datetime64
        The first such time in the window.

    Raises
    ------
    InputError
        If there is none.
    """
    if current_start is None:
        return window[0]
    if _CLOCK.fullmatch(current_start) is None:
        times = np.array([_instant(current_start)])
    else:
        _need(timezone)
        first, last = pd.DatetimeIndex(window, tz="UTC").tz_convert(timezone).tz_localize(None).normalize()
        times = _instants(_on(pd.date_range(first, last), _minutes(current_start)), timezone)
    inside = times[(times >= window[0]) & (times < window[1])]
    if not inside.size:
        raise InputError(Problem("not between the earliest start and the deadline", field="current_start", value=current_start,
                                 allowed="a time at which the flexible work may run"))
    return inside[0]


def _one_window(begin, end, given):
    at = {"earliest_start": begin, "deadline": end} | {name: _instant(text) for name, text in given.items()}
    wrong = [Problem("outside the hours that the carbon series have in common", field=name, value=text,
                     allowed=f"{_shown(begin)} to {_shown(end)}")
             for name, text in given.items() if not begin <= at[name] <= end]
    start, stop = at.values()
    if not wrong and start >= stop:
        wrong = [Problem("not after the earliest start", field="deadline", value=given.get("deadline"), allowed=_shown(start))]
    if wrong:
        raise InputError(wrong)
    return np.array([[start, stop]]), 0


def _need(timezone):
    if timezone is None:
        raise InputError(Problem("a time of the day without its time zone", field="carbon_timezone", allowed="an IANA name"))


def _on(days, minutes):
    """Clock times on days; 24:00 is the next day's first."""
    return days + pd.Timedelta(days=minutes // DAY_MIN) + pd.Timedelta(minutes=minutes % DAY_MIN)


def _instants(local, timezone):
    """Of a time that repeats the first pass; one that does not exist is the first that does."""
    return instants(local.tz_localize(timezone, ambiguous=np.ones(len(local), bool), nonexistent="shift_forward"))


def _instant(text):
    return instants(pd.DatetimeIndex([text]))[0]


def _minutes(text):
    hours, minutes = _CLOCK.fullmatch(text).groups()
    return int(hours) * 60 + int(minutes)


def _shown(instant):
    return np.datetime_as_string(np.datetime64(instant, "ns"), unit="m") + "Z"
