"""Section 3 of the method. Expected values: hand arithmetic, shown, unless another source is named."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from joulebook import dictionary
from joulebook.errors import InputError
from joulebook.inputs import Given, Input
from joulebook.method import idle_amortization as m
from joulebook.method import tenants as shared
from joulebook.method.load_curve import load_slope, power_at
from joulebook.method.provisioning import fleet_power, least_power
from joulebook.method.study import Study
from joulebook.results import Labels
from joulebook.show import figures
from joulebook.show.pieces import known

SYSTEM = {"throughput_per_s": 5000.0, "active_power_w": 1000.0, "idle_power_w": 400.0}
CURVE = pd.DataFrame({"utilization": np.arange(11) / 10, "power_w": [400, 520, 600, 670, 730, 790, 840, 890, 930, 970, 1000.0]})
DAY = pd.DataFrame({"hour": range(24), "utilization": [0.02] * 8 + [0.6] * 10 + [0.2] * 6})
TENANTS = pd.DataFrame({"tenant": ["a", "b"], "share": [0.25, 0.5], "utilization": [0.1, 0.3]})
# Llama-3.1-8B on one H100, published: ml-energy/leaderboard@0cd52da, lm-arena-chat, rows mle01 to mle03 of figures.csv;
# power, tokens per second and 99th percentile of the inter-token latency at 8, 64 and 512 requests at once
H100 = pd.DataFrame(
    {
        "name": ["c8", "c64", "c512"],
        "precision": "bf16",
        "batch": [8, 64, 512],
        "quality_pct": 100.0,
        "throughput_per_s": [1070.0, 5147.0, 9806.0],
        "average_power_w": [486.0, 610.0, 688.0],
        "latency_tpot_p99_s": [0.0109, 0.0257, 0.1068],
    }
)
IDLE_H100_W = 70.0
FLEET = {"demand_per_s": 12000.0, "max_utilization": 0.8, "redundancy": 1}
LABELS = Labels("chat", "output_token", "as served", "Server", "work phase", "server")


def near(expected, rel=1e-6):
    return pytest.approx(expected, rel=rel)


def at(utilization, load_curve=None, kind="load", **more):
    return m.at_utilization(
        **SYSTEM, utilization=utilization, utilization_is=kind, energy_per_unit_j=0.2, load_curve=load_curve, **more
    )


def study(tables=(), draws=2**10, **inputs):
    """The topic on inputs that are measured unless said otherwise."""
    plain = {name: Input(value, evidence="measured") for name, value in SYSTEM.items()}
    plain |= {"currency": Input("EUR"), "utilization_is": Input("load"), "utilization": Input(0.1, evidence="measured"), **inputs}
    plain |= {name: Input(f"{name}.csv", evidence="measured") for name in dict(tables)}
    topic = "idle_amortization"
    rows, definitions = dictionary.of_topic(topic), dictionary.definitions()[topic]
    return Study(Given(topic, plain, dict(tables), LABELS, rows, definitions), draws).run_all(m.CALCULATIONS)


# ---- attributions


@pytest.mark.parametrize(
    ("utilization", "energy"), [(1.0, 0.2), (0.5, 0.28), (0.25, 0.44), (0.1, 0.92), (0.05, 1.72), (0.01, 8.12)]
)
def test_energy_with_all_idle_power(utilization, energy):
    # (400 + 600 u) / (5000 u)
    assert at(utilization, kind="duty")["energy_per_unit_full_j"] == near(energy, 1e-12)


def test_idle_energy_is_named_with_every_number():
    # C02 of the cases: 100 W for 18 h and 300 W for 6 h are 3600 Wh; of 7200 requests 0.5 Wh over all hours, 0.25 Wh over the
    # active ones and 0.1667 Wh of what lies above idle. Three true numbers, each with the hours and idle power that it counts.
    day = pd.DataFrame({"hour": range(24), "utilization": [0.0] * 18 + [1.0] * 6})
    rate = 7200 / (6 * 3600)
    inputs = {"throughput_per_s": rate, "active_power_w": 300.0, "idle_power_w": 100.0, "utilization": 6 / 24}
    done = study({"load_profile_csv": day}.items(), utilization_is=Input("duty"),
                 **{name: Input(value, evidence="measured") for name, value in inputs.items()}).results
    assert done["profiled_kwh"].value == near(3.6, 1e-12)
    said = {name: (done[name].value / 3600, done[name].labels.window)
            for name in ("energy_per_unit_full_j", "energy_per_unit_j", "energy_per_unit_marginal_j")}
    assert said == {"energy_per_unit_full_j": (near(0.5), "all hours, idle included"),
                    "energy_per_unit_j": (near(0.25), "hours at full load, idle hours not counted"),
                    "energy_per_unit_marginal_j": (near(1 / 6), "all hours, idle power not counted")}
    assert done["profiled_energy_per_unit_j"].value == near(1800)


def test_three_attributions_side_by_side():
    # marginal 600/5000; reserved (100 + 60)/500; full 460/500; 460 W over 8760 h
    r = {**m.without_idle(**SYSTEM), **at(0.1, reserved_share=0.25)}
    assert r["energy_per_unit_marginal_j"] == near(0.12, 1e-12)
    assert r["energy_per_unit_reserved_j"] == near(0.32, 1e-12)
    assert r["energy_per_unit_full_j"] == near(0.92, 1e-12)
    assert r["annual_energy_kwh"] == near(4029.6, 1e-12)
    assert r["idle_ratio"] == near(0.92 / 0.2)


@pytest.mark.parametrize(("utilization", "power"), [(0.05, 460.0), (0.15, 560.0), (0.55, 815.0)])
def test_power_on_the_curve(utilization, power):
    # halfway between 400 and 520, 520 and 600, 790 and 840
    assert at(utilization, CURVE)["power_at_utilization_w"] == near(power, 1e-12)


def test_energy_on_the_curve():
    # 560/750; slope (600 - 520)/0.1 over 5000
    r = at(0.15, CURVE)
    assert r["energy_per_unit_full_j"] == near(0.746667)
    assert r["energy_per_unit_local_marginal_j"] == near(0.16, 1e-9)


def test_at_a_knot_the_segment_above_counts():
    # at 0.1 the segment to 0.2: 800 W; at full load, which has none above, the last one: 300 W; below 0.1: 1200 W
    for utilization, slope_w in ((0.1, 800.0), (1.0, 300.0), (0.0999, 1200.0), (0.0, 1200.0)):
        assert 600 * load_slope(utilization, CURVE) == near(slope_w, 1e-9)


def test_duty_is_a_straight_line_even_beside_a_curve():
    r = at(0.15, CURVE, kind="duty")
    assert r["power_at_utilization_w"] == near(490.0, 1e-12)
    assert "exact" in r["notes"]["power_at_utilization_w"]
    assert r["evidence"] == {}


def test_no_work_has_no_energy_per_unit():
    r = at(0.0, reserved_share=0.25)
    for name in ("energy_per_unit_full_j", "energy_per_unit_reserved_j", "idle_ratio"):
        assert np.isnan(r[name])
        assert "no work" in r["notes"][name]
    assert r["power_at_utilization_w"] == 400.0


def test_why_the_line_fails_under_batching():
    # published points; a line from 70 W: (70 + 618 * 1070/9806)/1070 = 0.1284; measured 486/1070 (the row prints 0.4548)
    share = 1070 / 9806
    points = H100["throughput_per_s"] / 9806
    curve = {"utilization": [0, *points], "power_w": [IDLE_H100_W, *H100["average_power_w"]]}
    assert power_at(share, IDLE_H100_W, 688.0) / 1070 == near(0.1284, 5e-4)
    assert power_at(share, IDLE_H100_W, 688.0, curve) / 1070 == near(0.4542, 1e-4)


@given(
    st.floats(0, 1e4),
    st.lists(st.tuples(st.floats(0.01, 0.99), st.floats(0, 1e4)), max_size=5, unique_by=lambda point: point[0]),
    st.floats(1.0, 1e4),
)
def test_power_at_full_load_is_the_active_power(idle, between, active):
    points = sorted([(0.0, idle), *between, (1.0, active)])
    curve = dict(zip(("utilization", "power_w"), map(list, zip(*points, strict=True)), strict=True))
    for kind in (None, curve):
        assert power_at(1.0, idle, active, kind) == near(active, 1e-9)
        assert power_at(0.0, idle, active, kind) == near(idle, 1e-9)


def test_tables_agree_with_single_values():
    table = m.by_utilization(**SYSTEM, utilization_is="load", load_curve=CURVE, reserved_share=0.25)["energy_by_utilization"]
    for row in (0, 45, 90):
        one = at(float(table["utilization | 1"][row]), CURVE, reserved_share=0.25)
        assert table["full | J per {unit}"][row] == near(one["energy_per_unit_full_j"], 1e-12)
        assert table["reserved | J per {unit}"][row] == near(one["energy_per_unit_reserved_j"], 1e-12)


def test_many_at_once_are_each_by_itself():
    load = np.array([0.05, 0.15, 0.55, 1.0])
    many = at(load, CURVE, reserved_share=0.25)
    for place, one in enumerate(load):
        single = at(float(one), CURVE, reserved_share=0.25)
        for name in m.at_utilization.results:
            assert many[name][place] == near(single[name], 1e-12)


# ---- evidence, reasons and ranges


def test_a_line_under_load_is_assumed_and_warns():
    with_line, with_curve = study().results, study({"load_curve_csv": CURVE}).results
    duty = study(utilization_is=Input("duty")).results
    assert with_line["energy_per_unit_full_j"].evidence == "assumed"
    assert with_line["energy_per_unit_full_j"].note.startswith("warning: a straight line")
    assert with_line["energy_per_unit_marginal_j"].evidence == "measured"  # it does not rest on the line
    assert with_curve["energy_per_unit_full_j"].evidence == "measured"
    assert duty["energy_per_unit_full_j"].evidence == "measured"
    assert duty["energy_per_unit_full_j"].note == ""


def test_a_kind_of_utilization_that_nobody_stated_is_assumed():
    default = dictionary.of_topic("idle_amortization")["utilization_is"].default
    results = study({"load_curve_csv": CURVE}, utilization_is=Input(default, given=False)).results
    assert default == "load"
    assert results["energy_per_unit_full_j"].evidence == "assumed"


def test_what_is_missing_is_named():
    results = study().results
    for name, words in (
        ("energy_per_unit_reserved_j", "needs reserved_share"),
        ("metered_power_w", "needs tenants_csv, overcommit"),
        ("provisioned_servers", "needs demand_per_s, max_utilization, redundancy, spare_mode"),
        ("price_of_load", "needs demand_per_s, operating_points_csv, slo_tpot_s"),
        ("profiled_kwh", "needs load_profile_csv"),
        ("sleep_break_even_s", "needs wake_energy_j, transition_s, sleep_power_w"),
    ):
        assert results[name].value is None
        assert results[name].note == words


def test_ranges_travel():
    # idle 350 to 450 rectangular: full at 0.1 is (0.9 idle + 100)/500, so 0.83 to 1.01, 95 % of it inside
    ranged = study(idle_power_w=Input(400.0, low=350.0, high=450.0, evidence="published"), reserved_share=Input(0.25))
    full = ranged.results["energy_per_unit_full_j"]
    assert 0.83 < full.low < 0.84 < full.value < 1.0 < full.high < 1.01
    assert ranged.results["energy_per_unit_j"].low is None
    assert ["full_low", "J per output token"] in ranged.results["energy_by_utilization"]["columns"]


def test_everything_at_once_with_ranges():
    def about(value):
        return Input(value, low=value * 0.9, high=value * 1.1, evidence="published")

    tables = {"load_curve_csv": CURVE, "tenants_csv": TENANTS, "operating_points_csv": H100, "load_profile_csv": DAY}
    inputs = {name: about(value) for name, value in SYSTEM.items()} | {
        "utilization": about(0.1),
        "reserved_share": about(0.25),
        "demand_per_s": about(12000.0),
        "max_utilization": about(0.8),
        "redundancy": Input(1),
        "spare_mode": Input("hot"),
        "overcommit": Input("no"),
        "slo_tpot_s": about(0.03),
        "quality_target_pct": Input(99.0),
        "wake_energy_j": about(50e3),
        "transition_s": about(60.0),
        "sleep_power_w": about(20.0),
    }
    results = study(tables, **inputs).results
    for name, result in results.items():
        if isinstance(result, dict):
            assert result["rows"], name
            assert any(column.endswith("_low") for column, _ in result["columns"]), name
        else:
            assert result.value is not None, name
            assert result.low is None or result.low <= result.value <= result.high, name
    alike = {name for name, result in results.items() if not isinstance(result, dict) and result.low is None}
    assert alike <= {"tenants_utilization", "profiled_hours", "profiled_utilization", "servers", "cap"}


@pytest.mark.parametrize("tables", [{}, {"load_curve_csv": CURVE}])
@pytest.mark.parametrize("utilization", [0.003, 0.1, 0.95, None])
def test_figures_draw(tables, utilization):
    given_u = (
        {} if utilization is None else {"utilization": Input(utilization, low=utilization / 2, high=min(1, utilization * 2))}
    )
    facts = known(study(tables, **{"utilization": Input(None), **given_u}, idle_power_w=Input(400.0, low=300.0, high=500.0)))
    for name in ("energy_by_utilization", "power_by_utilization"):
        assert figures.draw(name, facts).count("<svg") == 1


# ---- tenants


@pytest.mark.parametrize(
    ("curve", "lines", "meter"),
    # line: P(0.4) = 640; 100 + 240/4, 200 + 240 * 3/4, 0.25 * 400; curve: P(0.4) = 730; 100 + 330/4, 200 + 330 * 3/4
    [(None, [160.0, 380.0, 100.0], 640.0), (CURVE, [182.5, 447.5, 100.0], 730.0)],
)
def test_tenants(curve, lines, meter):
    r = m.tenants_lines(**SYSTEM, utilization_is="load", tenants=TENANTS, overcommit="no", load_curve=curve)
    assert r["power_by_tenant"]["power | W"].tolist() == [near(line, 1e-12) for line in lines]
    assert r["power_by_tenant"]["tenant | "] == ["a", "b", "unallocated"]
    assert r["metered_power_w"] == near(meter, 1e-12)
    assert r["allocated_power_w"] + r["unallocated_power_w"] == near(meter, 1e-12)
    # the energy of a unit of work of the first: its line over 0.1 * 5000 per second
    assert r["power_by_tenant"]["energy | J per {unit}"][0] == near(lines[0] / 500)


@st.composite
def hosts(draw):
    """A host with tenants that fit on it, and with or without a load curve."""
    count = draw(st.integers(1, 6))
    parts = st.lists(st.floats(0, 1).map(lambda part: round(part, 9)), min_size=count, max_size=count)
    share, load = (np.array(draw(parts)) / count for _ in range(2))
    idle, rise = draw(st.floats(0, 5e3)), draw(st.floats(0.1, 5e3))
    middle = sorted(draw(st.lists(st.floats(0.01, 0.99), max_size=5, unique=True)))
    between = [idle + rise * draw(st.floats(0, 1.5)) for _ in middle]
    curve = {"utilization": [0.0, *middle, 1.0], "power_w": [idle, *between, idle + rise]}
    return idle, idle + rise, share, load, draw(st.sampled_from([None, curve]))


@given(hosts(), st.sampled_from(["duty", "load"]))
def test_lines_and_unallocated_sum_to_the_meter(host, kind):
    idle, active, share, load, curve = host
    tenants = pd.DataFrame({"tenant": [str(n) for n in range(len(share))], "share": share, "utilization": load})
    r = m.tenants_lines(5000.0, active, idle, kind, tenants, "no", curve)
    meter = power_at(load.sum(), idle, active, curve if kind == "load" else None)
    assert r["power_by_tenant"]["power | W"].sum() == pytest.approx(meter, rel=1e-9, abs=1e-9 * active)


def test_lines_sum_to_the_meter_in_every_draw():
    host = {"active_power_w": np.array([900.0, 1100.0, 1000.0]), "idle_power_w": 400.0, "throughput_per_s": 5000.0}
    r = m.tenants_lines(**host, utilization_is="load", tenants=TENANTS, overcommit="no", load_curve=CURVE)
    assert r["power_by_tenant"]["power | W"].shape == (3, 3)
    assert np.allclose(r["power_by_tenant"]["power | W"].sum(axis=-1), r["metered_power_w"], rtol=1e-9)
    varied = {**host, "active_power_w": 1000.0, "throughput_per_s": np.array([4000.0, 5000.0])}
    table = m.tenants_lines(**varied, utilization_is="load", tenants=TENANTS, overcommit="no")["power_by_tenant"]
    assert table["energy | J per {unit}"][:, 0].tolist() == [near(160 / 400), near(160 / 500)]


def test_more_shares_than_there_are():
    crowd = TENANTS.assign(share=[0.75, 0.5])
    with pytest.raises(InputError, match=r"the shares of the tenants add to more than one; found 1\.25"):
        shared.require_room(crowd, "no")
    r = m.tenants_lines(**SYSTEM, utilization_is="load", tenants=crowd, overcommit="yes")
    assert r["unallocated_power_w"] == near(-100.0)  # (1 - 1.25) * 400
    assert "below zero" in r["notes"]["unallocated_power_w"]
    assert r["power_by_tenant"]["power | W"].sum() == near(640.0, 1e-12)


def test_more_work_than_one_system_does():
    with pytest.raises(InputError, match="the utilizations of the tenants add to more than one"):
        shared.require_room(TENANTS.assign(utilization=[0.6, 0.6]), "yes")


def test_shares_that_add_to_one_but_for_rounding():
    three = pd.DataFrame({"tenant": list("abc"), "share": [0.1, 0.2, 0.7], "utilization": [0.0, 0.0, 0.0]})
    r = m.tenants_lines(**SYSTEM, utilization_is="load", tenants=three, overcommit="no")
    assert r["unallocated_power_w"] == 0.0
    assert r["allocated_power_w"] == near(400.0)  # nobody works: the meter reads idle


# ---- servers for a demand


@pytest.mark.parametrize(
    ("mode", "servers_on", "load", "power", "energy", "after"),
    # ceil(12000/4000) + 1 = 4; hot: 12000/20000, 4 * 760; cold: 12000/15000, 3 * 880; one lost: 12000/15000, 12000/10000
    [("hot", 4, 0.6, 3040.0, 0.253333, 0.8), ("cold", 3, 0.8, 2640.0, 0.22, 1.2)],
)
def test_hot_and_cold_spares(mode, servers_on, load, power, energy, after):
    r = m.provisioned(**SYSTEM, utilization_is="load", spare_mode=mode, **FLEET)
    assert (r["provisioned_servers"], r["provisioned_servers_on"]) == (4, servers_on)
    assert r["provisioned_utilization"] == near(load)
    assert r["provisioned_power_w"] == near(power)
    assert r["provisioned_energy_per_unit_j"] == near(energy, 2e-6)
    assert r["utilization_after_loss"] == near(after)
    assert ("utilization_after_loss" in r["notes"]) == (mode == "cold")


def test_a_loss_that_cold_spares_cannot_take_at_once_is_said():
    r = m.provisioned(**SYSTEM, utilization_is="load", spare_mode="cold", **FLEET)
    assert r["notes"]["utilization_after_loss"].startswith("warning: more than the servers left can do")
    # one server at 0.5, and none after the loss
    alone = m.provisioned(**SYSTEM, utilization_is="load", spare_mode="cold", **{**FLEET, "demand_per_s": 2500.0})
    assert np.isnan(alone["utilization_after_loss"])
    assert "no server is left" in alone["notes"]["utilization_after_loss"]


@given(st.floats(1, 1e6), st.floats(0.1, 1), st.integers(0, 5))
def test_with_hot_spares_a_loss_keeps_the_highest_utilization(demand, most, redundancy):
    r = m.provisioned(
        **SYSTEM, utilization_is="load", demand_per_s=demand, max_utilization=most, redundancy=redundancy, spare_mode="hot"
    )
    assert r["utilization_after_loss"] <= most * (1 + 1e-8)
    assert "utilization_after_loss" not in r["notes"]


def test_provisioning_many_at_once():
    many = m.provisioned(
        **SYSTEM, utilization_is="load", spare_mode="cold", **{**FLEET, "demand_per_s": np.array([2500.0, 12000.0])}
    )
    assert many["provisioned_power_w"].tolist() == [near(700.0), near(2640.0)]
    assert np.isnan(many["utilization_after_loss"][0])


# ---- service energy


def test_service_energy_published():
    # 70 to 486 to 610 W over 0, 1070, 5147 per s: 486 + 124 * 1930/4077 = 544.70; /3000; over 610/5147
    r = m.service(IDLE_H100_W, 3000.0, H100, 0.030)
    assert (r["servers"], r["cap"]) == (1, 64)
    assert r["fleet_power_w"] == near(544.70, 1e-5)
    assert r["service_energy_per_unit_j"] == near(0.181567, 3e-6)
    assert r["price_of_load"] == near(1.532, 3e-4)
    assert np.isnan(r["service_points"]["fleet_power | W"][2])  # misses the limit
    # the same demand at a cap of 8: three servers at 1000 per s, 3 * (70 + 416 * 1000/1070)
    assert r["service_points"]["fleet_power | W"][0] == near(3 * (70 + 416 * 1000 / 1070))


@given(
    st.floats(1, 1e5),
    st.floats(0, 500),
    st.lists(st.tuples(st.floats(10, 1e4), st.floats(1, 2e3)), min_size=1, max_size=5, unique_by=lambda point: point[0]),
)
def test_the_least_power_is_that_of_trying_every_number(demand, idle, points):
    throughput, power = (np.array(column) for column in zip(*sorted(points), strict=True))
    if demand / throughput[0] > 2000:
        demand = 2000 * throughput[0]
    _, least = least_power(demand, idle, throughput, power)
    every = np.arange(1.0, np.ceil(demand / throughput[0]) + 3)
    assert least == near(fleet_power(every, demand, idle, throughput, power).min(), 1e-9)


def test_service_has_its_reasons():
    for points, limit, target, words in (
        (H100.drop(columns="latency_tpot_p99_s"), 0.03, None, "needs the column latency_tpot_p99_s"),
        (H100, 0.001, None, "no operating point meets slo_tpot_s"),
        (H100, 0.03, 101.0, "no operating point meets slo_tpot_s and quality_target_pct"),
    ):
        r = m.service(IDLE_H100_W, 3000.0, points, limit, target)
        assert r["servers"] is None
        assert all(words in r["notes"][name] for name in m.service.results)


def test_points_of_another_setting_or_quality_are_no_points_of_the_curve():
    small = H100.assign(name=["d8", "d64", "d512"], precision="int4", quality_pct=98.0, average_power_w=[400.0, 500.0, 600.0])
    both = pd.concat([H100, small], ignore_index=True)
    cheap, kept = (m.service(IDLE_H100_W, 3000.0, both, 0.03, target) for target in (None, 99.0))
    assert kept["fleet_power_w"] == near(544.70, 1e-5)  # as without the others
    assert cheap["fleet_power_w"] == near(400 + 100 * 1930 / 4077)
    assert "chosen among qualities from 98 to 100 %" in cheap["notes"]["cap"]
    assert kept["notes"]["cap"] == "c64, bf16, quality 100 %"


def test_service_many_at_once_and_points_with_ranges():
    demand = np.array([500.0, 3000.0, 9000.0])
    many = m.service(IDLE_H100_W, demand, H100, 0.03)
    for place, one in enumerate(demand):
        single = m.service(IDLE_H100_W, float(one), H100, 0.03)
        for name in m.service.results[:-1]:
            assert many[name][place] == near(single[name], 1e-12)
    limits = m.service(IDLE_H100_W, 3000.0, H100, np.array([0.001, 0.03]))
    assert np.isnan(limits["cap"][0])
    assert limits["cap"][1] == 64
    # power of every point +-10 %, none other: the power of the service lies within +-10 % less the idle part
    spread = H100.assign(average_power_low_w=H100["average_power_w"] * 0.9, average_power_high_w=H100["average_power_w"] * 1.1)
    drawn = m.service(IDLE_H100_W, 3000.0, spread, 0.03, rng=np.random.default_rng(1))["fleet_power_w"]
    assert 544.7 * 0.9 < drawn.min() < 520
    assert 570 < drawn.max() < 544.7 * 1.1


# ---- hours, pauses, proportionality


@pytest.mark.parametrize(
    ("curve", "kwh", "energy", "at_mean"),
    # 8 h at 412 W, 10 h at 760 W, 6 h at 520 W; on the curve 424, 840 and 600 W; mean u 7.36/24 = 0.306667: 584, 674 W
    [(None, 14.016, 0.380870, 14.016), (CURVE, 15.392, 0.418261, 16.176)],
)
def test_profile(curve, kwh, energy, at_mean):
    r = m.over_profile(**SYSTEM, utilization_is="load", load_profile=DAY, load_curve=curve)
    assert r["profiled_hours"] == 24
    assert r["profiled_units"] == near(132.48e6)
    assert r["profiled_kwh"] == near(kwh)
    assert r["profiled_energy_per_unit_j"] == near(energy, 2e-6)
    assert r["kwh_at_mean_utilization"] == near(at_mean)
    assert r["profiled_power_w"] == near(kwh / 24 * 1000)


def test_profile_by_quarter_hours():
    stamps = pd.date_range("2026-01-01", periods=8, freq="15min", tz="UTC")
    r = m.over_profile(**SYSTEM, utilization_is="load", load_profile=pd.DataFrame({"timestamp": stamps, "utilization": 0.5}))
    assert r["profiled_hours"] == 2
    assert r["profiled_kwh"] == near(2 * 0.7)


def test_profile_without_work():
    r = m.over_profile(**SYSTEM, utilization_is="load", load_profile=DAY.assign(utilization=0.0))
    assert r["profiled_kwh"] == near(9.6)
    assert np.isnan(r["profiled_energy_per_unit_j"])
    assert "no work" in r["notes"]["profiled_energy_per_unit_j"]


def test_sleep():
    # (50000 - 20 * 60)/380; a transition that takes longer; asleep no less than idle
    assert m.sleep(50e3, 60.0, 20.0, 400.0)["sleep_break_even_s"] == near(128.421, 3e-6)
    assert m.sleep(50e3, 600.0, 20.0, 400.0)["sleep_break_even_s"] == 600.0
    never = m.sleep(50e3, 60.0, 400.0, 400.0)
    assert np.isnan(never["sleep_break_even_s"])
    assert never["notes"]["sleep_break_even_s"].startswith("never")


def test_sleep_breaks_even():
    # analytic: over a pause of that length both ways draw the same
    pause = m.sleep_break_even(50e3, 60.0, 20.0, 400.0)
    assert 400.0 * pause == near(50e3 + 20.0 * (pause - 60.0), 1e-12)


def test_proportionality():
    # trapezoids: 0.1 * (700 + 6940)/1000; 1 - 0.264/0.5; the line 0.7 and 0.6, a proportional system 0.5 and 1
    r = m.proportionality(1000.0, 400.0, CURVE)
    assert r["load_area"] == near(0.764)
    assert r["energy_proportionality"] == near(0.472)
    assert m.proportionality(1000.0, 400.0)["energy_proportionality"] == near(0.6)
    assert m.proportionality(1000.0, 0.0)["energy_proportionality"] == near(1.0)
    assert m.proportionality(1000.0, 1000.0)["energy_proportionality"] == pytest.approx(0.0, abs=1e-12)
    assert m.proportionality(1000.0, 400.0)["evidence"]["energy_proportionality"] == "assumed"
