"""What is known of a meter's fidelity, as limits of an energy."""

import numpy as np

from joulebook.method.uncertainty import meter_limit
from joulebook.units import PERCENT


def limit_w(accuracy, power_w):
    """Limit of error of a power as printed: a percentage of the reading and one of the range.

    Parameters
    ----------
    accuracy : joulebook.method.series.Accuracy
        The meter's.
    power_w : float or ndarray
        Power that was read. [W]

    Returns
    -------
    float or ndarray
        Half the width of the rectangular range; nan where nothing is printed or the range is not known. [W]

    Examples
    --------
    >>> from joulebook.method.series import Accuracy
    >>> meter = Accuracy(of_reading_pct=0.1, of_range_pct=0.1, range_w=5000.0)
    >>> limit_w(meter, 1000.0).round(6).tolist(), limit_w(meter, 400.0).round(6).tolist()
    (6.0, 5.4)
    """
    reading, of_range = accuracy.of_reading_pct, accuracy.of_range_pct
    if (reading is None and of_range is None) or (of_range and accuracy.range_w is None):
        return np.nan * power_w
    return meter_limit(power_w, reading or 0.0, of_range or 0.0, accuracy.range_w or 0.0)


def energy_limit(accuracy, energy_j, seconds):
    """Limit of error of an energy by `limit_w`: all of it may lie on one side. [J]"""
    return limit_w(accuracy, np.asarray(energy_j) / seconds) * seconds


def resolution_limit(accuracy, seconds):
    """Limit of error by the step of the display: half a step all the time; nan where it is not known. [J]"""
    return (np.nan if accuracy.resolution_w is None else accuracy.resolution_w / 2) * np.asarray(seconds)


def unseen_limit(accuracy, energy_j, seconds):
    """Limit of error by what the sensor does not look at.

    Parameters
    ----------
    accuracy : joulebook.method.series.Accuracy
        The meter's, with its `seen_share`; `range_w` is the most that it can read.
    energy_j : float or ndarray
        Energy by what it sees. [J]
    seconds : float or ndarray
        Time of that energy. [s]

    Returns
    -------
    float or ndarray
        In the time that it does not see power may be 0 or all of the range: the larger of both differences. nan where the sensor
        sees all, and where the range is not known, as its own readings say nothing of what it missed. [J]

    References
    ----------
    .. [1] Yang, Adamek, Armour: Part-time power measurements, arXiv:2312.02741.

    Examples
    --------
    >>> from joulebook.method.series import Accuracy
    >>> float(unseen_limit(Accuracy(seen_share=0.25, range_w=400.0), 24000.0, 60.0))
    18000.0
    """
    if accuracy.seen_share is None or accuracy.seen_share >= 1:
        return np.full_like(np.asarray(energy_j, float), np.nan)
    most = np.nan if accuracy.range_w is None else accuracy.range_w * np.asarray(seconds)
    return (1 - accuracy.seen_share) * np.maximum(energy_j, most - energy_j)


def fidelity_notes(channel):
    """What must be said of a channel's fidelity where no number can carry it.

    Returns
    -------
    list of str
        Sentences without a full stop.
    """
    known, said = channel.accuracy, []
    if known.of_reading_pct is None and known.of_range_pct is None:
        said.append("its accuracy is not stated")
    elif known.of_range_pct and known.range_w is None:
        said.append("its accuracy is a share of a range that is not stated")
    if known.seen_share is not None and known.seen_share < 1:
        share = f"the sensor looks at {known.seen_share * PERCENT:g} % of the time and is not corrected"
        bound = "what it misses is in the uncertainty" if known.range_w else "what it misses is not in the uncertainty"
        said.append(f"{share}; {bound}: prefer a wall meter or an energy counter")
    if known.averaging_s:
        said.append(f"a reading is the mean of the {known.averaging_s:g} s before its stamp")
    if known.stamp_step_s:
        said.append(f"its stamps come in steps of {known.stamp_step_s:g} s")
    return said
