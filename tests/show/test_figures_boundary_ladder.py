"""The ladder's figure: hollow where a rung claims nothing, with ranges where there are any, and any number of rungs."""

import pytest

from joulebook.show.figures import boundary_ladder
from joulebook.show.known import Known
from joulebook.show.style import figure, settings

HEADS = ("boundary", "baseline", "optimized", "saving", "saving_retained", "verdict")
RUNGS = [
    ("accelerator", 42.0, 27.3, 0.35, 1.0, "saves"),
    ("node_dc", None, None, None, None, "not available"),
    ("server", 60.0, 49.2, 0.18, 0.514286, "saves"),
    ("rack", 64.8, 57.6, 1 / 9, 0.317460, "not distinguishable"),
    ("facility", 84.24, 74.88, 1 / 9, 0.317460, "claims nothing"),
]
MIGRATED = {"accelerator": None, "node_dc": None, "server": 39e3, "rack": 36e3, "facility": -21.6e3}


def drawn(rungs, scale=1.0, ends=()):
    """Texts and axes of the figure of some rungs, energies scaled, with relative ends of their ranges."""
    heads = [[name, ""] for name in HEADS] + [[f"baseline_{end}", ""] for end in ("low", "high") if ends]
    rows = []
    for name, *energies, saved, kept, verdict in rungs:
        scaled = [None if energy is None else energy * scale for energy in energies]
        rows.append([name, *scaled, saved, kept, verdict, *(None if scaled[0] is None else scaled[0] * end for end in ends)])
    moved = [[name, None if MIGRATED[name] is None else MIGRATED[name] * scale] for name, *_ in rungs]
    tables = {
        "boundary_ladder": {"columns": heads, "rows": rows},
        "migration": {"columns": [["boundary", ""], ["migrated_j", "J"]], "rows": moved},
        "work_baseline": {"value": 1e4},
    }
    with settings():
        made, ax = figure(3.7)
        boundary_ladder.boundary_ladder(ax, Known(results=tables, words={"unit": "query"}))
        made.draw_without_rendering()
    return [item.get_text() for item in ax.texts], ax


def test_rungs_that_are_there_are_drawn():
    texts, ax = drawn(RUNGS)
    assert [text for text in texts if text in boundary_ladder.NAME.values()] == ["Accelerator", "Server", "Rack", "Facility"]
    assert {"35\u00a0%", "18\u00a0%", "51\u00a0%", "+3.9", "+3.6", "−2.2", "not distinguishable"} <= set(texts)
    hollow = [patch for patch in ax.patches if patch.get_linestyle() != "solid" and patch.get_facecolor()[3] == 0]
    assert len(hollow) == 2  # the facility's own segment of both variants


@pytest.mark.parametrize(("scale", "unit"), [(1e-6, "µJ"), (1e-3, "mJ"), (1.0, "J"), (1e3, "kJ")])
def test_the_unit_keeps_numbers_short(scale, unit):
    texts, _ = drawn(RUNGS, scale)
    assert any(text.startswith(f"Energy per query, {unit}:") for text in texts)
    assert {"27.3", "+3.9"} <= set(texts)


def test_a_single_rung_and_ranges():
    texts, ax = drawn(RUNGS[2:3], ends=(0.99, 1.01))
    assert "Server" in texts
    assert list(ax.lines[0].get_xdata()) == pytest.approx([59.4, 60.6])
