"""An archived run executed again: what differs is named with its cause, and nothing in the folder changes.

The small workbook: power is 1000 W times pue, requests are the rows of a file, so that pue 1.2 and two rows give 1200 and 2.
"""

import hashlib
import json
import shutil

import nbformat
import pytest

from joulebook.errors import InputError
from joulebook.publish.outcome import require_all
from joulebook.publish.run import run_client, runs_of
from joulebook.publish.verify import Difference, Verification, verification_lines, verify_run

from .conftest import make_workbook, notebook, show

NAME = "Acme [bold]x[/bold] :house:"
CELL = "pue = 1.5\nrequests_csv = None\nlabels = {}\nprovenance = {}"
ROW = "requests_csv,topic,file,csv,,,no,,,,Requests,Requests,client\n"
CODE = """\
from pathlib import Path
from IPython.display import display
def emit(kind, data, face):
    display({"text/html": face, "text/plain": kind}, raw=True, metadata={"joulebook": {"kind": kind, "data": data}})
records = [{"name": name, **record} for name, record in provenance.items()]
emit("inputs", {"records": records, "labels": labels, "words": {}, "parameters": []}, "inputs")
def result(name, value, unit):
    sides = {"value": value, "unit": unit, "low": value * 0.9, "high": value * 1.1, "evidence": "assumed"}
    return {"name": name, "title": name, **sides, "labels": labels, "note": ""}
"""
RESULTS = """\
rows = len(Path(requests_csv).read_text().split()) - 1
emit("results", [result("power_w", 1000 * pue, "W"), result("requests", rows, "1")], f"{1000 * pue} W")
emit("table", {"name": "curve", "columns": [["load", "1"], ["power_w", "W"]], "rows": [[0, 0.0], [1, 1000 * pue]]}, "curve")
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A small workbook and a run of it, in a folder with spaces in its name."""
    root = tmp_path_factory.mktemp("made")
    book = make_workbook(root / "workbook", rows=ROW, topic=notebook(CODE, RESULTS, parameters=CELL))
    folder = root / "acme & sons"
    folder.mkdir()
    text = f"client: {json.dumps(NAME)}\nprepared: 2026-11-30\ncurrency: EUR\ninputs:\n  pue: 1.2\n  requests_csv: my log.csv\n"
    (folder / "client.yml").write_text(text, encoding="utf-8")
    (folder / "my log.csv").write_text("start,end,ok,input_tokens,output_tokens\n0,1,true,9,2\n1,2,true,11,3\n", encoding="utf-8")
    run = run_client(runs_of([folder], workbook=book)[0], root / "runs", book)
    require_all([run])
    return book, run.folder


@pytest.fixture
def run(made, tmp_path, monkeypatch):
    """A copy of that run to do harm to; the workbook is the one that commands take."""
    monkeypatch.setattr("joulebook.publish.verify.Workbook", lambda: made[0])
    return shutil.copytree(made[1], tmp_path / made[1].name)


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def change(path, before, after):
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def change_notebook(path, value):
    """Change the power that an executed notebook says."""
    executed = nbformat.read(path, as_version=4)
    for cell in executed.cells:
        for output in cell.get("outputs", []):
            piece = output.get("metadata", {}).get("joulebook", {})
            if piece.get("kind") == "results":
                piece["data"][0]["value"] = value
    nbformat.write(executed, path)


def rename_record(run, name, value):
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    (run / "run.json").write_text(json.dumps({**record, name: value}), encoding="utf-8")


def test_a_run_records_its_own_files(made):
    record = json.loads((made[1] / "run.json").read_text(encoding="utf-8"))
    names = ("inputs/requests_csv.csv", "register.csv", "topic.ipynb")
    assert record["holds"] == {name: hashlib.sha256((made[1] / name).read_bytes()).hexdigest() for name in names}


def test_nothing_differs_and_nothing_is_changed(joulebook, run):
    before = contents(run)
    code, said, err = joulebook("verify", run)
    assert (code, err) == (0, "")
    assert said == f"{NAME}: 1 topic executed again, nothing differs\n"
    assert contents(run) == before
    assert sorted(path.name for path in run.parent.iterdir()) == [run.name]


