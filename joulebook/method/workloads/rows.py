"""Rows of a portfolio as arrays, and draws of the ranges that they state (method, section 8)."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from joulebook.inputs import Input
from joulebook.method import ranges

OWN_UTILIZATION = "own_utilization"
_RANGED = (("energy_per_unit_j", "J"), ("annual_volume", ""))


@dataclass(frozen=True)
class Rows:
    """Workloads of a portfolio, an array a quantity; nan where the file says nothing.

    Parameters
    ----------
    workload, unit_of_work, boundary, evidence : ndarray of str, shape (n,)
        Names, and the labels that the energy has.
    energy_per_unit_j, annual_volume : ndarray, shape (n,) or (draws, n)
        As they stand in the file, or draws of their ranges.
    counts_idle : ndarray of bool, shape (n,)
        Whether the energy was taken over all hours, idle ones included, and not at full load.
    peak_kw, utilization, idle_ratio, reserved_share, host_share, servers, growth_per_year : ndarray, shape (n,)
        As they stand in the file; a row alone on its system that states no reserved share holds all of the idle power.
    system : ndarray of int, shape (n,)
        Number of the system that a row runs on; rows of one number share it.
    """

    workload: np.ndarray
    unit_of_work: np.ndarray
    boundary: np.ndarray
    evidence: np.ndarray
    energy_per_unit_j: np.ndarray
    annual_volume: np.ndarray
    counts_idle: np.ndarray
    peak_kw: np.ndarray
    utilization: np.ndarray
    idle_ratio: np.ndarray
    reserved_share: np.ndarray
    host_share: np.ndarray
    servers: np.ndarray
    growth_per_year: np.ndarray
    system: np.ndarray

    def named(self, mask):
        """Names of the rows where a mask holds, as one text."""
        return ", ".join(self.workload[mask])


def lacking(workloads, gaps):
    """Workloads that have a gap, with it, as one text; empty where there are none.

    Examples
    --------
    >>> lacking(["chat", "search"], ["needs pue", ""])
    'chat (needs pue)'
    """
    return ", ".join(f"{name} ({gap})" for name, gap in zip(workloads, gaps, strict=True) if gap)


def rows_of(portfolio, rng=None, draws=ranges.DRAWS):
    """Rows of a portfolio as arrays.

    Parameters
    ----------
    portfolio : pandas.DataFrame
        Columns workload, unit_of_work, energy_per_unit_j, annual_volume, boundary, utilization, evidence; optionally peak_kw,
        idle_ratio, energy_at, system, reserved_share, host_share, servers, growth_per_year, and the ends of ranges.
    rng : numpy.random.Generator, optional
        Draws energies and volumes from their ranges; without one, their values.
    draws : int
        Number of draws.

    Returns
    -------
    Rows
    """
    count = len(portfolio)

    def text(name, default=""):
        return portfolio[name].to_numpy(object) if name in portfolio else np.full(count, default, object)

    def number(name):
        return portfolio[name].to_numpy(float) if name in portfolio else np.full(count, np.nan)

    system = text("system")
    alone = np.array([name or f"\0{row}" for row, name in enumerate(system)], object)  # a row of its own shares with no name
    number_of_system = pd.factorize(alone)[0]
    single = np.bincount(number_of_system)[number_of_system] == 1
    share = number("reserved_share")
    drawn = _drawn(portfolio, rng, draws)
    return Rows(
        **{name: text(name) for name in ("workload", "unit_of_work", "boundary", "evidence")},
        **{name: drawn.get(name, number(name)) for name, _ in _RANGED},
        counts_idle=text("energy_at") == OWN_UTILIZATION,
        **{name: number(name) for name in ("peak_kw", "utilization", "idle_ratio", "host_share", "servers", "growth_per_year")},
        reserved_share=np.where(np.isnan(share) & single, 1.0, share),
        system=number_of_system,
    )


def _drawn(portfolio, rng, draws):
    """Draws of the quantities of which a row states a range, shape (draws, n)."""
    if rng is None:
        return {}
    from scipy import stats  # late: half a second of every command's start otherwise

    ranged = []
    for name, unit in _RANGED:
        ends = [ends_of(name, end) for end in ("low", "high")]
        if all(end in portfolio for end in ends):
            low, high = (portfolio[end].to_numpy(float) for end in ends)
            ranged += [(name, unit, row, low[row], high[row]) for row in np.flatnonzero(low < high)]
    if not ranged:
        return {}
    points = stats.qmc.LatinHypercube(len(ranged), rng=rng).random(draws)
    made = {}
    for place, (name, unit, row, low, high) in enumerate(ranged):
        evidence = portfolio["evidence"].iloc[row]
        kind = "u95" if evidence == "measured" else "limits"
        value = portfolio[name].to_numpy(float)
        every = made.setdefault(name, np.tile(value, (draws, 1)))
        given = Input(value[row], unit, low, high, kind, evidence=evidence)
        every[:, row] = ranges.quantiles(given, (0, np.inf), points[:, place])
    return made


def draws_of(*items):
    """Number of draws among some inputs; that of every study where none of them is drawn.

    Examples
    --------
    >>> draws_of(1.3, None, np.ones(64)), draws_of(1.3)
    (64, 8192)
    """
    return max((np.size(item) for item in items if np.ndim(item)), default=ranges.DRAWS)


def ends_of(name, end):
    """Column of an end of a range.

    Examples
    --------
    >>> ends_of("energy_per_unit_j", "low"), ends_of("annual_volume", "high")
    ('energy_per_unit_low_j', 'annual_volume_high')
    """
    return f"{name.removesuffix('_j')}_{end}" + ("_j" if name.endswith("_j") else "")
