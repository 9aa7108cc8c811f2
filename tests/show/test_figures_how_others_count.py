"""Figures on how others count: every energy is drawn at its size, steps hang together, and words keep apart."""

from itertools import combinations

import pytest

from joulebook.dictionary import of_topic
from joulebook.intake import inputs
from joulebook.method import how_others_count as method
from joulebook.method.accountings.parts import PARTS
from joulebook.method.study import Study
from joulebook.show import figures, style
from joulebook.show.known import columns
from joulebook.show.pieces import known

NAMES = ("request_parts", "request_steps", "energy_by_batch")


@pytest.fixture(scope="module")
def facts():
    cell = {name: row.example for name, row in of_topic("how_others_count").items()}
    given = inputs("how_others_count", {**cell, "labels": {"unit_of_work": "query"}}, {})
    return known(Study(given).run_all(method.CALCULATIONS))


def drawn(name, facts):
    with style.settings():
        height, function = figures.FIGURES[name]
        picture, ax = style.figure(height)
        function(ax, facts)
        picture.draw_without_rendering()
        return ax


def bars(ax):
    return [bar for container in ax.containers for bar in container]


def test_every_part_is_a_bar_of_its_size(facts):
    table = columns(facts.results["request_parts"])
    told = [energy for part in PARTS for energy in table[part] if energy is not None]
    whole = table["total"][table["accounting"].index("InferenceX")]  # which tells no parts
    assert sorted(bar.get_width() for bar in bars(drawn("request_parts", facts))) == pytest.approx(sorted([*told, whole]))


def test_a_step_begins_where_the_one_before_ends(facts):
    here = facts.results["request_energy_j"]["value"]
    totals = columns(facts.results["request_parts"])
    totals = dict(zip(totals["accounting"], totals["total"], strict=True))
    table = columns(facts.results["request_steps"])
    found = iter(bars(drawn("request_steps", facts)))
    for name in dict.fromkeys(table["accounting"]):
        at = totals[name]
        assert next(found).get_width() == pytest.approx(at)
        for own, energy in zip(table["accounting"], table["energy"], strict=True):
            if own == name and energy is not None:
                bar = next(found)
                ends = bar.get_x(), bar.get_x() + bar.get_width()
                assert sorted((at, at + energy)) == pytest.approx(ends)
                at += energy
        assert at == pytest.approx(here)
        assert next(found).get_width() == pytest.approx(here)
    assert not list(found)


@pytest.mark.parametrize("name", NAMES)
def test_words_do_not_overlap(name, facts):
    ax = drawn(name, facts)
    (left, right), (bottom, top) = sorted(ax.get_xlim()), sorted(ax.get_ylim())
    words = [text for text in ax.get_xticklabels() if left <= text.get_position()[0] <= right]
    words += [text for text in ax.get_yticklabels() if bottom <= text.get_position()[1] <= top]
    boxes = [(text.get_text(), text.get_window_extent()) for text in [*ax.texts, *words] if text.get_text()]
    assert not [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.overlaps(other)]
    page = ax.figure.bbox
    assert not [text for text, box in boxes if box.x0 < page.x0 or box.x1 > page.x1]


def test_equal_data_make_equal_pictures(facts):
    assert figures.draw("request_steps", facts) == figures.draw("request_steps", facts)
