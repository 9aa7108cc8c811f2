"""Topic generations. Expected values: the checks of the method (section 10), worked apart from this project; hand arithmetic."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from joulebook.days import age_months, months_later
from joulebook.errors import InputError
from joulebook.method.generations import gains, interaction_of, log_share, shares
from joulebook.method.measured_rows import energies_per_unit
from joulebook.method.result_states import states
from joulebook.method.savings import saving
from joulebook.method.stable_subset import stable_subset

CHECK = {"A1": 1.0, "A2": 0.8, "B2": 0.5}
ALL = {**CHECK, "B1": 0.7}
COMMON = {"date": "2026-01-01", "released": "2026-01-01", "workload": "chat", "quality": "99.9 %", "task": "", "model": "",
          "evidence": "measured", "source": "", "work": 1.0, "energy_low_j": np.nan, "energy_high_j": np.nan, "meter": "",
          "meter_limit_pct": np.nan}
A = [0.2012, 0.1998, 0.2005, 0.1991, 0.2004]  # J, the runs of the method
B = [0.1969, 0.1981, 0.1975, 0.1990, 0.1977]


def table(energy, limit=None, one_meter=False, **changed):
    """Rows of a record: by corner an energy, or a list of repeats."""
    rows = []
    for corner, values in energy.items():
        meter = {"meter": "one" if one_meter else corner, "meter_limit_pct": limit} if limit else {}
        for value in values if isinstance(values, list) else [values]:
            own = {"corner": corner, "hardware": f"gpu {corner[0]}", "software": f"stack {corner[1]}", "energy_j": value}
            rows.append({**COMMON, **own, **meter, **changed})
    return pd.DataFrame(rows)


def test_gains_and_log_shares_of_one_path():
    made, parts = gains(table(CHECK)), shares(table(CHECK))
    assert [made[f"{name}_gain"] for name in ("software", "hardware", "total")] == pytest.approx([1.25, 1.6, 2.0], rel=1e-12)
    assert (parts["path_software_share"], parts["path_hardware_share"]) == (
        pytest.approx(0.321928, abs=5e-7), pytest.approx(0.678072, abs=5e-7))
    assert (parts["software_share"], parts["hardware_share"]) == (parts["path_software_share"], parts["path_hardware_share"])
    assert parts["interaction"] is None
    path = "gpu A with stack 1, then gpu A with stack 2, then gpu B with stack 2"
    assert path in parts["notes"]["software_share"]
    assert "that the gain exceeds its uncertainty is not shown" in made["notes"]["total_gain"]


def test_the_mean_over_both_orders_and_the_interaction():
    parts = shares(table(ALL))
    assert (parts["software_share"], parts["hardware_share"]) == (
        pytest.approx(0.403677, abs=5e-7), pytest.approx(0.596323, abs=5e-7))
    assert parts["path_software_share"] == pytest.approx(0.321928, abs=5e-7)
    assert parts["interaction"] == pytest.approx(-0.113329, abs=5e-7)
    rows = parts["gains_by_order"]
    assert rows["order | "] == ["software first"] * 2 + ["hardware first"] * 2 + ["mean of both orders"] * 2
    # hand: 1/0.8, 0.8/0.5, 1/0.7, 0.7/0.5, and the geometric means of 1.25 and 1.4, of 1.6 and 1/0.7
    expected = [1.25, 1.6, 1 / 0.7, 1.4, (1.25 * 1.4) ** 0.5, (1.6 / 0.7) ** 0.5]
    assert rows["gain | 1"] == pytest.approx(expected, rel=1e-12)


def test_where_only_the_other_corner_is_there_the_other_path_is_named():
    made, parts = gains(table({"A1": 1.0, "B1": 0.7, "B2": 0.5})), shares(table({"A1": 1.0, "B1": 0.7, "B2": 0.5}))
    assert (made["hardware_gain"], made["software_gain"]) == (pytest.approx(1 / 0.7), pytest.approx(1.4))
    assert "gpu A with stack 1, then gpu B with stack 1" in parts["notes"]["software_share"]


def test_without_a_corner_between_there_is_a_total_and_no_share():
    ends = {"A1": 1.0, "B2": 0.5}
    assert gains(table(ends))["total_gain"] == 2.0
    assert "of the old hardware with the new software" in gains(table(ends))["notes"]["software_gain"]
    assert shares(table(ends))["software_share"] is None
    assert shares(table({}).reindex(columns=table(CHECK).columns))["software_share"] is None


def test_one_system_over_two_generations_of_software_has_a_gain_of_software_alone():
    made, parts = gains(table({"A1": 1.0, "A2": 0.8})), shares(table({"A1": 1.0, "A2": 0.8}))
    assert made["software_gain"] == pytest.approx(1.25)
    assert (made["hardware_gain"], made["total_gain"], parts["software_share"]) == (None, None, None)
    assert gains(table({"A1": 1.0, "B1": 0.5}))["hardware_gain"] == pytest.approx(2.0)


def test_repeats_and_meters_give_the_intervals_of_the_method():
    # method, Uncertainty: B/A with one meter 0.982542 to 0.993914, with two of 1 % 0.971795 to 1.004906; the gain is A/B
    runs = {"A1": A, "B2": B}
    for limit, one, low, high in ((0.5, True, 0.982542, 0.993914), (1.0, False, 0.971795, 1.004906)):
        made = gains(table(runs, limit, one))
        assert made["ranges"]["total_gain"] == (pytest.approx(1 / high, abs=1e-6), pytest.approx(1 / low, abs=1e-6))
        assert ("not distinguishable from none" in made["notes"]["total_gain"]) is not one
    # hand: cv of A 0.0039489, of B 0.0039413, t(0.975, 8) + t(0.8, 8) = 3.194894, times sqrt(2/5)
    assert made["detectable_difference"] == pytest.approx(3.194894 * 0.0039451 * (2 / 5) ** 0.5, rel=1e-4)
    assert made["ranges"]["old_energy_per_unit_j"][1] > made["old_energy_per_unit_j"]


def test_shares_only_where_the_gain_exceeds_its_uncertainty():
    runs = {"A1": A, "A2": [(a + b) / 2 for a, b in zip(A, B, strict=True)], "B2": B}
    assert 0 < shares(table(runs, 0.5, one_meter=True))["software_share"] < 1
    unclear = shares(table(runs, 1.0))
    assert unclear["software_share"] is None
    assert "does not exceed its uncertainty" in unclear["notes"]["software_share"]
    assert np.isnan(unclear["gains_by_order"]["share | 1"]).all()
    assert "no total gain" in shares(table({"A1": 1.0, "A2": 0.9, "B2": 1.0}))["notes"]["software_share"]


def test_one_meter_without_repeats_leaves_no_uncertainty_to_go_by():
    made = gains(table(CHECK, 1.0, one_meter=True))
    assert "total_gain" not in made["ranges"]
    assert "one meter read both" in made["notes"]["total_gain"]


def test_a_part_that_worked_against_the_other_is_said():
    parts = shares(table({"A1": 1.0, "A2": 1.2, "B2": 0.5}))
    assert parts["software_share"] < 0 < 1 < parts["hardware_share"]
    assert "worked against" in parts["notes"]["software_share"]


@pytest.mark.parametrize("label", ["workload", "quality", "scenario"])
def test_other_labels_are_refused_by_name(label):
    rows = table(CHECK, **{label: "same"})
    rows.loc[2, label] = "other"
    with pytest.raises(InputError, match=f"the label {label} differs") as error:
        gains(rows)
    assert error.value.problems[0].value == "same and other"
    rows.loc[2, label] = ""  # not stated counts as differing
    with pytest.raises(InputError, match=f"the label {label} differs"):
        shares(rows)


def test_corners_that_are_not_what_they_say_are_refused_all_at_once():
    rows = table({"A2": 1.0, "B1": 0.8, "B2": 0.7})
    rows.loc[1, "hardware"] = "gpu A"
    rows["quality"] = ["a", "a", "b"]
    with pytest.raises(InputError) as error:
        gains(rows)
    said = str(error.value)
    assert len(error.value.problems) == 3
    assert all(words in said for words in ("label quality", "hardware B is several", "no row is corner A1"))
    same = table(CHECK, hardware="gpu")
    with pytest.raises(InputError, match="the same hardware at both ends"):
        gains(same)


positive = st.floats(1e-3, 1e3)


@settings(deadline=None)
@for_all(positive, positive, positive, positive, st.floats(1e-6, 1e6))
def test_shares_add_to_one_and_scaling_changes_nothing(a1, a2, b1, b2, scale):
    energy = {"A1": a1, "A2": a2, "B1": b1, "B2": b2}
    parts = shares(table(energy))
    if parts["software_share"] is None:
        assert a1 == pytest.approx(b2)
        return
    size = max(1, abs(parts["software_share"]), abs(parts["path_software_share"]))
    assert parts["software_share"] + parts["hardware_share"] == pytest.approx(1, abs=1e-9 * size)
    assert parts["path_software_share"] + parts["path_hardware_share"] == pytest.approx(1, abs=1e-9 * size)
    if abs(np.log(a1 / b2)) > 1e-3:
        scaled = shares(table({corner: value * scale for corner, value in energy.items()}))
        assert scaled["software_share"] == pytest.approx(parts["software_share"], rel=1e-6, abs=1e-6)
        assert scaled["interaction"] == pytest.approx(parts["interaction"], abs=1e-9)


@settings(deadline=None)
@for_all(positive, positive, positive, positive)
def test_swapping_what_is_called_hardware_and_software_swaps_the_shares(a1, a2, b1, b2):
    one, other = (shares(table(dict(zip(("A1", "A2", "B1", "B2"), values, strict=True)))) for values in
                  ((a1, a2, b1, b2), (a1, b1, a2, b2)))
    if one["software_share"] is not None:
        near = {"rel": 1e-9, "abs": 1e-9}
        assert one["software_share"] == pytest.approx(other["hardware_share"], **near)
        assert one["interaction"] == pytest.approx(other["interaction"], **near)


def test_ranges_of_rows_are_read_by_their_evidence():
    # method, rule 6: 1000 in 950..1050 is u 25 (u95), 28.8675 (rectangular), 20.4124 (triangular)
    for evidence, u in (("measured", 25.0), ("published", 28.8675), ("assumed", 20.4124)):
        rows = table({"A1": 1000.0}, energy_low_j=950.0, energy_high_j=1050.0, evidence=evidence)
        assert energies_per_unit(rows, ["corner"])["A1"].std_dev == pytest.approx(u, rel=1e-5)


def test_formulas_alone():
    assert log_share(2.0, 8.0) == pytest.approx(1 / 3)  # analytic: ln 2 over 3 ln 2
    assert interaction_of({"A1": 1.0, "A2": 0.5, "B1": 0.2, "B2": 0.1}) == pytest.approx(0, abs=1e-15)  # gains that multiply


# ---- states ----


def record(*rows):
    own = [dict(zip(("hardware", "software", "date"), row[:3], strict=True)) | {"released": row[2]} | (row[3] if row[3:] else {})
           for row in rows]
    return pd.DataFrame([{**COMMON, "corner": "", "energy_j": 1.0, **row} for row in own])


def test_superseded_and_expired():
    other = {"quality": "99 %"}
    rows = record(("a", "1", "2024-11-29"), ("a", "2", "2025-11-30"), ("b", "1", "2026-01-01"), ("a", "3", "2026-01-01", other))
    made = states(rows, 12, "2026-11-30")
    shown = made["record_states"]
    # by hand: a with 1 has 2 after it; at another quality a 3 is no successor; a year to the day is not older than 12 months
    assert shown["state | "] == ["superseded, expired", "current", "current", "current"]
    assert shown["newer_on_record | "] == ["2", "", "", ""]
    assert shown["age | months"].tolist() == [24, 12, 10, 10]
    counts = ("on_record", "superseded", "expired", "for_pricing", "for_purchase")
    assert [made[f"results_{name}"] for name in counts] == [4, 1, 1, 3, 3]
    assert (shown["for_pricing | "], shown["for_purchase | "]) == (["no", "yes", "yes", "yes"],) * 2
    assert "still valid for a deployment that runs this version" in made["notes"]["results_superseded"]
    assert "never used for pricing" in made["notes"]["results_expired"]
    assert "source | " not in shown
    assert states(rows, 12, "2026-12-01")["results_expired"] == 2
    assert states(rows, 24, "2026-11-30")["results_expired"] == 1


def test_a_newer_model_of_the_same_task_supersedes_and_other_hardware_does_not():
    rows = record(("a", "1", "2026-01-01", {"task": "chat", "model": "m1"}),
                  ("a", "1", "2026-06-01", {"task": "chat", "model": "m2", "workload": "m2, chat"}),
                  ("b", "2", "2026-07-01"))
    assert states(rows, 12, "2026-11-30")["record_states"]["newer_on_record | "] == ["m2", "", ""]


def test_the_newest_software_is_named_and_repeats_count_once():
    rows = record(("a", "1", "2026-01-01"), ("a", "1", "2026-01-01"), ("a", "3", "2026-03-01"), ("a", "2", "2026-02-01"))
    made = states(rows, 12, "2026-11-30")
    assert made["results_on_record"] == 3
    assert made["record_states"]["newer_on_record | "] == ["3", "", "3"]


def test_a_later_run_of_old_software_does_not_supersede():
    rows = record(("a", "1", "2026-05-01", {"released": "2025-01-01"}), ("a", "2", "2026-01-01"))
    assert states(rows, 12, "2026-11-30")["record_states"]["state | "] == ["superseded", "current"]


def test_months():
    assert months_later("2023-12-31", 2) == "2024-02-29"  # by the calendar
    assert age_months("2024-01-31", "2024-02-29") == 0


# ---- stable subset and savings ----


def subset(rows):
    heads = ("workload", "match", "generation", "energy_j")
    return pd.DataFrame([{**COMMON, **dict(zip(heads, row, strict=True))} for row in rows])


STABLE = [
    *(("chat", "best", "old", 1.0), ("chat", "best", "new", 1.05), ("chat", "worst", "old", 2.0), ("chat", "worst", "new", 1.9)),
    *(("code", "best", "old", 1.0), ("code", "best", "new", 1.0), ("code", "worst", "old", 2.0), ("code", "worst", "new", 1.88)),
]


def test_best_and_worst_both_lie_within_the_band():
    made = stable_subset(subset(STABLE), 0.05)  # hand: 1.05, 0.95 pass at the limits; 1.88/2 = 0.94 fails
    assert (made["stable_workloads"], made["unstable_workloads"]) == (1, 1)
    assert made["subset_matches"]["judged | "] == ["passes", "passes", "passes", "fails"]
    assert "code" in made["notes"]["unstable_workloads"]
    drawn = stable_subset(subset(STABLE), np.array([0.05, 0.07, 0.01]))
    assert drawn["stable_workloads"].tolist() == [1, 2, 0]


def test_an_interval_that_crosses_the_limit_is_said():
    rows = subset(STABLE).assign(energy_low_j=lambda t: t["energy_j"] * 0.99, energy_high_j=lambda t: t["energy_j"] * 1.01)
    words = stable_subset(rows, 0.05)["subset_matches"]["judged | "]
    crosses = "but its interval crosses the limit"
    assert words == [f"passes, {crosses}", f"passes, {crosses}", "passes", f"fails, {crosses}"]


def test_what_lacks_or_differs_in_a_subset_is_refused_by_name():
    with pytest.raises(InputError, match="code: a matched result is missing, worst, new"):
        stable_subset(subset(STABLE[:-1]), 0.05)
    with pytest.raises(InputError, match="the label quality differs, code, worst"):
        stable_subset(subset(STABLE).assign(quality=["a"] * 7 + ["b"]), 0.05)


def measure(rows, **more):
    heads = ("measure", "when", "energy_j", "work", "promised_saving")
    return pd.DataFrame([{**COMMON, **dict(zip(heads, row, strict=True)), **more} for row in rows])


def test_a_saving_is_verified_at_the_same_work():
    # hand: 100 J for 10 units before, 60 J for 8 after: 1 - 7.5/10
    made = saving(measure([("m", "before", 100.0, 10.0, 0.3), ("m", "after", 60.0, 8.0, 0.3)]))
    assert (made["verified_saving"], made["promised_saving"]) == (pytest.approx(0.25), pytest.approx(0.3))
    assert made["notes"]["verified_saving"] == "less than promised; its uncertainty is not stated"
    first = [("m", "before", 100.0, 10.0, 0.3), ("m", "after", 60.0, 8.0, 0.3)]
    both = saving(measure([*first, ("n", "before", 300.0, 1.0, 0.1), ("n", "after", 330.0, 1.0, 0.1)]))
    # hand: before 100 + 300, after 75 + 330; promised (0.3 x 100 + 0.1 x 300) / 400
    assert (both["verified_saving"], both["promised_saving"]) == (pytest.approx(1 - 405 / 400), pytest.approx(0.15))
    assert both["verified_savings"]["judged | "][1].startswith("takes more")


def test_a_saving_inside_its_uncertainty_is_none():
    runs = [("m", when, value, 1.0, 0.02) for when, values in (("before", A), ("after", B)) for value in values]
    one = saving(measure(runs, meter="one", meter_limit_pct=0.5))
    # method: the ratio 0.988212 with one meter lies within 0.982542 to 0.993914; 2 % promised is 0.98, outside
    assert one["notes"]["verified_saving"] == "less than promised"
    apart = measure(runs, meter_limit_pct=1.0)
    apart["meter"] = apart["when"]
    assert saving(apart)["notes"]["verified_saving"] == "not distinguishable from none"


def test_a_measure_without_a_promise_and_one_without_an_after():
    rows = [("m", "before", 100.0, 10.0, np.nan), ("m", "after", 60.0, 8.0, np.nan)]
    made = saving(measure(rows))
    assert np.isnan(made["promised_saving"])
    assert "nothing was promised" in made["notes"]["promised_saving"]
    with pytest.raises(InputError, match="m: nothing after"):
        saving(measure(rows[:1]))
    with pytest.raises(InputError, match="the label quality differs, m, before and after"):
        saving(measure(rows).assign(quality=["a", "b"]))
