"""The CSV files of file parameters, as checked tables: columns by name, cells by row and column."""

import csv
import io
import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd

from joulebook.errors import InputError, Problem, Problems, near
from joulebook.intake.checks import attempt, refuse
from joulebook.intake.text import read_text
from joulebook.units import NUMBER, hint

LISTED = 20  # problems of a file that are listed; the rest is counted
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY_MIN = 1440

_ISO = r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?"
_OFFSET = r"(?:Z|[+-][0-9]{2}:?[0-9]{2})"
_CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_DAY_NAMES = {"all": "+".join(DAYS), "mon-fri": "+".join(DAYS[:5]), "sat-sun": "+".join(DAYS[5:])}
_DAY = "|".join(DAYS)
_HOUR = pd.Timedelta("1h")
_MINUTE = pd.Timedelta("1min")
_CLOCK_OF_TARIFF = {"tariff_timezone": "a time zone, such as Europe/Berlin", "tariff_clock": "local or standard"}
_COMMAS = "commas between cells and decimal points; in a spreadsheet: save as CSV with English settings"
_DAYS_ALLOWED = f"all, mon-fri, sat-sun, or days such as mon+wed of {' '.join(DAYS)}"
_YEARS = ("1970-01-01", "2200-01-01")  # well inside what nanoseconds can hold
_STAMP_ALLOWED = "a date and time with its offset from UTC, such as 2026-03-31T14:00:00+02:00"


def read_table(name, path, shown=None):
    """Read and check the CSV file of a file parameter.

    Parameters
    ----------
    name : str
        The parameter, such as ``load_curve_csv``.
    path : pathlib.Path
        The file: UTF-8, commas between cells, a first row with the names of the columns.
    shown : str, optional
        How the user named the file.

    Returns
    -------
    pandas.DataFrame
        Numbers as float64, stamps in UTC (those of a tariff without offset as written), `ok` as bool.
        Tariff periods as `day` (0 is Monday), `begin_min`, `end_min` (minutes of that day) and
        `price_per_kwh`, cut at midnight and sorted by time.

    Raises
    ------
    InputError
        With file, row, column, value and what is allowed; at most 20 problems, the rest counted.
    """
    shown = shown or path.name
    variants, read = _TABLES[name]
    sheet = _Sheet(read_text(path, shown), shown, variants)
    table = read(sheet)
    sheet.stop()
    return table.reset_index(drop=True)


def check_tables(inputs, tables, place=None, unclear=()):
    """Check tables against the inputs beside them, and against each other.

    Parameters
    ----------
    inputs : dict of str to Input
        Inputs of the topic.
    tables : dict of str to pandas.DataFrame
        What `read_table` gave, by parameter.
    place : callable, optional
        Gives the place of a parameter, as keywords of `Problem`.
    unclear : collection of str, optional
        Parameters that were given but refused, so that they are not in `inputs`.

    Raises
    ------
    InputError
        If the ends of the load curve are not idle and active power, the clock of a tariff is not
        stated, or the tariff has no price for part of the load profile.
    """
    found = Problems()
    place = place or (lambda name: {"field": name})
    if "load_curve_csv" in tables:
        _check_ends(tables["load_curve_csv"], inputs, place, found)
    if "tariff_csv" in tables:
        _check_tariff(tables["tariff_csv"], tables.get("load_profile_csv"), inputs, place, unclear, found)
    found.stop()


def _check_ends(curve, inputs, place, found):
    for name, end, where in (("idle_power_w", 0, "begins"), ("active_power_w", -1, "ends")):
        power = float(curve["power_w"].iloc[end])
        if name in inputs and not math.isclose(power, inputs[name].value, rel_tol=1e-6):
            found.add(f"the load curve {where} at another power than {name}", **place("load_curve_csv"), value=power,
                      allowed=f"{inputs[name].value} as {name}")


def _check_tariff(tariff, profile, inputs, place, unclear, found):
    dated = "timestamp" in tariff
    clock = [inputs[name].value if name in inputs else None for name in _CLOCK_OF_TARIFF]
    if not (dated and tariff["timestamp"].dt.tz is not None):
        for name, allowed in _CLOCK_OF_TARIFF.items():
            if name not in inputs and name not in unclear:
                found.add("missing: the clock of the tariff is not stated", **{**place("tariff_csv"), "field": name},
                          allowed=f"{allowed}; or stamps with their offset in the tariff")
    if profile is not None and not found and not unclear:
        from joulebook.method.tariff import bill

        mine = Problems()
        attempt(mine, bill, profile, tariff, *clock)  # what the method would refuse is known before anything runs
        found.extend(replace(problem, **place("tariff_csv")) for problem in mine)


