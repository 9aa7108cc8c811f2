"""The topic metering on made-up runs. Expected values: hand, the arithmetic shown."""

import numpy as np
import pandas as pd
import pytest

from joulebook import dictionary
from joulebook.errors import InputError
from joulebook.inputs import Given, Input
from joulebook.method import metering
from joulebook.method.meters.pieces import Pieces
from joulebook.method.meters.spans import phases_on_clock
from joulebook.method.meters.timeline import readings
from joulebook.method.series import Accuracy, Channel, Meters
from joulebook.method.study import Study
from joulebook.results import Labels

# samples (s, W): (0, 400), (1, 400), 1000 W each second from 2 to 62, (63, 400), (64, 400)
TIMES, WATTS = np.arange(65.0), np.array([400.0, 400.0, *[1000.0] * 61, 400.0, 400.0])
STEP = Channel("wall", TIMES, WATTS, boundary="server")
PHASES = [("setup", 0.0, 2.0), ("work", 2.0, 62.0), ("cooldown", 62.0, 64.0)]
ORIGIN = np.datetime64("2026-03-02T09:00:00", "ns")


def table(rows, *columns):
    return pd.DataFrame(rows, columns=list(columns) or None)


def study(channels=(STEP,), phases=PHASES, origin=None, missing=None, labels=None, requests=None, load=None, **inputs):
    given = {"currency": Input("USD", evidence="assumed"), "meters": Input([], evidence="measured"),
             "min_coverage": Input(inputs.pop("min_coverage", 0.99), given=False)}
    given |= {name: Input(value) for name, value in inputs.items()}
    tables = {"meters": Meters(tuple(channels), origin, missing or {})}
    if phases is not None:
        tables["phases_csv"] = phases if isinstance(phases, pd.DataFrame) else table(phases, "phase", "begin", "end")
    tables |= {name: rows for name, rows in (("requests_csv", requests), ("load_file", load)) if rows is not None}
    given |= {name: Input(f"{name}.csv") for name in tables if name != "meters"}
    labels = Labels(**{"unit_of_work": "query", "boundary": "server", **(labels or {})})
    rows, definitions = dictionary.of_topic("metering"), dictionary.definitions()["metering"]
    return Study(Given("metering", given, tables, labels, rows, definitions)).run_all(metering.CALCULATIONS)


def values(made, *names):
    return [made.results[name].value for name in names]


def column(made, name, head):
    record = made.results[name]
    place = [known for known, _ in record["columns"]].index(head)
    return [row[place] for row in record["rows"]]


def requests_of_a_minute(latency_s=1.0):
    """300 requests over the work, 10 of them failed and 29 late."""
    start = 2.0 + 0.18 * np.arange(300)
    late = (np.arange(300) >= 10) & (np.arange(300) < 39)
    return table({"start": start, "end": start + np.where(late, 3 * latency_s, 0.1), "ok": np.arange(300) >= 10,
                  "input_tokens": 100.0, "output_tokens": 4.0})


def test_energy_of_the_work_and_beside_it():
    made = study(clock_residual_s=0.5)
    assert values(made, "energy_j", "window_s", "coverage") == [60000.0, 60.0, 1.0]
    assert values(made, "average_power_w", "peak_power_w") == [1000.0, 1000.0]
    assert column(made, "energy_by_phase_j", "energy") == pytest.approx([1100.0, 60000.0, 1100.0])
    # hand: all 62200 J, of which 2200 J outside the work
    assert values(made, "nonproductive_energy_share") == pytest.approx([2200.0 / 62200.0])
    # hand: 75 J over sqrt(3) = 43.301; every second sample 300 J, over sqrt(3); both in quadrature
    assert values(made, "clock_error_j", "sampling_error_j") == pytest.approx([75.0, 300.0])
    u = ((75.0**2 + 300.0**2) / 3) ** 0.5
    assert values(made, "energy_standard_uncertainty_j") == pytest.approx([u])
    assert column(made, "uncertainty_by_source_j", "source")[:2] == ["sampling", "residual of the clock offset"]
    assert column(made, "uncertainty_by_source_j", "standard_uncertainty")[1] == pytest.approx(43.301, abs=5e-4)
    for name in ("energy_j", "energy_midpoint_j"):
        result = made.results[name]
        assert (result.low, result.high) == pytest.approx((60000.0 - 1.96 * u, 60000.0 + 1.96 * u), rel=1e-4)


def test_what_was_measured_stays_measured():
    # the gap, the least coverage, the residual and the phases say how to read; they are no evidence against a meter
    made = study(clock_residual_s=0.5, max_gap_s=3.0)
    assert {made.results[name].evidence for name in ("energy_j", "average_power_w", "peak_power_w", "coverage")} == {"measured"}


def test_a_gap_is_filled_and_below_the_least_coverage_refused():
    # hand: 60 s at 2 Hz and 1000 W with one gap of 3 s, 400 W at another time of the same phase
    times = np.concatenate((np.arange(0.0, 30.5, 0.5), np.arange(33.0, 60.5, 0.5), np.arange(70.0, 80.5, 0.5)))
    meter = Channel("wall", times, np.where(times < 65, 1000.0, 400.0), boundary="server")
    phases = [("work", 0.0, 60.0), ("idle", 60.0, 70.0), ("work", 70.0, 80.0)]
    made = study([meter], phases, min_coverage=0.9)
    # hand: 57 of 60 s and 10 of 10 s; 57000 and 4000 J; the gap holds 3 x 400 to 3 x 1000 J
    assert values(made, "energy_j", "energy_low_j", "energy_high_j") == pytest.approx([61000.0, 62200.0, 64000.0])
    assert made.results["coverage"].value == pytest.approx(67 / 70)
    assert values(made, "energy_standard_uncertainty_j") == pytest.approx([519.615], abs=5e-4)
    assert values(made, "energy_midpoint_j", "longest_gap_s") == pytest.approx([63100.0, 3.0])
    assert column(made, "uncovered_windows", "length") == pytest.approx([3.0])
    refused = study([meter], phases)
    assert refused.results["energy_j"].value is None
    assert "0.9571 of the work is covered: less than min_coverage, 0.99" in refused.results["energy_j"].note
    assert refused.results["energy_per_training_sample_j"].value is None
    assert refused.results["coverage"].value == pytest.approx(67 / 70)


def test_requests_that_count_pay_for_the_rest():
    made = study(requests=requests_of_a_minute(), slo_latency_s=2.0)
    assert values(made, "started", "completed", "slo_valid") == [300.0, 290.0, 261.0]
    energies = values(made, "energy_per_started_j", "energy_per_completed_j", "energy_per_slo_valid_j")
    assert energies == pytest.approx([200.0, 206.897, 229.885], abs=5e-4)
    assert values(made, "units_completed", "energy_per_unit_j") == pytest.approx([290.0, 60000.0 / 290.0])
    assert made.results["energy_per_unit_j"].low < 60000.0 / 290.0 < made.results["energy_per_unit_j"].high


@pytest.mark.parametrize(("unit", "expected"), [("output_token", 1160.0), ("input_token", 29000.0), ("token", 30160.0)])
def test_tokens_of_completed_requests(unit, expected):
    made = study(requests=requests_of_a_minute(), labels={"unit_of_work": unit})  # hand: 290 x 4, 290 x 100, 290 x 104
    assert values(made, "units_completed") == [expected]
    assert made.results["slo_valid"].note == "no limit is given: all that was completed counts"


def test_no_work_is_not_available():
    late = requests_of_a_minute().assign(ok=False)
    made = study(requests=late)
    assert values(made, "started", "completed", "energy_per_completed_j", "energy_per_unit_j") == [300.0, 0.0, None, None]
    assert made.results["energy_per_completed_j"].note == "energy over no work is not available"
    assert "needs requests_csv or load_file" in study().results["energy_per_completed_j"].note


def test_a_load_generator_that_states_totals_alone():
    load = table([], "start", "end", "ok", "input_tokens", "output_tokens", "ttft_s", "tpot_s", "latency_s")
    load.attrs = {"generator": "vLLM", "stated": {"completed": 240, "output_tokens": 6000.0}}
    made = study(load=load, labels={"unit_of_work": "output_token"})
    assert values(made, "completed", "energy_per_completed_j", "energy_per_unit_j") == pytest.approx([240.0, 250.0, 10.0])
    assert "as vLLM has it for its whole run" in made.results["completed"].note
    assert values(made, "started", "edge_work_share") == [None, None]


def test_the_file_of_the_load_generator_comes_before_a_table_of_requests():
    load = requests_of_a_minute().iloc[:100].assign(latency_s=0.1, ttft_s=0.05, tpot_s=np.nan)
    assert values(study(requests=requests_of_a_minute(), load=load), "started") == [100.0]


def test_a_limit_that_nothing_was_measured_of_keeps_nobody_out_silently():
    made = study(requests=requests_of_a_minute(), slo_ttft_s=0.5)
    assert values(made, "completed", "slo_valid", "energy_per_slo_valid_j") == [290.0, None, None]
    assert made.results["slo_valid"].note == "slo_ttft_s is given, but no request has its ttft_s"


