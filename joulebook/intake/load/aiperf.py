"""The records of AIPerf, ``profile_export.jsonl``: a request a line.

Read are the fields that AIPerf documents in ``docs/tutorials/working-with-profile-exports.md`` (v0.14.0): of ``metadata``
``request_start_ns`` and ``request_end_ns`` (epoch, ns), ``x_request_id``, ``benchmark_phase`` and ``was_cancelled``; of
``metrics`` ``input_sequence_length`` (of failed requests ``error_isl``), ``output_sequence_length`` (reasoning tokens
included), ``time_to_first_token``, ``inter_token_latency`` and ``request_latency``, each with its unit; and ``error``.
What AIPerf calls inter-token latency of a request is its time per output token: (latency - time to first token) / (tokens - 1).
"""

import json

import numpy as np

from joulebook.intake.load.reading import SECONDS, SEEN_AS_EPOCH_NS, Source, from_epoch
from joulebook.intake.load.result import load
from joulebook.method.request_totals import Requests

GENERATOR = "AIPerf"
_WORK = "profiling"
_TOKENS = {"tokens": 1.0}
_METRICS = {"input_tokens": ("input_sequence_length", _TOKENS), "output_tokens": ("output_sequence_length", _TOKENS),
            "ttft_s": ("time_to_first_token", SECONDS), "tpot_s": ("inter_token_latency", SECONDS),
            "latency_s": ("request_latency", SECONDS)}


def knows(values):
    """Whether a JSON object is such a record."""
    metadata = values.get("metadata")
    return isinstance(metadata, dict) and "request_start_ns" in metadata and "metrics" in values


def read(records, shown, numbers):
    """Read the records of a run.

    Parameters
    ----------
    records : list of dict
        A JSON object a line.
    shown : str
        How the user named the file.
    numbers : list of int
        The lines that they stand in.

    Returns
    -------
    joulebook.intake.load.result.Load
        Requests in UTC; records of a warm-up and copies of a record are left out and counted.
    """
    source, left_out, rows, seen = Source(shown), {}, [], {}
    for line, record in zip(numbers, records, strict=True):
        if not isinstance(record, dict) or not knows(record):
            source.note("no record of a request", line=line, allowed="metadata with request_start_ns, and metrics")
            continue
        metadata = record["metadata"]
        key = metadata.get("x_request_id")
        if isinstance(key, str) and key in seen:
            first, other = seen[key]
            if other == record:
                left_out["a copy of another record"] = left_out.get("a copy of another record", 0) + 1
            else:
                source.note(f"another request with the id of line {first}", "metadata.x_request_id", line, value=key,
                            allowed="each request once")
            continue
        if isinstance(key, str):
            seen[key] = line, record
        phase = metadata.get("benchmark_phase") or _WORK
        if phase != _WORK:
            reason = "warm-up" if phase == "warmup" else "a phase other than profiling"
            left_out[reason] = left_out.get(reason, 0) + 1
            continue
        rows.append(_row(record, metadata, line, source))
    source.stop()
    columns = {name: [row[name] for row in rows] for name in ("start", "end", "ok", *_METRICS)}
    (start_s, end_s), origin = from_epoch(columns.pop("start"), columns.pop("end"))
    ok = np.array(columns.pop("ok"), bool)
    numbers = {name: np.array(values, float) for name, values in columns.items()}
    own = np.where(ok, end_s - start_s, np.nan)
    numbers["latency_s"] = np.where(np.isnan(numbers["latency_s"]), own, numbers["latency_s"])
    requests = Requests(start_s, end_s, ok, **numbers)
    endless = int(np.isnan(end_s).sum())
    notes = [f"{endless} failed requests have no end on the clock of their start"] if endless else []
    return load(GENERATOR, shown, "utc" if rows else "unknown", requests, origin=origin if rows else None, left_out=left_out,
                notes=notes)


def _row(record, metadata, line, source):
    ok = not record.get("error") and not metadata.get("was_cancelled")
    start = source.epoch(metadata["request_start_ns"], "metadata.request_start_ns", line)
    end = metadata.get("request_end_ns")
    if not ok and type(end) is int and 0 <= end < SEEN_AS_EPOCH_NS:
        end = None  # early versions took the end of a failed request from a counter that begins with the machine
    end = None if end is None else source.epoch(end, "metadata.request_end_ns", line)
    if start is not None and end is not None and end < start:
        source.note("ends before it starts", "metadata.request_end_ns", line, value=end,
                    allowed="an end that is not before the start")
    metrics = record["metrics"] or {}  # null for failed requests in early versions
    if not isinstance(metrics, dict):
        source.note("not an object", "metrics", line, value=type(metrics).__name__, allowed="metrics by name")
        metrics = {}
    if not ok and "error_isl" in metrics:
        metrics = {**metrics, "input_sequence_length": metrics["error_isl"]}
    values = {name: _metric(metrics, key, units, line, source) for name, (key, units) in _METRICS.items()}
    if not ok:
        values |= dict.fromkeys(("output_tokens", "ttft_s", "tpot_s", "latency_s"), np.nan)
    elif end is None:
        source.note("a request that was answered has no end", "metadata.request_end_ns", line, allowed="nanoseconds since 1970")
    return {"start": start, "end": end, "ok": ok, **values}


def _metric(metrics, key, units, line, source):
    metric = metrics.get(key)
    if metric is None:
        return np.nan
    if not isinstance(metric, dict) or metric.get("unit") not in tuple(units):
        source.note("a value without a known unit", f"metrics.{key}", line, value=json.dumps(metric)[:60],
                    allowed=f"value and unit, one of {', '.join(units)}")
        return np.nan
    value = source.number(metric, "value", whole=units is _TOKENS, needed=True, scale=units[metric["unit"]], at=f"metrics.{key}",
                          line=line)
    return np.nan if value is None else value
