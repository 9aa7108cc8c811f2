"""The shape of client.yml: short forms are written out, and what is wrong is taken out so that the rest can be judged."""

import pytest

from joulebook.errors import Problems
from joulebook.intake.shape import check_shape
from joulebook.intake.yaml12 import load

HEAD = "client: A\nprepared: 2026-01-01\ncurrency: EUR\n"


@pytest.fixture
def shape(tmp_path):
    def shape(text):
        (tmp_path / "client.yml").write_text(HEAD + text)
        document, found = load(tmp_path / "client.yml"), Problems()
        cut = check_shape(document, ["pue"], found)
        return document.data, cut, [str(problem) for problem in found]
    return shape


def test_short_forms_are_written_out(shape):
    data, cut, found = shape("inputs: {pue: 1.3, year: {value: 2026}}\ntopic_inputs: {t: {pue: 1 kW}}\nmlperf: a/b\n")
    assert (cut, found) == (set(), [])
    assert data["inputs"] == {"pue": {"value": 1.3}, "year": {"value": 2026}}
    assert data["topic_inputs"] == {"t": {"pue": {"value": "1 kW"}}}
    assert data["mlperf"] == {"path": "a/b"}


def test_what_is_wrong_is_taken_out(shape):
    data, cut, found = shape("inputs:\n  pue: {value: 1.3, evidence: sure}\n  year: 22:30\n"
                             "labels: {scenario: x, window: y}\ntopics: [1]\n")
    assert data["inputs"] == {"pue": {"value": 1.3}}
    assert data["labels"] == {"window": "y"}
    assert "topics" not in data
    assert {("inputs", "pue"), ("inputs",), ("labels",)} <= cut  # year was refused by the reader, so its block is incomplete
    assert [line.split(": ")[1] for line in found] == ["topics.0", "labels.scenario", "inputs.pue.evidence"]


@pytest.mark.parametrize(("text", "words"), [
    ("inputs: [1]", "client.yml:4: inputs: a list where a mapping of names to values is due"),
    ("labels: x", "labels: a single value where"), ("topics: {a: 1}", "topics: a mapping where a list is due"),
    ("notes: 5", "notes: no text"), ("mlperf: [a]", "mlperf: a list where"),
    ("inputs: {pue: {}}", "inputs.pue.value: missing"), ("mlperf: {}", "mlperf.path: missing"),
    ("pue: 1.3", "pue: unknown key; allowed: client, prepared"), ("pue: 1.3", "did you mean pue under inputs?"),
    ("topic_inputs: {t: {pue: {value: 1, hgih: 2}}}", "topic_inputs.t.pue.hgih: unknown key"),
])
def test_other_shapes_are_named_in_plain_words(shape, text, words):
    _, _, found = shape(text)
    assert len(found) == 1
    assert words in found[0]
    assert "pydantic" not in found[0]
