"""EcoLogits: a request by the number of a model's parameters, from fits to measured energies and latencies."""

import numpy as np

from joulebook.method.accountings.parts import Counted, overheads
from joulebook.units import GRAMS_PER_KILOGRAM, HOURS_PER_YEAR, JOULES_PER_WATT_HOUR, SECONDS_PER_HOUR, WATTS_PER_KILOWATT

BITS_PER_BYTE = 8
NAME = "EcoLogits"


def accelerators(of):
    """Accelerators that hold a model: the memory of its parameters with a margin, rounded up to a power of two.

    Parameters
    ----------
    of : dict of str to float
        Values of `joulebook.method.accountings.figures.figure_values`.

    Examples
    --------
    A dense model of 70e9 parameters in 16 bits takes 168 GB with the margin, so three accelerators of 80 GB, so four.

    >>> accelerators({"eco_memory_factor": 1.2, "req_parameters": 70, "eco_bits": 16, "eco_accelerator_memory": 80})
    4
    """
    memory_gb = of["eco_memory_factor"] * of["req_parameters"] * of["eco_bits"] / BITS_PER_BYTE
    return 2 ** int(np.ceil(np.log2(np.ceil(memory_gb / of["eco_accelerator_memory"]))))


def token_energy_j(of, batch):
    """Energy of an output token at the accelerators, fitted, at a batch. [J]

    Parameters
    ----------
    of : dict of str to float
        Values of figures.
    batch : float or ndarray
        Requests in a batch.

    Returns
    -------
    float or ndarray
        Of all accelerators that hold the model together.

    References
    ----------
    .. [1] EcoLogits, ecologits/impacts/llm.py, and its methodology of inference.
    """
    one_wh = (of["eco_energy_alpha"] * np.exp(of["eco_energy_beta"] * batch) * of["req_parameters"]
              + of["eco_energy_gamma"])  # fmt: skip
    return accelerators(of) * one_wh * JOULES_PER_WATT_HOUR


def latency_s(of):
    """Time from the first to the last token of the request, fitted. [s]"""
    token_s = (of["eco_latency_alpha"] * of["req_parameters"] + of["eco_latency_beta"] * of["eco_batch"]
               + of["eco_latency_gamma"])  # fmt: skip
    return of["req_tokens"] * token_s


def machine_s(of):
    """Time of the machine that the request occupies: its latency, shared by the batch. [s]"""
    return latency_s(of) / of["eco_batch"]


def host_power_w(of):
    """Power of the server without its accelerators, in proportion to those that hold the model. [W]"""
    return of["eco_server_power"] * WATTS_PER_KILOWATT * accelerators(of) / of["eco_server_accelerators"]


def counted(of):
    """The request by EcoLogits: accelerators by its energy fit, the host by its latency fit, the facility by a PUE.

    Parameters
    ----------
    of : dict of str to float
        Values of figures.

    Returns
    -------
    joulebook.method.accountings.parts.Counted
    """
    parts = {
        "accelerator": of["req_tokens"] * token_energy_j(of, of["eco_batch"]),
        "host": host_power_w(of) * machine_s(of),
    }
    parts["overhead"] = overheads(sum(parts.values()), of["pue2"])
    why = {"idle": "no waiting", "network": "no network"}
    return Counted(NAME, parts, why)


def embodied_kg(of):
    """Carbon embodied in the accelerators that hold the model and their share of the server. [kg CO2e]"""
    count = accelerators(of)
    return count * of["emb1_accelerator"] + count / of["eco_server_accelerators"] * of["emb1_server"]


def embodied_g(of, occupied_s):
    """Embodied carbon of a request that occupies the machine for so long. [g CO2e]

    Parameters
    ----------
    of : dict of str to float
        Values of figures.
    occupied_s : float or ndarray
        Time of the machine. [s]
    """
    return embodied_kg(of) * GRAMS_PER_KILOGRAM * occupied_s / (of["eco_lifetime"] * HOURS_PER_YEAR * SECONDS_PER_HOUR)
