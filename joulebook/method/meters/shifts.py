"""Energy of a window that is shifted in time: where it is largest and smallest, exactly."""

import numpy as np

_TINY = 1e-9  # of a length, what rounding may take from it


def largest_and_smallest(pieces, begin_s, end_s, earliest_s, latest_s, covered_s=None):
    r"""Largest and smallest energy of a span of windows that are shifted together, over all shifts between two.

    Parameters
    ----------
    pieces : sequence of joulebook.method.meters.pieces.Pieces
        Channels, which are added.
    begin_s, end_s : ndarray, shape (m,)
        Edges of the windows of the span. [s]
    earliest_s, latest_s : float
        Smallest and largest shift. [s]
    covered_s : ndarray, shape (channels,), optional
        What each channel covers of a shift that counts; all of it where nothing is given. [s]

    Returns
    -------
    largest, smallest : float
        Energy; nan where no shift counts. [J]
    everywhere : bool
        Whether all shifts count.

    Notes
    -----
    Power is a straight line from knot to knot, so the energy of the shifted span is a parabola between shifts that bring an
    edge to a knot. Each is looked at where it begins and ends, and at its vertex where that lies inside, which its middle tells.
    """
    begin, end = np.atleast_1d(begin_s), np.atleast_1d(end_s)
    edges = np.concatenate([begin, end])
    shifts = [np.array([earliest_s, latest_s])]
    for piece in pieces:
        for edge in edges:
            low, high = np.searchsorted(piece.times, [edge + earliest_s, edge + latest_s])
            shifts.append(piece.times[low:high] - edge)
            shifts.append(_after_gaps(piece, edge, low, high))
    at = np.unique(np.clip(np.concatenate(shifts), earliest_s, latest_s))
    energy, full = _span(pieces, begin, end, at, covered_s)
    if not full.any():
        return np.nan, np.nan, False
    best = [np.max(energy[full]), np.min(energy[full])]
    whole = full[:-1] & full[1:]
    reach = _reach(pieces, begin, end, at)
    for row, sign in enumerate((1.0, -1.0)):
        first, last = sign * energy[:-1], sign * energy[1:]
        maybe = np.flatnonzero(whole & (np.maximum(first, last) + reach * np.diff(at) / 2 > sign * best[row]))
        if maybe.size:
            middle, _ = _span(pieces, begin, end, (at[maybe] + at[maybe + 1]) / 2, covered_s)
            top = _vertex(first[maybe], sign * middle, last[maybe]).max()
            best[row] = sign * max(top, sign * best[row])
    return float(best[0]), float(best[1]), bool(full.all())


def _span(pieces, begin, end, at, covered_s):
    """Energy of the span at each shift, and whether enough of it is covered there."""
    energy, full = np.zeros(at.size), np.ones(at.size, bool)
    needed = float((end - begin).sum())
    for number, piece in enumerate(pieces):
        joules, seconds = piece.running(np.stack([begin, end])[:, :, None] + at)
        energy += (joules[1] - joules[0]).sum(axis=0)
        least = needed if covered_s is None else covered_s[number]
        slack = _TINY * needed + 8 * begin.size * np.spacing(max(abs(piece.first_s), abs(piece.last_s)))
        full &= np.abs((seconds[1] - seconds[0]).sum(axis=0) - least) <= slack
    return energy, full


def _reach(pieces, begin, end, at):
    """No more than this can sloping power at the ends of the span differ from that at its beginnings. [W]"""
    reach = 0.0
    for piece in pieces:
        low = max(piece.place(begin.min() + at[0]) - 1, 0)
        seen = piece.values[low : piece.place(end.max() + at[-1]) + 2]
        reach += float(np.ptp(seen)) if seen.size and piece.kind == "instantaneous" else 0.0
    return reach * begin.size


def _vertex(first, middle, last):
    """Largest value of a parabola on a stretch, from its ends and its middle."""
    bend = 2 * (first - 2 * middle + last)
    rise = last - first - bend
    inside = (bend < 0) & (rise > 0) & (rise < -2 * bend)
    top = np.divide(rise**2, -4 * bend, out=np.zeros_like(bend), where=inside)
    return np.maximum(np.where(inside, first + top, first), last)


def _after_gaps(piece, edge, low, high):
    """Shifts that bring an edge to where an interval mean begins after a gap."""
    if piece.kind != "interval_mean" or high + 1 <= low:
        return np.empty(0)
    begin, *_ = piece.block(low, min(high + 1, piece.count))
    return begin[begin != piece.times[max(low - 1, 0) : low - 1 + begin.size]] - edge if low else begin - edge
