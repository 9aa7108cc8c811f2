"""Carbon by time and place. Expected values by hand, or from section 7 of the method and the cases, as each says."""

import csv
from itertools import product

import numpy as np
import pandas as pd
import pytest

from joulebook.errors import InputError
from joulebook.method import carbon as method
from joulebook.method.cost_per_token import work_of_a_year
from joulebook.method.grid.moves import moved_intensity
from joulebook.method.grid.work import work_on_grid
from joulebook.method.intensity import Emissions
from joulebook.workbook import ROOT

# section 7 of the method: g/kWh by hour
GRID = [420, 410, 400, 390, 380, 390, 420, 450, 430, 380, 300, 240, 200, 190, 210, 260, 340, 430, 480, 500, 490, 470, 450, 430]
AVERAGE = ("average", "life_cycle", "location")
MARGINAL = ("marginal", "direct", "location")


def series(values, of=MARGINAL, begin="2026-03-03", minutes=60, gas=""):
    stamps = pd.date_range(begin, periods=len(values), freq=f"{minutes}min", tz="UTC")
    named = dict(zip(("basis", "scope", "accounting"), of, strict=True))
    return pd.DataFrame({"timestamp": stamps, "g_per_kwh": np.array(values, float), **named, "gas": gas})


def both(marginal=GRID, average=(300,) * 24, begin="2026-03-03"):
    return pd.concat([series(marginal, MARGINAL, begin), series(average, AVERAGE, begin)])


def by_hour(utilization):
    return pd.DataFrame({"hour": np.arange(24.0), "utilization": np.full(24, 0.0) + utilization})


STANDING = {"load_profile": by_hour(1.0), "idle_power_w": 1000.0, "active_power_w": 1000.0, "servers": 1, "pue": 1.3,
            "boundary": "server", "carbon_timezone": "UTC"}  # fmt: skip
FLEXIBLE = {"flexible_hours": 6.0, "flexible_power_w": 1000.0, "pue": 1.3, "boundary": "server", "carbon_timezone": "UTC"}


def run(calculation, **inputs):
    inputs = {"servers": 1, "contiguous": "no"} | inputs  # as the dictionary assumes
    return calculation(**{name: value for name, value in inputs.items() if name in _names(calculation)})


def _names(calculation):
    from inspect import signature

    return signature(calculation).parameters


def told(made, what):
    return made[f"{what}_verdict"], made["notes"][f"{what}_verdict"]


def operational(**inputs):
    loaded = run(method.load, **inputs)
    if loaded["load_facility_kwh"] is None:
        return loaded
    made = run(method.operational, **inputs, load_facility_kwh=loaded["load_facility_kwh"])
    return loaded | made | {"notes": loaded["notes"] | made["notes"]}


def test_the_day_of_the_method():
    # section 7: 1.3 kW at the facility, 11778 g over the day; the mean of its hours is 377.5
    made = operational(carbon=both(), **STANDING)
    assert made["operational_marginal_g"] == pytest.approx(11778, rel=1e-12)
    assert made["marginal_g_per_kwh"] == pytest.approx(377.5)
    assert made["operational_average_g"] == pytest.approx(24 * 1.3 * 300)
    assert made["notes"]["operational_marginal_g"] == "marginal, direct, location-based"


def test_pue_counts_once_and_not_on_water():
    # case C01: 20 h of 5 kW, IT 100 kWh, PUE 1.2, WUE 1.8: 120 kWh, 6 kW, 180 L
    loaded = run(method.load, carbon=series([400.0] * 20), load_profile=by_hour(1.0), idle_power_w=5000.0, active_power_w=5000.0,
                 pue=1.2, boundary="server", carbon_timezone="UTC", throughput_per_s=10.0)  # fmt: skip
    assert loaded["load_it_kwh"] == pytest.approx(100)
    assert loaded["load_facility_kwh"] == pytest.approx(120)
    assert loaded["load_peak_kw"] == loaded["load_average_kw"] == pytest.approx(6)
    wet = method.water(1.8, loaded["load_it_kwh"], loaded["load_units"])
    assert wet["water_l"] == pytest.approx(180)
    assert wet["water_per_million_l"] == pytest.approx(180 / (10 * 20 * 3600) * 1e6)


