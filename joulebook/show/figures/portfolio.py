"""Figures of the topic `portfolio`."""

import numpy as np
from matplotlib import ticker

from joulebook.show.figures.places import Places
from joulebook.show.known import columns
from joulebook.show.numbers import NO_BREAK, number
from joulebook.show.style import COLOR, foot, head, label, plain_log
from joulebook.units import kwh_from_joules

_LABEL = 0.27  # of the width: what a label takes beside the outermost mark
_MANY = 12  # workloads: above, those that take least go without a name
_POWERS = {3: "thousand", 6: "million", 9: "billion", 12: "trillion", 15: "quadrillion"}


def portfolio_energies(ax, known):
    """Energy of a unit of work against that of a year; along a diagonal the volume is the same."""
    data = {name: np.array(values, object) for name, values in columns(known.results["portfolio_energies"]).items()}
    there = np.array([value is not None and value > 0 for value in data["annual_energy"]], bool)
    data = {name: values[there] for name, values in data.items()}
    x, y = (data[name].astype(float) for name in ("energy_per_unit", "annual_energy"))
    low, high = (data.get(f"annual_energy_{end}", y).astype(float) for end in ("low", "high"))
    wide = np.log10(x.max() / x.min()) + 0.6
    xlim, ylim = _around(x, x, 0.6, max(1.0, wide * _LABEL / (1 - _LABEL))), _around(low, high, 0.5, 0.8)
    ax.set(xscale="log", yscale="log", xlim=xlim, ylim=ylim)
    for axis, (first, last) in ((ax.xaxis, xlim), (ax.yaxis, ylim)):
        axis.set_major_locator(ticker.LogLocator(numticks=8 if np.log10(last / first) > 8 else 12))
        axis.set_minor_locator(ticker.NullLocator())
        plain_log(axis)
    ax.grid(visible=False)
    head(ax, "Energy a year at the facility, kWh (log scale)")
    foot(ax, "Energy per unit of work at the facility, J (log scale);  diagonals: units a year")
    places = Places(ax)
    marks = _diagonals(ax, xlim, ylim)
    ranged = high > low
    ax.vlines(x[ranged], low[ranged], high[ranged], color=COLOR["optimized"], lw=1.2, alpha=0.7, zorder=4)
    for row in np.flatnonzero(ranged):
        places.lines((x[row], x[row]), (low[row], high[row]))
    for row in range(len(x)):
        ax.plot(x[row], y[row], "o", ms=9, color=COLOR[_tone(data, row)], mec="white", mew=1.4, zorder=5)
        places.mark((x[row], y[row]), 12)
    for row in range(min(len(x), _MANY)):
        ranks = f"no. {data['unit_rank'][row]:.0f} per unit, no. {data['annual_rank'][row]:.0f} a year"
        _named(places, data["workload"][row], ranks, (x[row], y[row]), "stop" if data["annual_rank"][row] == 1 else "ink")
    for words, spot in marks:  # last, where there is room for them
        _along(ax, places, words, spot)


def _tone(data, row):
    return "stop" if data["annual_rank"][row] == 1 else "optimized"


def _around(low, high, before, after):
    """Limits of a logarithmic axis around values, with so many decades of room."""
    return 10 ** (np.log10(low.min()) - before), 10 ** (np.log10(high.max()) + after)


