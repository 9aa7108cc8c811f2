"""What owning costs over a lifetime, and against an API (method, section 5)."""

import numpy as np

from joulebook.method.fleet import NO_WORK, PLAIN_YEAR, demand_per_s, facility_kwh, per_million
from joulebook.method.load_curve import curve_for, judged, power_at
from joulebook.method.study import gives
from joulebook.method.token_mix import no_tokens, units_per_request
from joulebook.units import JOULES_PER_KWH, PER_MILLION, SECONDS_PER_HOUR, WATTS_PER_KILOWATT, hours_by_year

# Parts of what owning costs, in the order in which they are told.
PARTS = AT_WORK, IDLE, DEMAND_CHARGE, MAINTENANCE, OTHER, CAPITAL = (
    "Energy, at work", "Energy, idle", "Demand charge", "Maintenance", "Other", "Capital"
)


def capital_recovery_factor(discount_rate, years):
    r"""Equal yearly payment, at the end of each year, per unit of capital.

    Parameters
    ----------
    discount_rate : float or ndarray
        Yearly rate. [1]
    years : float or ndarray
        Number of payments. [year]

    Returns
    -------
    float or ndarray
        The factor; 1/n without interest. [1/year]

    Notes
    -----
    .. math:: r (1 + r)^n / ((1 + r)^n - 1)

    Written with expm1 and log1p, so that it goes over into 1/n as r goes to 0.

    Examples
    --------
    >>> float(capital_recovery_factor(0.08, 4).round(6)), float(capital_recovery_factor(0.0, 4))
    (0.301921, 0.25)
    """
    rate, years = np.broadcast_arrays(np.asarray(discount_rate, float), np.asarray(years, float))
    safe = np.where(rate == 0, 1.0, rate)
    return np.where(rate == 0, 1 / years, safe / -np.expm1(-years * np.log1p(safe)))[()]


