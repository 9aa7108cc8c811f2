"""The worked example of a token's cost by every accounting that has something to say of it."""

import numpy as np

from joulebook.method.accountings import carbon_intensity, cloud_carbon, codecarbon, ecologits, inferencex, measured
from joulebook.method.accountings.figures import figure_values
from joulebook.method.accountings.parts import column
from joulebook.method.study import gives
from joulebook.units import PER_MILLION, kwh_from_joules

_LABELS = {"workload": "worked example of the cost of a token", "unit_of_work": "output_token", "quality": None, "scenario": None}


@gives("example_energy_j", "example_facility_j", "example_cost_per_million", "example_provisioned_j", "example_hour_per_million",
       "worked_example")
def worked_example(published_figures):
    """Energy and cost of a token: a rate, a power, a price and a PUE, and no model, no accelerator, no embodied carbon.

    Parameters
    ----------
    published_figures : pandas.DataFrame
        Columns `id` and `value`.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    of = figure_values(published_figures)
    rate, pue, power_w, idle_w = (of[f"worked1_{name}"] for name in ("rate", "pue", "power", "idle"))
    own_j = power_w / rate
    used = of["ccf_utilization"]
    provisioned_j = inferencex.token_energy_j(of["ix_h100_power"], rate)
    lines = [
        (ecologits.NAME, np.nan, np.nan, "takes the parameters of a model: neither a rate nor a power"),
        (f"{inferencex.NAME}, as one H100", np.nan, provisioned_j, "no accelerator is named; all-in power, so PUE is in it"),
        (f"{cloud_carbon.NAME}, full", *_with(cloud_carbon.average_w(idle_w, power_w, 1.0) / rate, pue), "no rate of its own"),
        (f"{cloud_carbon.NAME}, its default", *_with(cloud_carbon.average_w(idle_w, power_w, used) / (used * rate), pue),
         "at the utilization that it takes where none is known"),
        (f"{codecarbon.NAME}, PUE set", *_with(own_j, pue), "sampled power over the time of the run"),
        (f"{codecarbon.NAME}, its default", own_j, np.nan, "its default PUE adds nothing: the facility is not counted"),
        (carbon_intensity.NAME, np.nan, np.nan, "gives carbon, for an energy and an embodied carbon; the example has no second"),
        (measured.NAME, *_with(own_j, pue), "energy only, at full load, and labelled so"),
    ]  # fmt: skip
    facility = np.array([line[2] for line in lines])
    return {
        "example_energy_j": own_j,
        "example_facility_j": own_j * pue,
        "example_cost_per_million": _per_million(own_j * pue, of),
        "example_provisioned_j": provisioned_j,
        "example_hour_per_million": inferencex.cost_per_million(of["ix_h100_hourly"], rate),
        "worked_example": {
            "accounting | ": [line[0] for line in lines],
            "equipment | J per output token": column([line[1] for line in lines]),
            "facility | J per output token": column(facility),
            "energy_cost | USD per million output tokens": _per_million(facility, of),
            "what | ": [line[3] for line in lines],
        },
        "notes": {
            "example_provisioned_j": "if the example ran on one H100, which it does not say",
            "example_hour_per_million": "the same; the price of an hour holds capital and all else, not electricity alone",
            "example_cost_per_million": "energy only, full load",
        },
        "evidence": dict.fromkeys(worked_example.results[:-1], "illustrative"),
        "labels": dict.fromkeys(worked_example.results[:3], _LABELS) | {
            name: {**_LABELS, "boundary": "provisioned power"} for name in worked_example.results[3:5]
        },
    }


def _with(energy_j, pue):
    return energy_j, energy_j * pue


def _per_million(energy_j, of):
    """Cost of the electricity of a million. [USD]"""
    return kwh_from_joules(energy_j * PER_MILLION) * of["worked1_price"]
