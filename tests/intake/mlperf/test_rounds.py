"""What rounds do differently: the official figure of each, units that were mislabelled, rates scheduled and completed."""

import pytest

from tests.intake.mlperf.made import one, row, run


def placed(tmp_path, round_name, scenario, benchmark="resnet50"):
    return tmp_path / round_name / "closed" / "Acme" / "box" / benchmark / scenario / "performance" / "run_1"


ROWS = [row(second, "-2.000000" if second == 30 else "60.000000") for second in range(62)]


@pytest.mark.parametrize(("round_name", "of_round"), [("v1.1", 3538 / 60), ("v2.0", 3538 / 60), ("v2.1", 60.0), ("v5.1", 60.0)])
def test_failed_reads_counted_up_to_v20(tmp_path, round_name, of_round):
    # hand: 59 rows of 60 W and one of -2 W: 3538 / 60 = 58.9667 W with the failed read, 60 W without
    result = one(run(placed(tmp_path, round_name, "Offline"), ROWS, result_samples_per_second=900.0))
    assert (result.avg_power_w, result.power_metric, result.power_unit_of_round) == (60.0, 60.0, "W")
    assert result.power_metric_of_round == pytest.approx(of_round)
    assert result.all_rows_avg_power_w == pytest.approx(3538 / 60)
    told = [note for note in result.notes if "did not yet leave failed reads out" in note]
    assert bool(told) == (of_round != 60.0)
    assert not told or told == [f"{round_name} did not yet leave failed reads out of the mean: with them it is 58.96667 W, "
                                "without 60 W"]


def test_a_failed_read_that_is_nan_gave_no_figure(tmp_path):
    result = one(run(placed(tmp_path, "v2.0", "Offline"), [line.replace("-2.000000", "nan") for line in ROWS]))
    assert (result.avg_power_w, result.power_metric_of_round, result.all_rows_avg_power_w) == (60.0, None, None)
    assert "with them it is no number" in result.notes[0]


def test_v10_gave_joules_a_sample(tmp_path):
    # hand: 20 queries/s x 60 s = 1200; 3600 J / 1200 = 3 J a sample = 3000 mJ a query
    result = one(run(placed(tmp_path, "v1.0", "SingleStream"), effective_scenario="SingleStream",
                     result_qps_with_loadgen_overhead=20.0))
    assert (result.power_metric, result.power_unit) == (3000.0, "mJ/query")
    assert (result.power_metric_of_round, result.power_unit_of_round) == (3.0, "J/sample")


def test_multi_stream_of_v1_by_its_samples(tmp_path):
    # hand: 100 queries of 12 samples: 3600 J / 1200 = 3 J a sample
    keys = {"effective_scenario": "MultiStream", "generated_query_count": 100, "generated_samples_per_query": 12}
    first = one(run(placed(tmp_path, "v1.0", "MultiStream"), **keys))
    second = one(run(placed(tmp_path, "v1.1", "MultiStream"), **keys))
    assert (first.power_metric_of_round, first.power_unit_of_round) == (3.0, "J/sample")
    assert (second.power_metric_of_round, second.power_unit_of_round) == (3000.0, "mJ/sample")


@pytest.mark.parametrize(("round_name", "benchmark", "perf", "unit", "published"), [
    ("v3.1", "gptj-99", 60.0, "Samples/s", "Samples/s"), ("v4.0", "gptj-99.9", 60.0, "Samples/s", "Samples/s"),
    ("v4.1", "gptj-99", 9000.0, "Tokens/s", "Samples/s"), ("v4.0", "llama2-70b-99", 9000.0, "Tokens/s", "Samples/s"),
    ("v4.1", "llama2-70b-99.9", 9000.0, "Tokens/s", "Samples/s"), ("v4.1", "mixtral-8x7b", 9000.0, "Tokens/s", "Samples/s"),
    ("v5.1", "llama2-70b-99", 9000.0, "Tokens/s", "Tokens/s")])
def test_offline_units_by_round(tmp_path, round_name, benchmark, perf, unit, published):
    # the unit traps of the published tables: v4.0 llama2 and v4.1 count tokens under Samples/s, gptj counts samples up to v4.0
    result = one(run(placed(tmp_path, round_name, "Offline", benchmark), result_samples_per_second=60.0,
                     result_tokens_per_second=9000.0))
    assert (result.perf, result.perf_unit, result.perf_unit_published) == (perf, unit, published)
    assert result.unit_of_work == ("output_token" if unit == "Tokens/s" else "sample")
    assert bool(result.unit_note) == (unit != published)
    assert not result.unit_note or f"{round_name} published these output tokens a second as Samples/s" in result.notes[0]


@pytest.mark.parametrize(("round_name", "perf", "unit", "published", "work"), [
    ("v4.0", 19.0, "Queries/s", "Queries/s", "query"), ("v4.1", 5700.0, "Tokens/s", "Queries/s", "output_token"),
    ("v5.0", 5700.0, "Tokens/s", "Tokens/s", "output_token")])
def test_server_units_by_round(tmp_path, round_name, perf, unit, published, work):
    result = one(run(placed(tmp_path, round_name, "Server", "llama2-70b-99"), effective_scenario="Server",
                     result_scheduled_samples_per_sec=20.0, result_completed_samples_per_sec=19.0,
                     result_completed_tokens_per_second=5700.0))
    assert (result.perf, result.perf_unit, result.perf_unit_published, result.unit_of_work) == (perf, unit, published, work)
    assert result.energy_per_completed_sample_j == pytest.approx(60 / 19)  # hand


@pytest.mark.parametrize(("round_name", "rate"), [("v4.0", 28.7962), ("v4.1", 28.4637)])
def test_scheduled_up_to_v40_and_completed_from_v41(tmp_path, round_name, rate):
    result = one(run(placed(tmp_path, round_name, "Server", "stable-diffusion-xl"), effective_scenario="Server",
                     result_scheduled_samples_per_sec=28.7962, result_completed_samples_per_sec=28.4637))
    assert (result.throughput_per_s, result.scheduled_per_s, result.completed_per_s) == (rate, 28.7962, 28.4637)
    assert result.energy_per_completed_sample_j == pytest.approx(60 / 28.4637)  # hand


def test_the_integral_stands_beside_with_its_difference(tmp_path):
    rows = [row(0, "100.0"), row(1, "200.0"), row(2, "200.0"), row(3, "100.0")]
    result = one(run(tmp_path / "r", rows, begin=0.5, end=2.5))
    # hand: 400 J by the mean, 375 J by the integral: -25 J, -6.25 %
    assert (result.integral_difference_j, result.integral_difference_pct) == pytest.approx((-25.0, -6.25))
