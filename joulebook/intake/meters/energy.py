"""Energy of what meters read, told whole: each channel, the total where there is one, and all that must be known beside it."""

import math
from dataclasses import asdict

import numpy as np
import pyarrow as pa

from joulebook.dictionary import parameters
from joulebook.errors import InputError, Problems
from joulebook.intake.checks import attempt, refuse
from joulebook.intake.meters.stamps import form_of, parsed
from joulebook.method.meters.gaps import require_coverage, uncovered
from joulebook.method.meters.measure import measure
from joulebook.method.meters.peaks import peak_power
from joulebook.method.meters.pieces import Pieces

_GAPS = 20  # stretches without cover that are listed
EDGE = "a date and time with its offset from UTC, such as 2026-03-31T14:00:00+02:00"
_NUMBERS = (
    "energy_j",
    "energy_low_j",
    "energy_high_j",
    "energy_standard_uncertainty_j",
    "average_power_w",
    "window_s",
    "coverage",
    "longest_gap_s",
    "sampling_interval_s",
)


def told(meters, begin=None, end=None, phases=None, max_gap_s=None, min_coverage=None):
    """Energies of a window or of phases, as plain data.

    Parameters
    ----------
    meters : joulebook.method.series.Meters
        What was read.
    begin, end : str, optional
        Edges of the window: stamps with their offset, or bare seconds where the meters have no dates; all that was read else.
    phases : pandas.DataFrame, optional
        Windows by phase in place of one: phase, begin, end.
    max_gap_s : float, optional
        Longest time between two readings that is bridged; three median intervals else. [s]
    min_coverage : float, optional
        Smallest covered share of a window that is accepted; that of the dictionary else. [1]

    Returns
    -------
    dict
        ``channels``, ``total`` (None where there is none, then ``no_total`` says why), ``missing``, ``origin``.

    Raises
    ------
    InputError
        If a window is not covered well enough or no window, or a channel cannot be integrated.
    """
    min_coverage = parameters()["min_coverage"].default if min_coverage is None else min_coverage
    found, channels, pieces = Problems(), [], []
    for channel in meters.channels:
        if channel.times_s.size < 2 and channel.kind != "interval_mean":
            channels.append((channel, None))
            continue
        try:
            pieces.append(Pieces(channel, max_gap_s))
        except InputError as error:
            found.extend(error.problems)
            continue
        channels.append((channel, pieces[-1]))
    found.stop()
    windows = _windows(meters, pieces, begin, end, phases)
    made = {
        "origin": None if meters.origin is None else _time(0.0, meters.origin),
        "channels": [],
        "total": None,
        "missing": meters.missing,
    }
    for channel, piece in channels:
        row = _about(channel, meters.origin)
        if piece is None:
            row["no_energy"] = "one reading: no energy follows of it" if channel.times_s.size else "no reading"
        else:
            row |= _numbers([piece], windows, meters.origin, min_coverage, found, channel.name)
        made["channels"].append(row)
    found.stop()
    if len(channels) + len(meters.missing) > 1:
        made |= _total(pieces, channels, windows, meters, min_coverage)
    return made


def _total(pieces, channels, windows, meters, min_coverage):
    missing = [*meters.missing, *(channel.name for channel, piece in channels if piece is None)]
    try:
        total = _numbers(pieces, windows, meters.origin, 0.0, Problems(), "total", missing)
    except InputError as error:
        return {"no_total": str(error)}
    return {"total": {**total, "partial": missing}}


def _about(channel, origin):
    """What is known of a channel beside its energy."""
    left_out = dict(channel.left_out)
    reading = float(channel.values[-1]) if channel.times_s.size == 1 else None
    accuracy = {key: value for key, value in asdict(channel.accuracy).items() if value is not None}
    row = {"name": channel.name, "kind": channel.kind, "boundary": channel.boundary, "scope": channel.scope, "host": channel.host,
           "time_base": channel.time_base, "rows": channel.rows, "rows_used": int(channel.times_s.size), "left_out": left_out,
           "accuracy": accuracy, "notes": list(channel.notes)}  # fmt: skip
    if reading is not None:
        row |= {"reading": reading, "reading_at": _time(float(channel.times_s[0]), origin)}
    return row


