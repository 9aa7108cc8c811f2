"""Local stamps in UTC: hours that a clock shows twice, and hours that it never shows."""

from datetime import UTC, timedelta, timezone
from zoneinfo import ZoneInfo

import numpy as np

from joulebook.intake.meters.stamps import offset_s

_HOUR_NS = 3600 * 10**9


def zone_of(name):
    """Time zone of a declared name: IANA, ``UTC``, or an offset."""
    if name == "UTC":
        return UTC
    return timezone(timedelta(seconds=offset_s(name))) if name[0] in "+-" else ZoneInfo(name)


def localized(ns, name):
    """Stamps of a clock in a zone as UTC.

    Parameters
    ----------
    ns : ndarray of int64
        Nanoseconds since 1970 as the clock showed them.
    name : str
        The zone.

    Returns
    -------
    first : ndarray of int64
        In UTC; of the first pass where the clock showed it twice.
    lag : ndarray of int64
        What the second pass is later, 0 where there is one pass. [ns]
    absent : ndarray of bool
        Which the clock never showed.
    """
    zone = zone_of(name)
    none = np.zeros(ns.size, bool)
    if isinstance(zone, timezone):
        return ns - round(zone.utcoffset(None).total_seconds()) * 10**9, np.zeros(ns.size, np.int64), none
    import pandas as pd  # late: for those whose stamps are local

    index = pd.DatetimeIndex(ns.view("datetime64[ns]"))
    made = index.tz_localize(zone, ambiguous="NaT", nonexistent="NaT")
    first, lag = made.as_unit("ns").asi8.copy(), np.zeros(ns.size, np.int64)
    unclear = np.flatnonzero(made.isna())
    if unclear.size:
        some = index[unclear]
        before = some.tz_localize(zone, ambiguous=np.ones(unclear.size, bool), nonexistent="NaT")
        after = some.tz_localize(zone, ambiguous=np.zeros(unclear.size, bool), nonexistent="NaT")
        none[unclear] = before.isna()
        first[unclear], lag[unclear] = before.as_unit("ns").asi8, after.as_unit("ns").asi8 - before.as_unit("ns").asi8
        lag[none], first[none] = 0, 0
    return first, lag, none


def passes(local, values, choice):
    """Which rows of one repeated hour belong to its second pass.

    Parameters
    ----------
    local : ndarray of int64, shape (n,)
        Stamps as the clock showed them, of one channel, in the order of the file. [ns]
    values : ndarray of float, shape (n,)
        Their values.
    choice : str or None
        ``first``, ``second``, ``in_order`` or nothing declared.

    Returns
    -------
    ndarray of bool or None
        None where it cannot be told: then it must be declared.

    Notes
    -----
    The order tells it where the stamps rise, step back once, and rise again; or where every stamp is there exactly
    twice in a row, so that the two stand for the two passes: with equal values, or declared to be in order.

    Examples
    --------
    >>> import numpy as np
    >>> passes(np.array([0, 30, 0, 30]), np.ones(4), None).tolist()
    [False, False, True, True]
    >>> passes(np.array([0, 0, 30, 30]), np.ones(4), None).tolist()
    [False, True, False, True]
    >>> passes(np.array([0, 30]), np.ones(2), None) is None
    True
    """
    if choice in ("first", "second"):
        return np.full(local.size, choice == "second")
    steps = np.diff(local)
    back = np.flatnonzero(steps < 0)
    if back.size == 1:
        return np.arange(local.size) > back[0]
    if back.size == 0 and local.size % 2 == 0 and np.all(steps[::2] == 0) and np.all(steps[1::2] > 0):
        if choice == "in_order" or np.array_equal(values[::2], values[1::2]):
            return np.arange(local.size) % 2 == 1
        return None
    return None


def transitions(local):
    """Numbers that tell rows of one repeated hour from those of another: more than half a day lies between."""
    order = np.argsort(local, kind="stable")
    group = np.empty(local.size, np.int64)
    group[order] = np.concatenate(([0], np.cumsum(np.diff(local[order]) > 12 * _HOUR_NS)))
    return group
