"""What a unit of work costs at a duty cycle: who pays for the idle power (method, section 3)."""

import numpy as np

from joulebook.method.fleet import NO_WORK, PLAIN_YEAR, energy_per_unit, per_million
from joulebook.method.load_curve import curve_for, judged, load_area, load_share, load_slope, power_at
from joulebook.method.provisioning import provisioned, service
from joulebook.method.study import gives
from joulebook.method.tenants import tenants_lines
from joulebook.units import HOURS_PER_YEAR, PER_MILLION, SECONDS_PER_HOUR, WATTS_PER_KILOWATT


def attributed_energy_per_unit(power_w, idle_power_w, idle_share, utilization, throughput_per_s):
    r"""Energy per unit of work with a share of the idle power counted.

    Parameters
    ----------
    power_w : float or ndarray
        Power at the utilization. [W]
    idle_power_w : float or ndarray
        Power with no work. [W]
    idle_share : float or ndarray
        Share of the idle power that is counted. [1]
    utilization : float or ndarray
        Share of full throughput. [1]
    throughput_per_s : float or ndarray
        Units of work per second at full load. [1/s]

    Returns
    -------
    float or ndarray
        Energy per unit of work; nan where there is no work. [J]

    Notes
    -----
    .. math:: e = (s P_\mathrm{idle} + P(u) - P_\mathrm{idle}) / (u T)   (equation ``eq-idle-attribution`` in the book)

    Examples
    --------
    >>> float(attributed_energy_per_unit(460.0, 400.0, 1.0, 0.1, 5000.0))
    0.92
    >>> float(attributed_energy_per_unit(460.0, 400.0, 0.25, 0.1, 5000.0))
    0.32
    """
    return per_million(power_w - (1 - idle_share) * idle_power_w, utilization * throughput_per_s) / PER_MILLION


def sleep_break_even(wake_energy_j, transition_s, sleep_power_w, idle_power_w):
    r"""Shortest pause for which sleeping draws no more than waiting.

    Parameters
    ----------
    wake_energy_j : float or ndarray
        Whole energy of going to sleep and waking up. [J]
    transition_s : float or ndarray
        Time that both take together. [s]
    sleep_power_w, idle_power_w : float or ndarray
        Power asleep, and awake with no work. [W]

    Returns
    -------
    float or ndarray
        Length of the pause; nan where sleep saves nothing. [s]

    Notes
    -----
    .. math:: t = \max\left(t_\mathrm{tr},
              \frac{E_\mathrm{wake} - P_\mathrm{sleep} t_\mathrm{tr}}{P_\mathrm{idle} - P_\mathrm{sleep}}\right)

    Examples
    --------
    >>> round(float(sleep_break_even(50e3, 60.0, 20.0, 400.0)), 3)
    128.421
    """
    saved_w = np.asarray(idle_power_w - sleep_power_w, float)
    even = np.divide(
        wake_energy_j - sleep_power_w * transition_s,
        saved_w,
        out=np.full(np.broadcast(wake_energy_j, transition_s, saved_w).shape, np.nan),
        where=saved_w > 0,
    )
    return np.maximum(transition_s, even)


@gives("energy_per_unit_j")
def full_load(throughput_per_s, active_power_w):
    """Energy per unit of work at full load.

    Parameters
    ----------
    throughput_per_s, active_power_w : float or ndarray
        See ``data/parameters.csv``.

    Returns
    -------
    dict
        The results named in `gives`; see ``data/results.csv``.
    """
    return {"energy_per_unit_j": energy_per_unit(active_power_w, throughput_per_s)}


@gives("energy_per_unit_marginal_j")
def without_idle(throughput_per_s, active_power_w, idle_power_w):
    """Energy per unit of work above idle.

    Parameters
    ----------
    throughput_per_s, active_power_w, idle_power_w : float or ndarray
        See ``data/parameters.csv``.

    Returns
    -------
    dict
        The results named in `gives`; see ``data/results.csv``.
    """
    return {
        "energy_per_unit_marginal_j": energy_per_unit(active_power_w - idle_power_w, throughput_per_s),
        "notes": {"energy_per_unit_marginal_j": "the mean from idle to full load"},
    }


