"""Figure of the topic `carbon`."""

import numpy as np
from matplotlib import ticker

from joulebook.show.known import columns
from joulebook.show.numbers import NO_BREAK, number, rounded
from joulebook.show.style import COLOR, foot, head, label

_TICKS_H = (1, 3, 6, 12, 24, 48, 96, 168)
_MOST_TICKS = 9
_NAME_SHARE = 0.06  # half of a series' name, over the width of the axes
_NOW, _SHIFTED = "baseline", "good"


def carbon_day(ax, known):
    """Intensity of the grid by the hour above; below, the load with flexible work as it runs now and shifted."""
    picture = ax.get_figure()
    ax.remove()
    upper, lower = picture.subplots(2, 1, sharex=True, height_ratios=(1.25, 1))
    data = columns(known.results["carbon_day"])
    hour, length = (np.array(data[name], float) for name in ("hour", "length"))
    edges = np.append(hour, hour[-1] + length[-1])
    now, shifted, standing = (np.array(data[name], float) for name in ("now", "shifted", "standing"))
    for panel in (upper, lower):
        for begin, end in zip(edges[:-1][shifted > 0], edges[1:][shifted > 0], strict=True):
            panel.axvspan(begin, end, color=COLOR[_SHIFTED], alpha=0.09, lw=0)
        panel.set_xlim(edges[0], edges[-1])
    _intensity(upper, data, edges, shifted > 0)
    _load(lower, known, edges, standing, now, shifted)
    _clock(lower, known, data, edges)
    upper.tick_params(axis="x", labelbottom=False, length=0)
    upper.spines["bottom"].set_visible(False)


def _intensity(ax, data, edges, moved):
    """Both series as steps; the marginal in ink, as it decides, its least value in words."""
    series = {name: np.array(data[name], float) for name in ("marginal", "average") if name in data}
    top = max(values.max() for values in series.values()) or 1.0
    tones = {"marginal": ("ink", 1.7), "average": ("soft", 1.2)} if len(series) == 2 else dict.fromkeys(series, ("ink", 1.7))
    for name, values in series.items():
        tone, width = tones[name]
        ax.stairs(values, edges, color=COLOR[tone], lw=width, baseline=None, zorder=3)
    ax.set_ylim(0, top * 1.1)
    main = next(iter(series))
    least = int(np.argmin(series[main]))
    at, low = (edges[least] + edges[least + 1]) / 2, series[main][least]
    words = f"{number(low, 3)} at {data['begin'][least][-5:]}"
    span = edges[-1] - edges[0]
    side = "left" if at < edges[0] + 0.08 * span else "right" if at > edges[-1] - 0.08 * span else "center"
    if low > 0.25 * top:
        label(ax, words, (at, low), dy=-9, ha=side, fontsize=8.8)
    else:
        label(ax, words, (at, low), dy=9, ha=side, fontsize=8.8)
    if len(series) == 2:
        _names(ax, series, tones, edges)
    ax.yaxis.set_major_locator(ticker.MaxNLocator(5))
    head(ax, "Carbon intensity of the grid, g/kWh")


def _names(ax, series, tones, edges):
    """Each series' name where the two are farthest apart, on its outer side."""
    gap = np.abs(series["marginal"] - series["average"])
    inner = (edges[:-1] > edges[0] + 0.05 * np.ptp(edges)) & (edges[1:] < edges[-1] - 0.05 * np.ptp(edges))
    place = int(np.argmax(np.where(inner, gap, -1.0)))
    higher = max(series, key=lambda name: series[name][place])
    for name, values in series.items():
        at = (edges[place] + edges[place + 1]) / 2
        under = values[np.abs((edges[:-1] + edges[1:]) / 2 - at) < _NAME_SHARE * np.ptp(edges)]  # steps that the name spans
        up = name == higher and under.max() < 0.9 * ax.get_ylim()[1]
        label(ax, name, (at, under.max() if up else under.min()), tones[name][0], dy=8 if up else -9, ha="center",
              weight=600 if tones[name][0] == "ink" else 400, fontsize=8.8)


