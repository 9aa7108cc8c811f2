"""Section 2 of the method, and ground rule 3. Expected values: hand arithmetic, shown, unless another source is named."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from joulebook import dictionary
from joulebook.errors import InputError
from joulebook.inputs import Given, Input
from joulebook.method import boundary_ladder as m
from joulebook.method import rungs, scale_and_cooling
from joulebook.method.boundary_rows import rows_by_index
from joulebook.method.residuals import rows_of_parts
from joulebook.method.study import Study
from joulebook.results import BOUNDARIES, Labels

TOPIC = "boundary_ladder"
BASELINE = {"accelerator": 420e3, "server": 600e3, "rack": 648e3, "facility": 842.4e3}
OPTIMIZED = {"accelerator": 273e3, "server": 492e3, "rack": 576e3, "facility": 748.8e3}
NAMES = {"accelerator": "accelerators", "node_dc": "accelerators+host", "server": "accelerators+host"}
WINDOWS = {"window_baseline_s": 600.0, "window_optimized_s": 540.0}


def near(expected, rel=1e-6):
    return pytest.approx(expected, rel=rel)


def table(baseline, optimized, evidence="measured", width=None, work=(1e4, 1e4), quality=(99.9, 99.9)):
    """A ladder's file: energies by boundary, with ranges of a relative half width."""
    rows = [
        (boundary, variant, energy, evidence, NAMES.get(boundary, "accelerators+host+network"), units, share)
        for variant, energies, units, share in zip(("baseline", "optimized"), (baseline, optimized), work, quality, strict=True)
        for boundary, energy in energies.items()
    ]
    names = ["boundary", "variant", "energy_j", "evidence", "components", "work", "quality_pct"]
    made = pd.DataFrame(rows, columns=names)
    if width is not None:
        made["energy_low_j"], made["energy_high_j"] = made["energy_j"] * (1 - width), made["energy_j"] * (1 + width)
    return made


def study(rows, boundary="server", tables=None, **inputs):
    """A study of the topic that has run."""
    given_inputs = {
        name: item if isinstance(item, Input) else Input(item, evidence="quoted") for name, item in inputs.items()
    } | {"currency": Input("EUR"), "boundary_csv": Input("boundary.csv", evidence="measured")}
    labels = Labels("answers", "query", "as served", "Server", "work phase", boundary)
    files = {"boundary_csv": rows, **(tables or {})}
    given_inputs |= {name: Input(name, evidence="measured") for name in files}
    given_topic = Given(TOPIC, given_inputs, files, labels, dictionary.of_topic(TOPIC), dictionary.definitions()[TOPIC])
    return Study(given_topic).run_all(m.CALCULATIONS).results


def column(results, name, table="boundary_ladder"):
    """A column of a table by boundary, where there is a value."""
    heads = [head for head, _ in results[table]["columns"]]
    at, place = heads.index(name), heads.index("boundary")
    return {row[place]: row[at] for row in results[table]["rows"] if row[at] is not None}


def test_the_ladder_of_the_method():
    r = m.ladder(table(BASELINE, OPTIMIZED))
    ladder, moved = r["boundary_ladder"], r["migration"]
    at = [BOUNDARIES.index(name) for name in BASELINE]
    # kJ over 10000 queries: 420 -> 42 J
    assert list(ladder["baseline | J per {unit}"][at]) == [near(42.0), near(60.0), near(64.8), near(84.24)]
    assert list(ladder["optimized | J per {unit}"][at]) == [near(27.3), near(49.2), near(57.6), near(74.88)]
    # 1 - 27.3/42, 1 - 49.2/60, 1 - 57.6/64.8, 1 - 74.88/84.24
    assert list(ladder["saving | 1"][at]) == [near(0.35), near(0.18), near(1 / 9), near(1 / 9)]
    # over 0.35
    assert list(ladder["saving_retained | 1"][at]) == [
        near(1.0),
        near(0.514286, 2e-6),
        near(0.317460, 2e-6),
        near(0.317460, 2e-6),
    ]
    # server 219 - 180, rack 84 - 48, facility 172.8 - 194.4
    assert list(moved["migrated_j | J"][at][1:]) == [near(39e3), near(36e3), near(-21.6e3)]
    assert np.isnan(moved["migrated_j | J"][at][0])
    assert np.isnan(ladder["saving | 1"][BOUNDARIES.index("node_dc")])
    assert ladder["basis | "][1] == "not in the file"


