"""What to measure where a benchmark's result may not carry the estimate, and how often (method, section 6)."""

from functools import cache

import numpy as np
from scipy import stats

from joulebook.method.matching.words import FEASIBILITY, MATCH, UNKNOWN
from joulebook.method.meters.steadiness import PRICED_S
from joulebook.method.study import gives

COVERAGE = 0.975  # quantile of a two-sided 95 % interval
MOST = 10_000  # repeats beyond which none are counted
SAMPLING_S = 1.0  # longest time between two readings under MLCommons' power rules


@cache
def _half_widths():
    """Half width of the 95 % interval of a mean of n runs, over their standard deviation, for n from 2 on; falling."""
    n = np.arange(2, MOST + 1)
    return stats.t.ppf(COVERAGE, n - 1) / np.sqrt(n)


def repeats_for(cv, half_width):
    r"""Smallest number of runs whose mean is known to a half width.

    Parameters
    ----------
    cv : float or ndarray
        Coefficient of variation of single runs. [1]
    half_width : float or ndarray
        Half width of the 95 % interval of the mean, as a share of it. [1]

    Returns
    -------
    float or ndarray
        At least two; nan where ten thousand would not do.

    Notes
    -----
    .. math:: n = \min \{ n : t_{0.975, n-1} \, c_v / \sqrt{n} \le h \}

    Student's t, as the standard deviation is known from these runs alone.

    Examples
    --------
    >>> float(repeats_for(0.02, 0.01)), float(repeats_by_z(0.02, 0.01))
    (18.0, 16.0)
    """
    falling = _half_widths()
    with np.errstate(divide="ignore", invalid="ignore"):
        allowed = np.where(np.asarray(cv) == 0, np.inf, np.asarray(half_width, float) / cv)
    place = np.searchsorted(-falling, -allowed)  # the first that is not above what is allowed
    return np.where(place < len(falling), place + 2.0, np.nan)


def repeats_by_z(cv, half_width):
    """The same with the normal quantile, which is too few: the standard deviation of a handful of runs is not known."""
    return np.maximum(2.0, np.ceil((stats.norm.ppf(COVERAGE) * np.asarray(cv) / half_width) ** 2))


@gives("repeats_needed", "repeats_by_z", "measuring_time_s")
def repeats(repeat_cv_share, half_width_share, meter_limit_share=None):
    """How many runs a measurement takes, and how long that is.

    Parameters
    ----------
    repeat_cv_share, half_width_share, meter_limit_share : float or ndarray
        See ``data/parameters.csv``.

    Returns
    -------
    dict
        The results named in `gives`. Below the limit of error of the meter itself no number of runs helps.
    """
    n = repeats_for(repeat_cv_share, half_width_share)
    note, beyond = "the limit of error of the meter is not stated: if it is above the half width, no number helps", False
    if meter_limit_share is not None:
        beyond = np.asarray(half_width_share < meter_limit_share)
        n, note = np.where(beyond, np.nan, n), ""
    lacking = "below the limit of error of the meter itself: no number of repeats helps, a better meter does"
    if np.ndim(n) == 0 and not np.isfinite(n):
        note = lacking if beyond else f"more than {MOST} runs"
    missing = note if np.ndim(n) == 0 and not np.isfinite(n) else ""
    return {
        "repeats_needed": n,
        "repeats_by_z": np.where(np.isfinite(n), repeats_by_z(repeat_cv_share, half_width_share), np.nan),
        "measuring_time_s": n * PRICED_S,
        "notes": {"repeats_needed": note, "repeats_by_z": missing or "too few: the spread of a handful of runs is not known",
                  "measuring_time_s": missing or f"runs of {PRICED_S:g} s each, of one variant"},
    }  # fmt: skip


@gives("measurement_plan", once=True)
def measurement_plan(grade, matched_fields, deployment, repeats_needed=None):
    """What to run, where to read, how long, how often and what to note, where the result may not carry the estimate.

    Parameters
    ----------
    grade : str
        Result of `joulebook.method.matching.grade.grade_of`.
    matched_fields : dict
        Result of `joulebook.method.matching.grade.match_fields`.
    deployment : dict
        Fields as in `joulebook.intake.records`.
    repeats_needed : float, optional
        Result of `repeats`.

    Returns
    -------
    dict
        The plan, a row a step.
    """
    if grade == FEASIBILITY:
        return {"measurement_plan": None, "notes": {"measurement_plan": "not due: the result may carry the estimate"}}
    rows = list(zip(*(matched_fields[f"{name} | "] for name in ("field", "match", "deployment")), strict=True))
    own = [f"{field} {said}" for field, word, said in rows if word != MATCH and said]
    find_out = [field for field, word, said in rows if word == UNKNOWN and not said]
    boundary = deployment.get("boundary")
    where = f"at the {boundary}, or at the server's inlet and converted" if boundary else "at the server's inlet at least"
    enough = repeats_needed is not None
    steps = [
        ("run", ": ".join(filter(None, ("the deployment's own work", ", ".join(own)))), "what differs from the benchmark"),
    ]
    if find_out:
        steps.append(("settle first", ", ".join(find_out), "not known of the deployment, so it cannot be run as it will be"))
    steps += [
        ("boundary", where, "where the decision is taken"),
        ("length", f"at least {PRICED_S:g} s of work in each run", "shorter runs show a direction at most"),
        ("sampling", f"a reading every {SAMPLING_S:g} s or faster", "as MLCommons' power rules ask for"),
        ("order", "two variants interleaved: A B B A", "so that drift of the room and the machine falls on both"),
        ("room", "temperature at the inlet, with each run", "fans and leakage follow it"),
        ("repeats", f"{repeats_needed:.0f} of each variant" if enough else "no number is enough",
         "for the half width that is asked for" if enough else "with a better meter, or a wider aim"),
    ]  # fmt: skip
    step, do, why = zip(*steps, strict=True)
    return {"measurement_plan": {"step | ": list(step), "do | ": list(do), "why | ": list(why)}}
