"""Two runs side by side: which results moved, by how much, and whether beyond their uncertainty."""

import json
import math
import textwrap
from pathlib import PurePosixPath

from joulebook.errors import InputError, Problem, Problems, near
from joulebook.inputs import FILE_UNITS, with_paths
from joulebook.method.differences import interval_of_difference, interval_of_ratio
from joulebook.publish.archive import read_archive
from joulebook.publish.copies import FOLDER, copies_of
from joulebook.publish.report import visible
from joulebook.results import LABELS, NOT_STATED, Labels, require_comparable
from joulebook.show.numbers import INPUT_DIGITS, NO_BREAK, number, rounded, span, span_as_given, with_unit

WIDTH = 100
CAUTION = (
    "Intervals are of 95 %, and those of A and B are taken as independent: what both runs have in common counts twice, "
    "so that less is told apart than could be."
)
MOVED, ALIKE, UNKNOWN = "beyond uncertainty", "not distinguishable", "range not stated"
REFUSED, ABSENT, ONE, SAME = "not compared", "not available", "in one run only", "the same"
TABLES = "tables that differ"
VERDICTS = (MOVED, ALIKE, UNKNOWN, TABLES, REFUSED, ABSENT, ONE, SAME)


def compare_runs(first, second, vary=None, topics=None):
    """Compare the results of two runs by name.

    Parameters
    ----------
    first, second : str or pathlib.Path
        Run folders, A and B.
    vary : str, optional
        The one label that may differ.
    topics : iterable of str, optional
        Topics to compare; all that both have if none is given.

    Returns
    -------
    dict
        Plain data: both runs, inputs that differ, and by topic and name each result with both values, B - A, B / A,
        the 95 % interval of that which decides, and one of `VERDICTS`.

    Raises
    ------
    InputError
        If a folder is no run; if the labels of the runs differ or are not stated, but for `vary`, or their currencies
        do; if they have no topic in common.

    Notes
    -----
    Labels of the runs decide whether there is a comparison at all. Boundary and window of a single result may be its
    own, so each is asked again, as is its unit; one that fails is refused by name and the rest stands.
    """
    runs = read_archive(first), read_archive(second)
    _require_comparable(runs, vary)
    chosen = _topics(runs, topics)
    compared = {topic: _topic(*(run.collected[topic] for run in runs), vary) for topic in chosen}
    return {
        "schema": 1,
        **{side: _run(run) for side, run in zip("ab", runs, strict=True)},
        "vary": vary,
        "left_out": {
            side: [name for name in run.record.topics if name not in chosen] for side, run in zip("ab", runs, strict=True)
        },
        "inputs": _inputs(runs, chosen),
        "topics": compared,
    }


