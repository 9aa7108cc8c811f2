"""What a run says, for whoever calculates on: every number with all its digits, every text as text, the same bytes again."""

import csv
import errno
import io
import json
import re
from pathlib import Path
from zipfile import ZipFile

import jsonschema
import openpyxl
import pytest

from joulebook.errors import InputError
from joulebook.publish.batch import run_batch
from joulebook.publish.export.content import schema
from joulebook.publish.export.sheets import Sheet
from joulebook.publish.export.xlsx import xlsx_bytes
from joulebook.publish.outcome import require_all
from joulebook.spreadsheets import csv_text
from tests.conftest import SHARED

CLIENT = """\
client: "=HYPERLINK(1)"
prepared: 2026-11-30
currency: EUR
notes: "+1 and @name then _x0041_"
topics: [idle_amortization]
labels: {unit_of_work: output_token, boundary: server, workload: "-5", quality: "#N/A"}
inputs:
  throughput_per_s: {value: 5000, source: "@SUM(A1)", evidence: measured, as_of: 2026-10-01}
  active_power_w: 1 kW
  idle_power_w: {value: 300, low: 250, high: 350, source: "2026-01-01"}
  annual_volume: 24e9
  tenants_csv: tenants.csv
"""
TENANTS = "tenant,share,utilization\n=1+1,0.4,0.3\n+SUM(A1),0.1,0.2\n@x,0.1,0.1\n-5,0.2,0.3\nplain,0.1,0\n"
NAMES = ["=1+1", "+SUM(A1)", "@x", "-5", "plain"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    client = folder / "clients" / "acme"
    client.mkdir(parents=True)
    (client / "client.yml").write_text(CLIENT, encoding="utf-8")
    (client / "tenants.csv").write_text(TENANTS, encoding="utf-8")
    runs = list(run_batch([client], folder / "runs"))
    require_all(runs)
    return runs[0].folder


@pytest.fixture
def exported(run, tmp_path, joulebook):
    assert joulebook("export", run, "--xlsx", "--csv", "--json", "--to", tmp_path / "made") == (
        0, "".join(f"{tmp_path}/made/acme{ending}\n" for ending in (".xlsx", "-csv", ".json")), "")
    return tmp_path / "made"


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def sheet(made, name):
    book = openpyxl.load_workbook(made / "acme.xlsx")
    heads, *rows = book[name].iter_rows(values_only=True)
    return [dict(zip(heads, row, strict=True)) for row in rows]


# ---- what is in it ----

def test_every_result_stands_in_each_with_all_its_digits(exported, run):
    there = json.loads((run / "results.json").read_text(encoding="utf-8"))["topics"]["idle_amortization"]
    numbers = {name: entry for name, entry in there.items() if "value" in entry}
    told = json.loads((exported / "acme.json").read_text(encoding="utf-8"))
    assert [row["name"] for row in told["results"]] == list(numbers)
    lines, sheets = table(exported / "acme-csv" / "results.csv"), sheet(exported, "results")
    for row, line, cells in zip(told["results"], lines, sheets, strict=True):
        entry = numbers[row["name"]]
        for key in ("value", "low", "high"):
            assert row[key] == cells[key] == entry[key]
            assert line[key] == ("" if entry[key] is None else str(entry[key]))
        assert row["unit"] == entry["unit"] == line["unit"] == (cells["unit"] or "")
        assert row["evidence"] == entry["evidence"] == cells["evidence"]
        assert row["labels"] == entry["labels"]
        assert (row["reason"], row["note"]) == (("", entry["note"]) if entry["value"] is not None else (entry["note"], ""))
    assert any(row["reason"] for row in told["results"])
    tables = {entry["name"]: entry for entry in told["tables"]}
    assert tables.keys() == there.keys() - numbers.keys()
    for name, entry in tables.items():
        assert entry["rows"] == there[name]["rows"]
        assert {column["name"]: column["unit"] for column in entry["columns"]} == there[name]["columns"]


def test_every_input_stands_with_range_origin_and_days(exported):
    """By hand; an input of 2026-10-01 expires after the twelve months that hold where the client says nothing."""
    rows = {row["name"]: row for row in json.loads((exported / "acme.json").read_text(encoding="utf-8"))["inputs"]}
    keys = ("value", "low", "high", "unit", "evidence", "source", "as_of")
    assert [rows["idle_power_w"][key] for key in keys] == [300.0, 250.0, 350.0, "W", "assumed", "2026-01-01", None]
    assert [rows["throughput_per_s"][key] for key in (*keys, "expires")] == [
        5000.0, None, None, rows["throughput_per_s"]["unit"], "measured", "@SUM(A1)", "2026-10-01", "2027-10-01"]
    assert rows["active_power_w"]["value"] == 1000.0
    assert not rows["redundancy"]["given"]
    for told, cells in zip(rows.values(), sheet(exported, "inputs"), strict=True):
        assert told["value"] == cells["value"]
        assert [told["source"] or None, told["as_of"]] == [cells["source"], cells["as_of"]]
        assert told["given"] == (cells["given"] == "yes")


def test_the_register_is_that_of_the_run(exported, run):
    assert (exported / "acme-csv" / "register.csv").read_bytes() == (run / "register.csv").read_bytes()
    told = json.loads((exported / "acme.json").read_text(encoding="utf-8"))
    assert told["register"] == json.loads((run / "results.json").read_text(encoding="utf-8"))["register"]
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    assert told["provenance"] == {key: record["made_of"][key] for key in told["provenance"]}


def test_the_json_is_as_its_schema_says(exported, joulebook):
    code, said, _ = joulebook("export", "--schema")
    assert code == 0
    assert json.loads(said) == schema()
    told = json.loads((exported / "acme.json").read_text(encoding="utf-8"), parse_constant=pytest.fail)
    jsonschema.Draft202012Validator(json.loads(said)).validate(told)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**told, "results": [{}]}, json.loads(said))


