"""How much energy did the work take, and how sure are we? (method, section 1)."""

import numpy as np

from joulebook.method.meters.gaps import is_covered, uncovered
from joulebook.method.meters.integral import Integral, energy_of_samples
from joulebook.method.meters.peaks import AVERAGING_S, peak_power, peaks
from joulebook.method.meters.pieces import longest_bridged_gap, sampling_interval
from joulebook.method.meters.run import HOW, metered_run, missing, normal_draws, quantiles, standing, u_covered, u_reading
from joulebook.method.meters.spans import WORK
from joulebook.method.meters.steadiness import BLOCKS, drift, length_note
from joulebook.method.meters.timeline import timeline
from joulebook.method.meters.work_done import (
    per_completed,
    per_slo_valid,
    per_started,
    per_training_sample,
    per_unit,
    requests_of_run,
    units_of_run,
)
from joulebook.method.study import gives
from joulebook.units import PERCENT

__all__ = ["CALCULATIONS", "Integral", "energy_of_samples", "longest_bridged_gap", "sampling_interval"]

_SOURCES = {
    "gaps": "what the gaps may hold",
    "sampling": "sampling",
    "clock": "residual of the clock offset",
    "meter": "accuracy of the meter",
    "resolution": "resolution",
    "unseen": "what the sensor does not see",
    "averaging": "means before the stamp",
    "stamps": "steps of the stamps",
}
_ENERGIES = ("energy_j", "energy_low_j", "energy_high_j", "energy_midpoint_j", "average_power_w", "mean_power_energy_j",
             "energy_standard_uncertainty_j")
_RANGED = ("energy_j", "energy_midpoint_j", "average_power_w", "mean_power_energy_j")
_WITHOUT = "its range lacks the error of the meter itself, which is not stated"


@gives("window_s", "coverage", "longest_gap_s", "sampling_interval_s", how=HOW)
def covered(meters, phases=None, max_gap_s=None, clock_residual_s=None, boundary=None):
    """How long the work took, and how well the meters saw it.

    Parameters
    ----------
    meters : joulebook.method.series.Meters
        What was read.
    phases : pandas.DataFrame, optional
        Phases of the run; without any, all that was read counts as work.
    max_gap_s, clock_residual_s : float, optional
        See ``data/parameters.csv``.
    boundary : str, optional
        Label; channels at other boundaries are not added.

    Returns
    -------
    dict
        The results named in `gives`; see ``data/results.csv``.
    """
    run = metered_run(meters, phases, max_gap_s, clock_residual_s, boundary)
    names = covered.results
    if run.reason:
        return missing(names, run.reason)
    found = run.work
    notes = {"window_s": "; ".join(filter(None, (_whole_record(run), length_note(found.window_s))))}
    if found.partial:
        notes["coverage"] = f"of the channels that read; {_partial(found)}"
    return standing(run, names, dict(zip(
        names, (found.window_s, found.coverage, found.longest_gap_s, found.sampling_interval_s), strict=True)), notes)


