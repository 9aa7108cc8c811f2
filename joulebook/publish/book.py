"""The book: executed notebooks and the prose pages as a static site that needs no network."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from copy import deepcopy
from pathlib import Path

import nbformat
from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from nbformat.v4 import new_code_cell, new_output

from joulebook.errors import InputError, Problems, RunError
from joulebook.publish.collect import read_notebook, refresh
from joulebook.publish.files import why
from joulebook.workbook import ROOT, Workbook, read_yaml

_PAGE = re.compile(r"[\w][\w.-]*(/[\w][\w.-]*)+", re.ASCII)
# A label: of an equation, as the option of a directive, of what follows.
_LABELS = re.compile(r"\$\$\s*\(([\w-]+)\)\s*$|^:(?:label|name):\s*([\w-]+)\s*$|^\(([\w-]+)\)=\s*$", re.MULTILINE)


def build_book(pages, out, *, title=None, workbook=None, extra_parts=(), banners=None, partial=False):
    """Build the static book from executed notebooks.

    Everything is staged in a folder of its own beside `out` and built from clean with warnings as
    errors; only a whole book takes the place of an earlier one.

    Parameters
    ----------
    pages : dict of str to pathlib.Path or nbformat.NotebookNode
        Executed notebooks, or where they are, by the page they become, such as ``notebooks/cost_per_token``; every notebook
        that ``_toc.yml`` lists, and those of `extra_parts`.
    out : pathlib.Path
        Folder of the finished pages; one that is there is replaced.
    title : str, optional
        Title of the book, any text; that of ``_config.yml`` where none is given.
    workbook : Workbook, optional
        Where the prose, the dictionaries and ``_toc.yml`` are.
    banners : dict of str to str, optional
        HTML that stands below the title of a page, already escaped, by page.
    partial : bool
        Whether topics without an executed notebook are left out, with their cards; else they are an error.
    extra_parts : iterable of dict
        Further parts as in ``_toc.yml``, ``{"caption": text, "chapters": [{"file": page}, ...]}``; they come after the
        last part that holds a notebook.

    Returns
    -------
    pathlib.Path
        `out`.

    Raises
    ------
    InputError
        If ``_toc.yml`` or a page is malformed, or a page was not given.
    RunError
        If a notebook failed or was never executed, or a page cannot be built; names the page.
    """
    workbook, out = workbook or Workbook(), Path(out).absolute()
    if out.exists() and not out.is_dir():
        raise InputError(f"{out.name} is a file; a folder is due for the book")
    absent = [name for name in workbook.pages if name.startswith("notebooks/") and name not in pages] if partial else []
    toc = _contents(workbook, pages, list(extra_parts), absent)
    check_pages(workbook)
    notebooks = _read(pages)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".book-", dir=out.parent) as folder:
            stage = Path(folder) / "stage"
            _stage(stage, notebooks, toc, title, workbook, banners or {})
            _drop_cards(stage / f"{toc['root']}.md", absent)
            html = _run(stage)
            _replace(html, out, Path(folder) / "earlier")
    except OSError as error:
        raise RunError(f"the book cannot be written, {why(error)}") from None
    return out


def check_pages(workbook):
    """Refuse pages that have not exactly one title.

    A second title makes all pages below it vanish from the side bar.

    Parameters
    ----------
    workbook : Workbook

    Raises
    ------
    InputError
        With file and line of every page concerned.
    """
    found = Problems()
    for page in workbook.pages:
        path = workbook.root / f"{page}.md"
        if not path.exists():  # a notebook in the other format
            continue
        titles = [token.map[0] + 1 for token in markdown().parse(path.read_text(encoding="utf-8"))
                  if token.type == "heading_open" and token.tag == "h1" and token.level == 0]
        if not titles:
            found.add("a page needs a title", file=f"{page}.md", allowed="one heading with a single #")
        for line in titles[1:]:
            found.add("a second title hides the pages below", file=f"{page}.md", line=line, allowed="one heading with a single #")
    found.stop()


def markdown():
    """A parser for the structure of the workbook's pages."""
    return MarkdownIt("commonmark").enable("table").use(front_matter_plugin).use(colon_fence_plugin)


# ---- what goes in ----

def _contents(workbook, pages, extra_parts, absent):
    toc = _without(deepcopy(workbook.toc), absent)
    found = Problems()
    parts = toc.setdefault("parts", [])
    after = max((at + 1 for at, part in enumerate(parts) if any(name.startswith("notebooks/") for name in _files(part))),
                default=len(parts))
    parts[after:after] = extra_parts
    for name in pages:
        if not _PAGE.fullmatch(name) or ".." in name or name.endswith((".md", ".ipynb")):
            found.add("not the name of a page", value=name, allowed="folder/name, without an ending")
    listed = [name for part in extra_parts for name in _files(part)]
    listed += [name for name in workbook.pages if name.startswith("notebooks/") and name not in absent]
    for name in listed:
        if name not in pages:
            found.add("no executed notebook was given for this page", field=name)
    for name in pages:
        if name not in listed:
            found.add("this page is in no part of the book", field=name)
    for name in {name for name in listed if listed.count(name) > 1}:
        found.add("listed twice", field=name)
    found.stop()
    return toc


