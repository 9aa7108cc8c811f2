"""Energy of a window from power samples. Expected values: hand (the arithmetic shown) or analytic (closed form, limit)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from joulebook.errors import InputError
from joulebook.method.meters.integral import energy_of_samples
from joulebook.method.meters.pieces import longest_bridged_gap, sampling_interval

# samples (s, W): (0, 400), (1, 400), 1000 W each second from 2 to 62, (63, 400), (64, 400)
TIMES = np.arange(65.0)
POWER = np.array([400.0, 400.0, *[1000.0] * 61, 400.0, 400.0])


@pytest.mark.parametrize(("begin", "end", "expected"), [
    (2.0, 62.0, 60000.0),  # hand: 60 s x 1000 W
    (1.5, 61.5, 59925.0),  # hand: 0.5 s from 700 to 1000 W = 425, and 59.5 s x 1000 W = 59500
    (1.0, 63.0, 61400.0),  # hand: 60000 and two ramps of 1 s between 400 and 1000 W, 700 each
    (0.25, 10.75, 9750.0),  # hand: 0.75 x 400 + 700 + 8.75 x 1000 = 300 + 700 + 8750
    (0.0, 64.0, 62200.0),  # hand: 61400 and 2 x 1 s x 400 W
])
def test_trapezoid_with_interpolated_edges(begin, end, expected):
    found = energy_of_samples(TIMES, POWER, begin, end, 3.0)
    assert found.energy_j == pytest.approx(expected, rel=1e-12)
    assert (found.covered_s, found.coverage) == (end - begin, 1.0)


def test_several_windows_at_once_are_the_single_ones():
    begins, ends = np.array([2.0, 1.5, 0.25]), np.array([62.0, 61.5, 10.75])
    found = energy_of_samples(TIMES, POWER, begins, ends, 3.0)
    for i in range(3):
        assert found.energy_j[i] == energy_of_samples(TIMES, POWER, begins[i], ends[i], 3.0).energy_j
    assert found.coverage.tolist() == [1.0, 1.0, 1.0]


def test_a_shift_of_the_clock_on_steps():
    # hand: 0.5 s later or earlier loses 0.5 s between 1000 and 700 W against 1000 W: 0.5 x 150 = 75 J
    shifts = np.array([-0.5, 0.5])
    found = energy_of_samples(TIMES, POWER, 2.0 + shifts, 62.0 + shifts, 3.0)
    assert np.abs(found.energy_j - 60000.0) == pytest.approx([75.0, 75.0])


def test_a_gap_is_never_bridged():
    # hand: 60 s at 2 Hz and 1000 W without the samples between 30 and 33 s: 57 s x 1000 W, 57/60 covered
    times = np.concatenate((np.arange(0.0, 30.5, 0.5), np.arange(33.0, 60.5, 0.5)))
    found = energy_of_samples(times, np.full(times.size, 1000.0), 0.0, 60.0, longest_bridged_gap(times))
    assert (found.energy_j, found.covered_s, found.coverage) == pytest.approx((57000.0, 57.0, 0.95))


def test_a_gap_of_just_three_intervals_is_bridged():
    times = np.array([0.0, 1.0, 2.0, 5.0, 6.0])  # analytic: "longer than", not "as long as"
    assert energy_of_samples(times, np.full(5, 10.0), 0.0, 6.0, longest_bridged_gap(times)).coverage == 1.0
    milliseconds = np.array([0.001, 1.002, 2.003, 5.006, 6.007])  # 3 x 1.001 in binary fractions
    assert energy_of_samples(milliseconds, np.full(5, 10.0), 1.0, 6.0, longest_bridged_gap(milliseconds)).coverage == 1.0


def test_a_window_that_lies_in_a_gap_or_outside_has_no_energy():
    times, power = np.array([0.0, 1.0, 2.0, 12.0, 13.0]), np.full(5, 100.0)
    assert energy_of_samples(times, power, 4.0, 9.0, 3.0).coverage == 0.0
    assert energy_of_samples(times, power, 20.0, 30.0, 3.0).energy_j == 0.0
    assert energy_of_samples(times, power, -5.0, 1.0, 3.0).energy_j == pytest.approx(100.0)  # hand: 1 s of 6 covered


def test_uneven_samples():
    # hand: 0..1 400, 1..2 400 to 100 = 250, 2..12 100 x 10 = 1000 where the gap is declared as bridged: 1650 J
    assert energy_of_samples([0, 1, 2, 12], [400, 400, 100, 100], 0, 12, 10.0).energy_j == pytest.approx(1650.0)


def test_sampling_interval_is_the_median():
    assert sampling_interval([0.0, 1.0, 2.0, 3.0, 10.0]) == 1.0  # hand: 1 1 1 7
    assert longest_bridged_gap([0.0, 0.5, 1.0]) == 1.5


@pytest.mark.parametrize(("times", "power", "begin", "end", "gap", "named"), [
    ([0.0], [1.0], 0.0, 1.0, 3.0, "times_s"), ([0.0, 0.0], [1.0, 1.0], 0.0, 1.0, 3.0, "times_s"),
    ([0.0, 2.0, 1.0], [1.0] * 3, 0.0, 1.0, 3.0, "times_s"), ([0.0, np.nan], [1.0, 1.0], 0.0, 1.0, 3.0, "times_s"),
    ([0.0, 1.0], [1.0], 0.0, 1.0, 3.0, "values"), ([0.0, 1.0], [1.0, np.nan], 0.0, 1.0, 3.0, "values"),
    ([0.0, 1.0], [1.0, 1.0], 1.0, 1.0, 3.0, "begin_s"), ([0.0, 1.0], [1.0, 1.0], 0.0, np.inf, 3.0, "begin_s"),
    ([0.0, 1.0], [1.0, 1.0], 0.0, 1.0, 0.0, "max_gap_s"), ([0.0, 1.0], [1.0, 1.0], 0.0, 1.0, np.nan, "max_gap_s"),
])
def test_what_cannot_be_integrated_is_named(times, power, begin, end, gap, named):
    with pytest.raises(InputError, match=named):
        energy_of_samples(times, power, begin, end, gap)


@given(steps=st.lists(st.floats(0.1, 2.0), min_size=3, max_size=30), data=st.data())
def test_energy_adds_over_a_partition_of_the_window(steps, data):
    times = np.concatenate(([0.0], np.cumsum(steps)))
    power = np.array(data.draw(st.lists(st.floats(0.0, 5000.0), min_size=times.size, max_size=times.size)))
    cuts = data.draw(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=6, unique=True))
    edges = np.unique(np.concatenate(([0.0], np.array(cuts) * times[-1], [times[-1]])))
    parts = energy_of_samples(times, power, edges[:-1], edges[1:], 2.5)
    whole = energy_of_samples(times, power, edges[0], edges[-1], 2.5)
    assert parts.energy_j.sum() == pytest.approx(whole.energy_j, rel=1e-9, abs=1e-6)
    assert parts.covered_s.sum() == pytest.approx(whole.covered_s)
    assert whole.energy_j == pytest.approx(np.trapezoid(power, times), rel=1e-9, abs=1e-6)


@given(scale=st.floats(0.001, 1000.0), offset=st.floats(-1e6, 1e6))
def test_energy_scales_with_power_and_does_not_know_the_origin_of_time(scale, offset):
    found = energy_of_samples(TIMES + offset, POWER * scale, 1.5 + offset, 61.5 + offset, 3.0)
    assert found.energy_j == pytest.approx(59925.0 * scale, rel=1e-7)
