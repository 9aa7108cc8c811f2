"""One build of a staged book, and what it complains of."""

import os
import re
import subprocess
import sys

from joulebook.errors import RunError


def build_pages(stage):
    """Build a staged book from clean; gives the folder of its pages."""
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()",
               "build", str(stage), "--all", "-W", "-n", "--keep-going"]
    settings = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "NO_COLOR": "1", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(command, env={**os.environ, **settings}, cwd=stage, capture_output=True, text=True, encoding="utf-8",
                          errors="replace", check=False)
    html = stage / "_build" / "html"
    if done.returncode or not (html / "index.html").exists():
        raise RunError("the book cannot be built\n" + _complaints(done.stderr, stage))
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
