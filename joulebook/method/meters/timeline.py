"""Phases and meters on one clock, as rows: as many as a page can show, or every reading."""

import numpy as np

from joulebook.method.meters.gaps import extremes
from joulebook.method.meters.integral import integral

FEWEST, MOST = 240, 1000  # rows of a timeline: one for each reading, but for these limits


def timeline(pieces, others, phases, origin):
    """Power over the phases, as so many means as a picture can show.

    Parameters
    ----------
    pieces, others : sequence of joulebook.method.meters.pieces.Pieces
        Channels that make the total, and those beside it.
    phases : joulebook.method.meters.spans.Phases
        Phases.
    origin : numpy.datetime64 or None
        Time in UTC that times count from.

    Returns
    -------
    dict of str to ndarray
        Columns: middle of a row since the first phase begins [s], in UTC where there is a date, phase there, mean power of the
        total with its smallest and largest reading, mean power of each channel; nan where less than half is covered. [W]
    """
    begin, end = phases.begin_s[0], phases.end_s.max()
    count = max(int(np.diff(np.searchsorted(piece.times, [begin, end]))[0]) for piece in pieces)
    edges = np.linspace(begin, end, min(max(count, FEWEST), MOST) + 1)
    middle = (edges[:-1] + edges[1:]) / 2
    means = [_means(piece, edges) for piece in (*pieces, *others)]
    total = np.sum(means[: len(pieces)], axis=0)
    reach = np.array([extremes(piece, edges[:-1], edges[1:]) for piece in pieces])
    low, high = (best(reach[:, i], means[: len(pieces)]).sum(axis=0) for i, best in enumerate((np.fmin, np.fmax)))
    low, high = (np.where(np.isfinite(total), each, np.nan) for each in (low, high))
    table = {"time_s | s": middle - begin} | _utc(middle, origin)
    table |= {"phase": phases.at(middle), "power_w | W": total, "smallest_w | W": low, "largest_w | W": high}
    return table | {f"power_w of {_plain(piece)} | W": mean for piece, mean in zip((*pieces, *others), means, strict=True)}


def readings(pieces, phases, origin):
    """Every reading of every channel with its phase, in the order of time.

    Parameters
    ----------
    pieces, phases, origin
        As in `timeline`.

    Returns
    -------
    dict of str to ndarray
        Columns: time since the first phase begins [s], in UTC where there is a date, phase, channel, power [W]: of a counter the
        mean since the poll before, nan at its first.
    """
    times = np.concatenate([piece.times for piece in pieces])
    order = np.argsort(times, kind="stable")
    names = np.repeat([piece.channel.name for piece in pieces], [piece.times.size for piece in pieces])
    times, power = times[order], np.concatenate([_powers(piece) for piece in pieces])[order]
    table = {"time_s | s": times - phases.begin_s[0]} | _utc(times, origin)
    return table | {"phase": phases.at(times), "channel": names[order], "power_w | W": power}


def _means(piece, edges):
    part = integral(piece, edges[:-1], edges[1:])
    return np.divide(part.energy_j, part.covered_s, out=np.full(edges.size - 1, np.nan), where=part.coverage > 0.5)


def _powers(piece):
    if piece.kind != "counter":
        return piece.values
    return np.concatenate([[np.nan], *(piece.block(first, last)[2] for first, last in piece.blocks())])


def _utc(times, origin):
    if origin is None:
        return {}
    stamps = np.datetime64(origin, "ns") + np.round(times * 1e9).astype("timedelta64[ns]")
    return {"utc": np.char.add(np.datetime_as_string(stamps, unit="ms"), "Z")}


def _plain(piece):
    """Name of a channel as part of the name of a column, where a bar would begin its unit."""
    return piece.channel.name.replace("|", "/")
