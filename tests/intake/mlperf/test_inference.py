"""MLPerf inference power results: the published logs, and small logs of the same form with values worked by hand.

The published logs are no part of the project: where they are absent, the tests that read them are skipped.
"""

import csv
import hashlib
import json
import os
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from joulebook.errors import InputError
from joulebook.intake.mlperf import COLUMNS, as_rows, csv_text, find_results
from joulebook.intake.mlperf.logs.detail_log import parse_detail_log
from joulebook.intake.mlperf.logs.power_log import parse_power_log
from joulebook.intake.mlperf.tree import place_of
from joulebook.results import Labels
from tests.conftest import SHARED

SAMPLES = SHARED / "mlperf" / "samples"
START = datetime(2024, 3, 1, 10, 0, 0)
published = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the published MLPerf logs are not here")


def stamp(seconds):
    return (START + timedelta(seconds=seconds)).strftime("%m-%d-%Y %H:%M:%S.%f")[:-3]


def row(seconds, watts, more=""):
    return f"Time,{stamp(seconds)},Watts,{watts},Volts,230.000000,Amps,1.000000,PF,0.950000,Mark,made_up_testing{more}"


def record(key, value):
    return f":::MLLOG {json.dumps({'key': key, 'value': value, 'time_ms': 1.0, 'namespace': 'mlperf::logging'})}"


def run(folder, rows=None, begin=0.5, end=60.5, newline="\n", detail=None, mark=b"", **keys):
    """Write the two logs of a run; returns its folder. Rows default to 60 W each second from 0 to 61."""
    folder.mkdir(parents=True)
    rows = [row(second, "60.000000") for second in range(62)] if rows is None else rows
    keys = {"effective_scenario": "Offline", "power_begin": stamp(begin), "power_end": stamp(end)} | keys
    detail = [record(key, value) for key, value in keys.items() if value is not None] if detail is None else detail
    (folder / "spl.txt").write_bytes(mark + newline.join([*rows, ""]).encode())
    (folder / "mlperf_log_detail.txt").write_bytes(mark + newline.join([*detail, ""]).encode())
    return folder


def one(path):
    results, skipped, problems = find_results([path])
    assert ([str(problem) for problem in problems], skipped) == ([], [])
    (result,) = results
    return result


def problems_of(path):
    results, _, problems = find_results([path])
    assert results == []
    return problems


# ---------------------------------------------------------------- published logs


def expected_rows():
    with (SAMPLES / "EXPECTED.csv").open(encoding="utf-8", newline="") as file:
        return {line["path"]: line for line in csv.DictReader(file)}


@pytest.fixture(scope="module")
def sample_results():
    return find_results([SAMPLES])


@published
def test_published_results_are_all_found(sample_results):
    results, skipped, problems = sample_results
    assert {result.path for result in results} == set(expected_rows())
    assert problems == []
    assert sorted(other.reason.split(":")[0] for other in skipped) == 2 * ["MLPerf Tiny"] + 2 * ["MLPerf Training"]


@published
def test_published_results_are_reproduced(sample_results):
    expected = expected_rows()  # EXPECTED.csv: what the official algorithm gives
    for got in as_rows(sample_results[0]):
        due = expected[got["path"]]
        for name in set(COLUMNS) & set(due):
            if isinstance(got[name], int | float):
                assert got[name] == pytest.approx(float(due[name]), rel=1e-9), (got["path"], name)
            else:
                assert (got[name] or "") == due[name], (got["path"], name)
        assert got["integral_energy_j"] == pytest.approx(got["energy_mean_x_duration_j"] * got["coverage"], rel=2e-3)


@published
def test_the_rate_of_a_server_result_changed_with_the_rules(sample_results):
    server = {result.round: result for result in sample_results[0] if result.scenario == "Server"}
    assert server["v2.1"].throughput_per_s == 2495.29  # published: v2.1 log, scheduled
    assert (server["v5.1"].throughput_per_s, server["v5.1"].scheduled_per_s) == (28.4637, 28.7962)  # v5.1 log, completed
    assert {result.unit_of_work for result in server.values()} == {"query"}


