"""All that a run says as plain data, read from its executed notebooks: what every kind of export is made of."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from joulebook import __version__
from joulebook.publish.register import register_of
from joulebook.results import EVIDENCE, LABELS
from joulebook.show.notices import MLPERF_NOTICE

Number = float | int | None
Value = Annotated[float | int | str | None, Field(description="null where it is not available")]
Unit = Annotated[str, Field(description="of value, low and high; 1 for a share or ratio, empty where there is none")]
Evidence = Annotated[Literal[EVIDENCE] | None, Field(description="weakest of what it rests on; null where there is no value")]
Low = Annotated[Number, Field(description="low end of the range; null where none is stated")]
High = Annotated[Number, Field(description="high end of the range; null where none is stated")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, populate_by_name=True, serialize_by_alias=True)


class Labels(_Part):
    """What a figure is valid for; null where it was not stated."""

    workload: str | None
    unit_of_work: str | None
    quality: str | None
    scenario: str | None
    window: str | None
    boundary: str | None


class Topic(_Part):
    """A topic that was executed."""

    topic: str
    title: str
    question: str


class InputRow(_Part):
    """An input as one topic used it, in SI units or the dictionary's."""

    topic: str
    name: str
    title: str
    value: Annotated[Value, Field(description="of a file its path in the run; of meters and records what was declared, as text")]
    low: Low
    high: High
    range_is: Annotated[str, Field(description="limits, or u95 for a 95 % interval")]
    unit: Unit
    evidence: str
    source: str
    as_of: Annotated[str | None, Field(description="ISO date on which it was true")]
    expires: Annotated[str | None, Field(description="ISO date, the last day on which a price may rest on it")]
    expired: Annotated[bool, Field(description="whether that day had passed when the client's file was prepared")]
    used_because: Annotated[str, Field(description="why an expired input is used for pricing all the same")]
    given: Annotated[bool, Field(description="false where the workbook's default holds")]
    plausible: Annotated[str, Field(description="what has to be said of a value that nobody would think plausible")]


class ResultRow(_Part):
    """A number, or a word, that a topic found."""

    topic: str
    name: str
    title: str
    value: Value
    low: Annotated[Number, Field(description="low end of the 95 % interval; null where no input has a range")]
    high: Annotated[Number, Field(description="high end of the 95 % interval; null where no input has a range")]
    unit: Unit
    evidence: Evidence
    labels: Labels
    reason: Annotated[str, Field(description="why there is no value; empty where there is one")]
    note: Annotated[str, Field(description="what else must be said of a value")]


class Column(_Part):
    """A column of a table."""

    name: str
    unit: str


class TableRows(_Part):
    """A result that is a table."""

    topic: str
    name: str
    title: str
    columns: list[Column]
    rows: Annotated[list[list[Value]], Field(description="as many values as there are columns, each")]
    reason: Annotated[str, Field(description="why there are no rows")]


class ResultName(_Part):
    """A result that rests on an input."""

    topic: str
    name: str
    title: str


class Move(_Part):
    """What an input moves a main result from and to; only what is told of it is there."""

    topic: str
    name: str
    title: str
    unit: str
    value: Value
    low: Annotated[Number, Field(description="the result at the low end of the input's range; null where it has none")] = None
    high: Annotated[Number, Field(description="the result at the high end of the input's range")] = None
    for_one_pct: Annotated[Number, Field(description="relative change of the result for 1 % more of the input")] = None
    more: Annotated[Number, Field(description="the result at 1 % more of the input")] = None
    less: Annotated[Number, Field(description="the result at 1 % less of the input")] = None


class Assumption(_Part):
    """An input in the assumption register, what is weakest first."""

    name: str
    title: str
    value: Value
    unit: Unit
    low: Low
    high: High
    range_is: str
    evidence: str
    source: str
    as_of: str | None
    expires: str | None
    expired: bool
    used_because: str
    given: bool
    plausible: str
    group: str
    topics: list[str]
    results: list[ResultName]
    moves: list[Move]


class Provenance(_Part):
    """Digests (SHA-256) and versions of what the run was made of."""

    inputs: str
    code: str
    files: dict[str, str]
    notebooks: dict[str, str]
    versions: dict[str, str]
    dictionaries: dict[str, str]


class Export(_Part):
    """All that a run says: inputs, results, tables, the assumption register and provenance."""

    schema_: Annotated[Literal[1], Field(alias="schema", description="version of this schema")] = 1
    joulebook: Annotated[str, Field(description="version of the workbook")]
    client: str
    prepared: Annotated[str, Field(description="ISO date that ages count from")]
    currency: Annotated[str, Field(description="ISO 4217 code of all amounts of money")]
    notes: str
    labels: Labels
    valid_months: int | None
    use_expired: dict[str, str]
    failed: Annotated[list[str], Field(description="topics that failed and are not in here")]
    notices: Annotated[list[str], Field(description="what whoever passes figures on has to say")]
    topics: list[Topic]
    inputs: list[InputRow]
    results: list[ResultRow]
    tables: list[TableRows]
    register_: Annotated[list[Assumption], Field(alias="register")]
    provenance: Provenance


def exported(record, collected):
    """What a run says.

    Parameters
    ----------
    record : dict
        Content of ``run.json``, see `joulebook.publish.archive.read_record`.
    collected : dict of str to joulebook.publish.collect.Collected
        Topics.

    Returns
    -------
    Export
    """
    made_of = record["made_of"]
    own = [(topic, name, result) for topic, content in collected.items() for name, result in content.known.results.items()
           if "of" not in result]  # a result of another topic is told there
    register = register_of(content.registered for content in collected.values())
    return Export(
        schema_=1,
        joulebook=__version__,
        **{key: record[key] for key in ("client", "prepared", "currency", "notes", "labels", "valid_months", "use_expired")},
        failed=sorted(record["failed"]),
        notices=[MLPERF_NOTICE] * any("mlperf" in row["source"].lower() for row in register),
        topics=[Topic(topic=topic, title=content.title, question=content.question) for topic, content in collected.items()],
        inputs=[_input(topic, item) for topic, content in collected.items() for item in content.known.inputs],
        results=[_result(topic, name, result) for topic, name, result in own if "value" in result],
        tables=[_table(topic, name, result) for topic, name, result in own if "value" not in result],
        register=register,
        provenance=Provenance(**{name: made_of.get(name, {}) for name in Provenance.model_fields}),
    )


def _input(topic, item):
    lacks = {"expires": None, "expired": False, "used_because": "", "plausible": ""}  # what older runs do not say
    return InputRow(topic=topic, **{name: item.get(name, lacks.get(name)) for name in InputRow.model_fields if name != "topic"})


def _result(topic, name, result):
    note = result["note"]
    reason, note = (note, "") if result["value"] is None else ("", note)
    labels = {label: result["labels"][label] for label in LABELS}
    return ResultRow(topic=topic, name=name, reason=reason, note=note, labels=labels,
                     **{key: result[key] for key in ("title", "value", "low", "high", "unit", "evidence")})


def _table(topic, name, table):
    columns = [Column(name=head, unit=unit) for head, unit, *_ in table["columns"]]
    return TableRows(topic=topic, name=name, title=table["title"], columns=columns, rows=table["rows"],
                     reason=table.get("note", ""))


def schema():
    """JSON schema of the JSON export.

    Returns
    -------
    dict
    """
    made: dict[str, Any] = Export.model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}
