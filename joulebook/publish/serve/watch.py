"""What a book is made of, looked at again and again."""

import time
from pathlib import Path

from joulebook.errors import RunError

POLL_S = 1.0
QUIET_S = 0.2  # between two looks that must be the same before a change is believed: an editor may still be writing
FOLDERS, FILES = ("book", "notebooks", "data"), ("_toc.yml", "_config.yml")  # of the workbook


def watched(root, client=None):
    """Files and folders that a book is made of.

    Parameters
    ----------
    root : pathlib.Path
        Root of the workbook.
    client : pathlib.Path, optional
        Folder of the client whose book it is; of a run folder only its record changes.

    Returns
    -------
    list of pathlib.Path
    """
    own = [root / name for name in (*FOLDERS, *FILES)]
    if client is None:
        return own
    return [*own, client if (client / "client.yml").exists() else client / "run.json"]


def stamps(paths, aside=()):
    """Time and size of every file below some paths; what begins with a dot or ends with ``~`` is an editor's.

    Parameters
    ----------
    paths : list of pathlib.Path
        Files and folders; one that is not there has no stamp.
    aside : list of pathlib.Path
        Folders that are not looked into, such as that of runs inside a client's.

    Returns
    -------
    dict of str to tuple
    """
    found, due, skipped = {}, list(map(Path, paths)), {Path(path).resolve() for path in aside}
    while due:
        path = due.pop()
        try:
            if path.is_dir():
                if path.resolve() not in skipped:
                    due += [child for child in path.iterdir() if not (child.name.startswith(".") or child.name.endswith("~"))]
                continue
            state = path.stat()
        except OSError:  # gone between two looks
            continue
        found[str(path)] = (state.st_mtime_ns, state.st_size, state.st_ino)
    return found


def keep_current(build, show, look, say, seen=None, sleep=time.sleep):
    """Build and show again whenever something has changed; never ends by itself.

    Parameters
    ----------
    build : callable
        Builds the book; gives its folder.
    show : callable
        Called with the folder.
    look : callable
        Gives the state of all that the book is made of.
    say : callable
        Called with what a reader of the terminal should know.
    seen : dict, optional
        What `look` gave before the book that is shown was built.
    sleep : callable
        Called with seconds.

    Notes
    -----
    What fails is said, and what was shown before stays.
    """
    seen = look() if seen is None else seen
    while True:
        sleep(POLL_S)
        now = look()
        if now == seen:
            continue
        while True:
            sleep(QUIET_S)
            before, now = now, look()
            if before == now:
                break
        seen = now
        say("something has changed, building again")
        try:
            show(build())
            say("built; open pages load again by themselves")
        except RunError as error:
            say(f"{error}\nthe last good book stays")
        except OSError as error:
            say(f"{error.strerror or error}\nthe last good book stays")
