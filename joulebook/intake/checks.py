"""Checks of values against the dictionary; the same for a client's file and for a notebook's cell."""

import math
import re
import unicodedata
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache

from joulebook.errors import InputError, Problem, near
from joulebook.inputs import RANGES, Input
from joulebook.results import CHOICES, EVIDENCE, LABELS, Labels
from joulebook.units import NUMBER, hint, parse_quantity

LONGEST_SOURCE = 1000  # characters of a source
CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]"  # a time of the day
SOURCED = ("measured", "published", "quoted")  # claims that rest on something that can be named
_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:Z|[+-][0-9]{2}:[0-9]{2})")
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATE_ALLOWED = "a date, such as 2026-03-31"


def refuse(what, **place):
    """Raise `InputError` with one problem; keywords as in `Problem`."""
    raise InputError(Problem(what, **place))


def attempt(found, function, *args, **place):
    """Result of a check, or None with its problems added to `found`."""
    try:
        return function(*args, **place)
    except InputError as error:
        found.extend(error.problems)
        return None


def attempt_at(place, found, function, *args, **values):
    """As `attempt`, of what the method would refuse: known before anything runs, and told at the place of the file it is about.

    Parameters
    ----------
    place : dict
        The place of all its problems, as keywords of `Problem`.
    found : Problems
        Takes what is wrong.
    function : callable
        A function of the method.
    *args, **values
        Its arguments.
    """
    mine = []
    made = attempt(mine, function, *args, **values)
    found.extend(replace(problem, **place) for problem in mine)
    return made


def check_value(parameter, value, **place):
    """Check one value against its row of the dictionary.

    Parameters
    ----------
    parameter : Parameter
        The row.
    value : object
        The value found; a numpy scalar counts as the plain value it holds.
    **place
        Where it stands, for the error: file, line, field.

    Returns
    -------
    float, int or str
        The value in the unit of the dictionary: a float for numbers, ISO text for dates.

    Raises
    ------
    InputError
        If it is of another kind, not finite, or outside the limits.
    """
    value = plain(value)
    if value is None:
        _refuse("empty: no value", parameter, None, place)
    if isinstance(value, (dict, list, tuple)) or getattr(value, "shape", ()) != ():
        _refuse("several values where one is due", parameter, value, place)
    return _KINDS[parameter.kind](parameter, value, place)


def plain(value):
    """The plain value that a numpy scalar holds; anything else as it is.

    Examples
    --------
    >>> import numpy as np
    >>> plain(np.int64(3)), plain("3")
    (3, '3')
    """
    return value.item() if getattr(value, "shape", None) == () and hasattr(value, "item") else value


def check_entry(parameter, entry, place, found, prepared=None, complete=True, check=check_value):
    """Check a value with its range, source and evidence.

    Parameters
    ----------
    parameter : Parameter
        The row of the dictionary.
    entry : dict
        Any of value, low, high, range_is, source, evidence, as_of, expires, given, plausible, and of a run's record expired and
        used_because.
    place : callable
        Gives the place of a key of the entry, as keywords of `Problem`.
    found : Problems
        Takes what is wrong.
    prepared : str, optional
        Date after which nothing can have been true yet.
    complete : bool
        False where a key was refused before: then what rests on several keys is not judged.
    check : callable
        Checks the value and each end of its range, as `check_value` does.

    Returns
    -------
    Input or None
        None where anything is wrong.
    """
    before = len(found)
    evidence = entry.get("evidence", "assumed")
    ends = [key for key in ("low", "high") if key in entry]
    if ends and parameter.kind != "number":
        found.add(f"no range for a parameter of this kind ({parameter.kind})", **place(ends[0]), allowed="a value alone")
        ends = []
    values = {key: attempt(found, check, parameter, entry[key], **place(key)) for key in ("value", *ends) if key in entry}
    for key, choices in (("evidence", EVIDENCE), ("range_is", RANGES)):
        if key in entry:
            attempt(found, check_choice, entry[key], choices, **place(key))
    if "source" in entry:
        attempt(found, check_text, entry["source"], LONGEST_SOURCE, **place("source"))
    as_of = _as_of(entry["as_of"], prepared, place("as_of"), found) if "as_of" in entry else None
    expires = _expires(entry["expires"], as_of, place("expires"), found) if "expires" in entry else None
    if complete and evidence in SOURCED and not entry.get("source"):
        found.add(f"{evidence}, but without its source", **place("source"), allowed="where the value comes from")
    range_is = entry.get("range_is", "u95" if evidence == "measured" else "limits")
    if complete and len(found) == before:
        _check_range(values, range_is, "range_is" in entry, place, found)
    if len(found) > before or not complete or "value" not in values:
        return None
    return Input(values["value"], parameter.unit, values.get("low"), values.get("high"), range_is, entry.get("source", ""),
                 evidence, as_of, entry.get("given", True), expires, bool(entry.get("expired")), entry.get("used_because", ""),
                 entry.get("plausible", ""))


