"""Executed notebooks read for a book, each that failed named."""

from joulebook.errors import RunError
from joulebook.publish.book.cells import own_copy
from joulebook.publish.collect import read_notebook, refresh
from joulebook.show.numbers import ENGLISH


def executed(pages, link_of=None):
    """Notebooks of pages, their faces made again from their data.

    Parameters
    ----------
    pages : dict of str to joulebook.publish.book.page.Page
        Pages by name.
    link_of : callable, optional
        Called with the name of a page; gives what its faces link names with, see `joulebook.show.known.Known`.

    Raises
    ------
    RunError
        If one failed, was never executed, or holds data that cannot be shown.
    """
    notebooks, failed = {}, []
    for name, page in pages.items():
        notebook = own_copy(page.notebook) if page.path is None else read_notebook(page.path)
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
            link = link_of(name) if link_of else None
            refresh(notebook, pages[name].numbers or ENGLISH, link)  # a page shows what the outputs' data say
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise RunError(f"{name}: the data of its outputs cannot be shown ({type(error).__name__}: {error})") from None
    return notebooks
