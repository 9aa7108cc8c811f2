"""Days as ISO dates: some months later, and ages in whole months."""

from calendar import monthrange
from datetime import date

_MONTHS = 12


def months_later(day, months):
    """The same day some months later, or the last of its month; at most the last day of the calendar.

    Parameters
    ----------
    day : str
        ISO date.
    months : int
        Months.

    Returns
    -------
    str
        ISO date.

    Examples
    --------
    >>> months_later("2024-08-31", 6), months_later("2023-09-11", 12)
    ('2025-02-28', '2024-09-11')
    >>> months_later("2024-08-31", 10**6)
    '9999-12-31'
    """
    begin = date.fromisoformat(day)
    years, month = divmod(begin.month - 1 + int(months), _MONTHS)
    year, month = begin.year + years, month + 1
    if year > date.max.year:
        return date.max.isoformat()
    return date(year, month, min(begin.day, monthrange(year, month)[1])).isoformat()


def age_months(day, prepared):
    """Whole months from one ISO date to another.

    Examples
    --------
    >>> age_months("2023-09-11", "2024-09-10"), age_months("2023-09-11", "2024-09-11")
    (11, 12)
    """
    begin, end = date.fromisoformat(day), date.fromisoformat(prepared)
    return (end.year - begin.year) * _MONTHS + end.month - begin.month - (end.day < begin.day)
