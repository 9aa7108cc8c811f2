"""Files inside a client's folder, found by the relative path that the client wrote."""

import hashlib
import os
import unicodedata
from pathlib import PureWindowsPath

from joulebook.errors import near
from joulebook.intake.checks import refuse
from joulebook.intake.text import read_bytes


def find_file(folder, text, **place):
    """Find a file that a client names.

    Parameters
    ----------
    folder : pathlib.Path
        The client's folder.
    text : str
        A path relative to it. An accented letter may be written in either form of Unicode.
    **place
        Where it is named, for the error: file, line, field.

    Returns
    -------
    str
        The path as it is on disk, relative to `folder`, with forward slashes.

    Raises
    ------
    InputError
        If it is absolute, leaves the folder, or is not there.
    """
    place = {**place, "value": text, "allowed": "a path inside the client folder, with forward slashes"}
    if text.startswith(("/", "~")) or PureWindowsPath(text).anchor:
        refuse("an absolute path: a client's folder holds all that it needs", **place)
    try:
        home = current = folder.resolve()
        for part in text.split("/"):
            current = current / _on_disk(current, part)
        end = current.resolve()
        regular = end.is_file()
    except (FileNotFoundError, NotADirectoryError) as error:
        refuse("no such file", near=error.filename if isinstance(error, _Absent) else None, **place)
    except RuntimeError:  # a link that leads back to itself, up to Python 3.12
        regular, end = False, home
    except OSError as error:
        refuse(f"cannot be read: {error.strerror}", **place)
    if not end.is_relative_to(home):
        refuse("leaves the client folder", **place)
    if not regular:
        refuse("no regular file", **place)
    return os.path.relpath(current, home).replace(os.sep, "/")


def sha256(path, shown=None):
    """SHA-256 of a file's content, in hexadecimal."""
    return hashlib.sha256(read_bytes(path, shown)).hexdigest()


class _Absent(FileNotFoundError):
    """A name that a folder does not hold; carries the one that was probably meant."""


def _on_disk(folder, part):
    """Name of an entry as it is on disk, whichever form of Unicode was typed."""
    if part in ("", ".", ".."):
        return part
    names = sorted(entry.name for entry in folder.iterdir())
    if part in names:
        return part
    same = [name for name in names if unicodedata.normalize("NFC", name) == unicodedata.normalize("NFC", part)]
    if not same:
        raise _Absent(2, "no such file", near(part, names))
    return same[0]
