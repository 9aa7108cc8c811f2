"""A topic's calculations run on its inputs: values, ranges, evidence and labels of every result."""

import inspect
from dataclasses import replace

import numpy as np

from joulebook.errors import JoulebookError
from joulebook.inputs import DECLARING, Given
from joulebook.method import ranges
from joulebook.method.one_at_a_time import followed, movements, points, unmoved
from joulebook.method.pricing import Pricing
from joulebook.results import LABELS, Result, weakest
from joulebook.units import work

_SAID = ("notes", "evidence", "labels", "ranges", "unused")  # what a calculation may say of its results
_VARIES = 1e-9  # below this relative spread the draws differ by rounding only


def gives(*names, how=(), once=False):
    """Mark a calculation with the names of the results that it gives.

    Parameters
    ----------
    *names : str
        Results, in `data/results.csv`.
    how : sequence of str
        Inputs that say how others are to be read, or when a result is refused, such as the longest gap that is bridged: they
        are no evidence for a result.
    once : bool
        Whether it runs on the values alone, as one that varies the inputs itself does.
    """

    def mark(function):
        function.results, function.how, function.once = names, frozenset(how), once
        return function

    return mark


class Study:
    """Runs calculations on a topic's inputs and keeps every result.

    A calculation is a plain function marked with `gives`. Its arguments are found by name among the
    inputs, the tables (without ``_csv``), the labels and the results of earlier calculations; one that
    has no default and is not there makes its results not available, with the reason. It runs once on
    the values and once on seeded draws of their ranges.

    Beside its results it may give ``notes``, a text by result, and ``evidence``, by result what the method
    itself adds to the evidence of the inputs, such as ``assumed`` for a straight line in place of a measured curve,
    ``labels``, by result the labels that only the calculation knows, and ``ranges``, by result the low and high that it
    knows without draws, such as those of an expanded uncertainty; what rests on such a result has to give its own range too;
    and ``unused``, by result the arguments that were there and decided nothing, such as the return where no quality is shown.
    One with an argument `sampled` is given, on the values, what it gave on the draws, so that it can say in words what is
    distinguishable; one with an argument `told` is given, likewise, the notes of all results before it by name.

    A table whose name without ``_csv`` is that of a label keeps its whole name as an argument. The argument `given` is all that
    the topic was given, for a calculation that varies the inputs itself.

    Each calculation runs a third time with every input that is a number moved alone. An amount of money that rests on an
    input which has expired is not told, nor what is told by such an amount, unless the input says why it is used all the same.

    Parameters
    ----------
    given : joulebook.inputs.Given
        Checked inputs of one topic.
    draws : int
        Number of draws of the ranges.
    """

    def __init__(self, given: Given, draws=ranges.DRAWS):
        self.given = given
        self.results = {}
        self.words = {
            "currency": given.currency,
            "unit": work(given.labels.unit_of_work),
            "units": work(given.labels.unit_of_work, plural=True),
        }
        self._values = {**arguments_of(given), "given": given}
        self._foundation = {}  # topic of each result that is one of another topic
        limits = {name: row.limits for name, row in given.parameters.items()}
        places = {name: row.place for name, row in given.parameters.items()}
        self._draws = ranges.draw(given.inputs, limits, draws, places=places, correlated=ranges.correlated(given.inputs))
        self._evidence = {
            _argument(name, given): {item.evidence}
            for name, item in given.inputs.items()
            if not (item.given and given.parameters[name].kind in DECLARING)
        }
        self._lacks = {}
        self._pricing = Pricing(given.inputs, given.parameters, lambda name: _argument(name, given))
        self._points = points(given.inputs, given.parameters)
        self._moved, self._not_followed = dict(self._points.values), {"given"}

    def run(self, calculation):
        """Run one calculation and keep its results.

        Parameters
        ----------
        calculation : function marked with `gives`

        Returns
        -------
        dict of str to joulebook.results.Result or table
            The results by name; a table is ``{"columns": [[name, unit], ...], "rows": [...]}``.
        """
        wanted = inspect.signature(calculation).parameters
        missing = [name for name, item in wanted.items() if item.default is item.empty and self._values.get(name) is None]
        used = [name for name in wanted if self._values.get(name) is not None]
        if missing:
            reasons = dict.fromkeys(calculation.results, self._reason(missing, calculation.results))
            outcome, sampled, said = dict.fromkeys(calculation.results), {}, {key: {} for key in _SAID} | {"notes": reasons}
            moved = {}
        else:
            sampled, moved = self._sample(calculation, wanted, used), self._move(calculation, wanted, used)
            own = {"sampled": sampled} if "sampled" in wanted else {}
            if "told" in wanted:
                own["told"] = {name: result.note for name, result in self.results.items() if isinstance(result, Result)}
            outcome, said = _call(calculation, {name: self._values[name] for name in used} | own)
        made = {}
        for name in calculation.results:
            looked_at = [item for item in used if item not in said["unused"].get(name, ())]
            evidence = [self._evidence.get(item, set()) for item in looked_at if item not in calculation.how]
            self._evidence[name] = set().union(*evidence) | ({said["evidence"][name]} if name in said["evidence"] else set())
            made[name] = self._keep(name, outcome[name], sampled.get(name), said)
            self._keep_moved(name, moved.get(name), looked_at, calculation)
            made[name] = self._priced(name, made[name])
        self.results.update(made)
        return made

    def run_all(self, calculations):
        """Run calculations in their order; see `run`."""
        for calculation in calculations:
            self.run(calculation)
        return self

    def build_on(self, topic, calculations):
        """Run calculations of another topic, for this one to rest on.

        Their inputs are among those of this topic. An input has the same draws in every topic, so a number is the same
        wherever it is computed. The results can be used like any other; they are told as those of their own topic.

        Parameters
        ----------
        topic : str
            The other topic.
        calculations : sequence of functions marked with `gives`
            Its calculations, in their order.
        """
        for calculation in calculations:
            for name in calculation.results:
                if name in self.given.definitions:
                    raise JoulebookError(f"{name} is a result of {self.given.topic}, and of {topic}, too")
                if name in self.given.parameters:
                    raise JoulebookError(f"{name} is an input of {self.given.topic}, and a result of {topic}, too")
                self._foundation[name] = topic
            self.run(calculation)
        return self

    def definition(self, name):
        """The row of the dictionary that defines a result."""
        topic = self.foundation(name)
        return self.given.definitions[name] if topic is None else self.given.foundations[topic][name]

    def foundation(self, name):
        """The other topic that a result is one of; None for a result of this one."""
        return self._foundation.get(name)

    def rests_on(self, name):
        """Names of the inputs that a result rests on, however far back, in the order in which they come in."""
        return self._pricing.rests_on(name)

    def moves(self, name):
        """What each input moves a result from and to, moved alone; see `joulebook.method.one_at_a_time.movements`."""
        result = self.results[name]
        there = name in self._moved and result.available
        return movements(self._points.steps, result.value, self._moved[name]) if there else []

    def follows(self, name):
        """Whether `moves` knows a result: one that is a number, and comes neither out of a table nor out of draws."""
        return name not in self._not_followed

    def _keep_moved(self, name, moved, used, calculation):
        """Keep a result at the points, and what it rests on; neither a table nor what is told by draws is followed there."""
        value = self._values[name]
        number = self.definition(name).kind == "number" and not calculation.once
        if number and value is not None and not self._not_followed & set(used) and followed(value, moved):
            still = unmoved(self._points.steps, value, value if moved is None else moved)
        else:
            self._not_followed.add(name)
            still = ()
        if np.ndim(moved) and name not in self._not_followed:
            self._moved[name] = moved
        self._pricing.keep(name, self._pricing.uses(used), set(still) - set(self._pricing.uses(calculation.how)))

    def _priced(self, name, made):
        """A result, or in its place the reason why it is not told.

        What rests on it is calculated all the same, and judged by itself: energy has no price.
        """
        reason, is_table = self._pricing.reason(name, self.definition(name)), isinstance(made, dict)
        if not reason or not (made["rows"] if is_table else made.available):
            return made
        if is_table:
            return {"columns": [], "rows": [], "note": reason}
        return replace(made, value=None, low=None, high=None, evidence=None, note=reason)

    def _sample(self, calculation, wanted, used):
        arguments = {name: self._draws.get(name, self._values[name]) for name in used}
        if calculation.once:
            return {}
        if "rng" in wanted:
            arguments["rng"] = np.random.default_rng(ranges.SEED)
        elif not any(name in self._draws for name in used):
            return {}
        return _call(calculation, arguments)[0]

    def _move(self, calculation, wanted, used):
        # How others are to be read is not moved: it is no quantity.
        moved = {name: self._moved[name] for name in used if name in self._moved and name not in calculation.how}
        arguments = {name: self._values[name] for name in used}
        if not moved or calculation.once:
            return {}
        if not {"rng", "sampled"} & set(wanted):
            return _call(calculation, arguments | moved)[0]
        # What draws for itself judges one point at a time; it is asked once where points are the same to it.
        at, which = np.unique(np.stack(list(moved.values()), axis=1), axis=0, return_inverse=True)
        outcomes = [_call(calculation, arguments | dict(zip(moved, point, strict=True)))[0] if np.isfinite(point).all() else None
                    for point in at]
        names = [name for name in calculation.results if self.definition(name).kind == "number"]
        return {name: np.array([outcome and outcome[name] for outcome in outcomes], float)[which] for name in names}

    def _reason(self, missing, results):
        """Why results are not available: the inputs that they lack, however far back, and reasons of earlier results."""
        inputs, reasons = {}, {}
        for name in missing:
            if name not in self.results:
                inputs[_as_given(name, self.given)] = None
            elif name in self._lacks:
                inputs |= dict.fromkeys(self._lacks[name])
            else:
                reasons[self.results[name].note] = None
        if not reasons:
            self._lacks |= {key: list(inputs) for key in results}
        return "; ".join([*reasons, *([f"needs {', '.join(inputs)}"] if inputs else [])])

    def _keep(self, name, value, samples, said):
        definition, note = self.definition(name), said["notes"].get(name, "")
        if definition.kind == "table":
            self._values[name] = value
            return _table(value, samples, self.words, note)
        labels = self.given.labels
        if definition.boundary:
            labels = replace(labels, boundary=definition.boundary)
        if definition.window:
            labels = replace(labels, window=definition.window)
        labels = replace(labels, **said["labels"].get(name, {}))
        available = value is not None and (definition.kind == "text" or np.isfinite(value))
        self._values[name] = (value if definition.kind == "text" else float(value)) if available else None
        if not available and not note:
            raise JoulebookError(f"{name} is not available and no reason is given")
        low, high = said["ranges"].get(name, (None, None)) if available else (None, None)
        if available and low is None and definition.kind != "text" and samples is not None and np.ndim(samples):
            self._draws[name] = samples  # with what is missing in them, so that it is missing in what rests on them
            if np.isfinite(samples).all():
                if np.ptp(samples) > _VARIES * abs(value):
                    low, high = (float(edge) for edge in ranges.interval(samples))
            else:
                note = "; ".join(filter(None, (note, "range not available: part of the inputs' ranges gives no value")))
        evidence = weakest(self._evidence[name]) if available else None
        return Result(self._values[name], definition.unit.format(**self.words), low, high, evidence, labels, note)


