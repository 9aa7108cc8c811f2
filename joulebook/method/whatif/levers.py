"""What a better system moves: shares of the unit cost, each times the factor of what moves it (method, section 9)."""

import numpy as np

from joulebook.method.fleet import facility_kwh, per_million
from joulebook.method.ownership import AT_WORK, DEMAND_CHARGE, IDLE, PARTS
from joulebook.method.study import gives
from joulebook.method.whatif.conclusion import model_of

ELECTRICITY = (AT_WORK, IDLE, DEMAND_CHARGE)
# A lever, the parts of the cost that it moves, these in words, and the inputs that it changes: by the gain or by its inverse.
LEVERS = (
    ("Less power, same throughput", ELECTRICITY, "electricity", {"active_power_w": -1, "idle_power_w": -1}),
    ("More throughput, same power", PARTS, "every part", {"throughput_per_s": 1}),
    ("Lower peak alone", (DEMAND_CHARGE,), "demand charge", {"demand_charge_per_kw_month": -1}),
)


def levered_cost(shares, factors):
    r"""Unit cost after levers, over the unit cost before.

    Parameters
    ----------
    shares : array_like, shape (..., parts)
        Shares of the unit cost; they add to one. [1]
    factors : array_like, shape (..., parts)
        What becomes of each part: one where a lever does not move it. [1]

    Returns
    -------
    float or ndarray, shape (...)
        [1]

    Notes
    -----
    .. math:: c' / c = \sum_i s_i f_i

    Examples
    --------
    >>> round(float(levered_cost([0.011527, 0.988473], [3.0, 1.0])), 6)
    1.023054
    """
    return np.sum(np.asarray(shares, float) * np.asarray(factors, float), axis=-1)


@gives("levers", "energy_lever_ratio", "throughput_lever_ratio", "energy_lever_share", once=True)
def levers(
    given,
    run_cost_per_million,
    performance_per_watt_gain,
    ownership_parts=None,
    cost_per_million_always_on=None,
    annual_demand_charge=None,
    units_per_year=None,
    servers_powered=None,
    year_hours=None,
    idle_power_w=None,
    electricity_price_per_kwh=None,
    boundary=None,
    pue=None,
    input_tokens_per_request=None,
    output_tokens_per_request=None,
):
    """What a gain in performance per watt does to the cost, by where it comes from.

    Parameters
    ----------
    given, run_cost_per_million, input_tokens_per_request, output_tokens_per_request
        As in `joulebook.method.whatif.one_by_one.tornado`.
    performance_per_watt_gain : float
        See ``data/parameters.csv``.
    ownership_parts : table, optional
        Result of `joulebook.method.ownership.ownership`: parts of the cost of owning.
    cost_per_million_always_on, annual_demand_charge, units_per_year, servers_powered, year_hours : float, optional
        Results of the topic `cost_per_token`, where nothing is owned.
    idle_power_w, electricity_price_per_kwh, boundary, pue : optional
        Inputs and label, as in `joulebook.method.cost_per_token.always_on`.

    Returns
    -------
    dict
        The results named in `gives`; beside each lever what the whole model makes of it at today's servers and work.
    """
    parts = _parts(
        run_cost_per_million,
        ownership_parts,
        cost_per_million_always_on,
        (annual_demand_charge, units_per_year, servers_powered, year_hours),
        (idle_power_w, electricity_price_per_kwh, boundary, pue),
    )
    total = sum(parts.values())
    if not total > 0:
        return {**dict.fromkeys(levers.results), "notes": dict.fromkeys(levers.results, "a unit of work costs nothing")}
    shares = np.array([amount / total for amount in parts.values()])
    moved = np.array([[part in lever[1] for part in parts] for lever in LEVERS])
    ratio = levered_cost(shares, np.where(moved, 1 / performance_per_watt_gain, 1.0))
    model = model_of(given, input_tokens_per_request, output_tokens_per_request)
    whole = [_by_model(model, lever, performance_per_watt_gain) for lever in LEVERS]
    return {
        "levers": {
            "lever | ": [lever[0] for lever in LEVERS],
            "moves | ": [lever[2] for lever in LEVERS],
            "share_moved | 1": moved @ shares,
            "times_today | 1": ratio,
            "times_at_todays_work | 1": np.array(whole) / run_cost_per_million,
        },
        "energy_lever_ratio": ratio[0],
        "throughput_lever_ratio": ratio[1],
        "energy_lever_share": (moved @ shares)[0],
        "notes": {"throughput_lever_ratio": "as far as the throughput is filled with work, or fewer servers are bought for it"},
    }


def _by_model(model, lever, gain):
    """The cost that the whole model gives with a lever's inputs changed; nan where it has none of them."""
    given, changes = model.given.inputs, lever[3]
    names = [name for name in changes if name in given and name in model.names]
    if not names:
        return np.nan
    points = {name: np.array([given[name].value * gain ** changes[name]]) for name in names}
    return float(model(points)["run_cost_per_million"][0])


def _parts(cost, ownership_parts, always_on, year, system):
    """Parts of the cost of a million units of work, by name."""
    if ownership_parts is not None:
        names, amounts = ownership_parts.values()
        return dict(zip(names, np.asarray(amounts, float), strict=True))
    if always_on is None:
        return {AT_WORK: cost}
    demand_charge, units, servers, hours = year
    idle_power_w, price, boundary, pue = system
    peak = 0.0 if demand_charge is None else float(per_million(demand_charge, units))
    idle = float(per_million(facility_kwh(servers * idle_power_w, hours, boundary, pue) * price, units))
    return {AT_WORK: always_on - idle - peak, IDLE: idle, DEMAND_CHARGE: peak}
