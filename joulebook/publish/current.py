"""Whether a finished run is what a client's folder would give now, told from digests alone, without reading the client."""

import json
from pathlib import Path

from joulebook.publish.files import digest, digest_file

MOST_BYTES = 64 * 10**6  # a larger folder is read anew each time
UNCHANGED = "nothing that it depends on has changed"


def asked(folder, settings=(), topics=None, aside=()):
    """What was asked of a run, for its record.

    Parameters
    ----------
    folder : pathlib.Path
        The client's folder.
    settings : iterable of str
        ``name=value`` on top of the client's inputs.
    topics : iterable of str, optional
        Topics in place of the client's.
    aside : iterable of pathlib.Path
        Folders inside the client's that are none of its inputs, such as that of runs.

    Returns
    -------
    dict
        settings, topics, and the digest of all files below the folder, None where that is too much to read.
    """
    return {"settings": list(settings), "topics": list(topics) if topics else None, "folder": _tree(folder, aside)}


def is_current(run_folder, wanted, surroundings):
    """Whether a run folder is whole, and was made of the same client by the same code.

    Parameters
    ----------
    run_folder : pathlib.Path
        A run folder, or nothing.
    wanted : dict
        Of `asked`.
    surroundings : joulebook.publish.depends.Surroundings
        The workbook as it is now.

    Returns
    -------
    dict or None
        The record of the run where it is current.
    """
    try:
        record = json.loads((run_folder / "run.json").read_bytes())
        made_of = record["made_of"]
        same = (
            wanted["folder"] is not None
            and record["asked"] == wanted
            and not record["failed"]
            and not record["warned"]
            and surroundings.record().items() <= made_of.items()
            and made_of["notebooks"] == {topic: _notebook(surroundings.workbook.root, topic) for topic in record["topics"]}
            and made_of["inputs"] == digest((run_folder / "inputs.json").read_bytes())
            and record["results"] == digest((run_folder / "results.json").read_bytes())
            and record["holds"] == holds(run_folder)
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return record if same else None


def says_what_it_holds(folder, record, code):
    """Whether a run's ``results.json`` is what was collected of its notebooks as they are, by the code as it is.

    Parameters
    ----------
    folder : pathlib.Path
        A run folder.
    record : dict
        Its record, see `joulebook.publish.archive.read_record`.
    code : str
        Digest of the package, see `joulebook.publish.depends.code`.
    """
    try:
        kept = digest_file(folder / "results.json") == record["results"]
    except OSError:
        return False
    return kept and record["made_of"]["code"] == code and record["holds"] == holds(folder)


def holds(folder):
    """Digests of the files of a run beside its records: copied inputs, executed notebooks and tables, by their place in it."""
    kept = sorted(path for pattern in ("inputs/*", "*.ipynb", "*.csv") for path in folder.glob(pattern))
    return {path.relative_to(folder).as_posix(): digest_file(path) for path in kept}


def _notebook(root, topic):
    return digest((root / "notebooks" / f"{topic}.md").read_bytes())


def _tree(folder, aside):
    """Digest of names and bytes of all files below a folder; None where it has links to folders or is large."""
    found, size, due = [], 0, [Path(folder)]
    skipped = {Path(path).resolve() for path in aside}
    try:
        while due:
            for path in sorted(due.pop().iterdir()):
                if path.is_dir():
                    if path.is_symlink():
                        return None
                    due += [path] * (path.resolve() not in skipped)
                    continue
                size += path.stat().st_size
                if size > MOST_BYTES:
                    return None
                found.append(f"{path.relative_to(folder).as_posix()} {digest_file(path)}")
    except OSError:
        return None
    return digest("\n".join(found))
