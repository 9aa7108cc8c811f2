"""A chain of calculations as a model of the inputs that may vary: tried one at a time, drawn together, or searched."""

import inspect
from dataclasses import dataclass

import numpy as np

from joulebook.inputs import Input
from joulebook.method.chain import chain
from joulebook.method.ranges import correlated, quantiles, shares, values_at
from joulebook.method.study import arguments_of
from joulebook.method.whatif.flips import nearest_flips, search_grid

TARGETS = {"quality_target_pct", "looser_quality_target_pct", "slo_latency_s", "memory_limit_gb"}  # chosen: scenarios have them
HURDLE = "roi_hurdle"  # what is asked for, and no input that may turn out otherwise
SCREENED = 32  # points at which an input is tried before it is said to move nothing
CHUNK = 2**14  # points at a time: what they need stays in the processor's cache


@dataclass(frozen=True)
class Varied:
    """An input that varies, and between which values.

    Parameters
    ----------
    name : str
        The input.
    given : joulebook.inputs.Input
        As it was given; without a range of its own it has here the one that was made for it, rectangular.
    limits : tuple of float
        What it can be at all.
    stated : bool
        Whether the range is the input's own.
    cut : bool
        Whether a range that was made for it ends at a limit instead.
    """

    name: str
    given: Input
    limits: tuple
    stated: bool
    cut: bool = False

    def at(self, shares):
        """Quantiles of the input's distribution."""
        return quantiles(self.given, self.limits, shares)


def varied(given, names, share):
    """Which inputs can vary, each over its range, or by a share of its value where it has none.

    Parameters
    ----------
    given : joulebook.inputs.Given
        Inputs of a topic.
    names : collection of str
        Inputs that the model uses.
    share : float
        How far an input without a range is moved, either way, as a share of its value. [1]

    Returns
    -------
    list of Varied
        In the order of the dictionary. Counts, years and choices are left out; so are, where they have no range, targets, and
        numbers that are 0, which a share does not move.
    """
    found = []
    for name, row in given.parameters.items():
        item = given.inputs.get(name)
        if name not in names or row.kind != "number" or item is None or not isinstance(item.value, int | float):
            continue
        if item.ranged:
            found.append(Varied(name, item, row.limits, True))
            continue
        low, high = sorted((item.value * (1 - share), item.value * (1 + share)))
        ends = max(low, row.limits[0]), min(high, row.limits[1])
        if ends[0] < ends[1] and name not in TARGETS:
            made = Input(item.value, item.unit, *ends, source=item.source, evidence="illustrative")
            found.append(Varied(name, made, row.limits, False, ends != (low, high)))
    return found


def over_ranges(given, names, share):
    """Inputs that are drawn from their ranges: those that have one; where none has, all of `varied` but the hurdle.

    Parameters
    ----------
    given, names, share
        As in `varied`.

    Returns
    -------
    list of Varied
    """
    found = varied(given, names, share)
    return [item for item in found if item.stated] or [item for item in found if item.name != HURDLE]


def unit_of(given, name):
    """Unit of an input as a word of a table: money in the client's currency, work in its own words."""
    unit = given.unit_of(name)
    return "" if unit == "1" else unit


def with_unit(title, unit):
    """A title with its unit in brackets."""
    return f"{title} ({unit})" if unit else title


