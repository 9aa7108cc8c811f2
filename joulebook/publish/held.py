"""Folders that belong to a living process; what a process that was killed left is cleared by the next."""

import os
import secrets
import shutil
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # no system with locks of this kind: nothing is cleared there
    fcntl = None


@contextmanager
def held_folder(parent, name, ending, mode=0o777):
    """A new folder that is this process's own until the block ends, and is removed then unless it was renamed.

    The kernel of the system lets go of a process's locks when it dies, however it dies. Unlike a number of a process in
    a name, a lock is true across machines' and containers' own numberings.

    Parameters
    ----------
    parent : pathlib.Path
        Where it stands.
    name, ending : str
        It is called ``name.<random>.ending``; folders of that kind that nobody holds are removed first.
    mode : int
        Who may enter, less what the user's mask takes away.

    Yields
    ------
    pathlib.Path
        The folder.
    """
    clear_left_over(parent, name, ending)
    folder, lock = _make(parent, name, ending, mode)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


@contextmanager
def holding(folder):
    """Hold a folder that stays, as long as the block runs.

    Parameters
    ----------
    folder : pathlib.Path
        A folder that is there.

    Yields
    ------
    bool
        Whether it is this process's; False where another one, or another block, holds it, or the system has no such locks.
    """
    lock = None if fcntl is None else _lock(folder)
    try:
        yield lock is not None and _is_still(folder, lock)
    finally:
        if lock is not None:
            os.close(lock)


def _is_still(folder, lock):
    """Whether a folder is the one that was locked, and was not removed meanwhile."""
    try:
        return os.path.samestat(os.fstat(lock), Path(folder).stat())
    except OSError:
        return False


def clear_left_over(parent, name, ending):
    """Remove the folders of a kind that no living process holds.

    Parameters
    ----------
    parent : pathlib.Path
        Where they stand.
    name, ending : str
        Of `held_folder`.
    """
    for folder in left_over(parent, name, ending):
        shutil.rmtree(folder, ignore_errors=True)


def left_over(parent, name, ending):
    """Folders of a kind that no living process holds, each locked while it is looked at."""
    if fcntl is None:
        return
    for folder in sorted(Path(parent).glob(f"{name}.*.{ending}")):
        lock = _lock(folder)
        if lock is not None:
            try:
                yield folder
            finally:
                os.close(lock)


def _make(parent, name, ending, mode):
    while True:
        folder = Path(parent) / f"{name}.{secrets.token_hex(4)}.{ending}"
        folder.mkdir(mode=mode)
        if fcntl is None:
            return folder, None
        lock = _lock(folder)
        if lock is not None and folder.exists():  # not taken for a left-over between the two lines
            return folder, lock
        if lock is not None:
            os.close(lock)


def _lock(folder):
    """Descriptor of a folder that nobody else holds, None where somebody does or it is gone."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock
