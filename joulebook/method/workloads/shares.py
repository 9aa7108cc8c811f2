"""Which workload matters: unit and annual energy side by side (method, section 8)."""

import numpy as np

from joulebook.method.ranges import interval
from joulebook.method.study import gives
from joulebook.method.workloads.energies import energies_of
from joulebook.units import PER_MILLION

_SAME = 1e-9  # relative: draws that differ by less differ by rounding


def ranks(values):
    """Rank of each value, the largest first; equal ones share a rank, nan has none.

    Parameters
    ----------
    values : ndarray, shape (n,)
        What is ranked.

    Returns
    -------
    ndarray, shape (n,)

    Examples
    --------
    >>> ranks(np.array([2.0, 5.0, np.nan, 5.0])).tolist()
    [3.0, 1.0, nan, 1.0]
    """
    above = (values[None, :] > values[:, None]).sum(axis=1) + 1.0
    return np.where(np.isnan(values), np.nan, above)


@gives(
    "workloads_counted",
    "units_of_work_counted",
    "largest_workload",
    "dearest_workload",
    "largest_kwh",
    "largest_share",
    "largest_energy_per_unit_j",
    "dearest_energy_per_unit_j",
    "dearest_kwh",
    "dearest_share",
    "unit_ratio",
    "annual_ratio",
    "largest_over_next",
    "portfolio_energies",
    "portfolio_paths",
    how=("utilization_is",),
)
def by_workload(
    portfolio,
    utilization_is,
    pue=None,
    psu_efficiency=None,
    network_storage_share=None,
    pue_category=None,
    rng=None,
    sampled=None,
):
    r"""Energy of a unit of work and of a year, of each workload at the facility and at its own utilization.

    Parameters
    ----------
    portfolio : pandas.DataFrame
        See `joulebook.method.workloads.rows.rows_of`.
    utilization_is : str
        ``duty`` or ``load``; see `joulebook.method.load_curve.judged`.
    pue, psu_efficiency, network_storage_share : float or ndarray, optional
        See ``data/parameters.csv``.
    pue_category : str, optional
        Category of the PUE.
    rng : numpy.random.Generator, optional
        Draws the ranges of the file; what is given back then is for `sampled` alone.
    sampled : dict, optional
        What the draws gave. Which workload is the largest is asked of the values, its range of the draws.

    Returns
    -------
    dict
        The results named in `gives`; the table has a row a workload, the largest by annual energy first, another says
        what brought each to the facility.

    Notes
    -----
    .. math:: E = e(u)\, V        (equation ``eq-annual-energy`` in the book)
    """
    made = energies_of(portfolio, pue, psu_efficiency, network_storage_share, rng)
    names = by_workload.results[:-2]
    if rng is not None:
        drawn = {"per_unit": made.per_unit_j, "annual": made.annual_kwh, "volume": made.rows.annual_volume}
        return {**dict.fromkeys(names, np.nan), "portfolio_energies": drawn, "portfolio_paths": {}}
    rows, there = made.rows, made.there
    said = made.said(names, utilization_is, ("workloads_counted",))
    units = list(dict.fromkeys(rows.unit_of_work[there]))
    if len(units) > 1:
        words = f"units of work differ ({', '.join(unit.replace('_', ' ') for unit in units)})"
        said["notes"]["units_of_work_counted"] = f"{words}: a rank per unit compares different work"
    if pue_category:
        before = said["notes"].get("workloads_counted")
        said["notes"]["workloads_counted"] = "; ".join(filter(None, (before, f"the PUE is of category {pue_category}")))
    results = {"workloads_counted": float(there.sum()), "units_of_work_counted": float(len(units))}
    ranked = {"annual_rank": ranks(made.annual_kwh), "unit_rank": ranks(made.per_unit_j)}
    drawn = sampled["portfolio_energies"] if sampled else {"per_unit": made.per_unit_j, "annual": made.annual_kwh}
    if there.any():
        chosen = [int(np.nanargmin(ranked[name])) for name in ("annual_rank", "unit_rank")]
        chosen.append(_next(ranked["annual_rank"], chosen[0]))
        values = _extremes(made.per_unit_j, made.annual_kwh, *chosen)
        samples = _extremes(drawn["per_unit"], drawn["annual"], *chosen)
        results |= {"largest_workload": rows.workload[chosen[0]], "dearest_workload": rows.workload[chosen[1]], **values}
        said["ranges"] = {name: interval(samples[name]) for name in values if _varies(samples[name])}
        said["notes"] |= _names_of(rows, *chosen[:2]) | {"largest_over_next": _beside(rows, chosen, said["ranges"])}
        for name in ("annual_ratio", "largest_over_next"):
            if chosen[2] is not None and not np.isfinite(values[name]):
                said["notes"][name] = f"{rows.workload[chosen[1 if name == 'annual_ratio' else 2]]} takes no energy a year"
    else:
        results |= dict.fromkeys(names[2:])
    return {**results, "portfolio_energies": _table(made, ranked, drawn), "portfolio_paths": _paths(made), **said}


