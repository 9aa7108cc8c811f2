"""Execution of a client's topics: what is refused beforehand, what a failure leaves, what a run holds.

Cases M05 to M09, M17 and V02 were met by users of papermill and nbval; each is run here on a small notebook.
"""

import json
import signal
import subprocess
import sys

import nbformat
import pytest

from joulebook.errors import InputError, RunError
from joulebook.publish import execute
from joulebook.publish.archive import read_record
from joulebook.publish.current import says_what_it_holds
from joulebook.publish.depends import code
from joulebook.publish.files import folder_whole, write_whole
from joulebook.publish.outcome import require_all
from joulebook.publish.run import run_client, runs_of
from joulebook.workbook import ROOT

from .conftest import notebook, show


def printed(path):
    cells = nbformat.read(path, as_version=4).cells
    return [
        output.text for cell in cells if cell.cell_type == "code" for output in cell.outputs if output.output_type == "stream"
    ]


def run(workbook, folder, out, *settings):
    (client,) = runs_of([folder], settings, workbook=workbook)
    return run_client(client, out, workbook)


def test_a_tagged_parameter_reaches_the_notebook(workbook, client_folder, tmp_path):
    # M05, M07: 100 * 1.2 in a later cell
    made = run(workbook(topic=notebook(show("round(100 * pue, 6)"))), client_folder(), tmp_path / "runs")
    assert printed(made.folder / "topic.ipynb") == ["120.0\n"]


def test_a_notebook_without_the_tag_is_refused_before_it_runs(workbook, client_folder, tmp_path):
    # M05: plain papermill prints 150.0
    made = run(workbook(topic=notebook(show("100 * pue"), tags=())), client_folder(), tmp_path / "runs")
    assert "0 cells tagged parameters" in made.failed["topic"]
    assert not (made.folder / "topic.ipynb").exists()


