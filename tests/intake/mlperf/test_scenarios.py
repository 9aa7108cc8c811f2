"""Scenarios of inference and their figures, on small logs with values worked by hand."""

import hashlib

import pytest

from joulebook.results import Labels
from tests.intake.mlperf.made import one, problems_of, run


def test_offline(tmp_path):
    # hand: 60 rows of 60 W strictly inside 60 s: 60 W, 3600 J; 900 samples/s over 60 W = 15 per J
    result = one(run(tmp_path / "bert-99.9" / "Offline" / "performance" / "run_1", result_samples_per_second=900.0))
    assert (result.n_samples, result.n_nonpositive, result.max_gap_s, result.duration_s) == (60, 0, 1.0, 60.0)
    assert (result.avg_power_w, result.power_metric, result.power_unit, result.how) == (60.0, 60.0, "W", "official")
    assert (result.perf, result.perf_unit, result.efficiency_per_j, result.throughput_per_s) == (900.0, "Samples/s", 15.0, 900.0)
    assert (result.energy_mean_x_duration_j, result.integral_energy_j, result.coverage) == pytest.approx((3600.0, 3600.0, 1.0))
    assert result.labels() == Labels("bert", "sample", "99.9 % of reference", "Offline",
                                     "performance run, power_begin to power_end", "server")
    data = (tmp_path / "bert-99.9" / "Offline" / "performance" / "run_1" / "spl.txt").read_bytes()
    assert result.files["performance/run_1/spl.txt"] == hashlib.sha256(data).hexdigest()
    assert result.notes == ()


def test_offline_tokens(tmp_path):
    # hand: 120 tokens/s over 60 W = 2 per J
    result = one(run(tmp_path / "llama2-70b-99" / "Offline", result_samples_per_second=0.4, result_tokens_per_second=120.0))
    assert (result.perf, result.perf_unit, result.efficiency_per_j) == (120.0, "Tokens/s", 2.0)
    assert result.unit_of_work == "output_token"
    assert (result.labels().unit_of_work, result.labels().workload) == ("output_token", "llama2-70b")


def test_offline_inferred_from_a_stream_run(tmp_path):
    single = one(run(tmp_path / "a" / "Offline", effective_scenario="SingleStream", result_query_count=6000,
                     result_qps_without_loadgen_overhead=120.0))
    assert (single.perf, single.power_metric, single.power_unit) == (120.0, 60.0, "W")  # hand: power stays the mean
    multi = one(run(tmp_path / "b" / "Offline", effective_scenario="MultiStream", result_query_count=450,
                    result_mean_query_latency_ns=20_000_000))
    assert multi.perf == pytest.approx(400.0)  # hand: 8 samples in 0.02 s


@pytest.mark.parametrize(("round_name", "throughput"), [("v4.0", 100.0), ("v4.1", 96.0)])
def test_server_rate_by_round(tmp_path, round_name, throughput):
    result = one(run(tmp_path / round_name / "closed" / "Acme" / "box" / "resnet50" / "Server" / "performance" / "run_1",
                     effective_scenario="Server", result_scheduled_samples_per_sec=100.0, result_completed_samples_per_sec=96.0))
    assert result.throughput_per_s == throughput
    assert (result.perf, result.perf_unit, result.efficiency_per_j) == (96.0, "Queries/s", 1.6)  # hand: 96 / 60 W
    assert (result.scheduled_per_s, result.completed_per_s, result.unit_of_work) == (100.0, 96.0, "query")


def test_server_tokens_count_from_v41(tmp_path):
    keys = {"effective_scenario": "Server", "result_scheduled_samples_per_sec": 2.0, "result_completed_samples_per_sec": 1.9,
            "result_completed_tokens_per_second": 600.0}
    newer = one(run(tmp_path / "n" / "Server", loadgen_version="4.1 @ 2814499631", **keys))
    older = one(run(tmp_path / "o" / "Server", loadgen_version="4.0 @ 2814499631", **keys))
    assert (newer.perf, newer.perf_unit, newer.throughput_per_s, newer.unit_of_work) == (600.0, "Tokens/s", 600.0, "output_token")
    assert (older.perf, older.perf_unit, older.throughput_per_s, older.unit_of_work) == (1.9, "Queries/s", 2.0, "query")


def test_interactive_is_run_as_server(tmp_path):
    result = one(run(tmp_path / "llama2-70b-interactive-99" / "Interactive", effective_scenario="Server",
                     loadgen_version="5.0 @ 0", result_completed_tokens_per_second=30.0))
    assert (result.scenario, result.effective_scenario, result.power_unit) == ("Interactive", "Server", "W")
    assert result.efficiency_per_j == 0.5  # hand: 30 tokens/s over 60 W


