"""What a meter read: channels of samples on one clock, with all that is known of where and how they were taken."""

from dataclasses import dataclass, field

KINDS = ("instantaneous", "interval_mean", "on_change", "counter")


@dataclass(frozen=True)
class Accuracy:
    """What is known of a meter's fidelity; None where it is not known.

    Parameters
    ----------
    of_reading_pct, of_range_pct : float or None
        Limit of error as printed: a percentage of the reading and one of the range. [%]
    range_w : float or None
        The range that `of_range_pct` is a share of. [W]
    resolution_w : float or None
        Step of the display or of the file. [W]
    seen_share : float or None
        Share of the time that the sensor looks at; the rest it does not see. [1]
    averaging_s : float or None
        Length of the mean that a reading is, ending at its stamp, where it is known. [s]
    stamp_step_s : float or None
        Step of the time stamps, such as 1 for whole seconds. [s]
    """

    of_reading_pct: float | None = None
    of_range_pct: float | None = None
    range_w: float | None = None
    resolution_w: float | None = None
    seen_share: float | None = None
    averaging_s: float | None = None
    stamp_step_s: float | None = None


@dataclass(frozen=True)
class Channel:
    """What one channel of a meter read.

    Parameters
    ----------
    name : str
        Its name, such as ``wall`` or ``gpu 0``; unique among the channels that are read together.
    times_s : ndarray of float, shape (n,)
        Times of the readings on the common clock, strictly increasing; empty where nothing was read. [s]
    values : ndarray of float, shape (n,)
        Power, or of a counter the register as it stood. [W, counter J]
    kind : str
        One of `KINDS`; interval means are stamped at their end.
    boundary : str or None
        One of `joulebook.results.BOUNDARIES`.
    scope : str or None
        What of the machine it covers, such as ``package``, ``dram``, ``module`` or ``gpu``; None where it does not say.
    interval_s : float, ndarray of float of shape (n,), or None
        Length of an interval mean, where it is declared, or of each where they differ; the median interval else. [s]
    counter_range_j : float or None
        The energy at which a counter begins again at 0. [J]
    rows : int
        Rows of the files that belong to this channel.
    left_out : dict of str to int
        Rows that were not used, by reason.
    time_base : str
        The clock of the stamps, in words, such as ``UTC`` or ``Europe/Berlin``.
    accuracy : Accuracy
        What is known of its fidelity.
    notes : tuple of str
        What must be said of it beside its numbers.
    host : str or None
        The machine that it belongs to; None where it does not say.
    """

    name: str
    times_s: object
    values: object
    kind: str = "instantaneous"
    boundary: str | None = None
    scope: str | None = None
    interval_s: object = None
    counter_range_j: float | None = None
    rows: int = 0
    left_out: dict = field(default_factory=dict)
    time_base: str = "seconds of the file"
    accuracy: Accuracy = field(default_factory=Accuracy)
    notes: tuple = ()
    host: str | None = None


@dataclass(frozen=True)
class Meters:
    """Channels that were read together, on one clock.

    Parameters
    ----------
    channels : tuple of Channel
        The channels, in the order they were declared.
    origin : numpy.datetime64 or None
        Time in UTC that `times_s` counts from; None where the files give bare seconds and no date.
    missing : dict of str to str
        Channels that the files name but never read, and why: they are missing, not 0.
    """

    channels: tuple
    origin: object = None
    missing: dict = field(default_factory=dict)
