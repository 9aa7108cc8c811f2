"""Series of carbon intensity and a load joined on instants in UTC, never on stamps or numbers of hours."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from joulebook.errors import InputError, Problem
from joulebook.method.grid.clock import hours_of_clock, instants
from joulebook.method.grid.series import common_span, series_of
from joulebook.method.intervals import interval_means

_HOUR = np.timedelta64(1, "h")


@dataclass(frozen=True)
class Steps:
    """Steps in which every series and the load are constant.

    Parameters
    ----------
    bases : tuple of joulebook.method.intensity.Basis
        What each series counts.
    edges : ndarray of datetime64, shape (n + 1,)
        In UTC.
    g_per_kwh : ndarray, shape (series, n)
        Intensity by series. [g/kWh]
    utilization : ndarray, shape (n,), or None
        Of the standing load; None where there is none. [1]
    lost_h : float
        Hours of a series that lie outside the time that all have in common. [h]
    """

    bases: tuple
    edges: np.ndarray
    g_per_kwh: np.ndarray
    utilization: np.ndarray | None
    lost_h: float

    @property
    def hours(self):
        """Length of each step, shape (n,). [h]"""
        return np.diff(self.edges) / _HOUR

    @property
    def edges_h(self):
        """Hours since the first edge, shape (n + 1,). [h]"""
        return (self.edges - self.edges[0]) / _HOUR

    def part(self, begin, end):
        """Places of the steps between two of the edges, as a slice."""
        return slice(*np.searchsorted(self.edges, np.array([begin, end], "datetime64[ns]")).tolist())


def span_of(series, load_profile=None):
    """The time that counts: that of a load with stamps, else what all series have in common.

    Parameters
    ----------
    series : list of joulebook.method.grid.series.Series
        Series of carbon intensity.
    load_profile : pandas.DataFrame, optional
        As in `joined`.

    Returns
    -------
    begin, end : datetime64
        In UTC.
    lost_h : float
        Hours of the longest part of a series that are left out as another has none; with a load that has stamps none is. [h]
    """
    if load_profile is not None and "timestamp" in load_profile:
        return *_dated(load_profile)[0][[0, -1]], 0.0
    return common_span(series)


def joined(carbon, load_profile=None, timezone=None, cuts=()):
    """Join series of carbon intensity with a load profile.

    Parameters
    ----------
    carbon : pandas.DataFrame
        See `joulebook.method.grid.series.series_of`.
    load_profile : pandas.DataFrame, optional
        Columns `utilization` and `timestamp` (UTC, begins of equal steps: the series must cover all of them) or `hour`, a day
        that repeats on the clock of `timezone` over the time that all series cover.
    timezone : str, optional
        Where the hours of the day stand.
    cuts : array_like of datetime64, optional
        Further edges.

    Returns
    -------
    Steps

    Raises
    ------
    InputError
        If a series has no value for part of the load, or the clock of the load's hours is not stated.
    """
    series = series_of(carbon, timezone)
    begin, end, lost_h = span_of(series, load_profile)
    edges, values = None, None
    if load_profile is not None and "timestamp" in load_profile:
        edges, values = _dated(load_profile)
    elif load_profile is not None:
        edges, hour = _clock_hours(begin, end, timezone)
        values = load_profile.sort_values("hour")["utilization"].to_numpy(float)[hour]
    every = [[begin, end], cuts, *([] if edges is None else [edges])]
    every += [times for one in series for times in (one.begins, one.ends)]
    every = np.unique(np.concatenate([np.asarray(times, "datetime64[ns]").ravel() for times in every]))
    every = every[(every >= begin) & (every <= end)]
    load = None if edges is None else interval_means(every[:-1], every[1:], edges[:-1], edges[1:], values, "load_profile_csv")
    return Steps(tuple(one.basis for one in series), every, np.stack([one.over(every) for one in series]), load, lost_h)


def _clock_hours(begin, end, timezone):
    if timezone is None:
        raise InputError(Problem("a load profile by the hour of the day without its time zone", field="carbon_timezone",
                                 allowed="an IANA name; or stamps in load_profile_csv"))
    return hours_of_clock(begin, end, timezone)


def _dated(load_profile):
    begins = instants(pd.DatetimeIndex(load_profile["timestamp"]))
    return np.append(begins, begins[-1] + (begins[1] - begins[0])), load_profile["utilization"].to_numpy(float)
