"""The assumption register: its order, what rests on an input, what it moves, and hostile text as data."""

import csv
import io
import itertools

import pytest
from bs4 import BeautifulSoup

from joulebook.publish.book.register_page import register_page
from joulebook.publish.register import GROUP_ORDER, register_csv, register_data, register_of
from joulebook.results import EVIDENCE
from joulebook.show.faces import face
from joulebook.show.known import Known

HOSTILE = '=cmd|\' /C calc\'!A0 <script>alert("x")</script> $5 to $6 **b** {{ x }} \\'


def an_input(name, **other):
    return {"name": name, "title": name.replace("_", " "), "value": 1.0, "unit": "1", "low": None, "high": None,
            "range_is": "limits", "evidence": "assumed", "source": "somebody", "as_of": None, "given": True, "expires": None,
            "expired": False, "used_because": "", **other}


def a_topic(inputs, name="cost_per_token", rests_on=(), moves=None, **results):
    records = {key: {"title": key.upper(), "unit": "J", "value": value} for key, value in results.items()}
    return {"topic": name, "title": name.capitalize(), "inputs": inputs, "results": records,
            "basis": {"rests_on": list(rests_on), "moves": moves or {}}}


def names(rows):
    return [row["name"] for row in rows]


OLD = {"expires": "2026-01-31", "expired": True, "as_of": "2025-01-31"}
# What comes before what: each pair differs in one thing alone.
ORDER = [
    (an_input("pue", source=""), an_input("servers", **OLD)),  # unsourced before expired
    (an_input("pue", source="", evidence="measured"), an_input("servers", evidence="illustrative")),  # whatever its evidence
    (an_input("pue", source="--set on the command line"), an_input("servers", **OLD)),  # tried by hand: no source
    (an_input("pue", source="given by hand"), an_input("servers", evidence="illustrative")),
    (an_input("pue", evidence="measured", **OLD), an_input("servers", evidence="illustrative")),  # expired before weak evidence
    *[(an_input("pue", evidence=weak), an_input("servers", evidence=strong))
      for strong, weak in itertools.pairwise(EVIDENCE)],  # the weakest first
    (an_input("pue", evidence="measured"), an_input("utilization_is", value="duty", source="")),  # declarations are no evidence
    (an_input("utilization_is", value="duty"), an_input("pue", given=False, source="")),  # defaults apart, at the end
]


@pytest.mark.parametrize(("first", "second"), ORDER)
def test_what_is_weakest_comes_first(first, second):
    for inputs in ([first, second], [second, first]):
        assert names(register_of([a_topic(inputs)])) == [first["name"], second["name"]]


def test_words_and_order_are_those_of_the_register():
    kinds = ("illustrative", "assumed", "quoted", "modelled", "published", "measured")  # the weakest first
    assert ("unsourced", "expired", *kinds, "declared") == GROUP_ORDER
    assert set(EVIDENCE) <= set(GROUP_ORDER)


def test_equals_keep_the_order_in_which_they_were_given():
    inputs = [an_input(name) for name in ("pue", "servers", "active_power_w")]
    assert names(register_of([a_topic(inputs)])) == ["pue", "servers", "active_power_w"]


def test_an_input_of_several_topics_stands_once_and_names_them():
    topics = [a_topic([an_input("pue")], name, [{"results": ["e"], "inputs": ["pue"]}], e=1.0) for name in ("a", "b")]
    (row,) = register_of(topics)
    assert row["topics"] == ["a", "b"]
    assert row["results"] == [{"topic": "a", "name": "e", "title": "E"}, {"topic": "b", "name": "e", "title": "E"}]


def test_another_value_is_another_row():
    topics = [a_topic([an_input("pue")], "a"), a_topic([an_input("pue", value=2.0)], "b")]
    assert [(row["value"], row["topics"]) for row in register_of(topics)] == [(1.0, ["a"]), (2.0, ["b"])]


def test_what_is_not_given_is_not_listed():
    assert register_of([a_topic([an_input("pue", value=None)])]) == []


def test_what_is_moved_most_stands_first():
    moves = {"a": [{"input": "pue", "low": 9.0, "high": 12.0}],  # 3 of 10: 30 %
             "b": [{"input": "pue", "low": 3.0, "high": 1.0}],  # 2 of 2: 100 %
             "c": [{"input": "servers", "low": 0.0, "high": 9.0}]}  # another input
    (row,) = register_of([a_topic([an_input("pue")], moves=moves, a=10.0, b=2.0, c=1.0)])
    assert [move["name"] for move in row["moves"]] == ["b", "a"]
    assert row["moves"][1] == {"topic": "cost_per_token", "name": "a", "title": "A", "unit": "J", "value": 10.0, "low": 9.0,
                               "high": 12.0}


def test_main_numbers_that_are_not_followed_are_named():
    topic = a_topic([an_input("pue")], a=1.0, b=None)
    topic["basis"]["not_told"] = ["a", "b"]
    data = register_data(RECORD, [topic])
    assert data["not_told"] == ["A (Cost_per_token)"]  # what is not available has its reason elsewhere
    assert "Not told one input at a time, as it comes out of a table or of draws: A (Cost_per_token)." in face(
        "register", data, Known())


