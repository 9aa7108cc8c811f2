"""Single figures that others published, by name, with unit and source: what the accountings of others rest on."""

import numpy as np

from joulebook.intake.sheet import again
from joulebook.method.accountings.figures import NEEDED, NEGATIVE, PUES, SHARE_LIMITS, SHARES
from joulebook.method.accountings.measured import host_limits_w


def _published_figures(sheet):
    ids, _ = sheet.matching("id", r"[A-Za-z0-9_-]+", "no name of a figure", "letters, digits, _ and -")
    sheet.rows(again(ids), "a figure that is there twice", "id", "each of them once")
    table = {"id": ids, "value": sheet.number("value")}
    table |= {name: sheet.text(name)[0] for name in ("quantity", "unit", "source", "kind")}
    table |= {name: sheet.filled(name, "a text", blank=True)[0] for name in ("boundary", "conditions", "licence")}
    for name, unit in NEEDED.items():
        here = ids == name
        if not here.any():
            sheet.note("a figure is missing", "id", line=None, value=name, allowed=f"a row for it, in {unit}")
            continue
        sheet.rows(here & (table["unit"] != unit), "another unit than this figure is read in", "unit", unit)
        low, high, said = _limits(name)
        outside = ~((table["value"] > low) & (table["value"] <= high)) & ~np.isnan(table["value"])
        sheet.rows(here & outside, "out of limits", "value", said)
    _ordered(sheet, table)
    return table


def _limits(name):
    """Open lower and closed upper limit of a figure, and how they are told."""
    if name in NEGATIVE:
        return -np.inf, 0.0, "at most 0"
    if name in PUES:
        return np.nextafter(1, 0), np.inf, "at least 1"
    if name in SHARES:
        return 0.0, 1.0, "above 0, at most 1"
    if name in SHARE_LIMITS:
        low, high = SHARE_LIMITS[name]
        return low, high, f"above {low}, at most {high}"
    return 0.0, np.inf, "above 0"


def _ordered(sheet, table):
    """Of two ends of a range the lower comes first."""
    if sheet.problems:
        return
    of = dict(zip(table["id"], table["value"], strict=True))
    for low, high in (("idle05_engaged_low", "idle05_engaged_high"), ("ccf1_a100_min", "ccf1_a100_max"),
                      ("cc_cpu_share_low", "cc_cpu_share"), ("msft1_low", "msft1_high")):
        sheet.rows((table["id"] == high) & (of[low] > of[high]), f"below {low}", "value", f"at least {of[low]:g}")
    least_w, most_w = host_limits_w(of)
    sheet.rows((table["id"] == "node01_peak") & (most_w <= least_w), "leaves less for the host than eco_server_power", "value",
               "a peak of the server above its accelerators at their limit and that power")


_FIGURES = ("id", "quantity", "value", "unit", "source", "kind")
TABLES = {"published_figures_csv": ([(_FIGURES, ("boundary", "conditions", "licence"))], _published_figures)}
CHECKS = ()
