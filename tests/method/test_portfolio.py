"""Section 8 of the method. Expected values: hand arithmetic, shown, unless another source is named."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from joulebook import dictionary
from joulebook.errors import InputError
from joulebook.inputs import Given, Input
from joulebook.method import portfolio as m
from joulebook.method.study import Study
from joulebook.method.workloads.conversion import energy_at_utilization, path_of
from joulebook.method.workloads.energies import energies_of, require_peaks, require_systems
from joulebook.method.workloads.peaks import coincident_peak, factor_of_peaks, servers_per_rack
from joulebook.method.workloads.rebound import break_even_elasticity, price_ratio, total_energy_ratio
from joulebook.method.workloads.rows import rows_of
from joulebook.results import Labels

LABELS = Labels("one workload of many", "output_token", "as served", "Server", "work phase", "server")
# 2900 J x 1e5, 360 J x 4e7, 0.29 J x 5e9 and 2.68 J x 1e6, of the method
METHOD = pd.DataFrame(
    {
        "workload": ["Video clips", "Long answers", "Ticket routing", "Translation"],
        "unit_of_work": ["sample", "query", "inference", "query"],
        "energy_per_unit_j": [2900.0, 360.0, 0.29, 2.68],
        "annual_volume": [1e5, 4e7, 5e9, 1e6],
        "boundary": "facility",
        "utilization": 1.0,
        "evidence": "measured",
        "peak_kw": [12.0, 8.0, 5.0, 0.0],
        "growth_per_year": 0.0,
    }
)


def table(**columns):
    """A portfolio of one row, or of as many as its columns have."""
    plain = {"workload": "a", "unit_of_work": "query", "energy_per_unit_j": 100.0, "annual_volume": 3.6e6, "boundary": "server",
             "utilization": 0.5, "idle_ratio": 0.4, "evidence": "measured"}  # fmt: skip
    made = pd.DataFrame({name: np.atleast_1d(value) for name, value in {**plain, **columns}.items() if np.ndim(value)} or [{}])
    for name, value in {**plain, **columns}.items():
        made[name] = value
    return made


def study(portfolio=METHOD, draws=2**10, tables=(), **inputs):
    plain = {
        "portfolio_csv": Input("portfolio.csv", evidence="measured"),
        "utilization_is": Input("duty"),
        "pue": Input(1.3, evidence="measured"),
        "coincidence_factor": Input(0.8),
        "redundancy": Input(0),
        "rack_derating": Input(0.8),
        "feeds": Input(1),
        "feed_redundancy": Input(0),
        "pass_through": Input(1.0),
        **inputs,
    }
    given = {"portfolio_csv": portfolio, **dict(tables)}
    plain |= {name: Input(f"{name}.csv", evidence="measured") for name in given if name not in plain}
    rows, definitions = dictionary.of_topic("portfolio"), dictionary.definitions()["portfolio"]
    plain = {name: item for name, item in plain.items() if item is not None}
    return Study(Given("portfolio", plain, given, LABELS, rows, definitions), draws).run_all(m.CALCULATIONS)


def near(expected, rel=1e-9):
    return pytest.approx(expected, rel=rel)


def column(results, name, head):
    record = results[name]
    place = [title for title, _ in record["columns"]].index(head)
    return [row[place] for row in record["rows"]]


# ---- unit and annual energy


def test_annual_energy_beside_unit_energy_with_both_ranks():
    # 2900 x 1e5 / 3.6e6, 360 x 4e7 / 3.6e6, 0.29 x 5e9 / 3.6e6, 2.68 x 1e6 / 3.6e6
    done = study().results
    assert column(done, "portfolio_energies", "workload") == ["Long answers", "Ticket routing", "Video clips", "Translation"]
    assert column(done, "portfolio_energies", "annual_energy") == near([4000, 402.777778, 80.555556, 0.744444], 1e-6)
    assert column(done, "portfolio_energies", "annual_rank") == [1, 2, 3, 4]
    assert column(done, "portfolio_energies", "unit_rank") == [2, 4, 1, 3]
    assert done["portfolio_kwh"].value == near(4000 + 402.777778 + 80.555556 + 0.744444, 1e-6)
    assert done["unit_ratio"].value == near(2900 / 360)
    assert done["annual_ratio"].value == near(4000 / 80.5555556, 1e-6)


def test_ranks_across_units_of_work_say_so():
    done = study().results
    note = done["units_of_work_counted"].note
    assert "sample, query, inference" in note
    assert "compares different work" in note
    assert column(done, "portfolio_energies", "rank_in_its_unit") == ["1 of 2", "1 of 1", "1 of 1", "2 of 2"]
    one = study(METHOD[METHOD["unit_of_work"] == "query"].reset_index(drop=True)).results
    assert one["units_of_work_counted"].note == ""


def test_results_of_all_workloads_carry_no_label_of_one():
    for name, result in study().results.items():
        if not isinstance(result, dict) and result.value is not None:
            assert result.labels.unit_of_work is None, name
            assert result.labels.workload == "all workloads of the portfolio", name
    assert study().results["portfolio_kwh"].labels.boundary == "facility"
    whole = m.of_all(study().given).labels
    assert (whole.workload, whole.unit_of_work, whole.boundary) == ("all workloads of the portfolio", None, "facility")


@pytest.mark.parametrize(
    ("utilization", "energy"), [(1, 0.2), (0.5, 0.28), (0.25, 0.44), (0.1, 0.92), (0.05, 1.72), (0.01, 8.12)]
)
def test_own_utilization_is_that_of_one_system(utilization, energy):
    # section 3: idle 400 W, active 1000 W, 5000/s: 0.2 J at full load
    assert energy_at_utilization(0.2, 0.4, utilization) == near(energy)


def test_each_row_is_brought_to_its_own_utilization():
    # 100 J (1 + 0.4 x 0.5/0.5) = 140 J x 1.3 = 182 J; 3.6e6 of them are 182 kWh
    done = study(table()).results
    assert done["portfolio_kwh"].value == near(182)
    # an energy over all hours counts them already
    assert study(table(energy_at="own_utilization")).results["portfolio_kwh"].value == near(130)


@pytest.mark.parametrize(
    ("boundary", "factor"),
    [
        ("accelerator", 900 / 700 / 0.94 / 0.9 * 1.3),  # 700 W rails and 200 W host: 957.447 W at the wall, a tenth of the rack
        ("node_dc", 1 / 0.94 / 0.9 * 1.3),
        ("server", 1 / 0.9 * 1.3),
        ("rack", 1.3),
        ("facility", 1.0),
    ],
)
def test_each_row_is_brought_to_the_facility(boundary, factor):
    rows = rows_of(table(boundary=boundary, host_share=2 / 9))
    path = path_of(rows, pue=1.3, psu_efficiency=0.94, network_storage_share=0.1)
    assert path.to_facility == near(factor)
    assert path.gaps == [""]


def test_the_wall_of_the_method():
    # 700 W rails, 200 W host, 0.94: 957.447 W
    path = path_of(rows_of(table(boundary="accelerator", host_share=200 / 900)), pue=1.0, psu_efficiency=0.94)
    assert 700 * path.to_facility == near(957.447, 1e-6)


@pytest.mark.parametrize(
    ("boundary", "declared", "gap"),
    [
        ("accelerator", {"pue": 1.3, "psu_efficiency": 0.94}, "needs host_share"),
        ("accelerator", {}, "needs host_share, psu_efficiency, pue"),
        ("node_dc", {"pue": 1.3}, "needs psu_efficiency"),
        ("server", {}, "needs pue"),
    ],
)
def test_what_cannot_be_brought_there_is_a_gap_and_in_no_sum(boundary, declared, gap):
    rows = table(workload=["a", "b"], boundary=np.array(["facility", boundary], object))
    made = energies_of(rows, **declared)
    assert made.gaps == ["", gap]
    assert np.isnan(made.annual_kwh).tolist() == [False, True]
    inputs = {name: Input(value, evidence="measured") for name, value in declared.items()}
    done = study(rows, **{"pue": None, **inputs}).results
    assert done["portfolio_kwh"].value == near(140)
    assert done["portfolio_kwh"].note == f"partial: without b ({gap})"
    assert column(done, "portfolio_energies", "annual_energy")[1] is None
    assert column(done, "portfolio_paths", "brought_by")[1] == gap


def test_no_row_at_all():
    done = study(table(), pue=None).results
    assert done["portfolio_kwh"].value is None
    assert done["portfolio_kwh"].note == "no workload can be brought to the facility: a (needs pue)"


def test_a_row_without_an_idle_ratio_is_a_gap_where_it_matters():
    assert energies_of(table(idle_ratio=np.nan), 1.3).gaps == ["needs idle_ratio"]
    assert energies_of(table(idle_ratio=np.nan, utilization=1.0), 1.3).gaps == [""]
    assert energies_of(table(idle_ratio=np.nan, energy_at="own_utilization"), 1.3).gaps == [""]
    idle = energies_of(table(utilization=0.0, annual_volume=0.0), 1.3)
    assert idle.gaps == ["no work, so that its energy cannot be told from it"]


def test_one_pue_once_to_energy_and_to_power():
    # C01 of the cases: 100 kWh and 5 kW of equipment at PUE 1.2 are 120 kWh and 6 kW; applied twice it would be 144 kWh
    rows = table(energy_per_unit_j=100.0, annual_volume=3.6e6, utilization=1.0, peak_kw=5.0)
    done = study(rows, pue=Input(1.2, evidence="measured"), coincidence_factor=Input(1.0)).results
    assert done["portfolio_kwh"].value == near(120)
    assert done["coincident_peak_kw"].value == near(6)
    inside = column(done, "attribution_lines", "work")[0] + column(done, "attribution_lines", "idle")[0]
    assert (inside, column(done, "attribution_lines", "overhead")[0]) == (near(100), near(20))


def test_one_machine_that_four_rows_each_measured_whole_counts_once():
    # C12 of the cases: four rows of one host, 1 kWh each, are 1 kWh; as it is they would hold it four times over
    host = table(workload=list("abcd"), system=np.array(["host"] * 4, object), energy_per_unit_j=1.0, utilization=0.25,
                 energy_at="own_utilization", reserved_share=1.0, boundary="facility")  # fmt: skip
    with pytest.raises(InputError, match="reserved_share adds to more than one on the system host; found 4"):
        energies_of(host)
    # at idle = active power, a machine of 1 kWh: each of four equal tenants has a quarter of it
    shared = host.assign(idle_ratio=1.0, energy_at="full_load", reserved_share=0.25, annual_volume=3.6e6 / 4)
    assert energies_of(shared).annual_kwh.sum() == near(1)


def test_a_straight_line_under_load_is_assumed():
    load = study(table(), utilization_is=Input("load")).results["portfolio_kwh"]
    assert load.evidence == "assumed"
    assert "straight line" in load.note
    assert study(table()).results["portfolio_kwh"].evidence == "modelled"
    assert study().results["portfolio_kwh"].evidence == "measured"  # full load, at the facility: nothing is modelled


# ---- attribution


SHARED = table(
    workload=["a", "b", "c"],
    system=np.array(["pool", "pool", ""], object),
    energy_per_unit_j=[0.2, 0.4, 100.0],  # 1000 W over 5000/s and 2500/s
    annual_volume=[0.1 * 5000 * 8760 * 3600, 0.3 * 2500 * 8760 * 3600, 3.6e6],
    utilization=[0.1, 0.3, 0.5],
    reserved_share=[0.25, 0.5, np.nan],
)


def test_tenants_of_a_shared_system():
    # section 3: 400 W idle, 1000 W; shares 0.25 and 0.5, u 0.1 and 0.3: 160 + 380 + 100 W; at PUE 1 a year is x 8.76 kWh
    done = study(SHARED, pue=Input(1.0, evidence="measured")).results
    assert column(done, "attribution_lines", "energy") == near([160 * 8.76, 380 * 8.76, 140, 100 * 8.76])
    assert column(done, "attribution_lines", "work")[:2] == near([60 * 8.76, 180 * 8.76])
    assert column(done, "attribution_lines", "idle")[:2] == near([100 * 8.76, 200 * 8.76])
    assert done["unattributed_kwh"].value == near(876)


def test_lines_and_residual_add_to_the_meter():
    done = study(SHARED, metered_kwh=Input(9000.0, evidence="measured")).results
    assert column(done, "attribution_lines", "line") == ["a", "b", "c", "unattributed", "residual"]
    assert sum(column(done, "attribution_lines", "energy")) == near(9000, 1e-12)
    assert sum(column(done, "attribution_lines", "share")) == near(1, 1e-12)
    parts = [sum(column(done, "attribution_lines", name)[:3]) for name in ("work", "idle", "overhead")]
    assert sum(parts) == near(done["attributed_kwh"].value, 1e-12)
    assert done["residual_kwh"].value == near(9000 - (640 * 8.76 + 140) * 1.3)
    over = study(SHARED, metered_kwh=Input(1000.0)).results["residual_kwh"]
    assert over.value < 0
    assert "more is attributed than metered" in over.note


def test_ten_thousand_portfolios_sum_to_their_meters():
    """The meter is simulated from powers and hours; the attribution sees energies per unit, volumes and shares alone."""
    rng = np.random.default_rng(2026)
    facilities, each, systems, tenants = 10, 1000, 3, 2
    for _ in range(facilities):
        pue, psu, network = rng.uniform(1.02, 2.0), rng.uniform(0.8, 0.98), rng.uniform(0, 0.3)
        shape = (each, systems)
        at = rng.integers(0, 5, shape)
        host = rng.uniform(0.05, 0.5, shape)
        active = 10 ** rng.uniform(1, 5, shape)
        idle = active * rng.uniform(0, 1, shape)
        load, held = rng.dirichlet([1.0, 1.0, 1.0], (2, *shape))[..., :tenants]
        load = np.maximum(load, 1e-3)
        rate = 10 ** rng.uniform(-2, 5, (*shape, tenants))
        # what a meter at the entrance of the facility would read over 8760 h
        power = idle + (active - idle) * load.sum(axis=-1)
        power = np.where(at == 0, power / (1 - host), power)
        power = np.where(at <= 1, power / psu, power)
        power = np.where(at <= 2, power / (1 - network), power)
        power = np.where(at <= 3, power * pue, power)
        metered_kwh = power.sum(axis=-1) * 8.76
        # what a file of its workloads would say
        counts_idle = rng.random((*shape, tenants)) < 0.3
        full = active[..., None] / rate
        over_hours = (held * idle[..., None] + (active - idle)[..., None] * load) / (load * rate)
        names = np.arange(each * systems * tenants)
        file = pd.DataFrame(
            {
                "workload": names.astype(str).astype(object),
                "unit_of_work": "query",
                "energy_per_unit_j": np.where(counts_idle, over_hours, full).ravel(),
                "annual_volume": (rate * load * 8760 * 3600).ravel(),
                "boundary": np.repeat(np.array(["accelerator", "node_dc", "server", "rack", "facility"], object)[at], tenants),
                "utilization": load.ravel(),
                "evidence": "measured",
                "idle_ratio": np.repeat(idle / active, tenants),
                "energy_at": np.where(counts_idle, "own_utilization", "").ravel().astype(object),
                "system": (names // tenants).astype(str).astype(object),
                "reserved_share": held.ravel(),
                "host_share": np.repeat(host, tenants),
            }
        )
        made = energies_of(file, pue, psu, network)
        assert not any(made.gaps)
        parts = (made.annual_kwh, made.work_kwh, made.idle_kwh, made.overhead_kwh, made.unheld_kwh)
        annual, work, waiting, overhead, unheld = (part.reshape(each, -1).sum(axis=-1) for part in parts)
        assert np.abs((work + waiting + overhead + unheld) / metered_kwh - 1).max() < 1e-9
        assert np.abs((annual + unheld) / metered_kwh - 1).max() < 1e-9
        assert (made.work_kwh >= 0).all()
        assert (made.idle_kwh >= 0).all()


def test_what_no_row_holds_is_not_known_without_an_idle_ratio():
    rows = table(idle_ratio=np.nan, energy_at="own_utilization", reserved_share=0.5)
    done = study(rows).results
    assert done["unattributed_kwh"].note == "not known of a: needs idle_ratio"
    assert done["portfolio_kwh"].value == near(130)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"reserved_share": [0.25, np.nan, np.nan]}, "no reserved_share on the shared system pool; found 'b'"),
        ({"reserved_share": [0.6, 0.5, np.nan]}, "reserved_share adds to more than one on the system pool; found 1.1"),
        ({"utilization": [0.8, 0.3, 0.5]}, "utilization adds to more than one on the system pool"),
        ({"boundary": np.array(["server", "rack", "rack"], object)}, "rows of the system pool at several boundaries"),
        ({"energy_per_unit_j": [0.3, 0.4, 100.0]}, "rows of the system pool make different idle energies of it"),
    ],
)
def test_rows_of_one_system_must_agree(changed, words):
    with pytest.raises(InputError) as error:
        require_systems(SHARED.assign(**changed))
    assert words in str(error.value)


def test_a_peak_below_the_average_is_refused():
    # 140 kWh over 8760 h is 15.98 W
    require_peaks(table(peak_kw=0.016))
    with pytest.raises(InputError, match="a peak below the average power of its energy and volume"):
        require_peaks(table(peak_kw=0.015))


# ---- ranges


def test_ranges_of_the_file_reach_every_sum():
    # 100 J within 5 % (measured: 95 %), all else fixed: the total within 5 %
    rows = table(energy_per_unit_low_j=95.0, energy_per_unit_high_j=105.0)
    done = study(rows, draws=2**13).results
    for name, value in (("portfolio_kwh", 182), ("largest_kwh", 182), ("average_power_kw", 182 / 8760)):
        assert (done[name].low, done[name].high) == (near(value * 0.95, 2e-3), near(value * 1.05, 2e-3)), name
    assert done["largest_share"].low is None  # one workload has all of it, whatever it takes
    assert column(done, "portfolio_energies", "annual_energy_low") == [near(172.9, 2e-3)]


def test_ranges_of_inputs_and_of_the_file_go_together():
    rows = table(energy_per_unit_low_j=95.0, energy_per_unit_high_j=105.0)
    pue = Input(1.3, low=1.2, high=1.4, evidence="measured", range_is="u95")
    metered = Input(200.0, low=190.0, high=210.0, evidence="measured", range_is="u95")
    done = study(rows, pue=pue, metered_kwh=metered).results
    spread = np.hypot(0.05, 0.1 / 1.3)  # first order
    assert done["portfolio_kwh"].high == near(182 * (1 + spread), 1e-2)
    assert done["residual_kwh"].low is not None
    assert column(done, "portfolio_paths", "whole_factor") == near([1.4 * 1.3])
    assert done["portfolio_energies"]["columns"][3:5] == [["energy_per_unit_low", "J"], ["energy_per_unit_high", "J"]]


def test_two_that_cannot_be_told_apart():
    wide = {"energy_per_unit_low_j": 80.0, "energy_per_unit_high_j": 130.0, "evidence": "quoted"}
    close = table(workload=["a", "b"], energy_per_unit_j=[105.0, 100.0], **wide)
    assert study(close).results["largest_over_next"].note == "a over b: not distinguishable"
    far = close.assign(annual_volume=[3.6e6, 3.6e5])
    assert study(far).results["largest_over_next"].note == "a over b"
    assert study(table()).results["largest_over_next"].note == "there is no other workload"


# ---- peaks, racks, connection, growth


def test_coincident_peak():
    # 12 + 8 + 5 = 25 kW at 0.8: 20 kW
    done = study(connection_capacity_kw=Input(50.0)).results
    assert done["sum_of_peaks_kw"].value == near(25)
    assert done["coincident_peak_kw"].value == near(20)
    assert done["coincidence_factor_used"].value == near(0.8)
    assert done["connection_left_kw"].value == near(30)
    assert done["connection_used_share"].value == near(0.4)


def test_profiles_come_before_a_factor():
    # 12 by day, 8 by night, 5 always: 17 kW of 25
    day = [1.0] * 12 + [0.0] * 12
    profiles = pd.DataFrame({"workload": np.repeat(["Video clips", "Long answers"], 24), "hour": [*range(24)] * 2,
                             "peak_share": day + day[::-1]})  # fmt: skip
    done = study(tables={"portfolio_profiles_csv": profiles}.items()).results
    assert done["coincident_peak_kw"].value == near(17)
    assert done["coincidence_factor_used"].value == near(17 / 25)
    assert "no profile: Ticket routing, Translation" in done["coincident_peak_kw"].note
    assert column(done, "peak_by_hour", "power") == near([17] * 12 + [13] * 12)


@given(st.lists(st.floats(0.1, 100), min_size=1, max_size=6), st.integers(0, 2**32 - 1))
def test_a_coincident_peak_lies_between_the_largest_and_the_sum(peaks, seed):
    peaks = np.array(peaks)
    shares = np.random.default_rng(seed).uniform(0, 1, (len(peaks), 24))
    shares[np.arange(len(peaks)), np.random.default_rng(seed).integers(0, 24, len(peaks))] = 1.0
    peak = coincident_peak(peaks, shares)
    assert peaks.max() - 1e-9 <= peak <= peaks.sum() + 1e-9
    assert 0 < factor_of_peaks(peak, peaks) <= 1 + 1e-12


def test_a_peak_at_the_row_is_brought_to_the_facility_once():
    # 0.5 kW at the server, PUE at the peak 1.45
    rows = table(peak_kw=0.5)
    assert study(rows, coincidence_factor=Input(1.0)).results["coincident_peak_kw"].value == near(0.65)
    hot = study(rows, coincidence_factor=Input(1.0), peak_pue=Input(1.45)).results["coincident_peak_kw"]
    assert hot.value == near(0.725)
    assert "PUE at the peak" not in hot.note


def test_a_peak_that_is_not_known_is_not_none():
    done = study(METHOD.assign(peak_kw=[12, 8, np.nan, 5])).results
    assert done["coincident_peak_kw"].value is None
    assert "Ticket routing (needs peak_kw)" in done["coincident_peak_kw"].note


def test_servers_per_rack():
    # 17.3 kW x 0.8 / 1.35 kW = 10.25; 1.4 kW / 0.14 kW are ten, whatever the last bit says
    assert servers_per_rack(17.3, 0.8, 1.35) == 10
    assert servers_per_rack(1.4, 1.0, 0.14) == 10
    rack = {"rack_power_kw": Input(17.3), "server_peak_kw": Input(1.35)}
    # the pool's servers count once: 12 + 3, with one spare each 17, which are two racks
    done = study(SHARED.assign(servers=[12, 12, 3]), redundancy=Input(1), **rack).results
    assert [done[name].value for name in ("servers_per_rack", "servers_placed", "racks_needed")] == [10, 17, 2]
    assert study(**rack).results["racks_needed"].note.startswith("needs servers in portfolio_csv")
    small = study(SHARED.assign(servers=1), rack_power_kw=Input(1.0), server_peak_kw=Input(1.35)).results
    assert small["racks_needed"].note == "a rack does not supply even one server at its peak"


def test_spare_feeds_do_not_count():
    # two feeds of 15 kW, one of which may fail: 15 kW for 20
    done = study(connection_capacity_kw=Input(15.0), feeds=Input(2), feed_redundancy=Input(1)).results
    assert done["connection_usable_kw"].value == 15
    assert done["connection_left_kw"].value == near(-5)
    assert "above what the connection gives" in done["connection_left_kw"].note


def test_growth_compounds_and_fills_the_connection():
    # 20 kW and 4484.078 kWh, + 50 % a year: 20, 30, 45 kW; 40 kW are full in the third year
    grow = {"horizon_years": Input(3), "volume_growth_per_year": Input(0.5), "connection_capacity_kw": Input(40.0)}
    rows = METHOD.drop(columns="growth_per_year")
    done = study(rows, **grow).results
    assert column(done, "portfolio_years", "coincident_peak") == near([20, 30, 45])
    assert done["kwh_last_year"].value == near(done["portfolio_kwh"].value * 2.25)
    assert done["years_until_full"].value == 2
    assert done["years_until_full"].note == "full in year 3, today's being the first"
    assert study(rows, **grow, year=Input(2026)).results["years_until_full"].note == "full in 2028"
    never = study(rows, **{**grow, "connection_capacity_kw": Input(60.0)}).results["years_until_full"]
    assert (never.value, never.note) == (None, "not within the horizon: 45 kW in its last year")


def test_a_year_that_is_not_sure_says_how_often_it_comes():
    # 20 and 30 kW: full in the second year where the connection gives less than 30 kW, half of 25 to 35 kW
    capacity = Input(29.0, low=25.0, high=35.0, evidence="quoted")
    grow = {"horizon_years": Input(2), "volume_growth_per_year": Input(0.5), "connection_capacity_kw": capacity}
    done = study(METHOD.drop(columns="growth_per_year"), **grow).results["years_until_full"]
    assert done.value == 1
    assert "within the horizon in 50 % of the draws" in done.note


def test_a_row_grows_at_its_own_rate():
    # 12, 8, 5 kW at + 100, 0 and 0 %: (24 + 8 + 5) x 0.8
    done = study(METHOD.assign(growth_per_year=[1.0, 0, 0, 0]), horizon_years=Input(2)).results
    assert done["peak_last_year_kw"].value == near(29.6)
    assert done["years_until_full"].note == "needs connection_capacity_kw"
    unknown = study(METHOD.assign(growth_per_year=[1.0, 0, np.nan, 0]), horizon_years=Input(2)).results["kwh_last_year"]
    assert unknown.note == "needs volume_growth_per_year, or growth_per_year of Ticket routing"


# ---- rebound


@pytest.mark.parametrize(("share", "total"), [(1.0, 1.148698), (0.011527, 0.503480), (0.3, 0.607669)])
def test_rebound(share, total):
    # 0.5 x (1 - share/2)^-1.2
    done = study(unit_energy_ratio=Input(0.5), energy_share_of_price=Input(share), demand_elasticity=Input(1.2)).results
    assert done["total_energy_ratio"].value == near(total, 1e-6)
    assert done["rebound_share"].value == near(1 - (1 - total) / 0.5, 1e-4)
    assert done["kwh_with_rebound"].value == near(done["portfolio_kwh"].value * total, 1e-6)
    assert ("more energy than before" in done["rebound_share"].note) is (total > 1)


@pytest.mark.parametrize(("share", "even"), [(1.0, 1.0), (0.011527, 119.9), (0.3, 4.265)])
def test_break_even_elasticity(share, even):
    assert break_even_elasticity(0.5, price_ratio(0.5, share, 1.0)) == near(even, 2e-4)


@given(st.floats(0.05, 5).filter(lambda r: abs(r - 1) > 1e-3), st.floats(0.01, 1), st.floats(0.05, 1))
def test_break_even_is_the_root(ratio, share, passed):
    """By search, which knows nothing of the formula."""
    price = price_ratio(ratio, share, passed)
    even = break_even_elasticity(ratio, price)
    root = optimize.brentq(lambda e: total_energy_ratio(ratio, price, e) - 1, 0, 2 * even + 1, xtol=1e-12, rtol=1e-12)
    assert even == near(root, 1e-7)


def test_there_is_no_break_even_without_a_change_of_price():
    fixed = study(unit_energy_ratio=Input(0.5), energy_share_of_price=Input(0.0), demand_elasticity=Input(1.2)).results
    assert fixed["break_even_elasticity"].note == "none: the price does not change, so that no demand follows it"
    assert fixed["rebound_share"].value == near(0, 1e-12)
    same = study(unit_energy_ratio=Input(1.0), energy_share_of_price=Input(0.3), demand_elasticity=Input(1.2)).results
    assert same["break_even_elasticity"].note == same["rebound_share"].note == "the energy of a unit of work does not change"
