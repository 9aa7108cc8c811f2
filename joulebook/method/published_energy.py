"""Published power results as energy per unit of work, each run once (method, section 12; units: ground rule 2)."""

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.method.accuracy_pairs import NOTICE
from joulebook.method.study import gives

THROUGHPUT, STREAMS = ("Offline", "Server", "Interactive"), ("SingleStream", "MultiStream")
SAMPLES_PER_QUERY = {"MultiStream": 8.0}  # fixed by the rules of the benchmark; one in all other scenarios
UNIT_OF_WORK = {"Samples/s": "sample", "Queries/s": "sample", "Tokens/s": "output_token", "Latency (ms)": "sample"}
COUNTED, INFERRED, COPY = "yes", "no, inferred from another scenario", "no, a copy of the same run"
FEW = 5  # results below which no summary is given
_MODELS = {"resnet50": "resnet"}  # one model under two names
_MILLI = 1e-3
_RUN = ["round", "submitter", "system", "run_begin", "run_end"]
_VALUES = ["round", "submitter", "system", "scenario", "perf", "power_value"]


def energy_per_unit_j(scenario, perf, power_value):
    r"""Energy of a unit of work of published results. [J]

    Parameters
    ----------
    scenario : array_like of str
        Scenario of each.
    perf : array_like
        Units of work a second (Offline, Server, Interactive); for the other scenarios a latency, which is not needed.
    power_value : array_like
        Watts (Offline, Server, Interactive) or millijoules per query (SingleStream, MultiStream).

    Returns
    -------
    ndarray
        The unit of work is that of `perf`, and a sample where a query is metered.

    Notes
    -----
    .. math:: e = P / T \qquad e = E_\mathrm{query} / n_\mathrm{query}

    with eight samples in a query of MultiStream and one in a query of SingleStream.

    Examples
    --------
    >>> energy_per_unit_j(["Offline", "SingleStream", "MultiStream"], [2000.0, 1.5, 3.0], [500.0, 800.0, 1600.0]).tolist()
    [0.25, 0.8, 0.2]
    """
    scenario = np.asarray(scenario)
    in_query = np.select([scenario == name for name in SAMPLES_PER_QUERY], list(SAMPLES_PER_QUERY.values()), 1.0)
    streams = np.isin(scenario, STREAMS)
    power_value = np.asarray(power_value, float)
    return np.where(streams, _MILLI * power_value / in_query, power_value / np.where(streams, 1.0, np.asarray(perf, float)))


def counted(published_closed):
    """Whether each published row is a run of its own: `COUNTED`, `INFERRED` or `COPY`.

    Parameters
    ----------
    published_closed : pandas.DataFrame
        Rows as published; `run_begin` and `run_end` where the log of the run is public, else empty.

    Returns
    -------
    ndarray of str

    Notes
    -----
    Two rows of one system are one run where begin and end agree, or, where they are not known, scenario, performance and
    power. The row at the stricter target is kept, as the run meets the looser one too; one that was inferred is never.
    """
    strict = published_closed.assign(strict=published_closed["acc_target"].fillna(0.0))
    ordered = strict.sort_values(["inferred", "strict"], ascending=[True, False], kind="stable")
    again = ordered.duplicated(_VALUES) | (ordered["run_begin"].ne("") & ordered.duplicated(_RUN))
    return np.select([published_closed["inferred"].eq(1), again.reindex(published_closed.index)], [INFERRED, COPY], COUNTED)


def published_runs(published_closed):
    """Every published row with its unit of work, its energy per unit, and whether it counts.

    Parameters
    ----------
    published_closed : pandas.DataFrame
        Rows as published, with `perf_unit_checked`, the unit as it has to be read.

    Returns
    -------
    pandas.DataFrame
        The rows with `unit_of_work`, `energy_j` (per unit of work), `counted`, and one name a model in `benchmark`.
    """
    return published_closed.assign(
        benchmark=published_closed["benchmark"].replace(_MODELS),
        system_name=published_closed["system_name"].where(published_closed["system_name"] != "", published_closed["system"]),
        unit_of_work=published_closed["perf_unit_checked"].map(UNIT_OF_WORK),
        energy_j=energy_per_unit_j(*(published_closed[name] for name in ("scenario", "perf", "power_value"))),
        counted=counted(published_closed),
    )


