"""The figures of the verdict: lines and marks where the numbers say, and words inside."""

import numpy as np
import pytest

from joulebook.dictionary import of_topic
from joulebook.intake import inputs
from joulebook.method import verdict as method
from joulebook.method.study import Study
from joulebook.show import figures, style
from joulebook.show.faces import face
from joulebook.show.known import columns
from joulebook.show.pieces import known

CASES = {
    "example": {},
    "missed": {"value_per_task": 0.003},
    "far": {"value_per_task": 0.04},
    "never": {"value_per_task": 0.0001},
    "electricity": {"capital_cost": None, "fixed_cost_per_year": 16000.0, "units_per_task": 20000.0},
    "small": {"annual_tasks": 3.0, "fixed_cost_per_year": 0.0},
}


def facts(provenance=(), **changed):
    cell = {name: row.example for name, row in of_topic("verdict").items()} | changed
    # Pictures of cases that nobody would believe are drawn, too.
    confirmed = {name: {"value": value, "plausible": "confirmed"} for name, value in changed.items() if value is not None}
    labels = {"unit_of_work": "output_token", "boundary": "server"}
    study = Study(inputs("verdict", {**cell, "labels": labels}, confirmed | dict(provenance)))
    study.build_on("cost_per_token", method.RUN_COST).build_on("accuracy_cost", method.QUALITY)
    return known(study.run_all(method.CALCULATIONS))


def drawn(name, made):
    with style.settings():
        height, function = figures.FIGURES[name]
        picture, ax = style.figure(height)
        function(ax, made)
        picture.draw_without_rendering()
        outside = [text.get_text() for text in ax.texts if not picture.bbox.contains(*text.get_window_extent().min)
                   or not picture.bbox.contains(*text.get_window_extent().max)]
    return ax, outside


def words(ax):
    return " | ".join(text.get_text() for text in ax.texts)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", ["worse_efficiency_returns", "volume_and_price"])
def test_words_stay_inside(name, case):
    _, outside = drawn(name, facts(**CASES[case]))
    assert not outside


def test_the_flip_lies_on_the_throughput_line():
    made = facts()
    ax, _ = drawn("worse_efficiency_returns", made)
    (mark,) = (line for line in ax.lines if line.get_marker() == "D")
    flip = made.results["throughput_case_flip"]["value"]
    assert mark.get_xdata()[0] == pytest.approx(flip)
    table = columns(made.results["worse_efficiency_returns"])
    at = np.interp(flip, table["times_worse"], table["throughput_case"])
    assert mark.get_ydata()[0] == pytest.approx(0.25) == pytest.approx(at, abs=1e-3)
    assert "Energy case" in words(ax)
    assert "Throughput case" in words(ax)


def test_a_cost_that_is_all_electricity_has_one_line():
    ax, _ = drawn("worse_efficiency_returns", facts(**CASES["electricity"]))
    assert "Both cases" in words(ax)
    assert "Energy case" not in words(ax)


def test_no_flip_is_marked_where_there_is_none():
    for case in ("missed", "far", "never"):
        ax, _ = drawn("worse_efficiency_returns", facts(**CASES[case]))
        assert not [line for line in ax.lines if line.get_marker() == "D"]


def test_ranges_are_drawn_where_there_are_any():
    plain, _ = drawn("worse_efficiency_returns", facts())
    value = {"value": 0.004, "low": 0.003, "high": 0.005, "evidence": "assumed"}
    ranged, _ = drawn("worse_efficiency_returns", facts({"value_per_task": value}))
    assert len(ranged.lines) == len(plain.lines) + 4


def test_the_map_has_the_own_point_and_both_sides():
    ax, _ = drawn("volume_and_price", facts())
    (mark,) = (line for line in ax.lines if line.get_marker() == "o")
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (1e7, 0.12)
    assert "REACHES THE HURDLE" in words(ax)
    assert "BELOW THE HURDLE" in words(ax)
    assert "hurdle 25\u00a0%" in words(ax)


def test_a_map_all_on_one_side_says_which():
    ax, _ = drawn("volume_and_price", facts(**CASES["never"]))
    assert "BELOW THE HURDLE" in words(ax)
    assert "REACHES THE HURDLE" not in words(ax)


def test_equal_data_make_equal_bytes():
    made = facts()
    for name in ("worse_efficiency_returns", "volume_and_price"):
        assert figures.draw(name, made) == figures.draw(name, made)


@pytest.mark.parametrize(
    ("kind", "sub_class", "tone"),
    [("automatable", None, "good"), ("research", None, "caution"), ("speculative", "uneconomic", "stop"), (None, None, "")],
)
def test_only_a_verdict_has_a_tone(kind, sub_class, tone):
    made = facts()
    made.results["verdict"] |= {"value": kind, "note": "why"}
    made.results["verdict_sub_class"] |= {"value": sub_class}
    html = face("answer", {"headline": "verdict", "says": "Because {verdict:because}.", "beside": ""}, made)
    assert f'class="answer{" " * bool(tone)}{tone}"' in html
    assert 'class="answer"' in face("answer", {"headline": "roi", "says": "", "beside": ""}, made)
