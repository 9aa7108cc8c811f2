"""The load generator's detail log of an MLPerf run, ``mlperf_log_detail.txt``: values by key, looked up where they stand."""

import json
import re

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.logs.text import STAMP, TIME_FORM, WIDE

SIGN = b":::MLLOG"
_KEY = re.compile(rb'"key"\s*:\s*"([^"]+)"')
_USUAL = frozenset(
    b"""power_begin power_end effective_scenario loadgen_version result_validity result_query_count result_samples_per_second
    result_tokens_per_second result_scheduled_samples_per_sec result_completed_samples_per_sec result_completed_tokens_per_second
    result_qps_with_loadgen_overhead result_qps_without_loadgen_overhead generated_query_count generated_samples_per_query
    early_stopping_latency_ss early_stopping_latency_ms result_mean_query_latency_ns result_90.00_percentile_latency_ns
    result_99.00_percentile_latency_ns result_99.00_percentile_per_query_latency_ns""".split())  # keys that results are made of
_HEADS = sorted({key.partition(b"_")[0] for key in _USUAL})  # told apart by their first words, most keys are passed over at once
_TAILS = {head: b"|".join(sorted(re.escape(key[len(head):]) for key in _USUAL if key.startswith(head + b"_"))) for head in _HEADS}
_USUAL_KEY = re.compile(rb'"key"\s*:\s*"(' + b"|".join(head + b"(?:" + _TAILS[head] + b")" for head in _HEADS) + b')"')
_LEAST, _MOST = 1e-12, 1e18  # no count, rate or latency [ns] of a run is smaller or larger
_DECODE = json.JSONDecoder().raw_decode


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
    if b"\x00" in data or data.startswith(WIDE):
        raise InputError(Problem("no text in UTF-8: binary, or UTF-16", file=shown))
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if SIGN not in data:
        raise InputError(Problem(f"no line holds {SIGN.decode()}: no detail log of the load generator", file=shown))
    return DetailLog(data, shown)


class DetailLog:
    """Values of a load generator's detail log, looked up as they are asked for.

    Parameters
    ----------
    data : bytes
        Content of the file, lines ended by LF.
    shown : str
        How the user named the file.
    """

    def __init__(self, data, shown):
        self.shown = shown
        self._data = data
        self._found, self._all, self._index = {}, None, {False: None, True: None}

    @property
    def values(self):
        """First value of every key that can be read, and its line, by key."""
        if self._all is None:
            self._all = {key: self._value(key) for key in dict.fromkeys(self._keys())}
        return {key: found for key, found in self._all.items() if found is not None}

    def has(self, key):
        """Whether a key has a value."""
        return self._look_up(key)[0] is not None

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
            if STAMP.fullmatch(value):
                return np.datetime64(f"{value[6:10]}-{value[:2]}-{value[3:5]}T{value[11:]}", "us")
        except ValueError:  # a date that does not exist
            pass
        raise self._wrong(key, TIME_FORM, "not a time")

    def number(self, key, whole=False, positive=True):
        """Number of a key, also where it is quoted; an InputError where it is missing or not allowed."""
        value = self._due(key)
        allowed = f"a{' whole' if whole else ''} number{' above 0' if positive else ''}"
        if isinstance(value, str):
            try:
                value = float(value)
            except ValueError:
                raise self._wrong(key, allowed, "not a number") from None
        good = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _MOST
        if not good or (positive and value < _LEAST) or (whole and value != int(value)):
            raise self._wrong(key, allowed, "not allowed")
        return int(value) if whole or isinstance(value, int) else value

    def number_if_any(self, key):
        """Number of a key that may be missing; None where it is, or where nothing was counted (0)."""
        if self._look_up(key)[0] in (None, 0):
            return None
        return self.number(key)

    def line(self, key):
        """Line that the value of a key stands in, counted from 1; None where it has none."""
        place = self._look_up(key)[1]
        return None if place is None else self._data.count(b"\n", 0, place) + 1

    def count(self, key):
        """How often a key occurs."""
        return sum(1 for _ in self._places(key))

    def _keys(self):
        """Keys of all records, in the order of the lines."""
        for line in self._data.split(b"\n"):
            sign = line.find(SIGN)
            named = _KEY.search(line, sign) if sign >= 0 else None
            if named is not None:
                yield named.group(1).decode("utf-8", "replace")

    def _value(self, key):
        """Value of a key and its line; None where no line of it can be read."""
        value, _ = self._look_up(key)
        return None if value is None and not self._has_record(key) else (value, self.line(key))

    def _look_up(self, key):
        """First value of a key that can be read and where it stands; else None and where the first broken line begins."""
        if key not in self._found:
            self._found[key] = self._read(key)
        return self._found[key]

    def _read(self, key):
        broken = None
        for begin, line, sign in self._places(key):
            try:
                start = line.find(b"{", sign)
                record, _ = _DECODE(line[start:].decode("utf-8", "replace") if start >= 0 else "")
                if isinstance(record, dict):
                    return record.get("value"), begin
            except (ValueError, RecursionError):
                pass
            broken = begin if broken is None else broken
        return None, broken

    def _places(self, key):
        """Lines of a key: their begin, their text and where the sign stands in it."""
        data, name = self._data, key.encode()
        index = self._indexed(name in _USUAL)
        for at in index.get(name, ()):
            begin = data.rfind(b"\n", 0, at) + 1
            end = data.find(b"\n", at)
            line = data[begin:] if end < 0 else data[begin:end]
            sign = line.find(SIGN)
            named = _KEY.search(line, sign) if sign >= 0 else None
            if named is not None and named.start() == at - begin:
                yield begin, line, sign

    def _indexed(self, usual):
        """Where keys stand: the usual ones in one quick pass, all of them where another is asked for."""
        if self._index[usual] is None:
            found = {}
            for match in (_USUAL_KEY if usual else _KEY).finditer(self._data):
                found.setdefault(match[1], []).append(match.start())
            self._index[usual] = found
        return self._index[usual]

    def _due(self, key):
        value, place = self._look_up(key)
        if value is None:
            empty = place is not None and self._has_record(key)
            what = f"{key} is missing" if place is None or empty else f"the line of {key} is no JSON"
            raise InputError(Problem(what, file=self.shown, line=None if empty else self.line(key), field=key,
                                     allowed=f'{SIGN.decode()} {{"key": "{key}", "value": ...}}'))
        return value

    def _has_record(self, key):
        """Whether the first line of a key that can be read says null."""
        _, place = self._look_up(key)
        line = self._data[place:].split(b"\n", 1)[0]
        try:
            record, _ = _DECODE(line[line.find(b"{"):].decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return False
        return isinstance(record, dict)

    def _wrong(self, key, allowed, what="not allowed"):
        return InputError(Problem(what, file=self.shown, line=self.line(key), field=key, value=self._look_up(key)[0],
                                  allowed=allowed))
