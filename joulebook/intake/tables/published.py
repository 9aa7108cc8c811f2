"""Published power results as MLCommons prints them, and the figures of others that they are set beside."""

import numpy as np

from joulebook.intake.sheet import again
from joulebook.results import SCENARIOS

KEY = ("round", "submitter", "system", "benchmark", "scenario")
NUMBERS = ("perf", "power_value")
# The unit of power and those of performance that a scenario may have: a rate goes with watts, a latency with millijoules.
_RATES = ("Samples/s", "Queries/s", "Tokens/s")
_STREAMS = ("SingleStream", "MultiStream")
_NO_WORD = "no such word"
_OPTIONAL = ("system_type", "model", "availability", "errors", "nodes", "source_path")
_FIGURES = (
    "results_counted", "systems_counted", "target_factor", "workload_factor", "workload_high_j", "workload_low_j",
    "output_tokens_per_query",
)
_OF_A_ROW = ("benchmark", "round", "submitter", "system", "scenario")


def _published_closed(sheet):
    sheet.least(1)
    texts = ("division", "location", "source_repo", "retrieved")
    table = {name: sheet.text(name)[0] for name in (*KEY[1:-1], *texts)}
    table["round"] = sheet.matching("round", r"v[0-9]+\.[0-9]+", "no round", "a version such as v4.1")[0]
    table["scenario"] = sheet.choice("scenario", SCENARIOS, _NO_WORD)[0]
    table["power_unit"] = sheet.choice("power_unit", ("Watts", "millijoules"), _NO_WORD)[0]
    units = (*_RATES, "Latency (ms)")
    table |= {name: sheet.choice(name, units, _NO_WORD)[0] for name in ("perf_unit", "perf_unit_checked")}
    table |= {name: sheet.number(name, above=0) for name in NUMBERS}
    table["acc_target"] = sheet.number("acc_target", above=0, high=100, blank=True)
    table["inferred"] = sheet.number("inferred", low=0, high=1, whole=True)
    table |= {name: sheet.number(name, low=0, whole=True, blank=True) for name in ("n_accel", "nodes")}
    blanks = ("system_name", "accelerator", "run_begin", "run_end")
    table |= {name: sheet.filled(name, "a text", blank=True)[0] for name in blanks}
    sheet.rows(again(*(table[name] for name in KEY)), "a result that is there twice", "system", "each of them once")
    streams = np.isin(table["scenario"], _STREAMS)
    metered, rated = table["power_unit"] == "millijoules", np.isin(table["perf_unit_checked"], _RATES)
    sheet.rows(streams != metered, "not the unit of power of this scenario", "power_unit",
               "millijoules for SingleStream and MultiStream, Watts for all others")
    sheet.rows(streams == rated, "not the unit of performance of this scenario", "perf_unit_checked",
               "Latency (ms) for SingleStream and MultiStream, a rate for all others")
    begun, ended = table["run_begin"] != "", table["run_end"] != ""
    sheet.rows(begun != ended, "a begin without an end, or an end without a begin", "run_begin", "both or neither")
    return table


def _reference_figures(sheet):
    names, right = sheet.choice("name", _FIGURES, "no figure that is used")
    sheet.rows(again(names), "a figure that is there twice", "name", "each of them once")
    for name in _FIGURES:
        if right.all() and name not in set(names):
            sheet.note("a figure is missing", "name", line=None, value=name, allowed="a row for each")
    of_a_row = np.isin(names, ("workload_high_j", "workload_low_j"))
    table = {"name": names, "value": sheet.number("value", above=0)}
    for name in _OF_A_ROW:
        cells, filled = sheet.filled(name, "a text", blank=True)
        sheet.rows(of_a_row & ~filled, "an empty cell", name, "the published row that this energy is of")
        table[name] = cells
    table |= {name: sheet.text(name)[0] for name in ("source", "retrieved")}
    return table


_CLOSED = (
    *KEY, "division", "system_name", "location", "source_repo", "retrieved", "power_unit", "perf_unit", "perf_unit_checked",
    *NUMBERS, "acc_target", "inferred", "n_accel", "accelerator", "run_begin", "run_end",
)
_REFERENCE = ("name", "value", *_OF_A_ROW, "source", "retrieved")
TABLES = {
    "published_closed_csv": ([(_CLOSED, _OPTIONAL)], _published_closed),
    "reference_figures_csv": ([(_REFERENCE, ("unit", "what", "where"))], _reference_figures),
}
CHECKS = ()
