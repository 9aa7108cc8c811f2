"""Results of all suites as one table: rows, CSV, Parquet."""

import io
import typing
from dataclasses import fields

from joulebook.intake.mlperf.result import MlperfResult
from joulebook.intake.mlperf.validity.check import FAIL, PASS, UNKNOWN
from joulebook.spreadsheets import csv_text as csv_of

_NO_COLUMN = ("files", "checks", "described")
COLUMNS = tuple(item.name for item in fields(MlperfResult) if item.name not in _NO_COLUMN)
REPORT_COLUMNS = ("rules_passed", "rules_failed", "rules_not_determinable", "failed_rules", "validity_report")


def as_rows(results):
    """Plain values of results, for JSON or a table.

    Parameters
    ----------
    results : iterable of MlperfResult
        The results.

    Returns
    -------
    list of dict
        One per result, with the names of `COLUMNS`; `notes` as one text. Where any result has a validity report, also
        `REPORT_COLUMNS` and one column per rule, named ``rule_`` and the rule, that holds its status.
    """
    results = list(results)
    rules = list(dict.fromkeys(check.rule for result in results for check in result.checks))
    return [{name: getattr(result, name) for name in COLUMNS} | {"notes": "; ".join(result.notes)}
            | (_report(result, rules) if rules else {}) for result in results]


def records(results):
    """Plain values of results with every rule as a record of its own, for JSON.

    Parameters
    ----------
    results : iterable of MlperfResult
        The results.

    Returns
    -------
    list of dict
        As `as_rows`, and under ``rules`` the rules with status, measured number, limit, unit and words.
    """
    results = list(results)
    return [row | {"rules": [check.record() for check in result.checks]}
            for row, result in zip(as_rows(results), results, strict=True)]


def csv_text(results):
    """Results as CSV: text that a spreadsheet would run as a formula gets a leading apostrophe, numbers stay.

    Parameters
    ----------
    results : iterable of MlperfResult
        The results.

    Returns
    -------
    str
        Header and one line per result, LF.
    """
    rows = as_rows(results)
    return csv_of(list(rows[0]) if rows else COLUMNS, [row.values() for row in rows])


def parquet_bytes(results):
    """Results as a Parquet file, each column of one type whatever the results hold.

    Parameters
    ----------
    results : iterable of MlperfResult
        The results.

    Returns
    -------
    bytes
        The file.
    """
    import pyarrow as pa
    from pyarrow import parquet

    rows = as_rows(results)
    kinds = typing.get_type_hints(MlperfResult)
    kinds |= dict.fromkeys(REPORT_COLUMNS[:3], int)
    schema = pa.schema([(name, _kind(kinds.get(name, str), pa)) for name in (rows[0] if rows else COLUMNS)])
    sink = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(rows, schema=schema), sink)
    return sink.getvalue()


def _kind(hint, pa):
    """Type of a column for the type of an attribute."""
    inner = [kind for kind in (typing.get_args(hint) or (hint,)) if kind is not type(None)]
    return {float: pa.float64(), int: pa.int64()}.get(inner[0], pa.string())


def _report(result, rules):
    """Columns of a validity report; all empty where the result has none."""
    if not result.checks:
        return dict.fromkeys((*REPORT_COLUMNS, *(f"rule_{rule}" for rule in rules)))
    status = {check.rule: check.status for check in result.checks}
    counts = [sum(one == kind for one in status.values()) for kind in (PASS, FAIL, UNKNOWN)]
    failed = "; ".join(f"{check.rule}: {check.words}" for check in result.failed())
    report = "; ".join(check.line() for check in result.checks)
    columns = dict(zip(REPORT_COLUMNS, (*counts, failed, report), strict=True))
    return columns | {f"rule_{rule}": status.get(rule) for rule in rules}
