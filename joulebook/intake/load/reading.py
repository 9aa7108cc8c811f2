"""JSON of load generators: parsed strictly, and its numbers taken out with every problem noted."""

import json
import math

import numpy as np

from joulebook.errors import InputError, Problem, Problems

LISTED = 20  # problems of a file that are listed; the rest is counted
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "seconds": 1.0}
SEEN_AS_EPOCH_NS = 10**18  # 2001-09-09: nanoseconds since 1970 are told by their size from those of a counter
_EPOCH_NS = (SEEN_AS_EPOCH_NS, 7_258_118_400 * 10**9)  # to 2200-01-01
_LARGEST = 2**53  # whole numbers above it are no longer exact


class Repeated(ValueError):
    """A key that an object has twice: one of its values would be lost."""


def parse(text):
    """A JSON text as plain values; `ValueError` where it is none, or an object has a key twice."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _once(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise Repeated(f"the key {next(name for name in names if names.count(name) > 1)!r} is there twice in an object")
    return found


class Source:
    """A file whose problems are gathered, so that all are told at once.

    Parameters
    ----------
    shown : str
        How the user named the file.
    """

    def __init__(self, shown):
        self.shown, self.found = shown, Problems()

    def note(self, what, field=None, line=None, **more):
        """Note a problem; keywords as in `Problem`."""
        self.found.add(what, file=self.shown, field=field, line=line, **more)

    def stop(self):
        """Raise `InputError` with what was noted, the first problems by name and the rest counted."""
        more = len(self.found) - LISTED
        if more > 0:
            raise InputError([*self.found[:LISTED], Problem(f"and {more} more", file=self.shown)])
        self.found.stop()

    def number(self, values, key, low=0.0, above=None, whole=False, needed=False, scale=1.0, at="", line=None):
        """Number of a key of an object in SI units; None where it is absent or null, or was noted as wrong."""
        value = values.get(key)
        name = f"{at}.{key}" if at else key
        if value is None:
            if needed:
                self.note("missing", name, line, allowed=_allowed(low, above, whole))
            return None
        if not _right(value, low, above, whole):
            self.note(_what(value, whole), name, line, value=value, allowed=_allowed(low, above, whole))
            return None
        return int(value) if whole else value * scale

    def numbers(self, values, key, low=0.0, whole=False, length=None):
        """A list of numbers as an array; None where the key is absent, or was noted as wrong."""
        listed = values.get(key)
        if listed is None:
            return None
        if not isinstance(listed, list) or (length is not None and len(listed) != length):
            found = f"{len(listed)} entries" if isinstance(listed, list) else type(listed).__name__
            self.note("not a list with one entry for each request", key, value=found,
                      allowed="a list" if length is None else f"a list of {length} numbers")
            return None
        if set(map(type, listed)) <= {int, float}:
            try:
                array = np.array(listed, float)
            except OverflowError:
                array = np.full(len(listed), np.inf)
            wrong = ~np.isfinite(array) | (array < low) | (np.abs(array) > _LARGEST)
            if whole:
                wrong |= array != np.trunc(array)
            if not wrong.any():
                return array
        else:
            wrong = np.array([not _right(value, low, None, whole) for value in listed], bool)
        for place in np.flatnonzero(wrong):
            self.note(_what(listed[place], whole), f"{key}[{place}]", value=listed[place], allowed=_allowed(low, None, whole))
        return None

    def epoch(self, value, name, line=None):
        """Nanoseconds since 1970 as a whole number; None where it was noted as wrong."""
        if type(value) is not int or not _EPOCH_NS[0] <= value < _EPOCH_NS[1]:
            self.note("no time of the calendar", name, line, value=value, allowed="nanoseconds since 1970 in UTC, a whole number")
            return None
        return value

    def inside(self, values, key, kind=dict, line=None):
        """The object or list of a key; an empty one where it was noted as missing or another kind."""
        value = values.get(key) if isinstance(values, dict) else None
        if not isinstance(value, kind):
            self.note("missing" if value is None else f"not {_KINDS[kind]}", key, line, value=value, allowed=_KINDS[kind])
            return kind()
        return value


_KINDS = {dict: "an object", list: "a list", str: "a text"}


def from_epoch(*times_ns):
    """Times in ns since 1970, None where not known, as seconds from the first; and that first one in UTC.

    Parameters
    ----------
    *times_ns : lists of int or None
        Times of the same requests; the origin is the first of all of them.

    Returns
    -------
    (list of ndarray of float, numpy.datetime64)
        Seconds, exact to the nanosecond in runs of up to a hundred days; nan where not known. [s]
    """
    first = min((time for times in times_ns for time in times if time is not None), default=0)
    seconds = [np.array([np.nan if time is None else (time - first) * 1e-9 for time in times], float) for times in times_ns]
    return seconds, np.datetime64(first, "ns")


def plain(text, most=80):
    """Text of a file as it may be shown anywhere: one short line without control characters.

    Examples
    --------
    >>> plain("Server\\x1b[2J")
    'Server?[2J'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in str(text)[:most])


def _right(value, low, above, whole):
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > _LARGEST or not math.isfinite(value):
        return False
    if low is not None and value < low:
        return False
    return (above is None or value > above) and not (whole and value != int(value))


def _what(value, whole):
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "not a number"
    return "not an allowed number" if not whole else "not an allowed whole number"


def _allowed(low, above, whole):
    limits = [f"at least {low:g}" if low is not None and above is None else "", f"above {above:g}" if above is not None else ""]
    return ", ".join(["a whole number" if whole else "a finite number", *filter(None, limits)])
