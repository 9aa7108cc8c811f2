"""A run of a load generator in a few rows: what it states beside what its requests give."""

import re

from joulebook.intake.load.result import CLOCKS

_TITLES = {
    "window_s": ("Length of the run", "s"),
    "started": ("Requests started", "requests"),
    "completed": ("Requests completed", "requests"),
    "failed": ("Requests failed", "requests"),
    "queries": ("Queries completed", "queries"),
    "input_tokens": ("Input tokens of completed requests", "tokens"),
    "output_tokens": ("Output tokens of completed requests", "tokens"),
    "completed_per_s": ("Requests completed a second", "1/s"),
    "goodput_per_s": ("Requests a second inside the load generator's own limits", "1/s"),
    "queries_per_s": ("Queries a second", "1/s"),
    "samples_per_s": ("Samples a second", "1/s"),
    "completed_samples_per_s": ("Samples completed a second", "1/s"),
    "scheduled_samples_per_s": ("Samples scheduled a second", "1/s"),
    "input_tokens_per_s": ("Input tokens a second", "1/s"),
    "output_tokens_per_s": ("Output tokens a second", "1/s"),
    "completed_output_tokens_per_s": ("Output tokens completed a second", "1/s"),
    "tokens_per_s": ("Tokens a second, input and output", "1/s"),
    "input_tokens_mean": ("Input tokens of a request, mean", "tokens"),
    "output_tokens_mean": ("Output tokens of a request, mean", "tokens"),
}
_TIMES = {"latency": "Latency", "latency_ttft": "Time to first token", "latency_tpot": "Time per output token"}
_TIME = re.compile(r"(latency(?:_ttft|_tpot)?)_(mean|p[0-9.]+)_s")


def rows(load):
    """The totals of a run, a row each.

    Parameters
    ----------
    load : joulebook.intake.load.Load
        The run.

    Returns
    -------
    list of dict
        ``name``, ``title``, ``unit``, ``stated`` and ``counted`` (None where there is none), in a fixed order.
    """
    names = [*_TITLES, *sorted((name for name in load.stated | load.counted if _TIME.fullmatch(name)), key=_order)]
    there = [name for name in names if name in load.stated or name in load.counted]
    return [{"name": name, "title": _title(name)[0], "unit": _title(name)[1], "stated": load.stated.get(name),
             "counted": load.counted.get(name)} for name in there]


def as_dict(load):
    """A run as plain values for JSON, without its requests.

    Parameters
    ----------
    load : joulebook.intake.load.Load
        The run.

    Returns
    -------
    dict
        ``file``, ``generator``, ``clock``, ``begin`` (ISO, in UTC) and ``requests`` (their number), None where not known;
        ``totals`` as `rows`, ``missing``, ``left_out``, ``notes``.
    """
    return {"file": load.shown, "generator": load.generator, "clock": CLOCKS[load.clock],
            "begin": None if load.origin is None else f"{load.origin}Z",
            "requests": None if load.requests is None else len(load.requests), "totals": rows(load),
            "missing": dict(load.missing), "left_out": dict(load.left_out), "notes": list(load.notes)}


def _title(name):
    if name in _TITLES:
        return _TITLES[name]
    time, point = _TIME.fullmatch(name).groups()
    return f"{_TIMES[time]}, {'mean' if point == 'mean' else f'{point[1:]} % of requests at most'}", "s"


def _order(name):
    time, point = _TIME.fullmatch(name).groups()
    return list(_TIMES).index(time), -1.0 if point == "mean" else float(point[1:])
