"""Whether two results differ beyond their uncertainty, and what difference could be seen at all (method, Uncertainty)."""

from typing import NamedTuple

import numpy as np
import uncertainties
from scipy import stats
from uncertainties import umath

from joulebook.errors import InputError, Problem
from joulebook.method.ranges import COVERAGE
from joulebook.method.uncertainty import coverage_factor, dof_of, expanded_uncertainty, finite_runs

POWER = 0.8  # chance of seeing the smallest difference that is called detectable


class Comparison(NamedTuple):
    """A ratio of two results with its coverage interval, relative standard uncertainty and effective degrees of freedom."""

    ratio: float
    low: float
    high: float
    relative_u: float
    dof: float

    @property
    def differ(self):
        """Whether the interval excludes 1."""
        return not self.low <= 1 <= self.high

    @property
    def verdict(self):
        """The same in words."""
        return "differ" if self.differ else "not distinguishable"


def compared(first, second, coverage=COVERAGE):
    r"""Ratio second/first of two positive results, and whether they differ.

    Parameters
    ----------
    first, second : uncertainties.UFloat or float
        Results A and B; what they share is correlated.
    coverage : float
        Coverage of the interval. [1]

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        If a result is not above 0.

    Notes
    -----
    In logs, with relative type A and type B uncertainties a and b, and the correlation of the latter:

    .. math:: u^2 = a_A^2 + a_B^2 + b_A^2 + b_B^2 - 2 \rho b_A b_B

    Examples
    --------
    >>> from joulebook.method.uncertainty import of_runs
    >>> b = of_runs([0.1969, 0.1981, 0.1975, 0.1990, 0.1977])
    >>> made = compared(of_runs([0.2012, 0.1998, 0.2005, 0.1991, 0.2004]), b)
    >>> round(made.ratio, 6), round(made.low, 6), round(made.high, 6), made.verdict
    (0.988212, 0.982542, 0.993914, 'differ')
    """
    for result in (first, second):
        if not uncertainties.nominal_value(result) > 0:
            value = uncertainties.nominal_value(result)
            raise InputError(Problem("no ratio of it can be taken", value=value, allowed="results above 0"))
    logs = umath.log(second) - umath.log(first)
    ratio = uncertainties.nominal_value(second) / uncertainties.nominal_value(first)
    factor = float(np.exp(expanded_uncertainty(logs, coverage)))
    return Comparison(ratio, ratio / factor, ratio * factor, uncertainties.std_dev(logs), dof_of(logs))


class Welch(NamedTuple):
    """Welch's test of two sets of runs: t of the difference of the means, its degrees of freedom, and p of both sides."""

    statistic: float
    dof: float
    p_value: float


def welch(first, second):
    """Welch's t of two sets of runs of unequal spread.

    Parameters
    ----------
    first, second : array_like, shapes (n,) and (m,)
        The runs, at least two in each set.

    Returns
    -------
    Welch
        Of the first less the second.

    Raises
    ------
    InputError
        If a set has fewer than two runs, or neither has any spread.

    References
    ----------
    .. [1] B. L. Welch, The generalization of Student's problem when several different population variances are involved,
       Biometrika 34 (1947) 28.

    Examples
    --------
    >>> made = welch([0.2012, 0.1998, 0.2005, 0.1991, 0.2004], [0.1969, 0.1981, 0.1975, 0.1990, 0.1977])
    >>> round(made.statistic, 6), round(made.dof, 6)
    (4.752427, 7.99848)
    """
    first, second = finite_runs(first), finite_runs(second)
    if not (np.ptp(first) or np.ptp(second)):
        raise InputError(Problem("neither set of runs has any spread: their resolution hides it", allowed="runs that differ"))
    made = stats.ttest_ind(first, second, equal_var=False)
    return Welch(float(made.statistic), float(made.df), float(made.pvalue))


def smallest_detectable(cv, runs):
    r"""Smallest relative difference of two sets of runs that a test finds with a power of 0.8.

    Parameters
    ----------
    cv : float or ndarray
        Coefficient of variation of the runs. [1]
    runs : int or ndarray
        Runs in each of the two sets, at least 2.

    Returns
    -------
    float or ndarray
        Difference over the mean. [1]

    Notes
    -----
    With t of 2 n - 2 degrees of freedom:

    .. math:: \left(t_{0.975} + t_{0.8}\right) \mathrm{cv} \sqrt{2 / n}

    Examples
    --------
    >>> round(float(smallest_detectable(0.02, 5)), 4)
    0.0404
    """
    if np.any(np.asarray(runs) < 2):
        raise InputError(Problem("too few runs", value=float(np.min(runs)), allowed="at least 2 in each set"))
    dof = 2 * np.asarray(runs) - 2
    return (coverage_factor(dof) + stats.t.ppf(POWER, dof)) * cv * np.sqrt(2 / np.asarray(runs))


def interval_of_ratio(first, second):
    r"""Coverage interval of second/first for two independent positive results.

    Parameters
    ----------
    first, second : tuple of float
        Value, low and high of each; low and high of 95 %.

    Returns
    -------
    tuple of float
        Low and high of the ratio. They differ only if it excludes 1.

    Notes
    -----
    In logs, with h the half width over the value (u is h/1.96 of each, and 1.96 cancels):

    .. math:: \ln(B/A) \mp \sqrt{h_A^2 + h_B^2}

    Examples
    --------
    >>> low, high = interval_of_ratio((1.0, 0.97, 1.03), (1.0, 0.96, 1.04))
    >>> round(low, 4), round(high, 4)
    (0.9512, 1.0513)
    """
    (a, *ends_a), (b, *ends_b) = first, second
    width = np.hypot((ends_a[1] - ends_a[0]) / 2 / a, (ends_b[1] - ends_b[0]) / 2 / b)
    factor = float(np.exp(min(width, 300.0)))  # finite for the widest ranges too
    return b / a / factor, b / a * factor


def interval_of_difference(first, second):
    """Coverage interval of second less first for two independent results; as `interval_of_ratio`, of any sign.

    Examples
    --------
    >>> interval_of_difference((1.0, 0.7, 1.3), (2.0, 1.6, 2.4))
    (0.5, 1.5)
    """
    (a, *ends_a), (b, *ends_b) = first, second
    width = float(np.hypot((ends_a[1] - ends_a[0]) / 2, (ends_b[1] - ends_b[0]) / 2))
    return b - a - width, b - a + width
