"""Files of load generators, made up: the same requests in every format."""

import json
from dataclasses import dataclass, replace

EPOCH_NS = 1_790_000_000 * 10**9  # 2026-09-21T13:33:20Z


@dataclass(frozen=True)
class Request:
    """A request: times in ms from the begin of the run; a failed one ends after `ttft_ms` and has no output."""

    start_ms: int
    ttft_ms: int
    gap_ms: int
    input_tokens: int
    output_tokens: int
    ok: bool = True

    @property
    def latency_ms(self):
        return self.ttft_ms + self.gap_ms * (self.output_tokens - 1)

    @property
    def end_ms(self):
        return self.start_ms + (self.latency_ms if self.ok else self.ttft_ms)

    def later(self, shift_ms):
        return replace(self, start_ms=self.start_ms + shift_ms)


THREE = [Request(0, 500, 500, 10, 5), Request(1000, 1000, 500, 20, 7), Request(2000, 200, 0, 30, 0, ok=False)]


def vllm(requests, **changes):
    """Result of ``vllm bench serve --save-result --save-detailed``, with the totals as they are."""
    done = [request for request in requests if request.ok]
    begin_ms, end_ms = min((r.start_ms for r in requests), default=0), max((r.end_ms for r in requests), default=1)
    duration = (end_ms - begin_ms) / 1000
    tokens_in, tokens_out = (sum(getattr(r, name) for r in done) for name in ("input_tokens", "output_tokens"))
    values = {
        "date": "20260921-153330", "endpoint_type": "openai", "backend": "openai", "label": None, "model_id": "acme/small",
        "tokenizer_id": "acme/small", "num_prompts": len(requests), "request_rate": "inf", "burstiness": 1.0,
        "max_concurrency": 8, "duration": duration, "completed": len(done),
        "failed": len(requests) - len(done), "total_input_tokens": tokens_in,
        "total_output_tokens": tokens_out, "request_throughput": len(done) / duration, "request_goodput": None,
        "output_throughput": tokens_out / duration, "total_token_throughput": (tokens_in + tokens_out) / duration,
        "input_lens": [r.input_tokens for r in requests], "output_lens": [r.output_tokens if r.ok else 0 for r in requests],
        "ttfts": [r.ttft_ms / 1000 if r.ok else 0.0 for r in requests],
        "itls": [[r.gap_ms / 1000] * (r.output_tokens - 1) if r.ok else [] for r in requests],
        "start_times": [5000 + r.start_ms / 1000 for r in requests], "generated_texts": ["x" * r.output_tokens for r in requests],
        "errors": ["" if r.ok else "Bad Gateway" for r in requests], "max_concurrent_requests": 3,
    }
    return json.dumps({**values, **changes})


def aiperf_record(number, request):
    """A record of AIPerf."""
    start, end = (EPOCH_NS + ms * 10**6 for ms in (request.start_ms, request.end_ms))
    metadata = {"session_num": number, "x_request_id": f"id-{number}-{request.start_ms}", "turn_index": 0,
                "request_start_ns": start, "request_ack_ns": None, "request_end_ns": end,
                "benchmark_phase": "profiling", "was_cancelled": False,
                "cancellation_time_ns": None}
    if not request.ok:
        error = {"code": 502, "type": "BadGateway", "message": "no answer"}
        return {"metadata": metadata, "metrics": {"error_isl": {"value": request.input_tokens, "unit": "tokens"}}, "error": error}
    metrics = {"input_sequence_length": {"value": request.input_tokens, "unit": "tokens"},
               "output_sequence_length": {"value": request.output_tokens, "unit": "tokens"},
               "time_to_first_token": {"value": float(request.ttft_ms), "unit": "ms"},
               "request_latency": {"value": float(request.latency_ms), "unit": "ms"}}
    if request.output_tokens > 1:
        metrics["inter_token_latency"] = {"value": float(request.gap_ms), "unit": "ms"}
    return {"metadata": metadata, "metrics": metrics, "error": None}


def aiperf(requests):
    """``profile_export.jsonl`` of AIPerf."""
    return "".join(json.dumps(aiperf_record(number, request)) + "\n" for number, request in enumerate(requests))


def genai_perf(requests):
    """``profile_export.json`` of GenAI-Perf against an OpenAI endpoint that streams and tells its usage."""
    return json.dumps({"experiments": [{"experiment": {"mode": "concurrency", "value": 8},
                                        "requests": [_genai_request(request) for request in requests], "window_boundaries": []}],
                       "version": "1.2.3", "service_kind": "openai", "endpoint": "v1/chat/completions"})


