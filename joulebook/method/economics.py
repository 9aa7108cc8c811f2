"""What a task costs and brings in a year, and the unit cost at which the decision flips (method, section 11)."""

import numpy as np

from joulebook.method.study import gives
from joulebook.method.task_cost import (
    QUALITY,
    RUN_COST,
    cost_of_a_task,
    quality_of_tasks,
    run_cost,
    unit_cost,
    work_of_tasks,
)

__all__ = ["ECONOMICS", "QUALITY", "RUN_COST", "cost_of_a_task", "quality_of_tasks", "run_cost", "unit_cost", "work_of_tasks"]

NEVER = "never: the hurdle is not reached even where the tasks cost nothing to run"
NO_QUALITY = "error_cost is given, but the share of tasks done right is not: needs task_quality_share"
NO_ERRORS = "no cost of errors is given, so none is counted"


def annual_benefit(value_per_task, automatable_share, annual_tasks):
    """Value of the automated tasks of a year. [money]

    Examples
    --------
    >>> round(annual_benefit(0.004, 0.7, 1e7), 6)
    28000.0
    """
    return value_per_task * automatable_share * annual_tasks


def costs_beside_unit_cost(
    annual_tasks, automatable_share, fixed_cost_per_year, review_cost_per_task, error_cost=None, task_quality=None
):
    """What a year costs beside running the tasks: fixed cost, review of the tasks that are not automated, and errors.

    Parameters
    ----------
    annual_tasks, automatable_share, fixed_cost_per_year, review_cost_per_task : float or ndarray
        See ``data/parameters.csv``.
    error_cost : float or ndarray, optional
        Cost of an automated task done wrongly; where none is given no errors are counted. [money]
    task_quality : float or ndarray, optional
        Share of automated tasks done right, absolute; nan makes what errors cost, and the whole, nan. [1]

    Returns
    -------
    float or ndarray
        Cost. [money]

    Examples
    --------
    >>> round(costs_beside_unit_cost(1e7, 0.7, 9000.0, 0.0008), 6)
    11400.0
    >>> round(costs_beside_unit_cost(1e7, 0.7, 9000.0, 0.0008, 0.01, 0.993), 6)
    11890.0
    """
    review = review_cost_per_task * (1 - automatable_share) * annual_tasks
    if error_cost is None:
        return fixed_cost_per_year + review
    quality = np.nan if task_quality is None else task_quality
    return fixed_cost_per_year + review + error_cost * (1 - quality) * automatable_share * annual_tasks


def annual_cost(cost_of_unit, annual_tasks, cost_beside):
    """Cost of a year: running all tasks, and what `costs_beside_unit_cost` gives. [money]

    Examples
    --------
    >>> round(annual_cost(0.0006, 1e7, 11400.0), 6)
    17400.0
    """
    return cost_of_unit * annual_tasks + cost_beside


def return_on_cost(benefit, cost):
    r"""Return on what is spent in a year.

    Parameters
    ----------
    benefit, cost : float or ndarray
        Value and cost of a year. [money]

    Returns
    -------
    float or ndarray
        Return; nan where nothing is spent. [1]

    Notes
    -----
    .. math:: \mathrm{ROI} = (B - C) / C

    Examples
    --------
    >>> [round(float(return_on_cost(28000.0, 1e7 * each + 11400.0)), 6) for each in (0.0006, 0.0012, 0.0018)]
    [0.609195, 0.196581, -0.047619]
    """
    cost = np.asarray(cost, float)
    return np.where(cost > 0, (benefit - cost) / np.where(cost > 0, cost, 1), np.nan)[()]


def net_benefit_over_hurdle(benefit, cost, hurdle):
    """Benefit less the cost with the hurdle on it: not negative just where the return reaches the hurdle. [money]

    Examples
    --------
    >>> net_benefit_over_hurdle(28000.0, 17400.0, 0.25)
    6250.0
    """
    return benefit - (1 + hurdle) * cost


def flip_unit_cost(benefit, cost_beside, annual_tasks, hurdle):
    r"""Unit cost at which the return is the hurdle.

    Parameters
    ----------
    benefit : float or ndarray
        Value of a year. [money]
    cost_beside : float or ndarray
        Cost of a year beside running the tasks. [money]
    annual_tasks : float or ndarray
        Tasks of a year.
    hurdle : float or ndarray
        Least return. [1]

    Returns
    -------
    float or ndarray
        Unit cost; not positive where the hurdle is never reached. [money per task]

    Notes
    -----
    .. math:: c^* = \left(\frac{B}{1 + h} - C_\mathrm{beside}\right) / N

    Examples
    --------
    >>> round(flip_unit_cost(28000.0, 11400.0, 1e7, 0.25), 9)
    0.0011
    """
    return (benefit / (1 + hurdle) - cost_beside) / annual_tasks


