"""The shape of ``client.yml``: which keys there are and what kind of value each takes."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from joulebook.dictionary import RECORDS
from joulebook.errors import Problem, near
from joulebook.inputs import RANGES
from joulebook.intake.branding import BrandingShape, LocaleName, PaperName
from joulebook.intake.checks import LONGEST_SOURCE, check_currency, check_date
from joulebook.intake.typed import checked, choice, own_problem, text
from joulebook.plausible import CONFIRMED
from joulebook.results import CHOICES, EVIDENCE

Date = Annotated[str, checked(check_date)]


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class LabelsShape(_Shape):
    """What the figures are valid for."""

    workload: text(500) = ""
    unit_of_work: choice(CHOICES["unit_of_work"]) = ""
    quality: text(500) = ""
    scenario: choice(CHOICES["scenario"]) = ""
    window: text(500) = ""
    boundary: choice(CHOICES["boundary"]) = ""


class EntryShape(_Shape):
    """One parameter; its numbers are judged by the dictionary."""

    value: Any
    low: Any = None
    high: Any = None
    range_is: choice(RANGES) = ""
    source: text(LONGEST_SOURCE) = ""
    evidence: choice(EVIDENCE) = ""
    as_of: Date = ""
    expires: Date = ""
    plausible: choice((CONFIRMED,)) = ""


class MlperfShape(_Shape):
    """The MLPerf result that gives throughput, power and labels."""

    path: text(1000)
    unit_of_work_factor: Any = None
    meter_clock: Any = None


class ClientShape(_Shape):
    """The whole file."""

    client: text(200)
    prepared: Date
    currency: Annotated[str, checked(check_currency)]
    topics: list[text(200)] = Field(default=[])
    labels: LabelsShape = Field(default={})
    inputs: dict[str, EntryShape] = Field(default={})
    topic_inputs: dict[str, dict[str, EntryShape]] = Field(default={})
    mlperf: MlperfShape = Field(default={})
    use_expired: dict[str, text(1000)] = Field(default={})
    meters: list[dict[str, Any]] = Field(default=[])  # each judged by joulebook.intake.meters
    deployment: dict[str, Any] = Field(default={})  # these two by joulebook.intake.records
    disclosure: dict[str, Any] = Field(default={})
    notes: text(20000, lines=True) = ""
    branding: BrandingShape = Field(default={})
    locale: LocaleName = None
    paper: PaperName = None


def check_shape(document, parameters, found):
    """Check the shape of a client's file; what is wrong is noted and taken out of the data.

    Parameters
    ----------
    document : joulebook.intake.yaml12.Document
        The file. Short forms in it are written out: a bare value as ``{"value": ...}``,
        a bare path of ``mlperf`` as ``{"path": ...}``, and of ``fonts`` as a list.
    parameters : collection of str
        Names of the dictionary, for the hint to one that stands in the wrong place.
    found : Problems
        Takes what is wrong.

    Returns
    -------
    set of tuple
        Paths of the entries in which something was taken out.
    """
    data = document.data
    cut = {path[:-1] for path in document.lines if not _has(data, path)}  # what could not be read at all
    _write_out(data)
    try:
        ClientShape.model_validate(data)
    except ValidationError as error:
        errors = error.errors(include_url=False)
    else:
        return cut
    noted = [(item["loc"], _problem(item, document, parameters)) for item in errors
             if not (item["type"] == "missing" and item["loc"] in document.lines)]
    meant = {problem.near for _, problem in noted}
    found.extend(problem for path, problem in noted if not (problem.what == "missing" and path[-1] in meant))
    for path, _ in noted:
        _cut(data, path)
        cut.add(path[:-1])
    return cut


def _write_out(data):
    blocks = [data.get("inputs")]
    if isinstance(data.get("topic_inputs"), dict):
        blocks += data["topic_inputs"].values()
    for block in blocks:
        if isinstance(block, dict):
            for name, entry in block.items():
                block[name] = entry if isinstance(entry, dict) else {"value": entry}
    if isinstance(data.get("mlperf"), str):
        data["mlperf"] = {"path": data["mlperf"]}
    if isinstance(data.get("branding"), dict) and isinstance(data["branding"].get("fonts"), str):
        data["branding"]["fonts"] = [data["branding"]["fonts"]]


def _problem(error, document, parameters):
    path, kind, value = error["loc"], error["type"], error["input"]
    place = document.place(*path)
    if own := own_problem(error, place):
        return own
    if kind == "missing":
        return Problem("missing", **place, allowed=_DUE.get(path[-1]))
    if kind == "extra_forbidden":
        names = list(_shape_of(path[:-1]).model_fields)
        return Problem("unknown key", **place, allowed=", ".join(names),
                       near=f"{path[0]} under inputs" if len(path) == 1 and path[0] in parameters else near(path[-1], names))
    due = "a list" if kind == "list_type" else "a mapping of names to values"
    what = "empty" if value is None else f"{_named(value)} where {due} is due"
    return Problem(what, **place, value=value, allowed=_DUE.get(path[-1], due))


_DUE = {"client": "the client's name", "prepared": "a date, such as 2026-03-31", "currency": "a code of ISO 4217, such as EUR",
        "value": "a value beside low, high, source or evidence", "topics": "a list, such as [cost_per_token]",
        "use_expired": "a mapping of expired inputs to the reason why each is used all the same",
        "meters": "a list of meters, each with name, file and what its columns mean",
        "path": "the path of an MLPerf result", **dict.fromkeys(RECORDS, "fields and what they say"),
        "mlperf": "a path, or a mapping of path, unit_of_work_factor and meter_clock",
        "branding": "a mapping of name, logo, logo_on_dark, accent and fonts", "fonts": "a path, or a list of paths"}


def _named(value):
    return "a list" if isinstance(value, list) else "a mapping" if isinstance(value, dict) else "a single value"


def _shape_of(path):
    if path[:1] == ("inputs",) or path[:1] == ("topic_inputs",):
        return EntryShape
    return {"labels": LabelsShape, "mlperf": MlperfShape, "branding": BrandingShape}.get(path[0] if path else "", ClientShape)


def _has(data, path):
    for part in path:
        if part not in (data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()):
            return False
        data = data[part]
    return True


def _cut(data, path):
    """Take a value out; an item of a list takes its list with it."""
    for part in path[:-1]:
        if not isinstance(data, dict) or part not in data:
            return
        parent, key, data = data, part, data[part]
        if isinstance(data, list):
            del parent[key]
            return
    if isinstance(data, dict):
        data.pop(path[-1], None)
