"""Section 11 of the method, the decision. Expected values: hand arithmetic, shown; checks of the method where named."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from joulebook.dictionary import of_topic
from joulebook.errors import InputError
from joulebook.intake import inputs
from joulebook.method import verdict as m
from joulebook.method.chain import chain
from joulebook.method.decision import decide, quality_is_shown
from joulebook.method.economics import NEVER
from joulebook.method.study import Study
from joulebook.method.what_would_change import NO_RANGE, NOTHING
from joulebook.method.whatif.information import conditional_spread
from joulebook.method.worse_efficiency import MISSED, NO_SHARE

FEASIBLE = "feasibility evidence"
LABELS = {"unit_of_work": "output_token", "boundary": "server", "window": "run", "scenario": "Server"}
# Section 11: value 0.004, share 0.7, 1e7 tasks, fixed 9000, review 0.0008, hurdle 0.25; no errors; 0.0006 a task
TASKS = {
    "annual_tasks": 1e7,
    "annual_benefit": 28000.0,
    "annual_cost_beside": 11400.0,
    "roi_hurdle": 0.25,
    "run_cost_per_million": 1.2,
    "units_per_task": 500.0,
    "other_cost_per_task": 0.0,
    "run_energy_share": 0.011527,
    "worse_efficiency": 3.0,
}
BOTH = chain((m.cost_of_a_task, m.return_of_a_year, m.flip, m.returns_of_both_cases, m.flips_of_both_cases))


SAME_RUN = {
    name: said
    for name, said in of_topic("verdict")["disclosure"].example.items()
    if name in of_topic("verdict")["deployment"].example
}  # what was run for the result is what will be run


def example(ranges=(), expired=(), confirmed=(), **changed):
    """Results on the dictionary's examples, with what was run for the benchmark as the deployment; some changed, some ranged."""
    changed = {"deployment": {**SAME_RUN, "cooling_included": "no", "precision_allowed": "yes"}} | changed
    cell = {name: row.example for name, row in of_topic("verdict").items()} | changed
    given = {"evidence": "measured", "source": "a meter", "range_is": "limits"}
    provenance = {name: {"value": cell[name], "low": low, "high": high} | given for name, (low, high) in dict(ranges).items()}
    provenance |= {name: {"value": cell[name], "plausible": "confirmed"} for name in confirmed}
    found = inputs("verdict", {**cell, "labels": LABELS}, provenance)
    for name, said in dict(expired).items():
        found.inputs[name] = replace(found.inputs[name], **said)
    study = Study(found)
    study.build_on("cost_per_token", m.RUN_COST).build_on("accuracy_cost", m.QUALITY).build_on("benchmark_match", m.GRADE)
    return study.run_all(m.CALCULATIONS).results


# --- the two readings of a worse performance per watt


def test_three_times_worse_by_both_readings():
    # check of section 11: 3x at energy share 0.011527: 0.596504 (energy), -0.047619 (throughput)
    made = BOTH(TASKS)
    assert made["roi_energy_case"] == pytest.approx(0.596504, abs=5e-7)
    assert made["roi_throughput_case"] == pytest.approx(-0.047619, abs=5e-7)
    table = made["worse_efficiency_returns"]
    assert table["times_worse | 1"][[0, 20, 40]] == pytest.approx([1, 2, 3])
    assert table["throughput_case | 1"][[0, 20, 40]] == pytest.approx([0.609195, 0.196581, -0.047619], abs=5e-7)
    assert table["energy_case | 1"][40] == pytest.approx(0.596504, abs=5e-7)


def test_share_of_electricity_that_is_needed():
    # check of section 11: 0.416667 for 3x, 0.833333 for 2x; at 1.5x 1.67 of the cost would be needed, which is none
    made = BOTH(TASKS)
    assert made["energy_share_needed"] == pytest.approx(0.416667, abs=5e-7)
    table = made["energy_shares_needed"]
    assert table["times_worse | 1"] == pytest.approx([1.5, 2, 2.5, 3])
    assert table["energy_share_needed | 1"][1:] == pytest.approx([0.833333, 0.555556, 0.416667], abs=5e-7)
    assert np.isnan(table["energy_share_needed | 1"][0])


