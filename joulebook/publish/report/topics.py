"""The section of a topic: its inputs by source, its results, what is missing, figures and limits."""

from collections import Counter

from joulebook.publish.report.characters import keep_units
from joulebook.publish.report.leading import main_numbers
from joulebook.publish.report.summary import ANSWER
from joulebook.publish.report.tables import printed_table
from joulebook.publish.report.typesetting import picture_name
from joulebook.publish.report.values import LABEL_NAMES, has_range, label_text, shown_input, shown_number
from joulebook.results import EVIDENCE, LABELS

DEFAULTS = "defaults of the workbook, each with its reason in the register"


def topic_section(topic, index, run):
    """The section of one topic, by its place in the report."""
    shown = {name: result for name, result in topic["results"].items() if result.get("shown", True)}
    answer = topic["answer"] or {}
    if len(run["topics"]) == 1 and len(answer.get("says") or "") <= ANSWER:  # the summary before it has all of it
        answer = {}
    main = main_numbers(topic, several=False)
    rows = {name: result for name, result in shown.items() if result["value"] is not None}
    hidden = len(topic["results"]) - len(shown)
    return {
        "index": index, "title": topic["title"], "question": topic["question"],
        "answer": keep_units(answer.get("says") or ""),
        "beside": keep_units(answer.get("beside") or ""),
        "inputs": _sources(topic["inputs"], run),
        "results": _results(rows, main, run),
        "missing": _missing(shown.values()),
        "rest": _elsewhere(hidden, topic.get("long_tables", {})),
        "tables": [printed_table(table, run) for table in topic["tables"].values()],
        "figures": [{"path": picture_name(index, position), "caption": keep_units(figure["caption"]),
                     "alt": figure["alt"] or figure["caption"]} for position, figure in enumerate(topic["figures"], 1)],
        "reading": [keep_units(text) for text in topic["reading"]],
        "limits": [keep_units(text) for text in topic["limits"]],
        "rerun": topic["rerun"],
    }


def _elsewhere(hidden, long_tables):
    """What is not printed, and where it stands: further results, and tables that are too long for a page."""
    said = [f"{hidden} more {'result' if hidden == 1 else 'results'} of this topic in results.json."] if hidden else []
    names = [f"{title} ({count} rows)" for title, count in long_tables.items() if count]
    return " ".join([*said, *([f"In the book and in results.json, not printed here: {'; '.join(names)}."] if names else [])])


def _sources(inputs, run):
    """Inputs with their values, gathered by evidence and source, the strongest evidence first."""
    groups = {}
    for item in inputs:
        if item["value"] is not None:
            source = (item["source"] or "source not stated") if item["given"] else DEFAULTS
            groups.setdefault((EVIDENCE.index(item["evidence"]), source), []).append([item["title"], shown_input(item, run)])
    ordered = sorted(groups.items(), key=lambda group: group[0][0])
    return {"rows": [{"evidence": EVIDENCE[rank], "source": source, "items": items} for (rank, source), items in ordered],
            "not_given": [item["title"] for item in inputs if item["value"] is None]}


def _results(results, main, run):
    """The table of results, grouped by window; labels that its rows share stand beside it, the others in the rows."""
    texts = [{label: label_text(result["labels"], label) for label in LABELS} for result in results.values()]
    usual = {label: Counter(text[label] for text in texts).most_common(1)[0][0] for label in LABELS} if texts else {}
    own = {label for label in usual if any(text[label] != usual[label] for text in texts)}
    kinds = {result["evidence"] for result in results.values()}
    notes, groups = [], {}
    for (name, result), text in zip(results.items(), texts, strict=True):
        row = {**_row(result, text, usual, notes, run), "main": name in main}
        groups.setdefault(text["window"] if "window" in own else "", []).append(row)
    beside = [[LABEL_NAMES[label], _beside(label, usual[label], label in own)] for label in usual]
    ranged = any(has_range(result) for result in results.values())
    if results and not ranged:
        beside.append(["Ranges", "range not stated for any of these"])
    if len(kinds) == 1:
        beside.append(["Evidence", f"{kinds.pop()}, the weakest of the inputs"])
    return {"labels": beside, "groups": [{"window": window, "rows": rows} for window, rows in groups.items()], "notes": notes,
            "ranged": ranged, "boundary": "boundary" in own, "evidence": len(kinds) > 1}


def _row(result, text, usual, notes, run):
    note = keep_units(result["note"] or "")
    if note and note not in notes:
        notes.append(note)
    others = [f"{LABEL_NAMES[label].lower()}: {text[label]}" for label in LABELS
              if label not in ("window", "boundary") and text[label] != usual[label]]
    return {**shown_number(result, run), "title": result["title"], "others": ", ".join(others),
            "mark": str(notes.index(note) + 1) if note else "", "boundary": text["boundary"],
            "rung": result["labels"].get("boundary") or "", "evidence": result["evidence"]}


def _beside(label, text, differs):
    if not differs:
        return text
    apart = {"window": "named above each group of rows", "boundary": "named in each row"}
    return apart.get(label, f"{text}, but for rows that name another")


def _missing(results):
    """Results that are not available, gathered by reason."""
    reasons = {}
    for result in results:
        if result["value"] is None:
            reasons.setdefault(keep_units(result["note"] or "no reason given"), []).append(result["title"])
    return [{"reason": reason, "titles": titles} for reason, titles in reasons.items()]
