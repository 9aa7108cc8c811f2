"""What a measurement is worth: standard uncertainties and their propagation (method, Uncertainty).

A quantity is a number of the package `uncertainties` that knows its sources. Arithmetic on quantities carries every source
along with its sensitivity, so that what two quantities share, such as the gain of one meter, is correlated in what is made of
them, and cancels in their ratio. Each source has degrees of freedom; those of a result are effective ones. Whether two
results differ is asked in `joulebook.method.differences`, ranges of inputs are drawn in `joulebook.method.ranges`.
"""

from dataclasses import dataclass

import numpy as np
import uncertainties

from joulebook.errors import InputError, Problem
from joulebook.method.ranges import COVERAGE, distribution
from joulebook.units import PERCENT

SHAPES = {"rectangular": np.sqrt(3), "triangular": np.sqrt(6), "u95": 2.0}  # half width over standard uncertainty


@dataclass(frozen=True)
class Source:
    """Where part of an uncertainty comes from, and on how many degrees of freedom it is known."""

    name: str
    dof: float


# ---- single quantities ----


def quantity(value, u, dof=np.inf, name=""):
    """A quantity with a source of uncertainty of its own.

    Parameters
    ----------
    value : float
        Best estimate.
    u : float
        Standard uncertainty, in the unit of the value.
    dof : float
        Degrees of freedom that `u` is known on; infinite for type B unless given.
    name : str
        Name of the source, for `budget`.

    Returns
    -------
    uncertainties.UFloat or float
        The quantity; the value itself where `u` is 0, which has no source.

    Raises
    ------
    InputError
        If `u` is negative or not finite, or `dof` not above 0.
    """
    if not (np.isfinite(value) and 0 <= u < np.inf):
        refuse = Problem("no standard uncertainty", field=name or None, value=u, allowed="a finite number of at least 0")
        raise InputError(refuse)
    if not dof > 0:
        raise InputError(Problem("no degrees of freedom", field=name or None, value=dof, allowed="a number above 0"))
    return uncertainties.ufloat(float(value), float(u), tag=Source(name, float(dof))) if u else float(value)


def of_runs(values, name="repeats"):
    r"""Mean of repeated runs (type A).

    Parameters
    ----------
    values : array_like, shape (n,)
        The runs, n >= 2.
    name : str
        Name of the source.

    Returns
    -------
    uncertainties.UFloat or float
        The mean, with n - 1 degrees of freedom.

    Raises
    ------
    InputError
        If there are fewer than two runs, or one is not finite.

    Notes
    -----
    .. math:: u = s / \sqrt{n}

    References
    ----------
    .. [1] JCGM 100:2008, section 4.2.

    Examples
    --------
    >>> made = of_runs([0.2012, 0.1998, 0.2005, 0.1991, 0.2004])
    >>> round(made.nominal_value, 9), round(made.std_dev, 9)
    (0.2002, 0.000353553)
    """
    runs = finite_runs(values)
    return quantity(runs.mean(), runs.std(ddof=1) / np.sqrt(len(runs)), len(runs) - 1, name)


def finite_runs(values):
    """Repeated runs as an array; refused where no spread can be taken of them."""
    runs = np.asarray(values, float)
    if runs.ndim != 1 or len(runs) < 2 or not np.isfinite(runs).all():
        what = "no spread can be taken of these runs"
        raise InputError(Problem(what, value=runs.tolist(), allowed="two or more finite numbers"))
    return runs


def of_limits(value, half_width, shape="rectangular", dof=np.inf, name="limits"):
    """A value known within limits (type B).

    Parameters
    ----------
    value : float
        Best estimate, in the middle.
    half_width : float
        Half the distance of the limits; for ``u95`` that of the interval of 95 %.
    shape : str
        One of `SHAPES`.
    dof, name
        As in `quantity`.

    Returns
    -------
    uncertainties.UFloat or float

    References
    ----------
    .. [1] JCGM 100:2008, sections 4.3.4 to 4.3.9.

    Examples
    --------
    >>> [round(of_limits(1000.0, 50.0, shape).std_dev, 4) for shape in ("u95", "rectangular", "triangular")]
    [25.0, 28.8675, 20.4124]
    """
    if shape not in SHAPES:
        raise InputError(Problem("no such shape of limits", field=name, value=shape, allowed=", ".join(SHAPES)))
    return quantity(value, half_width / SHAPES[shape], dof, name)


def of_input(given, name=""):
    """An input as a quantity, by its range; see `standard_uncertainty`."""
    return quantity(given.value, standard_uncertainty(given) if given.ranged else 0.0, name=name)


def standard_uncertainty(given):
    """Standard uncertainty of an input from its range, in the input's unit.

    Returns
    -------
    float
        u of a normal (half width 2 u), a / sqrt(3) of a rectangular, a / sqrt(6) of a symmetric triangular range.
    """
    return float(distribution(given).std())


