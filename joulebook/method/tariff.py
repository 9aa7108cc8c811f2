"""Load profiles joined with prices on the clock of the tariff, and their peaks."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from joulebook.errors import InputError, Problem
from joulebook.method.grid.clock import DAY_MIN, instants, utc_of_local
from joulebook.method.intervals import interval_means
from joulebook.method.load_curve import load_share

QUARTER_MIN = 15


@dataclass(frozen=True)
class Billed:
    """A load profile with the price of each of its intervals.

    Parameters
    ----------
    hours : ndarray, shape (n,)
        Length of each interval. [h]
    utilization : ndarray, shape (n,)
        Utilization in it. [1]
    price_per_kwh : ndarray, shape (n,)
        Mean price in it. [money/kWh]
    """

    hours: np.ndarray
    utilization: np.ndarray
    price_per_kwh: np.ndarray


def bill(load_profile, tariff, timezone=None, clock=None):
    """Join a load profile with a tariff.

    Parameters
    ----------
    load_profile : pandas.DataFrame
        Columns `utilization` and `hour` (a day that repeats, on the clock of the tariff) or
        `timestamp` (UTC, the begin of intervals of equal length).
    tariff : pandas.DataFrame
        Columns `day` (0 is Monday), `begin_min`, `end_min`, `price_per_kwh`, which cover a week; or
        `timestamp`, `price_per_kwh` at equal steps.
    timezone : str, optional
        Time zone of the tariff; needed unless both tables carry offsets.
    clock : str, optional
        ``local`` follows daylight saving, ``standard`` does not.

    Returns
    -------
    Billed
        A daily profile is repeated over the week, or over the days of a dated price series.

    Raises
    ------
    InputError
        If a price is missing for part of the profile, or the clock of the tariff is not stated.
    """
    dated_prices = "timestamp" in tariff
    if "timestamp" in load_profile:
        begins = pd.DatetimeIndex(load_profile["timestamp"])
        step = _step_min(begins, "load_profile_csv")
        prices = (
            _series_prices(begins, step, tariff, timezone, clock)
            if dated_prices
            else _period_prices(begins, step, tariff, timezone, clock)
        )
        return Billed(np.full(len(begins), step / 60), load_profile["utilization"].to_numpy(float), prices)
    by_hour = load_profile.sort_values("hour")["utilization"].to_numpy(float)
    if not dated_prices:
        minutes = _week_by_minute(tariff).reshape(7, 24, 60).mean(axis=2).ravel()
        return Billed(np.ones(7 * 24), np.tile(by_hour, 7), minutes)
    stamps = _utc(tariff, timezone, clock)
    step = _step_min(stamps, "tariff_csv")
    if 60 % step:
        raise InputError(
            Problem("a daily profile by hour needs prices at steps that divide an hour", field="tariff_csv", value=f"{step} min")
        )
    local = _on_clock(stamps, timezone, clock)
    return Billed(np.full(len(stamps), step / 60), by_hour[local.hour], tariff["price_per_kwh"].to_numpy(float))


def monthly_peak_share(load_profile, load_curve=None, timezone=None):
    """Highest quarter-hour mean of each month, as a share of the way from idle to full-load power.

    Parameters
    ----------
    load_profile : pandas.DataFrame
        As in `bill`.
    load_curve : mapping with utilization and power_w, optional
        Measured curve.
    timezone : str, optional
        Where months begin; UTC without one.

    Returns
    -------
    ndarray, shape (months,)
        Intervals longer than a quarter of an hour hide their own peak: then this is a lower bound.
    """
    share = np.asarray(load_share(load_profile["utilization"].to_numpy(float), load_curve), float)
    if "timestamp" not in load_profile:
        return np.array([share.max()])
    begins = pd.DatetimeIndex(load_profile["timestamp"])
    frame = pd.DataFrame({"share": share, "month": begins.tz_convert(timezone or "UTC").strftime("%Y-%m")}, index=begins)
    if _step_min(begins, "load_profile_csv") < QUARTER_MIN:
        quarters = frame.groupby([begins.floor(f"{QUARTER_MIN}min"), "month"])["share"]
        whole = quarters.count() == quarters.count().max()
        frame = quarters.mean()[whole].rename("share").reset_index("month")
    return frame.groupby("month")["share"].max().to_numpy()


def _step_min(stamps, name):
    if len(stamps) < 2:
        raise InputError(Problem("a single row does not tell how long it holds", field=name, allowed="at least two rows"))
    gaps = np.diff(stamps.asi8)
    step = pd.Timedelta(gaps[0], unit=stamps.unit) / pd.Timedelta("1min")
    if (gaps != gaps[0]).any() or step <= 0 or step % 1:
        uneven = gaps != gaps[0]
        where = stamps[int(np.argmax(uneven)) + 1 if uneven.any() else 0]
        raise InputError(Problem("stamps must lie at equal steps of whole minutes", field=name, value=where.isoformat(),
                                 allowed="each interval once; of an hour that repeats on the clock both passes, in order"))
    return int(step)


def _utc(tariff, timezone, clock):
    stamps = pd.DatetimeIndex(tariff["timestamp"])
    if stamps.tz is not None:
        return stamps.tz_convert("UTC")
    _need_clock(timezone, clock)
    if clock == "standard":
        return (stamps - _standard_offset(timezone, stamps[0].year)).tz_localize("UTC")
    return utc_of_local(stamps, timezone, "tariff_csv")


def _on_clock(stamps, timezone, clock):
    _need_clock(timezone, clock)
    if clock == "standard":
        return stamps.tz_localize(None) + _standard_offset(timezone, stamps[0].year)
    return stamps.tz_convert(timezone).tz_localize(None)


def _standard_offset(timezone, year):
    """Offset of a zone's clock without daylight saving: the smaller of winter's and summer's."""
    return min(pd.Timestamp(year, month, 1, tz=timezone).utcoffset() for month in (1, 7))