@published
@pytest.mark.parametrize("below", ["", "performance", "performance/run_1", "performance/run_1/spl.txt", "performance/ranging",
                                   "performance/ranging/spl.txt", "performance/power/client.json", "measurements"])
def test_any_part_of_a_result_leads_to_it(below):
    path = "v4.1/UntetherAI/h13_u3_slim/resnet50/multistream"
    result = one(SAMPLES / path / below)
    assert (result.path, result.n_samples) == (path, 600)
    assert result.source_text() == "MLPerf Inference v4.1, closed, UntetherAI, h13_u3_slim, resnet50, MultiStream"
    assert list(result.files) == ["performance/run_1/spl.txt", "performance/run_1/mlperf_log_detail.txt",
                                  "systems/h13_u3_slim.json"]


# ---------------------------------------------------------------- scenarios, by hand


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


# ---------------------------------------------------------------- rows of the meter


def test_failed_reads_are_counted_and_left_out(tmp_path):
    watts = ["100.0", "-2.000000", "100.0", "-1.000000", "100.0", "nan", "100.0", "0.0", "100.0", "100.0"]
    rows = [row(second, number) for second, number in enumerate(watts, start=1)]
    result = one(run(tmp_path / "r", [row(0, "100.0"), *rows, row(11, "100.0")], begin=0.5, end=10.5))
    # hand: 10 rows inside, 4 failed, mean of the 6 valid 100 W, 10 s: 1000 J; gaps of 2 s are bridged
    assert (result.n_samples, result.n_nonpositive, result.avg_power_w, result.energy_mean_x_duration_j) == (10, 4, 100.0, 1000.0)
    assert (result.max_gap_s, result.coverage, result.integral_energy_j) == pytest.approx((1.0, 1.0, 1000.0))


def test_a_gap_is_left_out_of_the_integral_only(tmp_path):
    rows = [row(second, "60.000000") for second in range(62) if not 30 < second < 36]
    result = one(run(tmp_path / "r", rows))
    # hand: 55 rows inside; mean 60 W x 60 s = 3600 J; 6 s from row 30 to 36 not covered: 54 s x 60 W = 3240 J
    assert (result.n_samples, result.max_gap_s, result.energy_mean_x_duration_j) == (55, 6.0, 3600.0)
    assert (result.integral_energy_j, result.coverage) == pytest.approx((3240.0, 0.9))


def test_the_integral_cuts_the_edges_by_interpolation(tmp_path):
    rows = [row(0, "100.0"), row(1, "200.0"), row(2, "200.0"), row(3, "100.0")]
    result = one(run(tmp_path / "r", rows, begin=0.5, end=2.5))
    # hand: mean 200 W x 2 s = 400 J; 0.5 s from 150 to 200 W = 87.5, 1 s x 200, 87.5: 375 J
    assert (result.energy_mean_x_duration_j, result.integral_energy_j) == pytest.approx((400.0, 375.0))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_marks_and_blank_looking_rows(tmp_path, newline, mark):
    rows = [*(row(second, "120.000000") for second in range(6)), " "]
    result = one(run(tmp_path / "r", rows, begin=-0.5, end=5.5, newline=newline, mark=mark))
    assert (result.n_samples, result.avg_power_w) == (6, 120.0)  # hand: 6 rows of 120 W
    assert result.notes == ("1 row of spl.txt left out: not starting with Time",)


def test_other_rows_are_counted(tmp_path):
    rows = ["PTD server ready", row(1, "60.0"), "", "0.0,1.0", row(2, "60.0"), row(3, "60.0"), " Time,not at the start"]
    assert one(run(tmp_path / "r", rows, begin=0.5, end=3.5)).notes == ("3 rows of spl.txt left out: not starting with Time",)


@pytest.mark.parametrize(("first", "note"), [("10.000000", ""),
                                             ("-10.000000", "total power is not the sum of its 2 channels in 11 rows")])
