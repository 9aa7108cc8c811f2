"""Lines of the load generator."""


import pytest

from tests.intake.mlperf.made import one, problems_of, record, run, stamp


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
