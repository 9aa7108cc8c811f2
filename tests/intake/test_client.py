"""A client's folder: what is accepted, and that every single mutation of it is refused by name and line."""

import hashlib
import json
import re
import shutil
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from joulebook.errors import InputError
from joulebook.intake.client import client_record, read_client
from joulebook.results import Labels
from joulebook.workbook import ROOT

CLIENT = Path(__file__).with_name("client.yml").read_text(encoding="utf-8")
HEAD = "client: A\nprepared: 2026-01-01\ncurrency: EUR\n"
SMALL = HEAD + "inputs:\n  throughput_per_s: 1\n  active_power_w: 1\n  electricity_price_per_kwh: 1\n  pue: 1.3\n" \
               "topics: [cost_per_token]\n"
ALL_TOPICS = CLIENT.replace("topics: [cost_per_token]\n", "")
TARIFF = "days,begin,end,price_per_kwh\nall,00:00,24:00,0.12\n"


def line_of(name):
    return next(number for number, line in enumerate(CLIENT.splitlines(), start=1) if line.strip().startswith(f"{name}:"))


def changed(name, text):
    """The client with the line of one key replaced."""
    lines = CLIENT.splitlines()
    indent = lines[line_of(name) - 1][:len(lines[line_of(name) - 1]) - len(lines[line_of(name) - 1].lstrip())]
    lines[line_of(name) - 1] = "\n".join(indent + part for part in text.split("\n")) if text else "#"
    return "\n".join(lines) + "\n"


# ---- what is accepted


def test_a_correct_client_is_read(read, folder):
    client = read()
    inputs = client.inputs["cost_per_token"]
    assert (client.name, client.prepared, client.currency) == ("Acme & Søn (No 1)", "2026-11-30", "EUR")
    assert client.topics == ("cost_per_token",)
    assert client.labels == Labels("llama2-70b, open orca", "output_token", "99 % of reference", "Server", "load run only",
                                   "server")
    assert client.notes == 'costs $5, #read("x"), <b>, {{ x }}, a \\ and **'
    assert inputs["active_power_w"].value == 1000.0  # hand: 1 kW
    assert (inputs["pue"].value, inputs["pue"].evidence, inputs["pue"].low) == (1.3, "assumed", None)  # rule 6: a bare number
    assert (inputs["annual_volume"].value, type(inputs["servers"].value)) == (24e9, int)
    idle = inputs["idle_power_w"]
    assert (idle.low, idle.high, idle.as_of, idle.given) == (380.0, 420.0, "2026-10-06", True)
    assert idle.range_is == "u95"  # method, rule 6: the default where measured
    price = inputs["electricity_price_per_kwh"]
    assert (price.range_is, price.evidence, price.source) == ("limits", "quoted", "contract of 2026")
    assert inputs["currency"].value == "EUR"


def test_defaults_of_the_dictionary_are_named_as_such(read):
    default = read().inputs["cost_per_token"]["max_utilization"]
    assert (default.value, default.given, default.evidence) == (0.8, False, "assumed")
    assert default.source.startswith("workbook assumption")
    assert "utilization" not in read().inputs["cost_per_token"]  # no default: nothing is made up


