"""Inputs against what is plausible: the errors for what is not, and what is said where a client confirms it all the same."""

from dataclasses import replace
from math import prod

import numpy as np

from joulebook.plausible import CONFIRMED, limits, units_per_dollar
from joulebook.results import LABELS

_ALL_THE_SAME = f"or plausible: {CONFIRMED} beside the value in client.yml, where it is right all the same"


def check_plausible(inputs, tables, labels, place, found):
    """Note quantities that are not plausible; one that is confirmed is no error.

    Parameters
    ----------
    inputs : dict of str to joulebook.inputs.Input
        All inputs by name.
    tables : dict of str to pandas.DataFrame
        The files of those that have one.
    labels : joulebook.results.Labels
        What the figures are valid for.
    place : callable
        Gives the place of a parameter, or of a field of a record, as keywords of `Problem`.
    found : Problems
        Takes what is not plausible.

    Returns
    -------
    dict of str to str
        By parameter that is confirmed, and is or makes something implausible, what has to be said of it.
    """
    words = {name: getattr(labels, name) for name in LABELS}
    words |= {name: item.value for name, item in inputs.items() if isinstance(item.value, str)}
    said, wrong = {}, {part for problem in found for part in (problem.field or "").split(".")}
    for row in limits():
        if wrong & set(row.names) or not row.holds(words):  # what is refused already is not judged
            continue
        values = _values(row, inputs, tables, words)
        value = None if values is None else next(filter(None, map(row.outside, values)), None)
        if value is None:
            continue
        shown = f"{row.meaning}: {value:.4g} {row.unit}".rstrip()
        confirmed = [name for name in row.names if name in inputs and inputs[name].plausible]
        for name in confirmed:
            said.setdefault(name, []).append(f"{shown}, plausible: {row.allowed}")
        if not confirmed:
            first = next((name for name in row.names if inputs[name].given), row.names[0])
            where, value = _named(first, row, inputs)
            found.add(f"not plausible: {shown}, of {_formula(row, words)}", **place(*where), value=value,
                      allowed=f"{row.allowed}; {_ALL_THE_SAME}")
    return {name: f"not plausible, and {CONFIRMED}: {'; '.join(texts)}" for name, texts in said.items()}


def with_notes(inputs, said):
    """The same inputs, each with what has to be said of it; of what is plausible there is nothing to say, though confirmed."""
    return {name: replace(item, plausible=said.get(name, "")) if item.plausible else item for name, item in inputs.items()}


def _named(name, row, inputs):
    """Where an input stands and its value: of a record the field that the quantity is made of."""
    value = inputs[name].value
    if not isinstance(value, dict):
        return (name,), value
    field = next(column for part, _, column in (part.partition(".") for part in (*row.of, *row.over)) if part == name)
    return (name, field), value[field]


def _values(row, inputs, tables, words):
    """Values of a quantity: at the values of its inputs, then at each end of each range; None where something of it lacks."""
    factor = units_per_dollar().get(words.get("currency")) if row.unit.startswith("USD") else 1.0
    parts = {part: _part(part, inputs, tables) for part in (*row.of, *row.over)}
    if factor is None or any(part is None for part in parts.values()):
        return None
    ranged = {part: inputs[part] for part in parts if part in inputs and inputs[part].ranged}
    ends = [{part: end} for part, item in ranged.items() for end in (item.low, item.high)]
    with np.errstate(all="ignore"):
        return [_quantity(row, {**parts, **end}) / factor for end in ({}, *ends)]


def _part(part, inputs, tables):
    name, dot, column = part.partition(".")
    value = inputs[name].value if name in inputs else None
    if dot and not isinstance(value, dict):
        return _column(tables[name][column], inputs) if name in tables and column in tables[name] else None
    value = value.get(column) if dot else value
    return float(value) if isinstance(value, int | float) else None


def _column(cells, inputs):
    """The values of a column; names of inputs stand for their values."""
    if cells.dtype.kind in "fiu":
        return cells.to_numpy(float)
    return np.array([inputs[name].value if name in inputs else np.nan for name in cells], float)


def _quantity(row, parts):
    of, over = (prod((parts[part] for part in names), start=np.float64(1)) for names in (row.of, row.over))
    return of / over


def _formula(row, words):
    """How a quantity is made, and what it is judged for."""
    of, over = (" × ".join(names) for names in (row.of, row.over))
    made = f"{of} / ({over})" if len(row.over) > 1 else f"{of} / {over}" if over else of
    return made + "".join(f", where {name} is {words[name]!r}" for name in dict.fromkeys(name for name, *_ in row.where))
