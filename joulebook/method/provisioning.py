"""Servers for a demand: hot and cold spares, and the least energy under a latency limit (method, section 3)."""

import numpy as np

from joulebook.method.fleet import energy_per_unit, servers_needed
from joulebook.method.load_curve import curve_for, judged, power_at
from joulebook.method.point_choice import drawn_column
from joulebook.method.study import gives

LATENCY = "latency_tpot_p99_s"
SETTINGS = ("precision", "power_limit_w", "clock_mhz")  # points that differ in these are no points of one curve
_ROUNDING = 1e-9


@gives(
    "provisioned_servers",
    "provisioned_servers_on",
    "provisioned_utilization",
    "utilization_after_loss",
    "provisioned_power_w",
    "provisioned_energy_per_unit_j",
)
def provisioned(
    throughput_per_s,
    active_power_w,
    idle_power_w,
    utilization_is,
    demand_per_s,
    max_utilization,
    redundancy,
    spare_mode,
    load_curve=None,
):
    r"""Servers for a demand with spares that share the load (hot) or are off (cold).

    Parameters
    ----------
    throughput_per_s, active_power_w, idle_power_w, demand_per_s, max_utilization : float or ndarray
        See ``data/parameters.csv``.
    utilization_is : str
        ``duty`` or ``load``; see `joulebook.method.load_curve.judged`.
    redundancy : int
        Servers that may fail.
    spare_mode : str
        ``hot`` or ``cold``.
    load_curve : pandas.DataFrame, optional
        Measured power against utilization, used under ``load``.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: n = \lceil d / (T u_\mathrm{max}) \rceil + n_r

    After a loss of `redundancy` servers, hot spares are there at once; cold ones are not, until they are up.
    """
    servers = servers_needed(demand_per_s, throughput_per_s, 0, max_utilization, redundancy)
    on = servers - redundancy if spare_mode == "cold" else servers
    load = demand_per_s / (on * throughput_per_s)
    left = np.asarray(on - redundancy, float)
    after = np.divide(demand_per_s / throughput_per_s, left, out=np.full(np.shape(load), np.nan), where=left > 0)[()]
    power_w = on * power_at(load, idle_power_w, active_power_w, curve_for(utilization_is, load_curve))
    said = judged(("provisioned_power_w", "provisioned_energy_per_unit_j"), utilization_is, load_curve)
    if not np.all(left > 0):
        said["notes"]["utilization_after_loss"] = "no server is left until the cold spares are up"
    elif np.any(after > max_utilization * (1 + _ROUNDING)):
        more = "more than the servers left can do" if np.any(after > 1) else "above the highest utilization"
        said["notes"]["utilization_after_loss"] = f"warning: {more}, until the cold spares are up"
    return {
        "provisioned_servers": servers,
        "provisioned_servers_on": on,
        "provisioned_utilization": load,
        "utilization_after_loss": after,
        "provisioned_power_w": power_w,
        "provisioned_energy_per_unit_j": energy_per_unit(power_w, demand_per_s),
        **said,
    }


def fleet_power(servers, demand_per_s, idle_power_w, throughput_per_s, power_w):
    r"""Power of servers that share a demand, on a curve through idle and operating points.

    Parameters
    ----------
    servers : ndarray, shape (..., k)
        Numbers of servers that may share the demand. [1]
    demand_per_s, idle_power_w : float or ndarray, shape (...)
        The demand, and the power of a server with no work. [1/s, W]
    throughput_per_s, power_w : ndarray, shape (..., n)
        Operating points up to the cap, by rising throughput. [1/s, W]

    Returns
    -------
    ndarray, shape (..., k)
        Power of all servers together; infinite where they cannot do it. [W]

    Notes
    -----
    .. math:: P_\mathrm{fleet} = n\, P(d / n)

    Examples
    --------
    >>> fleet_power([1, 2], 3000.0, 70.0, [1070, 5147], [486, 610]).round(1).tolist()
    [544.7, 998.2]
    """
    servers, throughput, power = (np.asarray(item, float) for item in (servers, throughput_per_s, power_w))
    demand, idle = (np.asarray(item, float)[..., None] for item in (demand_per_s, idle_power_w))
    rate = demand / servers
    knots = np.concatenate([np.zeros_like(throughput[..., :1]), throughput], axis=-1)
    lead = np.broadcast_shapes(power.shape[:-1], idle.shape[:-1])
    levels = np.concatenate([np.broadcast_to(idle, (*lead, 1)), np.broadcast_to(power, (*lead, power.shape[-1]))], axis=-1)
    return np.where(rate <= knots[..., -1:] * (1 + _ROUNDING), servers * _between(rate, knots, levels), np.inf)


