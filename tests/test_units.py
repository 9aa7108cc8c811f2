"""Conversions, and the quantities that may be written in a client's file."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joulebook.errors import InputError
from joulebook.units import hours_by_year, hours_of_year, kwh_from_joules, parse_quantity


def test_kilowatt_hours():
    assert kwh_from_joules(3.6e6) == 1.0  # method, rule 8


def test_hours_of_a_year():
    # C09 of the cases: 8760 hard-coded
    assert hours_of_year(2024) * 1.0 == 8784.0  # 1 kW over 2024
    assert hours_of_year(2023) == 8760.0
    assert hours_of_year(None) == 8760.0  # method, rule 8: without dates
    assert hours_of_year(2100) == 8760.0  # no leap year
    assert 720 * hours_of_year(2024) / (30 * 24) == 8784.0  # C09: 720 kWh in 30 days, scaled to the year
    assert sum(hours_by_year(2025, 4)) == 35064.0  # method, rule 8: 2025 to 2028


@pytest.mark.parametrize(("text", "unit", "value"), [
    ("1 kW", "W", 1000.0), ("1kW", "W", 1000.0), ("0.35 kW", "W", 350.0), ("1200 mW", "W", 1.2), ("-5 W", "W", -5.0),
    ("2.5e-3 MW", "W", 2500.0),
    (" 7 W ", "W", 7.0), ("1 kWh/h", "W", 1000.0), ("1 J/s", "W", 1.0), ("20 ms", "s", 0.02), ("1 kWh", "J", 3.6e6),
    ("0.4 kg/kWh", "g/kWh", 400.0),
    # hand: a year here is 8760 h, as everywhere in the workbook, not the 365.25 days of pint
    ("4 years", "year", 4.0), ("35040 h", "year", 4.0), ("48 months", "year", 4.0), ("1460 days", "year", 4.0),
])
def test_quantities(text, unit, value):
    assert parse_quantity(text, unit) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(("text", "words"), [
    ("1 kWh", "wrong dimension"), ("1 kV", "wrong dimension"), ("5 W/W", "wrong dimension"), ("1 kw", "did you mean kW?"),
    ("1 Watt", "did you mean watt?"),
    ("3 kVA", "apparent or reactive power"), ("3 VA", "apparent"), ("3 kvar", "reactive"), ("3 MVAh", "apparent"),
    ("1,2 kW", "no commas"), ("1.000,5 W", "no commas"), ("50%", "no percent sign"), ("50 %", "no percent sign"),
    ("9**9**9**9", "no operators"),
    ("9**9**9**9 W", "no operators"), ("1e3*W", "no operators"), ("(1) W", "no operators"), ("1+1 W", "no operators"),
    ("2^3 W", "no operators"),
    ("nan W", "not a quantity"), ("inf W", "not a quantity"), ("W", "not a quantity"), ("1", "not a quantity"),
    ("", "not a quantity"),
    ("1 W W", "not a quantity"), ("1 W/s/s", "not a quantity"), ("٣ W", "not a quantity"), ("1_000 W", "not a quantity"),
    ("0x1 W", "not a quantity"),
    ("1 __import__", "not a quantity"), ("1 EUR/kWh", "unknown unit"), ("1 token/s", "unknown unit"),
    ("1 dBm/volt", "unknown unit"),
    ("1e308 GW", "too large or too small"), ("1e-400 kW", "too large or too small"), ("1 in", "wrong dimension"),
])
def test_what_is_no_quantity(text, words):
    with pytest.raises(InputError) as error:
        parse_quantity(text, "W", file="client.yml", line=3, field="inputs.active_power_w")
    message = str(error.value)
    assert message.startswith("client.yml:3: inputs.active_power_w: ")
    assert words in message


@given(st.text(max_size=40))
def test_any_text_is_a_quantity_or_refused(text):
    with suppress(InputError):
        assert isinstance(parse_quantity(text, "W"), float)


@given(st.floats(min_value=1e-300, max_value=1e300), st.sampled_from(["W", "J", "s", "year", "Wh"]))
def test_a_quantity_in_the_unit_that_is_due_is_its_number(number, unit):
    assert parse_quantity(f"{number!r} {unit}", unit) == number


@given(st.floats(min_value=1e-3, max_value=1e9), st.sampled_from([("kW", 1e3), ("MW", 1e6), ("mW", 1e-3)]))
def test_units_scale(number, unit):
    name, factor = unit
    assert parse_quantity(f"{number!r} {name}", "W") == pytest.approx(number * factor, rel=1e-14)
