"""The inputs of a notebook: its literals, with the provenance of a run or without."""

import json
from datetime import date

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from joulebook import intake
from joulebook.dictionary import definitions, of_topic
from joulebook.errors import InputError
from joulebook.inputs import Input
from joulebook.intake import inputs
from joulebook.results import Labels

TOPIC = "cost_per_token"
LABELS = {"workload": "llama2-70b", "unit_of_work": "output_token", "boundary": "server"}
RECORD = Input(1.2, "1", 1.15, 1.25, "u95", "site meter", "measured", "2026-10-06").as_dict()


@pytest.fixture
def cell():
    """What the parameters cell of the bare notebook holds: the examples of the dictionary."""
    return {**{name: row.example for name, row in of_topic(TOPIC).items()}, "labels": dict(LABELS)}


def refusal(namespace, provenance=None, topic=TOPIC):
    with pytest.raises(InputError) as error:
        inputs(topic, namespace, provenance or {})
    return str(error.value)


def test_the_bare_notebook_works_with_the_examples(cell):
    given = inputs(TOPIC, cell, {})
    assert given.topic == TOPIC
    assert given.labels == Labels(**LABELS)
    assert given.parameters == of_topic(TOPIC)
    assert given.definitions == definitions()[TOPIC]
    assert {item.evidence for item in given.inputs.values() if item.given} == {"illustrative"}
    assert given.inputs["pue"] == Input(1.3, "1", source="example of the dictionary", evidence="illustrative")
    assert set(given.tables) == {name for name, row in of_topic(TOPIC).items() if row.kind == "file" and row.example}
    assert given.currency == "USD"


def test_a_value_set_by_hand_says_so(cell):
    given = inputs(TOPIC, {**cell, "pue": 1.5}, {})
    assert given.inputs["pue"] == Input(1.5, "1", source="given by hand", evidence="assumed")
    assert given.inputs["throughput_per_s"].evidence == "illustrative"


def test_a_run_gives_every_value_its_record(cell):
    given = inputs(TOPIC, {**cell, "pue": 1.2}, {"pue": RECORD})
    assert given.inputs["pue"] == Input(**RECORD)
    assert given.inputs["active_power_w"].source == "given by hand"  # beside a run nothing counts as an example


def test_a_value_that_differs_from_its_record_loses_it(cell):
    given = inputs(TOPIC, {**cell, "pue": 1.21}, {"pue": RECORD})
    assert given.inputs["pue"] == Input(1.21, "1", source="given by hand", evidence="assumed")


def test_a_default_of_a_run_stays_one(cell):
    record = Input(1, "1", source="workbook assumption: one system", given=False).as_dict()
    assert inputs(TOPIC, cell, {"servers": record}).inputs["servers"] == Input(**record)


def test_records_survive_json(cell):
    first = inputs(TOPIC, {**cell, "pue": 1.2}, {"pue": RECORD})
    records = json.loads(json.dumps({name: item.as_dict() for name, item in first.inputs.items()}))
    values = {name: records[name]["value"] if name in records else None for name in of_topic(TOPIC)}
    again = inputs(TOPIC, {**values, "labels": LABELS}, records)
    assert again.inputs == first.inputs


def test_what_is_not_given_is_left_out_or_defaulted(cell):
    given = inputs(TOPIC, {**cell, "utilization": None, "servers": None, "tariff_csv": "", "load_profile_csv": None}, {})
    assert "utilization" not in given.inputs
    assert (given.inputs["servers"].value, given.inputs["servers"].given) == (1, False)
    assert set(given.tables) == {"requests_csv", "energy_windows_csv"}


def test_labels_may_be_left_out(cell):
    assert inputs(TOPIC, {**cell, "labels": {"workload": None}}, {}).labels == Labels()


def test_files_are_looked_up_in_the_working_directory_first(cell, tmp_path, monkeypatch):
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs" / "tariff.csv").write_text("days,begin,end,price_per_kwh\nall,00:00,24:00,0.7\n")
    monkeypatch.chdir(tmp_path)
    given = inputs(TOPIC, {**cell, "tariff_csv": "inputs/tariff.csv"}, {})
    assert given.tables["tariff_csv"]["price_per_kwh"].unique().tolist() == [0.7]
    assert given.inputs["tariff_csv"].value == "inputs/tariff.csv"
    assert len(given.tables["load_profile_csv"]) == 24  # found from the root of the workbook


