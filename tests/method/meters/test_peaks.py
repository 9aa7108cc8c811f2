"""Peaks over sliding times. Expected values: hand (the arithmetic shown), analytic, or brute force over a fine grid."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from joulebook.method.meters import peaks as module
from joulebook.method.meters.integral import integral
from joulebook.method.meters.peaks import peak_power, peaks, sliding_peak
from joulebook.method.meters.pieces import Pieces
from joulebook.method.series import Channel


def burst(begin):
    """1000 W for 10 s, means at 10 Hz, with 1 s of 3000 W from `begin` on."""
    times = np.arange(1, 101) / 10
    inside = (times > begin + 1e-9) & (times < begin + 1 + 1e-9)
    return Pieces(Channel("wall", times, np.where(inside, 3000.0, 1000.0), "interval_mean"))


def test_a_burst_is_found_wherever_it_begins():
    # hand: 2 s hold 3000 + 1000 = 4000 J, 5 s 7000 J, 10 s 12000 J; aligned blocks of 1 s and 2 s would cut it in two
    pieces = burst(3.5)
    assert integral(pieces, 0.0, 10.0).energy_j == pytest.approx(12000.0)
    assert peaks([pieces], 0.0, 10.0, (1.0, 2.0, 5.0, 10.0)) == pytest.approx([3000.0, 2000.0, 1400.0, 1200.0])
    assert peak_power([pieces], 0.0, 10.0) == 3000.0
    for begin in (0.0, 2.3, 9.0):
        assert peaks([burst(begin)], 0.0, 10.0, (1.0, 2.0)) == pytest.approx([3000.0, 2000.0])


def test_a_time_that_does_not_fit_has_no_peak():
    assert np.isnan(peaks([burst(3.5)], 0.0, 10.0, (60.0,))).all()
    times = np.concatenate([np.arange(0.0, 10.0), np.arange(20.0, 30.0)])
    gapped = Pieces(Channel("wall", times, np.where(times < 15, 100.0, 200.0)))
    # hand: 9 s fit on both sides of the gap, 10 s on neither
    assert peaks([gapped], 0.0, 30.0, (9.0, 10.0)) == pytest.approx([200.0, np.nan], nan_ok=True)


def test_the_vertex_of_a_triangle():
    # analytic: around a peak of height 1000 W and slope 500 W/s the best 1 s lies across it: 1000 - 500 x 0.25 = 875 W
    triangle = Pieces(Channel("wall", [0.0, 2.0, 4.0], [0.0, 1000.0, 0.0]))
    assert sliding_peak([triangle], 0.0, 4.0, 1.0) == pytest.approx(875.0)
    # analytic: slopes 1000 and 250 W/s; the mean of 1 s is largest where both ends have the same power: 0.2 s before,
    # 0.8 s after, 800 W at both: (0.2 x 900 + 0.8 x 900) = 900 W
    skewed = Pieces(Channel("wall", [0.0, 1.0, 5.0], [0.0, 1000.0, 0.0]), max_gap_s=10.0)
    assert sliding_peak([skewed], 0.0, 5.0, 1.0) == pytest.approx(900.0)


def test_channels_peak_together_or_apart():
    # hand: 1 s of 300 W more in each channel; apart the sum peaks at 100 + 400, together at 400 + 400
    times = np.arange(1.0, 11.0)
    one, other = (Pieces(Channel(f"gpu {at}", times, np.where(times == at, 400.0, 100.0), "interval_mean")) for at in (3, 7))
    assert peaks([one, other], 0.0, 10.0, (1.0, 2.0)) == pytest.approx([500.0, 350.0])
    assert peak_power([one, other], 0.0, 10.0) == 500.0
    assert peaks([one, one], 0.0, 10.0, (1.0,)) == pytest.approx([800.0])
    assert peak_power([one, one], 0.0, 10.0) == 800.0


def test_kinds_add_up_at_their_readings():
    line = Pieces(Channel("wall", [0.0, 2.0, 4.0], [0.0, 1000.0, 0.0]))
    held = Pieces(Channel("plug", [0.0, 1.0, 1.5, 4.0], [0.0, 600.0, 0.0, 0.0], "on_change"))
    assert peak_power([line, held], 0.0, 4.0) == pytest.approx(1100.0)  # hand: at 1 s the line has 500 W and the plug 600 W


def test_a_counter_peaks_between_polls():
    counter = Pieces(Channel("package", [0.0, 1.0, 2.0, 3.0], [0.0, 100.0, 400.0, 500.0], "counter"))
    assert peak_power([counter], 0.0, 3.0) == 300.0  # hand: 400 - 100 J in 1 s
    assert sliding_peak([counter], 0.0, 3.0, 2.0) == pytest.approx(200.0)  # hand: 400 J in 2 s


@settings(max_examples=60)
@given(steps=st.lists(st.floats(0.2, 2.0), min_size=4, max_size=25), data=st.data(), length=st.floats(0.3, 6.0),
       kind=st.sampled_from(["instantaneous", "interval_mean"]), chunk=st.sampled_from([2, 5, 2**16]))
def test_sliding_is_never_below_a_fine_grid_and_never_far_above(steps, data, kind, length, chunk):
    times = np.concatenate(([0.0], np.cumsum(steps)))
    values = np.array(data.draw(st.lists(st.floats(0.0, 1000.0), min_size=times.size, max_size=times.size)))
    pieces = Pieces(Channel("made", times, values, kind), max_gap_s=10.0)
    starts = np.linspace(0.0, times[-1] - length, 4001)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", chunk)
        patch.setattr(module, "_MOST", chunk)
        found = sliding_peak([pieces], 0.0, times[-1], length)
    if times[-1] < length:
        assert np.isnan(found)
        return
    grid = (integral(pieces, starts, starts + length).energy_j / length).max()  # brute force
    step = (times[-1] - length) / 4000
    assert grid - 1e-6 <= found <= grid + 1000.0 * step / length + 1e-6
