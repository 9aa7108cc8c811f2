"""What is plausible at all: limits of quantities as data, ``data/plausible.csv``, each with its source.

A bare number does not tell its unit. What betrays a thousand times too much is its neighbourhood: idle power beside full power,
energy of a token beside all that was published. Each row of the file is one such quantity, a product of inputs and columns
over another, with the least and the most that it is taken to be.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from joulebook.dictionary import rows_of
from joulebook.workbook import ROOT

CONFIRMED = "confirmed"  # what a client says of a value that is right all the same
FILES = ("data/plausible.csv", "data/currencies.csv")
TAKEN = {"each": lambda values: values, "mean": np.mean, "min": np.min, "max": np.max,
         "spread": lambda values: np.max(values) / np.min(values)}


@dataclass(frozen=True)
class Limits:
    """One row of ``data/plausible.csv``.

    Parameters
    ----------
    name : str
        Name of the row.
    of, over : tuple of str
        Parameters, columns as ``parameter.column`` (a column of names stands for the inputs of these names), and fields of
        records likewise: the quantity is the product of the first over that of the second.
    take : str
        What of the values of columns is judged, one of `TAKEN`.
    where : tuple of tuple
        Conditions, each a name, a sign and its choices: ``=`` where a label, an input or the currency is one of them (of a
        workload its first word), ``~`` where it holds one of them.
    least, most : float or None
        Limits in `unit`; None where there is none. Where there is neither, no value is plausible.
    unit : str
        Unit of the limits; where it begins with ``USD``, amounts are converted by ``data/currencies.csv``.
    meaning, source : str
        What the quantity is, in words, and what the limits rest on.
    """

    name: str
    of: tuple
    over: tuple
    take: str
    where: tuple
    least: float | None
    most: float | None
    unit: str
    meaning: str
    source: str

    @property
    def names(self):
        """Parameters that the quantity is made of, the first one first."""
        return tuple(dict.fromkeys(name.partition(".")[0] for name in (*self.of, *self.over)))

    @property
    def allowed(self):
        """The limits in words, with their source."""
        if self.least is None and self.most is None:
            return f"none ({self.source})"
        ends = ["" if self.least is None else f"at least {self.least:g}", "" if self.most is None else f"at most {self.most:g}"]
        return f"{', '.join(filter(None, ends))} {self.unit}".strip() + f" ({self.source})"

    def holds(self, words):
        """Whether all conditions hold.

        Parameters
        ----------
        words : dict of str to object
            Labels, inputs that are words, and the currency, by name.
        """
        return all(_holds(words.get(name), sign, choices) for name, sign, choices in self.where)

    def outside(self, values):
        """The value that is farthest outside the limits, None where there is none.

        Parameters
        ----------
        values : array_like
            Values of the quantity, in `unit`; what is zero or missing carries no unit and is left out.
        """
        values = np.atleast_1d(np.asarray(values, float))
        values = values[np.isfinite(values) & (values != 0)]
        if not len(values):
            return None
        values = np.atleast_1d(TAKEN[self.take](values))
        if self.least is None and self.most is None:
            return float(values[0])
        if self.most is not None and values.max() > self.most:
            return float(values.max())
        return float(values.min()) if self.least is not None and values.min() < self.least else None


@cache
def limits():
    """All rows of ``data/plausible.csv``."""
    return tuple(_limits(row) for row in rows_of(ROOT / FILES[0]))


@cache
def units_per_dollar():
    """Units of each currency that a dollar buys, roughly: enough to tell a price from one a hundred times as high."""
    return {row["currency"]: float(row["per_usd"]) for row in rows_of(ROOT / FILES[1])}


def _limits(row):
    ends = [float(row[end]) if row[end] else None for end in ("least", "most")]
    return Limits(row["name"], tuple(row["of"].split()), tuple(row["over"].split()), row["take"] or "each",
                  tuple(_condition(text) for text in row["where"].split()), *ends, row["unit"], row["meaning"], row["source"])


def _condition(text):
    sign = "~" if "~" in text else "="
    name, _, choices = text.partition(sign)
    return name, sign, tuple(choices.split("|"))


def _holds(word, sign, choices):
    if word is None:
        return False
    if sign == "~":
        return any(choice in word for choice in choices)
    return word in choices or word.split(",")[0].split(" ")[0] in choices
