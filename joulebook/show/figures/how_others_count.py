"""Figures on how others count: what each accounting counts of a request, and the steps from one to another."""

import numpy as np
from matplotlib import ticker

from joulebook.show.known import columns
from joulebook.show.numbers import number
from joulebook.show.style import COLOR, foot, head, label, plain_log

_TONES = {"accelerator": "accelerator", "host": "server", "idle": "idle", "network": "rack", "overhead": "facility"}
_NAMES = {"accelerator": "accelerators", "host": "host", "idle": "waiting", "network": "network", "overhead": "facility"}
_ROW_IN, _EDGE_IN = 0.19, 0.62  # height of a row, and of what stands below and above them
_WIDE, _NARROW = 0.66, 0.52
_INSIDE = 0.075  # of the axis: what a part must be wide for its number to stand in it


def request_parts(ax, known):
    """What each accounting counts of the request, a bar an accounting, a colour a part."""
    data = columns(known.results["request_parts"])
    totals = _numbers(data["total"])
    reach = 1.3 * np.nanmax(totals)
    for y, total in enumerate(totals):
        left = 0.0
        for part in _TONES:
            energy = data[part][y]
            if energy is None:
                continue
            ax.barh(y, energy, _WIDE, left, color=COLOR[_TONES[part]], edgecolor="white", lw=0.8)
            if energy > _INSIDE * reach:
                ax.text(left + energy / 2, y, number(energy, 3), color="white", ha="center", va="center", fontsize=8)
            left += energy
        if np.isnan(total):
            label(ax, f"no energy: {data['not_counted'][y]}", (0, y), "soft", dx=4)
            continue
        if not left:
            ax.barh(y, total, _WIDE, color=COLOR["wash"], edgecolor=COLOR["baseline"], ls="--", lw=0.9)
            label(ax, data["not_counted"][y].split(";")[0], (total / 2, y), "ink", ha="center")
        label(ax, f"{number(total, 3)} J", (total, y), dx=6, weight=600)
        low, high = (data.get(f"total_{end}", [None] * len(totals))[y] for end in ("low", "high"))
        if low is not None and low < high:
            ax.plot([low, high], [y + 0.44] * 2, color=COLOR["soft"], lw=1.1, marker="|", ms=5, clip_on=False)
    rows = len(totals)
    x = 0.0
    for part, tone in _TONES.items():
        ax.plot(x + 0.008, -0.95, "s", ms=6, color=COLOR[tone], transform=ax.get_yaxis_transform(), clip_on=False)
        ax.text(x + 0.025, -0.95, _NAMES[part], color=COLOR[tone], va="center", transform=ax.get_yaxis_transform())
        x += 0.2 if part == "accelerator" else 0.145
    _rows(ax, range(rows), data["accounting"], {rows - 1})
    ax.set(xlim=(0, reach), ylim=(rows - 0.4, -1.4))
    foot(ax, "Energy of the request, J;  line below a bar: 95 % interval")