def test_flips_of_both_readings():
    # 1 + 0.83333 / 0.011527 = 73.294 times the electricity; 1.8333 times fewer units, as nothing else is in the cost of a task
    made = BOTH(TASKS)
    assert made["energy_case_flip"] == pytest.approx(1 + (11 / 6 - 1) / 0.011527)
    assert made["throughput_case_flip"] == pytest.approx(11 / 6)


def test_what_does_not_come_by_the_unit_of_work_does_not_rise_with_it():
    # 0.0004 of 0.0006 by the unit of work: 3 x 0.0004 + 0.0002 = 0.0014; 28000 / (14000 + 11400) - 1; flip 1 + 0.8333 / 0.6667
    made = BOTH({**TASKS, "run_cost_per_million": 0.8, "other_cost_per_task": 0.0002})
    assert made["roi_throughput_case"] == pytest.approx(28000 / 25400 - 1)
    assert made["throughput_case_flip"] == pytest.approx(2.25)


def test_a_hurdle_missed_today_needs_no_share():
    study = example(value_per_task=0.003)  # 21000 of benefit against 17919: 0.17 is below 0.25, but a cost of nothing would do
    assert study["energy_share_needed"].note == study["energy_case_flip"].note == MISSED
    assert study["energy_shares_needed"]["rows"] == []
    assert study["roi_throughput_case"].value is not None


def test_a_far_flip_has_no_share():
    study = example(value_per_task=0.04)
    assert study["energy_share_needed"].note == NO_SHARE
    assert study["throughput_case_flip"].value > 3


# --- the class


@pytest.mark.parametrize(
    ("quality", "probability", "grade", "throughput", "kind", "sub_class"),
    [
        ("shown", 0.9, FEASIBLE, 1.0, "automatable", "none"),
        ("shown", 0.8999, FEASIBLE, 1.0, "speculative", "none"),
        ("shown", 1.0, "directional bound", 1.0, "speculative", "none"),
        ("shown", 1.0, "measure first", 1.0, "speculative", "none"),
        ("shown", 0.1, FEASIBLE, 1.0, "speculative", "uneconomic"),
        ("shown", 0.1001, FEASIBLE, 1.0, "speculative", "none"),
        ("not shown", 1.0, FEASIBLE, 1.0, "research", "none"),
        ("shown", None, FEASIBLE, None, "research", "none"),
        ("not shown", None, None, None, "research", "none"),
        ("shown", None, FEASIBLE, 1.0, None, None),
        ("shown", 1.0, None, 1.0, None, None),
        ("shown", 0.05, None, 1.0, "speculative", "uneconomic"),
    ],
)
def test_classes_are_those_of_the_method(quality, probability, grade, throughput, kind, sub_class):
    made = decide(quality, 0.9, 0.1, probability, grade, throughput)
    assert (made["verdict"], made["verdict_sub_class"]) == (kind, sub_class)
    assert made["notes"]["verdict"]
    assert (sub_class is None) == bool(made["notes"].get("verdict_sub_class"))


def test_the_class_of_the_example():
    study = example()
    assert study["verdict"].value == "automatable"
    assert study["readiness"].value == "not known"  # apart from the class
    assert example(organisational_readiness="no")["verdict"].value == "automatable"


def test_the_grade_of_the_benchmark_is_part_of_the_class():
    # the deployment of the example differs in batch and stack, both of which make the benchmark look better
    deployment = of_topic("verdict")["deployment"].example
    study = example(deployment={**deployment, "quality_target_pct": 99})
    assert study["grade"].value == "directional bound"
    assert study["verdict"].value == "speculative"
    assert study["verdict"].note.endswith("the benchmark's grade is directional bound")


def test_no_deployment_no_grade_no_class():
    study = example(deployment=None)
    assert study["verdict"].value is None
    assert study["verdict"].note == "the benchmark has no grade: needs deployment"


def test_no_number_of_tasks_leaves_no_class_and_says_why():
    study = example(annual_tasks=None)
    assert study["verdict"].value is None
    assert "needs annual_tasks" in study["verdict"].note