@gives(
    "lifetime_hours",
    "lifetime_units",
    "lifetime_energy_cost",
    "capital_cost_of_fleet",
    "capital_per_year_straight_line",
    "capital_recovery_factor",
    "capital_per_year_recovery",
    "lifetime_cost",
    "ownership_cost_per_million",
    "ownership_cost_per_million_recovery",
    "energy_share",
    "ownership_parts",
)
def ownership(
    throughput_per_s,
    active_power_w,
    idle_power_w,
    electricity_price_per_kwh,
    servers,
    servers_powered,
    capital_cost,
    residual_value,
    lifetime_years,
    maintenance_share_per_year,
    other_cost_per_year,
    boundary=None,
    pue=None,
    year=None,
    annual_volume=None,
    utilization=None,
    load_curve=None,
    utilization_is=None,
    annual_demand_charge=None,
    discount_rate=None,
):
    r"""Cost of owning per million units of work really produced.

    Parameters
    ----------
    throughput_per_s, active_power_w, idle_power_w, electricity_price_per_kwh, pue, annual_volume, utilization : float or ndarray
        See ``data/parameters.csv``.
    servers, servers_powered : float or ndarray
        Servers that the capital cost buys, and those switched on (result of `work_of_a_year`).
    capital_cost, residual_value, lifetime_years, discount_rate : float or ndarray
        See ``data/parameters.csv``.
    maintenance_share_per_year, other_cost_per_year : float or ndarray
        See ``data/parameters.csv``.
    boundary, year, load_curve, utilization_is, annual_demand_charge
        As in `joulebook.method.cost_per_token.always_on`.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    Straight line (C - S)/n; capital recovery

    .. math:: (C - S) \frac{r (1 + r)^n}{(1 + r)^n - 1} + S r

    with maintenance, other cost and electricity (always on) on top.
    """
    curve = curve_for(utilization_is, load_curve)
    whole = hours_by_year(year, np.ceil(np.max(lifetime_years)))
    years = np.arange(len(whole))
    part = np.clip(np.asarray(lifetime_years, float)[..., None] - years, 0, 1)  # share of each calendar year that counts
    full = np.asarray(whole)
    throughput, powered = (np.asarray(item, float)[..., None] for item in (throughput_per_s, servers_powered))
    volume, share = (None if item is None else np.asarray(item, float)[..., None] for item in (annual_volume, utilization))
    demand = demand_per_s(full, throughput, servers, volume, share)
    idle, active = (np.asarray(item, float)[..., None] for item in (idle_power_w, active_power_w))
    hours = full * part
    idle_wh = (powered * idle * hours).sum(axis=-1)
    work_wh = (powered * power_at(demand / (powered * throughput), idle, active, curve) * hours).sum(axis=-1) - idle_wh
    idle_cost, work_cost = (facility_kwh(wh, 1.0, boundary, pue) * electricity_price_per_kwh for wh in (idle_wh, work_wh))
    peak_cost = 0.0 if annual_demand_charge is None else annual_demand_charge * lifetime_years
    units = (demand * hours).sum(axis=-1) * SECONDS_PER_HOUR
    energy = idle_cost + work_cost + peak_cost
    scale = servers_powered / servers
    capital, residual = capital_cost * scale, residual_value * scale
    straight = (capital - residual) / lifetime_years
    factor = np.nan if discount_rate is None else capital_recovery_factor(discount_rate, lifetime_years)
    recovery = (capital - residual) * factor + residual * (np.nan if discount_rate is None else discount_rate)
    running = capital * maintenance_share_per_year + other_cost_per_year
    total = (straight + running) * lifetime_years + energy
    notes = {"lifetime_hours": PLAIN_YEAR} if year is None else {}
    if not np.all(units > 0):
        notes |= dict.fromkeys(("ownership_cost_per_million", "ownership_cost_per_million_recovery"), NO_WORK)
    if discount_rate is None:
        notes |= dict.fromkeys(
            ("capital_recovery_factor", "capital_per_year_recovery", "ownership_cost_per_million_recovery"), "needs discount_rate"
        )
    if not np.all(total > 0):
        notes["energy_share"] = "no cost at all"
    if np.ndim(scale) == 0 and scale != 1:
        notes["capital_cost_of_fleet"] = "added servers cost what the others do"
    parts = (
        (AT_WORK, work_cost),
        (IDLE, idle_cost),
        (DEMAND_CHARGE, peak_cost),
        (MAINTENANCE, capital * maintenance_share_per_year * lifetime_years),
        (OTHER, other_cost_per_year * lifetime_years),
        (CAPITAL, straight * lifetime_years),
    )
    shown = [
        (name, per_million(amount, units)) for name, amount in parts if name not in (DEMAND_CHARGE, OTHER) or np.any(amount)
    ]
    table = {
        "part | ": [name for name, _ in shown],
        "cost_per_million | {currency} per million {units}": np.stack(
            np.broadcast_arrays(*(amount for _, amount in shown)), axis=-1
        ),
    }
    return {
        "ownership_parts": table,
        "lifetime_hours": hours.sum(axis=-1)[()],
        "lifetime_units": units[()],
        "lifetime_energy_cost": energy,
        "capital_cost_of_fleet": capital,
        "capital_per_year_straight_line": straight,
        "capital_recovery_factor": factor,
        "capital_per_year_recovery": recovery,
        "lifetime_cost": total,
        "ownership_cost_per_million": per_million(total, units),
        "ownership_cost_per_million_recovery": per_million((recovery + running) * lifetime_years + energy, units),
        "energy_share": np.where(total > 0, energy / total, np.nan)[()],
        "notes": notes,
        "evidence": judged(ownership.results, utilization_is, load_curve)["evidence"],
    }


