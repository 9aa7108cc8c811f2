"""Emissions of energy by the carbon intensity of the hour, each with the basis that it stands on."""

from dataclasses import dataclass

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.method.intervals import interval_means
from joulebook.results import NOT_STATED

CHOICES = {
    "basis": ("average", "marginal"),
    "scope": ("direct", "life_cycle"),
    "accounting": ("location", "market"),
    "gas": ("CO2", "CO2e", NOT_STATED),
}
_WORDS = {"life_cycle": "life cycle", "location": "location-based", "market": "market-based"}


@dataclass(frozen=True)
class Basis:
    """What a carbon intensity counts; numbers of different ones are neither added nor swapped.

    Parameters
    ----------
    basis : str
        ``average`` of the generation of the hour, or ``marginal``: of the plants that follow a change of the load.
    scope : str
        ``direct`` of the plants, or over their ``life_cycle``.
    accounting : str
        By ``location`` of the grid, or by contract on the ``market``.
    gas : str, optional
        ``CO2`` alone, or ``CO2e`` with other gases as their equivalent, as the source has it: carried, never converted.

    Raises
    ------
    InputError
        If one of them is none of these.

    Examples
    --------
    >>> str(Basis("marginal", "direct", "location"))
    'marginal, direct, location-based'
    >>> str(Basis("average", "life_cycle", "market", "CO2e"))
    'average, life cycle, market-based, CO2e'
    """

    basis: str
    scope: str
    accounting: str
    gas: str = NOT_STATED

    def __post_init__(self):
        wrong = [Problem("not allowed", field=name, value=getattr(self, name), allowed=" or ".join(choices))
                 for name, choices in CHOICES.items() if getattr(self, name) not in choices]
        if wrong:
            raise InputError(wrong)

    def __str__(self):
        parts = (self.basis, self.scope, self.accounting, *([self.gas] if self.gas != NOT_STATED else []))
        return ", ".join(_WORDS.get(part, part) for part in parts)


@dataclass(frozen=True)
class Emissions:
    """Emissions with their basis.

    Parameters
    ----------
    mass_g : float
        Mass of carbon dioxide, or its equivalent, as the source of the intensity has it. [g]
    energy_kwh : float
        Energy that they are of. [kWh]
    basis : Basis
        What is counted.
    """

    mass_g: float
    energy_kwh: float
    basis: Basis

    @property
    def intensity_g_per_kwh(self):
        """Mean by energy; None where there is no energy. [g/kWh]"""
        return self.mass_g / self.energy_kwh if self.energy_kwh else None

    def __str__(self):
        return f"{self.mass_g:.6g} g ({self.basis})"

    def __add__(self, other):
        if not isinstance(other, Emissions):
            return NotImplemented
        if self.basis != other.basis:
            raise InputError([Problem("emissions on different bases are not added", field=name, value=getattr(other.basis, name),
                                      allowed=getattr(self.basis, name))
                              for name in CHOICES if getattr(self.basis, name) != getattr(other.basis, name)])
        return Emissions(self.mass_g + other.mass_g, self.energy_kwh + other.energy_kwh, self.basis)


def emissions(begins, ends, energy_kwh, of_begins, of_ends, g_per_kwh, basis):
    r"""Emissions of energy by intervals, each at the intensity of its own time.

    Parameters
    ----------
    begins, ends : array_like of datetime64, shape (n,)
        Intervals of the energy in UTC; inside each it is spread evenly.
    energy_kwh : array_like of float, shape (n,)
        Energy of each. [kWh]
    of_begins, of_ends : array_like of datetime64, shape (m,)
        Intervals of the intensity in UTC, of any length.
    g_per_kwh : array_like of float, shape (m,)
        Carbon intensity of each. [g/kWh]
    basis : Basis
        What the intensity counts.

    Returns
    -------
    Emissions
        Their sum.

    Raises
    ------
    InputError
        If an energy is no finite number, or as `joulebook.method.intervals.interval_means`: no intensity for part of the energy.

    Notes
    -----
    .. math:: m = \sum_h E_h\, g_h, \quad \text{never} \; \bar E\, \bar g

    Examples
    --------
    >>> hours = np.array(["2026-03-01T00", "2026-03-01T01", "2026-03-01T02"], "datetime64[h]")
    >>> marginal = Basis("marginal", "direct", "location")
    >>> print(emissions(hours[:-1], hours[1:], [1, 2], hours[:-1], hours[1:], [600, 500], marginal))
    1600 g (marginal, direct, location-based)
    """
    energy = np.asarray(energy_kwh, float)
    if energy.shape != np.shape(begins) or not np.isfinite(energy).all():
        raise InputError(Problem("not a finite number for each interval", field="energy_kwh"))
    means = interval_means(begins, ends, of_begins, of_ends, g_per_kwh, "g_per_kwh", "no intensity for part of the energy")
    return Emissions(float(energy @ means), float(energy.sum()), basis)