def test_two_analyzers_the_first_watts_are_the_total(tmp_path, first, note):
    part = ",Analyzer{0},Time,03-01-2024 10:00:00.750,Watts,{1},Volts,230.0,Amps,-0.5,PF,0.4,Mark,made_up"
    parts = part.format(1, first) + part.format(2, "300.000000")
    rows = [row(second, "310.000000", parts).replace("230.000000,Amps,1.000000,PF,0.950000", "-1.0,Amps,-1.0,PF,-1.0")
            for second in range(11)]
    result = one(run(tmp_path / "r", rows, begin=-0.0005, end=10.001))
    assert (result.avg_power_w, result.channels) == (310.0, 2)  # hand: 310 W, never 310 + 10 + 300
    assert ("; ".join(result.notes) or "").startswith(note)
    assert bool(result.notes) == bool(note)


def test_channels_with_a_failed_part_are_not_compared(tmp_path):
    rows = [row(second, "30.0", ",Ch1,Watts,-1.000000,Volts,0.0,Ch2,Watts,10.0,Volts,0.0") for second in range(3)]
    result = one(run(tmp_path / "r", rows, begin=-1, end=5))
    assert (result.channels, result.notes) == (2, ())


def test_rows_on_the_edges_are_outside(tmp_path):
    rows = [row(0, "900.0"), row(1, "100.0"), row(2, "100.0"), row(3, "900.0")]
    result = one(run(tmp_path / "r", rows, begin=0.0, end=3.0))
    assert (result.n_samples, result.avg_power_w) == (2, 100.0)  # hand: strictly between, both ends
    just_inside = one(run(tmp_path / "s", rows, begin=-0.001, end=3.001))
    assert (just_inside.n_samples, just_inside.avg_power_w) == (4, 500.0)


def test_one_row_inside(tmp_path):
    result = one(run(tmp_path / "r", [row(1, "70.0")], begin=0.5, end=1.5))
    assert (result.avg_power_w, result.max_gap_s, result.integral_energy_j, result.coverage) == (70.0, None, None, None)
    assert result.notes == ("no integral: fewer than two valid samples",)


def test_rows_out_of_order_and_doubled(tmp_path):
    rows = [row(second, "60.0") for second in (0, 2, 1, 3, 3, 4)]
    result = one(run(tmp_path / "r", rows, begin=0.5, end=3.5))
    assert result.integral_energy_j == pytest.approx(180.0)  # hand: 60 W x 3 s
    assert result.notes == ("the meter's time steps back 1 time: rows sorted by time",
                            "1 row of the meter repeated: counted once in the integral")
    differing = one(run(tmp_path / "s", [*rows, row(4, "61.0")], begin=0.5, end=3.5))
    assert (differing.integral_energy_j, differing.avg_power_w) == (None, 60.0)
    assert "no integral: two values at 2024-03-01 10:00:04.000" in differing.notes


def test_no_time_zone_is_added(tmp_path):
    rows = [row(9 * 3600 + second, "200.0") for second in range(11)]
    folder = run(tmp_path / "performance" / "run_1", rows, begin=1.5, end=8.5)
    (tmp_path / "performance" / "power").mkdir()
    (tmp_path / "performance" / "power" / "server.json").write_text('{"timezone": -32400}', encoding="utf-8")
    (problem,) = problems_of(folder)
    assert problem.what == "no row lies inside the window from power_begin to power_end"
    assert (problem.file, problem.field) == (str(folder / "spl.txt"), "Time")
    assert problem.value == "11 rows, 2024-03-01 19:00:00.000 to 2024-03-01 19:00:10.000"
    assert "strictly between 2024-03-01 10:00:01.500 and 2024-03-01 10:00:08.500" in problem.allowed


def test_many_rows(tmp_path):
    minute = [row(second, "60.000000") for second in range(60)]
    rows = [line.replace("03-01-2024 10:", f"{month:02d}-{day:02d}-2024 {hour:02d}:")
            for month in (1, 2, 3) for day in range(1, 29) for hour in range(24) for line in minute]
    result = one(run(tmp_path / "r", rows, power_begin="01-01-2024 00:00:30.500", power_end="03-28-2024 23:00:58.500"))
    assert result.n_samples == 3 * 28 * 24 * 60 - 32  # hand: without seconds 0 to 30 of the first minute and 59 of the last
    assert result.avg_power_w == 60.0


