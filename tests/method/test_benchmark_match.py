"""Topic benchmark match. Expected values: the rules and checks of the method (section 6); hand arithmetic; published rows."""

import math

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st
from scipy import stats

from joulebook.dictionary import definitions, of_topic
from joulebook.inputs import Given, Input
from joulebook.intake.tables import read_table
from joulebook.method import benchmark_match as method
from joulebook.method.matching.compared import LESS, MORE, SAME, ordered
from joulebook.method.matching.fields import FIELDS, compare
from joulebook.method.matching.plan import MOST, measurement_plan, repeats, repeats_for
from joulebook.method.study import Study
from joulebook.workbook import ROOT

ALIKE = {
    "model": "llama2-70b", "scenario": "Server", "unit_of_work": "output_token", "batch_size": 32, "concurrency": 64,
    "input_tokens": 300, "output_tokens": 290, "precision": "fp8", "quality_target_pct": 99, "quality_is": "of_reference",
    "boundary": "server", "cooling_included": "no", "accelerator": "X 80GB", "accelerators_per_node": 8, "nodes": 1,
    "stack": "tuned", "software": "Server 2.1", "software_date": "2026-03-01"}  # fmt: skip
DEPLOYMENT = {**ALIKE, "precision_allowed": "yes"}
GRADES = ("measure first", "directional bound", "feasibility evidence")  # the least useful first
BLOCKING = ("model family", "model size", "architecture", "scenario", "unit of work", "accuracy budget")


def graded(deployment=DEPLOYMENT, disclosure=ALIKE, **changed):
    """The grade of a deployment, changed in some fields (None: not known), against a disclosure."""
    fields = method.match_fields(without_none(deployment | changed), disclosure)
    return method.grade_of(fields["matched_fields"], fields["fields_converted"])


def without_none(fields):
    return {name: said for name, said in fields.items() if said is not None}


def outcome(name, deployment, disclosure):
    return {field.name: found for field, found in compare(deployment, disclosure)}[name]


def told(deployment, disclosure, **changed):
    found = outcome(changed.pop("field"), {**ALIKE, **deployment}, {**ALIKE, **disclosure})
    return found.word, found.bias


# ---- the grade, rule by rule ----


def test_all_match():
    made = graded()
    assert (made["grade"], made["grade_reason"], made["energy_bound"]) == ("feasibility evidence", "all fields match", None)
    assert made["grade_use"].startswith("May carry an estimate of whether the use case is feasible")


def test_the_blocking_fields_are_those_of_the_method():
    assert tuple(field.name for field in FIELDS if field.blocking) == BLOCKING


@pytest.mark.parametrize(("changed", "field"), [
    ({"model": None}, "model family (unknown), model size (unknown), architecture (unknown)"),
    ({"model": "llama3.1-8b"}, "model family (mismatch), model size (mismatch), architecture (mismatch)"),
    ({"scenario": "Offline"}, "scenario (mismatch)"),
    ({"scenario": None}, "scenario (unknown)"),
    ({"unit_of_work": "query"}, "unit of work (mismatch)"),
    ({"unit_of_work": None}, "unit of work (unknown)"),
    ({"precision_allowed": "no"}, "accuracy budget (mismatch)"),
    ({"precision_allowed": None}, "accuracy budget (unknown)"),
])  # fmt: skip
def test_one_blocking_field_means_to_measure_first(changed, field):
    made = graded(**changed)
    assert (made["grade"], made["grade_reason"]) == ("measure first", f"blocked by {field}")


def test_a_precision_that_nobody_tells_blocks_whatever_the_budget():
    made = graded(disclosure=without_none({**ALIKE, "precision": None}))
    assert (made["grade"], made["grade_reason"]) == ("measure first", "blocked by accuracy budget (unknown)")


def test_a_precision_that_the_budget_allows_is_no_blocking_field():
    made = graded(precision="bf16")  # 16 bits against the benchmark's 8
    assert (made["grade"], made["energy_bound"]) == ("directional bound", "lower bound")


