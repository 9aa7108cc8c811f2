"""One MLPerf inference result: its two logs read, its figures computed, its validity reported."""

from joulebook.errors import InputError, Problems
from joulebook.intake.mlperf.disclosure import parse_description, parse_measurement
from joulebook.intake.mlperf.files import ResultFiles
from joulebook.intake.mlperf.inference import rounds
from joulebook.intake.mlperf.inference.clocks import likely_zone, meter_times
from joulebook.intake.mlperf.inference.power import power_in_window
from joulebook.intake.mlperf.inference.work import Run, of_round, scenarios, work_figures
from joulebook.intake.mlperf.logs.detail_log import parse_detail_log
from joulebook.intake.mlperf.logs.power_log import parse_power_log
from joulebook.intake.mlperf.logs.session import parse_session
from joulebook.intake.mlperf.places import place_of
from joulebook.intake.mlperf.result import MlperfResult, difference
from joulebook.intake.mlperf.tree import DETAIL_LOG, POWER_LOG
from joulebook.intake.mlperf.validity.check import plural

_POWER_COLUMNS = ("duration_s", "n_samples", "n_nonpositive", "max_gap_s", "avg_power_w", "energy_mean_x_duration_j",
                  "integral_energy_j", "coverage")


def read_result(found, validity=True, meter_clock="logged", digests=True):
    r"""Read one inference result.

    Parameters
    ----------
    found : joulebook.intake.mlperf.tree.Found
        Its performance run.
    validity : bool
        Whether the rules of a power submission are checked, which reads the files beside the run.
    meter_clock : str
        One of `joulebook.intake.mlperf.inference.clocks.METER_CLOCKS`.
    digests : bool
        Whether the SHA-256 of its files are kept.

    Returns
    -------
    result : MlperfResult
        The result.
    problems : list of Problem
        What is wrong with files beside the run; the result stands without them.

    Raises
    ------
    InputError
        If a log is missing or damaged, naming file, line, field, value and what is allowed.

    Notes
    -----
    The official algorithm: mean of the positive rows strictly between ``power_begin`` and ``power_end``; energy is mean
    times duration; the metric is W, or mJ per query of a stream scenario. The meter's log and the load generator's are in
    one frame of time: a time zone is added only to a log that is known to be in local time.

    .. math:: E = \bar P (t_{end} - t_{begin}), \quad m = 1000\, E / n_{query}

    References
    ----------
    .. [1] Tschand et al., MLPerf Power, HPCA 2025, arXiv:2410.12032.
    .. [2] mlcommons/inference, tools/submission, submission checker.
    """
    place, problems = found.place or place_of(found.run), Problems()
    files = ResultFiles(place.folder, found.above(place.folder), digests)
    below = "/".join(found.run.parts[len(place.folder.parts):]) or "."
    run_name, ranging_name, power_name = _names(below, files)

    def tried(function, *arguments):
        try:
            return function(*arguments)
        except InputError as error:
            problems.extend(error.problems)
            return None

    meter = tried(lambda: parse_power_log(files.read(run_name(POWER_LOG)), files.name(run_name(POWER_LOG)), validity))
    log = tried(lambda: parse_detail_log(files.read(run_name(DETAIL_LOG)), files.name(run_name(DETAIL_LOG))))
    if log is None:
        problems.stop()
    scenario, effective = tried(scenarios, place.scenario, log) or (None, None)
    window = tried(log.time, "power_begin"), tried(log.time, "power_end")
    if scenario is None or None in window:
        problems.stop()
    if window[0] >= window[1]:
        problems.add("power_end is not after power_begin", file=log.shown, line=log.line("power_end"), field="power_end",
                     value=log.text("power_end"), allowed=f"after {log.text('power_begin')}")
        problems.stop()
    version = log.text("loadgen_version") if place.round is None and log.has("loadgen_version") else None
    run = Run(log, scenario, effective, rounds.rules_of(place.round, version), place.benchmark)
    measured = tried(_power, meter, window, files, run_name, power_name, meter_clock) if meter else None
    power, times, said = measured or (None, None, None)
    work = tried(work_figures, run, power.duration_s if power else 1.0, power.avg_power_w if power else 1.0)
    problems.stop()
    description = place.description()
    described, said_of_it = _described(files, description, place)
    known = {"division": place.division or (described.division if described else None)}
    if described:
        known |= {"disclosure_share": described.share, "disclosure_missing": ", ".join(described.missing) or None}
    formats = place.measurement() if validity else None
    formats, _ = files.parsed(formats, parse_measurement) if formats else (None, "")
    known["described"] = {**(described.told if described else {}), **(formats or {})}
    checked = {}
    if validity:
        from joulebook.intake.mlperf.validity.inference import Evidence, columns, report

        evidence = Evidence(run, power, meter, times, window, files, run_name, ranging_name, power_name)
        checked = {"checks": report(evidence), **columns(evidence)}
    notes = [*said, *power.notes, *_notes(meter, log, work, run, power), *said_of_it]
    result = MlperfResult(
        path=place.path or found.name, round=place.round, submitter=place.submitter, system=place.system,
        benchmark=place.benchmark, scenario=scenario, effective_scenario=effective, power_begin=log.text("power_begin"),
        power_end=log.text("power_end"), **{name: getattr(power, name) for name in _POWER_COLUMNS},
        **difference(power.integral_energy_j, power.energy_mean_x_duration_j), **work, **of_round(run, power, work), **known,
        channels=meter.channels, validity=log.text("result_validity") if log.has("result_validity") else None, **checked,
        notes=tuple(notes), files=files.digests)
    return result, files.problems


