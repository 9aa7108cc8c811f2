"""What is concluded from the cost of a unit of work, how likely it holds, and what knowing more is worth (method, section 9)."""

import numpy as np

from joulebook.method.acceptable import acceptable_work
from joulebook.method.accuracy_cost import best_points
from joulebook.method.cost_per_token import request_tokens
from joulebook.method.economics import ECONOMICS, RUN_COST
from joulebook.method.ownership import against_api
from joulebook.method.ranges import PAIR
from joulebook.method.study import gives
from joulebook.method.whatif.information import probability_right, value_of_perfect_information
from joulebook.method.whatif.model import Model
from joulebook.units import PER_MILLION

QUALITY = (best_points, acceptable_work)  # of the topic accuracy_cost
COST = (*RUN_COST, request_tokens, against_api)  # of the topic cost_per_token
NOTHING_CONCLUDED = (
    "needs what a task brings and costs (value_per_task, automatable_share, annual_tasks, units_per_task, fixed_cost_per_year, "
    "review_cost_per_task), or what owning costs (capital_cost, lifetime_years, maintenance_share_per_year) and an API's price"
)
NO_RANGE = "no input that it rests on has a range"
NO_VALUE = "part of the inputs' ranges gives no value"
NEVER = "never: what a task brings does not pay for what a year costs beside the runs"
MADE = "no input has a range: each is varied by the same share of its value"
INDEPENDENT = "throughput and power are drawn independently of each other, though those of one system move together"


@gives("conclusion", "conclusion_margin", "flip_cost_per_million")
def concluded(
    run_cost_per_million,
    net_benefit_over_hurdle=None,
    roi_hurdle=None,
    annual_tasks=None,
    units_per_task=None,
    ownership_cost_per_million=None,
    api_price_per_million=None,
    units_per_year=None,
):
    r"""The conclusion, the money a year by which it holds, and the cost of a million units of work at which it turns.

    Parameters
    ----------
    run_cost_per_million, net_benefit_over_hurdle : float or ndarray
        Results of `joulebook.method.economics`; a net benefit comes before a comparison with an API.
    roi_hurdle, annual_tasks, units_per_task : float or ndarray
        See ``data/parameters.csv``.
    ownership_cost_per_million, api_price_per_million, units_per_year : float or ndarray
        Results of the topic `cost_per_token`.

    Returns
    -------
    dict
        The results named in `gives`; all else at the flip is as it is.

    Notes
    -----
    With the net benefit over the hurdle :math:`m`, the tasks :math:`N` of a year, :math:`n` units of work in each and the hurdle
    :math:`h`, the cost :math:`c` of a million units turns the conclusion at

    .. math:: c^* = c + \frac{10^6 \, m}{(1 + h) \, N \, n}
    """
    if net_benefit_over_hurdle is not None:
        margin = net_benefit_over_hurdle
        flip = run_cost_per_million + margin * PER_MILLION / ((1 + roi_hurdle) * annual_tasks * units_per_task)
        said = ("The use earns more than the hurdle asks for", "The use earns no more than the hurdle asks for")
    elif ownership_cost_per_million is not None and api_price_per_million is not None:
        margin = (api_price_per_million - ownership_cost_per_million) * units_per_year / PER_MILLION
        flip = api_price_per_million
        said = ("An own system costs less than the API", "An own system costs no less than the API")
    else:
        return {**dict.fromkeys(concluded.results), "notes": dict.fromkeys(concluded.results, NOTHING_CONCLUDED)}
    notes = {}
    if np.ndim(flip) == 0 and not flip > 0:  # over draws it stays a number, so that a positive value has its range
        flip, notes = np.nan, {"flip_cost_per_million": NEVER}
    return {
        "conclusion": said[0 if np.mean(margin) > 0 else 1],
        "conclusion_margin": margin,
        "flip_cost_per_million": flip,
        "notes": notes,
    }


# What is tried at other inputs: what a sample of requests adds up to stays.
TRIED = (*(item for item in COST if item is not request_tokens), *QUALITY, *ECONOMICS, concluded)
OUTPUTS = ("run_cost_per_million", "conclusion_margin")


