"""The log of an MLPerf run's power meter, ``spl.txt``."""

import re
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.logs import regular_rows
from joulebook.intake.mlperf.logs.text import MOST_W, STAMP, TIME_FORM, decoded

WATTS_FORM = f"a number of watts, at most {MOST_W:g}; a failed read is -1, -2 or nan"
_NAMED = 10  # wrong rows that are named one by one
_ROW = re.compile(r"^Time,([^,\n]*),Watts,([^,\n]*)", re.MULTILINE)
_CHANNEL = re.compile(r",Ch\d+,Watts,([^,\n]*)")
_ANALYZER = re.compile(r",Analyzer\d+,(?:Time,[^,\n]*,)?Watts,([^,\n]*)")
_MARK = re.compile(rb",Mark,([^,\r\n]*)")
_VOLTS = re.compile(rb",Volts,([^,\r\n]*)")
_PARTS_DIFFER = 0.01  # share of the total from which its parts count as not adding up
_ISO = [6, 7, 8, 9, 2, 0, 1, 2, 3, 4, 10, *range(11, 23)]  # characters of TIME_FORM in the order of ISO 8601


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
    apart_words : str
        Of the row that is furthest apart: its total, the sum of its parts, and the channel whose sign is wrong.
    """

    times: np.ndarray
    watts: np.ndarray
    other_rows: int = 0
    channels: int = 1
    apart: int = 0
    apart_words: str = ""


def parse_power_log(data, shown, channels=True):
    """Read a meter's log (``spl.txt``): the first Watts field of each row is the total.

    Parameters
    ----------
    data : bytes
        Content of the file; lines end with LF or CRLF.
    shown : str
        How the user named the file.
    channels : bool
        Whether channels are added up and compared with the total; else they are counted, in the first row.

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
    usual = regular_rows.read(data, channels)
    if usual is not None:
        times, watts, others, parts = usual
        if not channels:
            first = 0 if data.startswith(b"Time,") else data.find(b"\nTime,") + 1
            return PowerLog(times, watts, others, _count(data[first:data.find(b"\n", first)].decode("ascii"))[1] or 1)
        if parts is None:
            return PowerLog(times, watts, others, *_parts(decoded(data, shown), watts))
        return PowerLog(times, watts, others, *(_compared(watts, parts) if parts.size else ()))
    text = decoded(data, shown)
    rows = _ROW.findall(text)
    timed = text.count("\nTime") + text.startswith("Time")
    if not timed:
        raise InputError(Problem("no row starts with Time", file=shown, allowed=f"rows such as Time,{TIME_FORM},Watts,310.0,..."))
    stamps, numbers = [row[0] for row in rows], [row[1] for row in rows]
    times, watts = _stamps(stamps), _numbers(numbers)
    if len(rows) != timed or times is None or watts is None:
        raise InputError(_wrong_rows(text, shown))
    filled = len(list(filter(None, text.split("\n"))))
    counted = _parts(text, watts)
    return PowerLog(times, watts, filled - timed, *(counted if channels else counted[:1]))


def marks(data):
    """Marks of a meter's log, such as ``2024-03-01_10-00-00_testing``: the measurement that its rows belong to.

    Examples
    --------
    >>> marks(b"Time,03-01-2024 10:00:00.000,Watts,310.0,Mark,a_testing,Ch1,Watts,310.0\\n")
    ['a_testing']
    """
    return sorted({mark.decode("utf-8", "replace") for mark in _MARK.findall(data)})


def volts(data):
    """Voltages of the first rows that report one. [V]

    Examples
    --------
    >>> volts(b"Time,03-01-2024 10:00:00.000,Watts,310.0,Volts,-1.0,Amps,-1.0,Analyzer1,Time,x,Watts,310.0,Volts,230.5\\n")
    [230.5]
    """
    numbers = _numbers([text.decode("ascii", "replace") for text in _VOLTS.findall(data[:20000])])
    return [] if numbers is None else [volt for volt in numbers.tolist() if volt > 0]


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
        if not all(map(STAMP.fullmatch, texts)):
            return None
        return np.array([datetime.strptime(text, "%m-%d-%Y %H:%M:%S.%f") for text in texts], dtype="datetime64[us]")
    except ValueError:  # a date that does not exist, a character that is no ASCII
        return None


def _numbers(texts):
    """Numbers of watts, or None where one is wrong; nan is a failed read."""
    try:
        watts = np.array(texts).astype(float)
    except ValueError:
        return None
    return None if (np.abs(watts) > MOST_W).any() or "_" in "".join(texts) else watts


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
    """Number of channels, rows whose channels do not add up to the total, and how the furthest of them reads."""
    pattern, channels = _count(text[_ROW.search(text).start():].split("\n", 1)[0])
    if not channels:
        return 1, 0, ""
    parts = _numbers(pattern.findall(text))
    if parts is None or parts.size != channels * watts.size:
        return channels, 0, ""  # rows of several forms: only the totals are used
    return _compared(watts, parts.reshape(-1, channels))


def _count(row):
    """The form of the channels of a row, and their number."""
    pattern = _ANALYZER if _ANALYZER.search(row) else _CHANNEL
    return pattern, len(pattern.findall(row))


def _compared(watts, parts):
    """Number of channels, valid rows that they do not add up to, and how the furthest of these reads."""
    apart = np.abs(watts - parts.sum(axis=1))
    far = apart > _PARTS_DIFFER * watts  # nan is no difference
    if far.any():
        far &= (watts > 0) & ~(np.isnan(parts) | (parts == -1) | (parts == -2)).any(axis=1)
    count = int(far.sum())
    return parts.shape[1], count, _furthest(watts, parts, int(np.where(far, apart, 0.0).argmax())) if count else ""


def _furthest(watts, parts, row):
    """A row whose channels do not add up, in words."""
    total, channels = watts[row], parts[row]
    words = f"first Watts {total:g}, channels {channels.sum():g}, {abs(total - channels.sum()):g} W apart"
    turned = np.abs(channels.sum() - 2 * channels - total) <= _PARTS_DIFFER * total
    if turned.any():
        odd = int(turned.argmax())
        return f"{words}: channel {odd + 1} reads {channels[odd]:g} W, look at its sign"
    return words
