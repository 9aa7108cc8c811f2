"""Section 4 of the method. Expected values: hand arithmetic, shown, unless another source is named."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from joulebook.dictionary import definitions, of_topic
from joulebook.inputs import Given, Input
from joulebook.intake.tables import read_table
from joulebook.method import accuracy_cost as m
from joulebook.method import quality as q
from joulebook.method.acceptable import energy_cost, tie_error_cost
from joulebook.method.point_choice import distinguishable, in_order, least_energy, meets, pareto_front, point_energy
from joulebook.method.study import Study
from joulebook.results import Labels
from joulebook.workbook import ROOT

POINTS = read_table("operating_points_csv", ROOT / "data" / "examples" / "operating_points.csv")
PAIRS = read_table("accuracy_pairs_csv", ROOT / "data" / "mlperf_power" / "accuracy_pairs.csv")
ABSOLUTE = {"quality_is": "absolute"}
COUNTED = {"deployable_quality_pct": 99.92, "quality_target_pct": 99.9, "quality_kind": "proportion", **ABSOLUTE}


def near(expected, rel=1e-6):
    return pytest.approx(expected, rel=rel)


def best(quality, latency=None, **more):
    return m.best_points(POINTS, quality, latency, **more)


def ranged(points=POINTS, share=0.05):
    power = points["average_power_w"]
    return points.assign(average_power_low_w=power * (1 - share), average_power_high_w=power * (1 + share))


def study(table=POINTS, ranges=None, **values):
    """The topic on a table and some inputs; a range as ``name=(low, high)``."""
    inputs = {"currency": Input("USD"), "operating_points_csv": Input("points.csv", evidence="measured")}
    for name, value in values.items():
        low, high = (ranges or {}).get(name, (None, None))
        inputs[name] = Input(value, low=low, high=high, evidence="measured")
    topic = "accuracy_cost"
    tables = {"operating_points_csv": table}
    labels = Labels(unit_of_work="inference", boundary="server")
    return Study(Given(topic, inputs, tables, labels, of_topic(topic), definitions()[topic]), draws=2**13).run_all(m.CALCULATIONS)


# ---- points and front


def test_energy_per_unit_of_each_point():
    # P / T: 620/120, 840/600, 960/900, 960/1100, 600/200, 820/1000, 950/1900, 800/1250, 930/2400, 790/1600, 940/3200
    expected = [5.16667, 1.4, 1.06667, 0.872727, 3, 0.82, 0.5, 0.64, 0.3875, 0.49375, 0.29375]
    assert point_energy(POINTS) == near(expected, 5e-6)  # as printed, to six digits


def test_all_points_are_on_the_front_but_one():
    # bf16 16 has the quality of bf16 32, and more latency and energy
    table = m.points(POINTS)
    found = dict(zip(table["point_energies"]["point | "], table["point_energies"]["on_the_front | "], strict=True))
    assert [name for name, where in found.items() if where != "yes"] == ["bf16-16"]
    assert (table["points_counted"], table["points_on_front"]) == (11, 10)


ROWS = st.lists(st.tuples(*[st.integers(1, 5)] * 3), min_size=1, max_size=25)  # few levels, so that there are many ties


@given(ROWS)
def test_the_front_is_the_brute_force_one(rows):
    energy, quality, latency = (np.array(column, float) for column in zip(*rows, strict=True))

    def dominates(a, b):
        no_worse = energy[a] <= energy[b] and quality[a] >= quality[b] and latency[a] <= latency[b]
        return no_worse and (energy[a] < energy[b] or quality[a] > quality[b] or latency[a] < latency[b])

    every = range(len(rows))
    assert pareto_front(energy, quality, latency).tolist() == [not any(dominates(a, b) for a in every) for b in every]


def test_the_front_of_many_points_is_found():
    # analytic: on a line from cheap and slow to dear and fast no point dominates another
    line = np.linspace(1, 2, 5000)
    assert pareto_front(line, np.full(5000, 99.0), line[::-1]).all()


def test_what_the_points_state_beside_is_shown():
    table = m.points(POINTS.assign(memory_gb=8.0, worst_class_quality_pct=90.0))["point_energies"]
    assert {"memory | GB", "worst_class_quality | %"} <= set(table)


# ---- the deployable best


@pytest.mark.parametrize(
    ("quality", "latency", "name", "energy"),
    [
        (99.9, None, "fp8-32", 0.5),
        (99.9, 0.1, "fp8-8", 0.82),
        (99.9, 0.05, "fp8-8", 0.82),
        (99.0, None, "int8-32", 0.3875),
        (99.0, 0.1, "int8-8", 0.64),
    ],
)
def test_the_deployable_best(quality, latency, name, energy):
    r = best(quality, latency)
    assert r["deployable_energy_per_unit_j"] == near(energy)
    assert r["notes"]["deployable_energy_per_unit_j"].startswith(f"{name} (")


def test_no_feasible_point_is_an_answer():
    r = best(99.9, 0.01)
    assert np.isnan(r["deployable_energy_per_unit_j"])
    assert r["notes"]["slo_price_ratio"] == (
        "no point reaches a quality of 99.9 % within 0.01 s: the fastest takes 0.014 s, fp8-1 (fp8, batch 1)"
    )
    assert r["energy_without_slo_j"] == near(0.5)
    assert r["best_points"]["point | "][:2] == ["none", "none"]


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        ((99.99, 0.1, None), "no point reaches a quality of 99.99 %: the highest is 99.95 %, bf16-1"),
        ((99.9, 0.1, 4.0), "in 4 GB of memory: the least is 5 GB, fp8-1"),
        ((99.9, 0.01, 20.0), "in 20 GB of memory within 0.01 s: the fastest takes 0.014 s, fp8-1"),
    ],
)
def test_why_no_point_is_feasible(targets, words):
    table = POINTS.assign(memory_gb=np.where(POINTS["precision"] == "bf16", 10.0, 5.0))
    assert words in m.best_points(table, *targets)["notes"]["deployable_energy_per_unit_j"]


def test_memory_that_is_not_stated_meets_no_limit():
    assert "do not state theirs" in best(99.9, 0.1, memory_limit_gb=1e9)["notes"]["deployable_energy_per_unit_j"]


def test_price_of_the_latency_target():
    assert best(99.9, 0.1)["slo_price_ratio"] == near(1.64)  # 0.82 / 0.5
    none = best(99.9)
    assert none["slo_price_ratio"] is None
    assert none["notes"]["slo_price_ratio"] == "needs slo_latency_s"


def test_price_of_the_stricter_quality():
    r = best(99.9, 0.1, looser_quality_target_pct=99.0)
    assert r["accuracy_price_ratio"] == near(1.28125)  # 0.82 / 0.64
    assert best(99.9, 0.1)["notes"]["accuracy_price_ratio"] == "needs looser_quality_target_pct"


def test_the_looser_target_may_have_no_point_either():
    r = best(99.99, 0.1, looser_quality_target_pct=99.98)
    assert "99.98 %" in r["notes"]["looser_energy_per_unit_j"]
    assert "99.99 %" in r["notes"]["accuracy_price_ratio"]


def test_equal_energies_are_chosen_by_quality_then_latency():
    assert in_order([1, 1, 1], [99, 99.5, 99.5], [1, 2, 1]).tolist() == [2, 1, 0]


@given(ROWS, st.integers(1, 5), st.one_of(st.none(), st.integers(1, 5)), st.one_of(st.none(), st.integers(1, 5)), st.randoms())
def test_the_deployable_best_violates_no_target(rows, quality, latency, memory, random):
    table = pd.DataFrame(rows, columns=["average_power_w", "quality_pct", "latency_p99_s"], dtype=float)
    table = table.assign(
        throughput_per_s=1.0, memory_gb=[float(random.randint(1, 5)) for _ in rows], name="x", precision="y", batch=1.0
    )
    feasible = [
        row
        for row in table.itertuples()
        if row.quality_pct >= quality
        and (latency is None or row.latency_p99_s <= latency)
        and (memory is None or row.memory_gb <= memory)
    ]
    row = int(least_energy(table, meets(table, quality, latency, memory)))
    if not feasible:
        assert row == -1
        assert m.best_points(table, quality, latency, memory)["notes"]["deployable_energy_per_unit_j"]
    else:
        assert row in [item.Index for item in feasible]
        assert table["average_power_w"][row] == min(item.average_power_w for item in feasible)


def test_draws_of_targets_give_what_single_values_give():
    targets = np.array([98.0, 99.0, 99.9, 99.99])
    limits = np.array([0.1, 0.05, 0.1, 0.1])
    many = m.best_points(POINTS, targets, limits, looser_quality_target_pct=98.0)
    for name in ("deployable_energy_per_unit_j", "energy_without_slo_j", "slo_price_ratio", "accuracy_price_ratio"):
        single = [m.best_points(POINTS, a, b, looser_quality_target_pct=98.0)[name] for a, b in zip(targets, limits, strict=True)]
        assert np.allclose(many[name], np.array(single, float), equal_nan=True)


# ---- margin, acceptable work, expected cost


def test_margin_consumed():
    # (99.95 - 99.3) / (99.95 - 99)
    assert m.margin(99.3, 99.0, "absolute", 99.95)["margin_consumed"] == near(0.684211)
    # of a reference, which is 100 % of itself: (100 - 99.3) / (100 - 99), whatever its score
    assert m.margin(99.3, 99.0, "of_reference", 90.874)["margin_consumed"] == near(0.7)
    assert m.margin(99.3, 99.0, "absolute")["notes"]["margin_consumed"] == "needs reference_quality"
    none = m.margin(99.3, 99.0, "absolute", 99.0)
    assert np.isnan(none["margin_consumed"])
    assert "no margin" in none["notes"]["margin_consumed"]


@pytest.mark.parametrize(
    ("energy", "quality", "terms", "expected"),
    [
        (0.3875, 99.3, ABSOLUTE, 0.390232),  # int8 32: 0.3875 / 0.993
        (0.5, 99.92, ABSOLUTE, 0.500400),  # fp8 32: 0.5 / 0.9992
        (0.3875, 99.3, {"quality_is": "of_reference", "reference_quality": 90.874}, 0.429421),  # 0.3875 / (0.993 * 0.90874)
    ],
)
def test_energy_per_acceptable_unit(energy, quality, terms, expected):
    assert m.acceptable_work(POINTS, energy, quality, **terms)["energy_per_acceptable_j"] == near(expected, 2e-6)


def test_a_quality_of_an_unknown_reference_is_not_made_absolute():
    for r in (
        m.acceptable_work(POINTS, 0.5, 99.0, "of_reference"),
        m.expected_cost(POINTS, 0.5, 99.0, 0.12, 0.01, "of_reference", pue=1.3),
    ):
        assert set(r["notes"].values()) == {"the quality is of a reference's: needs reference_quality to be absolute"}
        assert all(value is None for name, value in r.items() if name != "notes")


def test_no_acceptable_work_has_no_energy_per_unit_of_it():
    assert np.isnan(m.acceptable_work(POINTS, 0.5, 0.0, "absolute")["energy_per_acceptable_j"])


def test_tie_of_two_options():
    # int8 32 and fp8 32: (0.5 - 0.3875) J * 1.3 / 3.6e6 * 0.12 / (0.9992 - 0.993)
    costs = [energy_cost(energy, 0.12, "server", 1.3) for energy in (0.5, 0.3875)]
    assert tie_error_cost(costs[0], 0.9992, costs[1], 0.993) == near(7.8629e-7, 1e-5)
    r = m.expected_cost(POINTS, 0.5, 99.92, 0.12, 7.8629e-7, "absolute", 0.3875, 99.3, boundary="server", pue=1.3)
    assert r["tie_error_cost"] == near(7.8629e-7, 1e-5)
    assert r["expected_cost_per_million"] == near(r["looser_expected_cost_per_million"], 1e-5)


def test_expected_cost_of_each_point():
    # fp8 32: 0.5 J * 1.3 / 3.6e6 * 0.12 * 1e6 = 0.0216667 for a million; 0.0008 * 0.01 * 1e6 = 8
    r = m.expected_cost(POINTS, 0.5, 99.92, 0.12, 0.01, "absolute", boundary="server", pue=1.3)
    table = r["expected_costs"]
    row = table["point | "].index("fp8-32")
    money = [float(values[row]) for head, values in table.items() if "{currency}" in head]
    assert money == near([0.0216667, 8.0, 8.0216667], 2e-6)
    assert r["expected_cost_per_million"] == near(8.0216667)
    assert r["notes"]["tie_error_cost"] == "there is no point at a looser quality target"


def test_no_tie_where_the_looser_option_is_no_worse():
    r = m.expected_cost(POINTS, 0.5, 99.92, 0.12, 0.01, "absolute", 0.5, 99.92, pue=1.3)
    assert np.isnan(r["tie_error_cost"])
    assert "nothing to weigh" in r["notes"]["tie_error_cost"]


def test_a_missing_pue_is_not_one():
    r = m.expected_cost(POINTS, 0.5, 99.92, 0.12, 0.01, "absolute", boundary="server")
    assert set(r["notes"].values()) == {"needs pue"}
    at_the_facility = m.expected_cost(POINTS, 0.5, 99.92, 0.12, 0.01, "absolute", boundary="facility")
    assert at_the_facility["energy_cost_per_million"] == near(0.5 / 3.6 * 0.12)


# ---- quality as a sample


@pytest.mark.parametrize(("k", "n", "low", "high"), [(9905, 10000, 0.988401, 0.992222), (991, 1000, 0.982984, 0.995258)])
def test_wilson_interval(k, n, low, high):
    assert q.wilson_interval(k / n, n) == (pytest.approx(low, abs=5e-7), pytest.approx(high, abs=5e-7))


@given(st.integers(1, 5000), st.floats(0, 1))
def test_wilson_interval_is_that_of_scipy(n, share):
    k = round(share * n)
    expected = binomtest(k, n).proportion_ci(method="wilson")
    assert q.wilson_interval(k / n, n) == (pytest.approx(expected.low, abs=1e-9), pytest.approx(expected.high, abs=1e-9))


@given(st.floats(0.5, 0.9999), st.floats(0.01, 0.9))
def test_items_that_are_needed_just_show_the_target(share, part):
    target = 1 - (1 - share) * (1 + part)
    needed = q.wilson_samples(share, target)
    assert q.wilson_interval(share, needed)[0] >= target - 1e-12
    if needed > 1:
        assert q.wilson_interval(share, needed - 1)[0] < target


def test_the_target_is_shown_or_not():
    # z^2 t (1 - t) / (p - t)^2 = 3.841459 * 0.999 * 0.001 / 0.0002^2 = 95940.4
    r = q.quality_interval(**COUNTED, quality_samples=10000)
    assert r["quality_samples_needed"] == 95941
    assert r["notes"]["quality_lower_pct"] == "not shown that the target is met: it would take 95,941 items"
    assert q.quality_interval(**COUNTED, quality_samples=100000)["notes"]["quality_lower_pct"] == "shown: the target is met"


def test_an_unknown_number_of_items_shows_nothing():
    r = q.quality_interval(**COUNTED)
    assert r["quality_lower_pct"] is None
    assert r["notes"]["quality_lower_pct"] == "not shown: the number of items is not known; it would take 95,941 items"
    assert r["quality_samples_needed"] == 95941
    assert q.paired_test(6, 3, 0.001)["notes"]["paired_lower_bound"].startswith("not shown: the number of items is not known")


def test_a_quality_at_its_target_is_never_shown():
    r = q.quality_interval(**{**COUNTED, "quality_target_pct": 99.92}, quality_samples=10000)
    assert np.isnan(r["quality_samples_needed"])
    assert "no number of items" in r["notes"]["quality_lower_pct"]


def test_a_score_is_no_proportion():
    for r in (
        q.quality_interval(**{**COUNTED, "quality_kind": "score"}, quality_samples=10000),
        q.paired_test(6, 3, 0.001, 10000, "score"),
    ):
        assert all(note.startswith("not shown: a score is no share") for note in r["notes"].values())


def test_a_quality_of_a_reference_is_counted_as_absolute():
    # 99.3 % of 90.874 % is 0.902379 of all items
    r = q.quality_interval(99.3, 99.0, "proportion", "of_reference", 10000, 90.874)
    expected = binomtest(9024, 10000).proportion_ci(method="wilson")
    assert r["quality_lower_pct"] == pytest.approx(expected.low * 100, abs=3e-3)
    over = q.quality_interval(101.0, 99.0, "proportion", "of_reference", 10000, 99.9)
    assert "more than all" in over["notes"]["quality_lower_pct"]


def test_paired_test():
    # d = -3/10000; u = sqrt(9 - 9/10000)/10000 = 0.000299985; -0.0003 - 1.96 u = -0.000888
    r = q.paired_test(6, 3, 0.001, 10000)
    assert r["paired_difference"] == near(-0.0003)
    assert r["paired_standard_uncertainty"] == near(0.000299985)
    assert r["paired_lower_bound"] == pytest.approx(-0.000888, abs=5e-7)
    assert r["notes"]["paired_lower_bound"] == "shown: a loss of 0.1 % is excluded"
    # z^2 (0.0009 - 9e-8) / (0.001 - 0.0003)^2 = 3.841459 * 0.00089991 / 4.9e-7 = 7055.1
    assert r["paired_samples_needed"] == 7056


def test_a_loss_that_is_not_excluded_says_how_many_items_it_takes():
    # at a tenth of the items, with the rates of 6 and 3 in 1000: 3.841459 * (0.009 - 9e-6) / (0.005 - 0.003)^2 = 8634.6
    r = q.paired_test(6, 3, 0.005, 1000)
    assert (
        r["notes"]["paired_lower_bound"] == "not shown that a loss of 0.5 % is excluded: it would take 8,635 items at these rates"
    )
    never = q.paired_test(6, 3, 0.003, 1000)
    assert "no number of items" in never["notes"]["paired_lower_bound"]
    assert np.isnan(never["paired_samples_needed"])


def test_no_difference_at_all_is_no_certainty():
    # exact: no loss in n items leaves a rate of 1 - 0.025^(1/n); 100 items: 3.62 %
    r = q.paired_test(0, 0, 0.001, 100)
    assert r["paired_lower_bound"] == near(0.025**0.01 - 1)
    assert r["notes"]["paired_lower_bound"].startswith("not shown")
    # ln 0.025 / ln 0.999 = 3687.03
    assert r["paired_samples_needed"] == 3688


@settings(max_examples=50)
@given(st.integers(1, 50), st.integers(0, 50), st.floats(1e-3, 0.2))
def test_items_that_are_needed_just_exclude_the_loss(lost, gained, allowed):
    n = 1000
    needed = q.paired_samples(lost, gained, n, allowed)
    if np.isnan(needed):
        assert (gained - lost) / n + allowed <= 1e-12
        return
    for count, sign in ((needed * 1.001 + 1, 1), (needed * 0.999 - 1, -1)):
        if count > 1:
            bound = q.paired_lower(lost * count / n, gained * count / n, count)
            assert sign * (bound + allowed) > 0


# ---- ranges


def test_a_point_has_the_range_of_its_power():
    # rectangular from 95 to 105 %: the 2.5 and 97.5 % quantiles are at 95.25 and 104.75 %
    r = study(ranged(), quality_target_pct=99.9, slo_latency_s=0.1).results["deployable_energy_per_unit_j"]
    assert (r.low, r.high) == (pytest.approx(0.82 * 0.9525, rel=1e-3), pytest.approx(0.82 * 1.0475, rel=1e-3))


def test_without_ranges_none_is_stated():
    r = study(quality_target_pct=99.9, slo_latency_s=0.1).results
    assert all(item.low is None for item in r.values() if not isinstance(item, dict))


def test_a_point_against_itself_is_exactly_one():
    # no latency target binds: the same point on both sides, drawn together
    r = study(ranged(), quality_target_pct=99.9, slo_latency_s=1.0).results["slo_price_ratio"]
    assert (r.value, r.low) == (1.0, None)


@pytest.mark.parametrize(("share", "words"), [(0.001, "differ"), (0.6, "not distinguishable"), (None, "range not stated")])
def test_two_points_differ_only_where_the_interval_of_their_ratio_excludes_one(share, words):
    table = POINTS if share is None else ranged(share=share)
    assert distinguishable(table, 5, 7, np.random.default_rng(1)) == words  # 0.82 and 0.64 J
    assert distinguishable(table, 5, 5, np.random.default_rng(1)) == "same point"


def test_a_price_with_a_range_reaches_the_costs():
    made = study(
        ranges={"electricity_price_per_kwh": (0.1, 0.14), "error_cost": (0.005, 0.02)},
        quality_target_pct=99.9, slo_latency_s=0.1, looser_quality_target_pct=99.0, quality_is="absolute",
        electricity_price_per_kwh=0.12, error_cost=0.01, pue=1.3,
    )  # fmt: skip
    tie = made.results["tie_error_cost"]
    # analytic: proportional to the price
    assert tie.value == near((0.82 - 0.64) * 1.3 / 3.6e6 * 0.12 / 0.0062)
    assert tie.low / tie.value == near(
        made.results["energy_cost_per_million"].low / made.results["energy_cost_per_million"].value
    )
    assert ["expected_cost_low", "USD per million inferences"] in made.results["expected_costs"]["columns"]


# ---- missing inputs


def test_what_is_missing_is_named():
    r = study(quality_target_pct=99.9).results
    reasons = {
        "slo_price_ratio": "needs slo_latency_s",
        "accuracy_price_ratio": "needs looser_quality_target_pct",
        "margin_consumed": "needs quality_is",
        "energy_per_acceptable_j": "needs quality_is",
        "expected_cost_per_million": "needs electricity_price_per_kwh, error_cost, quality_is",
        "quality_lower_pct": "needs quality_kind, quality_is",
        "paired_lower_bound": "needs lost, gained",
        "pairs_geometric_mean": "needs accuracy_pairs_csv",
    }
    assert {name: r[name].note for name in reasons} == reasons
    assert all(r[name].value is None for name in reasons)


def test_what_rests_on_no_feasible_point_says_why():
    r = study(quality_target_pct=99.9, slo_latency_s=0.01, quality_is="absolute", reference_quality=99.95).results
    for name in ("deployable_energy_per_unit_j", "margin_consumed", "energy_per_acceptable_j"):
        assert "no point reaches a quality of 99.9 % within 0.01 s" in r[name].note


# ---- published pairs: the values of the method, computed there independently of the project


def test_published_statistics():
    r = m.published_ratios(PAIRS)
    assert r["pairs_counted"] == 61
    names = ("geometric_mean", "mean", "median", "lowest", "highest")
    assert [round(float(r[f"pairs_{name}"]), 3) for name in names] == [0.533, 0.547, 0.502, 0.404, 0.928]
    assert r["pairs_energy_ratio"] == near(1 / r["pairs_geometric_mean"])
    assert r["pairs_twice_share"] == near(51 / 61)  # hand: ten pairs, all Hopper, lie above the square root of one half
    assert "Result not verified by MLCommons Association" in r["notes"]["pairs_counted"]


def test_published_means_by_round_and_hardware():
    r = m.pairs_by_group(PAIRS)
    rounds, hardware = r["pairs_by_round"], r["pairs_by_hardware"]
    assert dict(zip(rounds["round | "], rounds["mean | 1"].round(3), strict=True)) == {
        "v2.0": 0.483, "v2.1": 0.472, "v3.0": 0.555, "v3.1": 0.686, "v4.0": 0.682, "v4.1": 0.867,
    }  # fmt: skip
    found = zip(hardware["hardware | "], hardware["mean | 1"].round(3), hardware["pairs | "], strict=True)
    assert list(found) == [("AIC100", 0.506, 26), ("Ampere", 0.468, 25), ("Hopper", 0.852, 10)]


def test_the_later_rounds_differ_by_what_enters():
    r = m.pairs_by_group(PAIRS)
    assert r["pairs_entrant_mean"] == pytest.approx(0.852, abs=5e-4)
    assert r["notes"]["pairs_entrant_mean"] == "Hopper, from v3.0 on, 10 pairs"
    # hand, from the table: (8 * 0.514577 + 2 * 0.468081 + 4 * 0.509521 + 2 * 0.499936) / 16; (21 * 0.48324 + 14 * 0.47161) / 35
    assert r["pairs_beside_entrant_mean"] == near(0.505671, 1e-5)
    assert r["pairs_before_entrant_mean"] == near(0.478588, 1e-5)


def test_one_hardware_alone_has_nothing_beside_it():
    r = m.pairs_by_group(PAIRS[PAIRS["hardware"] == "Hopper"])
    assert r["pairs_beside_entrant_mean"] is None
    assert r["notes"]["pairs_beside_entrant_mean"] == "no other pair from v3.0 on"