def test_one_pue_models_the_same_facility_and_claims_nothing():
    # 648 * 1.3 = 842.4, 576 * 1.3 = 748.8
    inner = [{name: energies[name] for name in ("accelerator", "server", "rack")} for energies in (BASELINE, OPTIMIZED)]
    r = study(table(*inner), pue=1.3, pue_category="PUE2")
    assert column(r, "baseline")["facility"] == near(84.24)
    assert column(r, "optimized")["facility"] == near(74.88)
    assert column(r, "saving")["facility"] == near(column(r, "saving")["rack"], 1e-12)
    assert column(r, "verdict") == {
        "accelerator": "saves",
        "node_dc": "not available",
        "server": "saves",
        "rack": "saves",
        "facility": "claims nothing",
    }
    assert column(r, "evidence")["facility"] == "modelled"
    assert column(r, "basis")["facility"] == "one PUE (PUE2) on the rack"
    assert column(r, "migrated_j", "migration")["facility"] == near(-21.6e3)
    # the headline stands at the rack and does not rest on the PUE
    assert r["saving_outermost_pct"].value == near(100 / 9)
    assert r["saving_outermost_pct"].labels.boundary == "rack"
    assert r["saving_outermost_pct"].evidence == "measured"
    assert r["saving_retained_outermost"].value == near(0.317460, 2e-6)
    assert r["migrated_outside_j"].value == near(75e3)  # 147 kJ saved at the rails, 72 at the rack
    assert r["saving_at_facility_pct"].value is None
    assert "claim nothing" in r["saving_at_facility_pct"].note


def test_a_measured_facility_is_the_outermost():
    r = study(table(BASELINE, OPTIMIZED))
    assert r["saving_outermost_pct"].labels.boundary == "facility"
    assert r["saving_at_facility_pct"].value == near(100 / 9)
    assert r["pue_of_baseline"].value == near(1.3)


def test_a_facility_written_in_the_file_by_one_factor_claims_nothing():
    rows = table(BASELINE, OPTIMIZED)
    rows.loc[rows["boundary"] == "facility", "evidence"] = "modelled"
    r = study(rows)
    assert column(r, "verdict")["facility"] == "claims nothing"
    assert r["saving_outermost_pct"].labels.boundary == "rack"
    # the same with ranges: what it claims does not hang on what is drawn
    rows["energy_low_j"], rows["energy_high_j"] = rows["energy_j"] * 0.99, rows["energy_j"] * 1.01
    assert study(rows)["saving_outermost_pct"].labels.boundary == "rack"


def test_server_from_rails_and_host():
    # ground rule 3: (700 + 200)/0.94 W at the wall; an AC host 700/0.94 + 200 = 944.681
    assert rungs.energy_at_server(700.0, 200.0, 0.94, "dc") == near(957.447)
    rails = {"accelerator": 700.0}
    one = {"psu_efficiency": 0.94, "host_power_w": 200.0, "window_baseline_s": 1.0, "window_optimized_s": 1.0}
    for kind, wall in (("dc", 957.447), ("ac", 944.681)):
        r = study(table(rails, {"accelerator": 500.0}), **one, host_power_is=kind)
        assert column(r, "baseline")["server"] * 1e4 == near(wall)
        assert column(r, "evidence")["server"] == "modelled"
        assert column(r, "verdict")["server"] == "saves"  # a host that draws the same in both is no one factor


def test_mlperf_training_is_at_the_node():
    # published: v5.1 rules; v5.0 Lenovo bert, 2000354.5 J computed behind conversion_eff 0.94; / 0.94 at the wall
    r = study(table({"node_dc": 2000354.5}, {"node_dc": 1900000.0}), psu_efficiency=0.94)
    assert column(r, "baseline_j", "migration")["server"] == near(2128036.7, 1e-8)
    assert column(r, "verdict")["server"] == "claims nothing"


