"""Published results at two quality targets: what the stricter one costs in performance per watt (method, section 4)."""

import numpy as np

from joulebook.method.study import gives

_NEARER = np.sqrt(0.5)  # half way, in logs, from the same energy to twice the energy
NOTICE = "Result not verified by MLCommons Association"


@gives(
    "pairs_counted",
    "pairs_geometric_mean",
    "pairs_mean",
    "pairs_median",
    "pairs_lowest",
    "pairs_highest",
    "pairs_energy_ratio",
    "pairs_twice_share",
    "published_pairs",
)
def published_ratios(accuracy_pairs):
    r"""Performance per watt at the stricter target over that at the looser, of the same published system.

    Parameters
    ----------
    accuracy_pairs : pandas.DataFrame
        Columns `round`, `hardware`, `eff_999_over_99` and what names the pair; a row a pair.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: r = \frac{T_{99.9} / P_{99.9}}{T_{99} / P_{99}}

    The energy of a unit of work is the inverse, so its ratio is 1/r. A pair counts as twice the energy where 1/r is
    nearer, in logs, to two than to one. A round or a kind of hardware with more pairs weighs more: these are the
    results that were submitted, not a sample of systems.
    """
    ratio = accuracy_pairs["eff_999_over_99"].to_numpy(float)
    rounds = sorted(set(accuracy_pairs["round"]))
    division, family, retrieved = (", ".join(sorted(set(accuracy_pairs[name]))) for name in ("division", "family", "retrieved"))
    scenarios = " and ".join(sorted(set(accuracy_pairs["scenario"])))
    source = (
        f"MLPerf Inference {rounds[0]} to {rounds[-1]}, {division} division, {family}, {scenarios}, performance over system "
        f"power; retrieved {retrieved}. {NOTICE}"
    )
    mean = float(np.exp(np.log(ratio).mean()))
    return {
        "pairs_counted": float(len(ratio)),
        "pairs_geometric_mean": mean,
        "pairs_mean": ratio.mean(),
        "pairs_median": float(np.median(ratio)),
        "pairs_lowest": ratio.min(),
        "pairs_highest": ratio.max(),
        "pairs_energy_ratio": 1 / mean,
        "pairs_twice_share": float((ratio < _NEARER).mean()),
        "published_pairs": {
            "round | ": accuracy_pairs["round"].tolist(),
            "submitter | ": accuracy_pairs["submitter"].tolist(),
            "system | ": accuracy_pairs["system"].tolist(),
            "scenario | ": accuracy_pairs["scenario"].tolist(),
            "hardware | ": accuracy_pairs["hardware"].tolist(),
            "efficiency_ratio | 1": ratio,
        },
        "notes": {"pairs_counted": source},
    }


@gives(
    "pairs_first_round_mean",
    "pairs_last_round_mean",
    "pairs_entrant_mean",
    "pairs_beside_entrant_mean",
    "pairs_before_entrant_mean",
    "pairs_by_round",
    "pairs_by_hardware",
)
def pairs_by_group(accuracy_pairs):
    """The ratio by round and by hardware, and whether it is the round or the hardware that it moves with.

    Parameters
    ----------
    accuracy_pairs : pandas.DataFrame
        As in `published_ratios`.

    Returns
    -------
    dict
        The results named in `gives`. The entrant is the hardware with the highest mean. Where it is not there from the
        first round on, the others in its rounds, and all in the rounds before it, show what changed.
    """
    rounds, hardware = _grouped(accuracy_pairs, "round"), _grouped(accuracy_pairs, "hardware")
    best = hardware["hardware | "][int(np.argmax(hardware["mean | 1"]))]
    own = accuracy_pairs["hardware"] == best
    first = min(accuracy_pairs.loc[own, "round"])
    later = accuracy_pairs["round"] >= first
    groups = {
        "pairs_entrant_mean": (own, f"{best}, from {first} on"),
        "pairs_beside_entrant_mean": (~own & later, f"from {first} on"),
        "pairs_before_entrant_mean": (~later, f"before {first}"),
    }
    results, notes = {}, {}
    for name, (rows, when) in groups.items():
        ratios = accuracy_pairs.loc[rows, "eff_999_over_99"]
        results[name] = ratios.mean() if len(ratios) else None
        others = ", ".join(sorted(set(accuracy_pairs.loc[rows, "hardware"])))
        who = when if name == "pairs_entrant_mean" else f"{others}, {when}"
        notes[name] = f"{who}, {len(ratios)} pairs" if len(ratios) else f"no other pair {when}"
    for name, place in (("pairs_first_round_mean", 0), ("pairs_last_round_mean", -1)):
        results[name] = rounds["mean | 1"][place]
        notes[name] = f"{rounds['round | '][place]}, {rounds['pairs | '][place]:.0f} pairs"
    return {**results, "pairs_by_round": rounds, "pairs_by_hardware": hardware, "notes": notes}


def _grouped(pairs, name):
    """Pairs, mean, median, lowest and highest ratio of each group."""
    groups = pairs.groupby(name)["eff_999_over_99"].agg(["size", "mean", "median", "min", "max"])
    return {
        f"{name} | ": groups.index.tolist(),
        "pairs | ": groups["size"].to_numpy(float),
        "mean | 1": groups["mean"].to_numpy(float),
        "median | 1": groups["median"].to_numpy(float),
        "lowest | 1": groups["min"].to_numpy(float),
        "highest | 1": groups["max"].to_numpy(float),
    }
