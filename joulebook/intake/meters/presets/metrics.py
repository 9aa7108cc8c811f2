"""Names of metrics whose quantity, unit and scope are documented, and those that the convention of Prometheus tells."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Metric:
    """What a metric is."""

    quantity: str
    unit: str | None
    kind: str | None
    scope: str | None = None
    boundary: str | None = None


_GPU = ("gpu", "accelerator")
METRICS = {
    "DCGM_FI_DEV_POWER_USAGE": Metric("power", "W", "instantaneous", *_GPU),
    "DCGM_FI_DEV_POWER_USAGE_INSTANT": Metric("power", "W", "instantaneous", *_GPU),
    "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION": Metric("energy", "mJ", "counter", *_GPU),
    "nvidia_gpu_power_usage_milliwatts": Metric("power", "mW", "instantaneous", *_GPU),
    "nvidia_smi_power_draw_watts": Metric("power", "W", "instantaneous", *_GPU),
    "node_rapl_package_joules_total": Metric("energy", "J", "counter", "package"),
    "node_rapl_core_joules_total": Metric("energy", "J", "counter", "core"),
    "node_rapl_uncore_joules_total": Metric("energy", "J", "counter", "uncore"),
    "node_rapl_dram_joules_total": Metric("energy", "J", "counter", "dram"),
    "node_rapl_psys_joules_total": Metric("energy", "J", "counter", "psys"),
    "ipmi_dcmi_power_consumption_watts": Metric("power", "W", "instantaneous", "machine"),
    "kepler_node_platform_joules_total": Metric("energy", "J", "counter", "machine"),
    "kepler_node_package_joules_total": Metric("energy", "J", "counter", "package"),
    "kepler_node_dram_joules_total": Metric("energy", "J", "counter", "dram"),
    "scaph_host_power_microwatts": Metric("power", "uW", "instantaneous", "machine"),
}
_ENDS = (("_microwatts", "power", "uW"), ("_milliwatts", "power", "mW"), ("_kilowatts", "power", "kW"), ("_watts", "power", "W"),
         ("_microjoules_total", "energy", "uJ"), ("_millijoules_total", "energy", "mJ"), ("_joules_total", "energy", "J"),
         ("_joules", "energy", "J"))  # fmt: skip


def metric_of(name):
    """What is known of a metric by its name; None where nothing is.

    Examples
    --------
    >>> metric_of("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION").unit, metric_of("pdu_outlet_watts").kind, metric_of("up")
    ('mJ', None, None)
    """
    if name in METRICS:
        return METRICS[name]
    for end, quantity, unit in _ENDS:
        if name.endswith(end):
            return Metric(quantity, unit, "counter" if end.endswith("_total") else None)
    return None
