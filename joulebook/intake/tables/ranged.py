"""Columns that tables of measured energies share: the energy's range, its evidence, and the meter that read it."""

import numpy as np

from joulebook.results import EVIDENCE

ENDS = ("energy_low_j", "energy_high_j")
METER = ("meter", "meter_limit_pct")
_ROUNDING = 1e-9  # of the half width of a range
_PER_UNIT_J = (1e-60, 1e60)  # so wide that ratios and their products stay within floats


def add_range(sheet, table, name, low, high):
    """Add the two ends of a range to a table that has its value and `evidence`; nan where there is none."""
    table |= {end: sheet.number(end, low=0, blank=True) for end in (low, high)}
    for there, absent in ((low, high), (high, low)):
        half = ~np.isnan(table[there]) & np.isnan(table[absent])
        sheet.rows(half, f"half a range: {absent} is missing", there, f"{low} and {high}, or neither")
    least, most, value = table[low], table[high], table[name]
    sheet.rows((least > value) | (most < value), "outside its range", name, f"{low} <= {name} <= {high}")
    with np.errstate(all="ignore"):
        slack = _ROUNDING * (most - least) + 4 * np.spacing(np.abs(most))
        inside = (least <= value) & (value <= most)
        skew = (table["evidence"] == "measured") & inside & (np.abs(least + most - 2 * value) > slack)
    sheet.rows(skew, "a measured range that is not symmetric about the value", low, "value - low = high - value")


def measured_energies(sheet, of):
    """Columns of rows that are runs: energy, work, evidence, range, meter and source.

    Parameters
    ----------
    sheet : joulebook.intake.sheet.Sheet
        The file.
    of : dict of str to ndarray
        Columns that name a group; rows of one group are repeats, which agree in evidence and meter.

    Returns
    -------
    dict of str to ndarray
        `work` is 1 where the file has no such column: then the energies are of a unit of work.
    """
    count = len(sheet.numbers)
    table = {
        "energy_j": sheet.number("energy_j", above=0),
        "work": sheet.number("work", above=0) if sheet.has("work") else np.ones(count),
        "evidence": sheet.choice("evidence", EVIDENCE)[0],
        "source": optional_text(sheet, "source"),
    }
    with np.errstate(all="ignore"):
        per_unit = table["energy_j"] / table["work"]
        outside = (per_unit < _PER_UNIT_J[0]) | (per_unit > _PER_UNIT_J[1])
    allowed = f"{_PER_UNIT_J[0]:g} to {_PER_UNIT_J[1]:g} J per unit of work"
    sheet.rows(outside, "no energy for this work", "energy_j", allowed)
    add_range(sheet, table, "energy_j", *ENDS)
    table["meter"] = optional_text(sheet, "meter")
    limit = table["meter_limit_pct"] = sheet.number("meter_limit_pct", low=0, high=50, blank=True)
    named = table["meter"] != ""
    sheet.rows(named & np.isnan(limit), "a meter without its limit of error", "meter", "meter_limit_pct beside it")
    sheet.rows(~named & ~np.isnan(limit), "a limit of error of no meter", "meter_limit_pct", "the meter's name beside it")
    agree(sheet, (table["meter"],), limit, "meter_limit_pct", "another limit of this meter than above", named & ~np.isnan(limit))
    groups = tuple(of.values())
    for name in ("evidence", "meter"):
        agree(sheet, groups, table[name], name, f"another {name} than in the repeat above", np.ones(count, bool))
    return table


def optional_text(sheet, column):
    """A column of texts that may be empty or absent."""
    return sheet.filled(column, "a text", blank=True)[0]


def agree(sheet, groups, cells, column, what, where):
    """Note rows that are not as the first of their group."""
    first, differs = {}, np.zeros(len(cells), bool)
    for row in np.flatnonzero(where):
        key = tuple(group[row] for group in groups)
        differs[row] = cells[row] != first.setdefault(key, cells[row])
    sheet.rows(differs, what, column, "the same in all of them")
