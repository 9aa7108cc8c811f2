"""A book from executed notebooks: staged, built, put in its place whole."""

import shutil
import tempfile
from pathlib import Path

from joulebook.errors import InputError, RunError
from joulebook.publish.book.contents import STATUS, check_pages, contents, drop_cards, left_out
from joulebook.publish.book.kept import build_again
from joulebook.publish.book.links import check_links, dictionary_links
from joulebook.publish.book.page import Page, as_pages
from joulebook.publish.book.reading import executed
from joulebook.publish.book.sphinx_run import build_pages, builder
from joulebook.publish.book.staging import stage_book
from joulebook.publish.book.status_page import status_page
from joulebook.publish.files import why
from joulebook.workbook import Workbook


def build_book(pages, out, *, title=None, workbook=None, extra_parts=(), files=None, partial=False, branding=None, kept=None):
    """Build the static book from executed notebooks.

    Everything is staged in a folder of its own beside `out` and built with warnings as errors, from clean or on what was kept
    of the last build, with the same outcome; only a whole book takes the place of an earlier one.

    Parameters
    ----------
    pages : dict of str to joulebook.publish.book.page.Page
        By name, such as ``notebooks/cost_per_token``; every notebook that ``_toc.yml`` lists, and those of `extra_parts`. An
        executed notebook alone, or where it is, is a page of which nothing more is said.
    out : pathlib.Path
        Folder of the finished pages; one that is there is replaced.
    title : str, optional
        Title of the book, any text; that of ``_config.yml`` where none is given.
    workbook : Workbook, optional
        Where the prose, the dictionaries and ``_toc.yml`` are.
    files : dict of str to callable, optional
        Further files of the book by their place in it; each is called for the path of what is copied there.
    branding : dict, optional
        Of `joulebook.publish.branding.branding_of`: whose name, logo and accent all pages carry.
    kept : pathlib.Path, optional
        Where the book is kept as it was built, see `joulebook.publish.book.kept.kept_in`; it is built from clean without one.
    partial : bool
        Whether topics without an executed notebook are left out, with their cards, and so is prose that quotes a topic: it
        speaks of the example. Else such topics are an error.
    extra_parts : iterable of dict
        Further parts as in ``_toc.yml``, ``{"caption": text, "chapters": [{"file": page}, ...]}``; they come after the
        last part that holds a notebook, and before all others where the book is partial: it is that of a client.

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
    absent += left_out(workbook, absent) if partial else []
    pages = as_pages(pages)
    toc = contents(workbook, pages, list(extra_parts), absent, first=partial)
    check_pages(workbook)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with builder() as process, tempfile.TemporaryDirectory(prefix=".book-", dir=out.parent) as folder:
            notebooks = executed(pages, dictionary_links(workbook, pages))
            notebooks[STATUS] = status_page(notebooks, pages)
            pages[STATUS] = Page(notebooks[STATUS])
            stage = Path(folder) / "stage"
            stage_book(stage, notebooks, pages, toc, title, workbook, branding)
            drop_cards(stage / f"{toc['root']}.md", absent)
            html = Path(folder) / "html"
            html = build_again(stage, kept, html, process) if kept else build_pages(stage, process=process)
            _copy(pages, files or {}, html)
            check_links(html)
            _replace(html, out, Path(folder) / "earlier")
    except OSError as error:
        raise RunError(f"the book cannot be written, {why(error)}") from None
    return out


def _copy(pages, files, html):
    """Put what can be downloaded beside the pages: executed notebooks as they lie in their archive, and further files."""
    for name, page in pages.items():
        if page.path is not None:
            shutil.copyfile(page.path, html / f"{name}.ipynb")
    for name, path in files.items():
        shutil.copyfile(path(), html / name)


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
