"""Sliders: the page's script, run by node, against the method. Expected values: hand arithmetic, shown, and its functions."""

import json
import shutil
import subprocess
from importlib import import_module

import numpy as np
import pytest
from bs4 import BeautifulSoup
from scipy.interpolate import RegularGridInterpolator

from joulebook.dictionary import of_topic
from joulebook.intake import inputs
from joulebook.method import economics
from joulebook.method.chain import chain
from joulebook.method.decision import decide
from joulebook.method.explore import cost_per_token, idle_amortization, verdict
from joulebook.method.explore.grid import MOST, NoGrid, tabulate
from joulebook.method.explore.levers import EFFICIENCY
from joulebook.method.idle_amortization import at_utilization, full_load, without_idle
from joulebook.method.study import Study, arguments_of
from joulebook.method.task_cost import RUN_COST
from joulebook.show.faces import face
from joulebook.show.pieces import known
from joulebook.show.sliders.data import explorer_data
from joulebook.show.sliders.positions import PREFERRED, positions, reach
from joulebook.workbook import ROOT

SCRIPT = ROOT / "book" / "_static" / "explore.js"
CURVE = {"utilization_is": "load", "load_curve_csv": "data/examples/load_curve.csv"}
FEASIBLE = {
    name: said
    for name, said in of_topic("verdict")["disclosure"].example.items()
    if name in of_topic("verdict")["deployment"].example
} | {"cooling_included": "no", "precision_allowed": "yes"}
TOPICS = {module.__name__.rpartition(".")[2]: module for module in (cost_per_token, idle_amortization, verdict)}
CASES = {
    "cost_per_token": {
        "example": {},
        "volume and spares": {"annual_volume": 4e11, "servers": 3, "redundancy": 1},
        "curve": CURVE,
        "full load alone is known": {"idle_power_w": None},
        "energy alone": {"capital_cost": None, "demand_charge_per_kw_month": None},
    },
    "idle_amortization": {"example": {}, "curve": CURVE, "nothing reserved": {"reserved_share": None}},
    "verdict": {
        "example": {},
        "feasible": {"deployment": FEASIBLE},
        "volume": {"annual_volume": 4e11, "servers": 3, "redundancy": 1, "deployment": FEASIBLE},
        "curve, energy alone": {**CURVE, "capital_cost": None, "fixed_cost_per_year": 16000.0},
    },
}
RESULTS = {
    "cost_per_token": chain(RUN_COST),
    "idle_amortization": chain((full_load, without_idle, at_utilization)),
    "verdict": chain((*RUN_COST, *economics.ECONOMICS)),
}
ALL = [(topic, case) for topic, cases in CASES.items() for case in cases]


def study(topic, **changed):
    """A study on the dictionary's examples, some changed."""
    cell = {name: row.example for name, row in of_topic(topic).items()} | changed
    labels = {"workload": "w", "unit_of_work": "output_token", "boundary": "server", "window": "run", "scenario": "Server"}
    numbers = {name: value for name, value in changed.items() if isinstance(value, int | float)}
    confirmed = {name: {"value": value, "plausible": "confirmed"} for name, value in numbers.items()}
    made, method = Study(inputs(topic, {**cell, "labels": labels}, confirmed)), import_module(f"joulebook.method.{topic}")
    if topic == "verdict":
        made.build_on("cost_per_token", method.RUN_COST).build_on("accuracy_cost", method.QUALITY)
        made.build_on("benchmark_match", method.GRADE)
        return made.run_all(method.CALCULATIONS[: method.CALCULATIONS.index(decide) + 1])  # what comes after is not explored
    return made.run_all(method.CALCULATIONS)


def of_method(topic, made, points):
    """Results of the method's functions where inputs are moved to, each input set by hand."""
    values = arguments_of(made.given)
    volume = values.get("annual_volume") is not None
    values |= {name: moved for name, moved in points.items() if name not in (EFFICIENCY, "utilization")}
    times = points.get(EFFICIENCY, 1.0)
    values |= {name: values[name] / times for name in ("active_power_w", "idle_power_w") if values.get(name) is not None}
    if "utilization" in points and volume:  # units of work = utilization x servers x units a second x seconds of 8760 h
        values["annual_volume"] = points["utilization"] * values["servers"] * values["throughput_per_s"] * 8760 * 3600
    elif "utilization" in points:
        values["utilization"] = points["utilization"]
    return RESULTS[topic](values)


