"""Runs of many clients: what did not change is left alone, and no client stops another.

Cases M15 to M17 and J15 were met by users of papermill, codecarbon and jupyter-book.
"""

import json
import signal
import subprocess
import sys
import time

import pytest

from joulebook.errors import InputError
from joulebook.publish import batch as module
from joulebook.publish.batch import Settings, run_batch
from joulebook.publish.run import ClientRun
from joulebook.publish.store import Store
from joulebook.workbook import ROOT

from .conftest import notebook, show

ROWS = "price,two,number,1,,,no,,3,,Price,Price,client\n"
TWO = "pue = 1.5\nprice = 3.0\nlabels = {}\nprovenance = {}"


@pytest.fixture
def counted(tmp_path):
    """Source of a cell that leaves a letter for each time that it runs, and how often each did."""
    place = tmp_path / "count"

    def source(letter):
        return show(f"pue, open({str(place)!r}, 'a').write('{letter}')")

    def count():
        text = place.read_text() if place.exists() else ""
        place.unlink(missing_ok=True)
        return "".join(sorted(text))

    return source, count


@pytest.fixture
def book(tmp_path, counted):
    """A workbook of two topics; `price` is an input of the second alone."""
    from .conftest import make_workbook

    source, _ = counted
    two = notebook(source("b"), show("price"), parameters=TWO)
    return make_workbook(tmp_path / "workbook", ROWS, one=notebook(source("a")), two=two)


@pytest.fixture
def run(tmp_path, book):
    """Run client folders of the small workbook; gives the runs by name of their folder."""

    def call(*folders, **how):
        with Store(tmp_path / "store") as store:
            made = run_batch(folders, tmp_path / "runs", Settings(**how), book, store)
            return {found.folder.name: found for found in made}

    return call


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def edit(folder, before, after):
    path = folder / "client.yml"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_what_did_not_change_is_left_alone(run, client_folder, counted, tmp_path):
    folder, (_, count) = client_folder(), counted
    first = run(folder)["acme"]
    assert (first.done, first.executed, count()) == (("one", "two"), ("one", "two"), "ab")
    before, inode = contents(first.folder), first.folder.stat().st_ino
    again = run(folder, explain=True)["acme"]
    assert (again.done, again.executed, count()) == (("one", "two"), (), "")
    assert set(again.reasons.values()) == {"not executed: nothing that it depends on has changed"}
    assert contents(first.folder) == before
    assert first.folder.stat().st_ino == inode  # it was not even laid down again


def test_only_topics_that_use_an_input_run_again(run, client_folder, counted):
    folder, (_, count) = client_folder(inputs="pue: 1.2\nprice: 4"), counted
    run(folder)
    assert count() == "ab"
    edit(folder, "price: 4", "price: 5")
    made = run(folder, explain=True)["acme"]
    assert (made.executed, count()) == (("two",), "b")
    assert made.reasons["two"] == "executed: price is 5, was 4"
    assert made.reasons["one"] == "not executed: nothing that it depends on has changed"
    edit(folder, "pue: 1.2", "pue: {value: 1.2, source: meter}")
    made = run(folder, explain=True)["acme"]
    assert (made.executed, count()) == (("one", "two"), "ab")
    assert made.reasons["one"] == "executed: another pue (source)"
    edit(folder, "price: 5", "price: 4")
    edit(folder, "{value: 1.2, source: meter}", "1.2")
    made = run(folder, explain=True)["acme"]
    assert (made.executed, count()) == ((), "")  # as at first, and still in the store
    assert made.reasons["two"].startswith("not executed: price is 4, was 5; another pue")
    assert made.reasons["two"].endswith("; the store holds what that gives")


def test_a_setting_and_a_topic_count_as_inputs(run, client_folder, counted):
    folder, (_, count) = client_folder(), counted
    run(folder)
    count()
    assert run(folder, settings=("pue=1.3",))["acme"].executed == ("one", "two")
    assert run(folder, settings=("pue=1.3",))["acme"].executed == ()
    assert count() == "ab"
    only = run(folder, topics=("two",))["acme"]
    assert (only.done, only.executed) == (("two",), ())
    assert run(folder)["acme"].done == ("one", "two")
    assert count() == ""


def test_a_changed_notebook_runs_again_words_and_all(run, client_folder, counted, book):
    # J10: jupyter-cache looks at code alone
    folder, (_, count) = client_folder(), counted
    run(folder)
    count()
    path = book.root / "notebooks" / "one.md"
    path.write_text(path.read_text(encoding="utf-8").replace("Why?", "Why not?"), encoding="utf-8")
    made = run(folder, explain=True)["acme"]
    assert (made.executed, count()) == (("one",), "a")
    assert made.reasons["one"] == "executed: its notebook changed"
    assert b"Why not?" in (made.folder / "one.ipynb").read_bytes()


def test_a_changed_row_of_a_dictionary_runs_the_topics_it_names(run, client_folder, counted, book):
    folder, (_, count) = client_folder(), counted
    run(folder)
    count()
    path = book.root / "data" / "parameters.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("Price,Price", "Price,Price of it"), encoding="utf-8")
    made = run(folder, explain=True)["acme"]
    assert (made.executed, count()) == (("two",), "b")
    assert "changed data/parameters.csv" in made.reasons["two"]


