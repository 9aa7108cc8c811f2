"""Prices and load on clocks that change and at different steps, from the files to the bill. Expected values by hand."""

import numpy as np
import pandas as pd
import pytest

from joulebook.errors import InputError
from joulebook.inputs import Input
from joulebook.intake.tables import check_tables
from joulebook.method.tariff import bill

OSLO = {"tariff_timezone": Input("Europe/Oslo"), "tariff_clock": Input("local")}
# C08 of the cases: 27 October 2024 has two hours from 02:00 to 03:00 in Oslo; the second one costs 2, all others 1
AUTUMN = [(0, 1), (1, 1), (2, 1), (2, 2), *((hour, 1) for hour in range(3, 24))]


def prices(rows, day="2024-10-27"):
    return "timestamp,price_per_kwh\n" + "".join(f"{day}T{hour:02d}:00,{price}\n" for hour, price in rows)


def load(begin, count, freq="h"):
    stamps = pd.date_range(begin, periods=count, freq=freq)
    return "timestamp,utilization\n" + "".join(f"{stamp.isoformat()},1\n" for stamp in stamps)


def cost(read_rows, tariff, profile, inputs=OSLO):
    """Cost of 1 kW at full load, through the checks that a client's files pass."""
    tables = {"tariff_csv": read_rows("tariff_csv", tariff), "load_profile_csv": read_rows("load_profile_csv", profile)}
    check_tables(inputs, tables)
    clock = [inputs[name].value if name in inputs else None for name in ("tariff_timezone", "tariff_clock")]
    billed = bill(tables["load_profile_csv"], tables["tariff_csv"], *clock)
    return len(billed.hours), float(billed.hours @ billed.price_per_kwh)


def test_a_day_of_25_hours(read_rows):
    # 24 hours at 1 and one at 2
    assert cost(read_rows, prices(AUTUMN), load("2024-10-26T22:00Z", 25)) == (25, 26.0)
    offsets = "timestamp,price_per_kwh\n" + "".join(
        f"2024-10-27T{hour:02d}:00+0{2 if place < 3 else 1}:00,{price}\n" for place, (hour, price) in enumerate(AUTUMN))
    assert cost(read_rows, offsets, load("2024-10-26T22:00Z", 25), {}) == (25, 26.0)
    by_hour = "hour,utilization\n" + "".join(f"{hour},1\n" for hour in range(24))
    assert cost(read_rows, prices(AUTUMN), by_hour) == (25, 26.0)  # a day that repeats meets the hour twice


@pytest.mark.parametrize("lost", [2, 3])
def test_one_of_the_twins_alone_is_an_error(read_rows, lost):
    # without the second 24.00, without the first 25.00: stamps alone cannot tell which of them is there
    with pytest.raises(InputError) as error:
        cost(read_rows, prices([row for place, row in enumerate(AUTUMN) if place != lost]), load("2024-10-26T22:00Z", 25))
    assert "not a local time of Europe/Oslo" in str(error.value)
    assert "both passes of the hour that repeats" in str(error.value)


def test_twins_on_a_clock_that_does_not_change_are_an_error(read_rows):
    with pytest.raises(InputError) as error:
        cost(read_rows, prices(AUTUMN), load("2024-10-26T23:00Z", 20), {**OSLO, "tariff_clock": Input("standard")})
    assert "found '2024-10-27T01:00:00+00:00'" in str(error.value)
    assert "of an hour that repeats on the clock both passes, in order" in str(error.value)


def test_passes_that_are_mixed_cannot_be_told_apart(read_rows):
    rows = "".join(f"2024-10-27T{clock},1\n" for clock in ("01:30", "02:00", "02:00", "02:30", "02:30", "03:00"))
    with pytest.raises(InputError) as error:
        read_rows("tariff_csv", "timestamp,price_per_kwh\n" + rows)
    assert "an hour that repeats on the clock as two passes, one after the other" in str(error.value)


def test_a_day_of_23_hours(read_rows):
    spring = [(hour, 1) for hour in (0, 1, *range(3, 24))]
    assert cost(read_rows, prices(spring, "2024-03-31"), load("2024-03-30T23:00Z", 23)) == (23, 23.0)


def test_energy_by_quarters_meets_prices_by_the_hour(read_rows):
    # C14 of the cases at 4 kW: 4 x 0.25 h x 4 kW x 0.20 = 0.80; joined on equal stamps 0.20
    tariff = "timestamp,price_per_kwh\n2024-03-01T10:00Z,0.20\n2024-03-01T11:00Z,0.50\n"
    count, paid = cost(read_rows, tariff, load("2024-03-01T10:00Z", 4, "15min"), {})
    assert (count, 4 * paid) == (4, pytest.approx(0.80))
    # and the other way round: an hour of 4 kW at quarters of 0.1 0.2 0.3 0.2
    quarters = "timestamp,price_per_kwh\n" + "".join(
        f"2024-03-01T{10 + place // 4}:{place % 4 * 15:02d}Z,{price}\n" for place, price in enumerate((0.1, 0.2, 0.3, 0.2) * 2))
    count, paid = cost(read_rows, quarters, load("2024-03-01T10:00Z", 2), {})
    assert (count, 4 * paid) == (2, pytest.approx(2 * 0.80))


def test_one_price_does_not_say_how_long_it_holds(read_rows):
    with pytest.raises(InputError, match="too few rows: a single one does not tell how long it holds"):
        read_rows("tariff_csv", "timestamp,price_per_kwh\n2024-03-01T10:00Z,0.20\n")


def test_the_clock_of_the_reader_changes_nothing(read_rows):
    # the same prices with the offsets of another zone
    stamps = pd.date_range("2024-10-26T22:00Z", periods=25, freq="h")
    tokyo = "timestamp,price_per_kwh\n" + "".join(f"{stamp.tz_convert('Asia/Tokyo').isoformat()},{price}\n"
                                                  for stamp, (_, price) in zip(stamps, AUTUMN, strict=True))
    assert cost(read_rows, tokyo, load("2024-10-26T22:00Z", 25), {}) == (25, 26.0)
    assert np.isclose(cost(read_rows, tokyo, load("2024-10-27T00:30+02:00", 20, "30min"), {})[1], 10 + 1.0)
