"""The fields in which a deployment is held against a benchmark's result, and what each difference does to the energy."""

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

from joulebook.method.matching.compared import LESS, MORE, SAME, Outcome, direction, ordered, plain, same_text, unknown
from joulebook.method.matching.words import (
    BITS,
    DEFAULT,
    MATCH,
    MISMATCH,
    NO,
    NO_ACCELERATOR,
    NO_BIAS,
    NOT_KNOWN,
    TUNED,
    UNKNOWN,
    YES,
)
from joulebook.results import BOUNDARIES

# Scenarios of one chain, the one with the most freedom to batch first. A latency limit and a waiting batch cost energy.
_CHAINS = (("Offline", "Server", "Interactive"), ("Offline", "MultiStream", "SingleStream"))
# What longer inputs and outputs do to the energy of a unit. A token of both, or of the same way, has no direction.
_INPUT = dict.fromkeys(("output_token", "query", "sample", "inference", "training_sample"), MORE)
_OUTPUT = dict.fromkeys(("input_token", "query", "sample", "inference", "training_sample"), MORE)


@dataclass(frozen=True)
class Field:
    """One field of the comparison.

    Parameters
    ----------
    name : str
        Its name on the page.
    compare : callable
        Called with the fields of the deployment and of the disclosure; gives an `Outcome`.
    blocking : bool
        Whether a mismatch or an unknown of it alone means to measure first.
    """

    name: str
    compare: Callable
    blocking: bool = False


def compare(deployment, disclosure):
    """Hold a deployment against what is known of a benchmark's result.

    Parameters
    ----------
    deployment, disclosure : dict
        Fields as in `joulebook.intake.records`; one that is not there is not known.

    Returns
    -------
    list of tuple of (Field, Outcome)
        One for each of `FIELDS`.

    Examples
    --------
    >>> found = {field.name: outcome for field, outcome in compare({"scenario": "Server"}, {"scenario": "Offline"})}
    >>> found["scenario"].word, found["scenario"].bias, found["precision"].word
    ('mismatch', 'understates', 'unknown')
    """
    return [(field, field.compare(deployment, disclosure)) for field in FIELDS]


def _model(name):
    """A part of the model: by itself, else by the model's full name."""

    def compared(mine, theirs):
        one, other = mine.get(name), theirs.get(name)
        models = mine.get("model"), theirs.get("model")
        if (one is None or other is None) and None not in models:
            same = plain(models[0]) == plain(models[1])
            reason = "both run the same model" if same else "another model, which does not say how far it differs in this"
            return Outcome(MATCH if same else MISMATCH, reason, NO_BIAS if same else NOT_KNOWN, *models)
        return ordered(one, other, SAME, tolerance=_tolerance(mine)) if name == "model_size_b" else same_text(one, other)

    return compared


def _size(mine, theirs):
    """Size of the model; more parameters take more energy where family and architecture are the same."""
    outcome = _model("model_size_b")(mine, theirs)
    alike = all(_model(name)(mine, theirs).word == MATCH for name in ("model_family", "architecture"))
    if outcome.word == MISMATCH and alike and isinstance(outcome.benchmark, int | float):
        return ordered(outcome.deployment, outcome.benchmark, MORE, why="a larger model of one kind takes more energy")
    return outcome


def _scenario(mine, theirs):
    one, other = mine.get("scenario"), theirs.get("scenario")
    if None in (one, other):
        return unknown(one, other)
    chain = next((chain for chain in _CHAINS if one in chain and other in chain), None)
    if chain is None:
        return Outcome(MISMATCH, "each bound in another way", NOT_KNOWN, one, other)
    return ordered(one, other, MORE, chain, why="less time to wait for others leaves less to batch")


def _unit_of_work(mine, theirs):
    return same_text(mine.get("unit_of_work"), theirs.get("unit_of_work"), "converting takes an explicit factor")


def _counted(name, energy, why, lowest=None):
    def compared(mine, theirs):
        return ordered(mine.get(name), theirs.get(name), energy, tolerance=_tolerance(mine), lowest=lowest, why=why)

    return compared


def _length(way, effects, why):
    """Tokens of a request where both tell them, else the form of what goes in or comes out."""

    def compared(mine, theirs):
        tokens, forms = ([side.get(f"{way}_{name}") for side in (mine, theirs)] for name in ("tokens", "form"))
        if None not in tokens:
            unit = mine.get("unit_of_work") if mine.get("unit_of_work") == theirs.get("unit_of_work") else None
            energy = effects.get(unit, SAME)
            return ordered(*tokens, energy, tolerance=_tolerance(mine), why=why if energy else "")
        if None not in forms:
            return same_text(*forms)
        sides = [token if form is None else form for token, form in zip(tokens, forms, strict=True)]
        return unknown(*sides, why="" if None in sides else ": one in tokens, the other in words")

    return compared


def _precision(mine, theirs):
    one, other = mine.get("precision"), theirs.get("precision")
    if None in (one, other) or one == other:
        return same_text(one, other)
    less, more = (all(map(beside, BITS[other], BITS[one])) for beside in (operator.le, operator.ge))
    sign = SAME if less == more else LESS if less else MORE
    reason = {LESS: "fewer bits than the deployment's take less energy", MORE: "more bits than the deployment's take more energy",
              SAME: "another number format, neither of fewer bits"}[sign]  # fmt: skip
    return Outcome(MISMATCH, reason, direction(sign), one, other)


