"""Cover and summary of the example clients' reports, as somebody who decides reads them, and what their class rests on."""

import json

import pytest

from joulebook.dictionary import parameters
from joulebook.intake.client import read_client
from joulebook.publish.collect import collect
from joulebook.publish.outputs import example_clients, report_content
from joulebook.publish.reference import REFERENCE
from joulebook.publish.report import report_data, write_report

CLIENTS = example_clients()
# Silent reading of English non-fiction: 238 words a minute (Brysbaert 2019, doi:10.1016/j.jml.2019.104047), for two minutes.
WORDS = 2 * 238


@pytest.fixture(scope="module", params=CLIENTS, ids=lambda folder: folder.name)
def report(request):
    """A client, its executed topics, and what its report is made of."""
    client = read_client(request.param)
    found = {path.stem: collect(path) for path in (REFERENCE / request.param.name).glob("*.ipynb")}
    topics = {topic: found[topic] for topic in client.topics}
    record = {
        "client": client.name, "prepared": client.prepared, "currency": client.currency, "labels": vars(client.labels),
        "notes": client.notes, "made_of": {"files": {}, "versions": {}, "notebooks": {}, "code": ""},
        "use_expired": client.use_expired, "valid_months": client.valid_months,
    }
    return client, topics, report_content(json.loads(json.dumps(record)), topics)


def test_the_summary_is_one_page_and_read_in_two_minutes(report, tmp_path):
    from pypdf import PdfReader

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
