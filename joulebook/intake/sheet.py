"""A CSV file as cells by row and column, with every problem of it noted."""

import csv
import io
import re

import numpy as np
import pandas as pd

from joulebook.errors import InputError, Problem, near
from joulebook.intake.checks import refuse, within
from joulebook.units import NUMBER, hint

LISTED = 20  # problems of a file that are listed; the rest is counted

_ISO = r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?"
_OFFSET = r"(?:Z|[+-][0-9]{2}:?[0-9]{2})"
_NOT_ZERO = re.compile("[^eE]*[1-9]")
_NOT_BLANK = r"(?s).*\S.*"
_HOUR = np.timedelta64(1, "h")
_MINUTE = pd.Timedelta("1min")
_COMMAS = "commas between cells and decimal points; in a spreadsheet: save as CSV with English settings"
_YEARS = ("1970-01-01", "2200-01-01")  # well inside what nanoseconds can hold
_STAMP_ALLOWED = "a date and time with its offset from UTC, such as 2026-03-31T14:00:00+02:00"


class Sheet:
    """Cells of a CSV file as text, and what is wrong with them.

    `cells` are arrays of text by column, `numbers` the rows of the file that they stand in.
    """

    def __init__(self, text, shown, variants):
        self.shown, self.problems, self.more = shown, [], 0
        header, rows = self.parse(text)
        self.columns(header, variants)
        self.count = len(rows)
        self.arrange(header, rows)

    def parse(self, text):
        reader = csv.reader(io.StringIO(text, newline=""), strict=True)
        try:
            rows = list(reader)
        except csv.Error as error:
            refuse(f"no CSV: {error}", file=self.shown, line=reader.line_num, allowed="quotes that are closed")
        while rows and not "".join(rows[-1]).strip() and len(rows[-1]) < 2:  # empty lines at the end
            rows.pop()
        if not rows:
            refuse("nothing in it", file=self.shown, allowed="a row with the names of the columns, and rows below")
        header = [cell.strip() for cell in rows[0]]
        if len(header) == 1:
            sign = next((name for sign, name in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars")) if sign in rows[0][0]), None)
            if sign:
                refuse(f"cells parted by {sign}", file=self.shown, line=1, value=rows[0][0], allowed=_COMMAS)
        return header, rows[1:]

    def columns(self, header, variants):
        required, optional = max(variants, key=lambda columns: len(set(columns[0] + columns[1]) & set(header)))
        allowed = "; or ".join(", ".join([*needed, *(f"{name} (optional)" for name in more)]) for needed, more in variants)
        known = required + optional
        for i, name in enumerate(header):
            if name in header[:i]:
                self.note("a column that is there twice", name, allowed="each column once")
            elif name not in known:
                self.note("unknown column", name or f"column {i + 1}", allowed=allowed, near=near(name, set(known) - set(header)))
        meant = {problem.near for problem in self.problems}
        for name in required:
            if name not in header and name not in meant:
                self.note("missing column", name, allowed=allowed)
        self.names = [name for name in known if name in header]
        self.required = required

    def arrange(self, header, rows):
        """Cells by column and the numbers of their rows, without rows that are ragged or blank."""
        width, numbers = len(header), np.arange(2, len(rows) + 2)
        if set(map(len, rows)) - {width}:
            even = np.array([len(row) == width for row in rows])
            wrong = np.flatnonzero(~even)
            for place in wrong[:LISTED]:
                self.ragged(int(numbers[place]), rows[place], width)
            self.more += max(0, len(wrong) - LISTED)
            numbers, rows = numbers[even], [row for row in rows if len(row) == width]
        columns = list(zip(*rows, strict=True)) or [()] * width
        self.numbers = numbers
        self.cells = {name: np.array([cell.strip(" \t") for cell in columns[header.index(name)]], object) for name in self.names}
        blank = np.ones(len(numbers), bool)
        for cells in self.cells.values():
            blank &= cells == ""
        self.rows(blank, "a row without values", None, "no such row")
        if blank.any():
            self.numbers = numbers[~blank]
            self.cells = {name: cells[~blank] for name, cells in self.cells.items()}

    def ragged(self, number, row, width):
        if not "".join(row).strip():
            self.note("an empty line", line=number, allowed="no empty line between rows")
            return
        advice = "; numbers have a decimal point and no thousands marks" if len(row) > width else ""
        self.note(f"{len(row)} cells where {width} are due", line=number, value=",".join(row), allowed=f"{width} cells{advice}")

    def note(self, what, column=None, line=1, **more):
        self.problems.append(Problem(what, file=self.shown, line=line, field=column, **more))

    def rows(self, mask, what, column, allowed):
        """Note the rows where a mask holds; `what` may be a function of the value. A column that lacks was noted before."""
        if column is not None and not self.has(column):
            return
        wrong = np.flatnonzero(mask)
        self.more += max(0, len(wrong) - LISTED)
        for place in wrong[:LISTED]:
            value = None if column is None else self.cells[column][place]
            line = int(self.numbers[place])
            self.note(what(value) if callable(what) else what, column, line, value=value, allowed=allowed)

    def least(self, count, why=""):
        if self.count < count:
            allowed = f"at least {count}, below the names of the columns"
            self.note(f"too few rows{why}", line=None, value=self.count, allowed=allowed)

    def has(self, column):
        return column in self.names

    def filled(self, column, allowed, blank=False):
        """Cells of a column, and which are filled; an absent column has none; `blank` where a cell may be empty."""
        if not self.has(column):
            return np.full(len(self.numbers), "", object), np.zeros(len(self.numbers), bool)
        cells = self.cells[column]
        empty = cells == ""
        if not blank:
            self.rows(empty, "an empty cell", column, allowed)
        return cells, ~empty

    def matching(self, column, pattern, what, allowed, blank=False):
        """Cells of a column, and which of them match a pattern."""
        cells, filled = self.filled(column, allowed, blank)
        right = filled & fullmatches(pattern, cells)
        self.rows(filled & ~right, what, column, allowed)
        return cells, right

    def text(self, column, what="nothing in it", allowed="a text", blank=False):
        """Cells of a column that hold more than blanks, and which of them do; `blank` where a cell may be empty."""
        return self.matching(column, _NOT_BLANK, what, allowed, blank)

    def choice(self, column, choices, what="no such choice", blank=False):
        """Cells of a column that are each one of some words, and which of them are."""
        return self.matching(column, "|".join(map(re.escape, choices)), what, " or ".join(choices), blank)

    def number(self, column, low=None, high=None, above=None, whole=False, blank=False):
        """A column of numbers; nan where a cell is wrong, or empty and may be; an absent column has none."""
        allowed = within("a whole number" if whole else "a number", low, above, high)
        cells, right = self.matching(column, NUMBER, lambda text: f"not a number{hint(text)}", allowed, blank)
        values = np.where(right, cells, np.nan).astype("float64")
        lost = np.isinf(values)
        zeros = np.flatnonzero(values == 0)
        lost[zeros] = [_NOT_ZERO.match(cell) is not None for cell in cells[zeros]]
        self.rows(lost, "too large or too small a number", column, allowed)
        values[lost] = np.nan
        outside = np.zeros(len(values), bool)
        for limit, beyond in ((low, np.less), (high, np.greater), (above, np.less_equal)):
            if limit is not None:
                outside |= beyond(values, limit)
        self.rows(outside, "out of limits", column, allowed)
        if whole:
            self.rows(~np.isnan(values) & ~outside & (values % 1 != 0), "not a whole number", column, allowed)
        return values

    def stamps(self, column, bare=False):
        """A column of stamps in UTC; as written where all are without offset and that is allowed."""
        allowed = f"{_STAMP_ALLOWED}; or all without offset" if bare else _STAMP_ALLOWED
        cells, right = self.matching(column, f"{_ISO}{_OFFSET}?", "no date and time", allowed)
        offset = fullmatches(f"{_ISO}{_OFFSET}", cells)
        bare = bare and not offset.any()
        if not bare:
            self.rows(right & ~offset, "a stamp without its offset from UTC", column, allowed)
            right &= offset
        stamps = pd.to_datetime(np.where(right, cells, None), format="ISO8601", utc=not bare, errors="coerce")
        first, last = (pd.Timestamp(year, tz=None if bare else "UTC") for year in _YEARS)
        wrong = right & ~((stamps >= first) & (stamps <= last))
        self.rows(wrong, "no date and time of the calendar", column, allowed)
        stamps = stamps.where(~wrong) if wrong.any() else stamps
        return stamps.astype("datetime64[ns]" if bare else "datetime64[ns, UTC]")

    def steps(self, stamps, column):
        """Length of the equal steps of a column of stamps; None where they are not equal."""
        self.least(2, ": a single one does not tell how long it holds")
        if stamps.hasnans or len(stamps) < 2:
            return None
        return self._equal(stamps, column, np.arange(len(stamps)))

    def steps_of_each(self, stamps, column, *of):
        """As `steps`, of the rows of each series on their own; columns name the series."""
        series = pd.Series(list(zip(*(names.tolist() for names in of), strict=True)), dtype=object)
        if stamps.hasnans:
            return
        for name, places in series.groupby(series, sort=False).indices.items():
            if len(places) < 2:
                self.note("a single row does not tell how long it holds", column, int(self.numbers[places[0]]),
                          value=", ".join(filter(None, name)), allowed="two rows of a series at least")
            else:
                self._equal(stamps[places], column, places)

    def _equal(self, stamps, column, places):
        """Length of the equal steps of stamps that stand at some places; None where they are not equal, which is noted."""
        gaps = np.diff(stamps.asi8).view("timedelta64[ns]")
        lengths, counts = np.unique(gaps, return_counts=True)
        step = lengths[counts.argmax()]
        # A clock without offset jumps by an hour twice a year; whether at the right hour is judged with its time zone.
        steps = [step] if stamps.tz else [step, step + _HOUR, step - _HOUR]
        right = np.isin(gaps, steps) & (step > np.timedelta64(0))
        step = pd.Timedelta(step)
        allowed = f"rising stamps at equal steps, here of {step / _MINUTE:g} min"
        if not stamps.tz:
            allowed += "; an hour that repeats on the clock as two passes, one after the other, or stamps with their offset"
        wrong = np.zeros(len(self.numbers), bool)
        wrong[places[1:][~right]] = True
        self.rows(wrong, "not at an equal step after the row above", column, allowed)
        return step if right.all() else None

    def stop(self):
        if not self.problems:
            return
        listed = sorted(self.problems, key=lambda problem: problem.line or 0)
        more = self.more + max(0, len(listed) - LISTED)
        raise InputError(listed[:LISTED] + ([Problem(f"and {more} more", file=self.shown)] if more else []))


def table_of(text, shown, variants, read):
    """The text of a CSV file as a checked table.

    Parameters
    ----------
    text, shown : str
        Its content, and how the user named it.
    variants : list of tuple
        Sets of columns that it may have: required, optional.
    read : callable
        Called with the `Sheet`; gives arrays by column and notes what is wrong.

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    InputError
        With row, column, value and what is allowed; at most `LISTED` problems, the rest counted.
    """
    sheet = Sheet(text, shown, variants)
    columns = read(sheet)
    sheet.stop()
    return pd.DataFrame({name: pd.array(values, "str") if values.dtype == object else values for name, values in columns.items()})


def fullmatches(pattern, cells):
    """Which of some texts match a pattern from end to end."""
    match = re.compile(pattern).fullmatch
    return np.array([match(cell) is not None for cell in cells], bool)


def again(*columns):
    """Which rows are as a row above in all of some columns; nan is as nan.

    Examples
    --------
    >>> again(np.array([1, np.nan, np.nan, 1]), np.array(["a", "a", "a", "b"], object)).tolist()
    [False, False, True, False]
    """
    return pd.Series(list(zip(*(column.tolist() for column in columns), strict=True)), dtype=object).duplicated().to_numpy()
