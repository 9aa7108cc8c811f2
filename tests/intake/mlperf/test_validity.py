"""The validity report of inference, rule by rule, on made-up sessions."""

import hashlib
import json

import pytest

from joulebook.errors import InputError
from joulebook.intake.mlperf import find_results
from joulebook.intake.mlperf.logs.session import parse_session
from tests.intake.mlperf.made import one, row, run, stamp, submission


def checks(result):
    return {check.rule: check for check in result.checks}


def status(result, rule):
    return checks(result)[rule].status


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    """A result that keeps all rules."""
    return one(submission(tmp_path_factory.mktemp("right") / "v4.1" / "closed" / "Acme" / "box" / "bert-99.9" / "Offline"))


def test_a_right_result_keeps_all_rules_but_what_no_log_tells(right):
    assert [check.rule for check in right.checks if check.status != "pass"] == ["whole_system"]
    assert [check.rule for check in right.checks if check.warning] == []
    assert all(check.words and check.rule in check.line() for check in right.checks)
    assert (right.max_phase_diff_ms, right.ranging_avg_w, right.testing_vs_ranging_pct) == (0.0, 60.0, 0.0)
    assert (right.device_type, right.client_tz, right.server_tz) == ("49", 0, 0)
    assert (right.uncertainty_pct, right.failed()) == (1.0, [])


def test_without_the_files_beside_nothing_is_claimed(tmp_path):
    result = one(run(tmp_path / "Offline" / "performance" / "run_1", [row(second, "60.0") for second in range(700)], end=650.5))
    unknown = {check.rule for check in result.checks if check.status == "not determinable"}
    assert {"phase_difference", "load_inside_testing", "testing_power", "testing_duration", "uncertainty", "ptd_errors",
            "same_uuid", "same_session", "same_messages", "same_versions", "sources_sha1", "results_sha1", "same_run"} <= unknown
    assert result.failed() == []
    assert checks(result)["same_uuid"].words == ("performance/power/client.json is not there, performance/power/server.json is "
                                                 "not there")


def test_the_report_can_be_left_off(tmp_path):
    (result,), _, _ = find_results([submission(tmp_path / "Offline")], validity=False)
    assert (result.checks, result.ranging_avg_w, result.uncertainty_pct) == ((), None, None)
    assert set(result.files) == {"performance/run_1/spl.txt", "performance/run_1/mlperf_log_detail.txt"}


@pytest.mark.parametrize(("round_name", "late_ms", "expected"), [
    ("v2.0", 199.0, "pass"), ("v2.0", 201.0, "fail"), ("v2.1", 499.0, "pass"), ("v3.1", 501.0, "fail"), ("v4.0", 799.0, "pass"),
    ("v5.1", 854.0, "fail")])
def test_phase_difference_by_round(tmp_path, round_name, late_ms, expected):
    # published: 200 ms, 500 ms from v2.1, 800 ms from v4.0
    folder = submission(tmp_path / round_name / "closed" / "Acme" / "box" / "resnet50" / "Offline", late_ms=late_ms)
    check = checks(one(folder))["phase_difference"]
    assert (check.status, check.measured, check.unit) == (expected, pytest.approx(late_ms, abs=1e-3), "ms")


def shifted(seconds):
    def change(side):
        for points in side["phases"].values():
            for point in points:
                point[0] += seconds
        return side
    return change


@pytest.mark.parametrize(("seconds", "zone", "expected", "words"), [
    (0, 0, ("pass", False), "inside the testing phase"), (-3600, 0, ("pass", True), "daylight saving"),
    (25200, 25200, ("pass", True), "local time, -7 h from UTC (client.json: -7 h)"),
    (21600, 25200, ("pass", True), "local time, -6 h from UTC, daylight saving included"),
    (7200, 0, ("fail", False), "outside the testing phase")])