@gives(
    "power_at_utilization_w",
    "energy_per_unit_full_j",
    "energy_per_unit_reserved_j",
    "energy_per_unit_local_marginal_j",
    "idle_ratio",
    "annual_energy_kwh",
)
def at_utilization(
    throughput_per_s,
    active_power_w,
    idle_power_w,
    utilization,
    utilization_is,
    energy_per_unit_j,
    load_curve=None,
    reserved_share=None,
):
    r"""Power and energy per unit of work at a utilization, with all of the idle power and with a share of it.

    Parameters
    ----------
    throughput_per_s, active_power_w, idle_power_w, utilization, reserved_share : float or ndarray
        See ``data/parameters.csv``.
    utilization_is : str
        ``duty``: share of time at full load, where the straight line is exact; ``load``: rate over full rate.
    energy_per_unit_j : float or ndarray
        Result of `full_load`.
    load_curve : pandas.DataFrame, optional
        Measured power against utilization, used under ``load``.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: e_\mathrm{full} = P(u) / (u T), \quad e_\mathrm{local} = P'(u) / T
    """
    curve = curve_for(utilization_is, load_curve)
    power_w = power_at(utilization, idle_power_w, active_power_w, curve)
    full = attributed_energy_per_unit(power_w, idle_power_w, 1.0, utilization, throughput_per_s)
    reserved = np.nan
    if reserved_share is not None:
        reserved = attributed_energy_per_unit(power_w, idle_power_w, reserved_share, utilization, throughput_per_s)
    local = energy_per_unit((active_power_w - idle_power_w) * load_slope(utilization, curve), throughput_per_s)
    said = judged(at_utilization.results, utilization_is, load_curve)
    notes = said["notes"]
    notes["annual_energy_kwh"] = "; ".join(filter(None, (PLAIN_YEAR, notes.get("annual_energy_kwh"))))
    if not np.all(utilization > 0):
        notes |= dict.fromkeys(("energy_per_unit_full_j", "energy_per_unit_reserved_j", "idle_ratio"), NO_WORK)
    if reserved_share is None:
        notes["energy_per_unit_reserved_j"] = "needs reserved_share"
    return {
        "power_at_utilization_w": power_w,
        "energy_per_unit_full_j": full,
        "energy_per_unit_reserved_j": reserved,
        "energy_per_unit_local_marginal_j": local,
        "idle_ratio": full / energy_per_unit_j,
        "annual_energy_kwh": power_w / WATTS_PER_KILOWATT * HOURS_PER_YEAR,
        **said,
    }


@gives("energy_by_utilization")
def by_utilization(throughput_per_s, active_power_w, idle_power_w, utilization_is, load_curve=None, reserved_share=None):
    """Energy per unit of work under the three attributions, from nearly idle to full load.

    Parameters
    ----------
    throughput_per_s, active_power_w, idle_power_w, utilization_is, load_curve, reserved_share
        As in `at_utilization`.

    Returns
    -------
    dict
        The table named in `gives`, a row a utilization.
    """
    load = np.geomspace(0.001, 1, 91)
    throughput, active, idle = (np.asarray(item, float)[..., None] for item in (throughput_per_s, active_power_w, idle_power_w))
    power_w = power_at(load, idle, active, curve_for(utilization_is, load_curve))
    table = {
        "utilization | 1": load,
        "full | J per {unit}": attributed_energy_per_unit(power_w, idle, 1.0, load, throughput),
        "marginal | J per {unit}": energy_per_unit(active - idle, throughput) * np.ones_like(load),
    }
    if reserved_share is not None:
        share = np.asarray(reserved_share, float)[..., None]
        table["reserved | J per {unit}"] = attributed_energy_per_unit(power_w, idle, share, load, throughput)
    return {"energy_by_utilization": table}


