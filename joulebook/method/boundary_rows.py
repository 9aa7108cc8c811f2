"""Rows of the table of energies by boundary and variant (method, section 2)."""

import numpy as np
from scipy import stats

from joulebook.errors import InputError, Problem
from joulebook.inputs import Input
from joulebook.method import ranges

VARIANTS = ("baseline", "optimized")


def rows_by_index(boundary_csv):
    """Rows of the table as plain data by its index: few, and looked at one by one, which a data frame is slow at."""
    return boundary_csv.to_dict("index")


def first_of_variants(rows, name):
    """A quantity of each variant, which all of its rows agree in."""
    return {variant: float(next(row[name] for row in rows.values() if row["variant"] == variant)) for variant in VARIANTS}


def same_quality(rows, quality_difference=None):
    """What must be said where the variants differ in quality, empty where they do not; refused unless declared (rule 1)."""
    quality = list(first_of_variants(rows, "quality_pct").values())
    if quality[0] == quality[1]:
        return ""
    found = " and ".join(f"{share:g} %" for share in quality)
    if quality_difference != "declared":
        allowed = "equal quality, or quality_difference: declared"
        raise InputError(
            Problem("these may not be compared: the label quality differs", field="quality_pct", value=found, allowed=allowed)
        )
    return f"the quality of the variants differs, as declared: {found}"


def row_energies(rows, rng=None, variant_meters=None, draws=ranges.DRAWS):
    """Energy of each row: its value, or draws of its range.

    Parameters
    ----------
    rows : dict of object to dict
        As of `rows_by_index`.
    rng, variant_meters
        As in `climb`.
    draws : int
        Number of draws.

    Returns
    -------
    dict of object to float or ndarray, shape (draws,)
        By the table's index; a row without a range keeps its value. [J]
    """
    energies = {index: float(row["energy_j"]) for index, row in rows.items()}
    if rng is None or not all("energy_low_j" in row for row in rows.values()):
        return energies
    ranged = {index: row for index, row in rows.items() if row["energy_low_j"] < row["energy_high_j"]}
    meter = {index: (row["boundary"], row["components"]) if variant_meters == "one" else index for index, row in ranged.items()}
    meters = list(dict.fromkeys(meter.values()))
    points = stats.qmc.LatinHypercube(max(1, len(meters)), rng=rng).random(draws)
    for index, row in ranged.items():
        kind = "u95" if row["evidence"] == "measured" else "limits"
        given = Input(row["energy_j"], "J", row["energy_low_j"], row["energy_high_j"], kind, evidence=row["evidence"])
        energies[index] = ranges.quantiles(given, (0, np.inf), points[:, meters.index(meter[index])])
    return energies


def parts_of(components):
    """Names of the components that a row covers.

    Examples
    --------
    >>> sorted(parts_of("accelerators + host"))
    ['accelerators', 'host']
    """
    return frozenset(name.strip() for name in components.split("+"))


def total_rows(rows):
    """Rows of one boundary and variant that make up its energy.

    One row that covers all components of the others is the total, the others being its parts; rows that share no component
    add up.

    Returns
    -------
    list
        Their index.

    Raises
    ------
    InputError
        If rows overlap and none covers the others.
    """
    covered = {index: parts_of(row["components"]) for index, row in rows.items()}
    every = frozenset().union(*covered.values())
    whole = [index for index, parts in covered.items() if parts == every]
    if whole:
        return whole[:1]
    if sum(map(len, covered.values())) == len(every):
        return list(covered)
    first = next(iter(rows.values()))
    raise InputError(
        Problem(
            f"no clear total at {first['boundary']}, {first['variant']}: rows share components and none covers all of them",
            field="components",
            value=", ".join(row["components"] for row in rows.values()),
            allowed="one row that names all components, or rows that share none",
        )
    )
