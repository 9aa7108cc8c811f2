"""The files of a result: each is read once, and its digest kept."""

import hashlib
import os

from joulebook.errors import InputError
from joulebook.intake.text import read_bytes


class ResultFiles:
    """The files of one result.

    Parameters
    ----------
    folder : pathlib.Path
        The result's folder.
    shown : str
        How the user named it.
    digests : bool
        Whether digests are kept.
    """

    def __init__(self, folder, shown, digests=True):
        self.folder, self.shown, self._keep = folder, shown, digests
        self._place = str(folder)
        self.digests = {}
        self.problems = []
        self._data, self._said = {}, {}

    def read(self, name):
        """Content of a file that must be there; an InputError where it cannot be read."""
        if name not in self._data:
            self._data[name] = read_bytes(f"{self._place}/{name}", self.name(name))
            if self._keep:
                within = name.removeprefix("../" * name.count("../"))  # a description may lie beside the results
                self.digests[within] = hashlib.sha256(self._data[name]).hexdigest()
        return self._data[name]

    def name(self, name):
        """A file as the user would name it."""
        return os.path.normpath(f"{self.shown}/{name}")

    def has(self, name):
        """Whether a file is there, or something else of its name."""
        return os.path.lexists(f"{self._place}/{name}")

    def parsed(self, name, parse):
        """A file beside the run, read by a function of its content and its name.

        Returns
        -------
        value : object or None
            What the function gives; None where the file is absent or broken.
        why : str
            Why there is none. A broken file is a problem as well, once.
        """
        if (name, parse) not in self._said:
            self._said[name, parse] = self._parse(name, parse)
        return self._said[name, parse]

    def _parse(self, name, parse):
        if not self.has(name):
            return None, f"{name} is not there"
        try:
            return parse(self.read(name), self.name(name)), ""
        except InputError as error:
            self.problems += error.problems
            return None, f"{name} cannot be read"