def test_where_the_run_lies(tmp_path, seconds, zone, expected, words):
    folder = submission(tmp_path / "Offline", client=shifted(seconds), server=shifted(seconds), zones=(zone, zone))
    check = checks(one(folder))["load_inside_testing"]
    assert (check.status, check.warning) == expected
    assert words in check.words


@pytest.mark.parametrize(("ranging", "expected"), [("63.000000", "pass"), ("63.200000", "fail"), ("50.000000", "pass")])
def test_testing_power_against_ranging(tmp_path, ranging, expected):
    # hand: 60 / 63 = -4.76 %, 60 / 63.2 = -5.06 %, 60 / 50 = +20 %: only a fall counts
    check = checks(one(submission(tmp_path / "Offline", ranging_w=ranging)))["testing_power"]
    assert check.status == expected
    assert check.measured == pytest.approx(100 * (60 / float(ranging) - 1), abs=0.006)


def test_a_testing_run_that_is_much_shorter_is_a_warning(tmp_path):
    # hand: 600 s of 1300 s is -53.8 %
    check = checks(one(submission(tmp_path / "Offline", seconds=602, ranging_s=1302)))["testing_duration"]
    assert (check.status, check.warning) == ("pass", True)
    assert "more than 50 % shorter" in check.words


@pytest.mark.parametrize(("round_name", "seconds", "expected"), [
    ("v4.1", 602, "pass"), ("v4.1", 601, "fail"), ("v0.7", 62, "pass"), ("v0.7", 61, "fail")])
def test_shortest_run_by_round(tmp_path, round_name, seconds, expected):
    folder = submission(tmp_path / round_name / "closed" / "Acme" / "box" / "resnet50" / "Offline", seconds=seconds)
    assert status(one(folder), "run_duration") == expected


def test_slow_sampling_and_gaps(tmp_path):
    slow = one(run(tmp_path / "a", [row(2 * second, "60.0") for second in range(400)], end=700.5))
    assert (status(slow, "sampling"), status(slow, "gaps"), checks(slow)["sampling"].measured) == ("fail", "pass", 2.0)
    gap = one(run(tmp_path / "b", [row(second, "60.0") for second in range(700) if not 300 < second < 304], end=650.5))
    assert (status(gap, "sampling"), status(gap, "gaps"), checks(gap)["gaps"].measured) == ("pass", "fail", 4.0)
    assert "longest gap 4.000 s after 2024-03-01 10:05:00.000" in checks(gap)["gaps"].words


@pytest.mark.parametrize(("failed", "expected"), [(3, ("pass", True)), (2, ("pass", False)), (8, ("fail", False))])
def test_failed_reads_in_a_row_leave_a_hole(tmp_path, failed, expected):
    # hand: three failed reads are 4 s without a valid one, 99.4 % of 650 s are covered; eight are 9 s, 98.6 %; two are bridged
    rows = [row(second, "-1.000000" if 100 <= second < 100 + failed else "60.0") for second in range(700)]
    check = checks(one(run(tmp_path / "a", rows, end=650.5)))["gaps"]
    assert (check.status, check.warning, check.measured) == (*expected, 1.0)
    assert ("failed reads leave holes" in check.words) == (failed > 2)


def test_failed_reads_are_a_warning(tmp_path):
    rows = [row(second, "-2.000000" if second in (50, 60) else "60.0") for second in range(700)]
    check = checks(one(run(tmp_path / "a", rows, end=650.5)))["failed_reads"]
    assert (check.status, check.warning) == ("pass", True)
    assert check.words.startswith("2 failed reads (not positive, or nan) among 650 samples in the window (0.31 %)")


def with_lines(*more):
    return lambda lines: [*lines[:5], *more, *lines[5:]]


@pytest.mark.parametrize(("second", "percent", "expected"), [
    (300, "1.45", "fail"), (300, "1.00", "pass"), (0.9, "1.45", "pass"), (600, "1.45", "pass"), (1.4, "1.45", "fail")])