def test_a_misspelt_parameter_is_refused_before_it_runs(workbook, client_folder, tmp_path):
    # M06: plain papermill warns and prints 150.0
    with pytest.raises(InputError, match=r"pue_value: no such parameter.*did you mean pue"):
        run(workbook(topic=notebook(show("100 * pue"))), client_folder(inputs="pue_value: 1.2"), tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_papermill_never_sees_a_name_that_is_code(workbook, client_folder, tmp_path):
    folder = client_folder(inputs='pue: 1.2\n"pue = 1; import os": 1')
    with pytest.raises(InputError, match=r"pue = 1; import os: no such parameter"):
        run(workbook(topic=notebook(show("pue"))), folder, tmp_path / "runs")
    with pytest.raises(InputError, match="unknown parameter"):
        execute.check_parameters(notebook(), None, ["pue = 1; import os"])


def test_values_derived_in_the_parameters_cell_are_refused(workbook, client_folder, tmp_path):
    # M07: they would keep the default
    cell = "pue = 1.5\nlabels = {}\nprovenance = {}\nfacility_kwh = 100 * pue"
    made = run(workbook(topic=notebook(show("facility_kwh"), parameters=cell)), client_folder(), tmp_path / "runs")
    assert "plain literals only" in made.failed["topic"]
    assert "facility_kwh = 100 * pue" in made.failed["topic"]


def test_a_parameters_cell_that_differs_from_the_dictionary_is_refused(workbook, client_folder, tmp_path):
    cell = "peu = 1.5\nlabels = {}\nprovenance = {}"
    made = run(workbook(topic=notebook(show("1"), parameters=cell)), client_folder(), tmp_path / "runs")
    assert "pue: in the dictionary but not in the parameters cell" in made.failed["topic"]
    assert "peu: in the parameters cell but not in the dictionary; did you mean pue?" in made.failed["topic"]


def test_the_kernel_name_of_an_author_does_not_matter(workbook, client_folder, tmp_path):
    # M08
    made = run(workbook(topic=notebook(show("1"), kernel="client-a-venv")), client_folder(), tmp_path / "runs")
    assert printed(made.folder / "topic.ipynb") == ["1\n"]


def test_failures_are_named_the_others_finish_and_nothing_is_half_there(workbook, client_folder, tmp_path):
    # M09, M17: a cell that raises, a kernel that dies, and a topic that works
    book = workbook(
        raises=notebook("print('before')", "print(12 / 0)", "print('after')"),
        dies=notebook("import os, signal; os.kill(os.getpid(), signal.SIGKILL)"),
        works=notebook(show("7")),
    )
    made = run(book, client_folder(), tmp_path / "runs")
    assert made.done == ("works",)
    assert "raises: cell" in made.failed["raises"]
    assert "ZeroDivisionError: division by zero" in made.failed["raises"]
    assert "kernel died" in made.failed["dies"]
    with pytest.raises(RunError, match="Acme: raises"):
        require_all([made])
    assert sorted(path.name for path in made.folder.iterdir()) == [
        "failed",
        "inputs",
        "inputs.json",
        "register.csv",
        "results.json",
        "run.json",
        "works.ipynb",
    ]
    # the notebook that failed is kept aside: three cells ran, the last did not
    aside = nbformat.read(made.folder / "failed" / "raises.ipynb", as_version=4)
    assert "before\n" in [output.get("text") for cell in aside.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not any("after" in str(cell.get("outputs", "")) for cell in aside.cells)
    assert list(json.loads((made.folder / "results.json").read_text())["topics"]) == ["works"]


def test_the_error_stream_is_no_result_but_is_said(workbook, client_folder, tmp_path):
    # V02
    cell = "import sys, warnings\nprint('a'); print('b', file=sys.stderr); print('c'); warnings.warn('x', FutureWarning)"
    made = run(workbook(topic=notebook(show("0"), cell)), client_folder(), tmp_path / "runs")
    assert "".join(printed(made.folder / "topic.ipynb")) == "0\na\nc\n"
    assert "FutureWarning" in made.warnings["topic"]


def test_same_inputs_same_bytes_and_no_path_of_this_machine(workbook, client_folder, tmp_path):
    book, folder = workbook(topic=notebook(show("pue"))), client_folder()
    first, second = (run(book, folder, tmp_path / name).folder for name in ("one", "two"))
    for name in ("topic.ipynb", "inputs.json", "results.json", "run.json"):
        content = (first / name).read_bytes()
        assert content == (second / name).read_bytes(), name
        assert str(tmp_path).encode() not in content, name


def test_client_text_reaches_a_notebook_as_it_is(workbook, client_folder, tmp_path):
    text = 'quotes " and \' $5 #read("x") <b> {{ \\ ** \\n é 株'
    folder = client_folder(inputs=f"pue: {{value: 1.2, source: {json.dumps(text)}}}")
    made = run(workbook(topic=notebook(show("provenance['pue']['source']"))), folder, tmp_path / "runs")
    assert printed(made.folder / "topic.ipynb") == [text + "\n"]
    assert json.loads((made.folder / "inputs.json").read_text(encoding="utf-8"))["topics"]["topic"]["pue"]["source"] == text


def test_two_folders_of_one_name_do_not_share_a_run(workbook, client_folder, tmp_path):
    book, first = workbook(topic=notebook(show("1"))), client_folder()
    other = tmp_path / "elsewhere" / "acme"
    other.mkdir(parents=True)
    (other / "client.yml").write_text((first / "client.yml").read_text())
    with pytest.raises(InputError, match="would share one run folder"):
        runs_of([first, other], workbook=book)


def test_problems_of_all_clients_are_named_at_once(workbook, client_folder):
    book = workbook(topic=notebook(show("1")))
    one, two = client_folder("one", "peu: 1.2"), client_folder("two", "pue: 0.5")
    with pytest.raises(InputError) as caught:
        runs_of([one, two], workbook=book)
    assert "one/client.yml" in str(caught.value)
    assert "two/client.yml" in str(caught.value)


def test_a_file_that_cannot_be_written_leaves_what_was_there(tmp_path):
    place = tmp_path / "x.json"
    place.write_text("old")
    with pytest.raises(RunError, match=r"x\.json: cannot be written"):
        write_whole(tmp_path / "missing" / "x.json", "new")
    with pytest.raises(RunError, match="cannot be written"), folder_whole(tmp_path / "x.json" / "run"):
        pass
    assert place.read_text() == "old"


def test_an_interrupted_folder_leaves_the_one_before(tmp_path):
    final = tmp_path / "run"

    def fill(text, error=None):
        with folder_whole(final) as part:
            (part / "a").write_text(text)
            if error:
                raise error

    fill("1")
    with pytest.raises(KeyboardInterrupt):
        fill("2", KeyboardInterrupt())
    assert (final / "a").read_text() == "1"
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_what_a_killed_run_left_is_cleared_by_the_next(tmp_path):
    script = (
        "import os, pathlib, signal; from joulebook.publish.files import folder_whole\n"
        f"with folder_whole(pathlib.Path({str(tmp_path / 'run')!r})) as part:\n"
        "    (part / 'a').write_text('1'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", script], check=False, cwd=ROOT)
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")]
    with folder_whole(tmp_path / "run") as part:
        (part / "a").write_text("2")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_results_are_collected_again_where_they_are_not_what_the_notebooks_say(workbook, client_folder, tmp_path):
    run_folder = run(workbook(topic=notebook(show("pue"))), client_folder(), tmp_path / "runs").folder
    record, now = read_record(run_folder), code()
    results = run_folder / "results.json"
    there = results.read_bytes()
    assert says_what_it_holds(run_folder, record, now)
    assert not says_what_it_holds(run_folder, record, "other code")
    results.write_bytes(there + b"\n")
    assert not says_what_it_holds(run_folder, record, now)
    results.unlink()
    assert not says_what_it_holds(run_folder, record, now)
    results.write_bytes(there)
    path = run_folder / "topic.ipynb"
    path.write_bytes(path.read_bytes() + b"\n")
    assert not says_what_it_holds(run_folder, record, now)
