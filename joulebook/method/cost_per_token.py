"""What a million tokens cost: energy at full load and over a year (method, section 5)."""

import numpy as np

from joulebook.method.electricity import demand_charge, time_of_use
from joulebook.method.fleet import NO_WORK, demand_per_s, energy_per_unit, facility_kwh, per_million, servers_needed
from joulebook.method.load_curve import power_at
from joulebook.method.ownership import against_api, ownership, years_ahead
from joulebook.method.study import gives
from joulebook.method.token_mix import energy_of_my_mix, energy_of_tokens, request_tokens
from joulebook.units import PER_MILLION, SECONDS_PER_HOUR, WATTS_PER_KILOWATT, hours_of_year


@gives(
    "energy_per_unit_j",
    "performance_per_watt",
    "units_per_hour",
    "it_kwh_per_hour",
    "facility_kwh_per_hour",
    "facility_kwh_per_million",
    "cost_per_hour",
    "cost_per_million",
)
def at_full_load(throughput_per_s, active_power_w, electricity_price_per_kwh, boundary=None, pue=None):
    r"""Energy and its cost at full load.

    Parameters
    ----------
    throughput_per_s, active_power_w, electricity_price_per_kwh, pue : float or ndarray
        See ``data/parameters.csv``; `pue` is None where the power was measured at the facility.
    boundary : str, optional
        Where the power was measured.

    Returns
    -------
    dict
        The results named in `gives`; see ``data/results.csv``.

    Notes
    -----
    .. math:: c = 10^6\, \frac{P\,\mathrm{PUE}}{T} \frac{p}{3.6 \times 10^6}
    """
    energy_j = energy_per_unit(active_power_w, throughput_per_s)
    per_hour = facility_kwh(active_power_w, 1.0, boundary, pue)
    units = throughput_per_s * SECONDS_PER_HOUR
    results = {
        "energy_per_unit_j": energy_j,
        "performance_per_watt": 1 / energy_j,
        "units_per_hour": units,
        "it_kwh_per_hour": active_power_w / WATTS_PER_KILOWATT,
        "facility_kwh_per_hour": per_hour,
        "facility_kwh_per_million": per_million(per_hour, units),
        "cost_per_hour": per_hour * electricity_price_per_kwh,
        "cost_per_million": per_million(per_hour * electricity_price_per_kwh, units),
    }
    notes = {"cost_per_million": "energy only, at full load"}
    if boundary in ("accelerator", "node_dc"):
        short = f"the power was measured at the {boundary}: what lies between it and the server's inlet is not counted"
        for name in ("facility_kwh_per_hour", "facility_kwh_per_million", "cost_per_hour", "cost_per_million"):
            notes[name] = "; ".join(filter(None, (notes.get(name), short)))
    if boundary == "facility":
        notes["it_kwh_per_hour"] = "the power was measured at the facility: what the equipment alone draws is not known"
        results["it_kwh_per_hour"] = np.nan
    return {**results, "notes": notes}


