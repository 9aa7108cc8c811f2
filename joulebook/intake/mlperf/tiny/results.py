"""One MLPerf Tiny result: windows of its text, the published median, and the trace beside it."""

import re
from statistics import median

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.disclosure import parse_description
from joulebook.intake.mlperf.files import ResultFiles
from joulebook.intake.mlperf.places import place_of_benchmark
from joulebook.intake.mlperf.result import MlperfResult, difference
from joulebook.intake.mlperf.tiny.texts import parse_tiny_text
from joulebook.intake.mlperf.tiny.traces import parse_timestamps, parse_trace, window_energies
from joulebook.intake.mlperf.tree import RESULT_TEXTS
from joulebook.intake.mlperf.validity.tiny import report

_UJ = 1e6  # [uJ/J]
_TRACE = re.compile(r"trace\d+-energy\.bin")


def read_tiny(found, validity=True, digests=True):
    r"""Read one Tiny result.

    Parameters
    ----------
    found : joulebook.intake.mlperf.tree.Found
        Its folder, with ``energy`` inside.
    validity : bool
        Whether its rules are checked.
    digests : bool
        Whether the SHA-256 of its files are kept.

    Returns
    -------
    results : list of MlperfResult
        The result, alone in a list.
    problems : list of Problem
        What is wrong with its trace; the result stands without.

    Raises
    ------
    InputError
        If the text result is missing or damaged, naming file and line.

    Notes
    -----
    The published figure is the median over the windows of the energy of one inference:

    .. math:: m = \mathrm{median}_w\; E_w / n_w

    References
    ----------
    .. [1] mlcommons/tiny, benchmark/runner, and the EEMBC energy runner of earlier rounds.
    """
    place = place_of_benchmark(found.run, "tiny")
    files = ResultFiles(found.run, found.shown, digests)
    text, name = _text(files, place.round)
    each = [window.energy_j / window.inferences if window.inferences else window.per_inference_j for window in text.windows]
    computed_j = median(each)
    published_j = computed_j if text.median_j is None else text.median_j
    chosen = text.windows[min(range(len(each)), key=lambda i: abs(each[i] - computed_j))]
    traced = _traced(files)
    notes = [f"{len(text.windows)} windows of {name}; the median is published"]
    if text.median_j is None:
        notes.append("the text states no median: computed from its windows")
    trace_j = length_s = None
    if traced:
        trace_j, length_s = traced[text.windows.index(chosen)] if len(traced) == len(text.windows) else (None, None)
        notes.append(f"the trace holds {len(traced)} windows" if trace_j is None else _of_trace(traced, text, published_j))
    duration_s = chosen.duration_s or length_s
    if duration_s is None and chosen.power_w:
        duration_s = chosen.energy_j / chosen.power_w
    if duration_s is None:
        raise InputError(Problem(f"window {chosen.number} tells neither its length nor its power", file=files.name(name),
                                 line=chosen.line))
    average_w = chosen.energy_j / duration_s
    rate = text.throughput_per_s or (chosen.inferences / duration_s if chosen.inferences else average_w / published_j)
    description = place.description()
    described, _ = files.parsed(description, parse_description) if description else (None, "")
    checks = report(text, name, computed_j, traced) if validity else ()
    result = MlperfResult(
        path=place.path or found.name, suite="tiny", round=place.round, submitter=place.submitter, system=place.system,
        division=place.division or (described.division if described else None), benchmark=place.benchmark,
        duration_s=duration_s, avg_power_w=average_w, power_metric=published_j * _UJ, power_unit="uJ/inf.",
        power_metric_of_round=published_j * _UJ, power_unit_of_round="uJ/inf.", perf=rate, perf_unit="inf./s",
        perf_unit_published="inf./s", efficiency_per_j=1 / published_j, energy_mean_x_duration_j=chosen.energy_j,
        integral_energy_j=trace_j, **difference(trace_j, chosen.energy_j), coverage=None if trace_j is None else 1.0,
        throughput_per_s=rate, unit_of_work="inference", boundary="node_dc", windows=len(text.windows),
        disclosure_share=described.share if described else None,
        disclosure_missing=", ".join(described.missing) or None if described else None,
        described=described.told if described else {}, checks=checks, notes=tuple(notes),
        files=files.digests)
    return [result], files.problems


def _text(files, round_name):
    """The text result and its name."""
    name = next((f"energy/{text}" for text in RESULT_TEXTS if files.has(f"energy/{text}")), None)
    if name is None:
        raise InputError(Problem("no text result of its energy", file=files.name("energy"),
                                 allowed=" or ".join(RESULT_TEXTS) + (f" of {round_name}" if round_name else "")))
    return parse_tiny_text(files.read(name), files.name(name)), name


def _traced(files):
    """Energy and length of the windows of the first trace; None where there is no trace or it does not hold them."""
    folder = files.folder / "energy"
    names = sorted(entry.name for entry in folder.iterdir() if _TRACE.fullmatch(entry.name))
    if not names:
        return None
    trace, _ = files.parsed(f"energy/{names[0]}", parse_trace)
    times, _ = files.parsed(f"energy/{names[0].replace('energy.bin', 'timestamps.json')}", parse_timestamps)
    return None if trace is None or times is None else window_energies(*trace, times)


def _of_trace(traced, text, published_j):
    """The median that the trace gives, in words."""
    if not all(window.inferences for window in text.windows):
        return "the text does not count inferences: the trace gives no median"
    recomputed_j = median(energy / window.inferences for (energy, _), window in zip(traced, text.windows, strict=True))
    apart = 100 * (recomputed_j / published_j - 1)
    return f"the trace gives a median of {recomputed_j * _UJ:.7g} uJ/inf., {apart:+.4f} % against the published one"