def _without(node, absent):
    """A table of contents without some pages, and without what is empty then."""
    for key in ("parts", "chapters", "sections"):
        if key in node:
            kept = [_without(child, absent) for child in node[key] if child.get("file") not in absent]
            node[key] = [child for child in kept if "file" in child or child.get("chapters")]
    return node


def _drop_cards(page, absent):
    """Take the cards of absent topics out of a staged page."""
    text = page.read_text(encoding="utf-8")
    for name in absent:
        text = re.sub(rf"^::::\{{grid-item-card\}}(?:(?!^::::$).)*?{re.escape(name)}$.*?^::::$\n*", "", text, flags=re.M | re.S)
    # a heading whose grid has no card left says nothing
    text = re.sub(r"^## [^\n]+\n+:::::\{grid\}[^\n]*\n(?::[^\n]*\n)*\s*^:::::$\n*", "", text, flags=re.M)
    page.write_text(text, encoding="utf-8")


def _files(node):
    for child in node.get("chapters", []) + node.get("sections", []):
        yield child["file"]
        yield from _files(child)


def _read(pages):
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
            refresh(notebook)  # a page shows what the outputs' data say
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise RunError(f"{name}: the data of its outputs cannot be shown ({type(error).__name__}: {error})") from None
    return notebooks


def _stage(stage, notebooks, toc, title, workbook, banners):
    stage.mkdir()
    shutil.copytree(workbook.root / "book", stage / "book")
    (stage / "data").mkdir()
    for name in ("parameters.csv", "results.csv"):
        shutil.copyfile(workbook.root / "data" / name, stage / "data" / name)
    for name, notebook in notebooks.items():
        path = stage / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(_for_reading(notebook, name, banners.get(name)), path)
    config = read_yaml(workbook.root / "_config.yml")
    config["execute"] = {"execute_notebooks": "off"}
    config["sphinx"]["local_extensions"] = dict.fromkeys(config["sphinx"].get("local_extensions", {}), str(ROOT))
    if title is not None:
        config["title"] = str(title)
    _write_yaml(config, stage / "_config.yml")
    _write_yaml(toc, stage / "_toc.yml")


def _for_reading(notebook, page, banner=None):
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


def _write_yaml(data, path):
    """Write YAML as jupyter-book reads it: version 1.1, in which ``no`` and ``22:30`` are no texts unless quoted."""
    from ruamel.yaml import YAML

    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 1)
    yaml.allow_unicode = False
    yaml.default_flow_style = False
    with path.open("w", encoding="utf-8") as file:
        yaml.dump(data, file)


# ---- the build ----

def _run(stage):
    """Build a staged book from clean; gives the folder of its pages."""
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()",
               "build", str(stage), "--all", "-W", "-n", "--keep-going"]
    settings = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "NO_COLOR": "1", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(command, env={**os.environ, **settings}, cwd=stage, capture_output=True, text=True, encoding="utf-8",
                          errors="replace", check=False)
    html = stage / "_build" / "html"
    if done.returncode or not (html / "index.html").exists():
        raise RunError("the book cannot be built\n" + _complaints(done.stderr, stage))
    (html / ".buildinfo").unlink(missing_ok=True)  # holds a hash of the staging folder's path
    return html


def _complaints(text, stage):
    """What Sphinx complained of, each with its page in place of the staged file."""
    text = re.sub(r"\x1b\[[\d;]*m", "", text)

    def place(match):
        page, ending, line = match.groups()
        if line and ending == "ipynb" and int(line) >= 10000:  # myst-nb numbers lines by cell
            return f"{page}: cell {int(line) // 10000}"
        return f"{page}: line {line}" if line else page

    text = re.sub(re.escape(f"{stage}{os.sep}") + r"([^\s:]+)\.(md|ipynb)(?::(\d+))?", place, text)
    text = text.replace(str(stage), "book")
    text = re.sub(r"(?<![\w.])/(?:[\w.@+-]+/)+", "", text)  # no path of a machine
    lines = [line for line in text.splitlines() if re.search(r"\b(WARNING|ERROR|CRITICAL)\b|[Ee]rror", line)]
    lines = [line for line in lines if not re.match(r"\s*(raise |There was an error|RuntimeError: *$)", line)]
    return "\n".join(dict.fromkeys(lines or text.strip().splitlines()[-5:]))


def _replace(new, out, aside):
    """Put a finished folder in its place; the earlier one returns where that fails."""
    earlier = out.exists()
    if earlier:
        out.rename(aside)
    try:
        new.rename(out)
    except OSError:
        if earlier:
            aside.rename(out)
        raise
