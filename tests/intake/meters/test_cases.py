"""Troubles that people have with meters' logs, each with an input of our own: the right value, and the trap in words.

Expected values are arithmetic by hand, shown beside them.
"""

import numpy as np
import pytest

from joulebook.errors import InputError
from joulebook.intake.meters import read_meters
from joulebook.method.meters.measure import measure

from .conftest import energy_of, said

SPL = "Time,06-03-2024 {},Watts,{},Volts,-1,Amps,-1,PF,-1,Mark,run_testing{}\n"


def spl(hour, watts=250.0, count=9, parts=""):
    return "".join(SPL.format(f"{hour:02}:00:0{i}.000", watts, parts) for i in range(count))


def smi(rows):
    return "timestamp, index, power.draw [W]\n" + "".join(f"2024/06/03 10:00:{t:06.3f}, {gpu}, {cell}\n" for t, gpu, cell in rows)


# Meter log in local time or in UTC: the zone is declared, and a window that holds no row is an error, never 0 J.
@pytest.mark.parametrize(("hour", "zone"), [(19, "Asia/Tokyo"), (19, "+09:00"), (10, "UTC")])
def test_p01_a_log_of_any_zone_meets_the_window(read, hour, zone):
    meters = read(spl(hour), "spl.txt", "mlperf", timezone=zone)
    assert meters.origin == np.datetime64("2024-06-03T10:00:00")
    assert energy_of(meters, (1.5, 6.5)) == 1250.0  # hand: 250 W x 5 s
    assert meters.channels[0].time_base == zone


def test_p01_the_zone_is_asked_for_and_an_empty_window_is_no_energy(refusal, joulebook, tmp_path):
    assert "timezone: stamps without an offset from UTC, and no time zone declared" in refusal(spl(10), "spl.txt", "mlperf")
    window = ["--begin", "2024-06-03T01:00:01Z", "--end", "2024-06-03T01:00:06Z"]  # where a shift too much would look
    words = ["meter", tmp_path / "spl.txt", "--as", "mlperf", "--timezone", "UTC", *window]
    code, out, err = joulebook(*words, "--min-coverage", "0")
    assert (code, out) == (2, "")
    assert "no reading covers any of the window" in err


def test_p03_a_line_with_a_blank_alone_is_left_out_and_counted(read):
    meters = read(spl(10, 150.0, 6) + " \n", "spl.txt", "mlperf", timezone="UTC")
    assert energy_of(meters) == 750.0  # hand: 150 W x 5 s
    assert meters.channels[0].times_s.size == 6
    assert meters.channels[0].left_out == {"does not start with Time": 1}


@pytest.mark.parametrize("first", [20.0, -20.0])
def test_p04_the_total_is_not_added_to_its_channels(read, first):
    channels = "".join(f",Analyzer{i},Time,06-03-2024 10:00:00.000,Watts,{watts},Volts,230,Amps,1,PF,1,Mark,run_testing"
                       for i, watts in ((1, first), (2, 400.0)))  # fmt: skip
    meters = read(spl(10, 420.0, 9, channels), "spl.txt", "mlperf", timezone="UTC")
    assert energy_of(meters) == 3360.0  # hand: 420 W x 8 s; all fields together would be 840 W
    assert "its 2 channels are within it and are not added" in said(meters)
    assert ("the total is not the sum of its channels in 9 rows" in said(meters)) == (first < 0)
    assert ("channel 1 reads below 0 W: its sign is wrong" in said(meters)) == (first < 0)


def test_p06_a_board_without_a_sensor_is_missing_not_0(read, joulebook, tmp_path):
    cells = ["[Not Supported]", "[N/A]", "[Unknown Error]", "ERR!", "N/A"]
    text = smi([row for t in range(5) for row in ((t, 0, "80.00 W"), (t, 1, cells[t]))])
    meters = read(text, "smi.csv", "nvidia-smi", timezone="UTC")
    assert energy_of(meters) == 320.0  # hand: 80 W x 4 s
    assert [channel.name for channel in meters.channels] == ["gpu 0"]
    assert set(meters.missing) == {"gpu 1"}
    assert "1 x [Not Supported]" in meters.missing["gpu 1"]
    code, out, _ = joulebook("meter", tmp_path / "smi.csv", "--as", "nvidia-smi", "--timezone", "UTC")
    assert code == 0
    assert "gpu 1: missing, not 0" in out
    assert "total (partial: without gpu 1)" in out


