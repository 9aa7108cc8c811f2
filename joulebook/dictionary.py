"""The dictionaries of inputs and of results: ``data/parameters.csv`` and ``data/results.csv``."""

import csv
import json
from dataclasses import dataclass, replace
from functools import cache

from joulebook.workbook import ROOT

RECORDS = ("deployment", "disclosure")  # parameters that are a block of client.yml by themselves
AT_THE_TOP = ("currency", "meters", "prepared", *RECORDS)  # parameters at the top of client.yml, once for all topics
FOR_ALL = ("valid_months",)  # parameters that judge the inputs of every topic, whatever topics take them as an input
KINDS = ("number", "integer", "file", "meters", "record", "date", "choice", "currency", "timezone", "time")


@dataclass(frozen=True)
class Parameter:
    """One row of ``data/parameters.csv``.

    `kind` is one of `KINDS`; `unit` is a pint unit, ``1`` for a share or ratio, ``%`` for a plain number of percent, ``money`` or
    ``money/...`` for amounts in the client's currency, ``units`` or ``units/s`` for units of work
    (both plain numbers), or ``csv`` for files of that kind; `choices` lists what a choice may be. The value of kind ``meters``
    is a list of declarations, each a dict (`joulebook.intake.meters.Declaration`), that of kind ``record`` a dict of texts and
    numbers (`joulebook.intake.records`); their examples are written as JSON.
    `min` and `max` are limits; one that starts with ``>`` or ``<`` is not itself allowed.
    `default` holds where nothing is given; `example` serves the bare notebook only; `required` names the topics that
    cannot do without.
    `place` is the number of the row: it chooses the draws of the parameter's range.
    """

    name: str
    topics: tuple
    kind: str
    unit: str
    min: str
    max: str
    required: tuple
    default: object
    example: object
    choices: tuple
    title: str
    meaning: str
    source: str
    place: int = 0

    @property
    def allowed(self):
        """What is allowed, in words."""
        if self.choices:
            return " or ".join(self.choices)
        if self.kind == "file":
            return "a path inside the client folder"
        if self.kind == "meters":
            return "a list of meters, each with its file and what its columns mean"
        if self.kind == "record":
            return "a mapping of fields to what they say"
        if self.kind == "date":
            return "a date, such as 2026-03-31"
        if self.kind == "time":
            return "a time of the day, such as 07:30, or a date and time with its offset, such as 2026-03-31T07:30+02:00"
        if self.kind == "timezone":
            return "a name of the IANA time zone database, such as Europe/Berlin"
        if self.kind == "currency":
            return "a code of ISO 4217, such as EUR"
        words = "a whole number" if self.kind == "integer" else "a number"
        if self.unit == "%":
            words += " in percent, without the sign"
        if self.dimensional:
            words += f" in {self.unit}, or a quantity with its unit"
        limits = [
            f"above {self.min[1:]}" if self.min.startswith(">") else f"at least {self.min}" if self.min else "",
            f"below {self.max[1:]}" if self.max.startswith("<") else f"at most {self.max}" if self.max else "",
        ]
        return ", ".join([words, *filter(None, limits)])

    @property
    def has_files(self):
        """Whether the value names files."""
        return self.kind in ("file", "meters")

    @property
    def dimensional(self):
        """Whether the value may be written with a unit, such as ``1 kW``."""
        return self.kind == "number" and self.unit not in ("1", "%") and not self.unit.startswith(("money", "units"))

    @property
    def limits(self):
        """Smallest and largest value, infinite where there is no limit."""
        return float(self.min.lstrip(">") or "-inf"), float(self.max.lstrip("<") or "inf")

    def within(self, value):
        """Whether a number lies within the limits."""
        low, high = self.min, self.max
        above = not low or (value > float(low[1:]) if low.startswith(">") else value >= float(low))
        below = not high or (value < float(high[1:]) if high.startswith("<") else value <= float(high))
        return above and below


@dataclass(frozen=True)
class Definition:
    """One row of ``data/results.csv``.

    `unit` may hold ``{currency}`` and ``{unit}`` (of work); `kind` is ``number``, ``text`` or ``table``;
    `boundary` and `window` say where a result differs in that label from the power it rests on.
    """

    topic: str
    name: str
    unit: str
    kind: str
    boundary: str
    window: str
    title: str
    equation: str
    meaning: str


@cache
def parameters(root=ROOT):
    """All parameters by name."""
    rows = {}
    for place, row in enumerate(rows_of(root / "data" / "parameters.csv")):
        row["topics"] = tuple(row["topics"].split())
        row["choices"] = tuple(row["choices"].split())
        row["required"] = {"yes": row["topics"], "no": ()}.get(row["required"], tuple(row["required"].split()))
        for key in ("default", "example"):
            row[key] = _typed(row[key], row["kind"])
        rows[row["name"]] = Parameter(**row, place=place)
    return rows


def of_topic(topic, root=ROOT):
    """Parameters of one topic by name, in the dictionary's order; `required` says whether by this one."""
    rows = parameters(root).items()
    return {name: replace(row, required=(topic,) * (topic in row.required)) for name, row in rows if topic in row.topics}


@cache
def definitions(root=ROOT):
    """All definitions of results, as ``{topic: {name: Definition}}``."""
    topics = {}
    for row in rows_of(root / "data" / "results.csv"):
        topics.setdefault(row["topic"], {})[row["name"]] = Definition(**row)
    return topics


def rows_of(path):
    """Rows of one of the workbook's own CSV files, as texts by column."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def _typed(text, kind):
    if text == "":
        return None
    read = {"integer": int, "number": float, "meters": json.loads, "record": json.loads}.get(kind, str)
    return read(text)
