"""Cover and summary of the example clients' reports, as somebody who decides reads them, and what their class rests on."""

import copy
import json

import pytest
from pypdf import PdfReader

from joulebook.dictionary import parameters
from joulebook.publish.collect import collect
from joulebook.publish.reference import REFERENCE
from joulebook.publish.register import register_of
from joulebook.publish.report import report_data, write_report
from joulebook.publish.report.cover import NOTES_ON_COVER
from joulebook.publish.report.decisive import flips, matters, to_measure
from joulebook.results import LABELS
from tests import pdfs

from ..fonts import font_of
from .reports import CLIENTS, example

# Silent reading of English non-fiction: 238 words a minute (Brysbaert 2019, doi:10.1016/j.jml.2019.104047), for two minutes.
WORDS = 2 * 238


@pytest.fixture(scope="module", params=CLIENTS, ids=lambda folder: folder.name)
def report(request):
    """A client, its executed topics, and what its report is made of."""
    return example(request.param)


def test_the_summary_is_one_page_and_read_in_two_minutes(report, tmp_path):
    for paper in ("a4", "us_letter"):
        path = write_report(report[2] | {"paper": paper}, tmp_path / "report.pdf")
        cover, summary, contents = (page.extract_text() for page in PdfReader(path).pages[:3])
        assert len(summary.split()) <= WORDS
        assert report[0].name in cover
        assert summary.index("Summary") < summary.index("What to measure next")
        assert "Contents and main numbers" in contents


def test_the_summary_says_the_class_and_why(report):
    _, topics, content = report
    summary = report_data(content)["summary"]
    assert summary["decision"]["word"].lower().startswith(topics["verdict"].results["verdict"]["value"])
    assert summary["answer"].startswith("It is ")


def test_the_summary_has_three_numbers_with_ranges_and_three_assumptions(report):
    _, topics, content = report
    summary = report_data(content)["summary"]
    assert len(summary["numbers"]) == len(summary["matters"]["rows"]) == 3
    assert all(number["at"] is not None for number in summary["numbers"])
    parts = topics["verdict"].results["measurements"]["rows"]  # of each input in the uncertainty of the benefit
    largest = sorted(parts, key=lambda row: -row[1])[:3]
    assert [row["title"] for row in summary["matters"]["rows"]] == [title for title, *_ in largest]
    turning = {row[0]: row[4] for row in topics["verdict"].results["input_flips"]["rows"]}
    for row in summary["matters"]["rows"]:
        assert any("turns it at" in line for line in row["effects"]) == (row["title"] in turning)
    assert len(summary["flips"]["items"]) == 3
    assert summary["measure"]["items"] or summary["measure"]["note"]


def test_what_decides_the_class_is_published_or_marked_assumed(report):
    client, topics, _ = report
    (answer,) = topics["verdict"].of_kind("answer")
    rests = next(group["inputs"] for group in answer["basis"]["rests_on"] if "verdict" in group["results"])
    rows, inputs = parameters(), client.inputs["verdict"]
    deciding = {name: inputs[name] for name in rests if name in inputs and rows[name].kind not in ("choice", "date")}
    assert deciding
    for name, item in deciding.items():
        assert item.evidence in ("published", "assumed"), name
        assert item.evidence == "assumed" or item.source, name


def test_the_classes_of_the_examples_differ():
    found = {collect(REFERENCE / folder.name / "verdict.ipynb").results["verdict"]["value"] for folder in CLIENTS}
    assert found == {"automatable", "speculative", "research"}


# ---- one page, whatever is said


LONG = ("W" * 500, "measured by somebody " * 25, "株" * 250, "one/very/long/path_of_a_file." * 17)


