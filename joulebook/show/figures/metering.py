"""Figures of the topic `metering`."""

import numpy as np
from matplotlib import ticker
from matplotlib.transforms import blended_transform_factory

from joulebook.show.figures.places import Places
from joulebook.show.known import columns
from joulebook.show.numbers import number, with_unit
from joulebook.show.style import COLOR, foot, head, label, percent
from joulebook.units import SECONDS_PER_HOUR

_WORK, _OTHERS = "work", "baseline"
_LONG_S = 7200.0  # above it a time axis counts hours, above a tenth of it minutes
_NAME_PT = 5.2  # width of a letter of a phase's name


def power_trace(ax, known):
    """Power against time, with the phases above it and the gaps of the work marked."""
    data = columns(known.results["timeline"])
    time, power, low, high = (np.array(data[name], float) for name in ("time_s", "power_w", "smallest_w", "largest_w"))
    windows = columns(known.results["phase_windows"])
    unit, length = _time_unit(max(windows["end"]))
    work = np.array([phase == _WORK for phase in data["phase"]])
    top = np.nanmax(high) if np.isfinite(high).any() else 1.0
    ax.set(xlim=(0, max(windows["end"]) / length), ylim=(min(0.0, np.nanmin(low, initial=0.0)), top * 1.08))
    for inside, tone, width in ((~work, _OTHERS, 1.2), (work, "optimized", 1.3)):
        seen = inside | np.roll(inside, 1) & ~inside & (tone == _OTHERS)
        band = (np.where(inside, edge, np.nan) for edge in (low, high))
        ax.fill_between(time / length, *band, color=COLOR[tone], alpha=0.3, lw=0)
        ax.plot(time / length, np.where(seen, power, np.nan), color=COLOR[tone], lw=width, solid_joinstyle="round")
    ax.fill_between(time / length, 0, np.where(work, power, np.nan), color=COLOR["optimized"], alpha=0.13, lw=0)
    _gaps(ax, known, length)
    _strip(ax, windows, length)
    ax.yaxis.set_major_locator(ticker.MaxNLocator(5))
    ax.yaxis.set_major_formatter(ticker.FuncFormatter(lambda watts, _: f"{watts:,.0f}" if top >= 20 else f"{watts:g}"))
    place = known.results["energy_j"]["labels"]["boundary"]
    head(ax, "Power, W" if place is None else f"Power, W ({place.replace('_', ' ')})", above=27)
    foot(ax, f"Time since the run began, {unit}")
    record = known.results["energy_j"]
    if record["value"] is not None and work.any():
        middle = float(np.median(time[work])) / length
        least = np.nanmin(np.where(work, low, np.nan))
        if least > 0.25 * top:
            said = _joules(record["value"])
            label(ax, f"work: {said}", (middle, 0.14 * top), "optimized", ha="center", weight=600)


def _strip(ax, windows, length):
    """Phases as bars above the axes, named where the name fits; where one does not, all of them in their order."""
    across = blended_transform_factory(ax.transData, ax.transAxes)
    points = ax.get_figure().get_size_inches()[0] * 72 * 0.9
    whole, height, unnamed = max(windows["end"]) / length, 0.075, False
    for phase, begin, end in zip(windows["phase"], windows["begin"], windows["end"], strict=True):
        begin, end = begin / length, end / length
        tone = COLOR["optimized"] if phase == _WORK else COLOR["rule"]
        gap = whole * 0.0012
        ax.fill_between([begin + gap, end - gap], 1.02, 1.02 + height, transform=across, color=tone, lw=0, clip_on=False)
        words = phase.replace("_", " ")
        fits = (end - begin) / whole * points > _NAME_PT * len(words) + 4
        unnamed |= not fits
        if fits:
            font = {"color": COLOR["paper"], "weight": 600} if phase == _WORK else {"color": COLOR["soft"]}
            place = {"transform": across, "ha": "center", "va": "center_baseline", "fontsize": "small"}
            ax.text((begin + end) / 2, 1.02 + height / 2, words, **place, **font)
        if phase == _WORK:
            for edge in (begin, end):
                ax.plot([edge, edge], [0, 1.02], transform=across, color=COLOR["ink"], lw=1.0, clip_on=False)
    if unnamed:
        order = ", ".join(dict.fromkeys(phase.replace("_", " ") for phase in windows["phase"]))
        place = {"xycoords": "axes fraction", "xytext": (0, 27), "textcoords": "offset points", "ha": "right", "va": "bottom"}
        ax.annotate(order, (1, 1), **place, color=COLOR["soft"], fontsize="small")


def _gaps(ax, known, length):
    """Stretches of the work that are not covered; the longest one in words."""
    gaps = columns(known.results["uncovered_windows"])
    if not gaps:
        return
    longest = int(np.argmax(gaps["length"]))
    for begin, end in zip(gaps["begin"], gaps["end"], strict=True):
        ax.axvspan(begin / length, end / length, color=COLOR["stop"], alpha=0.16, lw=0)
    xy = ((gaps["begin"][longest] + gaps["end"][longest]) / 2 / length, 0.5 * ax.get_ylim()[1])
    side, dx = ("right", -6) if xy[0] > 0.75 * ax.get_xlim()[1] else ("left", 6)
    label(ax, f"gap, {number(gaps['length'][longest], 3)}\u00a0s", xy, "stop", ha=side, dx=dx, weight=600)