@gives("load_area", "energy_proportionality", "power_by_utilization")
def proportionality(active_power_w, idle_power_w, load_curve=None):
    r"""How far power follows the work, and the curve beside the straight and the proportional line.

    Parameters
    ----------
    active_power_w, idle_power_w : float or ndarray
        See ``data/parameters.csv``.
    load_curve : pandas.DataFrame, optional
        Measured power against utilization; without one, the straight line.

    Returns
    -------
    dict
        The results named in `gives`; the table has a row a point of the curve.

    Notes
    -----
    .. math:: \mathrm{EP} = 1 - \frac{A - 1/2}{1/2}, \quad A = \int_0^1 P(u) / P_\mathrm{active}\, du
    """
    names, note = (
        ("load_area", "energy_proportionality"),
        "no measured curve is given: that of a straight line from idle to full load",
    )
    area = (idle_power_w + (active_power_w - idle_power_w) * load_area(load_curve)) / active_power_w
    at = np.linspace(0, 1, 11) if load_curve is None else np.asarray(load_curve["utilization"], float)
    active, idle = (np.asarray(item, float)[..., None] for item in (active_power_w, idle_power_w))
    table = {
        "utilization | 1": at,
        "straight | W": power_at(at, idle, active),
        "proportional | W": active * at,
    }
    if load_curve is not None:
        table["measured | W"] = power_at(at, idle, active, load_curve)
    return {
        "load_area": area,
        "energy_proportionality": 1 - (area - 0.5) / 0.5,
        "power_by_utilization": table,
        **({} if load_curve is not None else {"notes": dict.fromkeys(names, note), "evidence": dict.fromkeys(names, "assumed")}),
    }


@gives(
    "profiled_hours",
    "profiled_units",
    "profiled_utilization",
    "profiled_kwh",
    "profiled_energy_per_unit_j",
    "profiled_power_w",
    "power_at_mean_utilization_w",
    "kwh_at_mean_utilization",
)
def over_profile(throughput_per_s, active_power_w, idle_power_w, utilization_is, load_profile, load_curve=None):
    r"""Energy over the hours of a load profile, and what its mean utilization would make of it.

    Parameters
    ----------
    throughput_per_s, active_power_w, idle_power_w, utilization_is, load_curve
        As in `at_utilization`.
    load_profile : pandas.DataFrame
        Columns `utilization` and `hour` (a day) or `timestamp` (equal steps).

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: E = \sum_h P(u_h)\, t_h
    """
    curve = curve_for(utilization_is, load_curve)
    load = load_profile["utilization"].to_numpy(float)
    step_h = 1.0
    if "timestamp" in load_profile:
        step_h = (load_profile["timestamp"].iloc[1] - load_profile["timestamp"].iloc[0]).total_seconds() / SECONDS_PER_HOUR
    hours = step_h * len(load)
    # Power is linear in the share of the way from idle to full load, so the mean power is that of the mean share.
    power_w = idle_power_w + (active_power_w - idle_power_w) * np.mean(load_share(load, curve))
    power_at_mean_w = power_at(load.mean(), idle_power_w, active_power_w, curve)
    units = throughput_per_s * load.mean() * hours * SECONDS_PER_HOUR
    said = judged(over_profile.results[3:], utilization_is, load_curve)
    if not np.all(units > 0):
        said["notes"]["profiled_energy_per_unit_j"] = NO_WORK
    return {
        "profiled_hours": hours,
        "profiled_units": units,
        "profiled_utilization": load.mean(),
        "profiled_kwh": power_w / WATTS_PER_KILOWATT * hours,
        "profiled_energy_per_unit_j": per_million(power_w * hours * SECONDS_PER_HOUR, units) / PER_MILLION,
        "profiled_power_w": power_w,
        "power_at_mean_utilization_w": power_at_mean_w,
        "kwh_at_mean_utilization": power_at_mean_w / WATTS_PER_KILOWATT * hours,
        **said,
    }


@gives("sleep_break_even_s")
def sleep(wake_energy_j, transition_s, sleep_power_w, idle_power_w):
    """Shortest pause for which sleeping pays; see `sleep_break_even`.

    Parameters
    ----------
    wake_energy_j, transition_s, sleep_power_w, idle_power_w : float or ndarray
        See ``data/parameters.csv``.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    never = not np.all(idle_power_w > sleep_power_w)
    return {
        "sleep_break_even_s": sleep_break_even(wake_energy_j, transition_s, sleep_power_w, idle_power_w),
        "notes": {"sleep_break_even_s": "never: asleep the system draws no less than idle"} if never else {},
    }


# All calculations of the topic, in the order in which they run: later ones use results of earlier ones.
CALCULATIONS = (
    full_load,
    without_idle,
    at_utilization,
    by_utilization,
    proportionality,
    tenants_lines,
    provisioned,
    service,
    over_profile,
    sleep,
)
