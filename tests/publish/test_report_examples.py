"""The report of an example client against what it is made of: numbers and rows by topic, contents, and to whom what is due."""

import re
from importlib.metadata import metadata

import pytest
from pypdf import PdfReader

from joulebook.dictionary import rows_of
from joulebook.publish.report import write_report
from joulebook.publish.report.attributions import licences
from joulebook.show.numbers import number, rounded
from joulebook.workbook import ROOT
from tests import pdfs

from .reports import CLIENTS, example

EDGE = next(folder for folder in CLIENTS if folder.name == "edge-sensor")
SOME = ("boundary_ladder", "cost_per_token", "carbon", "benchmark_match", "verdict")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Results as ``results.json`` has them, what the report is made of, the PDF, and the text of its pages."""
    _, topics, content = example(EDGE, only=SOME)
    document = PdfReader(write_report(content, tmp_path_factory.mktemp("report") / "report.pdf"))
    results = {topic: held.results for topic, held in topics.items()}
    return results, content, document, [" ".join(page.extract_text().split()) for page in document.pages]


def by_topic(pages):
    """Text of the pages of each topic, in order."""
    return re.split(r"Topic \d+ (?=[A-Z])", " ".join(pages[3:]).split("Assumption register Every input")[0])[1:]


def test_every_number_of_the_results_is_in_its_topic(report):
    results, content, _, pages = report
    counted = 0
    for text, topic in zip(by_topic(pages), content["topics"], strict=True):
        for name, held in topic["results"].items():
            result = results[topic["topic"]][name]
            value = result["value"]
            if held.get("shown", True) and isinstance(value, int | float) and not isinstance(value, bool):
                assert rounded(value, result["low"], result["high"]) in text, (topic["topic"], name)
                counted += 1
    assert counted > 90


def test_every_row_of_every_table_is_in_its_topic(report):
    _, content, _, pages = report
    counted = 0
    for text, topic in zip(by_topic(pages), content["topics"], strict=True):
        squeezed = "".join(text.split())
        for name, table in topic["tables"].items():
            place = list(table["columns"]).index("year") if "year" in table["columns"] else None
            for row in table["rows"]:
                told = [f"{value:.0f}" if column == place else number(value) for column, value in enumerate(row)
                        if isinstance(value, int | float) and not isinstance(value, bool)]
                told += [str(value) for value in row if isinstance(value, str)]
                assert all("".join(part.split()) in squeezed for part in told), (topic["topic"], name, row)
                counted += len(told)
    assert counted > 150


def test_the_contents_lead_to_the_pages_that_they_name(report):
    _, content, document, pages = report
    named = [*(topic["title"] for topic in content["topics"]), "Assumption register", "Provenance", "Attributions"]
    marks = [item for item in document.outline if not isinstance(item, list)]
    outline = {mark.title: document.get_destination_page_number(mark) + 1 for mark in marks}
    assert [title for title in outline if title in named] == named
    for title in named:
        assert re.search(rf"{re.escape(title)} .*?\b{outline[title]}\b", pages[2]), title
        assert title in pages[outline[title] - 1]
    links = [link.get_object() for link in document.pages[2]["/Annots"]]
    assert len([link for link in links if link["/Subtype"] == "/Link"]) >= len(named)


def test_parts_are_read_aloud_in_the_order_of_the_pages(report):
    _, content, document, _ = report
    heads = [tag for tag in pdfs.tags(document) if tag["/S"] == "/H1"]
    assert len(heads) == len(content["topics"]) + 5  # summary, contents, register, provenance, attributions
    places = [document.get_page_number(tag["/Pg"].get_object()) for tag in heads if "/Pg" in tag]
    assert places
    assert places == sorted(places)


# ---- to whom what is due


def test_every_published_source_has_its_licence(report):
    _, content, _, pages = report
    text = " ".join(pages).split("Attributions Published sources")[-1]
    published = {item["source"] for topic in content["topics"] for item in topic["inputs"]
                 if item["value"] is not None and item["evidence"] == "published" and item["given"]}
    assert published
    squeezed = "".join(text.split())
    assert [source for source in published if "".join(source.split()) not in squeezed] == []
    for word in ("Apache-2.0", "trademarks of MLCommons Association", "Result not verified by MLCommons Association",
                 "Fira Sans", "Libertinus Serif", "DejaVu Sans Mono", "SIL Open Font License 1.1", "numpy", "BSD-3-Clause",
                 "licence file in the repository"):
        assert word in text, word
    assert "workbook assumption" not in text


@pytest.mark.parametrize(("source", "licence"), [
    ("means of 2024, Green-Software-Foundation/real-time-cloud at b2858aa", "licence file in the repository"),
    ("MLPerf Inference v5.1, closed", "Apache-2.0"),
    ("EcoLogits, genai-impact/ecologits at 2d0a1c7", "MPL-2.0"),
    ("U.S. Energy Information Administration, April 2025", "public domain in the US")])
def test_a_source_is_known_by_what_it_is_called(source, licence):
    found = next(told for key, told in licences().items() if key in source.lower())
    assert found.startswith(licence)


def test_libraries_have_the_licences_that_they_state():
    rows = [row for row in rows_of(ROOT / "data" / "attributions.csv") if row["kind"] == "library"]
    pinned = (ROOT / "requirements.txt").read_text(encoding="utf-8").lower()
    assert len(rows) >= 10
    for row in rows:
        assert row["name"] == "joulebook" or f"\n{row['name'].lower()}==" in pinned, row["name"]
        data = metadata(row["name"])
        told = " ".join([data.get("License-Expression") or "", data.get("License") or "", *data.get_all("Classifier", [])])
        first = row["licence"].split(";")[0].split(" (")[0]
        kind = {"BSD-3-Clause": "BSD", "Apache-2.0": "Apache", "Matplotlib license": "matplotlib"}
        assert kind.get(first, first).lower() in told.lower(), row["name"]
