"""One build of a book by a process of its own: it takes code, dictionaries and notebooks as they are then."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from joulebook.errors import RunError
from joulebook.workbook import ROOT

PROGRAM = "from joulebook.cli import main; main()"
PATIENCE_S = 10


class Building:
    """Builds a book by the command ``joulebook book``.

    Parameters
    ----------
    words : list of str
        What stands behind ``joulebook book``.
    """

    def __init__(self, words):
        self.words, self.process, self.code, self.said = list(map(str, words)), None, 0, ""

    def __call__(self):
        """Build it.

        Returns
        -------
        pathlib.Path
            Folder of the pages.

        Raises
        ------
        RunError
            With what the command said; its exit code is `code`.
        """
        paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1", "NO_COLOR": "1"}
        # A session of its own: what the keyboard tells this process, this process tells that one.
        self.process = subprocess.Popen([sys.executable, "-P", "-c", PROGRAM, "book", *self.words], env=environment,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        encoding="utf-8", errors="replace", start_new_session=True)
        try:
            made, self.said = self.process.communicate()
        except BaseException:
            self.stop()
            raise
        self.code = self.process.returncode
        if self.code:
            raise RunError(self.said.strip())
        return Path(made.strip().splitlines()[-1]).parent

    def stop(self):
        """End a build that runs, and let it clear away what it has begun."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