def test_p07_interleaved_boards_are_integrated_each_and_then_added(read):
    text = smi([row for t in range(5) for row in ((t, 0, "250.00 W"), (t + 0.02, 1, "90.00 W"))])
    meters = read(text, "smi.csv", "nvidia-smi", timezone="UTC")
    each = [energy_of(read_one, None) for read_one in (only(meters, name) for name in ("gpu 0", "gpu 1"))]
    assert each == pytest.approx(
        [1000.0, 360.0], rel=1e-12
    )  # hand: 250 x 4 and 90 x 4; the first times two would be 2000, the mean of rows 680
    assert energy_of(meters) == pytest.approx(1360.0, rel=1e-12)


def test_p07_boards_that_nothing_tells_apart_are_refused(refusal):
    text = smi([row for t in range(5) for row in ((t, 0, "250.00 W"), (t + 0.02, 1, "90.00 W"))])
    text = "\n".join(",".join(cell for i, cell in enumerate(line.split(",")) if i != 1) for line in text.splitlines())
    assert "index: rows of several boards, it seems" in refusal(text, "smi.csv", "nvidia-smi", timezone="UTC")


def test_p08_a_sensor_that_looks_at_a_quarter_of_the_time_says_so(read):
    # 400 W for 25 ms and 100 W for 75 ms, for 60 s: truth is 175 W x 60 s = 10500 J; who sees the high part alone says 24000 J
    text = "timestamp, index, name, power.draw.instant [W]\n"
    board = "0, NVIDIA A100-SXM4-80GB, 400.00 W"
    text += "".join(f"2024/06/03 10:0{t // 60}:{t % 60:02}.000, {board}\n" for t in range(61))
    meters = read(text, "smi.csv", "nvidia-smi", timezone="UTC")
    assert energy_of(meters) == 24000.0  # hand: 400 W x 60 s, what it says; not corrected
    assert meters.channels[0].accuracy.seen_share == 0.25
    notes = measure(meters.channels[0], 0.0, 60.0).notes
    assert any("looks at 25 % of the time and is not corrected" in note and "prefer a wall meter" in note for note in notes)
    assert "arXiv:2312.02741" in said(meters)


def rapl(rows, columns="t_s,energy_uj,max_energy_range_uj", limit=500_000_000):
    return columns + "\n" + "".join(f"{t},{round(joules * 1e6)},{limit}\n" for t, joules in rows)


def test_p10_a_counter_that_wraps_goes_on(energy, read):
    rows = [(0, 420), (1, 480), (2, 40), (3, 100)]
    assert energy(rapl(rows), preset="rapl") == 180.0  # hand: 60 + (500 - 480 + 40) + 60; last less first is -320
    assert "wrapped 1 times, at 500 J" in said(read(rapl(rows), preset="rapl"))


def test_p10_the_range_is_asked_for(refusal, energy):
    text = "t_s,energy_uj\n" + "".join(f"{t},{joules}000000\n" for t, joules in ((0, 420), (1, 480), (2, 40), (3, 100)))
    assert "counter_range or on_fall: the register falls at 2 s" in refusal(text, preset="rapl")
    assert energy(text, preset="rapl", counter_range="500 J") == 180.0


def test_p10_a_reset_is_not_taken_for_a_wrap(refusal, energy):
    rows = [(0, 420), (1, 430), (2, 10), (3, 20)]  # a wrap would be 80 W where the others are 10 W
    assert "far above the rest: a reset" in refusal(rapl(rows), preset="rapl")
    assert energy(rapl(rows), preset="rapl", on_fall="reset") == 30.0  # hand: 10 + 10 (since 0) + 10
    assert energy(rapl(rows), preset="rapl", range_w=100.0) == 100.0  # hand: 10 + 80 + 10, declared to be possible


def test_p10_several_possible_wraps_are_an_error(read):
    meters = read(rapl([(0, 100), (1, 400), (2, 200), (10, 400)]), preset="rapl")  # 8 s without a row, at up to 300 W
    with pytest.raises(InputError, match=r"more than once|several"):
        energy_of(meters)


REGISTER = "timestamp,kwh_total\n" + "".join(
    f"2024-06-03T10:{15 * i:02}:00Z,{kwh}\n" for i, kwh in enumerate((50.0, 50.3, 0.0, 50.9))
)