@pytest.mark.parametrize(("changed", "bound", "way"), [
    ({"batch_size": 8}, "lower bound", "understates by batch"),
    ({"batch_size": 8, "stack": "default", "quality_target_pct": 99.9, "input_tokens": 1000}, "lower bound",
     "understates by quality target, batch, input length, stack"),
    ({"concurrency": 256, "precision": "fp4"}, "upper bound", "overstates by precision, concurrency"),
    ({"software": "Server 3", "software_date": "2026-09-01"}, "upper bound", "overstates by software generation, software age"),
    ({"nodes": 4, "network": "InfiniBand"}, None, "no direction is known for network"),
])  # fmt: skip
def test_other_fields_that_point_one_way_are_a_bound(changed, bound, way):
    made = graded(**changed)
    assert (made["grade"], made["energy_bound"]) == ("directional bound" if bound else "measure first", bound)
    assert way in made["grade_reason"]
    assert (bound or "May not carry") in made["grade_use"]


def test_opposed_directions_and_unknown_ones_are_no_bound():
    made = graded(batch_size=8, concurrency=256)
    assert made["grade"] == "measure first"
    assert made["grade_reason"] == "the directions oppose each other: it understates by batch; it overstates by concurrency"
    made = graded(accelerator="Y 80GB")
    assert (made["grade"], made["grade_reason"]) == ("measure first", "no direction is known for accelerator")
    assert graded(batch_size=None)["grade_reason"] == "no direction is known for batch"


def test_an_unknown_has_a_direction_where_all_that_it_can_be_lies_on_one_side():
    # one query at a time: a deployment that batches more takes no more energy
    alone = {**ALIKE, "batch_size": 1}
    made = graded(disclosure=alone, batch_size=None)
    assert (made["grade"], made["energy_bound"]) == ("directional bound", "upper bound")
    made = graded(stack=None)  # the benchmark is tuned: a deployment is no better
    assert (made["grade"], made["energy_bound"]) == ("directional bound", "lower bound")


def test_boundary_and_cooling_are_converted_and_then_match_with_evidence_modelled():
    fields = method.match_fields({**DEPLOYMENT, "boundary": "facility", "cooling_included": None}, ALIKE)
    assert fields["fields_converted"] == 2
    made = method.grade_of(fields["matched_fields"], fields["fields_converted"])
    assert made["grade"] == "feasibility evidence"
    assert made["evidence"]["grade"] == "modelled"
    assert "evidence" not in graded()


def test_a_boundary_that_is_not_known_is_not_converted():
    made = graded(disclosure=without_none({**ALIKE, "boundary": None}), boundary="facility", cooling_included=None)
    assert (made["grade"], made["energy_bound"]) == ("directional bound", "lower bound")
    assert graded(disclosure=without_none({**ALIKE, "boundary": None}), boundary="rack")["grade"] == "measure first"


WORDS = st.tuples(st.sampled_from([("match", "none"), ("mismatch", "understates"), ("mismatch", "overstates"),
                                   ("mismatch", "not known"), ("unknown", "understates"), ("unknown", "overstates"),
                                   ("unknown", "not known")]), st.booleans())  # fmt: skip


@for_all(st.lists(WORDS, min_size=1, max_size=12))
def test_the_grade_is_what_the_rules_say(rows):
    """The rules, once more and in other words: a set of what is open decides."""
    table = {"field | ": [f"f{i}" for i in range(len(rows))], "match | ": [word for (word, _), _ in rows],
             "bias | ": [bias for (_, bias), _ in rows],
             "blocks | ": ["yes" if blocks else "" for _, blocks in rows]}  # fmt: skip
    made = method.grade_of(table, 0.0)
    blocked = any(blocks and word != "match" for (word, _), blocks in rows)
    ways = {bias for (word, bias), blocks in rows if word != "match" and not blocks}
    if blocked or len(ways) > 1 or ways == {"not known"}:
        assert (made["grade"], made["energy_bound"]) == ("measure first", None)
    elif ways:
        bound = "lower bound" if ways == {"understates"} else "upper bound"
        assert (made["grade"], made["energy_bound"]) == ("directional bound", bound)
    else:
        assert (made["grade"], made["energy_bound"]) == ("feasibility evidence", None)


PLAIN = {
    "scenario": st.sampled_from(["Offline", "Server", "Interactive", "SingleStream", "MultiStream"]),
    "batch_size": st.integers(1, 4), "concurrency": st.integers(1, 4), "input_tokens": st.integers(1, 3),
    "output_tokens": st.integers(1, 3), "precision": st.sampled_from(["fp16", "fp8", "int8", "w4a16"]),
    "quality_target_pct": st.sampled_from([99, 99.9, 100]), "boundary": st.sampled_from(["accelerator", "server", "facility"]),
    "nodes": st.integers(1, 2), "stack": st.sampled_from(["tuned", "default"]), "network": st.sampled_from(["a", "b"]),
    "unit_of_work": st.sampled_from(["query", "output_token"]), "software": st.sampled_from(["a", "b"]),
    "software_date": st.sampled_from(["2025-01-01", "2026-01-01"]), "accelerator": st.sampled_from(["a", "none"]),
    "precision_allowed": st.sampled_from(["yes", "no"])}  # fmt: skip
