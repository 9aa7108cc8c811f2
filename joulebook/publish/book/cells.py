"""Cells of pages, made by hand: nbformat holds each one against a schema, which for a book takes as long as to make its faces."""

from copy import deepcopy

from nbformat import NotebookNode, from_dict


def own_copy(notebook):
    """A copy of a notebook whose cells, and what their outputs show, may be changed; what the outputs are made of is shared.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        Any notebook.

    Returns
    -------
    nbformat.NotebookNode
    """
    cells = []
    for cell in notebook.cells:
        made = NotebookNode({**cell, "metadata": deepcopy(cell.metadata)})
        if "outputs" in cell:
            made["outputs"] = [NotebookNode({**output, "data": NotebookNode(output.data)}) if "data" in output else output
                               for output in cell.outputs]
        cells.append(made)
    return NotebookNode({**notebook, "cells": cells})


def markdown_cell(text, name):
    """A cell of MyST."""
    return from_dict({"cell_type": "markdown", "id": name, "metadata": {}, "source": text})


def code_cell(source, name, tags, outputs=()):
    """A cell of code that was executed.

    Parameters
    ----------
    source : str
        Its code; myst-nb leaves out a cell without, outputs and all.
    name : str
        Its id.
    tags : list of str
        What myst-nb hides or removes of it.
    outputs : iterable of dict
        The data of each output, by type.
    """
    shown = [{"output_type": "display_data", "metadata": {}, "data": data} for data in outputs]
    return from_dict({"cell_type": "code", "id": name, "metadata": {"tags": list(tags)}, "execution_count": 0, "source": source,
                      "outputs": shown})
