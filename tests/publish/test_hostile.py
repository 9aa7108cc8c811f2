"""Whatever a client writes, in any field of client.yml and any column of any table, is literal in all that is made of it."""

import csv
import io
import json
import re

import openpyxl
import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

from joulebook.publish.archive import collect_run, read_record
from joulebook.publish.batch import run_batch
from joulebook.publish.export import export_run
from joulebook.publish.outcome import require_all
from joulebook.publish.outputs import client_book, client_report, report_content
from joulebook.publish.report import write_report
from joulebook.workbook import ROOT
from tests.hostile import hostile
from tests.pdfs import words
from tests.texts import with_texts


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    texts = with_texts(ROOT / "data" / "clients" / "document-batch", folder / "client", hostile)
    runs = list(run_batch([folder / "client"], folder / "runs"))
    require_all(runs)
    return runs[0].folder, texts


def plain(text):
    """A text without what a line's end may add or take, and as a report shows what prints nothing."""
    shown = re.sub("[\u202a-\u202e\u2066-\u2069\u200b-\u200f]", lambda sign: f"[U+{ord(sign.group()):04X}]", text)
    return re.sub(r"[\s\u00ad]", "", shown)


def test_the_report_is_literal(client):
    run, texts = client
    pages = [page.extract_text() for page in PdfReader(client_report(run)).pages]
    report = plain(" ".join(pages))
    shown = {place: text for place, text in texts.items() if text.split()[-1] in report}
    assert len(shown) > 90
    assert [place for place, text in shown.items() if plain(text) not in report and "components" not in place] == []


@pytest.mark.parametrize("paper", ["a4", "us_letter"])
def test_cover_and_summary_keep_to_their_pages(client, tmp_path, paper):
    run, texts = client
    content = report_content(read_record(run), collect_run(run)) | {"paper": paper}
    document = PdfReader(write_report(content, tmp_path / "report.pdf"))
    cover, summary, contents = (plain(page.extract_text()) for page in document.pages[:3])
    assert plain(texts["client.yml: client"]) in cover
    assert summary.find("Summary") < summary.find("Threeassumptionsthatmattermost") < summary.find("Whattomeasurenext")
    assert "Contents" in contents
    for page, found in zip(document.pages, words(tmp_path / "report.pdf") or [], strict=False):
        assert [word for word in found if word[1] < 0 or word[3] > float(page.mediabox[2])] == []


@pytest.fixture(scope="module")
def pages(client):
    run, _ = client
    book = client_book(run)
    return {path.relative_to(book).as_posix(): BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
            for path in sorted(book.rglob("*.html"))}


def test_the_book_is_literal(client, pages):
    _, texts = client
    for page in pages.values():
        for code in page.select("script, style, .cell_input"):  # there it is escaped as Python has it
            code.decompose()
    book = plain(" ".join(page.get_text() for page in pages.values()))
    shown = {place: text for place, text in texts.items() if text.split()[-1] in book}
    assert len(shown) > 90
    assert [place for place, text in shown.items() if plain(text) not in book and "components" not in place] == []


def test_nothing_in_the_book_acts(pages):
    for name, page in pages.items():
        acting = [value for tag in page.find_all(True) for key, value in tag.attrs.items() if key.startswith("on")]
        assert not [value for value in acting if "alert" in value], name
        assert not [tag for tag in page.select("article *") if any(key.startswith("on") for key in tag.attrs)], name
        links = [tag.get(key, "") for tag in page.find_all(True) for key in ("href", "src") if tag.get(key)]
        assert not [link for link in links if link.lower().startswith(("javascript:", "data:text"))], name
        assert not [tag["src"] for tag in page.find_all("img") if tag.get("src", "").startswith("http")], name
        assert "alert(" not in " ".join(script.get_text() for script in page.find_all("script")), name


def test_what_is_exported_is_literal(client, tmp_path):
    run, texts = client
    book, folder, whole = export_run(run, ("xlsx", "csv", "json"), tmp_path)
    kept = json.loads(whole.read_text(encoding="utf-8"))
    shown = {place: text for place, text in texts.items() if text.split()[-1] in whole.read_text(encoding="utf-8")}
    assert len(shown) > 90
    for page in openpyxl.load_workbook(book):
        for row in page.iter_rows():
            assert {cell.data_type for cell in row} <= {"n", "s"}, page.title
    cells = {cell for path in folder.rglob("*.csv") for row in csv.reader(io.StringIO(path.read_text(encoding="utf-8")))
             for cell in row}
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@")) or (cell.startswith("-") and "z" in cell)]
    for form, told in (("json", set(strings(kept))), ("csv", cells), ("xlsx", {
            cell for page in openpyxl.load_workbook(book) for row in page.iter_rows(values_only=True) for cell in row})):
        told = " ".join(map(str, told))
        assert [place for place, text in shown.items() if text not in told] == [], form


def strings(node):
    """All texts of plain data."""
    if isinstance(node, dict | list):
        for part in [*node, *node.values()] if isinstance(node, dict) else node:
            yield from strings(part)
    elif isinstance(node, str):
        yield node


def test_what_is_archived_is_literal(client):
    run, texts = client
    kept = json.loads((run / "run.json").read_text(encoding="utf-8"))
    assert kept["client"] == texts["client.yml: client"]
    assert kept["notes"] == texts["client.yml: notes"]
    given = json.loads((run / "inputs.json").read_text(encoding="utf-8"))
    sources = [text for place, text in texts.items() if place.endswith("pue, source")]
    assert sources
    assert all(text in json.dumps(given, ensure_ascii=False) or json.dumps(text)[1:-1] in json.dumps(given) for text in sources)
