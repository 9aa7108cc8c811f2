"""Whether two results differ (method, Uncertainty).

Expected values: the checks of the method, worked by plain arithmetic apart from this project; closed forms, said where they are.
"""

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st
from scipy import stats

from joulebook.errors import InputError
from joulebook.method.differences import compared, interval_of_ratio, smallest_detectable, welch
from joulebook.method.uncertainty import correlated_gains, of_runs, quantity

A = [0.2012, 0.1998, 0.2005, 0.1991, 0.2004]  # J
B = [0.1969, 0.1981, 0.1975, 0.1990, 0.1977]


def test_welch():
    made = welch(A, B)
    assert (made.statistic, made.dof) == (pytest.approx(4.752427, abs=5e-7), pytest.approx(7.998480, abs=5e-7))
    # analytic: twice the tail of Student's t beyond the statistic
    assert made.p_value == pytest.approx(2 * stats.t.sf(4.752427, 7.998480), rel=1e-5)
    assert welch(B, A).statistic == -made.statistic


@pytest.mark.parametrize(
    ("limit", "correlation", "low", "high", "verdict"),
    [(0.005, 1.0, 0.982542, 0.993914, "differ"), (0.01, 0.0, 0.971795, 1.004906, "not distinguishable")],
)
def test_two_systems_differ_only_beyond_their_uncertainty(limit, correlation, low, high, verdict):
    first, second = correlated_gains(limit, limit, correlation)
    made = compared(of_runs(A) * first, of_runs(B) * second)
    assert made.ratio == pytest.approx(0.988212, abs=5e-7)
    assert (made.low, made.high) == (pytest.approx(low, abs=5e-7), pytest.approx(high, abs=5e-7))
    assert (made.verdict, made.differ) == (verdict, verdict == "differ")


def test_the_formula_of_correlated_gains():
    # analytic: u^2 = a_A^2 + a_B^2 + b_A^2 + b_B^2 - 2 rho b_A b_B, of unequal parts
    a, b, rho = (0.003, 0.004), (0.01, 0.02), 0.6
    first, second = correlated_gains(b[0] * 3**0.5, b[1] * 3**0.5, rho)
    made = compared(quantity(10.0, 10 * a[0]) * first, quantity(5.0, 5 * a[1]) * second)
    expected = np.sqrt(a[0] ** 2 + a[1] ** 2 + b[0] ** 2 + b[1] ** 2 - 2 * rho * b[0] * b[1])
    assert made.relative_u == pytest.approx(expected, rel=1e-12)
    assert made.dof == np.inf
    assert made.high == pytest.approx(0.5 * np.exp(1.959963985 * expected), rel=1e-9)


def test_smallest_detectable_difference():
    # published: Student's t with 8 degrees of freedom, 2.306 and 0.889 (any table of t); hand: 3.195 x 0.02 x sqrt(2/5)
    assert smallest_detectable(0.02, 5) == pytest.approx(0.04041, abs=5e-6)
    assert (np.diff(smallest_detectable(0.02, np.array([2, 3, 5, 10, 100]))) < 0).all()


def test_results_without_uncertainty_differ_where_they_are_not_equal():
    assert compared(2.0, 2.0).verdict == "not distinguishable"
    assert compared(2.0, 2.1).differ


@for_all(st.floats(0.5, 2), st.floats(1e-6, 0.05), st.floats(1e-6, 0.05), st.floats(-1, 1))
def test_a_ratio_turned_over_has_its_interval_turned_over(value, u, gain, correlation):
    first, second = correlated_gains(gain, gain / 2, correlation)
    one, other = quantity(1.0, u, 7) * first, quantity(value, u, 5) * second
    there, back = compared(one, other), compared(other, one)
    assert (back.low, back.high) == (pytest.approx(1 / there.high, rel=1e-9), pytest.approx(1 / there.low, rel=1e-9))
    assert there.low <= there.ratio <= there.high


@for_all(st.floats(1e-3, 1e3), st.floats(0, 0.2), st.floats(0, 0.2))
def test_intervals_known_already_give_what_propagation_gives(ratio, first, second):
    z = 1.959963984540054
    made = compared(quantity(2.0, 2 * first / z), quantity(2 * ratio, 2 * ratio * second / z))
    ends = [(value, value * (1 - h), value * (1 + h)) for value, h in ((2.0, first), (2 * ratio, second))]
    assert interval_of_ratio(*ends) == (pytest.approx(made.low, rel=1e-9), pytest.approx(made.high, rel=1e-9))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: compared(quantity(0.0, 1.0), 1.0),
        lambda: compared(1.0, -1.0),
        lambda: welch([1.0, 1.0], [2.0, 2.0]),
        lambda: welch([1.0], [2.0, 2.1]),
        lambda: smallest_detectable(0.02, 1),
    ],
)
def test_what_cannot_be_compared_is_refused(wrong):
    with pytest.raises(InputError):
        wrong()
