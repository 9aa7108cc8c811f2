"""On which day an input expires, and which names may be used all the same."""

import pytest

from joulebook import dictionary
from joulebook.errors import InputError
from joulebook.intake.client import client_record, read_client
from joulebook.intake.notebook import inputs

TEXT = """client: A
prepared: 2026-11-30
currency: EUR
topics: [cost_per_token]
inputs:
  throughput_per_s: {value: 5000, source: run 14, evidence: measured, as_of: 2025-11-30}
  active_power_w: {value: 1000, source: run 14, evidence: measured, as_of: 2025-11-29}
  electricity_price_per_kwh: {value: 0.12, as_of: 2025-04-30, expires: 2027-12-31}
  pue: {value: 1.3, expires: 2026-11-29}
"""
OVERRIDE = "topic_inputs:\n  cost_per_token:\n    pue: {value: 1.4, as_of: 2026-11-01}\n"


@pytest.fixture
def read(tmp_path):
    def read(text=TEXT, settings=(), topics=None):
        (tmp_path / "client.yml").write_text(text, encoding="utf-8")
        return read_client(tmp_path, settings, topics)
    return read


def days(client, topic="cost_per_token"):
    return {name: (item.expires, item.expired) for name, item in client.inputs[topic].items() if item.expires}


def test_an_input_expires_some_months_after_its_date_or_on_the_day_that_it_names(read):
    client = read()
    assert client.valid_months == 12  # the dictionary's default
    assert days(client) == {
        "throughput_per_s": ("2026-11-30", False),  # by the calendar: twelve months later, and still valid on that day
        "active_power_w": ("2026-11-29", True),
        "electricity_price_per_kwh": ("2027-12-31", False),
        "pue": ("2026-11-29", True)}
    assert list(client.expired) == ["active_power_w", "pue"]


def test_the_months_are_an_input_of_every_topic(read):
    assert list(read(TEXT + "  valid_months: 24\n").expired) == ["pue"]  # it names its day itself
    assert list(read(settings=["valid_months=6"]).expired) == ["throughput_per_s", "active_power_w", "pue"]
    assert read(settings=[f"valid_months={10 ** 9}"]).inputs["cost_per_token"]["throughput_per_s"].expires == "9999-12-31"


def test_a_value_tried_by_hand_has_no_day(read):
    assert list(read(settings=["active_power_w=900", "pue=1.2"]).expired) == []


def test_a_reason_is_kept_beside_the_input(read):
    client = read(TEXT + "use_expired: {active_power_w: 'the <b> \"same\" server, $5', throughput_per_s: not needed}\n")
    power, throughput = (client.inputs["cost_per_token"][name] for name in ("active_power_w", "throughput_per_s"))
    assert (power.used_because, power.prices) == ('the <b> "same" server, $5', True)
    assert (throughput.used_because, throughput.prices) == ("", True)
    assert not client.inputs["cost_per_token"]["pue"].prices
    assert client.without_effect == ["throughput_per_s"]  # it has not expired: noted, and without effect
    record = client_record(client)
    assert record["use_expired"]["throughput_per_s"] == "not needed"
    assert record["topics"]["cost_per_token"]["active_power_w"]["used_because"].startswith("the <b>")


def test_a_topic_that_does_not_take_an_input_says_nothing_of_it(read):
    text = TEXT + "use_expired: {generations_csv: the record is complete}\n"
    assert read(text).without_effect == []


@pytest.mark.parametrize(("addition", "words"), [
    ("use_expired: {electricity_price: old}\n",
     "client.yml:10: use_expired.electricity_price: no such parameter; allowed: a name of joulebook params; did you mean "
     "electricity_price_per_kwh?"),
    ("use_expired: {pue: }\n", "use_expired.pue: empty where text is due"),
    ("use_expired: {pue: 5}\n", "use_expired.pue: no text"),
    ("use_expired: [pue]\n", "allowed: a mapping of expired inputs to the reason why"),
    ('use_expired: {pue: "two\\nlines"}\n', "use_expired.pue: a line break or control character in it"),
    ("  utilization: {value: 0.4, as_of: 2026-01-01, expires: 2025-12-31}\n", "utilization.expires: expires before it was true"),
    ("  utilization: {value: 0.4, expires: 2026-02-30}\n", "utilization.expires: no date of the calendar"),
    ("  utilization: {value: 0.4, expires: soon}\n", "utilization.expires: no date of the calendar"),
])
def test_what_is_wrong_is_refused_by_name(read, addition, words):
    with pytest.raises(InputError) as refused:
        read(TEXT + addition)
    assert len(refused.value.problems) == 1
    assert words in str(refused.value)


def test_a_notebook_is_told_what_has_expired_by_the_record_of_each_value(read):
    client = read(TEXT + "use_expired: {pue: the hall is the same}\n")
    items = client.inputs["cost_per_token"]
    cell = dict.fromkeys(dictionary.of_topic("cost_per_token")) | {name: item.value for name, item in items.items()}
    records = {name: item.as_dict() for name, item in items.items()}
    given = inputs("cost_per_token", {**cell, "labels": {}}, records).inputs
    assert (given["pue"].expires, given["pue"].expired, given["pue"].used_because) == ("2026-11-29", True, "the hall is the same")
    assert given["active_power_w"].expired
    by_hand = inputs("cost_per_token", {**cell, "pue": 1.5, "labels": {}}, records).inputs
    assert (by_hand["pue"].expires, by_hand["pue"].expired) == (None, False)  # another value has another origin

