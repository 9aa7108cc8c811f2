"""Power of a system against its utilization (method, section 3)."""

import numpy as np


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