def _diagonals(ax, xlim, ylim):
    """Lines of equal volume, a decade apart, and where some of them cross the picture in its middle."""
    edges = np.array(xlim)
    least, most = (np.log10(y / kwh_from_joules(x)) for x, y in ((xlim[1], ylim[0]), (xlim[0], ylim[1])))
    powers = range(int(np.floor(least)), int(np.ceil(most)) + 1)
    step = 1 if len(powers) < 14 else 3
    marks = []
    for power in (item for item in powers if item % step == 0):
        ax.plot(edges, kwh_from_joules(edges) * 10.0**power, color=COLOR["rule"], lw=0.7, zorder=0, scalex=False, scaley=False)
        # the part of the line inside the picture
        inner = np.log10(np.clip(edges, *(np.array(ylim) / kwh_from_joules(1.0) / 10.0**power)))
        if inner[1] - inner[0] > 0.8 and power >= 0:
            at = 10 ** (inner[0] + 0.86 * (inner[1] - inner[0]))
            marks.append((_volume(power), (at, kwh_from_joules(at) * 10.0**power)))
    marks = marks[:: 2 if len(marks) > 5 else 1]
    return [(f"{words} a year" if place == len(marks) // 2 else words, spot) for place, (words, spot) in enumerate(marks)]


def _volume(power):
    """A power of ten in words.

    Examples
    --------
    >>> _volume(5), _volume(9), _volume(2), _volume(20)
    ('100 thousand', '1 billion', '100', '10^20')
    """
    if power < 3:
        return f"{10**power:,}"
    base = power - power % 3
    return f"{10 ** (power - base)} {_POWERS[base]}" if base in _POWERS else f"10^{power}"


def _named(places, name, ranks, spot, tone):
    """The name of a workload and below it its ranks."""
    note = places.beside(f"{_short(name)}\n{ranks}", spot, tone, weight=600)
    x, y = note.get_position()
    ha, va = note.get_ha(), note.get_va()
    note.set(text=f"{_short(name)}\n", weight=600)
    label(places.ax, f"\n{ranks}", spot, "soft", dx=x, dy=y, ha=ha, va=va, fontsize=note.get_fontsize())


def _short(name, most=34):
    """A name as it fits into a figure."""
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


def _along(ax, places, words, spot):
    """A volume on its diagonal, if it covers nothing there."""
    note = label(ax, words, spot, "soft", fontsize=8.3, ha="center")
    if places.free(note):
        places.keep(note)
    else:
        note.remove()


def peak_by_hour(ax, known):
    """Power of all workloads together by hour, the sum of their peaks, and what the connection gives."""
    data = {name: np.array(values, float) for name, values in columns(known.results["peak_by_hour"]).items()}
    hours, power = data["hour"], data["power"]
    low, high = (data.get(f"power_{end}", power) for end in ("low", "high"))
    edges, total = np.append(hours, hours[-1] + 1), known.results["sum_of_peaks_kw"]["value"]
    usable = known.results["connection_usable_kw"]["value"]
    top = 1.18 * max(total, high.max(), usable or 0)
    ax.set(xlim=(edges[0], edges[-1]), ylim=(0, top or 1))
    ax.set_xticks(edges[::3], [f"{hour:.0f}:00" for hour in edges[::3]])
    head(ax, "Power at the facility, kW")
    foot(ax, "Hour of the day")
    places = Places(ax)
    ax.stairs(power, edges, fill=True, color=COLOR["optimized"], alpha=0.14, lw=0)
    ax.stairs(power, edges, color=COLOR["optimized"], lw=1.8)
    for ends in (low, high) if (high > low).any() else ():
        ax.stairs(ends, edges, color=COLOR["optimized"], lw=0.8, alpha=0.6, ls=(0, (3, 2)), baseline=None)
    levels = [(total, f"sum of the peaks {number(total, 4)}{NO_BREAK}kW", "baseline")]
    if usable:
        levels.append((usable, f"usable power of the connection {number(usable, 4)}{NO_BREAK}kW", "caution"))
    close = len(levels) == 2 and abs(total - usable) < 0.16 * top  # then one name stands above its line, the other below
    for level, words, tone in levels:
        ax.axhline(level, color=COLOR[tone], lw=1.1)
        places.lines((edges[0], edges[-1]), (level, level))
        below = close and level == min(total, usable)
        places.keep(label(ax, words, (edges[0], level), tone, dx=4, dy=-8 if below else 8, weight=600))
    most = int(power.argmax())
    side = "left" if most < 5 else "right" if most > 18 else "center"
    words = f"coincident peak {number(power[most], 4)}{NO_BREAK}kW"
    clear = low[max(0, most - 4) : most + 5].min()  # below the steps on either side, and their range
    places.keep(label(ax, words, (edges[most] + 0.5, clear), "optimized", dy=-10, ha=side, weight=600))


def rebound_by_elasticity(ax, known):
    """Total energy after over before by elasticity of demand, at this share of energy in the price and where it is all."""
    data = {name: np.array(values, float) for name, values in columns(known.results["rebound_by_elasticity"]).items()}
    given = {record["name"]: record["value"] for record in known.inputs}
    grid, own, all_energy = (data[name] for name in ("elasticity", "total_energy_ratio", "all_energy_ratio"))
    top = float(np.clip(max(own.max(), all_energy.max(), 1.0), 1.2, 2.0))
    ax.set(xlim=(0, grid[-1]), ylim=(0, top))
    head(ax, "Total energy after / before")
    foot(ax, "Elasticity of demand")
    ax.axhline(1, color=COLOR["caution"], lw=1.1)
    places = Places(ax)
    places.lines((0, grid[-1]), (1, 1))
    for values, tone, low in ((all_energy, "baseline", None), (own, "optimized", "total_energy_ratio")):
        ax.plot(grid, values, color=COLOR[tone], lw=1.8)
        seen = values <= top
        places.lines(grid[seen], values[seen])
        if low and f"{low}_low" in data:
            ax.fill_between(grid, data[f"{low}_low"], data[f"{low}_high"], color=COLOR[tone], alpha=0.12, lw=0)
    spot = (given["demand_elasticity"], known.results["total_energy_ratio"]["value"])
    if spot[0] <= grid[-1] and spot[1] <= top:
        ax.plot(*spot, "o", ms=8, color=COLOR["optimized"], mec="white", mew=1.4, zorder=5)
        places.mark(spot, 11)
    places.keep(label(ax, "nothing saved", (grid[-1], 1), "caution", dx=-3, dy=8, ha="right", weight=600))
    share = number(100 * given["energy_share_of_price"], 3)
    for values, tone, words in (
        (own, "optimized", f"energy is {share}{NO_BREAK}% of the price"),
        (all_energy, "baseline", "energy is all of the price"),
    ):
        at = int(np.flatnonzero(values <= 0.97 * top)[-1] * 0.72)
        places.beside(words, (grid[at], values[at]), tone, weight=600)
    if spot[0] <= grid[-1] and spot[1] <= top:
        places.anywhere(f"at elasticity {number(spot[0], 3)}: {number(spot[1], 3)}×", spot, "ink", fontsize=8.8)


# Height in inches and function of each figure, by the name of the table of results that it shows.
FIGURES = {
    "portfolio_energies": (3.8, portfolio_energies),
    "peak_by_hour": (2.8, peak_by_hour),
    "rebound_by_elasticity": (2.8, rebound_by_elasticity),
}
