"""Section 11 of the method, the decision. Expected values: hand arithmetic, shown; checks of the method where named."""

import pytest

from joulebook.method import verdict as m
from joulebook.method.chain import chain


def test_three_times_the_unit_cost_misses_the_hurdle():
    # check of section 11: at 0.0018 a task 28000 / 29400 - 1 = -0.047619, so 28000 - 1.25 x 29400 = -8750 over the hurdle
    tasks = {"value_per_task": 0.004, "automatable_share": 0.7, "annual_tasks": 1e7, "fixed_cost_per_year": 9000.0}
    tasks |= {"review_cost_per_task": 0.0008, "roi_hurdle": 0.25, "units_per_task": 500.0, "other_cost_per_task": 0.0}
    made = chain(m.CALCULATIONS)({**tasks, "cost_per_million": 3.6})
    assert made["unit_cost"] == pytest.approx(0.0018)
    assert made["net_benefit_over_hurdle"] == pytest.approx(-8750)