def _between(at, knots, levels):
    """Linear interpolation along the last axis, where every draw may have rising knots and levels of its own."""
    below = np.zeros(np.broadcast_shapes(at.shape, (*knots.shape[:-1], 1)), int)
    for inner in range(1, knots.shape[-1] - 1):  # a loop over the few knots: over a short axis a sum is slow
        below += knots[..., inner, None] <= at
    x0, x1, y0, y1 = (_picked(item, below + step) for item in (knots, levels) for step in (0, 1))
    part = np.divide(at - x0, x1 - x0, out=np.zeros_like(x0), where=x1 > x0)
    return y0 + (y1 - y0) * np.minimum(part, 1)


def _picked(item, places):
    """Values along the last axis of an item, at places that every draw has of its own."""
    if item.ndim == 1:
        return item[places]
    lead = np.broadcast_shapes(item.shape[:-1], places.shape[:-1])
    item, places = (np.broadcast_to(each, (*lead, each.shape[-1])) for each in (item, places))
    return np.take_along_axis(item, places, axis=-1)


def least_power(demand_per_s, idle_power_w, throughput_per_s, power_w):
    r"""Number of servers that serves a demand with the least power, and that power.

    Parameters
    ----------
    demand_per_s, idle_power_w : float or ndarray, shape (...)
        The demand, and the power of a server with no work. [1/s, W]
    throughput_per_s, power_w : ndarray, shape (..., n)
        Operating points up to the cap, by rising throughput. [1/s, W]

    Returns
    -------
    tuple of ndarray, shape (...)
        Servers, and their power. [1, W]

    Notes
    -----
    Between two points n P(d/n) is linear in n, so that the least lies next to a point: only the whole numbers
    on either side of d/T of each point are tried.

    Examples
    --------
    >>> [float(item.round(2)) for item in least_power(3000.0, 70.0, [1070, 5147], [486, 610])]
    [1.0, 544.7]
    """
    ratio = np.asarray(demand_per_s, float)[..., None] / np.asarray(throughput_per_s, float)
    tried = np.sort(np.maximum(1, np.concatenate([np.floor(ratio), np.ceil(ratio * (1 - _ROUNDING))], axis=-1)), axis=-1)
    power = fleet_power(tried, demand_per_s, idle_power_w, throughput_per_s, power_w)
    best = np.argmin(power, axis=-1)[..., None]  # the first, and so the fewest servers
    servers = np.take_along_axis(np.broadcast_to(tried, power.shape), best, axis=-1)
    return servers[..., 0], np.take_along_axis(power, best, axis=-1)[..., 0]


def curves(operating_points):
    """Whether a point lies on the curve up to another: the same settings, and a batch up to its own.

    Parameters
    ----------
    operating_points : pandas.DataFrame
        See `joulebook.intake.tables.operating_points`.

    Returns
    -------
    ndarray of bool, shape (rows, rows)
        A row for each point whose batch is the cap.
    """
    batch = operating_points["batch"].to_numpy(float)
    on = batch <= batch[:, None]
    for name in SETTINGS:
        if name in operating_points:
            setting = operating_points[name].to_numpy()
            on &= setting == setting[:, None]
    return on


def curve_up_to(row, on, throughput_per_s, power_w):
    """Curve of a point, by rising throughput.

    Parameters
    ----------
    row : int
        Position of the point whose batch is the cap.
    on : ndarray of bool, shape (rows,)
        Points on its curve; see `curves`.
    throughput_per_s, power_w : ndarray, shape (..., rows)
        Of the points, or draws of them. [1/s, W]

    Returns
    -------
    tuple of ndarray, shape (..., n)
        Throughput and power; a point above the throughput of the cap stands as the cap itself. [1/s, W]
    """
    lead = np.broadcast_shapes(throughput_per_s.shape, power_w.shape)
    throughput, power = (np.broadcast_to(item, lead) for item in (throughput_per_s, power_w))
    most, at_most = throughput[..., [row]], power[..., [row]]
    throughput, power = throughput[..., on], power[..., on]
    throughput, power = np.minimum(throughput, most), np.where(throughput >= most, at_most, power)
    order = np.argsort(throughput, axis=-1, kind="stable")
    return np.take_along_axis(throughput, order, axis=-1), np.take_along_axis(power, order, axis=-1)


