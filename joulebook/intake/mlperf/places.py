"""What the folders of MLPerf results are called: round, division, submitter, system, benchmark, scenario."""

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path

from joulebook.results import SCENARIOS

DIVISIONS = ("closed", "open", "network")
MODELS = ("3d-unet", "bert", "deepseek-r1", "dlrm", "dlrm-v2", "gptj", "llama2-70b", "llama2-70b-interactive", "llama3.1-405b",
          "llama3.1-8b", "llama3.1-8b-edge", "mixtral-8x7b", "mobilenet", "pointpainting", "resnet", "resnet50", "retinanet",
          "rgat", "rnnt", "ssd-large", "ssd-mobilenet", "ssd-resnet34", "ssd-small", "stable-diffusion-xl", "whisper")
_TARGET = re.compile(r"(.+)-(99(?:\.9)?)")
_REPOSITORY = re.compile(r"(inference|tiny|training)_results_v(\d+\.\d+)(?:[-_].*)?")  # a download has a branch behind it
_ROUND = re.compile(r"(?:(inference|tiny|training)_)?v(\d+\.\d+)")
_SCENARIOS = {scenario.lower(): scenario for scenario in SCENARIOS}
_RUN = re.compile(r"run_\d+")


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

    def description(self):
        """The file that describes the system, relative to the result's folder; None where there is none or no one."""
        beside, up = self._files("systems"), self._up()
        if beside:
            return beside[0] if len(beside) == 1 else None
        name = None if None in (up, self.system) else f"{up}systems/{self.system}.json"
        return name if name and os.path.isfile(f"{self.folder}/{name}") else None  # noqa: PTH113 - False where forbidden

    def measurement(self):
        """The file that tells the number formats, relative to the result's folder; None where there is none or no one."""
        found, up = self._files("measurements"), self._up()
        if not found and up:
            found = self._files("/".join([f"{up}measurements", *self.folder.parts[1 - up.count("../"):]]))
        return found[0] if len(found) == 1 else None

    def _up(self):
        """Way from the result's folder to what lies beside ``results``; None where there is no such folder above."""
        up = next((i for i, name in enumerate(reversed(self.folder.parts), start=1) if name == "results"), None)
        return None if up is None else "../" * up

    def _files(self, folder):
        """The JSON files in a folder, relative to the result's."""
        try:
            return [f"{folder}/{name}" for name in os.listdir(f"{self.folder}/{folder}") if name.endswith(".json")]  # noqa: PTH208
        except OSError:
            return []


def scenario_of(name):
    """A scenario in MLPerf's own spelling, or None.

    Examples
    --------
    >>> scenario_of("singlestream"), scenario_of("run_1")
    ('SingleStream', None)
    """
    return _SCENARIOS.get(str(name).lower())


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
    """What the folders above an inference run say.

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
    return _placed(Place(folder, scenario, benchmark), above, "inference")


def place_of_benchmark(folder, suite):
    """What the folders above a Tiny or Training result say.

    Parameters
    ----------
    folder : pathlib.Path
        Folder of the benchmark, absolute.
    suite : str
        ``tiny`` or ``training``.

    Returns
    -------
    Place
        Names read from ``[round]/[division]/submitter/[results]/system/benchmark``.

    Examples
    --------
    >>> place = place_of_benchmark(Path("/x/tiny_v1.0/Acme/board/ad"), "tiny")
    >>> place.round, place.submitter, place.system, place.benchmark, place.path
    ('v1.0', 'Acme', 'board', 'ad', 'tiny_v1.0/Acme/board/ad')
    """
    return _placed(Place(folder, benchmark=folder.name), folder.parts, suite)


def _placed(place, above, suite):
    """A place with the names that the folders above give, from the innermost round or from a repository's ``results``."""
    for i in range(len(above) - 1, -1, -1):
        match = _REPOSITORY.fullmatch(above[i]) or _ROUND.fullmatch(above[i])
        named = match and (match[1] or suite) == suite and _named(above[i + 1:])
        if named:
            return replace(place, round=f"v{match[2]}", path="/".join(place.folder.parts[i:]), **named)
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
