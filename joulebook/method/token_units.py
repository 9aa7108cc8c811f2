"""Tokens and queries under one heading: what a published rate of a language model is per output token (method, rule 2)."""

import numpy as np

from joulebook.method.published_energy import distinct_runs, energy_ratio, in_words, round_number
from joulebook.method.study import gives

FAMILY = "llama2-70b"
PER_TOKEN = "output_token"


def per_output_token_j(energy_j, unit_of_work, output_tokens_per_query):
    """Energy of an output token, from that of an output token or of a query. [J]

    Parameters
    ----------
    energy_j : array_like
        Energy per unit of work. [J]
    unit_of_work : array_like of str
        ``output_token``, or else a query of one sample.
    output_tokens_per_query : float
        Output tokens of a query.

    Examples
    --------
    >>> per_output_token_j([58.89, 0.3], ["sample", "output_token"], 294.45).round(6).tolist()
    [0.2, 0.3]
    """
    return np.asarray(energy_j, float) / np.where(np.asarray(unit_of_work) == PER_TOKEN, 1.0, output_tokens_per_query)


@gives("energy_before_j", "energy_after_j", "token_ratio", "heading_ratio", "token_rows")
def token_units(published_closed, reference_figures):
    r"""Published llama2-70b rows per output token, and what comes of reading two units under one heading.

    Parameters
    ----------
    published_closed : pandas.DataFrame
        Rows as published.
    reference_figures : pandas.DataFrame
        Columns `name` and `value`: a row ``output_tokens_per_query``, of this benchmark, from its rules.

    Returns
    -------
    dict
        The results named in `gives`. Before and after are the last Server result in queries and the first in tokens of one
        submitter; `heading_ratio` is that of their performance per watt as it reads, `token_ratio` that per output token.

    Notes
    -----
    .. math:: e_\mathrm{token} = \frac{P}{T_\mathrm{query} \, n_\mathrm{token}}
    """
    runs = distinct_runs(published_closed)
    rows = runs[runs["benchmark"].str.startswith(FAMILY)].sort_values(["scenario", "round", "submitter", "system"], kind="stable")
    if not len(rows):
        return {**dict.fromkeys(token_units.results), "notes": dict.fromkeys(token_units.results, f"no row of {FAMILY}")}
    factor = reference_figures.set_index("name")["value"]["output_tokens_per_query"]
    token_j = per_output_token_j(rows["energy_j"], rows["unit_of_work"], factor)
    table = {
        "scenario | ": rows["scenario"].tolist(),
        "round | ": rows["round"].tolist(),
        "target | ": in_words(rows["acc_target"]),
        "submitter | ": rows["submitter"].tolist(),
        "system | ": rows["system_name"].tolist(),
        "heading | ": rows["perf_unit"].tolist(),
        "to_be_read_as | ": rows["perf_unit_checked"].tolist(),
        "performance | ": rows["perf"].to_numpy(float),
        "system_power | W": rows["power_value"].to_numpy(float),
        "energy_per_output_token | J": token_j,
    }
    numbers = ("energy_before_j", "energy_after_j", "token_ratio", "heading_ratio")
    pair = _pair(rows)
    if pair is None:
        lacking = "no submitter with a Server result in queries and a later one in tokens"
        return {**dict.fromkeys(numbers), "token_rows": table, "notes": dict.fromkeys(numbers, lacking)}
    before, after = (rows.index.get_loc(pair[name]) for name in ("index_before", "index_after"))
    per_watt = (rows["perf"] / rows["power_value"]).to_numpy(float)
    before_j, after_j = token_j[before], token_j[after]
    labels = {"workload": f"MLPerf Inference, {pair['benchmark']}", "unit_of_work": PER_TOKEN, "scenario": "Server",
              "quality": f"{in_words([pair['acc_target_before']])[0] or 'one target'} of the reference", "boundary": "server"}
    return {
        "energy_before_j": before_j,
        "energy_after_j": after_j,
        "token_ratio": energy_ratio((before_j, PER_TOKEN), (after_j, PER_TOKEN)),
        "heading_ratio": per_watt[after] / per_watt[before],
        "token_rows": table,
        "notes": {
            "energy_before_j": f"{pair['round_before']}, {pair['system_name_before']}, published in queries",
            "energy_after_j": f"{pair['round_after']}, {pair['system_name_after']}, published in tokens",
            "heading_ratio": "queries against tokens: no ratio of like with like",
        },
        "labels": dict.fromkeys(numbers, labels),
    }


def _pair(rows):
    """The last Server result in queries and the next in tokens of one submitter and benchmark; None without one."""
    server = rows[rows["scenario"].eq("Server")].reset_index()
    tokens = server["unit_of_work"].eq(PER_TOKEN)
    pairs = server[~tokens].merge(server[tokens], on=["submitter", "benchmark"], suffixes=("_before", "_after"))
    pairs = pairs[round_number(pairs["round_before"]) < round_number(pairs["round_after"])]
    pairs = pairs.sort_values(["round_before", "round_after"], kind="stable", key=round_number)
    if not len(pairs):
        return None
    last = pairs[pairs["round_before"] == pairs["round_before"].iloc[-1]]
    return last.iloc[0]
