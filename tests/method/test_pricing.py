"""What an expired input does to prices, what each result rests on, and what an input moves it by."""

from dataclasses import replace

import numpy as np
import pytest

from joulebook import dictionary
from joulebook.inputs import Given, Input
from joulebook.method import cost_per_token
from joulebook.method.study import Study, gives
from joulebook.results import Labels

TOPIC = "cost_per_token"
LABELS = Labels("chat", "output_token", "as served", "Server", "work phase", "server")
PLAIN = {
    "currency": Input("EUR"),
    "throughput_per_s": Input(5000.0, evidence="measured"),
    "active_power_w": Input(1000.0, evidence="measured"),
    "idle_power_w": Input(400.0),
    "electricity_price_per_kwh": Input(0.12, low=0.10, high=0.20),
    "pue": Input(1.3, low=1.2, high=1.4),
    "utilization": Input(0.4),
    "servers": Input(1),
    "max_utilization": Input(0.8),
    "redundancy": Input(0),
    "capital_cost": Input(250000.0),
    "residual_value": Input(0.0),
    "lifetime_years": Input(4.0),
    "discount_rate": Input(0.08),
    "maintenance_share_per_year": Input(0.05),
    "other_cost_per_year": Input(0.0),
}
OLD = {"as_of": "2025-04-30", "expires": "2026-04-30", "expired": True}


def study(calculations=cost_per_token.CALCULATIONS, **changed):
    items = {name: replace(item, **changed.get(name, {})) for name, item in PLAIN.items()}
    items |= {name: value for name, value in changed.items() if isinstance(value, Input)}
    rows = dictionary.of_topic(TOPIC)
    return Study(Given(TOPIC, items, {}, LABELS, rows, dictionary.definitions()[TOPIC])).run_all(calculations)


def test_an_expired_price_makes_no_money():
    made, fresh = study(electricity_price_per_kwh=OLD), study()
    money = [name for name in made.results if "{currency}" in made.definition(name).unit]
    assert len(money) > 20
    for name in money:
        if "electricity_price_per_kwh" in made.rests_on(name):
            assert made.results[name].value is None, name
            if fresh.results[name].available:
                assert made.results[name].note == "expired, not used for pricing: electricity_price_per_kwh (2026-04-30)", name
                assert (made.results[name].low, made.results[name].high, made.results[name].evidence) == (None, None, None)
    # capital does not rest on the price of electricity: 250000 / 4 a year
    assert made.results["capital_per_year_straight_line"].value == pytest.approx(62500)


def test_what_is_told_by_money_is_not_told_either():
    made = study(electricity_price_per_kwh=OLD)
    assert made.results["energy_share"].value is None  # a share of a cost
    for table in ("ownership_parts", "cost_by_utilization"):
        assert made.results[table]["rows"] == []
        assert made.results[table]["note"].startswith("expired, not used for pricing")


def test_energy_is_told_whatever_the_price():
    made, fresh = study(electricity_price_per_kwh=OLD), study()
    for name in ("energy_per_unit_j", "facility_kwh_per_hour", "annual_kwh_always_on", "annual_kwh_busy_only", "lifetime_units"):
        assert made.results[name] == fresh.results[name]
        assert made.results[name].available


def test_an_expired_power_makes_no_money_and_its_energy_is_still_told():
    made = study(active_power_w=OLD)
    assert made.results["energy_per_unit_j"].value == pytest.approx(0.2)  # 1000 W over 5000 a second
    assert made.results["cost_per_million"].note == "expired, not used for pricing: active_power_w (2026-04-30)"


def test_every_expired_input_is_named():
    made = study(electricity_price_per_kwh=OLD, throughput_per_s={**OLD, "expires": "2026-09-09"})
    assert made.results["cost_per_million"].note == (
        "expired, not used for pricing: throughput_per_s (2026-09-09), electricity_price_per_kwh (2026-04-30)"
    )


