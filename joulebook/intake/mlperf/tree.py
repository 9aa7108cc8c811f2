"""Where MLPerf power results lie in a tree of folders, and what their folders are called."""

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path

from joulebook.errors import InputError, Problem
from joulebook.results import SCENARIOS

POWER_LOG, DETAIL_LOG = "spl.txt", "mlperf_log_detail.txt"
DIVISIONS = ("closed", "open", "network")
MODELS = ("3d-unet", "bert", "deepseek-r1", "dlrm", "dlrm-v2", "gptj", "llama2-70b", "llama2-70b-interactive", "llama3.1-405b",
          "llama3.1-8b", "llama3.1-8b-edge", "mixtral-8x7b", "mobilenet", "pointpainting", "resnet", "resnet50", "retinanet",
          "rgat", "rnnt", "ssd-large", "ssd-mobilenet", "ssd-resnet34", "ssd-small", "stable-diffusion-xl", "whisper")
_TARGET = re.compile(r"(.+)-(99(?:\.9)?)")
_REPOSITORY = re.compile(r"inference_results_v(\d+\.\d+)(?:[-_].*)?")  # a download of a branch has its name behind
_ROUND = re.compile(r"v(\d+\.\d+)")
_RUN = re.compile(r"run_\d+")
_BESIDE = ("ranging", "accuracy")  # other runs of the same result
_PARTS = (*_BESIDE, "power", "measurements", "systems")
_LEVELS = 4  # from a file up to the folder of its result


@dataclass(frozen=True)
class Skipped:
    """A folder that was not read, and why."""

    folder: str
    reason: str


@dataclass(frozen=True)
class Found:
    """A performance run that is to be read.

    Parameters
    ----------
    run : pathlib.Path
        Folder of its logs.
    shown : str
        The same as the user named it.
    name : str
        Its result's folder, from the folder on that the user named.
    """

    run: Path
    shown: str
    name: str


@dataclass(frozen=True)
class Place:
    """What the folders of a result say: None where they do not.

    Parameters
    ----------
    folder : pathlib.Path
        Folder of the result: that of its scenario, where there is one.
    scenario, benchmark, system, submitter, division, round : str or None
        Their names; the scenario and the division as MLPerf spells them, the round such as ``v4.1``.
    path : str or None
        From the round on.
    """

    folder: Path
    scenario: str | None = None
    benchmark: str | None = None
    system: str | None = None
    submitter: str | None = None
    division: str | None = None
    round: str | None = None
    path: str | None = None


def scenario_of(name):
    """A scenario in MLPerf's own spelling, or None.

    Examples
    --------
    >>> scenario_of("singlestream"), scenario_of("run_1")
    ('SingleStream', None)
    """
    return next((scenario for scenario in SCENARIOS if scenario.lower() == str(name).lower()), None)


def model_and_target(benchmark):
    """Model of a benchmark, and its quality target in percent of the reference.

    Examples
    --------
    >>> model_and_target("bert-99.9"), model_and_target("resnet50")
    (('bert', '99.9'), ('resnet50', None))
    """
    match = _TARGET.fullmatch(benchmark or "")
    return match.groups() if match else (benchmark, None)


def place_of(run):
    """What the folders above a performance run say.

    Parameters
    ----------
    run : pathlib.Path
        Folder of the run's logs, absolute.

    Returns
    -------
    Place
        Names read from ``[round]/[division]/submitter/[results]/system/benchmark/scenario/performance/run_1``.

    Examples
    --------
    >>> place = place_of(Path("/x/inference_results_v4.1/closed/Acme/results/box/bert-99/offline/performance/run_1"))
    >>> place.round, place.division, place.submitter, place.system, place.benchmark, place.scenario
    ('v4.1', 'closed', 'Acme', 'box', 'bert-99', 'Offline')
    """
    folder = run.parent if _RUN.fullmatch(run.name) else run
    folder = folder.parent if folder.name == "performance" else folder
    scenario = scenario_of(folder.name)
    if scenario is None:
        return Place(folder)
    above = folder.parts[:-1]
    benchmark = above[-1] if model_and_target(above[-1])[0] in MODELS else None
    place = Place(folder, scenario, benchmark)
    for i in range(len(above) - 1, -1, -1):
        repository = _REPOSITORY.fullmatch(above[i])
        match = repository or _ROUND.fullmatch(above[i])
        named = match and _named(above[i + 1:])
        if named:
            return replace(place, round=f"v{match[1]}", path="/".join(folder.parts[i:]), **named)
    last = above[-5:]
    in_repository = len(last) == 5 and last[0].lower() in DIVISIONS and last[2] == "results"
    return replace(place, **_named(last)) if in_repository else place


