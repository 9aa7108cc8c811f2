"""Windows and hours on a clock, through the days that are an hour short or long. Expected values by hand."""

import numpy as np
import pytest

from joulebook.errors import InputError
from joulebook.method.grid.clock import hours_of_clock, local_text, midnights, start_in, windows

BERLIN = "Europe/Berlin"
HOUR = np.timedelta64(1, "h")


def instants(*texts):
    return np.array(texts, "datetime64[ns]")


@pytest.mark.parametrize(("begin", "end", "count", "longest"), [
    ("2026-03-02T23:00", "2026-03-03T23:00", 24, 1),  # an ordinary day of winter
    ("2026-03-28T23:00", "2026-03-29T22:00", 23, 1),  # no hour 2
    ("2026-10-24T22:00", "2026-10-25T23:00", 24, 2),  # hour 2 twice, as one interval of two hours
])
def test_the_hours_of_a_day(begin, end, count, longest):
    edges, hour = hours_of_clock(*instants(begin, end), BERLIN)
    assert (len(hour), (np.diff(edges) / HOUR).max()) == (count, longest)
    assert hour[0] == 0
    assert hour[-1] == 23
    assert (2 in hour) == (count == 24)


def test_a_clock_that_is_half_an_hour_off():
    edges, hour = hours_of_clock(*instants("2026-03-03T00:00", "2026-03-03T02:00"), "Asia/Kolkata")  # 05:30 there
    assert hour.tolist() == [5, 6, 7]
    assert (np.diff(edges) / HOUR).tolist() == [0.5, 1, 0.5]


def test_hours_that_begin_within_a_quarter():
    edges, hour = hours_of_clock(*instants("2026-03-03T00:05", "2026-03-03T01:10"), "UTC")
    assert (hour.tolist(), edges[0], edges[-1]) == ([0, 1], *instants("2026-03-03T00:05", "2026-03-03T01:10"))


def test_a_window_a_day():
    found, lost = windows(*instants("2026-03-02T23:00", "2026-03-05T23:00"), "00:00", "24:00", BERLIN)
    assert (len(found), lost) == (3, 0)
    found, lost = windows(*instants("2026-03-02T23:00", "2026-03-05T23:00"), "22:00", "07:00", BERLIN)
    assert local_text(found[0], BERLIN).tolist() == ["2026-03-03 22:00", "2026-03-04 07:00"]
    assert (len(found), lost) == (2, 2)  # the nights into the first day and out of the last one are known in part


@pytest.mark.parametrize(("night", "hours"), [("2026-03-28", 8), ("2026-10-24", 10), ("2026-06-01", 9)])
def test_a_night_that_is_short_or_long(night, hours):
    begin = np.datetime64(night, "ns")
    found, _ = windows(begin, begin + 48 * HOUR, "22:00", "07:00", BERLIN)
    assert (found[0, 1] - found[0, 0]) / HOUR == hours


def test_a_time_that_does_not_exist_is_the_first_that_does_and_one_that_is_twice_the_first():
    spring, _ = windows(*instants("2026-03-28T23:00", "2026-03-29T22:00"), "02:30", "08:00", BERLIN)
    assert local_text(spring[0], BERLIN)[0] == "2026-03-29 03:00"
    autumn, _ = windows(*instants("2026-10-24T22:00", "2026-10-25T23:00"), "00:00", "02:30", BERLIN)
    assert autumn[0, 1] == np.datetime64("2026-10-25T00:30", "ns")


def test_one_window_between_instants():
    known = instants("2026-03-02T23:00", "2026-03-05T23:00")
    found, lost = windows(*known, None, "2026-03-04T10:00+01:00")
    assert (found.tolist(), lost) == ([[known[0].item(), np.datetime64("2026-03-04T09:00", "ns").item()]], 0)
    assert windows(*known)[0].tolist() == [[known[0].item(), known[1].item()]]


@pytest.mark.parametrize(("given", "words"), [
    (("22:00", "2026-03-04T10:00+01:00", BERLIN), "deadline: a time of the day in one, an instant in the other"),
    (("22:00", None, None), "carbon_timezone: a time of the day without its time zone"),
    ((None, "2026-04-04T10:00Z", None), "deadline: outside the hours that the carbon series have in common"),
    (("2026-03-04T10:00Z", "2026-03-04T09:00Z", None), "deadline: not after the earliest start"),
])
def test_what_makes_no_window(given, words):
    with pytest.raises(InputError, match=words):
        windows(*instants("2026-03-02T23:00", "2026-03-05T23:00"), *given)


def test_the_start_as_it_is_now():
    night = instants("2026-03-03T17:00", "2026-03-04T06:00")
    assert start_in(night, None) == night[0]
    assert local_text([start_in(night, "01:30", BERLIN)], BERLIN)[0] == "2026-03-04 01:30"
    with pytest.raises(InputError, match="current_start: not between the earliest start and the deadline"):
        start_in(night, "12:00", BERLIN)


def test_midnights_about_a_night():
    days = midnights(*instants("2026-03-28T21:00", "2026-03-29T05:00"), BERLIN)
    assert (np.diff(days) / HOUR).tolist() == [24, 23]
    assert (np.diff(midnights(*days[[0, -1]], BERLIN)) / HOUR).tolist() == [24, 23]  # a midnight ends its day
