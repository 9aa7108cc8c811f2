"""Profiles on the clock of the tariff. Expected values by hand."""

import numpy as np
import pandas as pd
import pytest

from joulebook.errors import InputError
from joulebook.method.tariff import bill, monthly_peak_share

PEAK = pd.DataFrame(
    [
        (day, begin, end, price)
        for day in range(7)
        for begin, end, price in ((0, 420, 0.10), (420, 1200, 0.30), (1200, 1440, 0.10))
    ],
    columns=["day", "begin_min", "end_min", "price_per_kwh"],
)


def profile(begin, periods, freq):
    stamps = pd.date_range(begin, periods=periods, freq=freq, tz="UTC")
    return pd.DataFrame({"timestamp": stamps, "utilization": np.linspace(0, 1, periods)})


@pytest.mark.parametrize(("clock", "cost"), [("local", 0.40), ("standard", 0.20)])
def test_peak_hours_follow_the_clock_that_is_declared(clock, cost):
    # case C07: 1 kWh in each of 04:30Z and 05:00Z, 1 July; Stockholm 06:30 and 07:00 local, an hour less on standard time
    billed = bill(profile("2024-07-01T04:30", 2, "30min"), PEAK, "Europe/Stockholm", clock)
    assert billed.price_per_kwh.sum() * 1 == pytest.approx(cost)


def test_the_clock_is_a_required_field():
    with pytest.raises(InputError, match="tariff_clock"):
        bill(profile("2024-07-01T04:30", 2, "30min"), PEAK, "Europe/Stockholm")


def test_an_hour_across_a_boundary_pays_both_prices():
    # 06:30 to 07:30 local: half at 0.10, half at 0.30
    billed = bill(profile("2024-07-01T04:30", 2, "60min"), PEAK, "Europe/Stockholm", "local")
    assert billed.price_per_kwh[0] == pytest.approx(0.20)


def test_a_day_of_25_hours_has_25_prices():
    # case C08: Oslo, 27 October 2024, price 1.00 but the second 02:00 at 2.00: 26.00 for 1 kW
    local = [*range(3), 2, *range(3, 24)]
    series = pd.DataFrame(
        {"timestamp": [pd.Timestamp(2024, 10, 27, hour) for hour in local], "price_per_kwh": [1.0] * 3 + [2.0] + [1.0] * 21}
    )
    billed = bill(profile("2024-10-26T22:00", 25, "60min"), series, "Europe/Oslo", "local")
    assert (len(billed.price_per_kwh), billed.price_per_kwh.sum()) == (25, pytest.approx(26.0))


def test_series_of_different_step():
    # case C14: four quarters of 1 kWh at an hourly price of 0.20
    series = pd.DataFrame(
        {"timestamp": pd.date_range("2024-01-01", periods=2, freq="60min", tz="UTC"), "price_per_kwh": [0.2, 0.5]}
    )
    assert bill(profile("2024-01-01", 4, "15min"), series).price_per_kwh.sum() == pytest.approx(0.80)


def test_a_price_that_is_missing_is_named():
    series = pd.DataFrame(
        {"timestamp": pd.date_range("2024-01-01", periods=2, freq="60min", tz="UTC"), "price_per_kwh": [0.2, 0.5]}
    )
    with pytest.raises(InputError, match=r"no price.*2024-01-01T02:00"):
        bill(profile("2024-01-01", 3, "60min"), series)


def test_a_single_row_does_not_tell_how_long_it_holds():
    series = pd.DataFrame({"timestamp": pd.date_range("2024-01-01", periods=1, tz="UTC"), "price_per_kwh": [0.2]})
    with pytest.raises(InputError, match="tariff_csv: a single row does not tell how long it holds"):
        bill(profile("2024-01-01", 4, "15min"), series)


def test_a_gap_of_the_prices_is_named():
    hours = [pd.Timestamp(2024, 1, 1, hour) for hour in (0, 1, 3)]
    series = pd.DataFrame({"timestamp": pd.DatetimeIndex(hours, tz="UTC"), "price_per_kwh": [1.0] * 3})
    with pytest.raises(InputError, match=r"equal steps of whole minutes; found '2024-01-01T03:00:00\+00:00'"):
        bill(profile("2024-01-01", 2, "60min"), series)


def test_a_local_hour_that_does_not_exist_is_an_error():
    series = pd.DataFrame({"timestamp": [pd.Timestamp(2024, 3, 31, hour) for hour in (1, 2, 3)], "price_per_kwh": [1.0] * 3})
    with pytest.raises(InputError, match="not a local time of Europe/Berlin"):
        bill(profile("2024-03-31", 2, "60min"), series, "Europe/Berlin", "local")


def test_a_daily_profile_pays_weekday_and_weekend_prices():
    week = pd.DataFrame([(day, 0, 1440, 0.1 if day < 5 else 0.4) for day in range(7)], columns=PEAK.columns)
    day = pd.DataFrame({"hour": range(24), "utilization": [0.5] * 24})
    assert bill(day, week).price_per_kwh.mean() == pytest.approx((5 * 0.1 + 2 * 0.4) / 7)


def test_a_daily_profile_over_a_dated_series_stands_on_the_local_clock():
    # prices for one day UTC; Berlin winter is an hour ahead, so local hour 1 meets the first price
    series = pd.DataFrame(
        {"timestamp": pd.date_range("2024-01-15", periods=24, freq="60min", tz="UTC"), "price_per_kwh": [9.0] + [1.0] * 23}
    )
    day = pd.DataFrame({"hour": range(24), "utilization": [float(hour == 1) for hour in range(24)]})
    billed = bill(day, series, "Europe/Berlin", "local")
    assert (billed.utilization * billed.price_per_kwh).sum() == pytest.approx(9.0)


def test_quarter_hours_are_averaged_for_the_peak_and_months_kept_apart():
    # 5 min steps: January peaks at mean (0.3, 0.6, 0.9) = 0.6, February at 0.2
    stamps = pd.date_range("2024-01-31T23:30", periods=12, freq="5min", tz="UTC")
    load = pd.DataFrame({"timestamp": stamps, "utilization": [0.3, 0.6, 0.9, 0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.0, 0.0, 0.0]})
    assert list(monthly_peak_share(load)) == [pytest.approx(0.6), pytest.approx(0.2)]


def test_the_leap_day_shifts_no_weekday():
    # case C19: hours of 2024, Fridays at 1.00, other days at 0.10; 1 March 2024 is a Friday, 24 h x 1.00, 29 February a Thursday
    week = pd.DataFrame([(day, 0, 1440, 1.0 if day == 4 else 0.1) for day in range(7)], columns=PEAK.columns)
    load = pd.DataFrame({"timestamp": pd.date_range("2024-01-01", periods=8784, freq="60min", tz="UTC"), "utilization": 1.0})
    billed = bill(load, week, "UTC", "local").price_per_kwh
    hours = (31 + 29) * 24
    assert billed[hours : hours + 24].sum() == pytest.approx(24.0)
    assert billed[hours - 24 : hours].sum() == pytest.approx(2.4)
    dated = load.rename(columns={"utilization": "price_per_kwh"}).assign(price_per_kwh=billed)
    assert bill(load, dated, "UTC", "local").price_per_kwh.tolist() == billed.tolist()
