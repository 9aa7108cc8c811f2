"""What quality and latency cost in energy: the front, the best deployable point and its price (method, section 4)."""

import numpy as np

from joulebook.method.acceptable import acceptable_work, expected_cost
from joulebook.method.accuracy_pairs import pairs_by_group, published_ratios
from joulebook.method.point_choice import (
    at,
    distinguishable,
    least_energy,
    meets,
    named,
    pareto_front,
    point_energy,
    why_none,
)
from joulebook.method.quality import paired_test, quality_interval
from joulebook.method.ranges import SEED
from joulebook.method.study import gives

# What the points may state beside what is asked of them, as shown.
_BEYOND = {
    "memory_gb": "memory | GB",
    "worst_class_quality_pct": "worst_class_quality | %",
    "power_limit_w": "power_limit | W",
    "clock_mhz": "clock | MHz",
}


@gives("points_counted", "points_on_front", "point_energies")
def points(operating_points, rng=None):
    """Energy per unit of work of every operating point, and which of them no other dominates.

    Parameters
    ----------
    operating_points : pandas.DataFrame
        Measured points of one machine, a row each.
    rng : numpy.random.Generator, optional
        Draws the ranges of power and throughput.

    Returns
    -------
    dict
        The results named in `gives`; see ``data/results.csv``.

    Notes
    -----
    .. math:: e = P / T
    """
    columns = {name: operating_points[name].to_numpy(float) for name in ("quality_pct", "latency_p99_s")}
    front = pareto_front(point_energy(operating_points), columns["quality_pct"], columns["latency_p99_s"])
    table = {
        "point | ": operating_points["name"].tolist(),
        "precision | ": operating_points["precision"].tolist(),
        "batch | ": operating_points["batch"].to_numpy(float),
        "quality | %": columns["quality_pct"],
        "latency_p99 | s": columns["latency_p99_s"],
        "throughput | {units}/s": operating_points["throughput_per_s"].to_numpy(float),
        "average_power | W": operating_points["average_power_w"].to_numpy(float),
        "energy_per_unit | J per {unit}": point_energy(operating_points, rng),
        "on_the_front | ": ["yes" if own else "dominated" for own in front],
    }
    table |= {head: operating_points[name].to_numpy(float) for name, head in _BEYOND.items() if name in operating_points}
    return {"points_counted": float(len(front)), "points_on_front": float(front.sum()), "point_energies": table}


@gives(
    "deployable_energy_per_unit_j",
    "deployable_power_w",
    "deployable_throughput_per_s",
    "deployable_latency_s",
    "deployable_quality_pct",
    "deployable_worst_class_pct",
    "energy_without_slo_j",
    "slo_price_ratio",
    "looser_energy_per_unit_j",
    "looser_quality_pct",
    "accuracy_price_ratio",
    "best_points",
)
def best_points(
    operating_points,
    quality_target_pct,
    slo_latency_s=None,
    memory_limit_gb=None,
    looser_quality_target_pct=None,
    rng=None,
):
    r"""The deployable best: least energy with quality, latency and memory met; and what each target adds.

    Parameters
    ----------
    operating_points : pandas.DataFrame
        Measured points of one machine.
    quality_target_pct, slo_latency_s, memory_limit_gb, looser_quality_target_pct : float or ndarray
        See ``data/parameters.csv``; None where there is no such target.
    rng : numpy.random.Generator, optional
        Draws the ranges of power and throughput.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: \frac{e(q, L)}{e(q, \infty)} \qquad \frac{e(q, L)}{e(q', L)}

    with e(q, L) the least energy of a unit at quality q and latency L: the price of the latency target, and that of the
    stricter quality.
    """
    energy_j = point_energy(operating_points, rng)
    strict = (quality_target_pct, slo_latency_s, memory_limit_gb)
    free = (quality_target_pct, None, memory_limit_gb)
    looser = (looser_quality_target_pct, slo_latency_s, memory_limit_gb)
    there = meets(operating_points, *strict)
    rows = {
        "deployable best": least_energy(operating_points, there),
        "next best": least_energy(operating_points, there, place=1),
        "without the latency target": least_energy(operating_points, meets(operating_points, *free)),
    }
    if looser_quality_target_pct is not None:
        rows["at the looser quality"] = least_energy(operating_points, meets(operating_points, *looser))
    best, unhurried = rows["deployable best"], rows["without the latency target"]
    loose = rows.get("at the looser quality", np.array(-1))
    best_j, free_j, loose_j = (at(energy_j, row) for row in (best, unhurried, loose))
    worst = operating_points.get("worst_class_quality_pct")
    return {
        "deployable_energy_per_unit_j": best_j,
        "deployable_power_w": at(operating_points["average_power_w"], best),
        "deployable_throughput_per_s": at(operating_points["throughput_per_s"], best),
        "deployable_latency_s": at(operating_points["latency_p99_s"], best),
        "deployable_quality_pct": at(operating_points["quality_pct"], best),
        "deployable_worst_class_pct": None if worst is None else at(worst, best),
        "energy_without_slo_j": free_j,
        "slo_price_ratio": None if slo_latency_s is None else best_j / free_j,
        "looser_energy_per_unit_j": loose_j,
        "looser_quality_pct": at(operating_points["quality_pct"], loose),
        "accuracy_price_ratio": best_j / loose_j,
        "best_points": _chosen(operating_points, energy_j, rows),
        "notes": {}
        if best.ndim or unhurried.ndim or loose.ndim
        else _said(operating_points, best, unhurried, loose, strict, looser),
    }