def lengthened(run, word):
    """A run with a text of the client everywhere that the first pages may tell one, as long as intake lets it be.

    What the first pages do not tell is left out.
    """
    run = copy.deepcopy(run)
    run |= {"client": word[:200], "notes": word[:NOTES_ON_COVER], "branding": {"name": word[:80]}}
    run["labels"] |= dict.fromkeys(("workload", "quality", "window"), word)
    for topic in run["topics"]:
        told = {"note": word, "labels": dict.fromkeys(LABELS, f"{topic['topic']} {word}")}
        topic["results"] = {name: result | told for name, result in topic["results"].items() if name in TOLD}
        topic["tables"] = {name: table for name, table in topic["tables"].items() if name in TOLD}
        topic |= {"figures": [], "reading": [], "limits": [], "answer": topic["answer"] | {"says": word, "beside": word}}
        for place, item in enumerate(topic["inputs"]):
            item |= {"expired": True, "expires": "2026-01-31", "used_because": f"{place} {word}", "plausible": word[:50]}
            item |= {"evidence": "illustrative"} if item["value"] is not None else {}
        topic["inputs"] = [item for item in topic["inputs"] if item["name"] in TOLD]
        for row in topic["tables"].get("measurements_ranked", {"rows": ()})["rows"]:
            row[:2] = word[:200], word
            row[4] = 1.0  # worth what it costs
    return run


TOLD = ("cost_per_million_always_on", "ownership_cost_per_million", "energy_per_unit_full_j", "roi", "verdict", "grade",
        "conclusion", "quality_shown", "unit_cost", "flip_multiple", "flip_unit_cost", "energy_case_flip", "grade_reason",
        "measurements", "input_flips", "measurements_ranked", "value_per_task", "automatable_share", "annual_volume",
        "annual_tasks", "idle_power_w", "pue")


@pytest.mark.parametrize("paper", ["a4", "us_letter"])
@pytest.mark.parametrize("word", LONG, ids=lambda word: word[:5])
def test_cover_and_summary_have_a_page_each_whatever_is_said(word, paper, tmp_path):
    _, _, content = example(CLIENTS[0], only=("sensitivity", "verdict", "benchmark_match", "cost_per_token", "idle_amortization"))
    run = lengthened(content, word) | {"paper": paper}
    fonts = tmp_path / "fonts"
    fonts.mkdir()
    (fonts / "own.ttf").write_bytes(font_of(word))
    path = write_report(run, tmp_path / "report.pdf", fonts=[fonts] if "株" in word else ())
    document = PdfReader(path)
    cover, summary, contents = (" ".join(page.extract_text().split()) for page in document.pages[:3])
    assert "Made with" in cover
    assert "Summary" not in cover
    assert "…" in summary
    assert summary.index("What to measure next") < summary.index("3 ", summary.index("What to measure next"))  # its end is there
    assert "Contents and main numbers" in contents
    assert word[:200].replace(" ", "") in "".join(cover.split())
    for page, words in zip(document.pages[:3], pdfs.words(path) or [[]] * 3, strict=False):
        width, height = map(float, page.mediabox[2:])
        boxes = [*pdfs.drawn(document, page), *((x, y, x, y) for _, (x, y) in pdfs.texts(page)[1]), *(word[1:] for word in words)]
        assert [box for box in boxes if min(box) < -1 or max(box[::2]) > width + 1 or max(box[1::2]) > height + 1] == []
    data = report_data(run)
    whole = json.dumps([data["topics"], data["register"]], ensure_ascii=False)
    assert whole.count(word) > 20  # nothing of it is lost


# ---- what decides, by itself


def test_without_a_verdict_inputs_are_chosen_by_what_they_move(tmp_path):
    run = example(CLIENTS[0], only=("cost_per_token",))[2]
    summary = report_data(run)["summary"]
    moved = {row["name"]: row["moves"][0] for row in register_of(run["topics"]) if row["given"] and row["moves"]}
    widest = sorted((abs(move["high"] - move["low"]) / move["value"], name) for name, move in moved.items() if "low" in move)
    titles = {item["name"]: item["title"] for item in run["topics"][0]["inputs"]}
    assert [row["title"] for row in summary["matters"]["rows"]] == [titles[name] for _, name in widest[:-4:-1]]
    assert summary["flips"] == {"items": [], "note": ""}
    assert summary["measure"] == {"items": [], "note": ""}


def test_without_a_verdict_the_conclusion_flips():
    summary = report_data(example(CLIENTS[1], only=("sensitivity",))[2])["summary"]
    cost, alone = summary["flips"]["items"]
    assert (cost["value"], cost["title"]) == ("0.24", "Cost that turns the conclusion")  # as the page says
    assert alone["title"] == "Tasks done right, alone"
    assert summary["measure"]["items"][0]["what"] == "Trial of two weeks with ten readers"


