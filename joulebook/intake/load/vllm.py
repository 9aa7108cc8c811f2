"""The result JSON of ``vllm bench serve --save-result``, with ``--save-detailed`` the requests too.

Read are the keys that vLLM's ``vllm/benchmarks/serve.py`` writes (as of commit 009e6d4, and ``benchmarks/benchmark_serving.py``
before it): ``duration``, ``completed``, ``failed``, ``total_input_tokens``, ``total_output_tokens``, ``request_throughput``,
``output_throughput``, ``total_token_throughput``, ``request_goodput``, and ``mean_``, ``median_`` and ``pNN_`` of ``ttft_ms``,
``tpot_ms`` and ``e2el_ms``; of each request ``input_lens``, ``output_lens``, ``ttfts``, ``itls``, ``errors``, and in later
versions ``start_times`` and ``latencies``.
"""

import re

import numpy as np

from joulebook.intake.load.reading import Source
from joulebook.intake.load.result import load
from joulebook.method.request_totals import Requests, time_per_output_token

GENERATOR = "vLLM bench serve"
_SIGNS = {"date", "backend", "model_id", "num_prompts", "duration", "completed", "total_input_tokens", "request_throughput"}
_STATED = {
    "failed": ("failed", {"whole": True}),
    "input_tokens": ("total_input_tokens", {"whole": True, "needed": True}),
    "output_tokens": ("total_output_tokens", {"whole": True}),
    "completed_per_s": ("request_throughput", {"needed": True}),
    "output_tokens_per_s": ("output_throughput", {}),
    "tokens_per_s": ("total_token_throughput", {}),
    "goodput_per_s": ("request_goodput", {}),
}
_LATENCY = re.compile(r"(mean|median|p[0-9]{1,2}(?:\.[0-9]+)?)_(ttft|tpot|e2el)_ms")
_TIMES = {"ttft": "latency_ttft", "tpot": "latency_tpot", "e2el": "latency"}
_RATES = ("completed_per_s", "output_tokens_per_s", "tokens_per_s")
_CLOCK = ("its start_times count from an instant that only the machine of the load generator knows (time.perf_counter); its date "
          "is that of writing, in local time")


def knows(values):
    """Whether a JSON object is such a result."""
    return set(values) >= _SIGNS


def read(values, shown):
    """Read a result.

    Parameters
    ----------
    values : dict
        The JSON object.
    shown : str
        How the user named the file.

    Returns
    -------
    joulebook.intake.load.result.Load
        With requests where it was saved in detail. Failed requests have no output tokens and no times of their own: what vLLM
        writes for these is 0.
    """
    source = Source(shown)
    stated = {"window_s": source.number(values, "duration", above=0.0, needed=True),
              "completed": source.number(values, "completed", whole=True, needed=True)}
    values = {key.removesuffix(":"): value for key, value in values.items()}  # "request_goodput:" in earlier versions
    stated |= {name: source.number(values, key, **rules) for name, (key, rules) in _STATED.items()}
    done = stated["completed"]
    if done is not None and stated["failed"] is not None:
        stated["started"] = done + stated["failed"]
    for key in values:
        match = _LATENCY.fullmatch(key)
        if match:
            point = {"median": "p50"}.get(match[1], match[1])
            stated[f"{_TIMES[match[2]]}_{point}_s"] = source.number(values, key, scale=1e-3)
    requests, absent, notes = _requests(values, source)
    source.stop()
    stated, missing = _without_nothing(stated)
    clock = "unknown"
    if requests is not None:
        notes.append(_CLOCK)
        clock = "seconds" if np.isfinite(requests.start_s).any() else "unknown"
        if clock == "unknown":
            missing["start_s"] = "this version of vLLM saves no start_times"
    return load(GENERATOR, shown, clock, requests, stated, absent, missing=missing, notes=notes)


def _without_nothing(stated):
    """What is stated, less what is stated of no work: vLLM writes 0 there."""
    missing, done = {}, stated["completed"]
    for name in list(stated):
        value = stated[name]
        idle = name in _RATES and not value
        if value is None or idle or (name.startswith("latency") and not done):
            stated.pop(name)
            if value is not None:
                missing[name] = "a rate of no work is not 0" if done else "no request was completed"
    return stated, missing


def _requests(values, source):
    if "input_lens" not in values and "errors" not in values:
        return None, "saved without --save-detailed", []
    errors = source.inside(values, "errors", list)
    wrong = next((place for place, error in enumerate(errors) if not isinstance(error, str)), None)
    if wrong is not None:
        source.note("not a text", f"errors[{wrong}]", value=errors[wrong], allowed="the text of an error, empty for none")
    count = len(errors)
    inputs = source.numbers(values, "input_lens", whole=True, length=count)
    if "input_lens" not in values:
        source.note("missing", "input_lens", allowed=f"a list of {count} numbers")
    outputs = source.numbers(values, "output_lens", whole=True, length=count)
    ttft = source.numbers(values, "ttfts", length=count)
    starts = source.numbers(values, "start_times", length=count)
    latency = source.numbers(values, "latencies", length=count)
    gaps = _gaps(values, source, count)
    if source.found:
        return None, None, []
    unknown = np.full(count, np.nan)
    ok, notes = np.array([not error for error in errors], bool), []
    if outputs is not None and ttft is not None:  # a refusal without a reason leaves the text empty
        silent = ok & (outputs == 0) & (ttft == 0)
        ok &= ~silent
        if silent.any():
            notes.append(f"{int(silent.sum())} requests without a word of an error and without any answer count as failed")
    ttft = unknown if ttft is None else np.where(ok & (ttft > 0), ttft, np.nan)  # 0: not streamed
    if latency is None:
        latency = ttft + gaps if gaps is not None else unknown
    latency = np.where(ok & (latency > 0), latency, np.nan)
    outputs = unknown if outputs is None else np.where(ok, outputs, np.nan)
    starts = unknown if starts is None else starts
    tpot = time_per_output_token(latency, ttft, outputs)
    return Requests(starts, starts + latency, ok, inputs, outputs, ttft, tpot, latency), None, notes


def _gaps(values, source, count):
    """Sum of the times between the responses of each request. [s]"""
    listed = values.get("itls")
    if listed is None:
        return None
    if not isinstance(listed, list) or len(listed) != count:
        source.note("not a list with one entry for each request", "itls", allowed=f"a list of {count} lists")
        return None
    sums = np.zeros(count)
    for place, gaps in enumerate(listed):
        array = source.numbers({f"itls[{place}]": gaps}, f"itls[{place}]")
        sums[place] = np.nan if array is None else array.sum()
    return sums