def test_power_at_the_facility_has_no_pue_and_no_water():
    inputs = {**STANDING, "boundary": "facility"}
    with pytest.raises(InputError, match="would count cooling and conversion twice"):
        run(method.load, carbon=both(), **inputs)
    loaded = run(method.load, carbon=both(), **{**inputs, "pue": None})
    assert (loaded["load_it_kwh"], loaded["load_facility_kwh"]) == (None, pytest.approx(24))
    assert "not known" in loaded["notes"]["load_it_kwh"]


def test_the_label_is_carried_and_nothing_is_converted():
    # case C18: 400 gCO2/kWh x 2 kWh = 800 gCO2
    made = operational(carbon=series([400.0] * 2, gas="CO2"), **STANDING | {"pue": 1.0})
    assert made["operational_marginal_g"] == 800
    assert made["notes"]["operational_marginal_g"] == "marginal, direct, location-based, CO2"
    assert made["operational_by_series"]["series | "] == ["marginal, direct, location-based, CO2"]
    one, other = (work_on_grid(series([400.0] * 2, gas=gas), 1, "no").steps.bases[0] for gas in ("CO2", "CO2e"))
    with pytest.raises(InputError, match="gas: emissions on different bases are not added; found 'CO2e'; allowed: CO2"):
        Emissions(800.0, 2.0, one) + Emissions(800.0, 2.0, other)


def test_each_series_is_a_row_and_none_stands_in_for_another():
    market = ("average", "life_cycle", "market")
    table = pd.concat([both(), series([30.0] * 24, market)])
    with pytest.raises(InputError, match="carbon_accounting: several average series"):
        operational(carbon=table, **STANDING)
    made = operational(carbon=table, carbon_accounting="market", **STANDING)
    assert made["operational_average_g"] == pytest.approx(24 * 1.3 * 30)
    rows = made["operational_by_series"]
    assert [one.split(", ")[-1] for one in rows["series | "]] == ["location-based", "location-based", "market-based"]
    assert rows["emissions | g"].tolist() == pytest.approx([11778, 9360, 936])
    alone = operational(carbon=series([300.0] * 24, AVERAGE), **STANDING)
    assert alone["operational_marginal_g"] is None
    assert alone["notes"]["operational_marginal_g"].startswith("carbon_csv has no marginal series, and another basis does not")


def test_the_sum_of_products_is_no_product_of_means():
    # 2 kW in hours 0 to 11, nothing after: 2 x 4610 = 9220 g, while 24 kWh by the mean of 377.5 would be 9060 g
    profile = pd.DataFrame({"hour": np.arange(24.0), "utilization": [1.0] * 12 + [0.0] * 12})
    made = operational(carbon=series(GRID), **STANDING | {"load_profile": profile, "idle_power_w": 0.0, "active_power_w": 2000.0,
                                                          "pue": 1.0})  # fmt: skip
    assert made["operational_marginal_g"] == pytest.approx(2 * sum(GRID[:12]))
    assert made["operational_by_series"]["product_of_means | g"][0] == pytest.approx(24 * 377.5)


