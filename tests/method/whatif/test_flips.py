"""Where a conclusion turns. Expected values: roots known in closed form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from joulebook.method.whatif import flips as m


def turned(margin, today=1.0, limits=(-np.inf, np.inf)):
    """Nearest flip of one axis, of a function of its value."""
    grid = m.search_grid(today, limits)
    return float(m.nearest_flips(lambda axis, at: (margin(at) > 0).astype(float), [grid], [today])[0])


@given(st.floats(0.002, 900), st.floats(1e-9, 1e9))
def test_a_crossing_is_found_to_the_last_digits(root, today):
    assert turned(lambda x: x - root * today, today) == pytest.approx(root * today, rel=1e-11)


def test_the_nearest_of_several():
    # roots of (x - 0.5) (x - 1.8) (x - 4) from 1: 1.8 is nearer than 0.5 by ratio
    assert turned(lambda x: (x - 0.5) * (x - 1.8) * (x - 4)) == pytest.approx(1.8, rel=1e-12)
    assert turned(lambda x: (x - 0.7) * (x - 1.8)) == pytest.approx(0.7, rel=1e-12)


def test_a_step_is_found_like_a_crossing():
    # a server more at 2.4: no zero is crossed, the sign jumps
    assert turned(lambda x: np.where(np.ceil(x / 0.8) > 3, -5.0, 7.0)) == pytest.approx(2.4, rel=1e-11)


def test_never():
    assert np.isnan(turned(lambda x: x + 1, limits=(0.0, np.inf)))
    assert np.isnan(turned(lambda x: 0.5 - x, today=0.2, limits=(0.0, 0.4)))
    assert turned(lambda x: 0.5 - x, today=0.2, limits=(0.0, 1.0)) == pytest.approx(0.5)


def test_what_has_no_value_is_no_turn():
    grid = m.search_grid(1.0, (0.0, np.inf))
    found = m.nearest_flips(lambda axis, at: np.where(at > 3, np.nan, 1.0), [grid], [1.0])
    assert np.isnan(found).all()


def test_below_zero_and_from_zero():
    assert turned(lambda x: x + 2) == pytest.approx(-2, rel=1e-11)
    assert m.search_grid(0.0, (0.0, np.inf)).tolist() == [0.0]  # nothing to measure steps by
    grid = m.search_grid(0.0, (0.0, np.inf), 10.0)
    found = m.nearest_flips(lambda axis, at: (at < 25).astype(float), [grid], [0.0])
    assert found == pytest.approx([25.0], rel=1e-11)


def test_axes_do_not_disturb_each_other():
    roots = np.array([0.3, 2.0, 77.0, 5e4])
    grids = [m.search_grid(1.0, (0.0, np.inf))] * 4
    found = m.nearest_flips(lambda axis, at: (at > roots[axis]).astype(float), grids, [1.0] * 4)
    assert found[:3] == pytest.approx(roots[:3], rel=1e-11)
    assert np.isnan(found[3])  # beyond what is searched
