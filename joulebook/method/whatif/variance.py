"""How much of what is not known each input explains, all of them varied together (method, section 9)."""

import numpy as np

from joulebook.method.ranges import PAIR
from joulebook.method.study import gives
from joulebook.method.whatif.conclusion import INDEPENDENT, MADE, OUTPUTS, drawn_apart, model_of
from joulebook.method.whatif.indices import SAMPLES, sobol_indices
from joulebook.method.whatif.model import over_ranges

NOTHING_MOVES = "no input with a range moves it, or part of the ranges gives no value"
PAIR_TITLE = "Throughput and power, together"


@gives("variance_shares", "indices_samples", "main_source", once=True)
def variance_shares(
    given,
    run_cost_per_million,
    variation_share,
    throughput_power_rank_correlation=None,
    input_tokens_per_request=None,
    output_tokens_per_request=None,
):
    """Sobol' indices of the cost and of the margin of the conclusion, over the inputs' ranges.

    Parameters
    ----------
    given, run_cost_per_million, variation_share, input_tokens_per_request, output_tokens_per_request
        As in `joulebook.method.whatif.one_by_one.tornado`.
    throughput_power_rank_correlation : float, optional
        See ``data/parameters.csv``: with one, throughput and power are a group.

    Returns
    -------
    dict
        The results named in `gives`. Inputs without a range are fixed, unless none has one: then all are varied by the share.
    """
    model = model_of(given, input_tokens_per_request, output_tokens_per_request)
    inputs = model.moved_by(over_ranges(given, model.names, variation_share))
    if not inputs:
        return {
            **dict.fromkeys(variance_shares.results),
            "notes": dict.fromkeys(variance_shares.results, NOTHING_MOVES),
        }
    names = [item.name for item in inputs]
    together = throughput_power_rank_correlation is not None and set(PAIR) <= set(names)
    groups = [PAIR_TITLE if together and name in PAIR else given.parameters[name].title for name in names]
    found = sobol_indices(lambda shares: model(model.drawn(inputs, shares)), names, groups)
    shown = list(dict.fromkeys(groups))
    count = SAMPLES * (len(shown) + 2) if len(shown) > 1 else SAMPLES
    by = found[OUTPUTS[0]] or found[OUTPUTS[1]]
    if by is None:
        said = dict.fromkeys(("variance_shares", "main_source"), NOTHING_MOVES)
        return {"variance_shares": None, "indices_samples": count, "main_source": None, "notes": said}
    order = np.argsort(-by.total, kind="stable")
    table = {"input | ": [shown[place] for place in order]}
    for output, word in zip(OUTPUTS, ("cost", "conclusion"), strict=True):
        if found[output] is not None:
            table |= _columns(found[output], word, order)
    notes = {"indices_samples": said} if (said := _said(given, inputs, throughput_power_rank_correlation)) else {}
    return {
        "variance_shares": table,
        "indices_samples": count,
        "main_source": shown[order[0]],
        "notes": notes,
    }


def _columns(found, word, order):
    """Columns of the indices of an output, each with its interval."""
    table = {}
    for kind, index, half in (
        ("first_order", found.first, found.first_half_width),
        ("total", found.total, found.total_half_width),
    ):
        table |= {
            f"{kind}_{word} | 1": index[order],
            f"{kind}_{word}_low | 1": (index - half)[order],
            f"{kind}_{word}_high | 1": (index + half)[order],
        }
    return table


def _said(given, inputs, rank_correlation):
    """What the indices rest on, as far as it is not what the ranges say."""
    if not inputs[0].stated:
        return MADE
    if rank_correlation is not None and set(PAIR) <= {item.name for item in inputs}:
        return "throughput and power are varied together, and are one in the indices"
    return INDEPENDENT if drawn_apart(given.inputs, rank_correlation) else ""