def test_share_of_the_network():
    # 16100 / (16100 + 8 * 5811)
    share = rungs.share_of_total(16100.0, 8 * 5811.0)
    assert share == near(0.257238, 2e-6)
    # and back: the rack's total of servers and switches, over one second
    assert rungs.energy_at_rack(8 * 5811.0, share) == near(16100 + 8 * 5811)
    r = study(table({"server": 600e3}, {"server": 492e3}), network_storage_share=0.25)
    assert column(r, "baseline_j", "migration")["rack"] == near(800e3)
    assert column(r, "verdict")["rack"] == "claims nothing"


def test_facility_by_a_fixed_power_and_a_slope():
    # 150 kW + 1.15 x: (150 + 1150)/1000, (150 + 575)/500; 100 kW less: 115 kW less
    assert rungs.facility_energy(1e6, 1.0, 150e3, 1.15) / 1e6 == near(1.30, 1e-12)
    assert rungs.facility_energy(5e5, 1.0, 150e3, 1.15) / 5e5 == near(1.45, 1e-12)
    assert rungs.facility_energy(1e6, 1.0, 150e3, 1.15) - rungs.facility_energy(9e5, 1.0, 150e3, 1.15) == near(115e3)
    # 1 MW and 0.5 MW of IT for an hour, the same as rungs
    hour = {"window_baseline_s": 3600.0, "window_optimized_s": 3600.0}
    r = study(table({"rack": 3.6e9}, {"rack": 1.8e9}), facility_fixed_w=150e3, facility_slope=1.15, pue=1.1, **hour)
    assert r["pue_of_baseline"].value == near(1.30)
    assert r["pue_of_optimized"].value == near(1.45)
    assert column(r, "verdict")["facility"] == "saves"  # the fixed power does not shrink: 1 - 725/1300
    assert r["saving_outermost_pct"].value == near(100 * (1 - 725 / 1300))
    assert r["saving_outermost_pct"].evidence == "quoted"  # the model's inputs
    assert "fixed power and slope on the rack" in column(r, "basis")["facility"]


def test_equal_time_beside_equal_work():
    # 1 - 48/60; over the same minute 48000 + 400 * 12 = 52800: 1 - 52.8/60
    r = study(table({"server": 60e3}, {"server": 48e3}), idle_power_w=400.0, window_baseline_s=60.0, window_optimized_s=48.0)
    assert r["saving_equal_work_pct"].value == near(20.0)
    assert r["saving_equal_time_pct"].value == near(12.0)
    assert r["equal_time_energy_optimized_j"].value == near(52800.0)
    assert r["average_power_baseline_w"].value == near(1000.0)


def test_who_is_slower_lets_the_baseline_wait():
    # the baseline waits 12 s: 60000 + 4800 against 48000
    r = study(table({"server": 60e3}, {"server": 48e3}), idle_power_w=400.0, window_baseline_s=60.0, window_optimized_s=72.0)
    assert r["common_window_s"].value == 72
    assert r["saving_equal_time_pct"].value == near(100 * (1 - 48000 / 64800))


def test_unequal_work_is_compared_for_the_same_work():
    # half the work in half the time: the same as before
    rows = table({"server": 60e3}, {"server": 24e3}, work=(1e4, 5e3))
    r = study(rows, idle_power_w=400.0, window_baseline_s=60.0, window_optimized_s=24.0)
    assert r["saving_equal_work_pct"].value == near(20.0)
    assert r["saving_equal_time_pct"].value == near(12.0)
    assert r["energy_optimized_j"].value == near(48e3)
    assert r["average_power_optimized_w"].value == near(1000.0)  # 24 kJ in 24 s


def test_equal_time_stands_at_the_stated_boundary():
    waits = {"idle_power_w": 400.0, **WINDOWS}
    assert study(table(BASELINE, OPTIMIZED), **waits)["saving_equal_time_pct"].labels.boundary == "server"
    assert study(table(BASELINE, OPTIMIZED), "node_dc", **waits)["saving_equal_time_pct"].note == "no rung at the node_dc"
    assert study(table(BASELINE, OPTIMIZED), None, **waits)["saving_equal_time_pct"].note == "needs the label boundary"


