"""Series of carbon intensity, each with what it counts."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from joulebook.errors import InputError, Problem
from joulebook.method.grid.clock import instants, utc_of_local
from joulebook.method.intensity import Basis
from joulebook.method.intervals import interval_means
from joulebook.results import NOT_STATED

_OF = ("basis", "scope", "accounting", "gas")


@dataclass(frozen=True)
class Series:
    """Carbon intensity over time, of one basis.

    Parameters
    ----------
    basis : joulebook.method.intensity.Basis
        What it counts.
    begins, ends : ndarray of datetime64, shape (n,)
        Its steps in UTC.
    g_per_kwh : ndarray, shape (n,)
        Value in each. [g/kWh]
    """

    basis: Basis
    begins: np.ndarray
    ends: np.ndarray
    g_per_kwh: np.ndarray

    def over(self, edges):
        """Mean intensity between the edges of other steps; see `joulebook.method.intervals.interval_means`."""
        lacks = f"the series {self.basis} has no value for part of the time"
        return interval_means(edges[:-1], edges[1:], self.begins, self.ends, self.g_per_kwh, "carbon_csv", lacks)


def series_of(carbon, timezone=None, field="carbon_csv"):
    """The series of a table, in the order in which they begin in it.

    Parameters
    ----------
    carbon : pandas.DataFrame
        Columns timestamp, g_per_kwh, basis, scope, accounting and, where the source tells, gas. Stamps are in UTC, or without
        offset on the clock of `timezone`; those of one series at equal steps.
    timezone : str, optional
        Clock of stamps without offset.
    field : str, optional
        Where the table comes from, for errors.

    Returns
    -------
    list of Series

    Raises
    ------
    InputError
        If stamps without offset have no time zone, or are no times of its clock.
    """
    found = []
    for labels, rows in labelled(carbon):
        stamps = pd.DatetimeIndex(rows["timestamp"])
        if stamps.tz is None:
            if timezone is None:
                raise InputError(Problem("stamps without offset, and no time zone", field="carbon_timezone",
                                         allowed="an IANA name; or stamps with their offset"))
            stamps = utc_of_local(stamps, timezone, field)
        begins = instants(stamps)
        gaps = np.diff(begins)
        if not gaps.size or (gaps != gaps[0]).any() or gaps[0] <= np.timedelta64(0):
            raise InputError(Problem(f"the steps of the series {labels} are not equal", field=field,
                                     allowed="rising stamps at equal steps, two at least; of an hour that repeats both passes"))
        found.append(Series(labels, begins, begins + gaps[0], rows["g_per_kwh"].to_numpy(float)))
    return found


def labelled(table):
    """Rows of a table by what they count.

    Parameters
    ----------
    table : pandas.DataFrame
        With the columns of a `Basis`; gas may lack.

    Yields
    ------
    tuple of Basis and pandas.DataFrame
    """
    gas = table["gas"].replace("", NOT_STATED) if "gas" in table else NOT_STATED
    for labels, rows in table.assign(gas=gas).groupby(list(_OF), sort=False):
        yield Basis(*labels), rows


def common_span(series):
    """The time that all of some series cover.

    Returns
    -------
    begin, end : datetime64
        In UTC.
    lost_h : float
        Hours of the longest part of a series that lies outside. [h]

    Raises
    ------
    InputError
        If there is no such time.
    """
    begins, ends = ([getattr(one, name)[place] for one in series] for name, place in (("begins", 0), ("ends", -1)))
    begin, end = max(begins), min(ends)
    if begin >= end:
        raise InputError(Problem("the series have no time in common", field="carbon_csv", allowed="series of the same hours"))
    lost = max((begin - first) + (last - end) for first, last in zip(begins, ends, strict=True))
    return begin, end, float(lost / np.timedelta64(1, "h"))


def chosen(bases, basis, scope=None, accounting=None):
    """Which series of a basis the single results rest on.

    Parameters
    ----------
    bases : sequence of Basis
        What each series counts.
    basis : str
        ``average`` or ``marginal``.
    scope, accounting : str, optional
        Which one, where there are several.

    Returns
    -------
    int or None
        Its place; None where there is no series of that basis.

    Raises
    ------
    InputError
        If there are several and these do not tell them apart.

    Examples
    --------
    >>> both = [Basis("average", "life_cycle", "location"), Basis("average", "life_cycle", "market")]
    >>> chosen(both, "average", accounting="market"), chosen(both, "marginal")
    (1, None)
    """
    of_basis = places = [place for place, one in enumerate(bases) if one.basis == basis]
    for name, wanted in (("accounting", accounting), ("scope", scope)):
        if len(places) > 1 and wanted is not None:
            places = [place for place in places if getattr(bases[place], name) == wanted]
    if not of_basis:
        return None
    if len(places) != 1:
        field = "carbon_scope" if len({bases[place].accounting for place in of_basis}) == 1 else "carbon_accounting"
        raise InputError(Problem(f"several {basis} series, and it is not stated which one results rest on", field=field,
                                 value="; ".join(str(bases[place]) for place in of_basis),
                                 allowed="carbon_accounting and carbon_scope that tell them apart"))
    return places[0]


def no_series(basis):
    """Why there is no result on a basis."""
    return f"carbon_csv has no {basis} series, and another basis does not stand in for it"