# ---- text is text ----

def test_text_that_a_spreadsheet_would_run_is_text(exported):
    """Case D06 by hand: text gets a quotation mark in front where the file has no types; numbers stay numbers."""
    rows = table(exported / "acme-csv" / "tables" / "idle_amortization.power_by_tenant.csv")
    assert [row["tenant"] for row in rows[:5]] == ["'=1+1", "'+SUM(A1)", "'@x", "'-5", "plain"]
    cells = sheet(exported, "power_by_tenant")
    assert [row["tenant"] for row in cells[:5]] == NAMES
    assert all(isinstance(value, str) for row in cells[:5] for key, value in row.items() if key == "tenant")
    facts = {row["name"]: row["value"] for row in table(exported / "acme-csv" / "about.csv")}
    assert facts["client"] == "'=HYPERLINK(1)"
    assert facts["label workload"] == "'-5"
    assert facts["notes"] == "'+1 and @name then _x0041_"
    told = json.loads((exported / "acme.json").read_text(encoding="utf-8"))
    assert (told["client"], told["labels"]["workload"]) == ("=HYPERLINK(1)", "-5")


def test_a_workbook_has_no_formula_error_or_date(exported):
    book = openpyxl.load_workbook(exported / "acme.xlsx")
    cells = [cell for page in book for row in page.iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} == {"n", "s"}
    assert all(isinstance(cell.value, int | float) == (cell.data_type == "n") for cell in cells)
    marked = {cell.value for cell in cells if cell.quotePrefix}
    assert {"=HYPERLINK(1)", "-5", "@SUM(A1)"} <= marked
    assert "plain" not in marked
    with ZipFile(exported / "acme.xlsx") as whole:
        pages = "".join(whole.read(name).decode() for name in whole.namelist() if "/worksheets/" in name or "Strings" in name)
    assert "<f" not in pages.replace("<filter", "")
    assert "then _x005F_x0041_" in pages  # OOXML writes a character that XML has not as _x0007_: this only reads like one


def test_the_case_of_names_that_are_formulas():
    """Published: case D06."""
    folder = SHARED / "cases" / "files" / "D06"
    if not folder.is_dir():
        pytest.skip("the shared cases are not here")
    due = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    given = [(row["client"], int(row["kwh"])) for row in table(folder / "names.csv")]
    read = list(csv.reader(io.StringIO(csv_text(["client", "kwh"], given))))[1:]
    assert [row[0] for row in read] == due["export_first_column"]
    assert [int(row[1]) for row in read] == due["numbers_unchanged"]
    book = openpyxl.load_workbook(io.BytesIO(xlsx_bytes([Sheet("names", ["client", "kwh"], given)], "2026-11-30")))
    assert list(book["names"].iter_rows(min_row=2, values_only=True)) == given
    assert {cell.data_type for cell in book["names"]["A"]} == {"s"}
    assert {cell.data_type for cell in book["names"]["B"][1:]} == {"n"}


# ---- a workbook ----

def test_a_workbook_is_laid_out_for_reading(exported):
    book = openpyxl.load_workbook(exported / "acme.xlsx")
    assert book.sheetnames[:8] == ["about", "inputs", "results", "register", "effects", "tables", "columns", "provenance"]
    assert {page.freeze_panes for page in book} == {"A2"}
    assert all(9 <= column.width <= 60 for page in book for column in page.column_dimensions.values())
    assert "straight_low [W]" in [cell.value for cell in book["power_by_utilization"][1]]


def test_names_of_sheets_differ_and_fit():
    names = ["a.table", "b.TABLE", f"c.{'n' * 40}", f"d.{'n' * 40}", "e.inputs"]
    sheets = [Sheet("inputs", ["x"], [[1]]), *(Sheet(name, ["x"], [[1]], table=True) for name in names)]
    made = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(sheets, "2026-11-30"))).sheetnames
    assert made == ["inputs", "table", "TABLE 2", "n" * 31, f"{'n' * 29} 2", "inputs 2"]


