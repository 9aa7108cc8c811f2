"""What would change the verdict: the input that flips it first, volume and price together, the next measurement (section 11)."""

import numpy as np

from joulebook.method.economics import ECONOMICS, QUALITY, RUN_COST
from joulebook.method.study import gives
from joulebook.method.whatif.flips import nearest_flips, search_grid
from joulebook.method.whatif.information import conditional_spread, value_of_perfect_information, worth_knowing
from joulebook.method.whatif.model import HURDLE, Model, unit_of, varied
from joulebook.units import PERCENT

CHAIN = (*RUN_COST, *QUALITY, *ECONOMICS)
NET = "net_benefit_over_hurdle"
VOLUMES = np.geomspace(0.1, 10, 21)  # times today's, which is among them
PRICES = np.linspace(0, 3, 25)  # likewise
UNITY = (0.0, np.inf)  # what a multiple of today's value can be
NO_RANGE = "no input has a range, so nothing says what it may turn out to be"
NO_MAP = "electricity has no price, or there is no return on no cost"
NOTHING = "no input flips it alone, whatever it can be"


@gives("first_flip", "first_flip_change", "input_flips", once=True)
def first_flip(given, net_benefit_over_hurdle):
    """The input that flips the decision by the smallest relative move, all others as they are.

    Parameters
    ----------
    given : joulebook.inputs.Given
        All that the topic was given.
    net_benefit_over_hurdle : float
        Result of `joulebook.method.economics.return_of_a_year`: the decision flips where it changes its sign.

    Returns
    -------
    dict
        The results named in `gives`; the table has a row an input that flips it, the nearest first.
    """
    model = Model(given, CHAIN, [NET])
    inputs = [item for item in varied(given, model.names - {HURDLE}, share=1.0) if item.given.value]
    flips, _ = model.flips(inputs, NET)
    changes = np.array([flip / item.given.value - 1 for flip, item in zip(flips, inputs, strict=True)])
    order = [place for place in np.argsort(np.abs(changes), kind="stable") if np.isfinite(changes[place])]
    if not order:
        return {**dict.fromkeys(first_flip.results), "notes": dict.fromkeys(first_flip.results, NOTHING)}
    rows = [(given.parameters[inputs[place].name], inputs[place], flips[place]) for place in order]
    table = {
        "input | ": [row.title for row, _, _ in rows],
        "unit | ": [unit_of(given, item.name) for _, item, _ in rows],
        "today | ": [float(item.given.value) for _, item, _ in rows],
        "at_the_flip | ": [float(flip) for _, _, flip in rows],
        "change | %": [float(changes[place]) * PERCENT for place in order],
        "inside_its_range | ": [
            ("yes" if item.given.low <= flip <= item.given.high else "no") if item.stated else "none stated"
            for _, item, flip in rows
        ],
    }
    nearest = rows[0]
    return {
        "first_flip": nearest[0].title,
        "first_flip_change": float(changes[order[0]]),
        "input_flips": table,
        "notes": {"first_flip": nearest[1].name},
    }


@gives("volume_flip", "price_flip", "volume_and_price", once=True)
def volume_and_price(given, net_benefit_over_hurdle, annual_tasks, electricity_price_per_kwh):
    """Return over the annual volume and the electricity price, and how many times today's value of each flips the decision.

    Parameters
    ----------
    given, net_benefit_over_hurdle
        As in `first_flip`.
    annual_tasks, electricity_price_per_kwh : float
        See ``data/parameters.csv``. The work of the system, as annual_volume or utilization tells it, moves with the tasks.

    Returns
    -------
    dict
        The results named in `gives`; the table has a row a volume and price.
    """
    model = Model(given, CHAIN, [NET, "roi"])
    with_tasks = ("annual_volume",) if given.inputs.get("annual_volume") is not None else ("utilization",)

    def at(volumes, prices):
        work_done = {name: given.inputs[name].value * volumes for name in with_tasks if name in given.inputs}
        tried = {"annual_tasks": annual_tasks * volumes, "electricity_price_per_kwh": electricity_price_per_kwh * prices}
        return model(tried | work_done)

    def holds(axis, value):
        made = at(np.where(axis == 0, value, 1.0), np.where(axis == 1, value, 1.0))[NET]
        return np.where(np.isfinite(made), made > 0, np.nan)

    flips = nearest_flips(holds, [search_grid(1.0, UNITY)] * 2, [1.0, 1.0])
    volumes, prices = (grid.ravel() for grid in np.meshgrid(VOLUMES, PRICES, indexing="ij"))
    notes = {
        name: reason
        for name, flip, reason in (
            ("volume_flip", flips[0], "never: no volume flips it at today's price"),
            ("price_flip", flips[1], "never: no electricity price flips it at today's volume"),
        )
        if not np.isfinite(flip)
    }
    returns = at(volumes, prices)["roi"]
    table = {
        "annual_tasks | ": annual_tasks * volumes,
        "electricity_price | {currency} per kWh": electricity_price_per_kwh * prices,
        "roi | 1": returns,
    }
    if not np.isfinite(returns).any() or not electricity_price_per_kwh > 0:
        table, notes["volume_and_price"] = None, NO_MAP
    if not electricity_price_per_kwh > 0:
        notes["price_flip"] = "electricity costs nothing today, and no times nothing is a price"
    return {"volume_flip": flips[0], "price_flip": flips[1], "volume_and_price": table, "notes": notes}


@gives("information_value", "next_measurement", "next_measurement_value", "measurements", once=True)
def next_measurement(given, net_benefit_over_hurdle):
    """What knowing more is worth, all inputs together and each alone, and the input to measure next.

    Parameters
    ----------
    given, net_benefit_over_hurdle
        As in `first_flip`.

    Returns
    -------
    dict
        The results named in `gives`; the table has a row an input with a range, the most valuable first.
    """
    names = next_measurement.results
    model = Model(given, CHAIN, [NET])
    inputs, points, made = model.sampled(share=0.0)
    inputs, net = [item for item in inputs if item.name != HURDLE], made[NET]
    if not inputs:
        return {**dict.fromkeys(names), "notes": dict.fromkeys(names, NO_RANGE)}
    if not np.isfinite(net).all():
        return {**dict.fromkeys(names), "notes": dict.fromkeys(names, "part of the inputs' ranges gives no return")}
    mean, spread = float(np.mean(net)), float(np.std(net))
    spreads = np.array([conditional_spread(points[item.name], net) for item in inputs])
    worth = worth_knowing(mean, spreads)
    order = np.lexsort((-spreads, -worth))
    rows = [given.parameters[inputs[place].name] for place in order]
    table = {
        "input | ": [row.title for row in rows],
        "moves_the_benefit | {currency}": spreads[order],
        "worth_knowing | {currency}": worth[order],
    }
    best = inputs[order[0]].name
    return {
        "information_value": value_of_perfect_information(mean, spread),
        "next_measurement": rows[0].title,
        "next_measurement_value": float(worth[order[0]]),
        "measurements": table,
        "notes": {"next_measurement": best, "next_measurement_value": "a year, before what the measurement costs"},
    }
