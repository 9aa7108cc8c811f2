"""The two logs of an MLPerf inference power run: the meter's ``spl.txt`` and the load generator's detail log."""

import json
import math
import re
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from joulebook.errors import InputError, Problem

TIME_FORM = "MM-DD-YYYY hh:mm:ss.fff"
WATTS_FORM = "a number of watts; a failed read is -1, -2 or nan"
_NAMED = 10  # wrong rows that are named one by one
_ROW = re.compile(r"^Time,([^,\n]*),Watts,([^,\n]*)", re.MULTILINE)
_CHANNEL = re.compile(r",Ch\d+,Watts,([^,\n]*)")
_ANALYZER = re.compile(r",Analyzer\d+,(?:Time,[^,\n]*,)?Watts,([^,\n]*)")
_PARTS_DIFFER = 0.01  # share of the total from which its parts count as not adding up
_ISO = [6, 7, 8, 9, 2, 0, 1, 2, 3, 4, 10, *range(11, 23)]  # characters of TIME_FORM in the order of ISO 8601
_KEY = re.compile(r'"key"\s*:\s*"([^"]+)"')
_SIGN = ":::MLLOG"


@dataclass(frozen=True)
class PowerLog:
    """What a meter's log holds.

    Parameters
    ----------
    times : ndarray of datetime64[us], shape (n,)
        Time stamps as written, in no time zone, in the order of the file.
    watts : ndarray of float, shape (n,)
        Total power; failed reads as written (not positive, or nan). [W]
    other_rows : int
        Rows that do not start with ``Time`` and were left out; an empty line is no row.
    channels : int
        Analyzers or channels beside the total, 1 where there is only the total.
    apart : int
        Valid rows whose parts do not add up to the total.
    furthest_w : float
        Largest difference between a total and its parts. [W]
    """

    times: np.ndarray
    watts: np.ndarray
    other_rows: int = 0
    channels: int = 1
    apart: int = 0
    furthest_w: float = 0.0


def parse_power_log(data, shown):
    """Read a meter's log (``spl.txt``): the first Watts field of each row is the total.

    Parameters
    ----------
    data : bytes
        Content of the file; lines end with LF or CRLF.
    shown : str
        How the user named the file.

    Returns
    -------
    PowerLog
        Time stamps and power. [W]

    Raises
    ------
    InputError
        If it is no text, has no row, or a row has another form, naming line, field and value.

    Examples
    --------
    >>> log = parse_power_log(b"Time,03-01-2024 10:00:00.000,Watts,310.0,Volts,-1\\r\\n \\r\\n", "spl.txt")
    >>> log.times[0].item().isoformat(), log.watts[0].item(), log.other_rows
    ('2024-03-01T10:00:00', 310.0, 1)
    """
    text = _text(data, shown)
    rows = _ROW.findall(text)
    timed = text.count("\nTime") + text.startswith("Time")
    if not timed:
        raise InputError(Problem("no row starts with Time", file=shown, allowed=f"rows such as Time,{TIME_FORM},Watts,310.0,..."))
    stamps, numbers = [row[0] for row in rows], [row[1] for row in rows]
    times, watts = _stamps(stamps), _numbers(numbers)
    if len(rows) != timed or times is None or watts is None:
        raise InputError(_wrong_rows(text, shown))
    filled = len(list(filter(None, text.split("\n"))))
    return PowerLog(times, watts, filled - timed, *_parts(text, watts))


def parse_detail_log(data, shown):
    """Read a load generator's detail log: the first value of every key, as the official checker takes it.

    Parameters
    ----------
    data : bytes
        Content of the file. Bytes that are no UTF-8 may occur in quoted commit messages and are replaced.
    shown : str
        How the user named the file.

    Returns
    -------
    DetailLog
        Values by key.

    Raises
    ------
    InputError
        If it is no text or holds no ``:::MLLOG`` line.

    Examples
    --------
    >>> log = parse_detail_log(b'0: :::MLLOG {"key": "result_query_count", "value": 450}\\n', "detail.txt")
    >>> log.number("result_query_count")
    450
    """
    values, repeated, broken, signs = {}, {}, {}, 0
    decode = json.JSONDecoder().raw_decode
    for number, line in enumerate(_text(data, shown, errors="replace").split("\n"), start=1):
        start = line.find(_SIGN)
        if start < 0:
            continue
        signs += 1
        key = _KEY.search(line, start)
        if key is None:
            continue
        key = key.group(1)
        if key in values:
            repeated[key] = repeated.get(key, 1) + 1
            continue
        try:
            record, _ = decode(line, line.find("{", start))
        except (ValueError, RecursionError):
            broken.setdefault(key, number)
            continue
        values[key] = record.get("value"), number
    if not signs:
        raise InputError(Problem(f"no line holds {_SIGN}: no detail log of the load generator", file=shown))
    return DetailLog(shown, values, repeated, broken)


