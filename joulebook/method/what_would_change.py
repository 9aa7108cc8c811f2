"""What would change the verdict: the input that flips it first, volume and price together, the next measurement (section 11)."""

import numpy as np

from joulebook.method.economics import ECONOMICS, QUALITY, RUN_COST
from joulebook.method.ranges import correlated, draw
from joulebook.method.study import gives
from joulebook.method.whatif.flips import nearest_flips, search_grid
from joulebook.method.whatif.information import value_of_perfect_information
from joulebook.method.whatif.model import Model, varied
from joulebook.units import work

CHAIN = (*RUN_COST, *QUALITY, *ECONOMICS)
NET = "net_benefit_over_hurdle"
HURDLE = "roi_hurdle"  # what is asked for, and no input that may turn out otherwise
VOLUMES = np.geomspace(0.1, 10, 21)  # times today's, which is among them
PRICES = np.linspace(0, 3, 25)  # likewise
UNITY = (0.0, np.inf)  # what a multiple of today's value can be
LEAST = 1e-6  # of the standard uncertainty of the benefit
DEGREE = 5  # of the polynomial that a conditional mean is taken for
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
        "unit | ": [_unit(row, given) for row, _, _ in rows],
        "today | ": [float(item.given.value) for _, item, _ in rows],
        "at_the_flip | ": [float(flip) for _, _, flip in rows],
        "change | %": [float(changes[place]) * 100 for place in order],
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


def conditional_spread(values, output):
    r"""How far knowing one input moves the mean of an output: standard deviation of the conditional mean.

    Parameters
    ----------
    values, output : ndarray, shape (n,)
        Draws of the input, and the output at them.

    Returns
    -------
    float
        In the output's unit.

    Notes
    -----
    The conditional mean is taken for a polynomial of the input's rank, in Legendre's polynomials, which are orthonormal on ranks:

    .. math:: s_i^2 = \sum_{k \ge 1} \left( \frac{1}{n} \sum_j y_j P_k(u_j) \right)^2

    Examples
    --------
    >>> import numpy as np
    >>> u = (np.arange(4096) + 0.5) / 4096
    >>> round(float(conditional_spread(u, 10 * u) / (10 / np.sqrt(12))), 4)
    1.0
    """
    count = len(values)
    ranks = np.empty(count)
    ranks[np.argsort(values, kind="stable")] = (np.arange(count) + 0.5) / count
    basis = np.polynomial.legendre.legvander(2 * ranks - 1, DEGREE)[:, 1:] * np.sqrt(2 * np.arange(1, DEGREE + 1) + 1)
    return float(np.sqrt(np.sum(np.mean(basis * (output - np.mean(output))[:, None], axis=0) ** 2)))


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
    inputs = [item for item in varied(given, model.names - {HURDLE}, share=0.0) if item.stated]
    if not inputs:
        return {**dict.fromkeys(names), "notes": dict.fromkeys(names, NO_RANGE)}
    ranged = {item.name: item.given for item in inputs}
    limits, places = ({name: getattr(given.parameters[name], key) for name in ranged} for key in ("limits", "place"))
    points = draw(ranged, limits, places=places, correlated=correlated(given.inputs))
    net = model(points)[NET]
    if not np.isfinite(net).all():
        return {**dict.fromkeys(names), "notes": dict.fromkeys(names, "part of the inputs' ranges gives no return")}
    mean, spread = float(np.mean(net)), float(np.std(net))
    spreads = np.array([conditional_spread(points[item.name], net) for item in inputs])
    worth = value_of_perfect_information(mean, spreads)
    worth = np.where(worth > LEAST * spread, worth, 0.0)  # what could hardly ever flip it is worth nothing
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


def _unit(row, given):
    words = {"money": given.currency, "units": work(given.labels.unit_of_work, plural=True), "1": ""}
    return "/".join(words.get(part, part) for part in row.unit.split("/"))
