"""Reference notebooks: nbval compares their faces; here their data, and that they are all there."""

import math
import os
import subprocess
import sys

import nbformat
import pytest

from joulebook.publish.collect import collect, refresh
from joulebook.publish.execute import START_TIMEOUT_S
from joulebook.publish.outputs import example_clients
from joulebook.publish.reference import EXAMPLES, REFERENCE, make_reference
from joulebook.workbook import ROOT, Workbook

NOTEBOOKS = sorted(REFERENCE.glob("*/*.ipynb"))


def not_executed(notebook):
    """Why a notebook is no reference: a comparison with it would never happen (V03)."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if not code or not any(cell.outputs for cell in code):
        return "no stored outputs"
    return "a cell was not executed" if any(cell.execution_count is None for cell in code) else ""


def differences(reference, made, place=""):
    """Places where data differ by more than 1e-9 of the value."""
    if isinstance(reference, dict) and isinstance(made, dict) and reference.keys() == made.keys():
        return [found for key in reference for found in differences(reference[key], made[key], f"{place}.{key}")]
    if isinstance(reference, list) and isinstance(made, list) and len(reference) == len(made):
        return [
            found for at, pair in enumerate(zip(reference, made, strict=True)) for found in differences(*pair, f"{place}[{at}]")
        ]
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (reference, made))
    same = math.isclose(reference, made, rel_tol=1e-9) if numbers else reference == made
    return [] if same else [f"{place}: {reference!r}, now {made!r}"]


@pytest.fixture(scope="module")
def remade(tmp_path_factory):
    target = tmp_path_factory.mktemp("made") / "reference"
    make_reference(target)
    return target


def test_there_is_a_reference_for_each_topic_on_its_examples_and_each_example_client():
    topics = set(Workbook().topics)
    assert {path.stem for path in NOTEBOOKS if path.parent.name == EXAMPLES} == topics
    assert {path.parent.name for path in NOTEBOOKS} == {EXAMPLES, *(folder.name for folder in example_clients())}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_references_are_executed(path):
    assert not not_executed(nbformat.read(path, as_version=4))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_data_are_those_of_the_reference(path, remade):
    reference, made = collect(path), collect(remade / path.relative_to(REFERENCE))
    pieces = [[(kind, data) for kind, data, _ in content.pieces] for content in (reference, made)]
    assert [kind for kind, _ in pieces[0]] == [kind for kind, _ in pieces[1]]
    assert not [found for one, other in zip(*pieces, strict=True) for found in differences(one[1], other[1], one[0])]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_is_not_available_says_why(path):
    for name, record in collect(path).results.items():
        if record.get("value", 0) is None or not record.get("rows", True):
            assert record["note"].strip(), name
            assert not {"None", "nan", "inf"} & set(record["note"].replace(",", " ").split()), name


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_face_is_made_again_from_what_the_notebook_holds(path):
    # A sentence may name a result of another topic, that the page shows nowhere else.
    notebook = nbformat.read(path, as_version=4)
    faces = [output.data.get("text/html") for cell in notebook.cells for output in cell.get("outputs", [])]
    refresh(notebook)
    assert [output.data.get("text/html") for cell in notebook.cells for output in cell.get("outputs", [])] == faces


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_references_hold_no_path_of_a_machine(path):
    text = path.read_text(encoding="utf-8")
    assert str(ROOT) not in text
    assert "site-packages" not in text


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_cell_ends_in_a_value_by_accident(path):
    # V07: the text of a figure's last call differs from machine to machine
    cells = nbformat.read(path, as_version=4).cells
    assert not [output for cell in cells for output in cell.get("outputs", []) if output.output_type == "execute_result"]


@pytest.mark.parametrize(
    ("source", "stored", "passes"),
    [
        ("import sys; print('a'); print('b', file=sys.stderr); print('c')", "a\nc\n", True),  # V02
        ("print('a')", "b\n", False),
        ("print(41)", None, True),  # V03: a comparison that never happened passes; `not_executed` refuses it
    ],
)
def test_what_nbval_compares(tmp_path, source, stored, passes):
    outputs = [nbformat.v4.new_output("stream", text=stored)] if stored else []
    cell = nbformat.v4.new_code_cell(source, execution_count=1 if stored else None, outputs=outputs)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "note.ipynb")
    done = nbval(tmp_path)
    assert (done.returncode == 0) == passes, done.stdout


def test_a_notebook_without_outputs_is_refused():
    cell = nbformat.v4.new_code_cell("print(41)")
    assert not_executed(nbformat.v4.new_notebook(cells=[cell])) == "no stored outputs"
    done = nbformat.v4.new_code_cell("1", execution_count=1, outputs=[nbformat.v4.new_output("stream", text="1")])
    assert not_executed(nbformat.v4.new_notebook(cells=[cell, done])) == "a cell was not executed"


def nbval(folder, *words):
    """nbval with the project's rules, in a process of its own."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "tests.nbval_rules", "-c", os.devnull]
    command += ["--rootdir", folder, "--nbval", "--nbval-current-env", *words, folder]
    return subprocess.run([*map(str, command)], cwd=ROOT, capture_output=True, text=True, check=False)


def note(folder, *sources):
    """A notebook without stored outputs."""
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / "note.ipynb")


def test_output_that_comes_late_passes(tmp_path):
    # V04: nbval waits 5 s for the output of a cell that has ended, whatever its limit is; here the kernel's output thread is busy
    busy = "import time; get_ipython().kernel.iopub_thread.schedule(lambda: time.sleep(6))"
    note(tmp_path, f"{busy}\nprint('late')", "1")
    done = nbval(tmp_path)
    assert done.returncode == 0, done.stdout


def test_limits_are_set_in_one_place(request):
    # V05: nbval's own limit of 60 s for a kernel to start is not that of a run
    assert request.config.option.nbval_kernel_startup_timeout == START_TIMEOUT_S


def test_cells_after_one_that_hangs_are_not_run(tmp_path):
    # V06: nbval alone interrupts the cell, and runs the later ones on half of the state
    left = tmp_path / "left"
    note(tmp_path, "x = 1", "while True: pass", f"open({str(left)!r}, 'w').write('ran')", "x")
    done = nbval(tmp_path, "--nbval-cell-timeout", "1", "-rs")
    assert "1 failed, 1 passed, 2 skipped" in done.stdout, done.stdout
    assert "Timeout of 1 seconds exceeded" in done.stdout
    assert not left.exists()


def test_differences_are_found():
    one = {"a": [1.0, None, "x"], "b": 2.0}
    assert not differences(one, {"a": [1.0 + 1e-12, None, "x"], "b": 2.0})
    assert differences(one, {"a": [1.0 + 1e-8, None, "x"], "b": 2.0}) == [".a[0]: 1.0, now 1.00000001"]
    assert differences(one, {"a": [1.0, 0, "x"], "b": 2.0})
    assert differences(one, {"a": [1.0, None], "b": 2.0})
