"""The figures of an MLPerf inference power result, from its two parsed logs."""

import re

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.tree import scenario_of
from joulebook.method.metering import energy_of_samples, longest_bridged_gap
from joulebook.results import SCENARIOS

SAMPLES_PER_QUERY = {"SingleStream": 1, "MultiStream": 8}
_RUN_AS = {"Offline": ("Offline", "SingleStream", "MultiStream"), "Server": ("Server",), "Interactive": ("Interactive", "Server"),
           "SingleStream": ("SingleStream",), "MultiStream": ("MultiStream", "SingleStream")}  # scenario: what may have been run
_UNIT_OF_WORK = {"Samples/s": "sample", "Queries/s": "query", "Tokens/s": "output_token"}
_NS_PER_MS, _NS_PER_S, _MJ_PER_J = 1e6, 1e9, 1000.0
_OLDEST_VERSION = ".5a1"  # what the load generator called itself up to v1.0


def scenarios(folder, log):
    """Scenario of a result, and the one that was run.

    Parameters
    ----------
    folder : str or None
        Scenario that the result's folder names.
    log : joulebook.intake.mlperf.logs.detail_log.DetailLog
        The load generator's log.

    Returns
    -------
    (str, str)
        Both in MLPerf's spelling; the run's own where the folder names none.

    Raises
    ------
    InputError
        If the log names no scenario, or one that the folder's cannot be inferred from.
    """
    logged = log.text("effective_scenario")
    at = {"file": log.shown, "line": log.line("effective_scenario"), "field": "effective_scenario", "value": logged}
    effective = scenario_of(logged)
    if effective is None:
        raise InputError(Problem("no scenario of MLPerf inference", **at, allowed=", ".join(SCENARIOS)))
    scenario = folder or effective
    if effective not in _RUN_AS[scenario]:
        raise InputError(Problem(f"a {scenario} result cannot come from this run", **at, allowed=" or ".join(_RUN_AS[scenario])))
    return scenario, effective


def power_figures(meter, begin, end, shown, notes):
    """The figures that rest on the meter's log alone.

    Parameters
    ----------
    meter : joulebook.intake.mlperf.logs.power_log.PowerLog
        The meter's log.
    begin, end : numpy.datetime64
        Window of the run, on the same clock.
    shown : str
        How the user named the log.
    notes : list of str
        Takes what was left out or corrected.

    Returns
    -------
    dict
        ``duration_s`` and ``max_gap_s`` [s], ``n_samples``, ``n_nonpositive``, ``avg_power_w`` [W],
        ``energy_mean_x_duration_j`` and ``integral_energy_j`` [J], ``coverage`` [1].

    Raises
    ------
    InputError
        If no row, or no valid one, lies strictly inside the window.
    """
    duration_s = seconds(end - begin)
    order = np.argsort(meter.times, kind="stable")
    back = int((np.diff(meter.times) < np.timedelta64(0, "us")).sum())
    if back:
        notes.append(f"the meter's time steps back {back} time{'' if back == 1 else 's'}: rows sorted by time")
    times, watts = meter.times[order], meter.watts[order]
    inside, valid = (times > begin) & (times < end), watts > 0
    if not inside.any():
        raise InputError(Problem("no row lies inside the window from power_begin to power_end", file=shown, field="Time",
                                 value=f"{rows(times.size)}, {_stamp(times[0])} to {_stamp(times[-1])}",
                                 allowed=f"rows strictly between {_stamp(begin)} and {_stamp(end)}, on the clock of the load "
                                         "generator: no time zone is ever added"))
    if not (inside & valid).any():
        raise InputError(Problem("no valid sample inside the window from power_begin to power_end", file=shown, field="Watts",
                                 value=f"{rows(int(inside.sum()))}, none above 0", allowed="at least one row above 0 W"))
    average_w = float(watts[inside & valid].mean())
    energy_j, coverage = _integral(times[valid], watts[valid], begin, duration_s, notes)
    return {"duration_s": duration_s, "n_samples": int(inside.sum()), "n_nonpositive": int((inside & ~valid).sum()),
            "max_gap_s": seconds(np.diff(times[inside]).max()) if inside.sum() > 1 else None,
            "avg_power_w": average_w, "energy_mean_x_duration_j": average_w * duration_s,
            "integral_energy_j": energy_j, "coverage": coverage}


def work_figures(log, scenario, effective, round_name, duration_s, average_w):
    """The figures that say how much work was done, and MLCommons' metric.

    Parameters
    ----------
    log : joulebook.intake.mlperf.logs.detail_log.DetailLog
        The load generator's log.
    scenario, effective : str
        Scenario of the result, and the one that was run.
    round_name : str or None
        Round that the folders name, such as ``v4.1``; else the version of the load generator says which rules hold.
    duration_s : float
        Length of the window. [s]
    average_w : float
        Mean power in it. [W]

    Returns
    -------
    dict
        ``result_query_count``, ``how``, ``power_metric`` and ``power_unit``, ``perf`` and ``perf_unit``,
        ``efficiency_per_j`` [1/J], ``throughput_per_s`` [1/s] and ``unit_of_work``, and what only some scenarios have.

    Raises
    ------
    InputError
        If a count or rate is not allowed, or a count that the scenario needs is missing.
    """
    rules = _rules(round_name, log)
    queries = log.number("result_query_count", whole=True) if log.has("result_query_count") else None
    figures = {"result_query_count": queries, "how": "official"}
    if scenario in SAMPLES_PER_QUERY:
        return figures | _stream(log, scenario, effective, rules, queries, duration_s, average_w)
    if scenario == "Offline":
        perf, unit = _offline(log, effective)
        throughput = perf
    else:
        perf, unit, scheduled, completed = _server(log, rules)
        official = (scheduled, completed) if rules and rules <= (4, 0) else (completed, scheduled)
        throughput = next((rate for rate in official if rate is not None), None)
        figures |= {"scheduled_per_s": scheduled, "completed_per_s": completed}
    return figures | {"power_metric": average_w, "power_unit": "W", "perf": perf, "perf_unit": unit if perf is not None else None,
                      "efficiency_per_j": perf / average_w if perf is not None else None,
                      "throughput_per_s": throughput, "unit_of_work": _UNIT_OF_WORK[unit]}