def _budget(mine, theirs):
    """Whether the accuracy budget of the deployment allows the benchmark's precision."""
    allowed, precision = mine.get("precision_allowed"), theirs.get("precision")
    if precision is None:
        reason = "the benchmark's precision is not known, so whether the budget allows it cannot be said"
        return Outcome(UNKNOWN, reason, NOT_KNOWN, allowed, None)
    if allowed is None:
        reason = "it is not said whether the accuracy budget allows the benchmark's precision"
        return Outcome(UNKNOWN, reason, NOT_KNOWN, None, precision)
    if allowed == YES:
        return Outcome(MATCH, "the accuracy budget allows the benchmark's precision", NO_BIAS, allowed, precision)
    bias = _precision(mine, theirs).bias
    reason = "the accuracy budget forbids the benchmark's precision"
    return Outcome(MISMATCH, reason, NOT_KNOWN if bias == NO_BIAS else bias, allowed, precision)


def _quality(mine, theirs):
    one, other = mine.get("quality_target_pct"), theirs.get("quality_target_pct")
    kinds = mine.get("quality_is"), theirs.get("quality_is")
    if None not in (one, other) and (None in kinds or kinds[0] != kinds[1]):
        return Outcome(UNKNOWN, "not in the same terms: both absolute, or both of a reference", NOT_KNOWN, one, other)
    return ordered(one, other, MORE, highest=100, why="a stricter target takes more energy as a rule")


def _boundary(mine, theirs):
    one, other = mine.get("boundary"), theirs.get("boundary")
    outcome = ordered(one, other, MORE, BOUNDARIES, why="an outer boundary holds all that an inner one does")
    return _converted(outcome, f"from {other} to {one}")


def _cooling(mine, theirs):
    one, other = _cooled(mine), _cooled(theirs)
    outcome = ordered(one, other, MORE, (NO, YES), why="cooling takes energy of its own")
    return _converted(outcome, "with cooling" if one == YES else "without cooling")


def _converted(outcome, how):
    if outcome.word != MISMATCH:
        return outcome
    reason = f"converted by the boundary ladder, {how}"
    return replace(outcome, word=MATCH, bias=NO_BIAS, reason=reason, modelled=True)


def _cooled(side):
    """Whether cooling is counted; at the facility it is."""
    return YES if side.get("boundary") == BOUNDARIES[-1] else side.get("cooling_included")


def _accelerators(mine, theirs):
    if all(plain(side.get("accelerator", "")) == NO_ACCELERATOR for side in (mine, theirs)):
        return Outcome(MATCH, "no accelerator in either", NO_BIAS, 0, 0)
    return _counted("accelerators_per_node", SAME, "published pairs point both ways")(mine, theirs)


def _network(mine, theirs):
    if mine.get("nodes") == theirs.get("nodes") == 1:
        return Outcome(MATCH, "one node each: no network between nodes", NO_BIAS, mine.get("network"), theirs.get("network"))
    return same_text(mine.get("network"), theirs.get("network"))


def _stack(mine, theirs):
    return ordered(mine.get("stack"), theirs.get("stack"), MORE, (TUNED, DEFAULT), why="what was tuned takes less energy")


_NEWER = "newer software takes less energy for the same work, as a rule"


def _software(mine, theirs):
    outcome = same_text(mine.get("software"), theirs.get("software"))
    if outcome.word != MISMATCH:
        return outcome
    by_date = _by_date(mine, theirs)
    if by_date.bias in (NO_BIAS, NOT_KNOWN):
        return outcome
    return replace(outcome, bias=by_date.bias, reason=f"not the same: {_NEWER}")


def _age(mine, theirs):
    """Age of the software; of one version it does not count."""
    dates = mine.get("software_date"), theirs.get("software_date")
    if same_text(mine.get("software"), theirs.get("software")).word == MATCH:
        return Outcome(MATCH, "the same version, whatever its age", NO_BIAS, *dates)
    return _by_date(mine, theirs)


def _by_date(mine, theirs):
    one, other = mine.get("software_date"), theirs.get("software_date")
    if None in (one, other):
        return unknown(one, other)
    return ordered(one, other, LESS, sorted({one, other}), why=_NEWER)


def _tolerance(mine):
    return mine.get("tolerance_share", 0.0)


def _text(name):
    def compared(mine, theirs):
        return same_text(mine.get(name), theirs.get(name))

    return compared


SCENARIO, QUALITY, HOST, SOFTWARE = "scenario", "quality target", "accelerators in a node", "software generation"

FIELDS = (
    Field("model family", _model("model_family"), blocking=True),
    Field("model size", _size, blocking=True),
    Field("architecture", _model("architecture"), blocking=True),
    Field(SCENARIO, _scenario, blocking=True),
    Field("unit of work", _unit_of_work, blocking=True),
    Field("accuracy budget", _budget, blocking=True),
    Field("precision", _precision),
    Field(QUALITY, _quality),
    Field("batch", _counted("batch_size", LESS, "a larger batch shares the reading of the weights", lowest=1)),
    Field("concurrency", _counted("concurrency", LESS, "more requests at once share the machine", lowest=1)),
    Field("input length", _length("input", _INPUT, "a longer input takes more energy")),
    Field("output length", _length("output", _OUTPUT, "a longer output takes more energy")),
    Field("boundary", _boundary),
    Field("cooling", _cooling),
    Field("accelerator", _text("accelerator")),
    Field(HOST, _accelerators),
    Field("nodes", _counted("nodes", MORE, "what lies between nodes grows with their number", lowest=1)),
    Field("network", _network),
    Field("stack", _stack),
    Field(SOFTWARE, _software),
    Field("software age", _age),
)