@pytest.mark.parametrize(("begin", "hours", "energy"), [
    # Berlin, 1 kW in hour 2 of the clock, else nothing: it does not exist in spring, is there twice in autumn
    ("2026-03-28T23:00", 23, 0.0),
    ("2026-10-24T22:00", 25, 2.0),
    ("2026-03-02T23:00", 24, 1.0),
])
def test_a_day_of_23_or_25_hours_on_the_clock(begin, hours, energy):
    profile = by_hour(0.0).assign(utilization=np.eye(24)[2])
    table = series(np.arange(hours) * 10.0, begin=begin)
    made = operational(carbon=table, **STANDING | {"load_profile": profile, "idle_power_w": 0.0, "pue": 1.0,
                                                   "carbon_timezone": "Europe/Berlin"})  # fmt: skip
    assert made["carbon_hours"] == hours
    if energy:
        assert made["load_facility_kwh"] == pytest.approx(energy)
        # hours 2 and 3 since midnight in autumn: 20 + 30 g; hour 2 else: 20 g
        assert made["operational_marginal_g"] == pytest.approx(50 if energy == 2 else 20)
    else:
        assert made["load_facility_kwh"] is None


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 23), ("2026-10-25", 25)])
def test_stamps_without_offset_are_those_of_the_clock(day, hours):
    local = pd.date_range(day, periods=hours, freq="60min", tz="Europe/Berlin").tz_localize(None)
    named = series([1.0] * hours).assign(timestamp=local, g_per_kwh=np.arange(hours) + 1.0)
    made = operational(carbon=named, **STANDING | {"carbon_timezone": "Europe/Berlin", "pue": 1.0})
    assert made["operational_marginal_g"] == pytest.approx(hours * (hours + 1) / 2)
    with pytest.raises(InputError, match="carbon_timezone: stamps without offset, and no time zone"):
        operational(carbon=named, **STANDING | {"carbon_timezone": None})


def test_leap_day_and_weekdays_join_on_stamps():
    # case C19: hours of 2024; Fridays at 100 g, other days at 0; 1 kW on every 1 March alone: a Friday, 24 kWh x 100 g
    stamps = pd.date_range("2024-01-01", periods=8784, freq="60min", tz="UTC")
    table = series([0.0] * 8784, begin="2024-01-01").assign(g_per_kwh=100.0 * (stamps.day_of_week == 4))
    first = (stamps.month == 3) & (stamps.day == 1)
    load = pd.DataFrame({"timestamp": stamps, "utilization": first.astype(float)})
    inputs = STANDING | {"load_profile": load, "idle_power_w": 0.0, "pue": 1.0}
    made = operational(carbon=table, **inputs)
    assert (made["carbon_hours"], made["load_facility_kwh"]) == (8784, pytest.approx(24))
    assert made["operational_marginal_g"] == pytest.approx(2400)
    short = table[~((stamps.month == 2) & (stamps.day == 29))]  # without its leap day the series has a gap, and no shift by a day
    with pytest.raises(InputError, match="steps of the series marginal, direct, location-based are not equal"):
        operational(carbon=short, **inputs)


def test_quarters_of_an_hour_of_load_meet_the_hour_of_the_series():
    quarters = pd.date_range("2026-03-03", periods=8, freq="15min", tz="UTC")
    load = pd.DataFrame({"timestamp": quarters, "utilization": [1.0] * 4 + [0.0] * 4})
    made = operational(carbon=series(GRID), **STANDING | {"load_profile": load, "idle_power_w": 0.0, "pue": 1.0})
    assert made["operational_marginal_g"] == pytest.approx(420)
    late = load.assign(timestamp=load["timestamp"] + pd.Timedelta("23h"))
    with pytest.raises(InputError, match=r"no value for part of the time; found '2026-03-04T00:00:00Z'"):
        operational(carbon=series(GRID), **STANDING | {"load_profile": late})


def test_series_of_other_hours_are_cut_to_what_they_share_and_it_is_said():
    table = pd.concat([series(GRID), series([300.0] * 20, AVERAGE, "2026-03-03T02:00")])
    made = operational(carbon=table, **STANDING)
    assert made["carbon_hours"] == 20
    assert made["notes"]["carbon_hours"] == "what all series have in common; up to 4 h of one lie outside and are left out"
    with pytest.raises(InputError, match="no time in common"):
        operational(carbon=pd.concat([series(GRID), series(GRID, AVERAGE, "2027-01-01")]), **STANDING)


