"""One request and one worked example by the formulas of others and of this workbook, and what lies between them."""

import numpy as np

from joulebook.method.accountings import carbon_intensity, cloud_carbon, codecarbon, ecologits, inferencex
from joulebook.method.accountings.beside import formula_checks, published_beside
from joulebook.method.accountings.carbon import request_carbon
from joulebook.method.accountings.example import worked_example
from joulebook.method.accountings.figures import figure_values
from joulebook.method.accountings.measured import NAME, measured
from joulebook.method.accountings.parts import labelled, overheads, parts_table
from joulebook.method.accountings.steps import steps_table
from joulebook.method.ranges import DRAWS
from joulebook.method.study import gives
from joulebook.units import watt_hours_from_joules

MILLISECONDS_PER_SECOND = 1000.0


# Boundaries that are none of a meter, in the words of each accounting.
_NO_METER = {
    "request_latency_s": "the user's",
    "codecarbon_interval_s": "accelerators, processors and memory",
    "ecologits_latency_s": "accelerators",
    "ecologits_accelerators": "accelerators",
    "inferencex_request_j": "provisioned power",
    "cloud_carbon_request_j": "accelerators, with the facility on them",
    "codecarbon_request_j": "accelerators, processors and memory",
    "sci_request_j": "as chosen",
    "request_span": "of each accounting",
}


@gives("request_energy_j", "request_energy_wh", "request_accelerator_j", "request_host_j", "request_idle_j", "request_network_j",
       "request_overhead_j", "request_surveyed_j", "request_machine_s", "request_latency_s", "codecarbon_interval_s",
       "ecologits_request_j", "ecologits_request_wh", "ecologits_latency_s", "ecologits_accelerators", "inferencex_request_j",
       "cloud_carbon_request_j", "codecarbon_request_j", "sci_request_j", "request_span", "accountings", "request_parts",
       "request_steps")
