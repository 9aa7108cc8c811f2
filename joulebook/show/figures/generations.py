"""Figure of the topic `generations`."""

import numpy as np
from matplotlib import patheffects, ticker

from joulebook.show.known import columns
from joulebook.show.numbers import NO_BREAK, number, rounded
from joulebook.show.style import COLOR, foot, label

ROLE = {"software": "optimized", "hardware": "accelerator"}
MEAN = "mean of both orders"
_BAR, _PITCH = 0.46, 1.0
_LEAST_ROWS = 2  # so that bars keep their height
_BELOW = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
_ABOVE = (1.001, 1.005, 1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 1.75, 2, 2.5, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 200, 500, 1000)
_TICKS = (*_BELOW, 1, *_ABOVE)
_ROOM = 0.17  # of the length of the axis: what the longest words of a step take, in and beside a bar


def gains_by_order(ax, known):
    """What each step gains, one bar after the other on a logarithmic axis, by what is changed first, and their mean."""
    data = columns(known.results["gains_by_order"])
    total, energies = known.results["total_gain"], columns(known.results["generation_energies"])
    energy = dict(zip(energies["corner"], energies["energy_per_unit"], strict=True))
    orders = list(dict.fromkeys(data["order"]))
    steps = {name: [row for row, order in enumerate(data["order"]) if order == name] for name in orders}
    logs = np.log(np.array(data["gain"], float))
    ends = {name: np.concatenate([[0.0], np.cumsum(logs[rows])]) for name, rows in steps.items()}
    reach = np.array([edge for edges in ends.values() for edge in edges] + [np.log(total[end] or 1) for end in ("low", "high")])
    low, high = min(reach.min(), 0.0), max(reach.max(), 0.0)
    length = max(high - low, 0.02)
    ax.set(xlim=(low - 0.03 * length, high + 0.20 * length))
    for place, name in enumerate(orders):
        _order(ax, place, ends[name], *([data[head][row] for row in steps[name]] for head in ("step", "gain")), length)
        _joints(ax, place, ends[name], _corners(data, steps[name]), energy, length)
        _total(ax, place, total, ends[name].max())
    spare = max(0, _LEAST_ROWS - len(orders)) / 2
    ax.set(ylim=(len(orders) - 0.45 + spare, -0.72 - spare))
    ax.set_yticks(range(len(orders)), [_words(name, steps[name], data) for name in orders], color=COLOR["ink"], linespacing=1.3)
    ax.tick_params(axis="y", length=0)
    ax.xaxis.set_major_locator(ticker.FixedLocator(np.log(_ticks(low, high, length))))
    ax.xaxis.set_major_formatter(ticker.FuncFormatter(lambda at, _: f"{np.exp(at):.4g}×"))
    ax.spines["left"].set_visible(False)
    ax.grid(visible=True, axis="x")
    ax.grid(visible=False, axis="y")
    ax.axvline(0, color=COLOR["ink"], lw=0.9, zorder=1)
    foot(ax, f"Energy per {known.words['unit']}: times less than with the old generation (log scale)")


def _words(name, rows, data):
    return name if name != MEAN else "mean of\nboth orders"


def _corners(data, rows):
    """Names of the corners along an order; none for the mean."""
    return [] if not data["from"][rows[0]] else [data["from"][rows[0]], *(data["to"][row] for row in rows)]


def _order(ax, place, edges, names, gains, length):
    """Two bars end to end; where they run against each other, each in a lane of its own."""
    against, below = (edges[1] - edges[0]) * (edges[2] - edges[1]) < 0, 0
    for step, (what, gain) in enumerate(zip(names, gains, strict=True)):
        start, width = edges[step], edges[step + 1] - edges[step]
        high = _BAR / 2 if against else _BAR
        y = place + (step - 0.5) * high if against else place
        ax.barh(y, width, high, start, color=COLOR[ROLE[what]], edgecolor="white", linewidth=1.1, zorder=2)
        words = f"{what} {number(gain, 3 if abs(gain - 1) > 0.05 else 4)}×"
        if abs(width) >= _ROOM * length:
            font = {"fontsize": 7.6 if against else 9, "weight": 600, "zorder": 4}
            ax.text(start + width / 2, y, words, color="white", ha="center", va="center", **font)
        else:
            spot = (min(start, start + width), place + _BAR / 2)
            label(ax, words, spot, ROLE[what], dy=-7 - 10 * below, weight=600, fontsize=8.4)
            below += 1


def _joints(ax, place, edges, corners, energy, length):
    """Energy of a unit at each corner of the way, above the bars, where there is room between them."""
    last = -np.inf
    for at, corner in zip(edges, corners, strict=False):
        if abs(at - last) < 0.14 * length:
            continue
        words = f"{corner}: {number(energy[corner], 3)}{NO_BREAK}J"
        first = at == edges[0]
        label(ax, words, (at, place - _BAR / 2), "soft", dx=3 * first, dy=6, ha="left" if first else "center", fontsize=8)
        last = at


def _total(ax, place, total, end):
    """The total at the right end of a row, its interval in the lower part of the bars, clear of their words."""
    value, low, high = (total[key] for key in ("value", "low", "high"))
    if low is not None:
        y, reach = place + 0.36 * _BAR, np.log([low, high])
        halo = [patheffects.withStroke(linewidth=3.4, foreground="white")]
        ax.plot(reach, [y, y], "|-", color=COLOR["ink"], lw=1.3, ms=6, mew=1.3, zorder=5, path_effects=halo)
        end = max(end, reach[1])
    label(ax, f"{rounded(value, low, high)}×", (max(end, 0.0), place), "ink", dx=7, weight=600)


def _ticks(low, high, length):
    """Round gains within the axis, far enough from one another."""
    kept = []
    for tick in sorted((tick for tick in _TICKS if low - 1e-9 <= np.log(tick) <= high + 0.1 * length), key=_coarse):
        if all(abs(np.log(tick / other)) > 0.09 * length for other in kept):
            kept.append(tick)
    return sorted(kept)


def _coarse(tick):
    """The fewer digits a tick has, the sooner it stands."""
    return (tick != 1, len(f"{tick:.4g}".strip("0").replace(".", "")), abs(np.log(tick)))


FIGURES = {"gains_by_order": (2.7, gains_by_order)}
