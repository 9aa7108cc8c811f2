"""Where savings persist, and where they migrate (method, section 2)."""

import numpy as np

from joulebook.method.judgement import (
    beyond_uncertainty,
    drawn_columns,
    ends,
    falls_of,
    judged,
    overhead,
    overhead_note,
    retained_from,
    saving_note,
    settled,
)
from joulebook.method.residuals import residuals
from joulebook.method.rungs import NEEDS_FACILITY, VARIANTS, Models, climb
from joulebook.method.scale_and_cooling import cooling, scale
from joulebook.method.study import gives
from joulebook.results import BOUNDARIES
from joulebook.units import PERCENT

NO_FACILITY = "needs the facility measured, or facility_fixed_w and facility_slope; by one PUE it would claim nothing"


def saving(baseline_j, optimized_j):
    r"""Share of the energy that the optimized variant saves for the same work.

    Parameters
    ----------
    baseline_j, optimized_j : float or ndarray
        Energy per unit of work, or for the same work. [J]

    Returns
    -------
    float or ndarray
        Saving; negative where the optimized variant takes more. [1]

    Notes
    -----
    .. math:: s = 1 - e_\mathrm{opt} / e_\mathrm{base}        (equation ``eq-saving`` in the book)

    Examples
    --------
    >>> round(saving(600.0, 492.0), 12)
    0.18
    """
    return 1 - optimized_j / baseline_j


def energy_over(window_s, energy_j, busy_s, idle_power_w):
    r"""Energy over a window of a system that works for part of it and then waits.

    Parameters
    ----------
    window_s, busy_s : float or ndarray
        Length of the window, and of the work in it. [s]
    energy_j : float or ndarray
        Energy of the work. [J]
    idle_power_w : float or ndarray
        Power of the waiting system. [W]

    Returns
    -------
    float or ndarray
        Energy. [J]

    Notes
    -----
    .. math:: E = E_\mathrm{work} + P_\mathrm{idle} (t - t_\mathrm{work})        (equation ``eq-equal-time`` in the book)

    Examples
    --------
    >>> energy_over(60.0, 48000.0, 48.0, 400.0)
    52800.0
    """
    return energy_j + idle_power_w * (window_s - busy_s)


