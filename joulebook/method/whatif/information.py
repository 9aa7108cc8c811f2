"""What knowing more is worth to a decision that may go either way (method, section 9)."""

import numpy as np

DEGREE = 5  # of the polynomial that a conditional mean is taken for
_TOLD = 1e-6  # of a spread: a smaller value is less than draws can tell


def unit_normal_loss(z):
    r"""Expected excess of a standard normal variable over z.

    Parameters
    ----------
    z : float or ndarray
        Standard deviations that the decision lies from the flip. [1]

    Returns
    -------
    float or ndarray

    Notes
    -----
    .. math:: L(z) = \varphi(z) - z \, (1 - \Phi(z))

    Examples
    --------
    >>> round(float(unit_normal_loss(0.0)), 6)
    0.398942
    """
    from scipy import special  # late: what needs no value of information starts without it

    z = np.asarray(z, float)
    return (np.exp(-z * z / 2) / np.sqrt(2 * np.pi) - z * special.ndtr(-z))[()]


def value_of_perfect_information(mean, standard_uncertainty):
    r"""What a decision is expected to gain if its net benefit became known before it is taken.

    Parameters
    ----------
    mean : float or ndarray
        Expected net benefit over the hurdle; the decision goes by its sign. [money]
    standard_uncertainty : float or ndarray
        Standard uncertainty of it, normal. [money]

    Returns
    -------
    float or ndarray
        Never negative; 0 where nothing is uncertain. [money]

    Notes
    -----
    .. math:: \mathrm{EVPI} = s \, \bigl( \varphi(z) - z (1 - \Phi(z)) \bigr), \qquad z = |m| / s

    References
    ----------
    .. [1] Raiffa and Schlaifer, Applied Statistical Decision Theory, 1961, chapter 5.

    Examples
    --------
    >>> round(float(value_of_perfect_information(3000.0, 5000.0)), 3)
    843.364
    """
    mean, spread = np.broadcast_arrays(np.abs(np.asarray(mean, float)), np.asarray(standard_uncertainty, float))
    safe = np.where(spread > 0, spread, 1.0)
    return np.where(spread > 0, safe * unit_normal_loss(mean / safe), 0.0 * mean + 0.0 * spread)[()]


def worth_knowing(mean, spread):
    """Value of perfect information, one for each spread; nothing where it is a smaller part of the spread than draws can tell.

    Examples
    --------
    >>> worth_knowing(3000.0, [5000.0, 500.0]).round(3).tolist()
    [843.364, 0.0]
    """
    value = np.atleast_1d(value_of_perfect_information(mean, spread))
    return np.where(value < _TOLD * np.asarray(spread, float), 0.0, value)


def spread_resolved(standard_uncertainty, measurement_uncertainty):
    r"""How far a measurement is expected to move the mean: standard deviation of the mean after it.

    Parameters
    ----------
    standard_uncertainty : float or ndarray
        Standard uncertainty before the measurement.
    measurement_uncertainty : float or ndarray
        Standard uncertainty of the measurement, in the same unit; infinite where it tells nothing.

    Returns
    -------
    float or ndarray

    Notes
    -----
    .. math:: s' = \sqrt{ s^2 - \frac{1}{1 / s^2 + 1 / s_m^2} } = \frac{s^2}{\sqrt{s^2 + s_m^2}}

    The right side is the same and loses no digits.

    Examples
    --------
    >>> round(float(spread_resolved(3.0, 4.0)), 12), float(spread_resolved(3.0, 0.0))
    (1.8, 3.0)
    """
    before, error = np.broadcast_arrays(np.asarray(standard_uncertainty, float), np.asarray(measurement_uncertainty, float))
    length = np.hypot(before, error)
    return np.where(before > 0, before * np.divide(before, length, out=np.zeros(length.shape), where=length > 0), before)[()]


def value_of_sample_information(mean, standard_uncertainty, measurement_uncertainty):
    """What a decision is expected to gain if a measurement with an error of its own comes before it.

    Parameters
    ----------
    mean, standard_uncertainty : float or ndarray
        As in `value_of_perfect_information`.
    measurement_uncertainty : float or ndarray
        Standard uncertainty of the measurement, as money of the net benefit. [money]

    Returns
    -------
    float or ndarray
        [money]

    Examples
    --------
    >>> round(float(value_of_sample_information(3000.0, 5000.0, 2500.0)), 3)
    671.15
    """
    return value_of_perfect_information(mean, spread_resolved(standard_uncertainty, measurement_uncertainty))


def probability_right(mean, standard_uncertainty):
    r"""Probability that the decision by the mean is the right one: :math:`\Phi(|m| / s)`.

    Parameters
    ----------
    mean, standard_uncertainty : float or ndarray
        As in `value_of_perfect_information`.

    Returns
    -------
    float or ndarray
        One half to one; one where nothing is uncertain. [1]

    Examples
    --------
    >>> round(float(probability_right(3000.0, 5000.0)), 6)
    0.725747
    """
    from scipy import special

    mean, spread = np.broadcast_arrays(np.abs(np.asarray(mean, float)), np.asarray(standard_uncertainty, float))
    safe = np.where(spread > 0, spread, 1.0)
    return np.where(spread > 0, special.ndtr(mean / safe), 1.0 + 0.0 * mean + 0.0 * spread)[()]


def conditional_spread(values, output):
    r"""How far knowing one input moves the mean of an output: standard deviation of the conditional mean.

    Parameters
    ----------
    values, output : ndarray, shape (n,)
        Draws of the input, and the output at them.

    Returns
    -------
    float
        In the output's unit.

    Notes
    -----
    The conditional mean is taken for a polynomial of the input's rank, in Legendre's polynomials, which are orthonormal on ranks:

    .. math:: s_i^2 = \sum_{k \ge 1} \left( \frac{1}{n} \sum_j y_j P_k(u_j) \right)^2

    Examples
    --------
    >>> import numpy as np
    >>> u = (np.arange(4096) + 0.5) / 4096
    >>> round(float(conditional_spread(u, 10 * u) / (10 / np.sqrt(12))), 4)
    1.0
    """
    count = len(values)
    ranks = np.empty(count)
    ranks[np.argsort(values, kind="stable")] = (np.arange(count) + 0.5) / count
    basis = np.polynomial.legendre.legvander(2 * ranks - 1, DEGREE)[:, 1:] * np.sqrt(2 * np.arange(1, DEGREE + 1) + 1)
    return float(np.sqrt(np.sum(np.mean(basis * (output - np.mean(output))[:, None], axis=0) ** 2)))