def test_cooling_by_candidate():
    # 1000 * 1.30; (890 + 20) * 1.15; 1 - 1046.5/1300
    candidates = pd.DataFrame(
        {"candidate": ["air", "liquid"], "it_power_w": [1000, 890], "added_power_w": [0, 20], "pue": [1.3, 1.15]}
    )
    r = scale_and_cooling.cooling(candidates)
    assert list(r["cooling_candidates"]["facility_power_w | W"]) == [near(1300.0), near(1046.5)]
    assert r["cooling_saving_pct"] == near(19.5)
    assert r["notes"]["cooling_power_lowest_w"] == "liquid"


def test_share_outside_the_accelerators_with_scale():
    rows = pd.DataFrame(
        [
            (8, "accelerators", 60.0),
            (8, "host", 20.0),
            (8, "network", 20.0),
            (1, "accelerators", 75.0),
            (1, "host", 25.0),
            (1, "network", 0.0),
        ],
        columns=["nodes", "component", "energy_j"],
    )
    r = scale_and_cooling.scale(rows)
    assert r["outside_share_smallest"] == near(0.25)  # 25/100
    assert r["outside_share_largest"] == near(0.4)  # 40/100
    assert list(r["outside_by_scale"]["nodes | "]) == [1, 8]
    assert r["notes"] == {"outside_share_smallest": "at 1 node", "outside_share_largest": "at 8 nodes"}


def test_residual_where_total_and_parts_are_measured():
    rows = table({"accelerator": 420e3, "server": 600e3}, {"accelerator": 273e3, "server": 492e3})
    host = pd.DataFrame([("server", "baseline", 150e3, "measured", "host", 1e4, 99.9)], columns=rows.columns)
    r = study(pd.concat([rows, host], ignore_index=True))
    # 600 - 420 - 150; the optimized host was not metered, so it has no row; the rung is the total, not total and part
    heads = [name for name, _ in r["residuals"]["columns"]]
    (row,) = (dict(zip(heads, cells, strict=True)) for cells in r["residuals"]["rows"])
    assert (row["boundary"], row["variant"], row["residual_j"], row["residual_share"]) == (
        "server",
        "baseline",
        near(30e3),
        near(0.05),
    )
    assert row["verdict"] == "not accounted for by the parts"
    assert column(r, "baseline")["server"] == near(60.0)


def test_no_residual_has_a_reason():
    assert study(table(BASELINE, OPTIMIZED))["residuals"]["note"] == "no total is measured beside each of its parts"


def test_a_residual_within_the_uncertainty_of_its_parts():
    rows = table({"accelerator": 420e3, "server": 600e3}, {"accelerator": 273e3, "server": 492e3}, width=0.05)
    host = rows[rows["boundary"] == "server"].assign(
        components="host", energy_j=[175e3, 215e3], energy_low_j=170e3, energy_high_j=180e3
    )
    host.loc[host["variant"] == "optimized", ["energy_low_j", "energy_high_j"]] = [210e3, 220e3]
    r = study(pd.concat([rows, host], ignore_index=True))
    # 600 - 420 - 175 = 5 kJ, with u95 of 30, 21 and 5 kJ
    assert [row[-1] for row in r["residuals"]["rows"]] == ["not distinguishable"] * 2


def test_a_component_counts_once_at_its_outermost_boundary():
    rows = table({"accelerator": 420e3, "server": 600e3}, {"accelerator": 273e3, "server": 492e3})
    more = pd.DataFrame(
        [
            ("node_dc", "baseline", 425e3, "measured", "accelerators", 1e4, 99.9),
            ("node_dc", "baseline", 150e3, "measured", "host", 1e4, 99.9),
        ],
        columns=rows.columns,
    )
    both = pd.concat([rows, more], ignore_index=True)
    assert rows_of_parts(rows_by_index(both), 1) == [4, 5]


def test_parts_without_a_total_add_up():
    rows = table({"server": 600e3}, {"server": 492e3}).assign(components="node 1")
    both = pd.concat([rows, rows.assign(components="node 2")], ignore_index=True)
    assert column(study(both), "baseline")["server"] == near(120.0)  # 1200 kJ over 10000