@gives("boundary_ladder", "migration", "saving_retained_outermost", "pue_of_baseline", "pue_of_optimized")
def ladder(
    boundary_csv,
    quality_difference=None,
    variant_meters=None,
    window_baseline_s=None,
    window_optimized_s=None,
    psu_efficiency=None,
    host_power_w=None,
    host_power_is=None,
    network_storage_share=None,
    pue=None,
    pue_category=None,
    facility_fixed_w=None,
    facility_slope=None,
    rng=None,
    sampled=None,
):
    r"""Energy per unit of work of both variants at each boundary, what is saved there, and what moved there.

    Parameters
    ----------
    boundary_csv : pandas.DataFrame
        Energies by boundary and variant; see `joulebook.method.rungs.climb`.
    quality_difference, variant_meters, window_baseline_s, window_optimized_s, psu_efficiency, host_power_w, host_power_is, \
    network_storage_share, pue, pue_category, facility_fixed_w, facility_slope
        See ``data/parameters.csv``.
    rng : numpy.random.Generator, optional
        Draws the energies from their ranges.
    sampled : dict, optional
        What this gave on draws.

    Returns
    -------
    dict
        The results named in `gives`; the tables have a row a boundary.

    Raises
    ------
    InputError
        If a rung lies below the one inside it by more than the uncertainty of the difference.

    Notes
    -----
    With the added energy :math:`a` over the rung below, for the work of the baseline,

    .. math:: m = a_\mathrm{opt} - a_\mathrm{base}        (equation ``eq-migrated`` in the book)
    """
    models = Models(
        window_baseline_s=window_baseline_s,
        window_optimized_s=window_optimized_s,
        psu_efficiency=psu_efficiency,
        host_power_w=host_power_w,
        host_power_is=host_power_is,
        network_storage_share=network_storage_share,
        pue=pue,
        pue_category=pue_category,
        facility_fixed_w=facility_fixed_w,
        facility_slope=facility_slope,
    )
    found = climb(boundary_csv, models, quality_difference, variant_meters, rng)
    total = {variant: found.total_j(variant) for variant in VARIANTS}
    added = {variant: np.concatenate([rows[..., :1] * np.nan, np.diff(rows)], -1) for variant, rows in total.items()}
    saved, migrated = saving(*total.values()), settled(added["optimized"] - added["baseline"], total["baseline"])
    drawn = drawn_columns(sampled, ("boundary_ladder", "migration"), found.at)
    saved_ends = ends(saved, drawn.get("saving | 1"))
    verdicts = [judged(*pair, ("saves", "takes more", "equal")) for pair in zip(*saved_ends, strict=True)]
    moved = [
        judged(*pair, ("migrated here", "saved here too", "none"))
        for pair in zip(*ends(migrated, drawn.get("migrated_j | J")), strict=True)
    ]
    falls = [""] * len(found.rungs) if rng is not None else falls_of(found, added, drawn)
    verdicts, moved = (
        ["claims nothing" if rung.follows else word for rung, word in zip(found.rungs, words, strict=True)]
        for words in (verdicts, moved)
    )
    moved = ["; ".join(filter(None, pair)) for pair in zip(["", *moved[1:]], falls, strict=True)]
    established = beyond_uncertainty(saved_ends[0])
    retained = retained_from(saved, established)
    outer = max(place for place, rung in enumerate(found.rungs) if not rung.follows)
    notes = dict.fromkeys(("pue_of_baseline", "pue_of_optimized"), overhead_note(found))
    notes["saving_retained_outermost"] = (
        f"of the saving at the {found.rungs[established[0]].boundary}"
        if established and established[0] <= outer
        else "no saving exceeds its uncertainty at a boundary that claims one of its own"
    )
    return {
        "boundary_ladder": {
            "boundary | ": list(BOUNDARIES),
            "evidence | ": found.text([rung.evidence for rung in found.rungs]),
            "baseline | J per {unit}": found.rows(total["baseline"] / found.work["baseline"]),
            "optimized | J per {unit}": found.rows(total["optimized"] / found.work["baseline"]),
            "saving | 1": found.rows(saved),
            "saving_retained | 1": found.rows(retained),
            "verdict | ": found.text(verdicts),
            "basis | ": [found.absent.get(name) or found.find(name).basis for name in BOUNDARIES],
        },
        "migration": {
            "boundary | ": list(BOUNDARIES),
            "baseline_j | J": found.rows(total["baseline"]),
            "optimized_j | J": found.rows(total["optimized"]),
            "added_baseline_j | J": found.rows(added["baseline"]),
            "added_optimized_j | J": found.rows(added["optimized"]),
            "migrated_j | J": found.rows(migrated),
            "verdict | ": found.text(moved),
        },
        "saving_retained_outermost": retained[..., outer][()],
        **{f"pue_of_{variant}": overhead(found, variant) for variant in VARIANTS},
        "notes": notes,
        "labels": {"saving_retained_outermost": {"boundary": found.rungs[outer].boundary}},
    }


@gives(
    "saving_outermost_pct",
    "energy_per_unit_baseline_j",
    "energy_per_unit_optimized_j",
    "energy_baseline_j",
    "energy_optimized_j",
    "saving_innermost_pct",
    "migrated_outside_j",
    *(f"saving_at_{boundary}_pct" for boundary in BOUNDARIES),
    "stated_energy_baseline_j",
    "stated_energy_optimized_j",
    "work_baseline",
    "work_optimized",
)
def savings(
    boundary_csv,
    boundary=None,
    quality_difference=None,
    variant_meters=None,
    window_baseline_s=None,
    window_optimized_s=None,
    psu_efficiency=None,
    host_power_w=None,
    host_power_is=None,
    network_storage_share=None,
    facility_fixed_w=None,
    facility_slope=None,
    rng=None,
    sampled=None,
):
    """Saving at each boundary that claims one of its own, and energies at the outermost of them.

    A rung by one factor on the rung below has its saving by construction and claims nothing; therefore no PUE is needed.

    Parameters
    ----------
    boundary : str, optional
        Where the power of the page was measured.
    others
        As in `ladder`.

    Returns
    -------
    dict
        The results named in `gives`; energies are for the work of the baseline.
    """
    models = Models(
        window_baseline_s=window_baseline_s,
        window_optimized_s=window_optimized_s,
        psu_efficiency=psu_efficiency,
        host_power_w=host_power_w,
        host_power_is=host_power_is,
        network_storage_share=network_storage_share,
        facility_fixed_w=facility_fixed_w,
        facility_slope=facility_slope,
    )
    found = climb(boundary_csv, models, quality_difference, variant_meters, rng)
    total = {variant: found.total_j(variant) for variant in VARIANTS}
    percents, saved_j = saving(*total.values()) * PERCENT, total["baseline"] - total["optimized"]
    claimed = {rung.boundary: place for place, rung in enumerate(found.rungs) if not rung.follows}
    inner, outer = min(claimed.values()), max(claimed.values())
    places = {f"saving_at_{name}_pct": place for name, place in claimed.items()}
    places |= {"saving_outermost_pct": outer, "saving_innermost_pct": inner}
    results = {name: percents[..., place] for name, place in places.items()}
    results |= {f"energy_{variant}_j": total[variant][..., outer] for variant in VARIANTS}
    results |= {f"energy_per_unit_{variant}_j": total[variant][..., outer] / found.work["baseline"] for variant in VARIANTS}
    results |= {f"work_{variant}": found.work[variant] for variant in VARIANTS}
    lost_j = settled(saved_j[..., inner] - saved_j[..., outer], total["baseline"][..., outer])
    results["migrated_outside_j"] = lost_j if outer > inner else None
    notes = {name: saving_note(results[name], (sampled or {}).get(name), found, place) for name, place in places.items()}
    notes |= {f"saving_at_{name}_pct": notes[f"saving_at_{name}_pct"].partition("; ")[2] for name in claimed}
    notes |= {} if outer > inner else {"migrated_outside_j": "only one boundary claims a saving of its own"}
    for name in set(BOUNDARIES) - set(claimed):
        reason = found.absent.get(name, "claims nothing: one factor on the rung inside it")
        results[f"saving_at_{name}_pct"] = None
        notes[f"saving_at_{name}_pct"] = NO_FACILITY if reason == NEEDS_FACILITY else reason
    stated = next((place for place, rung in enumerate(found.rungs) if rung.boundary == boundary), None)
    lacking = "" if stated is not None else f"no rung at the {boundary}" if boundary else "needs the label boundary"
    results |= {f"stated_energy_{variant}_j": None if lacking else total[variant][..., stated] for variant in VARIANTS}
    notes |= {f"stated_energy_{variant}_j": lacking for variant in VARIANTS if lacking}
    places |= {} if lacking else {f"stated_energy_{variant}_j": stated for variant in VARIANTS}
    places |= dict.fromkeys((name for name in results if name.startswith("energy_")), outer)
    return {
        **results,
        "notes": notes,
        "evidence": {name: found.evidence(place) for name, place in places.items()}
        | {"migrated_outside_j": found.evidence(outer, inner)},
        "labels": {
            name: {"boundary": found.rungs[place].boundary} for name, place in {**places, "migrated_outside_j": outer}.items()
        },
    }