def _numbers(pieces, windows, origin, min_coverage, found, name, missing=()):
    """Energy and what belongs to it, of all windows together, and of each phase."""
    if not pieces:
        refuse("no channel was read", field=name)
    whole = measure(pieces, *_edges(windows), together=True, partial=missing)
    gaps = []
    if whole.coverage < 1:
        gaps = [gap for piece in pieces for _, begin, end in windows for gap in uncovered(piece, begin, end).tolist()]
    listed = [[_time(begin, origin), _time(end, origin)] for begin, end in gaps[:_GAPS]]
    row = {key: _plain(getattr(whole, key)) for key in _NUMBERS} | {
        "begin": _time(windows[0][1], origin),
        "end": _time(max(end for _, _, end in windows), origin),
        "peak_power_w": _plain(peak_power(pieces, *_edges(windows))),
        "gaps": listed,
        "more_gaps": max(0, len(gaps) - _GAPS),
        "notes": list(whole.notes),
    }
    row["uncertainties_j"] = {source: u for source, u in whole.uncertainties_j.items() if u}
    phases = {}
    for phase in dict.fromkeys(name for name, *_ in windows if name):
        mine = [window for window in windows if window[0] == phase]
        one = measure(pieces, *_edges(mine), together=True, partial=missing)
        phases[phase] = {key: _plain(getattr(one, key)) for key in _NUMBERS}
        phases[phase]["peak_power_w"] = _plain(peak_power(pieces, *_edges(mine)))
        _cover(one.coverage, min_coverage, f"{name}, {phase}", listed, found)
    if not phases:
        _cover(whole.coverage, min_coverage, name, listed, found)
    return row | ({"phases": phases} if phases else {})


def _cover(coverage, limit, name, gaps, found):
    stretches = "; ".join(f"{begin} to {end}" for begin, end in gaps)
    if coverage > 0:
        attempt(found, require_coverage, coverage, limit, f"{name}: the window", stretches)
        return
    what = f"{name}: no reading covers any of the window"
    found.add(f"{what}: nothing covers {stretches}" if stretches else what, field="min_coverage", value=_plain(coverage),
              allowed="a window in which there are readings")  # fmt: skip


def _edges(windows):
    return np.array([begin for _, begin, _ in windows]), np.array([end for _, _, end in windows])


def _windows(meters, pieces, begin, end, phases):
    """Windows as (phase, begin, end) on the clock of the meters."""
    if phases is not None:
        dated = phases["begin"].dtype.kind == "M"
        if dated != (meters.origin is not None):
            refuse("phases and meters share no clock: one has dates, the other bare seconds", field="phases",
                   allowed="both with dates, or both in bare seconds")  # fmt: skip
        edges = [phases[name].to_numpy() for name in ("begin", "end")]
        if dated:
            edges = [
                (phases[name].dt.tz_convert(None).to_numpy() - meters.origin) / np.timedelta64(1, "s")
                for name in ("begin", "end")
            ]
        return [(str(name), float(low), float(high)) for name, low, high in zip(phases["phase"], *edges, strict=True)]
    if (begin is None) != (end is None):
        refuse("half a window", field="--begin" if begin is None else "--end", allowed="begin and end, or neither")
    if begin is None:
        if not pieces:
            return [("", 0.0, 1.0)]
        return [("", min(piece.first_s for piece in pieces), max(piece.last_s for piece in pieces))]
    edges = [_edge(text, meters.origin, field) for text, field in ((begin, "--begin"), (end, "--end"))]
    if not edges[0] < edges[1]:
        refuse("a window must begin before it ends", field="--begin, --end", value=f"{begin} to {end}")
    return [("", *edges)]


def _edge(text, origin, field):
    """An edge of a window in seconds on the clock of the meters."""
    form = form_of(text)
    if origin is None:
        if form != "number" or not math.isfinite(float(text.replace(",", "."))):
            refuse("the meters have bare seconds and no dates", field=field, value=text, allowed="seconds of the file")
        return float(text.replace(",", "."))
    if form in (None, "number"):
        refuse("no date and time", field=field, value=text, allowed=EDGE)
    ns, offset, good, _ = parsed(pa.array([text]), form, None)
    if form == "two" or not good[0] or np.isnan(offset[0]):
        refuse("no date and time with its offset from UTC", field=field, value=text, allowed=EDGE)
    return float((int(ns[0]) - round(offset[0] * 1e9) - int(origin.astype("datetime64[ns]").astype(np.int64))) / 1e9)


def _time(seconds, origin):
    """A time of the clock as text: in UTC, or seconds."""
    if origin is None:
        return f"{seconds:.9g} s"
    stamp = np.datetime64(origin, "ns") + np.timedelta64(round(seconds * 1e9), "ns")
    text = str(stamp.astype("datetime64[ms]"))
    return f"{text.removesuffix('.000')}Z"


def _plain(value):
    value = float(value)
    return value if math.isfinite(value) else None
