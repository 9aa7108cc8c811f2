"""Flexible work against every schedule there is, on small cases. Expected values by brute force and by hand."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from joulebook.method.grid.flexible import as_soon_as_possible, cleanest, without_break

# section 7 of the method: g/kWh by hour
GRID = np.array([420, 410, 400, 390, 380, 390, 420, 450, 430, 380, 300, 240,
                 200, 190, 210, 260, 340, 430, 480, 500, 490, 470, 450, 430], float)  # fmt: skip
HOURS = np.arange(25.0)
ALL = np.ones(24, bool)

intensities = st.lists(st.integers(0, 6), min_size=2, max_size=6)


@settings(max_examples=150, deadline=None)
@given(intensities, st.data())
def test_divisible_work_emits_no_more_than_any_other_schedule(g, data):
    """Every schedule in units of a quarter of a step, within rooms of 0 to 4 of them."""
    g = np.array(g, float)
    room = np.array(data.draw(st.lists(st.integers(0, 4), min_size=len(g), max_size=len(g))))
    work = data.draw(st.integers(0, int(room.sum())))
    best = min(np.array(taken) @ g for taken in product(*(range(units + 1) for units in room)) if sum(taken) == work)
    lain = cleanest(float(work), room.astype(float), g)
    assert lain.sum() == pytest.approx(work)
    assert ((lain >= 0) & (lain <= room)).all()
    assert lain @ g == pytest.approx(best)


@settings(max_examples=150, deadline=None)
@given(intensities, st.integers(1, 24), st.data())
def test_work_without_a_break_emits_no_more_than_at_any_other_start(g, quarters, data):
    """Every start on a grid of sixteenths of an hour, steps of unequal length."""
    g = np.array(g, float)
    lengths = np.array(data.draw(st.lists(st.sampled_from([0.25, 0.5, 1.0, 1.5]), min_size=len(g), max_size=len(g))))
    free = np.array(data.draw(st.lists(st.booleans(), min_size=len(g), max_size=len(g))))
    edges, work = np.append(0.0, np.cumsum(lengths)), quarters / 8

    def at(start):
        hours = np.clip(np.minimum(edges[1:], start + work) - np.maximum(edges[:-1], start), 0, None)
        return None if (hours[~free] > 0).any() else hours @ g

    tried = [at(start) for start in np.arange(0, edges[-1] - work + 1e-9, 1 / 16)]
    tried = [mass for mass in tried if mass is not None]
    lain = without_break(work, edges, free, g)
    assert np.isfinite(lain).all() == bool(tried)
    if tried:
        assert lain @ g == pytest.approx(min(tried))
        assert lain.sum() == pytest.approx(work)
        assert not lain[~free].any()


def test_six_hours_of_the_day():
    # section 7: hours 10 to 15, 1.3 x (300 + 240 + 200 + 190 + 210 + 260) = 1.3 x 1400 = 1820 g
    lain = cleanest(6.0, np.ones(24), GRID)
    assert np.flatnonzero(lain).tolist() == list(range(10, 16))
    assert 1.3 * lain @ GRID == pytest.approx(1820)
    # before 10:00: hours 1 2 3 4 5 9, 1.3 x (410 + 400 + 390 + 380 + 390 + 380) = 3055 g
    lain = cleanest(6.0, np.ones(10), GRID[:10])
    assert np.flatnonzero(lain).tolist() == [1, 2, 3, 4, 5, 9]
    assert 1.3 * lain @ GRID[:10] == pytest.approx(3055)


def test_of_equal_starts_the_earlier():
    # section 7: before 10:00 without a break, starts 0 and 1 tie: 1.3 x 2390 = 3107 g; 420 g leave at 0, 420 g come at 6
    lain = without_break(6.0, HOURS[:11], ALL[:10], GRID[:10])
    assert np.flatnonzero(lain).tolist() == list(range(6))
    assert 1.3 * lain @ GRID[:10] == pytest.approx(3107)


def test_a_run_may_begin_between_two_hours():
    # 90 minutes of 3 1 3: half an hour and the middle hour, 0.5 x 3 + 1, wherever it begins in the half hour before; the earliest
    lain = without_break(1.5, HOURS[:4], ALL[:3], np.array([3.0, 1.0, 3.0]))
    assert lain.tolist() == [0.5, 1.0, 0.0]


def test_a_blocked_hour_parts_the_day():
    free = np.array([True, True, False, True, True])
    assert without_break(2.0, HOURS[:6], free, np.array([1.0, 1, 0, 3, 1])).tolist() == [1, 1, 0, 0, 0]
    assert np.isnan(without_break(3.0, HOURS[:6], free, np.ones(5))).all()


def test_as_soon_as_possible_begins_where_there_is_room():
    room = np.array([0.5, 0.0, 1.0, 1.0])
    assert as_soon_as_possible(2.0, HOURS[:5], room, room >= 1, False, 0.0).tolist() == [0.5, 0, 1, 0.5]
    assert as_soon_as_possible(2.0, HOURS[:5], room, room >= 1, True, 0.0).tolist() == [0, 0, 1, 1]
    assert np.isnan(as_soon_as_possible(2.0, HOURS[:5], room, room >= 1, True, 3.0)).all()
    assert as_soon_as_possible(1.0, HOURS[:5], room, room >= 1, False, 2.0).tolist() == [0, 0, 1, 0]


def test_too_little_room_has_no_schedule():
    assert np.isnan(cleanest(2.5, np.ones(2), np.array([1.0, 2.0]))).all()


@given(st.integers(0, 2**31))
@settings(max_examples=25, deadline=None)
def test_draws_are_laid_out_each_as_on_its_own(seed):
    rng = np.random.default_rng(seed)
    g, edges = rng.integers(1, 9, 6).astype(float), np.arange(7.0)
    work, room = rng.uniform(0.5, 3, 5), rng.uniform(0, 1, (5, 6))
    free = room > 0.3
    for several, alone in (
        (cleanest(work, room, g), [cleanest(w, r, g) for w, r in zip(work, room, strict=True)]),
        (without_break(work, edges, free, g), [without_break(w, edges, f, g) for w, f in zip(work, free, strict=True)]),
        (without_break(1.5, edges, free, g), [without_break(1.5, edges, f, g) for f in free]),
        (without_break(work, edges, free[0], g), [without_break(w, edges, free[0], g) for w in work]),
        (as_soon_as_possible(work, edges, room, free, True, 1.0),
         [as_soon_as_possible(w, edges, r, f, True, 1.0) for w, r, f in zip(work, room, free, strict=True)]),
    ):
        assert several == pytest.approx(np.array(alone), nan_ok=True)
