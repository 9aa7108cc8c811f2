"""What the theme writes into pages and should not."""

from markupsafe import escape


def connect(app):
    """Register with Sphinx."""
    app.connect("html-page-context", _mend_page)


def _mend_page(app, pagename, templatename, context, doctree):
    """Make the book's title text everywhere, and take out roles that docutils gives to references.

    Some templates of the theme write the title as markup; one that is escaped already is not escaped again.
    Of the roles, one is deprecated and the other forbids what docutils puts in it.
    """
    for key in ("docstitle", "shorttitle"):
        context[key] = escape(context[key])
    if doctree is not None:
        for role, instead in (('<div role="list" class="citation-list">', '<div class="citation-list">'),
                              (' role="doc-biblioentry"', "")):
            context["body"] = context["body"].replace(role, instead)