@gives("annual_benefit", "annual_cost_beside", "annual_error_cost")
def year_beside(
    value_per_task,
    automatable_share,
    annual_tasks,
    fixed_cost_per_year,
    review_cost_per_task,
    error_cost=None,
    task_quality=None,
):
    """Value of a year, and its cost beside running the tasks.

    Parameters
    ----------
    value_per_task, automatable_share, annual_tasks, fixed_cost_per_year, review_cost_per_task, error_cost : float or ndarray
        See ``data/parameters.csv``.
    task_quality : float or ndarray, optional
        Result of `quality_of_tasks`.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    beside = costs_beside_unit_cost(
        annual_tasks, automatable_share, fixed_cost_per_year, review_cost_per_task, error_cost, task_quality
    )
    errors, said = None, NO_ERRORS
    if error_cost is not None:
        errors = beside - costs_beside_unit_cost(annual_tasks, automatable_share, fixed_cost_per_year, review_cost_per_task)
        said = "each automated task done wrongly is one error" if task_quality is not None else NO_QUALITY
    return {
        "annual_benefit": annual_benefit(value_per_task, automatable_share, annual_tasks),
        "annual_cost_beside": beside,
        "annual_error_cost": errors,
        "notes": {"annual_error_cost": said, "annual_cost_beside": said if error_cost is None or task_quality is None else ""},
    }


@gives("annual_cost", "roi", "net_benefit_over_hurdle", "hurdle_probability")
def return_of_a_year(unit_cost, annual_tasks, annual_benefit, annual_cost_beside, roi_hurdle, sampled=None):
    r"""Cost and return of a year, what is left over the hurdle, and how probable it is that the hurdle is reached.

    Parameters
    ----------
    unit_cost, annual_benefit, annual_cost_beside : float or ndarray
        Results of `cost_of_a_task` and `year_beside`.
    annual_tasks, roi_hurdle : float or ndarray
        See ``data/parameters.csv``.
    sampled : dict, optional
        The same results on draws of the inputs' ranges; empty where no input has one.

    Returns
    -------
    dict
        The results named in `gives`; the probability on the values alone, from the draws.

    Notes
    -----
    .. math:: \mathrm{ROI} = (B - C) / C

    The hurdle is reached where the benefit is not below the cost with the hurdle on it, which also holds where nothing is spent.
    """
    cost = annual_cost(unit_cost, annual_tasks, annual_cost_beside)
    over = net_benefit_over_hurdle(annual_benefit, cost, roi_hurdle)
    notes = {} if np.all(cost > 0) else {"roi": "there is no cost, so no return on it"}
    probability = None
    if sampled is not None:
        drawn = np.asarray(sampled.get("net_benefit_over_hurdle", over), float)
        probability = float(np.mean(drawn >= 0)) if np.isfinite(drawn).all() else None
        if probability is None:
            notes["hurdle_probability"] = "part of the inputs' ranges gives no return"
        elif drawn.ndim == 0:
            notes["hurdle_probability"] = "no input has a range: that of the values alone, which is none or one"
    return {
        "annual_cost": cost,
        "roi": return_on_cost(annual_benefit, cost),
        "net_benefit_over_hurdle": over,
        "hurdle_probability": probability,
        "notes": notes,
    }


@gives("flip_unit_cost", "flip_multiple")
def flip(unit_cost, annual_tasks, annual_benefit, annual_cost_beside, roi_hurdle):
    """Unit cost at which the return is the hurdle, and as a multiple of today's.

    Parameters
    ----------
    unit_cost, annual_tasks, annual_benefit, annual_cost_beside, roi_hurdle : float or ndarray
        As in `return_of_a_year`.

    Returns
    -------
    dict
        The results named in `gives`; not available, with the word never, where it is not positive.
    """
    flips = np.asarray(flip_unit_cost(annual_benefit, annual_cost_beside, annual_tasks, roi_hurdle), float)
    today = np.asarray(unit_cost, float)
    multiple = np.where(today > 0, flips / np.where(today > 0, today, 1), np.nan)
    notes = {} if np.all(today > 0) else {"flip_multiple": "running a task costs nothing today"}
    if flips.ndim == 0 and flips <= 0:  # over draws it stays a number, so that a positive value has its range
        flips = multiple = np.array(np.nan)
        notes = dict.fromkeys(flip.results, NEVER)
    return {"flip_unit_cost": flips[()], "flip_multiple": multiple[()], "notes": notes}


# In the order in which they run; they rest on `RUN_COST` of cost_per_token, and may rest on `QUALITY` of accuracy_cost.
ECONOMICS = (run_cost, cost_of_a_task, work_of_tasks, quality_of_tasks, year_beside, return_of_a_year, flip)