def compare_results(one, other, vary=None):
    """Compare two results of one name.

    Parameters
    ----------
    one, other : dict
        Results as in ``results.json``; both are available or not.
    vary : str, optional
        The one label that may differ.

    Returns
    -------
    dict
        unit, a, b, difference, ratio, low, high, interval_of, verdict and note.

    Notes
    -----
    With h the half width of an interval over its value, two independent positive values A and B have the ratio
    B / A in exp(ln(B / A) -+ sqrt(h_A^2 + h_B^2)): u is h / 1.96 of each, and 1.96 cancels. They differ only if that
    interval excludes 1. Where a value or part of its interval is not positive, the interval of B - A is asked for 0.
    """
    sides = [{key: item[key] for key in ("value", "low", "high", "evidence")} for item in (one, other)]
    made = {"unit": one["unit"], "a": sides[0], "b": sides[1], "difference": None, "ratio": None, "low": None, "high": None}
    made |= {"interval_of": None, "verdict": REFUSED, "note": _refusal(one, other, vary)}
    if made["note"]:
        return made
    a, b = one["value"], other["value"]
    if a is None or b is None:
        reasons = {
            f"{side}: {item['note']}": item["note"]
            for side, item in zip("AB", (one, other), strict=True)
            if item["value"] is None
        }
        same = len(reasons) == 2 and len(set(reasons.values())) == 1
        return made | {"verdict": ABSENT, "note": f"in both: {one['note']}" if same else "; ".join(reasons)}
    if isinstance(a, str) or isinstance(b, str):
        return made | {"verdict": SAME if a == b else UNKNOWN}
    made |= {"difference": b - a, "ratio": b / a if a > 0 and b > 0 else None}
    if all(_close(one[key], other[key]) for key in ("value", "low", "high")):
        return made | {"verdict": SAME}
    unranged = [side for side, item in zip("AB", (one, other), strict=True) if item["low"] is None or item["high"] is None]
    if unranged:
        return made | {"verdict": UNKNOWN, "note": f"no range in {' and '.join(unranged)}"}
    ends = [(item["value"], item["low"], item["high"]) for item in (one, other)]
    what = "ratio" if one["low"] > 0 and other["low"] > 0 else "difference"
    neutral = 1.0 if what == "ratio" else 0.0
    low, high = (interval_of_ratio if what == "ratio" else interval_of_difference)(*ends)
    verdict = ALIKE if low <= neutral <= high else MOVED
    return made | {"low": low, "high": high, "interval_of": what, "verdict": verdict}


def _refusal(one, other, vary):
    """Why two results may not be compared although their runs may, empty if they may."""
    try:
        require_comparable(Labels(**one["labels"]), Labels(**other["labels"]), vary)
    except InputError as error:
        return "; ".join(f"the label {item.field} differs: {item.value}" for item in error.problems)
    return "" if one["unit"] == other["unit"] else f"the units differ: {one['unit'] or '1'} and {other['unit'] or '1'}"


def _close(one, other):
    return one == other if one is None or other is None else math.isclose(one, other, rel_tol=1e-9)


def _require_comparable(runs, vary):
    found = Problems()
    try:
        require_comparable(runs[0].labels, runs[1].labels, vary)
    except InputError as error:
        found.extend(error.problems)
    currencies = [run.record.currency for run in runs]
    if currencies[0] != currencies[1]:
        what = "these may not be compared: the currency differs"
        found.add(what, field="currency", value=" and ".join(currencies), allowed="amounts in one currency")
    found.stop()


def _topics(runs, wanted):
    """Topics that are due, in the order of the first run."""
    found, there = Problems(), [run.record.topics for run in runs]
    for name in wanted or ():
        for run, topics in zip(runs, there, strict=True):
            if name not in topics:
                place = {"file": str(run.folder), "field": "--topic"}
                found.add("this run has no such topic", **place, value=name, allowed=", ".join(topics), near=near(name, topics))
    found.stop()
    common = [name for name in there[0] if name in there[1] and name in (wanted or there[0])]
    if not common:
        said = " and ".join(", ".join(topics) or "none" for topics in there)
        raise InputError(Problem("the runs have no topic in common", value=said, allowed="two runs of one topic"))
    return common


def _run(run):
    record = run.record
    made = {"run": str(run.folder), "client": record.client, "prepared": record.prepared, "currency": record.currency}
    return {**made, "labels": {name: record.labels.get(name) for name in LABELS}}


def _topic(first, second, vary):
    made = {}
    for name in dict.fromkeys([*first.results, *second.results]):
        records = [content.known.results.get(name, {}) for content in (first, second)]
        there = [content.results.get(name) for content in (first, second)]
        row = {"title": next(record.get("title", name) for record in records if record)}
        if None in there:
            made[name] = {**row, "verdict": ONE, "note": f"only in {'A' if there[1] is None else 'B'}"}
        elif "rows" in there[0] or "rows" in there[1]:
            made[name] = {**row, **_tables(*there)}
        else:
            made[name] = {**row, **compare_results(*there, vary)}
    return made


