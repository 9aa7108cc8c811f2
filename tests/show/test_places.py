"""Places of labels: what is chosen among all spots at once is what trying one after the other chooses."""

from math import hypot

import numpy as np
import pytest
from matplotlib.transforms import Bbox

from joulebook.show import style
from joulebook.show.figures import places as module
from joulebook.show.figures.places import Places, covered


def scene(seed):
    """Axes with marks, lines and a text to keep clear of, and the place of a mark to be labelled."""
    rng = np.random.default_rng(seed)
    _, ax = style.figure(3.0)
    ax.set(xscale="log", xlim=(1, 100), ylim=(0, 1))
    spots = np.column_stack([10 ** rng.uniform(0.1, 1.9, 12), rng.uniform(0.1, 0.9, 12)])
    found = Places(ax)
    for spot in spots:
        found.mark(spot, rng.uniform(4, 16))
    found.lines(*spots[:5].T)
    found.keep(style.label(ax, "already there", spots[5]))
    return found, spots[0]


def one_by_one(found, xy, words, spots, nearness, led):
    """The first cheapest spot, with the label put there for each."""
    note = style.label(found.ax, words, xy)
    boxes, area = [Bbox.from_extents(box) for box in found.boxes], Bbox.from_extents(found.area)
    mark = found.ax.transData.transform(xy)
    best = (np.inf, None)
    for spot in spots:
        dx, dy, ha, va = spot
        cost = nearness * hypot(dx, dy)
        if cost >= best[0]:
            continue
        note.set(position=(dx, dy), ha=ha, va=va)
        box = note.get_window_extent()
        for shared in filter(None, (Bbox.intersection(box, other) for other in boxes)):
            cost += 10 + shared.width * shared.height
        inside = Bbox.intersection(box, area)
        cost += 10 * (box.width * box.height - (inside.width * inside.height if inside else 0))
        cost += sum(box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1 for x, y in found.line)
        cost += crossed(found, mark, box) if led else 0
        best = min(best, (cost, spot), key=lambda pair: pair[0])
    note.remove()
    return best[1]


def crossed(found, mark, box):
    """20 for each box that the leader runs over, 4 for each of its points that is within two points of a line."""
    end = np.array([min(max(mark[0], box.x0), box.x1), min(max(mark[1], box.y0), box.y1)])
    length = hypot(*(end - mark)) / found.scale
    if length <= 18:
        return 0
    leader = [mark + share * (end - mark) for share in np.linspace(9 / length, 1 - 3 / length, int(length / 2) + 2)]
    hit = sum(any(x0 <= x <= x1 and y0 <= y <= y1 for x, y in leader) for x0, y0, x1, y1 in found.boxes)
    return 20 * hit + 4 * sum(any(hypot(x - a, y - b) < 2 * found.scale for a, b in found.line) for x, y in leader)


def spot_of(note):
    return (*note.get_position(), note.get_ha(), note.get_va())


@pytest.mark.parametrize("seed", range(6))
def test_a_label_stands_where_trying_each_spot_beside_its_mark_puts_it(seed):
    with style.settings():
        found, xy = scene(seed)
        expected = one_by_one(found, xy, "12", module._NEAR, module._BESIDE, led=False)
        assert spot_of(found.beside("12", xy)) == expected


@pytest.mark.parametrize("seed", range(3))
def test_a_label_stands_where_trying_each_spot_of_the_axes_puts_it(seed):
    with style.settings():
        found, xy = scene(seed)
        spots = found._everywhere(xy)
        expected = one_by_one(found, xy, "a longer label,\nof two lines", spots, module._ANYWHERE, led=True)
        assert spot_of(found.anywhere("a longer label,\nof two lines", xy)) == expected


def test_a_box_pays_for_what_it_touches_and_for_what_lies_outside():
    # by hand: 2 x 1 shared with the first, the second touched at a corner, one of three points inside, and 1 x 2 outside
    boxes = np.array([[-1.0, 0.0, 3.0, 2.0], [5.0, 5.0, 6.0, 6.0]])
    others = np.array([[1.0, 1.0, 9.0, 3.0], [3.0, 2.0, 4.0, 4.0]])
    line = np.array([[0.0, 2.0], [0.0, 2.1], [4.0, 1.0]])
    assert covered(boxes, others, line, np.array([0.0, 0.0, 8.0, 8.0])).tolist() == [10 + 2 + 10 + 1 + 20, 0.0]
