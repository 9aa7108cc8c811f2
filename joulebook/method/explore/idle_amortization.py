"""Energies of the topic idle_amortization as sums of parts."""

from joulebook.method.chain import chain
from joulebook.method.explore.exploration import Exploration, sums_of
from joulebook.method.explore.levers import EFFICIENCY, SHARE, levers
from joulebook.method.idle_amortization import at_utilization, full_load, without_idle

MOVED = (SHARE, "idle_power_w", "throughput_per_s", EFFICIENCY)
FULL, RESERVED, MARGINAL = "energy_per_unit_full_j", "energy_per_unit_reserved_j", "energy_per_unit_marginal_j"
POWER, FULL_LOAD = "power_at_utilization_w", "energy_per_unit_j"
# Of the way from idle to full load a unit takes its share of the full-load power, less that of the idle power.
SUMS = {
    FULL: {"active": 1.0, "idle": 1.0, "idle at work": -1.0},
    RESERVED: {"active": 1.0, "reserved": 1.0, "idle at work": -1.0},
    MARGINAL: {"full load": 1.0, "full load, idle": -1.0},
    FULL_LOAD: {"full load": 1.0},
    POWER: {"active power": 1.0, "idle power": 1.0, "idle power at work": -1.0},
}
_RESULTS = chain((full_load, without_idle, at_utilization), list(SUMS))


def explored(study):
    """Energy of a unit of work under each attribution over what moves it.

    Parameters
    ----------
    study : joulebook.method.study.Study
        A study of the topic that has run.

    Returns
    -------
    joulebook.method.explore.exploration.Exploration
    """
    sums = sums_of(study, SUMS)
    lines = {name: sums[name] for name in (FULL, RESERVED, MARGINAL) if name in sums}
    return Exploration(FULL, levers(study, MOVED), _RESULTS, parts_of, sums, over=SHARE, lines=lines)


def parts_of(values):
    """Parts of the energy of a unit of work, and of the power.

    Parameters
    ----------
    values : dict of str to value or ndarray
        Arguments of the calculations.

    Returns
    -------
    dict of str to float or ndarray
        By part: the method's results, those of a system that draws nothing idle, and those of which no idle power is counted.
    """
    made, none_idle = _RESULTS(values), _RESULTS(values | {"idle_power_w": 0.0})
    at_work = _RESULTS(values | {"reserved_share": 0.0})[RESERVED]
    level = _RESULTS(values | {"active_power_w": values["idle_power_w"]})[POWER]
    parts = {
        "active": none_idle[FULL], "idle": made[FULL] - at_work, "idle at work": none_idle[FULL] - at_work,
        "full load": made[FULL_LOAD], "full load, idle": made[FULL_LOAD] - made[MARGINAL],
        "active power": none_idle[POWER], "idle power": level, "idle power at work": none_idle[POWER] + level - made[POWER],
    }
    return parts if made[RESERVED] is None else parts | {"reserved": made[RESERVED] - at_work}
