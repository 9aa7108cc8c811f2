"""The logs of MLPerf's load generator: ``mlperf_log_detail.txt`` and ``mlperf_log_summary.txt``. Totals of a run.

Keys and names are those that LoadGen (``loadgen/results.cc``) writes from v0.5 to v5.1: ``result_...`` in the detail log,
``name : value`` in the summary. How many queries were completed is ``result_query_count`` alone: what was generated is not what
was issued. The stamps of the detail log name no time zone.
"""

import re

from joulebook.errors import InputError
from joulebook.intake.load.reading import Source, plain
from joulebook.intake.load.result import load
from joulebook.intake.mlperf.logs.detail_log import parse_detail_log
from joulebook.units import NUMBER

GENERATOR = "MLPerf LoadGen"
_KEY = re.compile(r'"key"\s*:\s*"([^"]+)"')
_SIGN = ":::MLLOG"
_SUMMARY = "MLPerf Results Summary"
_WHY = "the logs have totals alone"
_DETAIL = {"queries": "result_query_count", "samples_per_s": "result_samples_per_second",
           "output_tokens_per_s": "result_tokens_per_second", "completed_samples_per_s": "result_completed_samples_per_sec",
           "completed_output_tokens_per_s": "result_completed_tokens_per_second",
           "scheduled_samples_per_s": "result_scheduled_samples_per_sec", "queries_per_s": "result_qps_with_loadgen_overhead"}
_DETAIL_TIMES = (
    (re.compile(r"result_(mean)_latency_ns"), "latency"),
    (re.compile(r"result_([0-9]{1,2}(?:[.][0-9]+)?)_percentile_latency_ns"), "latency"),
    (re.compile(r"result_first_token_(mean)_latency_ns"), "latency_ttft"),
    (re.compile(r"result_first_token_([0-9]{1,2}(?:[.][0-9]+)?)_percentile_latency_ns"), "latency_ttft"),
    (re.compile(r"result_time_per_output_token_(mean)_ns|result_time_to_output_token_(mean)"), "latency_tpot"),
    (re.compile(r"result_time_per_output_token_([0-9]{1,2}(?:[.][0-9]+)?)_percentile_ns"), "latency_tpot"),
)
_QUERY_TIMES = (  # of MultiStream, beside those of its samples
    (re.compile(r"result_(mean)_query_latency_ns"), "latency"),
    (re.compile(r"result_([0-9]{1,2}(?:[.][0-9]+)?)_percentile_per_query_latency_ns"), "latency"),
)
_LINES = {"Samples per second": "samples_per_s", "Tokens per second": "output_tokens_per_s",
          "Completed samples per second": "completed_samples_per_s",
          "Completed tokens per second": "completed_output_tokens_per_s",
          "Scheduled samples per second": "scheduled_samples_per_s", "QPS w/ loadgen overhead": "queries_per_s"}
_LINE_TIMES = (
    (re.compile(r"(Mean) latency \(ns\)"), "latency"),
    (re.compile(r"([0-9]{1,2}(?:[.][0-9]+)?) percentile latency \(ns\)"), "latency"),
    (re.compile(r"(Mean) First Token latency \(ns\)"), "latency_ttft"),
    (re.compile(r"([0-9]{1,2}(?:[.][0-9]+)?) percentile first token latency \(ns\)"), "latency_ttft"),
    (re.compile(r"(Mean) Time to Output Token \(ns\)"), "latency_tpot"),
    (re.compile(r"([0-9]{1,2}(?:[.][0-9]+)?) percentile time to output token \(ns\)"), "latency_tpot"),
)


def text_of(data):
    """Text of a detail log, whose quoted commit messages may hold bytes that are no UTF-8; None of any other file."""
    return data.decode("utf-8-sig", "replace") if _SIGN.encode() in data and b"\x00" not in data else None


def knows(text):
    """Whether a text is such a log."""
    return _SIGN in text or _SUMMARY in text[:2000]


def read(text, shown):
    """Read a log.

    Parameters
    ----------
    text : str
        Its content.
    shown : str
        How the user named the file.

    Returns
    -------
    joulebook.intake.load.result.Load
        Totals alone, at the scenario that is named in the notes.
    """
    return _detail(text, shown) if _SIGN in text else _summary(text, shown)


