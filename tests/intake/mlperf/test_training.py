"""MLPerf Training: nodes, switches, conversion, the mean over runs."""

import pytest

from joulebook.intake.mlperf import find_results
from joulebook.intake.mlperf.training.runs import olympic_mean
from tests.intake.mlperf.made import event, node, one, problems_of, training


def checks(result):
    return {check.rule: check for check in result.checks}


def test_a_node(tmp_path):
    # hand: 100 readings of 1000 W, 1 s each, over 100 s: 100000 J; x 0.9 behind the supply x 80 s / 100 s = 72000 J
    result = one(training(tmp_path / "training_v5.0" / "Acme" / "box" / "bert"))
    assert (result.energy_mean_x_duration_j, result.time_to_train_s, result.avg_power_w) == pytest.approx((72000.0, 80.0, 900.0))
    assert (result.boundary, result.wall_energy_j) == ("node_dc", pytest.approx(80000.0))  # hand: 72000 / 0.9
    assert (result.integral_energy_j, result.coverage) == pytest.approx((72000.0, 1.0))
    assert (result.round, result.benchmark, result.run, result.unit_of_work) == ("v5.0", "bert", "result_0", "training_sample")
    assert result.source_text() == "MLPerf Training v5.0, Acme, box, bert, result_0"
    assert result.failed() == []


def test_readings_count_by_the_time_since_the_one_before(tmp_path):
    folder = training(tmp_path / "bert", length=10.0)
    lines = [event("power_measurement_start", None, 1000), event("power_reading", 100.0, 1001),
             event("power_reading", 400.0, 1009), event("power_reading", 900.0, 1000.5),
             event("power_measurement_stop", None, 1010), event("power_reading", 1e6, 1011)]
    (folder / "power" / "result_0" / "node_0.txt").write_text("\n".join(lines), encoding="utf-8")
    # hand, in order of time: 900 W x 0.5 s + 100 x 0.5 + 400 x 8 = 3700 J, over 10 s of 10 s; no efficiency: as read
    result = one(folder)
    assert result.energy_mean_x_duration_j == pytest.approx(3700.0)
    assert (result.boundary, result.wall_energy_j) == ("server", pytest.approx(3700.0))
    assert "no conversion_eff: the readings count as they are" in result.notes


def test_without_stop_the_last_reading_stands_for_it(tmp_path):
    folder = training(tmp_path / "bert", length=10.0)
    lines = [event("power_measurement_start", None, 1000), *(event("power_reading", 100.0, 1000 + i) for i in range(1, 21))]
    (folder / "power" / "result_0" / "node_0.txt").write_text("\n".join(lines), encoding="utf-8")
    result = one(folder)
    assert result.energy_mean_x_duration_j == pytest.approx(1000.0)  # hand: 2000 J over 20 s, 10 s of them
    assert any("power_measurement_stop is missing" in note for note in result.notes)


def test_switches_by_their_estimate(tmp_path):
    folder = training(tmp_path / "bert", nodes=2)
    place = folder / "power" / "result_0"
    lines = [event("conversion_eff", 0.5, 1000), event("interconnect_power_est", 200.0, 1000),
             event("interconnect_power_est", 9.0, 1001)]
    (place / "sw_0.txt").write_text("\n".join(lines), encoding="utf-8")
    result = one(folder)
    # hand: 2 x 72000 J + 0.5 x 200 W x 80 s = 152000 J; at the wall 160000 + 16000 J; trap: the second estimate
    assert result.energy_mean_x_duration_j == pytest.approx(152000.0)
    assert (result.wall_energy_j, result.channels) == (pytest.approx(176000.0), 3)


def test_a_switch_that_is_read_and_not_estimated_counts_nothing_and_is_told(tmp_path):
    folder = training(tmp_path / "bert", start=50000.0)
    place = folder / "power" / "result_0" / "sw_0.txt"
    node(place, power_w=700.0, start=50000.0 - 5 * 3600)
    result = one(folder)
    assert result.energy_mean_x_duration_j == pytest.approx(72000.0)
    assert ("sw_0.txt holds 100 readings (mean 700 W) and no interconnect_power_est: MLCommons' figure counts nothing for it; "
            "its clock is about 5.0 h behind the run's") in result.notes
    assert checks(result)["training_switches"].warning


