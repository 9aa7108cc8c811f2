"""Flexible work in time: as it runs now, and where it would emit least, judged on the marginal series."""

import numpy as np

from joulebook.method.grid.calculation import on_grid
from joulebook.method.grid.clock import local_text, midnights
from joulebook.method.grid.series import no_series
from joulebook.method.grid.work import AVERAGE, EVEN, MARGINAL, NOW, why_not
from joulebook.method.intervals import interval_means
from joulebook.method.study import gives

_HOUR = np.timedelta64(1, "h")
_LONG = 14  # days of a window above which the picture shows whole days
_NUMBERS = (
    "flexible_kwh",
    "flexible_windows",
    "shift_now_marginal_g",
    "shift_marginal_g",
    "shift_saved_marginal_g",
    "shift_saved_marginal_share",
    "shift_now_average_g",
    "shift_average_g",
    "shift_saved_average_g",
    "shift_saved_average_at_best_g",
)


@gives(*_NUMBERS, "shift_verdict", "shift_by_series")
@on_grid
def shift(work, flexible_hours, carbon_timezone=None):
    r"""Emissions of flexible work as it runs now and in the hours that are cleanest by the marginal series.

    Parameters
    ----------
    work : joulebook.method.grid.work.Work
        Standing load and flexible work on the steps of the grid.
    flexible_hours : float or ndarray
        See ``data/parameters.csv``.
    carbon_timezone : str, optional
        See there.

    Returns
    -------
    dict
        The results named in `gives`. The average series is evaluated on the hours that the marginal one chose; what the
        average would choose stands beside it.

    Notes
    -----
    .. math:: m = P \sum_h x_h g_h
    """
    known = dict.fromkeys((*_NUMBERS, "shift_verdict", "shift_by_series"))
    value = not work.draws
    why = why_not(work, NOW, carbon_timezone) if value else ""
    better = why_not(work, _best(work), carbon_timezone) if value else ""
    power = np.asarray(work.flexible_kw)
    known |= {"flexible_windows": len(work.windows), "flexible_kwh": power * flexible_hours * len(work.windows)}
    rows = {}
    if len(work.windows):
        weights = work.steps.g_per_kwh
        plans = [NOW, *(basis for basis in (MARGINAL, AVERAGE) if work.place[basis] is not None)]
        rows = {plan: work.flexible(weights, plan) for plan in plans}
        at = {basis: place for basis, place in work.place.items() if place is not None}
        known |= _numbers(rows, at)
        known["shift_by_series"] = _by_series(work, rows)
    lacks = {basis: no_series(basis) for basis in (AVERAGE, MARGINAL) if work.place[basis] is None}
    notes = _notes(work, why, better, lacks)
    if better:
        known["shift_verdict"], notes["shift_verdict"] = "not feasible", better
    elif MARGINAL not in lacks:
        known["shift_verdict"], notes["shift_verdict"] = _verdict(known, why)
    if known["shift_now_marginal_g"] is not None and not np.any(known["shift_now_marginal_g"] > 0):
        notes.setdefault("shift_saved_marginal_share", "as it runs now it emits nothing")
    return {**known, "notes": notes}


def _best(work):
    """The plan that a decision is made on; without a marginal series none is, but the average shows whether work fits."""
    return MARGINAL if work.place[MARGINAL] is not None else AVERAGE


def _numbers(rows, at):
    made = {}
    for basis, place in at.items():
        now = rows[NOW][..., place][()]
        made[f"shift_now_{basis}_g"] = now
        if MARGINAL in rows:
            made[f"shift_{basis}_g"] = rows[MARGINAL][..., place][()]
            made[f"shift_saved_{basis}_g"] = now - made[f"shift_{basis}_g"]
    if "shift_saved_marginal_g" in made:
        now = made["shift_now_marginal_g"]
        made["shift_saved_marginal_share"] = np.where(now > 0, made["shift_saved_marginal_g"] / now, np.nan)[()]
    if AVERAGE in rows:
        made["shift_saved_average_at_best_g"] = (rows[NOW] - rows[AVERAGE])[..., at[AVERAGE]][()]
    return made


def _verdict(known, why):
    """What to do, and why."""
    saved, average, now = (known[f"shift_{name}_g"] for name in ("saved_marginal", "saved_average", "now_marginal"))
    if saved is None or np.ndim(saved):
        return None, ""  # of draws
    if why:
        return "shift it", "as it runs now it does not fit"
    if not saved > EVEN * now:
        return "leave it", "no other hours that are free emit less by the marginal series"
    if average is None:
        return "shift it", "by the marginal series; there is no average to set beside it"
    if average < -EVEN * now:
        return "shift it", "by the marginal series it emits less, by the average more: the two disagree"
    if average <= EVEN * now:
        return "shift it", "by the marginal series it emits less, by the average as much as now"
    return "shift it", "by both series it emits less"


