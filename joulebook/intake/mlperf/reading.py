"""All results of some paths: found, read suite by suite, copies marked; what is broken hides nothing else."""

from joulebook.errors import InputError, Problems
from joulebook.intake.mlperf import tree
from joulebook.intake.mlperf.duplicates import mark_copies
from joulebook.intake.mlperf.inference.results import read_result


def find_results(paths, validity=True, meter_clock="logged", digests=True):
    """Read all MLPerf power results at or below some paths.

    Parameters
    ----------
    paths : iterable of str or pathlib.Path
        Folders of results (that of the scenario, ``performance`` or ``run_1``), files inside, or trees of any depth.
    validity : bool
        Whether the rules of a power submission are checked, which reads the files beside the runs.
    meter_clock : str
        ``logged``: the meter's logs are on the load generator's clock, or known to be local by what lies beside them;
        ``local``: they are declared to be in the local time that ``server.json`` records.
    digests : bool
        Whether results carry the SHA-256 of their files.

    Returns
    -------
    results : list of MlperfResult
        Each result once, in the order found; copies name the result that they repeat.
    skipped : list of Skipped
        What belongs to MLPerf and is not read, such as runs without power.
    problems : list of Problem
        What is wrong with results that could not be read, or with files beside those that could; nothing else is hidden by it.

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
        for item in more[0]:
            known = (item.suite, tree.identity(item.run))
            if known not in seen:
                seen.add(known)
                found.append(item)
        skipped += [other for other in more[1] if other not in skipped]
        problems += [problem for problem in more[2] if problem not in problems]
    wrong.stop()
    results = []
    for item in found:
        try:
            more, faults = _read(item, validity, meter_clock, digests)
        except InputError as error:
            more, faults = [], error.problems
        results += more
        problems += [problem for problem in faults if problem not in problems]
    return mark_copies(results), skipped, problems


def _read(item, validity, meter_clock, digests):
    """Results of one place of any suite, and what is wrong beside them."""
    if item.suite == "tiny":
        from joulebook.intake.mlperf.tiny.results import read_tiny

        return read_tiny(item, validity, digests)
    if item.suite == "training":
        from joulebook.intake.mlperf.training.results import read_training

        return read_training(item, validity, digests)
    result, faults = read_result(item, validity, meter_clock, digests)
    return [result], faults
