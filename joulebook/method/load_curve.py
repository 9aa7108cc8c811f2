"""Power of a system against its utilization (method, section 3)."""

import numpy as np

LINE = (
    "warning: a straight line from idle to full load is assumed; under load only a measured curve will do, "
    "and under batching it lies above the line"
)
DUTY = "a share of time at full load: the straight line is exact and the load curve is not used"


def load_share(utilization, load_curve=None):
    r"""Share of the way from idle to full-load power at a utilization.

    Parameters
    ----------
    utilization : float or ndarray
        Share of full throughput. [1]
    load_curve : mapping with utilization and power_w, optional
        Measured curve from idle to full load; without one, a straight line.

    Returns
    -------
    float or ndarray
        0 at idle, 1 at full load. [1]

    Notes
    -----
    .. math:: c(u) = (P(u) - P_\mathrm{idle}) / (P_\mathrm{active} - P_\mathrm{idle})

    Power is then linear in idle and active power, so that their ranges scale the curve.

    Examples
    --------
    >>> load_share(0.25)
    0.25
    """
    if load_curve is None:
        return utilization
    power_w = np.asarray(load_curve["power_w"], float)
    rise = power_w[-1] - power_w[0]
    if rise == 0:
        return np.zeros_like(np.asarray(utilization, float))
    return np.interp(utilization, np.asarray(load_curve["utilization"], float), (power_w - power_w[0]) / rise)


def power_at(utilization, idle_power_w, active_power_w, load_curve=None):
    r"""Power at a utilization, by a straight line or a measured curve.

    Parameters
    ----------
    utilization : float or ndarray
        Share of full throughput. [1]
    idle_power_w, active_power_w : float or ndarray
        Power at no load and at full load. [W]
    load_curve : mapping with utilization and power_w, optional
        Measured curve; its ends are idle and active power.

    Returns
    -------
    float or ndarray
        Power. [W]

    Notes
    -----
    .. math:: P(u) = P_\mathrm{idle} + (P_\mathrm{active} - P_\mathrm{idle})\, c(u)

    Examples
    --------
    >>> power_at(0.1, 400.0, 1000.0)
    460.0
    """
    return idle_power_w + (active_power_w - idle_power_w) * load_share(utilization, load_curve)


def load_slope(utilization, load_curve=None):
    r"""Slope of `load_share` at a utilization; at a point of the curve that of the segment above it.

    Parameters
    ----------
    utilization : float or ndarray
        Share of full throughput; at full load, which has nothing above it, the last segment counts. [1]
    load_curve : mapping with utilization and power_w, optional
        Measured curve from idle to full load; without one, a straight line.

    Returns
    -------
    float or ndarray
        c'(u). [1]

    Notes
    -----
    .. math:: P'(u) = (P_\mathrm{active} - P_\mathrm{idle})\, c'(u)

    Examples
    --------
    >>> float(load_slope(0.25))
    1.0
    >>> float(load_slope(0.5, {"utilization": [0, 0.5, 1], "power_w": [400, 800, 1000]}).round(6))
    0.666667
    """
    if load_curve is None:
        return np.ones_like(np.asarray(utilization, float))[()]
    at = np.asarray(load_curve["utilization"], float)
    share = load_share(at, load_curve)
    segment = np.clip(np.searchsorted(at, utilization, side="right") - 1, 0, len(at) - 2)
    return (np.diff(share) / np.diff(at))[segment]


def load_area(load_curve=None):
    """Area under `load_share` from idle to full load, by trapezoids.

    Parameters
    ----------
    load_curve : mapping with utilization and power_w, optional
        Measured curve from idle to full load; without one, a straight line.

    Returns
    -------
    float
        One half for a straight line. [1]

    Examples
    --------
    >>> load_area(), load_area({"utilization": [0, 0.5, 1], "power_w": [400, 1000, 1000]})
    (0.5, 0.75)
    """
    if load_curve is None:
        return 0.5
    at = np.asarray(load_curve["utilization"], float)
    return float(np.trapezoid(load_share(at, load_curve), at))


def curve_for(utilization_is, load_curve=None):
    """The curve that a kind of utilization follows: none for a share of time at full load, where the straight line is exact.

    Examples
    --------
    >>> curve_for("duty", {"utilization": [0, 1], "power_w": [400, 1000]}) is None
    True
    """
    return None if utilization_is == "duty" else load_curve


def judged(names, utilization_is, load_curve=None):
    """What must be said of results that rest on the power between idle and full load.

    Parameters
    ----------
    names : sequence of str
        The results.
    utilization_is : str
        ``duty`` (share of time at full load) or ``load`` (rate over full rate).
    load_curve : mapping, optional
        Measured curve.

    Returns
    -------
    dict
        ``notes`` and ``evidence`` by result, as `joulebook.method.study.Study` takes them.

    Examples
    --------
    >>> judged(["x"], "load")["evidence"], judged(["x"], "duty")
    ({'x': 'assumed'}, {'notes': {}, 'evidence': {}})
    """
    if utilization_is == "duty":
        return {"notes": {} if load_curve is None else dict.fromkeys(names, DUTY), "evidence": {}}
    if load_curve is not None:
        return {"notes": {}, "evidence": {}}
    return {"notes": dict.fromkeys(names, LINE), "evidence": dict.fromkeys(names, "assumed")}
