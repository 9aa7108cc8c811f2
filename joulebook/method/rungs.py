"""Rungs of the boundary ladder, measured or modelled from the one below (method, section 2)."""

from dataclasses import dataclass, field

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.method import ranges
from joulebook.method.boundary_rows import (
    VARIANTS,
    first_of_variants,
    parts_of,
    row_energies,
    rows_by_index,
    same_quality,
    total_rows,
)
from joulebook.results import BOUNDARIES, apply_pue, weakest

_SAME = 1e-9  # relative; below it two figures differ by rounding only
NEEDS_FACILITY = "needs pue, or facility_fixed_w and facility_slope"
_MODELLED = ("modelled", "assumed")


def energy_at_server(accelerator_j, host_j, psu_efficiency, host_power_is):
    r"""Energy at the server's AC input, supply losses included.

    Parameters
    ----------
    accelerator_j, host_j : float or ndarray
        Energy of the accelerators' rails, and of the rest of the node. [J]
    psu_efficiency : float or ndarray
        DC output of the power supplies over their AC input. [1]
    host_power_is : str
        ``dc`` where the host was metered behind the power supplies, ``ac`` where before them.

    Returns
    -------
    float or ndarray
        Energy. [J]

    Notes
    -----
    .. math:: E_\mathrm{server} = (E_\mathrm{accelerator} + E_\mathrm{host}) / \eta        (equation ``eq-server`` in the book)

    Examples
    --------
    >>> round(energy_at_server(700.0, 200.0, 0.94, "dc"), 3), round(energy_at_server(700.0, 200.0, 0.94, "ac"), 3)
    (957.447, 944.681)
    """
    if host_power_is == "dc":
        return (accelerator_j + host_j) / psu_efficiency
    return accelerator_j / psu_efficiency + host_j


def energy_at_rack(server_j, network_storage_share):
    """Energy of the rack, from that of its servers and the share of network and storage in the whole. [J]

    Examples
    --------
    >>> round(energy_at_rack(600.0, 0.25), 9)
    800.0
    """
    return server_j / (1 - network_storage_share)


def share_of_total(part_w, rest_w):
    """Share of a part in the whole, such as that of the network in a rack. [1]

    Examples
    --------
    >>> round(share_of_total(16100.0, 8 * 5811.0), 6)
    0.257238
    """
    return part_w / (part_w + rest_w)


def facility_energy(it_energy_j, window_s, facility_fixed_w, facility_slope):
    r"""Energy of the facility by a fixed power and a slope; over one second, its power.

    Parameters
    ----------
    it_energy_j : float or ndarray
        Energy of the IT equipment over the window. [J]
    window_s : float or ndarray
        Length of the window. [s]
    facility_fixed_w : float or ndarray
        Power of the facility with no load. [W]
    facility_slope : float or ndarray
        Watts of the facility for each further watt of IT. [1]

    Returns
    -------
    float or ndarray
        Energy of the facility. [J]

    Notes
    -----
    .. math:: P_\mathrm{facility} = P_0 + k P_\mathrm{IT}        (equation ``eq-facility`` in the book)

    Examples
    --------
    >>> round(facility_energy(1e6, 1.0, 150e3, 1.15) / 1e6, 12), round(facility_energy(500e3, 1.0, 150e3, 1.15) / 500e3, 12)
    (1.3, 1.45)
    """
    return facility_fixed_w * window_s + facility_slope * it_energy_j


@dataclass(frozen=True)
class Models:
    """What rungs are modelled by, each a float, an array of draws, a word, or None where it is not given."""

    window_baseline_s: object = None
    window_optimized_s: object = None
    psu_efficiency: object = None
    host_power_w: object = None
    host_power_is: object = None
    network_storage_share: object = None
    pue: object = None
    pue_category: object = None
    facility_fixed_w: object = None
    facility_slope: object = None

    def lacks(self, *names):
        """Those of the names that are not given, as a reason; empty where all are."""
        missing = [name for name in names if getattr(self, name) is None]
        return f"needs {', '.join(missing)}" if missing else ""

    @property
    def draws(self):
        """Number of draws among them."""
        return max((np.size(item) for item in vars(self).values() if np.ndim(item)), default=ranges.DRAWS)


