"""Rules of a Training power submission: enough samples, often enough, over the run; a meter within 5 %."""

import numpy as np

from joulebook.intake.mlperf.validity.check import judged, plural, several, unknown

_LEAST_PER_S = 1.0
_LEAST_SAMPLES = 60
_METER_PCT = 5.0
_STAMP_S = 1.0  # readings bear whole seconds


def report(run):
    """Check the rules.

    Parameters
    ----------
    run : joulebook.intake.mlperf.training.runs.TrainingRun
        The run.

    Returns
    -------
    tuple of Check
        One for each rule.
    """
    return (_rate(run), _samples(run), _gaps(run), _covers(run), _meter(), _conversion(run), _switches(run), _success(run))


def _rate(run):
    rates = {name: node.times_s.size / (node.stop_s - node.start_s) for name, node in run.nodes.items()}
    slow = [name for name, rate in rates.items() if rate < _LEAST_PER_S]
    slowest = min(rates, key=rates.get)
    words = f"{rates[slowest]:.3f} samples a second at least ({slowest}); {_LEAST_PER_S:g} is asked for"
    if slow:
        words += f": {len(slow)} of {plural(len(rates), 'node')} read too seldom ({several(slow)})"
    return judged("training_sampling", not slow, words, rates[slowest], _LEAST_PER_S, "1/s")


def _samples(run):
    counts = {name: node.times_s.size for name, node in run.nodes.items()}
    fewest = min(counts, key=counts.get)
    words = f"{plural(counts[fewest], 'sample')} at least ({fewest}); {_LEAST_SAMPLES} are asked for"
    return judged("training_samples", counts[fewest] >= _LEAST_SAMPLES, words, float(counts[fewest]), float(_LEAST_SAMPLES),
                  "samples")


def _gaps(run):
    gaps = {name: node.longest_gap_s() for name, node in run.nodes.items()}
    widest = max(gaps, key=gaps.get)
    middle = float(np.median(np.concatenate([np.diff(node.times_s, prepend=node.start_s) for node in run.nodes.values()])))
    words = f"longest time between readings {gaps[widest]:g} s ({widest}), {middle:g} s in the median"
    return judged("training_gaps", True, words, gaps[widest], None, "s", warning=gaps[widest] > _LEAST_PER_S + _STAMP_S)


def _covers(run):
    short = [name for name, node in run.nodes.items()
             if node.start_s > run.start_s + _STAMP_S or node.stop_s < run.stop_s - _STAMP_S]
    if not short:
        return judged("training_window", True, "the measurement of every node covers the run from run_start to run_stop")
    node = run.nodes[short[0]]
    begins, ends = node.start_s - run.start_s, node.stop_s - run.stop_s
    words = (f"the measurement of {several(short)} does not cover the run: that of {short[0]} begins "
             f"{_apart(begins, 'run_start')} and ends {_apart(ends, 'run_stop')}")
    return judged("training_window", False, words)


def _apart(seconds, what):
    return f"{abs(seconds):.1f} s {'before' if seconds < 0 else 'after'} {what}"


def _meter():
    return unknown("training_meter", "no file tells the error of the meter", _METER_PCT, "%")


def _conversion(run):
    stated = {name: node.conversion_eff for name, node in run.nodes.items()}
    missing = [name for name, value in stated.items() if value is None]
    direct = [name for name, node in run.nodes.items() if node.measured == "DC" and node.conversion_eff not in (None, 1.0)]
    if direct:
        return judged("training_conversion", False, f"{several(direct)} read DC and are multiplied by conversion_eff as well")
    if missing:
        words = f"{several(missing)} state no conversion_eff: their readings count as they are"
        return judged("training_conversion", True, words, warning=True)
    ends = dict.fromkeys((min(stated.values()), max(stated.values())))
    words = f"AC readings are multiplied by conversion_eff {' to '.join(f'{value:g}' for value in ends)}"
    return judged("training_conversion", True, f"{words}: the figure lies behind the supply (node_dc)")


def _switches(run):
    if not run.switches:
        return judged("training_switches", True, "no switch is declared", warning=len(run.nodes) > 1)
    silent = [name for name, switch in run.switches.items() if not switch.estimate_w]
    words = f"{plural(len(run.switches), 'switch file')}, {len(run.switches) - len(silent)} with an estimate"
    return judged("training_switches", True, words + (f"; nothing is counted for {several(silent)}" if silent else ""),
                  warning=silent)


def _success(run):
    words = "the run reached its target" if run.success else "run_stop does not say success"
    return judged("training_target", run.success, words)
