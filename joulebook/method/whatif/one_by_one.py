"""One input changed at a time: what moves the cost and the conclusion, and where the conclusion turns (method, section 9)."""

import numpy as np

from joulebook.method.study import gives
from joulebook.method.whatif.conclusion import NOTHING_CONCLUDED, model_of
from joulebook.method.whatif.flips import SEARCHED
from joulebook.method.whatif.model import HURDLE, unit_of, varied, with_unit
from joulebook.units import PERCENT

STATED = "as stated"


@gives("tornado", "margin_tornado", "largest_mover", "inputs_without_effect", once=True)
def tornado(
    given, run_cost_per_million, variation_share, input_tokens_per_request=None, output_tokens_per_request=None
):
    """The cost and the margin of the conclusion with each input at the low and the high end of its range.

    Parameters
    ----------
    given : joulebook.inputs.Given
        Inputs of the topic.
    run_cost_per_million : float
        Result of `joulebook.method.economics.run_cost`: the cost today.
    variation_share : float
        See ``data/parameters.csv``.
    input_tokens_per_request, output_tokens_per_request : float, optional
        As in `joulebook.method.whatif.conclusion.model_of`.

    Returns
    -------
    dict
        The results named in `gives`; an input that moves nothing is named, and has no row.
    """
    model = model_of(given, input_tokens_per_request, output_tokens_per_request)
    inputs = varied(given, model.names, variation_share)
    ends = model.ends(inputs)
    cost = _rows(given, inputs, ends["run_cost_per_million"], variation_share, "cost_at", "{currency} per million {units}")
    margin = _rows(given, inputs, ends["conclusion_margin"], variation_share, "margin_at", "{currency}")
    moving = {name for table in (cost, margin) for name in table["input | "]}
    still = [title for title in (given.parameters[item.name].title for item in inputs) if title not in moving]
    notes = {"largest_mover": "no input moves it"} if not len(cost["input | "]) else {}
    notes |= {} if still else {"inputs_without_effect": "every input moves the cost or the conclusion"}
    known = np.isfinite(ends["conclusion_margin"]).any()
    return {
        "tornado": cost,
        "margin_tornado": margin if known else None,
        "largest_mover": str(cost["input | "][0]) if len(cost["input | "]) else None,
        "inputs_without_effect": ", ".join(still) or None,
        "notes": notes | ({} if known else {"margin_tornado": NOTHING_CONCLUDED}),
    }


def _rows(given, inputs, ends, share, head, unit):
    """Rows of a tornado, the widest first."""
    swing = np.abs(ends[1] - ends[0])
    size = np.nanmax(np.abs(ends)) if np.isfinite(ends).any() else 0.0
    order = [place for place in np.argsort(-np.nan_to_num(swing), kind="stable") if swing[place] > 1e-12 * size]
    chosen = [inputs[place] for place in order]
    return {
        "input | ": [given.parameters[item.name].title for item in chosen],
        "low | ": [item.given.low for item in chosen],
        "high | ": [item.given.high for item in chosen],
        "in | ": [unit_of(given, item.name) for item in chosen],
        "range | ": [_said(item, share) for item in chosen],
        f"{head}_low | {unit}": ends[0, order],
        f"{head}_high | {unit}": ends[1, order],
    }


def _said(item, share):
    """Where the range of an input comes from."""
    return STATED if item.stated else f"±{share * PERCENT:g} %{', up to its limit' if item.cut else ''}"


@gives("break_evens", "first_flip", "first_flip_multiple", once=True)
def break_evens(
    given,
    run_cost_per_million,
    conclusion_margin,
    variation_share,
    input_tokens_per_request=None,
    output_tokens_per_request=None,
):
    """The value of each input that moves the conclusion, at which it turns, all others as they are, the nearest first.

    Parameters
    ----------
    given, run_cost_per_million, variation_share, input_tokens_per_request, output_tokens_per_request
        As in `tornado`.
    conclusion_margin : float
        Result of `joulebook.method.whatif.conclusion.concluded`: the margin today.

    Returns
    -------
    dict
        The results named in `gives`; where there is no such value, the word never and how far was looked. The hurdle, which is
        chosen, has a row, and is not what turns the conclusion first.
    """
    model = model_of(given, input_tokens_per_request, output_tokens_per_request)
    inputs = model.moved_by(varied(given, model.names, variation_share), "conclusion_margin")
    flips, searched = model.flips(inputs, "conclusion_margin")
    today = np.array([float(item.given.value) for item in inputs])
    with np.errstate(all="ignore"):
        times = np.where(today != 0, flips / today, np.nan)
        away = np.nan_to_num(np.abs(times - 1), nan=np.inf, posinf=np.inf)
    order = np.lexsort((np.arange(len(inputs)), np.isnan(flips), away))
    rows = [inputs[place] for place in order]
    nearest = [place for place in order if np.isfinite(away[place]) and inputs[place].name != HURDLE]
    first = nearest[0] if nearest else None
    never = "never: no input turns it by itself, however far it is changed within its limits"
    return {
        "break_evens": {
            "input | ": [with_unit(given.parameters[item.name].title, unit_of(given, item.name)) for item in rows],
            "today | ": today[order],
            "break_even | ": flips[order],
            "times_today | 1": times[order],
            "said | ": [_reach(inputs[place], flips[place], searched[place]) for place in order],
        },
        "first_flip": None if first is None else given.parameters[inputs[first].name].title,
        "first_flip_multiple": np.nan if first is None else times[first],
        "notes": dict.fromkeys(("first_flip", "first_flip_multiple"), never) if first is None else {},
    }


def _reach(item, flip, searched):
    """Whether the range of an input reaches the value at which the conclusion turns; or that there is none, and why."""
    if np.isnan(flip):
        low, high = searched
        ends = [f"{edge:.6g}" if edge in item.limits else f"{edge:.3g}" for edge in (low, high)]
        far = "" if {low, high} <= set(item.limits) else f" and {SEARCHED:g} times today's value"
        return f"never: it turns nowhere from {ends[0]} to {ends[1]}, within its limits{far}"
    inside = item.given.low <= flip <= item.given.high
    if not item.stated:
        return "no range is stated"
    return "within its range" if inside else "beyond its range"
