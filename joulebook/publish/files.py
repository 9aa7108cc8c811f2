"""Files written whole or not at all, and the digests that tell them apart."""

import ctypes
import hashlib
import json
import os
import re
import secrets
import shutil
from contextlib import contextmanager
from pathlib import Path
from threading import get_ident

from joulebook.errors import RunError
from joulebook.publish.held import held_folder, left_over

NAME_BYTES = 255  # longest name of a file that common file systems take
AT_FDCWD, RENAME_EXCHANGE = -100, 2  # linux/fcntl.h, linux/fs.h
PART, OLD = "part", "old"


def json_text(data):
    """JSON as the project writes it: sorted as given, readable, with no value that is not a number."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def digest(content):
    """SHA-256 of bytes or text."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def digest_file(path):
    """SHA-256 of a file, read in pieces."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def why(error):
    """Reason of an `OSError` in words, without paths; `shutil` gathers several in one."""
    if isinstance(error, shutil.Error):
        return re.sub(r"^\[Errno \d+\] |: '.*", "", str(error.args[0][0][-1]))
    return error.strerror or str(error)


def file_name(name, ending):
    """Name of a file with an ending, cut to the length that a file's name may have.

    Parameters
    ----------
    name, ending : str
        What it is called, such as a client's folder, and how its name ends.

    Returns
    -------
    str
        Whole characters and the ending, at most 255 bytes in UTF-8.

    Examples
    --------
    >>> file_name("chat-assistant", ".pdf"), len(file_name("株" * 100, ".pdf"))
    ('chat-assistant.pdf', 87)
    """
    while len(os.fsencode(f"{name}{ending}")) > NAME_BYTES:
        name = name[:-1]
    return f"{name}{ending}"


def write_whole(path, content):
    """Write a file aside and rename it when it is whole.

    Raises
    ------
    RunError
        If it cannot be written; what stood there before stays.
    """
    path = Path(path)
    # A long name leaves no room for an ending.
    aside = path.with_name(f".{digest(os.fsencode(path.name))[:12]}.{os.getpid()}-{get_ident()}.{PART}")
    try:
        aside.write_bytes(content.encode() if isinstance(content, str) else content)
        aside.replace(path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise RunError(f"{path.name}: cannot be written, {why(error)}") from None


@contextmanager
def folder_whole(final):
    """Fill a folder aside, and put it in its place when the block ends without an error.

    Parameters
    ----------
    final : pathlib.Path
        Where the folder belongs; one that stands there is replaced, whole.

    Yields
    ------
    pathlib.Path
        The folder to fill.

    Raises
    ------
    RunError
        If it cannot be written.
    """
    final = Path(final)
    name = f".{digest(final.name)[:12]}"  # a long client name leaves no room for an ending
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
        _put_back(final, name)
        with held_folder(final.parent, name, PART) as part:
            yield part
            _swap(part, final, name)
    except OSError as error:
        raise RunError(f"{final.name}: cannot be written, {why(error)}") from None


def _swap(part, final, name):
    """Put a folder in the place of another; what stood there is left at `part`, or is gone."""
    if not final.exists():
        part.rename(final)
        return
    if _exchange(part, final):
        return
    old = final.with_name(f"{name}.{secrets.token_hex(4)}.{OLD}")
    final.rename(old)
    try:
        part.rename(final)
    except OSError:
        old.rename(final)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _exchange(one, other):
    """Swap two names in one step, so that neither is ever missing; False where the system cannot do that."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    return renameat2(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE) == 0


def _put_back(final, name):
    """Undo what a process left that was killed between the two steps of a swap."""
    for old in left_over(final.parent, name, OLD):
        if final.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.rename(final)
