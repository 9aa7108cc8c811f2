"""The errors a user sees: one readable block that names every problem found."""

from dataclasses import dataclass
from difflib import get_close_matches


class JoulebookError(Exception):
    """Root of all errors that are shown to a user without a traceback."""

    exit_code = 1


class RunError(JoulebookError):
    """A run failed although its inputs were accepted."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with an input.

    Parameters
    ----------
    what : str
        What is wrong, in one sentence.
    file : str, optional
        File it stands in, as the user named it.
    line : int, optional
        Line (text files) or row (tables), counted from 1.
    field : str, optional
        Parameter, key or column.
    value : object, optional
        The value found.
    allowed : str, optional
        What is allowed instead.
    near : str, optional
        The name that was probably meant.
    """

    what: str
    file: str | None = None
    line: int | None = None
    field: str | None = None
    value: object = None
    allowed: str | None = None
    near: str | None = None

    def __str__(self):
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        head = ": ".join(part for part in (place, self.field) if part)
        text = f"{head}: {self.what}" if head else self.what
        if self.value is not None:
            text += f"; found {_shown(self.value)}"
        if self.allowed:
            text += f"; allowed: {self.allowed}"
        if self.near:
            text += f"; did you mean {self.near}?"
        return text


class InputError(JoulebookError):
    """Something given by the user cannot be used; lists every problem found.

    Parameters
    ----------
    problems : str, Problem or iterable of Problem
        What is wrong.
    """

    exit_code = 2

    def __init__(self, problems):
        if isinstance(problems, str):
            problems = Problem(problems)
        self.problems = [problems] if isinstance(problems, Problem) else list(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self):
        return type(self), (self.problems,)


class Problems(list):
    """Problems gathered while reading, raised together.

    Examples
    --------
    >>> found = Problems()
    >>> found.add("must be at least 1", field="pue", value=0.5)
    >>> found.stop()
    Traceback (most recent call last):
    joulebook.errors.InputError: pue: must be at least 1; found 0.5
    """

    def add(self, what, **place):
        """Note one problem; keywords as in `Problem`."""
        self.append(Problem(what, **place))

    def stop(self):
        """Raise `InputError` if anything was noted."""
        if self:
            raise InputError(self)


def near(name, names):
    """Name among `names` that was probably meant by `name`, or None.

    Examples
    --------
    >>> near("peu", ["pue", "year"]), near("pue_value", ["pue", "year"]), near("colour", ["pue", "year"])
    ('pue', 'pue', None)
    """
    lower = {known.lower(): known for known in names}
    wanted = str(name).lower()
    found = get_close_matches(wanted, lower, n=1, cutoff=0.6)
    if not found:  # all words of the one in the other
        words = {known: set(known.split("_")) for known in (*lower, wanted)}
        found = [known for known in lower if words[known] <= words[wanted] or words[wanted] <= words[known]]
        found.sort(key=len, reverse=True)
    return lower[found[0]] if found else None


def _shown(value):
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
