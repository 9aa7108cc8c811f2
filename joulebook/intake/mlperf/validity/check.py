"""One rule of a validity report: what was measured, what is allowed, and what that means in words."""

from dataclasses import asdict, dataclass

from joulebook.units import SECONDS_PER_HOUR

PASS, FAIL, UNKNOWN = "pass", "fail", "not determinable"


@dataclass(frozen=True)
class Check:
    """A rule and what became of it.

    Parameters
    ----------
    rule : str
        Name of the rule.
    status : str
        `PASS`, `FAIL` or `UNKNOWN`.
    words : str
        What was found, in a sentence.
    measured, limit : float or None
        The number that was found, and the one it is held against.
    unit : str or None
        Their unit.
    warning : bool
        Whether something must be said although the rule is kept.
    """

    rule: str
    status: str
    words: str
    measured: float | None = None
    limit: float | None = None
    unit: str | None = None
    warning: bool = False

    def line(self):
        """The rule in one line of text."""
        return f"{self.status}{' with a warning' if self.warning else ''}: {self.rule}: {self.words}"

    def record(self):
        """The rule as plain values."""
        return asdict(self)


def unknown(rule, why, limit=None, unit=None):
    """A rule of which nothing can be said, and why."""
    return Check(rule, UNKNOWN, why, None, limit, unit)


def judged(rule, kept, words, measured=None, limit=None, unit=None, warning=False):
    """A rule that is kept or not."""
    return Check(rule, PASS if kept else FAIL, words, measured, limit, unit, bool(warning and kept))


def several(items, most=3):
    """Some names, and how many more there are.

    Examples
    --------
    >>> several(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    items = list(items)
    more = len(items) - most
    return ", ".join(items[:most]) + (f" and {more} more" if more > 0 else "")


def plural(count, what):
    """A number of things in words.

    Examples
    --------
    >>> plural(1, "row"), plural(2, "row")
    ('1 row', '2 rows')
    """
    return f"{count} {what}{'' if count == 1 else 's'}"


def hours(seconds):
    """A length of time in hours, or in minutes where it is none of whole half hours.

    Examples
    --------
    >>> hours(3600), hours(-34200), hours(90)
    ('1 h', '-9.5 h', '1.5 min')
    """
    return f"{seconds / SECONDS_PER_HOUR:g} h" if seconds % 1800 == 0 else f"{seconds / 60:g} min"