def test_a_value_changed_in_the_notebook(joulebook, run):
    change_notebook(run / "topic.ipynb", 1500.0)
    before = contents(run)
    code, said, _ = joulebook("verify", run)
    assert code == 1
    assert "topic.ipynb was changed" in said
    assert "topic.power_w: 1,200 in results.json, 1,500 in the executed notebook" in said
    assert "results that differ" not in said  # results.json is what the inputs give
    assert contents(run) == before


def test_a_value_changed_in_results_json(run):
    change(run / "results.json", '"value": 1200.0', '"value": 1500.0')
    found = verify_run(run)
    # (1200 - 1500) / 1500
    assert [(item.where, item.archived, item.now, item.relative) for item in found.moved] == [("topic.power_w", 1500, 1200, -0.2)]
    assert found.tampered == ["topic.power_w: 1,500 in results.json, 1,200 in the executed notebook"]
    assert "  topic.power_w: 1,500 then, 1,200 now (relative −0.2)" in verification_lines(found)


def test_a_file_changed_among_the_inputs(run):
    with (run / "inputs" / "requests_csv.csv").open("a", encoding="utf-8") as file:
        file.write("2,3,true,1,1\n")
    found = verify_run(run)
    # three rows in place of two
    assert [(item.where, item.archived, item.now) for item in found.moved if item.what == "value"] == [("topic.requests", 2, 3)]
    assert found.tampered == ["inputs/requests_csv.csv was changed"]
    assert found.exit_code == 1


def test_a_file_changed_with_its_digest(run):
    path = run / "inputs" / "requests_csv.csv"
    path.write_text(path.read_text(encoding="utf-8") + "2,3,true,1,1\n", encoding="utf-8")
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    rename_record(run, "holds", {**record["holds"], "inputs/requests_csv.csv": digest})
    (run / "inputs" / "more.csv").write_text("", encoding="utf-8")
    tampered = verify_run(run).tampered
    assert tampered == ["inputs/more.csv was added", "inputs/requests_csv.csv is none of the files that the run was made of"]


def test_an_input_changed(run):
    change(run / "inputs.json", '"value": 1.2', '"value": 1.5')
    rename_record(run, "currency", "USD")
    found = verify_run(run)
    values = {item.where: (item.archived, item.now, item.relative) for item in found.moved if item.what == "value"}
    # 1000 * 1.2 and 1000 * 1.5
    assert values == {"topic.power_w": (1200, 1500, 0.25), "topic.curve[2].power_w": (1200, 1500, 0.25)}
    assert "inputs.json was changed" in found.tampered
    assert "topic.pue: 1.5 in inputs.json, 1.2 in the executed notebook" in found.tampered
    assert "currency differs between run.json and inputs.json" in found.tampered


def test_a_notebook_and_versions_that_changed_since(made, run, monkeypatch, tmp_path):
    code = RESULTS.replace("1000 * pue", "1100 * pue")
    newer = make_workbook(tmp_path / "newer", rows=ROW, topic=notebook(CODE, code, parameters=CELL))
    monkeypatch.setattr("joulebook.publish.depends.versions", lambda: {"python": "3.11.0", "numpy": "1.0", "joulebook": "0"})
    rename_record(run, "made_of", {**json.loads((run / "run.json").read_text())["made_of"], "code": "of another day"})
    found = verify_run(run, newer)
    moved = {item.where: item.now for item in found.moved if item.what == "value"}
    assert moved == pytest.approx({"topic.power_w": 1320, "topic.curve[2].power_w": 1320})  # 1100 * 1.2
    assert found.changed == ["notebook of topic", "code of the workbook"]
    versions = {item.where: item.now for item in found.versions}
    assert (versions["numpy"], versions["scipy"]) == ("1.0", None)
    assert found.tampered == []
    assert found.exit_code == 1
    lines = verification_lines(found)
    assert any(line.startswith("  numpy: ") and line.endswith(" then, 1.0 now") for line in lines)
    assert any(line.startswith("  scipy: ") and line.endswith(" then, not there now") for line in lines)