def _notes(work, why, better, lacks):
    notes = {}
    for basis in (AVERAGE, MARGINAL):
        names = (f"shift_now_{basis}_g", f"shift_{basis}_g", f"shift_saved_{basis}_g")
        notes |= dict.fromkeys(names, lacks.get(basis) or f"{work.basis(basis)}")
    notes["shift_saved_average_at_best_g"] = lacks.get(AVERAGE, "in the hours that the average series would choose")
    decided = [name for name in _NUMBERS if name.startswith("shift_") and "_now_" not in name]
    if MARGINAL in lacks:
        judged = f"{lacks[MARGINAL]}: whether to shift is not judged on it"
        notes |= dict.fromkeys([name for name in decided if name != "shift_saved_average_at_best_g"], judged)
        notes["shift_verdict"] = judged
    if better:
        notes |= dict.fromkeys(decided, f"not feasible: {better}")
    if why:
        saved = [name for name in decided if "saved" in name and not better]
        now = [name for name in _NUMBERS if "_now_" in name]
        notes |= dict.fromkeys(now + saved, f"as it runs now it is not feasible: {why}")
    if work.lost_windows:
        notes["flexible_windows"] = f"{work.lost_windows} more lie within the known hours in part only and are left out"
    return notes


def _by_series(work, rows):
    """Each series on its own: now, in the hours that the marginal series chooses, and in those that it would choose itself."""
    bases = work.steps.bases
    table = {
        "series | ": [str(one) for one in bases],
        "now | g": rows[NOW],
    }
    if MARGINAL in rows:
        table |= {"shifted | g": rows[MARGINAL], "saved | g": rows[NOW] - rows[MARGINAL]}
    if AVERAGE in rows:
        table["by_average | g"] = rows[AVERAGE]
    return table


@gives("carbon_day", once=True)
@on_grid
def day(work, flexible_hours=None, carbon_timezone=None):
    """The days of the window in which shifting saves most, for the picture: intensity, standing load, flexible work.

    Parameters
    ----------
    work : joulebook.method.grid.work.Work
        On values; a picture has no draws.
    flexible_hours : float, optional
        See ``data/parameters.csv``.
    carbon_timezone : str, optional
        Of the clock on which hours are told; UTC without it.

    Returns
    -------
    dict
        The table named in `gives`: a row a step, or a day where the window is longer than two weeks.
    """
    steps, hours = work.steps, work.steps.hours
    plans = {NOW: np.zeros(len(hours)), MARGINAL: np.zeros(len(hours))}
    window = None
    if flexible_hours is not None and len(work.windows):
        there = [plan for plan in plans if plan == NOW or work.place[plan] is not None]
        plans |= {plan: np.nan_to_num(work.hours_by_step(plan)) for plan in there}  # none where it does not fit
        window = _most(work, plans)
    edges = _edges(steps, window, carbon_timezone)
    whole = steps.edges[:-1], steps.edges[1:]

    def means(values):
        return interval_means(edges[:-1], edges[1:], *whole, values)

    power = {plan: work.flexible_kw * means(lain / hours) for plan, lain in plans.items()}
    table = {
        "begin | ": local_text(edges[:-1], carbon_timezone),
        "end | ": local_text(edges[1:], carbon_timezone),
        "hour | h": (edges[:-1] - edges[0]) / _HOUR,
        "length | h": np.diff(edges) / _HOUR,
    }
    for basis in (MARGINAL, AVERAGE):
        if work.place[basis] is not None:
            table[f"{basis} | g/kWh"] = means(work.intensity(basis))
    table |= {"standing | kW": means(work.standing_kw()), "now | kW": power[NOW], "shifted | kW": power[MARGINAL]}
    return {"carbon_day": table}


def _most(work, plans):
    """The window with the largest saving."""
    g = work.intensity(_best(work))
    saved = [((plans[NOW] - plans[MARGINAL]) * g)[work.steps.part(*window)].sum() for window in work.windows]
    return work.windows[int(np.argmax(saved))]


def _edges(steps, window, timezone):
    """Edges of the rows: steps from midnight to midnight about the window, or its days."""
    begin, end = (steps.edges[0], steps.edges[0] + np.timedelta64(24, "h")) if window is None else window
    days = midnights(begin, min(end, steps.edges[-1]), timezone)
    inside = steps.edges[(steps.edges >= days[0]) & (steps.edges <= days[-1])]
    if len(days) - 1 <= _LONG:
        return inside
    return np.unique(np.concatenate([inside[[0, -1]], days[(days > inside[0]) & (days < inside[-1])]]))
