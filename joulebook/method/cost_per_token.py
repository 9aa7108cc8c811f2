"""What a million tokens cost: energy at full load and over a year (method, section 5)."""

import numpy as np

from joulebook.method.electricity import demand_charge, time_of_use
from joulebook.method.fleet import NO_WORK, demand_per_s, energy_per_unit, facility_kwh, per_million, servers_needed
from joulebook.method.load_curve import curve_for, judged, power_at
from joulebook.method.ownership import against_api, ownership
from joulebook.method.study import gives
from joulebook.method.token_mix import energy_of_my_mix, energy_of_tokens, request_tokens
from joulebook.method.years_ahead import years_ahead
from joulebook.units import PER_MILLION, SECONDS_PER_HOUR, WATTS_PER_KILOWATT, hours_of_year


@gives("energy_per_unit_j", "performance_per_watt", "units_per_hour", "it_kwh_per_hour")
def energy_at_full_load(throughput_per_s, active_power_w, boundary=None):
    """Energy per unit of work and performance per watt at full load.

    Parameters
    ----------
    throughput_per_s, active_power_w : float or ndarray
        See ``data/parameters.csv``.
    boundary : str, optional
        Where the power was measured.

    Returns
    -------
    dict
        The results named in `gives`; see ``data/results.csv``.
    """
    energy_j = energy_per_unit(active_power_w, throughput_per_s)
    facility = boundary == "facility"
    return {
        "energy_per_unit_j": energy_j,
        "performance_per_watt": 1 / energy_j,
        "units_per_hour": throughput_per_s * SECONDS_PER_HOUR,
        "it_kwh_per_hour": np.nan if facility else active_power_w / WATTS_PER_KILOWATT,
        "notes": {"it_kwh_per_hour": "measured at the facility: what the equipment alone draws is not known"} if facility else {},
    }


