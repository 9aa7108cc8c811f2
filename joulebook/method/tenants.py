"""Tenants that share a system, and the lines of its meter that fall to each (method, section 3)."""

import numpy as np

from joulebook.errors import Problems
from joulebook.method.fleet import per_million
from joulebook.method.load_curve import curve_for, judged, power_at
from joulebook.method.study import gives
from joulebook.units import PER_MILLION

UNALLOCATED = "unallocated"
_ROUNDING = 1e-9  # what sums of shares as written in decimals may pass one by


def require_room(tenants, overcommit):
    """Refuse tenants that reserve or use more than there is.

    Parameters
    ----------
    tenants : mapping with share and utilization
        A row a tenant.
    overcommit : str
        ``yes`` where more of the idle power may be reserved than there is, else ``no``.

    Raises
    ------
    InputError
        If the shares add to more than one without overcommitment, or the utilizations do.

    Examples
    --------
    >>> require_room({"share": [0.75, 0.5], "utilization": [0.1, 0.3]}, "no")
    Traceback (most recent call last):
    joulebook.errors.InputError: tenants_csv: the shares of the tenants add to more than one; found 1.25; ...
    """
    found = Problems()
    shares, load = (float(np.sum(np.asarray(tenants[name], float))) for name in ("share", "utilization"))
    if overcommit != "yes" and shares > 1 + _ROUNDING:
        found.add(
            "the shares of the tenants add to more than one",
            field="tenants_csv",
            value=shares,
            allowed="at most 1, or overcommit: yes",
        )
    if load > 1 + _ROUNDING:
        found.add("the utilizations of the tenants add to more than one", field="tenants_csv", value=load, allowed="at most 1")
    found.stop()


def tenant_power(idle_power_w, work_power_w, share, utilization):
    r"""Power of each tenant: its share of the idle power, and its part of the power above idle.

    Parameters
    ----------
    idle_power_w : float or ndarray, shape (...)
        Power with no work. [W]
    work_power_w : float or ndarray, shape (...)
        Power above idle at the utilization of all tenants together. [W]
    share : ndarray, shape (n,)
        Share of the idle power that each tenant holds. [1]
    utilization : ndarray, shape (n,)
        Utilization that each tenant causes. [1]

    Returns
    -------
    ndarray, shape (..., n)
        Power. [W]

    Notes
    -----
    .. math:: a_i = s_i P_\mathrm{idle} + (P(u) - P_\mathrm{idle})\, u_i / u

    Examples
    --------
    >>> tenant_power(400.0, 240.0, [0.25, 0.5], [0.1, 0.3]).round(9).tolist()
    [160.0, 380.0]
    """
    share, load = np.asarray(share, float), np.asarray(utilization, float)
    part = load / load.sum() if load.sum() > 0 else np.zeros_like(load)
    return np.asarray(idle_power_w, float)[..., None] * share + np.asarray(work_power_w, float)[..., None] * part


@gives("tenants_utilization", "metered_power_w", "allocated_power_w", "unallocated_power_w", "power_by_tenant")
def tenants_lines(throughput_per_s, active_power_w, idle_power_w, utilization_is, tenants, overcommit, load_curve=None):
    """The meter's power as one line for each tenant and one for what nobody holds; the lines add to the meter.

    Parameters
    ----------
    throughput_per_s, active_power_w, idle_power_w : float or ndarray
        See ``data/parameters.csv``.
    utilization_is : str
        ``duty`` or ``load``; see `joulebook.method.load_curve.judged`.
    tenants : pandas.DataFrame
        Columns `tenant`, `share`, `utilization`.
    overcommit : str
        ``yes`` or ``no``; see `require_room`.
    load_curve : pandas.DataFrame, optional
        Measured power against utilization, used under ``load``.

    Returns
    -------
    dict
        The results named in `gives`; the table has a row a tenant, and the last one for what is unallocated.
    """
    require_room(tenants, overcommit)
    share, load = (np.asarray(tenants[name], float) for name in ("share", "utilization"))
    curve = curve_for(utilization_is, load_curve)
    metered_w = power_at(load.sum(), idle_power_w, active_power_w, curve)
    lines_w = tenant_power(idle_power_w, metered_w - idle_power_w, share, load)
    free = float(np.round(1 - share.sum(), 12)) + 0.0  # shares as written in decimals add to one but for rounding
    unallocated_w = free * idle_power_w
    throughput = np.asarray(throughput_per_s, float)[..., None]
    said = judged(("metered_power_w", "allocated_power_w"), utilization_is, load_curve)
    if free < 0:
        said["notes"]["unallocated_power_w"] = "below zero: more of the idle power is reserved than there is"
    energy_j = per_million(lines_w, load * throughput) / PER_MILLION
    return {
        "tenants_utilization": load.sum(),
        "metered_power_w": metered_w,
        "allocated_power_w": lines_w.sum(axis=-1)[()],
        "unallocated_power_w": unallocated_w,
        "power_by_tenant": {
            "tenant | ": [*tenants["tenant"], UNALLOCATED],
            "share | 1": np.append(share, free),
            "utilization | 1": np.append(load, np.nan),
            "power | W": _and_last(lines_w, np.asarray(unallocated_w, float)[..., None]),
            "energy | J per {unit}": _and_last(energy_j, np.nan),
        },
        **said,
    }


def _and_last(rows, last):
    """Values of the tenants, and behind them that of the last row."""
    return np.concatenate([rows, np.broadcast_to(last, (*rows.shape[:-1], 1))], axis=-1)
