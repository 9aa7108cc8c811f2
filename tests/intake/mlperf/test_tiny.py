"""MLPerf Tiny: text results of the older runners and of the new one, and traces."""

import json
import struct

import numpy as np
import pytest

from joulebook.intake.mlperf import find_results
from joulebook.intake.mlperf.tiny.traces import window_energies
from joulebook.results import Labels
from tests.intake.mlperf.made import one, problems_of, tiny, trace

NEW = """\
Power Edition Output
{}
---------------------------------------------------------
Median energy cost is 10.5000 uJ/inf.
---------------------------------------------------------
"""
TRIAL = """\
Energy data for trial {}
  Elapsed time  : 11.000000000000002
  Inferences    : 4
  Power         : 0.0038 mW.
  Total Energy  : {:.3f} uJ
  Energy/Inf    : {:.3f} uJ/inf"""


def checks(result):
    return {check.rule: check for check in result.checks}


def test_the_median_window(tmp_path):
    # hand: 40 44 42 43 41 uJ over 4 inferences: 10 11 10.5 10.75 10.25 uJ, median 10.5; 42 uJ / 11 s; 4 / 11 s
    result = one(tiny(tmp_path / "tiny_v1.0" / "Acme" / "board" / "ad"))
    assert (result.power_metric, result.power_unit, result.windows) == (pytest.approx(10.5), "uJ/inf.", 5)
    assert result.energy_mean_x_duration_j == pytest.approx(42e-6)
    assert (result.avg_power_w, result.duration_s) == (pytest.approx(42e-6 / 11), 11.0)
    assert (result.throughput_per_s, result.efficiency_per_j) == (pytest.approx(4 / 11), pytest.approx(1 / 10.5e-6))
    assert result.labels() == Labels("ad", "inference", None, None, "median of the timed inference windows", "node_dc")
    assert result.source_text() == "MLPerf Tiny v1.0, Acme, board, ad"
    assert {check.rule: check.status for check in result.checks} == {
        "energy_windows": "pass", "window_duration": "pass", "published_median": "pass", "trace": "not determinable"}


def test_the_text_variant_of_v07(tmp_path):
    result = one(tiny(tmp_path / "tiny_v0.7" / "Acme" / "board" / "ad", name="energy_results.txt"))
    assert (result.power_metric, result.round) == (pytest.approx(10.5), "v0.7")
    assert list(result.files) == ["energy/energy_results.txt"]


def test_the_new_runner(tmp_path):
    trials = "\n".join(TRIAL.format(i, energy, energy / 4) for i, energy in enumerate((40, 44, 42, 43, 41)))
    result = one(tiny(tmp_path / "tiny_v1.3" / "Acme" / "board" / "ad", text=NEW.format(trials)))
    assert (result.power_metric, result.windows, result.duration_s) == (pytest.approx(10.5), 5, pytest.approx(11.0))
    assert result.failed() == []


def test_the_streaming_benchmark_is_one_long_window(tmp_path):
    text = NEW.replace("10.5000", "30746401.8100").format(
        TRIAL.format(0, 30746401.81, 30746401.81).replace("Inferences    : 4", "Inferences    : 1").replace("11.0", "1200.0"))
    result = one(tiny(tmp_path / "sww", text=text + "Accuracy: 44 True positives, 6 False negatives\n"))
    assert (result.power_metric, result.windows, result.failed()) == (pytest.approx(30746401.81), 1, [])


def test_units_are_read_not_assumed(tmp_path):
    text = "Energy data for trial 0\n  Inferences : 1000\n  Elapsed time : 20\n  Total Energy : 2.5 mJ\n"
    result = one(tiny(tmp_path / "ad", text=text))
    assert result.power_metric == pytest.approx(2.5)  # hand: 2.5 mJ / 1000 = 2.5 uJ
    assert "the text states no median" in result.notes[1]


def test_the_trace_beside(tmp_path):
    folder, energies = tmp_path / "ad", (40.0, 44.0, 42.0, 43.0, 41.0)
    trace(tiny(folder), energies)
    result = one(folder)
    assert result.integral_energy_j == pytest.approx(42e-6, rel=1e-6)  # hand: 110 samples that add up to 42 uJ
    assert result.integral_difference_pct == pytest.approx(0.0, abs=1e-4)
    assert checks(result)["trace"].status == "pass"


