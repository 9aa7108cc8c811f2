"""Workloads of a portfolio, and their power by hour."""

import numpy as np

from joulebook.intake.checks import attempt_at
from joulebook.intake.sheet import again
from joulebook.intake.tables.ranged import add_range, optional_text
from joulebook.method.workloads.attribution import RESIDUAL, UNATTRIBUTED
from joulebook.method.workloads.peaks import HOURS
from joulebook.method.workloads.rows import OWN_UTILIZATION, ends_of
from joulebook.results import BOUNDARIES, EVIDENCE, UNITS_OF_WORK

_PER_UNIT_J = (1e-30, 1e30)  # so wide that a year of it stays within floats
_VOLUME = 1e30
_CHOICES = {"unit_of_work": UNITS_OF_WORK, "boundary": BOUNDARIES, "evidence": EVIDENCE}
_RANGED = ("energy_per_unit_j", "annual_volume")
_ENDS = tuple(ends_of(name, end) for name in _RANGED for end in ("low", "high"))


def _portfolio(sheet):
    sheet.least(1)
    names, _ = sheet.text("workload", "no name", "a name for the workload")
    sheet.rows(again(names) & (names != ""), "a workload that is there twice", "workload", "each workload once")
    taken = np.array([name.lower() in (UNATTRIBUTED, RESIDUAL) for name in names], bool)
    sheet.rows(taken, "a name that is taken", "workload", f"another name: {UNATTRIBUTED} and {RESIDUAL} are lines of their own")
    table = {"workload": names}
    for name, choices in _CHOICES.items():
        table[name] = sheet.choice(name, choices)[0]
    low, high = _PER_UNIT_J
    table["energy_per_unit_j"] = sheet.number("energy_per_unit_j", above=low, high=high)
    table["annual_volume"] = sheet.number("annual_volume", low=0, high=_VOLUME)
    table["utilization"] = sheet.number("utilization", low=0, high=1)
    for name, limits in (
        ("peak_kw", {"low": 0}),
        ("idle_ratio", {"low": 0, "high": 1}),
        ("reserved_share", {"low": 0, "high": 1}),
        ("host_share", {"low": 0, "high": 0.99}),
        ("servers", {"low": 1, "whole": True}),
        ("growth_per_year", {"above": -1, "high": 10}),
    ):
        table[name] = sheet.number(name, blank=True, **limits)
    allowed = f"full_load, {OWN_UTILIZATION}, or empty for full_load"
    words = ("full_load", OWN_UTILIZATION)
    table["energy_at"] = sheet.matching("energy_at", "|".join(words), "no such choice", allowed, blank=True)[0]
    table |= {name: optional_text(sheet, name) for name in ("system", "source")}
    _idle_or_busy(sheet, table)
    for name in _RANGED:
        add_range(sheet, table, name, *(ends_of(name, end) for end in ("low", "high")))
    return table


def _idle_or_busy(sheet, table):
    """A workload that does work takes time for it, and time at full load does work."""
    volume, utilization = table["annual_volume"], table["utilization"]
    busy, works = utilization > 0, volume > 0
    sheet.rows(works & (utilization == 0), "no utilization, but work is done", "utilization", "above 0 where annual_volume is")
    sheet.rows(busy & (volume == 0), "no work, but a utilization", "annual_volume", "above 0 where utilization is")


def _profiles(sheet):
    sheet.least(HOURS)
    names, right = sheet.text("workload", "no name", "a name of portfolio_csv")
    hour = sheet.number("hour", low=0, high=HOURS - 1, whole=True)
    share = sheet.number("peak_share", low=0, high=1)
    sheet.rows(again(names, hour) & right & ~np.isnan(hour), "an hour that is there twice", "hour", "each hour once a workload")
    for name in dict.fromkeys(names[right]):
        own = names == name
        lost = sorted(set(range(HOURS)) - set(hour[own].tolist()))
        if lost:
            sheet.note(f"{name}: hours are missing", "hour", None, value=", ".join(map(str, lost)),
                       allowed="each hour from 0 to 23 once")
        elif not np.isnan(share[own]).any() and share[own].max() < 1:
            sheet.note(f"{name}: never at its peak", "peak_share", None, value=float(share[own].max()),
                       allowed="1 in the hour of its peak_kw")
    return {"workload": names, "hour": hour, "peak_share": share}


def _check_rows(inputs, tables, place, unclear, found):
    """What the method would refuse is known before anything runs."""
    if "portfolio_csv" not in tables:
        return
    from joulebook.method.workloads import energies

    here, year = place("portfolio_csv"), inputs["year"].value if "year" in inputs else None
    attempt_at(here, found, energies.require_systems, tables["portfolio_csv"])
    attempt_at(here, found, energies.require_peaks, tables["portfolio_csv"], year)


def _check_names(inputs, tables, place, unclear, found):
    if not {"portfolio_csv", "portfolio_profiles_csv"} <= set(tables):
        return
    known = set(tables["portfolio_csv"]["workload"])
    for name in dict.fromkeys(tables["portfolio_profiles_csv"]["workload"]):
        if name not in known:
            found.add("a profile of no workload of the portfolio", **place("portfolio_profiles_csv"), value=name,
                      allowed=" or ".join(sorted(known)))


def _check_feeds(inputs, tables, place, unclear, found):
    if {"feeds", "feed_redundancy"} <= set(inputs) and inputs["feed_redundancy"].value >= inputs["feeds"].value:
        found.add("no feed is left when the spare ones fail", **place("feed_redundancy"), value=inputs["feed_redundancy"].value,
                  allowed=f"below feeds, {inputs['feeds'].value}")


_COLUMNS = ("workload", "unit_of_work", "energy_per_unit_j", "annual_volume", "boundary", "utilization", "evidence")
_MORE = ("peak_kw", "idle_ratio", "energy_at", "system", "reserved_share", "host_share", "servers", "growth_per_year", *_ENDS,
         "source")
TABLES = {
    "portfolio_csv": ([(_COLUMNS, _MORE)], _portfolio),
    "portfolio_profiles_csv": ([(("workload", "hour", "peak_share"), ())], _profiles),
}
CHECKS = (_check_rows, _check_names, _check_feeds)
