"""The SCI specification: carbon of a unit of work out of an energy that it is given."""

from joulebook.method.accountings.parts import PARTS, Counted
from joulebook.units import GRAMS_PER_KILOGRAM, kwh_from_joules

NAME = "SCI specification"


def intensity(energy_kwh, grid_g_per_kwh, embodied_g, units):
    """Software carbon intensity. [g CO2e per unit]

    Parameters
    ----------
    energy_kwh : float or ndarray
        E, energy of the software. [kWh]
    grid_g_per_kwh : float or ndarray
        I, carbon of a kilowatt-hour. [g/kWh]
    embodied_g : float or ndarray
        M, share of the embodied carbon. [g]
    units : float
        R, units of work.

    References
    ----------
    .. [1] ISO/IEC 21031:2024, Software Carbon Intensity specification.

    Examples
    --------
    >>> intensity(2.0, 400.0, 200.0, 1000.0)
    1.0
    """
    return (energy_kwh * grid_g_per_kwh + embodied_g) / units


def usage_g(energy_j, of):
    """Carbon of the electricity of a request, by the yearly mix of the country. [g CO2e]"""
    return kwh_from_joules(energy_j) * of["mix_USA"] * GRAMS_PER_KILOGRAM


def counted():
    """The request by the specification: no energy, as it takes one."""
    return Counted(NAME, why=dict.fromkeys(PARTS, "takes an energy, does not say how to find it"))
