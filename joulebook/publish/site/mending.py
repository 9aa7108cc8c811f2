"""What the theme writes into pages and should not."""

import re

from docutils import nodes
from markupsafe import escape

from joulebook.show.numbers import NO_BREAK

_PERCENT = re.compile(r"(?<=\d)%$")


def connect(app):
    """Register with Sphinx."""
    app.connect("doctree-resolved", _set_percent_signs)
    app.connect("html-page-context", _mend_page)


def _mend_page(app, pagename, templatename, context, doctree):
    """Make the book's title text everywhere, and take out roles and names that keep a page from being read aloud.

    Some templates of the theme write the title as markup; one that is escaped already is not escaped again.
    Of the roles that docutils gives to references, one is deprecated and the other forbids what docutils puts in it. A folded
    cell says in its own words what it folds; the name that myst-nb adds says less.
    """
    for key in ("docstitle", "shorttitle"):
        context[key] = escape(context[key])
    if doctree is not None:
        for role, instead in (('<div role="list" class="citation-list">', '<div class="citation-list">'),
                              (' role="doc-biblioentry"', ""), (' aria-label="Toggle hidden content"', "")):
            context["body"] = context["body"].replace(role, instead)


def _set_percent_signs(app, doctree, docname):
    """Set a glued percentage as the pieces of a notebook do: Python's format puts no space before the sign."""
    for node in doctree.findall(nodes.inline):
        if "pasted-text" in node["classes"]:
            text = node.astext()
            node.children = []
            node += nodes.Text(_PERCENT.sub(f"{NO_BREAK}%", text))
