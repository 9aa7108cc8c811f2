"""What a measurement is worth: standard uncertainties, and whether two results differ (method, Uncertainty)."""

import numpy as np

from joulebook.method.ranges import distribution


def standard_uncertainty(given):
    """Standard uncertainty of an input from its range, in the input's unit.

    Returns
    -------
    float
        u of a normal (half width 2 u), a / sqrt(3) of a rectangular, a / sqrt(6) of a symmetric triangular range.
    """
    return float(distribution(given).std())


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