def test_uncertainty_under_load(tmp_path, second, percent, expected):
    # the run lasts from 0.5 s to 600.5 s; the clocks may be 0.8 s apart, and what is that near to an edge does not count
    line = f"{stamp(second)}: WARNING: Uncertainty {percent}%, which is above 1.00% limit for the last sample!"
    result = one(submission(tmp_path / "Offline", ptd=with_lines(line)))
    assert status(result, "uncertainty") == expected
    assert result.uncertainty_pct == (1.45 if expected == "fail" else 1.0)
    assert ("stated of a sample under load" in result.uncertainty_source) == (expected == "fail")


def test_uncertainty_that_was_not_checked(tmp_path):
    result = one(submission(tmp_path / "a" / "Offline", ptd=lambda lines: lines[1:]))
    assert (status(result, "uncertainty"), status(result, "uncertainty_checking")) == ("not determinable", "fail")
    assert result.uncertainty_pct == 1.0
    assert result.uncertainty_source == "the rule's limit of 1 %; not shown: uncertainty was not checked"
    late = one(submission(tmp_path / "b" / "Offline", ptd=lambda lines: [*lines[1:], lines[0].replace("09:", "11:")]))
    assert status(late, "uncertainty_checking") == "fail"


@pytest.mark.parametrize(("message", "expected"), [
    ("USB.", ("pass", True)), ("Bad watts reading nan from WT310", ("fail", False))])
def test_errors_of_the_daemon_outside_ranging(tmp_path, message, expected):
    check = checks(one(submission(tmp_path / "Offline", ptd=with_lines(f"{stamp(300)}: ERROR: {message}"))))["ptd_errors"]
    assert (check.status, check.warning) == expected
    assert message in check.words


@pytest.mark.parametrize(("rule", "change", "words"), [
    ("same_uuid", {"uuid": {"client": "c-1", "server": "s-2"}}, "the UUIDs of server differ"),
    ("same_session", {"session_name": "other"}, "sessions 2024-03-01_09-00-00 and other differ"),
    ("same_messages", {"messages": [{"cmd": "mlcommons/power client v3", "reply": "no"}, {"cmd": "time"}]}, "message 1"),
    ("same_messages", {"messages": []}, "the client records 2 messages, the server 0"),
    ("same_versions", {"version": "1.1"}, "versions 1.0 and 1.1 differ"),
    ("sources_sha1", {"sources": {"lib/client.py": "1" * 40, "lib/server.py": "3" * 40}}, "differ in 1 source: lib/server.py"),
    ("results_sha1", {"results": {"run_1/spl.txt": "0" * 40}}, "SHA-1 of run_1/spl.txt does not match"),
    ("ac_wall", {"ptd_config": {"device_type": 549}}, "direct current"),
    ("ac_wall", {"ptd_config": [{"device_type": 49, "dc_flag": "-d"}]}, "direct current")])
def test_a_server_that_tells_another_thing(tmp_path, rule, change, words):
    check = checks(one(submission(tmp_path / "Offline", server=lambda side: side | change)))[rule]
    assert check.status == "fail"
    assert words in check.words


def test_sources_that_all_differ_may_be_line_ends(tmp_path):
    result = one(submission(tmp_path / "Offline", server=lambda side: side | {
        "sources": {"lib/client.py": "3" * 40, "lib/server.py": "4" * 40}}))
    assert status(result, "sources_sha1") == "not determinable"


def test_line_ends_that_were_changed_are_told(tmp_path):
    folder = submission(tmp_path / "Offline")
    log, server = folder / "performance" / "run_1" / "spl.txt", folder / "performance" / "power" / "server.json"
    side = json.loads(server.read_text(encoding="utf-8"))
    crlf = hashlib.sha1(log.read_bytes().replace(b"\n", b"\r\n")).hexdigest()
    for name in ("client.json", "server.json"):
        side = json.loads((server.parent / name).read_text(encoding="utf-8"))
        side["results"]["run_1/spl.txt"] = crlf
        (server.parent / name).write_text(json.dumps(side), encoding="utf-8")
    check = checks(one(folder))["results_sha1"]
    assert (check.status, check.warning) == ("pass", True)
    assert "run_1/spl.txt only after LF is turned back into CRLF" in check.words