# ---------------------------------------------------------------- lines of the load generator


def test_prefixes_other_lines_and_repeated_keys(tmp_path):
    detail = ["a line of a driver", f"0: {record('effective_scenario', 'Offline')}", ":::MLLOG not JSON at all",
              ':::MLLOG {"key": "result_samples_per_second", "value": 12', record("result_samples_per_second", 600.0),
              record("power_begin", stamp(0.5)), record("power_end", stamp(60.5)), record("power_begin", stamp(30.5)),
              '{"key": "power_end", "value": "no sign, no record"}', "\ufffd"]
    result = one(run(tmp_path / "r", detail=detail))
    assert (result.duration_s, result.perf) == (60.0, 600.0)
    assert result.notes == ("power_begin occurs 2 times: the first is taken, as the official checker does",)


def test_bytes_of_another_encoding_in_a_commit_message(tmp_path):
    folder = run(tmp_path / "r")
    log = folder / "mlperf_log_detail.txt"
    log.write_bytes(b':::MLLOG {"key": "loadgen_git_log_message", "value": "M\xfcller"}\n' + log.read_bytes())
    assert one(folder).avg_power_w == 60.0


def test_numbers_may_be_quoted_and_zero_is_no_rate(tmp_path):
    result = one(run(tmp_path / "r", effective_scenario="SingleStream", result_query_count="1200", early_stopping_latency_ss=0))
    assert (result.power_metric, result.latency_ms) == (3000.0, None)
    assert one(run(tmp_path / "s", result_samples_per_second=0)).perf is None


@pytest.mark.parametrize(("keys", "field", "value"), [
    ({"power_begin": None}, "power_begin", None), ({"power_end": None}, "power_end", None),
    ({"power_begin": "2024-03-01 10:00:00"}, "power_begin", "2024-03-01 10:00:00"), ({"power_end": 12}, "power_end", 12),
    ({"power_begin": "02-30-2024 10:00:00.000"}, "power_begin", "02-30-2024 10:00:00.000"),
    ({"power_end": stamp(0.5)}, "power_end", stamp(0.5)), ({"effective_scenario": None}, "effective_scenario", None),
    ({"effective_scenario": "Batch"}, "effective_scenario", "Batch"),
    ({"effective_scenario": "SingleStream", "result_query_count": 0}, "result_query_count", 0),
    ({"effective_scenario": "SingleStream", "result_query_count": "many"}, "result_query_count", "many"),
    ({"effective_scenario": "SingleStream", "result_query_count": 1.5}, "result_query_count", 1.5),
    ({"effective_scenario": "SingleStream", "result_query_count": True}, "result_query_count", True),
    ({"result_samples_per_second": -3}, "result_samples_per_second", -3),
])
def test_damaged_values_are_named(tmp_path, keys, field, value):
    folder = run(tmp_path / "r", **keys)
    (problem,) = problems_of(folder)
    assert (problem.field, problem.value, problem.file) == (field, value, str(folder / "mlperf_log_detail.txt"))
    assert problem.allowed
    lines = (folder / "mlperf_log_detail.txt").read_text(encoding="utf-8").split("\n")
    assert problem.line is None if value is None else f'"{field}"' in lines[problem.line - 1]


def test_a_key_in_a_broken_line_is_named_with_its_line(tmp_path):
    folder = run(tmp_path / "r", detail=[record("effective_scenario", "Offline"), record("power_begin", stamp(0.5)),
                                         ':::MLLOG {"key": "power_end", "value": "03-01'])
    (problem,) = problems_of(folder)
    assert (problem.field, problem.line, problem.what) == ("power_end", 3, "the line of power_end is no JSON")


