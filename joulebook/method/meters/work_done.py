"""Requests and units of work of a metered run, and its energy for each of them."""

import numpy as np

from joulebook.method.meters.requests_served import EDGE_SHARE, per, served
from joulebook.method.meters.run import HOW, metered_run, missing
from joulebook.method.meters.spans import WORK, on_clock
from joulebook.method.study import gives
from joulebook.units import PERCENT, work

_LIMITS = {"slo_latency_s": "latency_s", "slo_ttft_s": "ttft_s", "slo_tpot_s": "tpot_s"}
_NO_REQUESTS = "needs requests_csv or load_file"
_OF_TOKENS = {"input_token": ("input_tokens",), "output_token": ("output_tokens",), "token": ("input_tokens", "output_tokens")}
NO_WORK = "energy over no work is not available"
_OF_REQUESTS = ("query", "sample", "inference")


@gives("started", "completed", "slo_valid", "edge_work_share", how=(*HOW, *_LIMITS))
def requests_of_run(
    meters, phases=None, requests=None, load_file=None, slo_latency_s=None, slo_ttft_s=None, slo_tpot_s=None,
    max_gap_s=None, clock_residual_s=None, boundary=None,
):
    """Requests that were started, completed and served within their limits while the work went on.

    Parameters
    ----------
    meters, phases, max_gap_s, clock_residual_s, boundary
        As in `joulebook.method.metering.covered`.
    requests, load_file : pandas.DataFrame, optional
        A row a request; the file of a load generator comes before a table of requests.
    slo_latency_s, slo_ttft_s, slo_tpot_s : float, optional
        Limits of a request; see ``data/parameters.csv``.

    Returns
    -------
    dict
        The results named in `gives`; see ``data/results.csv``.
    """
    names = requests_of_run.results
    table = load_file if load_file is not None else requests
    if table is None:
        return missing(names, _NO_REQUESTS)
    run = metered_run(meters, phases, max_gap_s, clock_residual_s, boundary)
    if run.reason:
        return missing(names, run.reason)
    limits = {_LIMITS[name]: limit for name, limit in
              zip(_LIMITS, (slo_latency_s, slo_ttft_s, slo_tpot_s), strict=True) if limit is not None}
    if why := _without_times(table, meters.origin):
        return _of_whole_run(table, limits, why)
    found = _served(run, table, meters.origin, limits)
    notes, valid = {}, found.slo_valid
    unknown = [f"{slo} is given, but no request has its {name}" for slo, name in _LIMITS.items()
               if name in limits and name != "latency_s" and not (name in table and table[name].notna().any())]
    if unknown and found.completed:
        valid, notes["slo_valid"] = None, "; ".join(unknown)
    elif not limits:
        notes["slo_valid"] = "no limit is given: all that was completed counts"
    if not np.isfinite(found.edge_work_share):
        notes["edge_work_share"] = "no request was at work"
    elif found.edge_work_share > EDGE_SHARE:
        notes["edge_work_share"] = f"above {EDGE_SHARE * PERCENT:g} %: the run is too short"
    if endless := int(_endless(table).sum()):
        said = f"{endless} failed requests have no end in the file, and count as not crossing"
        notes["edge_work_share"] = "; ".join(filter(None, (notes.get("edge_work_share"), said)))
    values = (found.started, found.completed, valid, found.edge_work_share)
    return {**dict(zip(names, values, strict=True)), "notes": notes}


@gives("units_completed", how=HOW)
def units_of_run(
    meters, phases=None, requests=None, load_file=None, training_samples=None, unit_of_work=None,
    max_gap_s=None, clock_residual_s=None, boundary=None,
):
    """Units of work that were completed.

    Parameters
    ----------
    meters, phases, requests, load_file, max_gap_s, clock_residual_s, boundary
        As in `requests_of_run`.
    training_samples : float, optional
        Samples that a training run went through.
    unit_of_work : str, optional
        Label.

    Returns
    -------
    dict
        The result named in `gives`: tokens of completed requests, or these requests themselves, or samples of training.
    """
    if unit_of_work is None:
        return missing(units_of_run.results, "needs the label unit_of_work")
    if unit_of_work == "training_sample":
        if training_samples is None:
            return missing(units_of_run.results, "needs training_samples")
        return {"units_completed": training_samples}
    table = load_file if load_file is not None else requests
    if table is None:
        return missing(units_of_run.results, _NO_REQUESTS)
    run = metered_run(meters, phases, max_gap_s, clock_residual_s, boundary)
    if run.reason:
        return missing(units_of_run.results, run.reason)
    columns = _OF_TOKENS.get(unit_of_work, ())
    if why := _without_times(table, meters.origin):
        parts = [_total(table, name) for name in columns or ("completed",)]
        if any(part is None for part in parts):
            return missing(units_of_run.results, f"the load generator's file states no {work(unit_of_work, plural=True)}")
        return {"units_completed": float(sum(parts)), "notes": {"units_completed": _whole(table, why)}}
    ended = _served(run, table, meters.origin, {}).ended
    if unit_of_work in _OF_REQUESTS:
        return {"units_completed": int(ended.sum()), "notes": {"units_completed": "a completed request counts as one"}}
    tokens = np.sum([np.asarray(table[name], float)[ended] for name in columns], axis=0)
    unknown = int(np.isnan(tokens).sum())
    if unknown:
        return missing(units_of_run.results, f"{unknown} of {int(ended.sum())} completed requests do not have their tokens")
    return {"units_completed": float(tokens.sum())}


