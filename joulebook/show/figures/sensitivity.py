"""Figures of the topic `sensitivity`."""

import numpy as np
from matplotlib import ticker

from joulebook.method.ranges import PAIR
from joulebook.method.whatif.one_by_one import STATED
from joulebook.method.whatif.variance import PAIR_TITLE
from joulebook.show.known import columns
from joulebook.show.numbers import NO_BREAK, number, rounded
from joulebook.show.style import COLOR, foot, label, percent

_MOST = 10  # bars; what moves less is counted
_LEAST = 5  # rows of room, so that few bars stay slim
_BAR = 0.52
_NEAR = 1.3  # widths of the bars that the axis may be widened by, to show where it turns


def tornado(ax, known):
    """The cost with each input at the ends of its range, where it turns the conclusion, and how much each explains."""
    _tornado(ax, known, "tornado", "cost", known.results["run_cost_per_million"], known.results["flip_cost_per_million"])


def margin_tornado(ax, known):
    """The margin of the conclusion with each input at the ends of its range; it turns at zero."""
    _tornado(ax, known, "margin_tornado", "margin", known.results["conclusion_margin"], {"value": 0.0, "low": None, "high": None})


def _tornado(ax, known, name, what, now, turn):
    today, flip = now["value"], turn["value"]
    words = {"today": f"today {_short(now)}", "turns": f"turns at {_short(turn)}"}
    table = known.results[name]
    data = columns(table)
    ends = np.array([data[f"{what}_at_low"], data[f"{what}_at_high"]], float)[:, :_MOST]
    rows = ends.shape[1]
    spare = max(0, _LEAST - rows) / 2
    low, high = min(np.nanmin(ends), today), max(np.nanmax(ends), today)
    width = high - low
    turns = flip is not None and low - _NEAR * width <= flip <= high + _NEAR * width
    if turns:
        low, high = min(low, flip), max(high, flip)
    room = 0.17 * (high - low)
    ax.set(xlim=(low - room, high + room), ylim=(rows - 0.4 + spare, -0.75 - spare))
    for y in range(rows):
        _bar(ax, y, today, ends[:, y], [data[end][y] for end in ("low", "high")], data["range"][y] == STATED)
    ax.axvline(today, color=COLOR["ink"], lw=1.3, zorder=5)
    sides = _sides(today, flip, low - room, high + room) if turns else ("center", "")
    _above(ax, words["today"], today, "ink", sides[0])
    if turns:
        ax.axvline(flip, color=COLOR["stop"], lw=1.3, ls=(0, (4, 2)), zorder=5)
        _above(ax, words["turns"], flip, "stop", sides[1])
    elif flip is not None:
        side = "left" if flip < low else "right"
        arrow = f"← {words['turns']}" if side == "left" else f"{words['turns']} →"
        place = (0.0 if side == "left" else 1.0, 0.0)
        ax.annotate(arrow, place, xycoords="axes fraction", xytext=(0, 4), textcoords="offset points",
                    color=COLOR["stop"], ha=side, va="bottom", weight=600)
    more = len(data["input"]) - rows
    titles = [_broken(title) for title in data["input"][:rows]]
    ax.set_yticks(range(rows), titles, color=COLOR["ink"], linespacing=1.1)
    ax.tick_params(axis="y", length=0, pad=6)
    ax.spines["left"].set_visible(False)
    ax.grid(visible=True, axis="x")
    ax.grid(visible=False, axis="y")
    unit = dict(table["columns"])[f"{what}_at_low"]
    rest = f"; {more} more move it less" if more else ""
    ax.xaxis.set_major_locator(ticker.MaxNLocator(6))
    ax.xaxis.set_major_formatter(ticker.FuncFormatter(lambda at, _: number(at, 4)))
    foot(ax, f"{unit}{rest}" if what == "cost" else f"Margin, {unit} a year{rest}")
    _explained(ax, known, "cost" if what == "cost" else "conclusion", data["input"][:rows])


def _short(record):
    """A result in few digits."""
    if record["value"] is None:
        return ""
    ranged = record["low"] is not None
    return rounded(record["value"], record["low"], record["high"]) if ranged else _compact(record["value"])


def _compact(value):
    """A number in three digits, large ones by million and billion."""
    for size, word in ((1e9, "bn"), (1e6, "mn")):
        if abs(value) >= size:
            return f"{number(value / size, 3)}{NO_BREAK}{word}"
    return number(round(value, 2 - int(np.floor(np.log10(abs(value)))) if value else 0), 3)


