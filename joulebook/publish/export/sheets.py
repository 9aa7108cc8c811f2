"""What a run says as flat tables: the sheets of a workbook, and the CSV files."""

from dataclasses import dataclass

from joulebook.publish.export.content import InputRow, Labels, ResultRow
from joulebook.publish.register import register_table

TABLES = "tables"
NOT_AVAILABLE = "not available"
_EFFECTS = {"low": "at_low", "high": "at_high", "for_one_pct": "share_for_one_pct_more", "more": "at_one_pct_more",
            "less": "at_one_pct_less"}
_FACTS = ("joulebook", "client", "prepared", "currency", "notes", "valid_months")


@dataclass(frozen=True)
class Sheet:
    """A flat table.

    Parameters
    ----------
    name : str
        Its name; that of a table of results stands in the folder ``tables``.
    heads : list of str
        Names of the columns.
    rows : list of list
        Texts, numbers and None.
    units : list of str
        Unit of each column, empty where there is none.
    table : bool
        Whether it is a table of results.
    """

    name: str
    heads: list
    rows: list
    units: list = ()
    table: bool = False


def sheets_of(export):
    """The sheets of an export.

    Parameters
    ----------
    export : joulebook.publish.export.content.Export
        What a run says.

    Returns
    -------
    list of Sheet
        about, inputs, results, register, effects, tables, columns and provenance, then each table that has rows.
    """
    full = [table for table in export.tables if table.rows]
    heads, rows = register_table(export.model_dump(exclude_unset=True)["register"])
    return [
        _about(export),
        Sheet("inputs", list(InputRow.model_fields), [[_plain(value) for _, value in row] for row in export.inputs]),
        _results(export.results),
        Sheet("register", heads, rows),
        _effects(export.register_),
        Sheet(TABLES, ["topic", "name", "title", "columns", "rows", "reason"],
              [[table.topic, table.name, table.title, len(table.columns), len(table.rows), table.reason]
               for table in export.tables]),
        Sheet("columns", ["topic", "table", "column", "unit"],
              [[table.topic, table.name, column.name, column.unit] for table in full for column in table.columns]),
        _provenance(export.provenance),
        *(Sheet(f"{table.topic}.{table.name}", [column.name for column in table.columns], table.rows,
                [column.unit for column in table.columns], table=True) for table in full),
    ]


def _about(export):
    facts = [[name, getattr(export, name)] for name in _FACTS]
    facts += [[f"label {name}", value] for name, value in export.labels]
    facts += [[f"use_expired {name}", reason] for name, reason in export.use_expired.items()]
    facts += [[f"topic {topic.topic}", topic.title] for topic in export.topics]
    facts += [["failed", topic] for topic in export.failed] + [["notice", notice] for notice in export.notices]
    return Sheet("about", ["name", "value"], facts)


def _results(results):
    heads = [name for name in ResultRow.model_fields if name != "labels"]
    rows = [[*(getattr(row, name) for name in heads), *(value for _, value in row.labels)] for row in results]
    return Sheet("results", [*heads, *Labels.model_fields], rows)


def _effects(register):
    """What each input moves, a row for each main result."""
    heads = ["input", "topic", "result", "title", "unit", "value", *_EFFECTS.values()]
    rows = [[item.name, move.topic, move.name, move.title, move.unit, move.value, *(_end(move, name) for name in _EFFECTS)]
            for item in register for move in item.moves]
    return Sheet("effects", heads, rows)


def _end(move, name):
    """What is told of a result; no result at an end is not the same as nothing told."""
    value = getattr(move, name)
    return NOT_AVAILABLE if value is None and name in move.model_fields_set else value


def _provenance(provenance):
    rows = [["inputs", "", provenance.inputs], ["code", "", provenance.code]]
    rows += [[kind, name, value] for kind in ("files", "notebooks", "dictionaries", "versions")
             for name, value in getattr(provenance, kind).items()]
    return Sheet("provenance", ["kind", "name", "digest_or_version"], rows)


def _plain(value):
    return ("yes" if value else "no") if isinstance(value, bool) else value