def request_steps(ax, known):
    """From each accounting to this workbook: its total, a step a reason, the total here."""
    data = columns(known.results["request_steps"])
    parts = columns(known.results["request_parts"])
    totals = dict(zip(parts["accounting"], parts["total"], strict=True))
    here = known.results["request_energy_j"]["value"]
    reach = 1.18 * max(total for total in totals.values() if total is not None)
    y, ticks, names, heads = 0.0, [], [], set()
    for name in dict.fromkeys(data["accounting"]):
        at = totals[name]
        heads.add(len(ticks))
        _total(ax, y, at, "baseline")
        ticks.append(y)
        names.append(name)
        for row in (place for place, own in enumerate(data["accounting"]) if own == name):
            y += 1
            energy = data["energy"][row]
            ticks.append(y)
            names.append(data["step"][row])
            if energy is None:
                label(ax, "no joule: a mass, told in grams", (at, y), "soft", dx=6)
                ax.plot([at, at], [y - 0.74, y + 0.74], color=COLOR["baseline"], lw=0.7)
                continue
            ax.plot([at, at], [y - 1 + _NARROW / 2, y + _NARROW / 2], color=COLOR["baseline"], lw=0.7)
            ax.barh(y, abs(energy), _NARROW, min(at, at + energy), color=COLOR["idle" if energy > 0 else "optimized"])
            sign = "+" if energy > 0 else "\u2212"
            label(ax, f"{sign}{number(abs(energy), 3)}", (max(at, at + energy), y), "idle" if energy > 0 else "optimized", dx=5)
            at += energy
        y += 1
        ax.plot([at, at], [y - 0.74, y + 0.3], color=COLOR["baseline"], lw=0.7)
        heads.add(len(ticks))
        _total(ax, y, here, "ink")
        ticks.append(y)
        names.append("This workbook")
        y += 1.6
    _rows(ax, ticks, names, heads)
    ax.set(xlim=(0, reach), ylim=(y - 0.9, -0.7))
    ax.figure.set_figheight(_ROW_IN * (y + 1) + _EDGE_IN)
    foot(ax, "Energy of the request, J;  orange: counted here in addition, blue: counted there and less or not here")


def energy_by_batch(ax, known):
    """Energy of a token by the requests in flight: measured points of one machine, and the fit."""
    data = {name: _numbers(cells) for name, cells in columns(known.results["energy_by_batch"]).items()}
    batch, found, fitted = data["batch"], data["measured"], data["fitted"]
    ax.plot(batch, fitted, "-s", color=COLOR["baseline"], ms=5, mec="white", mew=1)
    ax.plot(batch, found, "-o", color=COLOR["measured"], ms=6, mec="white", mew=1)
    for place, (x, one, other) in enumerate(zip(batch, found, fitted, strict=True)):
        above = one > other
        last = place == len(batch) - 1
        for value, up, tone in ((one, above, "measured"), (other, not above, "baseline")):
            side = {"dx": -2, "ha": "right"} if last else {"ha": "center"}
            label(ax, number(value, 3), (x, value), tone, dy=12 if up else -12, **side)
    label(ax, "measured", (batch[0], found[0]), "measured", dx=14, dy=4, weight=600)
    label(ax, "fit of EcoLogits", (batch[1], fitted[1]), "baseline", dx=-20, dy=-26, weight=600)
    ax.set(xscale="log", yscale="log", xlim=(batch[0] / 1.5, batch[-1] * 1.5), ylim=(found.min() / 1.6, found.max() * 1.5))
    ax.set_xticks(batch, [f"{x:g}" for x in batch])
    ax.xaxis.set_minor_locator(ticker.NullLocator())
    ax.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    plain_log(ax.yaxis)
    head(ax, "Energy at the accelerators, J per output token (log scale)")
    foot(ax, "Requests in flight (log scale)")


def _total(ax, y, energy, tone):
    ax.barh(y, energy, _WIDE, color=COLOR[tone])
    label(ax, f"{number(energy, 3)} J", (energy, y), dx=6, weight=600)


def _rows(ax, ticks, names, heads):
    """Name the rows, those that head others in bold; the grid is that of the horizontal axis."""
    ax.set_yticks(list(ticks), names)
    ax.tick_params(axis="y", length=0, pad=5, labelcolor=COLOR["ink"])
    for place, text in enumerate(ax.get_yticklabels()):
        text.set_weight(600 if place in heads else 400)
        text.set_color(COLOR["ink" if place in heads or len(heads) == 1 else "soft"])
    ax.grid(True, axis="x")
    ax.grid(False, axis="y")


def _numbers(cells):
    return np.array([np.nan if cell is None else cell for cell in cells], float)


# Height in inches and function of each figure, by the name of the table of results that it shows.
FIGURES = {
    "request_parts": (2.7, request_parts),
    "request_steps": (7.6, request_steps),
    "energy_by_batch": (3.2, energy_by_batch),
}
