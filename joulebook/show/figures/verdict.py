"""Figures of the topic verdict: the return at a worse performance per watt, and over volume and price."""

import numpy as np
from matplotlib import ticker

from joulebook.show.figures.places import Places
from joulebook.show.known import columns
from joulebook.show.numbers import number
from joulebook.show.style import COLOR, foot, head, label, percent, plain_log

CASES = (("energy_case", "Energy case", "marginal"), ("throughput_case", "Throughput case", "ink"))


def worse_efficiency_returns(ax, known):
    """Return as the performance per watt gets worse, if energy alone rises and if the throughput falls, against the hurdle."""
    data = {name: np.array(column, float) for name, column in columns(known.results["worse_efficiency_returns"]).items()}
    hurdle = _input(known, "roi_hurdle")
    times = data["times_worse"]
    worst = data["throughput_case"]
    low, high = _limits([*(data[name] for name, _, _ in CASES), np.array([hurdle])])
    named = _halves(ax, times, worst, hurdle)
    ax.plot(times[[0, -1]], [hurdle, hurdle], color=COLOR["soft"], lw=1, ls=(0, (5, 3)))
    cases = CASES
    if np.allclose(*(data[name] for name, _, _ in CASES), rtol=1e-9, equal_nan=True):  # all of the cost is electricity
        cases = (("throughput_case", "Both cases", "ink"),)
    for name, _, role in cases:
        if f"{name}_low" in data:
            for edge in ("low", "high"):
                ax.plot(times, data[f"{name}_{edge}"], color=COLOR[role], lw=0.7, ls=(0, (1, 2)), zorder=2)
        ax.plot(times, data[name], color=COLOR[role], zorder=3)
    ax.set(xlim=(times[0], times[-1]), ylim=(low, high))
    percent(ax.yaxis)
    ax.xaxis.set_major_locator(ticker.MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    ax.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}×"))
    head(ax, "Return on the cost of a year")
    foot(ax, "Times worse performance per watt than told")
    places = Places(ax)
    for text in named:
        places.keep(text)
    for name, _, _ in cases:
        places.lines(times, data[name])
    places.lines(times[[0, -1]], [hurdle, hurdle])
    flips = [known.results[f"{name}_flip"]["value"] for name, _, _ in cases]
    flips = [x for x in flips if x is not None and times[0] < x < times[-1]]
    ends = [(times[-1], data[name][-1], f"{words} {_share(data[name][-1])}", role) for name, words, role in cases]
    ends = [(times[0], worst[0], f"today {_share(worst[0])}", "ink"), *ends]
    for x, y, _, role in ends:
        ax.plot(x, y, "o", ms=6.5, color=COLOR[role], mec="white", mew=1.3, zorder=5, clip_on=False)
        places.mark((x, y))
    for x in flips:
        ax.plot(x, hurdle, "D", ms=8, color=COLOR["stop"], mec="white", mew=1.4, zorder=6)
        places.mark((x, hurdle), 10)
    for x in flips:
        places.beside(f"flips at {number(x, 3)}×", (x, hurdle), "stop", weight=600, fontsize=10)
    for x, y, words, role in ends:
        places.beside(words, (x, y), role, weight=600)
    places.anywhere(f"hurdle {_share(hurdle)}", (times[0] + 0.02 * np.ptp(times), hurdle), "soft")


