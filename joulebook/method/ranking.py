"""One round across systems: how wide, and do rankings by performance and by performance per watt agree (method, section 12)."""

import numpy as np
from scipy import stats

from joulebook.method.matched_pairs import bootstrap
from joulebook.method.published_energy import STREAMS, distinct_runs, of_all
from joulebook.method.study import gives

LEAST = 4  # results of a group below which two rankings are not compared
GROUP = ["round", "benchmark", "scenario", "unit_of_work"]


def rank_correlation(performance, efficiency, latency=False):
    """Kendall's tau-b between the ranking by performance and that by performance per watt.

    Parameters
    ----------
    performance : array_like, shape (n,)
        A rate, or with `latency` a time, of which less is better.
    efficiency : array_like, shape (n,)
        Performance per watt, or work per joule.
    latency : bool
        Whether `performance` is a latency.

    Returns
    -------
    float
        1 where both rank alike, -1 where they are opposed; nan below four results, and where all of one are equal.

    References
    ----------
    .. [1] M. G. Kendall, The treatment of ties in ranking problems, Biometrika 33 (1945).

    Examples
    --------
    >>> round(rank_correlation([100, 80, 60, 40], [2, 4, 3, 1]), 6)
    0.333333
    """
    performance = np.asarray(performance, float)
    if len(performance) < LEAST:
        return np.nan
    return float(stats.kendalltau(-performance if latency else performance, efficiency, variant="b").statistic)


@gives("groups_ranked", "rank_correlation_median", "rank_agrees_share", "rank_opposed_share", "width_median", "width_lowest",
       "width_highest", "rankings")
def rankings(published_closed, rng=None):
    """Within one round, benchmark, scenario and unit of work: how far energy per unit spreads, and how the rankings agree.

    Parameters
    ----------
    published_closed : pandas.DataFrame
        Rows as published.
    rng : numpy.random.Generator, optional
        Resamples the groups; without one, the groups themselves.

    Returns
    -------
    dict
        The results named in `gives`: groups of at least four results, each run once. No system is named: what is ranked
        was chosen and tuned by participants, edge and datacenter side by side.
    """
    runs = distinct_runs(published_closed)
    groups = [(key, rows) for key, rows in runs.groupby(GROUP) if len(rows) >= LEAST]
    if not groups:
        lacking = f"no round, benchmark and scenario with {LEAST} results"
        return {**dict.fromkeys(rankings.results), "groups_ranked": 0.0, "notes": dict.fromkeys(rankings.results[1:], lacking)}
    table = {f"{name} | ": [str(key[place]).replace("_", " ") for key, _ in groups] for place, name in enumerate(GROUP)}
    tau = np.array([_of_group(key, rows) for key, rows in groups], float)
    ends = np.array([[rows["energy_j"].min(), rows["energy_j"].max()] for _, rows in groups], float)
    width = ends[:, 1] / ends[:, 0]
    known = tau[np.isfinite(tau)]
    results = {
        "groups_ranked": float(len(groups)),
        "rank_correlation_median": _median(known, rng),
        "rank_agrees_share": (known > 0).mean(),
        "rank_opposed_share": (known < 0).mean(),
        "width_median": _median(width, rng),
        "width_lowest": width.min(),
        "width_highest": width.max(),
    }
    equal = "" if len(known) else "all results of each group are equal"
    return {
        **results,
        "rankings": {
            **table,
            "results | ": np.array([float(len(rows)) for _, rows in groups]),
            "rank_correlation | 1": tau,
            "lowest | J": ends[:, 0],
            "highest | J": ends[:, 1],
            "highest_over_lowest | 1": width,
        },
        "notes": dict.fromkeys(("rank_correlation_median", "rank_agrees_share", "rank_opposed_share"), equal),
        "labels": dict.fromkeys(results, of_all(runs)),
    }


def _of_group(key, rows):
    return rank_correlation(rows["perf"], 1 / rows["energy_j"], latency=key[GROUP.index("scenario")] in STREAMS)


def _median(values, rng):
    if rng is not None:
        return bootstrap(values, np.median, rng)
    return float(np.median(values)) if len(values) else np.nan
