"""Figures that others published: what becomes of a right file, and what is said of wrong ones."""

import csv

import pytest

from joulebook.errors import InputError
from joulebook.method.accountings.figures import NEEDED
from joulebook.workbook import ROOT

with (ROOT / "data" / "published" / "figures.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))


def text(**changes):
    """The carried file with a row changed, by the name of the figure: None leaves the row out."""
    rows = [{**row, **(changes.get(row["id"]) or {})} for row in ROWS if changes.get(row["id"], {}) is not None]
    lines = [",".join(f'"{cell}"' for cell in row.values()) for row in rows]
    return "\n".join([",".join(ROWS[0]), *lines, ""])


def test_carried_file(read_rows):
    table = read_rows("published_figures_csv", text())
    assert set(NEEDED) <= set(table["id"])
    assert len(table) == len(ROWS)


def test_rows_of_other_pages_are_taken_as_they_are(read_rows):
    table = read_rows("published_figures_csv", text() + "ci_x,grid,-3,gCO2e/kWh,grid,2024,somewhere,as published,facts\n")
    assert table["value"].iloc[-1] == -3


@pytest.mark.parametrize(("name", "change", "said", "field"), [
    ("mle09_power", {"unit": "kW"}, "another unit", "unit"),
    ("ix_h100_power", {"unit": "W/accelerator"}, "another unit", "unit"),
    ("eco_server_power", {"unit": "W"}, "another unit", "unit"),
    ("mle09_rate", {"value": "0"}, "out of limits", "value"),
    ("mle09_rate", {"value": "2,511"}, "not a number", "value"),
    ("eco_energy_beta", {"value": "0.01"}, "out of limits", "value"),
    ("pue2", {"value": "0.9"}, "out of limits", "value"),
    ("idle05_share", {"value": "20"}, "out of limits", "value"),
    ("net02", {"value": "0"}, "out of limits", "value"),
    ("idle05_engaged_high", {"value": "0.7"}, "below idle05_engaged_low", "value"),
    ("node01_peak", {"value": "5.7"}, "leaves less for the host", "value"),
    ("pue0", {"source": ""}, "an empty cell", "source"),
    ("mle10", {"id": "mle09"}, "there twice", "id"),
])  # fmt: skip
def test_wrong_rows_are_named(read_rows, name, change, said, field):
    with pytest.raises(InputError, match=said) as error:
        read_rows("published_figures_csv", text(**{name: change}))
    line = 2 + next(place for place, row in enumerate(ROWS) if row["id"] == name)
    assert (line, field) in {(problem.line, problem.field) for problem in error.value.problems}


def test_all_missing_figures_are_named(read_rows):
    with pytest.raises(InputError) as error:
        read_rows("published_figures_csv", text(eco1=None, sci1=None))
    assert [problem.value for problem in error.value.problems] == ["eco1", "sci1"]