def test_overlapping_rows_without_a_total_are_refused():
    rows = table({"server": 600e3}, {"server": 492e3})
    both = pd.concat([rows, rows.assign(components="host+network")], ignore_index=True)
    with pytest.raises(InputError, match="no clear total at server, baseline"):
        m.ladder(both)


def test_variants_that_cover_other_components_are_refused():
    rows = table({"server": 600e3}, {"server": 492e3})
    rows.loc[1, "components"] = "accelerators"
    with pytest.raises(InputError, match="other components at server"):
        m.ladder(rows)


def test_other_quality_is_refused_unless_declared():
    rows = table(BASELINE, OPTIMIZED, quality=(99.9, 99.0))
    for difference in (None, "refused"):
        with pytest.raises(InputError, match=r"the label quality differs; found '99.9 % and 99 %'"):
            m.ladder(rows, difference)
    r = study(rows, quality_difference="declared")
    assert "quality of the variants differs, as declared: 99.9 % and 99 %" in r["saving_outermost_pct"].note


def test_a_fall_from_rung_to_rung_is_an_error():
    wrong = {**BASELINE, "rack": 590e3}
    with pytest.raises(InputError, match=r"falls from server to rack, baseline.*600000 J, then 590000 J"):
        m.ladder(table(wrong, OPTIMIZED))
    # 600 +- 2 % and 590 +- 2 % may be in order: a warning; the difference has u95 of sqrt(12^2 + 11.8^2) = 16.8 kJ
    r = study(table(wrong, OPTIMIZED, width=0.02))
    assert column(r, "verdict", "migration")["rack"].endswith("warning: baseline falls, within the uncertainty of the difference")
    # +- 0.5 % may not: 4.2 kJ
    with pytest.raises(InputError, match="falls from server to rack"):
        study(table(wrong, OPTIMIZED, width=0.005))


def test_not_distinguishable_where_the_interval_includes_none():
    # 1 % saved, each known to +- 2 %: the ratio's u95 is 2.8 %
    r = study(table({"accelerator": 100e3, "server": 200e3}, {"accelerator": 99e3, "server": 150e3}, width=0.02))
    assert column(r, "verdict")["accelerator"] == "not distinguishable"
    assert "not distinguishable" in r["saving_at_accelerator_pct"].note
    # what is retained counts from the innermost saving that exceeds its uncertainty
    assert column(r, "saving_retained") == {"server": near(1.0)}
    assert r["saving_retained_outermost"].note == "of the saving at the server"
    # one meter, whose error cancels: 1 % is 1 %
    one = study(table({"accelerator": 100e3}, {"accelerator": 99e3}, width=0.02), variant_meters="one")
    assert column(one, "verdict")["accelerator"] == "saves"
    assert one["saving_outermost_pct"].low is None
    assert one["energy_baseline_j"].low == near(98e3, 1e-3)


def test_no_saving_leaves_nothing_to_retain():
    r = study(table({"server": 100e3}, {"server": 105e3}))
    assert column(r, "verdict")["server"] == "takes more"
    assert r["saving_retained_outermost"].value is None
    assert "no saving exceeds its uncertainty" in r["saving_retained_outermost"].note


def test_ranges_are_those_of_the_method():
    # measured, u95: u = 1 % of each; ratio 0.82, its relative u is sqrt(2) %, U95 = 1.96 * sqrt(2) % (uncertainty in logs)
    r = study(table({"server": 600e3}, {"server": 492e3}, width=0.02))
    half = 100 * 0.82 * 1.96 * 0.01 * 2**0.5
    assert r["saving_outermost_pct"].low == pytest.approx(18 - half, abs=0.1)
    assert r["saving_outermost_pct"].high == pytest.approx(18 + half, abs=0.1)
    # modelled by one efficiency with a range: the ratio keeps its own interval
    ranged = Input(0.94, low=0.9, high=0.98, evidence="quoted")
    r = study(table({"node_dc": 564e3}, {"node_dc": 462.48e3}, width=0.02), psu_efficiency=ranged)
    low, high = column(r, "baseline_low")["server"], column(r, "baseline_high")["server"]
    assert low < 58.5 < 61.5 < high
    assert column(r, "saving_low")["server"] == near(column(r, "saving_low")["node_dc"], 1e-9)


