"""The house: layers, names that are the same everywhere, pins, and notebooks without code of their own."""

import ast
import csv
import inspect
import re
import subprocess
import sys
import tomllib
from importlib import import_module

import jupytext
import pytest

from joulebook import dictionary
from joulebook.method import ranges
from joulebook.publish import execute
from joulebook.results import BOUNDARIES
from joulebook.show import figures
from joulebook.workbook import ROOT, Workbook

# Who may import whom, downhill; a module may import any layer that its own may.
BASE = {"colours", "errors", "units", "results", "inputs", "days", "workbook", "dictionary", "plausible", "spreadsheets"}
LAYERS = {
    "method": {"results", "units", "errors", "inputs", "days"},
    "intake": BASE | {"method"},
    "show": BASE | {"method"},
    "publish": BASE | {"method", "intake", "show"},
    "cli": BASE | {"publish", "intake"},
    "notebooks": {"intake", "method", "show"},
}
TOPICS = Workbook().topics


def imported(path):
    """Parts of the package that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
        names += [name.name for name in node.names] if isinstance(node, ast.Import) else []
        if names == ["joulebook"]:
            names = [f"joulebook.{name.name}" for name in node.names]
        for name in names:
            if name.startswith("joulebook."):
                yield name.split(".")[1]


def test_imports_run_downhill():
    wrong = []
    for path in (ROOT / "joulebook").rglob("*.py"):
        layer = path.relative_to(ROOT / "joulebook").parts[0].removesuffix(".py")
        allowed = LAYERS.get(layer, BASE) | {layer}
        wrong += [
            f"{path.relative_to(ROOT)} imports {part}" for part in imported(path) if part not in allowed and part != "__version__"
        ]
    assert not wrong


def test_method_touches_no_file_and_no_plot():
    wrong = []
    for path in (ROOT / "joulebook" / "method").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        wrong += [f"{path.name}: {word}" for word in ("open(", "read_csv", "to_csv", "matplotlib", "pathlib") if word in text]
    assert not wrong


def test_modules_of_the_method_are_small():
    modules = (ROOT / "joulebook" / "method").rglob("*.py")
    lines = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in modules}
    assert not {name: count for name, count in lines.items() if count >= 400}


@pytest.mark.parametrize("topic", TOPICS)
def test_one_word_names_a_topic_everywhere(topic):
    for place in (f"notebooks/{topic}.md", f"joulebook/method/{topic}.py", f"tests/method/test_{topic}.py"):
        assert (ROOT / place).exists(), place
    assert dictionary.of_topic(topic)
    assert dictionary.definitions()[topic]


def test_every_topic_is_offered_to_a_reader():
    assert "```{joulebook-listing} topics\n" in (ROOT / "book" / "index.md").read_text(encoding="utf-8")  # all of _toc.yml
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert not [topic for topic in TOPICS if f"notebooks/{topic}" not in text]


def test_no_topic_is_orphaned():
    assert {path.stem for path in (ROOT / "notebooks").glob("*.md")} == set(TOPICS)
    assert set(dictionary.definitions()) == set(TOPICS)
    assert {topic for row in dictionary.parameters().values() for topic in row.topics} == set(TOPICS)


@pytest.mark.parametrize("topic", TOPICS)
def test_every_result_has_a_row_and_every_row_a_result(topic):
    calculations = import_module(f"joulebook.method.{topic}").CALCULATIONS
    names = [name for calculation in calculations for name in calculation.results]
    assert len(names) == len(set(names))
    assert set(names) == set(dictionary.definitions()[topic])


@pytest.mark.parametrize("topic", TOPICS)
def test_every_argument_of_a_calculation_is_known(topic):
    known = set(dictionary.definitions()[topic]) | {name.removesuffix("_csv") for name in dictionary.of_topic(topic)}
    known |= {"boundary", "boundary_csv", "unit_of_work", "rng", "sampled", "told", "given"}
    known |= {name for rows in dictionary.definitions().values() for name in rows}  # a topic may rest on results of another
    for calculation in import_module(f"joulebook.method.{topic}").CALCULATIONS:
        assert set(inspect.signature(calculation).parameters) <= known, calculation.__name__


def test_every_parameter_is_used():
    used = {"currency"}
    for topic in TOPICS:
        for calculation in import_module(f"joulebook.method.{topic}").CALCULATIONS:
            used |= set(inspect.signature(calculation).parameters)
    assert {name.removesuffix("_csv") for name in dictionary.parameters()} <= used


@pytest.mark.parametrize("topic", TOPICS)
def test_parameters_cell_has_the_examples_of_the_dictionary(topic):
    cell = execute.check_topic(execute.load(ROOT / "notebooks" / f"{topic}.md"), topic)
    rows = dictionary.of_topic(topic)
    assert {name: cell[name] for name in rows} == {name: row.example for name, row in rows.items()}
    assert cell["provenance"] == {}


def test_dictionary_of_inputs():
    for name, row in dictionary.parameters().items():
        assert row.kind in dictionary.KINDS, name
        assert row.title, name
        assert row.meaning, name
        assert row.source, name  # a default without a source does not get in
        assert not (row.required and row.default is not None), name
        for value in (row.default, row.example):
            if value is not None and row.kind in ("number", "integer"):
                assert row.within(value), name
            if value is not None and row.kind == "file":
                assert (ROOT / value).exists(), name


def test_dictionary_of_results():
    for topic, rows in dictionary.definitions().items():
        equations = set(re.findall(r"\((eq-[\w-]+)\)", (ROOT / "notebooks" / f"{topic}.md").read_text(encoding="utf-8")))
        for name, row in rows.items():
            assert row.kind in ("number", "text", "table"), name
            assert row.boundary in ("", *BOUNDARIES), name
            assert row.title, name
            assert row.meaning, name
            assert not row.equation or row.equation in equations, name


def test_no_name_is_an_input_and_a_result():
    # a calculation finds its arguments by name among both
    for topic, results in dictionary.definitions().items():
        assert not {name.removesuffix("_csv") for name in dictionary.of_topic(topic)} & set(results)


@pytest.mark.parametrize("topic", TOPICS)
def test_throughput_and_power_are_drawn_alike_in_every_topic(topic):
    # one system's move together, as far as a client declares it: a result has the same range wherever it is computed
    names = set(dictionary.of_topic(topic))
    assert not set(ranges.PAIR) <= names or ranges.CORRELATION in names


def test_dictionaries_have_no_ragged_rows():
    for name in ("parameters", "results"):
        with (ROOT / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            assert len({len(row) for row in csv.reader(file)}) == 1, name


def test_requirements_pin_everything_that_the_project_declares():
    pins = {}
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            match = re.fullmatch(r"([\w.-]+)==([\w.]+)( ; python_version == \"3\.1\d\")?", line)
            assert match, f"{line}: no exact pin"
            pins[normal(match.group(1))] = match.group(2)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = [*project["project"]["dependencies"], *project["dependency-groups"]["test"], *project["build-system"]["requires"]]
    for line in declared:
        name, limits = re.fullmatch(r"([\w.-]+)(.*)", line).groups()
        assert normal(name) in pins, f"{name} is declared but not pinned"
        from packaging.specifiers import SpecifierSet

        assert pins[normal(name)] in SpecifierSet(limits), f"{name} is pinned to {pins[normal(name)]}, outside {limits}"


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("topic", TOPICS)
def test_notebooks_hold_no_code_of_their_own(topic):
    notebook = jupytext.read(ROOT / "notebooks" / f"{topic}.md")
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and "parameters" not in cell.metadata.get("tags", [])]
    assert len(code) <= 10
    for cell in code:
        assert len(ast.parse(cell.source).body) <= 5, cell.source
        assert len(cell.source.splitlines()) <= 10, cell.source
        assert not re.search(r"^\s*(def |class |!|%|for |while )", cell.source, re.MULTILINE), cell.source


@pytest.mark.parametrize("topic", TOPICS)
def test_sentences_in_notebooks_have_no_typed_number(topic):
    notebook = jupytext.read(ROOT / "notebooks" / f"{topic}.md")
    typed = []
    for cell in notebook.cells:
        if cell.cell_type == "code" and "parameters" not in cell.metadata.get("tags", []):
            texts = [
                node.value
                for node in ast.walk(ast.parse(cell.source))
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            ]
            typed += [text for text in texts if re.search(r"\d", text)]
    assert not typed


@pytest.mark.parametrize("topic", TOPICS)
def test_notebooks_are_linted_like_any_code(topic, tmp_path):
    path = tmp_path / f"{topic}.ipynb"
    jupytext.write(jupytext.read(ROOT / "notebooks" / f"{topic}.md"), path)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "ruff",
            "check",
            "--config",
            str(ROOT / "pyproject.toml"),
            "--ignore",
            "F821,F841,I001",
            str(path),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_every_figure_has_a_table_of_results():
    names = {name for rows in dictionary.definitions().values() for name, row in rows.items() if row.kind == "table"}
    assert set(figures.FIGURES) <= names


def test_the_page_on_meters_names_every_key_format_and_kind():
    from joulebook.intake.meters.declaration import KINDS, ON_FALL, PRESETS, Declaration

    text = (ROOT / "book" / "meters.md").read_text(encoding="utf-8")
    said = set(re.findall(r"`([\w-]+)`", text))
    listed = {key for row in text.split("| Key | Meaning |")[1].split("\n\n")[0].split("\n")[2:]
              for key in re.findall(r"`(\w+)`", row.split("|")[1])}  # fmt: skip
    keys = {field.alias or name for name, field in Declaration.model_fields.items()}
    assert {*keys, *PRESETS, *KINDS, *ON_FALL} <= said
    assert listed == keys


def test_the_page_on_re_running_names_every_field_of_the_records():
    from joulebook.intake.records import RECORDS

    text = (ROOT / "book" / "rerun.md").read_text(encoding="utf-8")
    listed = {key for row in text.split("| Field | Meaning |")[1].split("\n\n")[0].split("\n")[2:]
              for key in re.findall(r"`(\w+)`", row.split("|")[1])}  # fmt: skip
    assert listed == {name for shape in RECORDS.values() for name in shape.model_fields}