def meter_limit(reading, of_reading_pct, of_range_pct, meter_range):
    """Limit of error of a meter, as makers print it: a share of the reading and one of the range.

    Parameters
    ----------
    reading : float or ndarray
        What it reads. [W or another unit]
    of_reading_pct, of_range_pct : float
        The two shares. [%]
    meter_range : float
        The range that it was set to. [as the reading]

    Returns
    -------
    float or ndarray
        Half width of a rectangular limit. [as the reading]

    Examples
    --------
    >>> [round(float(meter_limit(watts, 0.1, 0.1, 5000.0)), 9) for watts in (1000.0, 400.0)]
    [6.0, 5.4]
    """
    return (of_reading_pct * np.abs(reading) + of_range_pct * np.abs(meter_range)) / PERCENT


def correlated_gains(first_limit, second_limit, correlation, shape="rectangular", name="meter"):
    """Gains of the meters that two results were read on, each 1 within limits.

    Parameters
    ----------
    first_limit, second_limit : float
        Half widths. [1]
    correlation : float
        1 for one meter on one range, whose gain cancels in a ratio as far as the limits are equal; 0 for different meters.
    shape : str
        One of `SHAPES`.
    name : str
        Name of the source.

    Returns
    -------
    tuple of uncertainties.UFloat or float
        Factors to multiply the two results with.

    Examples
    --------
    >>> one, other = correlated_gains(0.005, 0.005, 1.0)
    >>> (5.0 * one / (4.0 * other)).std_dev
    0.0
    """
    if not -1 <= correlation <= 1:
        raise InputError(Problem("no correlation", field=name, value=correlation, allowed="a number from -1 to 1"))
    shared, own = quantity(0.0, 1.0, name=name), quantity(0.0, 1.0, name=f"{name} of the second")
    first, second = first_limit / SHAPES[shape], second_limit / SHAPES[shape]
    return 1 + first * shared, 1 + second * (correlation * shared + np.sqrt(1 - correlation**2) * own)


# ---- what is made of them ----


def budget(result):
    """Standard uncertainty that each source adds to a result.

    Parameters
    ----------
    result : uncertainties.UFloat or float
        What arithmetic on quantities gave.

    Returns
    -------
    list of tuple
        Source and its part of u, |sensitivity| x u of the source, largest first; they add in quadrature.
    """
    parts = result.error_components() if isinstance(result, uncertainties.UFloat) else {}
    made = [(variable.tag, float(part)) for variable, part in parts.items() if part]
    return sorted(made, key=lambda row: -row[1])


def effective_dof(parts, dof):
    r"""Effective degrees of freedom of a sum in quadrature (Welch-Satterthwaite).

    Parameters
    ----------
    parts : array_like, shape (..., n)
        Standard uncertainties that independent sources add to the result.
    dof : array_like, shape (..., n)
        Degrees of freedom of each; may be infinite.

    Returns
    -------
    float or ndarray
        Not rounded; infinite where no part has finite ones.

    Notes
    -----
    .. math:: \nu_\mathrm{eff} = \frac{u^4}{\sum_i u_i^4 / \nu_i}, \qquad u^2 = \sum_i u_i^2

    References
    ----------
    .. [1] JCGM 100:2008, section G.4.

    Examples
    --------
    >>> round(float(effective_dof([0.000353553, 0.001001 / 3**0.5], [4, np.inf])), 2)
    53.93
    """
    parts = np.abs(np.asarray(parts, float))
    largest = parts.max(axis=-1, keepdims=True)
    parts = np.divide(parts, largest, out=np.zeros_like(parts), where=largest > 0)  # their fourth powers stay within floats
    spread = np.sum(parts**4 / dof, axis=-1) / np.maximum(np.sum(parts**2, axis=-1), 1.0) ** 2
    return np.divide(1.0, spread, out=np.full(np.shape(spread), np.inf), where=spread > 0)[()]


def dof_of(result):
    """Effective degrees of freedom of a result, by the sources in its `budget`."""
    rows = budget(result)
    return float(effective_dof([part for _, part in rows], [source.dof for source, _ in rows])) if rows else np.inf


def coverage_factor(dof, coverage=COVERAGE):
    """Half width of a coverage interval over the standard uncertainty: t((1 + coverage) / 2, dof).

    Examples
    --------
    >>> round(float(coverage_factor(53.934)), 6), round(float(coverage_factor(np.inf)), 6)
    (2.004935, 1.959964)
    """
    from scipy import stats  # late: half a second of every command's start otherwise

    return stats.t.ppf((1 + coverage) / 2, dof)


def expanded_uncertainty(result, coverage=COVERAGE):
    """Half width of the coverage interval of a result, U = t(nu_eff) u.

    Examples
    --------
    >>> energy = of_runs([0.2012, 0.1998, 0.2005, 0.1991, 0.2004]) * of_limits(1.0, 0.005, name="meter")
    >>> round(expanded_uncertainty(energy), 9)
    0.001358335
    """
    return float(coverage_factor(dof_of(result), coverage) * uncertainties.std_dev(result))


def coverage_interval(result, coverage=COVERAGE):
    """Low and high of a result, its value less and plus `expanded_uncertainty`."""
    half = expanded_uncertainty(result, coverage)
    return uncertainties.nominal_value(result) - half, uncertainties.nominal_value(result) + half
