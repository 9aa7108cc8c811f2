"""What a measure saved at the same work, beside what was promised (method, section 10)."""

import numpy as np
import uncertainties

from joulebook.errors import InputError, Problem
from joulebook.method.measured_rows import differing_labels, ends, energies_per_unit, is_uncertain, values
from joulebook.method.study import gives
from joulebook.method.uncertainty import coverage_interval
from joulebook.results import weakest

WHENS = ("before", "after")


def measures(saving):
    """Energy per unit of work of each measure, before and after.

    Parameters
    ----------
    saving : pandas.DataFrame
        Rows of `measure` and `when`; several rows of one are repeats.

    Returns
    -------
    dict of str to dict of str to quantity

    Raises
    ------
    InputError
        Naming what lacks, and labels that differ between before and after.
    """
    problems = []
    for measure, rows in saving.groupby("measure", sort=False):
        lacks = [when for when in WHENS if when not in set(rows["when"])]
        if lacks:
            what = f"{measure}: nothing {' nor '.join(lacks)}"
            problems.append(Problem(what, field="saving_csv", allowed="rows before and after of each measure"))
        problems += differing_labels(rows, f"{measure}, before and after", "saving_csv")
    if problems:
        raise InputError(problems)
    made = {}
    for (measure, when), energy in energies_per_unit(saving, ["measure", "when"]).items():
        made.setdefault(measure, {})[when] = energy
    return made


@gives("verified_saving", "promised_saving", "verified_savings")
def saving(saving):
    r"""Saving at the same work, beside the promised one; of all measures together by the energy before.

    Parameters
    ----------
    saving : pandas.DataFrame
        As in `measures`, with `promised_saving`, one number a measure, nan where nothing was promised.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    Both sides are taken for the work before:

    .. math:: s = 1 - \frac{\sum_i e_{i,\mathrm{after}}\, N_i}{\sum_i e_{i,\mathrm{before}}\, N_i}
    """
    energy = measures(saving)
    before = saving[saving["when"] == "before"].groupby("measure", sort=False)
    work, promised = (before[name].mean().to_dict() for name in ("work", "promised_saving"))
    single = {measure: 1 - own["after"] / own["before"] for measure, own in energy.items()}
    totals = {when: sum(own[when] * work[measure] for measure, own in energy.items()) for when in WHENS}
    together = 1 - totals["after"] / totals["before"]
    known = {measure: all(map(is_uncertain, own.values())) for measure, own in energy.items()}
    weights = {measure: uncertainties.nominal_value(own["before"]) * work[measure] for measure, own in energy.items()}
    all_promised = sum(promised[measure] * weight for measure, weight in weights.items()) / sum(weights.values())
    notes = {"verified_saving": _together(together, all(known.values()), all_promised)}
    if np.isnan(all_promised):
        notes["promised_saving"] = "of part of the measures nothing was promised"
    names = ("verified_saving", "promised_saving")
    return {
        "verified_saving": uncertainties.nominal_value(together),
        "promised_saving": all_promised,
        "verified_savings": _table(energy, single, known, promised),
        "notes": notes,
        "ranges": {"verified_saving": coverage_interval(together)} if all(known.values()) else {},
        "evidence": dict.fromkeys(names, weakest(saving["evidence"])),
    }


def _table(energy, single, known, promised):
    low, high = ends(*single.values())
    table = {"measure | ": list(single)}
    for when in WHENS:
        sides = [own[when] for own in energy.values()]
        reach = ends(*sides)
        table[f"energy_{when} | J per {{unit}}"] = values(*sides)
        if np.isfinite(reach[0]).any():
            table |= {f"energy_{when}_{end} | J per {{unit}}": own for end, own in zip(("low", "high"), reach, strict=True)}
    table["verified | 1"] = values(*single.values())
    if any(known.values()):
        sure = np.array(list(known.values()))
        table |= {"verified_low | 1": np.where(sure, low, np.nan), "verified_high | 1": np.where(sure, high, np.nan)}
    table["promised | 1"] = np.array([promised[measure] for measure in single])
    table["judged | "] = [
        judged(value, reach if known[measure] else None, promised[measure])
        for measure, value, *reach in zip(single, table["verified | 1"], low, high, strict=True)
    ]
    return table


def judged(value, reach, promised):
    """A saving in words, against none and against what was promised.

    Parameters
    ----------
    value : float
        Saving. [1]
    reach : sequence of float or None
        Its low and high; None where its uncertainty is not known.
    promised : float
        What was promised; nan where nothing was. [1]

    Examples
    --------
    >>> judged(0.2, (0.15, 0.25), 0.3), judged(0.2, (-0.1, 0.5), 0.3), judged(0.2, None, 0.2)
    ('less than promised', 'not distinguishable from none', 'as promised or better; its uncertainty is not stated')
    """
    if reach is not None and reach[0] <= 0 <= reach[1]:
        return "not distinguishable from none"
    if np.isnan(promised):
        said = "saves" if value > 0 else "takes more"
    elif reach is not None and reach[0] <= promised <= reach[1]:
        said = "as promised, within its uncertainty"
    elif value >= promised:
        said = "as promised or better"
    else:
        said = "less than promised" if value > 0 else "takes more"
    return said if reach is not None else f"{said}; its uncertainty is not stated"


def _together(together, known, promised):
    return judged(uncertainties.nominal_value(together), coverage_interval(together) if known else None, promised)