def volume_and_price(ax, known):
    """Return over annual volume and electricity price as a map, the hurdle as a line, and the client's own point."""
    table = known.results["volume_and_price"]
    data = columns(table)
    volumes, prices = (np.unique(np.array(data[name], float)) for name in ("annual_tasks", "electricity_price"))
    returns = np.array(data["roi"], float).reshape(len(volumes), len(prices)).T
    hurdle, here = _input(known, "roi_hurdle"), (_input(known, "annual_tasks"), _input(known, "electricity_price_per_kwh"))
    over = np.nan_to_num(returns, nan=-1.0) >= hurdle
    if over.any() and not over.all():
        tones = [COLOR["caution"], COLOR["good"]]
        ax.contourf(volumes, prices, returns, levels=[-1e9, hurdle, 1e9], colors=tones, alpha=0.09)
    else:
        ax.axvspan(volumes[0], volumes[-1], color=COLOR["good" if over.all() else "caution"], alpha=0.09, lw=0)
    ax.set(xscale="log", xlim=(volumes[0], volumes[-1]), ylim=(prices[0], prices[-1]))
    levels = [level for level in ticker.MaxNLocator(7).tick_values(*np.nanquantile(returns, (0.02, 0.98))) if level != hurdle]
    ax.contour(volumes, prices, returns, levels=levels, colors=COLOR["baseline"], linewidths=0.7, linestyles="solid")
    ax.contour(volumes, prices, returns, levels=[hurdle], colors=COLOR["stop"], linewidths=1.6, linestyles="dashed")
    ax.plot(*here, "o", ms=9, color=COLOR["ink"], mec="white", mew=1.6, zorder=6, clip_on=False)
    ax.grid(False)
    plain_log(ax.xaxis)
    head(ax, f"Electricity price, {dict(table['columns'])['electricity_price']}")
    foot(ax, "Tasks a year, the work of the system with them (log scale)")
    named = _named_levels(ax, volumes, prices, returns, levels, hurdle)
    places = Places(ax)
    for text in named:
        places.keep(text)
    places.mark(here, 10)
    places.beside(f"today {_share(known.results['roi']['value'])}", here, "ink", weight=600, fontsize=10)
    for words, tone, side in (("REACHES THE HURDLE", "good", over), ("BELOW THE HURDLE", "caution", ~over)):
        if side.mean() > 0.08:  # else the words have no room
            row, column = (int(np.median(axis)) for axis in np.nonzero(side))
            places.anywhere(words, (volumes[column], prices[row]), tone, weight=600, fontsize=8.5)


def _named_levels(ax, volumes, prices, returns, levels, hurdle):
    """Name the lines of equal return where they cross the lower part of the map, and the hurdle in the upper part."""
    texts, taken = [], []
    lines = [(hurdle, -4, f"hurdle {_share(hurdle)}", "stop"), *((level, 2, _share(level), "soft") for level in levels)]
    for level, row, words, tone in lines:
        above = returns[row] >= level
        crossing = np.flatnonzero(above[1:] != above[:-1])[:1]
        for at in crossing:
            part = (level - returns[row, at]) / (returns[row, at + 1] - returns[row, at])
            place = np.log(volumes[at]) + part * np.log(volumes[at + 1] / volumes[at])
            share = (place - np.log(volumes[0])) / np.log(volumes[-1] / volumes[0])
            if 0.04 < share < 0.96 and (tone == "stop" or all(abs(share - other) > 0.09 for other in taken)):
                taken += [share] if tone == "soft" else []
                weight = 600 if tone == "stop" else 400
                texts.append(label(ax, words, (np.exp(place), prices[row]), tone, ha="center", fontsize=8.8, weight=weight))
    return texts


def _halves(ax, times, returns, hurdle):
    """Tint the part of the axis where the throughput case reaches the hurdle, and the rest; name what has room."""
    over = returns >= hurdle
    flips = times[-1] if over.all() else times[0] if not over.any() else float(np.interp(-hurdle, -returns, times))
    halves = ((times[0], flips, "REACHES THE HURDLE", "good"), (flips, times[-1], "BELOW THE HURDLE", "caution"))
    texts = []
    for left, right, words, tone in halves:
        if right > left:
            ax.axvspan(left, right, color=COLOR[tone], alpha=0.08, lw=0, zorder=0)
        if right - left > 0.25 * np.ptp(times):  # else the words have no room
            place, top = (left + right) / 2, ax.get_xaxis_transform()
            style = {"ha": "center", "va": "top", "color": COLOR[tone], "weight": 600, "fontsize": 8.5}
            texts.append(ax.text(place, 0.975, words, transform=top, **style))
    return texts


def _limits(lines):
    """Limits that hold all lines, with room for the words above and below."""
    low, high = (float(edge([edge(line[np.isfinite(line)]) for line in lines])) for edge in (np.min, np.max))
    room = (high - low) or abs(high) or 1.0
    return low - 0.16 * room, high + 0.24 * room


def _share(value):
    return f"{number(float(f'{value * 100:.3g}'), 3)}\u00a0%"


def _input(known, name):
    return next(record["value"] for record in known.inputs if record["name"] == name)


# Height in inches and function of each figure, by the name of the table of results that it shows.
FIGURES = {"worse_efficiency_returns": (3.0, worse_efficiency_returns), "volume_and_price": (3.2, volume_and_price)}
