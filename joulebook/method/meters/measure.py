"""Energy of windows from one channel or several, with what it covers, what it may hold and how sure it is."""

from dataclasses import dataclass, field

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.method.meters import accuracy
from joulebook.method.meters.clock_error import clock_error, shift_error
from joulebook.method.meters.gaps import extremes, filled, longest_gap, rectangular
from joulebook.method.meters.integral import integral, windows
from joulebook.method.meters.pieces import Pieces
from joulebook.method.meters.sampling import sampling_differences
from joulebook.method.meters.scopes import check_added
from joulebook.method.uncertainty import SHAPES

_NAMED = 3  # channels that a note names
_ROUNDING = 1e-9  # of an energy: what is surer than this was bounded by rounding alone
_JITTER = 0.05  # of an interval, by which readings may come early or late
_FIELDS = {
    "energy_j": "energy",
    "energy_low_j": "low",
    "energy_high_j": "high",
    "average_power_w": "average",
    "mean_power_energy_j": "mean_power",
    "coverage": "coverage",
    "window_s": "window",
    "longest_gap_s": "gap",
    "sampling_interval_s": "interval",
}


@dataclass(frozen=True)
class Measured:
    """Energy of a window, or of each of several, from the sum of channels.

    Parameters
    ----------
    energy_j : float or ndarray, shape (m,)
        Energy of the covered part, never scaled up. [J]
    energy_low_j, energy_high_j : float or ndarray
        With what is not covered filled by the smallest and the largest power; nan where none was ever read. [J]
    average_power_w : float or ndarray
        Energy over covered time, of each channel, then added. [W]
    mean_power_energy_j : float or ndarray
        Mean of the samples strictly inside the window times its length, of each channel, then added: MLPerf's own figure;
        nan where no sample lies inside, and for counters. [J]
    coverage : float or ndarray
        Covered share of the window; of several channels the smallest. [1]
    window_s, longest_gap_s, sampling_interval_s : float or ndarray
        Length of the window; longest time without a reading in it; longest median interval of the channels. [s]
    sampling_error_j, clock_error_j : float or ndarray
        Limits of error by sampling, and by the clock's residual; nan where the residual is not known or readings do not reach
        as far around the window. [J]
    uncertainties_j : dict of str to float or ndarray
        Standard uncertainty by source: gaps, sampling, clock, meter, resolution, unseen, averaging, stamps; one that is not
        known is missing in it, or nan in the windows of which it is not known. [J]
    parts : tuple of Measured
        The channels, each by itself; empty for a single one.
    partial : tuple of str
        Channels that are missing: the total is that of the others.
    notes : tuple of str
        What must be said beside the numbers.
    """

    energy_j: object
    energy_low_j: object
    energy_high_j: object
    average_power_w: object
    mean_power_energy_j: object
    coverage: object
    window_s: object
    longest_gap_s: object
    sampling_interval_s: object
    sampling_error_j: object
    clock_error_j: object
    uncertainties_j: dict = field(default_factory=dict)
    parts: tuple = ()
    partial: tuple = ()
    notes: tuple = ()

    @property
    def energy_midpoint_j(self):
        """Middle of low and high, which energy per unit of work uses. [J]"""
        return (self.energy_low_j + self.energy_high_j) / 2

    @property
    def energy_standard_uncertainty_j(self):
        """Standard uncertainty of the middle: all sources in quadrature; nan where none could be bounded, which is not 0. [J]"""
        u = np.sqrt(sum(np.square(np.nan_to_num(u)) for u in self.uncertainties_j.values()))
        return np.where(u > _ROUNDING * np.abs(self.energy_midpoint_j), u, np.nan)[()]