def _tables(one, other):
    """Tables are the same or not: their rows have no names by which to set them side by side."""
    if one == other:
        return {"verdict": SAME, "note": ""}
    if "rows" not in one or "rows" not in other:
        return {"verdict": REFUSED, "note": "a table and a number"}
    if not one["rows"] or not other["rows"]:
        sides = [(side, item.get("note", "")) for side, item in zip("AB", (one, other), strict=True) if not item["rows"]]
        return {"verdict": ABSENT, "note": "; ".join(f"{side}: {note or 'a table with no row'}" for side, note in sides)}
    if one["columns"] != other["columns"]:
        return {"verdict": REFUSED, "note": "tables of other columns"}
    return {"verdict": TABLES, "note": f"{len(one['rows'])} and {len(other['rows'])} rows"}


def _inputs(runs, topics):
    """Inputs whose value, range or evidence differ; what several topics share is told once."""
    made = {}
    for topic in topics:
        sides = [run.inputs.topics.get(topic, {}) for run in runs]
        for name in dict.fromkeys([*sides[0], *sides[1]]):
            pairs = [_input(run, topic, name, side.get(name)) for run, side in zip(runs, sides, strict=True)]
            title, unit = next((side[name].title, side[name].unit) for side in sides if name in side)
            for key, pair in _apart(name, pairs):
                if pair[0] != pair[1]:
                    said = _unit("1" if key != name else unit, runs[0].record.currency)
                    row = {"name": key, "title": title, "unit": said, "a": pair[0], "b": pair[1]}
                    made.setdefault((key, str(pair)), {**row, "topics": []})["topics"].append(topic)
    return list(made.values())


def _apart(name, pair):
    """The two sides of an input by its name; of meters each key of each meter by itself, of a record each field."""
    if any(isinstance((side or {}).get("value"), dict) for side in pair):
        flat = [{f"{name}.{field}": {**side, "value": said} for field, said in side["value"].items()} if side else {}
                for side in pair]
        return [(key, [side.get(key) for side in flat]) for key in dict.fromkeys([*flat[0], *flat[1]])]
    if not any(isinstance((side or {}).get("value"), list) for side in pair):
        return [(name, pair)]
    flat = [{f"{name}.{meter['name']}.{key}": {**side, "value": _single(value)} for meter in side["value"]
             for key, value in meter.items()} if side else {} for side in pair]
    return [(key, [side.get(key) for side in flat]) for key in dict.fromkeys([*flat[0], *flat[1]])]


def _single(value):
    return value if isinstance(value, int | float | str) else json.dumps(value, ensure_ascii=False)


def _input(run, topic, name, entry):
    """What is told of an input, None where it is not given; a file is known by its content."""
    if entry is None:
        return None
    value = entry.value
    if entry.unit in FILE_UNITS:
        there = {PurePosixPath(path).name: held for path, held in run.record.holds.items() if path.startswith(f"{FOLDER}/")}
        found = [there.get(copy, "no file")[:12] for copy in copies_of(there, topic, name, value)]
        # Of meters, what their columns mean counts too; the names of their files do not.
        value = with_paths(value, found)
    return {"value": value, "low": entry.low, "high": entry.high, "evidence": entry.evidence}


def _unit(unit, currency):
    words = {"money": currency, "units": "units of work", **dict.fromkeys(FILE_UNITS, "file, by its digest")}
    return "/".join(words.get(part, part) for part in unit.split("/"))


# ---- in words ----


