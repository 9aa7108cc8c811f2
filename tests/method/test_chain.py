"""Calculations as one function: what a study computes, for many points at once."""

import numpy as np
import pytest

from joulebook.errors import JoulebookError
from joulebook.method import cost_per_token
from joulebook.method.chain import chain
from joulebook.method.study import gives

PRICE = "electricity_price_per_kwh"
GIVEN = {"throughput_per_s": 5000.0, "active_power_w": 1000.0, "pue": 1.3, PRICE: 0.12, "boundary": "server"}


def test_the_floor_of_the_cost_at_many_points():
    # published in the method, section 5: performance per watt at 1/3, 1/2 and 1 of that costs 0.026, 0.0173333, 0.00866667
    made = chain(cost_per_token.CALCULATIONS)(GIVEN | {"throughput_per_s": 5000.0 * np.array([1 / 3, 1 / 2, 1])})
    assert made["cost_per_million"] == pytest.approx([0.026, 0.0173333, 0.00866667], rel=1e-5)


def test_what_lacks_an_input_is_none_and_so_is_what_rests_on_it():
    made = chain(cost_per_token.CALCULATIONS)({name: value for name, value in GIVEN.items() if name != PRICE})
    assert made["facility_kwh_per_hour"] == pytest.approx(1.3)  # 1 kW x 1.3
    assert made["cost_per_hour"] is None
    assert made["annual_cost_busy_only"] is None


def test_only_what_is_wanted_is_run():
    run = []

    @gives("double")
    def doubled(x):
        run.append("double")
        return {"double": 2 * x}

    @gives("aside")
    def beside(x):
        run.append("aside")
        return {"aside": x}

    @gives("more")
    def increased(double):
        run.append("more")
        return {"more": double + 1, "notes": {"more": "one more"}}

    assert chain((doubled, beside, increased), ["more"])({"x": 3}) == {"double": 6, "more": 7}
    assert run == ["double", "more"]
    with pytest.raises(JoulebookError, match="no calculation gives less"):
        chain((doubled, beside), ["less"])
