"""CodeCarbon: power as it samples or models it, over the time of a run, times a PUE that is one unless it is set."""

import numpy as np

from joulebook.method.accountings.parts import Counted

NAME = "CodeCarbon"
MOST_MODULES = 32  # modules of memory that it takes a machine to have at most
_STEPS = ((4, None), (8, "cc_memory_from_5"), (16, "cc_memory_from_9"), (MOST_MODULES, "cc_memory_from_17"))


def memory_power_w(of):
    """Power of a machine's memory by the number of modules that its size is taken to stand for. [W]

    Parameters
    ----------
    of : dict of str to float
        Values of figures.

    References
    ----------
    .. [1] CodeCarbon, docs/explanation/methodology.md, section on memory.

    Examples
    --------
    2048 GB are 16 modules of 128 GB: 4 x 5 + 4 x 4.5 + 8 x 4 W.

    >>> memory_power_w({"host_memory": 2048, "cc_memory_module": 128, "cc_memory_power": 5.0, "cc_memory_from_5": 0.9,
    ...                 "cc_memory_from_9": 0.8, "cc_memory_from_17": 0.7})
    70.0
    """
    modules = min(int(np.ceil(of["host_memory"] / of["cc_memory_module"])), MOST_MODULES)
    power_w, before = 0.0, 0
    for upto, share in _STEPS:
        these = max(0, min(modules, upto) - before)
        power_w += these * of["cc_memory_power"] * (1.0 if share is None else of[share])
        before = upto
    return power_w


def host_power_w(of, rng=None, draws=None):
    """Power of processors and memory, in proportion to the accelerators in use. [W]

    Parameters
    ----------
    of : dict of str to float
        Values of figures; processors at the share of their thermal design power that holds where no counter is read.
    rng : numpy.random.Generator, optional
        Draws that share between its value without load and one.
    draws : int, optional
        Number of draws.
    """
    share = of["cc_cpu_share"] if rng is None else rng.uniform(of["cc_cpu_share_low"], 1.0, draws)
    whole_w = of["host_processors"] * of["host_processor_tdp"] * share + memory_power_w(of)
    return whole_w * of["mle09_accelerators"] / of["eco_server_accelerators"]


def counted(of, rng=None, draws=None):
    """The request by CodeCarbon with its defaults: the accelerators' sampled power, processors and memory modelled.

    Parameters
    ----------
    of, rng, draws
        As in `host_power_w`.

    Returns
    -------
    joulebook.method.accountings.parts.Counted
    """
    busy_s = of["req_tokens"] / of["mle09_rate"]
    parts = {"accelerator": of["mle09_power"] * busy_s, "host": host_power_w(of, rng, draws) * busy_s}
    why = {"idle": "the run alone", "network": "no network", "overhead": "PUE not set"}
    if of["cc_pue"] != 1:
        parts["overhead"] = (of["cc_pue"] - 1) * sum(parts.values())
        del why["overhead"]
    return Counted(NAME, parts, why)
