"""Reports of example clients, checked as PDFs: text, tags, fonts, edges of the pages, heads of tables, bookmarks, links."""

import json
import re
from types import SimpleNamespace

import pytest
from pypdf import PdfReader, PdfWriter, Transformation

from joulebook.intake.client import read_client
from joulebook.publish.collect import collect
from joulebook.publish.files import json_text
from joulebook.publish.outputs import example_clients, report_content
from joulebook.publish.reference import REFERENCE
from joulebook.publish.report import write_report
from joulebook.publish.run import results_record
from joulebook.show.numbers import Numbers
from tests import pdfs

CLIENTS = {folder.name: folder for folder in example_clients()}
# A report of the house, and one in the dress of somebody else, written as in Germany.
DRESSES = {"document-batch": {"paper": "a4"},
           "edge-sensor": {"paper": "us_letter", "locale": "de_DE", "branding": {"name": "Meier & Søn", "accent": "#7a1f5c"}}}
LEAST = 20  # points that writing keeps from the edges of a page; areas may reach them


@pytest.fixture(scope="module", params=DRESSES)
def report(request, tmp_path_factory):
    """A report of the executed topics that are kept, what it is made of, its pages as text, and its results.json."""
    name = request.param
    client = read_client(CLIENTS[name])
    topics = {topic: collect(REFERENCE / name / f"{topic}.ipynb") for topic in client.topics}
    record = {
        "client": client.name, "prepared": client.prepared, "currency": client.currency, "labels": vars(client.labels),
        "notes": client.notes, "made_of": {"files": {"client.yml": "ab" * 32}, "versions": {"typst": "0.15.2"},
                                           "notebooks": dict.fromkeys(topics, "cd" * 32), "code": "ef" * 32},
        "use_expired": client.use_expired, "valid_months": client.valid_months,
    }
    content = report_content(json.loads(json.dumps(record)), topics) | DRESSES[name]
    results = json.loads(json_text(results_record(client.name, client.prepared, topics, client.valid_months)))
    path = write_report(content, tmp_path_factory.mktemp("report") / f"{name}.pdf")
    document = PdfReader(path)
    read = [pdfs.texts(page) for page in document.pages]
    return SimpleNamespace(path=path, document=document, content=content, results=results, tags=list(pdfs.tags(document)),
                           begins=[begins for _, begins in read], pages=[plain(text) for text, _ in read])


def plain(text):
    return " ".join(text.replace("\u00a0", " ").split())


def test_every_main_number_of_the_results_is_printed(report):
    text, seen = " ".join(report.pages), 0
    write = Numbers(report.content["locale"], report.content["currency"])
    for topic in report.content["topics"]:
        found = report.results["topics"][topic["topic"]]
        for name in topic["answer"]["numbers"]:
            value, low, high, unit = (found[name][key] for key in ("value", "low", "high", "unit"))
            if isinstance(value, int | float) and not isinstance(value, bool):
                ends = write.ends(low, high, unit) if low is not None else ()
                for shown in (write.rounded(value, low, high, unit), *ends):
                    assert re.search(rf"(?<![\d.,]){re.escape(plain(shown))}(?!\d|[.,]\d)", text), (topic["topic"], name, shown)
                    seen += 1
    assert seen > 20


def test_it_is_tagged_and_tells_its_language(report):
    root = report.document.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"].value is True
    assert root["/Lang"] == "en"
    kinds = [tag["/S"] for tag in report.tags]
    for kind in ("/Title", "/H1", "/H2", "/P", "/Table", "/THead", "/TH", "/TD", "/Figure", "/Caption", "/L", "/Link"):
        assert kind in kinds, kind
    assert kinds.count("/Title") == 1


def test_every_figure_has_its_numbers_in_words(report):
    said = [tag["/Alt"] for tag in report.tags if tag["/S"] == "/Figure"]
    drawn = [plain(figure["alt"]) for topic in report.content["topics"] for figure in topic["figures"]]
    assert len(drawn) >= 10
    assert set(drawn) <= set(map(plain, said))
    assert [text for text in said if not re.search(r"\d", text)] == []
    assert pdfs.images(report.document) == []  # they are vectors


def test_every_font_is_embedded(report):
    found = pdfs.fonts(report.document)
    assert any("FiraSans" in name for name in found)
    assert [name for name, embedded in found.items() if not embedded] == []


def test_nothing_is_beyond_the_edges(report):
    out, boxes = [], pdfs.words(report.path) or []
    for at, page in enumerate(report.document.pages):
        width, height = map(float, page.mediabox[2:])
        words = boxes[at] if boxes else []
        out += [(at + 1, *box) for box in pdfs.drawn(report.document, page) if not _inside(box, width, height, -1)]
        out += [(at + 1, text, x, y) for text, (x, y) in report.begins[at] if not _inside((x, y, x, y), width, height, LEAST)]
        out += [(at + 1, *word) for word in words if not _inside(word[1:], width, height, LEAST)]
    assert out == []


def _inside(box, width, height, margin):
    left, first, right, second = box
    return left >= margin and first >= margin and right <= width - margin and second <= height - margin


def test_what_is_beyond_an_edge_is_found(report, tmp_path):
    writer = PdfWriter(clone_from=report.document)
    page = writer.pages[0]
    width = float(page.mediabox[2])
    page.add_transformation(Transformation().translate(width / 2, 0))
    assert any(not _inside(box, width, float(page.mediabox[3]), -1) for box in pdfs.drawn(writer, page))
    assert any(x > width - LEAST for _, (x, _) in pdfs.texts(page)[1])


HEADS = {"Assumption register": ("Input, key Value, range Evidence, source, as of What rests on it",
                                 "Default, key Value Reason What rests on it")}


def test_a_table_over_several_pages_repeats_its_head(report):
    """Case R05: the register is longer than a page."""
    begin, end = (next(at for at, item in bookmarks(report.document) if item == title)
                  for title in ("Assumption register", "Provenance"))
    assert end - begin >= 3
    heads = HEADS["Assumption register"]
    for text in report.pages[begin + 1:end]:
        assert any(head in text for head in heads)


def bookmarks(document):
    """Index of the page and title of every bookmark."""
    def flat(items):
        for item in items:
            yield from flat(item) if isinstance(item, list) else [item]
    return [(document.get_destination_page_number(item), item.title) for item in flat(document.outline)]


def test_bookmarks_and_links_lead_to_every_part(report):
    marked = [title for _, title in bookmarks(report.document)]
    for title in (*(topic["title"] for topic in report.content["topics"]), "Summary", "Assumption register", "Provenance",
                  "Attributions"):
        assert title in marked
    links = [note.get_object() for page in report.document.pages[:4] for note in page.get("/Annots", [])]
    assert len([link for link in links if link["/Subtype"] == "/Link"]) >= len(report.content["topics"])
