"""Tables of results, in parts that fit the width of the page."""

import math
import re

from joulebook.publish.report.characters import keep_units
from joulebook.publish.report.values import in_words, is_number, numbers_of, shown_unit
from joulebook.show.marks import marked

_TEXT_PT = 481.0  # width of the text
_SIZES = ((8.4, 4.75), (7.4, 4.2))  # of a table: size of the text and width of a digit, in pt
_SUFFIXES = ("j", "kwh", "kw", "w", "s", "h", "kg", "g")


def printed_table(table, run):
    """A table in parts that fit the width of the page, each with the first column."""
    names, rows = list(table["columns"]), table["rows"]
    units, write = table["columns"].values(), numbers_of(run)
    cells = [[_cell(*of, write) for of in zip(row, names, units, strict=True)] for row in rows]
    columns = list(zip(*cells, strict=True)) or [()] * len(names)
    heads = [{"name": _column(name, unit), "unit": shown_unit(unit, run)} for name, unit in table["columns"].items()]
    right = [any(is_number(row[index]) for row in rows) for index in range(len(names))]
    letters = [max(map(_longest, (*column, head["name"], head["unit"]))) for column, head in zip(columns, heads, strict=True)]
    size, parts = _parts(letters)
    lengths = [[*map(len, (*column, head["name"], head["unit"]))] for column, head in zip(columns, heads, strict=True)]
    return {"title": table["title"], "note": keep_units(table.get("note") or ""), "size": size, "parts": [
        {"head": [heads[index] for index in part], "right": [right[index] for index in part],
         "shares": _shares([letters[index] for index in part], [lengths[index] for index in part], size),
         "rows": [[row[index] for index in part] for row in cells]} for part in parts]}


def _shares(words, texts, size):
    """Shares of columns whose text has to run over lines, in what the others leave; 0 for a column as wide as its text.

    Parameters
    ----------
    words : list of int
        Letters of the longest word of each column.
    texts : list of list of int
        Letters of each text of each column.
    size : float
        Size of the text, one of `_SIZES`.

    Notes
    -----
    Each column has room for its longest word. What is left goes to columns by all that does not fit on a line of theirs, so that
    one long text among short ones makes no column wide.

    Examples
    --------
    >>> _shares([5, 8], [[5], [40]], 8.4), [round(share) for share in _shares([5, 8, 9], [[5], [8, 60], [300, 300]], 8.4)]
    ([0.0, 0.0], [0, 76, 371])
    """
    digit = dict(_SIZES)[size]
    least = [min(count, 30) * digit + 10 for count in words]
    wanted = [min(max(column) * digit + 10, _TEXT_PT) for column in texts]
    over = [sum(max(0.0, count * digit + 10 - own) for count in column) for column, own in zip(texts, least, strict=True)]
    spare, shares, still = _TEXT_PT - sum(least), [0.0] * len(words), [place for place, rest in enumerate(over) if rest > 0]
    while still:
        given = {place: least[place] + spare * over[place] / sum(over[other] for other in still) for place in still}
        full = [place for place in still if given[place] >= wanted[place]]
        if not full:
            for place in still:
                shares[place] = given[place]
            break
        spare -= sum(wanted[place] - least[place] for place in full)
        still = [place for place in still if place not in full]
    return shares


def _parts(letters):
    """Size of the text and the columns that go side by side, from the letters of the longest word of each column."""
    for size, digit in _SIZES:
        widths = [min(count, 30) * digit + 10 for count in letters]
        if sum(widths) <= _TEXT_PT:
            return size, [list(range(len(letters)))] if letters else []
    parts, used = [], math.inf
    for column in range(1, len(letters)):
        if used + widths[column] > _TEXT_PT:
            parts.append([0])
            used = widths[0]
        parts[-1].append(column)
        used += widths[column]
    return size, parts


def _cell(value, name, unit, write):
    if value is None:
        return "not available"
    if not is_number(value):
        return marked(in_words(value))
    return f"{value:.0f}" if name == "year" else write.number(value, unit=unit)


def _column(name, unit):
    """The name of a column in words, without the unit that stands below it."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        return name
    words = name.split("_")
    kept = [word for word in words if word not in _SUFFIXES or word != (unit or "").lower()] or words
    return " ".join(kept).capitalize()


def _longest(text):
    return max(map(len, text.split(" ")))
