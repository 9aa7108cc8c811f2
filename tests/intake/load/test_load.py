"""Files of load generators: the right numbers, the traps named, and what is said of files that cannot be used."""

import json

import numpy as np
import pytest

from joulebook.intake.load.summary import as_dict, rows
from joulebook.intake.tables import read_table

from .files import (
    AIPERF_SUMMARY,
    DETAIL,
    FORMATS,
    GENAI_SUMMARY,
    SUMMARY,
    TEXTS,
    THREE,
    Request,
    aiperf,
    aiperf_record,
    genai_perf,
    vllm,
)

# hand, for THREE: requests of 10 and 20 input and of 5 and 7 output tokens, 0.5 and 1 s to the first token and 0.5 s for each
# after it, so 0.5 + 4 x 0.5 = 2.5 s from 0 s on and 1 + 6 x 0.5 = 4 s from 1 s on; the third fails.
TOTALS = {"started": 3, "completed": 2, "failed": 1, "input_tokens": 30, "output_tokens": 12, "window_s": 5,
          "completed_per_s": 0.4, "input_tokens_per_s": 6, "output_tokens_per_s": 2.4, "latency_mean_s": 3.25,
          "latency_p50_s": 3.25, "latency_p99_s": 3.985, "latency_ttft_mean_s": 0.75, "latency_ttft_p99_s": 0.995,
          "latency_tpot_mean_s": 0.5}


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_run_gives_the_same_totals_in_every_format(read, name):
    load = read(TEXTS[name], name)
    assert {key: load.counted[key] for key in TOTALS} == pytest.approx(TOTALS, rel=1e-12)
    assert load.requests.ok.tolist() == [True, True, False]
    assert load.requests.input_tokens[:2].tolist() == [10, 20]
    if name != "profile_export.json":  # its tokens come with the answer
        assert load.requests.input_tokens[2] == 30  # the failed request's prompt was sent too
    assert load.requests.latency_s[:2] == pytest.approx([2.5, 4])
    assert np.isnan(load.requests.latency_s[2])
    assert not [note for note in load.notes if "states" in note]
    assert not load.left_out


def test_clocks(read):
    clocks = {name: read(text, name).clock for name, text in TEXTS.items()}
    assert clocks == {"vllm.json": "seconds", "profile_export.jsonl": "utc", "profile_export.json": "utc",
                      "seconds.csv": "seconds", "stamps.csv": "utc", "profile_export_aiperf.json": "unknown",
                      "profile_export_genai_perf.json": "unknown",
                      "mlperf_log_detail.txt": "unknown", "mlperf_log_summary.txt": "unknown"}
    for name in ("profile_export.jsonl", "profile_export.json", "stamps.csv"):
        assert read(TEXTS[name], name).origin == np.datetime64("2026-09-21T14:13:20", "ns")  # analytic: 1.79e9 s after 1970


# ---- vLLM


def test_vllm_states_what_its_requests_give(read):
    load = read(vllm(THREE, mean_ttft_ms=750.0, median_ttft_ms=750.0, p99_ttft_ms=995.0, mean_e2el_ms=3250.0, p99_itl_ms=500.0))
    assert load.stated["latency_ttft_p99_s"] == 0.995
    assert load.stated["latency_mean_s"] == 3.25
    assert load.stated["started"] == 3
    assert "goodput_per_s" not in load.stated
    for key in ("request_goodput", "request_goodput:"):  # as early versions spell it
        assert read(vllm(THREE, **{key: 0.2})).stated["goodput_per_s"] == 0.2
    assert [note for note in load.notes if "states" in note] == []


@pytest.mark.parametrize(("changes", "note"), [
    ({"completed": 3, "failed": 0}, "the file states completed 3, its requests give 2"),
    ({"total_output_tokens": 13}, "the file states output_tokens 13, its requests give 12"),
    ({"output_throughput": 2.5}, "the file states output_tokens_per_s 2.5, its requests give 2.4"),
    ({"duration": 2.0}, "the file states window_s 2, its requests give 5"),
    ({"mean_ttft_ms": 800.0}, "the file states latency_ttft_mean_s 0.8, its requests give 0.75"),
])
def test_vllm_a_disagreement_is_said(read, changes, note):
    assert note in read(vllm(THREE, **changes)).notes