@pytest.mark.parametrize("what", ["versions", "requirements", "modules"])
def test_another_version_pin_or_line_of_code_runs_again(run, client_folder, counted, monkeypatch, what):
    folder, (_, count) = client_folder(), counted
    run(folder)
    count()
    of = module.Surroundings.of

    def other(workbook):
        from dataclasses import replace

        found = of(workbook)
        changed = {
            "versions": {**found.versions, "numpy": "1.0"},
            "requirements": "another",
            "modules": {**found.modules, "joulebook/publish/execute.py": "another"},
        }
        return replace(found, **{what: changed[what]})

    monkeypatch.setattr(module.Surroundings, "of", other)
    monkeypatch.setattr(module.Surroundings, "require_unchanged", lambda self, topic: None)
    made = run(folder, explain=True)["acme"]
    assert (made.executed, count()) == (("one", "two"), "ab")
    words = {"versions": "numpy 1.0, was", "requirements": "requirements.txt changed", "modules": "changed joulebook/publish"}
    assert words[what] in made.reasons["one"]


def test_code_that_changes_while_a_topic_runs_is_refused(run, client_folder, monkeypatch):
    stamps = []
    monkeypatch.setattr("joulebook.publish.depends._stamps", lambda: stamps.append(1) or len(stamps))
    modules = module.Surroundings.of.__globals__["_modules"]
    monkeypatch.setattr("joulebook.publish.depends._modules", lambda: {**modules(), "joulebook/units.py": str(len(stamps))})
    made = run(client_folder())["acme"]
    assert made.failed["one"] == "one: joulebook/units.py changed while it ran; run again"
    assert not made.done


def test_force_runs_all_of_it(run, client_folder, counted):
    folder, (_, count) = client_folder(), counted
    run(folder)
    count()
    made = run(folder, force=True, explain=True)["acme"]
    assert (made.executed, count()) == (("one", "two"), "ab")
    assert set(made.reasons.values()) == {"executed: --force"}


def test_a_dry_run_writes_nothing(run, client_folder, counted, tmp_path):
    folder, (_, count) = client_folder(), counted
    made = run(folder, dry=True, explain=True)["acme"]
    assert made.executed == ("one", "two")
    assert set(made.reasons.values()) == {"executed: it has no earlier run"}
    assert count() == ""
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("name", ["one.ipynb", "inputs.json", "results.json", "run.json"])
@pytest.mark.parametrize("damage", [lambda path: path.unlink(), lambda path: path.write_bytes(path.read_bytes()[:-2])])
def test_a_damaged_run_is_laid_down_again_without_running(run, client_folder, counted, name, damage):
    folder, (_, count) = client_folder(), counted
    first = run(folder)["acme"].folder
    before = contents(first)
    count()
    damage(first / name)
    made = run(folder)["acme"]
    assert (made.done, made.executed, count()) == (("one", "two"), (), "")
    assert contents(first) == before


def test_a_damaged_entry_of_the_store_is_made_again(run, client_folder, counted, tmp_path):
    folder, (_, count) = client_folder(), counted
    first = run(folder)["acme"].folder
    before = contents(first)
    count()
    for path in (tmp_path / "store").glob("??/*"):
        path.write_bytes(path.read_bytes().replace(b"Title", b"Titel"))
    (first / "one.ipynb").unlink()
    made = run(folder)["acme"]
    assert (made.executed, count()) == (("one", "two"), "ab")
    assert contents(first) == before


def test_words_on_the_error_stream_are_told_again(run, client_folder, book):
    path = book.root / "notebooks" / "one.md"
    text = path.read_text(encoding="utf-8").replace("print(pue", "import sys; sys.stderr.write('careful'); print(pue")
    path.write_text(text, encoding="utf-8")
    folder = client_folder()
    assert run(folder)["acme"].warnings == {"one": "careful"}
    again = run(folder)["acme"]
    assert (again.warnings, again.executed) == ({"one": "careful"}, ())


def test_a_topic_that_fails_says_the_same_each_time(run, client_folder, book):
    # J15: a second build of a page that failed said nothing
    path = book.root / "notebooks" / "two.md"
    path.write_text(path.read_text(encoding="utf-8").replace("print(price)", "1 / 0"), encoding="utf-8")
    folder = client_folder()
    made = [run(folder, explain=True)["acme"] for _ in range(2)]
    assert made[0].failed == made[1].failed == {"two": "two: cell 4 failed, ZeroDivisionError: division by zero"}
    assert (made[0].executed, made[1].executed) == (("one",), ())
    assert made[1].reasons["two"] == "executed: it failed in the last run"


