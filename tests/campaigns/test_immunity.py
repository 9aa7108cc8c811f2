"""A sample of the table of mutations, and the table itself: `make campaigns` tries every row."""

import random
from collections import Counter

import pytest

from joulebook.dictionary import parameters
from tests.campaigns import immunity

FEW = {"edge-sensor": 8, "document-batch": 2}  # a few seconds


def sample():
    """Rows of each client, the same in every run; of what is taken one at least."""
    chosen, drawn = [], random.Random(3)
    for client, few in FEW.items():
        rows = [row for row in immunity.mutations() if row["client"] == client]
        refused = [row for row in rows if row["expected"] == immunity.REFUSED]
        chosen += [*drawn.sample(refused, few), drawn.choice([row for row in rows if row not in refused])]
    return chosen


def test_the_sample_comes_out_as_the_table_says():
    counted, wrong = immunity.try_all(sample())
    assert not wrong
    assert counted.total() == sum(FEW.values()) + len(FEW)


def test_the_table_says_what_must_come_of_each_change():
    rows = immunity.mutations()
    assert len(rows) >= 200
    assert len({(row["client"], row["where"], row["change"]) for row in rows}) == len(rows)
    for row in rows:
        assert row["expected"] in immunity.EXPECTED, row
        assert row["why"], row
        assert not row["factor"] or row["expected"] != immunity.REFUSED, row
    taken = Counter(row["expected"] for row in rows)
    assert min(taken.values()) >= 20


def test_every_number_of_every_example_client_is_tried():
    tried = {(row["client"], row["where"].split(".")[-1]) for row in immunity.mutations() if row["change"].startswith("times ")}
    for client in ("chat-assistant", "document-batch", "edge-sensor"):
        data = immunity.load(immunity.ROOT / "data" / "clients" / client / immunity.FILE, immunity.FILE).data
        for block in (data["inputs"], *data.get("topic_inputs", {}).values()):
            for name, entry in block.items():
                zero = (entry["value"] if isinstance(entry, dict) else entry) == 0
                assert parameters()[name].kind != "number" or zero or (client, name) in tried, (client, name)


@pytest.mark.parametrize(("expected", "what"), [("same", "refused"), ("as declared", "refused"), ("refused", "passed")])
def test_what_comes_out_otherwise_is_told(expected, what):
    change = {"refused": "times 1000", "passed": "1000.0 in mW"}[what]
    row = {"client": "edge-sensor", "where": "inputs.idle_power_w", "change": change, "expected": expected, "factor": "",
           "result": "", "effect": ""}
    _, wrong = immunity.try_all([row])
    assert len(wrong) == 1
    assert what in wrong[0]
