"""The first page: whose report it is, the answer, the main numbers, and what they rest on."""

from joulebook.publish.report.brand import brand_of, paper_of
from joulebook.publish.report.characters import keep_units, shortened
from joulebook.publish.report.days import date_of
from joulebook.publish.report.values import LABEL_NAMES, common_labels, label_text, numbers_of, shown_number, usual_labels
from joulebook.results import LABELS, NOT_STATED
from joulebook.show.expiry import MOST, expired_lines
from joulebook.show.tones import SUB_CLASS, TONES, tone

DECISION = "verdict"  # the topic whose answer leads, and the result that is its class
NOTES_ON_COVER = 450  # characters of notes that the first page has room for


def document(run):
    """What the PDF says of itself: title, author, day, and what stands on every page."""
    day, title, brand = date_of(run), _title(run), brand_of(run)
    return {"title": title, "author": brand["name"] or "Joulebook", "date": [day.year, day.month, day.day],
            "paper": paper_of(run), "brand": brand,
            "head": shortened(brand["name"] or "Joulebook", 46), "client": shortened(run["client"], 54),
            "foot": f"{shortened(title, 60)}, Joulebook {run['version']}"}


def _title(run):
    return run["topics"][0]["title"] if len(run["topics"]) == 1 else "Energy and cost of the work"


def cover_page(run, register):
    """The first page; `register` is that of `register_of`."""
    several, day = len(run["topics"]) != 1, date_of(run)
    chosen = [(index, topic, name) for index, topic in enumerate(run["topics"], 1) for name in main_numbers(topic, several)]
    labels = [topic["results"][name]["labels"] for _, topic, name in chosen]
    shared = usual_labels(labels) if several else common_labels(labels)
    # Of several topics the decision comes first, where there is one.
    lead = next((topic for topic in run["topics"] if topic["topic"] == DECISION and _decided(topic)), None)
    answer = (lead if several else run["topics"][0]) or {}
    answer = answer.get("answer") or {}
    decision = _decision(lead) if lead else None
    rows = [row for row in chosen if not (several and decision and row[1] is lead)]  # the class stands above them
    items = [item for topic in run["topics"] for item in topic["inputs"]]
    return {
        "title": _title(run),
        "question": "" if several else run["topics"][0]["question"],
        "facts": [["Prepared for", run["client"]], ["Date", numbers_of(run).day(day.isoformat())],
                  ["Currency", run["currency"]], ["Made with", f"Joulebook {run['version']}"]],
        "decision": decision,
        "answer": keep_units(answer.get("says") or ""),
        "beside": keep_units(answer.get("beside") or ""),
        "warning": _warning(register),
        "implausible": _implausible(items),
        "expired": [keep_units(line) for line in expired_lines(items, MOST)],
        "several": several,
        "numbers": [{**_main_number(topic, name, shared, run), "index": index} for index, topic, name in rows],
        "labels": [[LABEL_NAMES[label], text] for label, text in shared.items()],
        "labels_hold": _labels_hold(several, labels, shared),
        "evidence": register["evidence"],
    }


def main_numbers(topic, several):
    """Names of a topic's main numbers: its headline among several topics, else up to three."""
    answer = topic["answer"] or {}
    names = [] if several else answer.get("numbers") or []
    return [name for name in (names or [answer.get("headline")])[:3] if name in topic["results"]]


def _decision(topic):
    """The class in a word, with its sub-class, and the role of its colour; None where the answer is no class."""
    kind, sub = (topic["results"].get(name, {}).get("value") for name in (DECISION, SUB_CLASS))
    if not isinstance(kind, str):
        return None
    word = f"{kind[:1].upper()}{kind[1:]}"
    return {"word": f"{word}, {sub}" if sub in TONES else word, "role": tone(DECISION, topic["results"])}


def _decided(topic):
    return any(topic["results"][name]["value"] is not None for name in main_numbers(topic, several=True))


def _labels_hold(several, labels, shared):
    """What stands above the labels that main numbers share."""
    if not several:
        return "These numbers hold for"
    return "All of these hold for" if common_labels(labels) == shared else "These hold for, but where a row names another"


def _main_number(topic, name, shared, run):
    result = topic["results"][name]
    own = {label: text for label in LABELS if (text := label_text(result["labels"], label)) != shared.get(label)}
    unsaid = [LABEL_NAMES[label].lower() for label, text in own.items() if text == NOT_STATED]
    told = [text for text in own.values() if text != NOT_STATED] + ([f"{', '.join(unsaid)} {NOT_STATED}"] if unsaid else [])
    return {**shown_number(result, run), "title": result["title"], "topic": topic["title"], "evidence": result["evidence"],
            "labels": told, "note": "" if result["value"] is None else keep_units(result["note"] or ""),
            "says": keep_units(topic["answer"].get("says") or "")}


def _implausible(items):
    odd = list(dict.fromkeys(item["title"] for item in items if item.get("plausible")))
    if not odd:
        return ""
    return f"Outside what is plausible, and confirmed by the client: {_named(odd)}. The assumption register says by how much."


def _named(titles):
    return ", ".join(titles[:4]) + (f" and {len(titles) - 4} more" if len(titles) > 4 else "")


def _warning(register):
    weak = register["illustrative"]
    if not weak:
        return ""
    names = _named(weak)
    are, them = ("is", "it") if len(weak) == 1 else ("are", "them")
    return (f"{len(weak)} of {register['count']} inputs {are} illustrative: chosen to show the method, not facts about the "
            f"client ({names}). A number that rests on {them} decides nothing.")
