"""The summaries of AIPerf (``profile_export_aiperf.json``) and of GenAI-Perf (``profile_export_genai_perf.json``).

Both hold an object a metric with its ``unit``, ``avg``, ``p50`` and so on (AIPerf ``common/models/export_models.py``, schema
1.0, made after GenAI-Perf's ``export_data/json_exporter.py``): ``request_throughput``, ``request_latency``, ``request_count``,
``error_request_count``, ``time_to_first_token``, ``inter_token_latency`` (of a request: its time per output token),
``output_token_throughput``, ``input_sequence_length``, ``output_sequence_length``, ``total_isl``, ``total_osl``,
``benchmark_duration``, ``goodput`` (in GenAI-Perf ``request_goodput``).
"""

from joulebook.intake.load.reading import SECONDS, Source
from joulebook.intake.load.result import load
from joulebook.method.request_totals import COUNTS

_RATE = {"requests/sec": 1.0, "requests/s": 1.0}
_TOKEN_RATE = {"tokens/sec": 1.0, "tokens/s": 1.0}
_REQUESTS = {"requests": 1.0, "count": 1.0}
_TOKENS = {"tokens": 1.0}
_TOTALS = {
    "completed": ("request_count", _REQUESTS, True),
    "failed": ("error_request_count", _REQUESTS, True),
    "input_tokens": ("total_isl", _TOKENS, True),
    "output_tokens": ("total_osl", _TOKENS, True),
    "window_s": ("benchmark_duration", SECONDS, False),
    "completed_per_s": ("request_throughput", _RATE, False),
    "output_tokens_per_s": ("output_token_throughput", _TOKEN_RATE, False),
    "goodput_per_s": ("goodput", _RATE, False),
    "input_tokens_mean": ("input_sequence_length", _TOKENS, False),
    "output_tokens_mean": ("output_sequence_length", _TOKENS, False),
}
_TIMES = {"latency": "request_latency", "latency_ttft": "time_to_first_token", "latency_tpot": "inter_token_latency"}
_POINTS = {"mean": "avg", "p50": "p50", "p90": "p90", "p95": "p95", "p99": "p99"}
_RATES = ("completed_per_s", "output_tokens_per_s")
_WHOLE = 1e-6  # how far from a whole number a mean times a count may end
_ONLY_AIPERF = ("aiperf_version", "schema_version", "benchmark_duration", "total_isl", "total_osl")


def knows(values):
    """Whether a JSON object is such a summary."""
    metrics = [values.get(name) for name in ("request_throughput", "request_latency")]
    return all(isinstance(metric, dict) and "unit" in metric for metric in metrics)


def read(values, shown):
    """Read a summary.

    Parameters
    ----------
    values : dict
        The JSON object.
    shown : str
        How the user named the file.

    Returns
    -------
    joulebook.intake.load.result.Load
        Totals alone. Where a total of tokens is not stated it is the mean of a request times their count.
    """
    source = Source(shown)
    values = {"request_goodput": None, **values}
    values.setdefault("goodput", values["request_goodput"])
    generator = "AIPerf" if any(name in values for name in _ONLY_AIPERF) else "GenAI-Perf"
    stated = {name: _metric(values, key, "avg", units, whole, source) for name, (key, units, whole) in _TOTALS.items()}
    for name, key in _TIMES.items():
        for point, stat in _POINTS.items():
            stated[f"{name}_{point}_s"] = _metric(values, key, stat, SECONDS, False, source)
    source.stop()
    notes, missing = [], {}
    for name in ("input_tokens", "output_tokens"):
        total = _from_mean(stated, name)
        if total is not None:
            stated[name] = total
            notes.append(f"{name} is the mean of a request times their count: the file states no total")
    done = stated["completed"]
    if done is not None and stated["failed"] is not None:
        stated["started"] = done + stated["failed"]
    elif done is not None:
        missing["failed"] = "not in the file: it counts the requests that were answered"
    for name in list(stated):
        idle = name in _RATES and stated[name] == 0
        if stated[name] is None or idle or (done == 0 and name not in (*COUNTS, "window_s")):
            missing.setdefault(name, "a rate of no work is not 0" if idle else "not in the file")
            del stated[name]
    if values.get("was_cancelled") is True:
        notes.append("the run was cancelled")
    why = "a summary: its records are in another file"
    return load(generator, shown, "unknown", None, stated, why, missing=missing, notes=notes)


def _metric(values, key, stat, units, whole, source):
    metric = values.get(key)
    if metric is None:
        return None
    if not isinstance(metric, dict) or not isinstance(metric.get("unit"), str) or metric["unit"] not in units:
        if stat == "avg":  # once for a metric
            found = metric.get("unit") if isinstance(metric, dict) else type(metric).__name__
            source.note("a metric without a known unit", f"{key}.unit", value=found, allowed=", ".join(units))
        return None
    return source.number(metric, stat, whole=whole, scale=units[metric["unit"]], needed=stat == "avg", at=key)


def _from_mean(stated, name):
    mean, count = stated[f"{name}_mean"], stated["completed"]
    if stated[name] is not None or mean is None or not count:
        return None
    total = mean * count
    return round(total) if abs(total - round(total)) <= _WHOLE * max(1.0, total) else total
