"""This workbook: a measured operating point, then host, waiting time, network and facility, each with its source and range."""

from dataclasses import dataclass

import numpy as np

from joulebook.method.accountings.parts import Counted, overheads
from joulebook.method.ranges import DRAWS
from joulebook.units import JOULES_PER_KWH, WATTS_PER_KILOWATT

NAME = "This workbook"
BYTES_PER_GB = 1e9


@dataclass(frozen=True)
class Measured:
    """The request by this workbook, with the powers and times that its parts are made of.

    Parameters
    ----------
    counted : joulebook.method.accountings.parts.Counted
        Its parts.
    busy_s, wait_s : float or ndarray
        Time of the machine with work of the request, and the time without work that comes with it. [s]
    host_power_w, idle_power_w : float or ndarray
        Power of the host at work, and of the whole machine without work. [W]
    network_share : float or ndarray
        Share of the network in the energy of the rack.
    """

    counted: Counted
    busy_s: float
    wait_s: object
    host_power_w: object
    idle_power_w: float
    network_share: object


def share_of_server(of):
    """Share of a server's accelerators that the operating point uses."""
    return of["mle09_accelerators"] / of["eco_server_accelerators"]


def host_limits_w(of):
    """Least and most power of the host that published figures allow for. [W]

    The least is the constant of EcoLogits; the most is what a server took at its peak beyond its accelerators at their limit.
    """
    most_w = of["node01_peak"] * WATTS_PER_KILOWATT - of["eco_server_accelerators"] * of["tdp_h100"]
    least_w = of["eco_server_power"] * WATTS_PER_KILOWATT
    return least_w * share_of_server(of), most_w * share_of_server(of)


def answer_energy_j(of):
    """Energy of carrying the answer between data centers, the least that a network may take. [J]"""
    return of["req_tokens"] * of["answer_bytes"] / BYTES_PER_GB * of["ccf2"] * JOULES_PER_KWH


def measured(of, rng=None):
    """The request at a measured operating point, counted to the facility with its waiting time.

    Parameters
    ----------
    of : dict of str to float
        Values of figures.
    rng : numpy.random.Generator, optional
        Draws the host's power and the share of time with work between their limits, and the network's share between next to
        nothing and that of a training cluster; without one they have their values.

    Returns
    -------
    Measured

    Notes
    -----
    The host takes what it took beside accelerators in production, the waiting machine a share of its rated power; the network's
    share is assumed halfway between its limits.
    """
    busy_s = of["req_tokens"] / of["mle09_rate"]
    accelerator_j = of["mle09_power"] * busy_s
    engaged = of["idle05_engaged_low"], of["idle05_engaged_high"]
    idle_power_w = of["idle05_share"] * of["node01_rated"] * WATTS_PER_KILOWATT * share_of_server(of)
    if rng is None:
        host_power_w, used = of["mle09_power"] * of["goog2"] / of["goog1"], sum(engaged) / 2
    else:
        host_power_w, used = rng.uniform(*host_limits_w(of), DRAWS), rng.uniform(*engaged, DRAWS)
    wait_s = busy_s * (1 - used) / used
    parts = {"accelerator": accelerator_j, "host": host_power_w * busy_s, "idle": idle_power_w * wait_s}
    server_j = sum(parts.values())
    least = answer_energy_j(of) / (np.median(server_j) + answer_energy_j(of))
    middle = (least + of["net02"]) / 2
    share = middle if rng is None else rng.triangular(least, middle, of["net02"], DRAWS)
    parts["network"] = server_j * share / (1 - share)
    parts["overhead"] = overheads(sum(parts.values()), of["pue2"])
    return Measured(Counted(NAME, parts), busy_s, wait_s, host_power_w, idle_power_w, share)