def test_an_answer_of_one_token_has_no_time_between_tokens_to_miss():
    load = requests_of_a_minute().assign(latency_s=0.1, ttft_s=0.05, tpot_s=0.01)
    load.loc[20:29, ["output_tokens", "tpot_s"]] = [1.0, np.nan]
    load.loc[30:34, "tpot_s"] = 0.2
    assert values(study(load=load, slo_tpot_s=0.05), "slo_valid") == [285.0]  # hand: 290 less 5 slow ones


def test_training_is_counted_in_samples():
    made = study(training_samples=1200.0, labels={"unit_of_work": "training_sample"})
    assert values(made, "energy_per_training_sample_j", "energy_per_unit_j") == pytest.approx([50.0, 50.0])


def test_work_across_the_edge_is_told():
    rows = table({"start": [0.0, 10.0, 20.0], "end": [3.0, 11.0, 21.0], "ok": True, "input_tokens": 1.0, "output_tokens": 1.0})
    made = study(requests=rows)
    assert made.results["edge_work_share"].value == pytest.approx(1 / 3)
    assert made.results["edge_work_share"].note == "above 1 %: the run is too short"


def test_meters_of_other_boundaries_stand_beside_the_total():
    gpu = Channel("gpu", TIMES, WATTS * 0.7, boundary="accelerator", rows=66, left_out={"no reading": 1})
    made = study([STEP, gpu])
    assert made.results["energy_j"].value == 60000.0
    assert made.results["energy_j"].labels.boundary == "server"
    assert column(made, "energy_by_channel_j", "in_the_total") == ["yes", "no"]
    assert column(made, "channel_readings", "left_out") == ["", "1 x no reading"]
    assert column(made, "energy_by_channel_j", "energy") == pytest.approx([60000.0, 42000.0])
    # hand: every second sample, 300 J of the wall and 210 J of the board, over sqrt(3), 1.96 of them either way
    high = column(made, "energy_by_channel_j", "energy_high")
    assert high == pytest.approx([60000.0 + 1.96 * 300 / 3**0.5, 42000.0 + 1.96 * 210 / 3**0.5], rel=1e-5)
    assert values(study([gpu], labels={"boundary": None}), "energy_j") == pytest.approx([42000.0])
    several = study([STEP, gpu], labels={"boundary": None})
    assert "meters at several boundaries (accelerator, server)" in several.results["energy_j"].note
    nowhere = study([gpu])
    assert nowhere.results["energy_j"].note == "no meter at the boundary server: gpu is at accelerator"


def test_a_channel_that_never_read_makes_the_total_partial():
    made = study(missing={"gpu 1": "no reading: 11 x [N/A]"}, labels={"boundary": "server"})
    assert made.results["energy_j"].note.startswith("partial: gpu 1 did not read, which is not 0")
    assert made.results["energy_j"].value == 60000.0
    nothing = study([], missing={"gpu 1": "no reading: 11 x [N/A]"})
    assert nothing.results["energy_j"].note == "gpu 1: no reading: 11 x [N/A]"


def test_a_phase_that_no_meter_saw_has_no_energy_rather_than_none():
    made = study(phases=[("setup", -20.0, -10.0), ("warmup", -1.0, 1.0), *PHASES[1:]])
    # hand: nothing before 0; warmup 400 J of its second half
    energies = column(made, "energy_by_phase_j", "energy")
    assert energies[0] is None
    assert energies[1:] == pytest.approx([400.0, 60000.0, 1100.0])
    said = "of the covered energy: setup is covered to 0 %, warmup is covered to 50 %"
    assert made.results["nonproductive_energy_share"].note == said
    assert values(made, "nonproductive_energy_share") == pytest.approx([1500.0 / 61500.0])


@pytest.mark.parametrize("times", [[], [5.0]])
def test_a_channel_with_too_few_readings_is_missing(times):
    made = study([STEP, Channel("gpu", np.array(times), np.array(times), boundary="server")])
    assert made.results["energy_j"].note.startswith("partial: gpu did not read, which is not 0")


def test_without_phases_all_counts_as_work():
    made = study(phases=None)
    assert values(made, "energy_j", "window_s") == [62200.0, 64.0]
    assert "no phases are given" in made.results["energy_j"].note
    assert made.results["nonproductive_energy_share"].note == "no phase but the work is given"
    assert study(phases=PHASES[:1]).results["energy_j"].note == "no phase is called work: setup"


