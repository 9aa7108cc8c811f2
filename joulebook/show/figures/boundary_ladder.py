"""Figures of the topic `boundary_ladder`."""

from matplotlib.patches import Rectangle

from joulebook.show.known import columns
from joulebook.show.numbers import NO_BREAK, number, rounded
from joulebook.show.style import COLOR, head, label, percent

ROLE = {"accelerator": "accelerator", "node_dc": "modelled", "server": "server", "rack": "rack", "facility": "facility"}
NAME = {"accelerator": "Accelerator", "node_dc": "Node", "server": "Server", "rack": "Rack", "facility": "Facility"}
VARIANTS = ("baseline", "optimized")
_BAR, _PITCH, _GAP = 0.34, 1.3, 0.04
_SAVING, _KEPT, _MIGRATED = 1.29, 1.48, 1.73  # right edges of the columns, in the longest bar
_LEAST_ROWS = 3  # so that bars keep their height
_UNITS = ((1e6, "MJ"), (1e3, "kJ"), (1.0, "J"), (1e-3, "mJ"), (1e-6, "µJ"))  # the largest that leaves the longest bar above one


def boundary_ladder(ax, known):
    """Energy per unit at each boundary, both variants, with what is saved, kept and migrated; hollow where it claims nothing."""
    table = known.results["boundary_ladder"]
    names = [name for name, _ in table["columns"]]
    ladder = [row for row in (dict(zip(names, cells, strict=True)) for cells in table["rows"]) if row["baseline"] is not None]
    migration = columns(known.results["migration"])
    work = known.results["work_baseline"]["value"]
    longest = max(max(row["baseline"], row["optimized"]) for row in ladder)
    scale, unit = next((pair for pair in _UNITS if longest >= pair[0]), _UNITS[-1])
    ladder = [{name: _over(cell, scale) if name.startswith(VARIANTS) else cell for name, cell in row.items()} for row in ladder]
    # The columns of numbers stand clear of the longest bar with its range.
    reach = max(row.get(f"{variant}_high") or row[variant] for row in ladder for variant in VARIANTS)
    for step, row in enumerate(ladder):
        place = migration["boundary"].index(row["boundary"])
        moved = [_over(migration.get(f"migrated_j{end}", {place: None})[place], work * scale) for end in ("", "_low", "_high")]
        for order, variant in enumerate(VARIANTS):
            y = step * _PITCH + order * (_BAR + _GAP)
            _bar(ax, y, ladder[: step + 1], variant)
            if order and moved[0] and moved[0] > 0 and row["verdict"] != "claims nothing":
                left = row[variant] - moved[0]
                ax.barh(y, moved[0], _BAR, left, color="none", edgecolor="white", hatch="////", linewidth=0)
            _end(ax, y, row, variant, reach)
        _beside(ax, step * _PITCH + (_BAR + _GAP) / 2, row, moved, reach, first=step == 0)
    hollow = any(row["verdict"] == "claims nothing" for row in ladder)
    hatched = any(value and value > 0 for value in migration["migrated_j"])
    legend = [*["hatched migrated"] * hatched, *["hollow claims nothing"] * hollow]
    font = {"color": COLOR["soft"], "va": "center", "fontsize": 8.6}
    ax.text(0, -0.92, f"Energy per {known.words['unit']}, {unit}:  pale baseline, full optimized", **font)
    ax.text(0, -0.58, ", ".join(legend), **font)
    for right, words in ((_SAVING, "Saving"), (_KEPT, "Kept"), (_MIGRATED, f"Migrated, {unit}")):
        ax.text(reach * right, -0.58, words, ha="right", **font)
    ax.set(
        xlim=(-reach * 0.21, reach * _MIGRATED), ylim=(max(len(ladder), _LEAST_ROWS) * _PITCH - 0.5, -1.15), yticks=[], xticks=[]
    )
    ax.spines["bottom"].set_visible(False)
    ax.grid(False)


def _over(value, divisor):
    return None if value is None else value / divisor


def _bar(ax, y, rungs, variant):
    """Segments of a rung: what each boundary adds to the one inside it."""
    left = 0.0
    for row in rungs:
        color, pale = COLOR[ROLE[row["boundary"]]], 0.42 if variant == "baseline" else 1
        width, bottom = row[variant] - left, y - _BAR / 2
        if row["verdict"] == "claims nothing":
            ax.add_patch(Rectangle((left, bottom), width, _BAR, fc="none", ec=color, lw=1, ls=(0, (3, 2)), alpha=max(pale, 0.7)))
        else:
            ax.barh(y, width, _BAR, left, color=color, alpha=pale, edgecolor="white", linewidth=0.8)
        left = row[variant]


