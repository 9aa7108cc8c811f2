"""A correct client's folder and a workbook of two topics, for the tests of intake."""

import csv
from pathlib import Path

import pytest

from joulebook.errors import InputError
from joulebook.intake.client import read_client
from joulebook.intake.tables import read_table
from joulebook.workbook import ROOT, Workbook

CLIENT = Path(__file__).with_name("client.yml").read_text(encoding="utf-8")
TOC = "format: jb-book\nroot: index\nchapters:\n- file: notebooks/cost_per_token\n- file: notebooks/metering\n"
TARIFF = "days,begin,end,price_per_kwh\nall,00:00,24:00,0.12\n"


@pytest.fixture(scope="session")
def workbook(tmp_path_factory):
    """A workbook of two topics; three parameters are shared, one belongs to the second alone."""
    root = tmp_path_factory.mktemp("workbook")
    (root / "notebooks").mkdir()
    (root / "data").mkdir()
    for name in ("index", "notebooks/cost_per_token", "notebooks/metering"):
        (root / f"{name}.md").touch()
    (root / "_toc.yml").write_text(TOC)
    with (ROOT / "data" / "parameters.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if "cost_per_token" in row["topics"].split()]
    for row in rows:
        row["topics"] = "cost_per_token" + " metering" * (row["name"] in ("active_power_w", "idle_power_w", "currency"))
        row["required"] = "no" if "cost_per_token" not in row["required"] and row["required"] != "yes" else row["required"]
    own = {"name": "clock_offset_s", "topics": "metering", "kind": "number", "unit": "s", "required": "no"}
    with (root / "data" / "parameters.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0], restval="", lineterminator="\n")
        table.writeheader()
        table.writerows([*rows, own])
    return Workbook(root)


@pytest.fixture
def folder(tmp_path):
    # M14 of the cases: spaces, an ampersand, an accent and brackets in the folder's name
    folder = tmp_path / "Acme & Søn (No 1)"
    folder.mkdir()
    (folder / "meter log.csv").write_text(TARIFF)
    (folder / "client.yml").write_text(CLIENT, encoding="utf-8")
    return folder


@pytest.fixture
def read(folder, workbook):
    def read(text=CLIENT, settings=(), topics=None):
        (folder / "client.yml").write_text(text, encoding="utf-8")
        return read_client(folder, settings, topics, workbook)
    return read


@pytest.fixture
def refusal(read):
    def refusal(text=CLIENT, settings=(), topics=None):
        with pytest.raises(InputError) as error:
            read(text, settings, topics)
        assert error.value.exit_code == 2
        return str(error.value)
    return refusal


@pytest.fixture
def read_rows(tmp_path):
    def read_rows(name, content):
        path = tmp_path / "file.csv"
        path.write_text(content, encoding="utf-8")
        return read_table(name, path)
    return read_rows
