"""Numbers as text: rounded to the digits that mean something, with their unit."""

import math

from babel.numbers import format_decimal

from joulebook.units import work

__all__ = ["digits_of_range", "number", "span", "with_unit", "work"]

NO_BREAK = "\u00a0"
DIGITS = 5  # significant, where no range says how many mean something


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
    if value is None:
        return "—"
    value = float(f"{value:.12g}")  # the last bits differ between machines
    if value == 0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = format_decimal(
        round(value, decimals), format=f"#,##0.{'#' * decimals}" if decimals else "#,##0", locale="en", decimal_quantization=False
    )
    return text.replace("-", "−")


def digits_of_range(value, low, high):
    """Significant digits of a value that its range leaves meaning to: two digits of the half width.

    Examples
    --------
    >>> digits_of_range(0.2002, 0.1988, 0.2016), digits_of_range(1000, 950, 1050), digits_of_range(5.0, None, None)
    (4, 4, 5)
    """
    if low is None or high is None or not high > low or not value:
        return DIGITS
    place = math.floor(math.log10((high - low) / 2)) - 1
    return min(8, max(2, math.floor(math.log10(abs(value))) - place + 1))


def span(low, high, value=None):
    """A range as text, or what to say where there is none.

    Examples
    --------
    >>> span(0.1988, 0.2016, 0.2002)
    '0.1988 to 0.2016'
    >>> span(None, None)
    'range not stated'
    """
    if low is None or high is None:
        return "range not stated"
    reach = max(abs(low), abs(high))
    digits = digits_of_range(reach, low, high)
    return f"{number(low, digits)} to {number(high, digits)}"


def with_unit(text, unit):
    """A number with its unit behind a no-break space; a share or ratio has none."""
    return text if unit in ("", "1") else f"{text}{NO_BREAK}{unit}"
