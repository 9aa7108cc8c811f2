"""Places for labels: each one where it covers no mark, no other label and as little of the lines as can be."""

from itertools import pairwise, product

import numpy as np
from matplotlib.transforms import Bbox

from joulebook.show.style import COLOR, label

_NEAR = [
    (dx, dy, ha, va)
    for step in (6, 10, 15, 22)
    for dx, dy, ha, va in (
        (step, -step, "left", "center"),
        (-step, step, "right", "center"),
        (step, step, "left", "center"),
        (-step, -step, "right", "center"),
        (-step - 2, step / 2, "right", "center"),
        (step + 2, step / 2, "left", "center"),
        (step + 2, 0, "left", "center"),
        (-step - 2, 0, "right", "center"),
        (0, step + 3, "center", "bottom"),
        (0, -step - 3, "center", "top"),
    )
]
_BESIDE, _ANYWHERE = 0.6, 0.2  # what a point of distance costs, against one for each stroke of a line that is covered
_CLOSE = 18  # points from a mark to its label: further away a line leads there


class Places:
    """Labels of one pair of axes, placed one after the other.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes with their limits, ticks and names: the layout must not move any more.
    """

    def __init__(self, ax):
        self.ax = ax
        ax.figure.draw_without_rendering()
        ax.figure.set_layout_engine("none")
        self.scale = ax.figure.dpi / 72
        self.boxes, self.line = [], np.empty((0, 2))

    def mark(self, xy, size=8):
        """Keep a mark of a size in points free."""
        x, y = self.ax.transData.transform(xy)
        half = size / 2 * self.scale
        self.boxes.append(Bbox([[x - half, y - half], [x + half, y + half]]))

    def lines(self, x, y):
        """Keep labels off a line where there is another place."""
        ends = self.ax.transData.transform(np.column_stack([x, y]))
        for start, end in pairwise(ends):
            count = int(np.hypot(*(end - start)) // 3) + 2
            self.line = np.vstack([self.line, np.linspace(start, end, count)])

    def keep(self, artist):
        """Keep a text that is already there free."""
        self.boxes.append(artist.get_window_extent())

    def beside(self, words, xy, color="ink", **font):
        """Write a label beside a mark."""
        return self._best(words, xy, color, _NEAR, _BESIDE, font)

    def anywhere(self, words, xy, color="ink", **font):
        """Write a label in the nearest free place, with a line to its mark."""
        area = self.ax.get_window_extent()
        mark = self.ax.transData.transform(xy)
        grid = product(np.linspace(area.x0, area.x1, 41), np.linspace(area.y0, area.y1, 31))
        spots = sorted(((np.array(spot) - mark) / self.scale for spot in grid), key=lambda offset: np.hypot(*offset))
        spots = [(dx, dy, "left", "center") for dx, dy in spots if np.hypot(dx, dy) > 16]
        note = self._best(words, xy, color, spots, _ANYWHERE, font, led=True)
        leader = self._leader(mark, note.get_window_extent())
        if leader is not None:
            self.ax.plot(*self.ax.transData.inverted().transform(leader[[0, -1]]).T, color=COLOR[color], lw=0.8, zorder=3)
        return note

    def _leader(self, mark, box):
        """Points of the line from a mark to the box of its label; None where they are close."""
        away = np.clip(mark, [box.x0, box.y0], [box.x1, box.y1]) - mark
        length = np.hypot(*away) / self.scale
        if length <= _CLOSE:
            return None
        return mark + np.linspace(9 / length, 1 - 3 / length, int(length / 2) + 2)[:, None] * away

    def _best(self, words, xy, color, spots, nearness, font, led=False):
        note = label(self.ax, words, xy, color, **font)
        area, mark = self.ax.get_window_extent(), self.ax.transData.transform(xy)
        best = None
        for dx, dy, ha, va in spots:
            far = nearness * np.hypot(dx, dy)
            if best is not None and far >= best[0]:
                continue
            note.set(position=(dx, dy), ha=ha, va=va)
            box = note.get_window_extent()
            cost = far + self._cost(box, area)
            if led and (leader := self._leader(mark, box)) is not None:
                cost += self._crossed(leader)
            if best is None or cost < best[0]:
                best = (cost, dx, dy, ha, va)
        _, dx, dy, ha, va = best
        note.set(position=(dx, dy), ha=ha, va=va)
        self.boxes.append(note.get_window_extent())
        return note

    def _crossed(self, leader):
        """What a leader runs over: marks, labels and lines."""
        hit = sum(bool(((leader >= box.min) & (leader <= box.max)).all(axis=1).any()) for box in self.boxes)
        if not len(self.line):
            return 20.0 * hit
        near = np.hypot(*(leader[:, None] - self.line[None]).transpose(2, 0, 1)).min(axis=1) < 2 * self.scale
        return 20.0 * hit + 4.0 * near.sum()

    def _cost(self, box, area):
        cost = 0.0
        for other in self.boxes:
            shared = Bbox.intersection(box, other)
            cost += 0 if shared is None else 10 + shared.width * shared.height
        inside = Bbox.intersection(box, area)
        cost += 10 * (box.width * box.height - (0 if inside is None else inside.width * inside.height))
        own = (self.line >= [box.x0, box.y0]).all(axis=1) & (self.line <= [box.x1, box.y1]).all(axis=1)
        return cost + own.sum()