def _load(ax, known, edges, standing, now, shifted):
    """What stands below, flexible work on top of it; now in grey, shifted in green."""
    top = max((standing + now).max(), (standing + shifted).max(), 1e-12)
    width, middle = np.diff(edges), (edges[:-1] + edges[1:]) / 2
    if standing.any():
        ax.stairs(standing, edges, fill=True, color=COLOR["rule"], lw=0)
    gap = 0.88 if len(middle) <= 48 else 1.0
    for values, tone, alpha in ((now, _NOW, 0.55), (shifted, _SHIFTED, 1.0)):
        there = values > 0
        both = (now > 0) & (shifted > 0) & there
        # where both run in one hour they stand side by side, so that neither hides the other
        wide = np.where(both, width / 2, width) * gap
        at = np.where(both, middle + width / 4 * (-1 if tone == _NOW else 1) * gap, middle)
        ax.bar(at[there], values[there], wide[there], standing[there], color=COLOR[tone], alpha=alpha, lw=0, zorder=2)
    cap = next((record["value"] for record in known.inputs if record["name"] == "power_cap_w"), None)
    if cap is not None and cap / 1e3 < 2.2 * top:
        ax.axhline(cap / 1e3, color=COLOR["caution"], lw=1.2, ls=(0, (5, 3)), zorder=1)
        label(ax, f"power cap {number(cap / 1e3, 3)}{NO_BREAK}kW", (edges[-1], cap / 1e3), "caution", dx=-2, dy=-7, ha="right",
              fontsize=8.6)
        top = max(top, cap / 1e3)
    flexible = now.any() or shifted.any()
    ax.set_ylim(0, top * (1.62 if flexible else 1.15))
    ax.yaxis.set_major_locator(ticker.MaxNLocator(3))
    if standing.any():
        begin, end = _longest(standing > 0.16 * top)
        if end > begin and flexible:
            place = (begin + end) // 2
            label(ax, "stays", ((edges[begin] + edges[end]) / 2, standing[place] / 2), "soft", ha="center", fontsize=8.6)
    _totals(ax, known, edges, standing, now, shifted, top)
    head(ax, "Load at the facility, kW" if standing.any() else "Flexible load at the facility, kW")


def _rounded(record):
    """A value with the digits that its range leaves; None where there is none."""
    value, low, high = (record[key] for key in ("value", "low", "high"))
    return None if value is None else rounded(value, low, high) if low is not None else number(value, 4)


def _longest(there):
    """Begin and end of the longest run of true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], there, [False]]).astype(int)))
    runs = edges.reshape(-1, 2)
    return runs[int(np.argmax(runs[:, 1] - runs[:, 0]))] if len(runs) else (0, 0)


def _totals(ax, known, edges, standing, now, shifted, top):
    """What both schedules emit over all windows, in two lines above the load, at the blocks that they name."""
    results, middle = known.results, (edges[:-1] + edges[1:]) / 2
    before, after = (_rounded(results[f"shift_{name}marginal_g"]) for name in ("now_", ""))
    share = results["shift_saved_marginal_share"]["value"]
    spots = []
    if before is not None and now.any():
        spots.append((f"as it runs now: {before}{NO_BREAK}g", now, _NOW))
    if after is not None and shifted.any():
        change = f" ({number(-share * 100, 2)}{NO_BREAK}%)" if share is not None else ""
        spots.append((f"in the cleanest hours: {after}{NO_BREAK}g{change}", shifted, _SHIFTED))
    span, points = edges[-1] - edges[0], 6.0 * 72
    for line, (words, values, tone) in enumerate(reversed(spots)):
        at = float(np.average(middle, weights=values))
        half = span * (len(words) * 4.9 / 2) / points
        at = min(max(at, edges[0] + half), edges[-1] - half)
        label(ax, words, (at, top * (1.5 if line else 1.2)), tone, ha="center", weight=600)


def _clock(ax, known, data, edges):
    """Hours on the clock, so that a day of 23 or 25 hours shows them as they are; days where the picture is long."""
    span, texts = edges[-1] - edges[0], data["begin"]
    ends = [*texts, data["end"][-1]]
    step = next((step for step in _TICKS_H if span / step < _MOST_TICKS), _TICKS_H[-1])
    if step <= 24:
        kept = [place for place, text in enumerate(ends) if text.endswith(":00") and int(text[-5:-3]) % min(step, 24) == 0]
    else:
        midnights = [place for place, text in enumerate(ends) if text.endswith("00:00")]
        kept = midnights[:: step // 24]
    words = [ends[place][-5:].lstrip("0").rjust(4, "0") if step < 24 else ends[place][5:10] for place in kept]
    if kept and kept[-1] == len(ends) - 1 and step < 24 and words[-1] == "0:00":
        words[-1] = "24:00"
    ax.set_xticks([edges[place] for place in kept], words)
    first, last = texts[0][:10], texts[-1][:10]
    zone = next((record["value"] for record in known.inputs if record["name"] == "carbon_timezone"), None)
    foot(ax, f"{first}{'' if first == last else f' to {last}'}{', ' + zone if zone else ' UTC'}")


FIGURES = {"carbon_day": (3.9, carbon_day)}
