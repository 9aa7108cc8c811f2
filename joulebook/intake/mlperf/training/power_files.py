"""The power files of a training run: a node's readings, and a switch's estimate."""

from dataclasses import dataclass

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.logs.events import parse_events
from joulebook.intake.mlperf.logs.text import MOST_W

_NODE_KEYS = ("power_measurement_start", "conversion_eff", "power_reading", "power_measurement_stop")
_WATTS = f"a number of watts, at least 0 and at most {MOST_W:g}"
_LEAST_EFFICIENCY = 0.01
_SWITCH_KEYS = ("conversion_eff", "interconnect_power_est", "power_reading")


@dataclass(frozen=True)
class Node:
    """What a node's meter read.

    Parameters
    ----------
    times_s : ndarray of float, shape (n,)
        Times of the readings since 1970, in order; a time may repeat. [s]
    power_w : ndarray of float, shape (n,)
        Power as read. [W]
    start_s, stop_s : float
        Measurement window. [s]
    conversion_eff : float or None
        Efficiency of the supply, by which AC readings become DC power; None where the file states none. [1]
    measured : str or None
        What the file says was read, such as ``AC``.
    notes : tuple of str
        What was corrected.
    """

    times_s: np.ndarray
    power_w: np.ndarray
    start_s: float
    stop_s: float
    conversion_eff: float | None
    measured: str | None
    notes: tuple = ()

    def energy_j(self, time_to_train_s):
        r"""Energy behind the supply over the time to train, as MLCommons adds it.

        Parameters
        ----------
        time_to_train_s : float
            From the training log. [s]

        Returns
        -------
        float
            Energy. [J]

        Notes
        -----
        .. math:: E = \eta \sum_i P_i (t_i - t_{i-1})\; T / (t_{stop} - t_{start}), \quad t_0 = t_{start}
        """
        steps = np.diff(self.times_s, prepend=self.start_s)
        efficiency = 1.0 if self.conversion_eff is None else self.conversion_eff
        return efficiency * float(self.power_w @ steps) * time_to_train_s / (self.stop_s - self.start_s)

    def longest_gap_s(self):
        """Longest time between two readings, or between one and an edge of the measurement. [s]"""
        return float(np.diff(self.times_s, prepend=self.start_s, append=self.stop_s).max())


@dataclass(frozen=True)
class Switch:
    """What is stated of a switch.

    Parameters
    ----------
    estimate_w : float or None
        Estimated power; None where the file states none. [W]
    conversion_eff : float or None
        Efficiency of its supply. [1]
    readings_w : ndarray of float
        Readings, which MLCommons does not use. [W]
    first_s, last_s : float or None
        Times of the first and of the last reading. [s]
    """

    estimate_w: float | None
    conversion_eff: float | None
    readings_w: np.ndarray
    first_s: float | None
    last_s: float | None

    def energy_j(self, time_to_train_s):
        """Energy behind the supply over the time to train; nothing is added without an estimate. [J]"""
        return (self.conversion_eff or 1.0) * (self.estimate_w or 0.0) * time_to_train_s


def parse_node(data, shown):
    r"""Read a node's power file.

    Parameters
    ----------
    data : bytes
        Content of ``node_K.txt``.
    shown : str
        How the user named the file.

    Returns
    -------
    Node
        Its readings.

    Raises
    ------
    InputError
        If the start or every reading is missing, a number is not allowed, or stop is not after start, naming the line.

    Examples
    --------
    >>> line = ':::MLLOG {{"key": "{}", "value": {}, "time_ms": {}}}\n'
    >>> rows = ("power_measurement_start", "null", 0), ("power_reading", 100, 1000), ("power_measurement_stop", "null", 2000)
    >>> parse_node("".join(line.format(*row) for row in rows).encode(), "node_0.txt").energy_j(2.0)
    100.0
    """
    events = sorted(parse_events(data, shown, _NODE_KEYS), key=lambda event: event.time_s)
    start = next((event for event in events if event.key == "power_measurement_start"), None)
    if start is None:
        raise InputError(Problem("power_measurement_start is missing", file=shown, field="power_measurement_start"))
    after = events[events.index(start) + 1:]
    stop = next((event for event in after if event.key == "power_measurement_stop"), None)
    readings = [event for event in (after if stop is None else after[:after.index(stop)]) if event.key == "power_reading"]
    if not readings:
        raise InputError(Problem("no power_reading between start and stop", file=shown, field="power_reading"))
    wrong = [_not_allowed(event, shown, _WATTS) for event in readings if not _power(event.value)]
    if wrong:
        raise InputError(wrong[:10])
    stop_s = readings[-1].time_s if stop is None else stop.time_s
    if stop_s <= start.time_s:
        raise InputError(Problem("the measurement does not stop after it starts", file=shown, line=(stop or readings[-1]).line,
                                 field="power_measurement_stop"))
    efficiency, measured = _efficiency(events, shown)
    notes = () if stop else ("power_measurement_stop is missing: the last reading stands for it, as MLCommons takes it",)
    return Node(np.array([event.time_s for event in readings]), np.array([float(event.value) for event in readings]),
                start.time_s, stop_s, efficiency, measured, notes)


def parse_switch(data, shown):
    r"""Read a switch's power file.

    Parameters
    ----------
    data : bytes
        Content of ``sw_K.txt``.
    shown : str
        How the user named the file.

    Returns
    -------
    Switch
        What it states.

    Raises
    ------
    InputError
        If an estimate or the efficiency is not allowed, naming the line, or the file holds neither estimate nor reading.

    Examples
    --------
    >>> parse_switch(b':::MLLOG {"key": "interconnect_power_est", "value": 500, "time_ms": 0}\n', "sw_0.txt").energy_j(2.0)
    1000.0
    """
    events = parse_events(data, shown, _SWITCH_KEYS)
    estimate = next((event for event in events if event.key == "interconnect_power_est"), None)
    readings = [event for event in events if event.key == "power_reading" and _power(event.value)]
    if estimate is None and not readings:
        raise InputError(Problem("neither estimate nor reading of a switch", file=shown, allowed="interconnect_power_est"))
    if estimate is not None and not _power(estimate.value):
        raise InputError(_not_allowed(estimate, shown, _WATTS))
    efficiency, _ = _efficiency(events, shown)
    times = [event.time_s for event in readings]
    return Switch(None if estimate is None else float(estimate.value), efficiency,
                  np.array([float(event.value) for event in readings]), min(times, default=None), max(times, default=None))


def _efficiency(events, shown):
    """Efficiency of the supply, and what was measured; the last one counts, as MLCommons takes it."""
    stated = [event for event in events if event.key == "conversion_eff"]
    if not stated:
        return None, None
    if not (_number(stated[-1].value) and _LEAST_EFFICIENCY <= stated[-1].value <= 1):
        raise InputError(_not_allowed(stated[-1], shown, f"from {_LEAST_EFFICIENCY:g} to 1"))
    measured = stated[-1].metadata.get("measurement_type")
    return float(stated[-1].value), measured if isinstance(measured, str) else None


def _not_allowed(event, shown, allowed):
    return Problem("not allowed", file=shown, line=event.line, field=event.key, value=event.value, allowed=allowed)


def _power(value):
    return _number(value) and 0 <= value <= MOST_W


def _number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)