def test_no_value_of_a_task_is_refused():
    with pytest.raises(InputError, match="value_per_task: missing: verdict needs it"):
        example(value_per_task=None)


def test_an_expired_input_leaves_no_class_unless_it_is_used_all_the_same():
    old = {"as_of": "2025-04-30", "expires": "2026-04-30", "expired": True}
    for reason, kind in (("", None), ("the contract runs on", "automatable")):
        study = example(expired={"electricity_price_per_kwh": {**old, "used_because": reason}})
        assert study["verdict"].value == kind
        if not reason:
            assert study["verdict"].note == "expired, not used for pricing: electricity_price_per_kwh (2026-04-30)"
            assert study["first_flip"].value is None
            assert study["volume_and_price"]["rows"] == []
        assert study["quality_shown"].value == "shown"  # which has no price


def test_an_unknown_throughput_is_research():
    study = example(throughput_per_s=None)
    assert study["verdict"].value == "research"
    assert study["verdict"].note == "the throughput is not known"
    assert study["first_flip"].note == "needs throughput_per_s"


def test_probability_is_the_share_of_the_draws():
    # by the value alone, rectangular: the hurdle is reached from 0.0031998 on, (0.0048 - 0.0031998) / (0.0048 - 0.0032) = 1;
    # with the low end at 0.0016: 1.6002 / 3.2 = 0.50005
    flip = example()["input_flips"]["rows"]
    at = next(row[3] for row in flip if row[0] == "Value of a task")
    study = example({"value_per_task": (0.0016, 0.0048)})
    assert study["hurdle_probability"].value == pytest.approx((0.0048 - at) / 0.0032, abs=1e-3)
    assert study["verdict"].value == "speculative"
    assert study["verdict_sub_class"].value == "none"


def test_hardly_ever_is_uneconomic():
    study = example({"value_per_task": (0.0008, 0.0033)}, value_per_task=0.002)
    assert study["hurdle_probability"].value < 0.1
    assert study["verdict_sub_class"].value == "uneconomic"


GIVEN = [name for name, row in of_topic("verdict").items() if row.example is not None and not row.required]


@pytest.mark.parametrize("seed", range(25))
def test_whatever_is_not_given_every_result_is_there_or_says_why(seed):
    rng = np.random.default_rng(seed)
    dropped = rng.choice(GIVEN, size=rng.integers(1, 12), replace=False)
    study = example(**dict.fromkeys(dropped))
    for name, found in study.items():
        missing = not found["rows"] if isinstance(found, dict) else not found.available
        note = found.get("note", "") if isinstance(found, dict) else found.note
        assert note or not missing, (name, dropped)
    if study["roi"].value is None and study["verdict"].value is not None:
        assert study["verdict"].value == "research"


# --- the quality


@pytest.mark.parametrize(
    ("items", "allowed", "shown"),
    [(10000, 0.001, "shown"), (10000, 0.0005, "not shown"), (None, 0.001, "not shown")],
)
def test_quality_by_the_paired_test(items, allowed, shown):
    # check of section 4: n 10000, b 6, c 3: lower bound -0.000888
    study = example(quality_samples=items, allowed_loss_share=allowed)
    assert study["quality_shown"].value == shown
    assert (study["verdict"].value == "research") == (shown == "not shown")


def test_quality_by_the_interval_where_there_is_no_pair():
    # check of section 4: 9905 of 10000: Wilson from 0.988401
    assert quality_is_shown(None, None, 98.8401, 98.8, "absolute")["quality_shown"] == "shown"
    assert quality_is_shown(None, None, 98.8401, 98.9, "absolute")["quality_shown"] == "not shown"
    # of a reference at 90: the target 99 % of it is 89.1 absolute
    assert quality_is_shown(None, None, 89.2, 99.0, "of_reference", 90.0)["quality_shown"] == "shown"


def test_no_test_at_all_names_what_it_needs():
    study = example(lost=None, gained=None, operating_points_csv=None)
    assert study["quality_shown"].value == "not shown"
    assert "needs lost, gained" in study["quality_shown"].note


