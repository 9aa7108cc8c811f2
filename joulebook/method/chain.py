"""Calculations one after the other as one plain function of their inputs, for many points at once."""

import inspect

import numpy as np

from joulebook.errors import JoulebookError


def chain(calculations, wanted=None):
    """A function from inputs to results, of calculations that find their arguments by name.

    Parameters
    ----------
    calculations : sequence of functions marked with `joulebook.method.study.gives`
        In the order in which they run. They are vectorized over a leading axis.
    wanted : sequence of str, optional
        Results that are asked for; calculations on which none of these rests are left out. All without it.

    Returns
    -------
    callable
        Of a dict of str to value or ndarray, shape (n,): inputs, tables and labels by the names of arguments. It gives the
        results by name; what rests on something that is not there is None, what has no value is nan. Notes, evidence and
        ranges are left aside: a study keeps those.

    Raises
    ------
    JoulebookError
        If no calculation gives a result that is wanted.

    Notes
    -----
    A study runs the same functions, by the same rule, on the values and on the draws.

    Examples
    --------
    >>> from joulebook.method import cost_per_token
    >>> cost = chain(cost_per_token.CALCULATIONS, ["cost_per_million"])
    >>> made = cost({"throughput_per_s": np.array([5000.0, 2500.0]), "active_power_w": 1000.0, "pue": 1.3,
    ...              "electricity_price_per_kwh": 0.12, "boundary": "server"})
    >>> made["cost_per_million"].round(6).tolist()
    [0.008667, 0.017333]
    """
    steps = [(calculation, inspect.signature(calculation).parameters) for calculation in calculations]
    if wanted is not None:
        steps = _needed(steps, set(wanted))

    def evaluate(values):
        known = {name: value for name, value in values.items() if value is not None}
        made = {}
        with np.errstate(all="ignore"):  # what has no value becomes nan
            for calculation, arguments in steps:
                lacks = any(item.default is item.empty and name not in known for name, item in arguments.items())
                given = {name: known[name] for name in arguments if name in known}
                outcome = {} if lacks else calculation(**given)
                for name in calculation.results:
                    made[name] = outcome.get(name)
                    if made[name] is not None:
                        known[name] = made[name]
        return made

    return evaluate


def _needed(steps, wanted):
    """Steps that give what is wanted, or on which such a step rests."""
    missing = wanted - {name for calculation, _ in steps for name in calculation.results}
    if missing:
        raise JoulebookError(f"no calculation gives {', '.join(sorted(missing))}")
    needed = []
    for calculation, arguments in reversed(steps):
        if wanted & set(calculation.results):
            needed.append((calculation, arguments))
            wanted = wanted | set(arguments)
    return needed[::-1]
