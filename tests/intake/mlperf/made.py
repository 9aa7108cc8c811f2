"""Small logs of the form of MLPerf's, made up, with values that are worked by hand."""

import hashlib
import json
import struct
from datetime import datetime, timedelta

import pytest

from joulebook.intake.mlperf import find_results
from tests.conftest import SHARED

SAMPLES = SHARED / "mlperf" / "samples"
START = datetime(2024, 3, 1, 10, 0, 0)
published = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the published MLPerf logs are not here")


def stamp(seconds):
    return (START + timedelta(seconds=seconds)).strftime("%m-%d-%Y %H:%M:%S.%f")[:-3]


def row(seconds, watts, more=""):
    return f"Time,{stamp(seconds)},Watts,{watts},Volts,230.000000,Amps,1.000000,PF,0.950000,Mark,made_up_testing{more}"


def record(key, value):
    return f":::MLLOG {json.dumps({'key': key, 'value': value, 'time_ms': 1.0, 'namespace': 'mlperf::logging'})}"


def run(folder, rows=None, begin=0.5, end=60.5, newline="\n", detail=None, mark=b"", **keys):
    """Write the two logs of a run; returns its folder. Rows default to 60 W each second from 0 to 61."""
    folder.mkdir(parents=True)
    rows = [row(second, "60.000000") for second in range(62)] if rows is None else rows
    keys = {"effective_scenario": "Offline", "power_begin": stamp(begin), "power_end": stamp(end)} | keys
    detail = [record(key, value) for key, value in keys.items() if value is not None] if detail is None else detail
    (folder / "spl.txt").write_bytes(mark + newline.join([*rows, ""]).encode())
    (folder / "mlperf_log_detail.txt").write_bytes(mark + newline.join([*detail, ""]).encode())
    return folder


def one(path):
    results, skipped, problems = find_results([path])
    assert ([str(problem) for problem in problems], skipped) == ([], [])
    (result,) = results
    return result


def problems_of(path):
    results, _, problems = find_results([path])
    assert results == []
    return problems


def epoch(seconds):
    """Seconds since 1970 of a time of `START`, read as UTC."""
    return (START - datetime(1970, 1, 1)).total_seconds() + seconds


def submission(folder, seconds=602, ranging_w="60.000000", ranging_s=None, watts="60.000000", late_ms=0.0, zones=(0, 0), ptd=None,
               client=None, server=None, **keys):
    """Write a whole power result: the run of so many seconds, its ranging run, both sides of the session, the daemon's log."""
    performance, ranging_s = folder / "performance", seconds if ranging_s is None else ranging_s
    session = "2024-03-01_09-00-00"
    before = -ranging_s - 100

    def rows(begin, length, power, phase):
        return [row(second, power).replace("made_up_testing", f"{session}_{phase}") for second in range(begin, begin + length)]

    keys = {"result_validity": "VALID", "result_samples_per_second": 900.0} | keys
    begin, end = 0.5, seconds - 1.5
    run(performance / "run_1", rows(0, seconds, watts, "testing"), begin, end, **keys)
    run(performance / "ranging", rows(before, ranging_s, ranging_w, "ranging"), before + 0.5, before + ranging_s - 1.5, **keys)
    phases = {"ranging": [before - 20, before - 5, -95, -90], "testing": [-20, -5, seconds + 5, seconds + 10]}
    (performance / "power").mkdir()
    lines = [f"{stamp(before - 10)}: Uncertainty checking for YokogawaWT310 is activated",
             f"{stamp(before - 2)}: Go with mark '{session}_ranging'",
             f"{stamp(before)}: ERROR: Can't evaluate uncertainty of this sample!", f"{stamp(-97)}: Completed test",
             f"{stamp(-3)}: Go with mark '{session}_testing'", f"{stamp(seconds + 3)}: Completed test"]
    lines = lines if ptd is None else ptd(lines)
    (performance / "power" / "ptd_logs.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")
    sha1 = {f"{part}/{name}": hashlib.sha1((performance / part / name).read_bytes()).hexdigest()
            for part in ("run_1", "ranging") for name in ("spl.txt", "mlperf_log_detail.txt")}
    sides = ("client", 0.0, zones[0], client), ("server", late_ms / 1000, zones[1], server)
    for name, late, zone, changed in sides:
        side = {"version": "1.0", "timezone": zone, "session_name": session, "uuid": {"client": "c-1", "server": "s-1"},
                "sources": {"lib/client.py": "1" * 40, "lib/server.py": "2" * 40}, "results": dict(sha1),
                "messages": [{"cmd": "mlcommons/power client v3", "reply": "mlcommons/power server v3"},
                             {"cmd": "time", "reply": name}],
                "phases": {phase: [[epoch(time) + late, 1.0] for time in times] for phase, times in phases.items()}}
        if name == "server":
            side |= {"ptd_config": {"device_type": 49}, "ptd_messages": [{"cmd": "Identify", "reply": "YokogawaWT310,1000"}]}
        side = side if changed is None else changed(side)
        (performance / "power" / f"{name}.json").write_text(json.dumps(side), encoding="utf-8")
    return folder