def comparison_lines(made):
    """A comparison as lines of text.

    Parameters
    ----------
    made : dict
        What `compare_runs` gave.

    Returns
    -------
    list of str
        Lines of at most 100 columns; every line can be printed as it is.
    """
    lines = [
        f"{side.upper()}: {made[side]['client']}, prepared {made[side]['prepared']}, run {made[side]['run']}" for side in "ab"
    ]
    if made["vary"]:
        labels = " and ".join(made[side]["labels"][made["vary"]] or NOT_STATED for side in "ab")
        lines += _wrapped(f"they differ in the label {made['vary']}: {labels}", "")
    for side, other in ("ab", "ba"):
        if missing := [name for name in made["left_out"][side] if name not in made["left_out"][other]]:
            lines += _wrapped(f"topics that only {side.upper()} has: {', '.join(missing)}", "")
    if both := [name for name in made["left_out"]["a"] if name in made["left_out"]["b"]]:
        lines += _wrapped(f"topics left out: {', '.join(both)}", "")
    lines += ["", f"inputs that differ ({len(made['inputs'])})"]
    for row in made["inputs"]:
        lines += _wrapped(f"{row['name']}: {'; '.join(f'{side.upper()} {_input_words(row, side)}' for side in 'ab')}")
    for topic, rows in made["topics"].items():
        lines += ["", f"{topic}: {_counts(rows)}"]
        for verdict in VERDICTS:
            lines += _group(verdict, {name: row for name, row in rows.items() if row["verdict"] == verdict})
    lines += ["", *textwrap.wrap(CAUTION, WIDTH)]
    return [visible(line) for line in lines]


def _counts(rows):
    found = [row["verdict"] for row in rows.values()]
    return ", ".join(f"{found.count(verdict)} {verdict}" for verdict in VERDICTS if verdict in found)


def _group(verdict, rows):
    if not rows:
        return []
    if verdict == SAME:
        return [f"  {verdict}", *_wrapped(", ".join(rows), "    ")]
    lines = [f"  {verdict}"]
    for name, row in rows.items():
        if row.get("difference") is None:
            lines += _wrapped(f"{name}: {_without_difference(row)}", "    ")
        else:
            lines += _wrapped(name if row["unit"] in ("", "1") else f"{name}, {row['unit']}", "    ")
            lines += _wrapped("   ".join(_facts(row)), "      ", "      ")
    return lines


def _without_difference(row):
    """What is told of a result that has no difference: a value that is there, and the reason."""
    told = [] if row["verdict"] == REFUSED else [(side, row[side]) for side in "ab" if row.get(side, {}).get("value") is not None]
    return "; ".join([*(f"{side.upper()} {_value(**item)}" for side, item in told), *filter(None, [row["note"]])])


def _facts(row):
    """Both values, their difference and ratio, each a text that is kept on one line; and what else must be said."""
    facts = [f"{side.upper()} {_value(**row[side])}" for side in "ab"]
    sign = "+" if row["difference"] > 0 else ""
    facts.append(f"B − A {sign}{number(row['difference'], 4)}{_within(row, 'difference')}")
    if row["ratio"] is not None:
        own = row["interval_of"] == "ratio"
        facts.append(
            f"B / A {rounded(row['ratio'], row['low'], row['high']) if own else number(row['ratio'], 4)}{_within(row, 'ratio')}"
        )
    return [*(text.replace(" ", NO_BREAK) for text in facts), *filter(None, [row["note"]])]


def _value(value, low, high, evidence):
    if isinstance(value, str):
        return value
    return rounded(value, low, high) + (f" ({span(low, high)})" if low is not None and high is not None else "")


def _within(row, what):
    return f" ({span(row['low'], row['high'])})" if row["interval_of"] == what else ""


def _input_words(row, side):
    item = row[side]
    if item is None:
        return "not given"
    value, within = item["value"], span_as_given(item["low"], item["high"])
    shown = value if value is None or isinstance(value, str) else number(value, INPUT_DIGITS)
    return f"{with_unit(shown or 'none', row['unit'])}{f' ({within})' if within else ''}, {item['evidence']}"


def _wrapped(text, indent="  ", inner=None):
    inner = f"{indent}    " if inner is None else inner
    return textwrap.wrap(visible(text), WIDTH, initial_indent=indent, subsequent_indent=inner, break_on_hyphens=False)
