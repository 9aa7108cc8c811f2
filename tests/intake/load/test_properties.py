"""What holds for any run, in every format: order changes nothing, tokens add up, a shift of clocks changes no length of time."""

import json
from dataclasses import astuple
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from joulebook.intake.load import read_load
from joulebook.method.request_totals import Requests, totals

from .files import FORMATS, Request, vllm

REQUESTS = st.lists(st.builds(Request, start_ms=st.integers(0, 10**6), ttft_ms=st.integers(1, 10**5),
                              gap_ms=st.integers(1, 10**3), input_tokens=st.integers(1, 10**5),
                              output_tokens=st.integers(1, 40), ok=st.booleans()),
                    min_size=1, max_size=12, unique=True)
LENGTHS = ("ttft_s", "tpot_s", "latency_s")


def run(make, requests):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "load file"
        path.write_text(make(requests))
        return read_load(path)


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=25, deadline=None)
@given(REQUESTS, st.randoms(use_true_random=False))
def test_the_order_of_requests_changes_nothing(name, requests, random):
    mixed = random.sample(requests, len(requests))
    first, second = run(FORMATS[name], requests), run(FORMATS[name], mixed)
    assert set(first.counted) == set(second.counted)
    assert second.counted == pytest.approx(first.counted, rel=1e-12)
    assert second.missing == first.missing


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=25, deadline=None)
@given(REQUESTS)
def test_tokens_and_requests_add_up(name, requests):
    load = run(FORMATS[name], requests)
    done = [request for request in requests if request.ok]
    assert load.counted["started"] == len(requests) == load.counted["completed"] + load.counted["failed"]
    assert load.value("completed") == len(done)
    if done:  # analytic: sums of what was written
        assert load.counted["input_tokens"] == sum(request.input_tokens for request in done)
        assert load.counted["output_tokens"] == sum(request.output_tokens for request in done)
        rate = load.counted["output_tokens_per_s"] / load.counted["completed_per_s"]
        assert rate == pytest.approx(load.counted["output_tokens"] / load.counted["completed"])
    else:
        assert "output_tokens_per_s" not in load.counted
    assert not any(np.isnan(value) or np.isinf(value) for value in load.counted.values())
    assert not [note for note in load.notes if "states" in note]


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "profile_export.json"])
@settings(max_examples=25, deadline=None)
@given(REQUESTS)
def test_every_format_tells_the_same_run(name, requests):
    load = run(FORMATS[name], requests)
    ours, theirs = load.requests, run(FORMATS["profile_export.json"], requests).requests
    assert ours.ok.tolist() == theirs.ok.tolist()
    for field in (*LENGTHS, "output_tokens"):
        values = getattr(ours, field)[ours.ok]
        assert values == pytest.approx(getattr(theirs, field)[theirs.ok], rel=1e-6, nan_ok=True), field


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=25, deadline=None)
@given(REQUESTS, st.integers(0, 10**9))
def test_a_shift_of_all_clocks_changes_no_length_of_time(name, requests, shift_ms):
    first, second = run(FORMATS[name], requests), run(FORMATS[name], [request.later(shift_ms) for request in requests])
    assert second.counted == pytest.approx(first.counted, rel=1e-6)
    for field in LENGTHS:
        assert getattr(second.requests, field) == pytest.approx(getattr(first.requests, field), abs=1e-6, nan_ok=True)


def test_requests_without_times_have_no_rates_of_their_own():
    nan = np.full(1, np.nan)
    values, missing = totals(Requests(nan, nan, np.array([True]), nan + 1, np.array([8.0]), nan, nan, nan))
    assert values["output_tokens"] == 8
    assert missing["output_tokens_per_s"] == "the requests have no times"
    assert missing["input_tokens"] == "1 of 1 completed requests do not have theirs"
    assert totals(Requests(nan, nan, np.array([True]), nan, np.array([8.0]), nan, nan, nan), 4.0)[0]["output_tokens_per_s"] == 2


def test_requests_that_take_no_time_have_no_rate():
    zero = np.zeros(1)
    values, missing = totals(Requests(zero, zero, np.array([True]), zero, zero + 5, zero, zero, zero))
    assert missing["window_s"] == missing["output_tokens_per_s"] == "the requests take no time"
    assert "window_s" not in values


def test_requests_are_taken_whole():
    load = run(vllm, [Request(0, 500, 500, 10, 5), Request(10, 500, 500, 20, 6)])
    assert [column.tolist() for column in astuple(load.requests.take([1]))][3:5] == [[20.0], [6.0]]
    assert json.loads(json.dumps(load.stated))