# --- classes change only where the flip says

AMOUNT = st.floats(1e-4, 1e2)
SHARE = st.floats(0.01, 1.0)


@settings(max_examples=300, deadline=None)
@given(AMOUNT, SHARE, st.floats(1e3, 1e9), st.floats(0, 1e6), AMOUNT, AMOUNT, SHARE, st.floats(-0.5, 3), st.floats(0.01, 100))
def test_the_class_changes_only_at_the_flip(value, share, tasks, fixed, review, wrong, quality, hurdle, multiple):
    made = chain((m.quality_of_tasks, m.year_beside, m.return_of_a_year, m.flip))(
        {
            "value_per_task": value,
            "automatable_share": share,
            "annual_tasks": tasks,
            "fixed_cost_per_year": fixed,
            "review_cost_per_task": review,
            "error_cost": wrong,
            "task_quality_share": quality,
            "roi_hurdle": hurdle,
            "unit_cost": 0.001 * np.array([1.0, multiple]),
        }
    )
    flips = made["flip_unit_cost"] / 0.001  # as multiples of the first unit cost
    probabilities = (made["net_benefit_over_hurdle"] >= 0).astype(float)
    kinds = [decide("shown", 0.9, 0.1, each, FEASIBLE, 1.0)["verdict"] for each in probabilities]
    size = made["annual_cost"] * (1 + hurdle) + made["annual_benefit"]
    if (np.abs(made["net_benefit_over_hurdle"]) < 1e-9 * size).any():
        return  # at the flip itself rounding decides
    assert (kinds[0] == "automatable") == (flips > 1)
    assert (kinds[0] != kinds[1]) == (min(1, multiple) < flips < max(1, multiple))


def test_the_flip_unit_cost_parts_ten_thousand_random_clients():
    # analytic: the net benefit is a falling line in the unit cost, so its sign is that of flip less unit cost
    rng = np.random.default_rng(5)
    values = {
        "value_per_task": rng.lognormal(-5, 2, 10000),
        "automatable_share": rng.uniform(0, 1, 10000),
        "annual_tasks": rng.lognormal(14, 2, 10000),
        "fixed_cost_per_year": rng.lognormal(9, 2, 10000),
        "review_cost_per_task": rng.lognormal(-7, 2, 10000),
        "roi_hurdle": rng.uniform(0, 1, 10000),
        "unit_cost": rng.lognormal(-7, 2, 10000),
    }
    made = chain((m.year_beside, m.return_of_a_year, m.flip))(values)
    reached = made["roi"] >= values["roi_hurdle"]
    assert 1000 < reached.sum() < 9000
    assert ((made["flip_unit_cost"] >= values["unit_cost"]) == reached).all()
    assert ((made["net_benefit_over_hurdle"] >= 0) == reached).all()


# --- what would change it


def test_what_flips_it_does_flip_it():
    study = example()
    rows = study["input_flips"]["rows"]
    names = {row.title: name for name, row in of_topic("verdict").items()}
    assert study["first_flip"].value == rows[0][0]
    assert [abs(row[4]) for row in rows] == sorted(abs(row[4]) for row in rows)
    for title, _, today, at, change, _ in rows[:8]:
        assert change == pytest.approx((at / today - 1) * 100)
        just_before, just_after = (example(**{names[title]: at + side * 1e-6 * (at - today)}) for side in (-1, 1))
        assert just_before["verdict"].value == "automatable", title
        assert just_after["verdict_sub_class"].value == "uneconomic", title


def test_the_value_at_the_flip_by_hand():
    # energy at full load 0.0086667 x 500 / 1e6 = 4.3333e-6 a task, 43.333 a year; beside 9000 + 2400; v = 1.25 x 11443.333 / 7e6
    study = example(utilization=None, idle_power_w=None, error_cost=None)
    at = {row[0]: row[3] for row in study["input_flips"]["rows"]}
    assert at["Value of a task"] == pytest.approx(1.25 * (9000 + 2400 + 43.3333333) / 7e6, rel=1e-9)


