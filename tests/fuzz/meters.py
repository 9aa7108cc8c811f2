"""Broken logs of meters, made from right ones by seeded changes: refused with an error that names the file, or read exactly.

What is read must stand in the broken file: every reading in one line with its time, and every row used or counted as left out.
"""

import csv
import math
import random
import re
from datetime import UTC, datetime

import numpy as np

from joulebook.errors import InputError
from joulebook.intake.meters import read_meters
from tests.intake.meters.files import SAMPLES

CASES = tuple(SAMPLES)
_PIECES = ("null", "-1", "-2", "0", "1e999", "NaN", "nan", "inf", "-0.0", "1.5", "[N/A]", "9.91e37", "9" * 400, "9" * 20,
           "1e15", "\x00", "\ufeff", "é", "\u202e", ",", ";", ":", '"', "[" * 3000, "\n", "\r\n", "\r", " ", "\t",
           "1790000000", "2026-09-21", "#", "1.299", "1,299", "-9223372036854775808", "W", "kW", "+02:00", "{}", "Time",
           "12:00:00")  # fmt: skip
_FORMS = ("%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d %H:%M:%S%z", "%Y-%m-%d %H:%M:%S", "%d.%m.%Y %H:%M:%S", "%m/%d/%y %H:%M:%S",
          "%m-%d-%Y %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%d.%m.%Y %H:%M", "%Y-%m-%dT%H:%M%z", "%m/%d/%y %H:%M",
          "%m/%d/%Y %H:%M:%S", "%d.%m.%y %H:%M:%S", "%Y-%m-%d", "%d.%m.%Y", "%m-%d-%y %H:%M:%S",
          "%m-%d-%Y %H:%M", "%Y-%m-%dT%H%z")  # fmt: skip
_STAMP = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}"
    r"(?:[T ,]\s*\d{1,2}(?::\d{1,2}(?::\d{1,2}(?:[.,]\d+)?)?)?)?(?:\s*(?:Z|UTC|[+-]\d\d:?(?:\d\d)?))?"
)
_NUMBER = re.compile(r"[+-]?\.?\d[\d.,' ]*(?:[eE][+-]?\d+)?")
_FRACTION = re.compile(r"(?<=[;\s])[+-]?,\d+")


def broken(name, seed):
    """A file with one to three changes."""
    chance = random.Random(f"{name} {seed}")
    text = SAMPLES[name].text
    for _ in range(chance.randint(1, 3)):
        text = chance.choice(_CHANGES)(text, chance)
    encoding = chance.choice(["utf-8"] * 40 + ["utf-8-sig", "utf-16", "utf-16-le", "latin-1", "utf-32", "cp500"])
    data = text.encode(encoding, errors="replace")
    if chance.random() < 0.05 and data:
        place = chance.randrange(len(data))
        data = data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]
    return data


def try_file(name, seed, folder):
    """Read a broken file; whether it was read, and fail where it is neither refused nor read exactly."""
    sample, data = SAMPLES[name], broken(name, seed)
    (folder / sample.name).write_bytes(data)
    try:
        meters = read_meters([{"name": "meter", "file": sample.name, **sample.declared}], folder)
    except InputError as error:
        if not error.problems or any(problem.file is None or sample.name not in problem.file for problem in error.problems):
            raise AssertionError((name, seed, str(error))) from error
        return False
    known, factors = _lines(data), _factors(sample, data)
    for channel in meters.channels:
        about = (name, seed, channel.name)
        assert channel.rows == channel.times_s.size + sum(channel.left_out.values()), about
        assert np.isfinite(channel.times_s).all(), about
        assert np.isfinite(channel.values).all(), about
        assert (np.diff(channel.times_s) > 0).all(), about
        origin = 0.0 if meters.origin is None else meters.origin.astype("datetime64[ns]").astype(np.int64) / 1e9
        for at, value in zip(channel.times_s.tolist(), channel.values.tolist(), strict=True):
            when = None if sample.polled else origin + at
            assert any(_stands(line, when, value / factor) for line in known for factor in factors), (*about, at, value)
    if sample.table:
        rows = sum(channel.rows for channel in meters.channels)
        rows += sum(int(count) for reason in meters.missing.values() for count in re.findall(r"(\d+) x ", reason))
        assert rows >= _filled(data) - 1, (name, seed, rows)
    return True


def _factors(sample, data):
    """What a number may be scaled by: where a change met the head of a table, any prefix that its unit may have got."""
    head = _text(data).split("\n", 1)[0]
    if not sample.table or head.strip("\ufeff\r") == sample.text.split("\n", 1)[0]:
        return sample.factors
    return {*sample.factors, *(factor * 10.0**power for factor in sample.factors for power in range(-18, 16))}


