"""A metered run: its phases measured, once for all calculations that ask for it."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from joulebook.method.meters.measure import measure
from joulebook.method.meters.spans import WORK, chosen, phases_on_clock
from joulebook.method.ranges import DRAWS

# Inputs that say how readings are to be read and when a result is refused.
HOW = ("phases", "max_gap_s", "min_coverage", "clock_residual_s")
_last = []  # the run that was measured last: calculations ask for one and the same


@dataclass(frozen=True)
class Run:
    """A run as its meters saw it.

    Parameters
    ----------
    chosen : joulebook.method.meters.spans.Chosen
        Channels that make the total, and those beside it.
    phases : joulebook.method.meters.spans.Phases or None
        Phases on the clock of the meters; None where there is no total.
    measured : dict of str to joulebook.method.meters.measure.Measured
        Each phase.
    beside : tuple of joulebook.method.meters.measure.Measured
        Work as each channel saw it that is not part of the total.
    reason : str
        Why the work cannot be measured, where it cannot.
    """

    chosen: object
    phases: object
    measured: dict
    beside: tuple = ()
    reason: str = ""

    @property
    def work(self):
        """What was measured of the work."""
        return self.measured[WORK]

    @property
    def channels(self):
        """Each channel with what was measured of its work, those of the total first."""
        each = (*(self.work.parts or (self.work,)), *self.beside)
        return list(zip((*self.chosen.pieces, *self.chosen.others), each, strict=True))


def metered_run(meters, phases, max_gap_s, clock_residual_s, boundary):
    """Measure the phases of a run.

    Parameters
    ----------
    meters : joulebook.method.series.Meters
        What was read.
    phases : pandas.DataFrame or None
        Phases with their begin and end; see `joulebook.method.meters.spans.phases_on_clock`.
    max_gap_s, clock_residual_s : float or None
        See `joulebook.method.meters.measure.measure`. Draws of a range are taken at their mean.
    boundary : str or None
        Boundary of the labels.

    Returns
    -------
    Run
        The same one as long as the arguments are the same.
    """
    max_gap_s, clock_residual_s = (None if value is None else float(np.mean(value)) for value in (max_gap_s, clock_residual_s))
    asked = (max_gap_s, clock_residual_s, boundary)
    if _last and _last[0] is meters and _last[1] is phases and _last[2] == asked:
        return _last[3]
    made = _measured(meters, phases, *asked)
    _last[:] = [meters, phases, asked, made]
    return made


def _measured(meters, phases, max_gap_s, clock_residual_s, boundary):
    total = chosen(meters, boundary, max_gap_s)
    if not total.pieces:
        return Run(total, None, {}, reason=total.reason)
    clocked, together = phases_on_clock(phases, total.pieces, meters.origin), {"together": True, "partial": total.silent}
    measured = {
        name: measure(list(total.pieces), *clocked.windows(name), clock_residual_s=clock_residual_s, **together)
        for name in clocked.kinds
    }
    if WORK not in measured:
        return Run(total, clocked, measured, reason=f"no phase is called {WORK}: {', '.join(measured)}")
    work = clocked.windows(WORK)
    beside = tuple(measure(piece, *work, clock_residual_s=clock_residual_s, together=True) for piece in total.others)
    return Run(total, clocked, measured, beside)


def quantiles(rng):
    """Equally spaced probabilities in random order, so that an interval of what is drawn at them is exact."""
    return (rng.permutation(DRAWS) + 0.5) / DRAWS


def normal_draws(rng):
    """Draws of a standard normal; the same for all that is drawn in one study, whose energies share their error."""
    return stats.norm.ppf(quantiles(rng))


def u_covered(measured):
    """Standard uncertainty of the covered energy alone: without what the gaps may hold. [J]"""
    return float(np.sqrt(sum(u**2 for source, u in measured.uncertainties_j.items() if source != "gaps")))


def u_reading(measured):
    """Relative standard uncertainty of what the meter reads at the average power of a phase: its accuracy and resolution. [1]"""
    known = [measured.uncertainties_j.get(source, 0.0) for source in ("meter", "resolution", "unseen")]
    return float(np.linalg.norm(known) / measured.energy_midpoint_j) if measured.energy_midpoint_j > 0 else 0.0


def standing(run, names, values, notes):
    """Results with their notes, and where they stand."""
    labels = {name: {"boundary": run.chosen.boundary} for name in names}
    return {**values, "notes": {name: text for name, text in notes.items() if text}, "labels": labels}


def missing(names, reason):
    """Results that are not available, and why."""
    return {**dict.fromkeys(names), "notes": dict.fromkeys(names, reason)}