def _bar(ax, y, today, ends, inputs, stated):
    """Two bars from today, to the low and to the high end of an input, each with the input's value at its end.

    A bar is pale where the input has no range of its own.
    """
    font = {"fontsize": 8, "zorder": 6}  # clear of the lines
    order = np.argsort(-np.abs(np.nan_to_num(ends) - today))  # the longer one lies below, where both lie on one side
    same = (ends[0] - today) * (ends[1] - today) > 0
    for place in order:
        if not np.isfinite(ends[place]):
            continue
        role = ("baseline", "optimized")[place]
        shade = {"color": COLOR[role], "alpha": 1.0 if stated else 0.45}
        ax.barh(y, ends[place] - today, _BAR, today, zorder=2 + (place == order[1]), **shade)
        right = ends[place] >= today
        if same and place == order[1]:
            right = not right  # on the other side of today, where there is no bar
            label(ax, _compact(inputs[place]), (today, y), role, dx=5 if right else -5, ha="left" if right else "right", **font)
            continue
        side = {"dx": 4 if right else -4, "ha": "left" if right else "right"}
        label(ax, _compact(inputs[place]), (ends[place], y), role, **side, **font)


def _sides(today, flip, low, high):
    """On which side of its line each word stands: apart where the lines are near each other, else inward."""
    apart = ("left", "right") if flip < today else ("right", "left")
    if abs(flip - today) < 0.4 * (high - low):
        return apart
    return apart[0], apart[0]


def _above(ax, words, at, role, side):
    """Words above the axes at a value; where two lines are near each other, each on its own side."""
    ax.annotate(words, (at, 1), xycoords=("data", "axes fraction"), xytext=({"left": 2, "right": -2}.get(side, 0), 3),
                textcoords="offset points", color=COLOR[role], weight=600, va="bottom", ha=side)


def _broken(title, most=24):
    """A title in two lines where it is long."""
    if len(title) <= most:
        return title
    words = title.split(" ")
    cut = min(range(1, len(words)), key=lambda place: abs(len(" ".join(words[:place])) - len(title) / 2), default=1)
    return f"{' '.join(words[:cut])}\n{' '.join(words[cut:])}"


def _explained(ax, known, what, titles):
    """Beside the bars, the share of the variance that each input explains: total index, and first order."""
    shares = known.results["variance_shares"]
    data = columns(shares)
    if f"total_{what}" not in data:
        return
    together = {item["title"] for item in known.inputs if item["name"] in PAIR}
    at = {title: place for place, title in enumerate(data["input"])}
    grid = ax.figure.add_gridspec(1, 2, width_ratios=(5, 1))
    ax.set_subplotspec(grid[0])
    side = ax.figure.add_subplot(grid[1])
    for y, title in enumerate(titles):
        place = at.get(title, at.get(PAIR_TITLE) if title in together else None)
        if place is None:
            continue
        total, first = data[f"total_{what}"][place], data[f"first_order_{what}"][place]
        low, high = data[f"total_{what}_low"][place], data[f"total_{what}_high"][place]
        side.plot([max(0.0, low), high], [y, y], color=COLOR["idle"], lw=1.2, zorder=2)
        side.plot(total, y, "o", ms=6, color=COLOR["idle"], mec="white", mew=1, zorder=4, clip_on=False)
        side.plot(max(0.0, first), y, "|", ms=9, mew=1.4, color=COLOR["ink"], zorder=3, clip_on=False)
        label(side, f"{number(total * 100, 2) if total >= 0.01 else '<1'}", (high, y), "idle", dx=6, fontsize=8)
    reach = max([0.05, *data[f"total_{what}_high"]])
    side.set(xlim=(0, 1.35 * reach), ylim=ax.get_ylim())
    side.set_yticks([])
    side.spines["left"].set_color(COLOR["rule"])
    side.grid(visible=False, axis="y")
    side.xaxis.set_major_locator(ticker.MaxNLocator(2))
    percent(side.xaxis)
    side.annotate("of the variance", (1, 1), xycoords="axes fraction", xytext=(0, 3), textcoords="offset points",
                  color=COLOR["soft"], va="bottom", ha="right", fontsize=8)


FIGURES = {"tornado": (4.0, tornado), "margin_tornado": (4.0, margin_tornado)}
