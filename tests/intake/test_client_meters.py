"""Meters of a client: declared at the top of client.yml, their files found, checked and read."""

import hashlib

import pytest

from joulebook.errors import InputError
from joulebook.intake.client import client_record, read_client

HEAD = "client: Acme\nprepared: 2026-11-30\ncurrency: EUR\ntopics: [metering]\n"
WALL = """\
meters:
  - name: wall
    file: wall.csv
    quantity: power
    unit: kW
    kind: instantaneous
    boundary: server
"""
LOG = "timestamp,power\n" + "".join(f"2026-03-31T10:00:{second:02d}Z,0.2\n" for second in range(11))


@pytest.fixture
def acme(tmp_path):
    def write(text=WALL, log=LOG, head=HEAD):
        folder = tmp_path / "acme"
        folder.mkdir(exist_ok=True)
        (folder / "client.yml").write_text(head + text, encoding="utf-8")
        (folder / "wall.csv").write_text(log, encoding="utf-8")
        return folder

    return write


def refusal(folder, **how):
    with pytest.raises(InputError) as caught:
        read_client(folder, **how)
    return str(caught.value)


def test_meters_are_an_input_with_files_and_digests(acme):
    folder = acme()
    client = read_client(folder)
    item = client.inputs["metering"]["meters"]
    assert item.value == [{"name": "wall", "file": "wall.csv", "quantity": "power", "unit": "kW", "kind": "instantaneous",
                           "boundary": "server"}]  # fmt: skip
    assert (item.evidence, item.source) == ("measured", "meters of the client")
    assert client.files["metering"]["meters"] == [folder / "wall.csv"]
    assert client.sources["wall.csv"] == hashlib.sha256(LOG.encode()).hexdigest()
    assert client_record(client)["topics"]["metering"]["meters"]["value"][0]["name"] == "wall"


def test_a_client_with_meters_and_no_list_of_topics_means_metering(acme):
    assert "metering" in read_client(acme(head=HEAD.replace("topics: [metering]\n", ""))).topics


def test_source_and_evidence_are_those_of_the_meters_and_the_weakest(acme):
    text = WALL + "    source: logger of the rack\n    evidence: assumed\n"
    item = read_client(acme(text)).inputs["metering"]["meters"]
    assert (item.evidence, item.source) == ("assumed", "logger of the rack")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("kind: instantaneous", "knd: instantaneous", ["client.yml:10: meters.0.knd: unknown key", "did you mean kind?"]),
        ("wall.csv", "wal.csv", ["client.yml:7: meters.0.file: no such file", "did you mean wall.csv?"]),
        ("wall.csv", "/etc/passwd", ["meters.0.file: an absolute path"]),
        ("wall.csv", "../other/wall.csv", ["meters.0.file"]),
        ("    unit: kW\n", "", ["unit", "is stated nowhere"]),
        ("unit: kW", "unit: kg", ["client.yml:9: meters.0.unit"]),
        ("boundary: server", "boundary: sever", ["client.yml:11: meters.0.boundary", "did you mean server?"]),
        ("  - name: wall\n", "  - nam: wall\n", ["meters.0.nam: unknown key", "did you mean name?"]),
        ("meters:\n", "meter:\n", ["meter: unknown key", "did you mean meters?"]),
    ],
)  # fmt: skip
def test_each_fault_is_named(acme, before, after, words):
    message = refusal(acme(WALL.replace(before, after)))
    assert all(word in message for word in words), message


def test_faults_of_several_meters_are_told_together(acme):
    other = WALL.removeprefix("meters:\n").replace("name: wall", "name: b").replace("wall.csv", "b.csv")
    text = WALL.replace("kind:", "knd:") + other
    message = refusal(acme(text))
    assert "meters.0.knd" in message
    assert "meters.1.file: no such file" in message


def test_what_is_wrong_in_a_log_is_named_by_its_line(acme):
    message = refusal(acme(log=LOG.replace("10:00:04Z,0.2", "10:00:04Z,n.a. today")))
    assert "wall.csv:6" in message


def test_meters_are_no_input_among_others_and_no_setting(acme):
    assert "given once" in refusal(acme(WALL + "inputs:\n  meters: 1\n"))
    assert "given once" in refusal(acme(), settings=["meters=1"])


@pytest.mark.parametrize("text", ["meters: 3\n", "meters: wall.csv\n", "meters: []\n", "meters:\n"])
def test_what_is_no_list_of_meters_is_refused(acme, text):
    assert "client.yml:5" in refusal(acme(text))


def test_a_topic_that_needs_meters_says_so(acme):
    assert "meters: missing: metering needs it" in refusal(acme(""))
