"""The bill of the utility: energy by time of use, and the demand charge (method, section 5)."""

import numpy as np

from joulebook.method import tariff as tariffs
from joulebook.method.fleet import NO_WORK, facility_kwh, per_million
from joulebook.method.load_curve import curve_for, judged, load_share
from joulebook.method.study import gives
from joulebook.units import HOURS_PER_MONTH, MONTHS_PER_YEAR, SECONDS_PER_HOUR


@gives("billed_peak_kw", "demand_charge_per_month", "annual_demand_charge")
def demand_charge(
    active_power_w,
    servers,
    coincidence_factor,
    demand_charge_per_kw_month,
    idle_power_w=None,
    boundary=None,
    pue=None,
    peak_pue=None,
    load_profile=None,
    load_curve=None,
    utilization_is=None,
    tariff_timezone=None,
):
    r"""Demand charge: the price of the highest quarter-hour mean of facility power in a month.

    Without a load profile the peak is full load of all servers.

    Parameters
    ----------
    active_power_w, servers, coincidence_factor, demand_charge_per_kw_month, idle_power_w, pue, peak_pue : float or ndarray
        See ``data/parameters.csv``.
    boundary : str, optional
        Where the power was measured.
    load_profile, load_curve : pandas.DataFrame, optional
        See ``joulebook.method.tariff.bill`` and ``load_curve.power_at``.
    utilization_is : str, optional
        ``duty`` or ``load``, see `joulebook.method.load_curve.curve_for`.
    tariff_timezone : str, optional
        Where months begin.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    note = "no load profile: the peak is taken at full load"
    peak_w = np.asarray(active_power_w, float) * servers
    if load_profile is not None and idle_power_w is not None:
        shares = tariffs.monthly_peak_share(load_profile, curve_for(utilization_is, load_curve), tariff_timezone)
        # Power is linear in the share, so the mean of the months' peaks is the peak of the mean share.
        peak_w = servers * (idle_power_w + (active_power_w - idle_power_w) * shares.mean())
        note = "" if "timestamp" in load_profile else "from hourly means: the quarter-hour peak may be higher"
    if boundary != "facility" and peak_pue is None:
        note = "; ".join(filter(None, (note, "the PUE at the peak is taken as that of the year")))
    peak_kw = facility_kwh(peak_w, 1.0, boundary, peak_pue if peak_pue is not None else pue) * coincidence_factor
    month = peak_kw * demand_charge_per_kw_month
    return {
        "billed_peak_kw": peak_kw,
        "demand_charge_per_month": month,
        "annual_demand_charge": MONTHS_PER_YEAR * month,
        "notes": {"billed_peak_kw": note},
        # full load is known without a curve
        "evidence": {} if load_profile is None else judged(demand_charge.results, utilization_is, load_curve)["evidence"],
    }


@gives(
    "profile_hours",
    "profile_units",
    "time_of_use_kwh",
    "time_of_use_cost",
    "mean_price_paid_per_kwh",
    "cost_per_million_time_of_use",
    "demand_charge_per_million",
    "cost_per_million_billed",
)
def time_of_use(
    throughput_per_s,
    active_power_w,
    idle_power_w,
    servers,
    load_profile,
    tariff,
    boundary=None,
    pue=None,
    load_curve=None,
    utilization_is=None,
    tariff_timezone=None,
    tariff_clock=None,
    demand_charge_per_month=None,
):
    r"""Energy over a load profile at the price of each of its hours, and the demand charge on top.

    Parameters
    ----------
    throughput_per_s, active_power_w, idle_power_w, servers, pue : float or ndarray
        See ``data/parameters.csv``.
    load_profile, tariff : pandas.DataFrame
        See `joulebook.method.tariff.bill`.
    boundary : str, optional
        Where the power was measured.
    load_curve : pandas.DataFrame, optional
        Measured power against utilization.
    utilization_is : str, optional
        ``duty`` or ``load``, see `joulebook.method.load_curve.curve_for`.
    tariff_timezone, tariff_clock : str, optional
        The clock of the tariff.
    demand_charge_per_month : float or ndarray, optional
        Result of `demand_charge`.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: C = \sum_h E_h\, p_h

    never the mean of the energies by the mean of the prices.
    """
    billed = tariffs.bill(load_profile, tariff, tariff_timezone, tariff_clock)
    share = np.asarray(load_share(billed.utilization, curve_for(utilization_is, load_curve)), float)
    rise_w = active_power_w - idle_power_w

    def weighted(weight):  # sum over the hours of facility energy by a weight; power is linear in the share
        return facility_kwh(servers * (idle_power_w * weight.sum() + rise_w * (share * weight).sum()), 1.0, boundary, pue)

    kwh, cost = weighted(billed.hours), weighted(billed.hours * billed.price_per_kwh)
    full_hours = (billed.utilization * billed.hours).sum()
    units = servers * throughput_per_s * full_hours * SECONDS_PER_HOUR
    hours = billed.hours.sum()
    per = per_million(cost, units)
    notes = (
        {}
        if np.all(units > 0)
        else dict.fromkeys(("cost_per_million_time_of_use", "demand_charge_per_million", "cost_per_million_billed"), NO_WORK)
    )
    notes |= {} if np.all(kwh > 0) else {"mean_price_paid_per_kwh": "no energy is drawn"}
    demand = (
        per_million(demand_charge_per_month, units / hours * HOURS_PER_MONTH) if demand_charge_per_month is not None else np.nan
    )
    if demand_charge_per_month is None:
        notes["demand_charge_per_million"] = notes["cost_per_million_billed"] = "needs demand_charge_per_kw_month"
    return {
        "profile_hours": hours,
        "profile_units": units,
        "time_of_use_kwh": kwh,
        "time_of_use_cost": cost,
        "mean_price_paid_per_kwh": np.where(kwh > 0, cost / kwh, np.nan)[()],
        "cost_per_million_time_of_use": per,
        "demand_charge_per_million": demand,
        "cost_per_million_billed": per + demand,
        "notes": notes,
        "evidence": judged(time_of_use.results[2:], utilization_is, load_curve)["evidence"],
    }
