"""Executed notebooks kept by what they were made of: a topic runs again only where its key is new.

An entry is one file, named for its key, written aside and renamed when it is whole; it begins with the digest of what
follows, so that one that was damaged is found out and made again. Several processes may use one store at once.
"""

import json
import logging
import os
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

from joulebook.errors import InputError, Problem
from joulebook.publish.files import digest, why
from joulebook.publish.held import clear_left_over, held_folder

PLACE, MEGABYTES = "JOULEBOOK_STORE", "JOULEBOOK_STORE_MB"  # environment
FOLDER = ".store"
DEFAULT_MB = 2000
KEPT_SHARE = 0.8  # of the bound, where it was passed
MB = 10**6
PART, ENDING = ".part", "aside"
log = logging.getLogger("joulebook")


class Store:
    """A folder of executed notebooks, by key.

    Parameters
    ----------
    folder : pathlib.Path
        Its place.
    bound_mb : float, optional
        Largest size, after a run has ended; that of JOULEBOOK_STORE_MB, else `DEFAULT_MB`. [MB]
    """

    def __init__(self, folder, bound_mb=None):
        self.folder = Path(folder).absolute()
        self.bound_mb = float(bound_mb if bound_mb is not None else _megabytes())
        self._stack, self._aside, self._lock = ExitStack(), None, threading.Lock()
        self._failed = False

    @classmethod
    def of_runs(cls, out):
        """The store of a folder of runs.

        It stands in there, so that what is confidential stays together; the environment variable JOULEBOOK_STORE names
        one that several such folders share.

        Parameters
        ----------
        out : pathlib.Path
            The folder of runs.
        """
        return cls(os.environ.get(PLACE) or Path(out) / FOLDER)

    def __enter__(self):
        clear_left_over(self.folder, PART, ENDING)
        return self

    def __exit__(self, *_):
        self._stack.close()
        self._aside = None

    def get(self, key):
        """What is kept for a key.

        Parameters
        ----------
        key : str
            Key of a topic.

        Returns
        -------
        tuple of (bytes, str) or None
            The executed notebook and what it wrote to its error stream. An entry that is damaged is removed.
        """
        path = self._path(key)
        try:
            head, body = path.read_bytes().split(b"\n", 1)
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            return self._damaged(path)
        if head.decode("ascii", "replace") != digest(body):
            return self._damaged(path)
        said, notebook = body.split(b"\n", 1)
        with suppress(OSError):  # removed by another process, or not ours to write
            os.utime(path)  # the entries used last are kept longest
        return notebook, json.loads(said)

    def has(self, key):
        """Whether there is an entry, damaged or not."""
        return self._path(key).exists()

    def put(self, key, notebook, said):
        """Keep the executed notebook of a key; where that cannot be done it is said, once.

        Parameters
        ----------
        key : str
            Key of a topic.
        notebook : bytes
            The executed notebook.
        said : str
            What it wrote to its error stream.
        """
        try:
            self._put(key, json.dumps(said).encode() + b"\n" + notebook)
        except OSError as error:  # a run that is whole without it is none the worse
            if not self._failed:
                log.warning("executed notebooks are not kept: %s cannot be written, %s", self.folder, why(error))
            self._failed = True

    @staticmethod
    def _damaged(path):
        with suppress(OSError):
            path.unlink()

    def _put(self, key, body):
        path = self._path(key)
        with self._lock:
            if self._aside is None:
                self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._aside = self._stack.enter_context(held_folder(self.folder, PART, ENDING, 0o700))
        aside = self._aside / f"{key}.{threading.get_ident()}"
        aside.write_bytes(digest(body).encode() + b"\n" + body)
        path.parent.mkdir(exist_ok=True, mode=0o700)
        aside.replace(path)

    def entries(self):
        """Path, size in bytes and time of last use of each entry."""
        for path in self.folder.glob("[0-9a-f][0-9a-f]/*"):
            try:
                found = path.stat()
            except FileNotFoundError:  # another process was faster
                continue
            yield path, found.st_size, found.st_mtime_ns

    def bound(self):
        """Remove the entries that were not used for longest, if all together are larger than allowed."""
        entries = sorted(self.entries(), key=lambda entry: entry[2])
        size = sum(entry[1] for entry in entries)
        if size <= self.bound_mb * MB:
            return
        for path, bytes_of, _ in entries:
            if size <= self.bound_mb * MB * KEPT_SHARE:
                break
            path.unlink(missing_ok=True)
            size -= bytes_of

    def clear(self):
        """Remove all entries.

        Returns
        -------
        int
            How many there were.
        """
        found = [path for path, *_ in self.entries()]
        for path in found:
            path.unlink(missing_ok=True)
        return len(found)

    def _path(self, key):
        return self.folder / key[:2] / key


def _megabytes():
    """The bound that the environment gives."""
    text = os.environ.get(MEGABYTES, "").strip()
    try:
        found = float(text or DEFAULT_MB)
    except ValueError:
        found = -1.0
    if not 0 <= found < float("inf"):
        raise InputError(Problem("no size", file="environment", field=MEGABYTES, value=text, allowed="a number of megabytes"))
    return found
