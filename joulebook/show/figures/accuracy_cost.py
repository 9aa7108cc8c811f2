"""Figures of the topic `accuracy_cost`."""

import numpy as np
from matplotlib import ticker

from joulebook.show.figures.places import Places
from joulebook.show.known import columns
from joulebook.show.numbers import NO_BREAK, number
from joulebook.show.style import COLOR, foot, head, label, plain_log

_TONES = ("accelerator", "optimized", "rack", "facility", "idle", "quoted")
_MARKS = ("o", "s", "D", "^", "v", "P")
_FEW = 5  # results: below, no summary
_MANY = 40  # points: above, they go without their batch
_LANE = 0.2


def point_energies(ax, known):
    """Energy against tail latency of every point; filled ones meet the quality target, crosses are dominated."""
    table = known.results["point_energies"]
    data = columns(table)
    given = {record["name"]: record["value"] for record in known.inputs}
    target, limit = given["quality_target_pct"], given.get("slo_latency_s")
    scale, unit = (1000, "ms") if max(data["latency_p99"]) < 1 else (1, "s")
    x, y = np.array(data["energy_per_unit"], float), np.array(data["latency_p99"], float) * scale
    low, high = (np.array(data.get(f"energy_per_unit_{end}", x), float) for end in ("low", "high"))
    top, bottom = max(y.max(), (limit or 0) * scale), min(y.min(), limit * scale if limit else np.inf)
    ax.set(xscale="log", yscale="log", xlim=(low.min() / 1.7, high.max() * 1.5), ylim=(bottom / 1.7, top * 1.5))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        axis.set_minor_locator(ticker.NullLocator())
        plain_log(axis)
    head(ax, f"99th-percentile latency, {unit} (log scale)")
    foot(ax, f"Energy per {known.words['unit']}, J (log scale)")
    key = f"filled: quality ≥ {number(target)}{NO_BREAK}%   hollow: below it"
    place = {"xycoords": "axes fraction", "xytext": (0, 7), "textcoords": "offset points", "ha": "right"}
    ax.annotate(key, (1, 1), **place, color=COLOR["soft"], fontsize=8.5)
    places = Places(ax)
    if limit:
        ax.axhspan(bottom / 1.7, limit * scale, color=COLOR["good"], alpha=0.06, lw=0)
        ax.axhline(limit * scale, color=COLOR["good"], lw=1.1)
        words = f"latency target {number(limit * scale)}{NO_BREAK}{unit}"
        spot = (ax.get_xlim()[1], limit * scale)
        places.keep(label(ax, words, spot, "good", dx=-3, dy=8, ha="right", weight=600))
        places.lines(ax.get_xlim(), (limit * scale,) * 2)
    kinds = list(dict.fromkeys(data["precision"]))
    tones = {kind: _TONES[place % len(_TONES)] for place, kind in enumerate(kinds)}
    ranged = high > low
    for kind in kinds:
        own = sorted((row for row, name in enumerate(data["precision"]) if name == kind), key=lambda row: data["batch"][row])
        front = [row for row in own if data["on_the_front"][row] == "yes"]
        ax.plot(x[front], y[front], color=COLOR[tones[kind]], lw=1, alpha=0.6)
        places.lines(x[front], y[front])
        for row in own:
            _point(ax, (x[row], y[row]), tones[kind], data["quality"][row] >= target, row in front)
            places.mark((x[row], y[row]))
        wide = [row for row in own if ranged[row]]
        ax.hlines(y[wide], low[wide], high[wide], color=COLOR[tones[kind]], lw=1.2, alpha=0.7, zorder=3)
        for row in wide:
            places.lines((low[row], high[row]), (y[row],) * 2)
    chosen = columns(known.results["best_points"]).get("point", ["none"])[0] if known.results["best_points"]["rows"] else "none"
    names = [_named(data, row) for row in range(len(x))]
    if chosen in names:
        spot = (x[names.index(chosen)], y[names.index(chosen)])
        ax.plot(*spot, "o", ms=15, mfc="none", mec=COLOR["ink"], mew=1.6, zorder=6)
        places.mark(spot, 17)
    for kind in kinds:
        own = [row for row, name in enumerate(data["precision"]) if name == kind]
        last = max(own, key=lambda row: (data["on_the_front"][row] == "yes", y[row]))
        qualities = {data["quality"][row] for row in own}
        words = kind if len(qualities) > 1 else f"{kind} · {number(qualities.pop())}{NO_BREAK}%"
        places.beside(words, (x[last], y[last]), tones[kind], weight=600)
    if len(x) <= _MANY:
        for row, kind in enumerate(data["precision"]):
            places.beside(number(data["batch"][row]), (x[row], y[row]), tones[kind], fontsize=8)
    if chosen in names:
        places.anywhere(_answer(known, data["point"][names.index(chosen)]), spot, "ink", fontsize=8.8)