def test_a_folder_that_contradicts_its_log(tmp_path):
    (problem,) = problems_of(run(tmp_path / "Server", effective_scenario="Offline"))
    assert (problem.field, problem.value, problem.allowed) == ("effective_scenario", "Offline", "Server")


def test_an_invalid_run_says_so(tmp_path):
    result = one(run(tmp_path / "r", result_validity="INVALID"))
    assert (result.validity, result.notes) == ("INVALID", ("the load generator calls the run INVALID",))


# ---------------------------------------------------------------- damaged files


@pytest.mark.parametrize(("bad", "field", "value"), [
    (row(3, "sixty"), "Watts", "sixty"), (row(3, ""), "Watts", ""), (row(3, "inf"), "Watts", "inf"),
    (row(3, "1_0"), "Watts", "1_0"),
    (row(3, "60.0").replace("03-01-2024", "13-01-2024"), "Time", "13-01-2024 10:00:03.000"),
    (row(3, "60.0").replace("03-01-2024", "2024-03-01"), "Time", "2024-03-01 10:00:03.000"),
    ("Time,03-01-2024 10:0", None, "Time,03-01-2024 10:0"), ("Time,Volts,Watts", None, "Time,Volts,Watts"),
])
def test_wrong_rows_are_named(tmp_path, bad, field, value):
    folder = run(tmp_path / "r", [row(1, "60.0"), row(2, "60.0"), bad, row(4, "60.0")])
    (problem,) = problems_of(folder)
    assert (problem.file, problem.line, problem.field, problem.value) == (str(folder / "spl.txt"), 3, field, value)
    assert problem.allowed


def test_all_that_is_wrong_is_named_at_once(tmp_path):
    rows = [row(1, "x"), row(2, "60.0"), *[row(second, "y") for second in range(3, 16)]]
    problems = problems_of(run(tmp_path / "r", rows, power_begin=None, effective_scenario="Batch"))
    assert [problem.line for problem in problems[:10]] == [1, *range(3, 12)]
    assert problems[10].what == "and 4 more such rows"
    assert [problem.field for problem in problems[11:]] == ["effective_scenario", "power_begin"]


def test_no_valid_row_inside(tmp_path):
    (problem,) = problems_of(run(tmp_path / "r", [row(second, "-1.000000") for second in range(62)]))
    assert (problem.what, problem.field) == ("no valid sample inside the window from power_begin to power_end", "Watts")


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02", "Time".encode("utf-16"), b"Time,\xff\xfe\n", b"power,time\n1,2\n",
                                     b"\r\n \r\n"])
@pytest.mark.parametrize("name", ["spl.txt", "mlperf_log_detail.txt"])
def test_a_file_that_is_no_log_is_a_clear_error(tmp_path, name, content):
    folder = run(tmp_path / "r")
    (folder / name).write_bytes(content)
    (problem,) = problems_of(folder)
    assert problem.file == str(folder / name)


PIECES = [b"Time,", b"03-01-2024 10:00:00.000", b"03-01-2024 10:00:01", b",Watts,", b"60.0", b"nan", b",Ch1,Watts,", b":::MLLOG ",
          b'{"key": "power_begin", ', b'"value": ', b'"x"}', b"[[", b"\r\n", b"\n", b"\xc3", b"\x00"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=3), max_size=25).map(b"".join))
def test_whatever_a_file_holds_there_is_no_traceback(data):
    for parse in (parse_power_log, parse_detail_log):
        with suppress(InputError):  # the only error there may be
            parse(data, "file")


# ---------------------------------------------------------------- folders


