"""Throughput and power of one system move together: draws of the two that do so (method, section 9)."""

import numpy as np


def normal_correlation(rank_correlation):
    r"""Correlation of two normal variables whose ranks are correlated so much.

    Parameters
    ----------
    rank_correlation : float
        Spearman's rho. [1]

    Returns
    -------
    float
        Pearson's r.

    Notes
    -----
    .. math:: r = 2 \sin(\pi \rho / 6)

    References
    ----------
    .. [1] Kruskal, Ordinal measures of association, J. Am. Stat. Assoc. 53 (1958) 814-861, section 6.

    Examples
    --------
    >>> float(normal_correlation(1.0)), float(normal_correlation(0.0))
    (1.0, 0.0)
    """
    # sin(pi/6) is a half but for the last bit
    return np.clip(2 * np.sin(np.pi * np.asarray(rank_correlation, float) / 6), -1, 1).round(15)[()]


def moved_together(first, second, rank_correlation):
    r"""The second of two independent uniform variables, moved so that their ranks are correlated.

    Parameters
    ----------
    first, second : ndarray, shape (n,)
        Independent, between 0 and 1.
    rank_correlation : float
        Spearman's rho that the two shall have. [1]

    Returns
    -------
    ndarray, shape (n,)
        Uniform between 0 and 1 like `second`, and correlated with `first`.

    Notes
    -----
    A Gaussian copula: with both as normal variables,

    .. math:: z_2' = r z_1 + \sqrt{1 - r^2} \, z_2

    Whatever distributions the two are then given, their rank correlation stays.

    References
    ----------
    .. [1] Nelsen, An Introduction to Copulas, 2nd edition, Springer 2006, section 2.3 and chapter 5.

    Examples
    --------
    >>> import numpy as np
    >>> moved_together(np.array([0.25, 0.75]), np.array([0.5, 0.1]), 1.0)
    array([0.25, 0.75])
    """
    from scipy import special

    r = normal_correlation(rank_correlation)
    edge = np.finfo(float).tiny
    normal = [special.ndtri(np.clip(part, edge, 1 - 2**-53)) for part in (first, second)]
    return special.ndtr(r * normal[0] + np.sqrt(max(0.0, 1 - r * r)) * normal[1])


def drawn_rows(uniform, rows):
    """One of some rows for each draw, all equally likely.

    Parameters
    ----------
    uniform : ndarray, shape (n,)
        Between 0 and 1.
    rows : int
        Number of rows.

    Returns
    -------
    ndarray of int, shape (n,)

    Examples
    --------
    >>> import numpy as np
    >>> drawn_rows(np.array([0.0, 0.49, 0.51, 1.0]), 2).tolist()
    [0, 0, 1, 1]
    """
    return np.minimum((np.asarray(uniform) * rows).astype(int), rows - 1)
