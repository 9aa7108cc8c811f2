"""What a topic depends on, as digests: its notebook, the code that it imports, its inputs, its files, and the versions.

A topic whose key is the same gives the same executed notebook; one whose key differs may not.
"""

import ast
import platform
import sys
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import distributions
from pathlib import Path

from joulebook import __version__, plausible
from joulebook.errors import RunError
from joulebook.publish.files import digest, json_text
from joulebook.workbook import ROOT, Workbook

PACKAGE = "joulebook"
CODE = ("joulebook/**/*.py", "joulebook/**/*.json", "joulebook/**/*.mplstyle", *plausible.FILES)
DICTIONARIES = ("parameters", "results")  # each a CSV file below data/
EXECUTION = "joulebook.publish.execute"  # what makes an executed notebook of a notebook


@dataclass(frozen=True)
class Surroundings:
    """What all topics share.

    Parameters
    ----------
    workbook : joulebook.workbook.Workbook
        The workbook.
    modules : dict of str to str
        Digest of each file of the package, by its path below the workbook that the package is in.
    dictionaries : dict of str to str
        Digest of each dictionary, by name.
    versions : dict of str to str
        Version of Python and of each package of this environment.
    requirements : str
        Digest of the pinned versions.
    toc : str
        Digest of the list of topics.
    """

    workbook: Workbook
    modules: dict
    dictionaries: dict
    versions: dict
    requirements: str
    toc: str
    _stamps: dict
    _imports: dict = field(default_factory=dict)
    _code: dict = field(default_factory=dict)
    _notebooks: dict = field(default_factory=dict)

    @classmethod
    def of(cls, workbook):
        """Surroundings of a workbook, as its files are now."""
        root = workbook.root
        return cls(
            workbook,
            _modules(),
            {name: digest(_dictionary(root, name).read_bytes()) for name in DICTIONARIES},
            versions(),
            digest((ROOT / "requirements.txt").read_bytes()),
            digest((root / "_toc.yml").read_bytes()),
            _stamps(),
        )

    @property
    def code(self):
        """Digest of the files of the package."""
        return code(self.modules)

    def record(self):
        """As plain data, for the record of a run."""
        return {
            "code": self.code,
            "modules": self.modules,
            "dictionaries": self.dictionaries,
            "versions": self.versions,
            "requirements": self.requirements,
            "toc": self.toc,
        }

    def notebook(self, topic, load):
        """A topic's notebook, read once.

        Parameters
        ----------
        topic : str
            The topic.
        load : callable
            Called with the path of the notebook; gives what it holds.

        Returns
        -------
        tuple of (bytes, nbformat.NotebookNode)
            Its text, and a copy of its own for the caller.
        """
        if topic not in self._notebooks:
            path = self.workbook.notebook(topic)
            self._notebooks[topic] = path.read_bytes(), load(path)
        text, notebook = self._notebooks[topic]
        return text, deepcopy(notebook)

    def require_unchanged(self, topic):
        """Refuse what a topic gave while the code was changed: nobody knows of which it is made.

        Raises
        ------
        RunError
            If a file of the package is not what it was.
        """
        if _stamps() == self._stamps:
            return
        now = _modules()
        changed = sorted(path for path in {*now, *self.modules} if now.get(path) != self.modules.get(path))
        if changed:
            raise RunError(f"{topic}: {', '.join(changed)} changed while it ran; run again")

    def code_of(self, notebook):
        """Digests of the files of the package that a notebook's code imports, and that execute it, by their path.

        Each is parsed once, before topics are executed: up to Python 3.11.8 two threads that parse at once may fail
        (python/cpython#106905).

        Parameters
        ----------
        notebook : nbformat.NotebookNode
            The notebook.
        """
        sources = tuple(cell.source for cell in notebook.cells if cell.cell_type == "code")
        if sources not in self._code:
            found, due = set(), {EXECUTION}.union(*map(_imported, sources))
            while due:
                for path in _files(due.pop()):
                    if path in self.modules and path not in found:
                        found.add(path)
                        due |= self._imported_by(path)
            found |= {path for path in self.modules if not path.endswith(".py")}
            self._code[sources] = {path: self.modules[path] for path in sorted(found)}
        return self._code[sources]

    def _imported_by(self, path):
        if path not in self._imports:
            self._imports[path] = _imported((ROOT / path).read_text(encoding="utf-8"))
        return self._imports[path]


def key_parts(topic, notebook, text, parameters, files, surroundings):
    """All that the executed notebook of a topic depends on.

    Parameters
    ----------
    topic : str
        The topic.
    notebook : nbformat.NotebookNode
        Its notebook.
    text : bytes
        The notebook as it stands in its file.
    parameters : dict
        What is injected into it.
    files : dict of str to str
        Digest of each file that it reads, by parameter.
    surroundings : Surroundings
        What all topics share.

    Returns
    -------
    dict
        Plain data.
    """
    modules = surroundings.code_of(notebook)
    root = surroundings.workbook.root
    return {
        "topic": topic,
        "notebook": digest(text),
        "parameters": digest(json_text(parameters)),
        "files": files,
        "modules": modules,
        "dictionaries": {
            "parameters": _rows(root, "parameters", {topic}),
            # results of another topic, too, where this one rests on its module
            "results": _rows(root, "results", {topic, *(Path(path).stem for path in modules)}),
        },
        "versions": surroundings.versions,
        "requirements": surroundings.requirements,
    }


def key_of(parts):
    """The key of `key_parts`: 64 hexadecimal digits."""
    return digest(json_text(parts))


def code(modules=None):
    """Digest of the files of the package, by default as they are now."""
    return digest(json_text(_modules() if modules is None else modules))


def versions():
    """Version of Python and of every package of this environment, by name."""
    folders = [Path(entry or ".") for entry in sys.path]
    return dict(_versions(tuple((folder, folder.stat().st_mtime_ns) for folder in folders if folder.is_dir())))


@lru_cache(maxsize=1)
def _versions(places):
    """Versions as they are while nothing is installed or removed in the places that packages are in."""
    found = {item.metadata["Name"].lower(): item.version for item in distributions()}
    return {"python": platform.python_version(), **dict(sorted({**found, PACKAGE: __version__}.items()))}


def _paths():
    return sorted(path for pattern in CODE for path in ROOT.glob(pattern))


def _modules():
    return {path.relative_to(ROOT).as_posix(): digest(path.read_bytes()) for path in _paths()}


def _stamps():
    """Size and time of each file of the package: a cheap sign that none was touched."""
    return {path: (found.st_size, found.st_mtime_ns) for path in _paths() for found in [path.stat()]}


def _dictionary(root, name):
    return root / "data" / f"{name}.csv"


def _rows(root, name, topics):
    """Digest of the rows of a dictionary that name one of some topics, and of its head; of a parameter with its number, too."""
    import csv

    with _dictionary(root, name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    numbered = "topics" in rows[0]
    column = rows[0].index("topics" if numbered else "topic")
    named = [[*row, *([place] if numbered else [])] for place, row in enumerate(rows[1:]) if topics & set(row[column].split())]
    return digest(json_text([rows[0], *named]))


def _files(name):
    """Files of a module and of the packages around it, by their path; those of a name inside a module are the module's."""
    parts = name.split(".")
    for length in range(1, len(parts) + 1):
        stem = "/".join(parts[:length])
        yield f"{stem}/__init__.py"
        yield f"{stem}.py"


def _imported(source):
    """Names of the package that source code imports, wherever in it; none where it is no Python."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return set()
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for name in names if name.split(".")[0] == PACKAGE}
