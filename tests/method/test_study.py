"""How values, ranges, evidence and labels travel from inputs to results."""

from dataclasses import replace

import numpy as np
import pytest

from joulebook import dictionary
from joulebook.errors import JoulebookError
from joulebook.inputs import Given, Input
from joulebook.method import cost_per_token
from joulebook.method.study import Study, gives
from joulebook.results import Labels

TOPIC = "cost_per_token"
RANGED = {"pue": Input(1.3, low=1.2, high=1.4), "electricity_price_per_kwh": Input(0.12, low=0.1, high=0.2)}
LABELS = Labels("chat", "output_token", "as served", "Server", "work phase", "server")


def study(labels=LABELS, **inputs):
    plain = {
        "currency": Input("EUR"),
        "throughput_per_s": Input(5000.0, evidence="measured"),
        "active_power_w": Input(1000.0, evidence="measured"),
        "electricity_price_per_kwh": Input(0.12, evidence="quoted"),
        "pue": Input(1.3, evidence="published"),
    }
    rows = dictionary.of_topic(TOPIC)
    return Study(Given(TOPIC, {**plain, **inputs}, {}, labels, rows, dictionary.definitions()[TOPIC])).run_all(
        cost_per_token.CALCULATIONS
    )


def test_evidence_is_the_weakest_of_what_a_result_rests_on():
    results = study().results
    assert results["energy_per_unit_j"].evidence == "measured"
    assert results["facility_kwh_per_hour"].evidence == "published"
    assert results["cost_per_million"].evidence == "quoted"


def test_the_method_adds_to_the_evidence_of_the_inputs():
    @gives("energy_per_unit_j")
    def line(throughput_per_s):
        return {"energy_per_unit_j": throughput_per_s, "evidence": {"energy_per_unit_j": "modelled"}}

    @gives("performance_per_watt")
    def later(energy_per_unit_j):
        return {"performance_per_watt": energy_per_unit_j}

    done = study()
    assert done.run(line)["energy_per_unit_j"].evidence == "modelled"
    assert done.run(later)["performance_per_watt"].evidence == "modelled"  # and what rests on it


def test_a_choice_declares_and_is_no_evidence():
    @gives("energy_per_unit_j")
    def declared(throughput_per_s, tariff_clock):
        return {"energy_per_unit_j": throughput_per_s}

    assert study(tariff_clock=Input("local")).run(declared)["energy_per_unit_j"].evidence == "measured"
    assert study(tariff_clock=Input("local", given=False)).run(declared)["energy_per_unit_j"].evidence == "assumed"


def test_labels_say_where_a_result_differs():
    results = study(
        idle_power_w=Input(400.0), servers=Input(1), max_utilization=Input(0.8), redundancy=Input(0), utilization=Input(0.4)
    ).results
    assert results["energy_per_unit_j"].labels == LABELS
    assert results["cost_per_million"].labels.boundary == "facility"
    assert results["cost_per_million_always_on"].labels.window != results["cost_per_million_busy_only"].labels.window


def test_units_name_currency_and_work():
    assert study().results["cost_per_million"].unit == "EUR per million output tokens"
    assert study(labels=Labels()).results["energy_per_unit_j"].unit == "J per unit of work"


def test_ranges_travel():
    # throughput 4000 to 6250 rectangular: the cost lies between 0.2 and 0.3125 times ..., 95 % of it inside
    results = study(throughput_per_s=Input(5000.0, low=4000.0, high=6250.0, evidence="published")).results
    cost = results["cost_per_million"]
    assert 0.0069333 < cost.low < 0.0072 < cost.value < 0.0105 < cost.high < 0.0108333
    assert results["it_kwh_per_hour"].low is None  # the range of the throughput does not touch it


def test_a_range_that_a_calculation_knows_itself_stands():
    @gives("energy_per_unit_j")
    def measured(throughput_per_s, active_power_w):
        return {"energy_per_unit_j": active_power_w / throughput_per_s, "ranges": {"energy_per_unit_j": (0.19, 0.21)}}

    made = study(throughput_per_s=Input(5000.0, low=4000.0, high=6250.0, evidence="published")).run(measured)["energy_per_unit_j"]
    assert (made.value, made.low, made.high) == (0.2, 0.19, 0.21)


