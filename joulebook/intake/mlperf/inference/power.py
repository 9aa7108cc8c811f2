"""Figures of an inference run that rest on the meter's log alone."""

from dataclasses import dataclass

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.validity.check import plural
from joulebook.method.meters.integral import integral
from joulebook.method.meters.pieces import Pieces
from joulebook.method.series import Channel

_SECOND_US = 1e6


@dataclass(frozen=True)
class Power:
    """Power and energy in the window of a run.

    Parameters
    ----------
    duration_s : float
        Length of the window. [s]
    n_samples, n_nonpositive : int
        Rows strictly inside, failed reads too; failed reads among them.
    max_gap_s : float or None
        Longest time between two rows inside, failed reads too. [s]
    gap_at : datetime64 or None
        When the longest gap begins.
    interval_s : float or None
        Median time between the valid rows of the log. [s]
    avg_power_w : float
        Mean of the valid rows inside. [W]
    all_rows_avg_power_w : float or None
        Mean of all rows inside, failed reads too; None where one is nan. [W]
    energy_mean_x_duration_j : float
        MLCommons' energy: mean power times duration. [J]
    integral_energy_j : float or None
        Trapezoid of the valid rows, edges interpolated, gaps longer than three median intervals left out. [J]
    coverage : float or None
        Share of the window that the integral covers. [1]
    notes : tuple of str
        What was left out or corrected.
    """

    duration_s: float
    n_samples: int
    n_nonpositive: int
    max_gap_s: float | None
    gap_at: np.datetime64 | None
    interval_s: float | None
    avg_power_w: float
    all_rows_avg_power_w: float | None
    energy_mean_x_duration_j: float
    integral_energy_j: float | None
    coverage: float | None
    notes: tuple = ()


def power_in_window(times, watts, begin, end, shown, hint=None):
    """Figures of the window of a run.

    Parameters
    ----------
    times : ndarray of datetime64[us], shape (n,)
        Time stamps of the meter's log.
    watts : ndarray of float, shape (n,)
        Total power. [W]
    begin, end : datetime64
        The window, on the same clock.
    shown : str
        How the user named the log.
    hint : callable, optional
        Says where the rows may be, when none is inside.

    Returns
    -------
    Power
        The figures.

    Raises
    ------
    InputError
        If no row, or no valid one, lies strictly inside the window.
    """
    notes = []
    since = (times.view(np.int64) - begin.astype(np.int64)) / _SECOND_US
    duration_s = int((end - begin).astype(np.int64)) / _SECOND_US
    steps = since[1:] - since[:-1]
    if steps.size and steps.min() < 0:
        back = int((steps < 0).sum())
        notes.append(f"the meter's time steps back {plural(back, 'time')}: rows sorted by time")
        order = np.argsort(since, kind="stable")
        since, watts = since[order], watts[order]
        steps = np.diff(since)
    first, after = int(since.searchsorted(0.0, "right")), int(since.searchsorted(duration_s, "left"))
    n_samples, valid = max(after - first, 0), watts > 0
    if not n_samples:
        where = f"rows strictly between {stamp(begin)} and {stamp(end)}, on the clock of the load generator"
        raise InputError(Problem("no row lies inside the window from power_begin to power_end", file=shown, field="Time",
                                 value=f"{plural(times.size, 'row')}, {stamp(times.min())} to {stamp(times.max())}",
                                 allowed=f"{where}: {hint() if hint else 'no time zone is ever added'}"))
    if valid.all():
        valid, used = slice(None), watts[first:after]
    else:
        used = watts[first:after][valid[first:after]]
    if not used.size:
        raise InputError(Problem("no valid sample inside the window from power_begin to power_end", file=shown, field="Watts",
                                 value=f"{plural(n_samples, 'row')}, none above 0", allowed="at least one row above 0 W"))
    average_w, gap_s, gap_at = float(used.mean()), None, None
    if n_samples > 1:
        longest = first + int(steps[first:after - 1].argmax())
        gap_s, gap_at = float(steps[longest]), begin + np.timedelta64(round(float(since[longest]) * _SECOND_US), "us")
    failed = n_samples - used.size
    of_all = average_w if not failed else float(watts[first:after].mean())
    energy_j, coverage, interval_s = _integral(since[valid], watts[valid], begin, duration_s, notes)
    return Power(duration_s, n_samples, failed, gap_s, gap_at, interval_s, average_w, None if np.isnan(of_all) else of_all,
                 average_w * duration_s, energy_j, coverage, tuple(notes))


def seconds(difference):
    """Difference of time stamps. [s]"""
    length = difference / np.timedelta64(1, "s")
    return float(length) if length.ndim == 0 else length


def stamp(time):
    """A time stamp in words, to the millisecond."""
    return np.datetime_as_string(time, unit="ms").replace("T", " ")


def _integral(since, watts, begin, duration_s, notes):
    """Energy of the covered part, coverage and median interval, from the valid rows in the order of time."""
    steps = since[1:] - since[:-1]
    if steps.size and steps.min() == 0:
        same = steps == 0
        differ = same & (np.diff(watts) != 0)
        if differ.any():
            first = since[int(np.argmax(differ))]
            notes.append(f"no integral: two values at {stamp(begin + np.timedelta64(round(first * _SECOND_US), 'us'))}")
            return None, None, None
        notes.append(f"{plural(int(same.sum()), 'row')} of the meter repeated: counted once in the integral")
        since, watts = (column[np.concatenate(([True], ~same))] for column in (since, watts))
    if since.size < 2:
        notes.append("no integral: fewer than two valid samples")
        return None, None, None
    pieces = Pieces(Channel("total power", since, watts))
    whole = integral(pieces, 0.0, duration_s)
    return whole.energy_j, whole.coverage, pieces.interval_s
