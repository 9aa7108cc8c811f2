"""What the status page says of the inputs of a page."""

from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from joulebook.publish.book import Page
from joulebook.publish.book.status_page import status_of, status_page

HOSTILE = '</td><b>R&D</b> $1 to $2'


def record(evidence, as_of=None, expired=False, value=1.0):
    return {"value": value, "evidence": evidence, "as_of": as_of, "expired": expired}


RECORDS = [record("assumed"), record("measured", "2026-01-31"), record("published", "2023-04-05", expired=True),
           record("assumed", "2026-11-30"), record("quoted", value=None)]


def test_inputs_are_counted_by_evidence_and_age():  # hand: from 5 April 2023 to 30 November 2026 are 43 whole months
    assert status_of(RECORDS, "2026-11-30") == {
        "count": 4, "evidence": {"measured": 1, "published": 1, "assumed": 2}, "oldest": "2023-04-05", "age_months": 43,
        "undated": 1, "expired": 1}


def test_where_nothing_has_a_date_nothing_has_an_age():
    told = status_of([record("illustrative")], None)
    assert (told["oldest"], told["age_months"], told["undated"]) == (None, None, 1)


def test_the_page_is_of_all_clients_and_is_text():
    made = {"kind": "inputs", "data": {"records": RECORDS}}
    shown = new_output("display_data", {"text/html": "x"}, metadata={"joulebook": made})
    topic = new_notebook(cells=[new_markdown_cell(f"# {HOSTILE}"), new_code_cell("x", outputs=[shown])])
    prose = new_notebook(cells=[new_markdown_cell("# Overview")])
    versions = {"joulebook": "0.1.0", "numpy": "2.4.6", "zstd": "1"}
    pages = {"notebooks/topic": Page(topic),
             "clients/a/topic": Page(topic, whose=HOSTILE, prepared="2026-11-30", versions=versions),
             "clients/a/index": Page(prose, whose=HOSTILE)}
    page = status_page({name: found.notebook for name, found in pages.items()}, pages)
    html = BeautifulSoup("".join(cell.outputs[0].data["text/html"] for cell in page.cells[1:]), "html.parser")
    assert [head.text for head in html.select(".group strong")] == ["Examples of the dictionary", HOSTILE]
    assert [link["href"] for link in html.select("td a")] == ["../notebooks/topic.html", "../clients/a/topic.html"]
    assert [foot.text for foot in html.select(".foot")] == [
        "Executed with: not stated.", "Executed with: joulebook 0.1.0, numpy 2.4.6."]
    assert html.select("tbody")[1].select("td")[3].get_text(" ") == "2023-04-05 43 months"
    assert html.select("tbody")[0].select("td")[3].get_text(" ") == "2023-04-05"  # no day to count from
