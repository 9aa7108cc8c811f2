"""What each preset knows of its files, what it asks for, and what it leaves out."""

import json

import numpy as np
import pytest

from .conftest import energy_of, said

EPOCH = 1717408800  # 2024-06-03T10:00:00Z


def test_all_that_is_not_declared_is_asked_for_at_once(refusal):
    words = refusal("a,b,c\n2024-06-03 10:00:00,1,2\n2024-06-03 10:00:01,1,2\n")
    for key in ("time_column", "value_column", "kind"):
        assert f"log.csv: {key}:" in words
    words = refusal("time,power\n2024-06-03 10:00:00,1\n2024-06-03 10:00:01,1\n")
    for key in ("unit", "kind", "timezone"):
        assert f"log.csv: {key}:" in words


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({"unit": "kW"}, "unit: contradicts what nvidia-smi gives; found 'kW'; allowed: W"),
        ({"quantity": "energy"}, "quantity: contradicts what nvidia-smi gives"),
        ({"kind": "counter"}, "kind: contradicts what nvidia-smi gives"),
        ({"boundary": "server"}, "boundary: contradicts what nvidia-smi gives"),
    ],
)
def test_what_a_preset_knows_is_not_contradicted(refusal, declared, said):
    text = "timestamp, index, power.draw [W]\n2024/06/03 10:00:00.000, 0, 80.00 W\n"
    assert said in refusal(text, "smi.csv", "nvidia-smi", timezone="UTC", **declared)


def test_a_header_is_not_contradicted(refusal):
    assert "unit: contradicts the header; found 'W'; allowed: kW" in refusal(
        "t_s,Power (kW)\n0,1\n1,1\n", unit="W", kind="instantaneous"
    )


def test_nvidia_smi_with_several_readings_asks_which(refusal, energy):
    text = "timestamp, uuid, power.draw.average [W], power.draw.instant [W]\n"
    text += "".join(f"2024/06/03 10:00:0{t}.000, GPU-1a2b, 200.00 W, 300.00 W\n" for t in range(5))
    assert "value_column: several readings of the same boards" in refusal(text, "smi.csv", "nvidia-smi", timezone="UTC")
    one = {"preset": "nvidia-smi", "timezone": "UTC", "value_column": "power.draw.average"}
    assert energy(text, "smi.csv", **one) == 800.0  # hand: 200 W x 4 s


def test_nvidia_smi_without_units_in_cells_and_with_its_header_again(read):
    text = "timestamp, index, name, power.draw.average [W]\n"
    rows = "".join(f"2024/06/03 10:00:0{t}.000, 0, NVIDIA L40S, 150.00\n" for t in range(3))
    meters = read(text + rows + text + rows.replace("10:00", "10:01"), "smi.csv", "nvidia-smi", timezone="UTC")
    channel = meters.channels[0]
    assert channel.left_out == {"header again": 1}
    assert (channel.boundary, channel.scope, channel.accuracy.averaging_s) == ("accelerator", "gpu", 1.0)
    assert channel.rows == 7


DMON = "#Entity   POWER                       TOTEC\nID          W                          mJ\n"


def test_dcgm_dmon_asks_for_the_time_between_polls_and_for_the_reading(refusal, energy):
    text = DMON + "".join(f"GPU 0     {100 + t}.0        {5000 + 1000 * t}\nGPU 1     60.0      N/A\n" for t in range(3))
    words = refusal(text, "dmon.txt", "dcgm")
    assert "quantity: several readings of the same boards" in words
    assert "interval_s: rows without times" in words
    declared = {"preset": "dcgm", "interval_s": 2.0}
    # hand: (100 + 101) / 2 x 2 + (101 + 102) / 2 x 2 + 60 x 4; and 2 J of one board
    assert energy(text, "dmon.txt", **declared, quantity="power") == 201.0 + 203.0 + 240.0
    assert energy(text, "dmon.txt", **declared, quantity="energy") == pytest.approx(2.0)