def verdict(**values):
    """A topic that decided, with results by name, and tables."""
    tables = {"input_flips": {"columns": dict.fromkeys(("input", "unit", "today", "at_the_flip", "change", "inside_its_range")),
                              "rows": [["Price", "EUR", 2.0, 3.0, 50.0, "yes"]]},
              "measurements": {"columns": dict.fromkeys(("input", "moves_the_benefit", "worth_knowing")),
                               "rows": [["Volume", 10.0, 0.0], ["Price", 123.0, 5.0], ["Rate", 20.0, 0.0], ["Rent", 15.0, 0.0]]}}
    results = {name: {"value": value, "low": None, "high": None, "unit": "1", "note": "" if value is not None else "at no cost"}
               for name, value in values.items()}
    return {"topic": "verdict", "title": "Verdict", "results": results, "tables": tables, "inputs": []}


def an_input(title, **other):
    return {"name": title.lower(), "title": title, "value": 2.0, "unit": "EUR", "low": 1.0, "high": 4.0, "range_is": "limits",
            "evidence": "quoted", "topics": ["verdict"], "given": True, "moves": [], **other}


RUN = {"currency": "EUR", "labels": {}, "locale": None}


def test_the_largest_part_of_the_uncertainty_comes_first_and_flips_where_the_table_says():
    rows = [an_input(title) for title in ("Rate", "Price", "Rent", "Volume")]
    told = matters({**RUN, "topics": [verdict()]}, rows)
    assert [row["title"] for row in told["rows"]] == ["Price", "Rate", "Rent"]  # hand: 123 > 20 > 15 > 10
    price, rate, _ = told["rows"]
    assert price["effects"] == ["120\u00a0EUR of uncertainty", "turns it at 3\u00a0EUR (+50\u00a0%), within its range"]
    assert rate["effects"] == ["20\u00a0EUR of uncertainty"]
    assert price["bar"] == {"low": 0.0, "today": pytest.approx(1 / 3), "high": 1.0, "flip": pytest.approx(2 / 3)}  # hand
    assert rate["bar"]["flip"] is None


def test_a_value_of_the_deciding_topic_is_told_where_topics_differ():
    rows = [an_input("Price", value=9.0, topics=["carbon"]), an_input("Price")]
    (row,) = matters({**RUN, "topics": [verdict()]}, rows)["rows"]
    assert row["value"] == "2\u00a0EUR"


def test_where_it_flips_and_where_nothing_does():
    run = {**RUN, "topics": [verdict(flip_multiple=1.56269, unit_cost=0.002, flip_unit_cost=0.0031254, energy_case_flip=None)]}
    cost, energy, alone = flips(run)["items"]
    assert (cost["value"], cost["text"]) == ("1.56×", "from 0.002 to 0.00313\u00a0EUR")
    assert (energy["value"], energy["text"]) == ("none", "at no cost")
    assert (alone["value"], alone["title"]) == ("+50\u00a0%", "Price, alone")
    assert alone["text"] == "from 2 to 3\u00a0EUR, within its range"
    run["topics"][0]["tables"] = {}
    run["topics"][0]["results"] = {}
    assert flips(run) == {"items": [], "note": "Nothing that was moved flips the class; its topic says why."}


def test_what_is_not_worth_its_cost_is_not_advised():
    columns = dict.fromkeys(("measurement", "measures", "value", "cost", "net_value", "said"))
    rows = [["Meter", "Idle power", 100.0, 80.0, 20.0, ""], ["Count", "Tasks", 10.0, 80.0, -70.0, ""]]
    sensitivity = {"topic": "sensitivity", "results": {}, "tables": {"measurements_ranked": {"columns": columns, "rows": rows}}}
    run = {**RUN, "topics": [verdict(quality_shown="shown"), sensitivity]}
    told = to_measure(run)
    assert told["items"] == [{"what": "Meter", "how": "Idle power", "worth": "worth 100\u00a0EUR, costs 80\u00a0EUR"}]
    assert told["note"] == ""
    del rows[0]
    assert to_measure(run)["items"] == []
    assert to_measure(run)["note"].startswith("The one measurement on offer is not worth what it costs")
    run["topics"][0] = verdict(quality_shown="not shown")
    run["topics"][0]["results"]["quality_shown"]["note"] = "no paired test"
    assert to_measure(run)["items"] == [{"what": "Quality of the work", "how": "no paired test", "worth": "settles the class"}]
