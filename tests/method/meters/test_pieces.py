"""Energy by kind of reading. Expected values: hand (the arithmetic shown), analytic, or brute force of a few lines."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from joulebook.errors import InputError
from joulebook.method.meters import pieces as module
from joulebook.method.meters.integral import integral
from joulebook.method.meters.pieces import Pieces
from joulebook.method.series import Accuracy, Channel

KINDS = ("instantaneous", "interval_mean", "on_change", "counter")


def energy(channel, begin, end, max_gap_s=None):
    return integral(Pieces(channel, max_gap_s), begin, end).energy_j


def test_interval_means_are_rectangles_before_their_stamp():
    means = Channel("wall", [1.0, 2.0, 3.0], [100.0, 300.0, 200.0], "interval_mean")
    assert energy(means, 0.0, 3.0) == pytest.approx(600.0)  # hand: 100 + 300 + 200, the first holds from 0 on
    assert energy(means, 0.5, 2.25) == pytest.approx(400.0)  # hand: 0.5 x 100 + 300 + 0.25 x 200
    assert integral(Pieces(means), -1.0, 4.0).covered_s == pytest.approx(3.0)  # hand: nothing before 0, nothing after 3


def test_an_interval_mean_after_a_gap_holds_for_its_own_length_only():
    means = Channel("wall", [1.0, 2.0, 3.0, 10.0, 11.0], [100.0] * 5, "interval_mean")
    found = integral(Pieces(means), 0.0, 11.0)
    assert (found.energy_j, found.covered_s) == pytest.approx((500.0, 5.0))  # hand: (0, 3] and (9, 11]
    declared = Channel("wall", [1.0, 2.0, 3.0, 10.0, 11.0], [100.0] * 5, "interval_mean", interval_s=0.5)
    assert integral(Pieces(declared), 0.0, 11.0).covered_s == pytest.approx(4.0)  # hand: (0.5, 3] and (9.5, 11]


def test_a_late_interval_mean_holds_since_the_one_before():
    means = Channel("wall", [1.0, 2.0, 4.0, 5.0], [100.0, 100.0, 400.0, 100.0], "interval_mean")
    assert energy(means, 0.0, 5.0) == pytest.approx(1100.0)  # hand: 100 + 100 + 2 x 400 + 100


def test_trailing_means_that_overlap_count_no_instant_twice():
    # 10 readings a second, each the mean of a second: 1 s before the first, then only what is new
    means = Channel("gpu", np.arange(1.0, 3.01, 0.1), np.full(21, 50.0), "interval_mean", interval_s=1.0)
    found = integral(Pieces(means), 0.0, 3.0)
    assert (found.energy_j, found.coverage) == pytest.approx((150.0, 1.0))  # hand: 3 s x 50 W


def test_interval_means_may_each_have_their_own_length():
    means = Channel("wall", [1.0, 3.0, 10.0, 11.0], [100.0] * 4, "interval_mean", interval_s=np.array([1.0, 2.0, 4.0, 1.0]))
    found = integral(Pieces(means), 0.0, 11.0)
    assert (found.energy_j, found.covered_s) == pytest.approx((800.0, 8.0))  # hand: (0, 3], (6, 11]; 7 s are more than 3 x 2 s


def test_on_change_holds_the_last_value_and_has_no_gap():
    changes = Channel("plug", [0.0, 600.0, 4000.0], [100.0, 250.0, 100.0], "on_change")
    assert energy(changes, 300.0, 1600.0) == pytest.approx(280000.0)  # hand: 300 x 100 + 1000 x 250
    assert integral(Pieces(changes), 0.0, 5000.0).covered_s == 4000.0  # nothing after the last


def test_a_counter_is_a_difference_with_wraps_and_has_no_gap():
    counter = Channel("package", [0.0, 1.0, 2.0, 3.0], [900.0, 990.0, 80.0, 170.0], "counter", counter_range_j=1000.0)
    assert energy(counter, 0.0, 3.0) == pytest.approx(270.0)  # hand: 90 + 90 + 90, as 80 + 1000 - 990 = 90
    assert energy(counter, 0.5, 1.5) == pytest.approx(90.0)  # hand: half of the first and half of the second
    slow = Channel("meter", [0.0, 1.0, 2.0, 5000.0], [0.0, 100.0, 200.0, 500000.0], "counter")
    assert integral(Pieces(slow), 0.0, 5000.0).coverage == 1.0


def test_several_possible_wraps_between_two_polls_are_an_error():
    # hand: 90 W for 12 s is 1080 J, which a register of 1000 J shows as 80 J
    times, register = [0.0, 1.0, 2.0, 14.0], [0.0, 90.0, 180.0, 260.0]
    with pytest.raises(InputError, match=r"more than once.*12 s from 2 s on, in which 80 J or 1080 J"):
        Pieces(Channel("package", times, register, "counter", counter_range_j=1000.0))
    # hand: 5 s are 450 J; once more round would be 290 W, more than twice 90 W
    Pieces(Channel("package", [0.0, 1.0, 2.0, 7.0], [0.0, 90.0, 180.0, 630.0], "counter", counter_range_j=1000.0))
    # hand: with 50 W to 300 W possible, 290 W is not out of reach
    with pytest.raises(InputError, match="for 300 W"):
        Pieces(Channel("package", [0.0, 1.0, 2.0, 7.0], [0.0, 90.0, 180.0, 630.0], "counter", counter_range_j=1000.0,
                       accuracy=Accuracy(range_w=300.0)))


@pytest.mark.parametrize(("register", "size", "named"), [
    ([5.0, 4.0, 6.0], None, "the counter falls; found '5 J, then 4 J'"),
    ([5.0, 6.0, 1001.0], 1000.0, "found 1001.0; allowed: 0 to 1000 J"),
    ([-1.0, 6.0, 7.0], 1000.0, "found -1.0"), ([1.0, 6.0, 7.0], 0.0, "must be positive"),
])
def test_a_register_that_cannot_be_is_refused(register, size, named):
    with pytest.raises(InputError, match=named):
        Pieces(Channel("package", [0.0, 1.0, 2.0], register, "counter", counter_range_j=size))


def test_problems_name_the_channel_and_the_kind():
    with pytest.raises(InputError, match="channel gpu 0: kind: no such kind of reading; found 'mean'"):
        Pieces(Channel("gpu 0", [0.0, 1.0], [1.0, 1.0], "mean"))
    with pytest.raises(InputError, match="channel gpu 0: times_s"):
        Pieces(Channel("gpu 0", [1.0, 0.0], [1.0, 1.0]))


def test_one_interval_mean_of_declared_length_is_enough():
    assert energy(Channel("wall", [10.0], [100.0], "interval_mean", interval_s=4.0), 0.0, 20.0) == 400.0
    with pytest.raises(InputError, match="at least two"):
        Pieces(Channel("wall", [10.0], [100.0], "interval_mean"))


def test_power_at_a_time_is_that_of_what_follows():
    line = Pieces(Channel("wall", [0.0, 2.0, 3.0, 12.0, 13.0], [100.0, 300.0, 300.0, 0.0, 0.0]))
    assert line.power([1.0, 2.5, 12.5]).tolist() == [200.0, 300.0, 0.0]
    assert np.isnan(line.power([-1.0, 6.0, 14.0])).all()  # before, in the gap, after
    means = Pieces(Channel("wall", [1.0, 2.0], [100.0, 300.0], "interval_mean"))
    assert means.power([0.5, 1.0, 1.5]).tolist() == [100.0, 300.0, 300.0]


def made(kind, steps, levels):
    times = np.concatenate(([0.0], np.cumsum(steps)))
    values = np.array(levels[: times.size])
    return Channel("made", times, np.cumsum(values) if kind == "counter" else values, kind)


SERIES = st.integers(3, 30).flatmap(lambda n: st.tuples(
    st.lists(st.floats(0.1, 2.0), min_size=n - 1, max_size=n - 1), st.lists(st.floats(0.0, 5000.0), min_size=n, max_size=n)))


@pytest.mark.parametrize("kind", KINDS)
@given(series=SERIES, cuts=st.lists(st.floats(-0.1, 1.1), min_size=1, max_size=6, unique=True), block=st.integers(2, 40))
def test_energy_adds_over_a_partition_of_the_window(kind, series, cuts, block):
    channel = made(kind, *series)
    last = channel.times_s[-1]
    edges = np.unique(np.concatenate(([-1.0], np.array(cuts) * last, [last + 1])))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", block)  # however the pieces are parted
        parts, whole = (integral(Pieces(channel), begin, end) for begin, end in ((edges[:-1], edges[1:]), (edges[0], edges[-1])))
    assert parts.energy_j.sum() == pytest.approx(whole.energy_j, rel=1e-9, abs=1e-6)
    assert parts.covered_s.sum() == pytest.approx(whole.covered_s, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@given(series=SERIES, offset=st.floats(-1e6, 1e6), scale=st.floats(0.001, 1000.0))
def test_shifting_all_clocks_changes_nothing_and_units_cancel(kind, series, offset, scale):
    channel = made(kind, *series)
    begin, end = channel.times_s[-1] * np.array([0.1, 0.7])
    there = Channel("made", channel.times_s + offset, channel.values * scale, kind)
    here = integral(Pieces(channel), begin, end)
    found = integral(Pieces(there), begin + offset, end + offset)
    assert found.energy_j == pytest.approx(here.energy_j * scale, rel=1e-6, abs=1e-4 * scale)
    assert found.covered_s == pytest.approx(here.covered_s, rel=1e-6)


@given(series=SERIES, extra=st.lists(st.floats(0.0, 1.0), min_size=1, max_size=50))
def test_resampling_keeps_the_energy_where_the_knots_are_kept(series, extra):
    channel = made("instantaneous", *series)
    times = np.unique(np.concatenate([channel.times_s, np.array(extra) * channel.times_s[-1]]))
    times = times[np.concatenate(([True], np.diff(times) > 1e-9))]
    finer = Channel("finer", times, np.interp(times, channel.times_s, channel.values))
    begin, end = channel.times_s[-1] * np.array([0.05, 0.9])
    assert energy(finer, begin, end, 2.5) == pytest.approx(energy(channel, begin, end, 2.5), rel=1e-6, abs=1e-3)


@given(series=SERIES, at=st.lists(st.floats(0.0, 1.0), min_size=2, max_size=2, unique=True))
def test_each_kind_is_the_sum_of_its_rectangles_or_trapezoids(series, at):
    begin, end = np.sort(at) * sum(series[0])
    if not begin < end:
        return
    for kind in KINDS:
        channel = made(kind, *series)
        t, v = channel.times_s, np.asarray(channel.values)
        total = 0.0
        for i in range(t.size - 1):  # brute force: each piece cut to the window
            a, z = max(t[i], begin), min(t[i + 1], end)
            if z > a:
                share = [(x - t[i]) / (t[i + 1] - t[i]) for x in (a, z)]
                height = {"instantaneous": v[i] + (v[i + 1] - v[i]) * sum(share) / 2, "interval_mean": v[i + 1],
                          "on_change": v[i], "counter": (v[i + 1] - v[i]) / (t[i + 1] - t[i])}[kind]
                total += height * (z - a)
        assert energy(channel, begin, end, 2.5) == pytest.approx(total, rel=1e-7, abs=1e-5)
