"""Logs of meters, made up: a small right one of each format, with what must be declared of it."""

import json
from dataclasses import dataclass

EPOCH = 1_790_000_000  # 2026-09-21T14:13:20Z


@dataclass(frozen=True)
class Sample:
    """A file and its declaration; `factors` make watts or joules of its numbers (as it is, or as a letter less makes of its
    unit), `polled` has no times of its own, and a line of a `table` is a row."""

    name: str
    text: str
    declared: dict
    factors: tuple = (1.0,)
    polled: bool = False
    table: bool = False


def _rows(count, form):
    return "".join(form(i) for i in range(count))


_SMI = "timestamp, index, name, power.draw [W]\n" + _rows(
    5, lambda i: f"2026/09/21 14:13:{20 + i}.000, 0, NVIDIA H100 PCIe, {300 + i}.25 W\n"
                 f"2026/09/21 14:13:{20 + i}.020, 1, NVIDIA H100 PCIe, {100 + i}.50 W\n")  # fmt: skip
_DMON = "#Entity   POWER\nID          W\n" + _rows(4, lambda i: f"GPU 0     {65 + i}.125\nGPU 1     {60 + i}.5\n")
_EXPORTER = "# HELP DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION Total energy (in mJ).\n" + _rows(
    4, lambda i: f'DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{{gpu="0",modelName="NVIDIA A100-SXM4-40GB"}} {500000 + i * 3000} '
                 f"{EPOCH + i}000\n")  # fmt: skip
_RANGE = json.dumps({"status": "success", "data": {"resultType": "matrix", "result": [
    {"metric": {"__name__": "node_rapl_package_joules_total", "path": f"rapl:{zone}"},
     "values": [[EPOCH + 15 * i, str(1000 + 70 * i + zone)] for i in range(5)]} for zone in (0, 1)]}})  # fmt: skip
_RAPL = "t_s,zone,name,energy_uj,max_energy_range_uj\n" + _rows(
    4, lambda i: f"{i},intel-rapl:0,package-0,{(900 + 90 * i) % 1000 * 1000000},1000000000\n"
                 f"{i},intel-rapl:0:2,dram,{(100 + 20 * i) * 1000000},500000000\n")  # fmt: skip
_IPMI = _rows(
    3,
    lambda i: (
        f"""
    Instantaneous power reading:                   {360 + i} Watts
    Minimum during sampling period:                350 Watts
    Maximum during sampling period:                370 Watts
    Average power reading over sample period:      360 Watts
    IPMI timestamp:                           09/21/26 14:13:{20 + i} UTC    Sampling period:         00000005 Seconds.
    Power reading state is:                   activated

"""
    ),
)
_REDFISH = _rows(4, lambda i: json.dumps({
    "timestamp": f"2026-09-21T14:13:{20 + i}Z", "PowerControl": [{"Name": "System Power Control", "PowerConsumedWatts": 464 + i}],
}) + "\n")  # fmt: skip
_SPL = _rows(5, lambda i: f"Time,09-21-2026 14:13:{20 + i}.000,Watts,{310 + i}.500000,Volts,230.000000,Amps,1.000000,PF,0.95\n")

SAMPLES = {
    "csv": Sample("pdu.csv", "timestamp,power_w\n" + _rows(8, lambda i: f"2026-09-21T14:13:{20 + i}Z,{400 + i}.5\n"),
                  {"kind": "instantaneous"}, table=True),
    "csv-german": Sample("zähler.csv", "Zeit;Leistung (kW)\n" + _rows(8, lambda i: f"21.09.2026 14:13:{20 + i};1.29{i},50\n"),
                         {"kind": "instantaneous", "timezone": "Europe/Berlin"}, (1000.0, 1.0), table=True),
    "csv-counter": Sample("register.csv", "timestamp,kwh_total\n" + _rows(8, lambda i: f"{EPOCH + 900 * i},{100 + i}.25\n"),
                          {"kind": "counter"}, (3.6e6, 3600.0), table=True),
    "nvidia-smi": Sample("smi.csv", _SMI, {"as": "nvidia-smi", "timezone": "UTC"}, table=True),
    "dcgm-dmon": Sample("dmon.txt", _DMON, {"as": "dcgm", "interval_s": 1}, polled=True),
    "dcgm-exporter": Sample("scrapes.txt", _EXPORTER, {"as": "dcgm"}, (1e-3,)),
    "prometheus": Sample("range.json", _RANGE, {"as": "prometheus"}),
    "rapl": Sample("rapl.csv", _RAPL, {"as": "rapl"}, (1e-6, 1.0), table=True),
    "ipmitool": Sample("dcmi.txt", _IPMI, {"as": "ipmitool"}),
    "redfish": Sample("power.json", _REDFISH, {"as": "redfish"}),
    "mlperf": Sample("spl.txt", _SPL, {"as": "mlperf", "timezone": "UTC"}),
}  # fmt: skip
