"""Figures of published results: every run a dot, then what sums them up; no system is named and none is ranked."""

import numpy as np
from matplotlib import ticker

from joulebook.show.known import columns
from joulebook.show.style import COLOR, foot, label, plain_log

_TONES = {"Offline": "optimized", "Server": "idle", "Interactive": "rack", "SingleStream": "server", "MultiStream": "facility"}
_MARKS = {"Offline": "o", "Server": "D", "Interactive": "^", "SingleStream": "s", "MultiStream": "v"}
_ROW_IN, _EDGE_IN = 0.19, 0.6  # height of a row, and of what stands below and above them
_COUNT_AT = 1.03  # of the width: where the numbers of results stand


def energy_at_throughput(ax, known):
    """Energy per unit of work of every run in Offline and Server: a row a benchmark and scenario."""
    _distribution(ax, known, "energy_at_throughput")


def energy_of_streams(ax, known):
    """The same of runs in SingleStream and MultiStream."""
    _distribution(ax, known, "energy_of_streams")


def _distribution(ax, known, name):
    table, rows = columns(known.results[name]), columns(known.results["published_rows"])
    counts = np.array([text == "yes" for text in rows["counted"]])
    energy = np.array(rows["energy_per_unit"], float)
    keys = list(zip(*(rows[part] for part in ("per", "benchmark", "scenario")), strict=True))
    several = len(set(table["per"])) > 1
    y, ticks, names, heads, last = 0.0, [], [], [], (None, None)
    for at, key in enumerate(zip(*(table[part] for part in ("per", "benchmark", "scenario")), strict=True)):
        per, benchmark, scenario = key
        if per != last[0]:
            y += 0.5 if at else 0
            if several:
                heads.append(len(ticks))
                ticks.append(y)
                names.append(f"J per {per}")
                y += 1
        own = energy[[found == key and counted for found, counted in zip(keys, counts, strict=True)]]
        few = table["median"][at] is None
        ax.plot(own, y + (np.zeros(len(own)) if few else _spread(own)), _MARKS[scenario], ms=4.4 if few else 3.2,
                color=COLOR[_TONES[scenario]], alpha=0.8 if few else 0.42, mew=0)
        if not few:
            low, mid, high = (table[part][at] for part in ("lower_quartile", "median", "upper_quartile"))
            ax.plot([low, high], [y, y], color=COLOR["ink"], lw=1.1, solid_capstyle="butt")
            ax.plot([mid, mid], [y - 0.34, y + 0.34], color=COLOR["ink"], lw=2.2, solid_capstyle="butt")
        _write(ax, _COUNT_AT, y, f"{table['results'][at]:.0f}", ha="right", color="soft")
        ticks.append(y)
        names.append(f"{'' if (per, benchmark) == last else benchmark + '  '}{scenario}")
        last = (per, benchmark)
        y += 1
    _write(ax, _COUNT_AT, -1, "n", ha="right", color="soft")
    _name_rows(ax, ticks, names, heads)
    for tick, name in zip(ax.get_yticklabels(), names, strict=True):
        tick.set_color(COLOR[_TONES.get(name.split("  ")[-1], "ink")])
    ax.set(xscale="log", ylim=(y - 0.4, -1.3))
    ax.figure.set_figheight(_ROW_IN * (y + 1) + _EDGE_IN)
    plain_log(ax.xaxis)
    foot(ax, "Energy at the server, J per unit of work (log scale);  bar: median, line: middle half of five or more")


def rankings(ax, known):
    """Agreement of the ranking by performance with that by performance per watt: a dot a group, by scenario."""
    data = columns(known.results["rankings"])
    tau = np.array([np.nan if value is None else value for value in data["rank_correlation"]], float)
    scenarios = [name for name in _TONES if name in set(data["scenario"])]
    ax.axvline(0, color=COLOR["soft"], lw=1)
    for y, scenario in enumerate(scenarios):
        own = tau[[name == scenario for name in data["scenario"]]]
        own = own[np.isfinite(own)]
        ax.plot(own, y + _spread(own), _MARKS[scenario], ms=5, color=COLOR[_TONES[scenario]], alpha=0.55, mew=0, clip_on=False)
        if len(own) >= 5:
            low, mid, high = np.percentile(own, (25, 50, 75))
            ax.plot([low, high], [y, y], color=COLOR["ink"], lw=1.1, solid_capstyle="butt")
            ax.plot([mid, mid], [y - 0.3, y + 0.3], color=COLOR["ink"], lw=2.2, solid_capstyle="butt")
        _write(ax, _COUNT_AT, y, f"{len(own)}", ha="right", color="soft")
    _write(ax, _COUNT_AT, -0.75, "n", ha="right", color="soft")
    for x, words in ((-1, "opposed"), (0, "unrelated"), (1, "the same ranking")):
        side = {-1: "left", 0: "center", 1: "right"}[x]
        label(ax, words, (x, -0.75), "soft", ha=side)
    _name_rows(ax, range(len(scenarios)), scenarios, ())
    ax.set(xlim=(-1.02, 1.02), ylim=(len(scenarios) - 0.45, -1.1))
    foot(ax, "Rank correlation of performance and performance per watt (Kendall's tau-b);  bar: median, line: middle half")


