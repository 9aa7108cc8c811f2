"""Figures of a portfolio: labels cover neither each other nor a mark, however many workloads, and equal data make equal bytes."""

from itertools import combinations

import pandas as pd
import pytest

from joulebook.dictionary import of_topic
from joulebook.intake import inputs
from joulebook.method import portfolio as method
from joulebook.method.study import Study
from joulebook.show import figures, style
from joulebook.show.pieces import known
from joulebook.workbook import ROOT

ROWS = ROOT / "data" / "examples" / "portfolio.csv"


def facts(**changed):
    cell = {name: row.example for name, row in of_topic("portfolio").items()}
    made_up = {name: {"value": value, "plausible": "confirmed"} for name, value in changed.items() if value is not None}
    return known(Study(inputs("portfolio", {**cell, **changed, "labels": {}}, made_up), 2**8).run_all(method.CALCULATIONS))


def drawn(name, facts):
    with style.settings():
        height, function = figures.FIGURES[name]
        picture, ax = style.figure(height)
        function(ax, facts)
        picture.draw_without_rendering()
        return ax, [text for text in ax.texts if text.get_text()]


def boxes(texts):
    """Boxes of texts; the two lines of one label are parted by an empty line each, so that one of them counts for both."""
    return [(text.get_text(), text.get_window_extent()) for text in texts if not text.get_text().startswith("\n")]


def many(tmp_path, count):
    table = pd.read_csv(ROWS).iloc[[0]].drop(columns=["energy_per_unit_low_j", "energy_per_unit_high_j"])
    table = pd.concat([table] * count, ignore_index=True)
    table["workload"] = [f"Workload of the {place}th kind" for place in range(count)]
    table["energy_per_unit_j"] = [210 * 3.7 ** (place % 5) for place in range(count)]
    for name in ("annual_volume", "annual_volume_low", "annual_volume_high"):
        table[name] = table[name] / table["energy_per_unit_j"] * [100 * 2.3 ** (place % 7) for place in range(count)]
    table["peak_kw"] = 400
    table.to_csv(tmp_path / "rows.csv", index=False)
    return {"portfolio_csv": "rows.csv", "portfolio_profiles_csv": None}


def test_labels_of_workloads_do_not_overlap():
    ax, texts = drawn("portfolio_energies", facts())
    every = boxes(texts)
    assert not [(a, b) for (a, one), (b, other) in combinations(every, 2) if one.overlaps(other)]
    marks = [line for line in ax.lines if line.get_marker() == "o"]
    assert len(marks) == 5
    for line in marks:
        spot = ax.transData.transform((line.get_xdata()[0], line.get_ydata()[0]))
        assert not [words for words, box in every if box.contains(*spot)]


@pytest.mark.parametrize("count", [1, 9, 30])
def test_any_number_of_workloads_is_drawn(count, tmp_path, monkeypatch):
    changed = many(tmp_path, count)
    monkeypatch.chdir(tmp_path)
    ax, texts = drawn("portfolio_energies", facts(**changed))
    assert len([line for line in ax.lines if line.get_marker() == "o"]) == count
    named = [text for text in texts if "kind" in text.get_text()]
    assert len(named) == min(count, 12)


def test_the_largest_of_the_year_is_marked_and_ranks_are_said():
    _, texts = drawn("portfolio_energies", facts())
    said = [text.get_text().strip() for text in texts]
    assert "no. 2 per unit, no. 1 a year" in said
    first = next(text for text in texts if text.get_text().strip() == "Long answers")
    assert first.get_color() == style.COLOR["stop"]


def test_names_are_data_and_never_mathematics(tmp_path, monkeypatch):
    table = pd.read_csv(ROWS)
    table.loc[0, "workload"] = r"<b>$\frac$ & $5"
    table.to_csv(tmp_path / "rows.csv", index=False)
    monkeypatch.chdir(tmp_path)
    _, texts = drawn("portfolio_energies", facts(portfolio_csv="rows.csv", portfolio_profiles_csv=None))
    assert r"<b>$\frac$ & $5" in [text.get_text().strip() for text in texts]


@pytest.mark.parametrize("changed", [{}, {"energy_share_of_price": 1.0}, {"unit_energy_ratio": 1.4}, {"demand_elasticity": 8.0}])
def test_labels_of_the_rebound_do_not_overlap(changed):
    _, texts = drawn("rebound_by_elasticity", facts(**changed))
    every = boxes(texts)
    assert not [(a, b) for (a, one), (b, other) in combinations(every, 2) if one.overlaps(other)]
    assert any(words.startswith("at elasticity") for words, _ in every) is (changed.get("demand_elasticity") is None)


@pytest.mark.parametrize("changed", [{}, {"connection_capacity_kw": None}, {"connection_capacity_kw": 16.0}])
def test_labels_of_the_peak_do_not_overlap(changed):
    _, texts = drawn("peak_by_hour", facts(**changed))
    every = boxes(texts)
    assert not [(a, b) for (a, one), (b, other) in combinations(every, 2) if one.overlaps(other)]
    assert any("usable power" in words for words, _ in every) is (changed.get("connection_capacity_kw", 20.0) is not None)


def test_equal_data_make_equal_bytes():
    for name in ("portfolio_energies", "peak_by_hour", "rebound_by_elasticity"):
        assert figures.draw(name, facts()) == figures.draw(name, facts())
