"""Results in trees of folders."""

import json
import os
from pathlib import Path

import pytest

from joulebook.errors import InputError
from joulebook.intake.mlperf import as_rows, find_results
from joulebook.intake.mlperf.places import place_of
from tests.intake.mlperf.made import one, problems_of, row, run, tiny, training


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


def test_all_suites_are_found_in_one_tree(tmp_path):
    tiny(tmp_path / "tiny_v1.0" / "Acme" / "board" / "ad")
    training(tmp_path / "training_v5.0" / "Acme" / "box" / "bert")
    run(tmp_path / "v4.1" / "closed" / "Acme" / "box" / "bert-99" / "Offline" / "performance" / "run_1")
    other = tmp_path / "other" / "power"
    other.mkdir(parents=True)
    (other / "ptd_logs.txt").write_text("Go with mark 'x_testing'", encoding="utf-8")
    (run(tmp_path / "plain" / "Offline" / "performance" / "run_1") / "spl.txt").unlink()
    results, skipped, problems = find_results([tmp_path])
    assert problems == []
    assert [(result.suite, result.round, result.benchmark, result.path) for result in results] == [
        ("tiny", "v1.0", "ad", "tiny_v1.0/Acme/board/ad"), ("training", "v5.0", "bert", "training_v5.0/Acme/box/bert"),
        ("inference", "v4.1", "bert-99", "v4.1/closed/Acme/box/bert-99/Offline")]
    assert {Path(item.folder).relative_to(tmp_path).as_posix(): item.reason for item in skipped} == {
        "other/power": "power files of a kind that is not read",
        "plain/Offline/performance/run_1": "no spl.txt: a run without power"}


@pytest.mark.parametrize("part", ["", "energy", "energy/results.txt"])
def test_any_part_of_a_tiny_result_leads_to_it(tmp_path, part):
    result = one(tiny(tmp_path / "tiny_v1.0" / "Acme" / "board" / "ad") / part)
    assert (result.suite, result.path) == ("tiny", "tiny_v1.0/Acme/board/ad")


@pytest.mark.parametrize("part", ["", "power", "power/result_0", "power/result_0/node_0.txt", "result_0.txt"])
def test_any_part_of_a_training_result_leads_to_it(tmp_path, part):
    result = one(training(tmp_path / "training_v5.0" / "Acme" / "box" / "bert") / part)
    assert (result.suite, result.path, result.run) == ("training", "training_v5.0/Acme/box/bert", "result_0")


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
    assert "systems/box.json" in result.files
