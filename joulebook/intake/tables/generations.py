"""Results on record by hardware and software, matched results of what was priced, and measures with their promised saving."""

from datetime import date

import numpy as np

from joulebook.intake.checks import attempt_at
from joulebook.intake.tables.ranged import ENDS, METER, measured_energies, optional_text
from joulebook.results import CHOICES, LABELS

_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_DATE_ALLOWED = "a date of the calendar, such as 2026-03-31"
_MEASURED = (*ENDS, *METER, "source")
_CORNERS = ("A1", "A2", "B1", "B2")
_OWN_LABELS = tuple(label for label in LABELS if label not in ("workload", "quality"))


def _generations(sheet):
    sheet.least(1)
    named = {name: sheet.text(name, "nothing in it", "a name")[0] for name in ("hardware", "software")}
    labels = _labels(sheet, ("workload", "quality"), _OWN_LABELS)
    day = _dates(sheet, "date")
    released = np.where(optional_text(sheet, "released") == "", day, _dates(sheet, "released", blank=True))
    corner = sheet.choice("corner", _CORNERS, "no corner", blank=True)[0]
    more = {name: optional_text(sheet, name) for name in ("task", "model")}
    for name, other in (("task", "model"), ("model", "task")):
        alone = (more[name] != "") & (more[other] == "")
        sheet.rows(alone, f"a {name} without its {other}", name, "both, or neither")
    # Rows on record only are results of their own; those of a corner are repeats of one.
    group = np.array([text or f"row {number}" for text, number in zip(corner, sheet.numbers, strict=True)], object)
    return {**named, **labels, **more, "date": day, "released": released, "corner": corner,
            **measured_energies(sheet, {"corner": group})}


def _labels(sheet, required, optional):
    table = {name: sheet.text(name)[0] for name in required}
    for name in filter(sheet.has, optional):
        known = CHOICES.get(name)
        table[name] = (sheet.choice(name, known, blank=True) if known else sheet.text(name, blank=True))[0]
    return table


def _dates(sheet, column, blank=False):
    cells, right = sheet.matching(column, _DATE, "no date", _DATE_ALLOWED, blank=blank)
    real = np.array([not fits or _is_day(text) for text, fits in zip(cells, right, strict=True)], bool)
    sheet.rows(~real, "no date of the calendar", column, _DATE_ALLOWED)
    return cells


def _is_day(text):
    try:
        return date.fromisoformat(text).year >= 1
    except ValueError:
        return False


def _stable_subset(sheet):
    sheet.least(4)
    own = {"workload": sheet.text("workload", "nothing in it", "a name")[0]}
    for name, choices in (("match", ("best", "worst")), ("generation", ("old", "new"))):
        own[name] = sheet.choice(name, choices)[0]
    return {**own, **_labels(sheet, (), LABELS[1:]), **measured_energies(sheet, own)}


def _saving(sheet):
    sheet.least(2)
    own = {
        "measure": sheet.text("measure", "nothing in it", "a name")[0],
        "when": sheet.choice("when", ("before", "after"))[0],
    }
    promised = sheet.number("promised_saving", low=0, high=1, blank=True)
    first, differs = {}, np.zeros(len(promised), bool)
    for row, (name, value) in enumerate(zip(own["measure"], promised, strict=True)):
        before = first.setdefault(name, value)
        differs[row] = value != before and not (np.isnan(value) and np.isnan(before))
    sheet.rows(differs, "another promise than above", "promised_saving", "one promise a measure, the same in all of its rows")
    return {**own, "promised_saving": promised, **_labels(sheet, ("workload", "quality"), _OWN_LABELS),
            **measured_energies(sheet, own)}


def _check_comparable(inputs, tables, place, unclear, found):
    """What the method would refuse is known before anything runs."""
    from joulebook.method import corners, savings, stable_subset

    checks = {"generations_csv": corners.at_corners, "stable_subset_csv": stable_subset.matched,
              "saving_csv": savings.measures}
    for name, check in checks.items():
        if name in tables:
            attempt_at(place(name), found, check, tables[name])


def _check_dates(inputs, tables, place, unclear, found):
    if "generations_csv" not in tables or "prepared" not in inputs:
        return
    prepared = inputs["prepared"].value
    table = tables["generations_csv"]
    late = sorted({day for name in ("date", "released") for day in table[name] if day > prepared})
    if late:
        what = "a day after the one that ages count from"
        found.add(what, **place("generations_csv"), value=late[0], allowed=f"at most {prepared}")


_RECORD = ("hardware", "software", "date", "workload", "quality", "energy_j", "evidence")
_MORE = ("corner", "work", "released", "task", "model", *_OWN_LABELS, *_MEASURED)
TABLES = {
    "generations_csv": ([(_RECORD, _MORE)], _generations),
    "stable_subset_csv": (
        [(("workload", "match", "generation", "energy_j", "evidence"), ("work", *LABELS[1:], *_MEASURED))],
        _stable_subset,
    ),
    "saving_csv": (
        [(("measure", "when", "energy_j", "work", "workload", "quality", "promised_saving", "evidence"),
          (*_OWN_LABELS, *_MEASURED))],
        _saving,
    ),
}
CHECKS = (_check_comparable, _check_dates)
