"""A row's energy brought to its own utilization and to the facility, each by what is declared (method, sections 0, 3 and 8)."""

from dataclasses import dataclass

import numpy as np

from joulebook.method.rungs import energy_at_rack, energy_at_server
from joulebook.results import apply_pue

NO_NETWORK = "network left out"


def energy_at_utilization(energy_per_unit_j, idle_ratio, utilization, reserved_share=1.0):
    r"""Energy per unit of work at a utilization, from that at full load, on a straight line from idle to full load.

    Parameters
    ----------
    energy_per_unit_j : float or ndarray
        At full load. [J]
    idle_ratio : float or ndarray
        Idle over active power. [1]
    utilization : float or ndarray
        Share of time at full load. [1]
    reserved_share : float or ndarray
        Share of the idle power that this work holds. [1]

    Returns
    -------
    float or ndarray
        Energy. [J]

    Notes
    -----
    .. math:: e(u) = e \left( 1 + i \frac{s - u}{u} \right)        (equation ``eq-own-utilization`` in the book)

    With all of the idle power, s = 1, this is P(u)/(u T) of section 3.

    Examples
    --------
    >>> round(energy_at_utilization(0.2, 0.4, 0.1), 9), round(energy_at_utilization(0.2, 0.4, 0.1, 0.25), 9)
    (0.92, 0.32)
    """
    return energy_per_unit_j * (1 + idle_ratio * (reserved_share - utilization) / utilization)


@dataclass(frozen=True)
class Path:
    """What brings each row from its boundary to the facility.

    Parameters
    ----------
    to_equipment, to_facility : ndarray, shape (n,) or (draws, n)
        Energy of the IT equipment, and of the facility, over that at the row's boundary; nan where there is no way.
    gaps : list of str
        By row what is missing; empty where nothing is.
    how : list of str
        By row what was done, in words.
    """

    to_equipment: np.ndarray
    to_facility: np.ndarray
    gaps: list
    how: list


def path_of(rows, pue=None, psu_efficiency=None, network_storage_share=None):
    """Way of each row to the facility: host, supply losses, network, and the PUE once.

    Parameters
    ----------
    rows : joulebook.method.workloads.rows.Rows
        The portfolio.
    pue, psu_efficiency, network_storage_share : float or ndarray, shape (draws,), optional
        What is declared of the facility and its servers.

    Returns
    -------
    Path
        A row that needs what is not declared has a gap, and nan in the place of its factors.

    Examples
    --------
    >>> import pandas as pd
    >>> from joulebook.method.workloads.rows import rows_of
    >>> table = pd.DataFrame({"workload": ["a", "b"], "boundary": ["node_dc", "facility"], "energy_per_unit_j": [94.0, 130.0],
    ...     "annual_volume": 1.0, "utilization": 1.0, "unit_of_work": "query", "evidence": "assumed"})
    >>> path = path_of(rows_of(table), 1.3, 0.94)
    >>> path.to_facility.round(6).tolist(), path_of(rows_of(table), 1.3).gaps
    ([1.382979, 1.0], ['needs psu_efficiency', ''])
    """
    at = {name: rows.boundary == name for name in ("accelerator", "node_dc", "rack", "facility")}
    direct, inside = at["accelerator"] | at["node_dc"], ~at["facility"]
    below_rack = inside & ~at["rack"]
    gaps = [[] for _ in rows.workload]
    how = [[] for _ in rows.workload]
    factor = np.where(at["accelerator"], 1 / (1 - rows.host_share), 1.0)
    _note(how, at["accelerator"], "host")
    _note(gaps, at["accelerator"] & np.isnan(rows.host_share), "host_share")
    if psu_efficiency is None:
        factor = np.where(direct, np.nan, factor)
        _note(gaps, direct, "psu_efficiency")
    else:
        factor = np.where(direct, energy_at_server(factor, 0.0, _by_row(psu_efficiency), "dc"), factor)
        _note(how, direct, "supply")
    if network_storage_share is None:
        _note(how, below_rack, NO_NETWORK)
    else:
        factor = np.where(below_rack, energy_at_rack(factor, _by_row(network_storage_share)), factor)
        _note(how, below_rack, "network")
    if pue is None:
        whole = np.where(inside, np.nan, factor)
        _note(gaps, inside, "pue")
    else:
        whole = np.where(inside, apply_pue(factor, None, _by_row(pue)), factor)
        _note(how, inside, "PUE")
    needs = [f"needs {', '.join(names)}" if names else "" for names in gaps]
    done = [", ".join(words) if words else "as stated" for words in how]
    return Path(factor, whole, needs, [need or words for need, words in zip(needs, done, strict=True)])


def _by_row(value):
    return np.asarray(value, float)[..., None]


def _note(texts, mask, words):
    for row in np.flatnonzero(mask):
        texts[row].append(words)