def _end(ax, y, row, variant, reach):
    """The energy at the end of a bar, with its range."""
    low, high = row.get(f"{variant}_low"), row.get(f"{variant}_high")
    if low is not None:
        ax.plot([low, high], [y, y], color=COLOR["ink"], lw=0.9, marker="|", ms=5, mew=0.9, zorder=4)
    full = variant == "optimized"
    ax.text(
        (high or row[variant]) + reach * 0.014,
        y,
        number(row[variant], 3),
        va="center",
        fontsize=9,
        color=COLOR["ink" if full else "soft"],
        weight=600 if full else 400,
    )


def _beside(ax, y, row, moved, reach, first):
    """Name of a rung at its left; saving, share kept and migrated energy with their ranges at its right."""
    role = ROLE[row["boundary"]]
    ax.text(-reach * 0.02, y, NAME[row["boundary"]], ha="right", va="center", color=COLOR[role], weight=600, fontsize=9.5)
    claims, clear = row["verdict"] != "claims nothing", row["verdict"] != "not distinguishable"
    tone = "ink" if claims and clear else "soft"
    saving, kept = (
        [_over(row.get(f"{name}{end}"), 0.01) for end in ("", "_low", "_high")] for name in ("saving", "saving_retained")
    )
    below = _span(saving[1:]) if clear else "not distinguishable"
    _cell(ax, reach * _SAVING, y, f"{number(saving[0], 3)}{NO_BREAK}%", below, tone, 12 if claims else 9.5)
    _cell(ax, reach * _KEPT, y, "—" if kept[0] is None else f"{number(kept[0], 2)}{NO_BREAK}%", _span(kept[1:]), tone, 9.5)
    if first or moved[0] is None:
        text, tone = "—", "soft"
    else:
        sign = "+" if moved[0] > 0 else ""
        text = f"{sign}{number(moved[0], 2)}"
        crosses = moved[1] is not None and moved[1] <= 0 <= moved[2]
        tone = "soft" if crosses or not claims else "stop" if moved[0] > 0 else "good"
    _cell(ax, reach * _MIGRATED, y, text, _span(moved[1:]) if claims else "", tone, 9.5)


def _span(ends):
    """A range as text; empty where there is none."""
    return " to ".join(rounded(end, *ends) for end in ends) if None not in ends and ends[0] < ends[1] else ""


def _cell(ax, x, y, text, below, tone, size):
    """A value, and in small what stands below it."""
    ax.text(x, y - (0.13 if below else 0), text, ha="right", va="center", color=COLOR[tone], weight=600, fontsize=size)
    ax.text(x, y + 0.27, below, ha="right", va="center", color=COLOR["soft"], fontsize=7.4)


def outside_by_scale(ax, known):
    """Share of the energy outside the accelerators against the number of nodes."""
    data = columns(known.results["outside_by_scale"])
    nodes, share = data["nodes"], data["outside_share"]
    places = range(len(nodes))
    ax.bar(places, share, 0.5, color=COLOR["rack"])
    for x, value, name, part in zip(places, share, data["largest_outside"], data["largest_share"], strict=True):
        label(ax, f"{number(value * 100, 3)}{NO_BREAK}%", (x, value), "ink", dy=16, ha="center", weight=600)
        label(ax, f"{name} {number(part * 100, 3)}{NO_BREAK}%", (x, value), "soft", dy=5, ha="center", fontsize=8.3)
    ax.set_xticks(places, [f"{number(count)} node{'' if count == 1 else 's'}" for count in nodes])
    ax.tick_params(axis="x", length=0)
    ax.set(xlim=(-0.6, len(nodes) - 0.4), ylim=(0, max(max(share) * 1.28, 0.05)))
    percent(ax.yaxis)
    head(ax, "Share of the energy outside the accelerators, and its largest part")


# Height in inches and function of each figure, by the name of the table of results that it shows.
FIGURES = {"boundary_ladder": (3.7, boundary_ladder), "outside_by_scale": (2.4, outside_by_scale)}
