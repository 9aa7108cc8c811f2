"""Figures of quality and latency: labels cover neither each other nor a mark, and equal data make equal pictures."""

from itertools import combinations

import pandas as pd
import pytest

from joulebook.dictionary import of_topic
from joulebook.intake import inputs
from joulebook.method import accuracy_cost as method
from joulebook.method.study import Study
from joulebook.show import figures, style
from joulebook.show.pieces import known
from joulebook.workbook import ROOT

POINTS = ROOT / "data" / "examples" / "operating_points.csv"


def facts(**changed):
    cell = {name: row.example for name, row in of_topic("accuracy_cost").items()}
    given = inputs("accuracy_cost", {**cell, **changed, "labels": {"unit_of_work": "inference"}}, {})
    return known(Study(given).run_all(method.CALCULATIONS))


def drawn(name, facts):
    with style.settings():
        height, function = figures.FIGURES[name]
        picture, ax = style.figure(height)
        function(ax, facts)
        picture.draw_without_rendering()
        return ax, [text for text in ax.texts if text.get_text()]


@pytest.mark.parametrize("changed", [{}, {"slo_latency_s": None}, {"slo_latency_s": 0.01}, {"quality_target_pct": 99.0}])
def test_labels_of_points_do_not_overlap(changed):
    ax, texts = drawn("point_energies", facts(**changed))
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    assert not [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.overlaps(other)]
    marks = [line for line in ax.lines if line.get_marker() in ("o", "x") and line.get_markersize() < 10]
    for line in marks:
        spot = ax.transData.transform((line.get_xdata()[0], line.get_ydata()[0]))
        assert not [words for words, box in boxes if box.contains(*spot)]


def test_labels_of_published_pairs_do_not_overlap():
    _, texts = drawn("published_pairs", facts())
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    assert not [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.overlaps(other)]
    assert {"Ampere", "AIC100", "Hopper"} <= {words for words, _ in boxes}


def test_the_chosen_point_is_ringed_and_named_only_where_there_is_one():
    for limit, there in ((0.1, True), (0.01, False)):
        ax, texts = drawn("point_energies", facts(slo_latency_s=limit))
        assert any(text.get_text().startswith("Chosen: fp8-8, 0.82") for text in texts) is there
        assert any(line.get_markersize() == 15 for line in ax.lines) is there


def test_ranges_of_points_are_drawn(tmp_path, monkeypatch):
    table = pd.read_csv(POINTS)
    table["average_power_low_w"], table["average_power_high_w"] = table["average_power_w"] * 0.9, table["average_power_w"] * 1.1
    table.to_csv(tmp_path / "points.csv", index=False)
    monkeypatch.chdir(tmp_path)
    ax, _ = drawn("point_energies", facts(operating_points_csv="points.csv"))
    assert sum(len(lines.get_segments()) for lines in ax.collections if hasattr(lines, "get_segments")) == len(table)


def test_equal_data_make_equal_bytes():
    for name in ("point_energies", "published_pairs"):
        assert figures.draw(name, facts()) == figures.draw(name, facts())
