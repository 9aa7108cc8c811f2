"""Checks of single values and entries against the dictionary."""

from datetime import date, datetime
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joulebook.dictionary import Parameter, parameters
from joulebook.errors import InputError, Problems
from joulebook.inputs import Input
from joulebook.intake.checks import check_date, check_entry, check_text, check_value, default_input, missing, timezones
from joulebook.intake.meters import check_declarations
from joulebook.intake.records import check_record


def row(kind="number", unit="W", low="", high="", choices=()):
    return Parameter("x", ("t",), kind, unit, low, high, False, None, None, choices, "X", "", "")


def entry(parameter, **keys):
    found = Problems()
    return check_entry(parameter, keys, lambda *path: {"field": ".".join(("x", *path))}, found, "2026-11-30"), found


@pytest.mark.parametrize(("low", "high", "right", "wrong"), [
    ("0", "1", [0, 0.5, 1], [-1e-9, 1.1]), (">0", "<1", [0.5], [0, 1]), ("", "5", [-1e9, 5], [6]), ("", "", [-1e300], [])])
def test_limits_and_their_ends(low, high, right, wrong):
    parameter = row(low=low, high=high)
    assert [check_value(parameter, value) for value in right] == right
    for value in wrong:
        with pytest.raises(InputError, match="out of limits"):
            check_value(parameter, value, field="x")


def test_numbers_are_floats_and_whole_numbers_are_not():
    assert type(check_value(row(), 3)) is float
    assert type(check_value(row("integer"), 3)) is int


# M01 of the cases: a bare and a quoted date reach the notebook as the same ISO text
@pytest.mark.parametrize("value", ["2024-03-31", date(2024, 3, 31)])
def test_dates_are_iso_text(value):
    assert check_value(row("date", ""), value) == "2024-03-31"


@pytest.mark.parametrize("value", ["2024-3-31", "20240331", "2024-W13-7", "2024-02-30", "0000-01-01", "31.03.2024", 20240331,
                                   datetime(2024, 3, 31), True])
def test_no_dates(value):
    with pytest.raises(InputError, match="no date"):
        check_date(value)


def test_time_zones_are_the_same_on_every_machine():
    assert "Europe/Berlin" in timezones()
    assert not timezones() & {"localtime", "Factory"}


@pytest.mark.parametrize("text", ["Acme", "Søn & Co", "株式会社", "👩‍💻", "a" * 200, " x "])
def test_texts(text):
    assert check_text(text, 200) == text


@pytest.mark.parametrize("text", ["", "  ", "a" * 201, "a\nb", "a\tb", "a\x00", "a\x85", "a\u2028b", "\ud800", 5, None, True,
                                  ["a"]])
def test_no_texts(text):
    with pytest.raises(InputError):
        check_text(text, 200)


def test_texts_of_several_lines():
    assert check_text("a\n\tb", 200, lines=True) == "a\n\tb"


# method, rule 6
@pytest.mark.parametrize(("keys", "range_is"), [
    ({"evidence": "measured", "source": "m"}, "u95"), ({}, "limits"), ({"evidence": "published", "source": "p"}, "limits"),
    ({"evidence": "measured", "source": "m", "range_is": "limits"}, "limits"), ({"range_is": "u95"}, "u95")])
def test_what_a_range_is(keys, range_is):
    result, found = entry(row(), value=1000, low=950, high=1050, **keys)
    assert not found
    assert (result.low, result.high, result.range_is) == (950.0, 1050.0, range_is)


@given(st.floats(-1e12, 1e12), st.floats(1e-6, 1e6))
def test_a_symmetric_range_is_symmetric_in_floats_too(value, half):
    _, found = entry(row(), value=value, low=value - half, high=value + half, range_is="u95")
    assert not found


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e3), st.floats(1e-6, 0.5))
def test_an_asymmetric_range_is_no_u95(value, half, share):
    _, found = entry(row(), value=value, low=value - half, high=value + half * (1 + share), range_is="u95")
    assert "not symmetric" in str(found[0])


def test_an_entry_is_an_input():
    result, found = entry(row(), value="1 kW", low="0.9 kW", high=1100, source="m", evidence="published", as_of="2026-11-30")
    assert not found
    assert result == Input(1000.0, "W", 900.0, 1100.0, "limits", "m", "published", "2026-11-30")


def test_every_default_and_example_of_the_dictionary_is_one_that_a_client_may_give():
    for parameter in parameters().values():
        for value in (parameter.default, parameter.example):
            own = {"meters": check_declarations, "record": partial(check_record, parameter.name)}
            check = own.get(parameter.kind, partial(check_value, parameter))
            assert value is None or check(value) == value
        default = default_input(parameter)
        assert default is None or (default.value, default.given) == (parameter.default, False)


def test_at_the_facility_pue_is_not_missing():
    rows = {name: parameters()[name] for name in ("pue", "active_power_w", "year")}
    assert [item.name for item in missing(rows, set(), "server")] == ["pue", "active_power_w"]
    assert [item.name for item in missing(rows, set(), "facility")] == ["active_power_w"]
