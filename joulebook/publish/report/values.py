"""Numbers, units and labels as text."""

from collections import Counter

from joulebook.inputs import FILE_UNITS
from joulebook.publish.report.characters import keep_units
from joulebook.results import BOUNDARIES, LABELS, NOT_STATED
from joulebook.show.numbers import INPUT_DIGITS, Numbers
from joulebook.units import work

LABEL_NAMES = {"workload": "Workload", "unit_of_work": "Unit of work", "quality": "Quality", "scenario": "Scenario",
               "window": "Window", "boundary": "Boundary"}


def numbers_of(run):
    """How a run writes its numbers."""
    return Numbers(run.get("locale"), run["currency"])


def shown_number(result, run):
    """Value, unit and range of a result as text, and where between low and high the value lies."""
    value, low, high, unit, write = *(result[key] for key in ("value", "low", "high", "unit")), numbers_of(run)
    plain = {"value": "", "unit": "", "text": "", "low": "", "high": "", "at": None, "range": ""}
    if value is None:
        return {**plain, "text": "not available", "range": keep_units(result["note"] or "no reason given")}
    if not is_number(value):
        return {**plain, "text": in_words(value)}
    shown = {**plain, "value": write.rounded(value, low, high, unit), "unit": shown_unit(unit, run),
             "range": write.span(low, high, unit)}
    if has_range(result):
        at = min(1.0, max(0.0, (value - low) / (high - low))) if high > low else None
        shown |= {**dict(zip(("low", "high"), write.ends(low, high, unit), strict=True)), "at": at}
    return shown


def shown_input(item, run):
    """Value of an input with its unit, with the digits that were given."""
    value = item["value"]
    if not is_number(value):
        return in_words(value)
    if item["name"] == "year":
        return f"{value:.0f}"
    write = numbers_of(run)
    return write.with_unit(write.number(value, INPUT_DIGITS, item["unit"]), shown_unit(item["unit"], run, value))


def shown_unit(unit, run, value=None):
    """A unit in the words of the run: its currency, its unit of work."""
    if unit == "year" and value != 1:
        return "years"
    name = (run["labels"] or {}).get("unit_of_work")
    words = {"money": run["currency"], "units": work(name, plural=True), **dict.fromkeys(FILE_UNITS, ""), "1": ""}
    return "/".join(words.get(part, part) for part in (unit or "").split("/"))


def label_text(labels, label):
    """A label as text, also where it was not stated."""
    value = labels.get(label)
    if not value:
        return NOT_STATED
    if label == "unit_of_work":
        return work(value)
    return value.replace("_dc", ", DC") if value in BOUNDARIES else value


def common_labels(labels):
    """Labels in which all agree, as text."""
    return {label: label_text(labels[0], label) for label in LABELS
            if labels and len({label_text(one, label) for one in labels}) == 1}


def usual_labels(labels):
    """Labels as most have them, as text; of those that are as frequent the first."""
    return {label: Counter(label_text(one, label) for one in labels).most_common(1)[0][0] for label in LABELS if labels}


def has_range(item):
    """Whether an input or a result has a range."""
    return item["low"] is not None and item["high"] is not None


def is_number(value):
    """Whether a value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def in_words(value):
    """A value that is no number, as text."""
    return str(value) if not isinstance(value, bool) else "yes" if value else "no"
