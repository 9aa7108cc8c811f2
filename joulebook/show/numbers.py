"""Numbers as text: rounded to the digits that mean something, with their unit."""

import math

from babel.numbers import format_decimal

from joulebook.units import work

__all__ = ["number", "rounded", "span", "span_as_given", "with_unit", "work"]

NO_BREAK = "\u00a0"
DIGITS = 5  # significant, where no range says how many mean something
INPUT_DIGITS = 12  # an input is shown as it was given, but for the noise of its last bits


def number(value, digits=DIGITS):
    """A number rounded to significant digits, with thousands commas and a true minus.

    Parameters
    ----------
    value : float or None
        The number; None becomes a dash.
    digits : int
        Significant digits at most; whole numbers keep all of theirs.

    Examples
    --------
    >>> number(0.00866666666), number(1234567.2), number(-0.5), number(None)
    ('0.0086667', '1,234,567', '−0.5', '—')
    """
    return "—" if value is None else _to_decimals(value, max(0, digits - 1 - _magnitude(value)))


def rounded(value, low, high):
    """A result rounded to the digits that its range leaves meaning to: two digits of the half width.

    Parameters
    ----------
    value : float
        The result, or an end of its range.
    low, high : float or None
        The range; without one the number keeps `DIGITS` significant digits.

    Examples
    --------
    >>> rounded(0.2, 0.1988, 0.2016), rounded(152242.0, 137098.0, 182792.0), rounded(0.156 / 18, None, None)
    ('0.2000', '152,000', '0.0086667')
    """
    if low is None or high is None or not high > low:
        return number(value)
    meant = 1 - _magnitude((high - low) / 2)
    least, most = 1 - _magnitude(value), 7 - _magnitude(value)  # two to eight significant digits
    return _to_decimals(value, min(most, max(least, meant)), "0")


def span(low, high):
    """The range of a result as text, or what to say where there is none.

    Examples
    --------
    >>> span(0.1988, 0.2016), span(None, None)
    ('0.1988 to 0.2016', 'range not stated')
    """
    if low is None or high is None:
        return "range not stated"
    return f"{rounded(low, low, high)} to {rounded(high, low, high)}"


def span_as_given(low, high):
    """The range of an input as text, with the digits that were given; empty where there is none.

    Examples
    --------
    >>> span_as_given(1.15, 1.5)
    '1.15 to 1.5'
    """
    return "" if low is None or high is None else f"{number(low, INPUT_DIGITS)} to {number(high, INPUT_DIGITS)}"


def _magnitude(value):
    return math.floor(math.log10(abs(value))) if value else 0


def _to_decimals(value, decimals, digit="#"):
    """A number to so many decimals; the digit ``0`` keeps zeros at the end, which a range gives meaning to."""
    value = round(float(f"{value:.12g}"), decimals) + 0.0  # the last bits differ between machines
    places = max(0, decimals)
    text = format_decimal(value, format=f"#,##0.{digit * places}" if places else "#,##0", locale="en", decimal_quantization=False)
    return text.replace("-", "−")


def with_unit(text, unit):
    """A number with its unit behind a no-break space; a share or ratio has none."""
    return text if unit in ("", "1") else f"{text}{NO_BREAK}{unit}"
