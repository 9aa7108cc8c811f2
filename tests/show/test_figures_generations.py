"""The figure of generations: bars add up to the total on a logarithmic axis, whichever way the steps go."""

import numpy as np
import pandas as pd
import pytest

from joulebook.dictionary import of_topic
from joulebook.intake import inputs
from joulebook.method import generations as method
from joulebook.method.study import Study
from joulebook.show import figures, style
from joulebook.show.pieces import known

CASES = {
    "all": {"A1": 1.0, "A2": 0.8, "B1": 0.7, "B2": 0.5},
    "against": {"A1": 1.0, "A2": 1.3, "B1": 0.45, "B2": 0.5},
    "worse": {"A1": 1.0, "A2": 1.1, "B1": 1.3, "B2": 1.4},
    "tiny": {"A1": 1.0, "A2": 0.999, "B2": 1.001},
    "large": {"A1": 1e6, "A2": 9e5, "B1": 1e3, "B2": 5.0},
}


def facts(energy, tmp_path, monkeypatch, limit=""):
    rows = [{"corner": c, "hardware": f"gpu {c[0]}", "software": f"stack {c[1]}", "date": "2026-01-01", "workload": "w",
             "quality": "q", "energy_j": e, "evidence": "measured", "meter": limit and c, "meter_limit_pct": limit}
            for c, e in energy.items()]
    pd.DataFrame(rows).to_csv(tmp_path / "rows.csv", index=False)
    monkeypatch.chdir(tmp_path)
    cell = {name: row.example for name, row in of_topic("generations").items()} | {"generations_csv": "rows.csv"}
    wide = {"generations_csv": {"value": "rows.csv", "plausible": "confirmed"}}  # no generations differ as much
    given = inputs("generations", {**cell, "labels": {"unit_of_work": "sample"}}, wide)
    return known(Study(given).run_all(method.CALCULATIONS))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("limit", ["", 1])
def test_bars_end_at_the_total_and_words_stay_inside(case, limit, tmp_path, monkeypatch):
    energy = CASES[case]
    made = facts(energy, tmp_path, monkeypatch, limit)
    with style.settings():
        height, function = figures.FIGURES["gains_by_order"]
        picture, ax = style.figure(height)
        function(ax, made)
        picture.draw_without_rendering()
        box = picture.bbox
        outside = [text.get_text() for text in ax.texts if not box.contains(*text.get_window_extent().min)
                   or not box.contains(*text.get_window_extent().max)]
    assert not outside
    bars = ax.patches
    assert len(bars) == (6 if len(energy) == 4 else 2)
    total = np.log(energy["A1"] / energy["B2"])
    for first, second in zip(bars[::2], bars[1::2], strict=True):
        assert first.get_x() + first.get_width() == pytest.approx(second.get_x())
        assert first.get_width() + second.get_width() == pytest.approx(total)
        against = first.get_width() * second.get_width() < 0
        tops = (bar.get_y() + bar.get_height() for bar in (first, second))
        overlap = min(tops) - max(first.get_y(), second.get_y())
        assert (overlap < 1e-9) is against  # steps that run against each other have a lane each


def test_equal_data_make_equal_bytes(tmp_path, monkeypatch):
    made = facts(CASES["all"], tmp_path, monkeypatch, 1)
    assert figures.draw("gains_by_order", made) == figures.draw("gains_by_order", made)
