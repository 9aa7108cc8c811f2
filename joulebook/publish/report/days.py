"""Days, and how old what was true on them is."""

import re
from datetime import date

from joulebook.errors import InputError, Problem
from joulebook.show.numbers import NO_BREAK


def age(as_of, prepared):
    """How old a value was on the day of the report.

    Parameters
    ----------
    as_of : str or None
        When the value was true: a day, a month or a year.
    prepared : str
        Date of the report.

    Examples
    --------
    >>> age("2026-11-01", "2026-11-30"), age("2025-11-30", "2026-11-30"), age("2024-06", "2026-11-30")
    ('2026-11-01, 29\\xa0days old', '2025-11-30, 12\\xa0months old', '2024-06, 2\\xa0years old')
    >>> age("2027-01-01", "2026-11-30"), age(None, "2026-11-30"), age("last spring", "2026-11-30")
    ('2027-01-01, after the date of this report', 'date not stated', 'last spring')
    """
    if not as_of:
        return "date not stated"
    begin, end = day_of(as_of), day_of(prepared)
    if begin is None or end is None:
        return as_of
    if begin > end:
        return f"{as_of}, after the date of this report"
    days = (end - begin).days
    months = (end.year - begin.year) * 12 + end.month - begin.month - (end.day < begin.day)
    count, unit = (days, "day") if days < 90 else (months, "month") if months < 24 else (months // 12, "year")
    return f"{as_of}, {count}{NO_BREAK}{unit}{'' if count == 1 else 's'} old"


def day_of(text):
    """The day that a text names, or the first of its month or year; None where it names none."""
    parts = re.fullmatch(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?", text.strip())
    try:
        return date(*(int(part or 1) for part in parts.groups())) if parts else None
    except ValueError:
        return None


def date_of(run):
    """The day on which a run's client was prepared."""
    day = day_of(run["prepared"])
    if day is None:
        raise InputError(Problem("not a date", field="prepared", value=run["prepared"], allowed="a date, such as 2026-03-31"))
    return day