@gives(*_ENERGIES, how=HOW)
def energies(meters, min_coverage, phases=None, max_gap_s=None, clock_residual_s=None, boundary=None, rng=None):
    r"""Energy of the work, with what gaps may hold and how sure it is.

    Parameters
    ----------
    meters, phases, max_gap_s, clock_residual_s, boundary
        As in `covered`.
    min_coverage : float
        Least coverage with which a result is given. [1]
    rng : numpy.random.Generator, optional
        Source of draws of the standard uncertainty.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: E_\mathrm{mid} = \tfrac{1}{2} (E_\mathrm{low} + E_\mathrm{high})
    """
    run = metered_run(meters, phases, max_gap_s, clock_residual_s, boundary)
    refused = run.reason or _too_little(run, min_coverage)
    if refused:
        return missing(_ENERGIES, refused)
    found, z = run.work, 0.0 if rng is None else normal_draws(rng)
    own = u_covered(found) * z
    share = own / found.energy_j if found.energy_j else 0.0
    values = {
        "energy_j": found.energy_j + own,
        "energy_low_j": found.energy_low_j,
        "energy_high_j": found.energy_high_j,
        "energy_midpoint_j": found.energy_midpoint_j + np.nan_to_num(found.energy_standard_uncertainty_j) * z,
        "average_power_w": found.average_power_w * (1 + share),
        "mean_power_energy_j": found.mean_power_energy_j * (1 + share),
        "energy_standard_uncertainty_j": found.energy_standard_uncertainty_j,
    }
    said = "; ".join(filter(None, (_partial(found), _whole_record(run))))
    notes = {name: said for name in _ENERGIES if said}
    if np.isfinite(found.energy_standard_uncertainty_j) and not found.uncertainties_j.get("meter"):
        notes |= {name: "; ".join(filter(None, (notes.get(name), _WITHOUT))) for name in _RANGED}
    if not np.isfinite(found.mean_power_energy_j):
        counters = any(piece.kind == "counter" for piece in run.chosen.pieces)
        notes["mean_power_energy_j"] = "a counter has no samples of power" if counters else "no sample lies inside the window"
    said = [*found.notes, *(["the residual of the clock is not stated"] if clock_residual_s is None else [])]
    if not np.isfinite(found.energy_standard_uncertainty_j):
        said.insert(0, "no source of uncertainty could be bounded")
    notes["energy_standard_uncertainty_j"] = "; ".join(said)
    if not np.isfinite(found.energy_midpoint_j):
        notes |= dict.fromkeys(("energy_low_j", "energy_high_j", "energy_midpoint_j", "energy_standard_uncertainty_j"),
                               "no power of this phase was read that could fill its gaps")
    return standing(run, _ENERGIES, values, notes)


@gives("sampling_error_j", "clock_error_j", "uncertainty_by_source_j", how=HOW)
def limits_of_error(meters, min_coverage, phases=None, max_gap_s=None, clock_residual_s=None, boundary=None):
    """Limits of error of the energy, and what each source adds to its uncertainty.

    Parameters
    ----------
    meters, min_coverage, phases, max_gap_s, clock_residual_s, boundary
        As in `energies`.

    Returns
    -------
    dict
        The results named in `gives`; the table has a row a source, the largest first.
    """
    run = metered_run(meters, phases, max_gap_s, clock_residual_s, boundary)
    names = limits_of_error.results
    refused = run.reason or _too_little(run, min_coverage)
    if refused:
        return missing(names, refused)
    found, notes = run.work, {}
    if clock_residual_s is None:
        notes["clock_error_j"] = "needs clock_residual_s"
    elif not np.isfinite(found.clock_error_j):
        notes["clock_error_j"] = "the readings do not reach as far around the work as the clock may be off"
    parts = sorted(((source, u) for source, u in found.uncertainties_j.items() if u), key=lambda part: (-part[1], part[0]))
    if not parts:
        notes["uncertainty_by_source_j"] = "no source of it is known: the meter's accuracy is not stated"
    total = sum(u**2 for _, u in parts)
    table = {
        "source": np.array([_SOURCES[source] for source, _ in parts]),
        "standard_uncertainty | J": np.array([u for _, u in parts]),
        "share_of_square | %": np.array([u**2 / total * PERCENT for _, u in parts]),
    }
    values = {"sampling_error_j": found.sampling_error_j, "clock_error_j": found.clock_error_j, "uncertainty_by_source_j": table}
    return standing(run, ("sampling_error_j", "clock_error_j"), values, notes)