def test_vllm_without_details_gives_totals(read):
    values = json.loads(vllm(THREE))
    for name in ("input_lens", "output_lens", "ttfts", "itls", "start_times", "generated_texts", "errors"):
        del values[name]
    load = read(json.dumps(values))
    assert load.requests is None
    assert load.clock == "unknown"
    assert load.missing["requests"] == "saved without --save-detailed"
    assert load.value("output_tokens_per_s") == 2.4


def test_vllm_failed_requests_keep_no_zeros(read):
    load = read(vllm(THREE))
    assert np.isnan([load.requests.output_tokens[2], load.requests.ttft_s[2], load.requests.latency_s[2]]).all()
    silent = read(vllm(THREE, errors=["", "", ""]))  # refused without a reason
    assert silent.requests.ok.tolist() == [True, True, False]
    assert "1 requests without a word of an error and without any answer count as failed" in silent.notes


def test_vllm_latencies_are_taken_where_they_are_saved(read):
    load = read(vllm(THREE, latencies=[2.5, 4.5, 0.2]))
    assert load.requests.latency_s[:2].tolist() == [2.5, 4.5]


def test_vllm_versions_without_start_times_join_no_clock(read):
    values = json.loads(vllm(THREE))
    del values["start_times"]
    load = read(json.dumps(values))
    assert load.clock == "unknown"
    assert load.missing["start_s"] == "this version of vLLM saves no start_times"
    assert load.counted["output_tokens_per_s"] == 2.4  # over the stated duration


def test_no_work_is_not_available(read):
    # C11 of the cases: totals stay, figures of no work are none
    load = read(vllm([THREE[2]]))
    assert load.counted["completed"] == 0
    assert load.missing["output_tokens_per_s"] == "no request was completed"
    assert load.missing["completed_per_s"] == "no request was completed"
    assert not {name for name in load.stated | load.counted if name.endswith("per_s") or "latency" in name}
    quiet = read(vllm([Request(0, 500, 0, 10, 1)], output_lens=[0], total_output_tokens=0, output_throughput=0.0))
    assert quiet.counted["output_tokens"] == 0
    assert "a rate of no work is not 0" in quiet.missing["output_tokens_per_s"]
    assert quiet.missing["latency_tpot_p99_s"] == "no completed request has its tpot_s"


def test_no_requests_at_all(read):
    for text in (vllm([]), genai_perf([])):
        load = read(text)
        assert load.counted == {"started": 0, "completed": 0, "failed": 0}
        assert load.missing["latency_p50_s"] == "no request was completed"


# ---- AIPerf and GenAI-Perf


def test_aiperf_warm_up_and_copies_are_left_out_and_counted(read):
    warm = aiperf_record(9, THREE[0])
    warm["metadata"]["benchmark_phase"] = "warmup"
    first = json.dumps(aiperf_record(0, THREE[0])) + "\n"
    load = read(json.dumps(warm) + "\n" + first + "\n" + first)
    assert load.left_out == {"warm-up": 1, "a copy of another record": 1}
    assert load.counted["started"] == 1


def test_aiperf_cancelled_requests_have_failed(read):
    record = aiperf_record(0, THREE[0])
    record["metadata"]["was_cancelled"] = True
    load = read(json.dumps(record))
    assert load.counted["failed"] == 1
    assert np.isnan(load.requests.output_tokens).all()


def test_aiperf_ends_on_another_clock_are_not_known(read):
    record = aiperf_record(0, THREE[2])
    record["metadata"]["request_end_ns"] = 4_440_670_232_134_296  # a counter of the machine, as early versions wrote it
    load = read(json.dumps(aiperf_record(1, THREE[0])) + "\n" + json.dumps(record))
    assert np.isnan(load.requests.end_s).tolist() == [False, True]
    assert "1 failed requests have no end on the clock of their start" in load.notes
    assert load.counted["failed"] == 1


def test_aiperf_units_are_read(read):
    record = aiperf_record(0, THREE[0])
    record["metrics"]["time_to_first_token"] = {"value": 0.5, "unit": "sec"}
    assert read(json.dumps(record)).requests.ttft_s.tolist() == [0.5]


