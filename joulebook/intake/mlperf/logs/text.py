"""Text of a log, and the form of its time stamps."""

import re

from joulebook.errors import InputError, Problem

TIME_FORM = "MM-DD-YYYY hh:mm:ss.fff"
STAMP = re.compile(r"[0-9]{2}-[0-9]{2}-[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{1,6}")  # strptime takes fewer digits too
MOST_W = 1e9  # what is above is no power of a system, such as the 9.91e37 by which meters say that they have no reading
WIDE = (b"\xff\xfe", b"\xfe\xff")  # marks of UTF-16


def decoded(data, shown, errors="strict"):
    """Text of a log in UTF-8, lines ended by LF; an InputError for anything else."""
    if b"\x00" in data or data.startswith(WIDE):
        raise InputError(Problem("no text in UTF-8: binary, or UTF-16", file=shown))
    try:
        text = data.decode("utf-8-sig", errors)
    except UnicodeDecodeError as error:
        raise InputError(Problem("not UTF-8", file=shown, line=data.count(b"\n", 0, error.start) + 1,
                                 value=data[error.start:error.start + 1])) from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