def _named(names):
    """Names of ``[division]/submitter/[results]/system/benchmark``, or None where the folders are others."""
    names = list(names)
    division = names.pop(0).lower() if names and names[0].lower() in DIVISIONS else None
    if names[1:2] == ["results"]:
        del names[1]
    if len(names) != 3:
        return None
    return {"division": division, **dict(zip(("submitter", "system", "benchmark"), names, strict=True))}


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
    for folder in list(real.parents)[:_LEVELS] if real.is_file() else []:
        if folder.name in ("energy", "power") and not skipped:
            shown = _beside(given, real, folder)
            skipped += filter(None, [_other_kind(folder, *_listed(folder, shown), shown)])
    if real.is_dir():
        _walk(given, real, found, skipped, problems)
    if not (found or skipped or problems):
        raise InputError(Problem("no MLPerf power result here", file=str(path),
                                 allowed=f"a result's folder with performance/run_1/{POWER_LOG}, or a tree of such folders"))
    return found, skipped, problems


def _walk(given, real, found, skipped, problems):
    def unreadable(error):
        problems.append(Problem(f"the folder cannot be listed: {error.strerror}", file=shown(Path(error.filename))))

    def shown(folder):
        return str(given / folder.relative_to(real))

    seen = set()
    for name, folders, files in os.walk(real, onerror=unreadable, followlinks=True):
        folder = Path(name)
        if folder.resolve() in seen:  # a link back to a folder above, or to one already read
            folders.clear()
            continue
        seen.add(folder.resolve())
        folders.sort()
        other = _other_kind(folder, folders, files, shown(folder))
        if other:
            skipped.append(other)
            folders.clear()
        elif folder.name == "performance" and {"power", "ranging"} & set(folders) and not _has_logs(folder / "run_1"):
            problems.append(Problem("the performance run is missing", file=shown(folder), field="run_1",
                                    allowed=f"run_1 with {POWER_LOG} and {DETAIL_LOG}"))
        elif folder.name not in _BESIDE and {POWER_LOG, DETAIL_LOG} & set(files):
            if folder.parent.name == "performance" and folder.name != "run_1" and _has_logs(folder.parent / "run_1"):
                skipped.append(Skipped(shown(folder), "a further run: MLPerf's figure is that of run_1"))
            elif POWER_LOG in files or any(_is_folder(folder.parent / beside) for beside in ("power", "ranging")):
                found.append(Found(folder, shown(folder), _below(place_of(folder).folder, real)))
            else:
                skipped.append(Skipped(shown(folder), f"no {POWER_LOG}: a run without power"))
        folders[:] = [name for name in folders if name not in (".git", "compliance", "accuracy")]  # no results of their own


def _other_kind(folder, folders, files, shown):
    """A power result of another suite, as skipped; None where the folder is none."""
    if folder.name == "energy" and (re.search(r"(?m)^(energy_)?results\.txt$|\.async$|^trace\d+-", "\n".join(files))):
        return Skipped(str(Path(shown).parent), "MLPerf Tiny: an energy result of a kind that is not read yet")
    if folder.name != "power":
        return None
    if any(re.fullmatch(r"result_\d+|(node|sw)_\d+\.txt", name) for name in (*folders, *files)):
        return Skipped(str(Path(shown).parent), "MLPerf Training: a power result of a kind that is not read yet")
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


def _run_around(real):
    """Run of the result that a file or folder inside it belongs to, or None."""
    return next(filter(None, map(_run_of, list(real.parents)[:_LEVELS])), None)


def _has_logs(folder):
    return any(os.path.exists(folder / name) for name in (POWER_LOG, DETAIL_LOG))  # noqa: PTH110 - False where forbidden


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