def test_dcgm_rows_that_are_cut_are_refused(refusal, read):
    meters = read("#Entity POWER\nGPU 0 65.1\n#GPU 0 66\nGPU 0 65.1\n#GPU 1 \n", "dmon.txt", "dcgm", interval_s=1)
    assert meters.channels[0].left_out == {"lines of another kind": 3}
    text = DMON + "GPU 0     65.1   100\nGPU 0     65.1\nGPU 0     65.1   100\n"
    words = refusal(text, "dmon.txt", "dcgm", interval_s=1, quantity="power")
    assert "dmon.txt:4" in words
    assert "a row of other cells than the header" in words


def test_dcgm_scrapes_have_labels_units_and_times(read):
    line = 'DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{{gpu="{}",UUID="GPU-{}",modelName="NVIDIA H100",Hostname="n1"}} {} {}000\n'
    text = "# TYPE DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION counter\n"
    text += "".join(line.format(gpu, gpu, 1_000_000 + 50_000 * t, EPOCH + t) for t in range(3) for gpu in (0, 1))
    meters = read(text, "scrapes.txt", "dcgm")
    assert [channel.name for channel in meters.channels] == ["gpu 0", "gpu 1"]
    assert energy_of(meters) == pytest.approx(200.0)  # hand: 2 boards x 100000 mJ
    assert meters.channels[0].kind == "counter"


def prometheus(*series):
    result = [{"metric": metric, "values": [[t, str(v)] for t, v in values]} for metric, values in series]
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": result}})


def test_prometheus_knows_documented_metrics_and_says_that_scrapes_are_held(read):
    values = [(EPOCH + 15 * i, 200.0 + i) for i in range(3)]
    meters = read(prometheus(({"__name__": "DCGM_FI_DEV_POWER_USAGE", "gpu": "0"}, values)), "range.json", "prometheus")
    assert energy_of(meters) == 201.0 * 30
    assert meters.channels[0].boundary == "accelerator"
    assert "repeats the last scrape" in said(meters)


def test_prometheus_takes_units_by_convention_and_asks_for_the_kind(refusal, energy):
    text = prometheus(({"__name__": "pdu_outlet_kilowatts"}, [(EPOCH, 1.5), (EPOCH + 10, 1.5)]))
    assert "kind: what a value says" in refusal(text, "range.json", "prometheus")
    assert energy(text, "range.json", "prometheus", kind="instantaneous") == 15000.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"status": "error", "error": "query timed out"}', "an error that Prometheus answered: query timed out"),
        ('{"status": "success", "data": {"result": []}}', "an answer without any series"),
        ('{"status": "success"', "no JSON"),
        ("[" * 100_000, "too deep"),
        ('[{"metric": {}, "values": [[1]]}]', "series 1 of the answer is none"),
    ],
)
def test_prometheus_answers_that_hold_nothing_are_refused(refusal, text, said):
    assert said in refusal(text, "range.json", "prometheus")


def test_prometheus_missing_values_are_left_out(read):
    values = [(EPOCH, "200"), (EPOCH + 10, "NaN"), (EPOCH + 20, "+Inf"), (EPOCH + 30, "200")]
    meters = read(prometheus(({"__name__": "node_power_watts"}, values)), "range.json", "prometheus", kind="instantaneous")
    assert meters.channels[0].left_out == {"nan": 1, "infinite": 1}


def test_prometheus_csv_in_rows_and_in_columns(energy):
    rows = "timestamp,instance,value\n" + "".join(f"{EPOCH + t},{name},100\n" for name in "ab" for t in range(5))
    declared = {"preset": "prometheus", "unit": "W", "kind": "instantaneous"}
    assert energy(rows, "range.csv", **declared) == 800.0  # hand: 2 x 100 W x 4 s
    wide = '"Time","{gpu=""0""}","{gpu=""1""}"\n' + "".join(f"2024-06-03 10:00:0{t},100,50\n" for t in range(5))
    assert energy(wide, "grafana.csv", **declared, timezone="UTC") == 600.0