def test_files_are_named_relative_to_the_folder_and_hashed(read, folder):
    client = read()
    assert client.inputs["cost_per_token"]["tariff_csv"].value == "meter log.csv"
    assert client.files == {"cost_per_token": {"tariff_csv": [folder / "meter log.csv"]}}
    names = ("client.yml", "meter log.csv")
    assert client.sources == {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


@pytest.mark.parametrize("on_disk", ["NFC", "NFD"])
@pytest.mark.parametrize("typed", ["NFC", "NFD"])
def test_an_accented_file_is_found_in_either_form(read, folder, on_disk, typed):
    (folder / "é & o").mkdir()
    (folder / "é & o" / unicodedata.normalize(on_disk, "Tarif (né).csv")).write_text(TARIFF)
    client = read(changed("tariff_csv", f"tariff_csv: {unicodedata.normalize(typed, 'é & o/Tarif (né).csv')}"))
    assert client.files["cost_per_token"]["tariff_csv"][0].read_text() == TARIFF


def test_the_record_is_plain_data(read):
    record = client_record(read())
    assert json.loads(json.dumps(record)) == record
    assert list(record) == ["schema", "client", "prepared", "currency", "valid_months", "use_expired", "labels", "topics"]
    assert record["labels"]["boundary"] == "server"
    assert record["topics"]["cost_per_token"]["pue"] == {
        "value": 1.3, "unit": "1", "low": None, "high": None, "range_is": "limits", "source": "", "evidence": "assumed",
        "as_of": None, "given": True, "title": "PUE", "expires": None, "expired": False, "used_because": ""}


def test_topics_and_their_own_inputs(read):
    client = read(ALL_TOPICS + "topic_inputs:\n  metering:\n    active_power_w: 0.9 kW\n    clock_offset_s: 20 ms\n")
    assert client.topics == ("cost_per_token", "metering")
    assert [client.inputs[topic]["active_power_w"].value for topic in client.topics] == [1000.0, 900.0]
    assert client.inputs["metering"]["clock_offset_s"].value == 0.02
    assert "pue" not in client.inputs["metering"]


def test_topics_of_the_command_line_come_before_those_of_the_file(read):
    assert read(topics=["metering"]).topics == ("metering",)


def test_an_input_of_a_topic_that_is_not_due_is_accepted_and_still_checked(read, refusal):
    assert "clock_offset_s" not in read(changed("year", "clock_offset_s: 1 ms")).inputs["cost_per_token"]
    assert "inputs.clock_offset_s: wrong dimension" in refusal(changed("year", "clock_offset_s: 1 kW"))


def test_labels_that_are_not_stated(read):
    lines = CLIENT.splitlines()
    assert read("\n".join(lines[:4] + lines[11:])).labels == Labels()


def test_no_volume_is_a_fact_that_the_method_answers(read):
    # C11 of the cases: zero volume
    assert read(changed("annual_volume", "annual_volume: 0")).inputs["cost_per_token"]["annual_volume"].value == 0.0


def test_at_the_facility_no_pue_is_due(read, refusal):
    text = changed("boundary", "boundary: facility").replace("  pue: 1.3\n", "")
    assert "pue" not in read(text).inputs["cost_per_token"]
    message = refusal(changed("boundary", "boundary: facility"))
    assert f"client.yml:{line_of('pue')}: inputs.pue: a PUE on a figure that is already at the facility" in message
    assert "inputs.peak_pue: a PUE on a figure" in refusal(text.replace("  servers: 1\n", "  peak_pue: 1.4\n"))


def test_tariff_stamps_with_offset_need_no_clock(read, folder, refusal):
    text = CLIENT.replace("  tariff_timezone: Europe/Berlin\n", "").replace("  tariff_clock: local\n", "")
    message = refusal(text)
    assert "tariff_timezone: missing" in message
    assert "tariff_clock: missing" in message
    (folder / "meter log.csv").write_text("timestamp,price_per_kwh\n2026-01-01T00:00Z,0.1\n2026-01-01T01:00Z,0.2\n")
    assert "tariff_clock" not in read(text).inputs["cost_per_token"]


# ---- --set


def test_settings_come_before_the_file(read):
    client = read(settings=["pue=1.5", "active_power_w = 1.2 kW", "tariff_csv=meter log.csv"])
    pue = client.inputs["cost_per_token"]["pue"]
    assert (pue.value, pue.evidence, pue.source) == (1.5, "assumed", "--set on the command line")
    assert client.inputs["cost_per_token"]["active_power_w"].value == 1200.0


def test_settings_come_before_the_inputs_of_every_topic(read):
    client = read(ALL_TOPICS + "topic_inputs:\n  metering:\n    active_power_w: 0.9 kW\n", settings=["active_power_w=700"])
    assert [client.inputs[topic]["active_power_w"].value for topic in client.topics] == [700.0, 700.0]


@pytest.mark.parametrize(("setting", "words"), [
    ("peu=1.5", ["peu: no such parameter", "did you mean pue?"]), ("pue", ["no setting", "name=value"]), ("=1", ["no setting"]),
    ("pue=0.5", ["pue: out of limits"]), ("pue=1,5", ["pue: text where a number is due"]), ("pue=", ["pue: empty"]),
    ("pue=22:30", ["pue: a clock time"]), ("pue=.nan", ["pue: not a number (NaN)"]),
    ("pue=NO", ["pue: text where a number is due"]),
    ("currency=USD", ["currency: given once"]), ("clock_offset_s=1", ["clock_offset_s: not taken by this run"]),
    ("tariff_csv=/etc/passwd", ["tariff_csv: an absolute path"]), ("pue = 1; import os=1", ["pue: text where a number is due"]),
    # M20 of the cases: nested values come by YAML files only
    ('pue={"a": {"b": 3}}', ["pue: not one plain value"]), ("tariff_csv={a: 1}", ["tariff_csv: not one plain value"]),
])
def test_a_wrong_setting_is_refused_by_name(refusal, setting, words):
    message = refusal(settings=[setting])
    assert message.startswith("--set: ")
    assert all(word in message for word in words), message


def test_a_setting_given_twice(refusal):
    assert "--set: pue: set twice" in refusal(settings=["pue=1.2", "pue=1.3"])


# ---- single mutations of the correct client: the key that is changed, its new text, what the error must say


@pytest.mark.parametrize(("name", "text", "words"), [
    # misspelt, missing, twice
    ("pue", "peu: 1.3", ["inputs.peu: no such parameter", "did you mean pue?"]),
    ("throughput_per_s", "throughput_per_sec: 5000", ["inputs.throughput_per_sec", "did you mean throughput_per_s?"]),
    ("pue", "PUE: 1.3", ["inputs.PUE: no such parameter", "did you mean pue?"]),
    ("pue", "pue: 1.3\npue = 1; import os: 3", ["inputs.pue = 1; import os: no such parameter"]),
    ("pue", "pue: 1.3\npue: 1.4", ["inputs.pue: given twice, in lines"]),
    # another kind than is due
    ("active_power_w", "active_power_w: 1 kWh", ["inputs.active_power_w: wrong dimension", "'1 kWh'"]),
    ("active_power_w", "active_power_w: 1 kV", ["wrong dimension"]),
    ("active_power_w", "active_power_w: 1 kw", ["unknown unit", "did you mean kW?"]),
    ("pue", "pue: 1 kW", ["inputs.pue: text where a number is due", "no unit"]), ("pue", "pue: '1.3'", ["stands without quotes"]),
    ("year", "capital_cost: 250000 EUR", ["inputs.capital_cost: text where a number is due", "no unit"]),
    ("annual_volume", "annual_volume: 24e9 tokens", ["inputs.annual_volume: text where a number is due"]),
    ("pue", "pue: true", ["inputs.pue: true or false where a number is due"]),
    ("pue", "pue: [1.3]", ["inputs.pue: several values"]),
    ("pue", "pue: {value: {a: 1}}", ["inputs.pue: several values"]), ("pue", "pue:", ["inputs.pue: empty"]),
    ("pue", "pue: ~", ["inputs.pue: empty"]), ("pue", "pue: NO", ["inputs.pue: text where a number is due"]),
    ("pue", "pue: 22:30", ["inputs.pue: a clock time", "quotes"]),
    ("pue", "pue: 0012", ["inputs.pue: a number with leading zeros"]),
    ("pue", "pue: 2024-03-31", ["inputs.pue: text where a number is due"]), ("pue", "pue: 1_3", ["inputs.pue: text"]),
    ("pue", "pue: 0x2", ["inputs.pue: text"]),
    # M12 of the cases: comma and percent sign
    ("pue", "pue: 1,3", ["inputs.pue: text where a number is due", "no commas"]),
    ("active_power_w", "active_power_w: 1,2 kW", ["inputs.active_power_w", "no commas"]),
    ("active_power_w", "active_power_w: 1,000", ["inputs.active_power_w", "no commas"]),
    ("pue", "pue: 50%", ["inputs.pue: text where a number is due", "no percent sign"]),
    ("active_power_w", "active_power_w: 9**9**9**9 W", ["inputs.active_power_w", "no operators"]),
    ("active_power_w", "active_power_w: 9**9**9**9", ["inputs.active_power_w", "no operators"]),
    ("active_power_w", "active_power_w: (1) kW", ["inputs.active_power_w", "no operators"]),
    ("active_power_w", "active_power_w: nan W", ["inputs.active_power_w: not a quantity"]),
    # limits
    ("active_power_w", "active_power_w: -1", ["inputs.active_power_w: out of limits", "above 0"]),
    ("active_power_w", "active_power_w: 0 kW", ["inputs.active_power_w: out of limits"]),
    ("pue", "pue: 0.99", ["inputs.pue: out of limits", "at least 1"]), ("year", "year: 1999", ["inputs.year: out of limits"]),
    ("servers", "peak_pue: 0.9", ["inputs.peak_pue: out of limits", "at least 1"]),
    ("pue", "pue: 9007199254740993", ["inputs.pue: more digits than a number keeps"]),  # 2**53 + 1
    ("pue", "pue: .nan", ["inputs.pue: not a number (NaN)"]), ("pue", "pue: .inf", ["inputs.pue: infinite"]),
    ("pue", "pue: -.inf", ["inputs.pue: infinite"]), ("pue", "pue: 1e999", ["inputs.pue: a number too large"]),
    ("active_power_w", "active_power_w: 1e308 GW", ["inputs.active_power_w: too large"]),
    # whole numbers
    ("servers", "servers: 1.5", ["inputs.servers: not a whole number"]),
    ("servers", "servers: 1e3", ["inputs.servers", "write 1000"]),
    ("servers", "servers: 4.0", ["inputs.servers", "write 4"]), ("servers", "servers: true", ["inputs.servers: true or false"]),
    ("servers", "servers: four", ["inputs.servers: text where a whole number is due"]),
    ("servers", "servers: {value: 1, low: 1, high: 2}", ["no range"]),
    # ranges
    ("pue", "pue: {value: 1.3, low: 1.4, high: 1.2}", ["inputs.pue: low, value and high are out of order"]),
    ("pue", "pue: {value: 1.3, low: 1.35, high: 1.4}", ["inputs.pue: low, value and high are out of order"]),
    ("pue", "pue: {value: 1.3, low: 1.2}", ["inputs.pue.low: half a range"]),
    ("pue", "pue: {value: 1.3, high: 1.4}", ["inputs.pue.high: half a range"]),
    ("pue", "pue: {value: 1.3, low: 0.9, high: 1.4}", ["inputs.pue.low: out of limits"]),
    ("pue", "pue: {value: 1.3, low: .nan, high: 1.4}", ["inputs.pue.low: not a number (NaN)"]),
    ("pue", "pue: {value: 1.3, low: , high: 1.4}", ["inputs.pue.low: empty"]),
    ("active_power_w", "active_power_w: {value: 1 kW, low: 900 W, high: 1 kWh}", ["active_power_w.high: wrong dimension"]),
    ("pue", "pue: {value: 1.3, low: 1.2, high: 1.5, range_is: u95}", ["inputs.pue.low: a u95 range that is not symmetric"]),
    ("pue", "pue: {value: 1.3, low: 1.2, high: 1.5, evidence: measured, source: x}", ["not symmetric", "range_is: limits"]),
    ("pue", "pue: {value: 1.3, low: 1.2, high: 1.4, range_is: limit}", ["pue.range_is: no such choice", "did you mean limits?"]),
    ("pue", "pue: {value: 1.3, range_is: limits}", ["inputs.pue.range_is"]),
    # provenance
    ("pue", "pue: {value: 1.3, evidence: measurd, source: x}", ["inputs.pue.evidence: no such choice", "did you mean measured?"]),
    ("pue", "pue: {value: 1.3, evidence: measured}", ["inputs.pue.source: measured, but without its source"]),
    ("pue", "pue: {value: 1.3, evidence: published}", ["inputs.pue.source: published, but"]),
    ("pue", "pue: {value: 1.3, evidence: quoted}", ["quoted, but"]),
    ("pue", "pue: {value: 1.3, as_of: 2026-12-01}", ["inputs.pue.as_of: after the day", "at most 2026-11-30"]),
    ("pue", "pue: {value: 1.3, as_of: 2026-02-30}", ["inputs.pue.as_of: no date"]),
    ("pue", "pue: {value: 1.3, source: 5}", ["inputs.pue.source: no text"]),
    ("pue", "pue: {value: 1.3, valeu: 2}", ["inputs.pue.valeu: unknown key", "did you mean value?"]),
    ("pue", "pue: {low: 1, high: 2}", ["inputs.pue.value: missing"]),
    # files
    ("tariff_csv", "tariff_csv: /etc/passwd", ["inputs.tariff_csv: an absolute path"]),
    ("tariff_csv", "tariff_csv: ~/x.csv", ["absolute"]),
    ("tariff_csv", "tariff_csv: C:\\x.csv", ["inputs.tariff_csv: an absolute path"]),
    ("tariff_csv", "tariff_csv: \\\\host\\x.csv", ["absolute"]),
    ("tariff_csv", "tariff_csv: ../other/x.csv", ["inputs.tariff_csv: no such file"]),
    ("tariff_csv", "tariff_csv: ../outside.csv", ["leaves the client folder"]),
    ("tariff_csv", "tariff_csv: link.csv", ["leaves the client folder"]),
    ("tariff_csv", "tariff_csv: meterlog.csv", ["no such file", "did you mean meter log.csv?"]),
    ("tariff_csv", "tariff_csv: client.yml/x", ["no such file"]), ("tariff_csv", "tariff_csv: .", ["no regular file"]),
    ("tariff_csv", "tariff_csv: 3", ["no text"]),
    ("tariff_csv", f"tariff_csv: {'x' * 900}", ["no such file"]), ("tariff_csv", 'tariff_csv: "a\\0b"', ["control character"]),
    # choices
    ("tariff_clock", "tariff_clock: lokal", ["inputs.tariff_clock: no such choice", "did you mean local?"]),
    ("tariff_timezone", "tariff_timezone: Europe/Berln", ["inputs.tariff_timezone: no such name", "did you mean Europe/Berlin?"]),
    ("tariff_timezone", "tariff_timezone: ../../etc/passwd", ["inputs.tariff_timezone: no such name"]),
    ("tariff_timezone", "tariff_timezone: 1", ["no such name"]),
    # cross rules
    ("idle_power_w", "idle_power_w: 1.1 kW", ["inputs.idle_power_w: above active_power_w", "at most 1000.0"]),
    ("year", "residual_value: 200000\ncapital_cost: 100000", ["inputs.residual_value: above capital_cost"]),
    # the head of the file
    ("client", "client: 123", ["client: no text", "quotes"]), ("client", "client: ''", ["client: blank"]),
    ("client", "client:", ["client: empty"]),
    ("client", f"client: {'x' * 201}", ["client: too long", "1 to 200"]), ("client", 'client: "a\\nb"', ["client: a line break"]),
    ("client", 'client: "a\\ud800b"', ["client: a line break or control character"]),
    ("client", "clinet: Acme", ["clinet: unknown key", "did you mean client?"]),
    ("client", "client: A: B", ["no YAML", "quotes"]), ("client", "client: *x", ["an alias"]),
    ("prepared", "prepared: 30.11.2026", ["prepared: no date"]), ("prepared", "prepared: 2026-02-30", ["prepared: no date"]),
    ("prepared", "prepared: 20261130", ["prepared: no date"]),
    ("currency", "currency: EURO", ["currency: no currency", "did you mean EUR?"]),
    ("currency", "currency: 5", ["currency: no currency"]),
    ("currency", "currency: EUR\npue: 1.3", ["pue: unknown key", "did you mean pue under inputs?"]),
    ("topics", "topics: [cost_per_tokn]", ["topics: no such topic", "did you mean cost_per_token?"]),
    ("topics", "topics: cost_per_token", ["topics", "a list is due"]),
    ("topics", "topics: [cost_per_token, cost_per_token]", ["topics: a topic listed twice"]),
    ("topics", "topics: []", ["topics: no topic listed"]),
    ("topics", "topics: [3]", ["topics.0: no text"]),
    ("scenario", "scenario: server", ["labels.scenario: no such choice", "did you mean Server?"]),
    ("unit_of_work", "unit_of_work: token", []),
    ("boundary", "boundary: wall", ["labels.boundary: no such choice", "accelerator"]),
    ("quality", "quality: 99", ["labels.quality: no text"]),
    ("window", "windows: x", ["labels.windows: unknown key", "did you mean window?"]),
    ("workload", 'workload: "a\\tb"', ["labels.workload"]),
    ("notes", "notes: [a]", ["notes: no text"]), ("notes", "note: a", ["note: unknown key", "did you mean notes?"]),
])
def test_a_single_mutation_is_named_with_its_line(read, refusal, folder, name, text, words):
    (folder.parent / "outside.csv").write_text(TARIFF)
    (folder / "link.csv").symlink_to(folder.parent / "outside.csv")
    if not words:  # allowed as well
        read(changed(name, text))
        return
    message = refusal(changed(name, text))
    assert all(word in message for word in words), message
    lines = range(line_of(name), line_of(name) + text.count("\n") + 1)
    assert any(f"client.yml:{line}: " in message for line in lines), message
    assert len(message.splitlines()) == 1, message  # one mistake, one problem


@pytest.mark.parametrize("name", ["throughput_per_s", "active_power_w", "pue"])
def test_a_missing_parameter_is_named(refusal, name):
    message = refusal(changed(name, ""))
    assert f"client.yml:{line_of('inputs')}: inputs.{name}: missing: cost_per_token needs it" in message


@pytest.mark.parametrize("name", ["client", "prepared", "currency"])
def test_a_missing_key_of_the_head_is_named(refusal, name):
    assert f"client.yml:1: {name}: missing" in refusal(changed(name, ""))


def test_all_missing_parameters_are_named(refusal):
    message = refusal(HEAD + "topics: [cost_per_token]\n")
    assert [line.split(": ")[1] for line in message.splitlines()] == [
        "inputs.throughput_per_s", "inputs.active_power_w", "inputs.electricity_price_per_kwh", "inputs.pue"]


@pytest.mark.parametrize(("block", "words"), [
    ("inputs:\n- pue: 1.3\n", ["inputs: a list where a mapping", "client.yml:12:"]), ("inputs: 5\n", ["inputs: a single value"]),
    ("inputs:\n", ["inputs: empty"]), ("input:\n  pue: 1.3\n", ["input: unknown key", "did you mean inputs?"])])
def test_a_block_of_another_shape_is_one_problem(refusal, block, words):
    message = refusal("\n".join(CLIENT.splitlines()[:11]) + "\n" + block)
    assert all(word in message for word in words), message
    assert len(message.splitlines()) == 1, message


def test_a_list_at_the_top(refusal):
    assert "client.yml:1: a list or a single value where a mapping is due" in refusal("- client: Acme\n")


@pytest.mark.parametrize(("block", "words"), [
    ("topic_inputs:\n  meterin:\n    pue: 1.3\n", ["topic_inputs.meterin: no such topic", "did you mean metering?"]),
    ("topic_inputs:\n  metering:\n    pue: 1.3\n", ["topic_inputs.metering.pue: no input of metering"]),
    ("topic_inputs:\n  cost_per_token:\n    peu: 1.3\n", ["topic_inputs.cost_per_token.peu", "did you mean pue?"]),
    ("topic_inputs:\n  cost_per_token:\n    pue: 0.3\n", ["topic_inputs.cost_per_token.pue: out of limits"]),
    ("topic_inputs:\n  cost_per_token: [1]\n", ["topic_inputs.cost_per_token: a list where a mapping"]),
    ("topic_inputs: 3\n", ["topic_inputs: a single value"]),
    ("topic_inputs:\n  cost_per_token:\n    currency: USD\n", ["currency: given once"]),
    ("topic_inputs:\n  cost_per_token:\n    idle_power_w: 2 kW\n", ["cost_per_token.idle_power_w: above active_power_w"]),
])
def test_topic_inputs_that_are_wrong(refusal, block, words):
    message = refusal(CLIENT + block)
    assert all(word in message for word in words), message
    assert len(message.splitlines()) == 1, message


def test_an_unknown_topic_of_the_command_line(refusal):
    assert "--topic: no such topic" in refusal(topics=["cost_per_tok"])


def test_all_problems_are_found_at_once_and_by_line(refusal, folder):
    (folder / "meter log.csv").write_text("days,begin,end,price_per_kwh\nall,00:00,24:00,x\n")
    text = CLIENT
    for right, wrong in (("EUR", "EURO"), ("scenario: Server", "scenario: server"), ("5000", "-5"), ("1 kW", "1 kV"),
                         ("local", "lokal"), ("pue: 1.3", "peu: 22:30"), ("servers: 1", "servers: 1.5\n  servers: 2")):
        text = text.replace(right, wrong)
    message = refusal(text, settings=["max_utilization=2"])
    places = [line.split("/")[-1].split(": ")[:2] for line in message.splitlines()]
    assert places == [
        ["client.yml:3", "currency"], ["client.yml:9", "labels.scenario"], ["client.yml:12", "inputs.pue"],
        ["client.yml:13", "inputs.throughput_per_s"], ["client.yml:14", "inputs.active_power_w"], ["client.yml:22", "inputs.peu"],
        ["client.yml:24", "inputs.servers"], ["client.yml:25", "inputs.servers"], ["client.yml:29", "inputs.tariff_clock"],
        ["--set", "max_utilization"], ["meter log.csv:2", "price_per_kwh"]]


def test_a_wrong_entry_does_not_hide_another_problem_in_it(refusal):
    message = refusal(changed("pue", "pue: {value: 0.5, evidence: measurd, as_of: 2026-13-01, x: 1}"))
    for words in ("inputs.pue: out of limits", "inputs.pue.evidence", "inputs.pue.as_of", "inputs.pue.x: unknown key"):
        assert words in message


@pytest.mark.parametrize("path", ["nowhere", "Acme & Søn (No 1)/client.yml"])
def test_no_client_folder(folder, workbook, path):
    with pytest.raises(InputError):
        read_client(folder.parent / path, workbook=workbook)


# ---- properties


_ONCE = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
_NUMBER_LIKE = st.one_of(st.from_regex(r"[-+]?[0-9.,_]{1,6}(e[0-9]{1,3})?( ?[a-zA-Z%]{1,3})?", fullmatch=True),
                         st.floats().map(repr), st.integers().map(str))
_ONE_LINE = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=30)


