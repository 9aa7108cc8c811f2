"""Rows of a meter's log that all have the usual form, read at once; any other log is left to `power_log`."""

import re

import numpy as np

from joulebook.intake.mlperf.logs.text import MOST_W

_HEAD = b"Time,00-00-0000 00:00:00.000,Watts,"  # digits stand for any digit
_NUMBER = 15  # characters of a number: more digits would not be exact
_ROW = len(_HEAD) + _NUMBER
_LEAST = np.frombuffer(_HEAD, np.uint8)
_SPAN = np.where(ord("0") == _LEAST, np.uint8(9), np.uint8(0))  # a digit is any digit, a sign itself
# Weights of the digits MMDDYYYYhhmmssfff for the columns MMDD, YYYY, hour, minute, and milliseconds of the minute.
_STAMP = slice(5, 28)
_DIGITS = np.flatnonzero(_SPAN[_STAMP])
_WEIGHTS = np.zeros((23, 5), np.float32)  # whole numbers below 2**24 are exact
_WEIGHTS[_DIGITS[:4], 0] = 1e3, 1e2, 1e1, 1
_WEIGHTS[_DIGITS[4:8], 1] = 1e3, 1e2, 1e1, 1
_WEIGHTS[_DIGITS[8:10], 2] = 10, 1
_WEIGHTS[_DIGITS[10:12], 3] = 10, 1
_WEIGHTS[_DIGITS[12:], 4] = 1e4, 1e3, 1e2, 1e1, 1
_LIMITS = np.array([1231.0, 9999, 23, 59, 59999])
_US = np.array([3.6e9, 6e7, 1e3])
_POINT = (ord(".") - ord("0")) % 256
_ODD = 16  # numbers of another length, which are converted one by one
_FEW = 50  # rows of another kind; a log with more of them is no usual one
_FIRST = np.zeros(1, np.intp)
_NONE = np.zeros((0, 0))
_ANALYZER = b",Analyzer"
_SPLIT = (b",Ch", _ANALYZER)
_PART = 26  # characters from the name of a channel on: Ch12,Watts, and a number with its comma
_CHANNEL = re.compile(rb",Ch\d+")


def read(data, channels=True):
    """Times and total power of a log, where every row that starts with ``Time`` has the usual form.

    Parameters
    ----------
    data : bytes
        Content of the file.
    channels : bool
        Whether the channels beside the total are read.

    Returns
    -------
    (times, watts, others, parts) or None
        Time stamps as datetime64[us], power [W], rows of another kind, and the power of each channel [W], shape (n, channels):
        an empty array where there is only the total, None where rows hold channels that are not all of one form. None for all
        where a row is unusual, wrong or missing, or the file is not plain text.

    Notes
    -----
    A number of up to 14 digits and its power of ten are exact, so their quotient is the number nearest to the text, as
    `float` gives it.

    Examples
    --------
    >>> row = b"Time,03-01-2024 10:00:00.250,Watts,310.500000,Ch1,Watts,10.5,Volts,230.0,Ch2,Watts,300.0,Volts,230.0\\n"
    >>> times, watts, others, parts = read(row)
    >>> times[0].item().isoformat(), watts[0].item(), others, parts.tolist()
    ('2024-03-01T10:00:00.250000', 310.5, 0, [[10.5, 300.0]])
    """
    if not data.isascii() or b"\x00" in data or (b"\r" in data and data.count(b"\r") != data.count(b"\r\n")):
        return None
    buffer, last = np.frombuffer(data, np.uint8), []
    starts = np.concatenate((_FIRST, np.flatnonzero(buffer == ord("\n")) + 1))
    while starts.size and starts[-1] + _ROW > buffer.size:
        last.append(int(starts[-1]))
        starts = starts[:-1]
    timed = buffer[starts] == ord("T")
    if not timed.all():
        last += starts[~timed].tolist()
        starts = starts[timed]
    others = _others(data, last)
    if others is None or not starts.size:
        return None
    rows = _windows(data, _ROW)[starts]
    times, watts = _times(rows), None
    if times is not None:
        begin = starts + len(_HEAD)
        length = (rows[:, len(_HEAD):] == ord(",")).argmax(axis=1)  # 0: no comma so near, or nothing before it
        watts = _numbers(data, begin, length) if length.all() else None
    if watts is None:
        return None
    return times, watts, others, _parts(data, buffer, starts) if channels and any(sign in data for sign in _SPLIT) else _NONE