def _names(below, files):
    """Names, below the result's folder, of the run's files, of those of its ranging run, and of the session's beside it."""
    above = "" if below == "." or "/" not in below else f"{below.rpartition('/')[0]}/"
    here = "" if below == "." else f"{below}/"

    def of_session(name):
        return next((place for place in (f"{above}power/{name}", f"{here}{name}") if files.has(place)), f"{above}power/{name}")

    return (lambda name: f"{here}{name}"), (lambda name: f"{above}ranging/{name}"), of_session


def _power(meter, window, files, run_name, power_name, clock):
    """Power in the window, on the load generator's clock, and what was said of the meter's."""
    times, said = meter_times(meter, window, files, power_name, clock)

    def hint():
        server, _ = files.parsed(power_name("server.json"), parse_session)
        return likely_zone(times, window, server.timezone_s if server else None, clock)

    return power_in_window(times, meter.watts, *window, files.name(run_name(POWER_LOG)), hint), times, said


def _notes(meter, log, work, run, power):
    """What must be said of the two logs and of what was made of them."""
    notes = []
    if meter.other_rows:
        notes.append(f"{plural(meter.other_rows, 'row')} of {POWER_LOG} left out: not starting with Time")
    if meter.apart:
        notes.append(f"total power is not the sum of its {meter.channels} channels in {plural(meter.apart, 'row')} "
                     f"({meter.apart_words})")
    for key in ("power_begin", "power_end"):
        count = log.count(key)
        if count > 1:
            notes.append(f"{key} occurs {count} times: the first is taken, as the official checker does")
    verdict = log.text("result_validity") if log.has("result_validity") else None
    if verdict not in (None, "VALID"):
        notes.append(f"the load generator calls the run {verdict}")
    if power.n_nonpositive and run.rules is not None and run.rules < rounds.FILTER_FROM:
        with_them = f"{power.all_rows_avg_power_w:.7g} W" if power.all_rows_avg_power_w is not None else "no number"
        notes.append(f"{rounds.named(run.rules)} did not yet leave failed reads out of the mean: with them it is {with_them}, "
                     f"without {power.avg_power_w:.7g} W")
    if work.get("unit_note"):
        notes.append(work["unit_note"])
    return notes


def _described(files, name, place):
    """What the system's description tells, and what is said where it cannot be read."""
    if name is None:
        return None, []
    try:
        told = parse_description(files.read(name), name)
        known = place.division or told.division
        return told, [] if known else [f"division not known: {name} does not say it"]
    except InputError as error:
        return None, [f"division and disclosure not known: {error}"]
