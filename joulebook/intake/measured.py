"""What an MLPerf result gives a client: throughput, power and labels, all of them measured."""

from dataclasses import dataclass, field
from datetime import datetime

from joulebook.intake.checks import LONGEST_SOURCE, attempt, shortened
from joulebook.results import LABELS, NOT_STATED, Labels
from joulebook.units import work

MEASURED = ("throughput_per_s", "active_power_w")  # the parameters that it gives


@dataclass(frozen=True)
class Measured:
    """What was taken from an MLPerf result.

    Parameters
    ----------
    entries : dict of str to dict
        Value, source, evidence and date of each parameter; empty where anything is wrong.
    labels : Labels
        The client's labels, completed by those of the result.
    files : dict of str to str
        SHA-256 of the files that were read.
    result : joulebook.intake.mlperf.result.MlperfResult or None
        The result itself.
    """

    entries: dict
    labels: Labels
    files: dict = field(default_factory=dict)
    result: object = None


def read_measured(mlperf, stated, folder, place, found):
    """Read the MLPerf result that a client names.

    Parameters
    ----------
    mlperf : dict
        `path`, absolute or relative to `folder`; where units of work are converted `unit_of_work_factor`; where the meter
        wrote local time `meter_clock`.
    stated : Labels
        Labels that the client states.
    folder : pathlib.Path
        The client's folder.
    place : callable
        Gives the place of a path in client.yml, as keywords of `Problem`.
    found : Problems
        Takes what is wrong.

    Returns
    -------
    Measured
    """
    result = _one_result(mlperf, folder, place, found)
    if result is None:
        return Measured({}, stated)
    before = len(found)
    factor = _factor(mlperf, stated.unit_of_work, result.labels().unit_of_work, place, found)
    labels = _same_labels(stated, result.labels(), place, found)
    if len(found) > before:
        return Measured({}, labels)
    origin = {"evidence": "measured"} | ({"as_of": _date(result.power_begin)} if result.power_begin else {})
    values = (result.throughput_per_s * factor, result.avg_power_w)
    texts = {name: [result.source_text()] for name in MEASURED}
    entries = {name: {"value": float(value), **origin} for name, value in zip(MEASURED, values, strict=True)}
    if factor != 1:
        texts["throughput_per_s"].append(f"{factor:g} {work(labels.unit_of_work, plural=True)} per "
                                         f"{work(result.labels().unit_of_work)}")
        entries["throughput_per_s"]["evidence"] = "modelled"
    if result.uncertainty_pct is not None:
        entries["active_power_w"] |= _limits(result)
        texts["active_power_w"].append(f"limit of error {result.uncertainty_pct:g} % of the reading: {result.uncertainty_source}")
    for name, said in texts.items():
        entries[name]["source"] = shortened("; ".join([*said, *_broken(result)]), LONGEST_SOURCE)
    return Measured(entries, labels, {f"mlperf/{name}": digest for name, digest in result.files.items()}, result)


def _one_result(mlperf, folder, place, found):
    from joulebook.intake.mlperf import find_results
    from joulebook.intake.mlperf.inference.clocks import METER_CLOCKS

    here = {**place("mlperf", "path"), "value": mlperf["path"]}
    before = len(found)
    clock = mlperf.get("meter_clock", METER_CLOCKS[0])
    if clock not in METER_CLOCKS:
        found.add("no clock", **{**place("mlperf", "meter_clock"), "value": clock}, allowed=" or ".join(METER_CLOCKS))
        return None
    results, skipped, problems = attempt(found, find_results, [folder / mlperf["path"]], True, clock) or ([], [], [])
    found.extend(problems)
    if len(found) > before:
        return None
    if len(results) != 1:
        reasons = "".join(f"; skipped {item.folder}: {item.reason}" for item in skipped[:3])
        found.add(f"{len(results)} MLPerf results where one is due{reasons}", **here, allowed="the folder of one result")
        return None
    if results[0].validity not in (None, "VALID"):
        found.add(f"the load generator calls this run {results[0].validity}", **here, allowed="a valid run")
        return None
    if results[0].throughput_per_s is None:
        found.add("the MLPerf result has no throughput", **here, allowed="a result with performance, or its figures under inputs")
        return None
    return results[0]


def _limits(result):
    """Range of the mean power: the limit of error holds for each of its samples, and so for their mean."""
    half = result.avg_power_w * result.uncertainty_pct / 100
    return {"low": result.avg_power_w - half, "high": result.avg_power_w + half, "range_is": "limits"}


def _broken(result):
    """What must be said beside a figure whose measurement broke rules: it is used, and never in silence."""
    failed = [f"{check.rule} ({check.words})" for check in result.failed()]
    return [f"warning, rules of the submission not kept: {'; '.join(failed)}"] if failed else []


def _same_labels(stated, measured, place, found):
    """All labels together; one that is stated must not contradict the result, but for a converted unit of work."""
    for name in LABELS:
        mine, theirs = getattr(stated, name), getattr(measured, name)
        if name != "unit_of_work" and None not in (mine, theirs) and mine != theirs:
            found.add("differs from the label of the MLPerf result", **place("labels", name), value=mine,
                      allowed=f"{theirs}, or no label here")
    return Labels(*(getattr(stated, name) or getattr(measured, name) for name in LABELS))


def _factor(mlperf, mine, theirs, place, found):
    """Units of work of the client in one of the MLPerf result."""
    given = "unit_of_work_factor" in mlperf
    factor = mlperf.get("unit_of_work_factor")
    here = {**place("mlperf", "unit_of_work_factor"), "value": factor}
    if mine in (None, theirs) and given:
        found.add(f"a factor where nothing is converted: the MLPerf result counts {theirs}", **here,
                  allowed="no factor, or another labels.unit_of_work")
    elif mine not in (None, theirs) and not given:
        found.add(f"units of work mixed without a factor: {theirs or NOT_STATED} of the MLPerf result and {mine}",
                  **place("labels", "unit_of_work"), value=mine, allowed=f"mlperf.unit_of_work_factor: {mine} in one {theirs}")
    elif given and (isinstance(factor, bool) or not isinstance(factor, int | float) or not 0 < factor < float("inf")):
        found.add("no factor", **here, allowed=f"a number above 0: {mine} in one {theirs}")
    return factor if given else 1.0


def _date(begin):
    """ISO date of a time such as ``03-15-2021 22:16:05.906``."""
    return datetime.strptime(begin.split()[0], "%m-%d-%Y").date().isoformat()
