"""Requests of a load generator's file beside what meters read: on one clock, or for the whole run where they share none."""

import json

import numpy as np
import pytest

from joulebook.intake.tables import read_table
from joulebook.method.meters.work_done import requests_of_run, units_of_run
from joulebook.method.series import Channel, Meters

from ...intake.load.files import AIPERF_SUMMARY, THREE, aiperf, csv_of_seconds, genai_perf, vllm

BEGIN = np.datetime64("2026-09-21T14:13:20", "ns")  # that of the made-up files
DATED = {"profile_export.jsonl": aiperf, "profile_export.json": genai_perf}


def meters(origin, begin_s=0.0):
    """100 W for 10 s from an instant."""
    times = begin_s + np.arange(11.0)
    return Meters((Channel("wall", times, np.full(11, 100.0), boundary="server"),), origin)


@pytest.fixture
def table(tmp_path):
    def table(text, name="load file"):
        (tmp_path / name).write_text(text)
        return read_table("load_file", tmp_path / name)
    return table


@pytest.mark.parametrize("make", DATED.values(), ids=DATED)
def test_requests_in_utc_are_counted_in_the_window(table, make):
    # hand: three requests from 0 to 5 s; a meter that begins a second later sees two of them begin and both answers end
    load = table(make(THREE))
    done = requests_of_run(meters(BEGIN), load_file=load)
    assert (done["started"], done["completed"], done["slo_valid"]) == (3, 2, 2)
    later = requests_of_run(meters(BEGIN + np.timedelta64(1, "s")), load_file=load)
    assert (later["started"], later["completed"]) == (2, 2)
    assert units_of_run(meters(BEGIN), load_file=load, unit_of_work="output_token")["units_completed"] == 12


def test_requests_in_bare_seconds_meet_a_meter_in_bare_seconds(table):
    done = requests_of_run(meters(None, 5000.0), load_file=table(vllm(THREE)), slo_latency_s=3.0)
    assert (done["started"], done["completed"], done["slo_valid"]) == (3, 2, 1)
    assert done["edge_work_share"] == 0
    assert done["notes"]["edge_work_share"] == "1 failed requests have no end in the file, and count as not crossing"


@pytest.mark.parametrize(("text", "origin", "why"), [
    (vllm(THREE), BEGIN, "share no clock with the meters"),
    (csv_of_seconds(THREE), BEGIN, "share no clock with the meters"),
    (aiperf(THREE), None, "share no clock with the meters"),
    (json.dumps({**json.loads(vllm(THREE)), "start_times": None}), BEGIN, "the file has no times of requests"),
    (json.dumps(AIPERF_SUMMARY), BEGIN, "the file has no times of requests"),
])
def test_what_shares_no_clock_gives_its_whole_run(table, text, origin, why):
    load = table(text)
    done = requests_of_run(meters(origin), load_file=load)
    assert (done["started"], done["completed"], done["slo_valid"], done["edge_work_share"]) == (3, 2, 2, None)
    assert why in done["notes"]["started"]
    assert why in done["notes"]["edge_work_share"]
    units = units_of_run(meters(origin), load_file=load, unit_of_work="token")
    assert units["units_completed"] == 42  # hand: 10 + 20 input and 5 + 7 output tokens
    assert why in units["notes"]["units_completed"]


def test_limits_need_no_common_clock(table):
    done = requests_of_run(meters(BEGIN), load_file=table(vllm(THREE)), slo_latency_s=3.0, slo_ttft_s=0.6)
    assert done["slo_valid"] == 1  # hand: 2.5 and 0.5 s; the other takes 4 and 1 s
    assert requests_of_run(meters(BEGIN), load_file=table(vllm(THREE)), slo_ttft_s=0.1)["slo_valid"] == 0
    totals = requests_of_run(meters(BEGIN), load_file=table(json.dumps(AIPERF_SUMMARY)), slo_latency_s=3.0)
    assert totals["slo_valid"] is None  # a summary knows no single request


@pytest.mark.parametrize("make", DATED.values(), ids=DATED)
@pytest.mark.parametrize("shift_s", [-86_400, 3600, 10**6])
def test_a_shift_of_all_clocks_changes_nothing(table, make, shift_s):
    first = requests_of_run(meters(BEGIN), load_file=table(make(THREE)), slo_latency_s=3.0)
    shifted = table(make([request.later(1000 * shift_s) for request in THREE]))
    second = requests_of_run(meters(BEGIN + np.timedelta64(shift_s, "s")), load_file=shifted, slo_latency_s=3.0)
    assert first == second
