"""Automatable, speculative or research: what the return of a year says, and what it rests on (method, section 11)."""

from joulebook.method.decision import decide, quality_is_shown, readiness_gate
from joulebook.method.economics import (
    QUALITY,
    RUN_COST,
    cost_of_a_task,
    flip,
    quality_of_tasks,
    return_of_a_year,
    run_cost,
    work_of_tasks,
    year_beside,
)
from joulebook.method.matching.grade import GRADE, grade_of
from joulebook.method.what_would_change import first_flip, next_measurement, volume_and_price
from joulebook.method.worse_efficiency import flips_of_both_cases, returns_of_both_cases

__all__ = ["CALCULATIONS", "GRADE", "QUALITY", "RUN_COST", "grade_of"]

# All calculations of the topic, in the order in which they run: later ones use results of earlier ones.
CALCULATIONS = (
    run_cost,
    cost_of_a_task,
    work_of_tasks,
    quality_of_tasks,
    year_beside,
    return_of_a_year,
    flip,
    quality_is_shown,
    readiness_gate,
    decide,
    returns_of_both_cases,
    flips_of_both_cases,
    first_flip,
    volume_and_price,
    next_measurement,
)
