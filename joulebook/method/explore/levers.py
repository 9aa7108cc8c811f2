"""What a reader may move: inputs of a topic, and the performance per watt beside what is told."""

from dataclasses import dataclass

from joulebook.method.study import arguments_of

EFFICIENCY = "performance_per_watt_times"  # no input: how many times the units of work a joule, at the same throughput
SHARE = "utilization"
VOLUME = "annual_volume"
_POWERS = ("active_power_w", "idle_power_w")


@dataclass(frozen=True)
class Levers:
    """Inputs that are moved together, all others as they were given.

    Parameters
    ----------
    base : dict of str to value
        Inputs, tables and labels by the names of arguments.
    start : dict of str to float
        What is moved, in order, each with the value that it has on the page.
    """

    base: dict
    start: dict

    def values(self, points):
        """Arguments of calculations at some points.

        Parameters
        ----------
        points : dict of str to ndarray, shape (n,)
            What is moved; what is left out stays where it is.

        Returns
        -------
        dict of str to value

        Notes
        -----
        The utilization is the work over what the servers that there are do at full load. Where a volume of work is given, it
        follows the utilization, and with it the throughput, so that servers are added at the same utilization always.
        """
        values = dict(self.base)
        for name, moved in points.items():
            if name == SHARE and values.get(VOLUME) is not None:
                values[VOLUME] = values[VOLUME] * (moved / self.start[SHARE])
            elif name != EFFICIENCY:
                values[name] = moved
        if "throughput_per_s" in points and values.get(VOLUME) is not None:
            values[VOLUME] = values[VOLUME] * (points["throughput_per_s"] / self.start["throughput_per_s"])
        if EFFICIENCY in points:
            values |= {name: values[name] / points[EFFICIENCY] for name in _POWERS if values.get(name) is not None}
        return values


def levers(study, names, utilization=None):
    """What of some inputs can be moved: numbers above zero that are there.

    Parameters
    ----------
    study : joulebook.method.study.Study
        A study that has run.
    names : sequence of str
        Inputs, and `EFFICIENCY`.
    utilization : float, optional
        Work over what the servers that there are do at full load, where it does not stand among the inputs.

    Returns
    -------
    Levers
    """
    base = arguments_of(study.given)
    told = {EFFICIENCY: 1.0} | ({SHARE: utilization} if base.get(VOLUME) is not None else {})
    start = {name: told[name] if name in told else base.get(name) for name in names}
    return Levers(base, {name: float(value) for name, value in start.items() if isinstance(value, int | float) and value > 0})