def test_flexible_work_goes_to_the_cleanest_hours():
    # section 7: 10-15, 1820 g, against 3107 g from 00:00
    made = run(method.shift, carbon=both(), **FLEXIBLE)
    assert made["shift_marginal_g"] == pytest.approx(1820)
    assert made["shift_now_marginal_g"] == pytest.approx(3107)
    assert made["shift_saved_marginal_share"] == pytest.approx(1 - 1820 / 3107)
    assert told(made, "shift") == ("shift it", "by the marginal series it emits less, by the average as much as now")


@pytest.mark.parametrize(("contiguous", "emitted"), [("no", 3055), ("yes", 3107)])
def test_flexible_work_before_ten(contiguous, emitted):
    made = run(method.shift, carbon=both(), deadline="10:00", contiguous=contiguous, **FLEXIBLE)
    assert made["shift_marginal_g"] == pytest.approx(emitted)
    lain = run(method.day, carbon=both(), deadline="10:00", contiguous=contiguous, **FLEXIBLE)["carbon_day"]
    assert np.flatnonzero(lain["shifted | kW"]).tolist() == ([1, 2, 3, 4, 5, 9] if contiguous == "no" else list(range(6)))


def test_the_decision_is_judged_on_the_marginal_and_the_text_says_where_the_average_disagrees():
    # by the average the night is cleaner: 6 x 200 x 1.3 = 1560 g now, 6 x 400 x 1.3 = 3120 g by day
    made = run(method.shift, carbon=both(average=[200] * 10 + [400] * 14), **FLEXIBLE)
    assert made["shift_marginal_g"] == pytest.approx(1820)
    assert (made["shift_now_average_g"], made["shift_average_g"]) == (pytest.approx(1560), pytest.approx(3120))
    assert told(made, "shift") == ("shift it", "by the marginal series it emits less, by the average more: the two disagree")
    agreed = run(method.shift, carbon=both(average=GRID), **FLEXIBLE)
    assert told(agreed, "shift") == ("shift it", "by both series it emits less")
    flat = run(method.shift, carbon=both([400] * 24, GRID), **FLEXIBLE)
    assert told(flat, "shift") == ("leave it", "no other hours that are free emit less by the marginal series")
    assert flat["shift_saved_average_at_best_g"] == pytest.approx(3107 - 1820)


def test_without_a_marginal_series_nothing_is_decided():
    made = run(method.shift, carbon=series(GRID, AVERAGE), **FLEXIBLE)
    assert made["shift_verdict"] is made["shift_marginal_g"] is made["shift_average_g"] is None
    assert made["shift_now_average_g"] == pytest.approx(3107)
    assert "not judged on it" in made["notes"]["shift_verdict"]


def test_the_cap_holds_for_the_standing_load_and_flexible_work_together():
    # the cap leaves 1 kW, and 0.5 kW from 10 to 16: all of those six hours at half power, the rest in 16, 4 and 9
    load = by_hour(0.0).assign(utilization=[0.0] * 10 + [1.0] * 6 + [0.0] * 8)
    inputs = {**FLEXIBLE, "pue": 1.0, "load_profile": load, "idle_power_w": 500.0, "active_power_w": 1000.0, "servers": 1}
    capped = run(method.day, carbon=both(), power_cap_w=1500.0, **inputs)["carbon_day"]
    total = capped["standing | kW"] + capped["shifted | kW"]
    assert total.max() == pytest.approx(1.5)
    assert capped["shifted | kW"][[3, 4, 9]].tolist() == pytest.approx([0, 1, 1])
    assert capped["shifted | kW"][10:16].tolist() == pytest.approx([0.5] * 6)
    made = run(method.shift, carbon=both(), power_cap_w=1500.0, **inputs)
    # 0.5 x 1400 + 340 (hour 16) + 380 (hour 4) + 380 (hour 9)
    assert made["shift_marginal_g"] == pytest.approx(1800)
    whole = run(method.shift, carbon=both(), power_cap_w=1500.0, contiguous="yes", **inputs)
    # at full power only in 0..9 and 16..23: start 0 or 1, 2390, or 16: 2730
    assert whole["shift_marginal_g"] == pytest.approx(2390)