def test_a_trace_that_tells_another_energy(tmp_path):
    folder = tmp_path / "ad"
    trace(tiny(folder), (40.0, 44.0, 42.1, 43.0, 41.0))
    check = checks(one(folder))["trace"]
    assert (check.status, check.measured) == ("fail", pytest.approx(100 * 0.1 / 42, rel=1e-4))
    assert "windows 6" in check.words


def test_rules_that_are_broken(tmp_path):
    few = one(tiny(tmp_path / "a", energies=(40.0, 42.0, 44.0)))
    assert checks(few)["energy_windows"].status == "fail"
    short = one(tiny(tmp_path / "b", length=9.5))
    assert (checks(short)["window_duration"].status, checks(short)["window_duration"].measured) == ("fail", 9.5)
    other = one(tiny(tmp_path / "c", median="10.400"))
    assert checks(other)["published_median"].status == "fail"
    assert other.power_metric == pytest.approx(10.4)  # as published; the report says that it is not that of the windows


@pytest.mark.parametrize(("change", "line", "field"), [
    (("4\n", "4.5\n"), None, "Inferences"), (("42.000 uJ", "42.000 kJ"), 10, None), (("42.000 uJ", "0.000 uJ"), 9, "Energy"),
    (("ulp-ml:   Energy       :  42.000 uJ", "ulp-ml:   x"), 9, "Energy")])
def test_a_damaged_text_is_named_with_its_line(tmp_path, change, line, field):
    folder = tiny(tmp_path / "ad")
    place = folder / "energy" / "results.txt"
    place.write_text(place.read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    problem = problems_of(folder)[0]
    assert problem.file == str(place)
    assert problem.field == field
    assert problem.line is not None if line is None else problem.line == line


@pytest.mark.parametrize("text", ["", "Top-1: 77.8%\nAUC: 0.86\n", "\x00"])
def test_a_text_without_energy_is_an_error(tmp_path, text):
    (problem,) = problems_of(tiny(tmp_path / "ad", text=text))
    assert problem.file.endswith("results.txt")


@pytest.mark.parametrize(("name", "data"), [
    ("trace1-energy.bin", b""), ("trace1-energy.bin", b"\x00abcd"), ("trace1-energy.bin", b"\xf1" + struct.pack("<f", 0.0)),
    ("trace1-energy.bin", b"\xf1" + struct.pack("<2f", 1000.0, 1.0)[:-1]),
    ("trace1-energy.bin", b"\xf1" + struct.pack("<2f", 1000.0, float("nan"))), ("trace1-timestamps.json", b"[1, 2"),
    ("trace1-timestamps.json", b'{"a": 1}'), ("trace1-timestamps.json", b"[2, 1]"), ("trace1-timestamps.json", b'["x"]')])
def test_a_broken_trace_is_named_and_the_result_stands(tmp_path, name, data):
    folder = tmp_path / "ad"
    trace(tiny(folder), (40.0, 44.0, 42.0, 43.0, 41.0))
    (folder / "energy" / name).write_bytes(data)
    (result,), _, problems = find_results([folder])
    assert result.power_metric == pytest.approx(10.5)
    assert [problem.file for problem in problems] == [str(folder / "energy" / name)]
    assert checks(result)["trace"].status == "not determinable"


def test_a_trace_that_ends_too_early(tmp_path):
    folder = tmp_path / "ad"
    trace(tiny(folder), (40.0, 44.0, 42.0, 43.0, 41.0))
    (folder / "energy" / "trace1-timestamps.json").write_text(json.dumps([0.1, 1, 12, 13, 9000]), encoding="utf-8")
    assert checks(one(folder))["trace"].status == "not determinable"


@pytest.mark.parametrize("last_s", [5.0, 1e300])
def test_a_trace_that_ends_before_its_windows_gives_none(last_s):
    assert window_energies(2.0, np.array([1.0, 1.0, 2.0, 3.0]), np.array([0.0, 1.0, last_s])) is None  # hand: 4 samples are 2 s
