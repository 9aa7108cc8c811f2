"""Draws that move together. Expected values: closed forms, and scipy's rank correlation of the draws."""

import numpy as np
import pytest
from scipy import stats

from joulebook.inputs import Input
from joulebook.method import ranges
from joulebook.method import together as m

UNIFORM = stats.qmc.Sobol(2, rng=3).random(2**14).T


@pytest.mark.parametrize("rho", [-1.0, -0.6, 0.0, 0.3, 0.8, 1.0])
def test_ranks_are_correlated_as_declared(rho):
    moved = m.moved_together(*UNIFORM, rho)
    assert stats.spearmanr(UNIFORM[0], moved).statistic == pytest.approx(rho, abs=0.01)
    assert stats.kstest(moved, "uniform").statistic < 0.01  # its own distribution stays


def test_ends():
    assert m.moved_together(*UNIFORM, 1.0) == pytest.approx(UNIFORM[0], abs=1e-12)
    assert m.moved_together(*UNIFORM, -1.0) == pytest.approx(1 - UNIFORM[0], abs=1e-12)
    assert m.moved_together(*UNIFORM, 0.0) == pytest.approx(UNIFORM[1], abs=1e-12)


def test_the_ends_of_the_interval_stay_within_it():
    edges = np.array([0.0, 1.0, 1 - 2**-53])
    for rho in (-1.0, 0.5, 1.0):
        moved = m.moved_together(edges, edges, rho)
        assert ((moved >= 0) & (moved <= 1)).all()


def test_draws_of_inputs_move_together():
    inputs = {
        "throughput_per_s": Input(5000.0, low=4000.0, high=6000.0, evidence="measured"),
        "active_power_w": Input(1000.0, low=900.0, high=1300.0),  # assumed: triangular
        "pue": Input(1.3, low=1.1, high=1.5, evidence="quoted"),
        "throughput_power_rank_correlation": Input(0.7),
    }
    limits = dict.fromkeys(inputs, (0.0, np.inf))
    alone = ranges.draw(inputs, limits)
    pair = ranges.draw(inputs, limits, correlated=ranges.correlated(inputs))
    assert stats.spearmanr(pair["throughput_per_s"], pair["active_power_w"]).statistic == pytest.approx(0.7, abs=0.015)
    for name in ("throughput_per_s", "pue"):
        assert (pair[name] == alone[name]).all()  # the others stay as they were
    # the distribution of the second stays: mean of a triangle (900 + 1000 + 1300) / 3
    assert pair["active_power_w"].mean() == pytest.approx(3200 / 3, rel=1e-3)
    assert ranges.correlated({"pue": inputs["pue"]}) is None


def test_one_of_the_pair_without_range():
    inputs = {"throughput_per_s": Input(5000.0), "active_power_w": Input(1000.0, low=900.0, high=1100.0)}
    drawn = ranges.draw(inputs, {}, correlated=("throughput_per_s", "active_power_w", 0.9))
    assert list(drawn) == ["active_power_w"]
    assert (drawn["active_power_w"] == ranges.draw(inputs, {})["active_power_w"]).all()