def rows(count):
    """A number of rows in words."""
    return f"{count} row{'' if count == 1 else 's'}"


def seconds(difference):
    """Difference of time stamps. [s]"""
    length = difference / np.timedelta64(1, "s")
    return float(length) if length.ndim == 0 else length


def _rules(round_name, log):
    """Version of the rules that hold, such as (4, 1); None where neither folder nor log says."""
    version = round_name or (log.text("loadgen_version") if log.has("loadgen_version") else "")
    match = re.match(r"v?(\d+)\.(\d+)", version)
    if match:
        return int(match[1]), int(match[2])
    return (1, 0) if version.startswith(_OLDEST_VERSION) else None


def _integral(times, watts, begin, duration_s, notes):
    """Energy of the covered part and coverage, from the valid rows in the order of time; None where there is none."""
    same = np.diff(times) == np.timedelta64(0, "us")
    differ = same & (np.diff(watts) != 0)
    if differ.any():
        notes.append(f"no integral: two values at {_stamp(times[int(np.argmax(differ))])}")
        return None, None
    if same.any():
        notes.append(f"{rows(int(same.sum()))} of the meter repeated: counted once in the integral")
        times, watts = (column[np.concatenate(([True], ~same))] for column in (times, watts))
    if times.size < 2:
        notes.append("no integral: fewer than two valid samples")
        return None, None
    since = seconds(times - begin)
    integral = energy_of_samples(since, watts, 0.0, duration_s, longest_bridged_gap(since))
    return integral.energy_j, integral.coverage


def _offline(log, effective):
    """Performance of an Offline result and its unit; old rounds inferred it from a stream run."""
    tokens = log.number_if_any("result_tokens_per_second")
    if tokens is not None:
        return tokens, "Tokens/s"
    if effective == "SingleStream":
        return log.number_if_any("result_qps_without_loadgen_overhead"), "Samples/s"
    if effective == "MultiStream":
        latency_ns = log.number_if_any("result_mean_query_latency_ns")
        return SAMPLES_PER_QUERY["MultiStream"] * _NS_PER_S / latency_ns if latency_ns else None, "Samples/s"
    return log.number_if_any("result_samples_per_second"), "Samples/s"


def _server(log, rules):
    """Performance of a Server result, its unit, its scheduled and its completed rate; tokens count from v4.1."""
    tokens = log.number_if_any("result_completed_tokens_per_second") if rules is None or rules >= (4, 1) else None
    if tokens is not None:
        return tokens, "Tokens/s", None, tokens
    scheduled, completed = map(log.number_if_any, ("result_scheduled_samples_per_sec", "result_completed_samples_per_sec"))
    return scheduled if completed is None else completed, "Queries/s", scheduled, completed


def _stream(log, scenario, effective, rules, queries, duration_s, average_w):
    """Metric, performance and work of a stream scenario."""
    repeats = SAMPLES_PER_QUERY[scenario] if scenario != effective else 1  # an inferred query is so many of the run
    samples, how, unit = SAMPLES_PER_QUERY[scenario], "official", "mJ/query"
    first_rules = rules is not None and rules < (2, 0)
    rate = "result_qps_with_loadgen_overhead"
    if queries is not None:
        pass
    elif effective == "SingleStream" and (first_rules or rules is None) and log.has(rate):
        how, queries = "v1.x qps*duration", log.number(rate) * duration_s
    elif effective == "MultiStream" and first_rules:
        how, unit, samples = "v1.x generated samples", "mJ/sample", 1
        queries = log.number("generated_query_count", whole=True) * log.number("generated_samples_per_query", whole=True)
    else:
        queries = log.number("result_query_count", whole=True)  # it is missing, and this says where
    metric = average_w * duration_s * _MJ_PER_J / queries * repeats
    latency_ms = _latency(log, scenario, effective, repeats)
    perf = latency_ms if rules is None or rules >= (2, 1) else None  # before, it was another quantity in every round
    return {"power_metric": metric, "power_unit": unit, "how": how, "perf": perf,
            "perf_unit": "Latency (ms)" if perf is not None else None, "efficiency_per_j": _MJ_PER_J * samples / metric,
            "throughput_per_s": queries * samples / repeats / duration_s, "unit_of_work": "sample", "latency_ms": latency_ms}


def _latency(log, scenario, effective, repeats):
    """Latency of a stream scenario's query: early-stopping estimate, else the percentile of the rules. [ms]"""
    if scenario == "SingleStream":
        keys = ("early_stopping_latency_ss", "result_90.00_percentile_latency_ns")
    elif effective == "SingleStream":
        keys = ("early_stopping_latency_ms", "result_99.00_percentile_latency_ns")
    else:
        keys = ("early_stopping_latency_ms", "result_99.00_percentile_per_query_latency_ns")
    latency_ns = next(filter(None, map(log.number_if_any, keys)), None)
    return latency_ns * repeats / _NS_PER_MS if latency_ns else None


def _stamp(time):
    return np.datetime_as_string(time, unit="ms").replace("T", " ")
