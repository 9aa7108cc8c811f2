"""Rows of a channel in the order of time: sorted, copies dropped and counted, contradictions refused."""

import numpy as np

from joulebook.intake.checks import refuse

COPY = "identical copy"
_CHUNK = 1 << 20


def in_order(ns, values, begins, shown, base):
    """Rows in the order of time.

    Parameters
    ----------
    ns, values, begins : ndarray
        Times, values, and begins of intervals (None where there are none).
    shown : str
        How to name the channel in an error.
    base : callable
        Makes a text of a time.

    Returns
    -------
    ns, values, begins : ndarray
        Times strictly increasing.
    copies : int
        Identical rows that were dropped.
    unordered : int
        Rows that stood before a row of an earlier time.

    Raises
    ------
    InputError
        If two rows of one time have different values.

    Examples
    --------
    >>> ns, values = np.array([2, 0, 1, 1]), np.array([3.0, 1.0, 2.0, 2.0])
    >>> [part.tolist() if hasattr(part, "tolist") else part for part in in_order(ns, values, None, "wall", str)]
    [[0, 1, 2], [1.0, 2.0, 3.0], None, 1, 1]
    """
    unordered, same = 0, 0
    for start in range(0, ns.size - 1, _CHUNK):
        part = ns[start : start + _CHUNK + 1]
        unordered += int((part[1:] < part[:-1]).sum())
        same += int((part[1:] == part[:-1]).sum())
    if not unordered and not same:
        return ns, values, begins, 0, 0
    if unordered:
        order = np.argsort(ns, kind="stable")
        ns, values = ns[order], values[order]
        begins = begins[order] if begins is not None else None
    again = np.concatenate(([False], ns[1:] == ns[:-1]))
    differ = again & np.concatenate(([False], values[1:] != values[:-1]))
    if begins is not None:
        differ |= again & np.concatenate(([False], begins[1:] != begins[:-1]))
    if differ.any():
        row = int(np.flatnonzero(differ)[0])
        pairs = int(differ.sum())
        refuse(
            f"two different values at one time{f', and {pairs - 1} more such pairs' if pairs > 1 else ''}: {base(ns[row])}",
            file=shown,
            value=f"{values[row - 1]:g} and {values[row]:g}",
            allowed="one value for each time and channel; declare channel_column where the rows are of several channels",
        )
    return ns[~again], values[~again], begins[~again] if begins is not None else None, int(again.sum()), unordered
