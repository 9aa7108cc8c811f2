"""What may be said of a ladder's numbers: distinguishable, retained, fallen (method, section 2 and Uncertainty)."""

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.method.ranges import interval
from joulebook.method.rungs import VARIANTS

_TINY = 1e-12  # relative; below it two figures differ by rounding only


def drawn_columns(sampled, tables, at):
    """Columns of tables as they were drawn, at the rungs that there are; empty where nothing was drawn.

    Parameters
    ----------
    sampled : dict or None
        Results on draws, by name.
    tables : sequence of str
        Their names.
    at : list of int
        Places of the rungs among the boundaries.

    Returns
    -------
    dict of str to ndarray, shape (draws, rungs)
    """
    columns = {name: item for table in tables for name, item in (sampled or {}).get(table, {}).items()}
    return {name: item[..., at] for name, item in columns.items() if np.ndim(item) == 2}


def ends(values, drawn=None):
    """Coverage interval of values that are draws, or of what was drawn for them; the values alone where nothing was.

    Examples
    --------
    >>> [edge.tolist() for edge in ends(np.array([0.35, 0.18]))]
    [[0.35, 0.18], [0.35, 0.18]]
    """
    many = values if np.ndim(values) == 2 else drawn
    return (values, values) if many is None else interval(many)


def judged(low, high, words):
    """Word for an interval: above zero, below zero, or not distinguishable; without width and at zero, the third word.

    Examples
    --------
    >>> words = ("saves", "takes more", "equal")
    >>> judged(0.1, 0.2, words), judged(-0.2, -0.1, words), judged(-0.1, 0.1, words), judged(0.0, 0.0, words)
    ('saves', 'takes more', 'not distinguishable', 'equal')
    """
    more, less, none = words
    if low > _TINY:
        return more
    if high < -_TINY:
        return less
    return "not distinguishable" if high - low > _TINY else none


def beyond_uncertainty(low):
    """Places of savings whose interval lies above none, innermost first.

    Examples
    --------
    >>> beyond_uncertainty([-0.01, 0.1, 0.08])
    [1, 2]
    """
    return [place for place, edge in enumerate(low) if edge > _TINY]


def retained_from(saved, established):
    """Saving of each rung over that of the innermost which exceeds its uncertainty; nan inside it, or where none does.

    Parameters
    ----------
    saved : ndarray, shape (..., rungs)
        Savings. [1]
    established : list of int
        Places of the rungs whose saving exceeds its uncertainty, innermost first.

    Examples
    --------
    >>> retained_from(np.array([0.35, 0.18]), [0]).round(6).tolist()
    [1.0, 0.514286]
    """
    retained = np.full(np.shape(saved), np.nan)
    if established:
        first = established[0]
        retained[..., first:] = saved[..., first:] / saved[..., first : first + 1]
    return retained


def falls_of(found, added, drawn):
    """What must be said of rungs that lie below the one inside them.

    Parameters
    ----------
    found : joulebook.method.rungs.Ladder
        The ladder.
    added : dict of str to ndarray, shape (rungs,)
        Energy over the rung below, by variant. [J]
    drawn : dict of str to ndarray, shape (draws, rungs)
        The same as drawn.

    Returns
    -------
    list of str
        A warning for each rung that falls within the uncertainty of the difference, else empty.

    Raises
    ------
    InputError
        Naming each rung that falls by more.
    """
    problems, said = [], [""] * len(found.rungs)
    for variant in VARIANTS:
        size = found.total_j(variant)
        _, high = ends(added[variant], drawn.get(f"added_{variant}_j | J"))
        for place in range(1, len(found.rungs)):
            outer, inner = found.rungs[place].boundary, found.rungs[place - 1].boundary
            if added[variant][place] >= -_TINY * size[place]:
                continue
            if high[place] < 0:
                problems.append(
                    Problem(
                        f"falls from {inner} to {outer}, {variant}: an outer boundary holds all that lies inside it",
                        field="energy_j",
                        value=f"{size[place - 1]:g} J, then {size[place]:g} J",
                        allowed="energies that do not fall outward by more than the uncertainty of the difference",
                    )
                )
            else:
                said[place] = f"warning: {variant} falls, within the uncertainty of the difference"
    if problems:
        raise InputError(problems)
    return said


def saving_note(value, drawn, found, place):
    """Where a saving stands, whether it is distinguishable from none, and what was declared of the quality."""
    low, high = interval(drawn) if np.ndim(drawn) else (value, value)
    unclear = "not distinguishable from none" if np.ndim(value) == 0 and low <= 0 <= high and low < high else ""
    return "; ".join(filter(None, (f"at the {found.rungs[place].boundary}", unclear, found.declared)))


def overhead(found, variant):
    """Energy of the facility over that of the IT equipment inside it; None where one of them is not there. [1]"""
    facility, equipment = found.find("facility"), found.find("rack", "server")
    return None if facility is None or equipment is None else facility.energy_j[variant] / equipment.energy_j[variant]


def overhead_note(found):
    """Over which equipment `overhead` is taken, or why it is not available."""
    facility, equipment = found.find("facility"), found.find("rack", "server")
    if facility is None:
        return f"no rung at the facility: {found.absent['facility']}"
    return "neither rack nor server inside the facility" if equipment is None else f"over the {equipment.boundary}"


def settled(difference, total):
    """A difference of totals, 0 where it is no more than the rounding of the totals that it was taken from.

    Parameters
    ----------
    difference, total : float or ndarray
        The difference, and the size of what it was taken from, in one unit.

    Examples
    --------
    >>> float(settled((22.2 - 19.4) - (17.9 - 15.1), 22.2))
    0.0
    """
    return np.where(np.abs(difference) <= _TINY * np.abs(total), 0.0, difference)[()]
