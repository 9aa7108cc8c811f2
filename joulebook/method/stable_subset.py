"""Whether what was priced still holds with the new generation: its best and worst matched result (method, section 10)."""

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.method.differences import compared
from joulebook.method.measured_rows import differing_labels, energies_per_unit, is_uncertain
from joulebook.method.study import gives
from joulebook.results import weakest

MATCHES = ("best", "worst")
_ROUNDING = 1e-12  # a ratio at the limit itself passes


def matched(stable_subset):
    """Energies of each workload's best and worst matched result, of the old and of the new generation.

    Parameters
    ----------
    stable_subset : pandas.DataFrame
        Rows of `workload`, `match` and `generation`; several rows of one are repeats.

    Returns
    -------
    dict of tuple of str to dict of str to quantity
        By workload and match, then by generation.

    Raises
    ------
    InputError
        Naming what lacks, and labels that differ between old and new.
    """
    problems = []
    for workload, own in stable_subset.groupby("workload", sort=False):
        there = set(zip(own["match"], own["generation"], strict=True))
        lacks = [f"{match}, {when}" for match in MATCHES for when in ("old", "new") if (match, when) not in there]
        if lacks:
            what = f"{workload}: a matched result is missing, {' and '.join(lacks)}"
            problems.append(Problem(what, field="stable_subset_csv", allowed="best and worst, each old and new"))
        for match, rows in own.groupby("match", sort=False):
            problems += differing_labels(rows, f"{workload}, {match}, old and new", "stable_subset_csv")
    if problems:
        raise InputError(problems)
    made = {}
    for (workload, match, when), energy in energies_per_unit(stable_subset, ["workload", "match", "generation"]).items():
        made.setdefault((workload, match), {})[when] = energy
    return made


@gives("stable_workloads", "unstable_workloads", "subset_matches")
def stable_subset(stable_subset, stable_band_share):
    r"""Workloads whose best and worst matched result both lie where they were, within a band.

    Parameters
    ----------
    stable_subset : pandas.DataFrame
        As in `matched`.
    stable_band_share : float or ndarray
        Half width of the band about 1. [1]

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: \left| e_\mathrm{new} / e_\mathrm{old} - 1 \right| \le b   (equation ``eq-stable`` in the book)
    """
    made = {key: (compared(energy["old"], energy["new"]), _known(energy)) for key, energy in matched(stable_subset).items()}
    band = np.asarray(stable_band_share)[..., None]
    within = np.abs(np.array([item.ratio for item, _ in made.values()]) - 1) <= band + _ROUNDING
    workloads = list(dict.fromkeys(workload for workload, _ in made))
    of = np.array([workloads.index(workload) for workload, _ in made])
    holds = np.stack([within[..., of == place].all(axis=-1) for place in range(len(workloads))], axis=-1)
    counts = {"stable_workloads": holds.sum(axis=-1) * 1.0, "unstable_workloads": (~holds).sum(axis=-1) * 1.0}
    if np.ndim(stable_band_share):
        return {**counts, "subset_matches": None}  # draws of the band: the words are those of its value
    failed = [workload for workload, right in zip(workloads, holds, strict=True) if not right]
    return {
        **counts,
        "subset_matches": _table(made, float(stable_band_share)) | _sources(stable_subset, made),
        "notes": {"unstable_workloads": f"to be priced again: {', '.join(failed)}" if failed else "nothing to be priced again"},
        "evidence": dict.fromkeys(counts, weakest(stable_subset["evidence"])),
    }


def _sources(rows, made):
    """Column of the sources of each match, old and new; none where none is named."""
    if not any(rows["source"]):
        return {}
    of = {key: dict.fromkeys(own["source"]) for key, own in rows.groupby(["workload", "match"], sort=False)}
    return {"source | ": ["; ".join(filter(None, of[key])) for key in made]}


def _known(energy):
    return all(map(is_uncertain, energy.values()))


def _table(made, band):
    """Ratio of each matched result, with its interval where both sides have an uncertainty, and what it says."""
    table = {
        "workload | ": [workload for workload, _ in made],
        "match | ": [match for _, match in made],
        "new_over_old | 1": np.array([item.ratio for item, _ in made.values()]),
    }
    if any(known for _, known in made.values()):
        for end in ("low", "high"):
            reach = [getattr(item, end) if known else np.nan for item, known in made.values()]
            table[f"new_over_old_{end} | 1"] = np.array(reach)
    table["judged | "] = [_judged(item, known, band) for item, known in made.values()]
    return table


def _judged(item, known, band):
    """Passes or fails by its value; and whether its interval says the same."""
    within = [abs(value - 1) <= band + _ROUNDING for value in ((item.ratio, item.low, item.high) if known else (item.ratio,))]
    crosses = not all(within) and (within[0] or (item.low < 1 + band and item.high > 1 - band))
    return ("passes" if within[0] else "fails") + (", but its interval crosses the limit" if known and crosses else "")