@_ONCE
@given(_ONE_LINE | _NUMBER_LIKE)
def test_no_text_as_a_value_ever_changes_silently(read, text):
    try:
        client = read(SMALL.replace("pue: 1.3", f"pue: {text}"))
    except InputError:
        return
    assert client.inputs["cost_per_token"]["pue"].value == float(re.split(r"[ \t]#", text)[0])  # but for a comment behind it


@_ONCE
@given(st.text(max_size=30) | _NUMBER_LIKE)
def test_no_setting_ever_changes_silently(read, text):
    try:
        client = read(SMALL, settings=[f"pue={text}"])
    except InputError:
        return
    assert client.inputs["cost_per_token"]["pue"].value == float(text)


@_ONCE
@given(st.text(max_size=220), st.booleans())
def test_a_client_name_that_is_accepted_comes_back_identical(read, text, escaped):
    try:
        client = read(SMALL.replace("client: A", f"client: {json.dumps(text, ensure_ascii=escaped)}"))
    except InputError:
        return
    assert client.name == text


@_ONCE
@given(st.text(max_size=200))
def test_any_text_as_a_file_is_refused(read, text):
    with pytest.raises(InputError):  # no text of this length holds all that is required
        read(text)


def test_a_topic_that_asks_nothing_of_a_client_is_due_where_it_is_named():
    folder = ROOT / "data" / "clients" / "edge-sensor"
    client = read_client(folder)
    assert "published_results" not in client.topics
    assert client.left_out["published_results"] == []
    assert read_client(folder, topics=["published_results"]).topics == ("published_results",)


def test_a_topic_that_asks_nothing_is_due_where_an_input_of_its_own_is_given(tmp_path):
    folder = tmp_path / "edge-sensor"
    shutil.copytree(ROOT / "data" / "clients" / "edge-sensor", folder)
    shutil.copyfile(ROOT / "data" / "mlperf_power" / "reference_figures.csv", folder / "figures.csv")
    assert "published_results" in read_client(folder, ["reference_figures_csv=figures.csv"]).topics
