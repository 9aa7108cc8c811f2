"""Places for labels: each one where it covers no mark, no other label and as little of the lines as can be."""

from itertools import pairwise

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from joulebook.show.style import COLOR, label, settle

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
_SHIFT = {"left": 0.0, "right": 1.0, "bottom": 0.0, "top": 1.0, "center": 0.5}  # from an anchor to its box, in sizes of the box
_CLOSE = 18  # points from a mark to its label: further away a line leads there


class Places:
    """Labels of one pair of axes, placed one after the other.

    Boxes are rows of left, bottom, right and top in pixels.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes with their limits, ticks and names: the layout must not move any more.
    """

    def __init__(self, ax):
        self.ax = ax
        self.renderer = FigureCanvasAgg(ax.figure).get_renderer()  # one for all texts: it remembers what it measured
        settle(ax.figure)
        self.scale = ax.figure.dpi / 72
        self.area = ax.get_window_extent().extents
        self.boxes, self.line = np.empty((0, 4)), np.empty((0, 2))

    def mark(self, xy, size=8):
        """Keep a mark of a size in points free."""
        half = size / 2 * self.scale
        self._keep(np.tile(self.ax.transData.transform(xy), 2) + np.array([-half, -half, half, half]))

    def lines(self, x, y):
        """Keep labels off a line where there is another place."""
        ends = self.ax.transData.transform(np.column_stack([x, y]))
        counts = np.hypot(*np.diff(ends, axis=0).T) // 3 + 2
        strokes = [np.linspace(*pair, int(count)) for pair, count in zip(pairwise(ends), counts, strict=True)]
        self.line = np.concatenate([self.line, *strokes])

    def keep(self, artist):
        """Keep a text that is already there free."""
        self._keep(artist.get_window_extent(self.renderer).extents)

    def free(self, artist):
        """Whether a text that is already there covers nothing that is kept, and lies inside the axes."""
        box = artist.get_window_extent(self.renderer).extents[None]
        return covered(box, self.boxes, np.empty((0, 2)), self.area)[0] < 1

    def beside(self, words, xy, color="ink", **font):
        """Write a label beside a mark."""
        note = label(self.ax, words, xy, color, **font)
        cost, _ = self._costs(note, _NEAR, _BESIDE)
        self._stand(note, _NEAR[int(cost.argmin())])
        return note

    def anywhere(self, words, xy, color="ink", **font):
        """Write a label in the nearest free place, with a line to its mark."""
        note = label(self.ax, words, xy, color, **font)
        spots = self._everywhere(xy)
        cost, boxes = self._costs(note, spots, _ANYWHERE)
        mark = self.ax.transData.transform(xy)
        best = (np.inf, 0)
        for place in np.argsort(cost, kind="stable"):
            if cost[place] > best[0]:
                break  # a leader makes none of the others cheaper
            best = min(best, (cost[place] + self._crossed(_leader(mark, boxes[place], self.scale)), place))
        box = self._stand(note, spots[best[1]])
        leader = _leader(mark, box, self.scale)
        if len(leader):
            self.ax.plot(*self.ax.transData.inverted().transform(leader[[0, -1]]).T, color=COLOR[color], lw=0.8, zorder=3)
        return note

    def _keep(self, box):
        self.boxes = np.vstack([self.boxes, box])

    def _everywhere(self, xy):
        """Spots all over the axes, in points from a mark, the nearest first."""
        x0, y0, x1, y1 = self.area
        grid = np.stack(np.meshgrid(np.linspace(x0, x1, 41), np.linspace(y0, y1, 31), indexing="ij"), axis=-1).reshape(-1, 2)
        offsets = (grid - self.ax.transData.transform(xy)) / self.scale
        far = np.hypot(*offsets.T)
        order = np.argsort(far, kind="stable")
        return [(dx, dy, "left", "center") for dx, dy in offsets[order[far[order] > 16]]]

    def _costs(self, note, spots, nearness):
        """What a label costs at each spot, and its boxes there."""
        offsets = np.array([spot[:2] for spot in spots])
        size = note.get_window_extent(self.renderer).size  # the same wherever it stands
        shift = np.array([[_SHIFT[ha], _SHIFT[va]] for _, _, ha, va in spots]) * size
        low = self.ax.transData.transform(note.xy) + offsets * self.scale - shift
        boxes = np.hstack([low, low + size])
        return nearness * np.hypot(*offsets.T) + covered(boxes, self.boxes, self.line, self.area), boxes

    def _stand(self, note, spot):
        """Put a label at a spot and keep its box."""
        dx, dy, ha, va = spot
        note.set(position=(dx, dy), ha=ha, va=va)
        self.keep(note)
        return self.boxes[-1]

    def _crossed(self, leader):
        """What a leader runs over: marks, labels and lines."""
        hit = _within(leader, self.boxes).any(axis=1).sum()
        if not (len(self.line) and len(leader)):
            return 20.0 * hit
        reach = 2 * self.scale
        around = np.hstack([leader.min(axis=0) - reach, leader.max(axis=0) + reach])
        line = self.line[_within(self.line, around)]
        near = (np.hypot(*(leader[:, None] - line).transpose(2, 0, 1)) < reach).any(axis=1)
        return 20.0 * hit + 4.0 * near.sum()


def covered(boxes, others, line, area):
    """What boxes cover, each by itself: other boxes, points of lines, and what lies outside an area.

    Parameters
    ----------
    boxes : ndarray, shape (n, 4)
        Left, bottom, right and top.
    others : ndarray, shape (m, 4)
        Boxes that are to stay free: 10 for each that is touched, and 1 for each unit of area that is covered.
    line : ndarray, shape (k, 2)
        Points, 1 for each that is inside.
    area : ndarray, shape (4,)
        10 for each unit of area outside.

    Returns
    -------
    ndarray, shape (n,)
        Cost of each box.
    """
    wide, high = _shared(boxes[:, None], others[None])
    on_others = np.where((wide >= 0) & (high >= 0), 10 + wide * high, 0.0).sum(axis=1)
    wide, high = _shared(boxes, area)
    inside = np.where((wide >= 0) & (high >= 0), wide * high, 0.0)
    outside = 10 * ((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]) - inside)
    return on_others + outside + _within(line, boxes).sum(axis=1)


def _shared(boxes, others):
    """Width and height of what boxes share, negative where they do not meet."""
    low = np.maximum(boxes[..., :2], others[..., :2])
    high = np.minimum(boxes[..., 2:], others[..., 2:])
    return np.moveaxis(high - low, -1, 0)


def _within(points, boxes):
    """Whether points lie in boxes, shape (..., points)."""
    (x, y), (x0, y0, x1, y1) = points.T, np.moveaxis(boxes, -1, 0)[..., None]
    return (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)


def _leader(mark, box, scale):
    """Points of the line from a mark to the box of its label; none where they are close."""
    away = np.clip(mark, box[:2], box[2:]) - mark
    length = np.hypot(*away) / scale
    if length <= _CLOSE:
        return np.empty((0, 2))
    return mark + np.linspace(9 / length, 1 - 3 / length, int(length / 2) + 2)[:, None] * away