@gives(
    "api_price_per_million",
    "marginal_cost_per_million",
    "owning_fixed_cost_per_year",
    "break_even_volume",
    "break_even_share",
    "break_even_api_price",
)
def against_api(
    throughput_per_s,
    active_power_w,
    idle_power_w,
    electricity_price_per_kwh,
    max_utilization,
    redundancy,
    servers_powered,
    year_hours,
    capital_cost_of_fleet,
    capital_per_year_straight_line,
    maintenance_share_per_year,
    other_cost_per_year,
    api_price_per_million_output,
    boundary=None,
    pue=None,
    unit_of_work=None,
    annual_demand_charge=None,
    api_price_per_million_input=None,
    input_tokens_per_request=None,
    output_tokens_per_request=None,
):
    r"""Volume, and API price, at which owning costs what an API costs.

    Parameters
    ----------
    throughput_per_s, active_power_w, idle_power_w, electricity_price_per_kwh, pue, max_utilization, redundancy : float or ndarray
        See ``data/parameters.csv``.
    servers_powered, year_hours, capital_cost_of_fleet, capital_per_year_straight_line, annual_demand_charge : float or ndarray
        Results of `work_of_a_year`, `ownership` and `demand_charge`.
    maintenance_share_per_year, other_cost_per_year : float or ndarray
        See ``data/parameters.csv``.
    api_price_per_million_input, api_price_per_million_output : float or ndarray
        Prices of a million tokens, blended by the mix.
    input_tokens_per_request, output_tokens_per_request : float or ndarray, optional
        Results of `request_tokens`: the mix.
    boundary, unit_of_work : str, optional
        Labels of the power and throughput.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: V = F / (p_\mathrm{API} - m)

    F is capital in straight line, maintenance, other cost and idle energy a year; m the energy above idle of a
    unit. The share is of the usable capacity, u_max (n - n_r)/n of full throughput.
    """
    marginal = per_million(
        facility_kwh((active_power_w - idle_power_w) / JOULES_PER_KWH * WATTS_PER_KILOWATT, 1.0, boundary, pue)
        * electricity_price_per_kwh,
        throughput_per_s,
    )
    idle_energy = facility_kwh(servers_powered * idle_power_w, year_hours, boundary, pue) * electricity_price_per_kwh
    fixed = (
        capital_per_year_straight_line
        + capital_cost_of_fleet * maintenance_share_per_year
        + other_cost_per_year
        + idle_energy
        + (0.0 if annual_demand_charge is None else annual_demand_charge)
    )
    capacity = throughput_per_s * year_hours * SECONDS_PER_HOUR * max_utilization * np.maximum(servers_powered - redundancy, 0)
    price, reason = _blended(
        api_price_per_million_input,
        api_price_per_million_output,
        input_tokens_per_request,
        output_tokens_per_request,
        unit_of_work,
    )
    above = price - marginal
    volume = np.where(above > 0, fixed / above * PER_MILLION, np.nan)[()]
    share = np.where(capacity > 0, volume / capacity, np.nan)[()]
    needed = per_million(fixed, capacity) + marginal
    notes = (
        {}
        if np.all(capacity > 0)
        else dict.fromkeys(("break_even_share", "break_even_api_price"), "no server is left when the spare ones fail")
    )
    if reason:
        notes |= dict.fromkeys(("api_price_per_million", "break_even_volume", "break_even_share"), reason)
    elif np.ndim(above) == 0 and not above > 0:
        notes |= dict.fromkeys(
            ("break_even_volume", "break_even_share"), "never on this system: the API costs no more than the marginal energy"
        )
    elif np.ndim(share) == 0 and share > 1:
        notes |= dict.fromkeys(("break_even_volume", "break_even_share"), "never on this system: above its usable capacity")
    return {
        "api_price_per_million": price,
        "marginal_cost_per_million": marginal,
        "owning_fixed_cost_per_year": fixed,
        "break_even_volume": volume,
        "break_even_share": share,
        "break_even_api_price": needed,
        "notes": notes,
    }


def _blended(price_in, price_out, tokens_in, tokens_out, unit_of_work):
    """Price per million units of work, and why there is none."""
    if unit_of_work not in ("input_token", "output_token", "token"):
        return np.nan, no_tokens(unit_of_work)
    if price_in is None:
        return np.nan, "needs api_price_per_million_input"
    if np.all(price_in == 0) and unit_of_work == "output_token":
        return price_out, ""  # whatever the mix
    if tokens_in is None or tokens_out is None:
        return np.nan, "needs requests_csv: the price depends on the mix"
    units = units_per_request(tokens_in, tokens_out, unit_of_work)
    price = per_million(price_in * tokens_in + price_out * tokens_out, units) / PER_MILLION
    return price, "" if np.all(np.isfinite(price)) else NO_WORK