def _genai_request(request):
    start = EPOCH_NS + request.start_ms * 10**6
    if not request.ok:
        times, parts = [request.ttft_ms], ["data: " + json.dumps({"error": {"message": "no answer"}})]
    else:
        chunk = {"object": "chat.completion.chunk"}
        times = [request.ttft_ms + request.gap_ms * number for number in range(request.output_tokens)]
        parts = ["data: " + json.dumps({**chunk, "choices": [{"delta": {"content": "x"}}]})] * len(times)
        usage = {"prompt_tokens": request.input_tokens, "completion_tokens": request.output_tokens}
        parts = [*parts, "data: " + json.dumps({**chunk, "choices": [], "usage": usage}), "data: [DONE]"]
        times = [*times, request.latency_ms + 1, request.latency_ms + 2]  # no token comes with these
    return {"timestamp": start, "request_inputs": {"payload": "{}"},
            "response_timestamps": [start + ms * 10**6 for ms in times],
            "response_outputs": [{"response": part + "\n\n"} for part in parts]}


def csv_of_seconds(requests):
    """A CSV of requests in bare seconds."""
    return _csv(requests, lambda ms: repr(ms / 1000))


def csv_of_stamps(requests):
    """A CSV of requests with stamps, at an offset of two hours."""
    import numpy as np

    return _csv(requests, lambda ms: f"{np.datetime64(EPOCH_NS // 10**6 + ms + 7_200_000, 'ms')}+02:00")


def _csv(requests, stamp):
    rows = [f"{stamp(r.start_ms)},{stamp(r.end_ms)},{str(r.ok).lower()},{r.input_tokens},{r.output_tokens},"
            f"{r.ttft_ms / 1000 if r.ok else ''}\n" for r in requests]
    return "start,end,ok,input_tokens,output_tokens,ttft_s\n" + "".join(rows)


FORMATS = {"vllm.json": vllm, "profile_export.jsonl": aiperf, "profile_export.json": genai_perf, "seconds.csv": csv_of_seconds,
           "stamps.csv": csv_of_stamps}
AIPERF_SUMMARY = {
    "schema_version": "1.0", "aiperf_version": "0.14.0", "benchmark_id": "b",
    "request_throughput": {"unit": "requests/sec", "avg": 0.4},
    "request_latency": {"unit": "ms", "avg": 3250.0, "p50": 3250.0, "p90": 3850.0, "p99": 3985.0, "min": 2500.0, "max": 4000.0},
    "request_count": {"unit": "requests", "avg": 2.0}, "error_request_count": {"unit": "requests", "avg": 1.0},
    "time_to_first_token": {"unit": "ms", "avg": 750.0, "p50": 750.0, "p99": 995.0},
    "inter_token_latency": {"unit": "ms", "avg": 500.0, "p50": 500.0, "p99": 500.0},
    "output_token_throughput": {"unit": "tokens/sec", "avg": 2.4}, "total_isl": {"unit": "tokens", "avg": 30.0},
    "total_osl": {"unit": "tokens", "avg": 12.0}, "benchmark_duration": {"unit": "sec", "avg": 5.0}, "input_config": {},
}
GENAI_SUMMARY = {
    "request_throughput": {"unit": "requests/sec", "avg": 0.4}, "request_latency": {"unit": "ms", "avg": 3250.0, "p99": 3985.0},
    "request_count": {"unit": "count", "avg": 2.0}, "time_to_first_token": {"unit": "ms", "avg": 750.0, "p99": 995.0},
    "output_token_throughput": {"unit": "tokens/sec", "avg": 2.4}, "input_sequence_length": {"unit": "tokens", "avg": 15.0},
    "output_sequence_length": {"unit": "tokens", "avg": 6.0}, "input_config": {"model": ["acme/small"]},
}
DETAIL = "".join(f':::MLLOG {{"key": {json.dumps(key)}, "value": {json.dumps(value)}, "time_ms": 0.1}}\n' for key, value in (
    ("power_begin", "09-21-2026 13:33:20.500"), ("effective_scenario", "MultiStream"), ("generated_query_count", 270336),
    ("result_validity", "VALID"), ("result_query_count", 450), ("result_mean_query_latency_ns", 130_000_000),
    ("result_99.00_percentile_per_query_latency_ns", 160_000_000), ("result_mean_latency_ns", 90_000_000),
    ("result_99.00_percentile_latency_ns", 155_000_000), ("power_end", "09-21-2026 13:34:20.500")))
SUMMARY = """================================================
MLPerf Results Summary
================================================
SUT name : acme
Scenario : Server
Mode     : PerformanceOnly
Completed samples per second    : 28.46
Tokens per second (inferred): 252.597
Result is : VALID
  Min duration satisfied : Yes

================================================
Additional Stats
================================================
Scheduled samples per second : 28.80
Mean latency (ns)               : 3848507000
99.00 percentile latency (ns)   : 7129352000
Mean First Token latency (ns)               : 250000000
99.00 percentile first token latency (ns)   : 410000000
99.00 percentile time to output token (ns)   : 30000000
"""
TEXTS = {**{name: make(THREE) for name, make in FORMATS.items()}, "profile_export_aiperf.json": json.dumps(AIPERF_SUMMARY),
         "profile_export_genai_perf.json": json.dumps(GENAI_SUMMARY), "mlperf_log_detail.txt": DETAIL,
         "mlperf_log_summary.txt": SUMMARY}
