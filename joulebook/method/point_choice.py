"""Operating points of a machine: their energy, which of them are dominated, and which one meets targets at least energy."""

import numpy as np

from joulebook.method.fleet import energy_per_unit
from joulebook.method.ranges import DRAWS, interval

# Columns that may carry a range, with the columns of its ends.
RANGES = {
    "average_power_w": ("average_power_low_w", "average_power_high_w"),
    "throughput_per_s": ("throughput_low_per_s", "throughput_high_per_s"),
}


def has_ranges(points):
    """Whether the points state a range of power or of throughput."""
    return any(low in points for low, _ in RANGES.values())


def drawn_column(points, column, rng=None):
    """A column of the points, or draws of it where its range is stated: limits, so rectangular.

    Parameters
    ----------
    points : pandas.DataFrame
        Operating points, a row each.
    column : str
        A key of `RANGES`.
    rng : numpy.random.Generator, optional
        Draws the ranges; without one, the values.

    Returns
    -------
    ndarray, shape (rows,) or (draws, rows)
    """
    low, high = RANGES[column]
    if rng is None or low not in points:
        return points[column].to_numpy(float)
    low, high = points[low].to_numpy(float), points[high].to_numpy(float)
    return low + (high - low) * rng.random((DRAWS, len(points)))


def point_energy(points, rng=None):
    """Energy per unit of work of each operating point, drawn where power or throughput has a range.

    Parameters
    ----------
    points : pandas.DataFrame
        Columns `average_power_w` and `throughput_per_s`, optionally the ends of their ranges.
    rng : numpy.random.Generator, optional
        Draws the ranges, each point and each column by itself; a generator of the same seed draws the same again.

    Returns
    -------
    ndarray, shape (rows,) or (draws, rows)
        Energy per unit of work. [J]

    Examples
    --------
    >>> import pandas as pd
    >>> point_energy(pd.DataFrame({"average_power_w": [820, 950], "throughput_per_s": [1000, 1900]}))
    array([0.82, 0.5 ])
    """
    return energy_per_unit(*(drawn_column(points, column, rng) for column in RANGES))


def in_order(energy_j, quality_pct, latency_s):
    """Rows in the order of energy; equal ones by quality, highest first, then by latency.

    Examples
    --------
    >>> in_order([0.5, 0.3, 0.5], [99.0, 98.0, 99.9], [0.1, 0.1, 0.1])
    array([1, 2, 0])
    """
    return np.lexsort((latency_s, -np.asarray(quality_pct, float), energy_j))


def pareto_front(energy_j, quality_pct, latency_s):
    r"""Which points no other point dominates: energy and latency down, quality up.

    Parameters
    ----------
    energy_j : array_like, shape (rows,)
        Energy per unit of work. [J]
    quality_pct : array_like, shape (rows,)
        Quality. [%]
    latency_s : array_like, shape (rows,)
        Tail latency. [s]

    Returns
    -------
    ndarray of bool, shape (rows,)

    Notes
    -----
    A point is dominated where another is at least as good in all three and better in one. In the order of `in_order`
    whatever dominates a point comes before it, and domination is transitive, so each point is compared with the
    front so far only.

    Examples
    --------
    >>> pareto_front([1.0, 0.9, 0.5], [99.9, 99.9, 99.0], [0.2, 0.19, 0.1]).tolist()
    [False, True, True]
    """
    good = np.column_stack([np.asarray(energy_j, float), -np.asarray(quality_pct, float), np.asarray(latency_s, float)])
    front = []
    for row in in_order(energy_j, quality_pct, latency_s):
        before = good[front]
        if not ((before <= good[row]).all(axis=1) & (before < good[row]).any(axis=1)).any():
            front.append(row)
    return np.isin(np.arange(len(good)), front)


def meets(points, quality_target_pct, slo_latency_s=None, memory_limit_gb=None):
    """Which points meet every target that is given; an unknown memory meets no limit.

    Parameters
    ----------
    points : pandas.DataFrame
        Operating points.
    quality_target_pct, slo_latency_s, memory_limit_gb : float or ndarray, shape (draws,)
        Least quality, largest tail latency and memory; None where there is no such target. [%, s, GB]

    Returns
    -------
    ndarray of bool, shape (rows,) or (draws, rows)
    """
    right = points["quality_pct"].to_numpy(float) >= _column(quality_target_pct)
    if slo_latency_s is not None:
        right = right & (points["latency_p99_s"].to_numpy(float) <= _column(slo_latency_s))
    if memory_limit_gb is not None:
        memory = points["memory_gb"].to_numpy(float) if "memory_gb" in points else np.full(len(points), np.nan)
        right = right & (memory <= _column(memory_limit_gb))
    return right


