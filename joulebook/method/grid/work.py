"""All the work of a system on the steps of a grid: the load that stands, and flexible work laid into its windows."""

from dataclasses import dataclass

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.method.grid.clock import local_text, start_in, windows
from joulebook.method.grid.flexible import TIGHT_H, as_soon_as_possible, cleanest, without_break
from joulebook.method.grid.series import chosen, series_of
from joulebook.method.grid.steps import joined, span_of
from joulebook.method.load_curve import curve_for, load_share
from joulebook.results import apply_pue
from joulebook.units import WATTS_PER_KILOWATT

_CELLS = 2**22  # draws by steps that are held at once
NOW, MARGINAL, AVERAGE = "now", "marginal", "average"
EVEN = 1e-9  # of the emissions: what is no difference


@dataclass(frozen=True)
class Work:
    """Power at the facility on the steps of a grid. Powers and hours may have a leading axis of draws.

    Parameters
    ----------
    steps : joulebook.method.grid.steps.Steps
        Steps, with the series and the load's utilization.
    idle_kw, rise_kw : float or ndarray
        Power of the standing load without work, and what full load adds; 0 where there is none. [kW]
    share : ndarray, shape (n,)
        Share of that rise in each step. [1]
    flexible_kw : float or ndarray
        Power of the flexible work; 0 where there is none. [kW]
    windows : ndarray of datetime64, shape (w, 2)
        Windows of the flexible work.
    lost_windows : int
        Windows that the hours that are known hold in part only.
    rules : Rules
        How flexible work may run.
    place : dict of str to int or None
        Which series single results rest on, by basis.
    """

    steps: object
    idle_kw: object
    rise_kw: object
    share: np.ndarray
    flexible_kw: object
    windows: np.ndarray
    lost_windows: int
    rules: object
    place: dict

    def intensity(self, basis):
        """Intensity in each step of the series of a basis that results rest on; None where there is none. [g/kWh]"""
        return None if self.place[basis] is None else self.steps.g_per_kwh[self.place[basis]]

    def basis(self, basis):
        """What that series counts."""
        return None if self.place[basis] is None else self.steps.bases[self.place[basis]]

    @property
    def draws(self):
        """Number of draws; 0 on values."""
        items = (self.idle_kw, self.rise_kw, self.flexible_kw, self.rules.work_h, self.rules.cap_kw)
        return max((len(item) for item in items if np.ndim(item)), default=0)

    def standing_kw(self):
        """Power of the standing load in each step, shape (..., n). [kW]"""
        return np.asarray(self.idle_kw)[..., None] + np.asarray(self.rise_kw)[..., None] * self.share

    def standing(self, weights):
        """The standing load's energy by step, each weighted, such as by its intensity: the sum over the steps."""
        hours = self.steps.hours * weights
        return self.idle_kw * hours.sum() + self.rise_kw * (self.share @ hours)

    def flexible(self, weights, plan):
        """The same for flexible work that was laid out by a plan. Several rows of weights give several sums, last axis."""
        return np.asarray(self.flexible_kw)[..., None] * self.sums(np.atleast_2d(weights), plan)

    def sums(self, weights, plan):
        """Hours of flexible work at full power by step, weighted, shape (..., rows of weights); nan where they do not fit."""
        total = 0.0
        for window in self.windows:
            part = self.steps.part(*window)
            for_window = [self.rules.lay(self, part, plan, draws) @ weights[:, part].T for draws in self._chunks(part)]
            total = total + (for_window[0] if len(for_window) == 1 else np.concatenate(for_window))
        return total

    def peak_kw(self, plan=None):
        """Highest power of a step, with flexible work as a plan lays it out. [kW]"""
        ends = [self.idle_kw + self.rise_kw * end for end in (self.share.min(), self.share.max())]
        peak = np.maximum(*ends)
        for window in self.windows if plan is not None else ():
            part = self.steps.part(*window)
            found = [self._peak_in(part, plan, draws) for draws in self._chunks(part, every=True)]
            peak = np.maximum(peak, found[0] if len(found) == 1 else np.concatenate(found))
        return peak

    def _peak_in(self, part, plan, draws):
        idle, rise, flexible = (_of(item, draws) for item in (self.idle_kw, self.rise_kw, self.flexible_kw))
        lain = self.rules.lay(self, part, plan, draws) / self.steps.hours[part]
        return (idle + rise * self.share[part] + flexible * lain).max(axis=-1)

    def hours_by_step(self, plan):
        """Hours of flexible work at full power in each step, on the values, shape (n,). [h]"""
        hours = np.zeros(len(self.steps.hours))
        for window in self.windows:
            part = self.steps.part(*window)
            hours[part] += self.rules.lay(self, part, plan, slice(None))
        return hours

    def _chunks(self, part, every=False):
        draws = self.draws if every else self.rules.draws(self)
        size = max(1, _CELLS // (2 * (part.stop - part.start) + 2))
        return [slice(None)] if not draws else [slice(begin, begin + size) for begin in range(0, draws, size)]


@dataclass(frozen=True)
class Rules:
    """How flexible work may run in each of its windows.

    Parameters
    ----------
    work_h : float or ndarray
        Hours at full power in each window. [h]
    contiguous : bool
        Whether it must not be interrupted.
    cap_kw : float, ndarray or None
        Highest power of standing load and flexible work together. [kW]
    begins : dict of int to float
        By place of a window's first step when the work begins now, in hours since the first edge. [h]
    order : dict of str to ndarray
        Intensity of each step by what the plan is made on; of `MARGINAL` and `AVERAGE` those there are. [g/kWh]
    """

    work_h: object
    contiguous: bool
    cap_kw: object
    begins: dict
    order: dict

    def draws(self, work):
        """Number of draws that the laying out depends on; 0 where it depends on none."""
        shapes = [np.shape(self.work_h)]
        if self.cap_kw is not None:
            shapes += [np.shape(item) for item in (self.cap_kw, work.idle_kw, work.rise_kw, work.flexible_kw)]
        return max((shape[0] for shape in shapes if shape), default=0)

    def room(self, work, part, draws=slice(None)):
        """Share of the flexible power that is free in each step of a window, shape (..., n). [1]"""
        length = part.stop - part.start
        if self.cap_kw is None:
            return np.ones(length)
        cap, idle, rise, power = (_of(item, draws) for item in (self.cap_kw, work.idle_kw, work.rise_kw, work.flexible_kw))
        return np.clip((cap - idle - rise * work.share[part]) / power, 0, 1)

    def lay(self, work, part, plan, draws):
        """Hours at full power in each step of a window, by a plan; nan where they do not fit. [h]"""
        edges = work.steps.edges_h[part.start : part.stop + 1]
        free = self.room(work, part, draws)
        room_h, work_h = free * np.diff(edges), np.asarray(self.work_h)[draws] if np.ndim(self.work_h) else self.work_h
        whole = free >= 1 - 1e-12
        whole = whole[0] if whole.ndim == 2 and (whole == whole[0]).all() else whole  # as long as the cap binds alike
        if plan == NOW:
            return as_soon_as_possible(work_h, edges, room_h, whole, self.contiguous, self.begins[part.start])
        order = self.order[plan][part]
        return without_break(work_h, edges, whole, order) if self.contiguous else cleanest(work_h, room_h, order)


def _of(item, draws):
    """An input's draws as a column, or its value."""
    return np.asarray(item)[draws][:, None] if np.ndim(item) else item


def work_on_grid(
    carbon,
    servers,
    contiguous,
    boundary=None,
    pue=None,
    load_profile=None,
    idle_power_w=None,
    active_power_w=None,
    load_curve=None,
    utilization_is=None,
    flexible_hours=None,
    flexible_power_w=None,
    earliest_start=None,
    deadline=None,
    current_start=None,
    power_cap_w=None,
    carbon_timezone=None,
    carbon_scope=None,
    carbon_accounting=None,
):
    """All work on the steps of a grid; see ``data/parameters.csv`` for the inputs.

    Parameters
    ----------
    carbon, load_profile, load_curve : pandas.DataFrame
        Tables.
    servers, boundary, pue, idle_power_w, active_power_w, utilization_is, flexible_hours, flexible_power_w, contiguous
    earliest_start, deadline, current_start, power_cap_w, carbon_timezone, carbon_scope, carbon_accounting
        Values, or draws of them.

    Returns
    -------
    Work

    Raises
    ------
    InputError
        If the files do not cover the same time, or times of windows are none.
    """
    if flexible_hours is not None and flexible_power_w is None and active_power_w is None:
        raise InputError(Problem("flexible work without its power", field="flexible_power_w", allowed="it, or active_power_w"))
    if load_profile is not None and (idle_power_w is None or active_power_w is None):
        raise InputError(Problem("a load profile says nothing without the power of the system", field=name, allowed="it")
                         for name, power in (("idle_power_w", idle_power_w), ("active_power_w", active_power_w)) if power is None)
    found, lost, begins = np.empty((0, 2), "datetime64[ns]"), 0, np.empty(0, "datetime64[ns]")
    if flexible_hours is not None:
        begin, end, _ = span_of(series_of(carbon, carbon_timezone), load_profile)
        found, lost = windows(begin, end, earliest_start, deadline, carbon_timezone)
        begins = np.array([start_in(window, current_start, carbon_timezone) for window in found], "datetime64[ns]")
    steps = joined(carbon, load_profile, carbon_timezone, [*found.ravel(), *begins])
    there = steps.utilization is not None
    share = np.zeros(len(steps.hours))
    if there:
        share = np.asarray(load_share(steps.utilization, curve_for(utilization_is, load_curve)), float)
    kw = dict.fromkeys(("idle", "rise", "flexible"), 0.0)
    if there:
        kw["idle"] = apply_pue(idle_power_w, boundary, pue) * servers / WATTS_PER_KILOWATT
        kw["rise"] = apply_pue(active_power_w - idle_power_w, boundary, pue) * servers / WATTS_PER_KILOWATT
    if flexible_hours is not None:
        drawn = active_power_w * servers if flexible_power_w is None else flexible_power_w
        kw["flexible"] = apply_pue(drawn, boundary, pue) / WATTS_PER_KILOWATT
    at = {steps.part(*window).start: (begin - steps.edges[0]) / np.timedelta64(1, "h")
          for window, begin in zip(found, begins, strict=True)}
    cap = None if power_cap_w is None else power_cap_w / WATTS_PER_KILOWATT
    place = {basis: chosen(steps.bases, basis, carbon_scope, carbon_accounting) for basis in (AVERAGE, MARGINAL)}
    order = {basis: steps.g_per_kwh[row] for basis, row in place.items() if row is not None}
    rules = Rules(flexible_hours, contiguous == "yes", cap, at, order)
    return Work(steps, kw["idle"], kw["rise"], share, kw["flexible"], found, lost, rules, place)


def why_not(work, plan, timezone=None):
    """Why flexible work does not fit; empty where it does, on the values.

    Parameters
    ----------
    work : Work
        On values, not on draws.
    plan : str
        `NOW` or another.
    timezone : str, optional
        Of the clock on which windows are told.

    Returns
    -------
    str
    """
    rules, hours = work.rules, work.steps.hours
    if not len(work.windows):
        return "no window of the flexible work lies within the hours that the carbon series have in common"
    for window in work.windows:
        part = work.steps.part(*window)
        if np.isfinite(rules.lay(work, part, plan, slice(None))).all():
            continue
        from_to = " to ".join(local_text(window, timezone))
        known, room = hours[part].sum(), (rules.room(work, part) * hours[part]).sum()
        if known < rules.work_h - TIGHT_H:
            return f"{rules.work_h:.4g} h of work do not fit into the {known:.4g} h from {from_to}"
        if room < rules.work_h - TIGHT_H:
            return (f"{rules.work_h:.4g} h of work do not fit under the power cap from {from_to}: "
                    f"beside the standing load there is room for {room:.4g} h at full power")
        late = " after its current start" if plan == NOW and rules.begins[part.start] > work.steps.edges_h[part.start] else ""
        if rules.contiguous:
            return f"from {from_to} there are no {rules.work_h:.4g} h without a break{late} in which the power cap leaves room"
        return f"from {from_to} there is no room for {rules.work_h:.4g} h{late}"
    return ""

