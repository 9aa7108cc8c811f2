"""A client's records as inputs: typed fields, completed by what a benchmark's result discloses."""

from dataclasses import replace
from functools import partial

from joulebook.intake.checks import LONGEST_SOURCE, attempt, check_choice, check_entry, shortened
from joulebook.intake.disclosed import completed, of_result, of_row
from joulebook.intake.records import NO_FIELD, OF_TYPED, check_record
from joulebook.plausible import CONFIRMED
from joulebook.results import weakest


def read_record(row, block, result, root, place, prepared, found):
    """Read one block of a client's file.

    Parameters
    ----------
    row : joulebook.dictionary.Parameter
        The parameter.
    block : dict
        What the client wrote: fields, `source`, `evidence`, `as_of`, `expires` of all that are typed, and `plausible`; of a
        disclosure also `published`, what names a row of the published results.
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
    if "plausible" in said:
        attempt(found, check_choice, said["plausible"], (CONFIRMED,), **place("plausible"))
    if typed or not evidence:
        typed = attempt(found, check_record, row.name, typed, place)
    else:
        for name in (name for name in OF_TYPED if name in said):
            found.add("said of typed fields, of which there is none", **place(name), value=said[name],
                      allowed=f"no {name}: the result tells its own")
    entry = {"value": typed, **said}
    item = check_entry(row, entry, lambda key: place() if key == "value" else place(key), found, prepared,
                       check=lambda _, value, **__: value)
    if len(found) > before:
        return None
    if told is None:
        return item
    fields, source = told
    if typed:
        fields, evidence = completed(fields, typed, place, found), weakest((evidence, item.evidence))
    return replace(item, value=fields, source=shortened("; ".join(filter(None, (source, item.source))), LONGEST_SOURCE),
                   evidence=evidence)
