"""Calculations that are given the work on the grid in place of the many inputs it is made of."""

import inspect
from functools import wraps

from joulebook.method.grid.work import work_on_grid

_MADE_OF = inspect.signature(work_on_grid).parameters


def on_grid(calculation):
    """Let a calculation take `work`, and have its inputs found by name like any other's.

    Parameters
    ----------
    calculation : callable
        Its first argument is the `joulebook.method.grid.work.Work` of the inputs of `work_on_grid`; what it names besides it
        gets, too.

    Returns
    -------
    callable
        With the inputs of both as keywords; one that the calculation cannot do without has no default.
    """
    own = dict(list(inspect.signature(calculation).parameters.items())[1:])

    @wraps(calculation)
    def whole(**inputs):
        work = work_on_grid(**{name: value for name, value in inputs.items() if name in _MADE_OF})
        return calculation(work, **{name: value for name, value in inputs.items() if name in own})

    named = {**_MADE_OF, **own}.values()
    whole.__signature__ = inspect.Signature([item.replace(kind=inspect.Parameter.KEYWORD_ONLY) for item in named])
    return whole
