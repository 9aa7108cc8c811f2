"""Published results in matched pairs: what one change gains, all else as far as it is disclosed the same (method, section 12)."""

import numpy as np
import pandas as pd

from joulebook.method.accuracy_pairs import pairs_by_group, published_ratios
from joulebook.method.published_energy import FEW, distinct_runs, of_all, published_runs, round_number, source_of
from joulebook.method.ranges import DRAWS, interval
from joulebook.method.study import gives

SERVER_COMPLETED = 4.1  # from this round on a Server rate is that of completed queries, before it that of scheduled ones
LATENCY, QUALITY, ROUND = "latency free", "looser quality", "later round"
NODE, TUNED = "more accelerators", "tuned for efficiency"
GAINS, FEWER = "gains", "fewer than five pairs"
_SYSTEM = ["submitter", "system_name", "accelerator", "n_accel", "benchmark", "scenario", "unit_of_work"]
_TUNED = r",?\s*\b(?:MaxQ|EE)\b"
_COUNT = r"\b\d+x\s*"


def bootstrap(values, statistic, rng, draws=DRAWS):
    """A statistic of resampled values, one resample a row.

    Parameters
    ----------
    values : array_like, shape (n,)
        Observations.
    statistic : callable
        Takes an array and `axis`, such as `numpy.median`.
    rng : numpy.random.Generator
        Draws the resamples.
    draws : int
        How many.

    Returns
    -------
    ndarray, shape (draws,)
        All nan where there are fewer than five observations: then an interval would say nothing.
    """
    values = np.asarray(values, float)
    if len(values) < FEW:
        return np.full(draws, np.nan)
    return statistic(rng.choice(values, (draws, len(values))), axis=1)


@gives(*published_ratios.results, "pairs_intervals")
def quality_pairs(accuracy_pairs, rng=None):
    r"""The ratio at two quality targets with bootstrap intervals, over all pairs, by round and by hardware.

    Parameters
    ----------
    accuracy_pairs : pandas.DataFrame
        As in `joulebook.method.accuracy_pairs.published_ratios`.
    rng : numpy.random.Generator, optional
        Draws the resamples; without one, the pairs themselves.

    Returns
    -------
    dict
        Those of `published_ratios`, and a table; a group of fewer than five pairs has no interval.

    Notes
    -----
    .. math:: r = \frac{T_{99.9} / P_{99.9}}{T_{99} / P_{99}}

    Pairs are drawn with replacement. The interval is that of the statistic over pairs like these; they are what was
    submitted, several of them by one submitter, so that it is rather too narrow.
    """
    groups = [("all", "all", accuracy_pairs)]
    groups += [(by, name, rows) for by in ("round", "hardware") for name, rows in accuracy_pairs.groupby(by)]
    ratios = [rows["eff_999_over_99"].to_numpy(float) for *_, rows in groups]
    mean, median = (_statistic(ratios, statistic, rng) for statistic in (np.mean, np.median))
    results = published_ratios(accuracy_pairs)
    if rng is not None:
        geometric = np.exp(bootstrap(np.log(ratios[0]), np.mean, rng))
        results |= {"pairs_mean": mean[..., 0], "pairs_median": median[..., 0], "pairs_geometric_mean": geometric,
                    "pairs_energy_ratio": 1 / geometric}
    table = {
        "grouped_by | ": [by for by, *_ in groups],
        "group | ": [name for _, name, _ in groups],
        "pairs | ": np.array([float(len(rows)) for *_, rows in groups]),
        "mean | 1": mean,
        "median | 1": median,
        "lowest | 1": np.array([values.min() for values in ratios]),
        "highest | 1": np.array([values.max() for values in ratios]),
    }
    return {**results, "pairs_intervals": table, "labels": dict.fromkeys(published_ratios.results, of_quality(accuracy_pairs))}


@gives(*pairs_by_group.results)
def quality_groups(accuracy_pairs):
    """As `pairs_by_group`, with the labels of the pairs in place of the page's."""
    results = pairs_by_group(accuracy_pairs)
    return {**results, "labels": dict.fromkeys(pairs_by_group.results, of_quality(accuracy_pairs))}


def of_quality(accuracy_pairs):
    """Labels of what rests on the pairs at two targets."""
    workload = f"MLPerf Inference, {', '.join(sorted(set(accuracy_pairs['family'])))}"
    scenarios = " and ".join(sorted(set(accuracy_pairs["scenario"])))
    return {"workload": workload, "unit_of_work": "sample", "quality": "the stricter target against the looser",
            "scenario": scenarios, "boundary": "server"}


