"""The published figures that accountings rest on, by the names of their rows, each in one unit."""

# What a file of figures must have for these accountings: by row, the unit that its value is read in.
NEEDED = {
    **{f"mle{row:02d}": "J/output-token" for row in range(7, 12)},
    **{f"mle{row:02d}_batch": "requests" for row in range(7, 12)},
    "mle09_power": "W",
    "mle09_rate": "output-token/s",
    "mle09_accelerators": "accelerators",
    "mle09_itl": "ms",
    "req_tokens": "output-token",
    "req_parameters": "1e9 parameters",
    "eco1": "Wh",
    "eco_energy_alpha": "Wh/output-token",
    "eco_energy_beta": "1/request",
    "eco_energy_gamma": "Wh/output-token",
    "eco_latency_alpha": "s/output-token",
    "eco_latency_beta": "s/output-token",
    "eco_latency_gamma": "s/output-token",
    "eco_batch": "requests",
    "eco_bits": "bits",
    "eco_memory_factor": "ratio",
    "eco_accelerator_memory": "GB",
    "eco_server_accelerators": "accelerators",
    "eco_server_power": "kW",
    "eco_lifetime": "years",
    "emb1_accelerator": "kgCO2e",
    "emb1_server": "kgCO2e",
    "pue0": "ratio",
    "pue2": "ratio",
    "ix_h100_power": "kW/accelerator",
    "ix_h100_hourly": "USD/h",
    "ix_chk_rate": "token/s",
    "ix_chk_cost": "USD/1e6 tokens",
    "ix_chk_energy": "J/token",
    "ix_chk_per_megawatt": "token/s/MW",
    "ccf1_a100_min": "W/accelerator",
    "ccf1_a100_max": "W/accelerator",
    "ccf_utilization": "ratio",
    "ccf_pue_aws": "ratio",
    "ccf2": "kWh/GB",
    "tdp_a100": "W/accelerator",
    "tdp_h100": "W/accelerator",
    "cc_pue": "ratio",
    "cc_interval": "s",
    "cc_cpu_share": "ratio",
    "cc_cpu_share_low": "ratio",
    "cc_memory_power": "W",
    "cc_memory_from_5": "ratio",
    "cc_memory_from_9": "ratio",
    "cc_memory_from_17": "ratio",
    "cc_memory_module": "GB",
    "host_processors": "processors",
    "host_processor_tdp": "W",
    "host_memory": "GB",
    "goog0": "Wh/prompt",
    "goog1": "Wh/prompt",
    "goog2": "Wh/prompt",
    "goog_narrow": "Wh/prompt",
    "goog_carbon": "gCO2e/prompt",
    "msft1": "Wh/query",
    "msft1_low": "Wh/query",
    "msft1_high": "Wh/query",
    "msft1_long": "Wh/query",
    "mist1_carbon": "gCO2e/response",
    "aes1": "kWh/1e3 queries",
    "node01_rated": "kW",
    "node01_peak": "kW",
    "idle05_share": "ratio",
    "idle05_engaged_low": "ratio",
    "idle05_engaged_high": "ratio",
    "net02": "fraction",
    "answer_bytes": "bytes/output-token",
    "mix_USA": "kgCO2e/kWh",
    "sci1": "gCO2e/M tokens",
    "sci1_carbon": "kgCO2e",
    "sci1_tokens": "token",
    "worked1": "USD/M tokens",
    "worked1_rate": "output-token/s",
    "worked1_power": "W",
    "worked1_idle": "W",
    "worked1_price": "USD/kWh",
    "worked1_pue": "ratio",
}
SHARE_LIMITS = {"net02": (0.001, 0.9)}  # a network that takes nothing, or nearly all, is no share to go by
NEGATIVE = ("eco_energy_beta",)  # the only row whose value is below nought
SHARES = ("idle05_share", "idle05_engaged_low", "idle05_engaged_high", "ccf_utilization", "cc_cpu_share",
          "cc_cpu_share_low")  # above nought and at most one
PUES = ("pue0", "pue2", "ccf_pue_aws", "cc_pue", "worked1_pue")  # at least one


def figure_values(published_figures):
    """Values of a table of figures by the names of their rows.

    Parameters
    ----------
    published_figures : pandas.DataFrame
        Columns `id` and `value`.

    Returns
    -------
    dict of str to float
        Each in the unit that `NEEDED` names.
    """
    return dict(zip(published_figures["id"], published_figures["value"].astype(float), strict=True))