def measure(
    channels, begin_s, end_s, max_gap_s=None, smallest_w=None, largest_w=None, clock_residual_s=None, together=False, partial=()
):
    r"""Energy of one window or several from one channel or the sum of several.

    Parameters
    ----------
    channels : Channel or Pieces, or a sequence of them
        What was read. Each is integrated, then they are added.
    begin_s, end_s : float or array_like, shape (m,)
        Edges of the window or windows [begin, end). [s]
    max_gap_s : float, optional
        Longest time between readings that is bridged; three median intervals where none is given. [s]
    smallest_w, largest_w : float or array_like, shape (channels,), optional
        Power that fills what is not covered; of the readings in the window itself where none is given. [W]
    clock_residual_s : float, optional
        What the offset between the clocks of meter and load may still be off by. [s]
    together : bool
        Whether the windows are parts of one span, such as of a phase that was left and taken up again: their numbers are added,
        and their extremes fill the gaps of all of them.
    partial : sequence of str
        Names of channels that are missing.

    Returns
    -------
    Measured

    Raises
    ------
    InputError
        If a channel cannot be integrated, a window is not positive, or channels that are to be added hold one another.

    Notes
    -----
    Sources add in quadrature. Within a source channels and windows add as they are: they share a meter, its clock and the load.

    .. math:: u^2 = \frac{1}{3} \Bigl( \bigl(\tfrac{E_\mathrm{high} - E_\mathrm{low}}{2}\bigr)^2 + \Delta_\mathrm{sampling}^2
              + \Delta_\mathrm{clock}^2 + \Delta_\mathrm{meter}^2 + \dots \Bigr)

    Examples
    --------
    >>> from joulebook.method.series import Channel
    >>> found = measure(Channel("wall", [0.0, 1.0, 2.0, 9.0, 10.0], [400.0, 400.0, 400.0, 1000.0, 1000.0]), 0.0, 10.0)
    >>> found.energy_j, found.energy_low_j, found.energy_high_j, round(found.coverage, 3)
    (1800.0, 4600.0, 8800.0, 0.3)
    """
    channels = list(channels) if isinstance(channels, list | tuple) else [channels]
    if not channels:
        raise InputError(Problem("no channel was read", field="channels", allowed="at least one"))
    pieces = [one if isinstance(one, Pieces) else Pieces(one, max_gap_s) for one in channels]
    check_added([piece.channel for piece in pieces])
    begin, end = windows(begin_s, end_s)
    shape, begin, end = () if together else begin.shape, begin.ravel(), end.ravel()
    spans = [slice(None)] if together else [slice(i, i + 1) for i in range(begin.size)]
    given = [np.nan if fill is None else np.asarray(fill, float) for fill in (smallest_w, largest_w)]
    fills = [np.broadcast_to(fill, len(pieces)) for fill in given]
    alone = [_channel(piece, begin, end, fill, together) for piece, *fill in zip(pieces, *fills, strict=True)]
    parts = () if len(alone) == 1 else tuple(
        _measured(one, [piece], begin, end, spans, shape, clock_residual_s) for one, piece in zip(alone, pieces, strict=True)
    )
    total = alone[0] if len(alone) == 1 else _added(alone)
    return _measured(total, pieces, begin, end, spans, shape, clock_residual_s, parts, tuple(partial))


def _channel(piece, begin, end, fill, together):
    """Numbers of one channel that can be added, by window, or in one where the windows belong together."""
    whole = integral(piece, begin, end)
    inside = np.stack([np.searchsorted(piece.times, begin, side="right"), np.searchsorted(piece.times, end, side="left")])
    sums = np.array([piece.values[low:high].sum() if high > low else 0.0 for low, high in inside.T])
    counts = np.maximum(inside[1] - inside[0], 0)
    smallest, largest = extremes(piece, begin, end)
    found = {
        "energy": np.asarray(whole.energy_j), "covered": np.asarray(whole.covered_s), "window": end - begin,
        "sampling": sampling_differences(piece, begin, end), "gap": longest_gap(piece, begin, end),
    }
    if together:
        found = {name: (np.max if name == "gap" else np.sum)(value, axis=-1, keepdims=True) for name, value in found.items()}
        sums, counts = sums.sum(keepdims=True), counts.sum(keepdims=True)
        smallest, largest = np.fmin.reduce(smallest)[None], np.fmax.reduce(largest)[None]
    smallest, largest = (np.where(np.isnan(given), read, given) for given, read in zip(fill, (smallest, largest), strict=True))
    window, covered = found["window"], np.minimum(found["covered"], found["window"])
    open_s = np.where(window - covered > 1e-9 * window, window - covered, 0.0)
    low, high = filled(found["energy"], open_s, smallest, largest)
    middle = (low + high) / 2
    counted = np.full(window.size, np.nan) if piece.kind == "counter" else np.divide(
        sums * window, counts, out=np.full(window.size, np.nan), where=counts > 0)
    known = piece.channel.accuracy
    return {
        **found, "low": low, "high": high, "mean_power": counted,
        "average": np.divide(found["energy"], covered, out=np.full(window.size, np.nan), where=covered > 0),
        "coverage": np.where(open_s > 0, covered / window, 1.0),
        "interval": np.full(window.size, np.nan if piece.interval_s is None else piece.interval_s),
        "limits": {"meter": accuracy.energy_limit(known, middle, window), "resolution": accuracy.resolution_limit(known, window),
                   "unseen": accuracy.unseen_limit(known, middle, window)},
    }


