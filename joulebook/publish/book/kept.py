"""Books that are kept as they were built, so that the next build makes again only what has to be.

Beside the pages of each book stand its sources, what Sphinx read of them, and a record: a key, the digest of all that every
page depends on, and digests of each page's source and of the data that some of them name. Where the key or the list of pages
differs, where the last build did not end well, or where this one cannot build on it, the book is built from clean; what comes
out is the same.
"""

import json
import os
import shutil
from contextlib import suppress
from pathlib import Path

from joulebook.errors import RunError
from joulebook.publish.book.sphinx_run import build_pages
from joulebook.publish.depends import CODE, versions
from joulebook.publish.files import digest, digest_file, json_text
from joulebook.publish.held import holding
from joulebook.workbook import ROOT

FOLDER = ".pages"  # where books are kept, beside what they were made of
STAGE, RECORD = "stage", "built.json"
MOST = 12  # books in one folder; those that were used last stay
_PAGES, _DATA = (".ipynb", ".md"), "data/"  # sources of pages, and what they name as what they depend on


def kept_in(parent, name):
    """Folder in which a book is kept.

    Parameters
    ----------
    parent : pathlib.Path
        Folder of what it is made of, such as that of runs: what is confidential stays together.
    name : str
        Name of the book, any text.
    """
    return Path(parent) / FOLDER / digest(os.fsencode(name))[:16]


def build_again(stage, kept, html, process=None):
    """Build a staged book, from what is kept of the last build where that gives the same.

    Parameters
    ----------
    stage : pathlib.Path
        The staged book; it is moved away.
    kept : pathlib.Path
        Folder of `kept_in`. While another process builds there, this one does without.
    html : pathlib.Path
        Folder for the pages, to be made.
    process : subprocess.Popen, optional
        Of `joulebook.publish.book.sphinx_run.builder`.

    Returns
    -------
    pathlib.Path
        `html`.

    Raises
    ------
    RunError
        If a page cannot be built; nothing is kept then.
    """
    kept.mkdir(parents=True, exist_ok=True, mode=0o700)
    with holding(kept) as ours:
        if not ours:
            build_pages(stage, process=process).rename(html)
            return html
        record, before = _record(stage), _taken(kept)
        try:
            if not (_same_but_pages(before, record) and _built_on(stage, kept / STAGE, before, record, process)):
                shutil.rmtree(kept / STAGE, ignore_errors=True)
                shutil.move(stage, kept / STAGE)
                build_pages(kept / STAGE, process=process)
            shutil.copytree(kept / STAGE / "_build" / "html", html)
        except BaseException:
            shutil.rmtree(kept / STAGE, ignore_errors=True)
            raise
        (kept / RECORD).write_text(json_text(record), encoding="utf-8")
    _bound(kept.parent)
    return html


def clear_kept(parent):
    """Remove all books that are kept in a folder, but those that are being built.

    Parameters
    ----------
    parent : pathlib.Path
        Of `kept_in`.

    Returns
    -------
    int
        How many there were.
    """
    return sum(_drop(folder) for folder in _folders(Path(parent) / FOLDER))


def _record(stage):
    """Digests of a staged book: of each page's source, and of all else that its pages are made of."""
    files = {path.relative_to(stage).as_posix(): digest_file(path) for path in sorted(stage.rglob("*")) if path.is_file()}
    pages = {name: made for name, made in files.items() if name.endswith(_PAGES) or name.startswith(_DATA)}
    code = {path.relative_to(ROOT).as_posix(): digest_file(path) for pattern in CODE for path in sorted(ROOT.glob(pattern))}
    rest = {name: made for name, made in files.items() if name not in pages}
    return {"key": digest(json_text([rest, code, versions()])), "pages": pages}


def _taken(kept):
    """The record of the last build; it is gone until this one has ended well."""
    try:
        record = json.loads((kept / RECORD).read_bytes())
        return record if isinstance(record["key"], str) and isinstance(record["pages"], dict) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    finally:
        (kept / RECORD).unlink(missing_ok=True)


def _same_but_pages(before, record):
    return before is not None and before["key"] == record["key"] and before["pages"].keys() == record["pages"].keys()


def _built_on(stage, old, before, record, process):
    """Whether the pages of the last build could be brought up to date."""
    changed = [name for name, made in record["pages"].items() if before["pages"][name] != made]
    if not changed:
        return (old / "_build" / "html" / "index.html").is_file()
    for name in changed:
        shutil.move(stage / name, old / name)
    # Sphinx writes other addresses of style sheets where these are there before it begins; it writes nothing at all where
    # what changed is no page of this book.
    static, aside = old / "_build" / "html" / "_static", old / "_build" / "static"
    try:
        static.rename(aside)
        build_pages(old, fresh=False, process=process)
    except (OSError, RunError):  # told by the build from clean, with all that concerns pages that were not read again
        for name in changed:
            shutil.copyfile(old / name, stage / name)
        return False
    if not static.exists():
        aside.rename(static)
    shutil.rmtree(aside, ignore_errors=True)
    return True


def _bound(folder):
    """Remove the books that were not built for longest, where there are more than allowed."""
    books = sorted(_folders(folder), key=_used, reverse=True)
    for book in books[MOST:]:
        _drop(book)


def _folders(folder):
    return [path for path in folder.glob("*") if path.is_dir()]


def _used(book):
    with suppress(OSError):
        return (book / RECORD).stat().st_mtime_ns
    return 0


def _drop(book):
    with holding(book) as ours:
        if ours:
            shutil.rmtree(book, ignore_errors=True)
    return ours