def scenario_ratios(published_closed):
    """Pairs of Offline and Server results of one system, with their ratio of performance per watt.

    Parameters
    ----------
    published_closed : pandas.DataFrame
        Rows as published.

    Returns
    -------
    pandas.DataFrame
        A row a pair, the ratio in `gain`. Of two pairs that repeat both power values, one run at two targets, one is kept.
    """
    rows = published_runs(published_closed)
    rows = rows[rows["inferred"] == 0]
    key = ["round", "submitter", "system", "benchmark", "unit_of_work"]
    offline, server = (rows[rows["scenario"] == name] for name in ("Offline", "Server"))
    pairs = offline.merge(server, on=key, suffixes=("_after", "_before"))
    pairs = pairs.drop_duplicates(["round", "submitter", "system", "power_value_after", "power_value_before"])
    return pairs.assign(gain=pairs["energy_j_before"] / pairs["energy_j_after"])


def round_ratios(published_closed):
    """The same system in successive rounds in which it is: energy per unit in the earlier over that in the later.

    Parameters
    ----------
    published_closed : pandas.DataFrame
        Rows as published.

    Returns
    -------
    pandas.DataFrame
        A row a pair, the ratio in `gain`. A system is one where submitter, name, accelerator and their number agree. Left out
        are systems that have several results of one benchmark and scenario in a round, and Server pairs across the
        round in which the meaning of its rate changed.
    """
    runs = distinct_runs(published_closed)
    runs = runs[~several(runs)].sort_values("round", kind="stable", key=round_number)
    before = runs.groupby(_SYSTEM, dropna=False)[["round", "energy_j"]].shift()
    pairs = runs.assign(round_before=before["round"], energy_j_before=before["energy_j"]).dropna(subset=["energy_j_before"])
    after, before = (round_number(pairs[name]) for name in ("round", "round_before"))
    changed = (after >= SERVER_COMPLETED) & (before < SERVER_COMPLETED)
    pairs = pairs[~(changed & pairs["scenario"].eq("Server"))]
    return pairs.assign(gain=pairs["energy_j_before"] / pairs["energy_j"])


def several(runs):
    """Which runs are of a system that has several of one benchmark and scenario in one round."""
    return runs.duplicated([*_SYSTEM, "round"], keep=False)


def node_ratios(published_closed):
    """One host with fewer and with more accelerators of one kind, in one round: energy per unit with fewer over that with more.

    Parameters
    ----------
    published_closed : pandas.DataFrame
        Rows as published.

    Returns
    -------
    pandas.DataFrame
        A row a pair, the ratio in `gain`. A host is one where round, submitter and name, but for the count, agree.
    """
    runs = distinct_runs(published_closed)
    runs = runs[runs["n_accel"] > 0].assign(host=_plain_name(runs["system_name"], _COUNT))
    key = ["round", "submitter", "host", "accelerator", "benchmark", "scenario", "unit_of_work"]
    pairs = runs.merge(runs, on=key, suffixes=("_before", "_after"))
    pairs = pairs[pairs["n_accel_before"] < pairs["n_accel_after"]]
    return pairs.assign(gain=pairs["energy_j_before"] / pairs["energy_j_after"])


def tuned_ratios(published_closed):
    """A system whose name says that it was tuned for efficiency (MaxQ, EE), and the same without: plain over tuned.

    Parameters
    ----------
    published_closed : pandas.DataFrame
        Rows as published.

    Returns
    -------
    pandas.DataFrame
        A row a pair, the ratio in `gain`.
    """
    runs = distinct_runs(published_closed)
    runs = runs.assign(tuned=is_tuned(runs), plain=_plain_name(runs["system_name"], _TUNED))
    key = ["round", "submitter", "plain", "accelerator", "n_accel", "benchmark", "scenario", "unit_of_work"]
    pairs = runs[~runs["tuned"]].merge(runs[runs["tuned"]], on=key, suffixes=("_before", "_after"))
    return pairs.assign(gain=pairs["energy_j_before"] / pairs["energy_j_after"])


def is_tuned(runs):
    """Whether the name of a system says that it was tuned for efficiency."""
    return runs["system_name"].str.contains(_TUNED, regex=True)


def _plain_name(names, pattern):
    return names.str.replace(pattern, "", regex=True).str.lower().str.strip()


