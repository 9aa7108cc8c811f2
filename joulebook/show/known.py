"""What the pieces of a page are filled from: inputs, results and words, as plain data."""

from collections.abc import Callable
from dataclasses import dataclass, field
from string import Formatter

from joulebook.show.numbers import ENGLISH, Numbers


@dataclass
class Known:
    """Everything that a page may say, as it stands in the metadata of an executed notebook.

    Parameters
    ----------
    results : dict of str to dict
        Each result with title, value, unit, low, high, evidence, labels and note; tables with columns and rows.
    inputs : list of dict
        Each input with name, title, value, unit, low, high, evidence, source and as_of.
    labels : dict
        Labels of the page.
    words : dict
        ``unit``, ``units`` and ``currency``.
    parameters : set of str
        Names of all parameters of the topic, given or not.
    numbers : joulebook.show.numbers.Numbers
        How its numbers are written.
    link : callable, optional
        Called with ``"input"`` or ``"result"`` and a record; gives the address of the row that defines it, or None. A page of a
        book has one.
    """

    results: dict = field(default_factory=dict)
    inputs: list = field(default_factory=list)
    labels: dict = field(default_factory=dict)
    words: dict = field(default_factory=dict)
    parameters: set = field(default_factory=set)
    numbers: Numbers = ENGLISH
    link: Callable | None = None


@dataclass(frozen=True)
class Shown:
    """A result or an input inside a sentence.

    Formats: none for value and unit, ``value``, ``percent``, ``times``, ``range``, ``note``, and ``because`` for a
    note without which the sentence says nothing.
    """

    record: dict
    numbers: Numbers = ENGLISH

    def __format__(self, way):
        value, low, high = (self.record[key] for key in ("value", "low", "high"))
        if way == "note":
            return self.record["note"]
        if way == "because":
            if not self.record["note"]:
                raise NotAvailable
            return self.record["note"]
        if value is None:
            raise NotAvailable
        if isinstance(value, str):
            return value
        unit, write = self.record["unit"], self.numbers
        ranged = low is not None and high is not None
        if way == "percent":
            return write.percent(value * 100, *((low * 100, high * 100) if ranged else ()))
        if way == "times":
            return f"{write.rounded(value, low, high) if ranged else write.number(value, 3)}×"
        if way == "range":
            return write.span(low, high, unit)
        shown = write.rounded(value, low, high, unit)
        return shown if way == "value" else write.with_unit(shown, unit)


def columns(record):
    """Columns of a table by name, in order.

    Examples
    --------
    >>> columns({"columns": [["a", "J"], ["b", ""]], "rows": [[1.0, "x"], [2.0, "y"]]})
    {'a': [1.0, 2.0], 'b': ['x', 'y']}
    """
    names = [name for name, _ in record["columns"]]
    return {name: [row[place] for row in record["rows"]] for place, name in enumerate(names)}


def ranged_columns(record):
    """Columns of a table with the columns of their low and high: name, unit, and places of value, low and high.

    Examples
    --------
    >>> ranged_columns({"columns": [["a", "J"], ["a_low", "J"], ["a_high", "J"], ["b", ""]]})
    [('a', 'J', 0, 1, 2), ('b', '', 3, None, None)]
    """
    places = {name: place for place, (name, _) in enumerate(record["columns"])}
    ends = {f"{name}_{end}" for name in places for end in ("low", "high")}
    return [
        (name, unit, place, places.get(f"{name}_low"), places.get(f"{name}_high"))
        for place, (name, unit) in enumerate(record["columns"])
        if name not in ends
    ]


class NotAvailable(Exception):
    """A sentence needs a value that is not available."""


def named(sentence):
    """Names that a sentence is filled from.

    Examples
    --------
    >>> sorted(named("{pue:value} of {energy_j}"))
    ['energy_j', 'pue']
    """
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def fill(known, sentence):
    """Fill a sentence's ``{names}``.

    Parameters
    ----------
    known : Known
        Where the names are looked up: results, then inputs, then the words unit, units and currency.
    sentence : str
        A template, such as ``"{energy_share:percent} of it is electricity."``

    Returns
    -------
    str or None
        None where a value that it needs is not available.

    Raises
    ------
    KeyError
        If a name is in neither dictionary.
    """
    records = {
        **{record["name"]: Shown(record, known.numbers) for record in known.inputs},
        **{name: Shown(record, known.numbers) for name, record in known.results.items() if "value" in record},
        **known.words,
    }
    names = named(sentence)
    if unknown := names - records.keys() - known.parameters:
        raise KeyError(f"no such result or input: {', '.join(sorted(unknown))}")
    if names - records.keys():
        return None  # an input that was not given
    try:
        return sentence.format(**records).strip()
    except NotAvailable:
        return None


def fill_all(known, sentences):
    """Fill every sentence; leave out those with a value that is not available."""
    return [filled for filled in (fill(known, sentence) for sentence in sentences) if filled]
