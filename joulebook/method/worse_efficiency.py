"""Performance per watt that is worse than told: what it does if energy alone rises, and if the throughput falls (section 11)."""

import numpy as np

from joulebook.method import economics
from joulebook.method.study import gives

STEPS = 41  # on the way to the worst: a smooth line
MISSED = "the hurdle is not reached today"
NO_SHARE = "no share would do: even if electricity were all of the cost, so many times as much does not flip it"


def energy_case(cost, energy_share, factor):
    """Cost of a task where each unit of work takes so many times the energy, all else as it is.

    Parameters
    ----------
    cost : float or ndarray
        Cost of a task today. [money]
    energy_share : float or ndarray
        Share of electricity in it. [1]
    factor : float or ndarray
        Times the energy. [1]

    Returns
    -------
    float or ndarray
        [money]

    Examples
    --------
    >>> round(energy_case(0.0006, 0.011527, 3.0), 9)
    0.000613832
    """
    return cost * (1 + energy_share * (factor - 1))


def share_needed(flip_multiple, factor):
    r"""Smallest share of energy in the cost of a task at which so many times the energy flips the decision.

    Parameters
    ----------
    flip_multiple : float or ndarray
        Cost of a task at the flip over that of today. [1]
    factor : float or ndarray
        Times the energy; above 1.

    Returns
    -------
    float or ndarray
        Above 1 where no share would do. [1]

    Notes
    -----
    .. math:: s = (m - 1) / (k - 1)

    Examples
    --------
    >>> round(share_needed(11 / 6, 3.0), 6), round(share_needed(11 / 6, 2.0), 6)
    (0.416667, 0.833333)
    """
    return (flip_multiple - 1) / (factor - 1)


@gives("roi_energy_case", "roi_throughput_case", "worse_efficiency_returns")
def returns_of_both_cases(
    unit_cost,
    unit_energy_share,
    run_cost_per_million,
    units_per_task,
    other_cost_per_task,
    annual_tasks,
    annual_benefit,
    annual_cost_beside,
    worse_efficiency,
):
    r"""Return at a worse performance per watt, by either reading of it.

    Parameters
    ----------
    unit_cost, unit_energy_share, run_cost_per_million, annual_benefit, annual_cost_beside : float or ndarray
        Results of `joulebook.method.economics`.
    units_per_task, other_cost_per_task, annual_tasks, worse_efficiency : float or ndarray
        See ``data/parameters.csv``.

    Returns
    -------
    dict
        The results named in `gives`; the table from performance per watt as told to that many times worse.

    Notes
    -----
    Energy case: the power is higher, and electricity alone costs k times as much. Throughput case: the throughput is lower at
    the same power, and all that the run costs is k times as much.
    """

    def returns(factor, lift):
        energy = energy_case(lift(unit_cost), lift(unit_energy_share), factor)
        throughput = economics.unit_cost(lift(run_cost_per_million) * factor, lift(units_per_task), lift(other_cost_per_task))
        tasks, benefit, beside = lift(annual_tasks), lift(annual_benefit), lift(annual_cost_beside)
        costs = (economics.annual_cost(each, tasks, beside) for each in (energy, throughput))
        return [economics.return_on_cost(benefit, cost) for cost in costs]

    at_worst = returns(worse_efficiency, lambda item: item)
    factors = 1 + (_beside(worse_efficiency) - 1) * np.linspace(0, 1, STEPS)
    on_the_way = returns(factors, _beside)
    return {
        "roi_energy_case": at_worst[0],
        "roi_throughput_case": at_worst[1],
        "worse_efficiency_returns": {
            "times_worse | 1": factors,
            "energy_case | 1": on_the_way[0],
            "throughput_case | 1": on_the_way[1],
        },
        "notes": {
            "roi_energy_case": "each unit of work takes so many times the electricity, all else as it is",
            "roi_throughput_case": "so many times fewer units of work at the same power: the whole run cost rises",
        },
    }


@gives("energy_share_needed", "energy_case_flip", "throughput_case_flip", "energy_shares_needed")
def flips_of_both_cases(unit_cost, unit_energy_share, flip_multiple, run_cost_per_million, units_per_task, worse_efficiency):
    """How many times worse the performance per watt has to be to flip the decision, and the share of energy that this needs.

    Parameters
    ----------
    unit_cost, unit_energy_share, flip_multiple, run_cost_per_million : float or ndarray
        Results of `joulebook.method.economics`.
    units_per_task, worse_efficiency : float or ndarray
        See ``data/parameters.csv``.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    run_share = economics.unit_cost(run_cost_per_million, units_per_task, 0.0) / unit_cost
    share = np.asarray(share_needed(flip_multiple, worse_efficiency), float)
    flips = {
        "energy_case_flip": _times(flip_multiple, unit_energy_share),
        "throughput_case_flip": _times(flip_multiple, run_share),
    }
    notes = {
        "energy_case_flip": "" if np.all(unit_energy_share > 0) else "there is no electricity in it",
        "throughput_case_flip": "" if np.all(run_share > 0) else "running a task costs nothing by the unit of work",
    }
    if share.ndim == 0 and flip_multiple < 1:
        share, flips, notes = np.array(np.nan), dict.fromkeys(flips, np.nan), dict.fromkeys(flips_of_both_cases.results, MISSED)
    elif share.ndim == 0 and share > 1:
        share, notes["energy_share_needed"] = np.array(np.nan), NO_SHARE
    factors = 1 + (_beside(worse_efficiency) - 1) * np.linspace(0, 1, 5)[1:]
    needed = share_needed(_beside(flip_multiple), factors)
    reached = np.all(flip_multiple >= 1)
    return {
        "energy_share_needed": share[()],
        **flips,
        "energy_shares_needed": {
            "times_worse | 1": factors,
            "energy_share_needed | 1": np.where((needed >= 0) & (needed <= 1), needed, np.nan),
            "energy_share_today | 1": _beside(unit_energy_share) * np.ones_like(factors),
        }
        if reached or factors.ndim > 1
        else None,
        "notes": notes,
    }


def _times(flip_multiple, share):
    share = np.asarray(share, float)
    return np.where(share > 0, 1 + (flip_multiple - 1) / np.where(share > 0, share, 1), np.nan)[()]


def _beside(item):
    """An item with an axis for steps on the way beside the draws."""
    return np.asarray(item, float)[..., None]
