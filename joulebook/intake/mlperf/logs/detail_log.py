"""The load generator's detail log of an MLPerf run, ``mlperf_log_detail.txt``."""

import json
import re
import sys
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.logs.text import TIME_FORM, decoded

_KEY = re.compile(r'"key"\s*:\s*"([^"]+)"')
_SIGN = ":::MLLOG"


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
    for number, line in enumerate(decoded(data, shown, errors="replace").split("\n"), start=1):
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
        good = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
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
