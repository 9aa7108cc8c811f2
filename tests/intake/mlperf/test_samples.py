"""MLPerf's published logs, where they are: they are no part of the project.

Expected values are those of the EXPECTED files beside the logs: what the official algorithms give, and published figures.
"""

import ast
import csv

import pytest

from joulebook.intake.mlperf import COLUMNS, as_rows, find_results
from joulebook.intake.mlperf.duplicates import mark_copies
from joulebook.intake.mlperf.result import MlperfResult
from tests.conftest import SHARED
from tests.intake.mlperf.made import SAMPLES, one, published

COMPUTED = SHARED / "mlperf" / "computed_closed.csv"
pytestmark = published


def expected(name="EXPECTED.csv"):
    with (SAMPLES / name).open(encoding="utf-8", newline="") as file:
        return {line["path"]: line for line in csv.DictReader(file)}


@pytest.fixture(scope="module")
def results():
    """All results of the samples."""
    found, skipped, problems = find_results([SAMPLES])
    assert (skipped, problems) == ([], [])
    return {result.path: result for result in found}


def of_suite(results, suite):
    return {path: result for path, result in results.items() if result.suite == suite}


def said(result):
    """All that a result says in words."""
    return "\n".join([*result.notes, *(check.line() for check in result.checks)])


def test_all_are_found(results):
    assert set(of_suite(results, "inference")) == set(expected())
    assert set(of_suite(results, "tiny")) == set(expected("EXPECTED_tiny.csv"))
    assert set(of_suite(results, "training")) == set(expected("EXPECTED_training.csv"))


def test_inference_is_reproduced(results):
    for path, due in expected().items():
        got = as_rows([results[path]])[0]
        for name in (set(COLUMNS) & set(due)) - {"power_unit"}:
            if isinstance(got[name], int | float):
                rounded = 0.06 if name.endswith(("ms", "pct")) else 0.0  # to one or two digits in the file
                assert got[name] == pytest.approx(float(due[name]), rel=1e-9, abs=rounded), (path, name)
            else:
                assert (got[name] or "") == due[name], (path, name)
        assert got["power_unit"] == due["power_unit"]
        assert got["integral_energy_j"] == pytest.approx(got["energy_mean_x_duration_j"] * got["coverage"], rel=5e-3)
        if due["published_power"]:
            assert got["power_metric"] == pytest.approx(float(due["published_power"]), rel=1e-9), path


# What the note of each row of EXPECTED.csv says, as it must come out in words.
NOTES = {
    "v1.0/NVIDIA": ["1 failed read", "the logs are in local time, -7 h from UTC, daylight saving included"],
    "v1.0/Qualcomm": ["1 h ahead of the session's phases (daylight saving)", "tolerated shift of 1 h"],
    "v1.1/NVIDIA": ["1 failed read"],
    "v1.1/Dell": ["testing_power", "-5.16 %", "more than 5 % below, invalid under today's rule", "no result_query_count",
                  "the rate (qps) times the duration"],
    "v1.1/Qualcomm/g292_z43_q16-qaic-v1.5.9-aic100/bert-99/": ["multi-channel", "total of 3 channels"],
    "v1.1/Qualcomm/g292_z43_q16-qaic-v1.5.9-aic100/bert-99.9/": ["quality target 99.9 %"],
    "v2.0/NVIDIA": ["4 failed reads", "longest gap 3.111 s", "LF is turned back into CRLF"],
    "v2.0/Krai": ["MultiStream inferred from a SingleStream run (x8)", "-5.31 %", "more than 5 % below",
                  "SHA-1 of power/ptd_logs.txt does not match"],
    "v2.1/Fujitsu": ["client 0 h, server 9 h", "both logs are on one clock and none is added",
                     "0 of 600 samples would be left in the window"],
    "v3.0/Alibaba": ["MultiStream was run as such; 30000 queries", "client 8 h, server 0 h"],
    "v3.0/Dell": ["multi-channel", "total of 2 channels"],
    "v4.1/UntetherAI": ["MultiStream was run as such; 2966621 queries"],
    "v5.1/Lenovo": ["YokogawaWT500_multichannel", "total of 3 channels", "ptd_config is a list", "multi-analyzer format"],
    "v5.1/GATEOverflow": ["37 failed reads", "MultiStream inferred from a SingleStream run (x8)"],
}


@pytest.mark.parametrize("start", NOTES)
def test_notes_come_out_in_words(results, start):
    (result,) = [result for path, result in results.items() if path.startswith(start)]
    words = said(result)
    assert [word for word in NOTES[start] if word not in words] == [], words


