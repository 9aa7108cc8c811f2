"""Does the conclusion survive: what moves it, what turns it, how likely it holds, what to measure next (method, section 9)."""

from joulebook.method.economics import run_cost
from joulebook.method.whatif.conclusion import COST, ECONOMICS, QUALITY, certainty, concluded, cost_spread
from joulebook.method.whatif.levers import levers
from joulebook.method.whatif.measuring import measurements_ranked, value_of_knowing
from joulebook.method.whatif.one_by_one import break_evens, tornado
from joulebook.method.whatif.scenarios import by_points, scenarios
from joulebook.method.whatif.variance import variance_shares

# What it rests on: `COST` of the topic cost_per_token, `QUALITY` of accuracy_cost and `ECONOMICS` of verdict.
__all__ = ["CALCULATIONS", "COST", "ECONOMICS", "QUALITY", "run_cost"]

# All calculations of the topic, in the order in which they run: later ones use results of earlier ones.
CALCULATIONS = (
    concluded,
    cost_spread,
    certainty,
    tornado,
    variance_shares,
    break_evens,
    scenarios,
    by_points,
    levers,
    value_of_knowing,
    measurements_ranked,
)