@pytest.mark.parametrize(("more", "why"), [
    ({"deadline": "05:00"}, "6 h of work do not fit into the 5 h from 2026-03-03 00:00 to 2026-03-03 05:00"),
    ({"power_cap_w": 1400.0}, "beside the standing load there is room for 4.615 h at full power"),
    ({"power_cap_w": 2000.0, "contiguous": "yes"}, "there are no 6 h without a break in which the power cap leaves room"),
    ({"earliest_start": "22:00", "deadline": "06:00"}, "no window of the flexible work lies within the hours"),
])
def test_no_schedule_is_an_answer_with_its_reason(more, why):
    # the standing load draws 1.3 kW but in hours 0, 8 and 16: 0 kW; under 1.4 kW there is room for 3 + 21 x 0.1/1.3 h
    load = by_hour(1.0).assign(utilization=[float(hour % 8 != 0) for hour in range(24)])
    inputs = {**FLEXIBLE, "load_profile": load, "idle_power_w": 0.0, "active_power_w": 1000.0, "servers": 1}
    made = run(method.shift, carbon=both(), **inputs | more)
    assert made["shift_verdict"] == "not feasible"
    assert why in made["notes"]["shift_verdict"]
    gone = [name for name, value in made.items() if name.startswith("shift_saved") and (value is None or np.isnan(value))]
    assert len(gone) == 4
    assert all(why in made["notes"][name] for name in gone)


def test_as_it_runs_now_begins_when_it_begins_now():
    made = run(method.shift, carbon=both(), current_start="18:00", **FLEXIBLE)
    assert made["shift_now_marginal_g"] == pytest.approx(1.3 * sum(GRID[18:]))
    late = run(method.shift, carbon=both(), current_start="20:00", **FLEXIBLE)  # four hours are left
    assert "as it runs now it is not feasible" in late["notes"]["shift_now_marginal_g"]
    assert late["shift_marginal_g"] == pytest.approx(1820)
    assert told(late, "shift") == ("shift it", "as it runs now it does not fit")


def test_each_day_of_the_series_is_a_window_of_its_own():
    made = run(method.shift, carbon=both(GRID * 3, (300,) * 72), earliest_start="00:00", deadline="24:00", **FLEXIBLE)
    assert (made["flexible_windows"], made["flexible_kwh"]) == (3, pytest.approx(3 * 7.8))
    assert made["shift_marginal_g"] == pytest.approx(3 * 1820)


def test_draws_follow_the_cap_each_on_its_own():
    rng = np.random.default_rng(1)
    load = by_hour(0.0).assign(utilization=np.linspace(0, 1, 24))
    drawn = {"idle_power_w": rng.uniform(200, 500, 5), "flexible_hours": rng.uniform(3, 7, 5), "pue": rng.uniform(1.1, 1.4, 5)}
    fixed = {"carbon": both(average=GRID[::-1]), "load_profile": load, "active_power_w": 1000.0, "servers": 1,
             "boundary": "server", "power_cap_w": 1900.0, "throughput_per_s": 1.0, "carbon_timezone": "UTC"}  # fmt: skip
    for contiguous in ("no", "yes"):
        names = [f"shift_{way}{basis}_g" for way, basis in product(("", "now_", "saved_"), ("marginal", "average"))]
        whole = run(method.shift, **fixed, **drawn, contiguous=contiguous)
        peaks = run(method.load, **fixed, **drawn, contiguous=contiguous)
        for place in range(5):
            one = {name: float(values[place]) for name, values in drawn.items()}
            alone = run(method.shift, **fixed, **one, contiguous=contiguous)
            assert [whole[name][place] for name in names] == pytest.approx([alone[name] for name in names], nan_ok=True)
            alone = run(method.load, **fixed, **one, contiguous=contiguous)
            if np.isfinite(whole["shift_now_marginal_g"]).all():
                assert peaks["load_peak_kw"][place] == pytest.approx(alone["load_peak_kw"])