def test_a_missing_input_makes_results_not_available_with_the_reason():
    results = study().results
    assert results["cost_per_million_always_on"].value is None
    assert results["cost_per_million_always_on"].evidence is None
    assert results["cost_per_million_always_on"].note == "needs idle_power_w, servers, max_utilization, redundancy"
    assert "needs idle_power_w" in results["ownership_cost_per_million"].note
    assert "tariff_csv" in results["time_of_use_cost"].note


def test_a_reason_is_carried_on():
    full = {"idle_power_w": Input(400.0), "servers": Input(1), "max_utilization": Input(0.8), "redundancy": Input(0)}
    results = study(
        **full,
        capital_cost=Input(1e5),
        residual_value=Input(0.0),
        lifetime_years=Input(4.0),
        maintenance_share_per_year=Input(0.05),
        other_cost_per_year=Input(0.0),
    ).results
    assert results["ownership_cost_per_million"].note == "needs annual_volume or utilization"


def test_part_of_a_range_without_a_value_has_no_range():
    results = study(
        idle_power_w=Input(400.0),
        servers=Input(1),
        max_utilization=Input(0.8),
        redundancy=Input(0),
        annual_volume=Input(1e9, low=0.0, high=2e9),
    ).results
    # the draws come close to 0 but none is 0, so the range is there and wide
    assert results["cost_per_million_always_on"].low is not None

    @gives("cost_per_hour")
    def sometimes(throughput_per_s):
        return {"cost_per_hour": np.where(throughput_per_s < 4500, np.nan, throughput_per_s)[()]}

    @gives("cost_per_million")
    def later(cost_per_hour):
        return {"cost_per_million": 2 * cost_per_hour}

    other = study(throughput_per_s=Input(5000.0, low=4000.0, high=6000.0))
    for calculation, name, value in ((sometimes, "cost_per_hour", 5000.0), (later, "cost_per_million", 10000.0)):
        made = other.run(calculation)[name]
        assert (made.value, made.low, made.high) == (value, None, None)
        assert "range not available" in made.note


def test_a_calculation_gives_what_it_says():
    @gives("cost_per_hour")
    def wrong(throughput_per_s):
        return {"other": 1.0}

    with pytest.raises(JoulebookError, match="gives"):
        study().run(wrong)


def test_same_inputs_same_numbers():
    ranged = {"throughput_per_s": Input(5000.0, low=4000.0, high=6000.0), "pue": Input(1.3, low=1.2, high=1.5)}
    assert study(**ranged).results == study(**ranged).results


def test_a_straight_line_is_exact_for_a_share_of_time_and_assumed_for_a_rate():
    full = {"idle_power_w": Input(400.0, evidence="measured"), "servers": Input(1, evidence="measured")}
    full |= {"max_utilization": Input(0.8, evidence="measured"), "redundancy": Input(0, evidence="measured")}
    full |= {"utilization": Input(0.4, evidence="measured"), "electricity_price_per_kwh": Input(0.12, evidence="quoted")}
    for kind, evidence in (("duty", "quoted"), ("load", "assumed")):
        results = study(**full, utilization_is=Input(kind)).results
        assert results["annual_kwh_always_on"].value == pytest.approx(640 * 1.3 * 8.76)  # 400 + 600 * 0.4
        assert results["annual_kwh_always_on"].evidence == evidence
    assert results["average_power_w"].note.startswith("warning: a straight line")


def resting(calculations, **definitions):
    """A study of another topic that rests on what a million units cost."""
    rows = dictionary.of_topic(TOPIC)
    of = {"cost_per_million": dictionary.definitions()[TOPIC]["cost_per_million"]}
    made = {name: replace(of["cost_per_million"], topic="other", name=name, **row) for name, row in definitions.items()}
    inputs = {**study().given.inputs, **RANGED}
    given = Given("other", inputs, {}, LABELS, rows, made, dictionary.definitions())
    return Study(given).build_on(TOPIC, cost_per_token.CALCULATIONS[:3]).run_all(calculations)


