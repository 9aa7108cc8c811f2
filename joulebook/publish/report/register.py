"""The assumption register: every input once."""

import json
from collections import Counter

from joulebook.publish.report.days import age
from joulebook.publish.report.values import has_range, is_number, shown_input
from joulebook.results import EVIDENCE
from joulebook.show.numbers import NO_BREAK, span_as_given

EVIDENCE_MEANS = {
    "measured": "by a meter, on the system in question",
    "published": "printed by somebody who can be named",
    "modelled": "calculated from other figures",
    "quoted": "told or offered, not checked",
    "assumed": "held to be so, without evidence",
    "illustrative": "chosen to show the method, says nothing about the client"}


def register_of(run):
    """Every input of every topic once; where topics have different values, each says for which."""
    entries = {}
    for topic in run["topics"]:
        for item in topic["inputs"]:
            variants = entries.setdefault(item["name"], {})
            variants.setdefault(json.dumps(item, sort_keys=True), (item, []))[1].append(topic["title"])
    rows, missing = [], []
    for variants in entries.values():
        for item, topics in variants.values():
            if item["value"] is None:
                missing.append({"title": item["title"], "key": item["name"]})
            else:
                rows.append(_register_row(item, topics if len(variants) > 1 else [], run))
    counts = Counter(row["evidence"] for row in rows)
    evidence = [{"kind": kind, "count": counts[kind], "means": EVIDENCE_MEANS[kind]} for kind in EVIDENCE if counts[kind]]
    return {"rows": rows, "missing": missing, "evidence": evidence}


def _register_row(item, topics, run):
    reach = "range not stated" if is_number(item["value"]) else ""
    if reach and has_range(item):
        reach = span_as_given(item["low"], item["high"])
        reach += {"limits": " (limits)", "u95": f" (95{NO_BREAK}%)"}[item["range_is"]]
    return {"title": item["title"], "key": item["name"], "topics": ", ".join(topics), "value": shown_input(item, run),
            "range": reach, "evidence": item["evidence"], "source": item["source"] or "source not stated",
            "as_of": age(item["as_of"], run["prepared"])}