def test_summaries(read):
    ai = read(json.dumps(AIPERF_SUMMARY))
    assert ai.generator == "AIPerf"
    assert {name: ai.stated[name] for name in TOTALS if name in ai.stated} == \
        pytest.approx({name: value for name, value in TOTALS.items() if name != "input_tokens_per_s"})
    genai = read(json.dumps(GENAI_SUMMARY))
    assert genai.generator == "GenAI-Perf"
    assert (genai.stated["input_tokens"], genai.stated["output_tokens"]) == (30, 12)  # hand: 15 and 6 of each of 2
    assert "output_tokens is the mean of a request times their count: the file states no total" in genai.notes
    good = {**GENAI_SUMMARY, "request_goodput": {"unit": "requests/sec", "avg": 0.2}}
    assert read(json.dumps(good)).stated["goodput_per_s"] == 0.2
    assert genai.missing["failed"] == "not in the file: it counts the requests that were answered"


def test_totals_that_contradict_each_other_are_told(read):
    wrong = {**AIPERF_SUMMARY, "output_token_throughput": {"unit": "tokens/sec", "avg": 24.0}}
    # hand: 12 tokens in 5 s
    assert "the file states output_tokens_per_s 24, its totals give 2.4" in read(json.dumps(wrong)).notes
    assert not [note for note in read(json.dumps(AIPERF_SUMMARY)).notes if "states" in note]


def test_a_run_of_no_time_has_no_length(read):
    made = read(json.dumps({**AIPERF_SUMMARY, "benchmark_duration": {"unit": "sec", "avg": 0.0}}))
    assert "window_s" not in made.stated
    assert made.missing["window_s"] == "the file states a run of no time"
    assert made.stated["output_tokens"] == 12


def test_genai_perf_counts_responses_with_content_alone(read):
    values = json.loads(genai_perf(THREE[:1]))
    request = values["experiments"][0]["requests"][0]
    role = {"response": 'data: {"choices": [{"delta": {"role": "assistant", "content": ""}}]}\n\n'}
    request["response_timestamps"].insert(0, request["timestamp"] + 10**6)
    request["response_outputs"].insert(0, role)
    load = read(json.dumps(values))
    assert load.requests.ttft_s.tolist() == pytest.approx([0.5])
    assert load.requests.latency_s.tolist() == pytest.approx([2.5])


def test_genai_perf_torn_and_joined_events(read):
    values = json.loads(genai_perf([Request(0, 500, 500, 10, 3)]))
    request = values["experiments"][0]["requests"][0]
    parts = [output["response"] for output in request["response_outputs"]]
    torn = [parts[0][:20], parts[0][20:] + parts[1], parts[2] + parts[3], parts[4]]
    start = request["timestamp"]
    request["response_outputs"] = [{"response": part} for part in torn]
    request["response_timestamps"] = [start + ms * 10**6 for ms in (400, 500, 1500, 1501)]
    load = read(json.dumps(values))
    assert load.requests.ttft_s.tolist() == pytest.approx([0.5])  # the first event is whole with the second response
    assert load.requests.latency_s.tolist() == pytest.approx([1.5])
    assert load.requests.output_tokens.tolist() == [3]


def test_genai_perf_without_usage_counts_no_tokens(read):
    values = json.loads(genai_perf(THREE[:1]))
    request = values["experiments"][0]["requests"][0]
    del request["response_outputs"][-2], request["response_timestamps"][-2]
    load = read(json.dumps(values))
    assert np.isnan(load.requests.output_tokens).all()
    assert "profile_export_genai_perf.json has their means" in load.missing["output_tokens"]
    assert "output_tokens_per_s" not in load.counted


def test_genai_perf_of_an_answer_at_once(read):
    answer = json.dumps({"object": "chat.completion", "choices": [{"message": {"content": "x\n\ny"}}],
                         "usage": {"prompt_tokens": 3, "completion_tokens": 4}}, indent=1).replace("\n", "\n\n", 1)
    values = json.loads(genai_perf(THREE[:1]))
    request = values["experiments"][0]["requests"][0]
    request["response_outputs"] = [{"response": answer}]
    request["response_timestamps"] = [request["timestamp"] + 2 * 10**9]
    load = read(json.dumps(values))
    assert load.requests.ok.tolist() == [True]
    assert (load.requests.latency_s.tolist(), load.requests.output_tokens.tolist()) == ([2.0], [4.0])


