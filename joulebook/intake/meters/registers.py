"""Registers of counters: rows that are wrong, falls that are wraps, and resets."""

import numpy as np

from joulebook.intake.checks import refuse

DIP = "register briefly at 0"
_NS = 1e9  # in a second
_FAR = 3.0  # times the largest power between other rows: a wrap does not stand out so
BELOW = "register below what it was before and after"


def checked(times_ns, register_j, declaration, limit_j, shown, when):
    """The rows of a counter that can be used.

    Parameters
    ----------
    times_ns, register_j : ndarray of int64, ndarray of float
        Times, increasing, and the register. [ns, J]
    declaration : Declaration
        With `on_fall` and `range_w`.
    limit_j : float or None
        Where the register begins again at 0. [J]
    shown : str
        How to name the channel in an error.
    when : callable
        Makes a text of a time in nanoseconds.

    Returns
    -------
    kept : ndarray of bool
        Rows that are right.
    register_j : ndarray of float
        The register of the rows that are kept; after resets it goes on from where it was. [J]
    limit_j : float or None
        Where the register that is given back begins again at 0. [J]
    left_out : dict of str to int
        Rows that are wrong, by reason.
    notes : tuple of str
        What must be said of it.

    Notes
    -----
    A register that shows 0 and then goes on at or above what it was before did not begin again: the rows at 0 are wrong.
    Taken for a reset, the recovery would count the whole register.
    """
    left_out, notes = {}, []
    if np.any(register_j < 0):
        row = int(np.flatnonzero(register_j < 0)[0])
        refuse(f"a register below 0 at {when(times_ns[row])}", file=shown, value=float(register_j[row]), allowed="0 or more")
    if limit_j is not None and np.any(register_j > limit_j):
        row = int(np.flatnonzero(register_j > limit_j)[0])
        refuse(
            f"a register above its range at {when(times_ns[row])}",
            file=shown,
            field="counter_range",
            value=float(register_j[row]),
            allowed=f"at most {limit_j:g} J",
        )
    kept = ~_dips(register_j)
    if not kept.all():
        left_out[DIP] = int((~kept).sum())
    if limit_j is None and declaration.on_fall == "bad_row":
        below = kept & (register_j < np.maximum.accumulate(np.where(kept, register_j, 0)))
        if below.any():
            left_out[BELOW] = int(below.sum())
            kept &= ~below
    times, register = (times_ns, register_j) if kept.all() else (times_ns[kept], register_j[kept])  # a year is not copied
    falls = np.flatnonzero(register[1:] < register[:-1])
    if not falls.size:
        return kept, register, limit_j, left_out, tuple(notes)
    first = int(falls[0])
    more = f", and {falls.size - 1} more times" if falls.size > 1 else ""
    if limit_j is None and declaration.on_fall != "reset":
        refuse(
            f"the register falls at {when(times[first + 1])}{more}: it wrapped, was reset, or a row is wrong",
            file=shown,
            value=f"{register[first]:g} J, then {register[first + 1]:g} J",
            field="counter_range or on_fall",
            allowed="counter_range with its unit; or on_fall: reset or bad_row",
        )
    resets = falls if limit_j is None else _unlikely(times, register, limit_j, falls, declaration.range_w)
    if falls.size > resets.size:
        notes.append(f"the register wrapped {falls.size - resets.size} times, at {limit_j:g} J")
    if resets.size and declaration.on_fall != "reset":
        row = int(resets[0])
        power = (register[row + 1] + limit_j - register[row]) / (times[row + 1] - times[row]) * _NS
        refuse(
            f"the register falls at {when(times[row + 1])}; a wrap would be {power:.4g} W, far above the rest: a reset, or a "
            "wrong row",
            file=shown,
            value=f"{register[row]:g} J, then {register[row + 1]:g} J",
            field="on_fall",
            allowed="on_fall: reset; or range_w, where so much can have flowed",
        )
    if resets.size:
        rise = np.diff(register)
        rise[np.setdiff1d(falls, resets)] += limit_j or 0.0
        rise[resets] = register[resets + 1]
        register, limit_j = register[0] + np.concatenate(([0.0], np.cumsum(rise))), None
        notes.append(
            f"the register began again at 0 {resets.size} times, as declared; what flowed between the last row before and "
            "the reset is not in it"
        )
    return kept, register, limit_j, left_out, tuple(notes)


def _unlikely(times, register, limit_j, falls, range_w):
    """Falls that are no wrap: it would be a power that the meter cannot have read, or far above that of all other rows."""
    rate = np.diff(register) / np.diff(times) * _NS
    others = np.delete(rate, falls)
    power = (register[falls + 1] + limit_j - register[falls]) / (times[falls + 1] - times[falls]) * _NS
    if range_w is not None:
        return falls[power > range_w * (1 + 1e-9)]
    return falls[power > _FAR * others.max()] if others.size and others.max() > 0 else falls[:0]


def _dips(register):
    """Rows at 0 between a row above it and a row at or above that one."""
    dips = np.zeros(register.size, bool)
    rows = np.flatnonzero(register == 0)
    run = np.cumsum(np.diff(rows, prepend=rows[:1]) > 1)  # rows at 0 that follow one another
    first = np.flatnonzero(np.diff(run, prepend=-1))
    before = rows[first] - 1
    after = rows[np.append(first[1:], rows.size) - 1] + 1 if rows.size else before
    inside = (before >= 0) & (after < register.size)
    inside[inside] = register[after[inside]] >= register[before[inside]]
    dips[rows] = inside[run]
    return dips
