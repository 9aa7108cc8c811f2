"""Figures of an inference run that say how much work was done, in which unit, and MLCommons' metric."""

from dataclasses import dataclass

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.inference import rounds
from joulebook.intake.mlperf.places import model_and_target, scenario_of
from joulebook.results import SCENARIOS

SAMPLES_PER_QUERY = {"SingleStream": 1, "MultiStream": 8}
_RUN_AS = {"Offline": ("Offline", "SingleStream", "MultiStream"), "Server": ("Server",), "Interactive": ("Interactive", "Server"),
           "SingleStream": ("SingleStream",), "MultiStream": ("MultiStream", "SingleStream")}  # scenario: what may have been run
_UNIT_OF_WORK = {"Samples/s": "sample", "Queries/s": "query", "Tokens/s": "output_token"}
_NS_PER_MS, _NS_PER_S, _MJ_PER_J = 1e6, 1e9, 1000.0


@dataclass(frozen=True)
class Run:
    """What was run, under which rules.

    Parameters
    ----------
    log : joulebook.intake.mlperf.logs.detail_log.DetailLog
        The load generator's log.
    scenario, effective : str
        Scenario of the result, and the one that was run.
    rules : (int, int) or None
        Version of the rules, such as (4, 1).
    benchmark : str or None
        Benchmark that the folders name.
    """

    log: object
    scenario: str
    effective: str
    rules: tuple | None
    benchmark: str | None = None


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
    effective = scenario_of(logged)
    scenario = folder or effective
    if effective is None or effective not in _RUN_AS[scenario]:
        at = {"file": log.shown, "line": log.line("effective_scenario"), "field": "effective_scenario", "value": logged}
        if effective is None:
            raise InputError(Problem("no scenario of MLPerf inference", **at, allowed=", ".join(SCENARIOS)))
        raise InputError(Problem(f"a {scenario} result cannot come from this run", **at, allowed=" or ".join(_RUN_AS[scenario])))
    return scenario, effective


def work_figures(run, duration_s, average_w):
    """How much work was done, and MLCommons' metric.

    Parameters
    ----------
    run : Run
        What was run.
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
    log = run.log
    queries = log.number("result_query_count", whole=True) if log.has("result_query_count") else None
    figures = {"result_query_count": queries, "how": "official"}
    if run.scenario in SAMPLES_PER_QUERY:
        return figures | _stream(run, queries, duration_s, average_w)
    perf, unit, more = _offline(run) if run.scenario == "Offline" else _server(run)
    completed = log.number_if_any("result_completed_samples_per_sec")
    return {**figures, "throughput_per_s": perf, **more, **_label(run, unit), "power_metric": average_w, "power_unit": "W",
            "perf": perf, "perf_unit": unit if perf is not None else None,
            "efficiency_per_j": perf / average_w if perf is not None else None, "unit_of_work": _UNIT_OF_WORK[unit],
            "energy_per_completed_sample_j": average_w / completed if completed else None}


def of_round(run, power, figures):
    """MLCommons' metric as the round's own checker gave it: with failed reads up to v2.0, in J up to v1.0.

    Parameters
    ----------
    run : Run
        What was run.
    power : joulebook.intake.mlperf.inference.power.Power
        Its power.
    figures : dict
        What `work_figures` gave.

    Returns
    -------
    dict
        ``power_metric_of_round`` and ``power_unit_of_round``, and ``all_rows_avg_power_w`` where failed reads change it.
    """
    metric, unit, rules = figures["power_metric"], figures["power_unit"], run.rules
    differs = power.n_nonpositive > 0
    if differs and rules is not None and rules < rounds.FILTER_FROM:
        mean_w = power.all_rows_avg_power_w
        metric = None if mean_w is None else metric * mean_w / power.avg_power_w
    if rules is not None and rules <= (1, 0) and unit != "W":
        samples = SAMPLES_PER_QUERY[run.scenario] if unit == "mJ/query" else 1
        metric, unit = None if metric is None else metric / _MJ_PER_J / samples, "J/sample"
    return {"power_metric_of_round": metric, "power_unit_of_round": unit,
            "all_rows_avg_power_w": power.all_rows_avg_power_w if differs else None}


def _offline(run):
    """Performance of an Offline result, its unit, and nothing more; old rounds inferred it from a stream run."""
    log = run.log
    tokens = log.number_if_any("result_tokens_per_second")
    if tokens is not None and rounds.counts_tokens(run.rules, model_and_target(run.benchmark)[0], "Offline") is not False:
        return tokens, "Tokens/s", {}
    if run.effective == "SingleStream":
        return log.number_if_any("result_qps_without_loadgen_overhead"), "Samples/s", {}
    if run.effective == "MultiStream":
        latency_ns = log.number_if_any("result_mean_query_latency_ns")
        return SAMPLES_PER_QUERY["MultiStream"] * _NS_PER_S / latency_ns if latency_ns else None, "Samples/s", {}
    return log.number_if_any("result_samples_per_second"), "Samples/s", {}


def _server(run):
    """Performance of a Server result, its unit, and its scheduled and completed rates; tokens count from v4.1."""
    log, rules = run.log, run.rules
    tokens = log.number_if_any("result_completed_tokens_per_second") if rules is None or rules >= rounds.COMPLETED_FROM else None
    if tokens is not None:
        return tokens, "Tokens/s", {"scheduled_per_s": None, "completed_per_s": tokens}
    scheduled, completed = map(log.number_if_any, ("result_scheduled_samples_per_sec", "result_completed_samples_per_sec"))
    official = (completed, scheduled) if rules is None or rules >= rounds.COMPLETED_FROM else (scheduled, completed)
    rate = next((rate for rate in official if rate is not None), None)
    perf = scheduled if completed is None else completed
    return perf, "Queries/s", {"throughput_per_s": rate, "scheduled_per_s": scheduled, "completed_per_s": completed}


def _label(run, unit):
    """The unit that the round published, where it was a wrong one, and why."""
    label = rounds.published_label(run.rules, model_and_target(run.benchmark)[0], run.scenario)
    if label is None or unit != "Tokens/s":
        return {"perf_unit_published": unit, "unit_note": None}
    why = f"{rounds.named(run.rules)} published these output tokens a second as {label}: counted in tokens here"
    return {"perf_unit_published": label, "unit_note": why}


def _stream(run, queries, duration_s, average_w):
    """Metric, performance and work of a stream scenario."""
    log, scenario, effective, rules = run.log, run.scenario, run.effective, run.rules
    repeats = SAMPLES_PER_QUERY[scenario] if scenario != effective else 1  # an inferred query is so many of the run
    samples, how, unit = SAMPLES_PER_QUERY[scenario], "official", "mJ/query"
    first_rules = rules is not None and rules < rounds.QUERIES_FROM
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
    perf = latency_ms if rules is None or rules >= rounds.LATENCY_FROM else None  # before, another quantity in every round
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