def test_genai_perf_against_triton(read):
    text = json.dumps({"experiments": [{"experiment": {"mode": "concurrency", "value": 1}, "requests": [
        {"timestamp": 1_790_000_000_000_000_000, "request_inputs": {"text_input": "a"},
         "response_timestamps": [1_790_000_000_300_000_000, 1_790_000_001_000_000_000, 1_790_000_001_100_000_000],
         "response_outputs": [{"text_output": "b"}, {"text_output": " c"}, {"text_output": ""}]}]}],
        "version": "1", "service_kind": "triton", "endpoint": ""})
    load = read(text)
    assert load.requests.ttft_s.tolist() == pytest.approx([0.3])
    assert load.requests.latency_s.tolist() == pytest.approx([1.0])


# ---- MLPerf


def test_mlperf_detail_log(read):
    # C04 of the cases: what was generated is not what was issued; latencies of MultiStream are those of a query of 8 samples
    load = read(DETAIL)
    assert load.stated == pytest.approx({"queries": 450, "latency_mean_s": 0.13, "latency_p99_s": 0.16, "window_s": 60})
    assert "latencies are those of whole queries, not of their samples" in load.notes
    assert "validity: VALID" in load.notes


def test_mlperf_logs_may_hold_bytes_of_other_encodings(read):
    commit = ':::MLLOG {"key": "loadgen_git_log_message", "value": "Añadir"}\n'.encode("latin-1")
    assert read(commit + DETAIL.encode()).stated["queries"] == 450


def test_mlperf_lines_that_are_broken_or_repeated_are_told(read):
    load = read(DETAIL + ':::MLLOG {"key": "result_query_count", "value": 7}\n')
    assert load.stated["queries"] == 450
    assert "result_query_count is there 2 times: the first is taken" in load.notes
    broken = read(DETAIL.replace('"value": 160000000, "time_ms": 0.1}', '"value": 1600'))
    assert broken.missing["latency_p99_s"] == "line 7 has no value for result_99.00_percentile_per_query_latency_ns"


def test_text_of_a_file_cannot_steer_a_terminal(read):
    notes = read(SUMMARY.replace("Scenario : Server", "Scenario : \x1b[2JServer\u202e")).notes
    assert "scenario: ?[2JServer?" in notes


def test_mlperf_summary(read):
    load = read(SUMMARY)
    assert load.stated == pytest.approx({"completed_samples_per_s": 28.46, "scheduled_samples_per_s": 28.8,
                                         "latency_mean_s": 3.848507, "latency_p99_s": 7.129352,
                                         "latency_ttft_mean_s": 0.25, "latency_ttft_p99_s": 0.41,
                                         "latency_tpot_p99_s": 0.03})
    assert any("inferred" in note for note in load.notes)  # a factor times the samples is no measured number of tokens


# ---- a table for topics, a summary for the command line


def test_the_file_as_a_table(tmp_path):
    path = tmp_path / "profile_export.jsonl"
    path.write_text(aiperf(THREE))
    table = read_table("load_file", path)
    assert table["end"].dt.strftime("%H:%M:%S.%f").tolist() == ["14:13:22.500000", "14:13:25.000000", "14:13:22.200000"]
    assert table["ok"].tolist() == [True, True, False]
    assert table.attrs["clock"] == "utc"
    assert table.attrs["counted"]["output_tokens"] == 12
    path.write_text(vllm(THREE))
    table = read_table("load_file", path)
    assert table["start"].tolist() == [5000, 5001, 5002]
    assert table["end"].isna().tolist() == [False, False, True]
    path.write_text(json.dumps(AIPERF_SUMMARY))
    table = read_table("load_file", path)
    assert len(table) == 0
    assert table["ok"].dtype == bool
    assert table.attrs["stated"]["output_tokens"] == 12


def test_summary(read):
    load = read(vllm(THREE, mean_ttft_ms=750.0))
    by_name = {row["name"]: row for row in rows(load)}
    assert by_name["output_tokens_per_s"] == {"name": "output_tokens_per_s", "title": "Output tokens a second", "unit": "1/s",
                                              "stated": 2.4, "counted": 2.4}
    assert by_name["latency_ttft_p99_s"]["title"] == "Time to first token, 99 % of requests at most"
    assert json.loads(json.dumps(as_dict(load)))["requests"] == 3
    for name, text in TEXTS.items():
        load = read(text, name)
        assert {row["name"] for row in rows(load)} == set(load.stated) | set(load.counted)


# ---- files that cannot be used


