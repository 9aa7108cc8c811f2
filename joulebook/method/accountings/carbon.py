"""Carbon of the request by each accounting: electricity and what is embodied in the hardware, apart."""

import numpy as np

from joulebook.method.accountings import carbon_intensity, cloud_carbon, codecarbon, ecologits, inferencex, measured
from joulebook.method.accountings.figures import figure_values
from joulebook.method.accountings.parts import column, labelled
from joulebook.method.study import gives
from joulebook.units import GRAMS_PER_KILOGRAM, kwh_from_joules


@gives("ecologits_usage_g", "ecologits_embodied_g", "request_usage_g", "request_embodied_g", "sci_request_g", "request_carbon")
def request_carbon(published_figures, request_energy_j, request_machine_s, ecologits_request_j, cloud_carbon_request_j,
                   codecarbon_request_j):
    """Carbon of the request's electricity and its share of the embodied carbon, by each accounting that has one.

    Parameters
    ----------
    published_figures : pandas.DataFrame
        Columns `id` and `value`.
    request_energy_j, request_machine_s, ecologits_request_j, cloud_carbon_request_j, codecarbon_request_j : float or ndarray
        Results of `joulebook.method.how_others_count.request_energy`.

    Returns
    -------
    dict
        The results named in `gives`. All use the same yearly mix of one country, on average and over the life cycle.
    """
    of = figure_values(published_figures)
    energies = (ecologits_request_j, np.nan, cloud_carbon_request_j, codecarbon_request_j, request_energy_j, request_energy_j)
    usage = [carbon_intensity.usage_g(energy_j, of) for energy_j in energies]
    theirs = ecologits.embodied_g(of, ecologits.machine_s(of))
    own = ecologits.embodied_g(of, request_machine_s)
    embodied = [theirs, np.nan, np.nan, np.nan, own, own]
    grid_g = of["mix_USA"] * GRAMS_PER_KILOGRAM
    sci_g = carbon_intensity.intensity(kwh_from_joules(request_energy_j), grid_g, own, 1.0)
    whole = [usage[0] + theirs, np.nan, np.nan, usage[3], sci_g, np.nan]
    return {
        "ecologits_usage_g": usage[0],
        "ecologits_embodied_g": theirs,
        "request_usage_g": usage[-1],
        "request_embodied_g": own,
        "sci_request_g": sci_g,
        "request_carbon": {
            "accounting | ": [ecologits.NAME, inferencex.NAME, cloud_carbon.NAME, codecarbon.NAME, carbon_intensity.NAME,
                              measured.NAME],
            "electricity | g": column(usage),
            "embodied | g": column(embodied),
            "stated_as_one | g": column(whole),
            "what | ": [
                "embodied by the latency that the batch shares",
                "counts energy and money, no carbon",
                "embodied by instance of a cloud; its table has none of this machine",
                "operation alone",
                "energy and embodied of this workbook: the specification takes both",
                "two lines, never one; embodied by the time of the machine, waiting counted",
            ],
        },
        "labels": labelled(of, request_carbon.results[:-1]) | labelled(of, ("ecologits_embodied_g", "request_embodied_g"),
                                                                       boundary="manufacture of the server"),
        "evidence": dict.fromkeys(("ecologits_usage_g", "ecologits_embodied_g", "request_embodied_g"), "modelled"),
    }  # fmt: skip
