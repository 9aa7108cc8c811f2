"""Automatable, speculative or research: what the return of a year says, and what it rests on (method, section 11)."""

from joulebook.method.economics import (
    RUN_COST,
    cost_of_a_task,
    flip,
    quality_of_tasks,
    return_of_a_year,
    run_cost,
    year_beside,
)

__all__ = ["CALCULATIONS", "RUN_COST"]

# All calculations of the topic, in the order in which they run: later ones use results of earlier ones.
CALCULATIONS = (run_cost, cost_of_a_task, quality_of_tasks, year_beside, return_of_a_year, flip)
