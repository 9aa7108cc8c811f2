"""Numbers and days as text: rounded to the digits that mean something, with their unit, as a locale writes them."""

import math
import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache

from babel import Locale
from babel.dates import format_date, format_skeleton
from babel.numbers import format_decimal, get_currency_precision

from joulebook.units import work

__all__ = ["ENGLISH", "Numbers", "number", "rounded", "rounded_value", "span", "span_as_given", "with_unit", "work"]

NO_BREAK = "\u00a0"
DIGITS = 5  # significant, where no range says how many mean something
INPUT_DIGITS = 12  # an input is shown as it was given, but for the noise of its last bits
_MONEY = "money"  # unit of an amount in the dictionary, before it is named by its currency
_DIRECTIONS = str.maketrans("", "", "\u061c\u200e\u200f")  # marks of direction: digits are those of the Latin script


@dataclass(frozen=True)
class Numbers:
    """How numbers, percentages, amounts of money and days are written.

    Parameters
    ----------
    locale : str, optional
        A locale of Babel, such as ``de_DE``; without one the way of the house: English, with a no-break space before the
        percent sign.
    currency : str, optional
        ISO 4217 code of amounts.

    Notes
    -----
    The signs of a locale and its groups of digits are those of the CLDR, which Babel brings; digits are 0 to 9 and a
    minus is the true one. Rounding is the same for every locale. Language is not: words stay English, and so do the
    names of months, wherefore a locale that is not English writes a day in numbers alone.

    A currency is named by its code, behind the number. Where a locale is given, an amount of at least 1 whose unit is the
    currency itself has the currency's own decimals (``12,30 EUR``, ``1.235 JPY``), fewer where its range leaves no meaning
    to them, and an input more where more were given. A smaller amount, and a price for a unit of something, keeps its
    significant digits: a cost of 0.0086667 for a token is not 0.01.

    Examples
    --------
    >>> german = Numbers("de_DE", "EUR")
    >>> german.number(1234.5), german.percent(12.3), german.number(1234.5, unit="EUR"), german.number(0.0123, unit="EUR")
    ('1.234,5', '12,3\\xa0%', '1.234,50', '0,0123')
    >>> german.day("2026-11-30"), ENGLISH.day("2026-11-30"), Numbers("en_US").day("2026-11-30")
    ('30.11.2026', '30 November 2026', 'November 30, 2026')
    """

    locale: str | None = None
    currency: str | None = None

    def number(self, value, digits=DIGITS, unit=""):
        """A number rounded to significant digits, with groups of thousands and a true minus.

        Parameters
        ----------
        value : float or None
            The number; None becomes a dash.
        digits : int
            Significant digits at most; whole numbers keep all of theirs.
        unit : str
            Its unit, which tells an amount of money.

        Examples
        --------
        >>> number(0.00866666666), number(1234567.2), number(-0.5), number(None)
        ('0.0086667', '1,234,567', '−0.5', '—')
        """
        if value is None:
            return "—"
        decimals, own = max(0, digits - 1 - _magnitude(value)), self._decimals_of_money(value, unit)
        if own is None:
            return self._to_decimals(value, decimals)
        if digits >= INPUT_DIGITS:  # as it was given
            return self._to_decimals(value, max(own, decimals), least=own)
        return self._to_decimals(value, own if decimals else 0, least=own if decimals else 0)

    def rounded(self, value, low, high, unit=""):
        """A result rounded to the digits that its range leaves meaning to: two digits of the half width.

        Parameters
        ----------
        value : float
            The result, or an end of its range.
        low, high : float or None
            The range; without one the number keeps `DIGITS` significant digits.
        unit : str
            Its unit, which tells an amount of money.

        Examples
        --------
        >>> rounded(0.2, 0.1988, 0.2016), rounded(152242.0, 137098.0, 182792.0), rounded(0.156 / 18, None, None)
        ('0.2000', '152,000', '0.0086667')
        """
        decimals = _meant(value, low, high)
        if decimals is None:
            return self.number(value, unit=unit)
        own = self._decimals_of_money(value, unit)
        decimals = decimals if own is None else min(decimals, own)
        return self._to_decimals(value, decimals, least=max(0, decimals))

    def ends(self, low, high, unit=""):
        """Both ends of the range of a result as texts."""
        return self.rounded(low, low, high, unit), self.rounded(high, low, high, unit)

    def span(self, low, high, unit=""):
        """The range of a result as text, or what to say where there is none.

        Examples
        --------
        >>> span(0.1988, 0.2016), span(None, None)
        ('0.1988 to 0.2016', 'range not stated')
        """
        return "range not stated" if low is None or high is None else " to ".join(self.ends(low, high, unit))

    def span_as_given(self, low, high, unit=""):
        """The range of an input as text, with the digits that were given; empty where there is none.

        Examples
        --------
        >>> span_as_given(1.15, 1.5)
        '1.15 to 1.5'
        """
        return "" if low is None or high is None else " to ".join(self.number(end, INPUT_DIGITS, unit) for end in (low, high))

    def with_unit(self, text, unit):
        """A number with its unit behind a no-break space; a share or ratio has none.

        Examples
        --------
        >>> with_unit("1.3", "kW"), with_unit("1.3", "1"), Numbers("en_US").with_unit("12.3", "%")
        ('1.3\\xa0kW', '1.3', '12.3%')
        """
        if unit in ("", "1"):
            return text
        if unit != "%":
            return f"{text}{NO_BREAK}{unit}"
        before, after = _percent_signs(self.locale)
        sign = text[:1] if text[:1] in ("−", "+") else ""
        return f"{sign}{before}{text.removeprefix(sign)}{after}"

    def percent(self, value, low=None, high=None, digits=3):
        """A percentage, rounded as its range allows, with the percent sign where the locale has it.

        Examples
        --------
        >>> ENGLISH.percent(12.345), Numbers("tr_TR").percent(-12.345)
        ('12.3\\xa0%', '−%12,3')
        """
        ranged = low is not None and high is not None
        return self.with_unit(self.rounded(value, low, high) if ranged else self.number(value, digits), "%")

    def day(self, text):
        """A day from its ISO date: with the month's name in a locale of English, else in numbers, or as it is without words."""
        day = date.fromisoformat(text)
        if self.locale is None:
            return format_date(day, "d MMMM y", locale="en")
        said = format_date(day, "long", locale=self.locale) if Locale.parse(self.locale).language == "en" else ""
        if said.isascii() and said:
            return said
        said = format_skeleton("yMd", day, locale=self.locale).translate(_DIRECTIONS)
        return text if any(map(str.isalpha, said)) else said

    @property
    def rule(self):
        """How numbers are written, as a sentence; empty for the way of the house, which goes without saying."""
        if self.locale is None:
            return ""
        name = Locale.parse(self.locale).get_display_name("en")
        return (f"Numbers and days are written as in {name}: {self.number(1234.5)}. Figures, and numbers in the words of a note, "
                f"are written as in English: {ENGLISH.number(1234.5)}.")

    def _decimals_of_money(self, value, unit):
        """Decimals of the currency where a number is an amount of at least 1 in it, and a locale is given; else None."""
        money = self.locale and self.currency and unit in (_MONEY, self.currency) and abs(value) >= 1
        return get_currency_precision(self.currency) if money else None

    def _to_decimals(self, value, decimals, least=0):
        """A number to so many decimals; the first `least` of them stand also where they are zeros."""
        value = _cut(value, decimals)
        places = max(0, decimals)
        whole, group, point = _signs(self.locale)
        pattern = f"{whole}.{'0' * least}{'#' * (places - least)}" if places else whole
        if whole == "#,##0" and math.isfinite(value):  # as Babel would, in a tenth of the time
            text = f"{Decimal(repr(value)):,.{places}f}"
            text = text[: len(text) - places + least] + text[len(text) - places + least :].rstrip("0") if places else text
            text = text.rstrip(".")
        else:
            text = format_decimal(value, format=pattern, locale="en", decimal_quantization=False)
        return text.translate({ord(","): group, ord("."): point, ord("-"): "−"})