def test_p11_a_register_that_briefly_shows_0_was_not_reset(read):
    meters = read(REGISTER, kind="counter")
    assert energy_of(meters) == pytest.approx(0.9 * 3.6e6, rel=1e-12)  # hand: 50.9 - 50.0; from the drop on 51.2
    assert meters.channels[0].left_out == {"register briefly at 0": 1}


def test_p11_a_fall_that_does_not_recover_is_asked_for(refusal, energy):
    falls = REGISTER.replace(",0.0\n", ",0.2\n").replace("50.9", "0.5")
    assert "it wrapped, was reset, or a row is wrong" in refusal(falls, kind="counter")
    assert energy(falls, kind="counter", on_fall="reset") == pytest.approx(0.8 * 3.6e6, rel=1e-12)  # hand: 0.3 + 0.2 + 0.3
    dips = falls.replace("0.5\n", "50.5\n").replace(",0.2", ",3.2")
    assert energy(dips, kind="counter", on_fall="bad_row") == pytest.approx(0.5 * 3.6e6, rel=1e-12)  # hand: 50.5 - 50.0


def only(meters, *names):
    return type(meters)(tuple(channel for channel in meters.channels if channel.name in names), meters.origin, {})


ZONES = "t_s,zone,name,energy_uj,max_energy_range_uj\n" + "".join(
    f"{t},intel-rapl:{zone},{name},{joules * t * 1000000},900000000000\n"
    for t in (0, 1) for zone, name, joules in (("0", "package-0", 80), ("0:0", "core", 50), ("0:1", "uncore", 9),
                                               ("0:2", "dram", 15), ("1", "psys", 110)))  # fmt: skip


def test_p13_zones_are_nested_and_never_all_added(read):
    meters = read(ZONES, preset="rapl")
    assert energy_of(only(meters, "package-0", "package-0 dram")) == 95.0  # hand: 80 + 15
    assert energy_of(only(meters, "psys")) == 110.0
    with pytest.raises(InputError) as error:
        energy_of(meters)  # 264 J would count most of it twice
    assert "package-0 holds package-0 core" in str(error.value)
    assert "psys holds package-0" in str(error.value)


@pytest.mark.parametrize(
    ("header", "cell", "declared"),
    [
        ("power_mW", "420000", {}),
        ("Power (kW)", "0.42", {}),
        ("power_tenths_of_kW", "4.2", {"unit": "0.1 kW"}),
        ("p", "420 W", {}),
    ],
)
def test_p15_the_unit_is_that_of_the_header_the_cells_or_the_declaration(energy, header, cell, declared):
    text = f"t_s,{header}\n" + "".join(f"{t},{cell}\n" for t in range(6))
    assert energy(text, kind="instantaneous", **declared) == pytest.approx(2100.0, rel=1e-12)  # hand: 420 W x 5 s


@pytest.mark.parametrize("header", ["power", "power_tenths_of_kW", "power_x10_W", "power_mw", "S (VA)"])
def test_p15_a_unit_that_is_not_stated_is_asked_for(refusal, header):
    text = f"t_s,{header}\n" + "".join(f"{t},420\n" for t in range(6))
    words = refusal(text)
    assert "log.csv: unit: the unit of" in words
    assert "kind: what a value says of the time between two rows is not declared" in words  # all at once


UNEVEN = "t_s,power_w\n0,500\n1,500\n2,200\n10,200\n"


def test_p16_uneven_samples_are_weighed_by_time(read):
    found = measure(read(UNEVEN, kind="instantaneous").channels[0], 0.0, 10.0, max_gap_s=8.0)
    assert found.energy_j == 2450.0  # hand: 500 + 350 + 1600; the mean of the rows x time is 3500
    assert found.average_power_w == 245.0


def test_p18_a_gap_is_not_bridged_and_is_listed(read, joulebook, tmp_path):
    minutes = [0, 10, 20, 30, 90, 100, 110, 120]
    text = "timestamp,power_w\n" + "".join(f"2024-06-03T{8 + m // 60:02}:{m % 60:02}:00Z,600\n" for m in minutes)
    found = measure(read(text, kind="instantaneous").channels[0], 0.0, 7200.0, max_gap_s=1200.0)
    assert found.energy_j == 600.0 * 3600  # hand: 600 W for twice half an hour; bridged it would be double
    assert found.coverage == 0.5
    words = ["meter", tmp_path / "log.csv", "--kind", "instantaneous", "--max-gap-s", "1200"]
    code, _, err = joulebook(*words)
    assert code == 2
    assert "nothing covers 2024-06-03T08:30:00Z to 2024-06-03T09:30:00Z; found 0.5" in err
    code, out, _ = joulebook(*words, "--min-coverage", "0.5")
    assert code == 0
    assert "not covered: 2024-06-03T08:30:00Z to 2024-06-03T09:30:00Z" in out


