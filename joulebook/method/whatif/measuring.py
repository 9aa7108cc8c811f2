"""What the next measurement is worth, less what it costs (method, section 9)."""

import numpy as np

from joulebook.method import ranges
from joulebook.method.study import gives
from joulebook.method.whatif.conclusion import NO_RANGE, model_of
from joulebook.method.whatif.information import conditional_spread, spread_resolved, worth_knowing
from joulebook.method.whatif.model import unit_of, with_unit

UNRANGED = "no range is stated, or it moves nothing: knowing it better changes nothing here"


@gives("value_of_knowing", once=True)
def value_of_knowing(
    given,
    conclusion_margin,
    margin_mean,
    variation_share,
    input_tokens_per_request=None,
    output_tokens_per_request=None,
):
    """What it is worth to know each input exactly before the decision is taken.

    Parameters
    ----------
    given, conclusion_margin, variation_share, input_tokens_per_request, output_tokens_per_request
        As in `joulebook.method.whatif.one_by_one.break_evens`.
    margin_mean : float
        Result of `joulebook.method.whatif.conclusion.certainty`.

    Returns
    -------
    dict
        The table named in `gives`, the most valuable first.

    Notes
    -----
    The part of an input in the standard uncertainty of the margin is that of the margin's mean given the input
    (`joulebook.method.whatif.information.conditional_spread`).
    """
    inputs, standard, effect = _parts(given, input_tokens_per_request, output_tokens_per_request, variation_share)
    if not inputs:
        return {"value_of_knowing": None, "notes": {"value_of_knowing": NO_RANGE}}
    value = worth_knowing(margin_mean, effect)
    order = np.lexsort((-effect, -value))
    order = order[effect[order] > 0]
    rows = [inputs[place] for place in order]
    return {
        "value_of_knowing": {
            "input | ": [with_unit(given.parameters[item.name].title, unit_of(given, item.name)) for item in rows],
            "standard_uncertainty | ": standard[order],
            "moves_margin_by | {currency}": effect[order],
            "value | {currency}": value[order],
        }
    }


@gives("measurements_ranked", "best_measurement", "best_measurement_net_value", once=True)
def measurements_ranked(
    given,
    conclusion_margin,
    margin_mean,
    variation_share,
    measurements,
    input_tokens_per_request=None,
    output_tokens_per_request=None,
):
    r"""Measurements by what each is worth to the decision, less what it costs.

    Parameters
    ----------
    given, conclusion_margin, margin_mean, variation_share, input_tokens_per_request, output_tokens_per_request
        As in `value_of_knowing`.
    measurements : pandas.DataFrame
        Columns measurement, input, standard_uncertainty and cost; rows of one measurement are made together, and their costs
        are added.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    An input's part :math:`s_i` of the standard uncertainty of the margin, measured with the standard uncertainty
    :math:`u_m` in place of :math:`u_i`, moves the mean by

    .. math:: s_i'^2 = s_i^2 - \frac{1}{1 / s_i^2 + 1 / s_m^2}, \qquad s_m = s_i \, u_m / u_i

    and inputs that are measured together by the root of the sum of the squares.
    """
    inputs, standard, effect = _parts(given, input_tokens_per_request, output_tokens_per_request, variation_share)
    places = {item.name: place for place, item in enumerate(inputs)}
    names = measurements["input"].tolist()
    place = np.array([places.get(name, -1) for name in names], int)
    known = place >= 0
    error = measurements["standard_uncertainty"].to_numpy(float)
    own, part = (np.append(values, 0.0)[place] for values in (standard, effect))
    with np.errstate(all="ignore"):
        resolved = np.where(known & (part > 0), spread_resolved(part, part * error / np.where(own > 0, own, 1.0)), 0.0)
    titles = [given.parameters[name].title for name in names]
    made = {}
    for row, name in enumerate(measurements["measurement"]):
        made.setdefault(name, []).append(row)
    spread = np.array([np.sqrt((resolved[rows] ** 2).sum()) for rows in made.values()])
    cost = np.array([measurements["cost"].to_numpy(float)[rows].sum() for rows in made.values()])
    value = worth_knowing(margin_mean, spread)
    order = np.argsort(cost - value, kind="stable")
    words = list(made)
    rows = [made[words[item]] for item in order]
    return {
        "measurements_ranked": {
            "measurement | ": [words[item] for item in order],
            "measures | ": [", ".join(titles[row] for row in each) for each in rows],
            "value | {currency}": value[order],
            "cost | {currency}": cost[order],
            "net_value | {currency}": (value - cost)[order],
            "said | ": [_unranged([titles[row] for row in each if not known[row]]) for each in rows],
        },
        "best_measurement": words[order[0]] if value[order[0]] > cost[order[0]] else None,
        "best_measurement_net_value": (value - cost)[order[0]],
        "notes": {} if value[order[0]] > cost[order[0]] else {"best_measurement": "none is worth what it costs"},
    }


def _unranged(titles):
    return f"{', '.join(titles)}: {UNRANGED}" if titles else ""


def _parts(given, tokens_in, tokens_out, share):
    """Inputs that are drawn and move the margin, their standard uncertainties, and how far knowing each moves its mean."""
    model = model_of(given, tokens_in, tokens_out)
    inputs, points, outputs = model.sampled(share)
    margin = outputs["conclusion_margin"]
    if not np.isfinite(margin).all():
        return [], np.zeros(0), np.zeros(0)
    moving = {item.name for item in model.moved_by(inputs, "conclusion_margin")}
    inputs = [item for item in inputs if item.name in moving]
    standard = np.array([float(ranges.distribution(item.given, item.limits).std()) for item in inputs])
    return inputs, standard, np.array([conditional_spread(points[item.name], margin) for item in inputs])
