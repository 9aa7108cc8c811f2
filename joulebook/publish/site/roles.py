"""Roles that write numbers into prose, so that no page types one."""

import csv
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxRole

from joulebook import units
from joulebook.show.numbers import NO_BREAK, number

PUBLISHED = ("figures.csv", "quoted.csv")  # in data/published
_PARTS = ("value", "unit", "conditions", "boundary", "source")


class Constant(SphinxRole):
    """``{constant}`JOULES_PER_KWH```: a constant as a number."""

    def run(self):
        """Write it."""
        value = getattr(units, self.text, None) if self.text.isupper() else None
        if not isinstance(value, int | float):
            message = self.inliner.reporter.error(f"no such constant in joulebook.units: {self.text}", line=self.lineno)
            return [], [message]
        return [nodes.Text(number(value))], []


class Published(SphinxRole):
    """``{published}`mle07```: a figure that somebody published, with its unit; ``{published}`mle07:source``` a part of its row.

    The parts are ``value``, ``unit``, ``conditions``, ``boundary`` and ``source``. Digits are those that were published.
    """

    def run(self):
        """Write it."""
        name, _, part = self.text.partition(":")
        folder = Path(self.env.srcdir) / "data" / "published"
        for file in PUBLISHED:
            self.env.note_dependency(str(folder / file))
        rows = _published(folder)
        if name not in rows or part not in ("", *_PARTS):
            return [], [self.inliner.reporter.error(f"no such published figure, or part of one: {self.text}", line=self.lineno)]
        row = rows[name]
        value, unit = published_value(row["value"]), published_unit(row["unit"])
        told = {"": f"{value}{NO_BREAK}{unit}".strip(NO_BREAK), "value": value, "unit": unit}
        return [nodes.Text(told.get(part) or row[part])], []


def published_value(text):
    """Digits of a published figure as they stand in a sentence.

    Examples
    --------
    >>> published_value("2511"), published_value("0.3731"), published_value("-4")
    ('2,511', '0.3731', '−4')
    """
    whole, point, rest = text.lstrip("-").partition(".")
    grouped = f"{int(whole):,}" if whole.isdigit() else whole
    return "−" * text.startswith("-") + grouped + point + rest


def published_unit(unit):
    """A unit of a published figure in words.

    Examples
    --------
    >>> published_unit("J/output-token"), published_unit("W"), published_unit("ratio")
    ('J per output token', 'W', '')
    """
    return "" if unit in ("ratio", "1") else unit.replace("/", " per ").replace("-", " ")


@cache
def _published(folder):
    rows = {}
    for file in PUBLISHED:
        with (folder / file).open(encoding="utf-8", newline="") as opened:
            rows |= {row["id"]: row for row in csv.DictReader(opened)}
    return rows
