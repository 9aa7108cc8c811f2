"""Values that nobody would believe: refused with the limits and their source, or confirmed and said."""

import json

import pandas as pd
import pytest

from joulebook.dictionary import of_topic
from joulebook.errors import InputError, Problems
from joulebook.inputs import Input
from joulebook.intake.client import client_record
from joulebook.intake.notebook import inputs
from joulebook.intake.plausible import check_plausible
from joulebook.results import Labels

from .conftest import CLIENT

TOPIC = "cost_per_token"
PRICE = "  electricity_price_per_kwh:\n    value: 0.12\n    low: 0.10\n    high: 0.15\n"
CONFIRMED = CLIENT.replace(PRICE, PRICE.replace("0.1", "1.1").replace("1.15", "3.5") + "    plausible: confirmed\n")


def priced(value, low, high, more=""):
    return CLIENT.replace(PRICE, f"  electricity_price_per_kwh:\n    value: {value}\n    low: {low}\n    high: {high}\n{more}")


@pytest.mark.parametrize(("text", "words"), [
    # hand: 120 EUR are 140 USD at 0.86 EUR
    (priced(120, 100, 150), ["client.yml:16: inputs.electricity_price_per_kwh: not plausible: price of electricity: 139.5 USD",
                             "at most 2 USD/kWh (workbook assumption", "plausible: confirmed"]),
    (priced(0.12, 0.1, 150), ["price of electricity: 174.4 USD/kWh"]),  # an end of the range
    (priced(0.00012, 0.0001, 0.00015), ["price of electricity: 0.0001395 USD/kWh"]),
    (CLIENT.replace("active_power_w: 1 kW", "active_power_w: 1 MW"), ["inputs.active_power_w", "inputs.idle_power_w",
                                                                      "idle power over power at full load: 0.0004"]),
    (CLIENT.replace("pue: 1.3", "pue: 130"), ["inputs.pue: not plausible: PUE: 130", "Uptime Institute"]),
    # hand: 1000 W / 5000 per s is 0.2 J; a query of this model took 111 J and more
    (CLIENT.replace("unit_of_work: output_token", "unit_of_work: query"),
     ["energy of a unit of work of llama2-70b at full load: 0.2 J per sample", "unit_of_work is 'query'", "published runs"]),
    (CLIENT.replace("unit_of_work: output_token", "unit_of_work: training_sample"), ["scenario is 'Server'", "allowed: none"]),
])
def test_what_is_not_plausible_is_refused_with_the_limits_and_their_source(refusal, text, words):
    said = refusal(text)
    for word in words:
        assert word in said


def test_a_price_is_judged_in_its_currency(read, refusal):
    yen = priced(20, 18, 25).replace("currency: EUR", "currency: JPY")
    # the tariff of the folder, 0.12 a kWh, is no price in yen: hand, 0.12 / 150 is 0.0008 USD
    assert "mean price of the tariff: 0.0008 USD/kWh" in refusal(yen)
    without = "\n".join(line for line in yen.splitlines() if "tariff" not in line)
    assert read(without).inputs[TOPIC]["electricity_price_per_kwh"].value == 20.0
    # a currency without a rate is not judged
    assert read(without.replace("JPY", "BHD")).inputs[TOPIC]["electricity_price_per_kwh"].value == 20.0


def test_zero_carries_no_unit(read):
    assert read(priced(0, 0, 0.1)).inputs[TOPIC]["electricity_price_per_kwh"].value == 0.0


def test_what_is_confirmed_passes_and_is_said(read):
    client = read(CONFIRMED)
    price = client.inputs[TOPIC]["electricity_price_per_kwh"]
    assert price.plausible.startswith("not plausible, and confirmed: price of electricity: ")
    assert "at most 2 USD/kWh" in price.plausible
    record = json.loads(json.dumps(client_record(client)))["topics"][TOPIC]
    assert record["electricity_price_per_kwh"]["plausible"] == price.plausible
    assert "plausible" not in record["pue"]


def test_one_of_the_inputs_of_a_quantity_may_be_the_confirmed_one(read):
    text = CLIENT.replace("pue: 1.3", "pue: 1.3\n  capital_cost: {value: 1, plausible: confirmed}")  # a thousandth a watt
    inputs = read(text).inputs[TOPIC]
    assert inputs["capital_cost"].plausible.startswith("not plausible, and confirmed: capital over power of all servers")
    assert inputs["active_power_w"].plausible == ""


def test_a_confirmation_of_what_is_plausible_says_nothing(read):
    client = read(CLIENT.replace("pue: 1.3", "pue: {value: 1.3, plausible: confirmed}"))
    assert client.inputs[TOPIC]["pue"].plausible == ""


def test_confirmed_is_the_one_word_for_it(refusal):
    assert "inputs.pue.plausible: no such choice" in refusal(CLIENT.replace("pue: 1.3", "pue: {value: 1.3, plausible: yes}"))


def test_what_is_refused_already_is_not_judged_as_well(refusal):
    assert len(refusal(CLIENT.replace("pue: 1.3", "pue: 0.5")).splitlines()) == 1


def test_a_notebook_judges_too_and_keeps_what_was_said(monkeypatch):
    cell = {name: row.example for name, row in of_topic(TOPIC).items()} | {"labels": {}}
    with pytest.raises(InputError, match="parameters cell: pue: not plausible: PUE: 130"):
        inputs(TOPIC, {**cell, "pue": 130.0}, {})
    record = {"value": 130.0, "unit": "1", "source": "x", "evidence": "assumed", "plausible": "not plausible, and confirmed: x"}
    given = inputs(TOPIC, {**cell, "pue": 130.0}, {"pue": record})
    assert given.inputs["pue"].plausible == record["plausible"]


def judged(inputs, tables=None, labels=None):
    found = Problems()
    said = check_plausible(inputs, tables or {}, labels or Labels(), lambda *keys: {"field": ".".join(keys)}, found)
    return [str(problem) for problem in found], said


def test_a_field_of_a_record_is_judged_like_an_input():
    told, _ = judged({"deployment": Input({"quality_target_pct": 0.99, "output_tokens": 300})})
    assert len(told) == 1
    assert told[0].startswith("deployment.quality_target_pct: not plausible: quality target of the deployment: 0.99 %, of "
                              "deployment.quality_target_pct; found 0.99; allowed: at least 1.5")
    told, said = judged({"deployment": Input({"quality_target_pct": 0.99}, plausible="confirmed")})
    assert not told
    assert list(said) == ["deployment"]


def test_a_column_of_names_stands_for_the_inputs_of_these_names():
    # hand: 30 W on 20 W is more than the value itself; 0.3 W is fifteen thousandths; of what is not given nothing is known
    table = pd.DataFrame({"input": ["sleep_power_w", "pue"], "standard_uncertainty": [30.0, 0.1], "cost": [1.0, 1.0]})
    inputs = {"sleep_power_w": Input(20.0), "measurements_csv": Input("measurements.csv")}
    told, _ = judged(inputs, {"measurements_csv": table})
    assert len(told) == 1
    assert "standard uncertainty that a measurement leaves over the value: 1.5, of " in told[0]
    assert not judged(inputs, {"measurements_csv": table.assign(standard_uncertainty=0.3)})[0]


def test_what_a_quantity_lacks_is_not_made_up():
    assert judged({"idle_power_w": Input(0.001)}) == ([], {})
