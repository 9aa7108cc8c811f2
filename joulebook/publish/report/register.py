"""The assumption register: every input once, the weakest first, and what rests on it."""

from collections import Counter

from joulebook.publish.report.characters import keep_units
from joulebook.publish.report.days import age
from joulebook.publish.report.values import numbers_of, shown_input
from joulebook.results import EVIDENCE
from joulebook.show.assumptions import (
    DEFAULTS,
    FIRST,
    GROUPS,
    WIDE,
    grouped,
    move_words,
    not_told_lines,
    rests_words,
    rule_words,
    use_words,
    value_words,
    without_effect_lines,
)
from joulebook.show.numbers import NO_BREAK

BELOW = "told below"  # of a value that has no room in its column
LONG = 300  # letters of a source that has room in its column


def report_register(run, data):
    """Every input of every topic once; where topics have different values, each says for which.

    Parameters
    ----------
    run : dict
        As of `joulebook.publish.report.report_data`.
    data : dict
        The register of `joulebook.publish.register.register_data`.

    Returns
    -------
    dict
        groups of rows, defaults of the workbook apart, inputs that are not given, and how many rest on which evidence.
    """
    rows, titles = data["rows"], data["titles"]
    names = Counter(row["name"] for row in rows)

    def told(row):
        own = [titles[topic] for topic in row["topics"]] if names[row["name"]] > 1 else []
        return _row(row, own, titles, run)

    missing = {item["name"]: item["title"] for topic in run["topics"] for item in topic["inputs"] if item["value"] is None}
    counts = Counter(row["evidence"] for row in rows)
    return {
        "count": len(rows),
        "groups": [{"title": GROUPS[name][0], "means": GROUPS[name][1], "rows": [told(row) for row in of]}
                   for name, of in grouped(rows).items()],
        "defaults": [told(row) for row in rows if not row["given"]],
        "defaults_mean": f"{DEFAULTS[0]}: {DEFAULTS[1]}",
        "missing": [{"title": title, "key": name} for name, title in missing.items()],
        "evidence": [{"kind": kind, "count": counts[kind], "means": GROUPS[kind][1]} for kind in EVIDENCE if counts[kind]],
        "illustrative": [row["title"] for row in rows if row["evidence"] == "illustrative"],
        "rule": [rule_words(run["prepared"], run.get("valid_months")), *not_told_lines(data["not_told"]),
                 *without_effect_lines(data["without_effect"])],
    }


def _row(row, topics, titles, run):
    write = numbers_of(run)
    _, reach = value_words(row, write)
    ends = f"; {'expired' if row['expired'] else 'expires'} {row['expires']}" if row["expires"] else ""
    moves = [[*move_words(move, write), titles[move["topic"]]] for move in row["moves"]]
    more = len(moves) - FIRST
    value = shown_input(row, run).replace(NO_BREAK, " ")  # a long number and its unit do not fit on one line
    wide, source = len(value) > WIDE, _source(row)
    long = len(source) > LONG
    below = [*([["Value", value]] if wide else []), *([["Source", source]] if long else [])]
    return {"title": row["title"], "key": row["name"], "topics": ", ".join(topics), "range": reach,
            "value": BELOW if wide else value, "below": below,
            "evidence": None if row["group"] == "declared" else row["evidence"], "source": "" if long else source,
            "days": age(row["as_of"], run["prepared"]) + ends, "use": keep_units(use_words(row)),
            "rests": rests_words(row, titles), "moves": moves[:FIRST],
            "more": f"{more} more in the book and in register.csv" if more > 0 else ""}


def _source(row):
    """Where a value comes from, and that it was confirmed where it is not plausible."""
    return "; ".join(filter(None, (row["source"] or "source not stated", row["plausible"])))