@dataclass(frozen=True)
class Rung:
    """Energy at one boundary.

    `energy_j` is that of each variant's own work; `follows` says that the rung is modelled by one factor, equal for both
    variants, on the rung below, so that it has that rung's saving whatever happened. `stated_j` is what stands in the file,
    by variant; None for a rung that is not there.
    """

    boundary: str
    energy_j: dict
    evidence: str
    basis: str
    follows: bool = False
    stated_j: dict | None = None


@dataclass(frozen=True)
class Ladder:
    """Rungs from the innermost outward, why others are absent, and the work of each variant."""

    rungs: list
    absent: dict
    work: dict
    declared: str = ""
    at: list = field(default_factory=list)

    def total_j(self, variant):
        """Energy by rung for the work of the baseline, shape (rungs,) or (draws, rungs). [J]"""
        scale = self.work["baseline"] / self.work[variant]
        return np.stack(np.broadcast_arrays(*(np.asarray(rung.energy_j[variant], float) for rung in self.rungs)), axis=-1) * scale

    def rows(self, values):
        """Values by rung as values by boundary, nan where there is no rung; shape (..., boundaries)."""
        every = np.full((*np.shape(values)[:-1], len(BOUNDARIES)), np.nan)
        every[..., self.at] = values
        return every

    def text(self, words):
        """Words by rung as words by boundary."""
        every = dict(zip(self.at, words, strict=True))
        return [every.get(place, "not available") for place in range(len(BOUNDARIES))]

    def evidence(self, *places):
        """Weakest evidence of rungs and, where one is modelled, of the rung inside it."""
        used = {step for place in places for step in (place, place - (self.rungs[place].stated_j is None)) if step >= 0}
        return weakest(self.rungs[step].evidence for step in used)

    def find(self, *boundaries):
        """The first of some boundaries that has a rung, or None."""
        there = {rung.boundary: rung for rung in self.rungs}
        return next((there[name] for name in boundaries if name in there), None)


def climb(boundary_csv, models, quality_difference=None, variant_meters=None, rng=None):
    """Rungs of a ladder: those of the file, and those that can be modelled from the one below.

    Parameters
    ----------
    boundary_csv : pandas.DataFrame
        Columns boundary, variant, energy_j, evidence, components, work, quality_pct and, optionally, energy_low_j, energy_high_j.
    models : Models
        What the others are modelled by.
    quality_difference : str, optional
        ``declared`` where the variants may differ in quality.
    variant_meters : str, optional
        ``one`` where one meter on one range read both variants at a boundary, so that its error is the same.
    rng : numpy.random.Generator, optional
        Draws the measured energies from their ranges; without one, their values.

    Returns
    -------
    Ladder

    Raises
    ------
    InputError
        If the variants may not be compared, or rows of a boundary have no clear total.
    """
    table = rows_by_index(boundary_csv)
    declared = same_quality(table, quality_difference)
    energies = row_energies(table, rng, variant_meters, models.draws)
    ladder = Ladder([], {}, first_of_variants(table, "work"), declared)
    for place, boundary in enumerate(BOUNDARIES):
        rows = {index: row for index, row in table.items() if row["boundary"] == boundary}
        rung = _measured(boundary, rows, energies, ladder) if rows else _MODELS[boundary](ladder, models)
        if isinstance(rung, str):
            ladder.absent[boundary] = rung
        else:
            ladder.rungs.append(rung)
            ladder.at.append(place)
    return ladder


