"""Results that repeat the run of another: a 99.9 % result submitted for 99 %, a scenario inferred from another's run."""

from dataclasses import replace

from joulebook.intake.mlperf.places import model_and_target


def mark_copies(results):
    """Name, in each result that repeats another's run, the result that it is a copy of.

    Runs are the same where round, submitter, system, begin and end agree; where the folders do not name these, where mean
    power, integral and samples agree to the last digit as well. Of several results of one run the original is the one whose
    scenario was run, at the strictest quality target.

    Parameters
    ----------
    results : list of MlperfResult
        The results.

    Returns
    -------
    list of MlperfResult
        The same, in their order, with `copy_of` filled.
    """
    groups = {}
    for i, result in enumerate(results):
        if result.power_begin is not None:
            groups.setdefault(_run(result), []).append(i)
    copies = {}
    for places in groups.values():
        if len(places) > 1:
            original = min(places, key=lambda i: (results[i].scenario != results[i].effective_scenario, -_target(results[i]), i))
            copies |= {i: results[original].path for i in places if i != original}
    return [replace(result, copy_of=copies[i]) if i in copies else result for i, result in enumerate(results)]


def _run(result):
    """What tells one run from another."""
    names = (result.suite, result.round, result.submitter, result.system)
    if None in names:
        names = (result.suite, result.avg_power_w, result.integral_energy_j, result.n_samples)
    return (*names, result.power_begin, result.power_end)


def _target(result):
    """Quality target in percent of the reference; 0 where there is none."""
    return float(model_and_target(result.benchmark)[1] or 0)
