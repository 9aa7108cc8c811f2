"""Lines of ``:::MLLOG`` records with their times, as training logs hold them."""

import json
import math
from dataclasses import dataclass

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.logs.detail_log import SIGN
from joulebook.intake.mlperf.logs.text import WIDE

_DECODE = json.JSONDecoder().raw_decode
_MS = 1000.0


@dataclass(frozen=True)
class Event:
    """One record.

    Parameters
    ----------
    key : str
        What it is about.
    value : object
        Its value.
    time_s : float
        Its time since 1970. [s]
    line : int
        Line it stands in.
    metadata : dict
        What it says beside.
    """

    key: str
    value: object
    time_s: float
    line: int
    metadata: dict


def parse_events(data, shown, keys):
    r"""Records of some keys in a log, in the order of its lines.

    Parameters
    ----------
    data : bytes
        Content of the file; other text may precede the sign of a record, such as the rank ``0: ``.
    shown : str
        How the user named the file.
    keys : iterable of str
        Keys that are wanted.

    Returns
    -------
    list of Event
        The records.

    Raises
    ------
    InputError
        If the file is no text, or a record of these keys is no JSON or has no time, naming the line; all of them at once.

    Examples
    --------
    >>> (event,) = parse_events(b'0: :::MLLOG {"key": "run_start", "time_ms": 1500}\n', "result_0.txt", ["run_start"])
    >>> event.key, event.time_s, event.line
    ('run_start', 1.5, 1)
    """
    if b"\x00" in data or data.startswith(WIDE):
        raise InputError(Problem("no text in UTF-8: binary, or UTF-16", file=shown))
    names = [f'"{key}"'.encode() for key in keys]
    events, wrong = [], []
    for number, line in enumerate(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"), start=1):
        if not any(name in line for name in names):
            continue
        sign = line.find(SIGN)
        start = line.find(b"{", sign)
        if sign < 0:
            continue
        try:
            record, _ = _DECODE(line[start:].decode("utf-8", "replace") if start >= 0 else "")
            key, time_s = record["key"], float(record["time_ms"]) / _MS
            if not math.isfinite(time_s) or not 0 <= time_s < 1e11:
                raise ValueError
            metadata = record.get("metadata")
        except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
            wrong.append(Problem("no record with key and time", file=shown, line=number,
                                 value=line[:80].decode("utf-8", "replace"),
                                 allowed=f'{SIGN.decode()} {{"key": ..., "time_ms": ...}}'))
            continue
        if key in keys:
            events.append(Event(key, record.get("value"), time_s, number, metadata if isinstance(metadata, dict) else {}))
    if wrong:
        more = [Problem(f"and {len(wrong) - 10} more such lines", file=shown)] if len(wrong) > 10 else []
        raise InputError(wrong[:10] + more)
    return events
