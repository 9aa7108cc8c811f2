"""The value of knowing more. Expected values: section 9 of the method, closed forms, and numerical integrals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from joulebook.method.whatif import information as m

MONEY = st.floats(-1e9, 1e9)
SPREAD = st.floats(1e-3, 1e9)


def test_check_of_the_method():
    # section 9: m 3000, s 5000, s_m 2500
    assert float(m.probability_right(3000.0, 5000.0)) == pytest.approx(0.725747, abs=5e-7)
    assert float(m.value_of_perfect_information(3000.0, 5000.0)) == pytest.approx(843.364, abs=5e-4)
    assert float(m.value_of_sample_information(3000.0, 5000.0, 2500.0)) == pytest.approx(671.150, abs=5e-4)


def test_against_an_integral():
    # analytic: E max(0, B) - max(0, E B) of a normal B, integrated numerically
    for mean, spread in ((3000.0, 5000.0), (-800.0, 900.0), (0.0, 10.0)):
        excess, _ = integrate.quad(lambda b, m=mean, s=spread: b * stats.norm.pdf(b, m, s), 0, mean + 40 * spread, limit=400)
        assert float(m.value_of_perfect_information(mean, spread)) == pytest.approx(excess - max(0.0, mean), rel=1e-6)


def test_arrays_are_their_elements():
    mean, spread = np.array([3000.0, 0.0, 100.0]), np.array([5000.0, 2.0, 0.0])
    each = [float(m.value_of_perfect_information(*pair)) for pair in zip(mean, spread, strict=True)]
    assert m.value_of_perfect_information(mean, spread).tolist() == each
    assert each[2] == 0  # nothing is uncertain
    assert m.probability_right(mean, spread)[2] == 1


@given(MONEY, SPREAD, SPREAD)
def test_a_measurement_is_worth_no_more_than_knowing(mean, spread, error):
    perfect = m.value_of_perfect_information(mean, spread)
    sample = m.value_of_sample_information(mean, spread, error)
    assert 0 <= sample <= perfect * (1 + 1e-12)
    assert m.value_of_sample_information(mean, spread, 0.0) == perfect
    assert m.value_of_sample_information(mean, spread, np.inf) == 0


@given(st.floats(1e-3, 1e6), st.floats(1e-3, 1e6))
def test_spread_resolved_is_that_of_the_method(spread, error):
    # section 9: s replaced by sqrt(s^2 - 1/(1/s^2 + 1/s_m^2))
    as_written = max(0.0, spread**2 - 1 / (1 / spread**2 + 1 / error**2))
    assert float(m.spread_resolved(spread, error)) ** 2 == pytest.approx(as_written, rel=1e-6, abs=1e-12 * spread**2)
