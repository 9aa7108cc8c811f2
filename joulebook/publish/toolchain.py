"""The versions that runs, books and reports are made with, beside those that are locked."""

import re

from joulebook.publish.depends import versions
from joulebook.workbook import ROOT

# What an output depends on first; the record of a run has all.
NAMED = ("joulebook", "python", "numpy", "scipy", "pandas", "matplotlib", "papermill", "jupytext", "jupyter-book", "sphinx",
         "docutils", "myst-nb", "sphinx-book-theme", "typst")


def locked():
    """Versions that ``requirements.txt`` has for this Python, by name in small letters.

    Returns
    -------
    dict of str to str
        Empty where the file is not there.
    """
    from packaging.requirements import Requirement

    path = ROOT / "requirements.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    found = [Requirement(line) for line in lines if line and not line.startswith("#")]
    found = [one for one in found if one.marker is None or one.marker.evaluate()]
    return {_normal(one.name): str(one.specifier).removeprefix("==") for one in found}


def check():
    """Versions that are here, and what is not as it is locked.

    Returns
    -------
    named : list of str
        A line for each of `NAMED`: its name and its version.
    other : list of str
        A sentence for each locked package that is absent or has another version.
    """
    here = {_normal(name): version for name, version in versions().items()}
    named = [f"{name} {here.get(_normal(name), 'not installed')}" for name in NAMED]
    other = [f"{name} {here[name]} is installed, requirements.txt has {version}" if name in here else
             f"{name} is not installed, requirements.txt has {version}"
             for name, version in locked().items() if here.get(name) != version]
    return named, other


def _normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()
