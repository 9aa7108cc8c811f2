"""Numbers as text. Expected values by hand."""

import re

import pytest
from babel.localedata import locale_identifiers
from babel.numbers import format_decimal
from hypothesis import given, settings
from hypothesis import strategies as st

from joulebook.show.numbers import (
    ENGLISH,
    INPUT_DIGITS,
    NO_BREAK,
    Numbers,
    number,
    rounded,
    rounded_value,
    span,
    span_as_given,
    with_unit,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.156 / 18, "0.0086667"),
        (0.1 + 0.2, "0.3"),
        (1.2999999, "1.3"),
        (1.3000001, "1.3"),
        (24e9, "24,000,000,000"),
        (-5.25, "−5.25"),
        (0.0, "0"),
        (999999.6, "1,000,000"),
        (1e-9, "0.000000001"),
        (671.424, "671.42"),
    ],
)
def test_number(value, text):
    # V01: the last bits differ between machines and must not reach the text
    assert number(value) == text


def test_missing_is_a_dash():
    assert number(None) == "—"


@given(st.floats(-1e15, 1e15))
def test_what_is_shown_is_what_was_meant(value):
    shown = float(number(value, 7).replace(",", "").replace("−", "-"))
    assert shown == pytest.approx(value, rel=1e-6, abs=1e-300)


@given(st.floats(1e-6, 1e6), st.floats(1e-3, 0.5))
def test_a_range_keeps_two_digits_of_its_half_width(value, share):
    low, high = value * (1 - share), value * (1 + share)
    shown = float(rounded(value, low, high).replace(",", ""))
    assert abs(shown - value) <= 0.06 * (high - low) / 2


def test_a_range_rounds_whole_numbers_too():
    # half width 22847: two digits of it are thousands
    assert rounded(152242.0, 137098.0, 182792.0) == "152,000"
    assert span(137098.0, 182792.0) == "137,000 to 183,000"


def test_an_input_is_shown_as_given():
    assert span_as_given(1.15, 1234567.0) == "1.15 to 1,234,567"


def test_span():
    assert span(0.1988, 0.2016) == "0.1988 to 0.2016"
    assert span(None, None) == "range not stated"


def test_unit_stands_behind_a_no_break_space():
    assert with_unit("1.3", "kW") == f"1.3{NO_BREAK}kW"
    assert with_unit("1.3", "1") == "1.3"


# ---- locales. Expected signs are those of the Unicode CLDR's charts (number symbols, patterns by locale).


@pytest.mark.parametrize(
    ("locale", "number", "percent", "day"),
    [
        (None, "−1,234,567.5", "12.3\u00a0%", "4 March 2026"),
        ("en_US", "−1,234,567.5", "12.3%", "March 4, 2026"),
        ("en_GB", "−1,234,567.5", "12.3%", "4 March 2026"),
        ("en_IN", "−12,34,567.5", "12.3%", "4 March 2026"),
        ("de_DE", "−1.234.567,5", "12,3\u00a0%", "4.3.2026"),
        ("de_CH", "−1'234'567.5", "12.3%", "4.3.2026"),
        ("fr_FR", "−1\u202f234\u202f567,5", "12,3\u00a0%", "04/03/2026"),
        ("sv_SE", "−1\u00a0234\u00a0567,5", "12,3\u00a0%", "2026-03-04"),
        ("tr_TR", "−1.234.567,5", "%12,3", "4.3.2026"),
        ("ar_EG", "−1,234,567.5", "12.3%", "4/3/2026"),  # digits stay 0 to 9, and no mark of direction is added
        ("ja_JP", "−1,234,567.5", "12.3%", "2026/3/4"),
        ("bg_BG", "−1\u00a0234\u00a0567,5", "12,3%", "2026-03-04"),  # its own has a letter behind the year
    ],
)
def test_a_locale_has_its_own_signs(locale, number, percent, day):
    write = Numbers(locale, "EUR")
    assert write.number(-1234567.5, 12) == number
    assert write.percent(12.3) == percent
    assert write.day("2026-03-04") == day