def default_input(parameter):
    """What the dictionary assumes where nothing is given; None where it assumes nothing."""
    if parameter.default is None:
        return None
    # A file that stands in for one that is not given holds what others published; its source says who.
    evidence = "published" if parameter.kind == "file" else "assumed"
    return Input(parameter.default, parameter.unit, source=parameter.source, evidence=evidence, given=False)


def check_choice(value, choices, **place):
    """Check that a value is one of several words.

    Raises
    ------
    InputError
        Naming the word that was probably meant.
    """
    if value not in choices or not isinstance(value, str):
        refuse("no such choice", value=value, allowed=" or ".join(choices), near=near(value, choices), **place)
    return value


def check_date(value, **place):
    """Check a date; the same ISO text comes back, whether it was text or a date.

    Raises
    ------
    InputError
        If it is no date of the calendar.
    """
    if type(value) is date:
        return value.isoformat()
    try:
        if isinstance(value, str) and _ISO_DATE.fullmatch(value):
            return date.fromisoformat(value).isoformat()
    except ValueError:
        pass  # such as 2026-02-30
    return refuse("no date of the calendar", value=value, allowed=_DATE_ALLOWED, **place)


def check_text(value, most, lines=False, **place):
    """Check a text: not blank, of bounded length, and all of it visible.

    Parameters
    ----------
    value : object
        The text.
    most : int
        Characters it may have at most.
    lines : bool
        Whether it may have several lines.

    Raises
    ------
    InputError
        If it is no text, or another one than it seems.
    """
    if not isinstance(value, str):
        what = "empty where text is due" if value is None else "no text"
        quotes = "" if isinstance(value, (dict, list)) or value is None else "; a number as text stands in quotes"
        refuse(what, value=value, allowed=f"text{quotes}", **place)
    unseen = (unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") and not (lines and sign in "\n\t") for sign in value)
    if not value.isprintable() and any(unseen):
        allowed = "text without control characters" if lines else "one line of text without control characters"
        refuse("a line break or control character in it", value=value, allowed=allowed, **place)
    if not value.strip() or len(value) > most:
        refuse("too long" if value.strip() else "blank", value=value, allowed=f"1 to {most} characters", **place)
    return value


def within(kind, low=None, above=None, high=None):
    """What a number may be, in words.

    Examples
    --------
    >>> within("a number", above=0, high=1), within("a whole number")
    ('a number, above 0, at most 1', 'a whole number')
    """
    limits = ((low, "at least"), (above, "above"), (high, "at most"))
    return ", ".join([kind, *(f"{word} {limit}" for limit, word in limits if limit is not None)])


def shortened(text, most):
    """A text as long as `check_text` allows; where it is cut, it says so.

    Examples
    --------
    >>> shortened("as it is", 8), shortened("as it is no longer", 8)
    ('as it is', 'as i ...')
    """
    return text if len(text) <= most else f"{text[:most - 4]} ..."


def check_labels(labels, place, found):
    """Check labels that were given.

    Parameters
    ----------
    labels : dict
        Labels by name; None is not stated.
    place : callable
        Gives the place of a label, as keywords of `Problem`.
    found : Problems
        Takes what is wrong.

    Returns
    -------
    Labels
        Those that are right.
    """
    right = {}
    for name, value in labels.items():
        if name not in LABELS:
            found.add("no such label", **place(name), allowed=", ".join(LABELS), near=near(name, LABELS))
        elif value is not None and name in CHOICES:
            right[name] = attempt(found, check_choice, value, CHOICES[name], **place(name))
        elif value is not None:
            right[name] = attempt(found, check_text, value, 500, **place(name))
    return Labels(**right)


def missing(parameters, present, boundary):
    """Required parameters that are not present.

    Parameters
    ----------
    parameters : dict of str to Parameter
        Rows of the topic.
    present : collection of str
        Names that are given.
    boundary : str or None
        Boundary of the power: at the facility no PUE is due.
    """
    return [row for name, row in parameters.items()
            if row.required and name not in present and not (name == "pue" and boundary == "facility")]


def check_together(inputs, labels, place, found):
    """Check what must hold between inputs of a topic.

    Parameters
    ----------
    inputs : dict of str to Input
        Inputs of the topic.
    labels : Labels
        Labels of its figures.
    place : callable
        Gives the place of a parameter, as keywords of `Problem`.
    found : Problems
        Takes what is wrong.
    """
    if labels.boundary == "facility" and "portfolio_csv" not in inputs:  # whose rows have boundaries of their own
        for name in ("pue", "peak_pue"):
            if name in inputs:
                found.add("a PUE on a figure that is already at the facility would count cooling and conversion twice",
                          **place(name), value=inputs[name].value, allowed=f"no {name} where boundary is facility")
    bounds = (("idle_power_w", "active_power_w"), ("residual_value", "capital_cost"),
              ("looser_quality_target_pct", "quality_target_pct"))
    for name, bound in bounds:
        if name in inputs and bound in inputs and inputs[name].value > inputs[bound].value:
            found.add(f"above {bound}", **place(name), value=inputs[name].value, allowed=f"at most {inputs[bound].value}")
    differ = [name for name in ("lost", "gained") if name in inputs]
    items = inputs.get("quality_samples")
    if differ and items is not None and sum(inputs[name].value for name in differ) > items.value:
        found.add("more items differ than there are", **place(differ[0]), value=sum(inputs[name].value for name in differ),
                  allowed=f"at most {items.value}, quality_samples, for lost and gained together")


def _as_of(value, prepared, place, found):
    as_of = attempt(found, check_date, value, **place)
    if as_of and prepared and as_of > prepared:
        found.add("after the day on which the client's file was prepared", **place, value=as_of, allowed=f"at most {prepared}")
    return as_of


def _expires(value, as_of, place, found):
    expires = attempt(found, check_date, value, **place)
    if expires and as_of and expires < as_of:
        found.add("expires before it was true", **place, value=expires, allowed=f"at least {as_of}")
    return expires


def _check_range(values, range_is, stated, place, found):
    low, high, value = (values.get(key) for key in ("low", "high", "value"))
    if low is None and high is None:
        if stated:
            found.add("the kind of a range that is not there", **place("range_is"), allowed="range_is beside low and high")
    elif low is None or high is None:
        there, absent = ("low", "high") if high is None else ("high", "low")
        found.add(f"half a range: {absent} is missing", **place(there), allowed="low and high, or neither")
    elif not low <= value <= high:
        found.add("low, value and high are out of order", **place("value"), value=f"{low}, {value}, {high}",
                  allowed="low <= value <= high")
    elif range_is == "u95" and abs(low + high - 2 * value) > 1e-9 * (high - low) + 4 * math.ulp(max(abs(low), abs(high))):
        found.add("a u95 range that is not symmetric about the value", **place("low"), value=f"{low}, {value}, {high}",
                  allowed="value - low = high - value, or range_is: limits")


def _number(parameter, value, place):
    if isinstance(value, str):
        if not parameter.dimensional:
            why = ": no percent sign; the number alone" if parameter.unit == "%" and "%" in value else _why(value)
            _refuse(f"text where a number is due{why}", parameter, value, place)
        value = parse_quantity(value, parameter.unit, **place)
    _refuse_other_than((int, float), "a number", parameter, value, place)
    if isinstance(value, int) and (abs(value) > 10**308 or int(float(value)) != value):
        _refuse("more digits than a number keeps", parameter, value, place)
    value = float(value)
    if math.isnan(value):
        _refuse("not a number (NaN)", parameter, value, place)
    if math.isinf(value):
        _refuse("infinite", parameter, value, place)
    return _within(parameter, value, place)


def _integer(parameter, value, place):
    if isinstance(value, str):
        _refuse(f"text where a whole number is due{_why(value)}", parameter, value, place)
    if isinstance(value, float) and value.is_integer():
        _refuse(f"not written as a whole number: write {int(value)}", parameter, value, place)
    _refuse_other_than(int, "a whole number", parameter, value, place)
    return _within(parameter, value, place)


def _why(text):
    if re.fullmatch(NUMBER, text):
        return ": a number stands without quotes"
    return hint(text) or (": it takes no unit" if re.match(rf"{NUMBER}\s*[^\W\d_]", text) else "")


def _within(parameter, value, place):
    if not parameter.within(value):
        _refuse("out of limits", parameter, value, place)
    return value


def _refuse_other_than(kinds, due, parameter, value, place):
    if isinstance(value, bool):
        _refuse(f"true or false where {due} is due", parameter, value, place)
    if not isinstance(value, kinds):
        _refuse(f"not {due}", parameter, value, place)


def _file(parameter, value, place):
    return check_text(value, 1000, **place)


def _date(parameter, value, place):
    return check_date(value, **place)


def _time(parameter, value, place):
    if isinstance(value, int) and not isinstance(value, bool):
        _refuse("a number where a time is due: put it in quotes", parameter, value, place)
    _refuse_other_than(str, "a time", parameter, value, place)
    if re.fullmatch(f"{CLOCK}|24:00", value):
        return value
    if not _INSTANT.fullmatch(value):
        _refuse("no time", parameter, value, place)
    try:
        within = 1970 <= datetime.fromisoformat(value).astimezone(UTC).year < 2200  # what nanoseconds can hold
    except (ValueError, OverflowError):
        within = False
    if not within:
        _refuse("no date and time of the calendar", parameter, value, place)
    return value


def _choice(parameter, value, place):
    return check_choice(value, parameter.choices, **place)


def _timezone(parameter, value, place):
    return _known(parameter, value, timezones(), place)


def _currency(parameter, value, place):
    return check_currency(value, **place)


def check_currency(value, **place):
    """Check a code of ISO 4217.

    Raises
    ------
    InputError
        If it is none.
    """
    from babel.numbers import list_currencies

    known = list_currencies()
    if not isinstance(value, str) or value not in known:
        refuse("no currency", value=value, allowed="a code of ISO 4217, such as EUR", near=near(value, sorted(known)), **place)
    return value


def _known(parameter, value, names, place):
    if not isinstance(value, str) or value not in names:
        refuse("no such name", value=value, allowed=parameter.allowed, near=near(value, sorted(names)), **place)
    return value


@cache
def timezones():
    """Names of the IANA time zone database, but for those that mean another zone on another machine."""
    from zoneinfo import available_timezones

    return frozenset(available_timezones() - {"Factory", "localtime"})


def _refuse(what, parameter, value, place):
    refuse(what, value=value, allowed=parameter.allowed, **place)


_KINDS = {"number": _number, "integer": _integer, "file": _file, "date": _date, "choice": _choice, "timezone": _timezone,
          "currency": _currency, "time": _time}
