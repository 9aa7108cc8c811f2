"""Figures of published results: every run is drawn once, its count beside it, and equal data make equal pictures."""

from itertools import combinations

import pytest

from joulebook.dictionary import of_topic
from joulebook.intake import inputs
from joulebook.method import published_results as method
from joulebook.method.study import Study
from joulebook.show import figures, style
from joulebook.show.known import columns
from joulebook.show.pieces import known

NAMES = ("energy_at_throughput", "energy_of_streams", "rankings", "changes_by_workload")


@pytest.fixture(scope="module")
def facts():
    cell = {name: row.example for name, row in of_topic("published_results").items()}
    return known(Study(inputs("published_results", {**cell, "labels": {}}, {})).run_all(method.CALCULATIONS))


def drawn(name, facts):
    with style.settings():
        height, function = figures.FIGURES[name]
        picture, ax = style.figure(height)
        function(ax, facts)
        picture.draw_without_rendering()
        return ax


def marks(ax):
    return sum(len(line.get_xdata()) for line in ax.lines if line.get_marker() not in ("None", None, ""))


@pytest.mark.parametrize("name", NAMES)
def test_every_result_is_a_mark(name, facts):
    # published: 756 runs count; of the tables: results of each group, pairs of each change
    table = {"rankings": "groups_ranked", "changes_by_workload": "pairs"}.get(name, "results")
    record = facts.results[name]
    expected = facts.results[table]["value"] if table in facts.results else sum(columns(record)[table])
    assert marks(drawn(name, facts)) == expected


def test_all_runs_are_in_the_two_figures(facts):
    assert sum(marks(drawn(name, facts)) for name in NAMES[:2]) == facts.results["runs_counted"]["value"]


@pytest.mark.parametrize("name", NAMES)
def test_words_do_not_overlap(name, facts):
    ax = drawn(name, facts)
    low, high = ax.get_xlim()
    ticks = [text for text in ax.get_xticklabels() if low <= text.get_position()[0] <= high]  # the others are not drawn
    words = [text for text in [*ax.texts, *ax.get_yticklabels(), *ticks] if text.get_text()]
    boxes = [(text.get_text(), text.get_window_extent()) for text in words]
    assert not [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.overlaps(other)]
    page = ax.figure.bbox
    assert not [text for text, box in boxes if box.x0 < page.x0 or box.x1 > page.x1]


def test_two_units_of_work_have_a_heading_each(facts):
    names = [text.get_text() for text in drawn("energy_at_throughput", facts).get_yticklabels()]
    assert [name for name in names if name.startswith("J per")] == ["J per sample", "J per output token"]


def test_equal_data_make_equal_pictures(facts):
    assert figures.draw("rankings", facts) == figures.draw("rankings", facts)
