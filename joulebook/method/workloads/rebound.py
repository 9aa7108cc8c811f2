"""What a saving leaves when what becomes cheaper is used more (method, section 8)."""

import numpy as np

from joulebook.method.study import gives
from joulebook.method.workloads.energies import OF_ALL

_GRID = np.linspace(0, 3, 61)  # elasticities


def price_ratio(unit_energy_ratio, energy_share_of_price, pass_through):
    r"""Price of a unit of work after a change of its energy, over that before.

    Parameters
    ----------
    unit_energy_ratio : float or ndarray
        Energy of a unit of work after, over that before. [1]
    energy_share_of_price : float or ndarray
        Share of energy in the price. [1]
    pass_through : float or ndarray
        Share of the saved cost that reaches the price. [1]

    Returns
    -------
    float or ndarray
        Ratio. [1]

    Notes
    -----
    .. math:: p = 1 - s (1 - r) \theta        (equation ``eq-price-ratio`` in the book)

    Examples
    --------
    >>> price_ratio(0.5, 0.3, 1.0)
    0.85
    """
    return 1 - energy_share_of_price * (1 - unit_energy_ratio) * pass_through


def total_energy_ratio(unit_energy_ratio, price_ratio, demand_elasticity):
    r"""Total energy after over that before, with demand of a constant elasticity.

    Notes
    -----
    .. math:: R = r\, p^{-\varepsilon}        (equation ``eq-rebound`` in the book)

    Examples
    --------
    >>> round(total_energy_ratio(0.5, 0.5, 1.2), 6), round(total_energy_ratio(0.5, 0.85, 1.2), 6)
    (1.148698, 0.607669)
    """
    return unit_energy_ratio * price_ratio**-demand_elasticity


def break_even_elasticity(unit_energy_ratio, price_ratio):
    r"""Elasticity at which the growth of demand takes back all of the saving; nan where none does.

    Parameters
    ----------
    unit_energy_ratio, price_ratio : float or ndarray
        Energy and price of a unit of work after, over those before. [1]

    Returns
    -------
    float or ndarray
        Elasticity. [1]

    Notes
    -----
    Of r p^-e = 1 the logarithm is linear in e, so that no search is needed; where all of the price is energy and all of the
    saving is passed on, p = r and it is one.

    .. math:: \varepsilon^* = \ln r / \ln p        (equation ``eq-break-even-elasticity`` in the book)

    Examples
    --------
    >>> float(break_even_elasticity(0.5, 0.5)), round(float(break_even_elasticity(0.5, 0.85)), 3)
    (1.0, 4.265)
    """
    with np.errstate(all="ignore"):
        logs = np.log(price_ratio)
        return np.where((logs != 0) & (np.asarray(unit_energy_ratio) != 1), np.log(unit_energy_ratio) / logs, np.nan)[()]


@gives(
    "price_ratio",
    "demand_ratio",
    "total_energy_ratio",
    "rebound_share",
    "break_even_elasticity",
    "kwh_without_rebound",
    "kwh_with_rebound",
    "rebound_by_elasticity",
)
def rebound(unit_energy_ratio, energy_share_of_price, pass_through, demand_elasticity, portfolio_kwh=None):
    r"""Demand and total energy after a change of the energy of a unit of work.

    Parameters
    ----------
    unit_energy_ratio, energy_share_of_price, pass_through, demand_elasticity : float or ndarray
        See ``data/parameters.csv``.
    portfolio_kwh : float or ndarray, optional
        Energy of a year, all of which the change reaches.

    Returns
    -------
    dict
        The results named in `gives`; the table has a row an elasticity.

    Notes
    -----
    .. math:: \rho = 1 - \frac{1 - r p^{-\varepsilon}}{1 - r}        (equation ``eq-rebound-share`` in the book)
    """
    price = price_ratio(unit_energy_ratio, energy_share_of_price, pass_through)
    total = total_energy_ratio(unit_energy_ratio, price, demand_elasticity)
    changes = np.asarray(unit_energy_ratio) != 1
    share = np.where(changes, 1 - (1 - total) / np.where(changes, 1 - np.asarray(unit_energy_ratio), 1.0), np.nan)[()]
    even = break_even_elasticity(unit_energy_ratio, price)
    notes = {}
    if not np.all(changes):
        notes |= dict.fromkeys(("rebound_share", "break_even_elasticity"), "the energy of a unit of work does not change")
    elif not np.all(price != 1):
        notes["break_even_elasticity"] = "none: the price does not change, so that no demand follows it"
    if np.ndim(total) == 0 and total > 1 and unit_energy_ratio < 1:
        notes["rebound_share"] = "above one: more energy than before the saving"
    kwh = np.nan if portfolio_kwh is None else portfolio_kwh
    names = ("kwh_without_rebound", "kwh_with_rebound")
    reason = "the energy of the portfolio is not known"
    notes |= dict.fromkeys(names, reason if portfolio_kwh is None else "if the change reaches every workload")
    return {
        "price_ratio": price,
        "demand_ratio": price**-demand_elasticity,
        "total_energy_ratio": total,
        "rebound_share": share,
        "break_even_elasticity": even,
        "kwh_without_rebound": kwh * unit_energy_ratio,
        "kwh_with_rebound": kwh * total,
        "rebound_by_elasticity": _by_elasticity(unit_energy_ratio, price),
        "labels": dict.fromkeys(rebound.results[:-1], OF_ALL),
        "notes": notes,
    }


def _by_elasticity(ratio, price):
    """Total energy at each elasticity, at this share of energy in the price and where energy is all of it."""
    ratio, price = (np.asarray(item, float)[..., None] for item in (ratio, price))
    return {
        "elasticity | 1": _GRID,
        "total_energy_ratio | 1": total_energy_ratio(ratio, price, _GRID),
        "all_energy_ratio | 1": total_energy_ratio(ratio, ratio, _GRID),
    }
