"""Types of declared fields: our own checks inside pydantic, whose words are kept."""

import math
from dataclasses import replace
from typing import Annotated

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from joulebook.errors import InputError
from joulebook.intake.checks import check_choice, check_text, refuse, within

_KIND = "joulebook"
_LARGEST = 10**308  # about the largest float


def checked(function, *args, **options):
    """A type that is checked by one of our own checks."""

    def validate(value):
        try:
            return function(value, *args, **options)
        except InputError as error:
            raise PydanticCustomError(_KIND, "checked", {"problem": error.problems[0]}) from None

    return BeforeValidator(validate)


def own_problem(error, place):
    """The problem that one of our own checks raised, at its place; None of an error of pydantic itself."""
    return replace(error["ctx"]["problem"], **place) if error["type"] == _KIND else None


def choice(choices):
    """One of several words."""
    return Annotated[str, checked(check_choice, choices)]


def text(most=200, lines=False):
    """A text of at most so many characters."""
    return Annotated[str, checked(check_text, most, lines)]


def check_number(value, low=None, above=None, high=None, whole=False):
    """Check a finite number.

    Parameters
    ----------
    value : object
        The number; a text is none.
    low, above, high : float, optional
        Limits; `above` is not itself allowed.
    whole : bool
        Whether it has to be a whole number, which comes back as int.

    Raises
    ------
    InputError
        If it is no such number.

    Examples
    --------
    >>> check_number(8.0, low=1, whole=True), check_number(0.5, above=0)
    (8, 0.5)
    >>> check_number(0, above=0)
    Traceback (most recent call last):
    joulebook.errors.InputError: out of limits; found 0; allowed: a number, without quotes and without a unit, above 0
    """
    allowed = within("a whole number" if whole else "a number, without quotes and without a unit", low, above, high)
    if isinstance(value, str):
        refuse("text where a number is due", value=value, allowed=allowed)
    if isinstance(value, int) and abs(value) > _LARGEST:
        refuse("more digits than a number keeps", value=value, allowed=allowed)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        refuse("empty: no value" if value is None else "not a number", value=value, allowed=allowed)
    if whole and value != int(value):
        refuse("not a whole number", value=value, allowed=allowed)
    if (low is not None and value < low) or (above is not None and value <= above) or (high is not None and value > high):
        refuse("out of limits", value=value, allowed=allowed)
    return int(value) if whole else value