def test_what_is_missing_is_named():
    r = study(table({"accelerator": 420e3}, {"accelerator": 273e3}))
    assert column(r, "basis") == {
        "accelerator": "in the file: accelerators",
        "node_dc": "not in the file",
        "server": "needs psu_efficiency, host_power_w, host_power_is, window_baseline_s, window_optimized_s",
        "rack": "not in the file, and no server inside it",
        "facility": "not in the file, and neither rack nor server inside it",
    }
    assert r["saving_at_server_pct"].note.startswith("needs psu_efficiency")
    assert r["migrated_outside_j"].note == "only one boundary claims a saving of its own"
    assert r["saving_equal_time_pct"].note == "no rung at the server; needs window_baseline_s, window_optimized_s, idle_power_w"
    assert r["pue_of_baseline"].note.startswith("no rung at the facility")
    assert r["cooling_saving_pct"].note == "needs cooling_csv"
    assert r["outside_share_largest"].note == "needs scale_csv"


ENERGIES = st.lists(st.floats(1.0, 1e6), min_size=8, max_size=8)


@settings(max_examples=50, deadline=None)
@given(ENERGIES, st.floats(1e-3, 1e3), st.floats(1e-3, 1e3), st.floats(1e-3, 1e3))
def test_a_saving_is_invariant_under_the_unit(energies, of_energy, of_work, of_optimized):
    baseline = dict(zip(BASELINE, np.cumsum(energies[:4]), strict=True))
    optimized = dict(zip(BASELINE, np.cumsum(energies[4:]), strict=True))
    first = m.ladder(table(baseline, optimized))
    scaled = [
        {name: value * of_energy * more for name, value in variant.items()}
        for variant, more in ((baseline, 1.0), (optimized, of_optimized))
    ]
    second = m.ladder(table(*scaled, work=(1e4 * of_work, 1e4 * of_work * of_optimized)))
    for name in ("saving | 1", "saving_retained | 1"):
        one, other = (r["boundary_ladder"][name] for r in (first, second))
        assert np.allclose(one, other, rtol=1e-6, atol=1e-12, equal_nan=True)
    assert np.allclose(
        first["migration"]["migrated_j | J"] * of_energy,
        second["migration"]["migrated_j | J"],
        rtol=1e-6,
        atol=1e-6,
        equal_nan=True,
    )


@settings(max_examples=50, deadline=None)
@given(ENERGIES)
def test_migrated_energies_add_up_to_what_the_savings_lose(energies):
    baseline = dict(zip(BASELINE, np.cumsum(energies[:4]), strict=True))
    optimized = dict(zip(BASELINE, np.cumsum(energies[4:]), strict=True))
    moved = m.ladder(table(baseline, optimized))["migration"]["migrated_j | J"]
    # telescoping: saved inside less saved outside
    lost = baseline["accelerator"] - optimized["accelerator"] - (baseline["facility"] - optimized["facility"])
    assert np.nansum(moved) == pytest.approx(lost, rel=1e-9, abs=1e-6)


def test_vectors_give_what_scalars_give():
    rows = table({"accelerator": 420e3, "rack": 648e3}, {"accelerator": 273e3, "rack": 576e3})
    fixed = np.array([0.0, 100.0, 200.0])
    more = {"facility_slope": 1.2, **WINDOWS}
    rng = np.random.default_rng(1)
    many = m.ladder(rows, facility_fixed_w=fixed, **more, rng=rng)
    for place, power in enumerate(fixed):
        one = m.ladder(rows, facility_fixed_w=power, **more)
        for name in ("saving | 1", "baseline | J per {unit}"):
            assert np.allclose(many["boundary_ladder"][name][place], one["boundary_ladder"][name], rtol=1e-14, equal_nan=True)
    waits = m.equal_time(60e3, 48e3, 1e4, 1e4, 60.0, 48.0, np.array([0.0, 400.0]))
    assert waits["saving_equal_time_pct"].tolist() == [near(20.0), near(12.0)]