RECORDS = st.fixed_dictionaries({"model": st.just("m"), "quality_is": st.just("absolute")}, optional=PLAIN)


@for_all(RECORDS, RECORDS)
def test_the_other_way_round_the_directions_turn(one, other):
    turned = {"understates": "overstates", "overstates": "understates"}
    for (field, there), (_, back) in zip(compare(one, other), compare(other, one), strict=True):
        if field.name != "accuracy budget":  # it is the deployment's alone
            assert (back.word, back.bias) == (there.word, turned.get(there.bias, there.bias)), field.name


@for_all(RECORDS, RECORDS, st.sampled_from(sorted(PLAIN)), st.booleans())
def test_who_knows_less_gets_no_better_grade(one, other, name, of_one):
    before = graded(one, other)["grade"]
    sides = [{key: value for key, value in side.items() if key != name or which != of_one}
             for side, which in ((one, True), (other, False))]  # fmt: skip
    assert GRADES.index(graded(*sides)["grade"]) <= GRADES.index(before)


@for_all(RECORDS, RECORDS)
def test_counts_add_up_and_every_field_has_a_reason(one, other):
    made = method.match_fields(one, other)
    assert sum(made[f"fields_{word}"] for word in ("matched", "mismatched", "unknown")) == len(FIELDS)
    assert all(made["matched_fields"]["reason | "])
    words = list(zip(made["matched_fields"]["match | "], made["matched_fields"]["bias | "], strict=True))
    assert all((word == "match") == (bias == "none") for word, bias in words)


# ---- fields ----


@pytest.mark.parametrize(("field", "mine", "theirs", "expected"), [
    # less time to wait for others: more energy
    ("scenario", {"scenario": "Server"}, {"scenario": "Offline"}, ("mismatch", "understates")),
    ("scenario", {"scenario": "Interactive"}, {"scenario": "Server"}, ("mismatch", "understates")),
    ("scenario", {"scenario": "Offline"}, {"scenario": "SingleStream"}, ("mismatch", "overstates")),
    ("scenario", {"scenario": "Server"}, {"scenario": "SingleStream"}, ("mismatch", "not known")),
    # a longer output takes more energy a query, but shares the input among more output tokens
    ("output length", {"output_tokens": 500}, {}, ("mismatch", "not known")),
    ("output length", {"output_tokens": 500, "unit_of_work": "query"}, {"unit_of_work": "query"}, ("mismatch", "understates")),
    ("input length", {"input_tokens": 100}, {}, ("mismatch", "overstates")),
    ("input length", {"input_tokens": 310, "tolerance_share": 0.05}, {}, ("match", "none")),
    ("input length", {"input_tokens": 100, "unit_of_work": "token"}, {"unit_of_work": "token"}, ("mismatch", "not known")),
    ("precision", {"precision": "fp8"}, {"precision": "int8"}, ("mismatch", "not known")),
    ("precision", {"precision": "fp8"}, {"precision": "w4a16"}, ("mismatch", "not known")),
    ("precision", {"precision": "int4"}, {"precision": "w4a16"}, ("mismatch", "overstates")),
    ("quality target", {"quality_target_pct": 99.9}, {}, ("mismatch", "understates")),
    ("quality target", {"quality_is": "absolute"}, {}, ("unknown", "not known")),
    ("cooling", {"cooling_included": "yes"}, {}, ("match", "none")),
    ("accelerators in a node", {"accelerators_per_node": 4}, {}, ("mismatch", "not known")),
    ("accelerators in a node", {"accelerator": "none", "accelerators_per_node": 0}, {"accelerator": "None"}, ("match", "none")),
    ("network", {"nodes": 2, "network": "Ethernet"}, {"nodes": 2, "network": "ethernet "}, ("match", "none")),
    ("software age", {"software_date": "2027-01-01"}, {}, ("match", "none")),  # one version, whatever its age
    ("model size", {"model": "a", "model_family": "l", "architecture": "d", "model_size_b": 70},
     {"model": "b", "model_family": "l", "architecture": "d", "model_size_b": 8}, ("mismatch", "understates")),
    ("model size", {"model": "a", "model_family": "l", "model_size_b": 70},
     {"model": "b", "model_family": "k", "model_size_b": 8}, ("mismatch", "not known")),
])  # fmt: skip
def test_words_and_directions(field, mine, theirs, expected):
    assert told(mine, theirs, field=field) == expected


