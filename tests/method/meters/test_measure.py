"""What is measured, and how sure it is. Expected values: hand, the arithmetic shown."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from joulebook.errors import InputError
from joulebook.method.meters.clock_error import clock_error
from joulebook.method.meters.gaps import longest_gap, require_coverage, uncovered
from joulebook.method.meters.measure import measure
from joulebook.method.meters.pieces import Pieces
from joulebook.method.series import Accuracy, Channel

# samples (s, W): (0, 400), (1, 400), 1000 W each second from 2 to 62, (63, 400), (64, 400)
STEP = Channel("wall", np.arange(65.0), np.array([400.0, 400.0, *[1000.0] * 61, 400.0, 400.0]))
# 60 s at 2 Hz and 1000 W without the samples between 30 and 33 s
_TIMES = np.concatenate((np.arange(0.0, 30.5, 0.5), np.arange(33.0, 60.5, 0.5)))
GAPPED = Channel("wall", _TIMES, np.full(_TIMES.size, 1000.0))


def test_a_gap_is_filled_by_the_smallest_and_the_largest_power():
    found = measure(GAPPED, 0.0, 60.0, smallest_w=400.0)
    assert found.energy_j == pytest.approx(57000.0)  # hand: 57 s x 1000 W
    assert found.coverage == pytest.approx(0.95)  # hand: 57 / 60
    assert (found.energy_low_j, found.energy_high_j) == pytest.approx((58200.0, 60000.0))  # hand: 3 s x 400 W and x 1000 W more
    assert found.energy_standard_uncertainty_j == pytest.approx(519.615, abs=5e-4)  # hand: 900 / sqrt(3)
    assert found.average_power_w == pytest.approx(1000.0)  # hand: 57000 / 57
    assert found.energy_midpoint_j == pytest.approx(59100.0)
    assert found.longest_gap_s == pytest.approx(3.0)
    assert found.sampling_interval_s == 0.5
    assert found.sampling_error_j == pytest.approx(0.0, abs=1e-9)  # a gap is no sampling error
    with pytest.raises(InputError, match=r"min_coverage.*found 0.95"):
        require_coverage(found.coverage, 0.99)
    require_coverage(found.coverage, 0.9)


def test_a_gap_is_listed():
    pieces = Pieces(GAPPED)
    assert uncovered(pieces, 0.0, 61.0).tolist() == [[30.0, 33.0], [60.0, 61.0]]
    assert uncovered(pieces, 31.0, 32.0).tolist() == [[31.0, 32.0]]
    assert longest_gap(pieces, [0.0, 0.0, 32.0], [60.0, 30.0, 40.0]).tolist() == [3.0, 0.5, 1.0]
    means = Pieces(Channel("wall", [1.0, 2.0, 3.0, 10.0], [1.0] * 4, "interval_mean"))
    assert uncovered(means, 0.0, 10.0).tolist() == [[3.0, 9.0]]


def test_two_hours_that_nobody_saw():
    # hand: 400 W each 10 min from 0 to 1 h and from 3 to 4 h: 2 x 0.4 kWh, half of 4 h
    minutes = np.concatenate((np.arange(0, 61, 10), np.arange(180, 241, 10))) * 60.0
    found = measure(Channel("pdu", minutes, np.full(14, 400.0)), 0.0, 4 * 3600.0, max_gap_s=1200.0)
    assert found.energy_j == pytest.approx(0.8 * 3.6e6)
    assert found.coverage == pytest.approx(0.5)
    assert found.longest_gap_s == 7200.0


@pytest.mark.parametrize(("begin", "end", "expected"), [
    (2.0, 62.0, 75.0),  # hand: half a second between 1000 and 700 W against 1000 W: 0.5 x 150
    (0.5, 63.5, 0.0),  # hand: level on both sides for half a second
])
def test_a_clock_that_may_be_off(begin, end, expected):
    found = measure(STEP, begin, end, clock_residual_s=0.5)
    assert found.clock_error_j == pytest.approx(expected, abs=1e-9)
    assert found.uncertainties_j["clock"] == pytest.approx(expected / 3**0.5, abs=1e-9)  # hand: 75 / sqrt(3) = 43.301


def test_where_readings_do_not_reach_the_clock_error_is_not_known():
    found = measure(STEP, 0.25, 62.0, clock_residual_s=0.5)
    assert np.isnan(found.clock_error_j)
    assert "clock" not in found.uncertainties_j
    assert "clock not in the uncertainty" in found.notes[-1]
    assert np.isnan(measure(STEP, 2.0, 62.0).clock_error_j)


def test_the_largest_shift_may_lie_inside_and_at_a_vertex():
    # analytic: P rises 0 to 200 W from 0 to 1 s, then falls as far to 2 s. E(d) of [0.5 + d, 1.5 + d] is largest at d = 0
    # and falls by d^2 x 200 W/s: 50 J at half a second
    peak = Pieces(Channel("wall", [-1.0, 0.0, 1.0, 2.0, 3.0], [0.0, 0.0, 200.0, 0.0, 0.0]))
    assert clock_error([peak], 0.5, 1.5, 0.5) == pytest.approx(50.0)
    # hand: windows [0, 1) and [1, 2) together are [0, 2): what one edge gains the other loses
    assert clock_error([peak], [0.0, 1.0], [1.0, 2.0], 0.5) == pytest.approx(clock_error([peak], 0.0, 2.0, 0.5))
    # hand: of the two the first alone gains from 100 J up to 150 J at +0.5 s
    assert clock_error([peak], 0.0, 1.0, 0.5) == pytest.approx(75.0)  # and loses 75 J at -0.5 s


def test_every_second_sample_of_a_step():
    # hand: odd samples rise from 400 W at 1 s to 1000 W at 3 s, so that [2, 3] holds 850 J, and fall alike: 2 x 150 J
    assert measure(STEP, 2.0, 62.0).sampling_error_j == pytest.approx(300.0)
    # hand: even samples rise from 0 to 2 s: 1400 J against 1100 J, and fall alike
    assert measure(STEP, 0.0, 64.0).sampling_error_j == pytest.approx(600.0)
    counter = Channel("package", np.arange(10.0), np.arange(10) * 600.0 % 1000.0, "counter", counter_range_j=1000.0)
    assert measure(counter, 0.0, 9.0).sampling_error_j == pytest.approx(0.0, abs=1e-9)  # hand: no power but 600 W
    changes = Channel("plug", np.arange(10.0), np.arange(10) % 2 * 100.0, "on_change")
    assert measure(changes, 0.0, 9.0).sampling_error_j == 0.0  # every change is told


def test_two_seconds_apart_are_no_seconds():
    found = measure(Channel("wall", np.arange(0.0, 12.0, 2.0), np.full(6, 500.0)), 0.0, 10.0)
    assert (found.energy_j, found.longest_gap_s) == (5000.0, 2.0)  # hand: 10 s x 500 W; not 6 x 500
    assert found.sampling_error_j == pytest.approx(0.0, abs=1e-9)


def test_the_figure_of_mlperf_stands_beside_the_integral():
    # hand: samples strictly inside (0.25, 10.75): 400 W at 1 s and 1000 W from 2 to 10 s: 9400 / 10 x 10.5 s
    found = measure(STEP, 0.25, 10.75)
    assert (found.mean_power_energy_j, found.energy_j) == pytest.approx((9870.0, 9750.0))
    uneven = measure(Channel("wall", [0.0, 1.0, 2.0, 12.0], [400.0, 400.0, 100.0, 100.0]), 0.0, 12.0, max_gap_s=10.0)
    assert uneven.energy_j == pytest.approx(1650.0)  # hand: 400 + 250 + 1000
    assert uneven.average_power_w == pytest.approx(137.5)
    assert np.isnan(measure(STEP, 2.25, 2.75).mean_power_energy_j)  # no sample inside


def test_a_meter_ahead_of_the_load_generator():
    # hand: busy 500 W for 10 s between 100 W; the meter's clock is 0.8 s ahead
    held = Channel("wall", [0.0, 10.8, 20.8, 30.0], [100.0, 500.0, 100.0, 100.0], "on_change")
    assert measure(held, 10.0, 20.0).energy_j == pytest.approx(4680.0)  # hand: 0.8 x 100 + 9.2 x 500
    assert measure(held, 10.8, 20.8).energy_j == pytest.approx(5000.0)


def test_channels_are_integrated_and_then_added():
    # hand: 300 W and 100 W read 20 ms apart for 10 s: 3000 + 1000 J
    times = np.arange(12.0) - 0.5
    gpus = [Channel("gpu 0", times, np.full(12, 300.0)), Channel("gpu 1", times + 0.02, np.full(12, 100.0))]
    found = measure(gpus, 0.0, 10.0, partial=("gpu 2",))
    assert found.energy_j == pytest.approx(4000.0)
    assert found.average_power_w == pytest.approx(400.0)
    assert [part.energy_j for part in found.parts] == pytest.approx([3000.0, 1000.0])
    assert found.partial == ("gpu 2",)
    assert "partial: gpu 2 missing, not 0" in found.notes


def test_channels_of_two_boundaries_are_not_added():
    wall = Channel("wall", [0.0, 1.0], [500.0, 500.0], boundary="server")
    gpu = Channel("gpu", [0.0, 1.0], [300.0, 300.0], boundary="accelerator")
    with pytest.raises(InputError, match="wall: server, gpu: accelerator"):
        measure([wall, gpu], 0.0, 1.0)


@pytest.mark.parametrize(("scopes", "named"), [
    (("package", "core"), "a holds b"), (("core", "package-0"), "b holds a"), (("module", "gpu"), "a holds b"),
    (("psys", "dram"), "a holds b"), (("total", "channel 1"), "a holds b"), (("machine", "machine"), "a holds b"),
])
def test_nested_scopes_are_not_added(scopes, named):
    channels = [Channel(name, [0.0, 1.0], [1.0, 1.0], scope=scope) for name, scope in zip("ab", scopes, strict=True)]
    with pytest.raises(InputError, match=named):
        measure(channels, 0.0, 1.0)
    elsewhere = [channels[0], Channel("b", [0.0, 1.0], [1.0, 1.0], scope=scopes[1], host="another")]
    assert measure(elsewhere, 0.0, 1.0).energy_j == 2.0  # another machine is not inside this one


@pytest.mark.parametrize("scopes", [("package", "dram"), ("package-0", "package-1"), ("gpu", "gpu"), (None, None)])
def test_scopes_side_by_side_are_added(scopes):
    channels = [Channel(f"{i}", [0.0, 1.0], [1.0, 1.0], scope=scope) for i, scope in enumerate(scopes)]
    assert measure(channels, 0.0, 1.0).energy_j == 2.0


def test_a_channel_that_says_nothing_may_hold_a_part_beside_it():
    channels = [Channel("wall", [0.0, 1.0], [1.0, 1.0]), Channel("cpu", [0.0, 1.0], [1.0, 1.0], scope="package")]
    with pytest.raises(InputError, match="wall may hold cpu"):
        measure(channels, 0.0, 1.0)
    stated = [replace(channel, boundary="accelerator") for channel in channels]
    assert measure(stated, 0.0, 1.0).energy_j == 2.0  # one boundary: side by side


def test_the_accuracy_of_the_meter():
    meter = Accuracy(of_reading_pct=0.1, of_range_pct=0.1, range_w=5000.0, resolution_w=2.0)
    found = measure(Channel("wall", np.arange(61.0), np.full(61, 1000.0), accuracy=meter), 0.0, 60.0)
    # hand: +-6 W for 60 s are 360 J, and half a step of 2 W for 60 s 60 J; both over sqrt(3)
    assert found.uncertainties_j["meter"] == pytest.approx(360.0 / 3**0.5)
    assert found.uncertainties_j["resolution"] == pytest.approx(60.0 / 3**0.5)
    assert found.energy_standard_uncertainty_j == pytest.approx((360.0**2 + 60.0**2) ** 0.5 / 3**0.5)
    both = measure([Channel(name, np.arange(61.0), np.full(61, 1000.0), accuracy=meter) for name in "ab"], 0.0, 60.0)
    assert both.uncertainties_j["meter"] == pytest.approx(720.0 / 3**0.5)  # one meter: nothing averages out
    unknown = measure(Channel("wall", np.arange(61.0), np.full(61, 1000.0), accuracy=Accuracy(of_range_pct=0.1)), 0.0, 60.0)
    assert "meter" not in unknown.uncertainties_j
    assert "its accuracy is a share of a range that is not stated" in unknown.notes


@pytest.mark.parametrize(("seen_w", "seen_j"), [(400.0, 24000.0), (100.0, 6000.0)])
def test_a_sensor_that_looks_a_quarter_of_the_time(seen_w, seen_j):
    # hand: truly 400 W for 25 ms and 100 W for 75 ms, 175 W on average: 10500 J in 60 s
    sensor = Accuracy(seen_share=0.25, range_w=400.0)
    found = measure(Channel("gpu", np.arange(61.0), np.full(61, seen_w), accuracy=sensor), 0.0, 60.0)
    assert found.energy_j == pytest.approx(seen_j)  # never corrected
    # hand: in 45 s unseen it may be 0 or 400 W: 18000 J below 24000 J, or 13500 J above 6000 J
    assert found.uncertainties_j["unseen"] * 3**0.5 == pytest.approx({24000.0: 18000.0, 6000.0: 13500.0}[seen_j])
    assert abs(found.energy_j - 10500.0) <= found.uncertainties_j["unseen"] * 3**0.5
    assert "looks at 25 % of the time" in "; ".join(found.notes)
    blind = measure(Channel("gpu", np.arange(61.0), np.full(61, seen_w), accuracy=Accuracy(seen_share=0.25)), 0.0, 60.0)
    assert "unseen" not in blind.uncertainties_j
    assert "what it misses is not in the uncertainty" in "; ".join(blind.notes)


def test_trailing_means_and_whole_seconds_may_shift_the_energy():
    # hand: shifted by up to a second forward [2, 62] loses the last second, 1000 W against 700 W on average: 300 J
    trailing = Channel("gpu", STEP.times_s, STEP.values, accuracy=Accuracy(averaging_s=1.0))
    assert measure(trailing, 2.0, 62.0).uncertainties_j["averaging"] == pytest.approx(300.0 / 3**0.5)
    # hand: cut off, a stamp is up to a second early: [1, 61] gains nothing behind and loses 300 J before
    stamped = Channel("gpu", STEP.times_s, STEP.values, accuracy=Accuracy(stamp_step_s=1.0))
    assert measure(stamped, 2.0, 62.0).uncertainties_j["stamps"] == pytest.approx(300.0 / 3**0.5)
    means = Channel("wall", STEP.times_s, STEP.values, "interval_mean", accuracy=Accuracy(averaging_s=1.0))
    assert "averaging" not in measure(means, 2.0, 62.0).uncertainties_j  # a mean is integrated as one


def test_means_that_overlap_or_leave_time_between_them():
    # hand: of 2 s means each second half is old news: shifted by a second [2, 62] loses or gains as trailing means do
    overlapping = Channel("gpu", STEP.times_s, STEP.values, "interval_mean", interval_s=2.0)
    found = measure(overlapping, 2.0, 61.0)
    # hand: (1, 2] is 1000 W already, and (62, 63] the first at 400 W: [3, 62] still holds 1000 W all along
    assert found.uncertainties_j["averaging"] == 0.0
    assert "means over 2 s come 1 s apart and overlap" in found.notes
    sparse = Channel("gpu", STEP.times_s, STEP.values, "interval_mean", interval_s=0.5)
    assert "means over 0.5 s come 1 s apart" in "; ".join(measure(sparse, 2.0, 61.0).notes)
    plain = measure(Channel("gpu", STEP.times_s, STEP.values, "interval_mean"), 2.0, 61.0)
    assert "apart" not in "; ".join(plain.notes)


def test_a_mean_after_a_gap_that_bounds_a_window_says_nothing_of_it():
    times = np.array([1.0, 2.0, 3.0, 20.0, 21.0])
    means = Channel("wall", times, np.array([500.0, 500.0, 500.0, 100.0, 100.0]), "interval_mean")
    found = measure(means, 0.0, 10.0)  # hand: 3 s of 500 W; the mean at 20 s holds from 19 s on
    assert (found.energy_j, found.energy_low_j, found.energy_high_j) == pytest.approx((1500.0, 5000.0, 5000.0))


@pytest.mark.parametrize("kind", ["instantaneous", "interval_mean", "counter"])
def test_the_sampling_error_of_a_window_needs_no_other_readings(kind):
    times, rng = np.arange(400.0), np.random.default_rng(5)
    watts = rng.uniform(100.0, 900.0, 400)
    values = np.cumsum(watts) if kind == "counter" else watts
    whole = measure(Channel("w", times, values, kind), 100.25, 180.75)
    for low in (90, 91):  # analytic: whichever reading a file begins with, the two ways to start are the same
        part = measure(Channel("w", times[low:200], values[low:200], kind), 100.25, 180.75)
        assert part.sampling_error_j == pytest.approx(whole.sampling_error_j, rel=1e-9)
    assert whole.sampling_error_j > 0


def test_windows_of_which_nothing_is_known_take_nothing_from_the_others():
    found = measure(GAPPED, [0.0, 100.0], [60.0, 110.0], smallest_w=[400.0])
    assert found.energy_standard_uncertainty_j[0] == pytest.approx(519.615, abs=5e-4)
    found = measure(GAPPED, [0.0, 100.0], [60.0, 110.0])
    assert found.energy_low_j.tolist() == pytest.approx([60000.0, np.nan], nan_ok=True)
    assert np.isnan(found.energy_standard_uncertainty_j).all()  # hand: all of 1000 W, so that nothing bounds the first


def test_windows_apart_and_together():
    apart = measure(STEP, [0.0, 2.0, 62.0], [2.0, 62.0, 64.0])
    assert apart.energy_j.tolist() == pytest.approx([1100.0, 60000.0, 1100.0])
    whole = measure(STEP, [0.0, 62.0], [2.0, 64.0], together=True)
    assert (whole.energy_j, whole.window_s, whole.coverage) == pytest.approx((2200.0, 4.0, 1.0))
    # hand: the extremes of a phase fill a gap in any part of it: 200 W, read in the second part, for 3 s of the first
    times = np.concatenate((GAPPED.times_s, [61.0, 62.0]))
    gapped = Channel("wall", times, np.where(times > 60.5, 200.0, 1000.0))
    phase = measure(gapped, [0.0, 61.0], [60.0, 62.0], max_gap_s=1.5, together=True)
    assert phase.energy_low_j == pytest.approx(57000.0 + 200.0 + 3 * 200.0)


def test_what_was_never_read_has_no_energy_to_fill_gaps_with():
    found = measure(STEP, 100.0, 110.0)
    assert (found.energy_j, found.coverage) == (0.0, 0.0)
    assert np.isnan(found.energy_low_j)
    assert np.isnan(found.average_power_w)


@given(watts=st.lists(st.floats(10.0, 1000.0), min_size=12, max_size=40), data=st.data())
def test_what_gaps_may_hold_contains_what_they_held(watts, data):
    # analytic: means that went missing lie between the smallest and the largest of those that are left
    watts = np.array(watts)
    low = data.draw(st.integers(3, watts.size - 6))
    high = data.draw(st.integers(low + 4, watts.size - 2))
    gone = np.s_[low:high]
    watts[gone] = np.clip(watts[gone], np.delete(watts, gone).min(), np.delete(watts, gone).max())
    times = np.arange(1.0, watts.size + 1)
    whole = measure(Channel("w", times, watts, "interval_mean"), 0.0, times[-1])
    left = measure(Channel("w", np.delete(times, gone), np.delete(watts, gone), "interval_mean", interval_s=1.0), 0.0, times[-1])
    assert left.coverage == pytest.approx(1 - (high - low) / watts.size)
    assert left.energy_low_j - 1e-6 <= whole.energy_j <= left.energy_high_j + 1e-6
    assert left.energy_j + watts[gone].sum() == pytest.approx(whole.energy_j)


@given(steps=st.lists(st.floats(0.05, 3.0), min_size=3, max_size=25), data=st.data(), residual=st.floats(0.0, 2.0),
       kind=st.sampled_from(["instantaneous", "interval_mean", "on_change", "counter"]))
def test_a_clock_error_is_no_less_than_any_shift(steps, data, residual, kind):
    times = np.concatenate(([0.0], np.cumsum(steps)))
    values = np.array(data.draw(st.lists(st.floats(0.0, 1000.0), min_size=times.size, max_size=times.size)))
    channel = Channel("w", times, np.cumsum(values) if kind == "counter" else values, kind)
    begin, end = times[-1] * np.sort(data.draw(st.lists(st.floats(0.05, 0.95), min_size=2, max_size=2, unique=True)))
    pieces = [Pieces(channel, 100.0)]
    reach = min(begin - residual - pieces[0].first_s, pieces[0].last_s - end - residual)
    if abs(reach) < 1e-6 or end - begin < 1e-6:
        return  # as far as rounding can tell
    found = clock_error(pieces, begin, end, residual)
    if reach < 0:
        assert np.isnan(found)
        return
    shifts = np.linspace(-residual, residual, 401)  # brute force
    energy = measure(channel, begin + shifts, end + shifts, 100.0).energy_j
    most = np.abs(energy - measure(channel, begin, end, 100.0).energy_j).max()
    assert most - 1e-6 <= found <= most + 2 * 1000.0 * residual / 200 * (20 if kind == "counter" else 1) + 1e-6


@given(scale=st.floats(0.001, 1000.0))
def test_every_energy_scales_with_power(scale):
    sensor = Accuracy(of_reading_pct=1.0)
    here = measure(Channel("w", STEP.times_s, STEP.values, accuracy=sensor), 1.5, 61.5, clock_residual_s=0.25)
    found = measure(Channel("w", STEP.times_s, STEP.values * scale, accuracy=sensor), 1.5, 61.5, clock_residual_s=0.25)
    for name in ("energy_j", "mean_power_energy_j", "average_power_w", "sampling_error_j", "clock_error_j"):
        assert getattr(found, name) == pytest.approx(getattr(here, name) * scale, rel=1e-9)
    assert found.energy_standard_uncertainty_j == pytest.approx(here.energy_standard_uncertainty_j * scale, rel=1e-9)
