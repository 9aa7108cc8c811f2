"""Energy of acceptable work, and what errors cost beside energy (method, section 4)."""

import numpy as np

from joulebook.method.fleet import facility_kwh, per_million
from joulebook.method.point_choice import point_energy
from joulebook.method.quality import absolute_share, no_absolute
from joulebook.method.study import gives
from joulebook.units import JOULES_PER_KWH, WATTS_PER_KILOWATT

SCORE = "a score is taken as the share of acceptable work"


@gives("acceptable_share", "energy_per_acceptable_j", "point_acceptable")
def acceptable_work(
    operating_points,
    deployable_energy_per_unit_j,
    deployable_quality_pct,
    quality_is,
    quality_kind=None,
    reference_quality=None,
    rng=None,
):
    r"""Energy of an acceptable unit of work: the rejected ones are paid for by the acceptable.

    Parameters
    ----------
    operating_points : pandas.DataFrame
        Measured points of one machine.
    deployable_energy_per_unit_j, deployable_quality_pct : float or ndarray
        Results of `best_points`.
    quality_is, quality_kind, reference_quality
        See ``data/parameters.csv``.
    rng : numpy.random.Generator, optional
        Draws the ranges of power and throughput.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: e / q, \qquad q \text{ absolute}
    """
    if reason := no_absolute(quality_is, reference_quality):
        return {**dict.fromkeys(acceptable_work.results), "notes": dict.fromkeys(acceptable_work.results, reason)}
    share = absolute_share(deployable_quality_pct, quality_is, reference_quality)
    each = _shares(operating_points, quality_is, reference_quality)
    return {
        "acceptable_share": share,
        "energy_per_acceptable_j": _divide(deployable_energy_per_unit_j, share),
        "point_acceptable": {
            "point | ": operating_points["name"].tolist(),
            "absolute_quality | %": each * 100,
            "energy_per_acceptable | J per {unit}": _divide(point_energy(operating_points, rng), each),
        },
        "notes": {"acceptable_share": SCORE} if quality_kind == "score" else {},
    }


@gives(
    "energy_cost_per_million",
    "error_cost_per_million",
    "expected_cost_per_million",
    "looser_expected_cost_per_million",
    "tie_error_cost",
    "expected_costs",
)
def expected_cost(
    operating_points,
    deployable_energy_per_unit_j,
    deployable_quality_pct,
    electricity_price_per_kwh,
    error_cost,
    quality_is,
    looser_energy_per_unit_j=None,
    looser_quality_pct=None,
    reference_quality=None,
    boundary=None,
    pue=None,
    rng=None,
):
    r"""Cost of a unit of work with its energy and its errors, and the cost of an error at which two options tie.

    Parameters
    ----------
    operating_points : pandas.DataFrame
        Measured points of one machine.
    deployable_energy_per_unit_j, deployable_quality_pct, looser_energy_per_unit_j, looser_quality_pct : float or ndarray
        Results of `best_points`: the two options.
    electricity_price_per_kwh, error_cost, quality_is, reference_quality, pue
        See ``data/parameters.csv``; `pue` is None where the power was measured at the facility.
    boundary : str, optional
        Where the power was measured.
    rng : numpy.random.Generator, optional
        Draws the ranges of power and throughput.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: C = c + (1 - q)\, c_\mathrm{error}, \qquad
        c_\mathrm{error}^\mathrm{tie} = \frac{c_1 - c_2}{q_1 - q_2}
    """
    names = expected_cost.results
    reason = no_absolute(quality_is, reference_quality) or ("needs pue" if pue is None and boundary != "facility" else "")
    if reason:
        return {**dict.fromkeys(names), "notes": dict.fromkeys(names, reason)}
    money = energy_cost(deployable_energy_per_unit_j, electricity_price_per_kwh, boundary, pue)
    share = absolute_share(deployable_quality_pct, quality_is, reference_quality)
    errors = (1 - share) * error_cost
    looser, tie, notes = None, None, {}
    if looser_energy_per_unit_j is None:
        notes = dict.fromkeys(
            ("looser_expected_cost_per_million", "tie_error_cost"), "there is no point at a looser quality target"
        )
    else:
        other_money = energy_cost(looser_energy_per_unit_j, electricity_price_per_kwh, boundary, pue)
        other_share = absolute_share(looser_quality_pct, quality_is, reference_quality)
        looser = per_million(other_money + (1 - other_share) * error_cost, 1)
        tie = tie_error_cost(money, share, other_money, other_share)
        if not np.all(share > other_share):
            notes["tie_error_cost"] = "the looser target is best met by a point of no lower quality: there is nothing to weigh"
    price, wrong, factor = (
        None if item is None else np.asarray(item, float)[..., None] for item in (electricity_price_per_kwh, error_cost, pue)
    )
    each = _shares(operating_points, quality_is, reference_quality)
    spent = per_million(energy_cost(point_energy(operating_points, rng), price, boundary, factor), 1)
    lost = per_million((1 - each) * wrong, 1)
    return {
        "energy_cost_per_million": per_million(money, 1),
        "error_cost_per_million": per_million(errors, 1),
        "expected_cost_per_million": per_million(money + errors, 1),
        "looser_expected_cost_per_million": looser,
        "tie_error_cost": tie,
        "expected_costs": {
            "point | ": operating_points["name"].tolist(),
            "energy_cost | {currency} per million {units}": spent,
            "error_cost | {currency} per million {units}": lost,
            "expected_cost | {currency} per million {units}": spent + lost,
        },
        "notes": notes,
    }


def energy_cost(energy_j, price_per_kwh, boundary=None, pue=None):
    """Cost of the energy of a unit of work at the facility. [money]

    Examples
    --------
    >>> round(energy_cost(0.5, 0.12, "server", 1.3) * 1e9, 4)
    21.6667
    """
    return facility_kwh(energy_j / JOULES_PER_KWH * WATTS_PER_KILOWATT, 1.0, boundary, pue) * price_per_kwh


def tie_error_cost(cost, share, other_cost, other_share):
    """Cost of an error at which an option of higher quality costs what another costs; nan where its quality is not higher.

    Examples
    --------
    >>> float(tie_error_cost(3.0, 0.75, 2.0, 0.5))
    4.0
    """
    better = np.asarray(share - other_share, float)
    return np.where(better > 0, (cost - other_cost) / np.where(better > 0, better, 1), np.nan)[()]


def _divide(energy_j, share):
    share = np.asarray(share, float)
    return np.where(share > 0, energy_j / np.where(share > 0, share, 1), np.nan)[()]


def _shares(operating_points, quality_is, reference_quality):
    """Absolute quality of every point as a share."""
    reference = None if reference_quality is None else np.asarray(reference_quality, float)[..., None]
    return absolute_share(operating_points["quality_pct"].to_numpy(float), quality_is, reference)
