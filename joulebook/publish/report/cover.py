"""The cover: whose report it is, what is asked, the answer in a sentence, and what the client noted."""

from joulebook.publish.report.brand import brand_of, paper_of
from joulebook.publish.report.characters import keep_units, paragraphs, shortened
from joulebook.publish.report.days import date_of
from joulebook.publish.report.leading import leading_topic
from joulebook.publish.report.values import numbers_of

NOTES_ON_COVER = 450  # characters of notes that the cover has room for
ANSWER_ON_COVER = 520  # of the answer, which stands whole in its topic


def document(run):
    """What the PDF says of itself: title, author, day, and what stands on every page."""
    day, title, brand = date_of(run), _title(run), brand_of(run)
    return {"title": title, "author": brand["name"] or "Joulebook", "date": [day.year, day.month, day.day],
            "paper": paper_of(run), "brand": brand, "several": len(run["topics"]) != 1,
            "head": shortened(brand["name"] or "Joulebook", 46), "client": shortened(run["client"], 54),
            "foot": f"{shortened(title, 60)}, Joulebook {run['version']}"}


def _title(run):
    return run["topics"][0]["title"] if len(run["topics"]) == 1 else "Energy and cost of the work"


def cover_page(run):
    """What the cover says."""
    lead, notes = leading_topic(run) or {}, paragraphs(run.get("notes"))
    answer, workload = lead.get("answer") or {}, (run["labels"] or {}).get("workload")
    return {
        "title": _title(run),
        "question": lead.get("question") or "",
        "answer": shortened(keep_units(answer.get("says") or ""), ANSWER_ON_COVER),
        "facts": [["Prepared for", run["client"]], *([["Workload", shortened(workload, 160)]] if workload else []),
                  ["Date", numbers_of(run).day(date_of(run).isoformat())], ["Currency", run["currency"]],
                  ["Made with", f"Joulebook {run['version']}"]],
        "notes": notes if _short(notes) else [],
    }


def further_notes(run):
    """Paragraphs of notes that are too long for the cover."""
    notes = paragraphs(run.get("notes"))
    return [] if _short(notes) else notes


def _short(notes):
    return sum(map(len, notes)) <= NOTES_ON_COVER