def test_a_result_is_the_same_number_in_every_topic_that_rests_on_it():
    alone = study(**RANGED, idle_power_w=Input(400.0, low=300.0, high=500.0)).results["cost_per_million"]
    other = resting(()).results["cost_per_million"]
    assert (other.value, other.low, other.high) == (alone.value, alone.low, alone.high)


def test_results_of_another_topic_are_told_as_of_that_one():
    @gives("twice")
    def twice(cost_per_million):
        return {"twice": 2 * cost_per_million}

    made = resting((twice,), twice={"title": "Twice"})
    assert made.results["twice"].value == pytest.approx(2 * 0.00866667, rel=1e-6)  # published in the method, section 5
    assert [made.foundation(name) for name in ("cost_per_million", "twice")] == [TOPIC, None]
    with pytest.raises(JoulebookError, match="cost_per_million is a result of other, and of cost_per_token"):
        resting((), cost_per_million={})


def test_a_result_may_be_a_word():
    @gives("class")
    def judged(cost_per_million):
        return {"class": "cheap" if np.all(cost_per_million < 1) else "dear", "notes": {"class": "below one"}}

    @gives("none")
    def unknown():
        return {"none": None, "notes": {"none": "nobody knows"}}

    made = resting((judged, unknown), **{"class": {"kind": "text"}, "none": {"kind": "text"}}).results
    found = made["class"]
    assert (found.value, found.low, found.high, found.note) == ("cheap", None, None, "below one")
    assert (made["none"].value, made["none"].note) == (None, "nobody knows")


def test_a_calculation_is_told_the_notes_before_it():
    @gives("why", once=True)
    def why(cost_per_million, told=None):
        return {"why": None, "notes": {"why": f"because {told['cost_per_million']}"}}

    made = resting((why,), why={"kind": "text"}).results
    assert made["why"].note == "because energy only, at full load"


def test_a_share_of_the_draws_is_not_followed_from_point_to_point():
    @gives("share")
    def share(cost_per_million, sampled=None):
        return {"share": None if sampled is None else 0.5, "notes": {"share": "of the draws"}}

    made = resting((share,), share={"kind": "number"})
    assert made.results["share"].value == 0.5
    assert made.moves("share") == []
    assert "electricity_price_per_kwh" in made.rests_on("share")


def test_a_calculation_that_varies_inputs_itself_runs_once_and_is_given_all_of_them():
    @gives("energy_per_unit_j", "performance_per_watt", "units_per_hour", "it_kwh_per_hour", once=True)
    def once(given, active_power_w):
        assert np.ndim(active_power_w) == 0  # no draws
        made = dict.fromkeys(once.results, 1.0)
        return {**made, "units_per_hour": float(len(given.inputs)), "notes": {}}

    rows = dictionary.of_topic("cost_per_token")
    inputs = {"active_power_w": Input(1000.0, low=900.0, high=1100.0)}
    all_given = Given("cost_per_token", inputs, {}, Labels(), rows, dictionary.definitions()["cost_per_token"])
    made = Study(all_given).run(once)
    assert made["units_per_hour"].value == 1
    assert made["units_per_hour"].low is None


def test_a_result_that_is_an_input_is_no_foundation():
    @gives("utilization")
    def result(active_power_w):
        return {"utilization": 1.0}

    rows = dictionary.of_topic("cost_per_token")
    all_given = Given("cost_per_token", {"active_power_w": Input(1.0)}, {}, Labels(), rows, {}, {"other": {}})
    with pytest.raises(JoulebookError, match="utilization is an input of cost_per_token, and a result of other, too"):
        Study(all_given).build_on("other", [result])


def test_what_decided_nothing_is_neither_evidence_nor_what_a_result_rests_on():
    @gives("class", once=True)
    def judged(active_power_w, cost_per_million=None):
        return {"class": "hot" if active_power_w > 500 else "cold", "unused": {"class": ["cost_per_million"]}}

    made = resting((judged,), **{"class": {"kind": "text"}})
    assert made.results["class"].evidence == "measured"  # of the power, and not assumed, of the price
    assert list(made.rests_on("class")) == ["active_power_w"]