class _Sheet:
    """Cells of a CSV file as text, by row of the file, and what is wrong with them."""

    def __init__(self, text, shown, variants):
        self.shown, self.problems, self.more = shown, [], 0
        header, rows = self.parse(text)
        self.columns(header, variants)
        self.count = len(rows)
        self.cells = self.frame(header, rows)

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

    def frame(self, header, rows):
        width, numbers = len(header), range(2, len(rows) + 2)
        if set(map(len, rows)) - {width}:
            wrong = [(number, row) for number, row in zip(numbers, rows, strict=True) if len(row) != width]
            for number, row in wrong[:LISTED]:
                self.ragged(number, row, width)
            self.more += max(0, len(wrong) - LISTED)
            kept = [(number, row) for number, row in zip(numbers, rows, strict=True) if len(row) == width]
            numbers, rows = [number for number, _ in kept], [row for _, row in kept]
        cells = pd.DataFrame(rows, columns=range(width), index=pd.Index(numbers, dtype="int64"), dtype="str")
        cells = cells.iloc[:, [header.index(name) for name in self.names]].set_axis(self.names, axis=1)
        cells = cells.apply(lambda column: column.str.strip(" \t"))
        blank = cells.eq("").all(axis=1)
        self.rows(blank, "a row without values", None, "no such row")
        return cells[~blank]

    def ragged(self, number, row, width):
        if not "".join(row).strip():
            self.note("an empty line", line=number, allowed="no empty line between rows")
            return
        advice = "; numbers have a decimal point and no thousands marks" if len(row) > width else ""
        self.note(f"{len(row)} cells where {width} are due", line=number, value=",".join(row), allowed=f"{width} cells{advice}")

    def note(self, what, column=None, line=1, **more):
        self.problems.append(Problem(what, file=self.shown, line=line, field=column, **more))

    def rows(self, mask, what, column, allowed):
        """Note the rows where a mask holds; `what` may be a function of the value."""
        wrong = mask.index[mask.to_numpy(bool)]
        self.more += max(0, len(wrong) - LISTED)
        for number in wrong[:LISTED]:
            value = None if column is None else self.cells.at[number, column]
            self.note(what(value) if callable(what) else what, column, int(number), value=value, allowed=allowed)

    def least(self, count):
        if self.count < count:
            self.note("too few rows", line=None, value=self.count, allowed=f"at least {count}, below the names of the columns")

    def has(self, column):
        return column in self.names

    def filled(self, column, allowed):
        """Cells of a column, and which are filled; an absent column has none."""
        if not self.has(column):
            return pd.Series("", index=self.cells.index, dtype="str"), pd.Series(False, index=self.cells.index)
        cells = self.cells[column]
        empty = cells == ""
        self.rows(empty, "an empty cell", column, allowed)
        return cells, ~empty

    def matching(self, column, pattern, what, allowed):
        """Cells of a column, and which of them match a pattern."""
        cells, filled = self.filled(column, allowed)
        right = cells.str.fullmatch(pattern).astype(bool) & filled
        self.rows(filled & ~right, what, column, allowed)
        return cells, right

    def number(self, column, low=None, high=None, above=None, whole=False):
        """A column of numbers; nan where a cell is wrong."""
        limits = [f"at least {low}" if low is not None else "", f"above {above}" if above is not None else "",
                  f"at most {high}" if high is not None else ""]
        allowed = ", ".join(["a whole number" if whole else "a number", *filter(None, limits)])
        cells, right = self.matching(column, NUMBER, lambda text: f"not a number{hint(text)}", allowed)
        values = cells.where(right, "nan").astype("float64")
        lost = np.isinf(values) | (values.eq(0) & cells.str.contains(r"^[^eE]*[1-9]"))
        self.rows(lost & right, "too large or too small a number", column, allowed)
        values = values.where(~lost)
        outside = pd.Series(False, index=values.index)
        for limit, beyond in ((low, values.lt), (high, values.gt), (above, values.le)):
            if limit is not None:
                outside |= beyond(limit)
        self.rows(outside, "out of limits", column, allowed)
        if whole:
            self.rows(values.notna() & ~outside & (values % 1 != 0), "not a whole number", column, allowed)
        return values

    def stamps(self, column, bare=False):
        """A column of stamps in UTC; as written where all are without offset and that is allowed."""
        allowed = f"{_STAMP_ALLOWED}; or all without offset" if bare else _STAMP_ALLOWED
        cells, right = self.matching(column, f"{_ISO}{_OFFSET}?", "no date and time", allowed)
        offset = cells.str.fullmatch(f"{_ISO}{_OFFSET}").astype(bool)
        bare = bare and not offset.any()
        if not bare:
            self.rows(right & ~offset, "a stamp without its offset from UTC", column, allowed)
            right &= offset
        stamps = pd.to_datetime(cells.where(right), format="ISO8601", utc=not bare, errors="coerce")
        wrong = right & ~stamps.between(*(pd.Timestamp(year, tz=None if bare else "UTC") for year in _YEARS))
        self.rows(wrong, "no date and time of the calendar", column, allowed)
        return stamps.where(~wrong).astype("datetime64[ns]" if bare else "datetime64[ns, UTC]")

    def steps(self, stamps, column):
        """Length of the equal steps of a column of stamps; None where they are not equal."""
        self.least(2)
        gaps = stamps.diff().iloc[1:]
        if stamps.isna().any() or not len(gaps):
            return None
        step = gaps.mode().iloc[0]
        # A clock without offset jumps by an hour twice a year; whether at the right hour is judged with its time zone.
        right = gaps.isin([step] if stamps.dt.tz else [step, step + _HOUR, step - _HOUR]) & (step > pd.Timedelta(0))
        self.rows(~right, "not at an equal step after the row above", column,
                  f"rising stamps at equal steps, here of {step / _MINUTE:g} min")
        return step if right.all() else None

    def stop(self):
        if not self.problems:
            return
        listed = sorted(self.problems, key=lambda problem: problem.line or 0)
        more = self.more + max(0, len(listed) - LISTED)
        raise InputError(listed[:LISTED] + ([Problem(f"and {more} more", file=self.shown)] if more else []))