def changes_by_workload(ax, known):
    """What a change gains in each workload: every pair a dot, then the median with its interval."""
    data, pairs = columns(known.results["changes_by_workload"]), columns(known.results["changed_pairs"])
    gain, keys = np.array(pairs["gain"], float), list(zip(pairs["change"], pairs["workload"], strict=True))
    low, high = (data.get(f"median_gain_{end}", [None] * len(data["change"])) for end in ("low", "high"))
    y, ticks, names, heads = 0.0, [], [], []
    ax.axvline(1, color=COLOR["soft"], lw=1)
    for change in columns(known.results["changes"])["change"]:
        heads.append(len(ticks))
        ticks.append(y)
        names.append(change[0].upper() + change[1:])
        for row in (at for at, name in enumerate(data["change"]) if name == change):
            y += 1
            own = gain[[key == (change, data["workload"][row]) for key in keys]]
            few = low[row] is None
            ax.plot(own, y + (np.zeros(len(own)) if few else _spread(own)), "o", ms=4.4 if few else 3.2, color=COLOR["optimized"],
                    alpha=0.8 if few else 0.42, mew=0)
            if not few:
                middle = data["median_gain"][row]
                ax.plot([low[row], high[row]], [y, y], color=COLOR["ink"], lw=1.1, solid_capstyle="butt")
                ax.plot([middle, middle], [y - 0.34, y + 0.34], color=COLOR["ink"], lw=2.2, solid_capstyle="butt")
            _write(ax, _COUNT_AT, y, f"{data['pairs'][row]:.0f}", ha="right", color="soft")
            ticks.append(y)
            names.append(data["workload"][row])
        y += 1.3
    _write(ax, _COUNT_AT, 0, "n", ha="right", color="soft")
    _name_rows(ax, ticks, names, heads)
    ax.set(xscale="log", ylim=(y - 0.8, -0.7))
    ax.figure.set_figheight(_ROW_IN * (y + 1) + _EDGE_IN)
    plain_log(ax.xaxis)
    ax.xaxis.set_major_locator(ticker.LogLocator(subs=(1, 1.2, 1.5, 2, 3, 5)))
    foot(ax, "Performance per watt after / before (log scale);  bar: median, line: its 95 % interval, from five pairs")


def _name_rows(ax, ticks, names, heads):
    """Name the rows, those that head others in bold; the grid is that of the horizontal axis."""
    ax.set_yticks(ticks, names)
    ax.tick_params(axis="y", length=0, pad=5, labelcolor=COLOR["ink"])
    for at in heads:
        ax.get_yticklabels()[at].set_weight(600)
    ax.grid(True, axis="x")
    ax.grid(False, axis="y")


def _write(ax, x, y, words, **font):
    """Write beside the rows: `x` in widths of the axes, `y` in rows."""
    font = {"color": "ink", "ha": "left", **font}
    ax.text(x, y, words, transform=ax.get_yaxis_transform(), va="center", **{**font, "color": COLOR[font["color"]]})


def _spread(values):
    """Small repeatable offsets, so that near values stay visible."""
    places = np.empty(len(values))
    places[np.argsort(values, kind="stable")] = np.resize((0.0, 0.2, -0.2, 0.1, -0.1), len(values))
    return places


# Height in inches and function of each figure, by the name of the table of results that it shows; those with a row for each
# group of results grow with them.
FIGURES = {
    "energy_at_throughput": (8.6, energy_at_throughput),
    "energy_of_streams": (2.9, energy_of_streams),
    "rankings": (2.4, rankings),
    "changes_by_workload": (6.4, changes_by_workload),
}
