"""Results as one table: rows, CSV, Parquet, copies, the command line."""

import csv
import io
import json

import pyarrow.parquet
import pytest

from joulebook.intake.mlperf import COLUMNS, as_rows, csv_text, find_results, parquet_bytes, records
from tests.intake.mlperf.made import one, row, run, submission, tiny, training


def test_rows_are_plain_and_csv_runs_no_formula(tmp_path):
    run(tmp_path / "v4.1" / "closed" / "=HYPERLINK(1)" / "-5" / "bert-99" / "Offline", result_samples_per_second=900.0)
    result = one(tmp_path)
    (plain,) = json.loads(json.dumps(as_rows([result])))
    assert list(plain)[:len(COLUMNS)] == list(COLUMNS)
    assert all(name.startswith("rule") or name in ("failed_rules", "validity_report") for name in list(plain)[len(COLUMNS):])
    assert (plain["submitter"], plain["system"], plain["perf"], plain["notes"]) == ("=HYPERLINK(1)", "-5", 900.0, "")
    (line,) = csv.DictReader(csv_text([result]).splitlines())
    assert (line["submitter"], line["system"], line["perf"], line["result_query_count"]) == ("'=HYPERLINK(1)", "'-5", "900.0", "")
    assert float(line["avg_power_w"]) == result.avg_power_w


@pytest.fixture
def tree(tmp_path):
    """A result of each suite, one of them twice."""
    place = tmp_path / "v4.1" / "closed" / "Acme" / "box"
    submission(place / "bert-99.9" / "Offline")
    submission(place / "bert-99" / "Offline")
    tiny(tmp_path / "tiny_v1.0" / "Acme" / "board" / "ad")
    training(tmp_path / "training_v5.0" / "Acme" / "box" / "bert")
    return tmp_path


def test_a_tree_is_one_table(tree):
    results, skipped, problems = find_results([tree])
    assert (skipped, problems) == ([], [])
    rows = as_rows(results)
    assert [row["suite"] for row in rows] == ["tiny", "training", "inference", "inference"]
    assert len({tuple(row) for row in rows}) == 1  # the same columns in every row
    inference, bert = rows[2], rows[1]
    assert (inference["rules_passed"], inference["rules_failed"], inference["rules_not_determinable"]) == (23, 0, 1)
    assert (inference["rule_gaps"], bert["rule_gaps"], bert["rule_training_sampling"]) == ("pass", None, "pass")
    assert "pass: gaps: longest gap 1.000 s" in inference["validity_report"]


def test_parquet_has_a_type_for_each_column(tree):
    results, _, _ = find_results([tree])
    table = pyarrow.parquet.read_table(io.BytesIO(parquet_bytes(results)))
    assert table.column_names == list(as_rows(results)[0])
    kinds = {name: str(table.schema.field(name).type) for name in table.column_names}
    due = {"avg_power_w": "double", "n_samples": "int64", "path": "string", "copy_of": "string", "latency_ms": "double",
           "rules_failed": "int64"}
    assert {name: kinds[name] for name in due} == due
    assert table.column("avg_power_w").to_pylist() == [result.avg_power_w for result in results]
    empty = pyarrow.parquet.read_table(io.BytesIO(parquet_bytes([])))
    assert (empty.num_rows, empty.column_names) == (0, list(COLUMNS))


def test_json_has_each_rule_with_its_number_and_limit(tree):
    results, _, _ = find_results([tree])
    (gaps,) = [rule for rule in records(results)[2]["rules"] if rule["rule"] == "gaps"]
    assert gaps == {"rule": "gaps", "status": "pass", "measured": 1.0, "limit": 3.0, "unit": "s", "warning": False,
                    "words": gaps["words"]}
    json.dumps(records(results), allow_nan=False)


