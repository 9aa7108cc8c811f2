"""Small workbooks and clients for tests of execution."""

import json

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from joulebook.workbook import Workbook

HEAD = "name,topics,kind,unit,min,max,required,default,example,choices,title,meaning,source\n"
CELL = "pue = 1.5\nlabels = {}\nprovenance = {}"
SHOW = (
    "from IPython.display import display\n"
    "piece = {{'kind': 'reading', 'data': {{'sentences': []}}}}\n"
    "display({{'text/html': 'x', 'text/plain': 'x'}}, raw=True, metadata={{'joulebook': piece}})\n"
    "print({0})"
)


def notebook(*cells, kernel="python3", tags=("parameters",), parameters=CELL):
    """A notebook in JSON: a title, a parameters cell, and cells of code."""
    made = new_notebook(
        cells=[
            new_markdown_cell("# Title\n\n:::{div} question\nWhy?\n:::"),
            new_code_cell(parameters, metadata={"tags": list(tags)}),
            *(new_code_cell(source) for source in cells),
        ]
    )
    made.metadata["kernelspec"] = {"name": kernel, "display_name": kernel, "language": "python"}
    return made


def show(expression):
    """A cell that shows one output and prints an expression."""
    return SHOW.format(expression)


def make_workbook(root, rows="", **notebooks):
    """A small workbook of notebooks by topic; each has the one parameter ``pue``, and those of further rows."""
    import jupytext

    (root / "notebooks").mkdir(parents=True)
    (root / "data").mkdir()
    for topic, content in notebooks.items():
        text = jupytext.writes(content, fmt="md:myst")
        (root / "notebooks" / f"{topic}.md").write_text(text, encoding="utf-8")
    topics = " ".join(notebooks)
    own = f"pue,{topics},number,1,1,,yes,,1.5,,PUE,PUE,client\ncurrency,none,currency,,,,no,,USD,,Currency,Currency,client\n"
    (root / "data" / "parameters.csv").write_text(HEAD + own + rows, encoding="utf-8")
    (root / "data" / "results.csv").write_text("topic,name,unit,kind,boundary,window,title,equation,meaning\n", encoding="utf-8")
    (root / "index.md").write_text("# Index\n", encoding="utf-8")
    chapters = [{"file": f"notebooks/{topic}"} for topic in notebooks]
    (root / "_toc.yml").write_text(json.dumps({"format": "jb-book", "root": "index", "chapters": chapters}), encoding="utf-8")
    return Workbook(root)


@pytest.fixture
def workbook(tmp_path):
    """Make a small workbook below the folder of the test, see `make_workbook`."""
    return lambda **notebooks: make_workbook(tmp_path / "workbook", **notebooks)


@pytest.fixture
def client_folder(tmp_path):
    """Make a client's folder from a name and the text of its inputs."""

    def make(name="acme", inputs="pue: 1.2", head="client: Acme\nprepared: 2026-11-30\ncurrency: EUR"):
        folder = tmp_path / "clients" / name
        folder.mkdir(parents=True)
        lines = "\n".join(f"  {line}" for line in inputs.splitlines())
        (folder / "client.yml").write_text(f"{head}\ninputs:\n{lines}\n", encoding="utf-8")
        return folder

    return make