EVERY_SECOND = "t_s,power_w\n" + "".join(f"{t},300\n" for t in range(13))


def test_p19_the_window_is_cut_at_its_edges_and_half_a_window_is_an_error(energy, joulebook, tmp_path):
    assert energy(EVERY_SECOND, kind="instantaneous", window=(2.5, 9.5)) == 2100.0  # hand: 300 W x 7 s; samples inside: 1800
    code, _, err = joulebook("meter", tmp_path / "log.csv", "--kind", "instantaneous", "--end", "9.5")
    assert code == 2
    assert "--begin: half a window" in err


def test_p20_slow_sampling_is_told(read):
    text = "t_s,power_w\n" + "".join(f"{3 * t},400\n" for t in range(5))
    found = measure(read(text, kind="instantaneous").channels[0], 0.0, 12.0)
    assert (found.energy_j, found.longest_gap_s, found.sampling_interval_s) == (4800.0, 3.0, 3.0)  # hand: 400 x 12


def test_p22_rows_are_put_in_order_and_a_copy_is_dropped(read):
    order = [4, 0, 2, 1, 3, 5, 2]
    meters = read("t_s,power_w\n" + "".join(f"{t},{100 + 10 * t}\n" for t in order), kind="instantaneous")
    assert energy_of(meters) == 625.0  # hand: mean of 100 and 150, x 5 s
    assert meters.channels[0].left_out == {"identical copy": 1}
    assert "rows stood before an earlier one" in said(meters)


def test_p22_two_values_at_one_time_are_refused(refusal):
    words = refusal("t_s,power_w\n0,100\n1,100\n1,170\n2,100\n", kind="instantaneous")
    assert "two different values at one time: 1 s; found '100 and 170'" in words


DCMI = """
    Instantaneous power reading:                   {now} Watts
    Minimum during sampling period:                {low} Watts
    Maximum during sampling period:                {high} Watts
    Average power reading over sample period:      {now} Watts
    IPMI timestamp:                           {time}{joint}Sampling period:                          00000005 Seconds.
    Power reading state is:                   {state}

"""


def test_p23_a_bmc_without_a_sensor_is_missing_not_0(read):
    off = DCMI.format(now=0, low=0, high=0, time="Thu Jan  1 00:00:00 1970", joint="\n    ", state="deactivated")
    assert read(off, "dcmi.txt", "ipmitool").missing == {"meter": "no reading: 1 x power reading deactivated"}
    zero = off.replace("deactivated", "activated").replace("Thu Jan  1 00:00:00 1970", "06/03/24 10:00:00 UTC")
    assert "all figures 0" in read(zero, "dcmi.txt", "ipmitool").missing["meter"]
    on = DCMI.format(now=410, low=400, high=420, time="06/03/24 10:00:00 UTC", joint="    ", state="activated")
    meters = read(on + on.replace("10:00:00", "10:00:05"), "dcmi.txt", "ipmitool")
    assert meters.origin == np.datetime64("2024-06-03T10:00:00")
    assert energy_of(meters) == 2050.0  # hand: 410 W x 5 s


def test_p23_redfish_with_all_figures_0_is_missing_and_status_is_not_required(read):
    off = '{"PowerControl": [{"PowerCapacityWatts": 0, "PowerConsumedWatts": 0, "PowerMetrics": {"AverageConsumedWatts": 0}}]}'
    assert "all figures 0" in read(off, "power.json", "redfish").missing["meter"]
    for status in ("", ', "Status": null', ', "Status": {"State": "Enabled"}'):
        on = f'{{"PowerControl": [{{"Name": "System", "PowerConsumedWatts": 388{status}}}]}}'
        channel = read(on, "power.json", "redfish").channels[0]
        assert channel.values.tolist() == [388.0]
        assert "one reading, of which no energy follows" in channel.notes[0]