def test_a_result_submitted_for_two_targets_is_one_run(tree):
    results = {result.path: result.copy_of for result in find_results([tree], validity=False)[0] if result.suite == "inference"}
    assert results == {"v4.1/closed/Acme/box/bert-99.9/Offline": None,
                       "v4.1/closed/Acme/box/bert-99/Offline": "v4.1/closed/Acme/box/bert-99.9/Offline"}


def test_an_inferred_scenario_is_a_copy_of_the_one_that_was_run(tmp_path):
    keys = {"effective_scenario": "SingleStream", "result_query_count": 1200, "loadgen_version": "4.1 @ 0"}
    for place in ("MultiStream", "SingleStream"):
        run(tmp_path / "resnet50" / place / "performance" / "run_1", **keys)
    multi, single = find_results([tmp_path])[0]
    assert (single.copy_of, multi.copy_of) == (None, single.path)  # no names of folders: the same figures to the last digit
    other = run(tmp_path / "other" / "SingleStream", [row(second, "61.000000") for second in range(62)], **keys)
    assert find_results([tmp_path / "resnet50", other])[0][-1].copy_of is None  # the same window, another power


def test_the_command_line(tree, tmp_path, joulebook):
    code, out, err = joulebook("mlperf", tree, "--csv", "--no-validity")
    lines = list(csv.DictReader(io.StringIO(out)))
    assert (code, err, len(lines)) == (0, "", 4)
    assert "validity_report" not in lines[0]
    code, out, _ = joulebook("mlperf", tree, "--json")
    assert (code, len(json.loads(out))) == (0, 4)
    code, _, _ = joulebook("mlperf", tree, "--parquet", tmp_path / "table.parquet")
    assert (code, pyarrow.parquet.read_table(tmp_path / "table.parquet").num_rows) == (0, 4)


def test_the_text_of_results_is_short(tree, joulebook):
    code, out, err = joulebook("mlperf", tree)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == "tiny_v1.0/Acme/board/ad"
    assert "    10.5 uJ/inf., median of 5 windows, 0.363636 inf./s" in lines
    assert "    72000 J at node_dc in 80 s to train, 80000 J at the wall" in lines
    assert "    a copy of v4.1/closed/Acme/box/bert-99.9/Offline" in lines
    inference = lines[lines.index("v4.1/closed/Acme/box/bert-99.9/Offline"):]
    assert inference[1] == "    60 W on average, 600 s, 15 per J"
    assert inference[2].startswith("    36000 J (MLCommons), 36000 J (integral, ")
    assert [line for line in inference if line.startswith("    not determinable: whole_system: ")]
    assert [line for line in inference if line.startswith("    pass: phase_difference, load_inside_testing, ")]
    assert len(lines) < 45


@pytest.mark.parametrize(("words", "said"), [
    (("--json", "--csv"), "--json and --csv exclude each other"), (("--csv", "--parquet", "x"), "--csv and --parquet exclude"),
    (("--meter-clock", "noon"), "allowed: logged or local")])
def test_options_that_do_not_fit(tree, joulebook, words, said):
    code, _, err = joulebook("mlperf", tree, *words)
    assert (code, said in err) == (2, True)


def test_a_broken_result_is_named_after_the_others(tree, joulebook):
    (tree / "v4.1" / "closed" / "Acme" / "box" / "bert-99" / "Offline" / "performance" / "run_1" / "spl.txt").write_text("x")
    code, out, err = joulebook("mlperf", tree, "--csv")
    assert (code, len(list(csv.DictReader(io.StringIO(out))))) == (2, 3)
    assert "spl.txt: no row starts with Time" in err
    assert "Traceback" not in err


def test_hostile_names_are_printed_as_they_are(tmp_path, joulebook):
    run(tmp_path / "v4.1" / "closed" / "[red]Acme[" / "[link=x]box" / "bert-99" / "Offline")
    code, out, _ = joulebook("mlperf", tmp_path)
    assert (code, out.splitlines()[0]) == (0, "v4.1/closed/[red]Acme[/[link=x]box/bert-99/Offline")