def least_energy(points, right, place=0):
    """The point of least energy among those that meet the targets, by the values of the points and not by draws of them.

    Parameters
    ----------
    points : pandas.DataFrame
        Operating points.
    right : ndarray of bool, shape (rows,) or (draws, rows)
        Result of `meets`.
    place : int
        0 for the best, 1 for the next best.

    Returns
    -------
    ndarray of int, shape () or (draws,)
        Row of the point; -1 where there is none.

    Notes
    -----
    The choice of a point is a decision, taken once, on the values. The range of its energy is then that of this point,
    and not of whichever point happens to be lowest.
    """
    order = in_order(point_energy(points), points["quality_pct"], points["latency_p99_s"])
    ordered = right[..., order]
    count = np.cumsum(ordered, axis=-1)
    hit = ordered & (count == place + 1)
    return np.where(hit.any(axis=-1), order[np.argmax(hit, axis=-1)], -1)


def at(values, row):
    """Values of the chosen rows; nan where none was chosen.

    Parameters
    ----------
    values : array_like, shape (rows,) or (draws, rows)
        Values of all points.
    row : ndarray of int, shape () or (draws,)
        Result of `least_energy`.

    Returns
    -------
    float or ndarray, shape (draws,)

    Examples
    --------
    >>> float(at([1.0, 2.0], 1)), at([1.0, 2.0], np.array([0, -1])).tolist()
    (2.0, [1.0, nan])
    """
    values, row = np.asarray(values, float), np.asarray(row)
    if values.ndim > 1 and row.ndim:
        picked = np.take_along_axis(values, np.maximum(row, 0)[:, None], axis=-1)[:, 0]
    else:
        picked = values[..., np.maximum(row, 0)]
    return np.where(row >= 0, picked, np.nan)[()]


def named(points, row):
    """A point in words: its name, precision and batch.

    Examples
    --------
    >>> import pandas as pd
    >>> named(pd.DataFrame({"name": ["fp8-8"], "precision": ["fp8"], "batch": [8.0]}), 0)
    'fp8-8 (fp8, batch 8)'
    """
    point = points.iloc[int(row)]
    return f"{point['name']} ({point['precision']}, batch {point['batch']:g})"


def why_none(points, quality_target_pct, slo_latency_s=None, memory_limit_gb=None):
    """Why no point meets the targets: the first that none meets beside the ones before it, and how near the nearest is.

    Parameters
    ----------
    points : pandas.DataFrame
        Operating points.
    quality_target_pct, slo_latency_s, memory_limit_gb : float
        As in `meets`.

    Returns
    -------
    str
    """
    able = points[meets(points, quality_target_pct)]
    reached = f"no point reaches a quality of {quality_target_pct:g} %"
    if able.empty:
        best = int(np.argmax(points["quality_pct"]))
        return f"{reached}: the highest is {points['quality_pct'].iloc[best]:g} %, {named(points, best)}"
    if memory_limit_gb is not None:
        reached += f" in {memory_limit_gb:g} GB of memory"
        fits = able[meets(able, quality_target_pct, None, memory_limit_gb)]
        if fits.empty:
            if "memory_gb" not in able:
                return f"{reached}: the points do not state theirs"
            least = int(np.argmin(able["memory_gb"]))
            return f"{reached}: the least is {able['memory_gb'].iloc[least]:g} GB, {named(able, least)}"
        able = fits
    fastest = int(np.argmin(able["latency_p99_s"]))
    takes = able["latency_p99_s"].iloc[fastest]
    return f"{reached} within {slo_latency_s:g} s: the fastest takes {takes:g} s, {named(able, fastest)}"


def distinguishable(points, row, other, rng):
    """Whether two points differ in energy: the interval of their ratio excludes 1.

    Parameters
    ----------
    points : pandas.DataFrame
        Operating points.
    row, other : int
        Rows of the two.
    rng : numpy.random.Generator
        Draws the ranges.

    Returns
    -------
    str
        ``differ``, ``not distinguishable``, ``same point`` or ``range not stated``.
    """
    if row == other:
        return "same point"
    if not has_ranges(points):
        return "range not stated"
    energy_j = point_energy(points, rng)
    low, high = interval(energy_j[:, row] / energy_j[:, other])
    return "not distinguishable" if low <= 1 <= high else "differ"


def _column(target):
    """A target against rows: draws of it stand before them."""
    return np.asarray(target, float)[..., None]
