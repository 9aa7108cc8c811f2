"""The figure of the day before and after: bars hold the energy, words stay inside, days keep their hours."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from joulebook.dictionary import of_topic
from joulebook.intake import inputs
from joulebook.method import carbon as method
from joulebook.method.study import Study
from joulebook.show import figures, style
from joulebook.show.known import columns
from joulebook.show.pieces import known

ONE_DAY = pd.date_range("2026-03-03", periods=24, freq="60min", tz="Europe/Berlin")
LONG_DAY = pd.date_range("2026-10-25", periods=25, freq="60min", tz="Europe/Berlin")
TWO_DAYS = pd.date_range("2026-03-03", periods=48, freq="60min", tz="Europe/Berlin")
MONTH = pd.date_range("2026-03-03", periods=24 * 30, freq="60min", tz="UTC")
CASES = {
    "example": {},
    "alone": {"load_profile_csv": None, "power_cap_w": None},
    "no flexible work": {"flexible_hours": None},
    "nothing moves": {"earliest_start": "10:00", "deadline": "16:00"},
    "part of it moves": {"current_start": "08:00", "flexible_hours": 9.0},
    "long day": {"stamps": LONG_DAY},
    "over midnight": {"stamps": TWO_DAYS, "earliest_start": "18:00", "deadline": "08:00"},
    "a month": {"stamps": MONTH, "earliest_start": None, "deadline": None, "flexible_hours": 100.0},
    "average only": {"stamps": ONE_DAY, "bases": ("average",)},
    "marginal only": {"stamps": ONE_DAY, "bases": ("marginal",), "deadline": "04:00", "flexible_hours": 2.5},
    "not feasible": {"deadline": "04:00"},
}


def facts(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cell = {name: row.example for name, row in of_topic("carbon").items()} | {"regions_csv": None, **CASES[case]}
    stamps, bases = cell.pop("stamps", None), cell.pop("bases", ("average", "marginal"))
    if stamps is not None:
        hour = np.arange(len(stamps))
        turn = 2 * np.pi * hour / 24
        rows = [pd.DataFrame({"timestamp": [stamp.isoformat() for stamp in stamps], "basis": basis, "scope": "direct",
                              "accounting": "location", "g_per_kwh": 300 + (100 + 40 * place) * np.cos(turn + place)})
                for place, basis in enumerate(bases)]
        pd.concat(rows).to_csv("rows.csv", index=False)
        cell["carbon_csv"] = "rows.csv"
    given = inputs("carbon", {**cell, "labels": {"unit_of_work": "output_token", "boundary": "server"}}, {})
    return known(Study(given).run_all(method.CALCULATIONS))


@pytest.mark.parametrize("case", CASES)
def test_bars_hold_the_energy_and_words_stay_inside(case, tmp_path, monkeypatch):
    made = facts(case, tmp_path, monkeypatch)
    with style.settings():
        height, function = figures.FIGURES["carbon_day"]
        picture, ax = style.figure(height)
        function(ax, made)
        picture.draw_without_rendering()
        texts = [text for panel in picture.axes for text in panel.texts if text.get_text()]
        boxes = [text.get_window_extent() for text in texts]
    for text, box in zip(texts, boxes, strict=True):
        assert picture.bbox.contains(*box.min), text.get_text()
        assert picture.bbox.contains(*box.max), text.get_text()
    bars = [[(bar.get_x(), bar.get_width(), bar.get_height()) for bar in part] for part in picture.axes[1].containers]
    data = columns(made.results["carbon_day"])
    for part, name in zip(bars, ("now", "shifted"), strict=True):
        assert sum(high for *_, high in part) == pytest.approx(sum(data[name]))
    spans = sorted((left, left + wide) for part in bars for left, wide, _ in part)
    assert all(end <= begin + 1e-9 for (_, end), (begin, _) in pairwise(spans))  # neither hides the other
    values = {name: made.results[f"shift_{name}marginal_g"]["value"] for name in ("now_", "")}
    said = " ".join(text.get_text() for text in texts)
    assert ("as it runs now" in said) == (values["now_"] is not None)
    assert ("in the cleanest hours" in said) == (values[""] is not None)


def test_a_day_of_25_hours_shows_its_clock(tmp_path, monkeypatch):
    made = facts("long day", tmp_path, monkeypatch)
    with style.settings():
        picture, ax = style.figure(3.9)
        figures.FIGURES["carbon_day"][1](ax, made)
    lower = picture.axes[1]
    assert lower.get_xlim() == (0, 25)
    ticks = dict(zip([label.get_text() for label in lower.get_xticklabels()], lower.get_xticks(), strict=True))
    assert (ticks["0:00"], ticks["6:00"], ticks["24:00"]) == (0, 7, 25)  # hour 2 was there twice


def test_equal_data_make_equal_bytes(tmp_path, monkeypatch):
    made = facts("example", tmp_path, monkeypatch)
    assert figures.draw("carbon_day", made) == figures.draw("carbon_day", made)
