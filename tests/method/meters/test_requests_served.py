"""Requests of a window. Expected values: hand, the arithmetic shown."""

import numpy as np
import pytest

from joulebook.method.meters.requests_served import per, served


def test_energy_is_shared_by_those_that_count():
    # 300 requests started, 10 failed, 29 late: 60000 J over 300, 290 and 261
    start = np.arange(300) * 0.19 + 2
    ok = np.arange(300) >= 10
    latency = np.where(np.arange(300) >= 39, 0.1, 3.0)
    found = served(start, start + 0.1, ok, 2.0, 62.0, [latency], [2.0])
    assert (found.started, found.completed, found.slo_valid) == (300, 290, 261)
    energies = [float(per(60000.0, count)) for count in (found.started, found.completed, found.slo_valid)]
    assert energies == pytest.approx([200.0, 206.897, 229.885], abs=5e-4)
    assert found.edge_work_share == 0.0


def test_work_that_crosses_an_edge():
    start, end = np.array([0.0, 1.0, 5.0, 9.5, 10.0, np.nan]), np.array([1.0, 3.0, 6.0, 10.5, 11.0, np.nan])
    found = served(start, end, [True] * 6, 1.0, 10.0)
    # hand: at work in [1, 10) are those from 1, 5 and 9.5 s; the last goes on behind the edge. The first ended as it began
    assert (found.started, found.completed) == (3, 2)
    assert found.edge_work_share == pytest.approx(1 / 3)


def test_what_never_ended_is_started_and_crosses():
    found = served([2.0, 3.0], [np.nan, 4.0], [False, True], 1.0, 10.0)
    assert (found.started, found.completed, found.edge_work_share) == (2, 1, 0.5)


def test_several_windows_and_limits():
    # hand: 1.5 lies in the first window, 5.5 in the second, 3.5 between them
    start = np.array([1.5, 3.5, 5.5])
    found = served(start, start + 0.2, [True] * 3, [1.0, 5.0], [2.0, 6.0], [[1.0, 1.0, np.nan]], [1.0])
    assert (found.started, found.completed, found.slo_valid) == (2, 2, 1)  # what was not measured keeps no limit


def test_no_work_is_not_available():
    assert np.isnan(per(60000.0, 0))
    assert np.isnan(served([], [], [], 0.0, 1.0).edge_work_share)
