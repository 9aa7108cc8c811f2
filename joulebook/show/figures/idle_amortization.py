"""Figures of the topic `idle_amortization`."""

import numpy as np
from matplotlib import ticker

from joulebook.show.known import columns
from joulebook.show.numbers import number, rounded
from joulebook.show.style import COLOR, foot, head, label, percent, plain_log

_TONE = {"full": "idle", "reserved": "rack", "marginal": "marginal"}
_WORDS = {"full": "Full: all the idle power", "reserved": "Reserved: a share of it", "marginal": "Marginal: none of it"}
_LINE_PT = 13.0  # height of a line of text


def idle_curve(ax, known):
    """Energy per unit against utilization under the three attributions, with the client's own point."""
    table = known.results["energy_by_utilization"]
    data = _numbers(table)
    load, names = data["utilization"], [name for name in _TONE if name in data]
    here = _given(known, "utilization")
    least = 0.01 if not here or here > 0.02 else max(load[0], here / 2)
    seen = load >= least * 0.999
    low, high = (end(np.concatenate([data[name][seen] for name in names])) for end in (np.nanmin, np.nanmax))
    ax.set(xscale="log", yscale="log", xlim=(least, 1), ylim=(low * 0.55, high * (high / low) ** 0.08 * 1.5))
    for name in names:
        _band(ax, load, data, name, _TONE[name])
        ax.plot(load, data[name], color=COLOR[_TONE[name]])
    at = least * 1.35 if not here or here > least * 6 else here * 3.2
    heights = _apart([float(np.interp(at, load, data[name])) for name in names], ax, _LINE_PT)
    for name, y in zip(names, heights, strict=True):
        label(ax, _WORDS[name], (at, y), _TONE[name], dy=8, weight=500)
    if here:
        ax.axvline(here, color=COLOR["rule"], lw=1.2, zorder=0)
        _my_points(ax, known, names, here)
    ax.set_xticks([tick for tick in (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1) if tick >= least])
    ax.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5) if high < 300 * low else (1,)))
    percent(ax.xaxis)
    plain_log(ax.yaxis)
    head(ax, f"Energy per {known.words['unit']}, J (log scale)")
    foot(ax, "Utilization, share of full throughput (log scale)")


def _my_points(ax, known, names, here):
    """The client's energy under each attribution, with its range, and the utilization in words."""
    mine = {name: known.results[f"energy_per_unit_{name}_j"] for name in names}
    mine = {name: record for name, record in mine.items() if record["value"] is not None}
    right = here > 0.6  # no room on the right for the numbers
    heights = _apart([record["value"] for record in mine.values()], ax, _LINE_PT)
    for (name, record), y in zip(mine.items(), heights, strict=True):
        tone = COLOR[_TONE[name]]
        if record["low"] is not None:
            ax.plot([here, here], [record["low"], record["high"]], color=tone, lw=1.2, marker="_", ms=7, zorder=4)
        ax.plot(here, record["value"], "o", ms=7, color=tone, mec="white", mew=1.4, zorder=5, clip_on=False)
        ranged = record["low"] is not None
        shown = rounded(record["value"], record["low"], record["high"]) if ranged else number(record["value"], 3)
        place = {"dx": -7, "dy": 15, "ha": "right"} if right else {"dx": 9, "dy": 8}
        if name == "marginal":  # the lowest one: below its line there is room
            y, place["dy"] = record["value"], -9
        label(ax, f"{shown}\u00a0J", (here, y), _TONE[name], weight=600, **place)
    ax.annotate(
        f"you, at {number(here * 100, 3)}\u00a0%",
        (here, 1),
        xycoords=("data", "axes fraction"),
        xytext=(-6 if here > 0.45 else 6, -1),
        textcoords="offset points",
        color=COLOR["ink"],
        weight=600,
        va="top",
        ha="right" if here > 0.45 else "left",
    )


