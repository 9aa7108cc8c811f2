"""Broken trees of MLPerf results, made from right ones by seeded changes of their files."""

import math
import random
import shutil

from joulebook.errors import InputError
from joulebook.intake.mlperf import as_rows, csv_text, find_results, records
from tests.intake.mlperf.made import submission, tiny, trace, training

ENERGIES = (40.0, 44.0, 42.0, 43.0, 41.0)
_PIECES = (b"null", b"-1", b"0", b"1e999", b"NaN", b"-0.0", b"1.5", b"[]", b"{}", b'""', b"true", b"9" * 400, b"9" * 20, b"\x00",
           b"\xef\xbb\xbf", b"\xff\xfe", b"\xc3", b"\xe2\x80\xae", b",", b":", b'"', b"[" * 3000, b"\n", b"\r\n", b"\r", b" ",
           b"Time,", b",Watts,", b",Ch1,Watts,", b":::MLLOG ", b'"key": "power_end"', b"-2.000000", b"02-30-2024 25:61:61.000",
           b"-9223372036854775808", b"Energy data for window 2:", b"ERROR: USB.", b"\xf1", b"'2024_ranging'")


def _inference(folder):
    submission(folder / "v4.1" / "closed" / "Acme" / "box" / "bert-99.9" / "Offline", seconds=12)
    place = folder / "v4.1" / "closed" / "Acme" / "box" / "bert-99.9" / "Offline" / "systems"
    place.mkdir()
    (place / "box.json").write_text('{"division": "closed", "cooling": "air"}', encoding="utf-8")


def _stream(folder):
    keys = {"effective_scenario": "SingleStream", "result_query_count": 1200, "early_stopping_latency_ms": 5_000_000}
    submission(folder / "v1.0" / "Acme" / "box" / "resnet50" / "MultiStream", seconds=12, zones=(25200, -3600), **keys)


def _tiny(folder):
    trace(tiny(folder / "tiny_v1.0" / "Acme" / "board" / "ad"), ENERGIES)


def _training(folder):
    for number in range(3):
        training(folder / "training_v5.0" / "Acme" / "box" / "bert", f"result_{number}", seconds=20, length=5.0, nodes=2)


_TREES = {"mlperf inference": _inference, "mlperf stream": _stream, "mlperf tiny": _tiny, "mlperf training": _training}
CASES = tuple(_TREES)
_MADE = {}  # folder and case: content of all files as they were made


def try_file(name, seed, folder):
    """Read a tree of which one to three files are broken; whether anything of it was read.

    Each tree stands beside another that is never changed: whatever is broken, that one is read as before.
    """
    base = folder / name.replace(" ", "-")
    files = _MADE.get((folder, name))
    if files is None:
        _TREES[name](base / "broken")
        _tiny(base / "sound")
        files = _MADE[folder, name] = {path: path.read_bytes() for path in sorted((base / "broken").rglob("*")) if path.is_file()}
    chance = random.Random(f"{name} {seed}")
    chosen = chance.sample(sorted(files), chance.randint(1, min(3, len(files))))
    try:
        for path in chosen:
            _break(path, files[path], chance)
        return _read(base, (name, seed))
    finally:
        for path in chosen:
            if path.is_dir():
                shutil.rmtree(path)
            path.write_bytes(files[path])


def _break(path, data, chance):
    """Change a file, or take it away, or put a folder in its place."""
    fate = chance.random()
    if fate < 0.04:
        path.unlink()
    elif fate < 0.06:
        path.unlink()
        path.mkdir()
    else:
        for _ in range(chance.randint(1, 4)):
            data = chance.choice(_CHANGES)(data, chance)
        path.write_bytes(data)


def _read(base, which):
    try:
        results, skipped, problems = find_results([base])
    except InputError as error:
        raise AssertionError((which, str(error))) from error  # the sound tree is always there
    sound = [result for result in results if result.suite == "tiny"]
    assert len(sound) >= 1, which
    for problem in problems:
        assert problem.file, (which, str(problem))
        str(problem)
    for item in skipped:
        assert item.reason, which
    csv_text(results)
    records(results)
    for row in as_rows(results):
        for column, value in row.items():
            assert not isinstance(value, float) or math.isfinite(value), (which, column, value)
        assert row["avg_power_w"] > 0 or row["suite"] == "training", which
        assert row["energy_mean_x_duration_j"] >= 0, which
        assert row["duration_s"] > 0, which
    return len(results) > 1


def _drop(data, chance):
    start = chance.randrange(len(data) + 1)
    return data[:start] + data[start + chance.randint(0, 60):]


def _insert(data, chance):
    start = chance.randrange(len(data) + 1)
    return data[:start] + chance.choice(_PIECES) + data[start:]


def _number(data, chance):
    places = [place for place in range(len(data)) if data[place:place + 1].isdigit() and not data[place - 1:place].isdigit()]
    if not places:
        return data
    start = end = chance.choice(places)
    while data[end:end + 1].isdigit() or data[end:end + 1] in (b".", b"e"):
        end += 1
    return data[:start] + chance.choice(_PIECES) + data[end:]


def _cut(data, chance):
    return data[:chance.randrange(len(data) + 1)]


def _double(data, chance):
    start = chance.randrange(len(data) + 1)
    end = start + chance.randint(0, 300)
    return data[:end] + data[start:end] + data[end:]


def _swap(data, chance):
    lines = data.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


def _byte(data, chance):
    start = chance.randrange(len(data) + 1)
    return data[:start] + bytes([chance.randrange(256)]) + data[start + 1:]


def _wide(data, chance):
    return data.decode("latin-1").encode("utf-16") if chance.random() < 0.1 else data + b"\n"


_CHANGES = (_drop, _insert, _number, _number, _number, _cut, _double, _swap, _byte, _wide)