def test_a_result_that_is_not_available_is_moved_by_nothing():
    moves = {"a": [{"input": "pue", "low": 9.0, "high": 12.0}]}
    (row,) = register_of([a_topic([an_input("pue")], moves=moves, a=None)])
    assert row["moves"] == []


def test_an_older_run_says_nothing_of_ages_and_is_registered_all_the_same():
    old = {key: value for key, value in an_input("pue").items() if key not in ("expires", "expired", "used_because")}
    (row,) = register_of([{**a_topic([old]), "basis": {}}])
    assert (row["expires"], row["expired"], row["results"], row["moves"]) == (None, False, [], [])


def test_the_csv_has_every_input_and_runs_nothing():
    moves = {"a": [{"input": "pue", "low": 9.0, "high": None}], "b": [{"input": "pue", "for_one_pct": -0.0099}],
             "c": [{"input": "pue", "more": 0.5}]}
    rests = [{"results": ["a", "b"], "inputs": ["pue"]}]
    given = an_input("pue", source=HOSTILE, title="+1", evidence="quoted", **OLD | {"used_because": "-2"})
    rows = register_of([a_topic([given, an_input("servers", value="@x")], rests_on=rests, moves=moves, a=10.0, b=2.0, c=0.0)])
    table = list(csv.DictReader(io.StringIO(register_csv(rows))))
    assert [row["name"] for row in table] == ["pue", "servers"]
    assert table[0]["source"] == "'" + HOSTILE
    assert (table[0]["title"], table[0]["used_because"], table[1]["value"]) == ("'+1", "'-2", "'@x")
    assert (table[0]["expired"], table[1]["expired"], table[0]["group"]) == ("yes", "no", "expired")
    assert table[0]["results"] == "cost_per_token.a cost_per_token.b"
    assert set(table[0]["moves"].split("; ")) == {
        "cost_per_token.a: 9 to not available", "cost_per_token.b: -0.99 % for 1 % more", "cost_per_token.c: 0.5 at 1 % more"}
    assert not [cell for row in table for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]


# ---- the page


RECORD = {"prepared": "2026-11-30", "valid_months": 12, "use_expired": {"pue": HOSTILE, "servers": "not needed"}}


@pytest.fixture
def page():
    inputs = [an_input("active_power_w", value=1000.0, unit="W", low=900.0, high=1100.0, range_is="u95", evidence="measured"),
              an_input("pue", source=HOSTILE, title=HOSTILE, evidence="published", **OLD | {"used_because": HOSTILE}),
              an_input("servers", value=4, source=""),
              an_input("max_utilization", value=0.8, given=False, source="workbook assumption: headroom")]
    rests = [{"results": ["a", "b", "c", "d"], "inputs": ["active_power_w", "pue"]}]
    both = [{"input": "active_power_w", "low": 0.18, "high": 0.22}, {"input": "pue", "for_one_pct": 0.01}]
    topics = [a_topic(inputs, rests_on=rests, moves=dict.fromkeys("abcd", both), a=0.2, b=0.2, c=0.2, d=0.2)]
    html = face("register", register_data(RECORD, topics), Known())
    return BeautifulSoup(html, "html.parser")


def test_the_page_says_all_that_is_known_of_an_input(page):
    assert [head.get_text() for head in page.select(".group strong")] == [
        "Without a source", "Expired", "Measured", "Defaults of the workbook"]
    rows = {row.select_one("td small").get_text(): row.get_text(" ") for row in page.select("tbody tr")}
    assert list(rows) == ["servers", "pue", "active_power_w", "max_utilization"]
    power = rows["active_power_w"].replace("\u00a0", " ")
    for words in ("1,000 W", "900 to 1,100 (95 %)", "measured", "somebody", "no date, so it does not expire",
                  "4 results rest on it: 4 of Cost_per_token", "0.180 to 0.220 J", "1 more"):
        assert words in power, words
    assert "as of 2025-01-31, expired 2026-01-31" in rows["pue"]
    assert f"used for pricing all the same: {HOSTILE}" in page.get_text()
    assert "+1 % for 1 % more" in rows["pue"].replace("\u00a0", " ")
    assert "no source" in rows["servers"]
    assert "no result rests on it" in rows["servers"]
    assert "workbook assumption: headroom" in rows["max_utilization"]


def test_the_page_says_the_rule_and_what_needs_no_permission(page):
    text = page.get_text(" ")
    assert "An input expires on the day that its entry names, else 12 months after its date; ages count from 2026-11-30." in text
    assert "use_expired names servers, which has not expired: without effect." in text
    assert "3 inputs were given, 1 is a default of the workbook." in text


def test_hostile_text_is_data_on_the_page(page):
    assert not page.select("script, a, img, iframe")
    assert page.get_text().count(HOSTILE) == 3  # title, source, reason


def test_the_page_is_an_executed_notebook():
    class Content:
        registered = a_topic([an_input("pue")])

    notebook = register_page(RECORD, {"cost_per_token": Content()})
    (output,) = notebook.cells[1].outputs
    assert output.metadata["joulebook"]["kind"] == "register"
    assert notebook.cells[0].source.startswith("# Assumption register\n")