@gives(
    "year_hours",
    "units_per_year",
    "servers_powered",
    "utilization_of_year",
    "average_power_w",
    "energy_per_unit_always_on_j",
    "annual_kwh_busy_only",
    "annual_cost_busy_only",
    "cost_per_million_busy_only",
    "annual_kwh_always_on",
    "annual_cost_always_on",
    "cost_per_million_always_on",
)
def over_a_year(
    throughput_per_s,
    active_power_w,
    idle_power_w,
    electricity_price_per_kwh,
    servers,
    max_utilization,
    redundancy,
    boundary=None,
    pue=None,
    year=None,
    annual_volume=None,
    utilization=None,
    load_curve=None,
    annual_demand_charge=None,
):
    r"""Energy and cost of a year, off when idle and always on.

    Parameters
    ----------
    throughput_per_s, active_power_w, idle_power_w, electricity_price_per_kwh, pue, annual_volume, utilization : float or ndarray
        See ``data/parameters.csv``.
    servers, max_utilization, redundancy : float or ndarray
        Servers there are, and when more are added (see `servers_needed`).
    boundary : str, optional
        Where the power was measured.
    year : int, optional
        Calendar year.
    load_curve : pandas.DataFrame, optional
        Measured power against utilization.
    annual_demand_charge : float or ndarray, optional
        Result of `demand_charge`.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: E_\mathrm{on} = n\,P(u)\,h\,\mathrm{PUE}, \qquad E_\mathrm{busy} = e\,V\,\mathrm{PUE}
    """
    hours = hours_of_year(year)
    demand = demand_per_s(hours, throughput_per_s, servers, annual_volume, utilization)
    if demand is None:
        names = over_a_year.results
        return {
            **dict.fromkeys(names),
            "year_hours": hours,
            "notes": dict.fromkeys(names[1:], "needs annual_volume or utilization"),
        }
    powered = servers_needed(demand, throughput_per_s, servers, max_utilization, redundancy)
    units = demand * hours * SECONDS_PER_HOUR
    load = demand / (powered * throughput_per_s)
    power_w = powered * power_at(load, idle_power_w, active_power_w, load_curve)
    busy_kwh = facility_kwh(active_power_w, units / throughput_per_s / SECONDS_PER_HOUR, boundary, pue)
    on_kwh = facility_kwh(power_w, hours, boundary, pue)
    on_cost = on_kwh * electricity_price_per_kwh + (0.0 if annual_demand_charge is None else annual_demand_charge)
    notes = dict.fromkeys(("cost_per_million_busy_only", "cost_per_million_always_on", "energy_per_unit_always_on_j"), NO_WORK)
    if np.all(units > 0):
        notes = {"cost_per_million_busy_only": "only if the system is off whenever it is idle"}
        if load_curve is None:
            notes["average_power_w"] = "a straight line from idle to full load; under batching the measured curve lies above it"
        if annual_demand_charge is not None:
            notes["cost_per_million_always_on"] = notes["annual_cost_always_on"] = "demand charge included"
    if annual_volume is not None and utilization is not None:
        notes["utilization_of_year"] = "from the annual volume, which comes before the utilization given"
    if np.ndim(powered) == 0 and powered > servers:
        notes["servers_powered"] = "servers were added so that the highest utilization is not exceeded"
    return {
        "year_hours": hours,
        "units_per_year": units,
        "servers_powered": powered,
        "utilization_of_year": load,
        "average_power_w": power_w,
        "energy_per_unit_always_on_j": per_million(power_w * hours * SECONDS_PER_HOUR, units) / PER_MILLION,
        "annual_kwh_busy_only": busy_kwh,
        "annual_cost_busy_only": busy_kwh * electricity_price_per_kwh,
        "cost_per_million_busy_only": per_million(busy_kwh * electricity_price_per_kwh, units),
        "annual_kwh_always_on": on_kwh,
        "annual_cost_always_on": on_cost,
        "cost_per_million_always_on": per_million(on_cost, units),
        "notes": notes,
    }


@gives("cost_by_utilization")
def by_utilization(
    throughput_per_s, active_power_w, idle_power_w, electricity_price_per_kwh, boundary=None, pue=None, load_curve=None
):
    r"""Energy cost per million units of work of one system that is always on, from nearly idle to full.

    Parameters
    ----------
    throughput_per_s, active_power_w, idle_power_w, electricity_price_per_kwh, boundary, pue, load_curve
        As in `over_a_year`.

    Returns
    -------
    dict
        The table named in `gives`: utilization and cost per million, a row a utilization.

    Notes
    -----
    .. math:: c(u) = 10^6\, \frac{P(u)\,\mathrm{PUE}}{u\,T} \frac{p}{3.6 \times 10^6}
    """
    load = np.geomspace(0.01, 1, 61)
    kwh = facility_kwh(power_at(load, idle_power_w, active_power_w, load_curve), 1.0, boundary, pue)
    cost = per_million(kwh * electricity_price_per_kwh, load * throughput_per_s * SECONDS_PER_HOUR)
    return {"cost_by_utilization": {"utilization | 1": load, "cost_per_million | {currency} per million {units}": cost}}


# All calculations of the topic, in the order in which they run: later ones use results of earlier ones.
CALCULATIONS = (
    at_full_load,
    demand_charge,
    over_a_year,
    by_utilization,
    time_of_use,
    request_tokens,
    energy_of_tokens,
    energy_of_my_mix,
    ownership,
    years_ahead,
    against_api,
)