def test_a_damaged_result_does_not_hide_the_others(tmp_path):
    run(tmp_path / "a" / "Offline" / "performance" / "run_1", result_samples_per_second=900.0)
    run(tmp_path / "b" / "Offline" / "performance" / "run_1", power_end=None)
    (run(tmp_path / "c" / "Offline" / "performance" / "run_1") / "mlperf_log_detail.txt").unlink()
    spl = run(tmp_path / "d" / "Offline" / "performance" / "run_1") / "spl.txt"
    spl.unlink()
    (spl.parent.parent / "power").mkdir()
    (tmp_path / "e" / "Offline" / "performance" / "ranging").mkdir(parents=True)
    results, skipped, problems = find_results([tmp_path])
    assert [result.path for result in results] == [f"{tmp_path.name}/a/Offline"]
    assert skipped == []
    assert sorted((Path(problem.file).relative_to(tmp_path).as_posix(), problem.field, problem.what) for problem in problems) == [
        ("b/Offline/performance/run_1/mlperf_log_detail.txt", "power_end", "power_end is missing"),
        ("c/Offline/performance/run_1/mlperf_log_detail.txt", None, "no such file"),
        ("d/Offline/performance/run_1/spl.txt", None, "no such file"),
        ("e/Offline/performance", "run_1", "the performance run is missing")]


def test_a_result_that_was_named_and_lacks_a_log_is_an_error(tmp_path):
    folder = run(tmp_path / "Offline" / "performance" / "run_1")
    (folder / "spl.txt").unlink()
    (problem,) = problems_of(tmp_path / "Offline")
    assert (problem.what, problem.file) == ("no such file", str(folder / "spl.txt"))
    (folder / "spl.txt").mkdir()
    (problem,) = problems_of(tmp_path / "Offline")
    assert problem.what == "a folder where a file is due"


def test_other_kinds_are_skipped_with_their_reason(tmp_path):
    tiny, training, other = tmp_path / "tiny" / "ad", tmp_path / "training" / "bert", tmp_path / "other"
    for name in ("energy/results.txt", "performance/results.txt"):
        (tiny / name).parent.mkdir(parents=True)
        (tiny / name).write_text("Energy/Inf. : 266.465 uJ/inf.", encoding="utf-8")
    (training / "power" / "result_0").mkdir(parents=True)
    (training / "power" / "result_0" / "node_0.txt").write_text(record("power_measurement_start", None), encoding="utf-8")
    (other / "power").mkdir(parents=True)
    (other / "power" / "ptd_logs.txt").write_text("Go with mark 'x_testing'", encoding="utf-8")
    (run(tmp_path / "plain" / "Offline" / "performance" / "run_1") / "spl.txt").unlink()
    results, skipped, problems = find_results([tmp_path])
    assert (results, problems) == ([], [])
    assert {Path(item.folder).relative_to(tmp_path).as_posix(): item.reason.split(":")[0] for item in skipped} == {
        "tiny/ad": "MLPerf Tiny", "training/bert": "MLPerf Training", "other/power": "power files of a kind that is not read",
        "plain/Offline/performance/run_1": "no spl.txt"}
    assert find_results([training / "power" / "result_0" / "node_0.txt"])[1][0].folder == str(training)


def test_ranging_accuracy_and_compliance_runs_are_no_results(tmp_path):
    scenario = tmp_path / "resnet50" / "Offline"
    run(scenario / "performance" / "run_1")
    run(scenario / "performance" / "ranging", [row(1, "900.0")], begin=0.5, end=1.5)
    run(scenario / "accuracy")
    run(tmp_path / "compliance" / "TEST01" / "performance" / "run_1")
    run(scenario / "performance" / "run_2")
    results, skipped, problems = find_results([tmp_path])
    assert ([result.avg_power_w for result in results], problems) == ([60.0], [])
    assert [item.reason for item in skipped] == ["a further run: MLPerf's figure is that of run_1"]
    assert one(scenario / "performance" / "run_2").avg_power_w == 60.0
    assert one(scenario / "performance" / "ranging").avg_power_w == 60.0


def test_a_result_named_twice_is_read_once(tmp_path):
    folder = run(tmp_path / "Offline" / "performance" / "run_1")
    results, skipped, problems = find_results([tmp_path, folder, folder / "spl.txt", tmp_path / "Offline" / "performance"])
    assert (len(results), skipped, problems) == (1, [], [])