def _need_clock(timezone, clock):
    missing = [name for name, value in (("tariff_timezone", timezone), ("tariff_clock", clock)) if value is None]
    if missing:
        raise InputError(
            Problem("the clock of the tariff is not stated", field=name, allowed="a time zone, and local or standard")
            for name in missing
        )


def _week_by_minute(tariff):
    week = np.full(7 * DAY_MIN, np.nan)
    for day, begin, end, price in tariff[["day", "begin_min", "end_min", "price_per_kwh"]].itertuples(index=False):
        week[int(day) * DAY_MIN + int(begin) : int(day) * DAY_MIN + int(end)] = price
    return week


def _fine(begins, step):
    """Begins of the minutes of each interval, shape (intervals, minutes)."""
    return begins.tz_convert("UTC").as_unit("s").asi8[:, None] + 60 * np.arange(step)[None, :]


def _period_prices(begins, step, tariff, timezone, clock):
    week = _week_by_minute(tariff)
    # The clock changes on whole minutes, so the offset of an interval's minutes is looked up once a minute.
    stamps = pd.DatetimeIndex(_fine(begins, step).ravel() * 10**9, tz="UTC")
    local = _on_clock(stamps, timezone, clock)
    return week[local.day_of_week * DAY_MIN + local.hour * 60 + local.minute].reshape(len(begins), step).mean(axis=1)


def _series_prices(begins, step, tariff, timezone, clock):
    stamps = _utc(tariff, timezone, clock)
    length = np.timedelta64(_step_min(stamps, "tariff_csv"), "m")
    wanted, starts = instants(begins), instants(stamps)
    prices, lacks = tariff["price_per_kwh"].to_numpy(float), "no price for part of the load profile"
    return interval_means(wanted, wanted + np.timedelta64(step, "m"), starts, starts + length, prices, "tariff_csv", lacks)
