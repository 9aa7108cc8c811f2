"""Load curve, load profile and tariff, and what must hold between them."""

import math
from itertools import pairwise

import numpy as np
import pandas as pd

from joulebook.intake.checks import CLOCK, attempt_at
from joulebook.intake.sheet import again

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY_MIN = 1440

_DAY_NAMES = {"all": "+".join(DAYS), "mon-fri": "+".join(DAYS[:5]), "sat-sun": "+".join(DAYS[5:])}
_DAY = "|".join(DAYS)
_MINUTE = pd.Timedelta("1min")
_CLOCK_OF_TARIFF = {"tariff_timezone": "a time zone, such as Europe/Berlin", "tariff_clock": "local or standard"}
_DAYS_ALLOWED = f"all, mon-fri, sat-sun, or days such as mon+wed of {' '.join(DAYS)}"


def _load_curve(sheet):
    sheet.least(2)
    utilization, power = sheet.number("utilization", low=0, high=1), sheet.number("power_w", low=0)
    falls, ends = np.zeros((2, len(utilization)), bool)
    falls[1:] = utilization[1:] <= utilization[:-1]
    sheet.rows(falls, "not above the row above", "utilization", "utilization that rises from 0 to 1")
    ends[:1] = utilization[:1] > 0
    ends[-1:] = utilization[-1:] < 1
    sheet.rows(ends, "an end of the curve is missing", "utilization", "a first row at 0 and a last row at 1")
    return {"utilization": utilization, "power_w": power}


def _load_profile(sheet):
    utilization = sheet.number("utilization", low=0, high=1)
    if not sheet.has("timestamp"):
        hour = sheet.number("hour", low=0, high=23, whole=True)
        sheet.rows(again(hour) & ~np.isnan(hour), "an hour that is there twice", "hour", "each hour from 0 to 23 once")
        lost = sorted(set(range(24)) - set(hour.tolist()))
        if lost and sheet.has("hour"):
            sheet.note("hours are missing", "hour", None, value=", ".join(map(str, lost)), allowed="each hour from 0 to 23 once")
        return {"hour": hour, "utilization": utilization}
    stamps = sheet.stamps("timestamp")
    step = sheet.steps(stamps, "timestamp")
    if step and step % _MINUTE:
        sheet.note("a step that is no whole minutes", "timestamp", None, value=f"{step / _MINUTE:g} min",
                   allowed="a step of whole minutes")
    return {"timestamp": stamps, "utilization": utilization}


def _tariff(sheet):
    price = sheet.number("price_per_kwh")  # may be negative
    if sheet.has("timestamp"):
        stamps = sheet.stamps("timestamp", bare=True)
        sheet.steps(stamps, "timestamp")
        return {"timestamp": stamps, "price_per_kwh": price}
    sheet.least(1)
    days, _ = sheet.matching("days", f"all|mon-fri|sat-sun|(?:{_DAY})(?:\\+(?:{_DAY}))*", "no days", _DAYS_ALLOWED)
    begin, begins = sheet.matching("begin", CLOCK, "no time of day", "HH:MM, such as 07:30")
    end, ends = sheet.matching("end", f"{CLOCK}|24:00", "no time of day", "HH:MM, such as 07:30, or 24:00")
    begin, end = _minutes(np.where(begins, begin, "00:00")), _minutes(np.where(ends, end, "24:00"))
    sheet.rows(begin == end, "begin and end are equal", "end", "00:00 and 24:00 for a whole day")
    if sheet.problems:
        return {}
    days = [_DAY_NAMES.get(text, text).split("+") for text in days]
    each = np.repeat(np.arange(len(days)), list(map(len, days)))
    day = np.array([DAYS.index(name) for names in days for name in names], "int64")
    day, begin, end, price = _cut_at_midnight(day, begin[each], end[each], price[each])
    _check_week(day, begin, end, sheet)
    order = np.lexsort((begin, day))
    return {"day": day[order], "begin_min": begin[order], "end_min": end[order], "price_per_kwh": price[order]}


def _minutes(clock):
    return np.array([int(text[:2]) * 60 + int(text[3:]) for text in clock], "int64")


def _cut_at_midnight(day, begin, end, price):
    wraps = end < begin
    rest = wraps & (end > 0)
    return (np.append(day, (day[rest] + 1) % 7), np.append(begin, np.zeros_like(begin[rest])),
            np.append(np.where(wraps, DAY_MIN, end), end[rest]), np.append(price, price[rest]))


def _check_week(day, begin, end, sheet):
    change = np.zeros(7 * DAY_MIN + 1, dtype="int64")
    np.add.at(change, day * DAY_MIN + begin, 1)
    np.add.at(change, day * DAY_MIN + end, -1)
    prices = change.cumsum()[:-1]  # how many hold in each minute of the week
    edges = [0, *(np.flatnonzero(np.diff(prices)) + 1), 7 * DAY_MIN]
    for begin, end in pairwise(edges):
        if prices[begin] != 1:
            what = "no price" if prices[begin] == 0 else f"{prices[begin]} prices at once"
            sheet.note(f"{what} from {_named(begin)} to {_named(end - 1, 1)}", "days", None,
                       allowed="one price for each minute of the week")


def _named(minute, later=0):
    clock = minute % DAY_MIN + later
    return f"{DAYS[minute // DAY_MIN]} {clock // 60:02d}:{clock % 60:02d}"


def _check_ends(inputs, tables, place, unclear, found):
    if "load_curve_csv" not in tables:
        return
    curve = tables["load_curve_csv"]
    for name, end, where in (("idle_power_w", 0, "begins"), ("active_power_w", -1, "ends")):
        power = float(curve["power_w"].iloc[end])
        if name in inputs and not math.isclose(power, inputs[name].value, rel_tol=1e-6):
            found.add(f"the load curve {where} at another power than {name}", **place("load_curve_csv"), value=power,
                      allowed=f"{inputs[name].value} as {name}")


def _check_tariff(inputs, tables, place, unclear, found):
    if "tariff_csv" not in tables:
        return
    tariff, profile = tables["tariff_csv"], tables.get("load_profile_csv")
    dated = "timestamp" in tariff
    clock = [inputs[name].value if name in inputs else None for name in _CLOCK_OF_TARIFF]
    if not (dated and tariff["timestamp"].dt.tz is not None):
        for name, allowed in _CLOCK_OF_TARIFF.items():
            if name not in inputs and name not in unclear:
                found.add("missing: the clock of the tariff is not stated", **{**place("tariff_csv"), "field": name},
                          allowed=f"{allowed}; or stamps with their offset in the tariff")
    if profile is not None and not found and not unclear:
        from joulebook.method.tariff import bill

        attempt_at(place("tariff_csv"), found, bill, profile, tariff, *clock)


TABLES = {
    "load_curve_csv": ([(("utilization", "power_w"), ())], _load_curve),
    "load_profile_csv": ([(("hour", "utilization"), ()), (("timestamp", "utilization"), ())], _load_profile),
    "tariff_csv": ([(("days", "begin", "end", "price_per_kwh"), ()), (("timestamp", "price_per_kwh"), ())], _tariff),
}
CHECKS = (_check_ends, _check_tariff)
