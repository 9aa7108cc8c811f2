"""Broken files of load generators, made from right ones by seeded changes."""

import math
import random

from joulebook.errors import InputError
from joulebook.intake.load import read_load
from joulebook.intake.tables.load_file import as_table
from tests.intake.load.files import TEXTS

CASES = tuple(TEXTS)
_PIECES = ("null", "-1", "0", "1e999", "NaN", "-0.0", "1.5", "[]", "{}", '""', '"x"', "true", "9" * 400, "9" * 20, "\x00",
           "\ufeff", "é", "\u202e", ",", ":", '"', "[" * 3000, "\n", "\r\n", " ", "data: ", "1790000000", "-9223372036854775808")


def broken(name, seed):
    """A file with one to four changes."""
    chance = random.Random(f"{name} {seed}")
    text = TEXTS[name]
    for _ in range(chance.randint(1, 4)):
        text = chance.choice(_CHANGES)(text, chance)
    return text.encode(errors="surrogatepass") if chance.random() > 0.02 else text.encode("utf-16", errors="surrogatepass")


def try_file(name, seed, folder):
    """Read a broken file; whether it was read, and fail where it is neither refused nor read into numbers."""
    path = folder / "load file"
    path.write_bytes(broken(name, seed))
    try:
        load = read_load(path)
    except InputError as error:
        if not error.problems or any(problem.file != "load file" for problem in error.problems):
            raise AssertionError((name, seed, str(error))) from error
        return False
    table = as_table(load)
    for totals in (load.stated, load.counted):
        for key, value in totals.items():
            assert isinstance(value, int | float), (name, seed, key)
            assert math.isfinite(value), (name, seed, key, value)
            assert value >= 0, (name, seed, key, value)
            assert value or not key.endswith("per_s"), (name, seed, key)
    if load.requests is not None:
        counted = load.counted
        assert counted["started"] == len(load.requests) == len(table) == counted["completed"] + counted["failed"], (name, seed)
        lengths = load.requests.end_s - load.requests.start_s
        assert not (lengths < 0).any(), (name, seed)
        for times in (load.requests.ttft_s, load.requests.tpot_s, load.requests.latency_s):
            assert not (times < 0).any(), (name, seed)
    return True


def _span(text, chance, most):
    start = chance.randrange(len(text) + 1)
    return start, min(len(text), start + chance.randint(0, most))


def _drop(text, chance):
    start, end = _span(text, chance, 40)
    return text[:start] + text[end:]


def _insert(text, chance):
    start, _ = _span(text, chance, 0)
    return text[:start] + chance.choice(_PIECES) + text[start:]


def _replace_number(text, chance):
    places = [place for place, letter in enumerate(text) if letter.isdigit() and (not place or not text[place - 1].isdigit())]
    if not places:
        return text
    start = chance.choice(places)
    end = start
    while end < len(text) and (text[end].isdigit() or text[end] in ".e"):
        end += 1
    return text[:start] + chance.choice(_PIECES) + text[end:]


def _cut(text, chance):
    return text[:chance.randrange(len(text) + 1)]


def _double(text, chance):
    start, end = _span(text, chance, 200)
    return text[:end] + text[start:end] + text[end:]


def _swap(text, chance):
    lines = text.split("\n")
    chance.shuffle(lines)
    return "\n".join(lines)


def _letter(text, chance):
    start, _ = _span(text, chance, 0)
    return text[:start] + chr(chance.randrange(32, 127)) + text[start + 1:]


_CHANGES = (_drop, _insert, _replace_number, _replace_number, _replace_number, _cut, _double, _swap, _letter)