def peaks(ax, known):
    """Largest mean power by averaging time, beside the largest reading and the average."""
    data = columns(known.results["peak_by_averaging_w"])
    bars = [(f"{number(time, 3)}\u00a0s", power) for time, power in zip(data["averaging"], data["power"], strict=True)]
    single = known.results["peak_power_w"]["value"]
    bars = [("one reading", single), *bars]
    bars = [(words, power) for words, power in bars if power is not None]
    top = max(power for _, power in bars)
    ax.bar(range(len(bars)), [power for _, power in bars], width=0.62, color=COLOR["baseline"])
    average = known.results["average_power_w"]["value"]
    ax.set(xlim=(-0.6, len(bars) - 0.4 + (0.9 if average is not None else 0)), ylim=(0, top * 1.14))
    ax.set_xticks(range(len(bars)), [words for words, _ in bars])
    ax.tick_params(axis="x", length=0)
    for place, (_, power) in enumerate(bars):
        label(ax, number(power, 4), (place, power), "ink", dy=7, ha="center")
    if average is not None:
        ax.axhline(average, color=COLOR["optimized"], lw=1.4, zorder=3)
        spot = {"dy": 14} if average < top / 2 else {"dy": -14}
        said = f"average\n{number(average, 4)}\u00a0W"
        label(ax, said, (len(bars) + 0.46, average), "optimized", ha="right", weight=600, **spot)
    ax.yaxis.set_major_locator(ticker.MaxNLocator(5))
    ax.yaxis.set_major_formatter(ticker.FuncFormatter(lambda watts, _: f"{watts:,.0f}" if top >= 20 else f"{watts:g}"))
    head(ax, "Largest mean power, W")
    foot(ax, "Averaging time, sliding over the work")


def coverage(ax, known):
    """Covered share of each phase by each channel, as dots on a line for each phase."""
    data = columns(known.results["coverage_by_phase"])
    phases, channels = (list(dict.fromkeys(data[name])) for name in ("phase", "channel"))
    limit = next((record["value"] for record in known.inputs if record["name"] == "min_coverage"), None)
    shares = np.array(data["coverage"], float)
    least = min(np.nanmin(shares), 1.0 if limit is None else limit)
    left = max(0.0, 1 - 1.3 * (1 - least)) if least < 1 else 0.9
    ax.set(xlim=(left, 1 + (1 - left) * 0.04), ylim=(len(phases) - 0.4, -0.6))
    ax.set_yticks(range(len(phases)), [phase.replace("_", " ") for phase in phases])
    ax.tick_params(axis="y", length=0)
    ax.hlines(range(len(phases)), left, 1, color=COLOR["rule"], lw=1.0, zorder=1)
    spread = 0.5 / max(len(channels), 1)
    places = {}
    for phase, channel, share in zip(data["phase"], data["channel"], shares, strict=True):
        place = phases.index(phase) + (channels.index(channel) - (len(channels) - 1) / 2) * spread
        tone = COLOR["stop" if limit is not None and share < limit else "optimized"]
        ax.plot(share, place, "o", ms=7, color=tone, mec="white", mew=1.2, zorder=4, clip_on=False)
        places[phase, channel] = (share, place)
    if limit is not None:
        ax.axvline(limit, color=COLOR["caution"], lw=1.2, zorder=2)
    percent(ax.xaxis)
    ax.xaxis.set_major_locator(ticker.MaxNLocator(6))
    ax.grid(False, axis="y")
    dots = "" if len(channels) == 1 else f", a dot for each of {len(channels)} channels"
    head(ax, f"Covered share by phase{dots}")
    foot(ax, "Coverage")
    spots = Places(ax)
    for xy in places.values():
        spots.mark(xy)
    if limit is not None:
        label(ax, f"refused below {number(limit * 100, 4)}\u00a0%", (limit, -0.5), "caution", dx=-5, ha="right", weight=500)
    worst = min(places, key=lambda key: places[key][0])
    if places[worst][0] < 1:
        said = f"{number(places[worst][0] * 100, 4)}\u00a0%"
        spots.beside(said if len(channels) == 1 else f"{worst[1]}: {said}", places[worst], "ink", weight=600)


def _time_unit(seconds):
    """Unit of a time axis and its length. [s]"""
    if seconds > _LONG_S:
        return "h", SECONDS_PER_HOUR
    return ("min", 60.0) if seconds > _LONG_S / 10 else ("s", 1.0)


def _joules(value):
    """An energy in a unit of its size."""
    for size, unit in ((1e9, "GJ"), (1e6, "MJ"), (1e3, "kJ")):
        if abs(value) >= size:
            return with_unit(number(value / size, 4), unit)
    return with_unit(number(value, 4), "J")


FIGURES = {"timeline": (3.3, power_trace), "peak_by_averaging_w": (2.6, peaks), "coverage_by_phase": (2.2, coverage)}
