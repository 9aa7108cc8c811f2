"""A book from executed notebooks: staged, built, put in its place whole."""

import tempfile
from pathlib import Path

from joulebook.errors import InputError, RunError
from joulebook.publish.book.contents import check_pages, contents, drop_cards, left_out
from joulebook.publish.book.kept import build_again
from joulebook.publish.book.reading import executed
from joulebook.publish.book.sphinx_run import build_pages, builder
from joulebook.publish.book.staging import stage_book
from joulebook.publish.files import why
from joulebook.workbook import Workbook


def build_book(pages, out, *, title=None, workbook=None, extra_parts=(), banners=None, partial=False, numbers=None,
               branding=None, kept=None):
    """Build the static book from executed notebooks.

    Everything is staged in a folder of its own beside `out` and built with warnings as errors, from clean or on what was kept
    of the last build, with the same outcome; only a whole book takes the place of an earlier one.

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
    numbers : dict of str to joulebook.show.numbers.Numbers, optional
        How numbers are written, by page; as the house does on all others.
    branding : dict, optional
        Of `joulebook.publish.branding.branding_of`: whose name, logo and accent all pages carry.
    kept : pathlib.Path, optional
        Where the book is kept as it was built, see `joulebook.publish.book.kept.kept_in`; it is built from clean without one.
    partial : bool
        Whether topics without an executed notebook are left out, with their cards, and so is prose that quotes a topic: it
        speaks of the example. Else such topics are an error.
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
    absent += left_out(workbook, absent) if partial else []
    toc = contents(workbook, pages, list(extra_parts), absent)
    check_pages(workbook)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with builder() as process, tempfile.TemporaryDirectory(prefix=".book-", dir=out.parent) as folder:
            notebooks = executed(pages, numbers)
            stage = Path(folder) / "stage"
            stage_book(stage, notebooks, toc, title, workbook, banners or {}, branding)
            drop_cards(stage / f"{toc['root']}.md", absent)
            html = Path(folder) / "html"
            html = build_again(stage, kept, html, process) if kept else build_pages(stage, process=process)
            _replace(html, out, Path(folder) / "earlier")
    except OSError as error:
        raise RunError(f"the book cannot be written, {why(error)}") from None
    return out


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
