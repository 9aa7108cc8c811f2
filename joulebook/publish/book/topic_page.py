"""An executed notebook in the order in which a page is read: the answer, what it was given, how it was reached."""

import re

from joulebook.publish.book.cells import code_cell, markdown_cell, own_copy
from joulebook.publish.book.page import Page
from joulebook.publish.book.parameters_cell import parameters_box
from joulebook.publish.book.rerun_box import is_box, rerun_box

# A label: of an equation, as the option of a directive, of what follows.
_LABELS = re.compile(r"\$\$\s*\(([\w-]+)\)\s*$|^:(?:label|name):\s*([\w-]+)\s*$|^\(([\w-]+)\)=\s*$", re.MULTILINE)
FIRST = ("answer", "inputs")  # pieces that a reader meets before any code
_KEPT = ("kernelspec", "language_info", "mystnb")


def for_reading(notebook, name, page=None, related=""):
    """A copy of an executed notebook as it is shown.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        The executed notebook.
    name : str
        Name of the page.
    page : joulebook.publish.book.page.Page, optional
        What is said around it.
    related : str
        What it has to do with other pages, as MyST.

    Returns
    -------
    nbformat.NotebookNode
        Title and question, banner, answer, inputs with the parameters used, the calculation, what is related, how to run it
        again. Labels are the page's own; foreign metadata is left out.
    """
    page, notebook = page or Page(notebook), own_copy(notebook)
    notebook.metadata = {key: value for key, value in notebook.metadata.items() if key in _KEPT}
    _show_parameters(notebook)
    if not name.startswith("notebooks/"):
        _own_labels(notebook, name.replace("/", "-"))
    end = [markdown_cell(related, "related")] if related else []
    if page.path is not None or page.command:
        notebook.cells = [cell for cell in notebook.cells if not is_box(cell)]
        end.append(markdown_cell(rerun_box(name, page), "rerun"))
    notebook.cells += end
    if page.banner:
        notebook.cells.insert(1, html_cell(page.banner, "banner"))
    return notebook


def html_cell(html, name):
    """A cell that shows HTML and nothing else; myst-nb leaves out one without a source, outputs and all."""
    return code_cell(name, name, ["remove-input"], [{"text/html": html, "text/plain": name}])


def _show_parameters(notebook):
    """Put the parameters that were used below the inputs, and the code of what stands above them, folded, after them."""
    cells = notebook.cells
    example = _tagged(cells, "parameters")
    used = _tagged(cells, "injected-parameters") or example
    if used is None:
        return
    box = html_cell(parameters_box(used, example or used), "parameters")
    cells = [box if cell is used else cell for cell in cells if cell is used or cell is not example]
    table = next((cell for cell in cells if _shows(cell, "inputs")), None)
    if table is not None:
        cells.remove(box)
        cells.insert(cells.index(table) + 1, box)
    at = cells.index(box)
    before = [cell for cell in cells[:at] if "hide-input" in cell.metadata.get("tags", []) and _shows(cell, *FIRST)]
    if before:
        code = "\n\n".join(cell.source for cell in before)
        cells.insert(at + 1, code_cell(code, "code", ["hide-input"]))
    for cell in before:
        cell.metadata["tags"] = sorted({*cell.metadata["tags"], "remove-input"} - {"hide-input"})
    notebook.cells = cells


def _tagged(cells, tag):
    return next((cell for cell in cells if tag in cell.metadata.get("tags", [])), None)


def _shows(cell, *kinds):
    return any(output.get("metadata", {}).get("joulebook", {}).get("kind") in kinds for output in cell.get("outputs", []))


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