def request_energy(published_figures, rng=None):
    """The request by every accounting, part by part, and the steps from each to this workbook.

    Parameters
    ----------
    published_figures : pandas.DataFrame
        Columns `id` and `value`, in the units of `joulebook.method.accountings.figures.NEEDED`.
    rng : numpy.random.Generator, optional
        Draws what is known within limits only.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    of = figure_values(published_figures)
    own = measured(of, rng)
    sampled = codecarbon.counted(of, rng, DRAWS)
    others = [ecologits.counted(of), inferencex.counted(of), cloud_carbon.counted(of), sampled, carbon_intensity.counted()]
    by_name = {one.name: one.total_j for one in others}
    it_j = sum(own.counted.parts.values()) - own.counted.parts["overhead"]
    totals = np.stack(np.broadcast_arrays(own.counted.total_j, *(one.total_j for one in others[:-1])))
    return {
        "request_energy_j": own.counted.total_j,
        "request_energy_wh": watt_hours_from_joules(own.counted.total_j),
        **{f"request_{name}_j": energy_j for name, energy_j in own.counted.parts.items()},
        "request_surveyed_j": it_j + overheads(it_j, of["pue0"]),
        "request_machine_s": own.busy_s + own.wait_s,
        "request_latency_s": of["req_tokens"] * of["mle09_itl"] / MILLISECONDS_PER_SECOND,
        "codecarbon_interval_s": of["cc_interval"],
        "ecologits_request_j": by_name[ecologits.NAME],
        "ecologits_request_wh": watt_hours_from_joules(by_name[ecologits.NAME]),
        "ecologits_latency_s": ecologits.latency_s(of),
        "ecologits_accelerators": float(ecologits.accelerators(of)),
        "inferencex_request_j": by_name[inferencex.NAME],
        "cloud_carbon_request_j": by_name[cloud_carbon.NAME],
        "codecarbon_request_j": by_name[codecarbon.NAME],
        "sci_request_j": None,
        "request_span": totals.max(axis=0) / totals.min(axis=0),
        "accountings": _accountings(),
        "request_parts": parts_table([*others, own.counted]),
        "request_steps": steps_table(others, own, of),
        "notes": {
            "sci_request_j": carbon_intensity.counted().why["host"],
            "request_host_j": "what a host took beside accelerators in Google's production; between a constant of EcoLogits and "
            "the peak of a measured server",
            "request_idle_j": "share of time with work and power of the waiting machine are estimates for training servers",
            "request_network_j": "no published share of serving: halfway between the transport of an answer and the share of "
            "a training cluster",
            "inferencex_request_j": "an assumed all-in power at the measured rate",
            "cloud_carbon_request_j": "no H100 in its table: the ratios of its A100, at the measured rate",
            "codecarbon_request_j": "processors and memory of a DGX H100, whose load is not known",
            "request_span": "from the accounting that leaves out most to the one that provisions most",
        },
        "labels": labelled(of, request_energy.results[:-3]) | {
            name: labelled(of, [name], boundary=said)[name] for name, said in _NO_METER.items()
        },
        "evidence": {
            **dict.fromkeys(("request_energy_j", "request_energy_wh", "request_network_j", "request_overhead_j",
                             "request_surveyed_j", "codecarbon_request_j", "inferencex_request_j", "request_span"), "assumed"),
            **dict.fromkeys(("ecologits_request_j", "ecologits_request_wh", "ecologits_latency_s", "ecologits_accelerators",
                             "cloud_carbon_request_j", "request_host_j", "request_idle_j", "request_machine_s"), "modelled"),
        },
    }  # fmt: skip


@gives("token_measured_j", "token_fitted_j", "fitted_over_measured", "energy_by_batch")
def energy_by_batch(published_figures):
    """Energy of an output token at the accelerators by the requests in flight: measured, and by the fit of EcoLogits.

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
    rows = sorted(name.removesuffix("_batch") for name in of if name.startswith("mle") and name.endswith("_batch"))
    batch = np.array([of[f"{row}_batch"] for row in rows])
    order = np.argsort(batch)
    found = np.array([of[row] for row in rows])
    measured_j = of["mle09_power"] / of["mle09_rate"]
    fitted_j = ecologits.token_energy_j(of, of["eco_batch"])
    return {
        "token_measured_j": measured_j,
        "token_fitted_j": fitted_j,
        "fitted_over_measured": fitted_j / measured_j,
        "energy_by_batch": {
            "batch | requests": batch[order],
            "measured | J": found[order],
            "fitted | J": ecologits.token_energy_j(of, batch[order]),
        },
        "labels": labelled(of, energy_by_batch.results[:-1], unit_of_work="output_token"),
        "evidence": {"token_fitted_j": "modelled", "fitted_over_measured": "modelled"},
    }


def _accountings():
    lines = [
        (ecologits.NAME, "facility", "parameters of the model, output tokens, PUE of the provider",
         "time without work, network; no rate and no power of one's own system"),
        (inferencex.NAME, "provisioned power, no meter", "rate of an accelerator, its assumed all-in power",
         "what is drawn rather than provisioned; time without work; carbon"),
        (cloud_carbon.NAME, "accelerators, then facility", "hours of accelerators from a bill, utilization",
         "tokens and rate; the host where hours of accelerators are counted; traffic to users"),
        (codecarbon.NAME, "accelerators, processors and memory", "a run on one's own machine, sampled",
         "fans, supplies, network; time outside the run; the facility unless it is set; embodied carbon"),
        (carbon_intensity.NAME, "as chosen, to be stated", "energy, carbon of electricity, embodied carbon, a unit of work",
         "how the energy is found"),
        (NAME, "facility", "a measured operating point, host, waiting time, network share, PUE",
         "prompt of other lengths than measured; training; the user's device"),
    ]  # fmt: skip
    heads = ("accounting | ", "boundary | ", "takes | ", "leaves_out | ")
    return {head: [line[at] for line in lines] for at, head in enumerate(heads)}


CALCULATIONS = (request_energy, energy_by_batch, request_carbon, worked_example, published_beside, formula_checks)