def published(*regions):
    """Average and marginal of regions as data/published/figures.csv has them, as rows of regions_csv."""
    with (ROOT / "data/published/figures.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["id"]: row["value"] for row in csv.DictReader(file)}
    labels = ("basis", "scope", "accounting")
    return pd.DataFrame([{"region": name, **dict(zip(labels, of, strict=True)), "g_per_kwh": float(rows[f"ci_{name}_{of[0]}"]),
                          "pue": 1.3} for name in regions for of in (AVERAGE, MARGINAL)])


def moved(here, there, **more):
    """1000 kWh from constant intensities here to those of other regions."""
    carbon = both([here[1]] * 24, [here[0]] * 24)
    load = pd.DataFrame({"timestamp": pd.date_range("2026-03-03", periods=10, freq="60min", tz="UTC"), "utilization": 1.0})
    inputs = {"carbon": carbon, "load_profile": load, "idle_power_w": 0.0, "active_power_w": 1e5 / 1.3, "servers": 1, "pue": 1.3,
              "boundary": "server", "regions": there, "network_energy_share": 0.05, "network_intensity_is": "mean_of_ends"} | more
    first = run(method.regions, **inputs)
    if first["move_region"] is None:
        return first
    return first | run(method.move, **inputs, move_region=first["move_region"])


def test_a_move_takes_the_networks_energy_on_top():
    # section 7: 1000 kWh from 400 to 150 g/kWh, 5 % network at 275: 163.75 kg
    there = published("europe-west9").assign(g_per_kwh=150.0)
    assert moved((400.0, 400.0), there)["move_marginal_kg"] == pytest.approx(163.75)
    assert moved((400.0, 400.0), there.assign(network_g_per_kwh=500.0))["move_marginal_kg"] == pytest.approx(175)
    assert moved((400.0, 400.0), there, network_intensity_is="origin")["move_marginal_kg"] == pytest.approx(170)
    assert moved_intensity(400.0, 150.0, 0.0, "mean_of_ends") == 150


def test_virginia_to_paris():
    # section 7: 5 % at the destination: average 396.25 -> 17.115 kg, marginal 557.17 -> 414.372 kg
    made = moved((396.25, 557.17), published("europe-west9"), network_intensity_is="destination")
    assert (made["move_now_average_kg"], made["move_average_kg"]) == (pytest.approx(396.25), pytest.approx(17.115))
    assert (made["move_now_marginal_kg"], made["move_marginal_kg"]) == (pytest.approx(557.17), pytest.approx(414.372))
    assert told(made, "move") == ("move it", "by both series it emits less")


def test_energy_is_scaled_by_the_pue_of_both_ends():
    made = moved((400.0, 400.0), published("europe-west9").assign(g_per_kwh=150.0, pue=1.04))
    assert made["move_marginal_kg"] == pytest.approx(163.75 * 1.04 / 1.3)
    without = moved((400.0, 400.0), published("europe-west9"), pue=None, boundary="facility")
    assert "needs the PUE at home" in without["notes"]["move_region"]


def test_the_marginal_decides_where_to_and_the_text_says_where_the_average_disagrees():
    # Oregon against Ireland: by the average 119.76 and 403.4, by the marginal 476.66 and 488.25
    there = published("us-west-2", "europe-west9")
    made = moved((50.0, 557.17), there)
    assert made["move_region"] == "europe-west9"
    assert told(made, "move") == ("move it", "by both series it emits less")
    dear = moved((16.3, 600.0), published("us-west-2"))
    assert told(dear, "move") == ("move it", "by the marginal series it emits less, by the average more: the two disagree")
    stay = moved((403.4, 400.0), published("us-west-2"))
    assert stay["move_verdict"] == "stay"
    assert stay["notes"]["move_verdict"].endswith("by the average it does: the two disagree")
    other = published("us-west-2").assign(g_per_kwh=[10.0, 500.0])
    split = moved((396.25, 557.17), pd.concat([published("europe-west9"), other]))
    assert told(split, "move") == ("move it", "by both series it emits less, though the average would choose us-west-2")


def test_a_region_that_may_not_take_the_work_is_listed_with_its_reason():
    there = published("us-west-2", "europe-west9", "us-central1").assign(latency_s=[0.2, 0.2, 0.05, 0.05, np.nan, np.nan],
                                                                        allowed=["", "", "no", "no", "", ""])
    made = moved((396.25, 557.17), there, max_latency_s=0.1)
    assert made["move_region"] is None
    assert "no region may take the work" in made["notes"]["move_region"]
    assert made["region_moves"]["may_take_it | "][:3] == [
        "latency of 0.2 s, above 0.1 s", "not on the list of allowed regions", "its latency is not stated, and there is a limit"]
    direct = published("us-west-2").assign(scope="direct")  # its average is not on the basis at home
    table = moved((396.25, 557.17), direct)["region_moves"]
    assert table["intensity | "] == ["one mean for all hours", "none on the basis at home"]
    assert np.isnan(table["moved | kg"][1])


def test_a_region_with_hours_of_its_own_is_joined_by_the_hour():
    # 100 kW for ten hours; there 100 g in the first five of them, 300 g after: 500 x 0.1 + 500 x 0.3 = 200 kg
    hourly = pd.concat([series([100.0] * 5 + [300.0] * 19), series([200.0] * 24, AVERAGE)]).assign(region="r", pue=1.3)
    made = moved((400.0, 400.0), hourly, network_energy_share=0.0)
    assert made["move_marginal_kg"] == pytest.approx(200)
    assert made["region_moves"]["intensity | "] == ["by the hour", "by the hour"]
    short = hourly[hourly["timestamp"] < pd.Timestamp("2026-03-03T08:00Z")]
    with pytest.raises(InputError, match=r"r: the series marginal.* has no value for part of the time"):
        moved((400.0, 400.0), short)


def test_embodied_carbon_by_share_and_lifetime():
    # section 7: 1500 kg over 252288 M tokens (5000/s, u 0.4, 4 years): 5.94559 g per million; half the share, half of it
    year = work_of_a_year(5000.0, 1, 0.8, 0, utilization=0.4)
    made = method.embodied(1500.0, 1.0, 4.0, 1, year["servers_powered"], year["units_per_year"])
    assert made["embodied_per_million_g"] == pytest.approx(5.94559, rel=1e-6)
    assert made["embodied_annual_kg"] == 375
    half = method.embodied(1500.0, 0.5, 4.0, 1, year["servers_powered"], year["units_per_year"])
    assert half["embodied_per_million_g"] == pytest.approx(5.94559 / 2, rel=1e-6)
    assert method.embodied(1500.0, 1.0, 4.0, 2, 3)["embodied_lifetime_kg"] == 2250  # a third server like the other two
    assert method.embodied(1500.0, 1.0, 4.0, 1)["notes"] == {"embodied_per_million_g": "needs annual_volume or utilization"}


def test_a_year_of_such_hours_and_what_has_no_work():
    made = method.by_work(24.0, 0.0, 1000.0, None)
    assert made["annual_average_kg"] == pytest.approx(365)
    assert made["evidence"] == {"annual_average_kg": "assumed"}
    assert np.isnan(made["average_per_million_g"])
    assert made["notes"]["average_per_million_g"] == "no work is done, so there is nothing to divide by"
    assert made["notes"]["annual_marginal_kg"] == "operational_marginal_g is not available"


def test_what_says_nothing_alone():
    with pytest.raises(InputError, match="flexible_power_w: flexible work without its power"):
        work_on_grid(series(GRID), 1, "no", flexible_hours=6.0)
    with pytest.raises(InputError, match="idle_power_w: a load profile says nothing without"):
        work_on_grid(series(GRID), 1, "no", load_profile=by_hour(1.0), active_power_w=1.0)
    with pytest.raises(InputError, match="carbon_timezone: a load profile by the hour of the day without"):
        work_on_grid(series(GRID), 1, "no", load_profile=by_hour(1.0), active_power_w=1.0, idle_power_w=1.0)
    assert "needs load_profile_csv" in run(method.load, carbon=series(GRID))["notes"]["load_facility_kwh"]
