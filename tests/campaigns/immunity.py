"""Units that were mistaken: the example clients with one thing changed, each change with what must come of it.

The table is ``mutations.csv``, a row a change:

- ``client`` and ``where``: a key of its ``client.yml`` (``inputs.pue``, ``labels.unit_of_work``, ``meters.wall.unit``), or a
  column of one of its files (``load_profile_csv.utilization``), or a field of a record (``deployment.output_tokens``).
- ``change``: ``times X`` (the bare numbers, range or column and all, X times as large: another unit, and nothing says so),
  ``in UNIT`` (the same numbers with this unit behind them), ``X in UNIT`` (X times the numbers, in this unit), ``cell times X``
  (a single cell of a column), ``named TEXT`` (a column under another name), ``swapped with TEXT`` (two columns under each other's
  name), ``becomes TEXT``, and ``becomes UNIT under TEXT`` of a meter whose column has this name then.
- ``expected``: ``refused``, by an error that names the place; ``same``: what is written means what was written before; ``as
  declared``: it means something else, and that is taken.
- ``factor``: of what is taken as declared, the number that is read over the one before, by the arithmetic of the units.
- ``result``, ``effect``: a result, and what it is over the one before, likewise; or its words, or the unit that it has then.
- ``why``: the mistake that this is, or the arithmetic.

All inputs and columns but the changed one must be read as before, whatever is taken.
"""

import csv
import io
import json
import re
import shutil
import tempfile
from collections import Counter
from contextlib import chdir
from dataclasses import replace
from functools import cache
from importlib import import_module
from itertools import count
from pathlib import Path

import numpy as np

from joulebook.dictionary import of_topic
from joulebook.errors import InputError
from joulebook.inputs import paths_of
from joulebook.intake.client import FILE, read_client
from joulebook.intake.notebook import inputs as notebook_inputs
from joulebook.intake.yaml12 import load
from joulebook.method.study import Study
from joulebook.publish.new import new_client
from joulebook.results import LABELS, Result
from joulebook.workbook import ROOT

TABLE = Path(__file__).with_name("mutations.csv")
NEW = "new"  # the folder that `joulebook new` makes, of the examples of the dictionary
REFUSED, SAME, DECLARED = EXPECTED = ("refused", "same", "as declared")
_ASIDE = ("published_results", "how_others_count")  # rest on nothing of a client
_SLOW = ("sensitivity",)  # its inputs are read; it varies what the others compute, and takes as long as all of them
_QUANTITY = re.compile(r"([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?) ?(.*)")
_BUILT_ON = re.compile(r'\.build_on\("(\w+)", method\.(\w+)\)')
_NUMBERS = count()


class Mistaken(AssertionError):
    """Something else came of a change than what had to."""