def page(made):
    data = explorer_data(made, TOPICS[made.given.topic].explored(made))
    return data, BeautifulSoup(face("explorer", data, known(made)), "html.parser").section


def standing(data, count, seed=1):
    rng = np.random.default_rng(seed)
    return {item["name"]: rng.choice(item["positions"], count) for item in data["sliders"]}


def by_script(box, points):
    """Totals of each result, shape (points, results), and on which side of the hurdle they are, by the page's own script."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node on this machine: the script is run by the tests in a browser alone")
    told = {"grid": json.loads(box["data-grid"]), "points": np.transpose(list(points.values())).tolist()}
    helper = ROOT / "tests" / "show" / "sliders" / "explore.cjs"
    made = subprocess.run([node, helper, SCRIPT], input=json.dumps(told), capture_output=True, text=True, check=True, timeout=60)
    outcome = json.loads(made.stdout)
    return np.array(outcome["totals"]), np.array(outcome["outcomes"])


@pytest.mark.parametrize(("topic", "case"), ALL)
def test_numbers_of_the_script_are_those_of_the_method(topic, case):
    made = study(topic, **CASES[topic][case])
    data, box = page(made)
    if data["note"]:
        assert case == "full load alone is known"
        return
    points = standing(data, 2000)
    totals, _ = by_script(box, points)
    own = of_method(topic, made, points)
    for place, item in enumerate(data["results"]):
        expected = np.broadcast_to(own[item["name"]], len(totals))
        # A difference is judged by what it is taken from, and so is what may be nothing.
        size = own["annual_cost"] + own["annual_benefit"] if "over_hurdle" in item["name"] else np.abs(expected).max() * 1e-3
        # The page may be 0.5 % off; it is less than a thousandth of that.
        assert (np.abs(totals[:, place] - expected) <= 5e-6 * np.maximum(np.abs(expected), size)).all(), item["name"]


@pytest.mark.parametrize("case", CASES["verdict"])
def test_the_class_is_the_methods_wherever_the_sliders_stand(case):
    made = study("verdict", **CASES["verdict"][case])
    data, box = page(made)
    points = standing(data, 2000)
    _, sides = by_script(box, points)
    reached = of_method("verdict", made, points)["net_benefit_over_hurdle"] >= 0
    assert 20 < reached.sum() < 1980
    results = {name: made.results[name].value for name in ("quality_shown", "grade")}
    for word, chance in (("reached", 1.0), ("missed", 0.0)):
        expected = decide(**results, automatable_probability=0.9, uneconomic_probability=0.1, throughput_per_s=1.0,
                          hurdle_probability=chance)
        assert data["outcomes"][word]["verdict"] == expected["verdict"]
        assert data["outcomes"][word]["verdict_sub_class"] == expected["verdict_sub_class"]
    told = sides != "border"
    assert (~told).sum() <= 2  # nobody stands on the hurdle but by chance
    assert (sides[told] == np.where(reached, "reached", "missed")[told]).all()


def test_by_hand():
    # half the year 500 W, half 200 W: 0.35 kW x 1.5 x 0.2 = 0.105 an hour, for 10000 x 0.5 x 3600 = 18 million units
    made = study("cost_per_token", demand_charge_per_kw_month=None)
    data, box = page(made)
    at = {"utilization": 0.5, "electricity_price_per_kwh": 0.2, "pue": 1.5, "throughput_per_s": 10000.0, EFFICIENCY: 2.0}
    assert [item["name"] for item in data["sliders"]] == list(at)
    totals, _ = by_script(box, {name: [value] for name, value in at.items()})
    assert totals[0, 0] == pytest.approx(0.105 / 18, rel=1e-8)


def test_a_step_is_a_step():
    # one server up to 80 %, the highest utilization; above it a second one
    data, box = page(study("cost_per_token"))
    place = [item["name"] for item in data["results"]].index("servers_powered")
    start = {item["name"]: item["positions"][item["start"]] for item in data["sliders"]}
    at = {name: np.full(4, value) for name, value in start.items()} | {"utilization": np.array([0.75, 0.8, 0.85, 1.0])}
    totals, _ = by_script(box, at)
    assert totals[:, place].round(9).tolist() == [1, 1, 2, 2]


@pytest.mark.parametrize(("topic", "case"), ALL)
def test_grids_say_what_scipy_makes_of_them(topic, case):
    exploration = TOPICS[topic].explored(study(topic, **CASES[topic][case]))
    places = {name: np.geomspace(value / 3, min(1.0, value * 3) if name == "utilization" else value * 3, 40)
              for name, value in exploration.levers.start.items()}
    rng = np.random.default_rng(2)
    points = {name: np.exp(rng.uniform(*np.log(values[[0, -1]]), 500)) for name, values in places.items()}
    parts = tabulate(exploration, places)
    assert sum(part.values.size for part in parts.values()) < MOST
    for part in parts.values():
        if part.axes and (part.values > 0).all():
            nodes = [np.log(nodes) for _, nodes in part.axes]
            found = RegularGridInterpolator(nodes, np.log(part.values), bounds_error=False, fill_value=None)
            expected = np.exp(found(np.log(np.transpose([points[name] for name, _ in part.axes]))))
            assert np.allclose(part.at(points), expected, rtol=1e-6), part.name


@pytest.mark.parametrize("topic", TOPICS)
def test_the_page_says_at_the_start_what_it_says_elsewhere(topic):
    made = study(topic)
    data, box = page(made)
    facts = known(made)
    shown = {item["data-result"]: item.get_text() for item in box.select("[data-result]") if item["data-result"] in facts.results}
    for item in data["results"]:
        assert shown[item["name"]] == facts.numbers.rounded(item["value"], item["low"], item["high"], item["unit"])
    for item in data["sliders"]:
        assert item["positions"] == sorted(item["positions"])
        if item["name"] != EFFICIENCY:
            assert item["positions"][item["start"]] == made.given.inputs[item["name"]].value


def test_without_its_script_the_box_is_hidden_and_with_it_every_slider_has_a_name():
    for topic in TOPICS:
        _, box = page(study(topic))
        assert box.has_attr("hidden")
        names = [item["for"] for item in box.select("label")]
        assert [item["id"] for item in box.select("input[type=range]")] == names
        assert all(item["aria-valuetext"] for item in box.select("input"))
        assert len(box.encode()) < 30_000


@pytest.mark.parametrize(
    ("topic", "changed", "why"),
    [
        ("cost_per_token", {"utilization": None}, "annual_volume or utilization"),
        ("cost_per_token", {"idle_power_w": None}, "idle_power_w"),
        ("cost_per_token", {"utilization": 0.0}, "no work is done"),
        ("verdict", {"throughput_per_s": None}, "throughput_per_s"),
    ],
)
def test_where_there_is_no_number_the_box_says_why(topic, changed, why):
    _, box = page(study(topic, **changed))
    assert why in box.get_text()
    assert not box.select("input")


def test_what_cannot_be_moved_has_no_slider():
    data, _ = page(study("cost_per_token", electricity_price_per_kwh=0.0))
    names = [item["name"] for item in data["sliders"]]
    assert "electricity_price_per_kwh" not in names  # a tenth and ten times of nothing are nothing


def test_sliders_end_where_inputs_do():
    given = study("cost_per_token").given
    assert reach("utilization", 0.4, given) == (0.01, 1.0)
    assert reach("pue", 1.3, given) == (1.0, 3.0)  # at least 1 by the dictionary, 3 at most plausible
    assert reach("electricity_price_per_kwh", 0.12, given) == pytest.approx((0.012, 1.2))
    assert reach("electricity_price_per_kwh", 0.5, given) == pytest.approx((0.05, 2.0))  # at most plausible: 2 USD/kWh
    assert reach("idle_power_w", 400.0, given) == (40.0, 1000.0)  # full load takes 1000 W


def test_positions_are_round_and_hold_the_value():
    found = positions(0.1234, 0.01, 1.0)
    assert 0.1234 in found
    assert len(found) == 2 * len(PREFERRED) + 2
    assert found[0] == 0.01
    assert found[-1] == 1.0


def test_a_part_without_a_value_is_refused():
    exploration = cost_per_token.explored(study("cost_per_token"))
    with pytest.raises(NoGrid):
        tabulate(exploration, {"throughput_per_s": np.array([1.0, np.inf])})
