"""Carbon intensity by time, and other regions; and what must hold between them, the load and the times of flexible work."""

from dataclasses import replace
from inspect import signature

import numpy as np

from joulebook.dictionary import parameters
from joulebook.errors import Problems
from joulebook.intake.checks import attempt
from joulebook.intake.sheet import again
from joulebook.intake.tables.ranged import agree, optional_text
from joulebook.method.intensity import CHOICES

_LABELS = ("basis", "scope", "accounting")


def _labels(sheet):
    """What each row counts; gas is empty where the source does not tell it."""
    named = {name: sheet.choice(name, CHOICES[name])[0] for name in _LABELS}
    gas = sheet.matching("gas", "CO2e?", "no such choice", "CO2 or CO2e, as the source has it", blank=True)[0]
    return {**named, "gas": gas}


def _carbon(sheet):
    labels = _labels(sheet)
    g_per_kwh = sheet.number("g_per_kwh", low=0)
    if not sheet.has("timestamp"):
        return {}
    stamps = sheet.stamps("timestamp", bare=True)
    sheet.steps_of_each(stamps, "timestamp", *labels.values())
    return {"timestamp": stamps, "g_per_kwh": g_per_kwh, **labels}


def _regions(sheet):
    sheet.least(1)
    name = sheet.text("region", "nothing in it", "a name")[0]
    labels = _labels(sheet)
    table = {
        "region": name,
        **labels,
        "g_per_kwh": sheet.number("g_per_kwh", low=0),
        "pue": sheet.number("pue", low=1),
        "latency_s": sheet.number("latency_s", low=0, blank=True),
        "network_g_per_kwh": sheet.number("network_g_per_kwh", low=0, blank=True),
        "allowed": sheet.choice("allowed", ("yes", "no"), blank=True)[0],
        "source": optional_text(sheet, "source"),
    }
    for column in ("pue", "latency_s", "allowed"):  # an empty cell is as the row above
        if sheet.has(column):
            there = table[column] != "" if table[column].dtype == object else ~np.isnan(table[column])
            agree(sheet, (name,), table[column], column, "not as in the rows above of this region", there)
    if sheet.has("network_g_per_kwh"):
        there = ~np.isnan(table["network_g_per_kwh"])
        agree(sheet, (name, *labels.values()), table["network_g_per_kwh"], "network_g_per_kwh", "not as in the rows above", there)
    if sheet.has("timestamp"):
        stamps = sheet.stamps("timestamp", bare=True)
        sheet.steps_of_each(stamps, "timestamp", name, *labels.values())
        return {"timestamp": stamps, **table}
    twice = again(name, *labels.values())
    sheet.rows(twice, "a second value of this region and basis", "region", "one row each; with timestamp a series")
    return table


def _check_grid(inputs, tables, place, unclear, found):
    """What the method would refuse is known before anything runs."""
    if "carbon_csv" not in tables or unclear:
        return
    from joulebook.method.grid.moves import regions_of
    from joulebook.method.grid.work import work_on_grid

    wanted = set(signature(work_on_grid).parameters) - {"boundary"}
    values = {name: item.value for name, item in inputs.items() if name in wanted}
    values |= {name.removesuffix("_csv"): table for name, table in tables.items() if name.removesuffix("_csv") in wanted}
    mine = Problems()
    work = attempt(mine, work_on_grid, **values)
    if work is not None and "regions_csv" in tables:
        timezone = values.get("carbon_timezone")
        attempt(mine, regions_of, tables["regions_csv"], work, None, timezone)
    rows = parameters()
    found.extend(replace(problem, **place(problem.field if problem.field in rows else "carbon_csv")) for problem in mine)


TABLES = {
    "carbon_csv": ([(("timestamp", "g_per_kwh", *_LABELS), ("gas",))], _carbon),
    "regions_csv": (
        [(("region", *_LABELS, "g_per_kwh", "pue"), ("timestamp", "gas", "latency_s", "allowed", "network_g_per_kwh", "source"))],
        _regions,
    ),
}
CHECKS = (_check_grid,)
