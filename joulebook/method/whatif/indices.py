"""How much of a number's variance each input explains, by Sobol' indices (method, section 9)."""

from dataclasses import dataclass

import numpy as np

SAMPLES = 2**11  # base samples; the model is evaluated so many times the number of groups and two
SEED = 1
_VARIES = 1e-9  # below this relative spread an output differs by rounding only


@dataclass(frozen=True)
class Indices:
    """Sobol' indices of each group of inputs, with the half widths of their 95 % intervals.

    Parameters
    ----------
    first, first_half_width : ndarray, shape (groups,)
        Share of the variance that goes away, on average, where the group alone is known.
    total, total_half_width : ndarray, shape (groups,)
        Share that stays, on average, where all but the group is known.
    """

    first: np.ndarray
    first_half_width: np.ndarray
    total: np.ndarray
    total_half_width: np.ndarray


def sobol_indices(outputs, names, groups=None, samples=SAMPLES, seed=SEED):
    r"""First-order and total Sobol' indices of some outputs of a model, by SALib.

    Parameters
    ----------
    outputs : callable
        Gives, of an ndarray of shape (points, inputs) of independent uniform variables between 0 and 1, a dict of ndarrays
        of shape (points,).
    names : sequence of str
        The inputs, a column each.
    groups : sequence of str, optional
        Group of each input: inputs of a group are varied together, and are one in the indices. Each by itself otherwise.
    samples : int
        Base samples, a power of two.
    seed : int
        Seed of the scrambled sequence and of the resamples behind the intervals.

    Returns
    -------
    dict of str to Indices or None
        By output, groups in the order in which they first come; None where the output does not vary or has no value
        somewhere.

    Notes
    -----
    .. math:: S_i = \frac{\mathrm{Var}\,\mathrm{E}(y \mid x_i)}{\mathrm{Var}\,y}, \qquad
              S_{T i} = \frac{\mathrm{E}\,\mathrm{Var}(y \mid x_{\sim i})}{\mathrm{Var}\,y}

    References
    ----------
    .. [1] Saltelli et al., Variance based sensitivity analysis of model output, Comput. Phys. Commun. 181 (2010) 259-270.
    .. [2] Herman and Usher, SALib, J. Open Source Softw. 2 (2017) 97, doi:10.21105/joss.00097.
    .. [3] Iwanaga, Usher and Herman, Toward SALib 2.0, Socio-Environ. Syst. Model. 4 (2022) 18155.
    """
    from SALib.analyze import sobol as analysis  # late: only where indices are asked for
    from SALib.sample import sobol as sampling

    if len(set(groups or names)) == 1:  # all of the variance, which needs no estimate; SALib would split the group
        points = np.random.default_rng(seed).random((samples, len(names)))
        whole = Indices(np.ones(1), np.zeros(1), np.ones(1), np.zeros(1))
        return {name: whole if _varies(values) else None for name, values in outputs(points).items()}
    problem = {"num_vars": len(names), "names": list(names), "bounds": [[0.0, 1.0]] * len(names)}
    if groups is not None:
        problem["groups"] = list(groups)
    points = sampling.sample(problem, samples, calc_second_order=False, seed=seed)
    found = {}
    for name, values in outputs(points).items():
        found[name] = None
        if _varies(values):
            made = analysis.analyze(problem, values, calc_second_order=False, seed=seed)
            found[name] = Indices(*(np.asarray(made[key]) for key in ("S1", "S1_conf", "ST", "ST_conf")))
    return found


def _varies(values):
    return bool(np.isfinite(values).all() and np.ptp(values) > _VARIES * np.abs(values).max())