@gives("facility_kwh_per_hour", "facility_kwh_per_million")
def facility_energy_at_full_load(active_power_w, units_per_hour, boundary=None, pue=None):
    """Energy of the facility at full load, an hour and per million units of work.

    Parameters
    ----------
    active_power_w, pue : float or ndarray
        See ``data/parameters.csv``; `pue` is None where the power was measured at the facility.
    units_per_hour : float or ndarray
        Result of `energy_at_full_load`.
    boundary : str, optional
        Where the power was measured.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    per_hour = facility_kwh(active_power_w, 1.0, boundary, pue)
    short = f"measured at the {boundary}: what lies between it and the server's inlet is not counted"
    notes = dict.fromkeys(facility_energy_at_full_load.results, short) if boundary in ("accelerator", "node_dc") else {}
    return {
        "facility_kwh_per_hour": per_hour,
        "facility_kwh_per_million": per_million(per_hour, units_per_hour),
        "notes": notes,
    }


@gives("cost_per_hour", "cost_per_million")
def cost_at_full_load(facility_kwh_per_hour, facility_kwh_per_million, electricity_price_per_kwh):
    r"""Cost of energy at full load.

    Parameters
    ----------
    facility_kwh_per_hour, facility_kwh_per_million : float or ndarray
        Results of `facility_energy_at_full_load`.
    electricity_price_per_kwh : float or ndarray
        See ``data/parameters.csv``.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: c = 10^6\, \frac{P\,\mathrm{PUE}}{T} \frac{p}{3.6 \times 10^6}
    """
    return {
        "cost_per_hour": facility_kwh_per_hour * electricity_price_per_kwh,
        "cost_per_million": facility_kwh_per_million * electricity_price_per_kwh,
        "notes": {"cost_per_million": "energy only, at full load"},
    }


@gives("year_hours", "units_per_year", "servers_powered", "utilization_of_year")
def work_of_a_year(throughput_per_s, servers, max_utilization, redundancy, year=None, annual_volume=None, utilization=None):
    r"""Work of a year, and the servers that it takes.

    Parameters
    ----------
    throughput_per_s, annual_volume, utilization : float or ndarray
        See ``data/parameters.csv``; a volume comes before a utilization.
    servers, max_utilization, redundancy : float or ndarray
        Servers there are, and when more are added (see `joulebook.method.fleet.servers_needed`).
    year : int, optional
        Calendar year.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: u = V / (n\,T\,h)
    """
    hours = hours_of_year(year)
    demand = demand_per_s(hours, throughput_per_s, servers, annual_volume, utilization)
    if demand is None:
        names = work_of_a_year.results
        return {
            **dict.fromkeys(names),
            "year_hours": hours,
            "notes": dict.fromkeys(names[1:], "needs annual_volume or utilization"),
        }
    powered = servers_needed(demand, throughput_per_s, servers, max_utilization, redundancy)
    notes = {}
    if annual_volume is not None and utilization is not None:
        notes["utilization_of_year"] = "from the annual volume, which comes before the utilization given"
    if np.ndim(powered) == 0 and powered > servers:
        notes["servers_powered"] = "servers were added so that the highest utilization is not exceeded"
    return {
        "year_hours": hours,
        "units_per_year": demand * hours * SECONDS_PER_HOUR,
        "servers_powered": powered,
        "utilization_of_year": demand / (powered * throughput_per_s),
        "notes": notes,
    }


@gives("annual_kwh_busy_only", "annual_cost_busy_only", "cost_per_million_busy_only")
def busy_only(throughput_per_s, active_power_w, electricity_price_per_kwh, units_per_year, boundary=None, pue=None):
    r"""Energy and cost of a year if the system is off whenever it is idle.

    Parameters
    ----------
    throughput_per_s, active_power_w, electricity_price_per_kwh, pue : float or ndarray
        See ``data/parameters.csv``.
    units_per_year : float or ndarray
        Result of `work_of_a_year`.
    boundary : str, optional
        Where the power was measured.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: E_\mathrm{busy} = e\,V\,\mathrm{PUE}
    """
    kwh = facility_kwh(active_power_w, units_per_year / throughput_per_s / SECONDS_PER_HOUR, boundary, pue)
    cost = kwh * electricity_price_per_kwh
    worked = np.all(units_per_year > 0)
    note = "only if the system is off whenever it is idle" if worked else NO_WORK
    return {
        "annual_kwh_busy_only": kwh,
        "annual_cost_busy_only": cost,
        "cost_per_million_busy_only": per_million(cost, units_per_year),
        "notes": {"cost_per_million_busy_only": note},
    }


@gives(
    "average_power_w",
    "energy_per_unit_always_on_j",
    "annual_kwh_always_on",
    "annual_cost_always_on",
    "cost_per_million_always_on",
)
def always_on(
    active_power_w,
    idle_power_w,
    electricity_price_per_kwh,
    year_hours,
    units_per_year,
    servers_powered,
    utilization_of_year,
    boundary=None,
    pue=None,
    load_curve=None,
    utilization_is=None,
    annual_demand_charge=None,
):
    r"""Energy and cost of a year with the system always on.

    Parameters
    ----------
    active_power_w, idle_power_w, electricity_price_per_kwh, pue : float or ndarray
        See ``data/parameters.csv``.
    year_hours, units_per_year, servers_powered, utilization_of_year : float or ndarray
        Results of `work_of_a_year`.
    boundary : str, optional
        Where the power was measured.
    load_curve : pandas.DataFrame, optional
        Measured power against utilization.
    utilization_is : str, optional
        ``duty`` or ``load``, see `joulebook.method.load_curve.curve_for`.
    annual_demand_charge : float or ndarray, optional
        Result of `joulebook.method.electricity.demand_charge`.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: E_\mathrm{on} = n\,P(u)\,h\,\mathrm{PUE}
    """
    curve = curve_for(utilization_is, load_curve)
    power_w = servers_powered * power_at(utilization_of_year, idle_power_w, active_power_w, curve)
    kwh = facility_kwh(power_w, year_hours, boundary, pue)
    cost = kwh * electricity_price_per_kwh
    said = judged(always_on.results, utilization_is, load_curve)
    notes = {name: note for name, note in said["notes"].items() if name == "average_power_w"}
    if annual_demand_charge is not None:
        cost = cost + annual_demand_charge
        notes["annual_cost_always_on"] = notes["cost_per_million_always_on"] = "demand charge included"
    if not np.all(units_per_year > 0):
        notes["cost_per_million_always_on"] = notes["energy_per_unit_always_on_j"] = NO_WORK
    return {
        "average_power_w": power_w,
        "energy_per_unit_always_on_j": per_million(power_w * year_hours * SECONDS_PER_HOUR, units_per_year) / PER_MILLION,
        "annual_kwh_always_on": kwh,
        "annual_cost_always_on": cost,
        "cost_per_million_always_on": per_million(cost, units_per_year),
        "notes": notes,
        "evidence": said["evidence"],
    }


@gives("cost_by_utilization")
def by_utilization(
    throughput_per_s,
    active_power_w,
    idle_power_w,
    electricity_price_per_kwh,
    boundary=None,
    pue=None,
    load_curve=None,
    utilization_is=None,
):
    r"""Energy cost per million units of work of one system that is always on, from nearly idle to full.

    Parameters
    ----------
    throughput_per_s, active_power_w, idle_power_w, electricity_price_per_kwh, boundary, pue, load_curve, utilization_is
        As in `always_on`.

    Returns
    -------
    dict
        The table named in `gives`: utilization and cost per million, a row a utilization.

    Notes
    -----
    .. math:: c(u) = 10^6\, \frac{P(u)\,\mathrm{PUE}}{u\,T} \frac{p}{3.6 \times 10^6}
    """
    load = np.geomspace(0.01, 1, 61)
    throughput, active, idle, price = (
        np.asarray(item, float)[..., None] for item in (throughput_per_s, active_power_w, idle_power_w, electricity_price_per_kwh)
    )
    factor = None if pue is None else np.asarray(pue, float)[..., None]
    kwh = facility_kwh(power_at(load, idle, active, curve_for(utilization_is, load_curve)), 1.0, boundary, factor)
    cost = per_million(kwh * price, load * throughput * SECONDS_PER_HOUR)
    return {"cost_by_utilization": {"utilization | 1": load, "cost_per_million | {currency} per million {units}": cost}}


# All calculations of the topic, in the order in which they run: later ones use results of earlier ones.
CALCULATIONS = (
    energy_at_full_load,
    facility_energy_at_full_load,
    cost_at_full_load,
    work_of_a_year,
    demand_charge,
    busy_only,
    always_on,
    by_utilization,
    time_of_use,
    request_tokens,
    energy_of_tokens,
    energy_of_my_mix,
    ownership,
    years_ahead,
    against_api,
)
