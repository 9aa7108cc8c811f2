"""The assumption register as plain data: every input, what rests on it, and what it moves."""

from joulebook.dictionary import parameters
from joulebook.inputs import DECLARING
from joulebook.show.assumptions import GROUPS
from joulebook.spreadsheets import csv_text

BY_HAND = ("", "--set on the command line", "given by hand")  # what is said of a value that has no source
GROUP_ORDER = tuple(GROUPS)  # what is weakest first
_KEPT = ("name", "title", "value", "unit", "low", "high", "range_is", "evidence", "source", "as_of", "expires", "expired",
         "used_because", "given", "plausible")
_LACKS = {"expires": None, "expired": False, "used_because": "", "plausible": ""}  # what older runs do not say


def register_of(topics):
    """Every input of every topic once; one that has another value, range or origin in another topic stands there again.

    Parameters
    ----------
    topics : iterable of dict
        Of each topic: topic, inputs and results, both as records, and basis (see `joulebook.show.pieces.basis`); titles of
        all results where `results` lacks some, such as tables.

    Returns
    -------
    list of dict
        Inputs, those of each group of `GROUPS` together, then those that the dictionary assumes. Each as it was given, with
        ``topics`` that take it, ``group``, ``results`` that rest on it, ``{"topic", "name", "title"}``, and ``moves``, the
        main results that it moves, ``{"topic", "name", "title", "unit", "value"}`` with ``low`` and ``high``, the result at
        the ends of the input's range, or ``for_one_pct``, its relative change for 1 % more of the input, or ``more`` or
        ``less``, the result at 1 % more or less where that is no share; what is moved most stands first.
    """
    rows = {}
    for topic in topics:
        for item in topic["inputs"]:
            if item["value"] is None:
                continue
            entry = {key: item.get(key, _LACKS.get(key)) for key in _KEPT}
            row = rows.setdefault(repr(entry), {**entry, "topics": [], "results": [], "moves": []})
            row["topics"].append(topic["topic"])
            row["results"] += _results(topic, item["name"])
            row["moves"] += _moves(topic, item["name"])
    for row in rows.values():
        row["group"] = _group(row)
        row["moves"].sort(key=_swing, reverse=True)
    return sorted(rows.values(), key=lambda row: (not row["given"], GROUP_ORDER.index(row["group"])))


def register_data(record, topics):
    """The register with what is said around it.

    Parameters
    ----------
    record : dict
        prepared, valid_months and use_expired of a run.
    topics : list of dict
        As of `register_of`.
    """
    rows = register_of(topics)
    there, old = {row["name"] for row in rows}, {row["name"] for row in rows if row["expired"]}
    unneeded = [name for name in record.get("use_expired") or {} if name in there - old]
    return {"rows": rows, "titles": {topic["topic"]: topic["title"] for topic in topics}, "prepared": record["prepared"],
            "valid_months": record.get("valid_months"), "without_effect": unneeded,
            "not_told": not_told(topics)}


def not_told(topics):
    """Titles of main numbers of which nobody knows what a single input moves them by, with that of their topic.

    Parameters
    ----------
    topics
        As of `register_of`.
    """
    names = [(topic, name) for topic in topics for name in (topic.get("basis") or {}).get("not_told", ())]
    there = [(topic, topic["results"].get(name)) for topic, name in names]
    return [f"{record['title']} ({topic['title']})" for topic, record in there if record and record["value"] is not None]


def register_csv(rows):
    """The register as CSV: a row for each input, text that a spreadsheet would run made harmless.

    Parameters
    ----------
    rows : list of dict
        Of `register_of`.

    Returns
    -------
    str
    """
    return csv_text(*register_table(rows))


def register_table(rows):
    """The register as a flat table: heads, and a row for each input of `register_of`."""
    heads = [*_KEPT, "group", "topics", "results", "moves"]
    return heads, [[*(_plain(row[key]) for key in _KEPT), row["group"], " ".join(row["topics"]),
                    " ".join(f"{result['topic']}.{result['name']}" for result in row["results"]),
                    "; ".join(f"{move['topic']}.{move['name']}: {_told(move)}" for move in row["moves"])] for row in rows]


def _results(topic, name):
    """Results of a topic that rest on an input."""
    titles = topic.get("titles") or {key: record.get("title", key) for key, record in topic["results"].items()}
    return [{"topic": topic["topic"], "name": result, "title": titles.get(result, result)}
            for shared in (topic.get("basis") or {}).get("rests_on", ()) if name in shared["inputs"]
            for result in shared["results"]]


def _moves(topic, name):
    """Main results of a topic that an input moves."""
    moved = []
    for result, rows in (topic.get("basis") or {}).get("moves", {}).items():
        record = topic["results"].get(result)
        if record is not None and record["value"] is not None:
            told = {"topic": topic["topic"], "name": result, **{key: record[key] for key in ("title", "unit", "value")}}
            moved += [{**told, **{key: row[key] for key in row if key != "input"}} for row in rows if row["input"] == name]
    return moved


def _group(row):
    known = parameters().get(row["name"])
    if known is not None and known.kind in (*DECLARING, "currency"):
        return "declared"
    if row["given"] and row["source"] in BY_HAND:
        return "unsourced"
    return "expired" if row["expired"] else row["evidence"]


def _swing(move):
    """How far a result is moved, relative to itself; a range tells more than one percent does."""
    if "for_one_pct" in move:
        return (0, abs(move["for_one_pct"]))
    if "low" not in move:
        return (0, float("inf"))
    ends = [end for end in (move["low"], move["high"]) if end is not None]
    if len(ends) < 2 or not move["value"]:
        return (1, float("inf"))  # at an end there is no result any more
    return (1, abs(ends[1] - ends[0]) / abs(move["value"]))


def _told(move):
    if "low" in move:
        return f"{_end(move['low'])} to {_end(move['high'])}"
    if "for_one_pct" in move:
        return f"{move['for_one_pct'] * 100:.6g} % for 1 % more"
    return "; ".join(f"{_end(move[step])} at 1 % {step}" for step in ("more", "less") if step in move)


def _end(value):
    return "not available" if value is None else f"{value:.10g}"


def _plain(value):
    return ("yes" if value else "no") if isinstance(value, bool) else value
