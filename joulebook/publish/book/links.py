"""Where the pages of a book lead: from the names in their tables to the dictionaries, and whether every link has an end."""

import posixpath
import re
from html import unescape
from urllib.parse import unquote, urlsplit

from joulebook.dictionary import parameters
from joulebook.errors import RunError
from joulebook.publish.book.page import to_root, topic_of

_KINDS = {"input": "inputs", "result": "results"}
_DIRECTIVE = re.compile(r"^`{3,}\{joulebook-dictionary\} (inputs|results)$", re.MULTILINE)
_TAG = re.compile(r"<a\s[^>]*>")
_HREF = re.compile(r'\shref="([^"]*)"')
_ID = re.compile(r'\s(?:id|name)="([^"]+)"')


def dictionary_links(workbook, names):
    """What faces link names with, by page; pages without a dictionary link nothing.

    Parameters
    ----------
    workbook : joulebook.workbook.Workbook
        Where the prose is.
    names : iterable of str
        Pages of the book that are made of notebooks.

    Returns
    -------
    callable
        Called with the name of a page; gives a callable for `joulebook.show.known.Known`.
    """
    pages = {}
    for page in workbook.pages:
        path = workbook.root / f"{page}.md"
        if path.exists() and not page.startswith("notebooks/"):
            pages |= dict.fromkeys(_DIRECTIVE.findall(path.read_text(encoding="utf-8")), page)
    topics = {topic_of(name) for name in names if name.startswith("notebooks/")}
    known = parameters(workbook.root)

    def of_page(name):
        def link(kind, record):
            topic = record.get("of") or topic_of(name)
            defined = record["name"] in known if kind == "input" else topic in topics
            if not defined or _KINDS[kind] not in pages:
                return None
            anchor = f"input-{record['name']}" if kind == "input" else f"result-{topic}-{record['name']}"
            return f"{to_root(name)}{pages[_KINDS[kind]]}.html#{anchor}"

        return link

    return of_page


def check_links(html):
    """Refuse a built book in which a link of a page leads nowhere.

    Sphinx checks what it resolved itself; the pieces of executed notebooks bring links along that it does not see.

    Parameters
    ----------
    html : pathlib.Path
        Folder of the pages.

    Raises
    ------
    RunError
        Naming every page and link concerned.
    """
    texts = {path.relative_to(html).as_posix(): path.read_text(encoding="utf-8") for path in sorted(html.rglob("*.html"))}
    anchors = {name: set(map(unescape, _ID.findall(text))) for name, text in texts.items()}
    lost = {}
    for name, text in texts.items():
        for tag in _TAG.findall(text):
            found = _HREF.search(tag)
            parts = urlsplit(unescape(found.group(1)) if found else "")
            if parts.scheme or parts.netloc or not (parts.path or parts.fragment):
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
            anchor = unquote(parts.fragment)
            if not (anchor in anchors[target] if target in texts and anchor else (html / target).is_file()):
                lost.setdefault(name, []).append(found.group(1))
    if lost:
        lines = [f"{name.removesuffix('.html')}: {href}" for name, hrefs in lost.items() for href in dict.fromkeys(hrefs)]
        raise RunError("\n".join(["links of the book lead nowhere", *lines]))