def _added(alone):
    """Numbers of several channels as those of one."""
    reduced = {"window": np.max, "gap": np.max, "interval": np.max, "coverage": np.min}
    names = [name for name in alone[0] if name != "limits"]
    limits = {source: _known_sum([one["limits"][source] for one in alone]) for source in alone[0]["limits"]}
    return {**{name: reduced.get(name, np.sum)([one[name] for one in alone], axis=0) for name in names}, "limits": limits}


def _known_sum(limits):
    """Sum of the limits that are known; nan where none is. What is not known is told in words."""
    return np.where(np.all(np.isnan(limits), axis=0), np.nan, np.nansum(limits, axis=0))


def _measured(one, pieces, begin, end, spans, shape, residual_s, parts=(), partial=()):
    """What was measured, with what the clocks may shift."""
    limits = {"sampling": np.abs(one["sampling"]).max(axis=0), **one["limits"]}
    if residual_s is not None:
        limits["clock"] = np.array([clock_error(pieces, begin[span], end[span], residual_s) for span in spans])
    for source, earliest, latest in _shifts(pieces):
        limits[source] = np.array([shift_error(pieces, begin[span], end[span], earliest, latest) for span in spans])
    u = {source: limit / SHAPES["rectangular"] for source, limit in limits.items()}
    u["gaps"] = rectangular(one["low"], one["high"])

    def shaped(value):
        value = np.asarray(value, float).reshape(shape)
        return value if shape else float(value)

    return Measured(
        **{field: shaped(one[name]) for field, name in _FIELDS.items()},
        sampling_error_j=shaped(limits["sampling"]),
        clock_error_j=shaped(limits.get("clock", np.full(len(spans), np.nan))),
        uncertainties_j={source: shaped(value) for source, value in u.items() if np.isfinite(value).any()},
        parts=parts,
        partial=partial,
        notes=_notes(pieces, limits, partial),
    )


def _shifts(pieces):
    """What means before the stamp and the step of stamps may shift: source, earliest and latest."""
    averaged = [_averaged(one) for one in pieces]
    stepped = [one.channel.accuracy.stamp_step_s or 0.0 for one in pieces]
    if any(averaged):
        yield "averaging", 0.0, max(averaged)
    if any(stepped):
        # Cut off, a reading comes up to a step after its stamp; rounded, up to half a step before.
        yield "stamps", -max(stepped), max(stepped) / 2


def _averaged(piece):
    """How much longer than the time since the reading before a reading looks back. [s]"""
    if piece.kind == "interval_mean":
        longer = float(np.max(piece.length_s)) - (piece.interval_s or np.inf)
        return longer if longer > _JITTER * (piece.interval_s or np.inf) else 0.0
    return (piece.channel.accuracy.averaging_s or 0.0) if piece.kind != "counter" else 0.0


def _of_means(piece):
    """What must be said of interval means that are shorter or longer than the time between them."""
    if piece.kind != "interval_mean" or piece.interval_s is None or np.ndim(piece.length_s):
        return []
    apart = f"means over {piece.length_s:g} s come {piece.interval_s:g} s apart"
    if piece.interval_s > piece.length_s * (1 + _JITTER):
        return [f"{apart}: each is taken for all the time since the one before"]
    return [f"{apart} and overlap"] if _averaged(piece) else []


def _notes(pieces, limits, partial):
    notes = [f"partial: {', '.join(partial)} missing, not 0"] if partial else []
    said = {}
    for piece in pieces:
        for note in (*accuracy.fidelity_notes(piece.channel), *_of_means(piece), *piece.channel.notes):
            said.setdefault(note, []).append(piece.channel.name)
    for note, names in said.items():
        about = ", ".join(names) if len(names) <= _NAMED else f"{len(names)} of {len(pieces)} channels"
        notes.append(note if len(names) == len(pieces) else f"{about}: {note}")
    unknown = [source for source in ("clock", "averaging", "stamps") if source in limits and np.isnan(limits[source]).any()]
    if unknown:
        far = "the readings do not reach as far around the window as it may shift"
        notes.append(f"{far}: {' and '.join(unknown)} not in the uncertainty")
    return tuple(dict.fromkeys(notes))