def _extremes(per_unit_j, annual_kwh, largest, dearest, following):
    """What is said of the largest workload by annual energy, of the one after it, and of the dearest by a unit of work."""
    with np.errstate(all="ignore"):
        shares = _shares(annual_kwh)
        return {
            "largest_kwh": annual_kwh[..., largest],
            "largest_share": shares[..., largest],
            "largest_energy_per_unit_j": per_unit_j[..., largest],
            "dearest_energy_per_unit_j": per_unit_j[..., dearest],
            "dearest_kwh": annual_kwh[..., dearest],
            "dearest_share": shares[..., dearest],
            "unit_ratio": per_unit_j[..., dearest] / per_unit_j[..., largest],
            "annual_ratio": annual_kwh[..., largest] / annual_kwh[..., dearest],
            "largest_over_next": np.nan if following is None else annual_kwh[..., largest] / annual_kwh[..., following],
        }


def _shares(annual_kwh):
    """Share of each row in the sum of those that are there. [1]"""
    with np.errstate(all="ignore"):
        return annual_kwh / np.nansum(annual_kwh, axis=-1, keepdims=True)


def _next(annual_rank, largest):
    """The row after the largest; None where there is none."""
    others = np.where(np.arange(len(annual_rank)) == largest, np.nan, annual_rank)
    return None if np.isnan(others).all() else int(np.nanargmin(others))


def _beside(rows, chosen, reach):
    """What is said of the largest over the next: whether the order is sure."""
    largest, _, following = chosen
    if following is None:
        return "there is no other workload"
    words = f"{rows.workload[largest]} over {rows.workload[following]}"
    if "largest_over_next" not in reach:
        return words
    low, high = reach["largest_over_next"]
    return f"{words}: not distinguishable" if low <= 1 <= high else words


def _names_of(rows, largest, dearest):
    """Names of the two workloads, as notes of what is said of them."""
    one, other = rows.workload[largest], rows.workload[dearest]
    both = f"{one} takes the most both a unit and a year" if largest == dearest else f"{other} a unit, {one} a year"
    parts = {"largest_kwh": one, "largest_share": one, "largest_energy_per_unit_j": one}
    return parts | {"dearest_energy_per_unit_j": other, "dearest_kwh": other, "dearest_share": other,
                    "unit_ratio": both, "annual_ratio": both}  # fmt: skip


def _varies(samples):
    return np.ndim(samples) == 1 and np.isfinite(samples).all() and np.ptp(samples) > _SAME * np.abs(samples).max()


def _table(made, ranked, drawn):
    """A row a workload, the largest by annual energy first, those without one last."""
    rows, order = made.rows, np.argsort(ranked["annual_rank"], kind="stable")
    columns = {
        "workload | ": list(rows.workload[order]),
        "unit_of_work | ": [unit.replace("_", " ") for unit in rows.unit_of_work[order]],
    }
    for name, unit, values, samples in (
        ("energy_per_unit", "J", made.per_unit_j, drawn["per_unit"]),
        ("volume", "million a year", rows.annual_volume / PER_MILLION, drawn.get("volume", 0.0) / PER_MILLION),
        ("annual_energy", "kWh", made.annual_kwh, drawn["annual"]),
        ("share", "1", _shares(made.annual_kwh), _shares(drawn["annual"])),
    ):
        columns[f"{name} | {unit}"] = values[order]
        if np.ndim(samples) == 2 and len(order) > (name == "share"):  # one workload has all of it
            ends = zip(("low", "high"), interval(samples[:, order]), strict=True)
            columns |= {f"{name}_{end} | {unit}": edge for end, edge in ends}
    return columns | {
        "annual_rank | ": ranked["annual_rank"][order],
        "unit_rank | ": ranked["unit_rank"][order],
        "rank_in_its_unit | ": [_within(rows.unit_of_work, made.per_unit_j, row) for row in order],
    }


def _paths(made):
    """What brings each row to its own utilization and to the facility, in the order of the file."""
    rows = made.rows
    with np.errstate(all="ignore"):
        whole = made.per_unit_j / rows.energy_per_unit_j
    return {
        "workload | ": list(rows.workload),
        "boundary | ": [name.replace("_", " ") for name in rows.boundary],
        "stated | J": rows.energy_per_unit_j,
        "utilization | 1": rows.utilization,
        "to_the_facility | 1": np.where(made.there, made.facility_factor, np.nan),
        "whole_factor | 1": whole,
        "brought_by | ": made.how,
    }


def _within(units, per_unit_j, row):
    """Rank of a row among those of its unit of work, in words; empty where it has none."""
    own = units == units[row]
    rank = ranks(np.where(own, per_unit_j, np.nan))[row]
    return "" if np.isnan(rank) else f"{rank:.0f} of {np.isfinite(per_unit_j[own]).sum()}"