def _text(data):
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe\x00\x00", "utf-32"), (b"\xff\xfe", "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    wide = data[1::2].count(0) > len(data) / 4
    return data.decode("utf-16-le" if wide else "utf-8", errors="replace")


def _filled(data):
    """Lines with anything in them; where a quote may join lines, or one line may hold many rows, none need be there."""
    text = _text(data)
    return 0 if '"' in text else sum(bool(line.strip(" ,;\t\ufeff")) for line in re.split(r"[\n\r]+", text))


def _lines(data):
    """Times and numbers of each line, by means other than those of the readers; lines that quotes join count as one too."""
    text = _text(data)
    parts = re.split(r"[\n\r]", text)
    if '"' in text:
        parts += [" ".join(row) for row in csv.reader(parts)] if len(text) < 100_000 else []
        parts.append(re.sub(r"[\n\r]", " ", text))
    if "IPMI" in text:  # a reading has several lines
        parts += [" ".join(part.split()) for part in text.split("Instantaneous")]
    return [(_times(part), _numbers(part)) for part in parts]


def _times(line):
    found = []
    for match in _STAMP.finditer(line):
        text = re.sub(r"\s*(?:UTC|Z)$", "+00:00", match[0].strip())
        text = re.sub(r"(:\d+)[.,]\d+", r"\1", text)
        fraction = re.search(r":\d\d?[.,](\d+)", match[0])
        for form in _FORMS:
            for said in (
                text,
                text.replace("/", "-"),
                re.sub(r",\s*", " ", text),
                re.sub(r"^(\d{4})[-/.](\d+)[-/.]", r"\1-\2-", text),
                re.sub(r"\s*\+00:00$", "", text),
            ):
                try:
                    made = datetime.strptime(re.sub(r"([ T])\s+", r"\1", said), form)
                except ValueError:
                    continue
                base = made if made.tzinfo else made.replace(tzinfo=UTC)
                found.append(base.timestamp() + (float(f"0.{fraction[1]}") if fraction else 0.0))
    return found


def _numbers(line):
    found = []
    for match in (*_NUMBER.finditer(line), *_FRACTION.finditer(line)):
        for text in (match[0], *match[0].split(), *re.split(r"(?<=\d)[, ](?=[\d+-])", match[0]), *re.split(r"[, :]", match[0])):
            bare = text.strip(" ,'").replace(" ", "").replace("'", "")
            for said in (bare, bare.replace(",", ""), bare.replace(".", "").replace(",", ".")):
                try:
                    found.append(float(said))
                except ValueError:
                    continue
    found += [float(match[0].replace(",", ".")) for match in _FRACTION.finditer(line)]
    return [number for number in found if math.isfinite(number)]


def _stands(line, at, value):
    times, numbers = line
    if not any(math.isclose(number, value, rel_tol=1e-9, abs_tol=1e-9) for number in numbers):
        return False
    if at is None:
        return True
    hours = (0.0, -3600.0, -7200.0)  # a zone that is declared takes one or two
    near = [time + shift for time in times for shift in hours]
    near += [number / unit for number in numbers for unit in (1.0, 1e3, 1e6, 1e9)]
    return any(abs(time - at) < 2e-6 for time in near)


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
    places = [(match.start(), match.end()) for match in re.finditer(r"\d+(?:\.\d+)?", text)]
    if not places:
        return text
    start, end = chance.choice(places)
    return text[:start] + chance.choice(_PIECES) + text[end:]


def _cut(text, chance):
    return text[: chance.randrange(len(text) + 1)]


def _line(text, chance):
    """A line taken out, doubled, moved, or with two cells swapped."""
    lines = text.split("\n")
    place = chance.randrange(len(lines))
    change = chance.choice(("drop", "double", "move", "shuffle", "swap", "blank"))
    if change == "shuffle":
        lines[1:-1] = chance.sample(lines[1:-1], len(lines[1:-1]))
    elif change == "blank":
        lines.insert(place, chance.choice(("", " ", ",,", "\t", ";")))
    elif change == "swap":
        cells = re.split(r"([,;\t ])", lines[place])
        if len(cells) > 2:
            cells[0], cells[2] = cells[2], cells[0]
        lines[place] = "".join(cells)
    else:
        line = lines.pop(place)
        if change != "drop":
            lines.insert(chance.randrange(len(lines) + 1), line)
        if change == "double":
            lines.insert(place, line)
    return "\n".join(lines)


def _letter(text, chance):
    start, _ = _span(text, chance, 0)
    return text[:start] + chr(chance.randrange(32, 127)) + text[start + 1 :]


def _deep(text, chance):
    start, _ = _span(text, chance, 0)
    return text[:start] + chance.choice("[{") * 20000 + text[start:]


_CHANGES = (_drop, _insert, _insert, _replace_number, _replace_number, _cut, _line, _line, _line, _letter, _letter, _deep)