@cache
def mutations():
    """The rows of the table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file, strict=True))


def try_all(rows):
    """Make each change and hold what comes of it against what is expected.

    Parameters
    ----------
    rows : iterable of dict
        Of `mutations`.

    Returns
    -------
    tuple of (collections.Counter, list of str)
        Rows by what is expected, and what is wrong, a line a row.
    """
    counted, wrong = Counter(), []
    with tempfile.TemporaryDirectory() as place:
        originals = Originals(Path(place))
        for row in rows:
            counted[row["expected"]] += 1
            try:
                judge(row, originals)
            except Mistaken as error:
                wrong.append(f"{row['client']}, {row['where']}, {row['change']}: {error}")
    return counted, wrong


class Originals:
    """The clients as they are, each read when it is first asked for.

    Parameters
    ----------
    place : pathlib.Path
        A folder for copies.
    """

    def __init__(self, place):
        self.place, self._read = place, {}

    def __getitem__(self, name):
        if name not in self._read:
            folder = ROOT / "data" / "clients" / name
            if name == NEW:
                folder = new_client(self.place / NEW, prepared="2026-11-30")
            self._read[name] = Reading(folder)
        return self._read[name]


class Reading:
    """What a client's folder is read as: every input and column, and every result.

    Parameters
    ----------
    folder : pathlib.Path
        The folder.
    topics : tuple of str, optional
        Topics that are due; those of the client, but the one that rests on nothing of its.
    """

    def __init__(self, folder, topics=None):
        self.folder = folder
        self.client = read_client(folder, topics=topics or [name for name in read_client(folder).topics if name not in _ASIDE])
        self.values = {f"labels.{name}": getattr(self.client.labels, name) for name in LABELS}
        self.results = {}
        with chdir(folder):
            for topic in self.client.topics:
                self._add(topic, self.client.inputs[topic])

    def _add(self, topic, inputs):
        namespace = {name: inputs[name].value if name in inputs else None for name in of_topic(topic)}
        labels = {name: getattr(self.client.labels, name) for name in LABELS}
        given = notebook_inputs(topic, {**namespace, "labels": labels}, {name: item.as_dict() for name, item in inputs.items()})
        for name, item in given.inputs.items():
            if name in given.tables and name != "meters":
                self.values |= {f"{name}.{column}": np.asarray(cells) for column, cells in given.tables[name].items()}
            elif isinstance(item.value, dict):
                self.values |= {f"{name}.{field}": np.array([value], object) for field, value in item.value.items()}
            elif name not in given.tables:
                self.values[f"{topic}.{name}"] = np.array([item.value, item.low, item.high])
        if topic in _SLOW:
            return
        method = import_module(f"joulebook.method.{topic}")
        plain = {name: replace(item, low=None, high=None) for name, item in given.inputs.items()}
        study = Study(replace(given, inputs=plain))  # values are compared, not their ranges
        for other, name in _BUILT_ON.findall((ROOT / "notebooks" / f"{topic}.md").read_text(encoding="utf-8")):
            study.build_on(other, getattr(method, name))
        study.run_all(method.CALCULATIONS)
        self.results |= {f"{topic}.{name}": result for name, result in study.results.items() if isinstance(result, Result)}


def judge(row, originals):
    """Make one change; raise `Mistaken` if what comes of it is not what its row says."""
    was = originals[row["client"]]
    folder = changed(row, was.folder, originals.place / f"changed-{next(_NUMBERS)}")
    try:
        now = Reading(folder, was.client.topics)
    except InputError as error:
        if row["expected"] != REFUSED:
            raise Mistaken(f"refused: {error}") from None
        if not names_the_place(error, row):
            raise Mistaken(f"the error does not name the place: {error}") from None
        return
    finally:
        shutil.rmtree(folder)
    if row["expected"] == REFUSED:
        raise Mistaken("it passed")
    require_read_as_said(row, was, now)
    if row["expected"] == SAME:
        others = [name for name, result in now.results.items() if not _equal(result.value, was.results[name].value)]
        if others:
            raise Mistaken(f"other results: {', '.join(others)}")
    elif row["result"]:
        require_effect(row, was.results[row["result"]], now.results[row["result"]])


def names_the_place(error, row):
    """Whether a problem names the key; of a column its file, and its name, that which it then has, or whose range it ends."""
    *above, last = row["where"].split(".")
    above = ["meters"] if above[0] == "meters" else [part for part in above if part not in ("inputs", "labels", "topic_inputs")]
    names = {last, row["change"].split()[-1], last.replace("_low_", "_").replace("_high_", "_")}
    files = [above, [part.replace("_csv", ".csv") for part in above]]
    if above == ["meters"]:  # or its log, and the range that its readings leave in a wrong unit
        files, names = [*files, [f"meter_{row['where'].split('.')[1]}.csv"]], {*names, "range_w"}
    told = [str(problem) for problem in error.problems]
    told = [text for text in told if any(all(part in text for part in parts) for parts in files)]
    return any(name in text for text in told for name in names)


def require_read_as_said(row, was, now):
    """Everything is read as before, but for the thing that was changed, which is read as the row says."""
    for name, before in was.values.items():
        due = before
        if _is(name, row["where"], was.client):
            if row["change"].startswith("becomes "):
                due = row["change"].removeprefix("becomes ")
            elif row["change"].startswith("cell "):  # which may hold for several hours
                times = now.values[name] / np.where(before == 0, 1, before)
                due = np.where(now.values[name] == before, before, before * float(row["change"].split()[-1]))
                if np.all(times == 1):
                    raise Mistaken(f"{name} is as before")
            elif row["factor"]:
                due = [None if value is None else value * float(row["factor"]) for value in before]
        swapped = re.fullmatch(r"swapped with (\w+)", row["change"])
        if swapped and name.startswith(row["where"].split(".")[0]):
            pair = {row["where"].split(".")[1]: swapped[1], swapped[1]: row["where"].split(".")[1]}
            file, _, column = name.partition(".")
            due = was.values[f"{file}.{pair.get(column, column)}"]
        if not _equal(now.values[name], due):
            raise Mistaken(f"{name} is {now.values[name]}, not {due}")


def require_effect(row, was, now):
    """A result moved by what the arithmetic of the unit says, says what is due, or has another unit at the same value."""
    if isinstance(was.value, str):
        if now.value != row["effect"]:
            raise Mistaken(f"{row['result']} says {now.value}")
        return
    try:
        wanted = float(row["effect"])
    except ValueError:
        if now.unit != row["effect"] or not _equal(now.value, was.value):
            raise Mistaken(f"{row['result']} is {now.value} {now.unit}, and was {was.value} {was.unit}") from None
        return
    if now.value is None or was.value is None or not _equal(now.value, was.value * wanted):
        raise Mistaken(f"{row['result']} is {now.value}, and was {was.value}")


def changed(row, folder, place):
    """A copy of a client's folder with one thing changed."""
    shutil.copytree(folder, place)
    data = load(place / FILE, FILE).data
    first, *path = row["where"].split(".")
    if first.endswith("_csv"):
        entry = next(block[first] for block in (data["inputs"], *data.get("topic_inputs", {}).values()) if first in block)
        file = place / paths_of(entry["value"] if isinstance(entry, dict) else entry)[0]
        file.write_text(_changed_table(file.read_text(encoding="utf-8"), path[0], row["change"]), encoding="utf-8")
        return place
    parent = data[first] if first != "meters" else {meter["name"]: meter for meter in data[first]}
    for part in path[:-1]:
        parent = parent[part]
    entry = parent[path[-1]]
    if row["change"].startswith("becomes "):
        parent[path[-1]], _, header = row["change"].removeprefix("becomes ").partition(" under ")
        if header:  # else the name of a meter's column tells its unit
            log = place / parent["file"]
            log.write_text(re.sub(",[^,\n]*\n", f",{header}\n", log.read_text(encoding="utf-8"), count=1), encoding="utf-8")
    elif isinstance(entry, dict):
        parent[path[-1]] = {key: _changed_number(value, row["change"]) if key in ("value", "low", "high") else value
                            for key, value in entry.items()}
    else:
        parent[path[-1]] = _changed_number(entry, row["change"])
    (place / FILE).write_text(json.dumps(data, indent=1, ensure_ascii=False), encoding="utf-8")  # JSON is YAML
    return place


