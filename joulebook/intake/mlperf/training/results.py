"""MLPerf Training results: a row for each run with power, and MLCommons' mean over the runs in each."""

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.disclosure import parse_description
from joulebook.intake.mlperf.files import ResultFiles
from joulebook.intake.mlperf.places import place_of_benchmark
from joulebook.intake.mlperf.result import MlperfResult, difference
from joulebook.intake.mlperf.training.runs import olympic_mean, read_run
from joulebook.intake.mlperf.tree import TRAINING_RUN
from joulebook.intake.mlperf.validity.training import report


def read_training(found, validity=True, digests=True):
    """Read one Training result.

    Parameters
    ----------
    found : joulebook.intake.mlperf.tree.Found
        Its folder, with ``power`` inside.
    validity : bool
        Whether its rules are checked.
    digests : bool
        Whether the SHA-256 of its files are kept.

    Returns
    -------
    results : list of MlperfResult
        One for each run.
    problems : list of Problem
        What is wrong with runs that could not be read; without all of them there is no mean.

    Raises
    ------
    InputError
        If no run is there.

    References
    ----------
    .. [1] mlcommons/logging, result_summarizer: energy of nodes and switches, olympic mean.
    """
    place = place_of_benchmark(found.run, "training")
    files = ResultFiles(found.run, found.shown, digests)
    names = sorted((entry.name for entry in (found.run / "power").iterdir() if TRAINING_RUN.fullmatch(entry.name)),
                   key=lambda name: int(name.rpartition("_")[2]))
    if not names:
        raise InputError(Problem("no run with power", file=files.name("power"), allowed="result_0 with node_0.txt"))
    runs, problems = [], []
    for name in names:
        before = dict(files.digests)
        try:
            runs.append((read_run(files, name), {key: files.digests[key] for key in files.digests.keys() - before.keys()}))
        except InputError as error:
            problems += error.problems
    energy_j, length_s, words = olympic_mean([run for run, _ in runs])
    if problems:
        energy_j, length_s, words = None, None, f"no olympic mean: {len(names) - len(runs)} of {len(names)} runs cannot be read"
    description = place.description()
    described, _ = files.parsed(description, parse_description) if description else (None, "")
    known = {"division": place.division or (described.division if described else None)}
    if described:
        known |= {"disclosure_share": described.share, "disclosure_missing": ", ".join(described.missing) or None,
                  "described": described.told}
    shared = {"path": place.path or found.name, "suite": "training", "round": place.round, "submitter": place.submitter,
              "system": place.system, "benchmark": place.benchmark, **known, "runs": len(names),
              "olympic_mean_energy_j": energy_j, "olympic_mean_time_to_train_s": length_s}
    return [_result(run, shared, digests, words, validity) for run, digests in runs], problems + files.problems


def _result(run, shared, digests, words, validity):
    """One run as a result."""
    energy_j, length_s = run.energy_j, run.time_to_train_s
    integral_j, coverage = run.integral_j()
    boundary = run.boundary()
    notes = [words, *run.notes]
    if boundary is None:
        notes.append("some parts state conversion_eff and some do not: the sum lies at no one boundary")
    elif boundary == "server":
        notes.append("no conversion_eff: the readings count as they are")
    nodes = run.nodes.values()
    return MlperfResult(
        **shared, run=run.name, duration_s=length_s, time_to_train_s=length_s, n_samples=sum(node.times_s.size for node in nodes),
        n_nonpositive=sum(int((node.power_w <= 0).sum()) for node in nodes),
        max_gap_s=max(node.longest_gap_s() for node in nodes), avg_power_w=energy_j / length_s, power_metric=energy_j,
        power_unit="J", power_metric_of_round=energy_j, power_unit_of_round="J", perf=length_s / 60, perf_unit="minutes to train",
        perf_unit_published="minutes to train", energy_mean_x_duration_j=energy_j, integral_energy_j=integral_j,
        **difference(integral_j, energy_j), coverage=coverage, unit_of_work="training_sample", boundary=boundary,
        channels=len(run.parts()), wall_energy_j=run.wall_energy_j(), validity="VALID" if run.success else "missed the target",
        checks=report(run) if validity else (), notes=tuple(notes), files=digests)