def test_a_reason_lets_it_be_used():
    made = study(electricity_price_per_kwh={**OLD, "used_because": "the contract runs on"})
    assert made.results["cost_per_million"].value == pytest.approx(0.2 * 1e6 / 3.6e6 * 1.3 * 0.12)
    assert made.results == study().results


def test_a_verdict_of_money_is_not_told():
    @gives("energy_share", "break_even_volume", "lifetime_units")
    def verdict(cost_per_million, throughput_per_s):
        return {"energy_share": 1.0, "break_even_volume": 3.0 * cost_per_million, "lifetime_units": 2.0 * throughput_per_s}

    steps = [*(step for step in cost_per_token.CALCULATIONS if "break_even_volume" not in step.results
               and "energy_share" not in step.results), verdict]
    made = study(steps, electricity_price_per_kwh=OLD).results
    assert made["energy_share"].value is None  # a probability of one, which no amount moves any more
    assert made["break_even_volume"].value is None  # a number of tokens that an amount moves
    assert made["lifetime_units"].value == 10000  # one that none moves


def test_a_result_rests_on_inputs_however_far_back():
    made = study()
    assert made.rests_on("energy_per_unit_j") == ["throughput_per_s", "active_power_w"]
    assert set(made.rests_on("cost_per_million")) == {
        "throughput_per_s", "active_power_w", "pue", "electricity_price_per_kwh"
    }


def test_what_each_input_moves_a_result_from_and_to():
    moved = {row.pop("input"): row for row in study().moves("cost_per_million")}
    # 0.2 J x 1e6 / 3.6e6 J per kWh = 0.0555556 kWh a million; x 1.3 x 0.12 = 0.0086667
    assert moved["pue"] == pytest.approx({"low": 0.0555556 * 1.2 * 0.12, "high": 0.0555556 * 1.4 * 0.12}, rel=1e-6)
    assert moved["electricity_price_per_kwh"] == pytest.approx({"low": 0.0555556 * 1.3 * 0.1, "high": 0.0555556 * 1.3 * 0.2},
                                                               rel=1e-6)
    assert moved["active_power_w"] == pytest.approx({"for_one_pct": 0.01})
    assert moved["throughput_per_s"] == pytest.approx({"for_one_pct": 1 / 1.01 - 1})
    assert set(moved) == {"pue", "electricity_price_per_kwh", "active_power_w", "throughput_per_s"}  # no other moves it


def test_an_input_at_its_limit_is_moved_down():
    # a utilization of one has no 1 % more; all energy is busy then: 1 % less work, 1 % less energy
    moved = {row.pop("input"): row for row in study(utilization={"value": 1.0}).moves("annual_kwh_busy_only")}
    assert moved["utilization"] == pytest.approx({"for_one_pct": 0.01})


def test_what_is_not_there_is_moved_by_nothing():
    assert study(electricity_price_per_kwh=OLD).moves("cost_per_million") == []


def test_what_is_handed_all_inputs_rests_on_all():
    @gives("energy_share", once=True)
    def chance(given, throughput_per_s):
        return {"energy_share": 0.5}

    made = study([chance], electricity_price_per_kwh=OLD)
    assert set(made.rests_on("energy_share")) == set(PLAIN)
    assert made.results["energy_share"].value is None


def test_what_is_told_by_draws_is_not_told_one_input_at_a_time():
    @gives("energy_share", "lifetime_units")
    def chance(throughput_per_s, sampled=None):
        return {"energy_share": 0.5 if sampled is not None else np.mean(throughput_per_s > 0), "lifetime_units": throughput_per_s}

    steps = [step for step in cost_per_token.CALCULATIONS if not {"energy_share", "lifetime_units"} & set(step.results)]
    made = study([*steps, chance])
    assert not made.follows("energy_share")
    assert made.moves("energy_share") == []
    assert made.rests_on("energy_share") == ["throughput_per_s"]
    assert made.follows("lifetime_units")
    assert made.moves("lifetime_units") == [{"input": "throughput_per_s", "for_one_pct": pytest.approx(0.01)}]