def test_rows_of_another_session(tmp_path):
    folder = submission(tmp_path / "Offline", client=lambda side: side | {"session_name": "x"},
                        server=lambda side: side | {"session_name": "x"})
    check = checks(one(folder))["same_run"]
    assert (check.status, "not x_testing of the session" in check.words) == ("fail", True)


def test_a_voltage_that_is_none_of_mains(tmp_path):
    folder = submission(tmp_path / "Offline")
    log = folder / "performance" / "run_1" / "spl.txt"
    log.write_text(log.read_text(encoding="utf-8").replace("Volts,230.000000", "Volts,12.000000"), encoding="utf-8")
    assert status(one(folder), "ac_wall") == "fail"


@pytest.mark.parametrize(("name", "text", "line", "field"), [
    ("power/client.json", '{\n"version": }', 2, None), ("power/server.json", "[]", None, None),
    ("power/server.json", '{"timezone": "east"}', None, "timezone"),
    ("power/server.json", '{"timezone": 1e400}', None, "timezone"),
    ("power/client.json", '{"phases": {"testing": [[1]]}}', None, "phases"),
    ("power/client.json", '{"results": ["x"]}', None, "results"), ("power/ptd_logs.txt", "nothing", None, None),
    ("power/ptd_logs.txt", "02-30-2024 10:00:00.000: Completed test", 1, None),
    ("ranging/spl.txt", "Time,03-01-2024 10:00:00.000,Watts,x,", 1, "Watts"),
    ("ranging/mlperf_log_detail.txt", "none", None, None)])
def test_a_broken_file_beside_the_run_is_named_and_the_result_stands(tmp_path, name, text, line, field):
    folder = submission(tmp_path / "Offline")
    (folder / "performance" / name).write_text(text, encoding="utf-8")
    (result,), _, problems = find_results([folder])
    assert result.avg_power_w == 60.0
    (problem,) = problems
    assert (problem.file, problem.line, problem.field) == (str(folder / "performance" / name), line, field)
    assert any(check.status == "not determinable" and "cannot be read" in check.words for check in result.checks)


def test_a_description_is_weighed_by_what_energy_depends_on(tmp_path):
    folder = submission(tmp_path / "Offline")
    (folder / "systems").mkdir()
    described = {"cooling": "air", "framework": "", "number_of_nodes": 1, "power_management": "N/A", "division": "closed"}
    (folder / "systems" / "box.json").write_text(json.dumps(described), encoding="utf-8")
    result = one(folder)
    assert (result.disclosure_share, result.division) == (0.6, "closed")  # hand: 3 of 5 fields
    missing = result.disclosure_missing.split(", ")
    assert {"framework", "power_management", "power_supply_details"} <= set(missing)
    assert not {"cooling", "number_of_nodes"} & set(missing)


def test_a_description_beside_the_results_of_a_submitter(tmp_path):
    place = tmp_path / "inference_results_v4.1" / "closed" / "Acme"
    submission(place / "results" / "box" / "resnet50" / "Offline")
    (place / "systems").mkdir()
    (place / "systems" / "box.json").write_text('{"division": "closed", "cooling": ""}', encoding="utf-8")
    result = one(place)
    assert (result.disclosure_share, "systems/box.json" in result.files) == (0.5, True)


@pytest.mark.parametrize("config", [{"device_type": {"a": 1}}, [{"device_type": [49]}], 49, ["49"]])
def test_a_meter_of_another_form_is_refused_by_its_field(config):
    with pytest.raises(InputError, match=r"server\.json: ptd_config: has another form"):
        parse_session(json.dumps({"ptd_config": config}).encode(), "server.json")