def test_a_client_whose_kernel_dies_stops_no_other(run, client_folder, book):
    # M17
    path = book.root / "notebooks" / "one.md"
    text = path.read_text(encoding="utf-8").replace("print(pue", "import os; pue == 2 and os.kill(os.getpid(), 9); print(pue")
    path.write_text(text, encoding="utf-8")
    made = run(*(client_folder(name, f"pue: {value}") for name, value in (("a", 1), ("b", 2), ("c", 3))))
    assert [made[name].done for name in "abc"] == [("one", "two"), ("two",), ("one", "two")]
    assert made["b"].failed["one"].startswith("one: the kernel died in cell 3, SIGKILL")
    assert not (made["b"].folder / "one.ipynb").exists()


def test_a_fault_of_the_program_stops_no_other_client(run, client_folder, monkeypatch):
    execute = ClientRun.execute

    def faulty(self, task):
        if self.client.folder.name == "bad":
            raise ValueError("not meant")
        execute(self, task)

    monkeypatch.setattr(ClientRun, "execute", faulty)
    made = run(client_folder("bad"), client_folder("good"))
    assert made["good"].done == ("one", "two")
    assert made["bad"].failed["one"] == "one: a fault of the program, ValueError: not meant"


def test_inputs_that_are_wrong_stop_no_other_client(run, client_folder):
    good, bad = client_folder("good"), client_folder("bad", "peu: 1.2")
    made = run(bad, good)
    assert made["good"].done == ("one", "two")
    assert isinstance(made["bad"].error, InputError)
    assert "did you mean pue?" in str(made["bad"].error)


@pytest.mark.parametrize("step", ["_task", "finish"])
def test_a_run_that_cannot_be_written_leaves_the_one_before(run, client_folder, tmp_path, monkeypatch, step):
    folder = client_folder()
    before = contents(run(folder)["acme"].folder)
    edit(folder, "pue: 1.2", "pue: 1.3")

    def full(self, *_):
        (self._part / "half").write_text("torn")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ClientRun, step, full)
    made = run(folder)["acme"]
    assert "acme: cannot be written, No space left on device" in str(made.error)
    assert contents(tmp_path / "runs" / "acme") == before
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["acme"]


def test_two_folders_of_one_name_are_refused_before_anything_runs(run, client_folder, tmp_path, counted):
    first, other = client_folder(), tmp_path / "elsewhere" / "acme"
    other.mkdir(parents=True)
    (other / "client.yml").write_text((first / "client.yml").read_text())
    with pytest.raises(InputError, match="would share one run folder"):
        run(first, other)
    assert counted[1]() == ""


def test_twenty_clients_eight_at_once(run, client_folder, counted):
    # M15: kernels that start at once picked the same port; M16: each has a folder of its own
    folders = [client_folder(f"client{number:02d}", f"pue: {1 + number / 100}") for number in range(20)]
    made = run(*folders, workers=8)
    assert len(made) == 20
    assert all(found.done == ("one", "two") and not found.failed for found in made.values())
    assert counted[1]() == "a" * 20 + "b" * 20  # no cell ran twice
    for number in range(20):
        results = json.loads((made[f"client{number:02d}"].folder / "inputs.json").read_bytes())
        assert results["topics"]["one"]["pue"]["value"] == 1 + number / 100


SCRIPT = """
import sys
from pathlib import Path
from joulebook.publish.batch import Settings, run_batch
from joulebook.publish.store import Store
from joulebook.workbook import Workbook
root = Path(sys.argv[1])
folders = sorted((root / "clients").iterdir())
with Store(root / "store") as store:
    runs = list(run_batch(folders, root / "runs", Settings(), Workbook(root / "workbook"), store))
print(sum(len(made.executed) for made in runs), sum(len(made.done) for made in runs))
print(*(reason for made in runs for reason in made.failed.values()), file=sys.stderr)
"""


def started(root):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", SCRIPT, str(root)], cwd=ROOT, **pipes)


def test_two_batches_at_once_on_the_same_clients(book, client_folder, tmp_path):
    for number in range(3):
        client_folder(f"client{number}", f"pue: {1 + number / 10}")
    both = [started(tmp_path) for _ in range(2)]
    said = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert all(out.endswith(" 6\n") for out, _ in said)
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["client0", "client1", "client2"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_batch_that_was_stopped_goes_on_where_it_was(book, client_folder, tmp_path, counted, number):
    for place in range(4):
        client_folder(f"client{place}", f"pue: {1 + place / 10}")
    process = started(tmp_path)
    end = time.monotonic() + 60
    while not [*(tmp_path / "store").glob("??/*")] and time.monotonic() < end:
        time.sleep(0.01)
    process.send_signal(number)
    process.communicate()
    assert process.returncode != 0
    kept = len([*(tmp_path / "store").glob("??/*")])
    again = started(tmp_path)
    said, errors = again.communicate()
    assert (again.returncode, said) == (0, f"{8 - kept} 8\n"), errors
    assert 1 <= kept < 8
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == [f"client{place}" for place in range(4)]
    assert not [path.name for path in (tmp_path / "store").iterdir() if path.name.startswith(".")]
    undisturbed = tmp_path / "undisturbed"
    undisturbed.mkdir()
    for name in ("clients", "workbook"):
        (undisturbed / name).symlink_to(tmp_path / name)
    assert started(undisturbed).communicate() == ("8 8\n", "\n")
    assert contents(undisturbed / "runs") == contents(tmp_path / "runs")
