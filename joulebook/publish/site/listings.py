"""Lists of the book's own pages, made of its table of contents, so that none is kept by hand."""

import json
import re
from html import escape
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from joulebook.publish.site.dictionaries import page_link
from joulebook.workbook import read_yaml

CARDS = "data/cards.json"  # what staging knows of clients; a plain build has none
BESIDE = "beside"  # a section that is no part of the one above it
KINDS = {"topics": "notebooks/", "chapters": "book/chapters/", "paths": "book/paths/"}
_QUESTION = re.compile(r"^:::\{div\} question\n(.*?)\n:::$", re.MULTILINE | re.DOTALL)
_MARKUP = re.compile(r"\{\w+\}`(?:[^`<]*<)?([^`>]*)>?`|[*`]")


class Listing(SphinxDirective):
    """``{joulebook-listing} topics``, ``chapters`` or ``paths``: title and question of each page, part by part.

    Nothing where the book has no such page.
    """

    required_arguments = 1
    option_spec: ClassVar = {"title": directives.unchanged_required}

    def run(self):
        """Render the pages that the table of contents lists."""
        kind = self.arguments[0]
        if kind not in KINDS:
            raise self.error(f"joulebook-listing: one of {', '.join(KINDS)} is due, found {kind!r}")
        toc = Path(self.env.srcdir) / "_toc.yml"
        self.env.note_dependency(str(toc))
        parts = {}
        for part in read_yaml(toc).get("parts") or []:
            names = [chapter["file"] for chapter in part.get("chapters") or [] if chapter["file"].startswith(KINDS[kind])]
            if names:
                parts[part.get("caption", "")] = names
        if not parts:
            return []
        listing = nodes.container("", classes=["listing"])
        for caption, names in parts.items():
            if len(parts) > 1:
                listing += nodes.paragraph("", "", nodes.inline("", caption, classes=["caps"]))
            listing += nodes.definition_list("", *(self._item(name) for name in names), classes=["pages"])
        return [_section(kind, self.options.get("title", kind.capitalize()), listing)]

    def _item(self, name):
        path = Path(self.env.doc2path(name))
        self.env.note_dependency(str(path))
        said = nodes.definition("", nodes.paragraph("", question_of(path)))
        return nodes.definition_list_item("", nodes.term("", "", page_link(self, name)), said)


class Clients(SphinxDirective):
    """``{joulebook-clients}``: a card for each client whose pages the book has, with what came of it."""

    def run(self):
        """Render the cards that staging laid down; their text is a client's."""
        path = Path(self.env.srcdir) / CARDS
        if not path.exists():
            return []
        self.env.note_dependency(str(path))
        cards = json.loads(path.read_text(encoding="utf-8"))
        if not cards:
            return []
        up = "../" * self.env.docname.count("/")
        html = "".join(_card(card, f"{up}{card['page']}.html") for card in cards)
        title = "Example clients" if cards[0]["page"].startswith("clients/") else "The client of this book"
        grid = nodes.raw("", f'<div class="client-cards tex2jax_ignore mathjax_ignore">{html}</div>', format="html")
        return [_section("clients", title, grid)]


def question_of(path):
    """The question of a page, in plain words: the first paragraph's sentences up to the last that asks.

    Parameters
    ----------
    path : pathlib.Path
        A page in MyST, or an executed notebook.
    """
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "".join(json.loads(text)["cells"][0]["source"])
    found = _QUESTION.search(text)
    return plain_question(" ".join(found.group(1).split())) if found else ""


def plain_question(text):
    """A question without markup, and without what follows it.

    Examples
    --------
    >>> plain_question("What does {term}`idle <idle power>` time *cost*? Whoever pays decides with it.")
    'What does idle power time cost?'
    """
    plain = _MARKUP.sub(lambda found: found.group(1) or "", text)
    asked = plain.rfind("?") + 1
    return plain[:asked] if asked else plain


def connect(app):
    """Register with Sphinx."""
    app.connect("doctree-read", _raise_sections, priority=100)  # before headings are collected


def _raise_sections(app, doctree):
    """Put sections that stand by themselves beside the one in which their directive happens to stand."""
    after = {}
    for section in [node for node in doctree.findall(nodes.section) if BESIDE in node["classes"]]:
        parent = section.parent
        if not isinstance(parent, nodes.section) or not isinstance(parent.parent, nodes.section):
            continue  # below the page's title already
        parent.remove(section)
        place = parent.parent.index(after.get(parent, parent)) + 1
        parent.parent.insert(place, section)
        after[parent] = section


def _section(name, title, *children):
    section = nodes.section(ids=[name], names=[name], classes=[BESIDE])
    section += [nodes.title("", title), *children]
    return section


def _card(card, href):
    answer = f'<p class="verdict {escape(card["tone"])}">Verdict <b>{escape(card["answer"])}</b></p>' if card["answer"] else ""
    return (f'<a class="client-card" href="{escape(href)}"><strong>{escape(card["title"])}</strong>'
            f'<span>{escape(card["says"])}</span>{answer}</a>')