def _point(ax, spot, tone, meets, on_front):
    if not on_front:
        ax.plot(*spot, "x", ms=5.5, color=COLOR[tone], mew=1.4, zorder=4)
    else:
        fill, edge = (COLOR[tone], "white") if meets else ("white", COLOR[tone])
        ax.plot(*spot, "o", ms=7.5, color=fill, mec=edge, mew=1.2 if meets else 1.6, zorder=4)


def _named(data, row):
    """A point as the table of the chosen ones names it."""
    return f"{data['point'][row]} ({data['precision'][row]}, batch {data['batch'][row]:g})"


def _answer(known, name):
    energy, ratio = known.results["deployable_energy_per_unit_j"], known.results["slo_price_ratio"]["value"]
    words = f"Chosen: {name}, {number(energy['value'], 3)}{NO_BREAK}J"
    return words if ratio is None else f"{words},\n{number(ratio, 3)}× that without the latency target"


def published_pairs(ax, known):
    """Efficiency at the stricter target over that at the looser: a dot a pair, its shape and colour the hardware."""
    data = columns(known.results["published_pairs"])
    rounds, kinds = (sorted(set(data[name])) for name in ("round", "hardware"))
    ratio = np.array(data["efficiency_ratio"], float)
    tones = dict(zip(kinds, ("optimized", "idle", "accelerator", "rack", "facility", "quoted"), strict=False))
    ax.set(xlim=(-0.5, len(rounds) - 0.45), ylim=(min(0.45, ratio.min() - 0.04), max(1.04, ratio.max() + 0.04)))
    counts = [data["round"].count(name) for name in rounds]
    ax.set_xticks(range(len(rounds)), [f"{name}\nn = {n}" for name, n in zip(rounds, counts, strict=True)], linespacing=1.35)
    ax.tick_params(axis="x", length=0)
    head(ax, "Efficiency at the stricter target / efficiency at the looser;  line: median of five or more")
    places = Places(ax)
    for level, words, tone in ((1.0, "no price", "good"), (0.5, "twice the energy", "caution")):
        ax.axhline(level, color=COLOR[tone], lw=1)
        places.lines(ax.get_xlim(), (level, level))
        places.keep(label(ax, words, (ax.get_xlim()[1], level), tone, dy=-8, ha="right"))
    medians, groups = [], {}
    for at, name in enumerate(rounds):
        own = [row for row, each in enumerate(data["round"]) if each == name]
        lanes = sorted({data["hardware"][row] for row in own})
        for lane, kind in enumerate(lanes):
            rows = [row for row in own if data["hardware"][row] == kind]
            spots = at + _LANE * (lane - (len(lanes) - 1) / 2) + _spread(ratio[rows])
            mark = _MARKS[kinds.index(kind) % len(_MARKS)]
            ax.plot(spots, ratio[rows], mark, ms=4.6, color=COLOR[tones.get(kind, "baseline")], alpha=0.6, mew=0)
            for spot in zip(spots, ratio[rows], strict=True):
                places.mark(spot, 6)
            outer = int((np.argmin if ratio[rows].mean() < ratio[own].mean() else np.argmax)(ratio[rows]))
            groups.setdefault(kind, (spots[outer], ratio[rows][outer]))
        if len(own) >= _FEW:
            medians.append((at, float(np.median(ratio[own]))))
    for at, middle in medians:
        ax.plot([at - 0.3, at + 0.3], [middle, middle], color=COLOR["ink"], lw=2, zorder=3)
        places.lines((at - 0.3, at + 0.3), (middle, middle))
        places.keep(label(ax, f"{middle:.2f}", (at + 0.3, middle), dx=3, weight=600))
    for kind, spot in groups.items():
        places.beside(kind, spot, tones.get(kind, "baseline"), weight=600)


def _spread(ratios):
    """Small repeatable offsets, so that near values stay visible."""
    places = np.empty(len(ratios))
    places[np.argsort(ratios, kind="stable")] = np.resize((0.0, 0.05, -0.05), len(ratios))
    return places


# Height in inches and function of each figure, by the name of the table of results that it shows.
FIGURES = {"point_energies": (4.0, point_energies), "published_pairs": (3.5, published_pairs)}
