"""What an executed notebook says: read from the metadata of its outputs, never computed again."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from joulebook.errors import RunError
from joulebook.results import LABELS
from joulebook.show.faces import face, glued
from joulebook.show.known import Known
from joulebook.show.numbers import ENGLISH
from joulebook.show.pieces import GLUE


@dataclass
class Collected:
    """The content of one executed topic.

    Parameters
    ----------
    topic, title, question : str
        Name, heading and question of the topic.
    known : joulebook.show.known.Known
        Inputs, results, labels and words.
    pieces : list of tuple
        ``(kind, data, html)`` of each output, in order.
    """

    topic: str
    title: str
    question: str
    known: Known
    pieces: list = field(default_factory=list)

    def of_kind(self, kind):
        """Data of all pieces of a kind."""
        return [data for found, data, _ in self.pieces if found == kind]

    @property
    def basis(self):
        """What the results rest on, and what moves the main ones; empty where the notebook does not say."""
        return next((data.get("basis", {}) for data in self.of_kind("answer")), {})

    @property
    def registered(self):
        """What `joulebook.publish.register.register_of` asks of a topic."""
        own = {name: record for name, record in self.known.results.items() if "of" not in record}
        return {"topic": self.topic, "title": self.title, "inputs": self.known.inputs, "results": own, "basis": self.basis}

    @property
    def results(self):
        """Results and tables as they stand in ``results.json``."""
        return {
            name: _as_result(record) if "value" in record else _as_table(record)
            for name, record in self.known.results.items()
            if "of" not in record  # a result of another topic, that this one rests on: it is told there
        }


def collect(path, topic=None, numbers=ENGLISH):
    """Read an executed notebook.

    Parameters
    ----------
    path : pathlib.Path
        The notebook.
    topic : str, optional
        Its topic; the name of the file without one.
    numbers : joulebook.show.numbers.Numbers
        How its numbers are written.

    Returns
    -------
    Collected

    Raises
    ------
    RunError
        If it is no executed notebook of a topic.
    """
    path = Path(path)
    notebook = read_notebook(path)
    pieces = [
        (output.metadata["joulebook"]["kind"], _plain(output.metadata["joulebook"]["data"]), output.data.get("text/html", ""))
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "joulebook" in output.get("metadata", {})
    ]
    if not pieces:
        raise RunError(f"{path.name}: no executed notebook of a topic, it shows nothing")
    title, question = heading(notebook)
    return Collected(topic or path.stem, title, question, _known(pieces, numbers), pieces)


def read_notebook(path):
    """An executed notebook.

    Raises
    ------
    RunError
        If the file is no notebook.
    """
    try:
        return nbformat.read(path, as_version=4)
    except (OSError, ValueError, nbformat.ValidationError, nbformat.reader.NotJSONError) as error:
        raise RunError(f"{Path(path).name}: no executed notebook ({type(error).__name__})") from None


def refresh(notebook, numbers=ENGLISH, link=None):
    """Make every face and every glued text of a notebook again from the data in its metadata.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        An executed notebook, changed in place.
    numbers : joulebook.show.numbers.Numbers
        How its numbers are written.
    link : callable, optional
        What its faces link names with, see `joulebook.show.known.Known`.
    """
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    made = [output for output in outputs if "joulebook" in output.get("metadata", {})]
    known = _known([(output.metadata["joulebook"]["kind"], _plain(output.metadata["joulebook"]["data"]), "") for output in made],
                   numbers)
    known.link = link
    for output in made:
        kind, data = output.metadata["joulebook"]["kind"], _plain(output.metadata["joulebook"]["data"])
        if kind == "figure":
            data["image"] = picture(output.data["text/html"])
        output.data["text/html"] = face(kind, data, known)
    for output in outputs:
        name = output.get("metadata", {}).get("scrapbook", {}).get("name")
        if name in known.results:
            output.data[f"{GLUE}text/plain"] = repr(glued(known.results[name], numbers))


def picture(html):
    """Base64 SVG of a figure's face, empty where there is no picture."""
    found = re.search(r'src="data:image/svg\+xml;base64,([A-Za-z0-9+/=]*)"', html)
    return found.group(1) if found else ""


def heading(notebook):
    """Title and question of a topic's notebook, empty where it has none."""
    text = next((cell.source for cell in notebook.cells if cell.cell_type == "markdown"), "")
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    question = re.search(r"^:::\{div\} question\n(.*?)\n:::$", text, re.MULTILINE | re.DOTALL)
    return title.group(1).strip() if title else "", " ".join(question.group(1).split()) if question else ""


def _known(pieces, numbers):
    known = Known(numbers=numbers)
    for kind, data, _ in pieces:
        for record in data.get("of_others", []) if isinstance(data, dict) else []:
            known.results.setdefault(record["name"], record)
        if kind in ("results", "table", "filterable", "figure"):
            records = data if kind == "results" else [data if kind == "table" else data["table"]]
            known.results.update({record["name"]: record for record in records})
        elif kind == "inputs":
            known.inputs, known.labels, known.words = data["records"], data["labels"], data["words"]
            known.parameters = set(data["parameters"])
    return known


def _as_result(record):
    labels = {name: record["labels"][name] for name in LABELS}
    return {
        **{key: record[key] for key in ("value", "unit", "low", "high", "evidence")},
        "labels": labels,
        "note": record["note"],
    }


def _as_table(record):
    # A table that is not available has the reason in its note, as a result has.
    return {"columns": dict(record["columns"]), "rows": record["rows"], **({"note": record["note"]} if "note" in record else {})}


def _plain(node):
    return json.loads(json.dumps(node))
