"""One build of a staged book, and what it complains of."""

import json
import os
import re
import subprocess
import sys
from contextlib import contextmanager

from joulebook.errors import RunError

SETTINGS = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "NO_COLOR": "1", "PYTHONWARNINGS": "ignore"}
# What a build takes a second to import, before it is told what to build: jupyter-book with its words in place of a command line.
PROGRAM = """\
import json, os, sys, tempfile
import jupyter_book.cli.main, myst_nb.sphinx_, myst_nb.sphinx_ext, sphinx.builders.html, sphinx_book_theme, sphinxcontrib.bibtex
import bs4, sphinx.ext.mathjax, sphinx_comments, sphinx_copybutton, sphinx_design, sphinx_external_toc
words = sys.stdin.readline()
if words:
    sys.argv[1:] = json.loads(words)
    os.chdir(sys.argv[2])
    tempfile.tempdir = sys.argv[2]  # Sphinx leaves a file there for an exception, with words of the pages
    jupyter_book.cli.main.main()
"""


@contextmanager
def builder():
    """A process that waits to be told what to build, importing meanwhile; it ends with the block.

    Yields
    ------
    subprocess.Popen
        For the first `build_pages` of the block.
    """
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-P", "-c", PROGRAM], env={**os.environ, **SETTINGS}, text=True, encoding="utf-8",
                          errors="replace", **pipes) as process:
        try:
            yield process
        finally:
            process.kill()


def build_pages(stage, fresh=True, process=None):
    """Build a staged book.

    Parameters
    ----------
    stage : pathlib.Path
        The folder that it is staged in.
    fresh : bool
        Whether from clean, or on what was built there before.
    process : subprocess.Popen, optional
        Of `builder`; another one is started where it was used before.

    Returns
    -------
    pathlib.Path
        Folder of the pages.

    Raises
    ------
    RunError
        With all that Sphinx complains of, by page.
    """
    if process is None or process.stdin.closed:
        with builder() as process:
            return build_pages(stage, fresh, process)
    words = ["build", str(stage), *["--all"] * fresh, "-W", "-n", "--keep-going"]
    _, said = process.communicate(json.dumps(words) + "\n")
    html = stage / "_build" / "html"
    if process.returncode or not (html / "index.html").exists():
        raise RunError("the book cannot be built\n" + _complaints(said, stage))
    (html / ".buildinfo").unlink(missing_ok=True)  # holds a hash of the staging folder's path
    return html


def _complaints(text, stage):
    """What Sphinx complained of, each with its page in place of the staged file."""
    text = re.sub(r"\x1b\[[\d;]*m", "", text)

    def place(match):
        page, ending, line = match.groups()
        if line and ending == "ipynb" and int(line) >= 10000:  # myst-nb numbers lines by cell
            return f"{page}: cell {int(line) // 10000}"
        return f"{page}: line {line}" if line else page

    text = re.sub(re.escape(f"{stage}{os.sep}") + r"([^\s:]+)\.(md|ipynb)(?::(\d+))?", place, text)
    text = text.replace(str(stage), "book")
    text = re.sub(r"(?<![\w.])/(?:[\w.@+-]+/)+", "", text)  # no path of a machine
    lines = [line for line in text.splitlines() if re.search(r"\b(WARNING|ERROR|CRITICAL)\b|[Ee]rror", line)]
    lines = [line for line in lines if not re.match(r"\s*(raise |There was an error|RuntimeError: *$)", line)]
    return "\n".join(dict.fromkeys(lines or text.strip().splitlines()[-5:]))