def tiny(folder, energies=(40.0, 44.0, 42.0, 43.0, 41.0), inferences=4, median="10.500", name="results.txt", length=11.0,
         text=None):
    """Write a Tiny result of the older runners, each window of so many microjoules."""
    lines = []
    for place, energy in enumerate(energies):
        begin = 1 + 12 * place
        lines += [f"00010.001 ulp-ml: Energy data for window {2 * place + 2} at time {begin:.2f} for {length:.2f} sec.:",
                  f"00010.001 ulp-ml:   Energy       :  {energy:.3f} uJ",
                  f"00010.001 ulp-ml:   Power        :  {energy / length:.3f} uW",
                  f"00010.001 ulp-ml:   Energy/Inf.  :  {energy / inferences:.3f} uJ/inf."]
    lines += [f"00010.002 ulp-ml: Median energy cost is {median} uJ/inf."] if median else []
    for place in range(len(energies)):
        lines += [f"00010.003 ulp-ml: Performance results for window {2 * place + 2}:",
                  f"00010.003 ulp-ml:   # Inferences :  {inferences}", f"00010.003 ulp-ml:   Runtime      :  {length:.3f} sec."]
    (folder / "energy").mkdir(parents=True)
    (folder / "energy" / name).write_text("\n".join(lines) if text is None else text, encoding="utf-8")
    return folder


def trace(folder, energies, length=11.0, rate=10.0):
    """Write the trace of a Tiny result: windows that begin at 1 s, 13 s and so on, nothing between them."""
    samples, times = [0.0] * int(rate), [0.1]
    for place, energy in enumerate(energies):
        samples += [energy / (length * rate)] * int(length * rate) + [0.0] * int(rate)
        times += [1 + 12.0 * place, 1 + 12.0 * place + length]
    (folder / "energy" / "trace1-energy.bin").write_bytes(b"\xf1" + struct.pack(f"<{len(samples) + 1}f", rate, *samples))
    (folder / "energy" / "trace1-timestamps.json").write_text(json.dumps(times), encoding="utf-8")


def event(key, value, seconds, **metadata):
    return f":::MLLOG {json.dumps({'key': key, 'value': value, 'time_ms': round(1000 * seconds), 'metadata': metadata})}"


def node(path, power_w=1000.0, seconds=100, efficiency=0.9, start=1000.0, step=1.0):
    """Write a node's power file: a reading each `step` seconds."""
    count = round(seconds / step)
    lines = [event("power_measurement_start", None, start)]
    lines += [event("conversion_eff", efficiency, start, measurement_type="AC")] if efficiency is not None else []
    lines += [event("power_reading", power_w, start + step * (i + 1)) for i in range(count)]
    lines += [event("power_measurement_stop", None, start + seconds)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def training(folder, run_name="result_0", length=80.0, nodes=1, status="success", **how):
    """Write one run of a training result: from 10 s after the measurement starts."""
    start = how.get("start", 1000.0)
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["0: " + event("run_start", None, start + 10), "0: " + event("run_stop", None, start + 10 + length, status=status)]
    (folder / f"{run_name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for number in range(nodes):
        node(folder / "power" / run_name / f"node_{number}.txt", **how)
    return folder
