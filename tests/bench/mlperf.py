"""A tree of MLPerf inference results read against a plain loop with `csv` and `datetime.strptime` that gives the same fields."""

import csv
import json
import math
import os
import random
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from statistics import median

from joulebook.intake.mlperf import as_rows, find_results
from tests.bench.arithmetic import best

RESULTS = 200
_LINES = 200
_LENGTHS = (*13 * (616,), *4 * (900,), *3 * (2000,))  # samples: as long in the mean, 880, as published closed runs are (881)
_MODELS = ("resnet50", "bert-99", "bert-99.9", "retinanet", "rnnt")
_SCENARIOS = ("Offline", "Server", "SingleStream", "MultiStream")
_STAMP = "%m-%d-%Y %H:%M:%S.%f"
_START = datetime(2024, 7, 1, 8, 0, 0)
_RELEVANT = ("number_of_nodes", "host_processor_model_name", "host_processors_per_node", "host_memory_capacity",
             "accelerator_model_name", "accelerators_per_node", "cooling", "power_supply_details",
             "power_supply_quantity_and_rating_watts", "power_management", "boot_firmware_version", "host_networking",
             "framework", "operating_system")
_TOLERANCE = 1e-9


def lay_out(folder):
    """Write the tree: made-up results of one round, each with its ranging run, its session and its system."""
    chance = random.Random(1)
    for number in range(RESULTS):
        system, benchmark = f"box-{number // 20}", _MODELS[number // 4 % 5]
        scenario = _SCENARIOS[number % 4]
        result = folder / "v4.1" / "closed" / "Acme" / "results" / system / benchmark / scenario
        begin = _START + timedelta(seconds=3000 * number)
        for part in ("ranging", "run_1"):
            _run(result / "performance" / part, scenario, begin, _LENGTHS[number % 20], number % 3 == 0, chance)
        (result / "performance" / "power").mkdir()
        for name in ("client.json", "server.json"):
            (result / "performance" / "power" / name).write_text('{"timezone": 0}', encoding="utf-8")
        (result / "systems").mkdir()
        described = {"division": "closed", "number_of_nodes": 1, "cooling": "air", "framework": "made up", "power_management": ""}
        (result / "systems" / f"{system}.json").write_text(json.dumps(described), encoding="utf-8")


def _stamp(time):
    return time.strftime(_STAMP)[:-3]


def _run(folder, scenario, begin, length, split, chance):
    """Write a run; one of three published runs is metered by channels."""
    folder.mkdir(parents=True)
    power_w = chance.uniform(50, 9000)
    rows = []
    for second in range(length + 40):
        read = -2.0 if second == 300 else chance.gauss(power_w, power_w / 100)
        time = _stamp(begin + timedelta(seconds=second, milliseconds=chance.randrange(3)))
        row = f"Time,{time},Watts,{read:.6f},Volts,230.120000,Amps,{read / 230:.6f},PF,0.981000,Mark,2024_testing"
        for channel in (1, 2, 3) if split else ():
            row += f",Ch{channel},Watts,{read / 3:.6f},Volts,230.120000,Amps,{read / 690:.6f},PF,0.981000"
        rows.append(row + "\n")
    (folder / "spl.txt").write_text("".join(rows), encoding="utf-8")
    keys = {"power_begin": _stamp(begin + timedelta(seconds=20.5)), "power_end": _stamp(begin + timedelta(seconds=length + 20.5)),
            "effective_scenario": scenario, "result_validity": "VALID", "result_query_count": 123456,
            "result_samples_per_second": 1234.5, "result_scheduled_samples_per_sec": 1000.25,
            "result_completed_samples_per_sec": 999.75, "early_stopping_latency_ss": 5_000_000,
            "early_stopping_latency_ms": 9_000_000}
    keys = dict(list(keys.items())[:1]) | {f"setting_{i}": i for i in range(_LINES)} | dict(list(keys.items())[1:])
    more = {"time_ms": 1.25, "namespace": "mlperf::logging", "event_type": "POINT_IN_TIME",
            "metadata": {"is_error": False, "is_warning": False, "file": "loadgen.cc", "line_no": 1, "pid": 1, "tid": 1}}
    lines = [f":::MLLOG {json.dumps({'key': key, 'value': value, **more})}\n" for key, value in keys.items()]
    (folder / "mlperf_log_detail.txt").write_text("".join(lines), encoding="utf-8")


def plain(folder):
    """The same fields by a plain loop: csv, strptime, json, arithmetic row by row."""
    rows = []
    for name, folders, _ in os.walk(folder):
        folders.sort()
        if name.endswith("performance/run_1"):
            rows.append(_plain(Path(name)))
    return rows


def _plain(run):
    keys = {}
    with (run / "mlperf_log_detail.txt").open(encoding="utf-8") as file:
        for line in file:
            if ":::MLLOG" in line:
                record = json.loads(line[line.index("{"):])
                keys.setdefault(record["key"], record["value"])
    begin, end = (datetime.strptime(keys[key], _STAMP) for key in ("power_begin", "power_end"))
    length = (end - begin).total_seconds()
    times, watts, channels = [], [], None
    with (run / "spl.txt").open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            if row and row[0] == "Time":
                times.append((datetime.strptime(row[1], _STAMP) - begin).total_seconds())
                watts.append(float(row[3]))
                if channels is None:
                    channels = sum(field.startswith("Ch") for field in row) or 1
    inside = [i for i, time in enumerate(times) if 0 < time < length]
    used = [watts[i] for i in inside if watts[i] > 0]
    average = sum(used) / len(used)
    kept = [(time, power) for time, power in zip(times, watts, strict=True) if power > 0]
    interval = median(b[0] - a[0] for a, b in pairwise(kept))
    energy = covered = 0.0
    for (t, p), (u, q) in pairwise(kept):
        if u - t <= 3 * interval * (1 + 1e-9) and u > 0 and t < length:
            a, b = max(t, 0.0), min(u, length)
            slope = (q - p) / (u - t)
            energy += (2 * p + slope * (a - t + b - t)) / 2 * (b - a)
            covered += b - a
    parts = run.parts
    at = parts.index("v4.1")
    described = json.loads(next((run.parents[1] / "systems").glob("*.json")).read_text(encoding="utf-8"))
    filled = {key for key, value in described.items() if value not in ("", None)}
    row = {"path": "/".join(parts[at:-2]), "suite": "inference", "round": "v4.1", "division": parts[at + 1],
           "submitter": parts[at + 2], "system": parts[at + 4], "benchmark": parts[at + 5], "scenario": parts[at + 6],
           "effective_scenario": keys["effective_scenario"], "power_begin": keys["power_begin"], "power_end": keys["power_end"],
           "duration_s": length, "n_samples": len(inside), "n_nonpositive": len(inside) - len(used),
           "max_gap_s": max(times[j] - times[i] for i, j in pairwise(inside)), "avg_power_w": average,
           "result_query_count": keys["result_query_count"], "how": "official", "energy_mean_x_duration_j": average * length,
           "all_rows_avg_power_w": sum(watts[i] for i in inside) / len(inside), "integral_energy_j": energy,
           "integral_difference_j": energy - average * length, "boundary": "server",
           "integral_difference_pct": 100 * (energy / (average * length) - 1), "coverage": covered / length, "channels": channels,
           "validity": keys["result_validity"], "disclosure_share": len(filled) / len(described),
           "disclosure_missing": ", ".join(name for name in _RELEVANT if name not in filled)}
    return row | _work(row, keys)


def _work(row, keys):
    """Metric, performance and work of a scenario."""
    average, length, scenario = row["avg_power_w"], row["duration_s"], row["scenario"]
    if scenario in ("SingleStream", "MultiStream"):
        samples, key = (1, "early_stopping_latency_ss") if scenario == "SingleStream" else (8, "early_stopping_latency_ms")
        metric, latency = average * length * 1000 / keys["result_query_count"], keys[key] / 1e6
        return {"power_metric": metric, "power_unit": "mJ/query", "power_metric_of_round": metric,
                "power_unit_of_round": "mJ/query", "perf": latency, "latency_ms": latency, "perf_unit": "Latency (ms)",
                "efficiency_per_j": 1000 * samples / metric,
                "throughput_per_s": keys["result_query_count"] * samples / length, "unit_of_work": "sample"}
    metric = {"power_metric": average, "power_unit": "W", "power_metric_of_round": average, "power_unit_of_round": "W",
              "energy_per_completed_sample_j": average / keys["result_completed_samples_per_sec"]}
    if scenario == "Offline":
        perf, unit, work = keys["result_samples_per_second"], "Samples/s", "sample"
    else:
        perf, unit, work = keys["result_completed_samples_per_sec"], "Queries/s", "query"
        metric |= {"scheduled_per_s": keys["result_scheduled_samples_per_sec"], "completed_per_s": perf}
    return metric | {"perf": perf, "perf_unit": unit, "perf_unit_published": unit, "efficiency_per_j": perf / average,
                     "throughput_per_s": perf, "unit_of_work": work}


def ours(folder):
    """The rows as ``joulebook mlperf --no-validity`` makes them."""
    results, skipped, problems = find_results([folder], validity=False, digests=False)
    if skipped or problems:
        raise AssertionError([*skipped, *problems])
    return as_rows(results)


def differences(folder):
    """Fields in which the two ways differ."""
    found = []
    rows = (sorted(way(folder), key=lambda row: row["path"]) for way in (plain, ours))
    for due, got in zip(*rows, strict=True):
        filled = {name for name, value in got.items() if value not in (None, "")}
        found += [(due["path"], name) for name in filled ^ due.keys()]
        found += [(due["path"], name) for name in filled & due.keys() if not _same(due[name], got[name])]
    return found


def _same(a, b):
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=_TOLERANCE, abs_tol=1e-6)
    return a == b


def tree(bench):
    """Two hundred results, the better of two runs of each way."""
    folder = bench.folder / "mlperf"
    if not folder.exists():
        lay_out(folder)
        if wrong := differences(folder):
            raise AssertionError(f"{len(wrong)} fields differ, such as {wrong[:5]}")
    return tuple(best(lambda way=way: way(folder), 2) for way in (plain, ours))


ROWS = {"mlperf-tree": (f"{RESULTS} MLPerf results, rules unchecked", "csv and datetime.strptime in a loop", tree)}
