"""Work that may wait, laid into the cleanest time that is free: divisible work, and work without a break."""

import numpy as np

TIGHT_H = 1e-9  # what rounding may take from a room [h]


def cleanest(work_h, room_h, order_by):
    r"""Divisible work in the steps that come first in an order.

    Parameters
    ----------
    work_h : float or ndarray, shape (...)
        Work, in hours at its full power. [h]
    room_h : ndarray, shape (..., n)
        Hours at full power that fit into each step. [h]
    order_by : ndarray, shape (n,)
        What to prefer the small of, such as the carbon intensity; of equal ones the earlier comes first.

    Returns
    -------
    ndarray, shape (..., n)
        Hours at full power in each step; nan where the room is too small. [h]

    Notes
    -----
    .. math:: \min_x \sum_h g_h x_h, \quad 0 \le x_h \le r_h, \quad \sum_h x_h = w

    This is a knapsack whose items may be divided: to fill the steps in order of their intensity is optimal, as any work
    moved from a step in use to one that is not can only raise the sum [1]_.

    References
    ----------
    .. [1] Dantzig, Discrete-variable extremum problems, Operations Research 5 (1957) 266-288.

    Examples
    --------
    >>> cleanest(1.5, np.ones(3), np.array([300.0, 200.0, 400.0])).tolist()
    [0.5, 1.0, 0.0]
    """
    order = np.argsort(order_by, kind="stable")
    work = np.asarray(work_h, float)[..., None]
    room = np.asarray(room_h, float)[..., order]
    filled = np.cumsum(room, axis=-1)
    taken = np.clip(work - (filled - room), 0, room)
    out = np.empty(np.broadcast_shapes(taken.shape, work.shape[:-1] + room.shape[-1:]))
    out[..., order] = taken
    return np.where(filled[..., -1:] >= work - TIGHT_H, out, np.nan)


def without_break(work_h, edges_h, free, g_per_kwh):
    r"""Work without a break at the start with the least emissions, of equal ones the earliest.

    Parameters
    ----------
    work_h : float or ndarray, shape (...)
        Length of the work. [h]
    edges_h : ndarray, shape (n + 1,)
        Edges of the steps. [h]
    free : ndarray of bool, shape (n,) or (..., n)
        Steps in which it may run at full power.
    g_per_kwh : ndarray, shape (n,)
        Carbon intensity of each step. [g/kWh]

    Returns
    -------
    ndarray, shape (..., n)
        Hours at full power in each step; nan where no start fits. [h]

    Notes
    -----
    .. math:: \min_s \int_s^{s + w} g(t)\, dt

    Between two edges the intensity is constant, so the sum over a run is linear in its start as long as neither end crosses an
    edge: a least one lies where the begin or the end of the run meets an edge. To try all of these is to try all starts.

    Examples
    --------
    >>> without_break(2.0, np.arange(5.0), np.ones(4, bool), np.array([3.0, 1.0, 2.0, 1.0])).tolist()
    [0.0, 1.0, 1.0, 0.0]
    """
    summed = np.append(0.0, np.cumsum(g_per_kwh * np.diff(edges_h)))
    work, start, fits = _starts(work_h, edges_h, free)
    cost = np.where(fits, _over(work, edges_h, summed), np.inf)
    least = cost.min(axis=-1, keepdims=True)
    best = cost <= least + 1e-12 * np.abs(summed[-1])  # equal but for rounding
    return _run(np.where(best, start, np.inf).min(axis=-1, keepdims=True), work, edges_h, np.isfinite(least))


def as_soon_as_possible(work_h, edges_h, room_h, free, contiguous, start_h):
    """Work that begins at a time and goes on wherever there is room; without a break at the first start that fits.

    Parameters
    ----------
    work_h, edges_h, free
        As in `without_break`; `start_h` is one of the edges.
    room_h : ndarray, shape (..., n)
        As in `cleanest`.
    contiguous : bool
        Whether the work must not be interrupted.
    start_h : float
        When it begins at the earliest. [h]

    Returns
    -------
    ndarray, shape (..., n)
        Hours at full power in each step; nan where there is no room. [h]
    """
    if not contiguous:
        late = edges_h[:-1] >= start_h - TIGHT_H
        return cleanest(work_h, room_h * late, edges_h[:-1])
    work, start, fits = _starts(work_h, edges_h, free, start_h)
    first = np.where(fits, start, np.inf).min(axis=-1, keepdims=True)
    return _run(first, work, edges_h, np.isfinite(first))


def _starts(work_h, edges_h, free, not_before_h=-np.inf):
    """Starts at which the begin, then those at which the end of a run meets an edge, and whether it runs through free steps."""
    work = np.broadcast_to(np.asarray(work_h, float), np.broadcast_shapes(np.shape(work_h), np.shape(free)[:-1]))[..., None]
    start = np.concatenate([np.broadcast_to(edges_h, (*work.shape[:-1], len(edges_h))), edges_h - work], axis=-1)
    fits = (start >= max(edges_h[0], not_before_h) - TIGHT_H) & (start + work <= edges_h[-1] + TIGHT_H)
    if not free.all():
        lead = np.zeros((*free.shape[:-1], 1))
        blocked = np.concatenate([lead, np.cumsum(~free * np.diff(edges_h), axis=-1)], axis=-1)
        fits &= _over(work, edges_h, blocked) <= TIGHT_H
    return work, start, fits


def _over(work, edges_h, summed):
    """What is summed at the edges, over runs that begin at them, and over runs that end at them."""
    return np.concatenate([_at(edges_h, summed, edges_h + work) - summed, summed - _at(edges_h, summed, edges_h - work)], axis=-1)


def _run(start, work, edges_h, fits):
    hours = np.minimum(edges_h[1:], start + work) - np.maximum(edges_h[:-1], start)
    return np.where(fits, np.clip(hours, 0, None), np.nan)


def _at(edges_h, values, times):
    """Straight lines through values at edges; the values may have leading axes of their own."""
    if np.ndim(values) == 1:
        return np.interp(times, edges_h, values)
    values = np.broadcast_to(values, (*times.shape[:-1], values.shape[-1]))
    place = np.clip(np.searchsorted(edges_h, times, side="right") - 1, 0, len(edges_h) - 2)
    low, high = (np.take_along_axis(values, place + step, axis=-1) for step in (0, 1))
    share = np.clip((times - edges_h[place]) / (edges_h[place + 1] - edges_h[place]), 0, 1)
    return low + (high - low) * share
