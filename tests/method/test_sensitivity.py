"""Section 9 of the method. Expected values: hand arithmetic, shown, unless another source is named."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given as drawn_by
from hypothesis import settings
from hypothesis import strategies as st

from joulebook import dictionary
from joulebook.inputs import Given, Input
from joulebook.method import sensitivity as m
from joulebook.method.study import Study
from joulebook.method.whatif import conclusion
from joulebook.method.whatif.information import value_of_perfect_information, value_of_sample_information
from joulebook.method.whatif.model import varied
from joulebook.results import Labels

TOPIC = "sensitivity"
LABELS = Labels("chat", "output_token", "as served", "Server", "work phase", "server")
SYSTEM = {"throughput_per_s": 5000.0, "active_power_w": 1000.0, "pue": 1.3, "electricity_price_per_kwh": 0.12}
# section 5: 250000 over four years of 8760 h at 0.4 of 5000/s are 63072 M a year: 62500 + 12500 + 874.5984 of electricity
OWNED = {
    **SYSTEM,
    "idle_power_w": 400.0,
    "utilization": 0.4,
    "utilization_is": "duty",
    "servers": 1,
    "max_utilization": 0.8,
    "redundancy": 0,
    "capital_cost": 250000.0,
    "residual_value": 0.0,
    "lifetime_years": 4.0,
    "maintenance_share_per_year": 0.05,
    "other_cost_per_year": 0.0,
    "coincidence_factor": 1.0,
}
MILLIONS, ENERGY = 63072.0, 874.5984
COST = (75000 + ENERGY) / MILLIONS
API = {**OWNED, "api_price_per_million_input": 0.0, "api_price_per_million_output": 0.5}
TASKS = {  # section 11
    "value_per_task": 0.004,
    "automatable_share": 0.7,
    "annual_tasks": 1e7,
    "units_per_task": 500.0,
    "other_cost_per_task": 0.0,
    "fixed_cost_per_year": 9000.0,
    "review_cost_per_task": 0.0008,
    "roi_hurdle": 0.25,
}
MEASURED = pd.DataFrame(
    {
        "measurement": ["quotation", "survey", "both", "both", "meter"],
        "input": ["capital_cost", "maintenance_share_per_year", "capital_cost", "maintenance_share_per_year", "active_power_w"],
        "standard_uncertainty": [10000.0, 0.001, 10000.0, 0.001, 1.0],
        "cost": [100.0, 50.0, 400.0, 0.0, 10.0],
        "source": "",
    }
)


def near(expected, rel=1e-6):
    return pytest.approx(expected, rel=rel)


QUICK = tuple(item for item in m.CALCULATIONS if item.__name__ != "variance_shares")  # which takes as long as all others together


def given(tables=(), **inputs):
    """Inputs of the topic that are measured unless said otherwise."""
    items = {name: item if isinstance(item, Input) else Input(item, evidence="measured") for name, item in inputs.items()}
    items = {"currency": Input("EUR"), "variation_share": Input(0.2), "performance_per_watt_gain": Input(3.0), **items}
    items |= {name: Input(f"{name}.csv", evidence="measured") for name in dict(tables)}
    everything = dictionary.definitions()
    return Given(TOPIC, items, dict(tables), LABELS, dictionary.of_topic(TOPIC), everything[TOPIC], everything)


def study(tables=(), calculations=QUICK, **inputs):
    """The topic on such inputs."""
    done = Study(given(tables, **inputs))
    done.build_on("cost_per_token", m.COST).build_on("accuracy_cost", m.QUALITY).build_on("verdict", m.ECONOMICS)
    return done.run_all(calculations)


def table(done, name, key="input"):
    """Rows of a table as dicts, by the text of a column."""
    heads = [head for head, _ in done.results[name]["columns"]]
    rows = [dict(zip(heads, row, strict=True)) for row in done.results[name]["rows"]]
    return {row[key].split(" (")[0]: row for row in rows}


def scenarios(done):
    """Rows of the scenarios by what they change, without its unit, and to what."""
    heads = [head for head, _ in done.results["scenarios"]["columns"]]
    rows = [dict(zip(heads, row, strict=True)) for row in done.results["scenarios"]["rows"]]
    return {(row["scenario"].split(" (")[0], row["at"]): row for row in rows}


# ---- what is concluded


def test_the_margin_is_over_the_hurdle_where_tasks_have_a_value():
    # section 11 at a unit cost of 0.0006: 28000 - 1.25 x 17400 = 6250; it flips at 0.0011, which is 2.2 for a million
    made = conclusion.concluded(1.2, net_benefit_over_hurdle=6250.0, roi_hurdle=0.25, annual_tasks=1e7, units_per_task=500.0,
                                ownership_cost_per_million=1.2, api_price_per_million=0.5, units_per_year=6e10)
    assert (made["conclusion_margin"], made["flip_cost_per_million"]) == (6250.0, near(2.2, 1e-12))
    assert made["conclusion"].startswith("The use earns more")
    lost = conclusion.concluded(1.2, net_benefit_over_hurdle=-9000.0, roi_hurdle=0.25, annual_tasks=1e7, units_per_task=500.0)
    assert np.isnan(lost["flip_cost_per_million"])  # 1.2 - 1.44 is below nothing
    assert lost["notes"]["flip_cost_per_million"].startswith("never")


def test_the_margin_is_against_an_api_otherwise():
    done = study(**API).results
    assert done["conclusion_margin"].value == near((0.5 - COST) * MILLIONS)
    assert done["flip_cost_per_million"].value == 0.5
    assert done["conclusion"].value == "An own system costs no less than the API"


def test_nothing_is_concluded_without_a_value_or_a_price():
    done = study(**OWNED).results
    assert done["conclusion_margin"].value is None
    assert "value_per_task" in done["conclusion"].note
    for name in ("probability_holds", "first_flip", "best_measurement", "value_of_perfect_information"):
        assert done[name].value is None
        assert "value_per_task" in done[name].note
    assert "value_per_task" in done["margin_tornado"]["note"]
    assert done["tornado"]["rows"]  # the cost is there, and what moves it
    assert done["energy_lever_ratio"].value is not None


def test_electricity_alone_is_not_compared_with_an_api():
    prices = {"api_price_per_million_input": 0.0, "api_price_per_million_output": 0.5}
    assert study(**SYSTEM, **prices).results["conclusion"].value is None


# ---- one at a time


def test_cost_at_full_load_is_the_tornado_of_the_method():
    # section 9: throughput 1.25 / 0.833333, power, PUE, price 0.8 / 1.2, of 0.026 / 3
    rows = table(study(**SYSTEM), "tornado")
    ends = {name: (row["cost_at_low"] / (0.026 / 3), row["cost_at_high"] / (0.026 / 3)) for name, row in rows.items()}
    assert ends == {
        "Throughput at full load": (near(1.25, 1e-12), near(1 / 1.2, 1e-12)),
        "Average power at full load": (near(0.8, 1e-12), near(1.2, 1e-12)),
        "PUE": (near(0.8, 1e-12), near(1.2, 1e-12)),
        "Electricity price": (near(0.8, 1e-12), near(1.2, 1e-12)),
    }
    assert next(iter(ends)) == "Throughput at full load"  # the widest first: 0.416667 against 0.4
    assert {row["range"] for row in rows.values()} == {"±20 %"}


def test_moments_of_the_method():
    # section 9: all four +-20 %, independent, rectangular; of 8192 draws
    done = study(**SYSTEM).results
    assert done["cost_mean"].value == near(0.00878508, 1e-3)
    assert done["cost_coefficient_of_variation"].value == near(0.234243, 3e-3)
    assert done["cost_mean"].evidence == "illustrative"
    assert "no input has a range" in done["cost_mean"].note


def test_own_ranges_are_unequal_and_said():
    pue = Input(1.3, low=1.25, high=1.6, evidence="quoted")
    rows = table(study(**API | {"pue": pue}), "margin_tornado")
    row = rows["PUE"]
    assert (row["low"], row["high"], row["range"]) == (1.25, 1.6, "as stated")
    # electricity is 874.5984 at 1.3
    assert row["margin_at_low"] - row["margin_at_high"] == near(ENERGY * (1.6 - 1.25) / 1.3)


def test_what_moves_nothing_is_named():
    done = study(**API).results
    assert "Highest utilization" in done["inputs_without_effect"].value
    assert "API price of output" not in done["inputs_without_effect"].value


# ---- where it turns


def test_break_evens_against_an_api():
    done = study(**API)
    rows = table(done, "break_evens")
    # a year costs (1/4 + 0.05) C + 874.5984, the API 0.5 x 63072 = 31536
    assert rows["Capital cost"]["break_even"] == near((31536 - ENERGY) / 0.3, 1e-10)
    assert rows["API price of output"]["break_even"] == near(COST, 1e-10)
    assert rows["Electricity price"]["break_even"] is None
    assert rows["Electricity price"]["said"].startswith("never: it turns nowhere from 0 to 120, within its limits and 1000 times")
    assert rows["Utilization"]["said"].startswith("never: it turns nowhere from 0 to 1, within its limits")
    # by the share of today's: capital 0.4088 of it, less than the 2.406 of the price
    assert done.results["first_flip"].value == "Capital cost"
    assert done.results["first_flip_multiple"].value == near((31536 - ENERGY) / 0.3 / 250000, 1e-10)


def test_a_flip_says_whether_its_range_reaches_it():
    price = Input(0.5, low=0.4, high=1.3, evidence="quoted")
    capital = Input(250000.0, low=200000.0, high=300000.0, evidence="quoted")
    rows = table(study(**API | {"api_price_per_million_output": price, "capital_cost": capital}), "break_evens")
    assert rows["API price of output"]["said"] == "within its range"
    assert rows["Capital cost"]["said"] == "beyond its range"
    # 250000 / L + 12500 + 874.5984 = 31536
    assert rows["Lifetime"]["break_even"] == near(250000 / (31536 - 12500 - ENERGY), 1e-10)
    assert rows["Lifetime"]["said"] == "no range is stated"


@settings(max_examples=25, deadline=None)
@drawn_by(st.floats(0.05, 3.0), st.floats(1e4, 1e6), st.floats(0.05, 0.79))
def test_at_a_break_even_the_conclusion_turns(price, capital, utilization):
    changed = {"api_price_per_million_output": price, "capital_cost": capital, "utilization": utilization}
    model = conclusion.model_of(given(**API | changed))
    inputs = varied(model.given, model.names, 0.2)
    flips, _ = model.flips(inputs, "conclusion_margin")
    for item, flip in zip(inputs, flips, strict=True):
        if np.isfinite(flip):  # a crossing, or the step of a server more
            sides = model({item.name: flip * np.array([1 - 1e-9, 1 + 1e-9])})["conclusion_margin"]
            assert (sides[0] > 0) != (sides[1] > 0), item.name


# ---- how likely it holds


def test_probability_and_value_of_information_of_a_linear_margin():
    # analytic: capital normal, u = 25000; a year costs 0.3 of it, so that the margin is normal with s = 7500
    capital = Input(100000.0, low=50000.0, high=150000.0, range_is="u95", evidence="measured")
    done = study(**API | {"capital_cost": capital}).results
    mean = 31536 - ENERGY - 30000
    assert done["conclusion_margin"].value == near(mean)
    assert done["margin_mean"].value == pytest.approx(mean, abs=1)
    assert done["margin_standard_uncertainty"].value == near(7500, 1e-3)
    # Phi(661.4016 / 7500)
    assert done["probability_positive"].value == done["probability_holds"].value == pytest.approx(0.535141, abs=5e-4)
    assert done["probability_right"].value == pytest.approx(0.535141, abs=5e-4)
    assert done["value_of_perfect_information"].value == near(float(value_of_perfect_information(mean, 7500.0)), 1e-3)
    assert done["probability_holds"].note == ""  # throughput and power have no ranges to be drawn apart


def test_it_holds_by_the_sign_of_today():
    capital = Input(110000.0, low=60000.0, high=160000.0, range_is="u95", evidence="measured")
    done = study(**API | {"capital_cost": capital}).results  # the margin is -2338.6
    assert done["conclusion_margin"].value < 0
    assert done["probability_holds"].value == near(1 - done["probability_positive"].value, 1e-12)
    assert done["probability_holds"].value > 0.5


def test_the_same_probability_as_in_the_verdict():
    tasks = {**OWNED, **TASKS, "value_per_task": Input(0.004, low=0.002, high=0.005, evidence="quoted")}
    done = study(**tasks)
    roi = done._draws["roi"]  # as the verdict has it: share of draws that reach the hurdle
    assert done.results["probability_positive"].value == np.mean(roi >= 0.25)
    assert 0.1 < np.mean(roi >= 0.25) < 0.9


# ---- moved together


def pair(**more):
    ranged = {"throughput_per_s": Input(5000.0, low=4000.0, high=6000.0, evidence="quoted"),
              "active_power_w": Input(1000.0, low=800.0, high=1200.0, evidence="quoted")}
    return study(calculations=m.CALCULATIONS, **SYSTEM | ranged | more)


def test_independent_draws_say_so():
    assert "independently" in pair().results["cost_mean"].note
    assert "independently" in pair().results["indices_samples"].note


def test_declared_correlation_narrows_the_cost():
    # analytic: at a rank correlation of 1 power over throughput stays as it is
    whole = pair(throughput_power_rank_correlation=1.0).results
    assert whole["cost_coefficient_of_variation"].value is None  # nothing is left that varies
    spread = "cost_coefficient_of_variation"
    half, none = (pair(throughput_power_rank_correlation=rho).results[spread].value for rho in (0.5, 0.0))
    # independent: E(1/t^2)/E(1/t)^2 x E(p^2)/E(p)^2 - 1 with t and p from 0.8 to 1.2
    inverse = np.log(1.5) / 0.4
    assert none == near(np.sqrt((1 / (0.8 * 1.2)) / inverse**2 * (1 + 0.04 / 3) - 1), 2e-3)
    assert 0 < half < 0.8 * none


def test_the_pair_is_one_in_the_indices():
    done = pair(throughput_power_rank_correlation=0.5, pue=Input(1.3, low=1.2, high=1.4, evidence="quoted"))
    rows = table(done, "variance_shares")
    assert set(rows) == {"Throughput and power, together", "PUE"}
    assert sum(row["first_order_cost"] for row in rows.values()) == pytest.approx(1, abs=0.03)
    assert "varied together" in done.results["indices_samples"].note


# ---- scenarios and levers


def test_scenarios_of_utilization_price_and_memory():
    done = study(**API | {"memory_limit_gb": 160.0, "model_memory_gb": 100.0})
    rows = scenarios(done)
    # section 5: at 0.8 the API would need 0.604092
    assert rows["Utilization", 0.8]["cost"] == pytest.approx(0.604092, abs=5e-7)
    assert rows["Electricity price", 0.24]["cost"] == near((75000 + 2 * ENERGY) / MILLIONS)
    # 200 GB take two machines of 160, 400 GB three: each costs and draws as the one
    assert rows["Memory of the model", 200.0]["times_today"] == near(2, 1e-12)
    assert rows["Memory of the model", 400.0]["times_today"] == near(3, 1e-12)
    assert rows["Today", None]["conclusion"] == "as today"
    cheap = study(**API | {"capital_cost": 100000.0})  # 30874.6 a year, of 31536: twice the price of electricity turns it
    rows = scenarios(cheap)
    assert rows["Electricity price", 0.24]["conclusion"] == "turns"
    assert not {"Memory of the model", "Quality target", "Latency target"} & {axis for axis, _ in rows}


POINTS = pd.DataFrame(
    {
        "name": ["careful", "quick", "rough"],
        "precision": ["bf16", "bf16", "fp8"],
        "batch": [8.0, 2.0, 8.0],
        "quality_pct": [99.9, 99.9, 99.0],
        "latency_p99_s": [0.2, 0.1, 0.2],
        "throughput_per_s": [1000.0, 500.0, 2000.0],
        "average_power_w": [500.0, 400.0, 600.0],
    }
)


def test_targets_scale_today_by_the_operating_points():
    targets = {"quality_target_pct": 99.9, "looser_quality_target_pct": 99.0, "slo_latency_s": 0.2}
    done = study({"operating_points_csv": POINTS}.items(), **SYSTEM, **targets)
    rows = scenarios(done)
    # careful 0.5 J, rough 0.3 J, quick 0.8 J
    assert rows["Quality target", 99.0]["times_today"] == near(0.3 / 0.5, 1e-12)
    assert rows["Latency target", 0.1]["times_today"] == near(0.8 / 0.5, 1e-12)
    assert rows["Latency target", 0.4]["times_today"] == near(1, 1e-12)
    strict = study({"operating_points_csv": POINTS}.items(), **SYSTEM, **targets | {"slo_latency_s": 0.15})
    assert scenarios(strict)["Latency target", 0.075]["said"] == "no operating point meets it"


def test_draws_as_operating_points():
    targets = {"quality_target_pct": 99.9, "slo_latency_s": 0.2}
    inputs = {**API, **targets, "api_price_per_million_output": 1.5}
    done = study({"operating_points_csv": POINTS}.items(), **inputs).results
    # careful is today, quick half its throughput: 1.2 and 2.4 for a million, and 1.5 lies between
    assert done["conclusion_margin"].value > 0
    assert done["probability_holds_by_points"].value == pytest.approx(0.5, abs=1e-3)
    assert done["cost_by_points"].value == near(1.5 * COST, 5e-3)
    assert "2 operating points" in done["cost_by_points"].note


def test_a_gain_moves_only_what_it_moves():
    done = study(**OWNED)
    # section 5: electricity is 0.011527 of owning
    assert done.results["energy_lever_share"].value == near(0.011527, 1e-4)
    assert done.results["energy_lever_ratio"].value == near(1 - ENERGY / (75000 + ENERGY) * 2 / 3)
    assert done.results["throughput_lever_ratio"].value == near(1 / 3, 1e-12)
    rows = table(done, "levers", "lever")
    less = rows["Less power, same throughput"]
    assert less["times_today"] == near((75000 + ENERGY / 3) / (75000 + ENERGY))
    assert less["times_at_todays_work"] == near(less["times_today"], 1e-12)
    # at a given utilization more throughput is more work: all of it falls to a third
    assert rows["More throughput, same power"]["times_at_todays_work"] == near(1 / 3)


def test_more_throughput_for_the_same_work_saves_energy_alone():
    inputs = {name: value for name, value in OWNED.items() if name != "utilization"}
    rows = table(study(**inputs, annual_volume=MILLIONS * 1e6), "levers", "lever")
    row = rows["More throughput, same power"]
    assert row["times_today"] == near(1 / 3)
    # u falls to 0.4/3: (400 + 600 x 0.133333) W x 1.3 x 8.76 x 0.12
    assert row["times_at_todays_work"] == near((75000 + 480 * 1.3 * 8.76 * 0.12) / (75000 + ENERGY))


# ---- the next measurement


def test_measurements_are_ranked_by_value_less_cost():
    # analytic: both inputs act alone in the margin, -(0.25 + s) C: s_i are 0.3 x 25000 and 100000 x 0.005, nearly normal both
    capital = Input(100000.0, low=50000.0, high=150000.0, range_is="u95", evidence="measured")
    share = Input(0.05, low=0.04, high=0.06, range_is="u95", evidence="measured")
    done = study({"measurements_csv": MEASURED}.items(), **API | {"capital_cost": capital, "maintenance_share_per_year": share})
    mean = done.results["margin_mean"].value
    parts = {"quotation": (7500.0, 3000.0), "survey": (500.0, 100.0)}
    rows = table(done, "measurements_ranked", "measurement")
    for name, (spread, error) in parts.items():
        assert rows[name]["value"] == near(float(value_of_sample_information(mean, spread, error)), 0.02)
        assert rows[name]["net_value"] == near(rows[name]["value"] - rows[name]["cost"], 1e-12)
    resolved = np.sqrt(sum(spread**4 / (spread**2 + error**2) for spread, error in parts.values()))
    assert rows["both"]["value"] == near(float(value_of_perfect_information(mean, resolved)), 5e-3)
    assert rows["both"]["measures"] == "Capital cost, Maintenance"
    assert rows["meter"]["value"] == 0
    assert rows["meter"]["said"].startswith("Average power at full load: no range is stated")
    assert next(iter(rows)) == "quotation"
    assert done.results["best_measurement"].value == "quotation"
    knowing = table(done, "value_of_knowing")
    assert knowing["Capital cost"]["standard_uncertainty"] == near(25000, 1e-3)  # a normal, cut at 0
    assert knowing["Capital cost"]["moves_margin_by"] == near(7500, 5e-3)


def test_no_measurement_is_worth_more_than_it_costs():
    capital = Input(100000.0, low=99000.0, high=101000.0, range_is="u95", evidence="measured")
    done = study({"measurements_csv": MEASURED[:1]}.items(), **API | {"capital_cost": capital}).results
    assert done["best_measurement"].value is None
    assert done["best_measurement"].note == "none is worth what it costs"
    assert done["best_measurement_net_value"].value < 0