class Model:
    """Some results of a chain of calculations as functions of the inputs of a topic.

    Parameters
    ----------
    given : joulebook.inputs.Given
        Inputs, tables and labels: all as they are but those that are varied.
    calculations : sequence of functions marked with `joulebook.method.study.gives`
        In the order in which they run.
    outputs : sequence of str
        Results that are asked for.
    fixed : dict of str to value, optional
        Results of calculations that are not run again.
    """

    def __init__(self, given, calculations, outputs, fixed=None):
        self.given, self.outputs = given, tuple(outputs)
        self._base = {**arguments_of(given), **(fixed or {})}
        self._function = chain(calculations, self.outputs)
        self.names = {name for item in calculations for name in inspect.signature(item).parameters}

    def __call__(self, points, count=None):
        """Evaluate the model at many points.

        Parameters
        ----------
        points : dict of str to ndarray, shape (n,)
            Values of inputs, by name; all others stay as they are.
        count : int, optional
            Number of points, where none are given.

        Returns
        -------
        dict of str to ndarray, shape (n,)
            Each output; nan where it has no value.
        """
        count = len(next(iter(points.values()))) if points else count or 1
        made = {name: np.full(count, np.nan) for name in self.outputs}
        for begin in range(0, count, CHUNK):
            part = slice(begin, min(begin + CHUNK, count))
            outcome = self._function({**self._base, **{name: values[part] for name, values in points.items()}})
            for name in self.outputs:
                if outcome[name] is not None:
                    made[name][part] = outcome[name]
        return made

    def one_at_a_time(self, inputs, values):
        """Evaluate the model with one input changed at each point.

        Parameters
        ----------
        inputs : sequence of str, length n
            Which input is changed at each point.
        values : array_like, shape (n,)
            To what.

        Returns
        -------
        dict of str to ndarray, shape (n,)
        """
        points = {}
        for place, (name, value) in enumerate(zip(inputs, np.asarray(values, float), strict=True)):
            points.setdefault(name, np.full(len(inputs), float(self._base[name])))[place] = value
        return self(points, len(inputs))

    def ends(self, inputs):
        """Each output with one input after the other at the low and at the high end of its range.

        Parameters
        ----------
        inputs : sequence of Varied

        Returns
        -------
        dict of str to ndarray, shape (2, inputs)
            At the low ends, and at the high ends.
        """
        names = [item.name for item in inputs]
        values = [item.given.low for item in inputs] + [item.given.high for item in inputs]
        return {name: made.reshape(2, -1) for name, made in self.one_at_a_time(names * 2, values).items()}

    def moved_by(self, inputs, output=None):
        """Which inputs move an output, or any: at some points all over the ranges, each with one input changed.

        Parameters
        ----------
        inputs : sequence of Varied
        output : str, optional
            The output; any of them without it.

        Returns
        -------
        list of Varied
        """
        if not inputs:
            return []
        first, second = np.random.default_rng(1).random((2, SCREENED, len(inputs)))
        alone = np.eye(len(inputs), dtype=bool)[:, None]
        shares = np.concatenate([first, *np.where(alone, second, first)])
        made = self({item.name: item.at(shares[:, place]) for place, item in enumerate(inputs)})
        moved = np.zeros(len(inputs), bool)
        for name in self.outputs if output is None else (output,):
            base, *changed = made[name].reshape(len(inputs) + 1, SCREENED)
            moved |= ~np.isclose(changed, base, rtol=1e-12, atol=0, equal_nan=True).all(axis=1)
        return [item for item, moves in zip(inputs, moved, strict=True) if moves]

    def drawn(self, inputs, shares):
        """Points at quantiles of the inputs, throughput and power moved together where their correlation is declared.

        Parameters
        ----------
        inputs : sequence of Varied
        shares : ndarray, shape (n, inputs)
            Independent, between 0 and 1.

        Returns
        -------
        dict of str to ndarray, shape (n,)
        """
        columns = {item.name: shares[:, place] for place, item in enumerate(inputs)}
        limits = {item.name: item.limits for item in inputs}
        return values_at({item.name: item.given for item in inputs}, limits, columns, correlated(self.given.inputs))

    def sampled(self, share):
        """Draws of the inputs that have a range, or of all over a share of their values where none has, and what they give.

        Parameters
        ----------
        share : float
            As in `varied`; with 0 only stated ranges are drawn.

        Returns
        -------
        inputs : list of Varied
            What is drawn.
        points, outputs : dict of str to ndarray, shape (draws,)
            The same draws as in a study; empty where nothing is drawn.
        """
        inputs = over_ranges(self.given, self.names, share)
        if not inputs:
            return [], {}, {name: np.zeros(0) for name in self.outputs}
        columns = [shares(self.given.parameters[item.name].place) for item in inputs]
        points = self.drawn(inputs, np.stack(columns, axis=-1))
        return inputs, points, self(points)

    def flips(self, inputs, output):
        """The value of each input, nearest to today's, at which an output changes its sign, all others as they are.

        Parameters
        ----------
        inputs : sequence of Varied
        output : str
            The output; what is not positive does not hold.

        Returns
        -------
        flips : ndarray, shape (inputs,)
            nan where there is none.
        searched : list of tuple of float
            The least and the greatest value that was tried of each input.
        """
        today = [float(self._base[item.name]) for item in inputs]
        grids = [
            search_grid(value, item.limits, item.given.high) for value, item in zip(today, inputs, strict=True)
        ]
        names = np.array([item.name for item in inputs])

        def holds(axis, value):
            made = self.one_at_a_time(names[axis].tolist(), value)[output]
            return np.where(np.isfinite(made), made > 0, np.nan)

        return nearest_flips(holds, grids, today), [(float(grid[0]), float(grid[-1])) for grid in grids]
