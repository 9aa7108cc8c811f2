"""Damaged files of inference results."""

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from joulebook.errors import InputError
from joulebook.intake.mlperf.logs.detail_log import parse_detail_log
from joulebook.intake.mlperf.logs.power_log import parse_power_log
from tests.intake.mlperf.made import problems_of, row, run


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