def test_volume_at_the_flip_by_hand():
    # as above: N (0.0028 - 1.25 x (4.3333e-6 + 0.00024)) = 1.25 x 9000
    study = example(utilization=None, idle_power_w=None, error_cost=None)
    assert study["volume_flip"].value == pytest.approx(11250 / (0.0028 - 1.25 * (4.33333333e-6 + 0.00024)) / 1e7, rel=1e-8)


def test_the_surface_has_today_in_it():
    study = example()
    rows = study["volume_and_price"]["rows"]
    here = [row for row in rows if row[0] == pytest.approx(1e7) and row[1] == pytest.approx(0.12)]
    assert len(here) == 1
    assert here[0][2] == pytest.approx(study["roi"].value, rel=1e-9)


def test_the_work_of_the_system_moves_with_the_tasks():
    # twice the tasks on twice the utilization is the same as both typed in
    rows = example()["volume_and_price"]["rows"]
    both = example(annual_tasks=1e7 * 10 ** 0.3, utilization=0.4 * 10 ** 0.3)["roi"].value
    found = [row[2] for row in rows if row[0] == pytest.approx(1e7 * 10 ** 0.3) and row[1] == pytest.approx(0.12)]
    assert found == [pytest.approx(both, rel=1e-9)]


def test_no_price_has_no_map():
    study = example(electricity_price_per_kwh=0.0)
    assert study["volume_and_price"]["rows"] == []
    assert study["volume_and_price"]["note"]
    assert "costs nothing today" in study["price_flip"].note
    assert study["verdict"].value == "automatable"


def test_out_of_reach_says_never():
    far_off = {"annual_tasks": 1e5, "value_per_task": 1e-5, "review_cost_per_task": 0.01}
    study = example(confirmed=["value_per_task", "annual_tasks"], **far_off)
    assert study["flip_multiple"].note == NEVER
    assert study["volume_flip"].note.startswith("never")
    assert study["price_flip"].note.startswith("never")


def test_an_input_that_moves_nothing_flips_nothing():
    study = example(automatable_share=0.0)  # nothing is automated, so the value of a task brings nothing in
    titles = {row[0] for row in study["input_flips"]["rows"]}
    assert not titles & {"Value of a task", "Tasks done right"}


def test_where_no_input_flips_it_it_says_so():
    study = example(automatable_share=0.0, fixed_cost_per_year=0.0, review_cost_per_task=0.0)
    assert study["first_flip"].value is None
    assert study["first_flip"].note == study["first_flip_change"].note == study["input_flips"]["note"] == NOTHING


# --- what is worth knowing


def test_spread_of_a_conditional_mean():
    # analytic: y = 3 u + w with w apart: 3 / sqrt(12); y = u w: u / 2, so 1 / (2 sqrt(12))
    rng = np.random.default_rng(3)
    u, w = rng.random((2, 2**15))
    assert conditional_spread(u, 3 * u + w) == pytest.approx(3 / np.sqrt(12), rel=0.01)
    assert conditional_spread(u, u * w) == pytest.approx(1 / (2 * np.sqrt(12)), rel=0.05)


def test_a_single_uncertain_input_is_all_that_is_worth_knowing():
    study = example({"value_per_task": (0.003, 0.005)})
    assert study["next_measurement"].note == "value_per_task"
    assert study["next_measurement_value"].value == pytest.approx(study["information_value"].value, rel=2e-3)
    # uniform, so s = 7e6 x 0.002 / sqrt(12) on the benefit
    assert study["measurements"]["rows"][0][1] == pytest.approx(7e6 * 0.002 / np.sqrt(12), rel=1e-3)


def test_without_ranges_nothing_says_what_a_measurement_would_change():
    study = example()
    assert study["next_measurement"].note == study["information_value"].note == NO_RANGE


def test_more_work_than_the_system_does_is_said():
    # 0.4 x 5000 x 8760 x 3600 = 63.072e9 units; 1e9 tasks of 500 are 7.93 times that
    study = example(annual_tasks=1e9)
    assert study["tasks_share_of_volume"].value == pytest.approx(500e9 / 63.072e9)
    assert study["tasks_share_of_volume"].note.startswith("more than the whole")
