"""The value of an input at which a conclusion turns, everything else as it is (method, section 9)."""

import numpy as np

SEARCHED = 1000.0  # times today's value, and the same part of it, where the dictionary sets no limit
STEPS = 240  # of the first look along an axis: each one is 6 % of the value
PARTS = 32  # of a bracket in each round
ROUNDS = 9  # after which a bracket is a few times 1e-13 of its first width


def search_grid(today, limits, scale=None):
    """Values of an input to look at, from its least to its greatest, with today's among them.

    Parameters
    ----------
    today : float
        Today's value.
    limits : tuple of float
        What the input can be at all; infinite where there is no limit.
    scale : float, optional
        What to measure steps by where today's value is 0, such as the top of its range.

    Returns
    -------
    ndarray, rising
        Today's value alone where there is nothing to measure steps by.

    Examples
    --------
    >>> grid = search_grid(0.8, (0.0, 1.0))
    >>> float(grid[0]), float(grid[-1]), bool((grid == 0.8).any())
    (0.0, 1.0, True)
    """
    size = abs(today) or abs(scale or 0.0)
    if not size:
        return np.array([float(today)])
    steps = size * np.geomspace(1 / SEARCHED, SEARCHED, STEPS + 1)
    grid = np.concatenate([-steps, [0.0, today], steps, [edge for edge in limits if np.isfinite(edge)]])
    return np.unique(grid[(grid >= limits[0]) & (grid <= limits[1])])


def nearest_flips(holds, grids, today):
    """Along each of some axes, the value nearest to today's at which a conclusion turns.

    Parameters
    ----------
    holds : callable
        Gives, of (axis, value), both ndarrays of one length, whether the conclusion holds: 1 or 0, nan where it is not known.
    grids : sequence of ndarray
        Values to look at along each axis, rising.
    today : sequence of float
        Today's value of each axis.

    Returns
    -------
    ndarray, shape (axes,)
        nan where it turns nowhere along the grid.

    Notes
    -----
    All axes are refined together, a bracket each, so that the model is evaluated a dozen times whatever their number. A turn by a
    step, such as a server more, is found like one by a crossing of zero. Near means by the ratio to today's value, and by the
    difference where one of the two is not positive.

    Examples
    --------
    >>> import numpy as np
    >>> grid = search_grid(1.0, (0.0, np.inf))
    >>> nearest_flips(lambda axis, at: np.where(axis == 0, at > 2.5, at > -1.0).astype(float), [grid, grid], [1.0, 1.0]).round(9)
    array([2.5, nan])
    """
    axis = np.repeat(np.arange(len(grids)), [len(grid) for grid in grids])
    value = np.concatenate(list(grids)) if len(grids) else np.zeros(0)
    state = np.asarray(holds(axis, value), float) if len(value) else value
    turns = (axis[1:] == axis[:-1]) & (np.abs(np.diff(state)) == 1)  # nan on either side is no turn
    at = np.flatnonzero(turns)
    distance = _distance(value[at], value[at + 1], np.asarray(today, float)[axis[at]])
    chosen = {}
    for place in np.argsort(distance, kind="stable"):
        chosen.setdefault(int(axis[at[place]]), at[place])
    flips = np.full(len(grids), np.nan)
    if not chosen:
        return flips
    axes = np.array(sorted(chosen))
    left, right = (value[[chosen[item] + side for item in axes]] for side in (0, 1))
    for _ in range(ROUNDS):
        inner = left[:, None] + (right - left)[:, None] * np.linspace(0, 1, PARTS + 1)
        inner[:, -1] = right
        state = np.asarray(holds(np.repeat(axes, PARTS + 1), inner.ravel()), float).reshape(inner.shape)
        turn = np.argmax(state != state[:, :1], axis=1)  # the first that is not as the left end
        rows = np.arange(len(axes))
        left, right = inner[rows, turn - 1], inner[rows, turn]
    flips[axes] = (left + right) / 2
    return flips


def _distance(left, right, today):
    """How far a bracket lies from today's value: by ratio where all are positive, beyond any such by difference."""
    nearest = np.clip(today, left, right)
    positive = (nearest > 0) & (today > 0)
    ratio = np.abs(np.log(np.where(positive, nearest, 1.0) / np.where(positive, today, 1.0)))
    return np.where(positive, ratio, np.log(SEARCHED) + np.abs(nearest - today))
