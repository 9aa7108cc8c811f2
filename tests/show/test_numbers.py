"""Numbers as text. Expected values by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joulebook.show.numbers import NO_BREAK, number, rounded, span, span_as_given, with_unit


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