def test_single_stream(tmp_path):
    # hand: 60 W x 60 s x 1000 / 1200 queries = 3000 mJ; 1000/3000 samples per J; 1200/60 = 20 per s
    result = one(run(tmp_path / "singlestream", effective_scenario="SingleStream", result_query_count=1200,
                     early_stopping_latency_ss=55_000_000, loadgen_version="3.0 @ f536725011"))
    assert (result.scenario, result.power_metric, result.power_unit) == ("SingleStream", 3000.0, "mJ/query")
    assert (result.perf, result.perf_unit, result.latency_ms) == (55.0, "Latency (ms)", 55.0)
    assert result.efficiency_per_j == pytest.approx(1 / 3)
    assert (result.throughput_per_s, result.unit_of_work) == (20.0, "sample")


def test_true_multi_stream(tmp_path):
    # hand: 60 W x 60 s = 3600 J; / 450 queries = 8000 mJ; of 8 samples: 1.0 J per sample; 450 x 8 / 60 s = 60 samples/s
    result = one(run(tmp_path / "multistream", effective_scenario="MultiStream", result_query_count=450,
                     generated_query_count=270336, generated_samples_per_query=8))
    assert (result.energy_mean_x_duration_j, result.power_metric, result.efficiency_per_j) == (3600.0, 8000.0, 1.0)
    assert (result.throughput_per_s, result.result_query_count) == (60.0, 450)
    assert result.avg_power_w / result.throughput_per_s == 1.0


def test_multi_stream_inferred_from_single_stream(tmp_path):
    # hand: 60 x 60 x 1000 / 1200 = 3000 mJ, x 8 = 24000 mJ per query of 8; 1000 x 8 / 24000 = 1/3 sample per J
    result = one(run(tmp_path / "multistream", effective_scenario="SingleStream", result_query_count=1200,
                     early_stopping_latency_ms=5_000_000, loadgen_version="5.1.0 @ 50de99161e"))
    assert (result.scenario, result.effective_scenario, result.power_metric) == ("MultiStream", "SingleStream", 24000.0)
    assert result.efficiency_per_j == pytest.approx(1 / 3)
    assert (result.throughput_per_s, result.perf) == (20.0, 40.0)  # hand: 1200/60; 8 x 5 ms


def test_v11_single_stream_has_no_query_count(tmp_path):
    # hand: 20 per s x 60 s = 1200 queries: 3000 mJ
    result = one(run(tmp_path / "v1.1" / "Acme" / "box" / "resnet50" / "SingleStream" / "performance" / "run_1",
                     effective_scenario="SingleStream", result_qps_with_loadgen_overhead=20.0, loadgen_version="1.1 @ 6ac37b3c2d",
                     **{"result_90.00_percentile_latency_ns": 698097}))
    assert (result.power_metric, result.how, result.result_query_count) == (3000.0, "v1.x qps*duration", None)
    assert (result.perf, result.perf_unit, result.latency_ms) == (None, None, 0.698097)
    assert (result.throughput_per_s, result.round, result.submitter) == (20.0, "v1.1", "Acme")


def test_v1_multi_stream_counts_generated_samples(tmp_path):
    # hand: 100 queries x 12 samples: 3600 J / 1200 = 3000 mJ per sample, 1/3 sample per J
    result = one(run(tmp_path / "MultiStream", effective_scenario="MultiStream", generated_query_count=100,
                     generated_samples_per_query=12, loadgen_version=".5a1 @ 6958607d52"))
    assert (result.power_metric, result.power_unit, result.how) == (3000.0, "mJ/sample", "v1.x generated samples")
    assert result.efficiency_per_j == pytest.approx(1 / 3)


@pytest.mark.parametrize("keys", [
    {"effective_scenario": "SingleStream"},
    {"effective_scenario": "SingleStream", "result_qps_with_loadgen_overhead": 20.0, "loadgen_version": "3.0 @ 0"},
    {"effective_scenario": "MultiStream", "generated_query_count": 270336, "generated_samples_per_query": 8},
])
def test_a_count_that_is_due_is_not_replaced(tmp_path, keys):
    (problem,) = problems_of(run(tmp_path / "run_1", **keys))
    assert (problem.field, problem.file.endswith("mlperf_log_detail.txt")) == ("result_query_count", True)
