"""What an accounting counts of a request's energy, part by part, and the steps from one to another."""

from dataclasses import dataclass, field

import numpy as np

PARTS = ("accelerator", "host", "idle", "network", "overhead")


@dataclass(frozen=True)
class Counted:
    """A request as one accounting counts it.

    Parameters
    ----------
    name : str
        Name of the accounting.
    parts : dict of str to float or ndarray
        Energy of each part that it counts, keys of `PARTS`. [J]
    why : dict of str to str
        Reason of each part that it does not count.
    whole_j : float, optional
        Its energy where it does not tell parts. [J]
    """

    name: str
    parts: dict = field(default_factory=dict)
    why: dict = field(default_factory=dict)
    whole_j: float | None = None

    @property
    def total_j(self):
        """Energy of the request: all that is counted; nan where nothing is. [J]"""
        if self.whole_j is not None:
            return self.whole_j
        return sum(self.parts.values()) if self.parts else np.nan

    def part(self, name):
        """Energy of a part; nan where it is not counted or not told. [J]"""
        return self.parts.get(name, np.nan)


def labelled(of, names, **more):
    """Labels of results that are of the request, whatever the client's own workload is.

    Parameters
    ----------
    of : dict of str to float
        Values of figures.
    names : iterable of str
        Names of results.
    **more : str
        Labels that they have beside, such as a boundary that is not one of a meter.

    Returns
    -------
    dict of str to dict
        Labels by result.
    """
    work = f"dense model of {of['req_parameters']:g}e9 parameters, {of['req_tokens']:g} output tokens"
    labels = {"workload": work, "unit_of_work": "query", "quality": None, "scenario": None, **more}
    return {name: dict(labels) for name in names}


def overheads(it_j, pue):
    """What a facility takes beyond its equipment. [J]

    Examples
    --------
    >>> overheads(100.0, 1.5)
    50.0
    """
    return (pue - 1) * it_j


def column(values):
    """A column of a table out of its cells, each a number or draws of it: cells along the last axis."""
    return np.stack(np.broadcast_arrays(*(np.asarray(value, float) for value in values)), axis=-1)


def parts_table(accountings):
    """A row an accounting: its parts, its total, and why a part is not there.

    Parameters
    ----------
    accountings : sequence of Counted

    Returns
    -------
    dict
        Columns, energies in joules.
    """
    return {
        "accounting | ": [one.name for one in accountings],
        **{f"{part} | J": column([one.part(part) for one in accountings]) for part in PARTS},
        "total | J": column([one.total_j for one in accountings]),
        "not_counted | ": ["; ".join(dict.fromkeys(one.why.values())) for one in accountings],
    }