def test_links_are_followed_once(tmp_path):
    run(tmp_path / "store" / "Offline" / "performance" / "run_1")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "linked").symlink_to(tmp_path / "store", target_is_directory=True)
    (tree / "again").symlink_to(tree, target_is_directory=True)
    assert one(tree).path == "tree/linked/Offline"


def test_paths_without_results_are_an_error(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        find_results([tmp_path, tmp_path / "missing", tmp_path / "notes.txt", "a\0b"])
    assert [problem.what.split(":")[0] for problem in caught.value.problems] == [
        "no MLPerf power result here", "no such file or folder", "no MLPerf power result here", "cannot be read"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_folder_that_cannot_be_listed_is_named(tmp_path):
    run(tmp_path / "Offline" / "performance" / "run_1")
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    results, _, problems = find_results([tmp_path])
    closed.chmod(0o700)
    assert (len(results), [problem.file for problem in problems]) == (1, [str(closed)])


@pytest.mark.parametrize(("folders", "names"), [
    ("inference_results_v4.1/closed/Acme/results/box/bert-99/Offline", ("v4.1", "closed", "Acme", "box", "bert-99", "Offline")),
    ("inference_results_v5.1-main/open/Acme/results/box/own/offline", ("v5.1", "open", "Acme", "box", "own", "Offline")),
    ("v3.0/Acme/box/own/Server", ("v3.0", None, "Acme", "box", "own", "Server")),
    ("Closed/Acme/results/box/own/Server", (None, "closed", "Acme", "box", "own", "Server")),
    ("my/v2.3/resnet50/offline", (None, None, None, None, "resnet50", "Offline")),
    ("my/runs/Offline", (None, None, None, None, None, "Offline")), ("my/runs", (None, None, None, None, None, None)),
])
def test_what_the_folders_say(folders, names):
    place = place_of(Path("/data") / folders / "performance" / "run_1")
    assert (place.round, place.division, place.submitter, place.system, place.benchmark, place.scenario) == names
    assert place.folder == Path("/data") / folders


def test_the_path_starts_with_the_round_wherever_the_tree_lies(tmp_path):
    below = "v4.1/open/Acme/box/bert-99/Offline"
    run(tmp_path / below / "performance" / "run_1")
    for given_path in (tmp_path, tmp_path / "v4.1" / "open", tmp_path / below, tmp_path / below / "performance" / "run_1"):
        result = one(given_path)
        assert (result.path, result.source_text()) == (below, "MLPerf Inference v4.1, open, Acme, box, bert-99, Offline")
        assert str(tmp_path) not in json.dumps(as_rows([result])) + result.source_text()


@pytest.mark.parametrize(("text", "division"), [
    ('{"division": "open"}', "open"), ('{"division": "Closed"}', "closed"), ("{", None), ("[]", None), ('{"division": 1}', None)])
def test_division_from_the_description_of_the_system(tmp_path, text, division):
    run(tmp_path / "Offline" / "performance" / "run_1")
    (tmp_path / "Offline" / "systems").mkdir()
    (tmp_path / "Offline" / "systems" / "box.json").write_text(text, encoding="utf-8")
    result = one(tmp_path / "Offline")
    assert result.division == division
    assert bool(result.notes) == (division is None)
    assert ("systems/box.json" in result.files) == (division is not None)


# ---------------------------------------------------------------- tables


def test_rows_are_plain_and_csv_runs_no_formula(tmp_path):
    run(tmp_path / "v4.1" / "closed" / "=HYPERLINK(1)" / "-5" / "bert-99" / "Offline", result_samples_per_second=900.0)
    result = one(tmp_path)
    (plain,) = json.loads(json.dumps(as_rows([result])))
    assert list(plain) == list(COLUMNS)
    assert (plain["submitter"], plain["system"], plain["perf"], plain["notes"]) == ("=HYPERLINK(1)", "-5", 900.0, "")
    (line,) = csv.DictReader(csv_text([result]).splitlines())
    assert (line["submitter"], line["system"], line["perf"], line["result_query_count"]) == ("'=HYPERLINK(1)", "'-5", "900.0", "")
    assert float(line["avg_power_w"]) == result.avg_power_w
