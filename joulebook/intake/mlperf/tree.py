"""Where MLPerf power results of all suites lie in a tree of folders."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.places import Place, place_of

POWER_LOG, DETAIL_LOG = "spl.txt", "mlperf_log_detail.txt"
RESULT_TEXTS = ("results.txt", "energy_results.txt")  # of Tiny
_TINY = re.compile(r"(energy_)?results\.txt|.*\.async|trace\d+-.*")
TRAINING_RUN = re.compile(r"result_\d+")
_TRAINING_FILE = re.compile(r"(node|sw)_\d+\.txt")
_BESIDE = ("ranging", "accuracy")  # other runs of the same result
_PARTS = (*_BESIDE, "power", "measurements", "systems")
_OTHERS = ("energy", "power")  # folders of Tiny, and of Training
_NO_RESULTS = (".git", "compliance", "accuracy", "systems", "measurements")  # folders without results of their own
_LEVELS = 4  # from a file up to the folder of its result


@dataclass(frozen=True)
class Skipped:
    """A folder that was not read, and why."""

    folder: str
    reason: str


@dataclass(frozen=True)
class Found:
    """A result that is to be read.

    Parameters
    ----------
    run : pathlib.Path
        Folder of the logs of an inference run; of Tiny and Training that of the benchmark.
    shown : str
        The same as the user named it.
    name : str
        The result's folder, from the folder on that the user named.
    suite : str
        ``inference``, ``tiny`` or ``training``.
    place : joulebook.intake.mlperf.places.Place or None
        What the folders of an inference result say, where it was read already.
    """

    run: Path
    shown: str
    name: str
    suite: str = "inference"
    place: Place | None = None

    def above(self, folder):
        """A folder around the run, as the user would name it."""
        return os.path.normpath(self.shown + "/.." * (len(self.run.parts) - len(folder.parts)))


def discover(path):
    """Find the performance runs at or below a path.

    Parameters
    ----------
    path : str or pathlib.Path
        A result's folder, a folder or file inside it, or a tree that holds results at any depth.

    Returns
    -------
    found : list of Found
        Runs to be read, in the order of their names.
    skipped : list of Skipped
        What belongs to MLPerf and is not read.
    problems : list of Problem
        Results that lack their performance run, folders that cannot be listed.

    Raises
    ------
    InputError
        If there is no such path, or nothing of MLPerf in it.
    """
    given = Path(path)
    try:
        given.stat()
    except (OSError, ValueError) as error:  # ValueError: a name that nothing can have
        missing = isinstance(error, FileNotFoundError | NotADirectoryError)
        raise InputError(Problem("no such file or folder" if missing else f"cannot be read: {error}", file=str(path),
                                 allowed="a folder with MLPerf results")) from None
    real = Path(os.path.abspath(given))  # noqa: PTH100 - links keep the names the user gave them
    inside = real.is_file() or real.name in _PARTS
    run = _run_around(real) if inside else _run_of(real)
    if run is not None:
        return [Found(run, _beside(given, real, run), place_of(run).folder.name)], [], []
    found, skipped, problems = [], [], []
    if inside or real.name in _OTHERS or TRAINING_RUN.fullmatch(real.name):
        found += _other_around(given, real)
    if real.is_dir() and not found:
        _walk(given, real, found, skipped, problems)
    if not (found or skipped or problems):
        raise InputError(Problem("no MLPerf power result here", file=str(path),
                                 allowed=f"a result's folder with performance/run_1/{POWER_LOG}, or a tree of such folders"))
    return found, skipped, problems


def _walk(given, real, found, skipped, problems):
    def unreadable(error):
        problems.append(Problem(f"the folder cannot be listed: {error.strerror}", file=shown(error.filename)))

    def shown(name):
        return os.path.normpath(f"{given}{name[len(top):]}")

    top, seen = str(real).rstrip(os.sep), set()
    for name, folders, files in os.walk(real, onerror=unreadable, followlinks=True):
        known = identity(name)
        if known in seen:  # a link back to a folder above, or to one already read
            folders.clear()
            continue
        seen.add(known)
        folders.sort()
        own = os.path.basename(name)  # noqa: PTH119 - a tree may hold thousands of folders
        if own in _OTHERS:
            folder = Path(name)
            other = _other_suite(folder, folders, files, shown(name), _below(folder.parent, real))
            strange = own == "power" and not other and _strange(folder, files, shown(name))
            if other or strange:
                (found if other else skipped).append(other or strange)
                folders.clear()
        elif own == "performance":
            logs = [log for log in (POWER_LOG, DETAIL_LOG) if os.path.exists(f"{name}/run_1/{log}")]  # noqa: PTH110
            if logs:
                _run_found(f"{name}/run_1", logs, shown(f"{name}/run_1"), real, found, skipped)
                folders[:] = [part for part in folders if part not in (*_BESIDE, "power", "run_1")]
            elif {"power", "ranging"} & set(folders):
                problems.append(Problem("the performance run is missing", file=shown(name), field="run_1",
                                        allowed=f"run_1 with {POWER_LOG} and {DETAIL_LOG}"))
        if own not in _BESIDE and (POWER_LOG in files or DETAIL_LOG in files):
            _run_found(name, files, shown(name), real, found, skipped)
        if any(part in _NO_RESULTS for part in folders):
            folders[:] = [part for part in folders if part not in _NO_RESULTS]


def _run_found(name, files, shown, real, found, skipped):
    """Take a run that was found, or say why not."""
    folder = Path(name)
    beside = folder.parent
    if beside.name == "performance" and folder.name != "run_1" and _has_logs(f"{beside}/run_1"):
        skipped.append(Skipped(shown, "a further run: MLPerf's figure is that of run_1"))
    elif POWER_LOG in files or any(_is_folder(beside / part) for part in ("power", "ranging")):
        place = place_of(folder)
        found.append(Found(folder, shown, place.path or _below(place.folder, real), place=place))
    else:
        skipped.append(Skipped(shown, f"no {POWER_LOG}: a run without power"))


def _other_suite(folder, folders, files, shown, name):
    """A Tiny or Training result whose folder ``energy`` or ``power`` this is, or None."""
    if folder.name == "energy" and any(map(_TINY.fullmatch, files)):
        return Found(folder.parent, os.path.normpath(f"{shown}/.."), name, "tiny")
    if folder.name == "power" and (any(map(TRAINING_RUN.fullmatch, folders)) or any(map(_TRAINING_FILE.fullmatch, files))):
        return Found(folder.parent, os.path.normpath(f"{shown}/.."), name, "training")
    return None


def _other_around(given, real):
    """The Tiny or Training result that a file or folder inside it belongs to, as a list of it or of nothing."""
    near = [real, *list(real.parents)[:_LEVELS]]
    if real.is_file():
        near += [real.parent / name for name in _OTHERS if _is_folder(real.parent / name)]
    for folder in near:
        if folder.name in _OTHERS and _is_folder(folder):
            shown = _beside(given, real, folder)
            found = _other_suite(folder, *_listed(folder, shown), shown, folder.parent.name)
            if found:
                return [found]
    return []


def _strange(folder, files, shown):
    """Files of a power session that belong to no result, as skipped; None where there are none."""
    in_result = folder.parent.name == "performance" or _run_of(folder.parent) is not None
    if not in_result and any(name in ("ptd_logs.txt", "client.json", "server.json") for name in files):
        return Skipped(shown, "power files of a kind that is not read")
    return None


def _run_of(folder):
    """Run of the result whose folder this is, or None."""
    if folder.name not in _BESIDE and _has_logs(folder):
        return folder
    inside = folder / "run_1" if folder.name == "performance" else folder / "performance" / "run_1"
    return inside if _is_folder(inside) else None


def identity(folder):
    """What a folder is, whatever links lead to it."""
    try:
        known = os.stat(folder)  # noqa: PTH116
    except OSError:
        return str(folder)
    return known.st_dev, known.st_ino


def _run_around(real):
    """Run of the result that a file or folder inside it belongs to, or None."""
    return next(filter(None, map(_run_of, list(real.parents)[:_LEVELS])), None)


def _has_logs(folder):
    return any(os.path.exists(f"{folder}/{name}") for name in (POWER_LOG, DETAIL_LOG))  # noqa: PTH110 - False where forbidden


def _is_folder(path):
    return os.path.isdir(path)  # noqa: PTH112 - False where forbidden


def _beside(given, real, folder):
    """A folder at or near the path that the user named, in the user's words."""
    return os.path.normpath(given / os.path.relpath(folder, real))


def _below(folder, real):
    """A folder from the one on that the user named."""
    return (Path(real.name) / folder.relative_to(real)).as_posix() if folder.is_relative_to(real) else folder.name


def _listed(folder, shown):
    """Names of the folders and of the files in a folder."""
    try:
        with os.scandir(folder) as entries:
            entries = list(entries)
    except OSError as error:
        raise InputError(Problem(f"the folder cannot be listed: {error.strerror}", file=shown)) from None
    return [entry.name for entry in entries if entry.is_dir()], [entry.name for entry in entries if entry.is_file()]