def _load_curve(sheet):
    sheet.least(2)
    utilization, power = sheet.number("utilization", low=0, high=1), sheet.number("power_w", low=0)
    sheet.rows(utilization.diff() <= 0, "not above the row above", "utilization", "utilization that rises from 0 to 1")
    ends = pd.Series(False, index=utilization.index)
    if len(ends):
        ends.iloc[0], ends.iloc[-1] = utilization.iloc[0] > 0, utilization.iloc[-1] < 1
    sheet.rows(ends, "an end of the curve is missing", "utilization", "a first row at 0 and a last row at 1")
    return pd.DataFrame({"utilization": utilization, "power_w": power})


def _load_profile(sheet):
    utilization = sheet.number("utilization", low=0, high=1)
    if not sheet.has("timestamp"):
        hour = sheet.number("hour", low=0, high=23, whole=True)
        sheet.rows(hour.duplicated() & hour.notna(), "an hour that is there twice", "hour", "each hour from 0 to 23 once")
        lost = sorted(set(range(24)) - set(hour.dropna()))
        if lost and sheet.has("hour"):
            sheet.note("hours are missing", "hour", None, value=", ".join(map(str, lost)), allowed="each hour from 0 to 23 once")
        return pd.DataFrame({"hour": hour, "utilization": utilization})
    stamps = sheet.stamps("timestamp")
    step = sheet.steps(stamps, "timestamp")
    if step and step % _MINUTE:
        sheet.note("a step that is no whole minutes", "timestamp", None, value=f"{step / _MINUTE:g} min",
                   allowed="a step of whole minutes")
    return pd.DataFrame({"timestamp": stamps, "utilization": utilization})


