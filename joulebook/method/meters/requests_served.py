"""Requests of a span: what was started, completed and served within its limits, and what crossed an edge."""

from dataclasses import dataclass

import numpy as np

EDGE_SHARE = 0.01  # above it a run is too short


@dataclass(frozen=True)
class Served:
    """Requests of a span of windows.

    Parameters
    ----------
    started : int
        Requests that began in a window, failed ones too.
    completed : int
        Those that ended well in a window.
    slo_valid : int
        Completed ones inside every declared limit.
    edge_work_share : float
        Of all requests that were at work in a window, the share that also was at work outside it; nan where there is none.
    ended : ndarray of bool, shape (n,)
        Which ones are counted as completed.
    """

    started: int
    completed: int
    slo_valid: int
    edge_work_share: float
    ended: object


def served(start_s, end_s, ok, windows_begin_s, windows_end_s, measured=(), limits=()):
    """Count the requests of a span.

    Parameters
    ----------
    start_s, end_s : array_like, shape (n,)
        Begin and end of each request on the clock of the windows; nan where it never ended. [s]
    ok : array_like of bool, shape (n,)
        Whether it succeeded.
    windows_begin_s, windows_end_s : array_like, shape (m,)
        Edges of the windows [begin, end). [s]
    measured, limits : sequences
        What was measured of each request, such as its latency, and the most that each of these may be.
        A request of which it was not measured is not within the limit. [s]

    Returns
    -------
    Served

    Notes
    -----
    A request that ends on the last edge of a window is completed in it: its work lies inside.

    Examples
    --------
    >>> found = served([0.0, 1.0, 2.0], [1.5, 2.5, 4.5], [True, True, True], 0.5, 4.0, [[1.5, 1.5, 2.5]], [2.0])
    >>> found.started, found.completed, found.slo_valid, round(found.edge_work_share, 3)
    (2, 2, 2, 0.667)
    """
    start, end, ok = np.asarray(start_s, float), np.asarray(end_s, float), np.asarray(ok, bool)
    begins, ends = np.atleast_1d(windows_begin_s).astype(float), np.atleast_1d(windows_end_s).astype(float)
    began = _inside(start, begins, ends, "right")
    ended = _inside(end, begins, ends, "left") & ok
    valid = ended.copy()
    for value, limit in zip(measured, limits, strict=True):
        valid &= np.asarray(value, float) <= limit
    until = np.where(np.isfinite(end), end, np.inf)
    crossed, touched = np.zeros(start.size, bool), np.zeros(start.size, bool)
    for begin, stop in zip(begins, ends, strict=True):
        at_work = (start < stop) & (until > begin)
        touched |= at_work
        crossed |= at_work & ((start < begin) | (until > stop))
    share = float(crossed.sum() / touched.sum()) if touched.any() else np.nan
    return Served(int(began.sum()), int(ended.sum()), int(valid.sum()), share, ended)


def per(energy_j, count):
    """Energy over a count; nan where there is nothing to share it.

    Examples
    --------
    >>> round(float(per(60000.0, 290)), 3), float(per(60000.0, 0))
    (206.897, nan)
    """
    some = np.asarray(count, float) > 0
    return np.divide(energy_j, count, out=np.full(np.broadcast(energy_j, count).shape, np.nan), where=some)


def _inside(at, begins, ends, side):
    """Whether times lie in one of the windows: [begin, end) where `side` is right, (begin, end] where it is left."""
    order = np.argsort(begins)
    place = np.searchsorted(begins[order], at, side=side) - 1
    before = np.minimum(place, begins.size - 1).clip(0)
    stop = ends[order][before]
    return (place >= 0) & ((at < stop) if side == "right" else (at <= stop))
