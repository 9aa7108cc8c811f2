"""Phases of a run: what it did from when to when."""

import numpy as np

from joulebook.intake.sheet import fullmatches
from joulebook.method.meters.spans import PHASES
from joulebook.units import NUMBER


def _phases(sheet):
    sheet.least(1)
    names, right = sheet.choice("phase", PHASES, "no such phase")
    begin, end = _times(sheet, "begin"), _times(sheet, "end")
    if sheet.problems or type(begin) is not type(end):
        return {"phase": names, "begin": begin, "end": end}
    late = ~(begin < end)
    sheet.rows(np.asarray(late), "a phase that ends before it begins", "end", "an end after the begin")
    order = np.argsort(begin, kind="stable")
    over = np.zeros(len(order), bool)
    over[order[1:]] = np.asarray(begin[order[1:]] < end[order[:-1]])
    sheet.rows(over & ~np.asarray(late) & right, "a phase that begins before the one before it has ended", "begin",
               "phases that follow each other: where two overlap, their energy would count twice")  # fmt: skip
    return {"phase": names, "begin": begin, "end": end}


def _times(sheet, column):
    """Stamps in UTC, or bare seconds where all are numbers."""
    both = [sheet.cells[name] for name in ("begin", "end") if sheet.has(name)]
    if both and all(fullmatches(NUMBER, cells).all() for cells in both):
        return sheet.number(column)
    return sheet.stamps(column)


TABLES = {"phases_csv": ([(("phase", "begin", "end"), ())], _phases)}
CHECKS = ()
