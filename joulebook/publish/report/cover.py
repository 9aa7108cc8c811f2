"""The first page: whose report it is, the answer, the main numbers, and what they rest on."""

from joulebook.publish.report.characters import keep_units, shortened
from joulebook.publish.report.days import MONTHS, date_of
from joulebook.publish.report.values import LABEL_NAMES, common_labels, label_text, shown_number
from joulebook.results import LABELS, NOT_STATED
from joulebook.show.expiry import MOST, expired_lines

NOTES_ON_COVER = 450  # characters of notes that the first page has room for


def document(run):
    """What the PDF says of itself: title, author, day, and what stands on every page."""
    day, title = date_of(run), _title(run)
    return {"title": title, "author": "Joulebook", "date": [day.year, day.month, day.day],
            "client": shortened(run["client"], 70), "foot": f"{shortened(title, 60)}, Joulebook {run['version']}"}


def _title(run):
    return run["topics"][0]["title"] if len(run["topics"]) == 1 else "Energy and cost of the work"


def cover_page(run, register):
    """The first page; `register` is that of `register_of`."""
    several, day = len(run["topics"]) != 1, date_of(run)
    chosen = [(index, topic, name) for index, topic in enumerate(run["topics"], 1) for name in main_numbers(topic, several)]
    common = common_labels([topic["results"][name]["labels"] for _, topic, name in chosen])
    answer = {} if several else run["topics"][0]["answer"] or {}
    items = [item for topic in run["topics"] for item in topic["inputs"]]
    return {
        "title": _title(run),
        "question": "" if several else run["topics"][0]["question"],
        "facts": [["Prepared for", run["client"]], ["Date", f"{day.day} {MONTHS[day.month - 1]} {day.year}"],
                  ["Currency", run["currency"]], ["Made with", f"Joulebook {run['version']}"]],
        "answer": keep_units(answer.get("says") or ""),
        "beside": keep_units(answer.get("beside") or ""),
        "warning": _warning(register),
        "expired": [keep_units(line) for line in expired_lines(items, MOST)],
        "several": several,
        "numbers": [{**_main_number(topic, name, common, run), "index": index} for index, topic, name in chosen],
        "labels": [[LABEL_NAMES[label], text] for label, text in common.items()],
        "evidence": register["evidence"],
    }


def main_numbers(topic, several):
    """Names of a topic's main numbers: its headline among several topics, else up to three."""
    answer = topic["answer"] or {}
    names = [] if several else answer.get("numbers") or []
    return [name for name in (names or [answer.get("headline")])[:3] if name in topic["results"]]


def _main_number(topic, name, common, run):
    result = topic["results"][name]
    own = {label: label_text(result["labels"], label) for label in LABELS if label not in common}
    return {**shown_number(result, run), "title": result["title"], "topic": topic["title"], "evidence": result["evidence"],
            "labels": [f"{LABEL_NAMES[label].lower()} {text}" if text == NOT_STATED else text for label, text in own.items()],
            "note": "" if result["value"] is None else keep_units(result["note"] or ""),
            "says": keep_units(topic["answer"].get("says") or "")}


def _warning(register):
    weak = register["illustrative"]
    if not weak:
        return ""
    names = ", ".join(weak[:4]) + (f" and {len(weak) - 4} more" if len(weak) > 4 else "")
    are, them = ("is", "it") if len(weak) == 1 else ("are", "them")
    return (f"{len(weak)} of {register['count']} inputs {are} illustrative: chosen to show the method, not facts about the "
            f"client ({names}). A number that rests on {them} decides nothing.")