def _call(calculation, arguments):
    with np.errstate(all="ignore"):  # what is not available becomes nan, and says why
        outcome = dict(calculation(**arguments))
    said = {key: outcome.pop(key, {}) for key in _SAID}
    if set(outcome) != set(calculation.results):
        raise JoulebookError(f"{calculation.__name__} gives {sorted(outcome)}, not {sorted(calculation.results)}")
    return outcome, said


def arguments_of(given):
    """Inputs, tables and labels of a topic, by the names under which calculations find them.

    Parameters
    ----------
    given : joulebook.inputs.Given
        Checked inputs of one topic.

    Returns
    -------
    dict of str to value
    """
    scalars = {name: item.value for name, item in given.inputs.items() if name not in given.tables}
    tables = {_argument(name, given): table for name, table in given.tables.items()}
    return {**scalars, **tables, **{name: getattr(given.labels, name) for name in LABELS}}


def _argument(name, given):
    """The name under which a calculation finds an input."""
    short = name.removesuffix("_csv") if name in given.tables else name
    return name if short in LABELS else short


def _as_given(name, given):
    return f"{name}_csv" if f"{name}_csv" in given.parameters else f"the label {name}" if name in LABELS else name


def _table(columns, samples, words, note):
    """A table as plain data; a column that varies over the draws is followed by its low and high."""
    if columns is None:
        return {"columns": [], "rows": [], "note": note}
    heads, shown = [], []
    for column, values in columns.items():
        name, _, unit = column.partition(" | ")
        heads.append([name, unit.format(**words)])
        shown.append(np.asarray(values))
        drawn = np.asarray((samples or {}).get(column))
        if drawn.ndim != 2 or drawn.dtype.kind != "f":
            continue
        ordered = ranges.rising(drawn)
        if (ordered[:, -1] - ordered[:, 0] > _VARIES * np.abs(drawn[0])).any():
            for end, edge in zip(("low", "high"), ranges.interval_of_rising(ordered), strict=True):
                heads.append([f"{name}_{end}", unit.format(**words)])
                shown.append(edge)  # nan where part of the draws has no value: then the range is not available
    rows = [[_plain(item.item()) for item in row] for row in zip(*np.broadcast_arrays(*shown), strict=True)]
    return {"columns": heads, "rows": rows, **({} if rows else {"note": note or "there is nothing to list"})}


def _plain(item):
    """A table's cell; what is not available is None, never nan."""
    return None if isinstance(item, float) and not np.isfinite(item) else item
