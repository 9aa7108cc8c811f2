"""Figures of the topic `cost_per_token`."""

import numpy as np
from matplotlib import ticker

from joulebook.method.ownership import PARTS
from joulebook.show.known import columns
from joulebook.show.numbers import number, rounded
from joulebook.show.style import COLOR, foot, head, label, percent, plain_log


def cost_by_utilization(ax, known):
    """Energy cost per million against utilization, with the client's own point and the floor of full load."""
    table = known.results["cost_by_utilization"]
    data = {name: np.array(values, float) for name, values in columns(table).items()}
    load, cost = data["utilization"], data["cost_per_million"]
    if "cost_per_million_low" in data:
        ax.fill_between(
            load, data["cost_per_million_low"], data["cost_per_million_high"], color=COLOR["optimized"], alpha=0.14, lw=0
        )
    unit = dict(table["columns"])["cost_per_million"]
    ax.plot(load, cost, color=COLOR["optimized"])
    ax.plot(load[-1], cost[-1], "o", ms=6, color=COLOR["baseline"], mec="white", mew=1.2, zorder=5, clip_on=False)
    label(ax, f"{number(cost[-1], 3)} at full load", (load[-1], cost[-1]), "baseline", dx=-2, dy=-12, ha="right")
    here = known.results["utilization_of_year"]["value"]
    if here:
        at = float(np.exp(np.interp(np.log(here), np.log(load), np.log(cost))))
        ax.axvline(here, color=COLOR["rule"], lw=1.2, zorder=0)
        ax.plot(here, at, "o", ms=8, color=COLOR["idle"], mec="white", mew=1.4, zorder=6, clip_on=False)
        near_right = here > 0.25
        label(
            ax,
            f"you, at {number(here * 100, 3)}\u00a0%: {number(at, 3)}",
            (here, at),
            "idle",
            dx=-8 if near_right else 10,
            dy=14,
            ha="right" if here > 0.6 else "left",
            weight=600,
        )
    ax.set(xscale="log", yscale="log", xlim=(load[0], load[-1]), ylim=(cost[-1] * 0.55, cost[0] * 1.3))
    ticks = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)
    ax.set_xticks(ticks)
    ax.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    percent(ax.xaxis)
    plain_log(ax.yaxis)
    head(ax, f"Energy cost, {unit} (log scale)")
    foot(ax, "Utilization, share of full throughput (log scale)")


def ownership_parts(ax, known):
    """The cost of owning per million as a build-up of its parts, against the price of an API."""
    table = known.results["ownership_parts"]
    data = columns(table)
    parts = list(zip(data["part"], data["cost_per_million"], strict=True))
    whole = known.results["ownership_cost_per_million"]
    role = dict(zip(PARTS, ("marginal", "idle", "rack", "facility", "accelerator", "baseline"), strict=True))
    total = sum(amount for _, amount in parts)
    rival = known.results["api_price_per_million"]["value"]
    reach = max(total, rival or 0, whole["high"] or 0)
    left = 0.0
    for y, (name, amount) in enumerate(parts):
        ax.barh(y, max(amount, reach * 0.0022), 0.58, left, color=COLOR[role[name]])
        if y:
            ax.plot([left, left], [y - 1.29, y + 0.29], color=COLOR["baseline"], lw=0.7)
        label(ax, number(amount, 3), (left + amount, y), dx=6, weight=600)
        left += amount
    last = len(parts)
    ax.barh(last, total, 0.58, color=COLOR["ink"])
    ax.plot([left, left], [last - 1.29, last + 0.29], color=COLOR["baseline"], lw=0.7)
    if whole["low"] is not None:
        ax.plot([whole["low"], whole["high"]], [last, last], color=COLOR["soft"], lw=1.2, marker="|", ms=7, zorder=4)
    label(ax, rounded(total, whole["low"], whole["high"]), (whole["high"] or total, last), dx=6, weight=600, fontsize=10.5)
    if rival:
        ax.axvline(rival, color=COLOR["stop"], lw=1.2, zorder=3)
        ax.annotate(
            f"API {number(rival, 3)}",
            (rival, 1),
            xycoords=("data", "axes fraction"),
            xytext=(-4 if rival > 0.6 * reach else 5, 3),
            textcoords="offset points",
            color=COLOR["stop"],
            weight=600,
            va="bottom",
            ha="right" if rival > 0.6 * reach else "left",
        )
    ax.set_yticks(range(last + 1), [name for name, _ in parts] + ["Total"])
    ax.tick_params(axis="y", labelcolor=COLOR["ink"], pad=6)
    ax.set(xlim=(0, reach * 1.18), ylim=(last + 0.5, -0.55))
    ax.grid(axis="x")
    ax.grid(False, axis="y")
    foot(ax, dict(table["columns"])["cost_per_million"])


# Height in inches and function of each figure, by the name of the table of results that it shows.
FIGURES = {"cost_by_utilization": (3.3, cost_by_utilization), "ownership_parts": (2.8, ownership_parts)}
