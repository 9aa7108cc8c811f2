"""What a page has to do with others, found in the pages themselves and in the dictionary: no list is kept by hand."""

import ast
import re
from dataclasses import dataclass, field

from joulebook.dictionary import parameters
from joulebook.publish.book.page import folder_of, topic_of
from joulebook.workbook import read_yaml_text

MOST, LEAST = 3, 5  # topics that share inputs, and how many inputs: a currency alone says nothing
_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_GLOSSARY = re.compile(r"^(`{3,})\{glossary\}\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`|\$\$?[^$]*\$\$?")


@dataclass
class Relations:
    """What topics have to do with each other.

    Parameters
    ----------
    rests_on : dict of str to list
        Topics whose calculations a topic runs inside its own, by topic.
    shared : dict of str to list
        Topics that take most of the inputs that a topic takes, by topic.
    prose : dict of str to list
        Pages of prose that name a topic in their front matter, by topic.
    terms : list of str
        Terms of the glossary.
    """

    rests_on: dict = field(default_factory=dict)
    shared: dict = field(default_factory=dict)
    prose: dict = field(default_factory=dict)
    terms: list = field(default_factory=list)

    @classmethod
    def of(cls, workbook, notebooks, listed):
        """Relations of a book's pages.

        Parameters
        ----------
        workbook : joulebook.workbook.Workbook
            Where prose and dictionary are.
        notebooks : dict of str to nbformat.NotebookNode
            Executed notebooks by page.
        listed : iterable of str
            All pages of the book.
        """
        rests_on = {}
        for name, notebook in notebooks.items():
            rests_on.setdefault(topic_of(name), built_on(notebook))
        texts = {name: path.read_text(encoding="utf-8") for name in listed
                 if (path := workbook.root / f"{name}.md").exists() and not name.startswith("notebooks/")}
        prose = {}
        for name, text in texts.items():
            for topic in _front(text).get("topics") or ():
                prose.setdefault(topic, []).append(name)
        terms = sorted({term for text in texts.values() for term in _terms(text)}, key=str.casefold)
        return cls(rests_on, _sharing(workbook.root), prose, terms)

    def lines(self, name, notebook, names):
        """The block of a page, as MyST; empty where nothing is related.

        Parameters
        ----------
        name : str
            The page.
        notebook : nbformat.NotebookNode
            Its notebook.
        names : iterable of str
            Pages of the book that are made of notebooks.
        """
        topic, folder = topic_of(name), folder_of(name)

        def there(topics):
            return [f"{{doc}}`/{folder}/{other}`" for other in topics if f"{folder}/{other}" in names]

        below = self.rests_on.get(topic, [])
        above = [other for other, foundations in self.rests_on.items() if topic in foundations]
        near = [other for other in self.shared.get(topic, []) if other not in (*below, *above)][:MOST]
        told = {
            "Rests on": there(below),
            "Used by": there(above),
            "Takes the same inputs": there(near),
            "Read more": [f"{{doc}}`/{page}`" for page in self.prose.get(topic, [])],
            "Terms": [f"{{term}}`{term}`" for term in self.terms_in(notebook)],
        }
        lines = [f"{head}\n: {', '.join(links)}" for head, links in told.items() if links]
        return "\n\n".join(["## Related", ":::{div} related", *lines, ":::"]) if lines else ""

    def terms_in(self, notebook):
        """Terms of the glossary that the prose of a notebook uses."""
        prose = " ".join(_CODE.sub(" ", cell.source) for cell in notebook.cells if cell.cell_type == "markdown")
        return [term for term in self.terms if re.search(rf"(?<![\w-]){re.escape(term)}s?(?![\w-])", prose, re.IGNORECASE)]


def built_on(notebook):
    """Topics whose calculations a notebook runs inside its own study, in order: what it gives `Study.build_on`."""
    found = []
    for at, cell in enumerate(notebook.cells):
        if cell.cell_type != "code" or "build_on" not in cell.source:
            continue
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "build_on":
                found.append((at, node.end_lineno, node.end_col_offset, ast.literal_eval(node.args[0])))
    return list(dict.fromkeys(topic for *_, topic in sorted(found)))


def _sharing(root):
    """Topics that share inputs with each topic, most first."""
    counts = {}
    for row in parameters(root).values():
        for topic in row.topics:
            for other in row.topics:
                if other != topic:
                    shared = counts.setdefault(topic, {})
                    shared[other] = shared.get(other, 0) + 1
    return {topic: [other for other in sorted(shared, key=lambda other: -shared[other]) if shared[other] >= LEAST]
            for topic, shared in counts.items()}


def _front(text):
    found = _FRONT.match(text)
    return (found and read_yaml_text(found.group(1), "front matter")) or {}


def _terms(text):
    for block in _GLOSSARY.finditer(text):
        yield from re.findall(r"^(\S[^\n]*)$", block.group(2), re.MULTILINE)
