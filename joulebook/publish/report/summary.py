"""The summary, which has one page: class, main numbers, what they hold for, where it flips, what matters, what to measure."""

from joulebook.publish.report.characters import each_text, keep_units, shortened
from joulebook.publish.report.decisive import flips, matters, to_measure
from joulebook.publish.report.leading import DECISION, decided_topic, decision_of, leading_topic, main_numbers, topic_of, value_of
from joulebook.publish.report.values import LABEL_NAMES, common_labels, is_number, label_text, shown_number, usual_labels
from joulebook.results import LABELS, NOT_STATED
from joulebook.show.expiry import expired_lines

CARDS = 3
# Among several topics the numbers that decide: the first of each topic that there is, in the order of the page.
DECIDING = {"idle_amortization": ("energy_per_unit_full_j",),
            "cost_per_token": ("ownership_cost_per_million", "cost_per_million_always_on"),
            DECISION: ("roi",)}
SHARES = ("roi",)  # told in percent, as in the sentences of their topic
_LINES = 2  # of what has expired; the register has all
# Characters that the page has room for; what is longer is cut with a sign, and stands whole in its topic or in the register.
ANSWER, BESIDE, LINE, TITLE, LABEL, CHIP, NOTE, UNIT, WORDS = 330, 150, 270, 64, 46, 38, 90, 34, 40
REASON = 80  # of why what has expired is used all the same


def summary_page(run, register, rows):
    """The summary; `register` and `rows` are those of `report_register` and of `joulebook.publish.register.register_of`."""
    several, lead = len(run["topics"]) != 1, leading_topic(run) or {}
    answer, decided = lead.get("answer") or {}, decided_topic(run)
    chosen = _cards(run) if several else [(run["topics"][0], name) for name in main_numbers(run["topics"][0], several=False)]
    if decided and not several:  # the class stands above them
        chosen = [(topic, name) for topic, name in chosen if name != DECISION]
    labels = [topic["results"][name]["labels"] for topic, name in chosen]
    shared = usual_labels(labels) if several else common_labels(labels)
    items = [item for topic in run["topics"] for item in topic["inputs"]]
    return {
        "decision": decision_of(decided) if decided else None,
        "answer": shortened(keep_units(answer.get("says") or ""), ANSWER),
        "beside": shortened(keep_units(answer.get("beside") or ""), BESIDE),
        "boxes": [*_box("Illustrative", _warning(register)), *_box("Expired", *_expired(items)),
                  *_box("Implausible", _implausible(items))],
        "numbers": [_card(topic, name, shared, run, several and topic is not decided) for topic, name in chosen],
        "labels": [[LABEL_NAMES[label], shortened(text, LABEL)] for label, text in shared.items()],
        "labels_hold": labels_hold(several, labels, shared),
        "flips": flips(run),
        "matters": matters(run, rows),
        "measure": to_measure(run),
    }


def main_number(topic, name, shared, run):
    """A main number with its range, evidence and those of its labels that are not shared."""
    result = topic["results"][name]
    own = {label: text for label in LABELS if (text := label_text(result["labels"], label)) != shared.get(label)}
    unsaid = [LABEL_NAMES[label].lower() for label, text in own.items() if text == NOT_STATED]
    told = [text for text in own.values() if text != NOT_STATED] + ([f"{', '.join(unsaid)} {NOT_STATED}"] if unsaid else [])
    return {**shown_number(_in_percent(name, result), run), "title": result["title"], "topic": topic["title"],
            "evidence": result["evidence"], "labels": told,
            "note": "" if result["value"] is None else keep_units(result["note"] or "")}


def labels_hold(several, labels, shared):
    """What stands above the labels that main numbers share."""
    if not several:
        return "These numbers hold for"
    return "All of these hold for" if common_labels(labels) == shared else "These hold for, but where a row names another"


def _cards(run):
    """Numbers among several topics: those that decide where they are available, filled up with headlines in numbers."""
    found = [(topic, name) for of, names in DECIDING.items() if (topic := topic_of(run, of))
             for name in [next((name for name in names if is_number(value_of(topic, name))), None)] if name]
    there = [topic["topic"] for topic, _ in found]
    others = [(topic, name) for topic in run["topics"] if topic["topic"] not in there
              for name in main_numbers(topic, several=True) if is_number(value_of(topic, name))]
    return [*found, *others][:CARDS]


def _in_percent(name, result):
    if name not in SHARES or result["value"] is None:
        return result
    ends = {end: None if result[end] is None else result[end] * 100 for end in ("low", "high")}
    return {**result, **ends, "value": result["value"] * 100, "unit": "%"}


def _card(topic, name, shared, run, alone):
    """A main number; what stands beside the answer of its topic stands below it where it is told nowhere else on the page."""
    told = main_number(topic, name, shared, run)
    beside = keep_units((topic["answer"] or {}).get("beside") or "") if alone else ""
    return {**_cut(told, CHIP), "note": shortened(beside or told["note"], NOTE)}


def _cut(told, chip):
    most = {"title": TITLE, "unit": UNIT, "text": WORDS, "range": NOTE}
    return {**told, **{key: shortened(told[key], length) for key, length in most.items()},
            "labels": each_text(told["labels"], lambda text: shortened(text, chip))}


def _box(name, *lines):
    said = [shortened(keep_units(line), LINE) for line in lines if line]
    return [{"role": "caution", "name": name, "lines": said}] if said else []


def _expired(items):
    lines = expired_lines(items, REASON)
    more = len(lines) - _LINES
    rest = [f"{more} more {'reason' if more == 1 else 'reasons'} in the assumption register."] if more > 0 else []
    return [*lines[:_LINES], *rest]


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
    return (f"{len(weak)} of {register['count']} inputs {are} illustrative, no facts about the client ({names}): "
            f"a number that rests on {them} decides nothing.")


def overview_page(run, register):
    """What is in a report of several topics: the main number of each, what these hold for, and what the inputs rest on."""
    chosen = [(index, topic, name) for index, topic in enumerate(run["topics"], 1) for name in main_numbers(topic, several=True)]
    labels = [topic["results"][name]["labels"] for _, topic, name in chosen]
    shared = usual_labels(labels)
    return {
        "numbers": [{**_cut(main_number(topic, name, shared, run), 2 * CHIP), "index": index} for index, topic, name in chosen],
        "labels": [[LABEL_NAMES[label], shortened(text, 4 * LABEL)] for label, text in shared.items()],
        "labels_hold": labels_hold(True, labels, shared),
        "evidence": register["evidence"],
    }