def _tariff(sheet):
    price = sheet.number("price_per_kwh")  # may be negative
    if sheet.has("timestamp"):
        stamps = sheet.stamps("timestamp", bare=True)
        sheet.steps(stamps, "timestamp")
        return pd.DataFrame({"timestamp": stamps, "price_per_kwh": price})
    sheet.least(1)
    days, _ = sheet.matching("days", f"all|mon-fri|sat-sun|(?:{_DAY})(?:\\+(?:{_DAY}))*", "no days", _DAYS_ALLOWED)
    begin, begins = sheet.matching("begin", _CLOCK, "no time of day", "HH:MM, such as 07:30")
    end, ends = sheet.matching("end", f"{_CLOCK}|24:00", "no time of day", "HH:MM, such as 07:30, or 24:00")
    begin, end = _minutes(begin.where(begins, "00:00")), _minutes(end.where(ends, "24:00"))
    sheet.rows(begin == end, "begin and end are equal", "end", "00:00 and 24:00 for a whole day")
    if sheet.problems:
        return pd.DataFrame()
    days = days.replace(_DAY_NAMES).str.split("+")
    periods = pd.DataFrame({"day": days, "begin_min": begin, "end_min": end, "price_per_kwh": price}).explode("day")
    periods = _cut_at_midnight(periods.assign(day=periods["day"].map(DAYS.index).astype("int64")))
    _check_week(periods, sheet)
    return periods.sort_values(["day", "begin_min"])


def _minutes(clock):
    return clock.str[:2].astype("int64") * 60 + clock.str[3:].astype("int64")


def _cut_at_midnight(periods):
    wraps = periods["end_min"] < periods["begin_min"]
    rest = periods[wraps & (periods["end_min"] > 0)]
    rest = rest.assign(day=(rest["day"] + 1) % 7, begin_min=0)
    return pd.concat([periods.assign(end_min=periods["end_min"].where(~wraps, DAY_MIN)), rest])


def _check_week(periods, sheet):
    change = np.zeros(7 * DAY_MIN + 1, dtype="int64")
    first = periods["day"].to_numpy() * DAY_MIN
    np.add.at(change, first + periods["begin_min"].to_numpy(), 1)
    np.add.at(change, first + periods["end_min"].to_numpy(), -1)
    prices = change.cumsum()[:-1]  # how many hold in each minute of the week
    edges = [0, *(np.flatnonzero(np.diff(prices)) + 1), 7 * DAY_MIN]
    for begin, end in pairwise(edges):
        if prices[begin] != 1:
            what = "no price" if prices[begin] == 0 else f"{prices[begin]} prices at once"
            sheet.note(f"{what} from {_named(begin)} to {_named(end - 1, 1)}", "days", None,
                       allowed="one price for each minute of the week")


def _named(minute, later=0):
    clock = minute % DAY_MIN + later
    return f"{DAYS[minute // DAY_MIN]} {clock // 60:02d}:{clock % 60:02d}"


def _requests(sheet):
    sheet.least(1)
    both = pd.concat([sheet.cells[name] for name in ("start", "end") if sheet.has(name)] or [pd.Series(dtype="str")])
    seconds = len(both) > 0 and both[both != ""].str.fullmatch(NUMBER).all()
    start, end = (sheet.number(name) if seconds else sheet.stamps(name) for name in ("start", "end"))
    sheet.rows(end < start, "ends before it starts", "end", "an end that is not before the start")
    ok, right = sheet.matching("ok", "true|false|True|False|TRUE|FALSE", "neither true nor false", "true or false")
    tokens = {name: sheet.number(name, low=0, whole=True) for name in ("input_tokens", "output_tokens")}
    return pd.DataFrame({"start": start, "end": end, "ok": ok.str.lower().eq("true") & right, **tokens})


def _energy_windows(sheet):
    sheet.least(3)  # as many as there are unknowns at most
    counts = {name: sheet.number(name, low=0, whole=True) for name in ("input_tokens", "output_tokens", "requests")
              if name != "requests" or sheet.has(name)}
    return pd.DataFrame({**counts, "energy_j": sheet.number("energy_j", above=0)})


_TABLES = {
    "load_curve_csv": ([(("utilization", "power_w"), ())], _load_curve),
    "load_profile_csv": ([(("hour", "utilization"), ()), (("timestamp", "utilization"), ())], _load_profile),
    "tariff_csv": ([(("days", "begin", "end", "price_per_kwh"), ()), (("timestamp", "price_per_kwh"), ())], _tariff),
    "requests_csv": ([(("start", "end", "ok", "input_tokens", "output_tokens"), ())], _requests),
    "energy_windows_csv": ([(("input_tokens", "output_tokens", "energy_j"), ("requests",))], _energy_windows),
}
