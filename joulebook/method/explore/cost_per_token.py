"""Costs of the topic cost_per_token as sums of parts."""

import numpy as np

from joulebook.method.chain import chain
from joulebook.method.explore.exploration import Exploration, sums_of
from joulebook.method.explore.levers import EFFICIENCY, SHARE, VOLUME, levers
from joulebook.method.fleet import per_million
from joulebook.method.ownership import PARTS
from joulebook.method.study import arguments_of
from joulebook.method.task_cost import RUN_COST

MOVED = (SHARE, "electricity_price_per_kwh", "pue", "throughput_per_s", EFFICIENCY)
FULL, ALWAYS, OWNING, SERVERS = "cost_per_million", "cost_per_million_always_on", "ownership_cost_per_million", "servers_powered"
_OWNING = "owning, {}".format
SUMS = {
    ALWAYS: ("at work", "idle", "demand charge"),
    FULL: ("full load",),
    OWNING: tuple(map(_OWNING, PARTS)),
    SERVERS: ("servers",),
}
_RESULTS = chain(RUN_COST, list(SUMS))
_YEAR = chain(RUN_COST, [FULL, SERVERS, "units_per_year", "annual_demand_charge", "annual_cost_always_on", "ownership_parts"])
_ALWAYS_ON = chain(RUN_COST, ["annual_demand_charge", "annual_cost_always_on"])


def explored(study):
    """Costs of a million units of work over what moves them.

    Parameters
    ----------
    study : joulebook.method.study.Study
        A study of the topic that has run.

    Returns
    -------
    joulebook.method.explore.exploration.Exploration
    """
    sums = sums_of(study, {name: dict.fromkeys(parts, 1.0) for name, parts in SUMS.items()})
    lines = {name: sums[name] for name in (ALWAYS, FULL) if name in sums}
    return Exploration(ALWAYS, levers(study, MOVED, utilization_of(study)), _RESULTS, parts_of, sums, over=SHARE, lines=lines,
                       steps=SERVERS if SERVERS in sums else "")


def utilization_of(study):
    """Work of a year over what the servers that there are do at full load; None where no work is given."""
    given = arguments_of(study.given)
    mine, full = (_YEAR(values)["units_per_year"] for values in (given, given | {VOLUME: None, SHARE: 1.0}))
    return None if mine is None or full is None else float(mine / full)


def parts_of(values):
    """Parts of the costs of a million units of work.

    Parameters
    ----------
    values : dict of str to value or ndarray
        Arguments of the calculations.

    Returns
    -------
    dict of str to float or ndarray
        By part. What a system draws idle it draws at work, too: of the electricity of a year that is always on, the idle part
        is what the method gives where full load takes no more than idle.
    """
    made = _YEAR(values)
    parts = {"full load": made[FULL], "servers": made[SERVERS]}
    if made["annual_cost_always_on"] is not None:
        level = _ALWAYS_ON(values | {"active_power_w": values["idle_power_w"]})
        demand, flat = (0.0 if each["annual_demand_charge"] is None else each["annual_demand_charge"] for each in (made, level))
        idle = level["annual_cost_always_on"] - flat
        yearly = {"at work": made["annual_cost_always_on"] - demand - idle, "idle": idle, "demand charge": demand}
        parts |= {name: per_million(amount, made["units_per_year"]) for name, amount in yearly.items()}
    if made["ownership_parts"] is not None:
        names, amounts = (made["ownership_parts"][key] for key in _columns(made["ownership_parts"]))
        parts |= {_OWNING(name): np.asarray(amounts, float)[..., place] for place, name in enumerate(names)}
    return {name: amount for name, amount in parts.items() if amount is not None}


def _columns(table):
    """Heads of the columns of parts and of amounts."""
    return next(key for key in table if key.startswith("part")), next(key for key in table if key.startswith("cost"))