def test_p24_the_offset_of_clocks_is_taken_off_and_told(read, refusal):
    text = "start_s,end_s,mean_w\n0,6.5,120\n6.5,16.5,480\n16.5,24,120\n"  # the meter is 1.5 s ahead; the load ran 5 to 15 s
    meters = read(text, kind="interval_mean", clock_offset_s=1.5)
    assert energy_of(meters, (5.0, 15.0)) == 4800.0  # hand: 480 W x 10 s
    assert "1.5 s ahead of that of the load generator" in said(meters)
    assert energy_of(read(text, kind="interval_mean"), (5.0, 15.0)) == 4260.0  # hand: 1.5 x 120 + 8.5 x 480
    assert "clock_offset_s: the clocks differ by more than is accepted" in refusal(
        text, kind="interval_mean", clock_offset_s=1.5, max_clock_offset_s=0.5)  # fmt: skip


def local(stamps, watts="800"):
    return "local_time,power_w\n" + "".join(f"{stamp},{watts}\n" for stamp in stamps)


TWICE = {
    "in order": ["01:30", "02:00", "02:30", "02:00", "02:30", "03:00"],
    "as twins": ["01:30", "02:00", "02:00", "02:30", "02:30", "03:00"],
}


@pytest.mark.parametrize("kind", TWICE)
def test_p27_both_passes_of_a_repeated_hour_are_kept(read, kind):
    meters = read(local(f"2024-10-27 {time}" for time in TWICE[kind]), timezone="Europe/Berlin", kind="instantaneous")
    assert meters.origin == np.datetime64("2024-10-26T23:30:00")
    assert energy_of(meters) == 800.0 * 2.5 * 3600  # hand: 23:30Z to 02:00Z; without the twins 1.5 h
    assert meters.channels[0].left_out == {}


def test_p27_a_pass_that_is_missing_is_asked_for(refusal, energy):
    text = local(f"2024-10-27 {time}" for time in ("01:30", "02:00", "02:30", "03:00"))
    words = refusal(text, timezone="Europe/Berlin", kind="instantaneous")
    assert "repeated_hour: the clock of Europe/Berlin shows this hour twice" in words
    # hand: 23:30Z, 00:00Z, 00:30Z, then a gap of 1.5 h to 02:00Z; or 1 h after 23:30Z, then 01:00Z, 01:30Z, 02:00Z
    first = energy(text, timezone="Europe/Berlin", kind="instantaneous", repeated_hour="first", max_gap_s=1800.0)
    second = energy(text, timezone="Europe/Berlin", kind="instantaneous", repeated_hour="second", max_gap_s=1800.0)
    assert (first, second) == (800.0 * 3600, 800.0 * 3600)


def test_p27_an_offset_column_tells_the_passes(energy):
    rows = [("02:00", "+02:00"), ("02:30", "+02:00"), ("02:00", "+01:00"), ("02:30", "+01:00")]
    text = "local_time,offset,power_w\n" + "".join(f"2024-10-27 {time},{offset},800\n" for time, offset in rows)
    assert energy(text, kind="instantaneous", offset_column="offset", value_column="power_w") == 800.0 * 1.5 * 3600


def test_p28_an_hour_that_does_not_exist_is_no_gap(energy):
    text = local(f"2024-03-31 {time}" for time in ("01:00", "01:30", "03:00", "03:30"))
    assert energy(text, timezone="Europe/Berlin", kind="instantaneous") == 800.0 * 1.5 * 3600  # hand: to 01:30Z


def test_p28_a_stamp_in_it_is_an_error(refusal):
    text = local(f"2024-03-31 {time}" for time in ("01:30", "02:15", "03:30"))
    words = refusal(text, timezone="Europe/Berlin", kind="instantaneous")
    assert "log.csv:3: local_time" in words
    assert "the clock is not local time" in words


def test_p30_a_module_holds_its_processor(tmp_path):
    (tmp_path / "module.csv").write_text("t_s,energy_j\n0,0\n10,600\n")
    (tmp_path / "cpu.csv").write_text("t_s,energy_j\n0,0\n10,150\n")
    declared = [{"name": name, "file": f"{name}.csv", "kind": "counter", "scope": name} for name in ("module", "cpu")]
    meters = read_meters(declared, tmp_path)
    assert energy_of(only(meters, "module")) == 600.0
    with pytest.raises(InputError, match="module holds cpu"):
        energy_of(meters)
    smi_text = "timestamp, index, name, power.draw [W]\n2024/06/03 10:00:00.000, 0, NVIDIA GH200 480GB, 500.00 W\n"
    (tmp_path / "smi.csv").write_text(smi_text + smi_text.splitlines()[1].replace("10:00:00", "10:00:01") + "\n")
    board = read_meters([{"name": "smi", "file": "smi.csv", "as": "nvidia-smi", "timezone": "UTC"}], tmp_path)
    assert board.channels[0].scope == "module"


