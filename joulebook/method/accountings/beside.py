"""Published figures of other requests, beside and not ranked, and the figures that the formulas here have to give."""

import numpy as np

from joulebook.method.accountings import carbon_intensity, ecologits, inferencex, measured
from joulebook.method.accountings.figures import figure_values
from joulebook.method.study import gives
from joulebook.units import GRAMS_PER_KILOGRAM, PER_MILLION, watt_hours_from_joules

CLOSE = 5e-4  # relative difference up to which a figure counts as reproduced: they are printed in four digits
_BESIDE = (
    ("goog0", "median text prompt of one assistant, of unknown model and length"),
    ("goog_narrow", "the same prompt, active accelerators alone"),
    ("goog_carbon", "the same prompt"),
    ("msft1", "query of a large model: middle of a distribution, with its middle half"),
    ("msft1_long", "long query of such a model, with reasoning"),
    ("mist1_carbon", "response of the length asked about here, of another model"),
    ("aes1", "reasoning, one request at a time"),
)


_LABELS = {"workload": "known figures of each formula", "quality": None, "scenario": None,
           **dict.fromkeys(("unit_of_work", "boundary"), "as each figure has it")}  # fmt: skip


@gives("published_beside")
def published_beside(published_figures):
    """What others published of a request of theirs: each its own work, boundary and unit, so that none is ranked.

    Parameters
    ----------
    published_figures : pandas.DataFrame
        Rows with `id`, `quantity`, `value`, `unit`, `boundary` and `source`.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    of, rows = figure_values(published_figures), published_figures.set_index("id").loc[[name for name, _ in _BESIDE]]
    return {
        "published_beside": {
            "figure | ": list(rows["quantity"]),
            "value | ": rows["value"].to_numpy(float),
            "value_low | ": np.array([of.get(f"{name}_low", np.nan) for name in rows.index]),
            "value_high | ": np.array([of.get(f"{name}_high", np.nan) for name in rows.index]),
            "unit | ": list(rows["unit"]),
            "boundary | ": list(rows["boundary"]),
            "work | ": [work for _, work in _BESIDE],
            "source | ": list(rows["source"]),
        }
    }


@gives("checks_counted", "checks_reproduced", "sci_per_million_g", "formula_checks")
def formula_checks(published_figures, ecologits_request_j, example_cost_per_million):
    """Figures that are known for the formulas of others, beside what the formulas here give.

    Parameters
    ----------
    published_figures : pandas.DataFrame
        Columns `id` and `value`.
    ecologits_request_j, example_cost_per_million : float
        Results of the calculations before.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    of = figure_values(published_figures)
    power_kw, rate = of["ix_h100_power"], of["ix_chk_rate"]
    sci_g = carbon_intensity.intensity(0.0, 0.0, of["sci1_carbon"] * GRAMS_PER_KILOGRAM, of["sci1_tokens"] / PER_MILLION)
    lines = [
        (f"{ecologits.NAME}, the request", "Wh", of["eco1"], watt_hours_from_joules(ecologits_request_j)),
        (f"{inferencex.NAME}, energy of a token", "J", of["ix_chk_energy"], inferencex.token_energy_j(power_kw, rate)),
        (f"{inferencex.NAME}, cost per million", "USD", of["ix_chk_cost"],
         inferencex.cost_per_million(of["ix_h100_hourly"], rate)),
        (f"{inferencex.NAME}, rate of a megawatt", "token/s/MW", of["ix_chk_per_megawatt"],
         inferencex.rate_per_megawatt(power_kw, rate)),
        (f"{carbon_intensity.NAME}, worked example", "g per million tokens", of["sci1"], sci_g),
        (f"{measured.NAME}, worked example", "USD per million", of["worked1"], example_cost_per_million),
    ]  # fmt: skip
    stated, here = (np.array([line[at] for line in lines], float) for at in (2, 3))
    right = np.abs(here / stated - 1) <= CLOSE
    return {
        "checks_counted": float(len(lines)),
        "checks_reproduced": float(right.sum()),
        "sci_per_million_g": sci_g,
        "formula_checks": {
            "figure | ": [line[0] for line in lines],
            "unit | ": [line[1] for line in lines],
            "stated | ": stated,
            "here | ": here,
            "agrees | ": ["yes" if one else "no" for one in right],
        },
        "labels": dict.fromkeys(("checks_counted", "checks_reproduced"), _LABELS) | {
            "sci_per_million_g": {**_LABELS, "workload": "worked example of SCI for AI", "unit_of_work": "token"}
        },
        "notes": {"sci_per_million_g": "carbon and tokens of its own example; its text prints a thousandth of it"},
    }
