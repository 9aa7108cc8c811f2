"""How large a bias is, where published pairs tell it (method, section 6)."""

import numpy as np
import pandas as pd

from joulebook.method.matched_pairs import node_ratios, round_ratios, scenario_ratios
from joulebook.method.matching.fields import HOST, QUALITY, SCENARIO, SOFTWARE
from joulebook.method.matching.words import OVERSTATES, SAME_MODEL, UNDERSTATES
from joulebook.method.published_energy import FEW, of_all, published_runs, source_of
from joulebook.method.study import gives

_SERVED = ("Offline", "Server")
LOOSER, STRICTER = 99, 99.9  # percent of the reference, in the pairs of two targets
_WAYS = {UNDERSTATES: 1, OVERSTATES: -1}
_BENCHMARK_OF = {model: name for name, model in SAME_MODEL.items()}


@gives("scenario_pairs_counted", "scenario_ratio_median", "scenario_ratio_lowest", "scenario_ratio_highest")
def scenario_pairs(published_closed):
    """Performance per watt with freedom from latency over that under a limit, of pairs of one published system.

    Parameters
    ----------
    published_closed : pandas.DataFrame
        Rows as published.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    gain, published = scenario_ratios(published_closed)["gain"].to_numpy(float), published_runs(published_closed)
    scalars = {"scenario_ratio_median": np.median, "scenario_ratio_lowest": np.min, "scenario_ratio_highest": np.max}
    lacking = "" if len(gain) else "no such pair"
    return {
        "scenario_pairs_counted": float(len(gain)),
        **{name: float(of(gain)) if len(gain) else None for name, of in scalars.items()},
        "notes": {"scenario_pairs_counted": source_of(published), **dict.fromkeys(scalars, lacking)},
        "labels": dict.fromkeys(scenario_pairs.results, of_all(published)),
    }


@gives("bias_sizes")
def bias_sizes(matched_fields, deployment, disclosure, published_closed, accuracy_pairs):
    r"""By how much the energy of a unit differs between deployment and benchmark, as far as published pairs tell it.

    Parameters
    ----------
    matched_fields : dict
        Result of `joulebook.method.matching.grade.match_fields`.
    deployment, disclosure : dict
        Fields as in `joulebook.intake.records`.
    published_closed, accuracy_pairs : pandas.DataFrame
        Rows as published; pairs at two quality targets.

    Returns
    -------
    dict
        The results named in `gives`. A row for each change of which there are pairs: those of the benchmark's own model where
        there are five or more, else of all models. Where the deployment differs in just this change the factor goes from the
        benchmark to the deployment, and the row says that it applies.

    Notes
    -----
    .. math:: f = \frac{e_\mathrm{deployment}}{e_\mathrm{benchmark}}
        = \frac{(T / P)_\mathrm{benchmark}}{(T / P)_\mathrm{deployment}}
    """
    bias = dict(zip(matched_fields["field | "], matched_fields["bias | "], strict=True))
    changes = [
        (SCENARIO, _SERVED, scenario_ratios(published_closed), _in_order(deployment, disclosure, "scenario", _SERVED)),
        (QUALITY, (f"{LOOSER} %", f"{STRICTER} %"), _targets(accuracy_pairs), _of_targets(deployment, disclosure)),
        (SOFTWARE, ("later", "earlier"), round_ratios(published_closed), _WAYS.get(bias[SOFTWARE], 0)),
        (HOST, ("more", "fewer"), node_ratios(published_closed), _of_hosts(deployment, disclosure)),
    ]
    model = _BENCHMARK_OF.get(disclosure.get("model"), disclosure.get("model"))
    rows = [_row(field, ends, pairs, way, model) for field, ends, pairs, way in changes if len(pairs)]
    table = {name: [row[name] for row in rows] for name in rows[0]} if rows else None
    return {"bias_sizes": table, "notes": {"bias_sizes": "" if rows else "no published pair"}}


def _row(field, ends, pairs, way, model):
    """One change: its factor on the energy of a unit, of the benchmark's own model where it has enough pairs."""
    names = pairs["benchmark"].str.replace(r"-99(\.9)?$", "", regex=True)
    own = names == model
    enough = own.sum() >= FEW
    chosen = pairs.loc[own, "gain"] if enough else pairs["gain"]
    factor = chosen.to_numpy(float) ** (way or 1)
    of = model if enough else "all models" if names.nunique() > 1 else names.iloc[0]
    first, last = ends if way >= 0 else ends[::-1]
    told = "yes" if way and of in (model, "all models") else f"another model: {of}" if way else "no"
    return {"field | ": field, "from_benchmark | ": first, "to_deployment | ": last, "applies | ": told, "pairs_of | ": of,
            "pairs | ": float(len(factor)), "median_factor | 1": float(np.median(factor)), "lowest | 1": float(factor.min()),
            "highest | 1": float(factor.max())}  # fmt: skip


def _in_order(deployment, disclosure, name, ends):
    """1 where the benchmark stands at the first end and the deployment at the second, -1 the other way round, else 0."""
    pair = (disclosure.get(name), deployment.get(name))
    return 1 if pair == ends else -1 if pair == ends[::-1] else 0


def _of_targets(deployment, disclosure):
    alike = all(side.get("quality_is") == "of_reference" for side in (deployment, disclosure))
    return _in_order(deployment, disclosure, "quality_target_pct", (LOOSER, STRICTER)) if alike else 0


def _of_hosts(deployment, disclosure):
    one, other = (side.get("accelerators_per_node") for side in (deployment, disclosure))
    return 0 if None in (one, other) else int(np.sign(other - one))


def _targets(accuracy_pairs):
    """Pairs at two quality targets; the energy at the stricter over that at the looser is the inverse of their ratio."""
    return pd.DataFrame({"benchmark": accuracy_pairs["family"], "gain": 1 / accuracy_pairs["eff_999_over_99"]})


