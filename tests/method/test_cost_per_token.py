"""Section 5 of the method. Expected values: hand arithmetic, shown, unless another source is named."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from joulebook.errors import InputError
from joulebook.method import cost_per_token as m
from joulebook.method.fleet import servers_needed
from joulebook.method.ownership import capital_recovery_factor

SYSTEM = {
    "throughput_per_s": 5000.0,
    "active_power_w": 1000.0,
    "idle_power_w": 400.0,
    "electricity_price_per_kwh": 0.12,
    "pue": 1.3,
    "boundary": "server",
}
FULL = {name: value for name, value in SYSTEM.items() if name != "idle_power_w"}
SERVERS = {"servers": 1, "max_utilization": 0.8, "redundancy": 0}
CURVE = pd.DataFrame({"utilization": np.arange(11) / 10, "power_w": [400, 520, 600, 670, 730, 790, 840, 890, 930, 970, 1000]})
DAY = pd.DataFrame({"hour": range(24), "utilization": [0.02] * 8 + [0.6] * 10 + [0.2] * 6})
PRICES = pd.DataFrame(
    [
        (day, begin * 60, end * 60, price)
        for day in range(7)
        for begin, end, price in ((0, 8, 0.06), (8, 18, 0.12), (18, 24, 0.24))
    ],
    columns=["day", "begin_min", "end_min", "price_per_kwh"],
)
WINDOWS = pd.DataFrame(
    {"input_tokens": [100e3, 400e3, 100e3], "output_tokens": [25e3, 25e3, 100e3], "energy_j": [15e3, 30e3, 45e3]}
)
OWNED = {
    "servers": 1,
    "servers_powered": 1.0,
    "capital_cost": 250000.0,
    "residual_value": 0.0,
    "lifetime_years": 4.0,
    "maintenance_share_per_year": 0.05,
    "other_cost_per_year": 0.0,
    "utilization": 0.4,
}
API = {
    "max_utilization": 0.8,
    "redundancy": 0,
    "servers_powered": 1.0,
    "year_hours": 8760.0,
    "capital_cost_of_fleet": 250000.0,
    "capital_per_year_straight_line": 62500.0,
    "maintenance_share_per_year": 0.05,
    "other_cost_per_year": 0.0,
    "unit_of_work": "output_token",
}


def at_full_load(throughput_per_s, active_power_w, electricity_price_per_kwh, boundary=None, pue=None):
    """The three calculations of full load, one after the other."""
    energy = m.energy_at_full_load(throughput_per_s, active_power_w, boundary)
    facility = m.facility_energy_at_full_load(active_power_w, energy["units_per_hour"], boundary, pue)
    cost = m.cost_at_full_load(facility["facility_kwh_per_hour"], facility["facility_kwh_per_million"], electricity_price_per_kwh)
    return {**energy, **facility, **cost, "notes": {**energy["notes"], **facility["notes"], **cost["notes"]}}


def over_a_year(
    throughput_per_s,
    active_power_w,
    idle_power_w,
    electricity_price_per_kwh,
    boundary,
    pue,
    load_curve=None,
    annual_demand_charge=None,
    **work,
):
    """The three calculations of a year, one after the other."""
    year = m.work_of_a_year(throughput_per_s, **work)
    notes = year.pop("notes")
    busy = m.busy_only(throughput_per_s, active_power_w, electricity_price_per_kwh, year["units_per_year"], boundary, pue)
    on = m.always_on(
        active_power_w,
        idle_power_w,
        electricity_price_per_kwh,
        **year,
        boundary=boundary,
        pue=pue,
        load_curve=load_curve,
        annual_demand_charge=annual_demand_charge,
    )
    return {**year, **busy, **on, "notes": {**notes, **busy["notes"], **on["notes"]}}


def near(expected, rel=1e-6):
    return pytest.approx(expected, rel=rel)


def requests(inputs, outputs, ok=None):
    return pd.DataFrame({"ok": ok or [True] * len(inputs), "input_tokens": inputs, "output_tokens": outputs})


def test_full_load():
    # 1000 W / 5000 per s; 1 kWh * 1.3; * 0.12; / 18 M
    r = at_full_load(**FULL)
    expected = {
        "energy_per_unit_j": 0.2,
        "performance_per_watt": 5.0,
        "units_per_hour": 18e6,
        "it_kwh_per_hour": 1.0,
        "facility_kwh_per_hour": 1.3,
        "cost_per_hour": 0.156,
        "cost_per_million": 0.156 / 18,
        "facility_kwh_per_million": 1.3 / 18,
    }
    assert {name: r[name] for name in expected} == {name: near(value, 1e-12) for name, value in expected.items()}
    assert r["cost_per_million"] == near(0.00866667)
    assert r["facility_kwh_per_million"] == near(0.0722222)


@pytest.mark.parametrize(("share", "cost"), [(1 / 3, 0.026), (1 / 2, 0.0173333), (1.0, 0.00866667)])
def test_cost_is_inverse_to_performance_per_watt(share, cost):
    assert at_full_load(**{**FULL, "throughput_per_s": 5000.0 * share})["cost_per_million"] == near(cost, 2e-6)


def test_pue_at_the_facility_is_refused_by_name():
    with pytest.raises(InputError, match="pue: a PUE on a figure that is already at the facility"):
        at_full_load(**{**FULL, "boundary": "facility"})


def test_at_the_facility_no_pue_is_applied():
    r = at_full_load(**{**FULL, "boundary": "facility", "pue": None})
    assert r["facility_kwh_per_hour"] == near(1.0)
    assert np.isnan(r["it_kwh_per_hour"])
    assert "not known" in r["notes"]["it_kwh_per_hour"]


def test_year_by_volume():
    r = over_a_year(**SYSTEM, **SERVERS, annual_volume=24e9)
    # 24e9 / (5000 * 8760 * 3600); 400 + 600 u; * 8.76 h/1000 * 1.3; * 0.12; / 24000 M
    assert r["utilization_of_year"] == near(0.152207, 1e-5)
    assert r["average_power_w"] == near(491.324)
    assert r["annual_kwh_busy_only"] == near(1733.33, 2e-6)
    assert r["annual_cost_busy_only"] == near(208.00)
    assert r["annual_kwh_always_on"] == near(5595.2)
    assert r["annual_cost_always_on"] == near(671.424)
    assert r["cost_per_million_always_on"] == near(0.027976)
    assert r["cost_per_million_busy_only"] == near(0.00866667)


def test_leap_year_counts_8784_hours():
    # case C09: 1 kW over 2024 is 8784 kWh, over 2023 8760 kWh
    kw = {**SYSTEM, "idle_power_w": 1000.0, "pue": 1.0}
    for year, kwh in ((2024, 8784.0), (2023, 8760.0), (None, 8760.0)):
        assert over_a_year(**kw, **SERVERS, year=year, utilization=0.5)["annual_kwh_always_on"] == near(kwh, 1e-12)


def test_no_volume_keeps_totals_and_has_no_cost_per_unit():
    # case C11: totals kept, per unit not available; not 0, inf or an error
    r = over_a_year(**SYSTEM, **SERVERS, annual_volume=0.0)
    assert r["annual_kwh_always_on"] == near(400 * 1.3 * 8.76)
    assert r["annual_kwh_busy_only"] == 0
    for name in ("cost_per_million_always_on", "cost_per_million_busy_only", "energy_per_unit_always_on_j"):
        assert np.isnan(r[name])
        assert "no work" in r["notes"][name]


def test_neither_volume_nor_utilization():
    r = m.work_of_a_year(5000.0, **SERVERS)
    assert r["units_per_year"] is None
    assert r["notes"]["units_per_year"] == "needs annual_volume or utilization"


def test_servers_are_added_above_the_highest_utilization():
    # 12000 per s of 5000 at 0.8: 3 servers, and one spare; u = 12000/20000; 4 * (400 + 600 * 0.6) (section 3 of the method)
    r = over_a_year(**SYSTEM, servers=1, max_utilization=0.8, redundancy=1, annual_volume=12000 * 8760 * 3600)
    assert r["servers_powered"] == 4
    assert r["utilization_of_year"] == near(0.6)
    assert r["average_power_w"] == near(3040.0)
    assert r["energy_per_unit_always_on_j"] == near(0.253333, 2e-6)


def test_a_load_that_just_fits_needs_no_further_server():
    # 12000 / (5000 * 0.8) = 3 exactly, though not in binary
    assert servers_needed(0.1 + 0.2, 0.1, 1, 1.0, 0) == 3


def test_load_curve_moves_the_year():
    # the curve gives 560 W at 0.15 (section 3), the line 490 W
    r = over_a_year(**SYSTEM, **SERVERS, utilization=0.15, load_curve=CURVE)
    assert r["average_power_w"] == near(560.0)


def test_demand_charge_is_in_the_headline():
    r = over_a_year(**SYSTEM, **SERVERS, annual_volume=24e9, annual_demand_charge=100.0)
    assert r["annual_cost_always_on"] == near(771.424)
    assert "demand charge included" in r["notes"]["annual_cost_always_on"]


def test_time_of_use():
    # a day: kWh at the facility 8 h * 412 W, 10 h * 760 W, 6 h * 520 W, each * 1.3; times 0.06, 0.12, 0.24; 7 equal days
    system = {name: value for name, value in SYSTEM.items() if name != "electricity_price_per_kwh"}
    r = m.time_of_use(**system, servers=1, load_profile=DAY, tariff=PRICES)
    assert r["profile_hours"] == 168
    assert r["time_of_use_kwh"] / 7 == near(18.2208)
    assert r["time_of_use_cost"] / 7 == near(2.416128)
    assert r["mean_price_paid_per_kwh"] == near(0.132603, 4e-6)
    assert r["profile_units"] / 7 == near(132.48e6)
    assert r["cost_per_million_time_of_use"] == near(0.0182377, 2e-6)
    assert np.isnan(r["cost_per_million_billed"])
    assert r["notes"]["cost_per_million_billed"] == "needs demand_charge_per_kw_month"


def test_time_of_use_with_the_curve():
    # section 3: the same day draws 15.392 kWh by the curve, 14.016 by the line, before PUE
    system = {name: value for name, value in SYSTEM.items() if name != "electricity_price_per_kwh"} | {"pue": 1.0}
    assert m.time_of_use(**system, servers=1, load_profile=DAY, tariff=PRICES, load_curve=CURVE)["time_of_use_kwh"] / 7 == near(
        15.392
    )
    assert m.time_of_use(**system, servers=1, load_profile=DAY, tariff=PRICES)["time_of_use_kwh"] / 7 == near(14.016)


@pytest.mark.parametrize(("peak_pue", "charge", "per_million"), [(None, 14.82, None), (1.45, 16.53, 0.00410214)])
def test_demand_charge(peak_pue, charge, per_million):
    # 760 W * 1.3 (or 1.45) * 15; a month is 365/12 days of 132.48 M units
    d = m.demand_charge(1000.0, 1, 1.0, 15.0, idle_power_w=400.0, boundary="server", pue=1.3, peak_pue=peak_pue, load_profile=DAY)
    assert d["demand_charge_per_month"] == near(charge)
    assert d["annual_demand_charge"] == near(12 * charge)
    if per_million:
        system = {name: value for name, value in SYSTEM.items() if name != "electricity_price_per_kwh"}
        r = m.time_of_use(
            **system, servers=1, load_profile=DAY, tariff=PRICES, demand_charge_per_month=d["demand_charge_per_month"]
        )
        assert r["demand_charge_per_million"] == near(per_million, 2e-6)
        assert r["cost_per_million_billed"] == near(0.0182377 + per_million, 2e-6)


def test_demand_charge_without_a_profile_is_at_full_load_and_says_so():
    d = m.demand_charge(1000.0, 2, 0.5, 15.0, boundary="server", pue=1.3)
    assert d["billed_peak_kw"] == near(2 * 1.3 * 0.5)
    assert "full load" in d["notes"]["billed_peak_kw"]


def test_tokens_of_a_sample():
    r = m.request_tokens(requests([900, 1100, 5], [200, 300, 0], [True, True, False]))
    assert (
        r["requests_counted"],
        r["input_tokens_per_request"],
        r["output_tokens_per_request"],
        r["total_tokens_per_request"],
    ) == (2, 1000, 250, 1250)
    assert r["notes"]["requests_counted"] == "1 not completed, left out"


def test_bootstrap_interval_of_a_mean():
    # the bootstrap of a mean has mean x and variance s^2/n: here 0.25 p(1-p) of two equally frequent values
    sample = requests([0, 2] * 50, [1] * 100)
    draws = m.request_tokens(sample, rng=np.random.default_rng(1))["input_tokens_per_request"]
    assert draws.mean() == pytest.approx(1, abs=0.01)
    assert draws.std() == pytest.approx(0.1, rel=0.05)


def test_a_large_sample_bootstraps_by_its_normal_limit():
    sample = requests([0, 2] * 5000, [1, 3] * 5000)
    r = m.request_tokens(sample, rng=np.random.default_rng(1))
    assert r["input_tokens_per_request"].std() == pytest.approx(0.01, rel=0.05)
    # input and output move together in this sample, and so do their resampled means
    assert np.allclose(r["output_tokens_per_request"] - r["input_tokens_per_request"], 1)


def test_no_completed_request():
    r = m.request_tokens(requests([5], [0], [False]))
    assert r["input_tokens_per_request"] is None
    assert "no request" in r["notes"]["input_tokens_per_request"]


def test_energy_of_tokens_and_of_my_mix():
    e = m.energy_of_tokens(WINDOWS)
    assert e["energy_per_input_token_j"] == near(0.05)
    assert e["energy_per_output_token_j"] == near(0.4)
    assert e["energy_per_request_j"] is None
    for tokens_in, expected in ((1000.0, 0.6), (4000.0, 1.2)):
        r = m.energy_of_my_mix(0.05, 0.4, tokens_in, 250.0, 0.2, "output_token")
        assert r["mix_energy_per_unit_j"] == near(expected)
        assert r["transfer_ratio"] == near(expected / 0.2)
    # input and output tokens together: (0.05 * 1000 + 0.4 * 250) / 1250
    assert m.energy_of_my_mix(0.05, 0.4, 1000.0, 250.0, 0.2, "token")["mix_energy_per_unit_j"] == near(0.12)


def test_energy_of_a_request_is_told_apart_where_the_runs_have_it():
    # made of 0.05 J and 0.4 J a token and 2 J a request
    runs = WINDOWS.assign(requests=[100, 100, 400])
    runs["energy_j"] = 0.05 * runs.input_tokens + 0.4 * runs.output_tokens + 2 * runs.requests
    runs.loc[3] = [200e3, 50e3, 0.05 * 200e3 + 0.4 * 50e3 + 2 * 900, 900]
    e = m.energy_of_tokens(runs)
    assert [e[name] for name in m.energy_of_tokens.results] == [near(0.05), near(0.4), near(2.0)]
    assert m.energy_of_my_mix(0.05, 0.4, 1000.0, 250.0, 0.2, "output_token", energy_per_request_j=2.0)[
        "mix_energy_per_request_j"
    ] == near(152.0)


def test_the_scatter_of_the_runs_gives_the_energy_of_a_token_a_range():
    # hand: runs of input or of output tokens alone, so that each part is the mean of its own two runs, 0.05 and 0.4 J;
    # residuals +-50 J and +-400 J on 1e5 and 1e5 tokens, 2 degrees of freedom: s^2 = (2 x 50^2 + 2 x 400^2)/2,
    # u = s/(1e5 sqrt(2)), t(0.975, 2) = 4.302653
    work = {"input_tokens": [1e5, 1e5, 0, 0], "output_tokens": [0, 0, 1e5, 1e5]}
    runs = pd.DataFrame({**work, "energy_j": [4950.0, 5050, 39600, 40400]})
    drawn = m.energy_of_tokens(runs, np.random.default_rng(1))
    half = 4.302653 * np.sqrt(50**2 + 400**2) / (1e5 * np.sqrt(2))
    low, high = np.quantile(drawn["energy_per_output_token_j"], (0.025, 0.975))
    assert (low, high) == (pytest.approx(0.4 - half, rel=2e-3), pytest.approx(0.4 + half, rel=2e-3))
    assert drawn["energy_per_input_token_j"].shape == drawn["energy_per_output_token_j"].shape
    alone = m.energy_of_tokens(WINDOWS.iloc[:3].assign(requests=[1, 2, 30]), np.random.default_rng(1))
    assert np.ptp(alone["energy_per_input_token_j"]) == 0  # as many runs as unknowns: nothing is known of their scatter


def test_alike_mixes_are_refused():
    alike = pd.DataFrame({"input_tokens": [1000, 2000, 3000.0], "output_tokens": [250, 500, 750.0], "energy_j": [1.0, 2, 3]})
    e = m.energy_of_tokens(alike)
    assert e["energy_per_input_token_j"] is None
    assert "condition number" in e["notes"]["energy_per_input_token_j"]


def test_units_of_work_are_not_mixed():
    r = m.energy_of_my_mix(0.05, 0.4, 1000.0, 250.0, 0.2, "query")
    assert np.isnan(r["transfer_ratio"])
    assert r["notes"]["transfer_ratio"] == "units of work mixed without a factor: query and tokens"


def test_ownership():
    r = m.ownership(**SYSTEM, **OWNED, discount_rate=0.08)
    # 640 W * 1.3 * 35.04 h/1000 * 0.12; (250000 + 4 * 12500 + 3498.39)/252288
    assert r["lifetime_units"] == near(252288e6)
    assert r["lifetime_energy_cost"] == near(3498.39, 2e-6)
    assert r["ownership_cost_per_million"] == near(1.202984)
    assert r["energy_share"] == near(0.011527, 2e-5)
    assert r["capital_recovery_factor"] == near(0.301921, 2e-6)
    assert r["ownership_cost_per_million_recovery"] == near(1.408784)
    assert r["notes"]["lifetime_hours"] == "8760 h a year"


def test_ownership_parts_add_up():
    r = m.ownership(**SYSTEM, **{**OWNED, "other_cost_per_year": 1000.0}, annual_demand_charge=177.84)
    amounts = list(r["ownership_parts"].values())[1]
    assert sum(amounts) == near(r["ownership_cost_per_million"], 1e-12)
    assert next(iter(r["ownership_parts"].values())) == [
        "Energy, at work",
        "Energy, idle",
        "Demand charge",
        "Maintenance",
        "Other",
        "Capital",
    ]


def test_lifetime_with_dates_counts_the_hours_of_those_years():
    # 2025 to 2028 is 35064 h (ground rule 8)
    r = m.ownership(**SYSTEM, **OWNED, year=2025)
    assert r["lifetime_hours"] == 35064
    assert "lifetime_hours" not in r["notes"]


def test_residual_value_lowers_capital_but_bears_interest():
    # (250000 - 50000) * 0.301921 + 50000 * 0.08
    r = m.ownership(**SYSTEM, **{**OWNED, "residual_value": 50000.0}, discount_rate=0.08)
    assert r["capital_per_year_straight_line"] == near(50000.0)
    assert r["capital_per_year_recovery"] == near(200000 * 0.30192080 + 4000)


def test_capital_recovery_goes_over_into_straight_line():
    assert capital_recovery_factor(1e-12, 4) == near(0.25, 1e-9)
    # analytic: n payments at the factor have the present value 1
    factor = capital_recovery_factor(0.08, 4)
    assert sum(factor / 1.08**k for k in range(1, 5)) == near(1.0, 1e-12)


def test_added_servers_cost_what_the_others_do():
    r = m.ownership(**SYSTEM, **{**OWNED, "servers_powered": 2.0, "utilization": 0.9})
    assert r["capital_cost_of_fleet"] == near(500000.0)


def test_years_ahead():
    r = m.years_ahead(
        **SYSTEM,
        **SERVERS,
        units_per_year=24e9,
        servers_powered=1.0,
        horizon_years=3,
        volume_growth_per_year=0.3,
        price_escalation_per_year=0.03,
        discount_rate=0.08,
    )
    # 208, * 1.3 * 1.03 = 278.512, * 1.339 = 372.9276; over 1.08, 1.08^2, 1.08^3; 1733.33 * (1 + 1.3 + 1.69)
    assert list(r["years_ahead"]["cost_busy_only | {currency}"]) == [near(208.0), near(278.512), near(372.928, 2e-6)]
    assert r["cumulated_kwh_busy_only"] == near(6916.0)
    assert r["cumulated_cost_busy_only"] == near(859.4396)
    assert r["present_value_busy_only"] == near(727.4137)
    # first year always on as above: 5595.2 kWh, 671.424
    assert r["years_ahead"]["cost_always_on | {currency}"][0] == near(671.424)


def test_years_ahead_add_servers_as_the_volume_grows():
    # 0.7 of one server, then 1.4: with at most 0.8 each, 2 servers
    r = m.years_ahead(
        **SYSTEM,
        **SERVERS,
        units_per_year=0.7 * 5000 * 8760 * 3600,
        servers_powered=1.0,
        horizon_years=2,
        volume_growth_per_year=1.0,
        price_escalation_per_year=0.0,
    )
    assert list(r["years_ahead"]["servers_powered | servers"]) == [1, 2]
    assert r["present_value_always_on"] is None


def test_against_an_api():
    r = m.against_api(**SYSTEM, **API, api_price_per_million_input=0.0, api_price_per_million_output=0.5)
    # 62500 + 12500 + 400 W * 1.3 * 8.76 * 0.12; (1000 - 400)/5000 J; F/(0.5 - 0.0052); of 157680 M, and of 0.8 of that
    assert r["owning_fixed_cost_per_year"] == near(75546.624)
    assert r["marginal_cost_per_million"] == near(0.0052)
    assert r["break_even_volume"] == near(152681.1e6)
    assert r["break_even_volume"] / (5000 * 3600 * 8760) == near(0.968297)
    assert r["break_even_share"] == near(1.210372)
    assert r["notes"]["break_even_share"].startswith("never on this system")
    assert r["break_even_api_price"] == near(0.604092)


def test_api_prices_are_blended_by_the_mix():
    r = m.against_api(
        **SYSTEM,
        **API,
        api_price_per_million_input=0.15,
        api_price_per_million_output=0.60,
        input_tokens_per_request=1000.0,
        output_tokens_per_request=250.0,
    )
    assert r["api_price_per_million"] == near(1.20)
    assert "break_even_share" not in r["notes"]


def test_an_api_below_the_marginal_energy_is_never_reached():
    r = m.against_api(**SYSTEM, **API, api_price_per_million_input=0.0, api_price_per_million_output=0.005)
    assert np.isnan(r["break_even_volume"])
    assert r["notes"]["break_even_volume"].startswith("never on this system")
    assert r["break_even_api_price"] == near(0.604092)


def test_an_input_price_that_is_missing_is_not_zero():
    r = m.against_api(**SYSTEM, **API, api_price_per_million_output=0.5)
    assert np.isnan(r["api_price_per_million"])
    assert r["notes"]["api_price_per_million"] == "needs api_price_per_million_input"


def test_spare_servers_lower_the_usable_capacity():
    # two servers, one spare: half of full capacity may be used, at 0.8
    r = m.against_api(
        **SYSTEM,
        **{**API, "servers_powered": 2.0, "redundancy": 1},
        api_price_per_million_input=0.0,
        api_price_per_million_output=0.5,
    )
    assert r["break_even_volume"] / r["break_even_share"] == near(0.8 * 5000 * 3600 * 8760)


@settings(max_examples=50, deadline=None)
@given(st.floats(0.1, 1e6), st.floats(0.1, 1e5), st.floats(1, 3), st.floats(0, 1))
def test_cost_is_energy_by_price_in_any_units(throughput, power, pue, price):
    r = at_full_load(throughput, power, price, "server", pue)
    assert r["cost_per_million"] * throughput * 3600 == pytest.approx(r["cost_per_hour"] * 1e6)
    assert r["energy_per_unit_j"] * r["performance_per_watt"] == pytest.approx(1)


@settings(max_examples=50, deadline=None)
@given(st.floats(1e6, 1e12), st.floats(0, 1000))
def test_busy_only_is_the_floor_of_always_on(volume, idle):
    r = over_a_year(**{**SYSTEM, "idle_power_w": idle}, **SERVERS, annual_volume=volume)
    assert r["annual_kwh_busy_only"] <= r["annual_kwh_always_on"] * (1 + 1e-9)


def test_vectors_give_what_scalars_give():
    powers = np.array([800.0, 1000.0, 1200.0])
    many = over_a_year(**{**SYSTEM, "active_power_w": powers}, **SERVERS, annual_volume=24e9)
    one = [
        over_a_year(**{**SYSTEM, "active_power_w": power}, **SERVERS, annual_volume=24e9)["annual_cost_always_on"]
        for power in powers
    ]
    assert np.allclose(many["annual_cost_always_on"], one, rtol=1e-14)
    owned = m.ownership(**{**SYSTEM, "active_power_w": powers}, **OWNED, discount_rate=0.08)
    assert owned["ownership_cost_per_million"][1] == near(1.202984)
    ahead = m.years_ahead(
        **{**SYSTEM, "active_power_w": powers},
        **SERVERS,
        units_per_year=24e9,
        servers_powered=1.0,
        horizon_years=3,
        volume_growth_per_year=0.3,
        price_escalation_per_year=0.03,
        discount_rate=0.08,
    )
    assert ahead["present_value_busy_only"][1] == near(727.4137)
