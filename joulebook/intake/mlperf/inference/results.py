"""MLPerf inference power results: MLCommons' figure from the raw logs, and the integral beside it."""

import csv
import hashlib
import io
import json
import math
from dataclasses import dataclass, field, fields

from joulebook.errors import InputError, Problems
from joulebook.intake.mlperf import tree
from joulebook.intake.mlperf.inference.figures import power_figures, rows, scenarios, seconds, work_figures
from joulebook.intake.mlperf.logs.detail_log import parse_detail_log
from joulebook.intake.mlperf.logs.power_log import parse_power_log
from joulebook.intake.mlperf.tree import DETAIL_LOG, DIVISIONS, POWER_LOG, Skipped
from joulebook.intake.text import read_bytes
from joulebook.results import Labels

__all__ = ["MlperfResult", "Skipped", "as_rows", "csv_text", "find_results"]

WINDOW = "performance run, power_begin to power_end"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet runs a cell that starts so


@dataclass(frozen=True)
class MlperfResult:
    """One MLPerf inference power result, computed from its raw logs.

    Parameters
    ----------
    path : str
        Folder of the result, from its round on, else from the folder on that the user named.
    round, division, submitter, system, benchmark : str or None
        What the folders (the division also ``systems/*.json``) say; None where they do not.
    scenario, effective_scenario : str
        Scenario of the result, and the one that was run.
    power_begin, power_end : str
        Window of the performance run as logged, in no time zone.
    duration_s : float
        Length of the window. [s]
    n_samples, n_nonpositive : int
        Rows strictly inside the window, failed reads too; failed reads (not positive, or nan) among them.
    max_gap_s : float or None
        Longest time between two rows inside, failed reads too. [s]
    avg_power_w : float
        Mean of the valid rows inside. [W]
    result_query_count : int or None
        Queries of the run; None in logs of v1.x.
    power_metric : float
        MLCommons' figure, in `power_unit`.
    power_unit : str
        ``W``, ``mJ/query``, or ``mJ/sample`` (MultiStream of v1.x).
    how : str
        ``official``, or what stands for the query count in logs of v1.x.
    perf, perf_unit : float, str or None
        Performance: Samples/s, Queries/s (completed, where logged), Tokens/s or, from v2.1, Latency (ms).
    efficiency_per_j : float or None
        `perf` per watt, or samples per joule of a stream scenario. [1/J]
    energy_mean_x_duration_j : float
        MLCommons' energy: mean power times duration. [J]
    integral_energy_j : float or None
        Trapezoid of the valid rows, edges interpolated, gaps longer than three median intervals left out. [J]
    coverage : float or None
        Share of the window that the integral covers. [1]
    throughput_per_s : float or None
        Work done a second, in `unit_of_work`: of a Server result the scheduled rate up to v4.0, the completed rate
        from v4.1. [1/s]
    unit_of_work : str
        ``sample``, ``query`` or ``output_token``.
    scheduled_per_s, completed_per_s : float or None
        Both rates of a Server result, in its unit of work. [1/s]
    latency_ms : float or None
        Latency of a stream scenario: early-stopping estimate, else the percentile of its rules. [ms]
    channels : int
        Analyzers or channels that the total power was added from.
    validity : str or None
        The load generator's own verdict, such as ``VALID``.
    notes : tuple of str
        What was left out, corrected or does not fit.
    files : dict of str to str
        SHA-256 of every file that was read, by its name below the result's folder.
    """

    path: str
    round: str | None
    division: str | None
    submitter: str | None
    system: str | None
    benchmark: str | None
    scenario: str
    effective_scenario: str
    power_begin: str
    power_end: str
    duration_s: float
    n_samples: int
    n_nonpositive: int
    max_gap_s: float | None
    avg_power_w: float
    result_query_count: int | None
    power_metric: float
    power_unit: str
    how: str
    perf: float | None
    perf_unit: str | None
    efficiency_per_j: float | None
    energy_mean_x_duration_j: float
    integral_energy_j: float | None
    coverage: float | None
    throughput_per_s: float | None
    unit_of_work: str
    scheduled_per_s: float | None = None
    completed_per_s: float | None = None
    latency_ms: float | None = None
    channels: int = 1
    validity: str | None = None
    notes: tuple = ()
    files: dict = field(default_factory=dict)

    def labels(self):
        """What the figures are valid for.

        Returns
        -------
        joulebook.results.Labels
            Workload is the model; quality, such as ``99.9 % of reference``, is None where the benchmark states none.
        """
        model, target = tree.model_and_target(self.benchmark)
        return Labels(workload=model, unit_of_work=self.unit_of_work, quality=f"{target} % of reference" if target else None,
                      scenario=self.scenario, window=WINDOW, boundary="server")

    def source_text(self):
        """Suite, round, division, submitter, system, benchmark and scenario in one line."""
        parts = (" ".join(filter(None, ("MLPerf Inference", self.round))), self.division, self.submitter, self.system,
                 self.benchmark, self.scenario)
        return " ".join(", ".join(filter(None, parts)).split())


COLUMNS = tuple(item.name for item in fields(MlperfResult) if item.name != "files")


