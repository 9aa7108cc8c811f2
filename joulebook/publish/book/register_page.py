"""The page of a client's assumption register, as an executed notebook like any other page of figures."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from joulebook.publish.register import register_data
from joulebook.show.faces import face
from joulebook.show.known import Known
from joulebook.show.numbers import Numbers

PAGE = "assumption_register"
TITLE = "Assumption register"
QUESTION = "What do the numbers rest on, how sure is it, and how much does each input matter?"


def register_page(record, collected):
    """The page of a run's register.

    Parameters
    ----------
    record : dict
        Content of ``run.json``.
    collected : dict of str to joulebook.publish.collect.Collected
        Topics.

    Returns
    -------
    nbformat.NotebookNode
    """
    numbers = Numbers(record.get("locale"), record.get("currency"))
    data = register_data(record, [content.registered for content in collected.values()])
    shown = new_output("display_data", {"text/html": face("register", data, Known(numbers=numbers)), "text/plain": "register"},
                       metadata={"joulebook": {"kind": "register", "data": data}})
    cells = [new_markdown_cell(f"# {TITLE}\n\n:::{{div}} question\n{QUESTION}\n:::", id="title"),
             # myst-nb leaves out a cell without source, outputs and all
             new_code_cell("register", execution_count=1, outputs=[shown], metadata={"tags": ["remove-input"]}, id="register")]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})
