"""Ranges, their draws and intervals (method, rule 6). Expected values: closed forms."""

import numpy as np
import pytest

from joulebook.inputs import Input
from joulebook.method.ranges import COVERAGE, distribution, draw, interval, quantiles

RANGE = {"value": 1000.0, "low": 950.0, "high": 1050.0}


def test_interval_of_each_distribution():
    # 95 % of a rectangle is its middle 95 %; of a normal +-1.96 u; of a triangle up to
    # where each tail holds 2.5 %: a (1 - sqrt(0.05))
    for how, half in (
        ({"evidence": "published"}, 47.5),
        ({"range_is": "u95", "evidence": "measured"}, 1.959964 * 25),
        ({"evidence": "assumed"}, 50 * (1 - np.sqrt(0.05))),
    ):
        low, high = interval(draw({"x": Input(**RANGE, **how)}, {})["x"])
        assert (low, high) == (pytest.approx(1000 - half, abs=0.1), pytest.approx(1000 + half, abs=0.1))


@pytest.mark.parametrize("shape", [(2,), (8192,), (1000, 3), (41, 2, 2)])
def test_an_interval_is_that_of_numpy_to_the_last_bit(shape):
    rng, tail = np.random.default_rng(len(shape)), (1 - COVERAGE) / 2
    for samples in (rng.normal(size=shape), rng.lognormal(0, 9, shape), rng.integers(0, 3, shape) * 1.0):
        assert np.array_equal(interval(samples), np.quantile(samples, (tail, 1 - tail), axis=0))


def test_an_interval_of_samples_with_one_missing_is_missing():
    low, high = interval(np.array([[1.0, 1.0], [np.nan, 2.0], [3.0, 3.0]]))
    assert (low[1], high[1]) == (pytest.approx(1.05), pytest.approx(2.95))  # hand: 2.5 % of two steps in from each end
    assert np.isnan([low[0], high[0]]).all()


@pytest.mark.parametrize("how", [{"range_is": "u95", "evidence": "measured"}, {"evidence": "published"}, {"evidence": "assumed"}])
def test_quantiles_are_those_of_the_distribution(how):
    shares = np.linspace(0, 1, 33)
    for limits in ((-np.inf, np.inf), (990.0, np.inf)):
        own = Input(**RANGE, **how)
        assert np.array_equal(quantiles(own, limits, shares), distribution(own, limits).ppf(shares))


def test_draws_are_seeded_and_independent():
    inputs = {"a": Input(**RANGE), "b": Input(**RANGE), "c": Input(5.0)}
    first, second = draw(inputs, {}), draw(inputs, {})
    assert set(first) == {"a", "b"}
    assert all((first[name] == second[name]).all() for name in first)
    assert abs(np.corrcoef(first["a"], first["b"])[0, 1]) < 0.02


def test_a_normal_is_cut_at_what_the_parameter_can_be():
    pue = Input(1.02, low=0.92 + 0.08, high=1.04, range_is="u95", evidence="measured")
    assert draw({"pue": pue}, {"pue": (1.0, np.inf)})["pue"].min() >= 1.0
