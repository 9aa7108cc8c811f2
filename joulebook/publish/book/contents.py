"""What a book holds: its table of contents, the pages it lists, and the cards that lead to them."""

import re
from copy import deepcopy
from posixpath import dirname, join, normpath

from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from joulebook.errors import Problems

STATUS = "book/status"  # made of the other pages
_PAGE = re.compile(r"[\w][\w.-]*(/[\w][\w.-]*)+", re.ASCII)
_GLUED = re.compile(r"\{glue:\w+\}`[^`]+::")
_LED_TO = re.compile(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`|\]\(([^)\s#]+)\.(?:md|ipynb)(?:#[^)]*)?\)|^:link: (\S+)$", re.MULTILINE)


def contents(workbook, pages, extra_parts, absent, first=False):
    """The checked table of contents of a book.

    Parameters
    ----------
    workbook : joulebook.workbook.Workbook
        Whose ``_toc.yml`` it is made of.
    pages : iterable of str
        Pages that are made of notebooks.
    extra_parts : list of dict
        Further parts.
    absent : iterable of str
        Pages that are left out.
    first : bool
        Whether further parts stand before all others, rather than after the last that holds a notebook.

    Raises
    ------
    InputError
        If pages and parts do not fit.
    """
    toc = _without(deepcopy(workbook.toc), absent)
    found = Problems()
    parts = toc.setdefault("parts", [])
    after = max((at + 1 for at, part in enumerate(parts) if any(name.startswith("notebooks/") for name in _files(part))),
                default=len(parts))
    if parts:
        parts[-1]["chapters"] = [*parts[-1].get("chapters", []), {"file": STATUS}]
    place = 0 if first else after
    parts[place:place] = extra_parts
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


def left_out(workbook, absent):
    """Pages of prose that a client's book does without.

    A chapter that quotes a topic's results speaks of the example; with a client's numbers its sentences would be wrong. What
    leads to a page that is not there goes with it. The first page stays: its cards are dropped one by one.

    Parameters
    ----------
    workbook : joulebook.workbook.Workbook
        Where the prose is.
    absent : iterable of str
        Topics' pages that are not in the book.

    Returns
    -------
    list of str
        In reading order.
    """
    prose = {name: path.read_text(encoding="utf-8") for name in workbook.pages
             if name not in absent and name != workbook.toc["root"] and not name.startswith("notebooks/")
             and (path := workbook.root / f"{name}.md").exists()}
    leads = {name: {_place(name, target) for found in _LED_TO.findall(text) for target in found if target}
             for name, text in prose.items()}
    gone = {name for name, text in prose.items() if _GLUED.search(text)}
    while further := {name for name in leads if name not in gone and leads[name] & {*gone, *absent}}:
        gone |= further
    return [name for name in prose if name in gone]


def _place(page, target):
    return normpath(join("/" + dirname(page), target))[1:]


def drop_cards(page, absent):
    """Take the cards of absent topics out of a staged page."""
    text = page.read_text(encoding="utf-8")
    for name in absent:
        text = re.sub(rf"^::::\{{grid-item-card\}}(?:(?!^::::$).)*?{re.escape(name)}$.*?^::::$\n*", "", text, flags=re.M | re.S)
    # a heading whose grid has no card left says nothing
    text = re.sub(r"^## [^\n]+\n+:::::\{grid\}[^\n]*\n(?::[^\n]*\n)*\s*^:::::$\n*", "", text, flags=re.M)
    page.write_text(text, encoding="utf-8")


def listed(toc):
    """Pages that a table of contents lists, in order; the first page is not among them."""
    return [name for part in toc.get("parts", []) for name in _files(part)] + list(_files(toc))


def _files(node):
    for child in node.get("chapters", []) + node.get("sections", []):
        yield child["file"]
        yield from _files(child)


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
