"""What the workbook is made with: the pins fit together, everything imports, and a tag is kept.

Cases J06, J07, J09 and J12 were met by users of jupyter-book, jupytext and what they rest on.
"""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution, version

import jupytext
import nbformat
import pytest
from packaging.requirements import Requirement

from joulebook.errors import InputError
from joulebook.publish import execute
from joulebook.workbook import ROOT, Workbook, read_yaml

LOCKED = [Requirement(line.split("#")[0]) for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
          if line.split("#")[0].strip()]
APPLY = [one for one in LOCKED if one.marker is None or one.marker.evaluate()]


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def test_what_is_installed_is_what_is_locked():  # J06
    wrong = []
    for one in APPLY:
        try:
            found = version(one.name)
        except PackageNotFoundError:
            found = "nothing"
        if found not in one.specifier:
            wrong.append(f"{one}: {found} is installed")
    assert not wrong


def test_the_lock_is_whole_and_its_versions_go_together():  # J06: newer docutils and sphinx clashed with the pins
    locked, wrong = {normal(one.name) for one in APPLY}, []
    for one in APPLY:
        for needs in map(Requirement, distribution(one.name).requires or ()):
            if needs.marker is not None and not needs.marker.evaluate({"extra": ""}):
                continue
            if normal(needs.name) not in locked:
                wrong.append(f"{one.name} needs {needs}, which is not locked")
            elif not needs.specifier.contains(version(needs.name), prereleases=True):
                wrong.append(f"{one.name} needs {needs}, {version(needs.name)} is locked")
    assert not wrong


def test_versions_are_printed_at_the_start(joulebook):  # J06
    code, said, _ = joulebook("--version")
    assert code == 0
    lines = dict(line.rsplit(" ", 1) for line in said.splitlines())
    assert lines["joulebook"] == version("joulebook")
    assert lines["python"] == ".".join(map(str, sys.version_info[:3]))
    for name in ("jupyter-book", "sphinx", "docutils", "myst-nb", "typst", "papermill", "numpy", "pandas"):
        assert lines[name] == version(name), name


def test_a_version_that_is_not_the_locked_one_is_named(joulebook, monkeypatch):
    from joulebook.publish import toolchain

    monkeypatch.setattr(toolchain, "locked", lambda: {"numpy": "0.1", "pandas": version("pandas")})
    code, said, errors = joulebook("--version")
    assert code == 0
    assert f"numpy {version('numpy')}" in said
    assert f"numpy {version('numpy')} is installed, requirements.txt has 0.1" in errors
    assert "pandas" not in errors


def test_warnings_are_errors_in_tests_and_on_pages():  # J07
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    assert settings["filterwarnings"] == ["error"]
    code = [path.read_text(encoding="utf-8") for path in (ROOT / "joulebook").rglob("*.py")]
    alias = r"""(resample|Grouper|date_range|floor|ceil)\([^)]*["']\d*[HTSLUN]["']"""
    assert not [text for text in code if re.search(alias, text)]


def test_everything_imports_without_a_warning():  # J09: an add-on imported a module that a newer version had dropped
    modules = sorted(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
                     for path in (ROOT / "joulebook").rglob("*.py"))
    extensions = read_yaml(ROOT / "_config.yml")["sphinx"]["config"]["extensions"]
    # warnings of what others wrote are theirs; what this package's own lines cause is an error
    program = ("import importlib, sys, warnings\nwarnings.filterwarnings('error', module='joulebook')\n"
               "for name in sys.argv[1:]: importlib.import_module(name)\n")
    done = subprocess.run([sys.executable, "-c", program, *modules, *extensions],
                          cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


PERCENT = """\
# %% [markdown]
# # Title

# %% tags=["parameters"]
pue = 1.5
"""


def test_the_tag_of_parameters_survives_conversion(tmp_path):  # J12
    source = tmp_path / "topic.py"
    source.write_text(PERCENT, encoding="utf-8")
    jupytext.write(jupytext.read(source), tmp_path / "topic.ipynb")
    made = nbformat.read(tmp_path / "topic.ipynb", as_version=4)
    assert [cell.metadata.get("tags") for cell in made.cells if cell.cell_type == "code"] == [["parameters"]]
    assert execute.check_parameters(execute.load(source), ["pue"]) == {"pue": 1.5}


@pytest.mark.parametrize("topic", Workbook().topics)
def test_every_notebook_keeps_the_tag_as_ipynb(topic, tmp_path):  # J12
    jupytext.write(jupytext.read(ROOT / "notebooks" / f"{topic}.md"), tmp_path / f"{topic}.ipynb")
    made = nbformat.read(tmp_path / f"{topic}.ipynb", as_version=4)
    assert sum("parameters" in cell.metadata.get("tags", []) for cell in made.cells) == 1


def test_a_lost_tag_is_refused_before_anything_runs(tmp_path):  # J12
    source, lost = tmp_path / "topic.py", tmp_path / "lost.py"
    source.write_text(PERCENT, encoding="utf-8")
    notebook = jupytext.read(source)
    notebook.metadata["jupytext"] = {"cell_metadata_filter": "-all"}
    jupytext.write(notebook, lost, fmt="py:percent")
    assert "parameters" not in lost.read_text(encoding="utf-8")  # what happened to those users
    with pytest.raises(InputError, match="0 cells tagged parameters"):
        execute.check_parameters(execute.load(lost), ["pue"])
