"""What running a task costs, and how well it is done, from the topics that tell it (method, section 11)."""

import numpy as np

from joulebook.method.acceptable import acceptable_work
from joulebook.method.accuracy_cost import best_points
from joulebook.method.cost_per_token import (
    always_on,
    cost_at_full_load,
    energy_at_full_load,
    facility_energy_at_full_load,
    work_of_a_year,
)
from joulebook.method.electricity import demand_charge
from joulebook.method.fleet import NO_WORK, per_million
from joulebook.method.ownership import ownership
from joulebook.method.quality import paired_test, quality_interval
from joulebook.method.study import gives
from joulebook.units import PER_MILLION

# What the run cost is made of, in the topic cost_per_token: `Study.build_on("cost_per_token", RUN_COST)`.
RUN_COST = (
    energy_at_full_load,
    facility_energy_at_full_load,
    cost_at_full_load,
    work_of_a_year,
    demand_charge,
    always_on,
    ownership,
)
# What the quality of tasks is made of, in the topic accuracy_cost: likewise.
QUALITY = (best_points, acceptable_work, quality_interval, paired_test)


def unit_cost(cost_per_million, units_per_task, other_cost_per_task):
    r"""Cost of running one task.

    Parameters
    ----------
    cost_per_million : float or ndarray
        Run cost of a million units of work. [money]
    units_per_task : float or ndarray
        Units of work in a task, retries included.
    other_cost_per_task : float or ndarray
        What a task costs to run beside that. [money]

    Returns
    -------
    float or ndarray
        Cost. [money per task]

    Notes
    -----
    .. math:: c = c_{10^6}\, n_\mathrm{units} / 10^6 + c_\mathrm{other}

    Examples
    --------
    >>> unit_cost(1.2, 500.0, 0.0)
    0.0006
    """
    return cost_per_million * units_per_task / PER_MILLION + other_cost_per_task


@gives("run_cost_basis", "run_cost_per_million", "run_energy_share")
def run_cost(cost_per_million, cost_per_million_always_on=None, ownership_cost_per_million=None, energy_share=None):
    """Run cost of a million units of work: that of owning where there is one, else energy of a year, else energy at full load.

    Parameters
    ----------
    cost_per_million, cost_per_million_always_on, ownership_cost_per_million, energy_share : float or ndarray
        Results of the topic cost_per_token.

    Returns
    -------
    dict
        The results named in `gives`; the note of the cost says what must not stand in fixed_cost_per_year, and what must.
    """
    window = None
    if ownership_cost_per_million is not None:
        basis, cost, share = "owning", ownership_cost_per_million, energy_share
        note = "capital, maintenance and other_cost_per_year are in it, so that fixed_cost_per_year must not hold them"
        window = "all hours of the lifetime, idle included"
    elif cost_per_million_always_on is not None:
        basis, cost, share = "electricity, always on", cost_per_million_always_on, 1.0
        note = "energy only: the system itself has to stand in fixed_cost_per_year"
        window = "all hours of the year, idle included"
    else:
        basis, cost, share = "electricity, full load", cost_per_million, 1.0
        note = "energy only, at full load, which is a floor: idle hours and the system itself are not in it"
    return {
        "run_cost_basis": basis,
        "run_cost_per_million": cost,
        "run_energy_share": share,
        "notes": {"run_cost_per_million": note, "run_energy_share": "the cost of owning is nothing" if share is None else ""},
        "labels": {} if window is None else {name: {"window": window} for name in run_cost.results},
    }


@gives("unit_cost", "unit_energy_share")
def cost_of_a_task(run_cost_per_million, units_per_task, other_cost_per_task, run_energy_share=None):
    """Cost of running a task, and how much of it is energy.

    Parameters
    ----------
    run_cost_per_million, run_energy_share : float or ndarray
        Results of `run_cost`.
    units_per_task, other_cost_per_task : float or ndarray
        See ``data/parameters.csv``.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    cost = np.asarray(unit_cost(run_cost_per_million, units_per_task, other_cost_per_task), float)
    run = unit_cost(run_cost_per_million, units_per_task, 0.0)
    share = np.nan if run_energy_share is None else run_energy_share
    return {
        "unit_cost": cost[()],
        "unit_energy_share": np.where(cost > 0, share * run / np.where(cost > 0, cost, 1), np.nan)[()],
        "notes": {} if np.all(cost > 0 * share) else {"unit_energy_share": "running a task costs nothing"},
    }


@gives("units_of_tasks", "tasks_share_of_volume")
def work_of_tasks(annual_tasks, units_per_task, units_per_year=None):
    """Work of a year's tasks, and its share of the work for which the run cost holds.

    Parameters
    ----------
    annual_tasks, units_per_task : float or ndarray
        See ``data/parameters.csv``.
    units_per_year : float or ndarray, optional
        Result of `joulebook.method.cost_per_token.work_of_a_year`.

    Returns
    -------
    dict
        The results named in `gives`; the note says where the two do not go together.
    """
    units = annual_tasks * units_per_task
    if units_per_year is None:
        return {
            "units_of_tasks": units,
            "tasks_share_of_volume": None,
            "notes": {"tasks_share_of_volume": "the work of a year is not given: needs annual_volume or utilization"},
        }
    share = np.asarray(per_million(units, units_per_year)) / PER_MILLION
    notes = {} if np.all(units_per_year > 0) else {"tasks_share_of_volume": NO_WORK}
    if share.ndim == 0 and share > 1 + 1e-9:
        notes["tasks_share_of_volume"] = "more than the whole: the run cost is that of less work than the tasks are"
    return {"units_of_tasks": units, "tasks_share_of_volume": share[()], "notes": notes}


@gives("task_quality")
def quality_of_tasks(task_quality_share=None, acceptable_share=None):
    """Absolute share of automated tasks done right: as given for tasks, else that of the deployable best of accuracy_cost.

    Parameters
    ----------
    task_quality_share : float or ndarray, optional
        See ``data/parameters.csv``.
    acceptable_share : float or ndarray, optional
        Result of `joulebook.method.acceptable.acceptable_work`.

    Returns
    -------
    dict
        The result named in `gives`.
    """
    if task_quality_share is not None:
        return {
            "task_quality": task_quality_share,
            "notes": {"task_quality": "as given for tasks"},
            "unused": {"task_quality": ["acceptable_share"]},
        }
    if acceptable_share is not None:
        return {"task_quality": acceptable_share, "notes": {"task_quality": "of the deployable best of accuracy_cost"}}
    return {"task_quality": None, "notes": {"task_quality": "needs task_quality_share, or an absolute quality in accuracy_cost"}}
