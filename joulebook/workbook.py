"""Where the workbook lies: its root, its notebooks, its dictionaries and its list of topics."""

from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from joulebook.errors import InputError, Problem, Problems, near

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Workbook:
    """A checkout of the workbook.

    Parameters
    ----------
    root : pathlib.Path
        Folder that holds ``_toc.yml``, ``notebooks/`` and ``data/``.
    """

    root: Path = ROOT

    @property
    def topics(self):
        """Topics in reading order: the notebooks that ``_toc.yml`` lists."""
        return [Path(name).name for name in self.pages if name.startswith("notebooks/")]

    @property
    def pages(self):
        """All pages in reading order, as ``_toc.yml`` names them."""
        return list(_files(self.toc))

    @property
    def toc(self):
        """The checked table of contents.

        Raises
        ------
        InputError
            If it is a list, lacks ``root``, names a page with a file ending, twice, or one that does not exist.
        """
        path = self.root / "_toc.yml"
        data = read_yaml(path)
        found = Problems()
        if not isinstance(data, dict):
            raise InputError(
                Problem("a mapping with format, root and parts is due", file=path.name, line=1, value=type(data).__name__)
            )
        if not data.get("root"):
            found.add("root is missing", file=path.name, field="root", allowed="the name of the first page")
        if data.get("format") != "jb-book":
            found.add("wrong format", file=path.name, field="format", value=data.get("format"), allowed="jb-book")
        seen = set()
        for name in _files(data):
            if name.endswith((".md", ".ipynb")):
                found.add("a page is named without its ending", file=path.name, field=name, allowed=name.rsplit(".", 1)[0])
            elif not any((self.root / f"{name}{ending}").exists() for ending in (".md", ".ipynb")):
                found.add("no such page", file=path.name, field=name)
            if name in seen:
                found.add("listed twice", file=path.name, field=name)
            seen.add(name)
        found.stop()
        return data

    def notebook(self, topic):
        """Path of a topic's notebook.

        Raises
        ------
        InputError
            If there is no such topic.
        """
        if topic not in self.topics:
            raise InputError(
                Problem(
                    "no such topic", field="topic", value=topic, allowed=", ".join(self.topics), near=near(topic, self.topics)
                )
            )
        return self.root / "notebooks" / f"{topic}.md"


def read_yaml(path):
    """Plain data of one of the workbook's own YAML files (YAML 1.2).

    Raises
    ------
    InputError
        With file and line where it is no YAML.
    """
    return read_yaml_text(path.read_text(encoding="utf-8"), path.name)


def read_yaml_text(text, name):
    """As `read_yaml`, of a text; `name` is what an error calls it."""
    return deepcopy(_parsed(text, name))


@lru_cache(maxsize=16)
def _parsed(text, name):
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError

    try:
        return YAML(typ="safe", pure=True).load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise InputError(
            Problem(
                f"no YAML: {error.problem}",
                file=name,
                line=mark.line + 1 if mark else None,
                allowed="text with a colon in it stands in quotes",
            )
        ) from None


def _files(node):
    if isinstance(node, dict):
        for key in ("root", "file"):
            if isinstance(node.get(key), str):
                yield node[key]
        for key in ("parts", "chapters", "sections"):
            yield from _files(node.get(key) or [])
    elif isinstance(node, list):
        for item in node:
            yield from _files(item)
