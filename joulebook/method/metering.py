"""Energy from a series of power samples: integration over a window, and what of the window is covered."""

from dataclasses import dataclass

import numpy as np

from joulebook.errors import InputError, Problem

GAP_IN_INTERVALS = 3.0  # a gap longer than this many sampling intervals is never bridged
_ROUNDING = 1e-9  # relative; times are differences of time stamps


@dataclass(frozen=True)
class Integral:
    """Energy of the covered part of a window.

    Parameters
    ----------
    energy_j : float or ndarray
        Energy of the covered part, never scaled up to the window. [J]
    covered_s : float or ndarray
        Length of the covered part. [s]
    window_s : float or ndarray
        Length of the window. [s]
    """

    energy_j: object
    covered_s: object
    window_s: object

    @property
    def coverage(self):
        """Covered share of the window. [1]"""
        return self.covered_s / self.window_s


def sampling_interval(times_s):
    """Median time between successive samples.

    Parameters
    ----------
    times_s : array_like, shape (n,)
        Times of the samples, increasing, n >= 2. [s]

    Returns
    -------
    float
        Median interval. [s]

    Examples
    --------
    >>> sampling_interval([0.0, 1.0, 2.0, 5.0])
    1.0
    """
    return float(np.median(np.diff(_increasing(times_s))))


def longest_bridged_gap(times_s):
    """Longest time between two samples that is still integrated, where none was declared.

    Parameters
    ----------
    times_s : array_like, shape (n,)
        Times of the samples, increasing, n >= 2. [s]

    Returns
    -------
    float
        Three median intervals. [s]

    Examples
    --------
    >>> longest_bridged_gap([0.0, 1.0, 2.0, 7.0])
    3.0
    """
    return GAP_IN_INTERVALS * sampling_interval(times_s)


def energy_of_samples(times_s, power_w, begin_s, end_s, max_gap_s):
    r"""Energy of instantaneous power samples over one window or several.

    Parameters
    ----------
    times_s : array_like, shape (n,)
        Times of the samples, strictly increasing, n >= 2. [s]
    power_w : array_like, shape (n,)
        Power at these times; failed reads taken out before. [W]
    begin_s, end_s : float or array_like, shape (m,)
        Edges of the window or windows, begin before end. [s]
    max_gap_s : float
        Longest time between two samples that is bridged by a straight line. [s]

    Returns
    -------
    Integral
        Energy of the covered part [J], its length [s], that of the window [s].

    Raises
    ------
    InputError
        If times do not increase, a number is missing, lengths differ, a window is not positive or `max_gap_s` is not.

    Notes
    -----
    Between two neighbours that are at most `max_gap_s` apart power is a straight line, so that a whole interval is a
    trapezoid and a window's edge inside it is interpolated:

    .. math:: E = \sum_i \int_{\max(t_i, b)}^{\min(t_{i+1}, e)} P_i + \frac{P_{i+1} - P_i}{t_{i+1} - t_i} (t - t_i)\, dt

    A longer gap adds nothing, and nothing is extrapolated before the first sample or after the last. The energy of a
    window is the difference of one running integral at its two edges, so energies add over any partition of it.

    Examples
    --------
    >>> whole = energy_of_samples([0.0, 1.0, 2.0], [400.0, 400.0, 1000.0], 0.5, 2.5, max_gap_s=3.0)
    >>> whole.energy_j, whole.covered_s, whole.coverage
    (900.0, 1.5, 0.75)
    """
    times = _increasing(times_s)
    power = np.asarray(power_w, dtype=float)
    begin, end = np.asarray(begin_s, dtype=float), np.asarray(end_s, dtype=float)
    if power.shape != times.shape:
        raise InputError(
            Problem("there must be one power for every time", field="power_w", value=power.size, allowed=f"{times.size} values")
        )
    if not np.isfinite(power).all():
        raise InputError(Problem("a power is not a finite number", field="power_w", allowed="failed reads are taken out before"))
    if not (np.isfinite(begin).all() and np.isfinite(end).all() and np.all(begin < end)):
        raise InputError(Problem("a window must begin before it ends", field="begin_s, end_s"))
    if not max_gap_s > 0:
        raise InputError(Problem("must be positive", field="max_gap_s", value=max_gap_s))

    length = np.diff(times)
    bridged = length <= max_gap_s * (1 + _ROUNDING)
    slope = np.diff(power) / length
    energy = np.concatenate(([0.0], np.cumsum(np.where(bridged, (power[:-1] + power[1:]) / 2 * length, 0.0))))
    covered = np.concatenate(([0.0], np.cumsum(np.where(bridged, length, 0.0))))

    def running(edge):
        edge = np.clip(edge, times[0], times[-1])
        i = np.clip(np.searchsorted(times, edge, side="right") - 1, 0, length.size - 1)
        since = np.where(bridged[i], edge - times[i], 0.0)
        return energy[i] + (power[i] + slope[i] * since / 2) * since, covered[i] + since

    (energy_begin, covered_begin), (energy_end, covered_end) = running(begin), running(end)
    window = end - begin
    parts = energy_end - energy_begin, np.minimum(covered_end - covered_begin, window), window
    return Integral(*(float(part) if part.ndim == 0 else part for part in map(np.asarray, parts)))


def _increasing(times_s):
    times = np.asarray(times_s, dtype=float)
    if times.ndim != 1 or times.size < 2:
        raise InputError(Problem("an integral needs at least two samples", field="times_s", value=times.size))
    if not (np.isfinite(times).all() and np.all(np.diff(times) > 0)):
        raise InputError(Problem("times must increase from sample to sample", field="times_s"))
    return times
