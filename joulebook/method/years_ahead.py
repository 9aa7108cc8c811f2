"""Energy and electricity cost of the years ahead (method, section 5)."""

import numpy as np

from joulebook.method.fleet import facility_kwh, servers_needed
from joulebook.method.load_curve import curve_for, judged, power_at
from joulebook.method.study import gives
from joulebook.units import SECONDS_PER_HOUR, hours_by_year


@gives(
    "cumulated_kwh_busy_only",
    "cumulated_cost_busy_only",
    "present_value_busy_only",
    "cumulated_kwh_always_on",
    "cumulated_cost_always_on",
    "present_value_always_on",
    "years_ahead",
)
def years_ahead(
    throughput_per_s,
    active_power_w,
    idle_power_w,
    electricity_price_per_kwh,
    servers,
    max_utilization,
    redundancy,
    units_per_year,
    servers_powered,
    horizon_years,
    volume_growth_per_year,
    price_escalation_per_year,
    boundary=None,
    pue=None,
    year=None,
    load_curve=None,
    utilization_is=None,
    annual_demand_charge=None,
    discount_rate=None,
):
    r"""Energy and electricity cost of the years of a horizon, the first at today's volume and price.

    Parameters
    ----------
    throughput_per_s, active_power_w, idle_power_w, electricity_price_per_kwh, pue : float or ndarray
        See ``data/parameters.csv``.
    servers, max_utilization, redundancy : float or ndarray
        As in `servers_needed`; servers are added as the volume grows.
    units_per_year, servers_powered, annual_demand_charge : float or ndarray
        Results of `work_of_a_year` and `demand_charge`; the demand charge grows with price and servers.
    horizon_years, volume_growth_per_year, price_escalation_per_year, discount_rate : float or ndarray
        See ``data/parameters.csv``.
    boundary, year, load_curve, utilization_is
        As in `joulebook.method.cost_per_token.always_on`.

    Returns
    -------
    dict
        The results named in `gives`; the table has a row a year.

    Notes
    -----
    .. math:: \mathrm{PV} = \sum_{k=1}^{n} C_k / (1 + r)^k
    """
    curve = curve_for(utilization_is, load_curve)
    hours = np.asarray(hours_by_year(year, horizon_years))
    after = np.arange(len(hours))
    throughput, idle, active, volume, price, growth, escalation, most, today = (
        np.asarray(item, float)[..., None]
        for item in (
            throughput_per_s,
            idle_power_w,
            active_power_w,
            units_per_year,
            electricity_price_per_kwh,
            volume_growth_per_year,
            price_escalation_per_year,
            max_utilization,
            servers_powered,
        )
    )
    factor = None if pue is None else np.asarray(pue, float)[..., None]
    volume, rise = volume * (1 + growth) ** after, (1 + escalation) ** after
    price = price * rise
    demand = volume / (hours * SECONDS_PER_HOUR)
    powered = servers_needed(demand, throughput, servers, most, redundancy)
    on_kwh = facility_kwh(powered * power_at(demand / (powered * throughput), idle, active, curve), hours, boundary, factor)
    busy_kwh = facility_kwh(active, volume / throughput / SECONDS_PER_HOUR, boundary, factor)
    on_cost, busy_cost = on_kwh * price, busy_kwh * price
    if annual_demand_charge is not None:
        on_cost = on_cost + np.asarray(annual_demand_charge, float)[..., None] * rise * powered / today
    results, notes = {}, {}
    for way, kwh, cost in (("busy_only", busy_kwh, busy_cost), ("always_on", on_kwh, on_cost)):
        results[f"cumulated_kwh_{way}"], results[f"cumulated_cost_{way}"] = kwh.sum(axis=-1)[()], cost.sum(axis=-1)[()]
        if discount_rate is None:
            results[f"present_value_{way}"], notes[f"present_value_{way}"] = None, "needs discount_rate"
        else:
            results[f"present_value_{way}"] = (cost / (1 + np.asarray(discount_rate, float)[..., None]) ** (after + 1)).sum(
                axis=-1
            )[()]
    table = {
        "year | ": after + (1 if year is None else int(year)),
        "units_per_year | {units}": volume,
        "servers_powered | servers": powered,
        "kwh_busy_only | kWh": busy_kwh,
        "cost_busy_only | {currency}": busy_cost,
        "kwh_always_on | kWh": on_kwh,
        "cost_always_on | {currency}": on_cost,
    }
    rests_on_curve = [name for name in years_ahead.results if not name.endswith("busy_only")]
    evidence = judged(rests_on_curve, utilization_is, load_curve)["evidence"]
    return {**results, "years_ahead": table, "notes": notes, "evidence": evidence}