@gives("energy_per_started_j")
def per_started(energy_midpoint_j, started):
    """Energy of the work for each request that was started.

    Parameters
    ----------
    energy_midpoint_j, started : float or ndarray
        Results of earlier calculations.

    Returns
    -------
    dict
        The result named in `gives`.
    """
    return _over("energy_per_started_j", energy_midpoint_j, started)


@gives("energy_per_completed_j")
def per_completed(energy_midpoint_j, completed):
    """Energy of the work for each request that was completed: these pay for those that failed.

    Parameters
    ----------
    energy_midpoint_j, completed : float or ndarray
        Results of earlier calculations.

    Returns
    -------
    dict
        The result named in `gives`.
    """
    return _over("energy_per_completed_j", energy_midpoint_j, completed)


@gives("energy_per_slo_valid_j")
def per_slo_valid(energy_midpoint_j, slo_valid):
    """Energy of the work for each request within the limits: these pay for those that came late.

    Parameters
    ----------
    energy_midpoint_j, slo_valid : float or ndarray
        Results of earlier calculations.

    Returns
    -------
    dict
        The result named in `gives`.
    """
    return _over("energy_per_slo_valid_j", energy_midpoint_j, slo_valid)


@gives("energy_per_unit_j")
def per_unit(energy_midpoint_j, units_completed):
    """Energy of the work for each unit of work.

    Parameters
    ----------
    energy_midpoint_j, units_completed : float or ndarray
        Results of earlier calculations.

    Returns
    -------
    dict
        The result named in `gives`.
    """
    return _over("energy_per_unit_j", energy_midpoint_j, units_completed)


@gives("energy_per_training_sample_j")
def per_training_sample(energy_midpoint_j, training_samples):
    """Energy of the work for each sample of training.

    Parameters
    ----------
    energy_midpoint_j, training_samples : float or ndarray
        A result of an earlier calculation; samples that the run went through.

    Returns
    -------
    dict
        The result named in `gives`.
    """
    return _over("energy_per_training_sample_j", energy_midpoint_j, training_samples)


def _over(name, energy_j, count):
    return {name: per(energy_j, count), "notes": {} if np.all(np.asarray(count) > 0) else {name: NO_WORK}}


def _served(run, table, origin, limits):
    """Requests on the clock of the meters, counted over the windows of the work."""
    field = "load_file" if "latency_s" in table else "requests_csv"
    start, end = (on_clock(table[name], origin, field) for name in ("start", "end"))
    # Some load generators keep no end of what failed: it is not known to have crossed an edge.
    end = np.where(_endless(table), start, end)
    measured = _measured(table, limits, end - start)
    most = [float(np.mean(limit)) for limit in limits.values()]
    return served(start, end, table["ok"], *run.phases.windows(WORK), measured, most)


def _measured(table, limits, latency_s):
    """What was measured of each request against each limit; nan where it was not. [s]"""
    known = {"latency_s": latency_s, **{name: np.asarray(table[name], float) for name in _LIMITS.values() if name in table}}
    if "tpot_s" in known:  # an answer of one token has no time between tokens
        known["tpot_s"] = np.where(np.asarray(table["output_tokens"], float) <= 1, 0.0, known["tpot_s"])
    return [known.get(name, np.full(len(table), np.nan)) for name in limits]


def _endless(table):
    """Failed requests of a load generator's file that have no end in it."""
    return ~np.asarray(table["ok"], bool) & np.asarray(table["end"].isna(), bool) & ("generator" in table.attrs)


def _without_times(table, origin):
    """Why the requests of a load generator's file have no times on the clock of the meters; empty where they have."""
    clock = table.attrs.get("clock")
    if clock is None and len(table):
        return ""  # a table of requests: times that share no clock are a mistake in it
    if clock in ("utc", "seconds") and len(table):
        if (clock == "utc") == (origin is not None):
            return ""
        return "the times of its requests share no clock with the meters"
    return "the file has no times of requests"


def _of_whole_run(table, limits, why):
    """Counts of a load generator for its whole run, where its requests have no times on the clock of the meters."""
    values, notes = {"slo_valid": None, "edge_work_share": None}, dict.fromkeys(("slo_valid", "edge_work_share"), why)
    for name in ("started", "completed"):
        values[name] = _total(table, name)
        notes[name] = _whole(table, why) if values[name] is not None else "the load generator's file does not state it"
    if not limits and values["completed"] is not None:
        values["slo_valid"], notes["slo_valid"] = values["completed"], "no limit is given: all that was completed counts"
    elif limits and len(table):  # lengths of time need no common clock
        measured = _measured(table, limits, np.full(len(table), np.nan))
        within = [value <= float(np.mean(limit)) for value, limit in zip(measured, limits.values(), strict=True)]
        values["slo_valid"] = int((np.asarray(table["ok"], bool) & np.all(within, axis=0)).sum())
        notes["slo_valid"] = _whole(table, why)
    return {**values, "notes": notes}


def _total(table, name):
    """A total of the whole run: as the file states it, else as its requests give it."""
    return table.attrs.get("stated", {}).get(name, table.attrs.get("counted", {}).get(name))


def _whole(table, why):
    return f"as {table.attrs.get('generator', 'the load generator')} has it for its whole run: {why}"