@gives("margin_consumed")
def margin(deployable_quality_pct, quality_target_pct, quality_is, reference_quality=None):
    r"""Share of the allowed loss of quality that the deployable best uses up.

    Parameters
    ----------
    deployable_quality_pct : float or ndarray
        Result of `best_points`.
    quality_target_pct, quality_is, reference_quality
        See ``data/parameters.csv``; of a reference, the reference itself is 100 %.

    Returns
    -------
    dict
        The result named in `gives`.

    Notes
    -----
    .. math:: \frac{q_\mathrm{ref} - q}{q_\mathrm{ref} - q_\mathrm{target}}
    """
    reference = 100.0 if quality_is == "of_reference" else reference_quality
    if reference is None:
        return {"margin_consumed": None, "notes": {"margin_consumed": "needs reference_quality"}}
    allowed = np.asarray(reference - quality_target_pct, float)
    share = np.where(allowed > 0, (reference - deployable_quality_pct) / np.where(allowed > 0, allowed, 1), np.nan)[()]
    lost = "the target is not below the quality of the reference: no loss is allowed, so there is no margin"
    return {"margin_consumed": share, "notes": {} if np.all(allowed > 0) else {"margin_consumed": lost}}


def _chosen(operating_points, energy_j, rows):
    """The chosen points side by side, and by how much the deployable best differs from each."""
    energies = np.stack(np.broadcast_arrays(*(at(energy_j, row) for row in rows.values())), axis=-1)
    best = energies[..., :1]
    table = {"energy_per_unit | J per {unit}": energies, "deployable_over_this | 1": best / energies}
    if any(row.ndim for row in rows.values()):
        return table  # draws of a target: each has its own choice, and the words are those of the values
    found = {name: int(row) for name, row in rows.items()}
    columns = {"quality | %": "quality_pct", "latency_p99 | s": "latency_p99_s", "average_power | W": "average_power_w"}
    return {
        "choice | ": list(found),
        "point | ": [named(operating_points, row) if row >= 0 else "none" for row in found.values()],
        **{head: [at(operating_points[name], np.array(row)) for row in found.values()] for head, name in columns.items()},
        **table,
        "difference | ": [
            distinguishable(operating_points, found["deployable best"], row, np.random.default_rng(SEED))
            if row >= 0 and found["deployable best"] >= 0
            else "none"
            for row in found.values()
        ],
    }


def _said(operating_points, best, unhurried, loose, strict, looser):
    """What is to be said of each choice: which point it is, or why there is none."""
    words = {}
    missing = why_none(operating_points, *strict) if best < 0 else ""
    for name in (
        "deployable_energy_per_unit_j",
        "deployable_power_w",
        "deployable_throughput_per_s",
        "deployable_latency_s",
        "deployable_quality_pct",
        "deployable_worst_class_pct",
        "slo_price_ratio",
        "accuracy_price_ratio",
    ):
        words[name] = missing
    if not missing:
        words["deployable_energy_per_unit_j"] = named(operating_points, best)
    words["energy_without_slo_j"] = (
        named(operating_points, unhurried) if unhurried >= 0 else why_none(operating_points, strict[0], None, strict[2])
    )
    looser_words = (
        "needs looser_quality_target_pct"
        if looser[0] is None
        else named(operating_points, loose)
        if loose >= 0
        else why_none(operating_points, *looser)
    )
    words["looser_energy_per_unit_j"] = looser_words
    if loose < 0:
        words["looser_quality_pct"] = looser_words
        words["accuracy_price_ratio"] = missing or looser_words
    if "worst_class_quality_pct" not in operating_points:
        words["deployable_worst_class_pct"] = "the points do not state the quality of their worst class"
    if strict[1] is None:
        words["slo_price_ratio"] = "needs slo_latency_s"
    return {name: text for name, text in words.items() if text}


# All calculations of the topic, in the order in which they run: later ones use results of earlier ones.
CALCULATIONS = (
    points,
    best_points,
    margin,
    acceptable_work,
    expected_cost,
    quality_interval,
    paired_test,
    published_ratios,
    pairs_by_group,
)
