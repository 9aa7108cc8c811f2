"""From matched fields to a grade: what a benchmark's result may be used for (method, section 6)."""

from joulebook.method.matching.fields import compare
from joulebook.method.matching.words import (
    DIRECTIONAL,
    FEASIBILITY,
    MATCH,
    MEASURE,
    MISMATCH,
    NOT_KNOWN,
    OVERSTATES,
    UNDERSTATES,
    UNKNOWN,
    YES,
)
from joulebook.method.study import gives
from joulebook.results import BOUNDARIES, UNITS_OF_WORK

LOWER, UPPER = "lower bound", "upper bound"
_BOUND = {UNDERSTATES: LOWER, OVERSTATES: UPPER}
USES = {
    FEASIBILITY: "May carry an estimate of whether the use case is feasible. It is no forecast of installed systems: results are "
    "chosen and tuned by those who submit them.",
    LOWER: "May stand as a lower bound: the deployment takes at least this energy for a unit of work. Not for a price, a "
    "purchase or a saving.",
    UPPER: "May stand as an upper bound: the deployment takes at most this energy for a unit of work. Not for a price, a "
    "purchase or a saving.",
    MEASURE: "May not carry the estimate. It may be told as background, with what differs beside it.",
}  # fmt: skip


@gives("matched_fields", "fields_matched", "fields_mismatched", "fields_unknown", "fields_converted")
def match_fields(deployment, disclosure):
    """Each field of a deployment against what is known of a benchmark's result.

    Parameters
    ----------
    deployment, disclosure : dict
        Fields as in `joulebook.intake.records`; one that is not there is not known.

    Returns
    -------
    dict
        The results named in `gives`; a field that was converted is a match, and says so.
    """
    found = compare(deployment, disclosure)
    words = [outcome.word for _, outcome in found]
    table = {
        "field | ": [field.name for field, _ in found],
        "blocks | ": [YES if field.blocking else "" for field, _ in found],
        "match | ": words,
        "bias | ": [outcome.bias for _, outcome in found],
        "deployment | ": [_said(outcome.deployment) for _, outcome in found],
        "benchmark | ": [_said(outcome.benchmark) for _, outcome in found],
        "reason | ": [outcome.reason for _, outcome in found],
    }
    results = {"fields_matched": MATCH, "fields_mismatched": MISMATCH, "fields_unknown": UNKNOWN}
    counts = {name: float(words.count(word)) for name, word in results.items()}
    return {"matched_fields": table, **counts, "fields_converted": float(sum(outcome.modelled for _, outcome in found))}


@gives("grade", "grade_reason", "energy_bound", "grade_use")
def grade_of(matched_fields, fields_converted):
    """The grade of a benchmark's result as evidence for a deployment.

    Parameters
    ----------
    matched_fields : dict
        Result of `match_fields`.
    fields_converted : float
        How many fields match only after a conversion: then the grade rests on a model.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    One blocking field that does not match, or is not known: measure first. Others that do not match: a directional bound where
    each has a known direction and all point the same way, else measure first. All match: feasibility evidence.
    """
    rows = list(zip(*(matched_fields[f"{name} | "] for name in ("field", "match", "bias", "blocks")), strict=True))
    open_ones = [(field, word, bias) for field, word, bias, blocks in rows if word != MATCH and not blocks]
    blocked = [f"{field} ({word})" for field, word, _, blocks in rows if word != MATCH and blocks]
    astray = [field for field, _, bias in open_ones if bias == NOT_KNOWN]
    ways = {way: [field for field, _, bias in open_ones if bias == way] for way in (UNDERSTATES, OVERSTATES)}
    bound, no_bound = None, "no bound: the result may not carry the estimate"
    if blocked:
        grade, reason = MEASURE, f"blocked by {', '.join(blocked)}"
    elif astray:
        grade, reason = MEASURE, f"no direction is known for {', '.join(astray)}"
    elif all(ways.values()):
        said = "; ".join(f"it {way} by {', '.join(fields)}" for way, fields in ways.items())
        grade, reason = MEASURE, f"the directions oppose each other: {said}"
    elif open_ones:
        way = next(way for way, fields in ways.items() if fields)
        grade, bound, reason = DIRECTIONAL, _BOUND[way], f"the benchmark {way} by {', '.join(ways[way])}, and by nothing else"
    else:
        grade, reason, no_bound = FEASIBILITY, "all fields match", "no bound: nothing differs that is compared"
    modelled = {"evidence": dict.fromkeys(grade_of.results, "modelled")} if fields_converted else {}
    return {"grade": grade, "grade_reason": reason, "energy_bound": bound, "grade_use": USES[bound or grade],
            "notes": {"energy_bound": "" if bound else no_bound}, **modelled}  # fmt: skip


GRADE = (match_fields, grade_of)


def _said(value):
    """A side of a field as text."""
    words = str(value).replace("_", " ") if value in (*UNITS_OF_WORK, *BOUNDARIES) else str(value)
    return "" if value is None else f"{value:g}" if isinstance(value, float) else words
