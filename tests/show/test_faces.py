"""Faces: client text is data, and what is not available says why."""

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from joulebook.show.faces import FACES, face, text
from joulebook.show.known import Known, fill, fill_all

LABELS = dict.fromkeys(("workload", "unit_of_work", "quality", "scenario", "window", "boundary"))
COST = {
    "name": "cost",
    "title": "Cost",
    "value": 0.0086667,
    "unit": "EUR",
    "low": None,
    "high": None,
    "evidence": "assumed",
    "labels": LABELS,
    "note": "",
}
GONE = {**COST, "name": "gone", "value": None, "note": "needs idle_power_w"}


def known(*records, **words):
    return Known({record["name"]: record for record in records}, [], LABELS, words, {"pue"})


def explored(words, record):
    """Data of an explorer whose every text is some words."""
    slider = {"name": words, "title": words, "unit": words, "way": "value", "positions": [1.0, 2.0], "start": 0}
    outcome = {"verdict": words, "verdict_sub_class": words, "note": words}
    return {
        "name": "cost", "note": "", "sliders": [slider],
        "parts": [{"name": words, "axes": [[0, [1.0, 2.0]]], "values": [1.0, 2.0]}],
        "results": [{**record, "terms": [[0, 1.0]]}] * 2, "lines": [{"title": words, "terms": [[0, 1.0]]}], "over": 0,
        "outcomes": {"reached": outcome, "missed": outcome}, "border": 1e-6, "off": 1e-9, "tried": 16, "example": False,
        "held": [words], "volume": True, "labels": record["labels"],
    }  # fmt: skip


@given(st.text())
def test_text_is_never_markup_or_mathematics(words):
    words = f"x{words}"  # a text of white space alone is folded by the parser, not by us
    shown = BeautifulSoup(f"<p>{text(words)}</p>", "html.parser").p
    assert {tag.name for tag in shown.find_all(True)} <= {"span"}
    assert shown.get_text().replace("\r", "\n") == words.replace("\r", "\n")
    assert all("$" not in part for part in shown.find_all(string=True, recursive=False))


@pytest.mark.parametrize("words", ['<b>x</b> $5 to $6 {{ y }} **z** \\ "q" \'r\' & #read("x")'])
@pytest.mark.parametrize("kind", sorted(FACES))
def test_every_piece_escapes(kind, words):
    record = {**COST, "title": words, "unit": words, "note": words, "labels": {**LABELS, "workload": words}}
    row = {**record, "name": words, "source": words, "as_of": words, "value": words}
    table = {"name": "t", "title": words, "columns": [[words, words]], "rows": [[words]]}
    told = {"topic": "t", "name": "cost", "title": words, "unit": words, "value": 1.0, "low": 0.5, "high": 2.0}
    old = {"range_is": "limits", "given": True, "expires": words, "expired": True, "used_because": words, "group": "expired"}
    held = {**row, **old, "topics": ["t"], "results": [told], "moves": [told]}
    data = {
        "answer": {"headline": "cost", "says": "{words}", "beside": "{words}"},
        "inputs": {"records": [row]},
        "results": [record],
        "table": table,
        "filterable": {"name": "t", "by": [words], "table": table},
        "reading": {"sentences": ["{words}"]},
        "limits": {"sentences": ["{words}"]},
        "register": {"rows": [held], "titles": {"t": words}, "prepared": words, "valid_months": 12, "without_effect": [words]},
        "explorer": explored(words, record),
        "figure": {"name": "t", "caption": ["{words}"], "alt": ["{words}"], "image": "QQ=="},
    }[kind]
    page = BeautifulSoup(face(kind, data, known(record, words=words)), "html.parser")
    assert not page.find_all("b", string="x")
    assert words in page.get_text()


def test_a_missing_value_says_why_and_never_zero():
    shown = BeautifulSoup(face("results", [GONE], known(GONE)), "html.parser").get_text()
    assert "not available" in shown
    assert "needs idle_power_w" in shown
    answer = BeautifulSoup(
        face("answer", {"headline": "gone", "says": "{gone}", "beside": ""}, known(GONE)), "html.parser"
    ).get_text()
    assert "Not available: needs idle_power_w." in answer


def test_sentences_are_filled_or_left_out():
    facts = known(COST, GONE, units="output tokens")
    assert fill(facts, "{cost} a million {units}") == "0.0086667\u00a0EUR a million output tokens"
    assert fill_all(facts, ["{cost:value}", "{gone}", "{pue}"]) == ["0.0086667"]
    with pytest.raises(KeyError, match="no such result or input: csot"):
        fill(facts, "{csot}")


def test_formats():
    share = {**COST, "value": 0.152207, "unit": "1", "low": 0.12, "high": 0.2, "note": "because"}
    facts = known({**share, "name": "share"})
    assert fill(facts, "{share:percent} {share:times} {share:note}") == "15.2\u00a0% 0.152× because"
    assert fill(facts, "{share:range}") == "0.120 to 0.200"
    assert fill(facts, "so, {share:because}") == "so, because"
    assert fill(known(COST), "so, {cost:because}") is None


def test_a_table_shows_ranges_below_its_values_and_words_to_the_left():
    table = {
        "name": "t",
        "title": "T",
        "columns": [["boundary", ""], ["energy_j", "J"], ["energy_j_low", "J"], ["energy_j_high", "J"]],
        "rows": [["server", 60.0, 59.4, 60.6], ["rack", 64.8, 64.8, 64.8]],
    }
    page = BeautifulSoup(face("table", table, known()), "html.parser")
    assert [head.get_text() for head in page.find_all("th")] == ["boundary", "energy\u00a0(J)"]
    first, second = page.tbody.find_all("tr")
    assert [cell.get("class") for cell in first.find_all("td")] == [None, ["num"]]
    assert first.find_all("td")[1].get_text(" ") == "60.00 59.40 to 60.60"
    assert second.find_all("td")[1].get_text(" ") == "64.8"


ROWS = [["v2", 1.0], ["v1", 2.0], ["v2", 3.0]]
LONG = {"name": "t", "title": "All", "columns": [["round", ""], ["energy_j", "J"]], "rows": ROWS}


def test_a_long_table_is_whole_without_its_script():
    page = BeautifulSoup(face("filterable", {"name": "t", "by": ["round"], "table": LONG}, known()), "html.parser")
    assert len(page.select("tbody tr")) == 3
    assert page.form.has_attr("hidden")  # it does nothing without its script, which shows it
    assert page.select_one("[aria-live=polite]").get_text() == "3 rows"


def test_choices_of_a_long_table_are_its_values():
    page = BeautifulSoup(face("filterable", {"name": "t", "by": ["round"], "table": LONG}, known()), "html.parser")
    (choice,) = page.select("select")
    assert [option["value"] for option in choice.select("option")] == ["", "v1", "v2"]
    column = int(choice["data-column"])
    assert {row.find_all("td")[column].get_text() for row in page.select("tbody tr")} == {"v1", "v2"}
    assert all(field.find_parent("label") for field in page.select("select, input"))


def test_a_long_table_that_is_not_available_says_why():
    gone = {"name": "t", "title": "All", "columns": [], "rows": [], "note": "no row"}
    assert "not available, no row" in face("filterable", {"name": "t", "by": ["round"], "table": gone}, known())
