"""Phases, requests and meters on one clock; and which channels of the meters make the total."""

from dataclasses import dataclass

import numpy as np

from joulebook.errors import InputError, Problem, Problems
from joulebook.method.meters.pieces import Pieces

WORK = "work"
PHASES = ("setup", "data_loading", "compile", "warmup", WORK, "idle", "checkpoint", "postprocess", "cooldown")


@dataclass(frozen=True)
class Phases:
    """Phases of a run on the clock of the meters, in the order of time.

    Parameters
    ----------
    names : tuple of str
        Name of each window; a phase that was left and taken up again has several.
    begin_s, end_s : ndarray, shape (n,)
        Edges of the windows [begin, end). [s]
    given : bool
        False where the whole record counts as work.
    """

    names: tuple
    begin_s: object
    end_s: object
    given: bool = True

    @property
    def kinds(self):
        """Names of the phases, each once, in the order in which they begin."""
        return tuple(dict.fromkeys(self.names))

    def windows(self, name):
        """Begins and ends of the windows of one phase. [s]"""
        mine = np.array([each == name for each in self.names])
        return self.begin_s[mine], self.end_s[mine]

    def at(self, times_s):
        """Name of the phase at some times, empty between phases."""
        place = np.searchsorted(self.begin_s, times_s, side="right") - 1
        inside = (place >= 0) & (np.asarray(times_s) < self.end_s[place.clip(0)])
        return np.where(inside, np.array(self.names)[place.clip(0)], "")


def phases_on_clock(phases, pieces, origin):
    """Phases of a run, on the clock of its meters.

    Parameters
    ----------
    phases : table with phase, begin and end, or None
        Stamps in UTC, or bare seconds; without any, all that was read counts as work.
    pieces : sequence of joulebook.method.meters.pieces.Pieces
        Channels.
    origin : numpy.datetime64 or None
        Time in UTC that the meters' times count from.

    Returns
    -------
    Phases

    Raises
    ------
    InputError
        If a phase ends before it begins or two overlap, or phases and meters share no clock.
    """
    if phases is None:
        begin, end = min(piece.first_s for piece in pieces), max(piece.last_s for piece in pieces)
        return Phases((WORK,), np.array([begin]), np.array([end]), given=False)
    begin, end = (on_clock(phases[name], origin, "phases_csv") for name in ("begin", "end"))
    order = np.argsort(begin, kind="stable")
    names, begin, end = [str(phases["phase"].iloc[place]) for place in order], begin[order], end[order]
    found = Problems()
    for place in np.flatnonzero(~(begin < end)):
        found.add("a phase must begin before it ends", field="phases_csv", value=names[place])
    for place in np.flatnonzero(begin[1:] < end[:-1] - 1e-9):
        found.add("two phases overlap, and their energy would count twice", field="phases_csv",
                  value=f"{names[place]} and {names[place + 1]}", allowed="phases that follow each other")
    found.stop()
    return Phases(tuple(names), begin, end)


def on_clock(column, origin, field):
    """A column of stamps or bare seconds as seconds on the clock of the meters.

    Raises
    ------
    InputError
        If one side has dates and the other bare seconds.
    """
    dated = getattr(column.dtype, "kind", "") == "M"
    if dated != (origin is not None):
        mine, theirs = ("dates", "bare seconds") if dated else ("bare seconds", "dates")
        what = f"its times are {mine} and those of the meters are {theirs}: they share no clock"
        raise InputError(Problem(what, field=field, allowed="both with dates, or both in bare seconds"))
    if not dated:
        return np.asarray(column, float)
    utc = np.asarray(column.dt.tz_convert(None) if getattr(column.dt, "tz", None) is not None else column, "datetime64[ns]")
    return (utc - np.datetime64(origin, "ns")) / np.timedelta64(1, "s")


@dataclass(frozen=True)
class Chosen:
    """The channels that make the total, and where it stands.

    Parameters
    ----------
    pieces : tuple of Pieces
        Channels that are added.
    others : tuple of Pieces
        Channels at other boundaries.
    boundary : str or None
        Boundary of the total.
    silent : tuple of str
        Channels that are missing: they never read, or too little for an integral.
    reason : str
        Why there is no total, where there is none.
    """

    pieces: tuple
    others: tuple
    boundary: str | None
    silent: tuple = ()
    reason: str = ""


def chosen(meters, boundary, max_gap_s=None):
    """Channels at the boundary of the labels; at the only one that there is where the labels name none.

    Parameters
    ----------
    meters : joulebook.method.series.Meters
        What was read.
    boundary : str or None
        Boundary of the labels.
    max_gap_s : float, optional
        See `joulebook.method.meters.pieces.Pieces`.

    Returns
    -------
    Chosen
        A channel without a boundary stands at that of the labels.
    """
    missing = dict(meters.missing) | {one.name: "too few readings for an integral" for one in meters.channels if not _enough(one)}
    pieces = [Pieces(channel, max_gap_s) for channel in meters.channels if _enough(channel)]
    places, silent = [piece.channel.boundary or boundary for piece in pieces], tuple(missing)
    if boundary is None:
        if len(set(places)) > 1:
            stated = ", ".join(sorted(str(place or "not stated") for place in set(places)))
            reason = f"meters at several boundaries ({stated}): the labels must name the one that counts"
            return Chosen((), tuple(pieces), None, silent, reason)
        boundary = places[0] if places else None
    mine = tuple(piece for piece, place in zip(pieces, places, strict=True) if place == boundary)
    others = tuple(piece for piece, place in zip(pieces, places, strict=True) if place != boundary)
    if mine:
        return Chosen(mine, others, boundary, silent)
    reason = "; ".join(f"{name}: {why}" for name, why in missing.items())
    if others:
        stated = ", ".join(f"{one.channel.name} is at {one.channel.boundary}" for one in others)
        reason = f"no meter at the boundary {boundary}: {stated}"
    return Chosen((), others, boundary, silent, reason or "no channel was read")


def _enough(channel):
    """Whether a channel has readings enough for an integral."""
    return len(channel.times_s) >= (1 if channel.kind == "interval_mean" and channel.interval_s is not None else 2)