@gives(
    "scenario_pairs_counted",
    "scenario_ratio_median",
    "scenario_ratio_lowest",
    "scenario_ratio_highest",
    "round_pairs_counted",
    "round_gain_median",
    "round_gain_lowest",
    "round_gain_highest",
    "node_pairs_counted",
    "tuned_pairs_counted",
    "tuned_rows_share",
    "changes",
    "changes_by_workload",
    "changed_pairs",
)
def gains(published_closed, accuracy_pairs, rng=None, sampled=None):
    """What each change gains in matched pairs, over all workloads and in each, and whether it holds over workloads.

    Parameters
    ----------
    published_closed, accuracy_pairs : pandas.DataFrame
        Rows as published; pairs at two quality targets.
    rng : numpy.random.Generator, optional
        Draws the resamples; without one, the pairs themselves.
    sampled : dict, optional
        What this gave on the draws, from which the words say in which workloads a change gains.

    Returns
    -------
    dict
        The results named in `gives`. A change gains in a workload of five pairs or more where the interval of the median
        lies above one. It holds over workloads where it gains in each of at least two such; with fewer that cannot be told.
    """
    rows, runs = published_runs(published_closed), distinct_runs(published_closed)
    pairs = {ROUND: round_ratios(published_closed), NODE: node_ratios(published_closed), TUNED: tuned_ratios(published_closed),
             LATENCY: scenario_ratios(published_closed)}
    looser = pd.DataFrame({"benchmark": accuracy_pairs["family"], "gain": 1 / accuracy_pairs["eff_999_over_99"]})
    found = [table[["benchmark", "gain"]].assign(change=change) for change, table in {**pairs, QUALITY: looser}.items()]
    found = pd.concat(found)
    found = found.assign(workload=found["benchmark"].str.replace(r"-99(\.9)?$", "", regex=True))
    by_workload = _by_workload(found, rng, (sampled or {}).get("changes_by_workload"))
    each = {f"{name} | ": found[name].tolist() for name in ("change", "workload")} | {"gain | 1": found["gain"].to_numpy(float)}
    results = {"changes": _by_change(found, rng, by_workload), "changes_by_workload": by_workload, "changed_pairs": each}
    left = f"without {several(runs).sum()} results of systems that have several of one benchmark and scenario in a round"
    notes = {"scenario_pairs_counted": source_of(rows), "round_pairs_counted": left,
             "tuned_rows_share": "of the runs counted, names with MaxQ or EE"}
    for name, change in (("scenario_ratio", LATENCY), ("round_gain", ROUND)):
        gain = pairs[change]["gain"].to_numpy(float)
        some = len(gain) > 0
        results |= {
            f"{name}_median": _statistic([gain], np.median, rng)[..., 0],
            f"{name}_lowest": gain.min() if some else None,
            f"{name}_highest": gain.max() if some else None,
        }
        notes |= {f"{name}_{which}": "" if some else "no such pair" for which in ("median", "lowest", "highest")}
    for name, change in (("scenario", LATENCY), ("round", ROUND), ("node", NODE), ("tuned", TUNED)):
        results[f"{name}_pairs_counted"] = float(len(pairs[change]))
    return {
        **results,
        "tuned_rows_share": is_tuned(runs).mean(),
        "notes": notes,
        "labels": dict.fromkeys(gains.results[:-3], of_all(rows)),
    }


def _statistic(groups, statistic, rng):
    """A statistic of each of several groups of values, or that of their resamples; nan for a group without values."""
    if rng is None:
        return np.array([statistic(values) if len(values) else np.nan for values in groups])
    return np.stack([bootstrap(values, statistic, rng) for values in groups], axis=-1)


def _by_change(found, rng, by_workload):
    names = [name for name in (LATENCY, QUALITY, ROUND, NODE, TUNED) if (found["change"] == name).any()]
    of = [found[found["change"] == name] for name in names]
    gain = [rows["gain"].to_numpy(float) for rows in of]
    judged = list(zip(by_workload["change | "], by_workload["in_this_workload | "], strict=True))
    told = [[words for change, words in judged if change == name and words != FEWER] for name in names]
    return {
        "change | ": names,
        "holds_over_workloads | ": [_holds(words) for words in told],
        "pairs | ": np.array([float(len(values)) for values in gain]),
        "median_gain | 1": _statistic(gain, np.median, rng),
        "lowest | 1": np.array([values.min() for values in gain]),
        "highest | 1": np.array([values.max() for values in gain]),
        "pairs_that_gain | 1": np.array([(values > 1).mean() for values in gain]),
        "workloads | ": np.array([float(rows["workload"].nunique()) for rows in of]),
        "with_five_pairs | ": np.array([float(len(words)) for words in told]),
        "of_these_gain | ": np.array([float(words.count(GAINS)) for words in told]),
    }


def _holds(words):
    if len(words) < 2:
        return "cannot be told"
    return "yes" if words.count(GAINS) == len(words) else "no"


def _by_workload(found, rng, drawn):
    groups = [(*key, rows["gain"].to_numpy(float)) for key, rows in found.groupby(["change", "workload"])]
    gain = [values for *_, values in groups]
    low, high = interval(drawn["median_gain | 1"]) if drawn is not None else np.full((2, len(groups)), np.nan)
    told = np.select([np.isnan(low), low > 1, high < 1], [FEWER, GAINS, "loses"], "not distinguishable")
    return {
        "change | ": [change for change, *_ in groups],
        "workload | ": [workload for _, workload, _ in groups],
        "pairs | ": np.array([float(len(values)) for values in gain]),
        "median_gain | 1": _statistic(gain, np.median, rng),
        "lowest | 1": np.array([values.min() for values in gain]),
        "highest | 1": np.array([values.max() for values in gain]),
        "pairs_that_gain | 1": np.array([(values > 1).mean() for values in gain]),
        "in_this_workload | ": told.tolist(),
    }
