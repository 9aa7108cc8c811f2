"""Ranges of inputs as distributions, their draws, and intervals of what was drawn (method, rule 6)."""

from functools import lru_cache

import numpy as np

from joulebook.method.together import moved_together

COVERAGE = 0.95
DRAWS = 2**13
DIMENSIONS = 256  # of the sequence, whatever number of inputs has a range: more would change the draws of all
SEED = 1
PAIR = ("throughput_per_s", "active_power_w")  # of one system: they move together
CORRELATION = "throughput_power_rank_correlation"


def distribution(given, limits=(-np.inf, np.inf)):
    """Distribution that an input's range stands for.

    Parameters
    ----------
    given : joulebook.inputs.Input
        An input with a range: ``u95`` is normal with half width 2 u; ``limits`` is rectangular,
        or triangular about the value where the evidence is assumed.
    limits : tuple of float
        What the parameter can be at all; a normal is cut there.

    Returns
    -------
    scipy.stats frozen distribution

    References
    ----------
    .. [1] JCGM 100:2008, sections 4.3.4 to 4.3.9.
    """
    family, shape, place = _family(given, limits)
    return family(*shape, **place)


def quantiles(given, limits, shares):
    """Quantiles of the `distribution` of an input's range, without building it, which takes longer than they do.

    Parameters
    ----------
    given, limits
        As in `distribution`.
    shares : ndarray
        Probabilities.

    Returns
    -------
    ndarray
        Values, in the input's unit.
    """
    family, shape, place = _family(given, limits)
    return family.ppf(shares, *shape, **place)


def _family(given, limits):
    from scipy import stats  # late: half a second of every command's start otherwise

    width = given.high - given.low
    if given.range_is == "u95":
        u = width / 4
        shape = ((limits[0] - given.value) / u, (limits[1] - given.value) / u)
        return stats.truncnorm, shape, {"loc": given.value, "scale": u}
    if given.evidence == "assumed":
        return stats.triang, ((given.value - given.low) / width,), {"loc": given.low, "scale": width}
    return stats.uniform, (), {"loc": given.low, "scale": width}


def correlated(inputs):
    """Which inputs move together, and their rank correlation, as `draw` takes it.

    Parameters
    ----------
    inputs : dict of str to joulebook.inputs.Input
        Inputs; the correlation of throughput and power is one of them where it is declared.

    Returns
    -------
    tuple of (str, str, float) or None
        None where nothing is declared: then all inputs are drawn independently.
    """
    declared = inputs.get(CORRELATION)
    return None if declared is None or declared.value is None else (*PAIR, declared.value)


def draw(inputs, limits, draws=DRAWS, seed=SEED, places=None, correlated=None):
    """Seeded draws of every input that has a range.

    Parameters
    ----------
    inputs : dict of str to joulebook.inputs.Input
        Inputs; those without a range are left out.
    limits : dict of str to tuple of float
        What each parameter can be.
    draws : int
        Number of draws, a power of two.
    seed : int
        Seed of the scrambled Sobol' sequence.
    places : dict of str to int, optional
        Dimension of the sequence for each input, below `DIMENSIONS`: with its row in the dictionary, an input has the same
        draws in every topic, and what rests on it the same range wherever it is computed. In the order of the inputs
        otherwise.
    correlated : tuple of (str, str, float), optional
        Two inputs that move together, where both have a range, and their rank correlation.

    Returns
    -------
    dict of str to ndarray, shape (draws,)
        Independent draws but for those; the same inputs give the same draws.
    """
    ranged = {name: given for name, given in inputs.items() if given.ranged}
    if not ranged:
        return {}
    points = _points(draws, seed)
    places = {name: place for place, name in enumerate(ranged)} if places is None else places
    return values_at(ranged, limits, {name: points[places[name]] for name in ranged}, correlated)


def values_at(inputs, limits, shares, correlated=None):
    """Values of inputs at shares of their distributions, throughput and power moved together where that is declared.

    Parameters
    ----------
    inputs : dict of str to joulebook.inputs.Input
        Inputs that have a range.
    limits, correlated
        As in `draw`.
    shares : dict of str to ndarray, shape (n,)
        Independent, between 0 and 1, for each input.

    Returns
    -------
    dict of str to ndarray, shape (n,)
    """
    at = dict(shares)
    if correlated is not None and set(correlated[:2]) <= set(inputs):
        first, second, rank_correlation = correlated
        at[second] = moved_together(at[first], at[second], rank_correlation)
    return {name: quantiles(given, limits.get(name, (-np.inf, np.inf)), at[name]) for name, given in inputs.items()}


def shares(place, draws=DRAWS, seed=SEED):
    """Independent shares between 0 and 1, those that a place of `draw` takes its quantiles at; shape (draws,)."""
    return _points(draws, seed)[place]


@lru_cache(maxsize=1)
def _points(draws, seed):
    """Points of the sequence, shape (dimensions, draws), kept as every study of a process takes the same."""
    from scipy import stats  # late: half a second of every command's start otherwise

    points = np.ascontiguousarray(stats.qmc.Sobol(DIMENSIONS, rng=seed).random(draws).T)
    points.flags.writeable = False
    return points


def interval(samples):
    """Coverage interval of 95 % of samples along their first axis.

    Returns
    -------
    tuple of ndarray
        The 2.5 and 97.5 % quantiles, linear between the samples; nan where a sample is.
    """
    return interval_of_rising(rising(samples))


def rising(samples):
    """Samples along their first axis as rising ones along the last, side by side in memory; nan comes last."""
    ordered = np.array(np.moveaxis(samples, 0, -1), order="C")
    ordered.sort(axis=-1)
    return ordered


def interval_of_rising(ordered):
    """As `interval`, of what `rising` gave.

    Notes
    -----
    As `numpy.quantile`, to the last bit; one sort of all columns is faster than its search in each of them.
    """
    tail = (1 - COVERAGE) / 2
    return tuple(np.where(np.isnan(ordered[..., -1]), np.nan, _between(ordered, share))[()] for share in (tail, 1 - tail))


def _between(ordered, share):
    place = share * (ordered.shape[-1] - 1)
    below = int(place)
    part, low, high = place - below, ordered[..., below], ordered[..., min(below + 1, ordered.shape[-1] - 1)]
    return low + (high - low) * part if part < 0.5 else high - (high - low) * (1 - part)


def bootstrap_means(columns, rng, draws=DRAWS, exact_up_to=1000):
    """Means of resampled rows, all columns of a row drawn together.

    Parameters
    ----------
    columns : ndarray, shape (rows, k)
        One row per observation.
    rng : numpy.random.Generator
        Source of the draws.
    draws : int
        Number of resamples.
    exact_up_to : int
        Above this many rows the normal limit of the bootstrap is drawn from, which
        a thousand rows reach to well below a percent of the interval.

    Returns
    -------
    ndarray, shape (draws, k)
    """
    rows = len(columns)
    if rows > exact_up_to:
        return rng.multivariate_normal(columns.mean(axis=0), np.atleast_2d(np.cov(columns.T, bias=True)) / rows, size=draws)
    counts = rng.multinomial(rows, np.full(rows, 1 / rows), size=draws)
    return counts @ columns / rows
