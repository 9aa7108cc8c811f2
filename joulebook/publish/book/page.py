"""A page of the book that is made of an executed notebook, and what is said around it."""

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath


@dataclass(frozen=True)
class Page:
    """An executed notebook as it becomes a page.

    Parameters
    ----------
    notebook : pathlib.Path or nbformat.NotebookNode
        The notebook, or where it is. One that lies on the disk is offered to the reader as it lies there.
    banner : str, optional
        HTML that stands below the title, already escaped.
    command : str, optional
        The command that makes the page again; without one it is made by hand, from the notebook as it stands.
    whose : str
        The client, any text; empty for the examples of the dictionary.
    prepared : str, optional
        Day from which ages of inputs count, as an ISO date.
    versions : dict of str to str
        Version of each package that it was executed with.
    numbers : joulebook.show.numbers.Numbers, optional
        How its numbers are written; as the house does where nothing is said.
    card : dict, optional
        What the first page says of it: title, says, answer and tone, any text.
    """

    notebook: object
    banner: str | None = None
    command: str | None = None
    whose: str = ""
    prepared: str | None = None
    versions: dict = field(default_factory=dict)
    numbers: object = None
    card: dict | None = None

    @property
    def path(self):
        """Where the notebook lies; None for one that lies nowhere."""
        return self.notebook if isinstance(self.notebook, Path) else None


def as_pages(pages):
    """Pages by name; a notebook alone, or its path, is one of which nothing more is said."""
    return {name: page if isinstance(page, Page) else Page(page) for name, page in pages.items()}


def folder_of(name):
    """Folder of a page: those of one client stand in one.

    Examples
    --------
    >>> folder_of("clients/acme/carbon")
    'clients/acme'
    """
    return str(PurePosixPath(name).parent)


def topic_of(name):
    """Topic of a page, which its name ends in.

    Examples
    --------
    >>> topic_of("clients/acme/carbon")
    'carbon'
    """
    return PurePosixPath(name).name


def to_root(name):
    """The way from a page to the root of the book.

    Examples
    --------
    >>> to_root("clients/acme/carbon"), to_root("notebooks/carbon")
    ('../../', '../')
    """
    return "../" * name.count("/")
