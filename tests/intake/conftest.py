"""A correct client's folder and a workbook of two topics, for the tests of intake."""

from pathlib import Path

import pytest

from joulebook.errors import InputError
from joulebook.intake.client import read_client
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
    table = (ROOT / "data" / "parameters.csv").read_text(encoding="utf-8")
    for name in ("active_power_w", "idle_power_w", "currency"):
        table = table.replace(f"\n{name},cost_per_token,", f"\n{name},cost_per_token metering,")
    table += "clock_offset_s,metering,number,s,,,no,,,,Clock offset,Meter minus load generator,client\n"
    (root / "data" / "parameters.csv").write_text(table, encoding="utf-8")
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
