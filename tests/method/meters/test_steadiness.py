"""Drift of the power. Expected values: hand (the arithmetic shown) or analytic."""

import numpy as np
import pytest

from joulebook.method.meters.pieces import Pieces
from joulebook.method.meters.steadiness import block_means, drift, length_note
from joulebook.method.series import Channel


def test_a_ramp_drifts_by_its_rise():
    ramp = Pieces(Channel("wall", np.arange(601.0), np.linspace(980.0, 1020.0, 601)))
    found = drift([ramp], 0.0, 600.0)
    assert found.share == pytest.approx(0.04)  # hand: 40 W over a mean of 1000 W
    assert found.verdict == "not steady"
    assert found.blocks_w[0] == pytest.approx(982.0)  # hand: the middle of the first tenth
    half = drift([ramp, ramp], 0.0, 300.0)
    assert half.share == pytest.approx(20.0 / 990.0)
    assert half.verdict == "not steady"
    assert drift([ramp], 0.0, 290.0).verdict == "steady"  # hand: 19.3 W of 989.7 W


def test_noise_shows_nothing():
    # hand: means alternate between 900 and 1100 W: interval far wider than 2 %, whatever the slope
    noisy = Pieces(Channel("wall", np.arange(1.0, 101.0), np.where(np.arange(100) // 10 % 2, 1100.0, 900.0), "interval_mean"))
    assert drift([noisy], 0.0, 100.0).verdict == "steadiness not shown"


def test_a_span_of_several_windows_is_cut_by_its_own_time():
    # hand: [0, 15) and [85, 100) are 30 s of work; blocks of 3 s; the last holds 97 to 100 s
    ramp = Pieces(Channel("wall", np.arange(101.0), np.arange(101.0)))
    middle, mean = block_means([ramp], [0.0, 85.0], [15.0, 100.0])
    assert middle[0] == pytest.approx(1.5)
    assert mean[[0, 4, 5, 9]] == pytest.approx([1.5, 13.5, 86.5, 98.5])


def test_blocks_that_nobody_saw_are_left_out():
    times = np.concatenate([np.arange(0.0, 41.0), np.arange(60.0, 101.0)])
    found = drift([Pieces(Channel("wall", times, np.full(times.size, 500.0)))], 0.0, 100.0)
    assert np.isnan(found.blocks_w).tolist() == [False] * 4 + [True] * 2 + [False] * 4
    assert found.share == pytest.approx(0.0, abs=1e-12)
    assert drift([Pieces(Channel("wall", [0.0, 10.0], [1.0, 1.0]))], 0.0, 100.0).verdict is None


def test_short_windows_are_told():
    assert length_note(600.0) == ""
    assert "600 s" in length_note(599.0)
    assert "60 s" in length_note(59.0)