def test_every_row_has_its_words():
    assert all(sum(path.startswith(start) for path in expected()) == 1 for start in NOTES)
    assert len(NOTES) == len(expected())


def test_what_today_s_checker_fails_is_seen(results):
    # EXPECTED.csv, failed_checks: the checks of the official checker that have a rule here
    for path, due in expected().items():
        failed = {check.rule for check in results[path].failed()}
        if "Check client server messages" in due["failed_checks"]:
            assert "same_messages" in failed, path
        if "Check time difference" in due["failed_checks"]:
            local = "in local time" in said(results[path])  # told, not failed: the checker takes local logs for UTC
            assert "testing_power" in failed or local, path


def test_the_rate_of_a_server_result_changed_with_the_rules(results):
    server = {result.round: result for result in results.values() if result.scenario == "Server"}
    assert server["v2.1"].throughput_per_s == 2495.29  # published: v2.1 log, scheduled
    lenovo = server["v5.1"]
    assert (lenovo.throughput_per_s, lenovo.completed_per_s, lenovo.scheduled_per_s) == (28.4637, 28.4637, 28.7962)  # v5.1 log
    assert lenovo.energy_per_completed_sample_j == pytest.approx(9437.609225700164 / 28.4637)  # hand: W over completed/s
    assert {result.unit_of_work for result in server.values()} == {"query"}


def test_tiny_medians(results):
    for path, due in expected("EXPECTED_tiny.csv").items():
        result = results[path]
        assert result.power_metric == pytest.approx(float(due["published_median_uJ_per_inf"]), rel=2e-4)
        windows, count = ast.literal_eval(due["window_energy_uJ"]), float(due["inferences_per_window"])
        assert result.energy_mean_x_duration_j * 1e6 == pytest.approx(sorted(windows)[2], rel=1e-9)
        if due["recomputed_median_uJ_per_inf"]:
            traced = result.integral_energy_j * 1e6 / count
            assert traced == pytest.approx(float(due["recomputed_median_uJ_per_inf"]), rel=2e-4)
        assert result.failed() == []
        assert (result.unit_of_work, result.boundary) == ("inference", "node_dc")


def test_training_energy(results):
    for path, due in expected("EXPECTED_training.csv").items():
        result = results[path]
        assert result.energy_mean_x_duration_j == pytest.approx(float(due["energy_j"]), rel=1e-6)
        assert result.time_to_train_s == pytest.approx(float(due["time_to_train_s"]), rel=1e-6)
        assert result.avg_power_w == pytest.approx(float(due["avg_w"]), rel=1e-6)
        assert (result.run, result.boundary, result.olympic_mean_energy_j) == ("result_0", "node_dc", None)
        assert "no olympic mean: 1 run" in result.notes[0]
    lenovo = next(result for path, result in results.items() if "training_v5.0" in path)
    assert lenovo.wall_energy_j == pytest.approx(2128036.7, abs=0.05)  # method, rule 3: 2000354.5 J over 0.94
    dell = next(result for path, result in results.items() if "training_v4.1" in path)
    assert "sw_0.txt holds 310 readings" in said(dell)
    assert "MLCommons' figure counts nothing for it" in said(dell)


@pytest.mark.parametrize("below", ["", "performance", "performance/run_1", "performance/run_1/spl.txt", "performance/ranging",
                                   "performance/ranging/spl.txt", "performance/power/client.json", "measurements"])
def test_any_part_of_a_result_leads_to_it(below):
    path = "v4.1/UntetherAI/h13_u3_slim/resnet50/multistream"
    result = one(SAMPLES / path / below)
    assert (result.path, result.n_samples) == (path, 600)
    assert result.source_text() == "MLPerf Inference v4.1, closed, UntetherAI, h13_u3_slim, resnet50, MultiStream"
    assert list(result.files)[:3] == ["performance/run_1/spl.txt", "performance/run_1/mlperf_log_detail.txt",
                                      "systems/h13_u3_slim.json"]


@pytest.mark.skipif(not COMPUTED.is_file(), reason="the table of computed results is not here")
def test_copies_of_all_closed_runs():
    # README of the samples: 168 of the 1055 closed raw runs are copies
    with COMPUTED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = ("round", "submitter", "system", "benchmark", "scenario", "effective_scenario", "power_begin", "power_end")
    made = [MlperfResult(path=str(i), **{name: row[name] for name in names}, duration_s=1.0, avg_power_w=1.0, power_metric=1.0,
                         power_unit="W", energy_mean_x_duration_j=1.0, unit_of_work="sample") for i, row in enumerate(rows)]
    copies = [result for result in mark_copies(made) if result.copy_of is not None]
    assert (len(rows), len(copies)) == (1055, 168)
