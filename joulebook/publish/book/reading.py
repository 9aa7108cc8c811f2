"""Executed notebooks as they are shown on pages."""

import re
from copy import deepcopy

import nbformat
from nbformat.v4 import new_code_cell, new_output

from joulebook.errors import RunError
from joulebook.publish.collect import read_notebook, refresh
from joulebook.show.numbers import ENGLISH

# A label: of an equation, as the option of a directive, of what follows.
_LABELS = re.compile(r"\$\$\s*\(([\w-]+)\)\s*$|^:(?:label|name):\s*([\w-]+)\s*$|^\(([\w-]+)\)=\s*$", re.MULTILINE)


def executed(pages, numbers=None):
    notebooks, failed = {}, []
    for name, path in pages.items():
        notebook = deepcopy(path) if isinstance(path, nbformat.NotebookNode) else read_notebook(path)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        for at, cell in enumerate(notebook.cells, 1):
            for output in cell.get("outputs", []):
                if output.output_type == "error":
                    failed.append(f"{name}: cell {at} raised {output.ename}: {output.evalue}")
        if code and not any(cell.outputs or cell.execution_count for cell in code):
            failed.append(f"{name}: was never executed")
        notebooks[name] = notebook
    if failed:
        raise RunError("\n".join(["no book is built from notebooks that failed", *failed]))
    for name, notebook in notebooks.items():
        try:
            refresh(notebook, (numbers or {}).get(name, ENGLISH))  # a page shows what the outputs' data say
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise RunError(f"{name}: the data of its outputs cannot be shown ({type(error).__name__}: {error})") from None
    return notebooks


def for_reading(notebook, page, banner=None):
    """A copy of an executed notebook as it is shown: parameters folded, labels its own, no foreign metadata."""
    notebook = deepcopy(notebook)
    kept = ("kernelspec", "language_info", "mystnb")
    notebook.metadata = {key: value for key, value in notebook.metadata.items() if key in kept}
    injected = any("injected-parameters" in cell.metadata.get("tags", []) for cell in notebook.cells)
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        if "injected-parameters" in tags or ("parameters" in tags and not injected):
            cell.metadata["tags"] = sorted({*tags, "hide-input"})
            cell.metadata["mystnb"] = {"code_prompt_show": "Show the parameters", "code_prompt_hide": "Hide the parameters"}
        elif "parameters" in tags:  # the example's values, which were not used
            cell.metadata["tags"] = sorted({*tags, "remove-cell"})
    if not page.startswith("notebooks/"):
        _own_labels(notebook, page.replace("/", "-"))
    if banner:
        shown = new_output("display_data", {"text/html": banner, "text/plain": "banner"})
        # myst-nb leaves out a cell without source, outputs and all
        cell = new_code_cell("banner", execution_count=0, outputs=[shown], metadata={"tags": ["remove-input"]}, id="banner")
        notebook.cells.insert(1, cell)
    return notebook


def _own_labels(notebook, suffix):
    """Give a further copy of a topic's page labels of its own: equations and figures are numbered on each."""
    texts = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    figures = [options["figure"] for cell in notebook.cells if "figure" in (options := cell.metadata.get("mystnb", {}))]
    labels = {label for cell in texts for match in _LABELS.findall(cell.source) for label in match if label}
    labels |= {figure["name"] for figure in figures if "name" in figure}
    if not labels:
        return
    known = re.compile(r"(?<![\w-])(" + "|".join(sorted(map(re.escape, labels), key=len, reverse=True)) + r")(?![\w-])")
    for cell in texts:
        cell.source = known.sub(rf"\1-{suffix}", cell.source)
    for figure in figures:
        if "name" in figure:
            figure["name"] = f"{figure['name']}-{suffix}"
