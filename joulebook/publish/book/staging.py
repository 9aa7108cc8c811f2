"""The folder that a book is built from."""

import json
import shutil

from joulebook.publish.book.contents import listed
from joulebook.publish.book.dress import dress
from joulebook.publish.book.page import topic_of
from joulebook.publish.book.related import Relations
from joulebook.publish.book.topic_page import for_reading
from joulebook.publish.files import json_text
from joulebook.workbook import ROOT, read_yaml


def stage_book(stage, notebooks, pages, toc, title, workbook, branding=None):
    """Lay down what Sphinx builds a book from.

    Parameters
    ----------
    stage : pathlib.Path
        Folder to be made.
    notebooks : dict of str to nbformat.NotebookNode
        Executed notebooks by page, as of `joulebook.publish.book.reading.executed`.
    pages : dict of str to joulebook.publish.book.page.Page
        What is said around each.
    toc : dict
        Table of contents.
    title : str or None
        Title of the book; that of ``_config.yml`` where there is none.
    workbook : joulebook.workbook.Workbook
        Where prose, looks and dictionaries are.
    branding : dict, optional
        See `joulebook.publish.book.build_book`.
    """
    stage.mkdir()
    shutil.copytree(workbook.root / "book", stage / "book")
    (stage / "data").mkdir()
    for path in sorted((workbook.root / "data").glob("*.csv")):
        shutil.copyfile(path, stage / "data" / path.name)
    shutil.copytree(workbook.root / "data" / "published", stage / "data" / "published")
    relations, topics = Relations.of(workbook, notebooks, listed(toc)), set(workbook.topics)
    for name, notebook in notebooks.items():
        related = relations.lines(name, notebook, notebooks) if topic_of(name) in topics else ""
        path = stage / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        shown = for_reading(notebook, name, pages[name], related)
        path.write_text(json.dumps(shown, ensure_ascii=False), encoding="utf-8")  # in lines, as nbformat has it, takes ten times
    cards = [{"page": name, **page.card} for name, page in pages.items() if page.card]
    (stage / "data" / "cards.json").write_text(json_text(cards), encoding="utf-8")
    config = read_yaml(workbook.root / "_config.yml")
    config["execute"] = {"execute_notebooks": "off"}
    config["sphinx"]["local_extensions"] = dict.fromkeys(config["sphinx"].get("local_extensions", {}), str(ROOT))
    if title is not None:
        config["title"] = str(title)
    if branding:
        dress(stage / "book" / "_static", config, branding)
    _write_yaml(config, stage / "_config.yml")
    _write_yaml(toc, stage / "_toc.yml")


def _write_yaml(data, path):
    """Write YAML as jupyter-book reads it: version 1.1, in which ``no`` and ``22:30`` are no texts unless quoted."""
    from ruamel.yaml import YAML

    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 1)
    yaml.allow_unicode = False
    yaml.default_flow_style = False
    with path.open("w", encoding="utf-8") as file:
        yaml.dump(data, file)