@pytest.mark.parametrize(("text", "words"), [
    ("", ["nothing in it", "allowed: the result JSON of vllm bench serve"]),
    ("{}", ["JSON of no known load generator", "profile_export.jsonl", "GenAI-Perf", "MLPerf"]),
    ('{"a": 1, "a": 2}', ["the key 'a' is there twice in an object"]),
    ("[1, 2]", ["JSON of no known load generator"]),
    ('{"duration": ', [":1: no JSON"]),
    ("hello\n", ["a file of no known load generator"]),
    ("start,end,ok\n1,2,true\n", ["input_tokens: missing column", "output_tokens: missing column"]),
    ("start;end;ok;input_tokens;output_tokens\n1;2;true;3;4\n", ["cells parted by semicolons", "commas between cells"]),
    ("start,end,ok,input_tokens,output_tokens,ttft_s\n0,1,true,1,1,2\n", ["load file:2: ttft_s: longer than the whole request"]),
    (vllm(THREE, duration=float("nan")), ["duration: not an allowed number; found nan; allowed: a finite number, above 0"]),
    (vllm(THREE, completed=2.5), ["completed: not an allowed whole number; found 2.5"]),
    (vllm(THREE, completed=None), ["completed: missing"]),
    (vllm(THREE, output_lens=[5, 7]), ["output_lens: not a list with one entry for each request; found '2 entries'"]),
    (vllm(THREE, ttfts=[0.5, -1.0, 0.0]), ["ttfts[1]: not an allowed number; found -1.0"]),
    (vllm(THREE, ttfts=[0.5, "1", 0.0]), ["ttfts[1]: not a number; found '1'"]),
    (vllm(THREE, itls=[[0.5], 3, []]), ["itls[1]: not a list"]),
    (vllm(THREE, errors=["", None, ""]), ["errors[1]: not a text"]),
    (vllm(THREE, total_input_tokens=10**400), ["total_input_tokens: not an allowed whole number"]),
    (vllm(THREE) + "\n" + vllm(THREE), ["several results in one file; found 2"]),
    (aiperf(THREE)[:-40], [":3: a line cut short or no JSON"]),
    (aiperf(THREE).replace('"unit": "ms"', '"unit": "fortnights"', 1), [":1: metrics.time_to_first_token: a value"]),
    (aiperf(THREE) + aiperf(THREE).replace("500.0", "501.0"), [":4: metadata.x_request_id: another request with the id of"]),
    (aiperf(THREE).replace('"request_start_ns": 179', '"request_start_ns": 1', 1), [":1: metadata.request_start_ns: no time of"]),
    (aiperf(THREE) + '{"a": 1, "a": 2}\n', [":4: the key 'a' is there twice in an object"]),
    (aiperf(THREE).replace('"unit": "ms"', '"unit": ["ms"]', 1), [":1: metrics.time_to_first_token: a value without a"]),
    (aiperf(THREE) + "{}\n", [":4: no record of a request"]),
    (json.dumps({**GENAI_SUMMARY, "request_count": {"unit": "s", "avg": 2}}), ["request_count.unit: a metric without a known"]),
    (json.dumps({**GENAI_SUMMARY, "request_count": {"unit": "count", "avg": 2.5}}), ["request_count.avg: not an allowed whole"]),
    (genai_perf(THREE).replace('"experiments": [', '"experiments": [{}, '), ["experiments: not one experiment; found 2"]),
    (DETAIL.replace("450", "-450"), ["result_query_count: not allowed; found -450"]),
    (DETAIL.replace("13:34:20.500", "13:32:20.500"), ["power_end: the run ends before it begins"]),
    (SUMMARY.replace("28.46", "fast"), ["Completed samples per second: not a number that is allowed; found 'fast'"]),
    (SUMMARY + SUMMARY, ["Completed samples per second: a line that is there twice"]),
    ("MLPerf Results Summary\n", ["no figure of a run in it"]),
    (TEXTS["vllm.json"].encode("utf-16"), ["not UTF-8 but UTF-16"]),
])
def test_refusals(refusal, text, words):
    said = refusal(text)
    for part in words:
        assert part in said, said


def test_all_problems_at_once_and_the_rest_counted(refusal):
    said = refusal(vllm(THREE * 20, ttfts=[-1.0] * 60))
    assert len(said.split("\n")) == 21
    assert "and 40 more" in said