def test_lengths_in_words():
    forms = {"input_form": "224 x 224 pixels"}
    assert outcome("input length", forms, {"input_form": "224 x 224  Pixels"}).word == "match"
    assert outcome("input length", forms, {"input_form": "300 x 300 pixels"}).word == "mismatch"
    mixed = outcome("input length", forms, {"input_tokens": 50})
    assert (mixed.word, mixed.bias) == ("unknown", "not known")
    assert "one in tokens, the other in words" in mixed.reason
    assert outcome("input length", forms, {}).reason == "not known of the benchmark"


@for_all(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3), st.sampled_from([LESS, SAME, MORE]), st.floats(0, 0.5))
def test_two_numbers(mine, theirs, energy, tolerance):
    found = ordered(mine, theirs, energy, tolerance=tolerance)
    if abs(theirs - mine) <= tolerance * mine:
        assert found.word == "match"
    else:
        assert found.word == "mismatch"
        above = (theirs > mine) - (theirs < mine)
        assert found.bias == {-1: "understates", 0: "not known", 1: "overstates"}[above * energy]


# ---- sizes, from published pairs ----


@pytest.fixture(scope="module")
def published():
    folder = ROOT / "data" / "mlperf_power"
    names = ("published_closed", "accuracy_pairs")
    return {name: read_table(f"{name}_csv", folder / f"{name}.csv") for name in names}


def test_offline_against_server_pairs(published):
    made = method.scenario_pairs(published["published_closed"])
    # check of the method: 151 pairs, median 1.113, 0.975 to 2.217
    assert made["scenario_pairs_counted"] == 151
    found = [made[f"scenario_ratio_{which}"] for which in ("median", "lowest", "highest")]
    assert found == pytest.approx([1.113, 0.975, 2.217], abs=5e-4)
    assert "Result not verified by MLCommons Association" in made["notes"]["scenario_pairs_counted"]


def sizes(published, mine, theirs):
    deployment, disclosure = DEPLOYMENT | mine, ALIKE | theirs
    fields = method.match_fields(deployment, disclosure)["matched_fields"]
    table = method.bias_sizes(fields, deployment, disclosure, **published)["bias_sizes"]
    names = [name.split(" | ")[0] for name in table]
    return {row[0]: dict(zip(names, row, strict=True)) for row in zip(*table.values(), strict=True)}


def test_the_factor_goes_from_the_benchmark_to_the_deployment(published):
    served = sizes(published, {}, {"scenario": "Offline"})["scenario"]
    assert (served["from_benchmark"], served["to_deployment"], served["applies"]) == ("Offline", "Server", "yes")
    assert served["pairs_of"] == "all models"  # three pairs of its own are too few
    assert served["median_factor"] == pytest.approx(1.113, abs=5e-4)
    freed = sizes(published, {"scenario": "Offline"}, {})["scenario"]
    assert (freed["from_benchmark"], freed["to_deployment"]) == ("Server", "Offline")
    # the inverse of each end: 1 / 2.217 to 1 / 0.975
    assert [freed["lowest"], freed["highest"]] == pytest.approx([1 / 2.2166, 1 / 0.97486], rel=1e-4)
    assert sizes(published, {}, {})["scenario"]["applies"] == "no"
    assert sizes(published, {}, {"scenario": "SingleStream"})["scenario"]["applies"] == "no"


def test_pairs_of_the_benchmarks_own_model_come_first(published):
    own = sizes(published, {"model": "bert"}, {"model": "bert", "scenario": "Offline"})["scenario"]
    assert (own["pairs_of"], own["pairs"]) == ("bert", 61)


def test_two_quality_targets(published):
    row = sizes(published, {"model": "bert", "quality_target_pct": 99.9}, {"model": "bert"})["quality target"]
    assert (row["from_benchmark"], row["to_deployment"], row["applies"], row["pairs"]) == ("99 %", "99.9 %", "yes", 61)
    # published, method section 4: efficiency median 0.502, 0.404 to 0.928; its inverse is the energy
    assert [row[name] for name in ("median_factor", "lowest", "highest")] == pytest.approx(
        [1 / 0.502, 1 / 0.928, 1 / 0.404], rel=2e-3)
    other = sizes(published, {"quality_target_pct": 99.9}, {})["quality target"]
    assert other["applies"] == "another model: bert"
    absolute = {"model": "bert", "quality_is": "absolute"}
    assert sizes(published, absolute | {"quality_target_pct": 99.9}, absolute)["quality target"]["applies"] == "no"