@gives("energy_by_phase_j", "nonproductive_energy_share", "phase_windows", "coverage_by_phase", how=HOW)
def by_phase(meters, phases=None, max_gap_s=None, clock_residual_s=None, boundary=None, rng=None):
    r"""Energy of each phase, and the share of it that is not work.

    Parameters
    ----------
    meters, phases, max_gap_s, clock_residual_s, boundary, rng
        As in `energies`.

    Returns
    -------
    dict
        The results named in `gives`: a row a phase; a row a window of one; a row a phase and channel.

    Notes
    -----
    .. math:: 1 - E_\mathrm{work} / \sum_p E_p
    """
    run = metered_run(meters, phases, max_gap_s, clock_residual_s, boundary)
    names = by_phase.results
    if run.phases is None:
        return missing(names, run.reason)
    kinds, z = run.phases.kinds, np.zeros(1) if rng is None else normal_draws(rng)
    each = [run.measured[name] for name in kinds]
    energy = np.array([one.energy_j if one.coverage > 0 else np.nan for one in each])
    drawn = energy + z[:, None] * np.array([u_covered(one) for one in each])
    drawn = drawn[0] if rng is None else drawn
    share, notes = np.nan, {}
    if WORK in kinds and len(kinds) > 1:
        share = 1 - drawn[..., kinds.index(WORK)] / np.nansum(drawn, axis=-1)
        known = zip(kinds, each, strict=True)
        short = [f"{name} is covered to {one.coverage * PERCENT:.3g} %" for name, one in known if one.coverage < 1]
        notes["nonproductive_energy_share"] = f"of the covered energy: {', '.join(short)}" if short else ""
    else:
        notes["nonproductive_energy_share"] = run.reason or "no phase but the work is given"
    begin = run.phases.begin_s[0]
    table = {
        "phase": np.array(kinds),
        "window | s": np.array([one.window_s for one in each]),
        "energy | J": drawn,
        "share | %": energy / np.nansum(energy) * PERCENT,
        "average_power | W": np.array([one.average_power_w for one in each]) * np.divide(
            drawn, energy, out=np.ones_like(drawn), where=energy != 0
        ),
        "coverage | %": np.array([one.coverage * PERCENT for one in each]),
    }
    windows = {
        "phase": np.array(run.phases.names),
        "begin | s": run.phases.begin_s - begin,
        "end | s": run.phases.end_s - begin,
    }
    parts = [(name, part) for name, one in zip(kinds, each, strict=True) for part in (one.parts or (one,))]
    channels = [piece.channel.name for piece in run.chosen.pieces] * len(kinds)
    cover = {
        "phase": np.array([name for name, _ in parts]),
        "channel": np.array(channels),
        "coverage | 1": np.array([part.coverage for _, part in parts]),
        "longest_gap | s": np.array([part.longest_gap_s for _, part in parts]),
    }
    values = dict(zip(names, (table, share, windows, cover), strict=True))
    return standing(run, ("nonproductive_energy_share",), values, notes)


@gives("energy_by_channel_j", "channel_readings", "uncovered_windows", how=HOW)
def by_channel(meters, phases=None, max_gap_s=None, clock_residual_s=None, boundary=None, rng=None):
    """What each channel read of the work, those at other boundaries too, and where it read nothing.

    Parameters
    ----------
    meters, phases, max_gap_s, clock_residual_s, boundary, rng
        As in `energies`.

    Returns
    -------
    dict
        The results named in `gives`: two have a row a channel, one a row a stretch of the work that a channel does not cover.
    """
    run = metered_run(meters, phases, max_gap_s, clock_residual_s, boundary)
    names = by_channel.results
    if run.reason:
        return missing(names, run.reason)
    pieces, parts = zip(*run.channels, strict=True)
    channels = [piece.channel for piece in pieces]
    energy = np.array([part.energy_j if part.coverage > 0 else np.nan for part in parts])
    if rng is not None:
        energy = energy + np.multiply.outer(normal_draws(rng), [u_covered(part) for part in parts])
    table = {
        "channel": [channel.name for channel in channels],
        "boundary": [channel.boundary or run.chosen.boundary or "" for channel in channels],
        "in_the_total": ["yes" if piece in run.chosen.pieces else "no" for piece in pieces],
        "energy | J": energy,
        "coverage | %": [part.coverage * PERCENT for part in parts],
        "longest_gap | s": [part.longest_gap_s for part in parts],
    }
    read = {
        "channel": [channel.name for channel in channels],
        "kind": [channel.kind.replace("_", " ") for channel in channels],
        "sampling_interval | s": [part.sampling_interval_s for part in parts],
        "rows": [channel.rows for channel in channels],
        "left_out": [", ".join(f"{count} x {reason}" for reason, count in channel.left_out.items()) for channel in channels],
        "clock": [channel.time_base for channel in channels],
    }
    stretches = [
        (piece.channel.name, *edges)
        for piece in run.chosen.pieces
        for begin, end in zip(*run.phases.windows(WORK), strict=True)
        for edges in uncovered(piece, begin, end)
    ]
    open_ = None
    if stretches:
        name, begin, end = (np.array(column) for column in zip(*stretches, strict=True))
        since = run.phases.begin_s[0]
        open_ = {"channel": name, "begin | s": begin - since, "end | s": end - since, "length | s": end - begin}
    notes = {} if stretches else {"uncovered_windows": "all of the work is covered"}
    return {**dict(zip(names, (table, read, open_), strict=True)), "notes": notes}


