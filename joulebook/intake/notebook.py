"""The inputs of a notebook, from the literals of its parameters cell."""

import os
from functools import partial
from pathlib import Path

from joulebook.dictionary import definitions, of_topic, parameters
from joulebook.errors import Problems, near
from joulebook.inputs import Given, paths_of, with_paths
from joulebook.intake.checks import (
    attempt,
    check_entry,
    check_labels,
    check_together,
    check_value,
    default_input,
    missing,
    plain,
    refuse,
)
from joulebook.intake.plausible import check_plausible
from joulebook.workbook import ROOT

CELL = "parameters cell"
EXAMPLE = {"evidence": "illustrative", "source": "example of the dictionary"}
BY_HAND = {"evidence": "assumed", "source": "given by hand"}


def inputs(topic, namespace, provenance):
    """Check the parameters of a notebook and give the inputs of its topic.

    Parameters
    ----------
    topic : str
        Name of the topic.
    namespace : dict
        One value for each parameter of the topic, None where nothing is given, and `labels`, a dict;
        in a notebook ``globals()``.
    provenance : dict of str to dict
        Record of each value (`joulebook.inputs.Input.as_dict`), as a run injects it; empty in the bare
        notebook. A value that differs from its record was set by hand and loses it.

    Returns
    -------
    joulebook.inputs.Given
        Inputs with their units, ranges, sources and evidence; files as tables; labels.

    Raises
    ------
    InputError
        With every problem found.

    Examples
    --------
    >>> from joulebook.dictionary import of_topic
    >>> cell = {name: row.example for name, row in of_topic("cost_per_token").items()}
    >>> given = inputs("cost_per_token", {**cell, "labels": {}}, {})
    >>> given.inputs["pue"].value, given.inputs["pue"].evidence
    (1.3, 'illustrative')
    """
    rows = of_topic(topic)
    if not rows:
        topics = sorted({name for row in parameters().values() for name in row.topics})
        refuse("no such topic", field="TOPIC", value=topic, allowed=", ".join(topics), near=near(topic, topics))
    found = Problems()
    labels = check_labels(_mapping(namespace.get("labels", {}), "labels", found), partial(_place, "labels"), found)
    records = _mapping(provenance, "provenance", found)
    for name in records:
        if name not in rows:
            found.add("no such parameter", file="provenance", field=str(name), near=near(name, rows))
    given = {name: _input(row, namespace, records, found) for name, row in rows.items()}
    inputs = {name: item for name, item in given.items() if item is not None}
    wrong = {problem.field.split(".")[0] for problem in found}
    for row in missing(rows, set(inputs) | wrong, labels.boundary):
        found.add(f"missing: {topic} needs it", **_place(row.name), allowed=row.allowed)
    check_together(inputs, labels, _place, found)
    tables = _tables(rows, inputs, wrong, found)
    check_plausible(inputs, tables, labels, _place, found)
    found.stop()
    return Given(topic, inputs, tables, labels, rows, definitions().get(topic, {}), definitions())


def _input(row, namespace, records, found):
    """Input of one parameter, None where nothing is given or something is wrong."""
    if row.name not in namespace:
        found.add("is not in the parameters cell", **_place(row.name), allowed=f"{row.name} = None where nothing is given")
        return None
    value = namespace[row.name]
    if value is None or (row.kind == "file" and value == ""):
        return default_input(row)
    record = _mapping(records.get(row.name, {}), row.name, found)
    entry = {"value": value, **_origin(row, value, record, records)}
    check = {"meters": _check_meters, "record": _check_record}.get(row.kind, check_value)
    return check_entry(row, entry, partial(_place, row.name), found, check=check)


def _check_record(row, value, **_):
    """As `check_value`, of the fields of a record."""
    from joulebook.intake.records import check_record  # late: only for those who have records

    return check_record(row.name, value, partial(_place, row.name))


def _check_meters(row, value, **place):
    """As `check_value`, of a list of declarations."""
    if not isinstance(value, list) or not value or not all(isinstance(meter, dict) for meter in value):
        refuse("no list of meters", value=value, allowed=row.allowed, **place)
    from joulebook.intake.meters import check_declarations  # late: only for those who have meters

    return check_declarations(value, partial(_place, row.name))


def _origin(row, value, record, records):
    """Range, source and evidence of a value: its record, unless another value stands in the cell."""
    if "value" in record and _same(value, record["value"]):
        kept = ("source", "evidence", "as_of", "given", "expires", "expired", "used_because", "plausible")
        keys = (*kept, *(("low", "high", "range_is") if record.get("low") is not None else ()))
        return {key: record[key] for key in keys if record.get(key) not in (None, "")}
    if row.kind == "file" and _same(value, row.default):
        assumed = default_input(row)
        return {"source": assumed.source, "evidence": assumed.evidence, "given": False}
    return EXAMPLE if not records and _same(value, row.example) else BY_HAND


def _same(value, other):
    """Whether two values are equal numbers or texts; true is not 1."""
    value = plain(value)
    compared = isinstance(value, int | float | str | list | dict) and not isinstance(value, bool) and not isinstance(other, bool)
    return compared and value == other


def _mapping(value, name, found):
    if isinstance(value, dict):
        return value
    found.add("no dict", **_place(name), value=value, allowed="a dict of names to values")
    return {}


def _tables(rows, inputs, wrong, found):
    paths = {name: item.value for name, item in inputs.items() if rows[name].kind == "file"}
    if not paths and "meters" not in inputs:
        return {}
    from joulebook.intake.tables import check_tables, read_table

    tables = {name: attempt(found, _read, read_table, name, text) for name, text in paths.items()}
    tables["meters"] = attempt(found, _read_meters, inputs["meters"].value) if "meters" in inputs else None
    tables = {name: table for name, table in tables.items() if table is not None}
    attempt(found, check_tables, inputs, tables, _place, wrong)
    return tables


def _read(read_table, name, text):
    return read_table(name, _base(name, text) / text, shown=text)


def _read_meters(meters):
    from joulebook.intake.meters import read_meters

    bases = {_base("meters", text) for text in paths_of(meters)}
    base = bases.pop() if len(bases) == 1 else Path.cwd()  # files of the workbook beside those of a run: by their full path
    whole = [str(_base("meters", text) / text) for text in paths_of(meters)] if bases else paths_of(meters)
    return read_meters(with_paths(meters, whole), base, partial(_place, "meters"))


def _base(name, text):
    """Folder that a relative path belongs to: the working directory, else the workbook."""
    allowed = "a path relative to the working directory or to the workbook"
    if Path(text).is_absolute() or text.startswith("~"):
        refuse("an absolute path: the notebook would hold on one machine only", **_place(name), value=text, allowed=allowed)
    for base in (Path.cwd(), ROOT):
        if os.path.lexists(base / text):
            return base
    return refuse("no such file", **_place(name), value=text, allowed=allowed)


def _place(name, *keys):
    return {"file": CELL, "field": ".".join(map(str, (name, *(key for key in keys if key != "value"))))}