def test_a_character_that_xml_has_not_is_written_as_ooxml_has_it():
    """By hand, after ECMA-376, 22.9.2.19."""
    with ZipFile(io.BytesIO(xlsx_bytes([Sheet("s", ["x"], [["a\x07b\nc _x0007_"]])], "2026-11-30"))) as whole:
        assert "a_x0007_b\nc _x005F_x0007_" in whole.read("xl/worksheets/sheet1.xml").decode()


def test_what_no_workbook_can_hold_is_refused():
    """Published: the limits of Excel, 32,767 characters in a cell and 1,048,576 rows."""
    with pytest.raises(InputError, match=r"text longer than a cell.*32767 characters"):
        xlsx_bytes([Sheet("s", ["x"], [["y" * 32768]])], "2026-11-30")
    with pytest.raises(InputError, match="more rows than a sheet"):
        xlsx_bytes([Sheet("s", ["x"], [[1]] * 1048576)], "2026-11-30")


def test_the_same_run_gives_the_same_bytes(exported, run, tmp_path, joulebook):
    assert joulebook("export", run, "--xlsx", "--csv", "--json", "--to", tmp_path / "again")[0] == 0
    first, again = ({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
                    for folder in (exported, tmp_path / "again"))
    assert first == again
    with ZipFile(exported / "acme.xlsx") as whole:  # and no clock, which two quick exports would not show
        assert {entry.date_time for entry in whole.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        core = whole.read("docProps/core.xml").decode()
    assert set(re.findall(r"\d{4}-\d\d-\d\dT[\d:]+Z", core)) == {"2026-11-30T00:00:00Z"}
    assert len(re.findall("2026-11-30", core)) == 2


# ---- where it is written ----

def test_without_another_place_it_stands_in_the_run(run, joulebook):
    code, said, _ = joulebook("export", run, "--json")
    assert (code, Path(said.strip())) == (0, run / "acme.json")
    (run / "acme.json").unlink()


def test_what_is_asked_wrongly_is_said_at_once(run, tmp_path, joulebook):
    code, _, said = joulebook("export", run)
    assert code == 2
    assert "no format is chosen; allowed: one or more of --xlsx, --csv and --json" in said
    code, _, said = joulebook("export")
    assert code == 2
    assert "no client is named" in said
    assert "no format is chosen" in said
    code, _, said = joulebook("export", run, "--ods")
    assert code == 2
    assert "No such option: --ods" in said
    code, _, said = joulebook("export", run, "--json", "--out", tmp_path / "acme.json")
    assert code == 2
    assert "--to DIR" in said
    (tmp_path / "acme").mkdir()
    code, _, said = joulebook("export", run, tmp_path / "acme", "--json", "--to", tmp_path / "made")
    assert code == 2
    assert "two folders of one name" in said
    code, _, said = joulebook("export", tmp_path / "none", "--json", "--out", tmp_path)
    assert code == 2
    assert "Traceback" not in said
    assert not (tmp_path / "made").exists()


def test_a_place_that_cannot_be_written_is_an_error_of_one_line(run, tmp_path, joulebook):
    (tmp_path / "file").write_text("")
    code, said, error = joulebook("export", run, "--json", "--to", tmp_path / "file" / "below")
    assert (code, said) == (1, "")
    assert error.splitlines()[1:] == ["below: cannot be written, Not a directory"]
    code, _, error = joulebook("export", run, "--json", "--to", tmp_path / "file")
    assert code == 2
    assert "file is a file; a folder is due" in error


@pytest.mark.parametrize("form", ["xlsx", "csv", "json"])
def test_a_full_disk_leaves_nothing_half_written(exported, run, joulebook, monkeypatch, form):
    before = {path: path.read_bytes() for path in exported.rglob("*") if path.is_file()}

    def full(path, content):
        with path.open("wb") as file:
            file.write(content[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    code, said, error = joulebook("export", run, f"--{form}", "--to", exported)
    monkeypatch.undo()
    assert (code, said) == (1, "")
    assert re.fullmatch(r"error\n[\w.-]+: cannot be written, No space left on device\n", error)
    assert {path: path.read_bytes() for path in exported.rglob("*") if path.is_file()} == before


def test_the_longest_name_of_a_folder_makes_names_that_fit(run, tmp_path, joulebook):
    """Case R04; by hand: 83 characters of three bytes and 5 of an ending are 254 bytes."""
    long = run.rename(tmp_path / ("株" * 85))
    try:
        assert joulebook("export", long, "--xlsx", "--csv", "--json", "--to", tmp_path / "made")[0] == 0
    finally:
        long.rename(run)
    assert sorted(len(path.name) for path in (tmp_path / "made").iterdir()) == [83 + 4, 83 + 5, 83 + 5]