def test_the_olympic_mean(tmp_path):
    folder = tmp_path / "bert"
    for number, length in enumerate((80.0, 60.0, 85.0, 70.0, 90.0)):
        training(folder, f"result_{number}", length=length, seconds=100, start=1000.0 * (number + 1))
    results, _, problems = find_results([folder])
    assert problems == []
    # hand: without 60 s and 90 s: (80 + 85 + 70) / 3 s, and 900 W of each
    assert [result.olympic_mean_time_to_train_s for result in results] == pytest.approx(5 * [235 / 3])
    assert [result.olympic_mean_energy_j for result in results] == pytest.approx(5 * [900 * 235 / 3])
    assert [result.run for result in results] == [f"result_{i}" for i in range(5)]
    assert results[0].runs == 5
    assert "olympic mean over 3 of 5 runs: result_1 (fastest) and result_4 (slowest) dropped" in results[0].notes


def test_no_olympic_mean_of_two_runs(tmp_path):
    for number in range(2):
        training(tmp_path / "bert", f"result_{number}")
    results, _, _ = find_results([tmp_path])
    assert [result.olympic_mean_energy_j for result in results] == [None, None]
    assert results[0].notes[0] == "no olympic mean: 2 runs, at least 3 are needed"
    assert olympic_mean([])[0] is None


def test_a_run_that_missed_its_target_is_the_one_that_is_dropped(tmp_path):
    for number, length in enumerate((60.0, 70.0, 50.0)):
        training(tmp_path / "bert", f"result_{number}", length=length, status="aborted" if number == 2 else "success")
    results, _, _ = find_results([tmp_path])
    assert results[0].olympic_mean_time_to_train_s == pytest.approx(70.0)  # hand: 60 s fastest, result_2 missed the target
    assert [result.validity for result in results] == ["VALID", "VALID", "missed the target"]
    assert checks(results[2])["training_target"].status == "fail"


@pytest.mark.parametrize(("seconds", "step", "length", "failing"), [
    (100, 2.0, 80.0, {"training_sampling", "training_samples"}), (50, 1.0, 30.0, {"training_samples"}),
    (100, 1.0, 95.0, {"training_window"})])
def test_rules_that_are_broken(tmp_path, seconds, step, length, failing):
    # hand: 0.5 samples/s, 50 samples; 50 samples; a run that ends 5 s after the measurement
    result = one(training(tmp_path / "bert", seconds=seconds, step=step, length=length))
    assert {check.rule for check in result.failed()} == failing
    assert checks(result)["training_meter"].status == "not determinable"


def test_direct_current_is_not_converted_twice(tmp_path):
    folder = training(tmp_path / "bert")
    place = folder / "power" / "result_0" / "node_0.txt"
    place.write_text(place.read_text(encoding="utf-8").replace('"AC"', '"DC"'), encoding="utf-8")
    assert checks(one(folder))["training_conversion"].status == "fail"


@pytest.mark.parametrize(("name", "old", "new", "field", "line"), [
    ("power/result_0/node_0.txt", "power_measurement_start", "x", "power_measurement_start", None),
    ("power/result_0/node_0.txt", '1000.0, "time_ms": 1003000', '"much", "time_ms": 1003000', "power_reading", 5),
    ("power/result_0/node_0.txt", '1000.0, "time_ms": 1003000', '-5, "time_ms": 1003000', "power_reading", 5),
    ("power/result_0/node_0.txt", '"value": 0.9', '"value": 94', "conversion_eff", 2),
    ("power/result_0/node_0.txt", '"time_ms": 1003000', '"time_ms": "noon"', None, 5),
    ("result_0.txt", "run_start", "x", "run_start", None), ("result_0.txt", "1090000", "1000000", "run_stop", 2)])
def test_a_damaged_file_is_named_with_its_line(tmp_path, name, old, new, field, line):
    folder = training(tmp_path / "bert")
    place = folder / name
    text = place.read_text(encoding="utf-8")
    assert old in text
    place.write_text(text.replace(old, new), encoding="utf-8")
    (problem,) = problems_of(folder)
    assert (problem.file, problem.field, problem.line) == (str(place), field, line)


def test_a_broken_run_hides_no_other_and_leaves_no_mean(tmp_path):
    for number in range(4):
        training(tmp_path / "bert", f"result_{number}")
    (tmp_path / "bert" / "result_2.txt").unlink()
    results, _, problems = find_results([tmp_path])
    assert [result.run for result in results] == ["result_0", "result_1", "result_3"]
    assert [problem.what for problem in problems] == ["no such file"]
    assert results[0].notes[0] == "no olympic mean: 1 of 4 runs cannot be read"
