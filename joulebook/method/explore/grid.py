"""Parts of results on a grid, few points each: along most of what is moved a part is a straight line in logarithms."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from joulebook.errors import JoulebookError

SEED = 1
BASES = 16  # points from which each lever is moved alone to learn along what a part varies, and how
STRAIGHT = 1e-6  # relative: what a straight line in logarithms may be off before another point is put on it
DIGITS = 9  # significant, of the values
MOST = 8000  # values of all parts together: a page stays small
_APART = 1e-12  # relative: how near to a step the points on either side of it are; their logarithms still differ
_ON = 1e-9  # of a cell: what lies no further from a point of the grid is on it, whatever the last bits of its logarithm
_STILL = 1e-12  # below this relative change a part does not vary, but for rounding


class NoGrid(JoulebookError):
    """Results have no value somewhere, or a grid of them would not be small."""


@dataclass(frozen=True)
class Part:
    """A part of results on a grid.

    Parameters
    ----------
    name : str
        The part.
    axes : tuple of (str, ndarray)
        What it varies along, and the rising values of that.
    values : ndarray, shape of the axes
        The part.
    """

    name: str
    axes: tuple
    values: np.ndarray

    def at(self, points):
        """The part between the points of its grid.

        Parameters
        ----------
        points : dict of str to ndarray, shape (n,)
            Where.

        Returns
        -------
        ndarray, shape (n,)

        Notes
        -----
        Multilinear in logarithms of what is moved; in logarithms of the part, too, where all corners that count have one sign.
        """
        count = max((len(points[name]) for name, _ in self.axes), default=1)
        cells = [_cell(nodes, np.asarray(points[name], float)) for name, nodes in self.axes]
        corners = []
        for sides in product((0, 1), repeat=len(cells)):
            places = tuple(below + side for (below, _), side in zip(cells, sides, strict=True))
            weights = [share if side else 1 - share for (_, share), side in zip(cells, sides, strict=True)]
            corners.append((np.prod(weights, axis=0) if weights else 1.0, self.values[places] if places else self.values))
        weights, values = (np.stack([np.broadcast_to(item, (count,)) for item in side]) for side in zip(*corners, strict=True))
        counted = np.where(weights > 0, values, np.nan)
        with np.errstate(all="ignore"):
            one_sign = np.all(np.isnan(counted) | (counted > 0), axis=0) | np.all(np.isnan(counted) | (counted < 0), axis=0)
            logs = np.where(weights > 0, weights * np.log(np.abs(values)), 0.0).sum(axis=0)
            straight = np.where(weights > 0, weights * values, 0.0).sum(axis=0)
            return np.where(one_sign, np.sign(straight) * np.exp(logs), straight)


def tabulate(exploration, positions):
    """Parts of all results on grids.

    Parameters
    ----------
    exploration : joulebook.method.explore.exploration.Exploration
        Results and their parts.
    positions : dict of str to ndarray
        Rising values that each lever may be moved to.

    Returns
    -------
    dict of str to Part
        Those that are not zero everywhere, by name. Along an axis that a part bends on it has a point wherever a straight line in
        logarithms would be off at a position, and where servers are added one on either side of the step.

    Raises
    ------
    NoGrid
        If a part has no value at a position, or the grids are large.
    """
    wanted = {part for terms in exploration.sums.values() for part in terms}
    rng = np.random.default_rng(SEED)
    bases = {name: rng.choice(values, BASES) for name, values in positions.items()}
    found = _checked(exploration.parts_at(bases), BASES, wanted)
    axes = {name: [] for name in found}
    for lever, places in positions.items():
        steps = _steps(exploration, lever, places)
        places = np.unique(np.concatenate([places, *steps]))
        points = {name: np.repeat(values, len(places)) for name, values in bases.items()} | {lever: np.tile(places, BASES)}
        for name, values in _checked(exploration.parts_at(points), BASES * len(places), wanted).items():
            if _varies(rows := values.reshape(BASES, -1)):
                axes[name].append((lever, places[_needed(np.log(places), rows, np.isin(places, steps))]))
    parts, held = {}, 0
    for own in {_key(item): item for item in axes.values()}.values():
        mesh = [axis.ravel() for axis in np.meshgrid(*(nodes for _, nodes in own), indexing="ij")]
        held += max(1, len(mesh[0]) if mesh else 1) * sum(_key(item) == _key(own) for item in axes.values())
        if held > MOST:
            raise NoGrid("too much bends on too many ways to be kept on one page")
        count = len(mesh[0]) if mesh else 1
        start = {name: np.full(count, value) for name, value in exploration.levers.start.items() if name in positions}
        made = _checked(exploration.parts_at(start | {name: at for (name, _), at in zip(own, mesh, strict=True)}), count, wanted)
        for name in (name for name, item in axes.items() if _key(item) == _key(own)):
            values = np.array([float(f"{value:.{DIGITS}g}") for value in made[name]])
            parts[name] = Part(name, tuple(own), values.reshape([len(nodes) for _, nodes in own]))
    return {name: parts[name] for name in found if name in parts and np.any(parts[name].values)}


def summed(parts, terms, points, count):
    """A sum of parts between the points of their grids, and the sum of the sizes of its terms; each ndarray, shape (count,)."""
    total, size = np.zeros(count), np.zeros(count)
    for name, times in terms.items():
        if name in parts:
            amount = times * np.broadcast_to(parts[name].at(points), (count,))
            total, size = total + amount, size + np.abs(amount)
    return total, size


def only_what_moves(exploration, parts):
    """The same exploration with the levers that move any of its parts."""
    moved = {lever for part in parts.values() for lever, _ in part.axes}
    start = {name: value for name, value in exploration.levers.start.items() if name in moved}
    over = exploration.over if exploration.over in start else next(iter(start), "")
    return replace(exploration, levers=replace(exploration.levers, start=start), over=over)


def _checked(parts, count, wanted):
    made = {name: np.broadcast_to(np.asarray(values, float), (count,)) for name, values in parts.items() if name in wanted}
    if not all(np.isfinite(values).all() for values in made.values()):
        raise NoGrid("part of what may be moved gives no value")
    return made


def _varies(rows):
    return bool(np.any(np.ptp(rows, axis=1) > _STILL * np.abs(rows).max(axis=1)))


def _needed(at, rows, kept):
    """Which of the points along an axis are needed, so that straight lines in logarithms hit all others, from every base."""
    rows = rows[np.any(rows != 0, axis=1)]
    with np.errstate(divide="ignore"):
        logs = np.log(np.abs(rows))
    needed = np.array(kept)
    needed[[0, -1]] = True
    while True:
        places = np.flatnonzero(needed)
        below = np.clip(np.searchsorted(places, np.arange(len(at)), side="right") - 1, 0, len(places) - 2)
        left, right = places[below], places[below + 1]
        share = (at - at[left]) / (at[right] - at[left])
        with np.errstate(invalid="ignore"):
            off = np.abs(logs[:, left] * (1 - share) + logs[:, right] * share - logs)
        # Between two signs there are no logarithms: what lies there is put on the axis.
        off = np.where((rows[:, left] * rows[:, right] > 0) & (rows[:, left] * rows > 0), off, np.inf)
        off[:, needed] = 0.0
        worst = off.max(axis=0, initial=0.0)
        if worst.max() <= STRAIGHT:
            return places
        needed[worst.argmax()] = True


def _steps(exploration, lever, places):
    """The last points before and the first ones after servers are added along a lever, found by halving."""
    if not exploration.steps:
        return [np.zeros(0), np.zeros(0)]

    def servers(at):
        return np.broadcast_to(exploration.results_at({lever: at})[exploration.steps], at.shape)

    low, high = places[:-1], places[1:]
    while True:
        rises = servers(low) < servers(high)
        low, high = low[rises], high[rises]
        if not len(low) or np.all(high <= low * (1 + _APART)):
            return [low, high]
        middle = np.sqrt(low * high)
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])


def _key(axes):
    return tuple((name, tuple(nodes)) for name, nodes in axes)


def _cell(nodes, at):
    below = np.clip(np.searchsorted(nodes, at, side="right") - 1, 0, max(0, len(nodes) - 2))
    logs = np.log(nodes)
    share = (np.log(at) - logs[below]) / (logs[below + 1] - logs[below])
    share = np.clip(share, 0.0, 1.0)
    return below, np.where(share < _ON, 0.0, np.where(share > 1 - _ON, 1.0, share))
