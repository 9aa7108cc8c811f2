"""How far sums of parts between the points of their grids are off the method's functions, tried at seeded points."""

import numpy as np

from joulebook.method.explore.grid import SEED, summed

TRIED = 4096


def deviation(exploration, parts, positions):
    """Compare grids with the method's functions where levers can stand.

    Parameters
    ----------
    exploration : joulebook.method.explore.exploration.Exploration
        Results.
    parts : dict of str to joulebook.method.explore.grid.Part
        Their parts on grids.
    positions : dict of str to ndarray
        Rising values that each lever may be moved to: there are no others.

    Returns
    -------
    float
        The largest deviation that was found, relative to the size of what is summed; infinite where a result has no value. [1]
    """
    rng, worst = np.random.default_rng(SEED), 0.0
    points = {name: rng.choice(values, TRIED) for name, values in positions.items()}
    made = exploration.results_at(points)
    for name, terms in exploration.sums.items():
        total, size = summed(parts, terms, points, TRIED)
        off = np.abs(total - made[name]) / np.where(size > 0, size, 1.0)
        worst = max(worst, float(np.where(np.isfinite(off), off, np.inf).max()))
    return worst