def _changed_number(written, change):
    number, unit = _QUANTITY.fullmatch(str(written)).groups()
    times, _, given = re.fullmatch(r"(?:times )?([0-9.eE+-]*) ?(in (.+))?", change).groups()
    value = float(number) * float(times or 1)
    unit = given or unit
    return f"{value!r} {unit}" if unit else value


def _changed_table(text, column, change):
    rows = list(csv.reader(io.StringIO(text)))
    place = rows[0].index(column)
    way, _, rest = change.partition(" ")
    if way == "named":
        rows[0][place] = rest
    elif way == "swapped":
        other = rows[0].index(rest.removeprefix("with "))
        rows[0][place], rows[0][other] = rows[0][other], rows[0][place]
    else:
        cells = [row for row in rows[1:] if row[place] and float(row[place])]
        for row in cells[:1] if way == "cell" else cells:
            row[place] = repr(float(row[place]) * float(change.split()[-1]))
            row[place] = row[place].removesuffix(".0")
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def _is(name, where, client):
    """Whether the name of a value is that of what was changed, for a topic that has no value of its own."""
    first, *path = where.split(".")
    if first == "inputs":
        topic, _, parameter = name.partition(".")
        own = load(client.folder / FILE, FILE).data.get("topic_inputs", {})
        return parameter == path[0] and parameter not in own.get(topic, {})
    return name == (".".join(path) if first == "topic_inputs" else where)


def _equal(value, other):
    """Equal texts, or numbers that differ by rounding only, one by one."""
    value, other = np.atleast_1d(np.asarray(value, object)), np.atleast_1d(np.asarray(other, object))
    return len(value) == len(other) and all(map(_alike, value, other))


def _alike(value, other):
    if isinstance(value, float | int) and isinstance(other, float | int):
        return bool(np.isclose(value, other, rtol=1e-9, atol=0, equal_nan=True))
    return value is other or value == other
