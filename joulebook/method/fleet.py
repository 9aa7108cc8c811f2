"""Servers under a load: energy per unit of work, servers needed, and energy at the facility."""

import numpy as np

from joulebook.results import apply_pue
from joulebook.units import HOURS_PER_YEAR, PER_MILLION, SECONDS_PER_HOUR, WATTS_PER_KILOWATT

PLAIN_YEAR = f"{HOURS_PER_YEAR:.0f} h a year"
NO_WORK = "no work is done, so there is nothing to divide by"


def energy_per_unit(power_w, throughput_per_s):
    r"""Energy drawn per unit of work at a steady operating point.

    Parameters
    ----------
    power_w : float or ndarray
        Average power over the window. [W]
    throughput_per_s : float or ndarray
        Units of work completed per second, same window. [1/s]

    Returns
    -------
    float or ndarray
        Energy per unit of work. [J]

    Notes
    -----
    .. math:: e = P / T            (equation ``eq-energy-per-unit`` in the book)

    References
    ----------
    .. [1] Tschand et al., MLPerf Power, HPCA 2025, arXiv:2410.12032.

    Examples
    --------
    >>> energy_per_unit(1000.0, 5000.0)
    0.2
    """
    return power_w / throughput_per_s


def servers_needed(demand_per_s, throughput_per_s, servers, max_utilization, redundancy):
    r"""Servers switched on: those there are, and those added above the highest utilization.

    Parameters
    ----------
    demand_per_s : float or ndarray
        Units of work to be done per second. [1/s]
    throughput_per_s : float or ndarray
        Units of work per second of one server at full load. [1/s]
    servers : int
        Servers there are.
    max_utilization : float or ndarray
        Utilization that must not be exceeded with `redundancy` servers lost. [1]
    redundancy : int
        Servers that may fail.

    Returns
    -------
    float or ndarray
        Number of servers.

    Notes
    -----
    .. math:: n = \max(n_0, \lceil d / (T u_\mathrm{max}) \rceil + n_r)

    Examples
    --------
    >>> float(servers_needed(12000.0, 5000.0, 1, 0.8, 1))
    4.0
    """
    load = demand_per_s / (throughput_per_s * max_utilization)
    return np.maximum(servers, np.ceil(load - 1e-9) + redundancy)  # a load that is whole but for rounding needs no more


def demand_per_s(year_hours, throughput_per_s, servers, annual_volume=None, utilization=None):
    """Units of work per second, averaged over a year, from a volume or from a utilization.

    Parameters
    ----------
    year_hours : float or ndarray
        Hours of the year. [h]
    throughput_per_s : float or ndarray
        Units of work per second of one server at full load. [1/s]
    servers : int
        Servers there are, to which the utilization refers.
    annual_volume : float or ndarray, optional
        Units of work a year; comes before a utilization.
    utilization : float or ndarray, optional
        Share of full throughput. [1]

    Returns
    -------
    float or ndarray or None
        Demand, None where neither is given. [1/s]

    Examples
    --------
    >>> demand_per_s(8760.0, 5000.0, 1, utilization=0.4)
    2000.0
    """
    if annual_volume is not None:
        return annual_volume / (year_hours * SECONDS_PER_HOUR)
    return None if utilization is None else utilization * servers * throughput_per_s


def facility_kwh(power_w, hours, boundary=None, pue=None):
    """Energy at the facility of a power held for some hours. [kWh]

    Examples
    --------
    >>> facility_kwh(1000.0, 1.0, "server", 1.3)
    1.3
    """
    return apply_pue(power_w, boundary, pue) / WATTS_PER_KILOWATT * hours


def per_million(total, units):
    """Something per million units of work; nan where there is no work.

    Examples
    --------
    >>> float(per_million(10.0, 2e6))
    5.0
    """
    units = np.asarray(units, float)
    return (np.divide(total, units, out=np.full(np.broadcast(total, units).shape, np.nan), where=units > 0) * PER_MILLION)[()]