def test_newer_software_and_fewer_accelerators(published):
    newer = sizes(published, {"software": "S 3", "software_date": "2026-12-01"}, {})["software generation"]
    assert (newer["from_benchmark"], newer["to_deployment"], newer["applies"]) == ("earlier", "later", "yes")
    assert newer["median_factor"] < 1
    fewer = sizes(published, {"accelerators_per_node": 4}, {})["accelerators in a node"]
    assert (fewer["from_benchmark"], fewer["to_deployment"], fewer["applies"]) == ("more", "fewer", "yes")


def test_no_pairs_no_sizes(published):
    empty = {name: table.iloc[:1] for name, table in published.items()}
    fields = method.match_fields(DEPLOYMENT, ALIKE)["matched_fields"]
    only = method.bias_sizes(fields, DEPLOYMENT, ALIKE, **empty)["bias_sizes"]
    assert only["field | "] == ["quality target"]
    made = method.scenario_pairs(empty["published_closed"])
    assert (made["scenario_pairs_counted"], made["scenario_ratio_median"]) == (0, None)
    assert made["notes"]["scenario_ratio_median"] == "no such pair"


# ---- disclosure, attribution ----


def test_completeness_lists_what_is_missing():
    made = method.completeness(ALIKE)
    assert made["disclosure_missing"] == "firmware, meter, sampling, clocks, power limits"
    assert made["disclosure_share"] == pytest.approx(7 / 12)  # hand: 12 items, 5 of them missing
    whole = {**ALIKE, "firmware": "1.2", "meter": "WT333E", "sampling_interval_s": 1, "clocks": "default", "power_limit": "700 W"}
    made = method.completeness(whole)
    assert (made["disclosure_missing"], made["disclosure_share"]) == ("nothing", 1.0)


def test_clusters_disclose_more():
    of_cluster = "node count, network, host configuration, cooling"
    assert method.completeness({})["disclosure_missing"].endswith(of_cluster)
    made = method.completeness({"nodes": 8, "network": "InfiniBand"})
    assert made["disclosure_missing"].endswith("power limits, host configuration, cooling")
    assert made["disclosure_share"] == pytest.approx(2 / 16)


RESULT = {"suite": "MLPerf Inference", "round": "v5.1", "division": "closed", "submitter": "Acme", "system": "box_x8",
          "benchmark": "llama2-70b-99", "scenario": "Server", "metric": "5000 Tokens/s, 1000 W", "location": "github.com/x, y",
          "retrieved": "2026-11-30"}  # fmt: skip


def test_attribution_names_all_that_the_rules_ask_for():
    text = method.attribution(RESULT)["attribution"]
    assert all(said in text for said in RESULT.values())
    assert "Result not verified by MLCommons Association" in text
    assert "MLCommons" not in method.attribution({**RESULT, "suite": "Other"})["attribution"]


def test_what_lacks_a_part_may_not_be_quoted_yet():
    made = method.attribution({name: said for name, said in RESULT.items() if name not in ("retrieved", "division")})
    assert made["attribution"] is None
    assert made["notes"]["attribution"] == "may not be quoted yet: not known are division, retrieved"
    assert method.attribution({})["notes"]["attribution"] == "no suite is named whose rules ask for one"
    training = {name: said for name, said in RESULT.items() if name != "scenario"}
    assert "Acme" in method.attribution({**training, "suite": "MLPerf Training"})["attribution"]
    assert method.attribution(training)["attribution"] is None


# ---- the measurement plan ----


def test_repeats():
    made = repeats(0.02, 0.01, 0.005)
    assert (made["repeats_needed"], made["repeats_by_z"]) == (18, 16)  # check of the method
    assert made["measuring_time_s"] == 18 * 600


def test_below_the_limit_of_the_meter_no_number_helps():
    made = repeats(0.02, 0.01, 0.02)
    assert math.isnan(made["repeats_needed"])
    assert math.isnan(made["repeats_by_z"])
    assert "no number of repeats helps" in made["notes"]["repeats_needed"]
    assert "not stated" in repeats(0.02, 0.01)["notes"]["repeats_needed"]
    assert math.isnan(repeats(0.9, 0.0001)["repeats_needed"])
    assert f"more than {MOST}" in repeats(0.9, 0.0001)["notes"]["repeats_needed"]


