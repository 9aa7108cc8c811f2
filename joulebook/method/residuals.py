"""What a measured total holds beyond its measured parts (method, section 2)."""

import numpy as np

from joulebook.method.boundary_rows import VARIANTS, parts_of, row_energies, rows_by_index
from joulebook.method.judgement import ends, judged
from joulebook.method.study import gives
from joulebook.results import BOUNDARIES


def rows_of_parts(rows, total):
    """Rows that measure each component of a total by itself.

    A row that names several components is a total, one that names a single component is a part. A part counts at the boundary of
    the total or inside it, the outermost of several.

    Parameters
    ----------
    rows : dict of object to dict
        As of `joulebook.method.boundary_rows.rows_by_index`, with boundary, variant, components.
    total : object
        Index of the row of the total.

    Returns
    -------
    list
        Index of a row for each component; empty where one of them has none, or the row is no total.
    """
    whole = rows[total]
    inside = BOUNDARIES[: BOUNDARIES.index(whole["boundary"]) + 1]
    own = {index: row for index, row in rows.items() if row["variant"] == whole["variant"] and row["boundary"] in inside}
    covered = parts_of(whole["components"])
    if len(covered) == 1:
        return []
    outward = sorted(own, key=lambda index: BOUNDARIES.index(own[index]["boundary"]))
    named = {index: parts_of(own[index]["components"]) for index in outward}
    parts = {next(iter(names)): index for index, names in named.items() if len(names) == 1}
    return [parts[name] for name in sorted(covered)] if covered <= parts.keys() else []


@gives("residuals")
def residuals(boundary_csv, variant_meters=None, rng=None, sampled=None):
    r"""Energy of a measured total beyond the sum of its measured parts.

    Parameters
    ----------
    boundary_csv : pandas.DataFrame
        As in `joulebook.method.rungs.climb`.
    variant_meters : str, optional
        See ``data/parameters.csv``.
    rng : numpy.random.Generator, optional
        Draws the energies from their ranges.
    sampled : dict, optional
        What this gave on draws.

    Returns
    -------
    dict
        The table named in `gives`: a row for each total whose components all have a row of their own.

    Notes
    -----
    .. math:: r = E_\mathrm{total} - \sum_i E_i        (equation ``eq-residual`` in the book)
    """
    rows = rows_by_index(boundary_csv)
    energies = row_energies(rows, rng, variant_meters)
    parts = {index: rows_of_parts(rows, index) for index in rows}
    order = [(place, variant) for place in BOUNDARIES for variant in VARIANTS]
    totals = sorted(
        (index for index, found in parts.items() if found),
        key=lambda index: order.index((rows[index]["boundary"], rows[index]["variant"])),
    )
    if not totals:
        return {"residuals": None, "notes": {"residuals": "no total is measured beside each of its parts"}}
    whole = _stacked(energies[index] for index in totals)
    sums = _stacked(sum(energies[part] for part in parts[index]) for index in totals)
    left = whole - sums
    drawn = (sampled or {}).get("residuals", {}).get("residual_j | J")
    edges = zip(*ends(left, drawn if np.ndim(drawn) == 2 else None), strict=True)
    words = ("not accounted for by the parts", "parts exceed the total", "none")
    return {
        "residuals": {
            "boundary | ": [rows[index]["boundary"] for index in totals],
            "variant | ": [rows[index]["variant"] for index in totals],
            "components | ": [rows[index]["components"] for index in totals],
            "total_j | J": whole,
            "parts_j | J": sums,
            "residual_j | J": left,
            "residual_share | 1": left / whole,
            "verdict | ": [judged(*pair, words) for pair in edges],
        }
    }


def _stacked(columns):
    return np.stack(np.broadcast_arrays(*(np.asarray(item, float) for item in columns)), axis=-1)
