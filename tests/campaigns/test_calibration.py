"""A small calibration: `make campaigns` does the whole of it."""

import math

import numpy as np
import pytest

from tests.campaigns import calibration

FEW = 160


def test_the_costs_that_the_truth_is_calculated_by():
    # method, section 5: 5000/s, 1000 W, idle 400 W, 0.12 per kWh, PUE 1.3; 24e9 a year
    known = {"throughput_per_s": 5000.0, "active_power_w": 1000.0, "idle_power_w": 400.0, "electricity_price_per_kwh": 0.12,
             "servers": 1, "redundancy": 0, "max_utilization": 0.8, "boundary": "server", "pue": 1.3}
    assert calibration.costs(**known, annual_volume=24e9) == pytest.approx((0.00866667, 0.027976), rel=1e-4)


@pytest.mark.parametrize("kind", calibration.KINDS)
@pytest.mark.parametrize("way", calibration.WAYS)
def test_intervals_hold_the_truth_about_as_often_as_they_say(way, kind):
    counted = calibration.covered(way, kind, seed=7, clients=FEW)
    spread = 4 * math.sqrt(0.95 * 0.05 / FEW)  # four standard deviations of a binomial share
    for name in calibration.RESULTS:
        assert abs(counted[name] / FEW - 0.95) < spread
        assert counted[name] + counted[name, "below"] + counted[name, "above"] == FEW


def test_a_believed_truth_is_drawn_from_all_of_its_range():
    rng = np.random.default_rng(0)
    places = []
    for _ in range(400):
        entry, true = calibration._believed(rng, "pue", "rectangular", 1.3)
        places.append((true - entry["low"]) / (entry["high"] - entry["low"]))
    assert 0 <= min(places) < 0.02 < 0.98 < max(places) <= 1
