"""The profile export of GenAI-Perf and Perf Analyzer, ``profile_export.json``: requests with the times of their responses.

Read are the fields that Perf Analyzer's ``src/profile_data_exporter.cc`` writes (commit 069e403): ``experiments``, of each
``requests`` with ``timestamp`` and ``response_timestamps`` (ns since 1970, ``std::chrono::system_clock``) and
``response_outputs``; ``service_kind``. As in GenAI-Perf's ``llm_profile_data_parser.py`` a response without content (a role, a
usage, ``[DONE]``) is no token: the first with content ends the time to first token, the last one the request. GenAI-Perf counts
tokens by a tokenizer; here they are known only where the server sent a ``usage``.
"""

import json
from itertools import pairwise

import numpy as np

from joulebook.intake.load.reading import Source, from_epoch
from joulebook.intake.load.result import load
from joulebook.method.request_totals import Requests, time_per_output_token

GENERATOR = "GenAI-Perf"
_TOKENS = "the export holds texts, no counts of tokens; profile_export_genai_perf.json has their means"


def knows(values):
    """Whether a JSON object is such an export."""
    return isinstance(values.get("experiments"), list) and "service_kind" in values


def read(values, shown):
    """Read an export of one load level.

    Parameters
    ----------
    values : dict
        The JSON object.
    shown : str
        How the user named the file.

    Returns
    -------
    joulebook.intake.load.result.Load
        Requests in UTC. One without any content counts as failed.
    """
    source, left_out = Source(shown), {}
    experiments = values["experiments"]
    if len(experiments) != 1:
        source.note("not one experiment", "experiments", value=len(experiments), allowed="one load level in a file")
        source.stop()
    requests = source.inside(experiments[0], "requests", list)
    read_one = _openai if values["service_kind"] == "openai" else _parts
    rows = [_row(request, place, read_one, source, left_out) for place, request in enumerate(requests)]
    source.stop()
    starts, first, last = ([row[name] for row in rows] for name in ("start", "first", "last"))
    (start_s, first_s, end_s), origin = from_epoch(starts, first, last)
    ok = np.array([row["ok"] for row in rows], bool)
    inputs, outputs = (np.array([row[name] for row in rows], float) for name in ("input_tokens", "output_tokens"))
    ttft = np.where(ok, first_s - start_s, np.nan)
    latency = np.where(ok, end_s - start_s, np.nan)
    one = Requests(start_s, end_s, ok, inputs, outputs, ttft, time_per_output_token(latency, ttft, outputs), latency)
    counts = {"input_tokens": inputs, "output_tokens": outputs}
    missing = {name: _TOKENS for name, tokens in counts.items() if np.isnan(tokens[ok]).all()}
    return load(GENERATOR, shown, "utc" if rows else "unknown", one, origin=origin if rows else None, missing=missing,
                left_out=left_out)


def _row(request, place, read_one, source, left_out):
    at, empty = f"requests[{place}]", {"start": None, "first": None, "last": None, "ok": False, "input_tokens": np.nan,
                                       "output_tokens": np.nan}
    if not isinstance(request, dict):
        source.note("not an object", at, value=type(request).__name__, allowed="an object with a timestamp")
        return empty
    before = len(source.found)
    start = source.epoch(request.get("timestamp"), f"{at}.timestamp")
    times, outputs = request.get("response_timestamps"), request.get("response_outputs")
    if not isinstance(times, list) or not isinstance(outputs, list) or len(times) != len(outputs):
        source.note("not one output for each time of a response", f"{at}.response_timestamps",
                    allowed="response_timestamps and response_outputs, lists of one length")
        return empty
    times = [source.epoch(time, f"{at}.response_timestamps[{number}]") for number, time in enumerate(times)]
    wrong = next((number for number, output in enumerate(outputs) if not isinstance(output, dict)), None)
    if wrong is not None:
        source.note("not an object", f"{at}.response_outputs[{wrong}]", allowed="the outputs of a response by name")
    if len(source.found) > before:
        return empty
    if any(later < earlier for earlier, later in pairwise([start, *times])):
        source.note("a response before the one above it", f"{at}.response_timestamps",
                    allowed="times that rise from the timestamp on")
        return empty
    content, failed, usage = read_one(outputs, left_out)
    counts = {name: _count(usage, key, at, source) for name, key in (("input_tokens", "prompt_tokens"),
                                                                     ("output_tokens", "completion_tokens"))}
    ok = bool(content) and not failed
    if not ok:
        counts["output_tokens"] = np.nan
    ends = times[content[-1]] if content else (times[-1] if times else None)
    return {"start": start, "first": times[content[0]] if content else None, "last": ends, "ok": ok, **counts}


def _count(usage, key, at, source):
    value = source.number(usage, key, whole=True, at=f"{at}.usage")
    return np.nan if value is None else value


def _parts(outputs, _):
    """Responses with content; for services whose outputs are fields by name."""
    content = [number for number, output in enumerate(outputs) if any(value not in ("", [], None) for value in output.values())]
    return content, False, {}


def _openai(outputs, left_out):
    """Responses with content, whether one tells an error, and the usage; of server-sent events or of one JSON object."""
    content, failed, usage = [], False, {}
    for number, event in _events(outputs):
        kind = event.startswith("event:") and "error" in event.split("\n")[0]
        data = "\n".join(line.removeprefix("data:").strip() for line in event.split("\n")
                         if not line.startswith((":", "event:", "id:", "retry:"))).strip()
        failed |= kind
        if not data or data == "[DONE]":
            continue
        try:
            data = json.loads(data)
        except (ValueError, RecursionError):
            left_out["parts of responses that are no JSON"] = left_out.get("parts of responses that are no JSON", 0) + 1
            continue
        if not isinstance(data, dict):
            continue
        failed |= "error" in data and data["error"] is not None
        if isinstance(data.get("usage"), dict):
            usage = data["usage"]
        if _has_content(data):
            content.append(number)
    return content, failed, usage


def _events(outputs):
    """Events with the number of the response that completes each; an event may be torn over responses, or several be in one."""
    waiting, last = "", 0
    for number, output in enumerate(outputs):
        text = output.get("response")
        text = text if isinstance(text, str) else ""
        if waiting.strip() and text.startswith(("data:", "event:", "{")):  # the one before ended without a blank line
            yield last, waiting.strip()
            waiting = ""
        if not waiting.strip() and text.lstrip().startswith("{"):  # no stream of events: one answer, blank lines and all
            yield number, text.strip()
            continue
        waiting, last = waiting + text.replace("\r\n", "\n"), number
        while "\n\n" in waiting:
            event, waiting = waiting.split("\n\n", 1)
            if event.strip():
                yield number, event.strip()
    if waiting.strip():
        yield last, waiting.strip()


def _has_content(data):
    choices = data.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    parts = [first.get("text"), *(part.get(key) for part in (first.get("delta"), first.get("message")) if isinstance(part, dict)
                                  for key in ("content", "reasoning_content", "reasoning"))]
    return any(isinstance(part, str) and part for part in parts) or bool(data.get("data"))  # data: embeddings, images