@dataclass(frozen=True)
class DetailLog:
    """Values of a load generator's detail log, with the lines they stand in.

    Parameters
    ----------
    shown : str
        How the user named the file.
    values : dict of str to (object, int)
        First value of each key, and its line.
    repeated : dict of str to int
        How often a key occurs that occurs more than once.
    broken : dict of str to int
        First line of each key that is no JSON.
    """

    shown: str
    values: dict
    repeated: dict
    broken: dict

    def has(self, key):
        """Whether a key has a value."""
        return self.values.get(key, (None,))[0] is not None

    def text(self, key):
        """Text of a key; an InputError where it is missing or no text."""
        value = self._due(key)
        if not isinstance(value, str):
            raise self._wrong(key, "text")
        return value.strip()

    def time(self, key):
        """Time stamp of a key in no time zone, datetime64[us]; an InputError where it is none."""
        value = self.text(key)
        try:
            return np.datetime64(datetime.strptime(value, "%m-%d-%Y %H:%M:%S.%f"), "us")
        except ValueError:
            raise self._wrong(key, TIME_FORM, "not a time") from None

    def number(self, key, whole=False, positive=True):
        """Number of a key, also where it is quoted; an InputError where it is missing or not allowed."""
        value = self._due(key)
        allowed = f"a{' whole' if whole else ''} number{' above 0' if positive else ''}"
        if isinstance(value, str):
            try:
                value = float(value)
            except ValueError:
                raise self._wrong(key, allowed, "not a number") from None
        good = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if not good or (positive and value <= 0) or (whole and value != int(value)):
            raise self._wrong(key, allowed, "not allowed")
        return int(value) if whole or isinstance(value, int) else value

    def number_if_any(self, key):
        """Number of a key that may be missing; None where it is, or where nothing was counted (0)."""
        if not self.has(key) or self.values[key][0] == 0:
            return None
        return self.number(key)

    def _due(self, key):
        if not self.has(key):
            line = self.broken.get(key)
            what = f"{key} is missing" if line is None else f"the line of {key} is no JSON"
            raise InputError(Problem(what, file=self.shown, line=line, field=key,
                                     allowed=f'{_SIGN} {{"key": "{key}", "value": ...}}'))
        return self.values[key][0]

    def _wrong(self, key, allowed, what="not allowed"):
        value, line = self.values[key]
        return InputError(Problem(what, file=self.shown, line=line, field=key, value=value, allowed=allowed))


def _text(data, shown, errors="strict"):
    if b"\x00" in data or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(Problem("no text in UTF-8: binary, or UTF-16", file=shown))
    try:
        text = data.decode("utf-8-sig", errors)
    except UnicodeDecodeError as error:
        raise InputError(Problem("not UTF-8", file=shown, line=data.count(b"\n", 0, error.start) + 1,
                                 value=data[error.start:error.start + 1])) from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _stamps(texts):
    """Time stamps, or None where one is wrong; all at once where all have milliseconds."""
    try:
        characters = np.array(texts, dtype="U").astype("S")
        if characters.dtype.itemsize == 23 and all(map(len, texts)):
            grid = np.ascontiguousarray(characters).view("S1").reshape(-1, 23)
            marks = grid[:, [2, 5, 10, 13, 16, 19]]
            digits = np.delete(grid, [2, 5, 10, 13, 16, 19], axis=1).view(np.uint8) - ord("0")
            if (marks == np.array([b"-", b"-", b" ", b":", b":", b"."])).all() and (digits <= 9).all():
                return np.ascontiguousarray(grid[:, _ISO]).view("S23").ravel().astype("U").astype("datetime64[us]")
        return np.array([datetime.strptime(text, "%m-%d-%Y %H:%M:%S.%f") for text in texts], dtype="datetime64[us]")
    except ValueError:  # a date that does not exist, a character that is no ASCII
        return None


def _numbers(texts):
    """Numbers of watts, or None where one is wrong; nan is a failed read."""
    try:
        watts = np.array(texts).astype(float)
    except ValueError:
        return None
    return None if np.isinf(watts).any() or "_" in "".join(texts) else watts


def _wrong_rows(text, shown):
    problems = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.startswith("Time"):
            continue
        row = _ROW.match(line)
        if row is None:
            problems.append(Problem("a row of another form, or cut short", file=shown, line=number, value=line,
                                    allowed=f"Time,{TIME_FORM},Watts,310.0,..."))
        elif _stamps([row[1]]) is None:
            problems.append(Problem("not a time", file=shown, line=number, field="Time", value=row[1], allowed=TIME_FORM))
        elif _numbers([row[2]]) is None:
            problems.append(Problem("not a number", file=shown, line=number, field="Watts", value=row[2], allowed=WATTS_FORM))
    more = len(problems) - _NAMED
    return problems[:_NAMED] + ([Problem(f"and {more} more such rows", file=shown)] if more > 0 else [])


def _parts(text, watts):
    """Number of channels, rows whose channels do not add up to the total, and by how much at most."""
    first = text[_ROW.search(text).start():].split("\n", 1)[0]
    pattern = _ANALYZER if _ANALYZER.search(first) else _CHANNEL
    channels = len(pattern.findall(first))
    if not channels:
        return 1, 0, 0.0
    parts = _numbers(pattern.findall(text))
    if parts is None or parts.size != channels * watts.size:
        return channels, 0, 0.0  # rows of several forms: only the totals are used
    parts = parts.reshape(-1, channels)
    read = (watts > 0) & ~(np.isnan(parts) | (parts == -1) | (parts == -2)).any(axis=1)
    apart = np.abs(watts - parts.sum(axis=1))[read]
    far = apart > _PARTS_DIFFER * watts[read]
    return channels, int(far.sum()), float(apart.max(initial=0.0))