# M03 of the cases: numpy values become plain ones, or are refused by name
@pytest.mark.parametrize(("name", "value", "plain"), [
    ("servers", np.int64(3), 3), ("pue", np.float64(1.4), 1.4), ("pue", np.float32(1.5), 1.5), ("pue", np.int32(2), 2.0),
    ("pue", np.array(1.4), 1.4), ("tariff_clock", np.str_("standard"), "standard")])
def test_numpy_scalars_become_plain_values(cell, name, value, plain):
    item = inputs(TOPIC, {**cell, name: value}, {}).inputs[name]
    assert item.value == plain
    assert type(item.value) is type(plain)


@pytest.mark.parametrize(("name", "value", "words"), [
    ("pue", np.array([1.0, 2.5]), "pue: several values where one is due"), ("pue", [1.0, 2.5], "pue: several values"),
    ("pue", np.bool_(True), "pue: true or false"), ("servers", np.float64(3), "servers: not written as a whole number: write 3"),
    ("pue", "1,2", "pue: text where a number is due: no commas"), ("pue", float("nan"), "pue: not a number (NaN)"),
    ("pue", 10**400, "pue: more digits"), ("pue", 0.5, "pue: out of limits"), ("pue", object, "pue: not a number"),
    ("pue", date(2024, 3, 31), "pue: not a number"),
    ("pue", None, "pue: missing: cost_per_token needs it"), ("idle_power_w", "2 kW", "idle_power_w: above active_power_w"),
    ("active_power_w", "1 kWh", "active_power_w: wrong dimension"), ("currency", "EURO", "currency: no currency"),
    ("currency", None, "currency: missing"),
    ("tariff_csv", "nowhere.csv", "tariff_csv: no such file"), ("tariff_csv", "/etc/passwd", "tariff_csv: an absolute path"),
    ("tariff_csv", "notebooks", "a folder where a file is due"), ("tariff_csv", 5, "tariff_csv: no text"),
    ("tariff_csv", "data/examples/requests.csv", "unknown column"), ("tariff_clock", None, "tariff_clock: missing"),
    ("tariff_timezone", "Berlin", "tariff_timezone: no such name"), ("residual_value", 1e9, "residual_value: above capital_cost"),
    ("labels", {"scenari": "x"}, "labels.scenari: no such label"),
    ("labels", {"boundary": "wall"}, "labels.boundary: no such choice"),
    ("labels", {"workload": 5}, "labels.workload: no text"), ("labels", None, "labels: no dict"),
    ("labels", {5: "x"}, "labels.5: no such label"),
    ("labels", {"boundary": "facility"}, "pue: a PUE on a figure that is already at the facility"),
])
def test_a_wrong_value_is_refused_by_name(cell, name, value, words):
    message = refusal({**cell, name: value})
    assert words in message
    assert len(message.splitlines()) == 1 or name in ("tariff_csv",), message


def test_a_parameter_that_is_not_in_the_cell(cell):
    del cell["pue"]
    assert refusal(cell) == "parameters cell: pue: is not in the parameters cell; allowed: pue = None where nothing is given"


def test_a_wrong_record_is_refused(cell):
    namespace = {**cell, "pue": 1.2}
    assert "peu: no such parameter" in refusal(namespace, {"peu": RECORD})
    assert "pue.low: out of limits" in refusal(namespace, {"pue": {**RECORD, "low": 0.5}})
    assert "pue.evidence: no such choice" in refusal(namespace, {"pue": {**RECORD, "evidence": "sure"}})
    assert "pue.source: no text" in refusal(namespace, {"pue": {**RECORD, "source": 5}})
    assert "pue: no dict" in refusal(namespace, {"pue": 5})
    assert "provenance: no dict" in refusal(namespace, [1])


def test_all_problems_are_found_at_once(cell):
    message = refusal({**cell, "pue": 0.5, "servers": 1.5, "tariff_csv": "nowhere.csv", "labels": {"boundary": "wall"}})
    assert len(message.splitlines()) == 4


def test_an_unknown_topic(cell):
    assert "did you mean cost_per_token?" in refusal(cell, topic="cost_per_tokn")


def test_nothing_else_is_exported():
    with pytest.raises(AttributeError):
        _ = intake.nothing


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=10), st.lists(st.floats())))
def test_no_value_of_a_cell_ever_changes_silently(cell, value):
    namespace = {**cell, "tariff_csv": "", "load_profile_csv": "", "requests_csv": "", "energy_windows_csv": "", "pue": value}
    try:
        item = inputs(TOPIC, namespace, {}).inputs["pue"]
    except InputError:
        return
    assert item.value == value
    assert type(item.value) is float