def test_rapl_as_the_interface_prints_it(read):
    path = "/sys/class/powercap/intel-rapl:0"
    text = ""
    for t in range(3):
        text += f"{EPOCH + t}.5\n{path}/name:package-0\n{path}/energy_uj:{(900 + 60 * t) % 1000 * 1000000}\n"
        text += f"{path}/max_energy_range_uj:1000000000\n{path}/intel-rapl:0:1/name:dram\n"
        text += f"{path}/intel-rapl:0:1/energy_uj:{t * 5000000}\n"
    meters = read(text, "rapl.txt", "rapl")
    assert [(channel.name, channel.scope) for channel in meters.channels] == [
        ("package-0", "package"),
        ("package-0 dram", "dram"),
    ]
    assert energy_of(meters) == pytest.approx(130.0)  # hand: 60 + 60 with a wrap at 1000 J, and 10


def test_rapl_columns_for_zones(read):
    text = "time,package-0_uj,dram-0_uj\n" + "".join(f"{EPOCH + t},{t * 7000000},{t * 2000000}\n" for t in range(3))
    meters = read(text, "rapl.csv", "rapl")
    assert [channel.scope for channel in meters.channels] == ["package", "dram"]
    assert energy_of(meters) == pytest.approx(18.0)


def test_redfish_resources_of_several_kinds(read, refusal):
    sensor = {"Id": "p", "Name": "Input", "ReadingType": "Power", "ReadingUnits": "W", "Status": {"State": "Enabled"}}
    text = "\n".join(json.dumps({"timestamp": f"2024-06-03T10:00:{10 * t}Z", **sensor, "Reading": 300 + t}) for t in (1, 2, 3))
    meters = read(text, "sensor.json", "redfish")
    assert energy_of(meters) == 302.0 * 20  # hand: mean of 301 and 303, x 20 s
    off = json.dumps({**sensor, "Status": {"State": "Absent"}, "Reading": 5})
    assert "sensor absent" in read(off, "sensor.json", "redfish").missing["meter"]
    both = '{"PowerWatts": {"Reading": 374}, "EnergykWh": {"Reading": 7855}}'
    assert "quantity: power and energy of the same machine" in refusal(both, "environment.json", "redfish")
    assert read(both, "environment.json", "redfish", quantity="energy").channels[0].values.tolist() == [7855 * 3.6e6]


def test_redfish_readings_without_times_ask_for_the_interval(refusal, energy):
    text = json.dumps([{"PowerControl": [{"Name": "System", "PowerConsumedWatts": watts}]} for watts in (300, 310, 320)])
    assert "interval_s: readings without times" in refusal(text, "power.json", "redfish")
    assert energy(text, "power.json", "redfish", interval_s=10) == 6200.0


def test_ipmitool_local_stamps_ask_for_the_zone(refusal, read):
    text = "    Instantaneous power reading:   410 Watts\n    IPMI timestamp:   Mon Jun  3 12:00:00 2024\n"
    text += "    Power reading state is:    activated\n"
    assert "timezone: stamps without an offset" in refusal(text, "dcmi.txt", "ipmitool")
    assert read(text, "dcmi.txt", "ipmitool", timezone="Europe/Berlin").origin == np.datetime64("2024-06-03T10:00:00")


def test_ipmitool_readings_that_ran_together_are_refused(refusal):
    text = (
        "Instantaneous power reading: 410 Watts\nIPMI timestamp: 06/03/24 10:00:00 UTC\nIPMI timestamp: 06/03/24 10:00:05 UTC\n"
    )
    assert "fields of two readings in one" in refusal(text + "Power reading state is: activated\n", "dcmi.txt", "ipmitool")
