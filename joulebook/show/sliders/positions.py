"""Where sliders can stand: round numbers in even steps, as far as an input may go and is plausible."""

import numpy as np

from joulebook.method.explore.levers import EFFICIENCY, SHARE
from joulebook.plausible import limits, units_per_dollar

TENFOLD = 10.0  # from a tenth to ten times of what is given
EFFICIENCY_TIMES = 5.0
LEAST_SHARE = 0.01  # of utilization, where what is given is not near it
EVEN = 5.0  # below so many times from end to end a slider moves in equal steps, else in equal ratios
STEPS = 100
# Preferred numbers R40 of ISO 3: each about 6 % above the one before.
PREFERRED = (
    1.0, 1.06, 1.12, 1.18, 1.25, 1.32, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.12, 2.24, 2.36, 2.5, 2.65, 2.8, 3.0,
    3.15, 3.35, 3.55, 3.75, 4.0, 4.25, 4.5, 4.75, 5.0, 5.3, 5.6, 6.0, 6.3, 6.7, 7.1, 7.5, 8.0, 8.5, 9.0, 9.5,
)  # fmt: skip


def reach(name, value, given):
    """How far a slider goes.

    Parameters
    ----------
    name : str
        An input, or `EFFICIENCY`.
    value : float
        What it is on the page.
    given : joulebook.inputs.Given
        Inputs of the topic.

    Returns
    -------
    tuple of float
        A tenth to ten times of the value, but no further than the dictionary allows and ``data/plausible.csv`` says,
        utilization to full load and idle power to that of full load; the value is always inside.
    """
    if name == EFFICIENCY:
        return 1 / EFFICIENCY_TIMES, EFFICIENCY_TIMES
    low, high = value / TENFOLD, value * TENFOLD
    if name == SHARE:
        low, high = min(low, LEAST_SHARE), 1.0
    if name == "idle_power_w":
        high = min(high, given.inputs["active_power_w"].value)
    least, most = given.parameters[name].limits if name in given.parameters else (0.0, np.inf)
    low, high = max(low, least), min(high, most)
    for row in limits():
        if row.of == (name,) and not row.over and not row.where:
            per = units_per_dollar().get(given.currency) if row.unit.startswith("USD") else 1.0
            if per is not None:
                low = max(low, -np.inf if row.least is None else row.least * per)
                high = min(high, np.inf if row.most is None else row.most * per)
    return min(low, value), max(high, value)


def positions(value, low, high):
    """Round numbers between two ends, and the value among them.

    Parameters
    ----------
    value, low, high : float
        The value, and the ends, above zero.

    Returns
    -------
    list of float
        Rising.

    Examples
    --------
    >>> positions(1.3, 1.0, 1.4)[:3], positions(0.23, 0.1, 1.0)[13:17], len(positions(5000.0, 500.0, 50000.0))
    ([1.0, 1.005, 1.01], [0.212, 0.224, 0.23, 0.236], 81)
    """
    if high / low < EVEN:
        step = _round_step((high - low) / STEPS)
        found = np.arange(np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9) + 1) * step
    else:
        first, last = (int(np.floor(np.log10(end))) for end in (low, high))
        found = np.array([number * 10.0**power for power in range(first, last + 1) for number in PREFERRED])
        found = found[(found >= low * (1 - 1e-9)) & (found <= high * (1 + 1e-9))]
    found = found[np.abs(found - value) > 1e-9 * value]
    return sorted([*(float(f"{item:.12g}") for item in found), float(value)])


def _round_step(about):
    """The first round number that is not below a step."""
    power = 10.0 ** np.floor(np.log10(about))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= about * (1 - 1e-9))