@pytest.mark.parametrize("cells", [("1.480,50", "1.480,50"), ("1.480,50", "1.480"), ("1 480,5", "1480,5")])
def test_d01_a_decimal_comma_with_points_for_thousands(energy, cells):
    text = "Zeit;Leistung (W)\n" + "".join(f"03.06.2024 10:00:{20 * i:02};{cell}\n" for i, cell in enumerate(cells))
    last = 1480.0 if cells[1] == "1.480" else 1480.5
    assert energy(text, timezone="Europe/Berlin", kind="instantaneous") == (1480.5 + last) / 2 * 20  # hand


def test_d01_a_mark_that_may_be_either_is_asked_for(refusal, energy):
    text = "Zeit;Leistung (W)\n03.06.2024 10:00:00;1.480\n03.06.2024 10:00:20;1.480\n"
    assert "decimal: decimal mark or thousands mark; found '1.480'" in refusal(text, timezone="UTC", kind="instantaneous")
    assert energy(text, timezone="UTC", kind="instantaneous", decimal=",") == 29600.0
    assert energy(text, timezone="UTC", kind="instantaneous", decimal=".") == pytest.approx(29.6)


PLAIN = "timestamp{0}power_w\r\n2024-06-03T10:00:00Z{0}120\r\n2024-06-03T10:00:20Z{0}120\r\n"


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbf" + PLAIN.format(",").encode(), PLAIN.format("\t").encode("utf-16"), PLAIN.format("\t").encode("utf-16-le"),
     PLAIN.format(";").encode("utf-16-be"), PLAIN.format("|").replace("\r\n", "\r").encode()],
)  # fmt: skip
def test_d02_marks_and_wide_encodings(energy, data):
    assert energy(data, kind="instantaneous") == 2400.0  # hand: 120 W x 20 s


def test_d04_rows_of_commas_are_left_out_and_counted(read):
    meters = read("t_s,count,power_w\n0,1,150\n20,2,150\n40,3,150\n,,\n,,\n", kind="instantaneous")
    assert energy_of(meters) == 6000.0  # hand: 150 W x 40 s
    assert (meters.channels[0].times_s.size, meters.channels[0].left_out) == (3, {"blank": 2})


def test_d07_thousands_commas_in_quotes(energy):
    assert energy('t_s,power_w\n0,"1,480.5"\n20,"1,480.5"\n', kind="instantaneous") == 29610.0  # hand: 1480.5 W x 20 s


TRACKERS = "run,host,start,end,energy_kwh\n"


def test_c12_trackers_of_one_machine_are_one_reading(tmp_path, read):
    text = TRACKERS + "".join(f"p{i},node7,2024-06-03T10:00:00Z,2024-06-03T11:00:00Z,0.5\n" for i in range(3))
    declared = {"kind": "interval_energy", "channel_column": "run", "host_column": "host", "scope": "machine"}
    meters = read(text, **declared)
    total = measure(list(meters.channels), meters.channels[0].times_s[0] - 3600, meters.channels[0].times_s[0])
    assert total.energy_j == 0.5 * 3.6e6  # hand: 0.5 kWh; the sum of the three is 1.5
    assert "p1 read the same of the same machine (node7): it is one reading, and not added" in said(meters)
    others = read(text.replace("p2,node7", "p2,node8"), **declared)
    total = measure(list(others.channels), others.channels[0].times_s[0] - 3600, others.channels[0].times_s[0])
    assert total.energy_j == 2 * 0.5 * 3.6e6  # two machines


def test_c12_trackers_that_differ_are_refused(read):
    text = TRACKERS + "".join(f"p{i},node7,2024-06-03T10:00:00Z,2024-06-03T11:00:00Z,0.{5 + i}\n" for i in range(2))
    meters = read(text, kind="interval_energy", channel_column="run", host_column="host", scope="machine")
    with pytest.raises(InputError, match="p0 holds p1"):
        energy_of(meters, (0.0, 3600.0))
