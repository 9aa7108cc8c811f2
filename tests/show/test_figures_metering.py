"""Figures of metering: what is marked and named, and labels that cover neither each other nor leave the picture."""

from itertools import combinations

import numpy as np
import pytest

from joulebook.show import figures, style
from joulebook.show.pieces import known
from tests.method.test_metering import PHASES, STEP, TIMES, WATTS, Channel, study

GAPPED = Channel("wall", np.delete(TIMES, np.s_[20:26]), np.delete(WATTS, np.s_[20:26]), boundary="server")
HOURS = np.arange(0.0, 10000.0, 5.0)
GPUS = [Channel(f"gpu {i}", HOURS[i > 2 :: 1] + 0.1 * i, 300.0 + 50 * np.sin(HOURS[i > 2 :: 1] / 700) + i, boundary="server")
        for i in range(8)]


def drawn(name, made):
    with style.settings():
        height, function = figures.FIGURES[name]
        picture, ax = style.figure(height)
        function(ax, known(made))
        picture.draw_without_rendering()
        return ax, [text for text in ax.texts if text.get_text()]


@pytest.mark.parametrize("name", ["timeline", "peak_by_averaging_w", "coverage_by_phase"])
@pytest.mark.parametrize("made", [
    lambda: study(), lambda: study([GAPPED], min_coverage=0.5), lambda: study([GAPPED]), lambda: study(phases=None),
    lambda: study(GPUS, None, min_coverage=0.9),
    lambda: study(phases=[("work", 2.0, 30.0), ("idle", 30.0, 32.0), ("work", 32.0, 60.0)]),
], ids=["step", "gap", "refused", "whole", "many", "two windows"])
def test_labels_do_not_overlap(name, made):
    ax, texts = drawn(name, made())
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    assert not [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.overlaps(other)]
    whole = ax.figure.bbox
    assert all(box.x0 >= whole.x0 - 1 and box.x1 <= whole.x1 + 1 and box.y1 <= whole.y1 + 1 for _, box in boxes)


def test_the_trace_names_its_phases_and_its_gap():
    ax, texts = drawn("timeline", study([GAPPED], min_coverage=0.5))
    said = {text.get_text() for text in texts}
    assert {"work", "gap, 7\u00a0s", "work: 53\u00a0kJ", "Power, W (server)"} <= said  # hand: 19 to 26 s; 53 s x 1000 W
    assert "setup, work, cooldown" in said  # the outer two are too narrow for their names
    assert ax.get_xlabel() == "Time since the run began, s"
    inside = next(line for line in ax.lines if line.get_color() == style.COLOR["optimized"])
    x, y = (np.asarray(part, float) for part in inside.get_data())
    assert np.isnan(y[(x > 19.5) & (x < 25.5)]).all()
    assert y[(x > 30) & (x < 60)] == pytest.approx(1000.0)


@pytest.mark.parametrize(("seconds", "unit"), [(100.0, "s"), (1000.0, "min"), (10000.0, "h")])
def test_time_is_counted_in_a_unit_of_its_length(seconds, unit):
    times = np.linspace(0.0, seconds, 101)
    ax, _ = drawn("timeline", study([Channel("wall", times, np.full(101, 5.0), boundary="server")], None))
    assert ax.get_xlabel().endswith(f", {unit}")


def test_peaks_are_bars_beside_the_average():
    ax, texts = drawn("peak_by_averaging_w", study())
    assert [bar.get_height() for bar in ax.patches] == pytest.approx([1000.0] * 6)  # one reading, 1 to 60 s; 900 s do not fit
    assert ax.get_xticklabels()[0].get_text() == "one reading"
    assert "average\n1,000\u00a0W" in {text.get_text() for text in texts}


def test_coverage_has_a_dot_for_each_channel_and_phase():
    other = Channel("other", GAPPED.times_s, GAPPED.values, boundary="server")
    ax, texts = drawn("coverage_by_phase", study([STEP, other]))
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    assert len(dots) == 2 * len(PHASES)
    assert sorted(float(line.get_xdata()[0]) for line in dots)[0] == pytest.approx(53 / 60)
    assert [line.get_color() for line in dots].count(style.COLOR["stop"]) == 1  # below the least coverage
    assert {"other: 88.33\u00a0%", "refused below 99\u00a0%"} <= {text.get_text() for text in texts}


def test_equal_data_make_equal_pictures():
    once, again = (figures.draw("timeline", known(study())) for _ in range(2))
    assert once == again
