"""The chain from an executed notebook to results.json, page and PDF: collected, never computed again.

The example: 5000 output tokens a second, 1 kW, 0.12 per kWh and PUE 1.3 cost 1 * 1.3 * 0.12 / 18 M an hour (method, section 5).
"""

import json
import re

import nbformat
import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

from joulebook.publish.archive import collect_run
from joulebook.publish.outcome import require_all
from joulebook.publish.outputs import client_book, client_report
from joulebook.publish.run import run_client, runs_of

HOSTILE = 'Acme "& Søn" $5 to $6 #read("x") <b>bold</b> {{ x }} \\ **strong** *it* = _u_ `c` %s'
CLIENT = f"""\
client: {json.dumps(HOSTILE)}
prepared: 2026-11-30
currency: EUR
topics: [cost_per_token]
notes: {json.dumps("Notes: " + HOSTILE)}
labels: {{unit_of_work: output_token, boundary: server, workload: {json.dumps("Work: " + HOSTILE)}}}
inputs:
  throughput_per_s: {{value: 5000, source: {json.dumps("Source: " + HOSTILE)}, evidence: quoted}}
  active_power_w: 1 kW
  electricity_price_per_kwh: 0.12
  pue: 1.3
  requests_csv: meter log.csv
"""


def squeezed(text):
    """Text without white space, which a PDF breaks as its lines do."""
    return re.sub(r"\s+", "", text)


def pdf_text(path):
    return squeezed("".join(page.extract_text() for page in PdfReader(path).pages))


def page_text(folder):
    return BeautifulSoup((folder / "notebooks" / "cost_per_token.html").read_text(encoding="utf-8"), "html.parser")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of a client whose folder and words are as unwieldy as they come (M14, R01, C16)."""
    root = tmp_path_factory.mktemp("clients")
    folder = root / "Acme & Søn (No 1)"
    folder.mkdir()
    (folder / "client.yml").write_text(CLIENT, encoding="utf-8")
    rows = "start,end,ok,input_tokens,output_tokens\n0,1,true,900,200\n1,2,true,1100,300\n"
    (folder / "meter log.csv").write_text(rows, encoding="utf-8")
    made = run_client(runs_of([folder])[0], root / "runs")
    require_all([made])
    return made.folder


@pytest.fixture(scope="module")
def outputs(run):
    return json.loads((run / "results.json").read_text(encoding="utf-8")), client_report(run), client_book(run)


def test_results_json(run, outputs):
    results = outputs[0]
    assert (results["schema"], results["client"], results["prepared"]) == (1, HOSTILE, "2026-11-30")
    cost = results["topics"]["cost_per_token"]["cost_per_million"]
    assert cost["value"] == pytest.approx(0.0086667, abs=5e-8)
    assert set(cost) == {"value", "unit", "low", "high", "evidence", "labels", "note"}
    assert cost["unit"] == "EUR per million output tokens"
    assert cost["labels"] == {
        "workload": "Work: " + HOSTILE,
        "unit_of_work": "output_token",
        "quality": None,
        "scenario": None,
        "window": None,
        "boundary": "facility",
    }
    headline = results["topics"]["cost_per_token"]["cost_per_million_always_on"]
    assert headline["value"] is None
    assert "idle_power_w" in headline["note"]
    table = results["topics"]["cost_per_token"]["years_ahead"]
    assert (table["columns"], table["rows"]) == ({}, [])


def test_the_file_was_read(outputs):
    # (900 + 1100) / 2
    assert outputs[0]["topics"]["cost_per_token"]["input_tokens_per_request"]["value"] == 1000


def test_the_number_is_on_the_page_and_in_the_pdf(outputs):
    _, pdf, book = outputs
    assert "0.0086667" in page_text(book).get_text()
    assert "0.0086667" in pdf_text(pdf)


def test_cover_and_summary_say_what_is_missing_and_what_is_known(outputs):
    first = squeezed("".join(page.extract_text() for page in PdfReader(outputs[1]).pages[:2]))
    assert "0.0086667" in first
    assert squeezed("not available") in first
    assert "idle_power_w" in first


def test_client_text_is_literal_everywhere(run, outputs):
    _, pdf, book = outputs
    assert json.loads((run / "run.json").read_text(encoding="utf-8"))["notes"] == "Notes: " + HOSTILE
    text = pdf_text(pdf)
    for words in (HOSTILE, "Notes: " + HOSTILE, "Source: " + HOSTILE, "Work: " + HOSTILE):
        assert squeezed(words) in text, words
    page = page_text(book)
    shown = squeezed(page.get_text())
    for words in (HOSTILE, "Notes: " + HOSTILE, "Source: " + HOSTILE, "Work: " + HOSTILE):
        assert squeezed(words) in shown, words
    assert squeezed(HOSTILE) in squeezed(page.title.get_text())
    article = page.select_one("article")
    assert not [
        mark for mark in article.find_all(["b", "strong", "em", "code"]) if mark.get_text() in ("bold", "strong", "it", "u", "c")
    ]
    # no formula was made of two amounts of money
    assert not [math for math in article.select(".math") if "5 to" in math.get_text()]


def test_run_folder_holds_no_path_and_no_name_of_the_clients_files(run):
    for path in run.glob("*.json"):
        assert str(run.parent.parent) not in path.read_text(encoding="utf-8"), path.name
    assert [path.name for path in (run / "inputs").iterdir()] == ["requests_csv.csv"]


def test_a_result_changed_in_the_notebook_is_changed_in_all_three(run, outputs, tmp_path):
    path = run / "cost_per_token.ipynb"
    kept = path.read_bytes()
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("metadata", {}).get("joulebook", {})
            for record in data["data"] if data.get("kind") == "results" else []:
                if record["name"] == "cost_per_million":
                    record["value"] = 0.0099123
    nbformat.write(notebook, path)
    try:
        assert collect_run(run)["cost_per_token"].results["cost_per_million"]["value"] == 0.0099123
        pdf, book = client_report(run), client_book(run)
        results = json.loads((run / "results.json").read_text(encoding="utf-8"))
        assert results["topics"]["cost_per_token"]["cost_per_million"]["value"] == 0.0099123
        for text in (page_text(book).get_text(), pdf_text(pdf)):
            assert "0.0099123" in text
            assert "0.0086667" not in text
    finally:
        path.write_bytes(kept)


def test_the_same_run_gives_the_same_pdf(run, outputs):
    first = client_report(run).read_bytes()
    assert client_report(run).read_bytes() == first


def test_pdf_is_named_after_the_folder(outputs):
    assert outputs[1].name == "Acme & Søn (No 1).pdf"
