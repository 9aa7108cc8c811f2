"""What a benchmark's result discloses: a row of the published results, or the files of the client's own MLPerf result."""

from functools import cache

import numpy as np

from joulebook.errors import InputError, Problem, near
from joulebook.intake.checks import shortened
from joulebook.intake.mlperf.places import model_and_target
from joulebook.intake.mlperf.result import SUITES
from joulebook.intake.records import Published, check_record
from joulebook.method.matching.words import NO_ACCELERATOR, PRECISIONS, SAME_MODEL, TUNED
from joulebook.method.published_energy import SAMPLES_PER_QUERY, STREAMS, UNIT_OF_WORK

TABLE = "data/mlperf_power/published_closed.csv"
_LONGEST = 200  # characters of a field
_TOKENS = ("int32", "int64")  # what goes in where the input is numbers of tokens


def of_row(published, root, place):
    """What one row of the published results discloses.

    Parameters
    ----------
    published : dict
        Fields of `joulebook.intake.records.Published`.
    root : pathlib.Path
        The workbook, whose ``data/`` has the table.
    place : callable
        Gives the place of a field, as keywords of `joulebook.errors.Problem`.

    Returns
    -------
    tuple of (dict, str)
        Fields of `joulebook.intake.records.Disclosure`, and the source that they are to be quoted with.

    Raises
    ------
    InputError
        If there is no such row, naming the nearest in the table.
    """
    wanted = check_record("published", published, place, Published)
    rows = _rows(root)
    benchmark = rows["benchmark"]
    named = {name: rows[name] == value for name, value in wanted.items() if name != "benchmark"}
    named["benchmark"] = (benchmark == wanted["benchmark"]) | (benchmark.replace(SAME_MODEL) == wanted["benchmark"])
    fits = np.logical_and.reduce([np.asarray(fit) for fit in named.values()])
    if not fits.any():
        raise InputError(_no_row(wanted, rows, named, place))
    row = rows[fits].iloc[0]
    location = f"github.com/mlcommons/inference_results_{row['round']}, {row['location']}"
    names = {name: row[name] for name in ("round", "division", "submitter", "system", "benchmark")}
    metric = f"{_performance(row['perf'], row['perf_unit_checked'])}, {row['power_value']:.6g} {_POWER[row['power_unit']]}"
    fields = {"suite": SUITES["inference"], **names, "metric": metric, "location": location, "retrieved": row["retrieved"],
              "unit_of_work": UNIT_OF_WORK[row["perf_unit_checked"]], **_by_rule(row["benchmark"], row["scenario"]),
              **_hardware(row["accelerator"], row["n_accel"], row["nodes"])}
    if not np.isnan(row["acc_target"]):
        fields |= {"quality_target_pct": _plain(row["acc_target"]), "quality_is": "of_reference"}
    named = ", ".join(row[name] for name in ("division", "benchmark", "scenario", "submitter", "system"))
    source = f"{SUITES['inference']} {row['round']}, {named}; {location}, retrieved {row['retrieved']}"
    return check_record("disclosure", {name: said for name, said in fields.items() if said != ""}), source


def of_result(result):
    """What the files of an MLPerf result disclose.

    Parameters
    ----------
    result : joulebook.intake.mlperf.result.MlperfResult
        The result, read from its logs.

    Returns
    -------
    tuple of (dict, str)
        As `of_row`.
    """
    told = result.described
    source = result.source_text()
    fields = {"suite": SUITES[result.suite], "unit_of_work": result.unit_of_work, "boundary": result.boundary}
    fields |= {name: getattr(result, name) for name in ("round", "division", "submitter", "system", "benchmark", "scenario")}
    fields |= {"meter": result.device_type and f"type {result.device_type} of the power daemon", "location": result.path,
               "metric": f"{result.power_metric:.6g} {result.power_unit}"}
    if result.perf is not None:
        fields["metric"] = f"{_performance(result.perf, result.perf_unit)}, {fields['metric']}"
    if result.n_samples:
        fields["sampling_interval_s"] = float(f"{result.duration_s / result.n_samples:.3g}")
    fields |= {"firmware": told.get("boot_firmware_version"), "cooling": told.get("cooling"), "software": told.get("framework"),
               "power_limit": told.get("power_management"), "clocks": told.get("accelerator_frequency"),
               "host": _joined(told, ("host_processor_model_name", "host_memory_capacity")),
               "network": told.get("host_networking")}
    fields |= _hardware(told.get("accelerator_model_name", ""), told.get("accelerators_per_node"), told.get("number_of_nodes"))
    if result.scenario:
        target = model_and_target(result.benchmark)[1]
        fields |= _by_rule(result.benchmark, result.scenario, result.boundary)
        fields |= {"quality_target_pct": _plain(target), "quality_is": "of_reference"} if target else {}
    fields["precision"] = _precision(told)
    return check_record("disclosure", {name: _short(said) for name, said in fields.items() if said not in (None, "")}), source


