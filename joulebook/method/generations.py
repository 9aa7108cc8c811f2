"""Hardware or software: what a gain over generations is due to, and whether it is still true (method, section 10)."""

import numpy as np
import uncertainties
from uncertainties import umath

from joulebook.method.corners import (
    STEPS,
    TINY,
    all_known,
    at_corners,
    corner_table,
    detectable,
    first_steps,
    in_words,
    known_ratio,
    named,
    notice,
    paths,
    said_of,
    step_note,
    unclear,
    unknown,
)
from joulebook.method.differences import compared
from joulebook.method.measured_rows import ends, energies_per_unit, is_uncertain, values
from joulebook.method.result_states import states
from joulebook.method.savings import saving
from joulebook.method.stable_subset import stable_subset
from joulebook.method.study import gives
from joulebook.method.uncertainty import coverage_interval

MEAN = "mean of both orders"
NO_CORNERS = "no row names a corner: hardware A or B with software 1 or 2"
_LACKING = "the new hardware with the new software, and of the old hardware with the new software or of the new with the old"


def log_share(part, total):
    r"""Share of a gain in a total gain, in logs.

    Parameters
    ----------
    part, total : float or uncertainties.UFloat
        Gains. [1]

    Returns
    -------
    float or uncertainties.UFloat
        Share; below 0 where the part worked against the total. [1]

    Notes
    -----
    .. math:: \ln g / \ln G   (equation ``eq-log-share`` in the book)

    Examples
    --------
    >>> round(log_share(1.25, 2.0), 6), round(log_share(1.6, 2.0), 6)
    (0.321928, 0.678072)
    """
    return umath.log(part) / umath.log(total)


def interaction_of(energy):
    r"""How far the two gains depend on each other.

    Parameters
    ----------
    energy : dict of str to float or uncertainties.UFloat
        Energy per unit of work at all four corners. [J]

    Returns
    -------
    float or uncertainties.UFloat
        0 where hardware gains the same with either software. [1]

    Notes
    -----
    .. math:: \ln \frac{e_{A1}\, e_{B2}}{e_{A2}\, e_{B1}}   (equation ``eq-interaction`` in the book)

    Examples
    --------
    >>> round(interaction_of({"A1": 1.0, "A2": 0.8, "B1": 0.7, "B2": 0.5}), 6)
    -0.113329
    """
    return umath.log(energy["A1"] * energy["B2"] / (energy["A2"] * energy["B1"]))


@gives(
    "software_gain",
    "hardware_gain",
    "total_gain",
    "old_energy_per_unit_j",
    "new_energy_per_unit_j",
    "detectable_difference",
    "generation_energies",
)
def gains(generations):
    r"""Gains of software, of hardware and of both, along the path that there are results for.

    Parameters
    ----------
    generations : pandas.DataFrame
        Rows of the record; those with a `corner` are compared.

    Returns
    -------
    dict
        The results named in `gives`; see ``data/results.csv``.

    Notes
    -----
    .. math:: g_\mathrm{software} = \frac{e_{A1}}{e_{A2}}, \qquad g_\mathrm{hardware} = \frac{e_{A2}}{e_{B2}}
    """
    rows = at_corners(generations)
    names = gains.results
    if not len(rows):
        return {**dict.fromkeys(names), "notes": dict.fromkeys(names, NO_CORNERS)}
    energy = energies_per_unit(rows, ["corner"])
    steps = {f"{what}_gain": (what, start, end) for what, start, end in first_steps(energy)}
    outcome, notes, reach = dict.fromkeys(names), dict.fromkeys(names, f"needs a result of {_LACKING}"), {}
    for name, start, end in [*((name, *step[1:]) for name, step in steps.items()), ("total_gain", "A1", "B2")]:
        if end not in energy:
            continue
        made = compared(energy[end], energy[start])
        outcome[name], notes[name] = made.ratio, ""
        if known_ratio(energy[start], energy[end]):
            reach[name] = (made.low, made.high)
    for name, corner in (("old_energy_per_unit_j", "A1"), ("new_energy_per_unit_j", "B2")):
        if corner not in energy:
            continue
        outcome[name], notes[name] = uncertainties.nominal_value(energy[corner]), named(rows, corner)
        if is_uncertain(energy[corner]):
            reach[name] = coverage_interval(energy[corner])
    for name, (what, start, end) in steps.items():
        notes[name] = step_note(rows, what, start, end, reach.get(name))
    if "B2" in energy:
        notes["total_gain"] = "; ".join(filter(None, (unclear(reach.get("total_gain")), unknown(energy), notice(rows))))
    outcome["detectable_difference"], notes["detectable_difference"] = detectable(rows)
    return {
        **outcome,
        "generation_energies": corner_table(rows, energy),
        "notes": notes,
        "ranges": reach,
        **said_of(rows, names[:-1]),
    }


