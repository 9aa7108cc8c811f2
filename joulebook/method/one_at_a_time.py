"""Inputs moved one at a time: what each of them moves a result from and to, and whether a result rests on it at all."""

from dataclasses import dataclass

import numpy as np

MORE = 0.01  # of an input without a range
FAR = 10.0
BASE = "base"
_LEAST = 1e-9  # a relative change below this is what is left of rounding


@dataclass(frozen=True)
class Points:
    """The point as it is, then one for each end of a range or one for an input without a range, and points far away for each.

    Parameters
    ----------
    steps : tuple of tuple
        Input, and which point it is: ``low``, ``high``, ``more`` (1 % more of it) or ``less`` (1 % less, where no more is
        allowed); ``far`` are points that tell whether a result rests on it at all, such as one that is rounded up. The first is
        ``("", "base")``.
    values : dict of str to ndarray, shape (points,)
        Inputs by name: the value at all points but their own.
    """

    steps: tuple
    values: dict


def points(inputs, parameters):
    """Points at which every input that is a number is moved alone.

    Parameters
    ----------
    inputs : dict of str to joulebook.inputs.Input
        Checked inputs.
    parameters : dict of str to object
        Their rows of the dictionary, each with `kind` and `within`.

    Returns
    -------
    Points
        None of a whole number, a choice or a file; a zero, of which 1 % is nothing, has only one far away.

    Examples
    --------
    >>> from joulebook.dictionary import parameters
    >>> from joulebook.inputs import Input
    >>> made = points({"pue": Input(1.25, low=1.0, high=2.0), "utilization": Input(1.0), "servers": Input(4)}, parameters())
    >>> made.steps
    (('', 'base'), ('pue', 'low'), ('pue', 'high'), ('pue', 'far'), ('utilization', 'less'), ('utilization', 'far'))
    >>> made.values["pue"].tolist(), made.values["utilization"].tolist()
    ([1.25, 1.0, 2.0, 12.5, 1.25, 1.25], [1.0, 1.0, 1.0, 1.0, 0.99, 0.1])
    """
    moved = [("", BASE, None)]
    for name, item in inputs.items():
        row = parameters[name]
        if row.kind != "number" or item.value is None:
            continue
        if item.ranged:
            moved += [(name, "low", item.low), (name, "high", item.high)]
        elif item.value:
            # A limit may lie at the value: a share of one has no more.
            step, sign = ("more", 1) if row.within(item.value * (1 + MORE)) else ("less", -1)
            moved.append((name, step, item.value * (1 + sign * MORE)))
        afar = (item.value * FAR, item.value / FAR) if item.value else (1.0, -1.0)
        moved += [(name, "far", value) for value in afar if row.within(value)]
    values = {name: np.full(len(moved), float(inputs[name].value)) for name, _, _ in moved[1:]}
    for place, (name, _, value) in enumerate(moved[1:], 1):
        values[name][place] = value
    return Points(tuple((name, step) for name, step, _ in moved), values)


def movements(steps, value, moved):
    """What each input moves a result from and to.

    Parameters
    ----------
    steps : sequence of tuple
        Of `Points`.
    value : float
        The result.
    moved : ndarray, shape (points,)
        The result at the points.

    Returns
    -------
    list of dict
        By input that moves it: ``input``; ``low`` and ``high``, the result at the ends of the input's range; or
        ``for_one_pct``, its relative change for 1 % more of an input without a range. Where that is no share, as the result is
        zero or not there any more, ``more`` or ``less`` is the result at 1 % more or less. A value that is not there is None.

    Examples
    --------
    >>> movements((("pue", "low"), ("pue", "high"), ("power", "more"), ("price", "more")), 2.0, [1.5, 3.0, 2.02, 2.0])
    [{'input': 'pue', 'low': 1.5, 'high': 3.0}, {'input': 'power', 'for_one_pct': 0.010000000000000009}]
    >>> movements((("share", "less"), ("target", "more")), 0.0, [0.1, np.nan])
    [{'input': 'share', 'less': 0.1}, {'input': 'target', 'more': None}]
    """
    ends, told = {}, []
    for (name, step), at in zip(steps, np.asarray(moved, float).tolist(), strict=True):
        if step not in ("far", BASE):
            ends.setdefault(name, {})[step] = at if np.isfinite(at) else None
    for name, at in ends.items():
        if not any(_differs(value, end) for end in at.values()):
            continue
        if "low" in at:
            told.append({"input": name, **at})
        else:
            ((step, end),) = at.items()
            sign = 1 if step == "more" else -1
            told.append({"input": name, **(at if end is None or not value else {"for_one_pct": (end / value - 1) * sign})})
    return told


def unmoved(steps, value, moved):
    """Inputs that a result does not rest on: wherever they are, it is the same.

    Parameters
    ----------
    steps, value, moved
        As of `movements`; a result that is not moved at all may be given as one value.

    Returns
    -------
    set of str

    Examples
    --------
    >>> unmoved((("pue", "far"), ("price", "more"), ("price", "far")), 2.0, [2.0, 2.0, 3.0])
    {'pue'}
    """
    at = np.broadcast_to(np.asarray(moved, float), len(steps)).tolist()
    found = [(name, _differs(value, end)) for (name, _), end in zip(steps, at, strict=True)]
    return {name for name, step in steps if step != BASE} - {name for name, differs in found if differs}


def followed(value, moved):
    """Whether a result at the points is that of the values at the point as it is; one that is told by draws is not."""
    return not np.ndim(moved) or not _differs(value, moved[0])


def _differs(value, end):
    return end is None or not np.isfinite(end) or abs(end - value) > _LEAST * abs(value)