def distinct_runs(published_closed):
    """The rows of `published_runs` that count: each run once, none inferred."""
    rows = published_runs(published_closed)
    return rows[rows["counted"] == COUNTED]


def energy_ratio(first, second, per="unit of work"):
    """Energy per unit of work of one result over that of another. Two units of work are never compared.

    Parameters
    ----------
    first, second : tuple of (float, str)
        Energy per unit, and the unit of work. [J]
    per : str
        What the ratio is of, for the error.

    Raises
    ------
    InputError
        If the units of work differ: converting one into the other takes an explicit factor.

    Examples
    --------
    >>> energy_ratio((0.4, "sample"), (0.2, "sample"))
    2.0
    """
    if first[1] != second[1]:
        what = f"two units of work: {per} of one result is per {first[1]}, that of the other per {second[1]}"
        raise InputError(Problem(what, field="unit_of_work", value=second[1], allowed=f"{first[1]}, or an explicit factor"))
    return first[0] / second[0]


@gives(
    "rows_published",
    "rows_inferred",
    "rows_copied",
    "rows_relabelled",
    "runs_counted",
    "systems_counted",
    "accelerators_counted",
    "submitters_counted",
    "power_lowest_w",
    "power_highest_w",
    "published_rows",
)
def published_counts(published_closed):
    """What the table holds, what of it is left out and why; and the table itself, every row with its energy per unit.

    Parameters
    ----------
    published_closed : pandas.DataFrame
        Rows as published.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    rows = published_runs(published_closed)
    own = rows[rows["counted"] == COUNTED]
    relabelled = rows["perf_unit"] != rows["perf_unit_checked"]
    watts = own.loc[own["scenario"].isin(THROUGHPUT), "power_value"]
    lacking = "" if len(watts) else "no result in watts"
    return {
        "rows_published": float(len(rows)),
        "rows_inferred": float((rows["counted"] == INFERRED).sum()),
        "rows_copied": float((rows["counted"] == COPY).sum()),
        "rows_relabelled": float(relabelled.sum()),
        "runs_counted": float(len(own)),
        "systems_counted": float(len(own[["submitter", "system"]].drop_duplicates())),
        "accelerators_counted": float(own["accelerator"].where(own["n_accel"] > 0).nunique()),
        "submitters_counted": float(own["submitter"].str.lower().nunique()),
        "power_lowest_w": watts.min(),
        "power_highest_w": watts.max(),
        "published_rows": _shown(rows),
        "notes": {"rows_published": source_of(rows), "runs_counted": _without(rows), "power_lowest_w": lacking,
                  "power_highest_w": lacking},
        "labels": dict.fromkeys(published_counts.results[:-1], of_all(rows)),
    }


def round_number(rounds):
    """Rounds as numbers, by which they follow one another: v9.1 comes before v10.0.

    Examples
    --------
    >>> import pandas as pd
    >>> round_number(pd.Series(["v9.1", "v10.0"])).tolist()
    [9.1, 10.0]
    """
    return rounds.str.removeprefix("v").astype(float)


def of_all(rows, **more):
    """Labels of a result that rests on rows of many workloads: what each row has by itself is named, not made up."""
    scenarios = set(rows["scenario"])
    labels = {"workload": "MLPerf Inference, each benchmark by itself", "unit_of_work": "unit of each benchmark"}
    scenario = "each scenario" if len(scenarios) > 1 else "".join(scenarios)
    return {**labels, "quality": "target of each benchmark", "scenario": scenario, "boundary": "server", **more}


def source_of(rows):
    """What a figure that rests on published rows has to say of them: suite, rounds, division, metric, place and date."""
    rounds = rows["round"].drop_duplicates().sort_values(key=round_number).tolist()
    divisions = ", ".join(sorted(set(rows["division"])))
    places = ", ".join(sorted(set(rows["source_repo"])))
    dates = ", ".join(sorted(set(rows["retrieved"])))
    return (
        f"MLPerf Inference {rounds[0]} to {rounds[-1]}, {divisions} division with power, performance and system power as "
        f"published, from {places}; retrieved {dates}. {NOTICE}"
    )


def _without(rows):
    left = rows["counted"].value_counts()
    return f"without {left.get(COPY, 0)} copies of a run and {left.get(INFERRED, 0)} rows inferred from another scenario"


def in_words(targets):
    """Quality targets as text, empty where a benchmark has one only.

    Examples
    --------
    >>> in_words([99.9, float("nan")])
    ['99.9 %', '']
    """
    return ["" if np.isnan(target) else f"{target:g} %" for target in targets]


def _shown(rows):
    """The table as a reader filters it: no two units of work in one column without their names beside."""
    watts = rows["power_value"].where(rows["scenario"].isin(THROUGHPUT))
    return {
        "round | ": rows["round"].tolist(),
        "benchmark | ": rows["benchmark"].tolist(),
        "target | ": in_words(rows["acc_target"]),
        "scenario | ": rows["scenario"].tolist(),
        "hardware | ": rows["accelerator"].where(rows["n_accel"] > 0, "").replace("", "no accelerator").tolist(),
        "accelerators | ": rows["n_accel"].to_numpy(float),
        "energy_per_unit | J": rows["energy_j"].to_numpy(float),
        "per | ": rows["unit_of_work"].str.replace("_", " ").tolist(),
        "performance | ": rows["perf"].to_numpy(float),
        "performance_in | ": rows["perf_unit_checked"].tolist(),
        "system_power | W": watts.to_numpy(float),
        "submitter | ": rows["submitter"].tolist(),
        "system | ": rows["system_name"].tolist(),
        "counted | ": rows["counted"].tolist(),
        "result | ": rows["location"].tolist(),
    }


@gives("energy_at_throughput", "energy_of_streams")
def energy_by_benchmark(published_closed):
    """Distribution of the energy of a unit of work by benchmark, target, scenario and unit of work.

    Parameters
    ----------
    published_closed : pandas.DataFrame
        Rows as published.

    Returns
    -------
    dict
        Two tables: scenarios that are measured as a rate, and those that are measured as a latency. Below five results
        there is no median and no middle half.
    """
    runs = distinct_runs(published_closed)
    tables, notes = {}, {}
    for name, scenarios in (("energy_at_throughput", THROUGHPUT), ("energy_of_streams", STREAMS)):
        own = runs[runs["scenario"].isin(scenarios)]
        tables[name] = _distribution(own) if len(own) else None
        notes[name] = "" if len(own) else f"no result in {' or '.join(scenarios)}"
    return {**tables, "notes": notes}


GROUP = ["unit_of_work", "benchmark", "scenario"]


def _distribution(runs):
    """Groups of one benchmark, scenario and unit, by unit and then by the lowest energy of the benchmark."""
    groups = runs.groupby(GROUP)["energy_j"].describe().reset_index()
    lowest = groups.groupby(["unit_of_work", "benchmark"])["min"].transform("min")
    groups = groups.assign(lowest=lowest, tokens=groups["unit_of_work"] != "sample")
    groups = groups.sort_values(["tokens", "lowest", "benchmark", "scenario"], kind="stable")
    enough = (groups["count"] >= FEW).to_numpy()
    summary = {name: np.where(enough, groups[part], np.nan) for name, part in (("q1", "25%"), ("mid", "50%"), ("q3", "75%"))}
    return {
        "per | ": groups["unit_of_work"].str.replace("_", " ").tolist(),
        "benchmark | ": groups["benchmark"].tolist(),
        "scenario | ": groups["scenario"].tolist(),
        "results | ": groups["count"].to_numpy(float),
        "lowest | J": groups["min"].to_numpy(float),
        "lower_quartile | J": summary["q1"],
        "median | J": summary["mid"],
        "upper_quartile | J": summary["q3"],
        "highest | J": groups["max"].to_numpy(float),
    }