@gives("average_power_baseline_w", "average_power_optimized_w")
def average_power(
    stated_energy_baseline_j, stated_energy_optimized_j, work_baseline, work_optimized, window_baseline_s, window_optimized_s
):
    """Average power of each variant over its own run, where the power of the page was measured.

    Parameters
    ----------
    stated_energy_baseline_j, stated_energy_optimized_j, work_baseline, work_optimized : float or ndarray
        Results of `savings`.
    window_baseline_s, window_optimized_s : float or ndarray
        See ``data/parameters.csv``.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    return {
        "average_power_baseline_w": stated_energy_baseline_j / window_baseline_s,
        "average_power_optimized_w": stated_energy_optimized_j * work_optimized / work_baseline / window_optimized_s,
    }


@gives(
    "common_window_s",
    "saving_equal_work_pct",
    "saving_equal_time_pct",
    "equal_time_energy_baseline_j",
    "equal_time_energy_optimized_j",
)
def equal_time(
    stated_energy_baseline_j,
    stated_energy_optimized_j,
    work_baseline,
    work_optimized,
    window_baseline_s,
    window_optimized_s,
    idle_power_w,
):
    r"""Saving over the same time beside that for the same work: whoever is done first waits, and draws its idle power.

    Parameters
    ----------
    stated_energy_baseline_j, stated_energy_optimized_j, work_baseline, work_optimized : float or ndarray
        Results of `savings`: energies for the work of the baseline.
    window_baseline_s, window_optimized_s, idle_power_w : float or ndarray
        See ``data/parameters.csv``.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: E_\mathrm{opt} + P_\mathrm{idle} (t_\mathrm{base} - t_\mathrm{opt})        (equation ``eq-equal-time`` in the book)
    """
    busy = window_optimized_s * work_baseline / work_optimized
    window = np.maximum(window_baseline_s, busy)
    first = energy_over(window, stated_energy_baseline_j, window_baseline_s, idle_power_w)
    second = energy_over(window, stated_energy_optimized_j, busy, idle_power_w)
    return {
        "common_window_s": window,
        "saving_equal_work_pct": saving(stated_energy_baseline_j, stated_energy_optimized_j) * PERCENT,
        "saving_equal_time_pct": saving(first, second) * PERCENT,
        "equal_time_energy_baseline_j": first,
        "equal_time_energy_optimized_j": second,
    }


# All calculations of the topic, in the order in which they run: later ones use results of earlier ones.
CALCULATIONS = (ladder, savings, average_power, equal_time, residuals, scale, cooling)