ENGLISH = Numbers()
number, rounded, span, span_as_given, with_unit = (
    ENGLISH.number, ENGLISH.rounded, ENGLISH.span, ENGLISH.span_as_given, ENGLISH.with_unit)


def rounded_value(value, low, high):
    """A result rounded as `Numbers.rounded` shows it where it has a range, else as it is.

    Examples
    --------
    >>> rounded_value(152242.0, 137098.0, 182792.0), rounded_value(0.123456789, None, None)
    (152000.0, 0.123456789)
    """
    decimals = _meant(value, low, high)
    return value if decimals is None else _cut(value, decimals)


def _meant(value, low, high):
    """Decimals that a range leaves meaning to; None without one."""
    if low is None or high is None or not high > low:
        return None
    meant = 1 - _magnitude((high - low) / 2)
    least, most = 1 - _magnitude(value), 7 - _magnitude(value)  # two to eight significant digits
    return min(most, max(least, meant))


def _magnitude(value):
    return math.floor(math.log10(abs(value))) if value else 0


def _cut(value, decimals):
    return round(float(f"{value:.12g}"), decimals) + 0.0  # the last bits differ between machines


@cache
def _signs(locale):
    """Pattern of the whole digits, sign between groups and decimal sign of a locale."""
    if locale is None:
        return "#,##0", ",", "."
    known = Locale.parse(locale)
    signs = known.number_symbols["latn"]
    # Babel loses groups whose sign is an apostrophe, so the pattern is written in English and its signs are exchanged.
    whole = _positive(known.decimal_formats[None]).split(".")[0]
    return whole, signs["group"].translate(_DIRECTIONS), signs["decimal"].translate(_DIRECTIONS)


@cache
def _percent_signs(locale):
    """What stands before and behind the number of a percentage."""
    if locale is None:
        return "", f"{NO_BREAK}%"
    pattern = _positive(Locale.parse(locale).percent_formats[None]).translate(_DIRECTIONS)
    before, after = re.fullmatch(r"([^#0]*)[#0,.]+([^#0]*)", pattern).groups()
    return before, after


def _positive(pattern):
    """A pattern of the CLDR without that of negative numbers."""
    return pattern.pattern.split(";")[0]
