"""The class that sliders of the verdict tell. Expected values: those of whole studies with just these inputs."""

import json
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest

from joulebook.dictionary import of_topic
from joulebook.intake import inputs
from joulebook.method import verdict
from joulebook.method.chain import chain
from joulebook.method.explore.verdict import explored
from joulebook.method.study import Study, arguments_of
from joulebook.show.sliders.data import explorer_data
from joulebook.workbook import ROOT

NET = chain((*verdict.RUN_COST, *verdict.CALCULATIONS[: verdict.CALCULATIONS.index(verdict.decide)]), ["net_benefit_over_hurdle"])
DECIDED = ("verdict", "verdict_sub_class")
SAME, TOLD = (of_topic("verdict")[name].example for name in ("deployment", "disclosure"))
FEASIBLE = {name: TOLD[name] for name in SAME if name in TOLD} | {"cooling_included": "no", "precision_allowed": "yes"}
SHOWN = {"lost": 3, "gained": 3, "allowed_loss_share": 0.01}
VARIANTS = {
    "no quality shown": {"deployment": FEASIBLE},
    "no feasibility": SHOWN,
    "feasible": SHOWN | {"deployment": FEASIBLE},
    "many servers": SHOWN | {"deployment": FEASIBLE, "servers": 6, "redundancy": 1, "max_utilization": 0.7},
    "at the facility": SHOWN | {"deployment": FEASIBLE, "pue": None, "boundary": "facility"},
}


def study_of(given, draws=64):
    study = Study(given, draws=draws)
    study.build_on("cost_per_token", verdict.RUN_COST).build_on("accuracy_cost", verdict.QUALITY)
    study.build_on("benchmark_match", verdict.GRADE)
    return study.run_all(verdict.CALCULATIONS[: verdict.CALCULATIONS.index(verdict.decide) + 1])


def moved(given, at):
    """Arguments of calculations with sliders moved, by hand: twice the performance per watt is half the power."""
    values, at = arguments_of(given), dict(at)
    better = at.pop("performance_per_watt_times")
    return values | at | {name: values[name] / better for name in ("active_power_w", "idle_power_w")}


def beside_the_hurdle(given, sliders, count):
    """Positions next to one another between which the hurdle is reached, each slider in turn, all others at seeded positions."""
    rng, found = np.random.default_rng(3), []
    for turn in range(count):
        standing = {item["name"]: float(rng.choice(item["positions"])) for item in sliders}
        item = sliders[turn % len(sliders)]
        along = standing | {item["name"]: np.array(item["positions"])}
        reached = NET(moved(given, along))["net_benefit_over_hurdle"] >= 0
        for place in np.flatnonzero(np.diff(reached)):
            found += [standing | {item["name"]: item["positions"][step]} for step in (place, place + 1)]
    return found


def told_by_script(data, points):
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node on this machine: the script is run by the tests in a browser alone")
    grid = {"parts": data["parts"], "results": [item["terms"] for item in data["results"]]}
    grid |= {"border": data["border"], "judged": True}
    helper, script = ROOT / "tests" / "show" / "sliders" / "explore.cjs", ROOT / "book" / "_static" / "explore.js"
    asked = json.dumps({"grid": grid, "points": [list(at.values()) for at in points]})
    made = subprocess.run([node, helper, script], input=asked, capture_output=True, text=True, check=True, timeout=60)
    return json.loads(made.stdout)["outcomes"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_class_does_not_slip_where_it_changes(variant):
    changed = dict(VARIANTS[variant])
    labels = {"unit_of_work": "output_token", "window": "run", "scenario": "Server"}
    labels["boundary"] = changed.pop("boundary", "server")
    cell = {name: row.example for name, row in of_topic("verdict").items()} | changed
    given = inputs("verdict", {**cell, "labels": labels}, {})
    made = study_of(given)
    data = explorer_data(made, explored(made))
    assert ("pue" in {item["name"] for item in data["sliders"]}) == (labels["boundary"] != "facility")
    points = beside_the_hurdle(given, data["sliders"], 120)
    assert len(points) > 40
    words = told_by_script(data, points)
    reached = [bool(NET(moved(given, at))["net_benefit_over_hurdle"] >= 0) for at in points]
    assert words == ["reached" if item else "missed" for item in reached]
    for at, word in list(zip(points, words, strict=True))[:4]:
        values = moved(given, at)
        sure = {name: replace(item, value=values[name]) if given.parameters[name].kind == "number" else item
                for name, item in given.inputs.items() if name in values or given.parameters[name].kind != "number"}
        results = study_of(replace(given, inputs=sure), draws=2).results
        assert {name: data["outcomes"][word][name] for name in DECIDED} == {name: results[name].value for name in DECIDED}