@gives("peak_power_w", "peak_by_averaging_w", how=HOW)
def highest_power(meters, phases=None, max_gap_s=None, clock_residual_s=None, boundary=None, rng=None):
    """The largest power of the work: of a reading, and of means over sliding times.

    Parameters
    ----------
    meters, phases, max_gap_s, clock_residual_s, boundary, rng
        As in `energies`; a power is as sure as the meter that read it.

    Returns
    -------
    dict
        The results named in `gives`; the table has a row a time.
    """
    run = metered_run(meters, phases, max_gap_s, clock_residual_s, boundary)
    names = highest_power.results
    if run.reason:
        return missing(names, run.reason)
    windows = run.phases.windows(WORK)
    factor = 1.0 if rng is None else 1 + u_reading(run.work) * normal_draws(rng)
    table = {"averaging | s": np.array(AVERAGING_S), "power | W": np.multiply.outer(factor, peaks(run.chosen.pieces, *windows))}
    peak, kinds = peak_power(run.chosen.pieces, *windows), {piece.kind for piece in run.chosen.pieces}
    notes = {"peak_power_w": "nothing was read"} if not np.isfinite(peak) else {}
    if np.isfinite(peak) and kinds & {"interval_mean", "counter"}:
        notes["peak_power_w"] = f"a mean over {run.work.sampling_interval_s:g} s: what is shorter is not seen"
    return standing(run, ("peak_power_w",), {"peak_power_w": peak * factor, "peak_by_averaging_w": table}, notes)


@gives("drift_share", "power_by_block_w", how=HOW)
def steady(meters, phases=None, max_gap_s=None, clock_residual_s=None, boundary=None, rng=None):
    """Whether the power of the work was steady.

    Parameters
    ----------
    meters, phases, max_gap_s, clock_residual_s, boundary, rng
        As in `energies`.

    Returns
    -------
    dict
        The results named in `gives`; the table has a row a block.
    """
    run = metered_run(meters, phases, max_gap_s, clock_residual_s, boundary)
    names = steady.results
    if run.reason:
        return missing(names, run.reason)
    found = drift(run.chosen.pieces, *run.phases.windows(WORK))
    share = found.share
    if rng is not None and np.isfinite(share):
        share = found.draws(quantiles(rng))
    factor = 1.0 if rng is None else 1 + u_reading(run.work) * normal_draws(rng)
    power = np.multiply.outer(factor, found.blocks_w)
    table = {"block": np.arange(1, BLOCKS + 1), "middle | s": found.blocks_s, "power | W": power}
    notes = {"drift_share": found.verdict or "fewer than three tenths of the work are covered"}
    return standing(run, ("drift_share",), {"drift_share": share, "power_by_block_w": table}, notes)


@gives("timeline", how=HOW)
def on_one_clock(meters, phases=None, max_gap_s=None, clock_residual_s=None, boundary=None):
    """Phases and meters on one clock.

    Parameters
    ----------
    meters, phases, max_gap_s, clock_residual_s, boundary
        As in `covered`.

    Returns
    -------
    dict
        The table named in `gives`, a row a reading or, where these are many, a mean over several.
    """
    run = metered_run(meters, phases, max_gap_s, clock_residual_s, boundary)
    if run.phases is None:
        return missing(on_one_clock.results, run.reason)
    return {"timeline": timeline(run.chosen.pieces, run.chosen.others, run.phases, meters.origin)}


def _too_little(run, min_coverage):
    """Why the energy is refused, where too little of the work is covered."""
    least = float(np.mean(min_coverage))
    said = f"only {run.work.coverage:.4g} of the work is covered: less than min_coverage, {least:g}"
    return "" if is_covered(run.work.coverage, least) else said


def _partial(found):
    return f"partial: {', '.join(found.partial)} did not read, which is not 0" if found.partial else ""


def _whole_record(run):
    return "" if run.phases.given else "no phases are given: all that was read counts as work"


PER_WORK = (per_started, per_completed, per_slo_valid, per_unit, per_training_sample)
CALCULATIONS = (
    covered,
    energies,
    limits_of_error,
    by_phase,
    by_channel,
    highest_power,
    steady,
    requests_of_run,
    units_of_run,
    *PER_WORK,
    on_one_clock,
)
