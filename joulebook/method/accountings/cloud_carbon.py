"""Cloud Carbon Footprint: hours of an accelerator at least and at most watts, by a utilization."""

from joulebook.method.accountings.parts import Counted, overheads

NAME = "Cloud Carbon Footprint"


def average_w(min_w, max_w, utilization):
    """Average power at a utilization, on a straight line. [W]

    References
    ----------
    .. [1] Cloud Carbon Footprint, methodology, section on compute.

    Examples
    --------
    >>> average_w(400.0, 1000.0, 0.5)
    700.0
    """
    return min_w + utilization * (max_w - min_w)


def accelerator_watts(of):
    """Least and most watts of an H100. [W]

    The appendix does not list one: its A100 has the ratios of processors to the thermal design power, and an H100 gets the same.
    """
    return tuple(of[f"ccf1_a100_{end}"] / of["tdp_a100"] * of["tdp_h100"] for end in ("min", "max"))


def wait_s(of):
    """Time without work that comes with the request, at the utilization that is taken where none is known. [s]"""
    used = of["ccf_utilization"]
    return of["req_tokens"] / of["mle09_rate"] * (1 - used) / used


def counted(of):
    """The request by Cloud Carbon Footprint, at the measured rate of the operating point.

    The hours are those of the accelerators at this utilization, with work and without: its average power over them is the
    most watts with work and the least watts without.

    Parameters
    ----------
    of : dict of str to float
        Values of figures.

    Returns
    -------
    joulebook.method.accountings.parts.Counted
    """
    least_w, most_w = (of["mle09_accelerators"] * watts for watts in accelerator_watts(of))
    parts = {"accelerator": most_w * of["req_tokens"] / of["mle09_rate"], "idle": least_w * wait_s(of)}
    parts["overhead"] = overheads(sum(parts.values()), of["ccf_pue_aws"])
    why = {"host": "accelerators alone", "network": "network taken for negligible"}
    return Counted(NAME, parts, why)