def find_results(paths):
    """Read all MLPerf inference power results at or below some paths.

    Parameters
    ----------
    paths : iterable of str or pathlib.Path
        Folders of results (that of the scenario, ``performance`` or ``run_1``), files inside, or trees of any depth.

    Returns
    -------
    results : list of MlperfResult
        Each result once, in the order found.
    skipped : list of Skipped
        What belongs to MLPerf and is not read: Tiny, Training, runs without power.
    problems : list of Problem
        What is wrong with results that could not be read; the others are not hidden by it.

    Raises
    ------
    InputError
        If a path does not exist or holds nothing of MLPerf.
    """
    found, skipped, problems, wrong, seen = [], [], [], Problems(), set()
    for path in paths:
        try:
            more = tree.discover(path)
        except InputError as error:
            wrong.extend(error.problems)
            continue
        found += [run for run in more[0] if run.run.resolve() not in seen]
        seen.update(run.run.resolve() for run in more[0])
        skipped += [other for other in more[1] if other not in skipped]
        problems += [problem for problem in more[2] if problem not in problems]
    wrong.stop()
    results = []
    for run in found:
        try:
            results.append(read_result(run))
        except InputError as error:
            problems += error.problems
    return results, skipped, problems


def read_result(found):
    r"""Read one result.

    Parameters
    ----------
    found : joulebook.intake.mlperf.tree.Found
        Its performance run.

    Returns
    -------
    MlperfResult
        The result.

    Raises
    ------
    InputError
        If a log is missing or damaged, naming file, line, field, value and what is allowed.

    Notes
    -----
    The official algorithm: mean of the positive rows strictly between ``power_begin`` and ``power_end``; energy is mean
    times duration; the metric is W, or mJ per query of a stream scenario. The meter's log and the load generator's are in
    one frame of time: no time zone is ever added.

    .. math:: E = \bar P (t_{end} - t_{begin}), \quad m = 1000\, E / n_{query}

    References
    ----------
    .. [1] Tschand et al., MLPerf Power, HPCA 2025, arXiv:2410.12032.
    .. [2] mlcommons/inference, tools/submission, submission checker.
    """
    place = tree.place_of(found.run)
    below = found.run.relative_to(place.folder)
    files, notes, problems = {}, [], Problems()

    def read(name, parse):
        shown = f"{found.shown}/{name}"
        data = read_bytes(found.run / name, shown)
        files[(below / name).as_posix()] = hashlib.sha256(data).hexdigest()
        return parse(data, shown)

    def tried(function, *arguments):
        try:
            return function(*arguments)
        except InputError as error:
            problems.extend(error.problems)
            return None

    meter, log = tried(read, POWER_LOG, parse_power_log), tried(read, DETAIL_LOG, parse_detail_log)
    if log is None:
        problems.stop()
    scenario, effective = tried(scenarios, place.scenario, log) or (None, None)
    begin, end = tried(log.time, "power_begin"), tried(log.time, "power_end")
    if None in (scenario, begin, end):
        problems.stop()
    if begin >= end:
        problems.add("power_end is not after power_begin", file=log.shown, line=log.line("power_end"), field="power_end",
                     value=log.text("power_end"), allowed=f"after {log.text('power_begin')}")
        problems.stop()
    power = tried(power_figures, meter, begin, end, f"{found.shown}/{POWER_LOG}", notes) if meter else None
    average = power["avg_power_w"] if power else math.nan
    work = tried(work_figures, log, scenario, effective, place.round, seconds(end - begin), average)
    problems.stop()
    if meter.other_rows:
        notes.append(f"{rows(meter.other_rows)} of {POWER_LOG} left out: not starting with Time")
    if meter.apart:
        notes.append(f"total power is not the sum of its {meter.channels} channels in {rows(meter.apart)} "
                     f"({meter.apart_words})")
    notes += [f"{key} occurs {log.count(key)} times: the first is taken, as the official checker does"
              for key in ("power_begin", "power_end") if log.count(key) > 1]
    validity = log.text("result_validity") if log.has("result_validity") else None
    if validity not in (None, "VALID"):
        notes.append(f"the load generator calls the run {validity}")
    division = place.division or _division(place.folder, files, notes)
    return MlperfResult(
        path=place.path or found.name, round=place.round, division=division, submitter=place.submitter, system=place.system,
        benchmark=place.benchmark, scenario=scenario, effective_scenario=effective, power_begin=log.text("power_begin"),
        power_end=log.text("power_end"), **power, **work, channels=meter.channels, validity=validity, notes=tuple(notes),
        files=files)


def as_rows(results):
    """Plain values of results, for JSON or a table.

    Parameters
    ----------
    results : iterable of MlperfResult
        The results.

    Returns
    -------
    list of dict
        One per result, with the names of `COLUMNS`; `notes` as one text.
    """
    return [{name: getattr(result, name) for name in COLUMNS} | {"notes": "; ".join(result.notes)} for result in results]


def csv_text(results):
    """Results as CSV: text that a spreadsheet would run as a formula gets a leading apostrophe, numbers stay.

    Parameters
    ----------
    results : iterable of MlperfResult
        The results.

    Returns
    -------
    str
        Header and one line per result, LF.
    """
    text = io.StringIO()
    table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    table.writeheader()
    for row in as_rows(results):
        table.writerow({name: f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
                        for name, value in row.items()})
    return text.getvalue()


def _division(folder, files, notes):
    """Division as the description of the system beside the run says it; None where there is none."""
    described = sorted((folder / "systems").glob("*.json"))
    if len(described) != 1:
        return None
    name = described[0].relative_to(folder).as_posix()
    try:
        data = read_bytes(described[0], name)
        division = json.loads(data)["division"].lower()
    except (InputError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        notes.append(f"division not known: {name} does not say it ({type(error).__name__})")
        return None
    files[name] = hashlib.sha256(data).hexdigest()
    return division if division in DIVISIONS else None
