"""Section 11 of the method, the money. Expected values: hand arithmetic, shown; checks of the method where named."""

import numpy as np
import pytest

from joulebook.dictionary import of_topic
from joulebook.intake import inputs
from joulebook.method import economics as e
from joulebook.method.chain import chain
from joulebook.method.study import Study

TASKS = {
    "value_per_task": 0.004,
    "automatable_share": 0.7,
    "annual_tasks": 1e7,
    "fixed_cost_per_year": 9000.0,
    "review_cost_per_task": 0.0008,
    "roi_hurdle": 0.25,
}
YEAR = chain((e.quality_of_tasks, e.year_beside, e.return_of_a_year, e.flip))


def example(**changed):
    """A study on the dictionary's examples of the topic, with some inputs changed; None takes one away."""
    cell = {name: row.example for name, row in of_topic("verdict").items()} | changed
    labels = {"unit_of_work": "output_token", "boundary": "server", "window": "run", "scenario": "Server"}
    study = Study(inputs("verdict", {**cell, "labels": labels}, {})).build_on("cost_per_token", e.RUN_COST)
    return study.run_all(e.ECONOMICS).results


def test_return_at_three_unit_costs():
    # check of section 11: benefit 0.004 x 0.7 x 1e7 = 28000; beside 9000 + 0.0008 x 0.3 x 1e7 = 11400; costs 17400, 23400, 29400
    made = YEAR({**TASKS, "unit_cost": np.array([0.0006, 0.0012, 0.0018])})
    assert made["annual_benefit"] == pytest.approx(28000)
    assert made["annual_cost_beside"] == pytest.approx(11400)
    assert made["annual_cost"] == pytest.approx([17400, 23400, 29400])
    assert made["roi"] == pytest.approx([0.609195, 0.196581, -0.047619], abs=5e-7)


def test_flip_at_the_hurdle():
    # check of section 11: (28000 / 1.25 - 11400) / 1e7 = 0.0011, over 0.0006 = 1.8333
    made = YEAR({**TASKS, "unit_cost": 0.0006})
    assert made["flip_unit_cost"] == pytest.approx(0.0011)
    assert made["flip_multiple"] == pytest.approx(1.8333, abs=5e-5)


def test_errors_are_paid_for():
    # check of section 11: 0.01 x 0.007 x 7e6 = 490 on top of 17400: 28000 / 17890 - 1
    made = YEAR({**TASKS, "unit_cost": 0.0006, "error_cost": 0.01, "task_quality_share": 0.993})
    assert made["annual_error_cost"] == pytest.approx(490)
    assert made["roi"] == pytest.approx(0.565120, abs=5e-7)


def test_errors_of_unknown_quality_leave_no_return():
    study = example(task_quality_share=None, operating_points_csv=None)
    assert study["roi"].value is None
    assert study["roi"].note == e.NO_QUALITY


def test_no_cost_of_errors_is_said():
    study = example(error_cost=None)
    assert study["annual_error_cost"].value is None
    assert study["annual_cost_beside"].note == e.NO_ERRORS
    assert study["roi"].value is not None


def test_a_hurdle_out_of_reach_never_flips():
    # benefit 4000 x 0.7 = 2800 is below what a year costs beside the tasks
    study = example(annual_tasks=1e6)
    assert study["flip_multiple"].value is None
    assert study["flip_multiple"].note == study["flip_unit_cost"].note == e.NEVER


def test_run_cost_of_owning_is_that_of_the_topic():
    # check of section 5 with the demand charge of the example left out: 1.202984 per million, 1.1527 % of it electricity
    study = example(demand_charge_per_kw_month=None)
    assert study["run_cost_basis"].value == "owning"
    assert study["run_cost_per_million"].value == pytest.approx(1.202984, abs=5e-7)
    assert study["run_energy_share"].value == pytest.approx(0.011527, abs=5e-7)
    assert study["unit_cost"].value == pytest.approx(1.202984 * 500 / 1e6, rel=1e-6)
    assert "fixed_cost_per_year must not hold" in study["run_cost_per_million"].note


def test_run_cost_without_capital_is_electricity_of_the_year():
    # check of section 5: 24e9 a year, always on, 671.424 of electricity: 0.027976 per million
    study = example(capital_cost=None, annual_volume=24e9, utilization=None, demand_charge_per_kw_month=None)
    assert study["run_cost_basis"].value == "electricity, always on"
    assert study["run_cost_per_million"].value == pytest.approx(0.027976, abs=5e-7)
    assert study["run_energy_share"].value == 1
    assert "has to stand in fixed_cost_per_year" in study["run_cost_per_million"].note


def test_run_cost_without_a_year_is_a_floor():
    # check of section 5: 0.00866667 per million at full load
    study = example(utilization=None, idle_power_w=None)
    assert study["run_cost_basis"].value == "electricity, full load"
    assert study["run_cost_per_million"].value == pytest.approx(0.00866667, abs=5e-9)
    assert "a floor" in study["run_cost_per_million"].note


def test_what_lacks_is_named():
    study = example(throughput_per_s=None, automatable_share=None)
    assert study["run_cost_per_million"].note == "needs throughput_per_s"
    assert study["annual_benefit"].note == "needs automatable_share"
    assert study["roi"].value is None


def test_other_cost_of_a_task_dilutes_the_energy():
    # 0.0006 of run cost, half of it energy, and 0.0002 beside: 0.0003 / 0.0008
    made = e.cost_of_a_task(1.2, 500.0, 0.0002, 0.5)
    assert made["unit_cost"] == pytest.approx(0.0008)
    assert made["unit_energy_share"] == pytest.approx(0.375)


def test_a_task_that_costs_nothing_has_no_multiple():
    made = YEAR({**TASKS, "unit_cost": 0.0})
    assert np.isnan(made["flip_multiple"])
    assert made["flip_unit_cost"] == pytest.approx(0.0011)