@pytest.mark.parametrize(
    ("value", "unit", "house", "german"),
    [
        (1234.5, "EUR", "1,234.5", "1.234,50"),
        (12.3456, "EUR", "12.346", "12,35"),
        (1234567.25, "EUR", "1,234,567", "1.234.567"),
        (3, "EUR", "3", "3,00"),
        (0.0086667, "EUR", "0.0086667", "0,0086667"),  # small costs keep their digits
        (0.12, "EUR/kWh", "0.12", "0,12"),
        (23.4567, "EUR/kWh", "23.457", "23,457"),  # and so do prices
        (12.3456, "kW", "12.346", "12,346"),
        (0, "EUR", "0", "0"),
        (-12.5, "EUR", "−12.5", "−12,50"),
    ],
)
def test_an_amount_of_money_has_the_decimals_of_its_currency(value, unit, house, german):
    assert number(value) == house
    assert Numbers("de_DE", "EUR").number(value, unit=unit) == german


def test_decimals_are_those_of_iso_4217():
    # published: ISO 4217 has no minor unit for JPY and three decimals for KWD
    assert Numbers("ja_JP", "JPY").number(1234.5, unit="JPY") == "1,234"
    assert Numbers("en_US", "KWD").number(12.5, unit="KWD") == "12.500"


def test_an_amount_that_was_given_keeps_what_was_given():
    german = Numbers("de_DE", "EUR")
    assert german.number(1234.5678, INPUT_DIGITS, "money") == "1.234,5678"
    assert german.number(12500, INPUT_DIGITS, "EUR") == "12.500,00"
    assert german.span_as_given(1.5, 2, "EUR") == "1,50 to 2,00"


def test_a_range_of_money_goes_before_its_decimals():
    german = Numbers("de_DE", "EUR")
    assert german.span(137098.0, 182792.0, "EUR") == "137.000 to 183.000"
    assert german.rounded(12.34567, 12.3, 12.4, "EUR") == "12,35"
    assert german.rounded(0.04567, 0.023, 0.09, "EUR") == "0,046"


@given(st.sampled_from(sorted(locale_identifiers())), st.floats(-1e12, 1e12))
def test_every_locale_writes_the_same_digits(locale, value):
    def digits(text):
        return re.sub(r"\D", "", text)

    write = Numbers(locale, "EUR")
    assert digits(write.number(value)) == digits(number(value))
    assert write.number(value).startswith("−") == number(value).startswith("−")
    assert digits(write.percent(value)) == digits(ENGLISH.percent(value))
    assert not re.search("[\u061c\u200e\u200f]", write.number(value) + write.percent(value) + write.day("2026-11-30"))
    assert sorted(digits(write.day("2026-11-30"))) in (sorted("20261130"), sorted("302026"))  # English names the month


def test_the_way_of_the_house_goes_without_saying():
    assert ENGLISH.rule == ""
    assert Numbers("de_DE").rule.startswith("Numbers and days are written as in German (Germany): 1.234,5.")


@given(st.floats(-1e9, 1e9), st.floats(0, 1e6), st.floats(1e-6, 1e6))
def test_a_rounded_value_is_what_is_shown(value, below, above):
    low, high = value - below, value + above
    assert float(rounded(value, low, high).replace(",", "").replace("−", "-")) == rounded_value(value, low, high)
    assert rounded_value(value, None, None) == rounded_value(value, value, value) == value


@settings(max_examples=300, deadline=None)
@given(st.floats(-1e12, 1e12), st.integers(-6, 12), st.data())
def test_digits_are_those_that_babel_writes(value, decimals, data):
    """Published: Babel's own formatting of the pattern, which the house's quicker way stands for."""
    least = data.draw(st.integers(0, max(0, decimals)))
    pattern = f"#,##0.{'0' * least}{'#' * (decimals - least)}" if decimals > 0 else "#,##0"
    cut = round(float(f"{value:.12g}"), decimals) + 0.0
    due = format_decimal(cut, format=pattern, locale="en", decimal_quantization=False).replace("-", "−")
    assert ENGLISH._to_decimals(value, decimals, least) == due
