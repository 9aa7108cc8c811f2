"""Joule by joule from another accounting of a request to this workbook's: the steps add up to the difference."""

import numpy as np

from joulebook.method.accountings import cloud_carbon, codecarbon, ecologits, inferencex
from joulebook.method.accountings.parts import column

_BATCH = "tokens that share a second of the machine: as measured, not as a fitted latency says"
_DUTY = "time without work, at the power of the waiting machine"
_NETWORK = "switches, and what carries the answer"
_HOST = "processors, memory, fans and supplies at work"
_PUE = "cooling and conversion, on what is counted before"


def _of_ecologits(other, own, of):
    mine, theirs = own.counted.parts, other.parts
    at_their_power_j = ecologits.host_power_w(of) * own.busy_s
    return [
        ("accelerator", mine["accelerator"] - theirs["accelerator"], "measured at the same batch, not fitted over models"),
        ("batch", at_their_power_j - theirs["host"], _BATCH),
        ("host", mine["host"] - at_their_power_j, "power of the host in production, not a constant"),
        ("duty cycle", mine["idle"], _DUTY),
        ("network", mine["network"], _NETWORK),
        ("PUE", mine["overhead"] - theirs["overhead"], _PUE),
        ("embodied", np.nan, "carbon and no energy: it has no joule, and stands in grams"),
    ]


def _of_inferencex(other, own, of):
    waiting_j = own.counted.parts["idle"] / (1 - own.network_share) * of["pue2"]
    return [
        ("provisioned", own.counted.total_j - waiting_j - other.total_j, "power drawn at work, not an assumed all-in power"),
        ("duty cycle", waiting_j, f"{_DUTY}, with network and PUE"),
    ]


def _of_cloud_carbon(other, own, of):
    mine, theirs = own.counted.parts, other.parts
    waited_s = cloud_carbon.wait_s(of)
    return [
        ("accelerator", mine["accelerator"] - theirs["accelerator"], "power drawn at work, not the most watts"),
        ("host", mine["host"], _HOST),
        ("idle power", own.idle_power_w * waited_s - theirs["idle"], "the whole machine waits, not its accelerators alone"),
        ("duty cycle", own.idle_power_w * (own.wait_s - waited_s), "time without work, not that of processors in general"),
        ("network", mine["network"], _NETWORK),
        ("PUE", mine["overhead"] - theirs["overhead"], f"{_PUE}; another facility"),
    ]


def _of_codecarbon(other, own, of):
    mine, theirs = own.counted.parts, other.parts
    return [
        ("host", mine["host"] - theirs["host"], f"{_HOST}, not processors and memory alone"),
        ("duty cycle", mine["idle"], _DUTY),
        ("network", mine["network"], _NETWORK),
        ("PUE", mine["overhead"] - theirs.get("overhead", 0.0), _PUE),
    ]


_STEPS = {
    ecologits.NAME: _of_ecologits,
    inferencex.NAME: _of_inferencex,
    cloud_carbon.NAME: _of_cloud_carbon,
    codecarbon.NAME: _of_codecarbon,
}


def steps(other, own, of):
    """Steps from an accounting of the request to this workbook's.

    Parameters
    ----------
    other : joulebook.method.accountings.parts.Counted
        One with an energy.
    own : joulebook.method.accountings.measured.Measured
        This workbook's.
    of : dict of str to float
        Values of figures.

    Returns
    -------
    list of tuple
        Step, energy, which is negative where this workbook counts less and nan where it is none, and what is behind it. [J]
    """
    return _STEPS[other.name](other, own, of)


def steps_table(others, own, of):
    """The steps from each accounting that gives an energy, one after the other.

    Parameters
    ----------
    others : sequence of joulebook.method.accountings.parts.Counted
    own, of
        As in `steps`.

    Returns
    -------
    dict
        Columns, energies in joules.
    """
    lines = [(other.name, *step) for other in others if other.name in _STEPS for step in steps(other, own, of)]
    return {
        "accounting | ": [line[0] for line in lines],
        "step | ": [line[1] for line in lines],
        "energy | J": column([line[2] for line in lines]),
        "what | ": [line[3] for line in lines],
    }