@gives("servers", "cap", "fleet_power_w", "service_energy_per_unit_j", "price_of_load", "service_points")
def service(idle_power_w, demand_per_s, operating_points, slo_tpot_s, quality_target_pct=None, rng=None):
    r"""Least power that serves a demand with operating points that keep the time per output token.

    Parameters
    ----------
    idle_power_w, demand_per_s, slo_tpot_s, quality_target_pct : float or ndarray
        See ``data/parameters.csv``; without a quality target, points of every quality count.
    operating_points : pandas.DataFrame
        Points of one machine; the batch of a point is the cap of the requests served at once.
    rng : numpy.random.Generator, optional
        Draws the ranges of the points; without one, their values.

    Returns
    -------
    dict
        The results named in `gives`; the table has a row a point, empty where it misses a limit.

    Notes
    -----
    .. math:: \min_{n, k} n\, P_k(d / n)

    over whole numbers of servers n and points k; P_k interpolates over throughput between (0, idle) and the points
    up to the cap k.
    """
    if LATENCY not in operating_points:
        return _no_service(f"needs the column {LATENCY} in operating_points_csv")
    latency, quality, batch = (operating_points[name].to_numpy(float) for name in (LATENCY, "quality_pct", "batch"))
    power, throughput = (drawn_column(operating_points, name, rng) for name in ("average_power_w", "throughput_per_s"))
    meets = latency <= np.asarray(slo_tpot_s, float)[..., None]
    if quality_target_pct is not None:
        meets = meets & (quality >= np.asarray(quality_target_pct, float)[..., None])
    least = [
        least_power(demand_per_s, idle_power_w, *curve_up_to(row, on, throughput, power))
        for row, on in enumerate(curves(operating_points))
    ]
    servers, fleet_w = (np.stack(column, axis=-1) for column in zip(*least, strict=True))
    meets, servers, fleet_w = np.broadcast_arrays(meets, servers, fleet_w)
    if not meets.any():
        return _no_service(
            "no operating point meets slo_tpot_s" + (" and quality_target_pct" if quality_target_pct is not None else "")
        )
    fleet_w = np.where(meets, fleet_w, np.inf)
    best = np.argmin(fleet_w, axis=-1)
    any_meets = meets.any(axis=-1)

    def chosen(values):
        taken = np.take_along_axis(np.broadcast_to(values, meets.shape), best[..., None], axis=-1)[..., 0]
        return np.where(any_meets, taken, np.nan)[()]

    energy = chosen(fleet_w) / demand_per_s
    full_load = np.where(meets, power / throughput, np.inf).min(axis=-1)
    notes = {}
    if np.ndim(best) == 0:
        point = operating_points.iloc[int(best)]
        notes["cap"] = f"{point['name']}, {point['precision']}, quality {point['quality_pct']:g} %"
        if quality_target_pct is None and np.ptp(quality[meets]) > 0:
            notes["cap"] += (
                f"; chosen among qualities from {quality[meets].min():g} to {quality[meets].max():g} %, no target is given"
            )
    shown_w = np.where(meets, fleet_w, np.nan)
    return {
        "servers": chosen(servers),
        "cap": chosen(batch),
        "fleet_power_w": chosen(fleet_w),
        "service_energy_per_unit_j": energy,
        "price_of_load": energy / full_load,
        "service_points": {
            "point | ": list(operating_points["name"]),
            "cap | requests": batch,
            "time_per_output_token | s": latency,
            "servers | 1": np.where(meets, servers, np.nan),
            "fleet_power | W": shown_w,
            "energy | J per {unit}": shown_w / np.asarray(demand_per_s, float)[..., None],
        },
        "notes": notes,
    }


def _no_service(reason):
    names = service.results
    return {**dict.fromkeys(names), "notes": dict.fromkeys(names, reason)}
