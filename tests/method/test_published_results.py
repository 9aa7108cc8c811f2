"""Section 12 of the method, with the published pairs of sections 4 and 6. Each expected value says where it is from."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from joulebook.dictionary import definitions, of_topic
from joulebook.errors import InputError
from joulebook.inputs import Given, Input
from joulebook.intake.tables import read_table
from joulebook.method import published_results as m
from joulebook.method.matched_pairs import (
    FEWER,
    bootstrap,
    node_ratios,
    quality_pairs,
    round_ratios,
    scenario_ratios,
    tuned_ratios,
)
from joulebook.method.paper_comparison import paper_beside_rows, workload_spans
from joulebook.method.published_energy import COPY, COUNTED, INFERRED, counted, distinct_runs, energy_by_benchmark, energy_ratio
from joulebook.method.ranking import rank_correlation, rankings
from joulebook.method.study import Study
from joulebook.method.token_units import per_output_token_j, token_units
from joulebook.results import Labels
from joulebook.workbook import ROOT
from tests.conftest import SHARED

FOLDER = ROOT / "data" / "mlperf_power"
CLOSED = read_table("published_closed_csv", FOLDER / "published_closed.csv")
PAIRS = read_table("accuracy_pairs_csv", FOLDER / "accuracy_pairs.csv")
PAPER = read_table("reference_figures_csv", FOLDER / "reference_figures.csv")
ROW = {
    "round": "v4.0", "division": "closed", "submitter": "A", "system": "x", "system_name": "Host (2x Chip)",
    "benchmark": "resnet", "acc_target": np.nan, "scenario": "Offline", "perf": 100.0, "perf_unit": "Samples/s",
    "perf_unit_checked": "Samples/s", "power_value": 200.0, "power_unit": "Watts", "inferred": 0.0, "accelerator": "Chip",
    "n_accel": 2.0, "location": "closed/A", "source_repo": "repository", "run_begin": "", "run_end": "",
    "retrieved": "2026-11-30",
}  # fmt: skip


def near(expected, rel=1e-6):
    return pytest.approx(expected, rel=rel)


def rows(*changes):
    """Rows like `ROW`, each with some values of its own."""
    return pd.DataFrame([{**ROW, **change} for change in changes])


def study(closed=CLOSED, pairs=PAIRS, paper=PAPER):
    topic = "published_results"
    tables = {"published_closed_csv": closed, "accuracy_pairs_csv": pairs, "reference_figures_csv": paper}
    inputs = {name: Input(name, evidence="published") for name in tables}
    given = Given(topic, inputs, tables, Labels(boundary="server"), of_topic(topic), definitions()[topic])
    return Study(given).run_all(m.CALCULATIONS)


@pytest.fixture(scope="module")
def results():
    return study().results


def column(results, table, name):
    record = results[table]
    place = [head for head, _ in record["columns"]].index(name)
    return [row[place] for row in record["rows"]]


# ---- units, energy, copies


def test_energy_of_each_scenario():
    # hand: 200 W / 100 per s; 5908.762 W / 53.0525 per s (published v4.0, method rule 2); 800 mJ a query; 1600 mJ / 8 samples
    table = distinct_runs(rows(
        {}, {"scenario": "Server", "perf": 53.0525, "power_value": 5908.762},
        {"scenario": "SingleStream", "perf": 1.5, "power_value": 800.0, "perf_unit_checked": "Latency (ms)"},
        {"scenario": "MultiStream", "perf": 3.0, "power_value": 1600.0, "perf_unit_checked": "Latency (ms)"}))
    assert table["energy_j"].tolist() == near([2.0, 111.375750, 0.8, 0.2])


def test_a_copy_counts_once_and_what_was_inferred_never():
    # a run at two targets by values, one by its begin and end, one inferred, and two runs that agree in performance alone
    table = rows(
        {"benchmark": "dlrm-99", "acc_target": 99.0}, {"benchmark": "dlrm-99.9", "acc_target": 99.9},
        {"scenario": "SingleStream", "run_begin": "1", "run_end": "2", "power_value": 9.0, "perf_unit_checked": "Latency (ms)"},
        {"scenario": "MultiStream", "run_begin": "1", "run_end": "2", "power_value": 8.0, "perf_unit_checked": "Latency (ms)"},
        {"inferred": 1.0, "power_value": 7.0}, {"power_value": 6.0}, {"system": "y"})
    assert counted(table).tolist() == [COPY, COUNTED, COUNTED, COPY, INFERRED, COUNTED, COUNTED]


def test_rows_of_the_table(results):
    # published: 903 rows, 12 with another unit, 86 that repeat the values of another (data/mlperf_power/README.md), 69 inferred.
    # Of the 86, 8 at the looser target are inferred, too: 903 - 69 - 78 = 756
    names = ("rows_published", "rows_relabelled", "rows_inferred", "rows_copied", "runs_counted")
    assert [results[name].value for name in names] == [903, 12, 69, 78, 756]


@pytest.mark.skipif(not (SHARED / "mlperf").exists(), reason="the collected results are not on this machine")
def test_rows_are_those_that_were_collected():
    # published: the figures as collected; begin and end as in the logs, whose dates are month, day, year
    key = ["round", "submitter", "system", "benchmark", "scenario"]
    collected = pd.read_csv(SHARED / "mlperf" / "published_closed.csv").set_index(key)
    found = CLOSED.set_index(key)
    assert found.index.sort_values().equals(collected.index.sort_values())
    for name in ("perf", "power_value", "inferred"):
        assert (found[name] == collected.loc[found.index, name]).all()
    logs = pd.read_csv(SHARED / "mlperf" / "computed_closed.csv").replace({"benchmark": {"resnet50": "resnet"}}).set_index(key)
    known = found[found["run_begin"] != ""].rename(index={"resnet50": "resnet"})
    assert len(known) == 590  # data/mlperf_power/README.md
    for name in ("begin", "end"):
        due = pd.to_datetime(logs.loc[known.index, f"power_{name}"], format="%m-%d-%Y %H:%M:%S.%f")
        assert (pd.to_datetime(known[f"run_{name}"]) == due).all()


def test_begin_and_end_agree_with_repeated_values():
    # analytic: where both are known, the same run by its values is the same run by its clock
    known = CLOSED[(CLOSED["run_begin"] != "") & (CLOSED["inferred"] == 0)]
    by_values = known.groupby(["round", "submitter", "system", "scenario", "perf", "power_value"])["run_begin"].nunique()
    assert len(known) > 500
    assert (by_values == 1).all()


def test_units_of_work_are_never_mixed(results):
    keys = list(zip(*(column(results, "energy_at_throughput", name) for name in ("per", "benchmark", "scenario")), strict=True))
    assert len(keys) == len(set(keys))
    assert {("sample", "llama2-70b-99.9", "Server"), ("output token", "llama2-70b-99.9", "Server")} <= set(keys)
    with pytest.raises(InputError, match="two units of work"):
        energy_ratio((111.4, "sample"), (0.2717, "output_token"))


def test_no_summary_below_five_results(results):
    for table in ("energy_at_throughput", "energy_of_streams"):
        for count, middle, quarter in zip(*(column(results, table, name) for name in ("results", "median", "lower_quartile")),
                                          strict=True):
            assert (middle is None) == (quarter is None) == (count < 5)


def test_distribution_of_a_group():
    # hand: energies 1, 2, 3, 4, 10 J: median 3, middle half 2 to 4
    runs = rows(*({"system": str(n), "power_value": 100.0 * n} for n in (1, 2, 3, 4, 10)))
    table = energy_by_benchmark(runs)["energy_at_throughput"]
    found = [table[f"{name} | J"][0] for name in ("lowest", "lower_quartile", "median", "upper_quartile", "highest")]
    assert found == near([1, 2, 3, 4, 10])


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.floats(1, 1e4), st.floats(1, 1e4)), min_size=1, max_size=12, unique=True), st.randoms())
def test_order_of_rows_changes_nothing(values, random):
    # analytic: neither what counts nor a distribution depends on the order of the rows
    changes = [{"system": str(place // 3), "perf": perf, "power_value": watts} for place, (perf, watts) in enumerate(values)]
    table = rows(*changes)
    mixed = table.sample(frac=1, random_state=random.randrange(2**32))
    one, other = (energy_by_benchmark(rows_)["energy_at_throughput"] for rows_ in (table, mixed))
    assert all(np.array_equal(np.asarray(one[name]), np.asarray(other[name]), equal_nan=name.endswith("J")) for name in one)


# ---- tokens and queries


def test_two_units_under_one_heading(results):
    # method, rule 2: 53.0525 queries/s at 5908.762 W and 23113.1 tokens/s at 6280.214 W, 294.45 tokens a query;
    # hand: (23113.1 / 6280.214) / (53.0525 / 5908.762) = 3.680304 / 0.00897862 = 409.9
    assert [results[name].value for name in ("energy_before_j", "energy_after_j")] == near([0.378250, 0.271717], 2e-6)
    assert results["token_ratio"].value == near(1.392, 2e-4)
    assert results["heading_ratio"].value == near(409.9, 1e-4)
    assert per_output_token_j([58.89], ["sample"], 294.45)[0] == near(0.2)


def test_no_token_row_is_no_token_energy():
    said = token_units(rows({}), PAPER)
    assert said["token_ratio"] is None
    assert said["notes"]["token_ratio"] == "no row of llama2-70b"


# ---- pairs


def test_two_quality_targets(results):
    # method, section 4: n = 61, geometric mean 0.533, mean 0.547, median 0.502, range 0.404 to 0.928
    names = ("pairs_counted", "pairs_geometric_mean", "pairs_mean", "pairs_median", "pairs_lowest", "pairs_highest")
    assert [round(results[name].value, 3) for name in names] == [61, 0.533, 0.547, 0.502, 0.404, 0.928]


def test_pairs_by_round_and_hardware(results):
    # method, section 4
    expected = {
        "v2.0": 0.483, "v2.1": 0.472, "v3.0": 0.555, "v3.1": 0.686, "v4.0": 0.682, "v4.1": 0.867,
        "Ampere": 0.468, "AIC100": 0.506, "Hopper": 0.852,
    }  # fmt: skip
    found = dict(zip(column(results, "pairs_intervals", "group"), column(results, "pairs_intervals", "mean"), strict=True))
    assert {name: round(found[name], 3) for name in expected} == expected
    counts = dict(zip(column(results, "pairs_intervals", "group"), column(results, "pairs_intervals", "pairs"), strict=True))
    assert [counts[name] for name in ("Ampere", "AIC100", "Hopper")] == [25, 26, 10]


def test_intervals_of_pairs(results):
    # analytic: the bootstrap interval of a mean comes near mean -+ 1.96 s / sqrt(n); no interval below five pairs
    ratio = PAIRS["eff_999_over_99"].to_numpy()
    half = 1.96 * ratio.std(ddof=1) / np.sqrt(len(ratio))
    pairs_mean = results["pairs_mean"]
    assert [pairs_mean.low, pairs_mean.high] == pytest.approx([ratio.mean() - half, ratio.mean() + half], abs=0.1 * half)
    heads = ("group", "pairs", "mean_low")
    for group, count, low in zip(*(column(results, "pairs_intervals", name) for name in heads), strict=True):
        assert (low is None) == (count < 5), group


def test_resamples_are_seeded_and_lie_inside():
    drawn = [bootstrap([1, 2, 3, 4, 5], np.median, np.random.default_rng(1)) for _ in range(2)]
    assert (drawn[0] == drawn[1]).all()
    assert (drawn[0].min(), drawn[0].max()) == (1, 5)
    assert np.isnan(bootstrap([1, 2, 3, 4], np.mean, np.random.default_rng(1))).all()
    assert quality_pairs(PAIRS)["pairs_median"] == quality_pairs(PAIRS)["pairs_intervals"]["median | 1"][0]


def test_offline_against_server(results):
    # method, section 6: 151 pairs, median 1.113, 0.975 to 2.217
    assert results["scenario_pairs_counted"].value == 151
    names = ("scenario_ratio_median", "scenario_ratio_lowest", "scenario_ratio_highest")
    assert [round(results[name].value, 3) for name in names] == [1.113, 0.975, 2.217]


def test_a_pair_submitted_at_two_targets_counts_once():
    # hand: Offline 2 J, Server 250 / 100 = 2.5 J, both at two targets: one pair, 1.25
    both = [{"benchmark": f"dlrm-{target}", "acc_target": target} for target in (99.0, 99.9)]
    table = rows(*both, *({**row, "scenario": "Server", "power_value": 250.0} for row in both))
    assert scenario_ratios(table)["gain"].tolist() == [1.25]
    assert scenario_ratios(table.assign(inferred=1.0)).empty


def test_a_system_in_successive_rounds():
    # hand: 2 J in v3.0, 1.6 J in v3.1, 2 J in v4.1: 1.25 and 0.8
    table = rows({"round": "v3.0"}, {"round": "v3.1", "power_value": 160.0}, {"round": "v4.1"})
    assert round_ratios(table)["gain"].tolist() == near([1.25, 0.8])
    # a Server rate means something else from v4.1 on; a system that is there twice in a round is not one system
    assert round_ratios(table.assign(scenario="Server"))["gain"].tolist() == near([1.25])
    twice = pd.concat([table, rows({"round": "v3.1", "system": "other"})], ignore_index=True)
    assert round_ratios(twice)["gain"].tolist() == near([1.0])
    # rounds count, they are not spelled: after v9.1 comes v10.0
    assert round_ratios(rows({"round": "v10.0"}, {"round": "v9.1", "power_value": 400.0}))["gain"].tolist() == near([2.0])


def test_more_accelerators_in_one_host():
    # hand: 2 J on two, 300 W / 200 per s = 1.5 J on four of them; another host is no pair
    more = {"system_name": "Host (4x Chip)", "n_accel": 4.0, "perf": 200.0, "power_value": 300.0, "system": "x4"}
    table = rows({}, more, {**more, "system_name": "Other (4x Chip)", "system": "z"})
    assert node_ratios(table)["gain"].tolist() == near([4 / 3])


def test_tuned_and_plain():
    # hand: 2 J plain, 1.6 J tuned
    tuned = {"system_name": "Host (2x Chip, EE)", "system": "x_ee", "power_value": 160.0}
    assert tuned_ratios(rows({}, tuned))["gain"].tolist() == near([1.25])


def test_which_change_holds(results):
    # hand: a change holds where the interval of the median lies above one in each of two workloads or more with five pairs
    holds = dict(zip(column(results, "changes", "change"), column(results, "changes", "holds_over_workloads"), strict=True))
    low = column(results, "changes_by_workload", "median_gain_low")
    for change, words in holds.items():
        own = [edge > 1 for name, edge in zip(column(results, "changes_by_workload", "change"), low, strict=True)
               if name == change and edge is not None]
        assert words == ("cannot be told" if len(own) < 2 else "yes" if all(own) else "no"), change
    assert holds == {"latency free": "yes", "looser quality": "cannot be told", "later round": "no", "more accelerators": "no",
                     "tuned for efficiency": "cannot be told"}
    said = column(results, "changes_by_workload", "in_this_workload")
    assert [words == FEWER for words in said] == [edge is None for edge in low]


# ---- rankings


def test_rankings_agree_in_part():
    # method, section 12: performance 100 80 60 40, per watt 2 4 3 1: 1/3
    assert rank_correlation([100, 80, 60, 40], [2, 4, 3, 1]) == near(1 / 3)
    assert rank_correlation([1, 2, 3, 4], [4, 3, 2, 1], latency=True) == near(1)
    assert np.isnan(rank_correlation([1, 2, 3], [1, 2, 3]))


def test_ties_of_a_ranking():
    # hand: of 6 pairs one ties in performance, none in efficiency; 5 in order: 5 / sqrt(5 * 6)
    assert rank_correlation([1, 1, 2, 3], [1, 2, 3, 4]) == near(5 / np.sqrt(30))


def test_rankings_of_one_group():
    # hand: performance 100 80 60 40, watts so that performance per watt is 2 4 3 1: 50 20 20 40 W; energies 0.5 0.25 1/3 1 J
    power = {100.0: 50.0, 80.0: 20.0, 60.0: 20.0, 40.0: 40.0}
    table = rankings(rows(*({"system": str(perf), "perf": perf, "power_value": watts} for perf, watts in power.items())))
    assert (table["groups_ranked"], table["width_median"]) == (1, 4)
    assert table["rankings"]["rank_correlation | 1"][0] == near(1 / 3)
    assert rankings(rows({}))["rankings"] is None  # fewer than four results: not available


def test_only_groups_of_four_are_ranked(results):
    assert min(column(results, "rankings", "results")) >= 4
    heads = ("round", "benchmark", "scenario", "unit_of_work")
    keys = list(zip(*(column(results, "rankings", name) for name in heads), strict=True))
    assert keys == sorted(set(keys))  # by round, not by what was found: no league table
    assert all(-1 <= value <= 1 for value in column(results, "rankings", "rank_correlation"))


# ---- the paper


def test_the_paper_beside_the_rows(results):
    # published: arXiv:2410.12032, abstract: 1841 results of 60 systems; a factor of 1082 between workloads, about 2 for bert.
    # hand: v4.0 DGX H100 Offline 4751.583 W / 9.64827 per s over 4597.216 W / 10105.9 per s: 492.4803 / 0.4549041 = 1082.60
    assert [results[name].value for name in ("paper_results", "paper_systems", "paper_workload_factor", "paper_target_factor")] \
        == [1841, 60, 1082, 2]
    assert results["rows_pair_ratio"].value == near(1082.60, 1e-5)
    # hand: 492.3917098 / 0.4549045607, the data of its figure of workloads
    assert results["paper_pair_ratio"].value == near(1082.4, 1e-4)
    assert column(results, "paper_comparison", "agreement") == ["differ", "differ", "agree", "differ", "agree", "differ"]


def test_the_paper_without_its_rows():
    lacking = paper_beside_rows(PAPER, rows({}), 1.0, 1.0, 2.0, None)
    assert lacking["rows_pair_ratio"] is None
    assert lacking["notes"]["rows_pair_ratio"]
    assert lacking["paper_comparison"]["agreement | "][3:] == ["cannot be compared"] * 3


def test_workloads_of_one_system():
    # hand: 2 J and 300 W / 100 per s = 3 J on one system: 1.5; one workload is no ratio
    made = workload_spans(rows({}, {"benchmark": "rnnt", "power_value": 300.0}, {"system": "y"}))
    assert (made["spans_counted"], made["span_median"]) == (1, near(1.5))
    assert workload_spans(rows({}))["span_median"] is None


# ---- the topic


def test_one_row_gives_a_page_with_reasons():
    found = study(rows({}), PAIRS, PAPER).results
    assert found["rank_correlation_median"].value is None
    assert "no round, benchmark and scenario" in found["rank_correlation_median"].note
    assert found["energy_of_streams"]["note"]
    assert found["round_gain_median"].note == "no such pair"


def test_results_say_what_they_are_of(results):
    assert results["energy_after_j"].labels.unit_of_work == "output_token"
    assert results["pairs_mean"].labels.workload == "MLPerf Inference, bert"
    assert {item.labels.boundary for item in results.values() if hasattr(item, "labels")} == {"server"}
    due = ("MLPerf Inference v1.1 to v5.1", "closed", "retrieved 2026-11-30", "not verified by MLCommons")
    assert all(part in results["rows_published"].note for part in due)


def test_no_table_is_sorted_by_efficiency(results):
    energies = [value for value in column(results, "published_rows", "energy_per_unit") if value]
    assert not all(a <= b for a, b in pairwise(energies))
    assert not all(a >= b for a, b in pairwise(energies))