def test_short_and_drifting_work_is_told():
    ramp = Channel("wall", np.arange(601.0), np.linspace(980.0, 1020.0, 601), boundary="server")
    made = study([ramp], [("work", 0.0, 600.0)])
    assert made.results["drift_share"].value == pytest.approx(0.04)
    assert made.results["drift_share"].note == "not steady"
    assert made.results["window_s"].note == ""
    assert "directional only" in study().results["window_s"].note


def test_stamps_and_bare_seconds_do_not_mix():
    stamps = [(name, *(pd.Timestamp(ORIGIN, tz="UTC") + pd.to_timedelta([begin, end], unit="s"))) for name, begin, end in PHASES]
    assert values(study(phases=stamps, origin=ORIGIN), "energy_j") == pytest.approx([60000.0])
    with pytest.raises(InputError, match="phases_csv: its times are dates and those of the meters are bare seconds"):
        study(phases=stamps)
    with pytest.raises(InputError, match="bare seconds and those of the meters are dates"):
        study(origin=ORIGIN)


def test_phases_that_overlap_are_refused():
    with pytest.raises(InputError, match=r"overlap.*found 'setup and work'"):
        study(phases=[("setup", 0.0, 3.0), ("work", 2.0, 62.0)])
    with pytest.raises(InputError, match="begin before it ends"):
        study(phases=[("work", 62.0, 2.0)])


def test_the_timeline_has_phases_and_meters_on_one_clock():
    gpu = Channel("gpu | {x}", TIMES, WATTS * 0.5, boundary="accelerator")
    made = study([STEP, gpu], origin=ORIGIN, phases=table(
        [(name, *(pd.Timestamp(ORIGIN, tz="UTC") + pd.to_timedelta([begin, end], unit="s"))) for name, begin, end in PHASES],
        "phase", "begin", "end"))
    heads = [head for head, _ in made.results["timeline"]["columns"]]
    assert heads == [
        "time_s", "utc", "phase", "power_w", "smallest_w", "largest_w", "power_w of wall", "power_w of gpu / {x}"]
    rows = made.results["timeline"]["rows"]
    assert len(rows) == 240
    assert rows[120][2] == "work"
    assert rows[120][3:6] == pytest.approx([1000.0, 1000.0, 1000.0])
    assert rows[120][1] == "2026-03-02T09:00:32.133Z"  # hand: 120.5 / 240 of 64 s is 32.1333 s
    assert sum(row[3] for row in rows) * 64 / 240 == pytest.approx(62200.0)


def test_every_reading_as_rows():
    counter = Channel("package", np.array([0.5, 2.5]), np.array([0.0, 100.0]), "counter")
    pieces = [Pieces(STEP), Pieces(counter)]
    made = readings(pieces, phases_on_clock(None, pieces, None), None)
    assert made["channel"][:4].tolist() == ["wall", "package", "wall", "wall"]
    assert made["power_w | W"][:6].tolist() == pytest.approx([400.0, np.nan, 400.0, 1000.0, 50.0, 1000.0], nan_ok=True)


def test_a_board_that_looks_a_quarter_of_the_time_says_so():
    sensor = Channel("gpu", TIMES, WATTS, boundary="server", accuracy=Accuracy(seen_share=0.25))
    assert "looks at 25 % of the time" in study([sensor]).results["energy_standard_uncertainty_j"].note


def test_what_cannot_be_bounded_is_not_certain():
    level = Channel("plug", np.array([0.0, 100.0]), np.array([500.0, 500.0]), "on_change", boundary="server")
    made = study([level], [("work", 0.0, 100.0)])
    assert made.results["energy_standard_uncertainty_j"].value is None
    assert made.results["energy_standard_uncertainty_j"].note.startswith("no source of uncertainty could be bounded")


def test_a_range_that_lacks_the_error_of_the_meter_says_so():
    lacking = "its range lacks the error of the meter itself, which is not stated"
    bare = study(clock_residual_s=0.5)
    # hand: the clock 75 J, and sampling 300 J: of every second reading from 1 s on, the steps at both ends cut 150 J each
    assert bare.results["energy_standard_uncertainty_j"].value == pytest.approx(((75.0**2 + 300.0**2) / 3) ** 0.5)
    assert bare.results["energy_j"].note == lacking
    known = Channel("wall", TIMES, WATTS, boundary="server", accuracy=Accuracy(of_reading_pct=0.5))
    assert study([known], clock_residual_s=0.5).results["energy_j"].note == ""