def _measured(boundary, rows, energies, ladder):
    energy, stated, covered, kinds = {}, {}, {}, []
    for variant in VARIANTS:
        own = {index: row for index, row in rows.items() if row["variant"] == variant}
        chosen = {index: own[index] for index in total_rows(own)}
        energy[variant] = sum(energies[index] for index in chosen)
        stated[variant] = sum(row["energy_j"] for row in chosen.values())
        covered[variant] = frozenset().union(*(parts_of(row["components"]) for row in chosen.values()))
        kinds += [row["evidence"] for row in chosen.values()]
    if covered["baseline"] != covered["optimized"]:
        found = " and ".join("+".join(sorted(covered[variant])) for variant in VARIANTS)
        raise InputError(
            Problem(
                f"these may not be compared: the variants cover other components at {boundary}",
                field="components",
                value=found,
                allowed="the same components for both variants",
            )
        )
    evidence, below = weakest(kinds), ladder.rungs[-1].stated_j if ladder.rungs else None
    follows = evidence in _MODELLED and below is not None and _one_factor(stated, below)
    return Rung(boundary, energy, evidence, f"in the file: {'+'.join(sorted(covered['baseline']))}", follows, stated)


def _one_factor(outer, inner):
    one, other = (outer[variant] / inner[variant] for variant in VARIANTS)
    return bool(abs(one - other) <= _SAME * abs(other))


def _server(ladder, models):
    node, accelerator = ladder.find("node_dc"), ladder.find("accelerator")
    if node is None and accelerator is None:
        return "not in the file, and no rung inside it"
    windows = [f"window_{variant}_s" for variant in VARIANTS]
    if reason := models.lacks("psu_efficiency", *([] if node else ["host_power_w", "host_power_is", *windows])):
        return reason
    if node:
        energy = {variant: energy_at_server(node.energy_j[variant], 0.0, models.psu_efficiency, "dc") for variant in VARIANTS}
        return Rung("server", energy, "modelled", "one power supply efficiency on the node's DC energy", follows=True)
    host = {variant: models.host_power_w * getattr(models, f"window_{variant}_s") for variant in VARIANTS}
    energy = {
        variant: energy_at_server(accelerator.energy_j[variant], host[variant], models.psu_efficiency, models.host_power_is)
        for variant in VARIANTS
    }
    return Rung("server", energy, "modelled", "one power supply efficiency, and a host of equal power in both variants")


def _rack(ladder, models):
    server = ladder.find("server")
    if server is None:
        return "not in the file, and no server inside it"
    if reason := models.lacks("network_storage_share"):
        return reason
    energy = {variant: energy_at_rack(server.energy_j[variant], models.network_storage_share) for variant in VARIANTS}
    return Rung("rack", energy, "modelled", "one share of network and storage on the server's energy", follows=True)


def _facility(ladder, models):
    below = ladder.find("rack", "server")
    if below is None:
        return "not in the file, and neither rack nor server inside it"
    short = "" if below.boundary == "rack" else "; network and storage not counted"
    windows = tuple(f"window_{variant}_s" for variant in VARIANTS)
    if models.facility_fixed_w is not None or models.facility_slope is not None:
        if reason := models.lacks("facility_fixed_w", "facility_slope", *windows):
            return reason
        energy = {
            variant: facility_energy(
                below.energy_j[variant],
                getattr(models, f"window_{variant}_s"),
                models.facility_fixed_w,
                models.facility_slope,
            )
            for variant in VARIANTS
        }
        return Rung("facility", energy, "modelled", f"fixed power and slope on the {below.boundary}{short}")
    if models.pue is None:
        return NEEDS_FACILITY
    energy = {variant: apply_pue(below.energy_j[variant], below.boundary, models.pue) for variant in VARIANTS}
    category = models.pue_category or "category not stated"
    return Rung("facility", energy, "modelled", f"one PUE ({category}) on the {below.boundary}{short}", follows=True)


_MODELS = {
    "accelerator": lambda ladder, models: "not in the file",
    "node_dc": lambda ladder, models: "not in the file",
    "server": _server,
    "rack": _rack,
    "facility": _facility,
}