def model_of(given, input_tokens_per_request=None, output_tokens_per_request=None):
    """The cost of a million units of work and the margin of the conclusion, as a model of a topic's inputs.

    Parameters
    ----------
    given : joulebook.inputs.Given
        Inputs of the topic.
    input_tokens_per_request, output_tokens_per_request : float, optional
        Results of `request_tokens`: the mix, which stays.

    Returns
    -------
    joulebook.method.whatif.model.Model
    """
    fixed = {
        "input_tokens_per_request": input_tokens_per_request,
        "output_tokens_per_request": output_tokens_per_request,
    }
    return Model(given, TRIED, OUTPUTS, fixed)


def drawn_apart(inputs, rank_correlation):
    """Whether throughput and power both have ranges and nothing says how they move together."""
    return rank_correlation is None and all(name in inputs and inputs[name].ranged for name in PAIR)


@gives("cost_mean", "cost_coefficient_of_variation", once=True)
def cost_spread(
    run_cost_per_million,
    given,
    variation_share,
    throughput_power_rank_correlation=None,
    input_tokens_per_request=None,
    output_tokens_per_request=None,
):
    """Mean and coefficient of variation of the cost of a million units of work over the inputs' ranges.

    Parameters
    ----------
    run_cost_per_million : float
        Result of `joulebook.method.economics.run_cost`: the cost today.
    given : joulebook.inputs.Given
        Inputs of the topic.
    variation_share : float
        See ``data/parameters.csv``: it takes the place of ranges where no input has one.
    throughput_power_rank_correlation : float, optional
        See ``data/parameters.csv``: the draws have it.
    input_tokens_per_request, output_tokens_per_request : float, optional
        As in `model_of`.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    inputs, _, outputs = model_of(given, input_tokens_per_request, output_tokens_per_request).sampled(variation_share)
    cost = outputs[OUTPUTS[0]]
    if not _varies(cost, run_cost_per_million):
        return _unknown(cost_spread.results, cost)
    made = {"cost_mean": np.mean(cost), "cost_coefficient_of_variation": np.std(cost) / np.mean(cost)}
    return _said(made, inputs, drawn_apart(given.inputs, throughput_power_rank_correlation))


@gives(
    "probability_positive",
    "probability_holds",
    "margin_mean",
    "margin_standard_uncertainty",
    "probability_right",
    "value_of_perfect_information",
    once=True,
)
def certainty(
    conclusion_margin,
    given,
    variation_share,
    throughput_power_rank_correlation=None,
    input_tokens_per_request=None,
    output_tokens_per_request=None,
):
    """How likely the conclusion holds over the inputs' ranges, and what certainty would be worth.

    Parameters
    ----------
    conclusion_margin : float
        Result of `concluded`: the margin today.
    given, variation_share, throughput_power_rank_correlation, input_tokens_per_request, output_tokens_per_request
        As in `cost_spread`.

    Returns
    -------
    dict
        The results named in `gives`. The probabilities are shares of the draws; the value of information takes the margin as
        normal, with the mean and the standard deviation of the draws.
    """
    inputs, _, outputs = model_of(given, input_tokens_per_request, output_tokens_per_request).sampled(variation_share)
    margin = outputs[OUTPUTS[1]]
    if not _varies(margin, conclusion_margin):
        return _unknown(certainty.results, margin)
    mean, spread, positive = np.mean(margin), np.std(margin), np.mean(margin > 0)
    made = {
        "probability_positive": positive,
        "probability_holds": positive if conclusion_margin > 0 else 1 - positive,
        "margin_mean": mean,
        "margin_standard_uncertainty": spread,
        "probability_right": probability_right(mean, spread),
        "value_of_perfect_information": value_of_perfect_information(mean, spread),
    }
    return _said(made, inputs, drawn_apart(given.inputs, throughput_power_rank_correlation))


def _varies(values, today):
    return len(values) and np.isfinite(values).all() and np.ptp(values) > 1e-12 * abs(today)


def _unknown(names, values):
    return {**dict.fromkeys(names), "notes": dict.fromkeys(names, NO_RANGE if np.isfinite(values).all() else NO_VALUE)}


def _said(made, inputs, apart):
    """Results of draws, with what must be said of these."""
    if not inputs[0].stated:
        return {**made, "notes": dict.fromkeys(made, MADE), "evidence": dict.fromkeys(made, "illustrative")}
    return {**made, "notes": dict.fromkeys(made, INDEPENDENT) if apart else {}}