@gives("software_share", "hardware_share", "path_software_share", "path_hardware_share", "interaction", "gains_by_order")
def shares(generations):
    r"""Shares of software and hardware in the total gain: the mean over both orders, else those of the one path.

    Parameters
    ----------
    generations : pandas.DataFrame
        As in `gains`.

    Returns
    -------
    dict
        The results named in `gives`; shares only where the total gain exceeds its uncertainty.

    Notes
    -----
    With all four corners, the mean over both orders is the Shapley value of each:

    .. math:: s_\mathrm{software} = \frac{1}{2 \ln G} \left( \ln \frac{e_{A1}}{e_{A2}} + \ln \frac{e_{B1}}{e_{B2}} \right)

    References
    ----------
    .. [1] L. S. Shapley, A value for n-person games, Contributions to the Theory of Games II, 1953, 307.
    """
    rows = at_corners(generations)
    names = shares.results
    energy = energies_per_unit(rows, ["corner"]) if len(rows) else {}
    reason = why_no_shares(energy)
    if reason:
        return {**dict.fromkeys(names), "notes": dict.fromkeys(names, reason), "gains_by_order": _orders(energy, shared=False)}
    made = _shares(energy)
    ways = paths(energy)
    notes = {}
    if len(ways) < 2:
        way = in_words(rows, ways[0])
        only = f"along one path, {way}: no result of the other corner, so that another order could give other shares"
        notes = {"software_share": only, "hardware_share": "along the same path", "interaction": "needs all four corners"}
        notes |= dict.fromkeys(("path_software_share", "path_hardware_share"), "the only path that there is")
    else:
        notes = dict.fromkeys(("path_software_share", "path_hardware_share"), in_words(rows, ways[0]))
    if any(uncertainties.nominal_value(made[name]) < 0 for name in ("software_share", "hardware_share")):
        against = "one worked against the other, so that a share is below 0 and the other above 1"
        notes["software_share"] = "; ".join(filter(None, (notes.get("software_share"), against)))
    return {
        **{name: uncertainties.nominal_value(made[name]) if name in made else None for name in names[:-1]},
        "gains_by_order": _orders(energy, shared=True),
        "notes": notes,
        "ranges": {name: coverage_interval(item) for name, item in made.items() if all_known(energy) and is_uncertain(item)},
        **said_of(rows, names[:-1]),
    }


def why_no_shares(energy):
    """Why a gain has no shares: no corner between, or a total that does not exceed its uncertainty; empty where it has."""
    if not energy:
        return NO_CORNERS
    if not paths(energy):
        return f"needs results of {_LACKING}"
    total = compared(energy["B2"], energy["A1"])
    if abs(np.log(total.ratio)) <= TINY:
        return "there is no total gain to share"
    if known_ratio(energy["A1"], energy["B2"]) and not total.differ:
        low, high = total.low, total.high
        return f"the total gain does not exceed its uncertainty: not distinguishable from none, {low:.4g} to {high:.4g}"
    return ""


def _shares(energy):
    total = energy["A1"] / energy["B2"]
    ways = [{what: log_share(energy[start] / energy[end], total) for what, start, end in way} for way in paths(energy)]
    made = {f"path_{what}_share": ways[0][what] for what in ("software", "hardware")}
    made |= {f"{what}_share": sum(way[what] for way in ways) / len(ways) for what in ("software", "hardware")}
    return made | ({"interaction": interaction_of(energy)} if len(ways) == 2 else {})


def _orders(energy, shared):
    """Each order's two steps as rows, and their mean; None where there is no path. Shares only where they are to be `shared`."""
    if not energy or not paths(energy):
        return None
    total = energy["A1"] / energy["B2"]
    rows = [
        (order, what, start, end, energy[start] / energy[end])
        for order, steps in STEPS.items()
        if steps in paths(energy)
        for what, start, end in steps
    ]
    if len(rows) == 4:
        for what in ("software", "hardware"):
            own = [gain for _, each, _, _, gain in rows if each == what]
            rows.append((MEAN, what, "", "", umath.sqrt(own[0] * own[1])))
    steps = [gain for *_, gain in rows]
    low, high = ends(*(umath.log(gain) for gain in steps))
    parts = values(*(log_share(gain, total) for gain in steps)) if shared else np.full(len(rows), np.nan)
    table = {
        "order | ": [order for order, *_ in rows],
        "step | ": [what for _, what, *_ in rows],
        "from | ": [start for _, _, start, *_ in rows],
        "to | ": [end for *_, end, _ in rows],
        "gain | 1": values(*steps),
    }
    ranged = {"gain_low | 1": np.exp(low), "gain_high | 1": np.exp(high)} if all_known(energy) else {}
    return {**table, **ranged, "share | 1": parts}


# All calculations of the topic, in the order in which they run.
CALCULATIONS = (gains, shares, states, stable_subset, saving)