def _detail(text, shown):
    log, source, stated = parse_detail_log(text.encode(), shown), Source(shown), {}
    lines = {}  # of each key
    for line, row in enumerate(text.split("\n"), start=1):
        key = _KEY.search(row) if _SIGN in row else None
        if key:
            lines.setdefault(key[1], []).append(line)
    by_query = any(_time_name(key, _QUERY_TIMES) for key in lines)
    times = _QUERY_TIMES + _DETAIL_TIMES[2:] if by_query else _DETAIL_TIMES
    names = {key: name for name, key in _DETAIL.items() if key in lines}
    names |= {key: _time_name(key, times) for key in lines if _time_name(key, times)}
    missing, notes = {}, ["latencies are those of whole queries, not of their samples"] if by_query else []
    for key, name in names.items():
        if not log.has(key):
            missing[name] = f"line {lines[key][0]} has no value for {key}"
            continue
        if len(lines[key]) > 1:
            notes.append(f"{key} is there {len(lines[key])} times: the first is taken")
        value = _asked(source, log.number, key, whole=name == "queries", positive=False)
        if value is not None and value < 0:
            source.note("not allowed", key, lines[key][0], value=value, allowed="at least 0")
        if value is not None:
            stated[name] = value * 1e-9 if name.startswith("latency") else value
    begin, end = (_asked(source, log.time, key) if log.has(key) else None for key in ("power_begin", "power_end"))
    if begin is not None and end is not None:
        begin, end = begin.item(), end.item()
        if end <= begin:
            source.note("the run ends before it begins", "power_end", lines["power_end"][0], value=str(end),
                        allowed=f"after {begin}")
        stated["window_s"] = (end - begin).total_seconds()
        notes.append(f"the window is from power_begin {begin} to power_end {end}, stamps without a time zone")
    for key, words in (("effective_scenario", "scenario"), ("result_validity", "validity")):
        if log.has(key):
            notes.append(plain(f"{words}: {_asked(source, log.text, key)}"))
    return _totals(stated, notes, source, shown, missing)


def _asked(source, ask, key, **how):
    """What a log has for a key; None where it cannot be used, which is noted."""
    try:
        return ask(key, **how)
    except InputError as error:
        source.found.extend(error.problems)
        return None


def _summary(text, shown):
    source, stated, notes = Source(shown), {}, []
    for line, row in enumerate(text.split("\n"), start=1):
        name, colon, value = (part.strip() for part in row.partition(" :" if " :" in row else ":"))
        if not colon:
            continue
        if name in ("Scenario", "Result is"):
            notes.append(plain(f"{'scenario' if name == 'Scenario' else 'validity'}: {value}"))
        elif "(inferred)" in name:
            notes.append(f"{plain(name)} is not taken: it is a factor times the samples, not counted tokens")
        target = _LINES.get(name) or _time_name(name, _LINE_TIMES)
        if target is None:
            continue
        value = value.removeprefix(":").strip()
        if not re.fullmatch(NUMBER, value) or float(value) < 0 or float(value) == float("inf"):
            source.note("not a number that is allowed", name, line, value=value, allowed="a number, at least 0")
        elif target in stated:
            source.note("a line that is there twice", name, line, value=value, allowed="one run in a file")
        else:
            stated[target] = float(value) * (1e-9 if target.startswith("latency") else 1.0)
    return _totals(stated, notes, source, shown)


def _time_name(key, patterns):
    for pattern, name in patterns:
        match = pattern.fullmatch(key)
        if match:
            point = next(group for group in match.groups() if group)
            return f"{name}_mean_s" if point.lower() == "mean" else f"{name}_p{float(point):g}_s"
    return None


def _totals(stated, notes, source, shown, missing=None):
    if not stated and not source.found:
        source.note("no figure of a run in it", allowed="the log of a performance run that ended")
    source.stop()
    idle = [name for name, value in stated.items() if value == 0]
    missing = {**(missing or {}), **dict.fromkeys(idle, "0 in the log: no work, no rate")}
    for name in idle:
        del stated[name]
    return load(GENERATOR, shown, "unknown", None, stated, _WHY, missing=missing, notes=notes)