def completed(told, typed, place, found):
    """What a result tells, completed by what was typed; a typed field must not contradict it.

    Parameters
    ----------
    told, typed : dict
        Fields of a disclosure.
    place : callable
        Gives the place of a field, as keywords of `joulebook.errors.Problem`.
    found : joulebook.errors.Problems
        Takes what is wrong.
    """
    for name, said in typed.items():
        if name in told and told[name] != said and str(told[name]).casefold() != str(said).casefold():
            found.add("differs from what the result says", **place(name), value=said, allowed=f"{told[name]}, or no {name} here")
    return check_record("disclosure", {**told, **{name: said for name, said in typed.items() if name not in told}})


_POWER = {"Watts": "W (system power)", "millijoules": "mJ per query (system energy)"}


def _performance(value, unit):
    """A rate or a latency as it is quoted."""
    return f"latency {value:g} ms" if unit.startswith("Latency") else f"{value:g} {unit}"


@cache
def _rows(root):
    from joulebook.intake.tables import read_table

    return read_table("published_closed_csv", root / TABLE, shown=TABLE)


def _no_row(wanted, rows, named, place):
    """The first field, in the order of a row's names, that leaves no row, and what it could be."""
    left = np.ones(len(rows), bool)
    for name, value in wanted.items():
        if not (left & named[name]).any():
            choices = sorted(set(rows.loc[left, name]))
            return Problem("no such published result", **place(name), value=value, near=near(value, choices),
                           allowed=", ".join(choices[:_LISTED]) + (" ..." if len(choices) > _LISTED else ""))
        left &= named[name]
    raise AssertionError("a row that fits")


_LISTED = 12


def _by_rule(benchmark, scenario, boundary="server"):
    """What the rules of the benchmark fix: model, requests at once, where the meter sits; and that participants tune."""
    model = model_and_target(benchmark)[0]
    fields = {"model": SAME_MODEL.get(model, model), "scenario": scenario, "stack": TUNED}
    if boundary == "server":
        fields |= {"boundary": boundary, "cooling_included": "no"}
    if scenario in STREAMS:
        fields |= {"batch_size": int(SAMPLES_PER_QUERY.get(scenario, 1)), "concurrency": 1}
    return fields


def _hardware(accelerator, count, nodes):
    count, nodes = _plain(count), _plain(nodes)
    fields = {} if nodes in (None, 0) else {"nodes": nodes}
    if count == 0:
        return {**fields, "accelerator": NO_ACCELERATOR, "accelerators_per_node": 0}
    return {**fields, "accelerator": accelerator, **({} if count is None else {"accelerators_per_node": count})}


def _plain(value):
    """A number that may be a text or missing; a whole one as int."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return None if np.isnan(number) else int(number) if number == int(number) else number


def _precision(told):
    """Number format of the weights, where that of the input is the same or the input is numbers of tokens."""
    weights, inputs = (str(told.get(name, "")).strip().lower() for name in ("weight_data_types", "input_data_types"))
    return weights if weights in PRECISIONS and inputs in (weights, *_TOKENS) else None


def _joined(told, names):
    return ", ".join(str(told[name]) for name in names if told.get(name)) or None


def _short(said):
    """A text as long as a field may have, on one line of signs that can be seen."""
    if not isinstance(said, str):
        return said
    return shortened(" ".join("".join(sign if sign.isprintable() else " " for sign in said).split()), _LONGEST)