def load_curve(ax, known):
    """Power against utilization: measured, on the straight line, and in proportion to the work."""
    table = known.results["power_by_utilization"]
    data = _numbers(table)
    load, straight, measured = data["utilization"], data["straight"], data.get("measured")
    shown = straight if measured is None else measured
    top = max(np.nanmax(data.get(name, straight)) for name in ("straight", "measured", "straight_high", "measured_high"))
    ax.set(xlim=(0, 1.005), ylim=(0, top * 1.16))
    ax.plot(load, data["proportional"], color=COLOR["baseline"], lw=1.2, ls=(0, (5, 3)))
    if measured is None:
        _band(ax, load, data, "straight", "optimized")
        ax.plot(load, straight, color=COLOR["optimized"])
    else:
        ax.fill_between(load, straight, measured, color=COLOR["idle"], alpha=0.14, lw=0)
        _band(ax, load, data, "measured", "optimized")
        ax.plot(load, straight, color=COLOR["baseline"], lw=1.2)
        ax.plot(load, measured, "o-", color=COLOR["optimized"], ms=4.5, clip_on=False)
    here, power = _given(known, "utilization"), known.results["power_at_utilization_w"]
    taken = here if here is not None and power["value"] is not None else None
    upper = 0.62 if taken is None or taken < 0.5 else 0.04  # where the label of the client's point does not stand
    if measured is None:
        _above(ax, load, [straight], "Straight line, idle to full load", upper, 0.26, "optimized")
    elif measured.mean() >= straight.mean():
        _above(ax, load, [measured], "Measured curve", upper, 0.2, "optimized")
        label(ax, "Straight line", (0.27, np.interp(0.27, load, straight)), "baseline", dx=6, dy=-10)
    else:
        _above(ax, load, [straight], "Straight line", upper, 0.2, "baseline", weight=400)
        label(ax, "Measured curve", (0.27, np.interp(0.27, load, measured)), "optimized", dx=6, dy=-11, weight=600)
    label(ax, "Proportional: no work, no power", (0.62, 0.62 * straight[-1]), "baseline", dx=8, dy=-10)
    if straight[0] > 0.12 * top:
        label(ax, f"Idle {number(straight[0], 4)}\u00a0W", (0, straight[0]), "soft", dx=6, dy=-12)
    if taken is not None:
        if power["low"] is not None:
            ax.plot([taken, taken], [power["low"], power["high"]], color=COLOR["idle"], lw=1.2, marker="_", ms=7, zorder=4)
        ax.plot(taken, power["value"], "o", ms=8, color=COLOR["idle"], mec="white", mew=1.4, zorder=6, clip_on=False)
        said = f"you, at {number(taken * 100, 3)}\u00a0%: {rounded(power['value'], power['low'], power['high'])}\u00a0W"
        lines = [shown, straight, *([data["measured_high"]] if "measured_high" in data else [])]
        _above(ax, load, lines, said, min(max(0.012, taken - 0.3), 0.7), 0.3, "idle", power["high"] or power["value"])
    ax.yaxis.set_major_formatter(ticker.FuncFormatter(lambda watts, _: f"{watts:,.0f}" if top >= 20 else f"{watts:g}"))
    percent(ax.xaxis)
    place = known.labels.get("boundary")
    head(ax, "Power, W" if place is None else f"Power, W ({place.replace('_', ' ')})")
    foot(ax, "Utilization")


def _above(ax, load, lines, words, left, width, tone, least=0.0, weight=600):
    """Write a label over a stretch of the axis, clear of the lines below it."""
    over = np.linspace(left, min(1, left + width), 20)
    y = max(least, *(float(np.interp(over, load, line).max()) for line in lines))
    label(ax, words, (left, y), tone, dy=11, weight=weight)


def _band(ax, load, data, name, tone):
    if f"{name}_low" in data:
        ax.fill_between(load, data[f"{name}_low"], data[f"{name}_high"], color=COLOR[tone], alpha=0.14, lw=0)


def _apart(values, ax, gap_pt):
    """Heights on a logarithmic axis for labels of these values, pushed up until they are a line of text apart."""
    bottom, top = np.log(ax.get_ylim())
    points = ax.get_figure().get_size_inches()[1] * 72 * 0.78  # of the axes, but for what stands above and below them
    gap = gap_pt / points * (top - bottom)
    heights, last = dict.fromkeys(range(len(values))), -np.inf
    for place in sorted(range(len(values)), key=lambda place: (values[place], -place)):
        last = max(np.log(values[place]), last + gap)
        heights[place] = float(np.exp(last))
    return list(heights.values())


def _numbers(table):
    return {name: np.array(values, float) for name, values in columns(table).items()}


def _given(known, name):
    """Value of an input, None where it was not given."""
    return next((record["value"] for record in known.inputs if record["name"] == name), None)


# Height in inches and function of each figure, by the name of the table of results that it shows.
FIGURES = {"energy_by_utilization": (3.4, idle_curve), "power_by_utilization": (3.4, load_curve)}