def _windows(data, length):
    """All runs of so many bytes, without a copy."""
    return np.ndarray((len(data) - length + 1, length), np.uint8, data, strides=(1, 1))


def _others(data, starts):
    """Number of rows of another kind; None where there are many, or one of them may be a row cut short."""
    if len(starts) > _FEW:
        return None
    ends = [data.find(b"\n", start) for start in starts]
    lines = [data[start:len(data) if end < 0 else end].removesuffix(b"\r") for start, end in zip(starts, ends, strict=True)]
    return None if any(line.startswith(b"Time") for line in lines) else sum(map(bool, lines))


def _times(rows):
    """Time stamps of rows, or None where one has another form or does not exist."""
    digits = rows[:, :len(_HEAD)] - _LEAST
    if (digits > _SPAN).any():
        return None
    columns = digits[:, _STAMP].astype(np.float32) @ _WEIGHTS
    if (columns.max(axis=0) > _LIMITS).any():
        return None
    columns = columns.astype(float)
    dates, since = columns[:, 1] * 1e4 + columns[:, 0], columns[:, 2:] @ _US
    try:
        if (dates == dates[0]).all():
            days = _day(dates[0])
        else:
            different, place = np.unique(dates, return_inverse=True)
            days = np.array([_day(date) for date in different])[place]
    except ValueError:  # no such date
        return None
    return days + since.astype("timedelta64[us]")


def _day(date):
    text = f"{int(date):08d}"
    return np.datetime64(f"{text[:4]}-{text[4:6]}-{text[6:]}", "us")


def _parts(data, buffer, starts):
    """Power of the channels of each row, or None where rows are not all of one form, or name analyzers."""
    labels = (buffer[:-1] == ord("C")) & (buffer[1:] == ord("h"))
    begins = np.flatnonzero(labels)
    if _ANALYZER in data or begins.size % starts.size or not begins.size:
        return None
    begins = begins.reshape(starts.size, -1)
    lines = np.append(np.flatnonzero(buffer == ord("\n")), buffer.size)
    ends = lines[np.searchsorted(lines, starts)]  # a row of another kind after one may name channels, too
    if (begins[:, 0] < starts).any() or (begins[:, -1] > ends).any() or begins[-1, -1] + _PART > buffer.size:
        return None
    columns = []
    for column in begins.T:
        name = data[column[0] - 1:data.find(b",", column[0])]  # with the comma before it
        label = np.frombuffer(name + b",Watts,", np.uint8)
        begin = column - 1 + label.size
        length = (_windows(data, _NUMBER)[begin] == ord(",")).argmax(axis=1)
        if (_windows(data, label.size)[column - 1] != label).any() or not _CHANNEL.fullmatch(name) or not length.all():
            return None
        columns.append(_numbers(data, begin, length))
    return None if any(part is None for part in columns) else np.stack(columns, axis=1)


def _numbers(data, starts, length):
    """Numbers of so many characters, or None where one is no number; up to 14 digits are exact, others are left to float."""
    # The characters ordered by their distance from the end, so that digits of one power stand in one column.
    other = np.flatnonzero(length != length[0])
    width = int(length.max()) if other.size > _ODD else int(length[0])
    digits = _windows(data, width)[starts + length - width] - np.uint8(ord("0"))
    usual = digits <= 9
    if other.size > _ODD:
        inside = width - length[:, None] <= np.arange(width)
        usual |= ~inside
        digits *= inside
    text = data[starts[0]:starts[0] + length[0]]
    decimals = len(text) - 1 - text.rfind(b".") if b"." in text else 0
    places = 10.0 ** np.arange(width - 1, -1, -1)
    if decimals:
        column = width - 1 - decimals
        places[:column] = places[1:column + 1]
        places[column] = 0.0
        usual[:, column] = digits[:, column] == _POINT
        if length.min() < decimals + 2:
            usual[:, column] &= length > decimals + 1  # .5 is left to float
    if other.size <= _ODD:
        usual[other] = False
    watts = digits.astype(float) @ places
    if decimals:
        watts /= 10.0 ** decimals
    odd = [] if usual.all() else np.flatnonzero(~usual.all(axis=1)).tolist()
    for row in odd:  # failed reads: -2.000000, nan
        text = data[starts[row]:starts[row] + length[row]]
        try:
            watts[row] = float(text)
        except ValueError:
            return None
        if b"_" in text or text != text.strip():  # float takes both; a line that ends here is none of its number
            return None
    return None if (np.abs(watts) > MOST_W).any() else watts