def test_what_looks_different_but_is_the_same_number(run, tmp_path):
    code = RESULTS.replace('} W")', '} watts")')
    code = code.replace("1000 * pue", "1000 * pue * (1 + 1e-12)").replace('"requests", rows', '"requests", rows + 0.0')
    newer = make_workbook(tmp_path / "newer", rows=ROW, topic=notebook(CODE, code, parameters=CELL))
    found = verify_run(run, newer)
    assert (found.moved, found.exit_code) == ([], 0)
    assert found.pieces == ["topic: face of piece 2 (results)"]
    assert found.changed == ["notebook of topic"]
    assert "1 topic executed again, the results are those that were archived" in verification_lines(found)[0]


def test_results_that_moved_for_no_reason_that_is_known():
    moved = Difference("topic.power_w", 1000.0, 1001.0)
    lines = verification_lines(Verification("Acme", ("topic",), moved=[moved], not_done=["other"]))
    assert lines[-1].startswith("no cause found")
    assert "  topic.power_w: 1,000 then, 1,001 now (relative +0.001)" in lines  # 1/1000
    assert lines[lines.index("failed in the run, not executed again (1)") + 1] == "  other"
    noted = Verification("Acme", ("topic",), moved=[Difference("topic.power_w", "needs pue", "needs the pue", "note")])
    assert noted.exit_code == 0  # words alone


def test_a_result_is_one_line_however_many_of_its_numbers_differ():
    cells = [Difference(f"topic.curve[{row}].power_w", 2.0, 1.0) for row in range(1, 4)]
    lines = verification_lines(Verification("Acme", ("topic",), moved=[*cells, Difference("topic.power_w", 2.0, 1.0, "low")]))
    assert lines[1:4] == [
        "results that differ (2)",
        "  topic.curve[1].power_w: 2 then, 1 now (relative −0.5); 2 more of its numbers",
        "  topic.power_w, low: 2 then, 1 now (relative −0.5)",
    ]


def test_topics_that_cannot_be_executed_again(run, tmp_path):
    gone = make_workbook(tmp_path / "gone", other=notebook(show("pue")))
    found = verify_run(run, gone)
    assert (found.failed, found.exit_code) == ({"topic": "topic: not in the workbook of today"}, 1)
    without = make_workbook(tmp_path / "without", topic=notebook(show("pue")))
    assert verify_run(run, without).failed == {"topic": "topic: no longer takes requests_csv"}
    raises = make_workbook(tmp_path / "raises", rows=ROW, topic=notebook("1 / 0", parameters=CELL))
    assert "ZeroDivisionError" in verify_run(run, raises).failed["topic"]
    lines = verification_lines(Verification("Acme", ("topic",), failed={"topic": "topic: one problem\nx: another \x1b"}))
    assert lines == [
        "Acme: 1 topic executed again, not as archived",
        "could not be executed again (1)",
        "  topic: one problem",
        "    x: another [U+001B]",
    ]


DAMAGE = {
    "no run.json": (lambda run: (run / "run.json").unlink(), "no run folder"),
    "cut short": (lambda run: (run / "run.json").write_text('{"client": '), "run.json: damaged: cannot be read as JSON"),
    "a list": (lambda run: (run / "run.json").write_text("[]"), "run.json: damaged"),
    "made earlier": (lambda run: rename_record(run, "holds", None), "run.json: holds: damaged"),
    "another label": (lambda run: rename_record(run, "labels", {"colour": "red"}), "run.json: labels.colour"),
    "no inputs.json": (lambda run: (run / "inputs.json").unlink(), "inputs.json: missing from the run"),
    "no number": (lambda run: change(run / "results.json", "1200.0", "NaN"), "results.json: damaged"),
    "a text": (lambda run: change(run / "inputs.json", '"given": true', '"given": "yes"'), "inputs.json: topics.topic.pue.given"),
    "no notebook": (lambda run: (run / "topic.ipynb").unlink(), "topic.ipynb: missing from the run"),
    "an empty notebook": (lambda run: (run / "topic.ipynb").write_text("{}"), "topic.ipynb: damaged"),
    "no file": (lambda run: (run / "inputs" / "requests_csv.csv").unlink(), "inputs/requests_csv.csv: missing from the run"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_run_is_refused(joulebook, run, name):
    harm, said = DAMAGE[name]
    harm(run)
    code, out, err = joulebook("verify", run)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_all_damage_is_named_at_once(run):
    (run / "inputs.json").unlink()
    (run / "topic.ipynb").unlink()
    with pytest.raises(InputError) as caught:
        verify_run(run)
    assert len(caught.value.problems) == 2
