"""The figures of sensitivity: bars from today to both ends, the line where it turns, words inside the picture."""

from functools import partial

import pytest

from joulebook.dictionary import of_topic
from joulebook.intake import inputs
from joulebook.method import sensitivity as method
from joulebook.method.study import Study
from joulebook.method.whatif import variance
from joulebook.show import figures, style
from joulebook.show.known import columns
from joulebook.show.pieces import known

CASES = {
    "tasks": {},
    "api": {"value_per_task": None},
    "dear api": {"value_per_task": None, "api_price_per_million_output": 40.0, "api_price_per_million_input": 4.0},
    "worthless": {"value_per_task": 0.0001},
    "nothing concluded": {"value_per_task": None, "api_price_per_million_output": None},
    "full load": {"value_per_task": None, "capital_cost": None, "idle_power_w": None, "demand_charge_per_kw_month": None,
                  "utilization": None, "operating_points_csv": None},
    "correlated": {"throughput_power_rank_correlation": 0.8},
}
LABELS = {"unit_of_work": "output_token", "boundary": "server"}


@pytest.fixture(scope="module")
def facts():
    cell = {name: row.example for name, row in of_topic("sensitivity").items()}
    made, needed = {}, [method.concluded, method.tornado, method.variance_shares]
    for case, changes in CASES.items():
        given = inputs("sensitivity", {**cell, **changes, "measurements_csv": None, "labels": LABELS}, {})
        study = Study(given).build_on("cost_per_token", method.COST).build_on("accuracy_cost", method.QUALITY)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(variance, "sobol_indices", partial(variance.sobol_indices, samples=64))  # enough to be drawn
            made[case] = known(study.build_on("verdict", method.ECONOMICS).run_all(needed))
    return made


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", ["tornado", "margin_tornado"])
def test_bars_reach_their_ends_and_words_stay_inside(case, name, facts):
    record = facts[case].results[name]
    if not record["rows"]:
        assert name == "margin_tornado"
        assert "value_per_task" in record["note"]
        return
    with style.settings():
        height, function = figures.FIGURES[name]
        picture, ax = style.figure(height)
        function(ax, facts[case])
        picture.draw_without_rendering()
        box = picture.bbox
        texts = [text for axes in picture.axes for text in (*axes.texts, *axes.get_yticklabels(), axes.xaxis.label)]
        boxes = [(text.get_text(), text.get_window_extent()) for text in texts if text.get_text()]
        outside = [words for words, at in boxes if at.x0 < -0.5 or at.y0 < -0.5 or at.x1 > box.x1 + 0.5 or at.y1 > box.y1 + 0.5]
    assert not outside
    today = facts[case].results["run_cost_per_million" if name == "tornado" else "conclusion_margin"]["value"]
    head = "cost" if name == "tornado" else "margin"
    data = columns(record)
    ends = sorted(end for pair in zip(data[f"{head}_at_low"], data[f"{head}_at_high"], strict=True) for end in pair)[:20]
    drawn = sorted(bar.get_x() + bar.get_width() for bar in ax.patches)
    assert all(bar.get_x() == pytest.approx(today) for bar in ax.patches)
    assert len(drawn) == 2 * min(10, len(record["rows"]))
    if len(record["rows"]) <= 10:
        assert drawn == pytest.approx(ends)


def test_the_line_stands_where_it_turns(facts):
    for name, flip in (("tornado", facts["tasks"].results["flip_cost_per_million"]["value"]), ("margin_tornado", 0.0)):
        with style.settings():
            _, ax = style.figure(4)
            figures.FIGURES[name][1](ax, facts["tasks"])
        dashed = [line for line in ax.lines if line.get_linestyle() == "--"]
        assert [line.get_xdata()[0] for line in dashed] == pytest.approx([flip])
        assert any(text.get_text().startswith("turns at") for text in ax.texts)


def test_a_flip_far_away_is_pointed_at(facts):
    with style.settings():
        _, ax = style.figure(4)
        figures.FIGURES["tornado"][1](ax, facts["dear api"])
    assert any(text.get_text().endswith("→") for text in ax.texts)
    assert not [line for line in ax.lines if line.get_linestyle() == "--"]


def test_equal_data_make_equal_bytes(facts):
    assert figures.draw("tornado", facts["tasks"]) == figures.draw("tornado", facts["tasks"])
