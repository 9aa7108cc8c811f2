"""What the MLPerf Power paper reports beside what the published rows say, where they agree, and why not (method, section 12)."""

import numpy as np

from joulebook.method.matched_pairs import bootstrap
from joulebook.method.published_energy import distinct_runs, energy_ratio, of_all
from joulebook.method.study import gives

CLOSE = 0.05  # relative difference up to which two figures count as the same
_OF_SAMPLES = ("paper_workload_factor", "paper_pair_ratio", "rows_pair_ratio", "rows_system_span", "rows_system_low")
ABOUT = 0.15  # the same for a figure that is reported as "about"


@gives("spans_counted", "span_median", "span_lowest", "span_highest")
def workload_spans(published_closed, rng=None):
    """On one system, in one round and scenario: energy of a sample of its costliest workload over that of its lightest.

    Parameters
    ----------
    published_closed : pandas.DataFrame
        Rows as published.
    rng : numpy.random.Generator, optional
        Resamples the systems; without one, the systems themselves.

    Returns
    -------
    dict
        The results named in `gives`, of systems with at least two workloads whose unit of work is a sample. Samples of two
        workloads are not the same work: the ratio says how unlike they are, nothing of efficiency.
    """
    runs = distinct_runs(published_closed)
    runs = runs[runs["unit_of_work"] == "sample"]
    groups = runs.groupby(["round", "submitter", "system", "scenario"]).agg(
        high=("energy_j", "max"), low=("energy_j", "min"), workloads=("benchmark", "nunique"))
    groups = groups[groups["workloads"] > 1]
    span = (groups["high"] / groups["low"]).to_numpy(float)
    if not len(span):
        lacking = "no system with two workloads in one scenario"
        return {**dict.fromkeys(workload_spans.results), "spans_counted": 0.0,
                "notes": dict.fromkeys(workload_spans.results[1:], lacking)}
    return {
        "spans_counted": float(len(span)),
        "span_median": float(np.median(span)) if rng is None else bootstrap(span, np.median, rng),
        "span_lowest": span.min(),
        "span_highest": span.max(),
        "notes": {"spans_counted": "a system in one round and scenario"},
        "labels": dict.fromkeys(workload_spans.results, of_all(runs, unit_of_work="sample")),
    }


@gives("paper_results", "paper_systems", "paper_target_factor", "paper_workload_factor", "paper_pair_ratio", "rows_pair_ratio",
       "rows_system_span", "rows_system_low", "paper_comparison")
def paper_beside_rows(reference_figures, published_closed, runs_counted, systems_counted, pairs_energy_ratio,
                      pairs_entrant_mean):
    """The paper's figures and those of the rows side by side, with what explains the difference.

    Parameters
    ----------
    reference_figures : pandas.DataFrame
        Columns `name`, `value`, and for the two energies the row that each is of.
    published_closed : pandas.DataFrame
        Rows as published.
    runs_counted, systems_counted : float
        Results of `joulebook.method.published_energy.published_counts`.
    pairs_energy_ratio, pairs_entrant_mean : float
        Results of `joulebook.method.matched_pairs`.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    paper = reference_figures.set_index("name")
    value = paper["value"].to_dict()
    runs = distinct_runs(published_closed)
    high, low = (_row_of(runs, paper.loc[name]) for name in ("workload_high_j", "workload_low_j"))
    pair, span, lightest, where = None, None, None, "the rows do not have this system with both workloads"
    if high is not None and low is not None:
        pair = energy_ratio((high["energy_j"], high["unit_of_work"]), (low["energy_j"], low["unit_of_work"]))
        same = ["round", "submitter", "system", "scenario", "unit_of_work"]
        own = runs[(runs[same] == high[same]).all(axis=1)].sort_values("energy_j", kind="stable")
        span, lightest = own["energy_j"].iloc[-1] / own["energy_j"].iloc[0], own["energy_j"].iloc[0]
        where = f"{high['benchmark']} over {low['benchmark']}, {high['system_name']}, {high['round']}, {high['scenario']}"
        widest = f"{own['benchmark'].iloc[-1]} over {own['benchmark'].iloc[0]}, the same system"
    entrant = None if pairs_entrant_mean is None else 1 / pairs_entrant_mean
    figures = paper.loc["workload_high_j", "benchmark"], paper.loc["workload_low_j", "benchmark"]
    lines = [
        ("results", value["results_counted"], runs_counted, CLOSE,
         "the paper counts tiny and training systems and earlier rounds too; the rows are inference with power, a copy of a run "
         "counts once, and later rounds are here"),
        ("systems", value["systems_counted"], systems_counted, CLOSE,
         "a system is here each entry of a submitter: one machine under a new software release is a new one"),
        ("energy of bert, stricter over looser target", value["target_factor"], pairs_energy_ratio, ABOUT,
         "one over the geometric mean of the ratios: a target that a narrow number format misses takes a wider one"),
        ("the same on the hardware with the highest mean", value["target_factor"], entrant, ABOUT,
         "one over its mean ratio; the paper's reason: later software meets the stricter target in a narrow format too"),
        (f"energy of a sample, {figures[0]} over {figures[1]}", value["workload_factor"], pair, CLOSE,
         "the same two workloads on the same system; other pairs give other factors, as the work is not the same"),
        ("widest factor on that system", value["workload_factor"], span, CLOSE,
         "the paper's pair is not the widest one: the lightest workload of the system takes far less"),
    ]
    found = [np.nan if line[2] is None else line[2] for line in lines]
    return {
        "paper_results": value["results_counted"],
        "paper_systems": value["systems_counted"],
        "paper_target_factor": value["target_factor"],
        "paper_workload_factor": value["workload_factor"],
        "paper_pair_ratio": value["workload_high_j"] / value["workload_low_j"],
        "rows_pair_ratio": pair,
        "rows_system_span": span,
        "rows_system_low": lightest,
        "paper_comparison": {
            "figure | ": [line[0] for line in lines],
            "paper | 1": np.array([line[1] for line in lines], float),
            "published_rows | 1": np.stack(np.broadcast_arrays(*found), axis=-1),
            "agreement | ": [_agree(*line[1:4]) for line in lines],
            "why | ": [line[4] for line in lines],
        },
        "notes": {
            "rows_pair_ratio": where,
            "paper_pair_ratio": f"{figures[0]} over {figures[1]}, from the data of the paper's figure of workloads",
            **({"rows_system_span": widest, "rows_system_low": own["benchmark"].iloc[0]} if pair is not None
               else dict.fromkeys(("rows_system_span", "rows_system_low"), where)),
        },
        "labels": {
            **dict.fromkeys(paper_beside_rows.results[:-1], of_all(runs)),
            **dict.fromkeys(_OF_SAMPLES, of_all(runs, unit_of_work="sample")),
        },
    }


def _row_of(runs, figure):
    """The published row that a figure of the paper is of; None without one."""
    keys = ["round", "submitter", "system", "scenario", "benchmark"]
    own = runs[(runs[keys] == figure[keys]).all(axis=1)]
    return None if own.empty else own.iloc[0]


def _agree(paper, rows, within):
    if np.ndim(rows):
        return ""  # draws: the words are those of the values
    if rows is None or not np.isfinite(rows):
        return "cannot be compared"
    return "agree" if abs(np.log(rows / paper)) <= np.log1p(within) else "differ"
