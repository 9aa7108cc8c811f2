"""A client's records as inputs: typed fields, completed by what a benchmark's result discloses."""

from functools import partial

from joulebook.inputs import Input
from joulebook.intake.checks import attempt, check_entry
from joulebook.intake.disclosed import completed, of_result, of_row
from joulebook.intake.records import NO_FIELD, check_record
from joulebook.results import weakest


def read_record(row, block, result, root, place, prepared, found):
    """Read one block of a client's file.

    Parameters
    ----------
    row : joulebook.dictionary.Parameter
        The parameter.
    block : dict
        What the client wrote: fields, and `source`, `evidence`, `as_of` of all of them; of a disclosure also `published`, what
        names a row of the published results.
    result : joulebook.intake.mlperf.result.MlperfResult or None
        The MLPerf result that the client's throughput and power are read from: a disclosure is that of this result.
    root : pathlib.Path
        The workbook.
    place : callable
        Gives the place of a path in the block, as keywords of `joulebook.errors.Problem`.
    prepared : str or None
        Date after which nothing can have been true yet.
    found : joulebook.errors.Problems
        Takes what is wrong.

    Returns
    -------
    joulebook.inputs.Input or None
        Evidence is the weakest of what was typed and what the result tells; None where anything is wrong.
    """
    before, told, evidence = len(found), None, ""
    disclosed = row.name == "disclosure"
    typed = {name: said for name, said in block.items() if name not in NO_FIELD and not (disclosed and name == "published")}
    said = {name: block[name] for name in NO_FIELD if name in block}
    if disclosed and "published" in block:
        if result is not None:
            found.add("given twice: the MLPerf result is disclosed by its own files", **place("published"),
                      allowed="one of the two")
        told = attempt(found, of_row, block["published"], root, partial(place, "published"))
        evidence = "published"  # also of one that was refused, so that it is not called empty
    elif disclosed and result is not None:
        told, evidence = of_result(result), "measured"
    if typed or not evidence:
        typed = attempt(found, check_record, row.name, typed, place)
    entry = {"value": typed, **said}
    item = check_entry(row, entry, lambda key: place() if key == "value" else place(key), found, prepared,
                       check=lambda _, value, **__: value)
    if len(found) > before:
        return None
    if told is None:
        return item
    fields, source = told
    if not typed:
        return Input(fields, row.unit, source=source, evidence=evidence)
    fields = completed(fields, typed, place, found)
    source = "; ".join(filter(None, (source, item.source)))
    return Input(fields, row.unit, source=source, evidence=weakest((evidence, item.evidence)), as_of=item.as_of)
