"""Files written whole or not at all, and the digests that tell them apart."""

import hashlib
import json
import os
import re
import shutil
from contextlib import contextmanager
from pathlib import Path

from joulebook.errors import RunError


def json_text(data):
    """JSON as the project writes it: sorted as given, readable, with no value that is not a number."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def digest(content):
    """SHA-256 of bytes or text."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def digest_tree(root, patterns):
    """SHA-256 over the names and bytes of the files below a folder that match patterns."""
    found = sorted({path for pattern in patterns for path in root.glob(pattern) if path.is_file()})
    return digest("\n".join(f"{path.relative_to(root).as_posix()} {digest(path.read_bytes())}" for path in found))


def why(error):
    """Reason of an `OSError` in words, without paths; `shutil` gathers several in one."""
    if isinstance(error, shutil.Error):
        return re.sub(r"^\[Errno \d+\] |: '.*", "", str(error.args[0][0][-1]))
    return error.strerror or str(error)


def write_whole(path, content):
    """Write a file aside and rename it when it is whole.

    Raises
    ------
    RunError
        If it cannot be written; what stood there before stays.
    """
    path = Path(path)
    aside = path.with_name(f".{path.name[:200]}.{os.getpid()}.part")
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
    name = digest(final.name)[:12]  # a long client name leaves no room for an ending
    part, old = (final.parent / f".{name}.{os.getpid()}.{ending}" for ending in ("part", "old"))
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
        _clear_left_over(final.parent, name)
        part.mkdir()
        yield part
        if final.exists():
            final.rename(old)
        part.rename(final)
    except OSError as error:
        raise RunError(f"{final.name}: cannot be written, {why(error)}") from None
    finally:
        if old.exists() and not final.exists():
            old.rename(final)
        for folder in (part, old):
            shutil.rmtree(folder, ignore_errors=True)


def _clear_left_over(parent, name):
    """Remove what a run that was killed left aside."""
    for left in parent.glob(f".{name}.*.*"):
        owner = left.name.split(".")[-2]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists() and Path("/proc").exists():
            shutil.rmtree(left, ignore_errors=True)