@for_all(st.floats(1e-4, 0.5), st.floats(1e-3, 0.5))
def test_the_number_is_enough_and_one_less_is_not(cv, half_width):
    n = float(repeats_for(cv, half_width))

    def reached(runs):  # analytic: the half width of the mean of that many runs
        return stats.t.ppf(0.975, runs - 1) * cv / math.sqrt(runs) <= half_width

    if math.isnan(n):
        assert not reached(MOST)
    else:
        assert reached(n)
        assert n == 2 or not reached(n - 1)


def test_many_at_once_are_as_one_by_one():
    cv, half = np.array([0.0, 0.01, 0.02, 0.05]), np.array([0.01, 0.01, 0.01, 0.02])
    assert repeats_for(cv, half).tolist() == [float(repeats_for(*pair)) for pair in zip(cv, half, strict=True)]
    assert repeats_for(cv, half)[0] == 2  # runs that do not vary: two of them show it
    drawn = repeats(cv, half, np.array([0.005, 0.02, 0.005, 0.005]))
    assert np.isnan(drawn["repeats_needed"]).tolist() == [False, True, False, False]


def test_the_plan_runs_what_differs_and_settles_what_is_not_known():
    fields = method.match_fields(without_none({**DEPLOYMENT, "batch_size": 8, "concurrency": None}), ALIKE)["matched_fields"]
    plan = measurement_plan("measure first", fields, {**DEPLOYMENT, "boundary": "facility"}, 18.0)["measurement_plan"]
    steps = dict(zip(plan["step | "], plan["do | "], strict=True))
    assert steps["run"] == "the deployment's own work: batch 8"
    assert steps["settle first"] == "concurrency"
    assert "facility" in steps["boundary"]
    assert "600 s" in steps["length"]
    assert "A B B A" in steps["order"]
    assert "inlet" in steps["room"]
    assert steps["repeats"] == "18 of each variant"
    no_number = measurement_plan("measure first", fields, DEPLOYMENT)["measurement_plan"]
    assert "no number is enough" in no_number["do | "]


def test_what_may_carry_the_estimate_needs_no_plan():
    fields = method.match_fields(DEPLOYMENT, ALIKE)["matched_fields"]
    made = measurement_plan("feasibility evidence", fields, DEPLOYMENT, 18.0)
    assert (made["measurement_plan"], made["notes"]["measurement_plan"]) == (None, "not due: the result may carry the estimate")


# ---- as a study ----


def study(**records):
    """A study of the grade alone, with nothing but the two records among its inputs."""
    inputs = {name: Input(value, evidence=evidence) for name, (value, evidence) in records.items()}
    rows = of_topic("benchmark_match")
    rows = {name: rows[name] for name in ("deployment", "disclosure")}
    given = Given("benchmark_match", inputs, parameters=rows, definitions=definitions()["benchmark_match"])
    return Study(given).run_all(method.GRADE)


def test_the_grade_takes_the_two_records_and_nothing_else():
    made = study(deployment=(DEPLOYMENT, "assumed"), disclosure=(ALIKE, "published")).results
    assert (made["grade"].value, made["grade"].evidence) == ("feasibility evidence", "assumed")
    assert made["energy_bound"].value is None
    assert "nothing differs" in made["energy_bound"].note


@pytest.mark.parametrize(("records", "lacks"), [
    ({"deployment": (DEPLOYMENT, "assumed")}, "needs disclosure"),
    ({"disclosure": (ALIKE, "published")}, "needs deployment"),
    ({}, "needs deployment, disclosure"),
])  # fmt: skip
def test_without_one_of_them_the_grade_is_not_available(records, lacks):
    made = study(**records).results
    assert (made["grade"].value, made["grade"].note) == (None, lacks)
    assert made["matched_fields"]["note"] == lacks


def test_another_topic_can_rest_on_the_grade():
    rows = of_topic("benchmark_match")
    inputs = {"deployment": Input(DEPLOYMENT), "disclosure": Input(ALIKE, evidence="published")}
    given = Given("other", inputs, parameters=rows, definitions={}, foundations=definitions())
    made = Study(given).build_on("benchmark_match", method.GRADE)
    assert made.results["grade"].value == "feasibility evidence"
