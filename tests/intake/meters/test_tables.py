"""Any table: stamps, numbers, columns, files of other kinds, several files and channels of one meter."""

import gzip

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from joulebook.errors import InputError
from joulebook.intake.meters import Declaration, check_declarations, read_meters
from joulebook.intake.meters.cells import Numbers
from joulebook.intake.meters.stamps import FORMS, form_of, parsed

from .conftest import energy_of

HOUR_LATER = np.datetime64("2024-06-03T10:00:00")


@pytest.mark.parametrize(
    "stamps",
    [
        ("2024-06-03T10:00:00Z", "2024-06-03T10:00:20Z"),
        ("2024-06-03T12:00:00+02:00", "2024-06-03T10:00:20+00:00"),
        ("2024-06-03 12:00:00 +0200", "2024-06-03 12:00:20 +0200"),
        ("2024-06-03 10:00:00.000 UTC", "2024-06-03 10:00:20.000 UTC"),
        ("2024/06/03 12:00:00", "2024/06/03 12:00:20"),
        ("03.06.2024 12:00:00", "03.06.2024 12:00:20"),
        ("03.06.24, 12:00", "03.06.24, 12:01"),
        ("20/06/2024 10:00:00Z", "20/06/2024 10:00:20Z"),
        ("06/20/2024 10:00:00 AM +00:00", "06/20/2024 10:00:20 AM +00:00"),
        ("Mon Jun  3 12:00:00 2024", "Mon Jun  3 12:00:20 2024"),
        ("03-Jun-2024 12:00:00", "03-Jun-2024 12:00:20"),
        ("20240603T100000Z", "20240603T100020Z"),
        ("1717408800", "1717408820"),
        ("1717408800.5", "1717408820.5"),
        ("1717408800000", "1717408820000"),
        ("1717408800000000000", "1717408820000000000"),
    ],
)
def test_stamps_of_every_usual_form(read, stamps):
    meters = read("time;power_w\n" + "".join(f"{stamp};5\n" for stamp in stamps), kind="instantaneous", timezone="Europe/Berlin")
    day = np.timedelta64(17, "D") if stamps[0][:2] in ("20", "06") and "/20" in stamps[0] else np.timedelta64(0)
    assert meters.origin == HOUR_LATER + day
    assert np.diff(meters.channels[0].times_s).tolist() == [60.0 if "24, 12" in stamps[0] else 20.0]


@given(st.datetimes(min_value=pd.Timestamp("1970-01-02").to_pydatetime(), max_value=pd.Timestamp("2199-12-30").to_pydatetime()))
@settings(max_examples=60, deadline=None)
def test_a_stamp_is_the_same_in_every_form(when):
    due = when.replace(microsecond=0)
    forms = {"ymd": "%Y-%m-%dT%H:%M:%S", "dots": "%d.%m.%Y %H:%M:%S", "two": "%m/%d/%Y %I:%M:%S %p", "compact": "%Y%m%dT%H%M%S",
             "named": "%d-%b-%Y %H:%M:%S", "ctime": "%a %b %d %H:%M:%S %Y"}  # fmt: skip
    assert set(forms) == set(FORMS)
    for form, pattern in forms.items():
        ns, offset, good, _ = parsed(pa.array([due.strftime(pattern)]), form, "mdy")
        assert good.all()
        assert np.isnan(offset).all()
        assert ns[0] == np.datetime64(due, "ns").astype(np.int64)


@pytest.mark.parametrize(
    "text",
    [
        "2024-02-30 10:00:00",
        "2024-13-01 10:00:00",
        "2024-06-03 24:00:00",
        "2024-06-03 10:60:00",
        "2024-06-03 10:00:01-20",
        "31.04.2024 10:00",
    ],
)
def test_stamps_that_are_no_time_of_the_calendar_are_named(refusal, text):
    first = "03.06.2024 10:00" if "." in text else "2024-06-03 10:00:00"
    words = refusal(f"time,power_w\n{first},5\n{text},5\n", kind="instantaneous", timezone="UTC")
    assert f"log.csv:3: time: a time without a time zone's offset, or of another form than the first; found '{text}'" in words
    assert form_of(text) is not None


@pytest.mark.parametrize(
    ("header", "cell", "key"),
    [("time", "03/06/2024 10:00", "date_order"), ("time", "17", "time_unit"), ("time", "45446.5", "time_unit"),
     ("t_s", "1717408800000", "time_unit")],
)  # fmt: skip
def test_stamps_that_may_mean_several_things_are_asked_for(refusal, header, cell, key):
    assert f"log.csv: {key}:" in refusal(f"{header},power_w\n{cell},5\n", kind="instantaneous", timezone="UTC")


def test_serial_days_of_a_spreadsheet(read):
    declared = {"kind": "instantaneous", "timezone": "UTC", "time_unit": "excel_days"}
    meters = read("time,power_w\n45446.5,100\n45446.75,100\n", **declared)  # hand: 2024-06-03 is day 45446 after 1899-12-30
    assert meters.origin == np.datetime64("2024-06-03T12:00:00")
    assert energy_of(meters) == 100.0 * 6 * 3600


def test_stamps_of_two_kinds_are_refused(refusal):
    text = "time,power_w\n2024-06-03T10:00:00Z,5\n2024-06-03T10:00:01,5\n"
    assert "log.csv:3: time: a time without a time zone's offset" in refusal(text, kind="instantaneous")
    assert "log.csv:3: t_s" in refusal("t_s,power_w\n0,5\n1717408800,5\n", kind="instantaneous")


def test_wrong_rows_are_named_and_the_rest_is_counted(refusal):
    text = "t_s,power_w\n" + "".join(f"{t},{'x' if t % 2 else 5}\n" for t in range(100))
    words = refusal(text, kind="instantaneous")
    assert "log.csv:3: power_w: no number; found 'x'" in words
    assert words.count("no number") == 20
    assert "and 30 more such rows" in words


def test_ragged_rows_are_named_but_a_cut_end_and_empty_cells_at_the_end_are_not(refusal, read):
    text = "t_s,a,power_w\n0,1,5\n1,1,5,7\n2,5\n3,1,5\n"
    words = refusal(text, kind="instantaneous", value_column="power_w")
    assert "log.csv:3: 4 cells where 3 are due" in words
    assert "log.csv:4: 2 cells where 3 are due" in words
    meters = read("t_s,a,power_w\n0,1,5,\n1,1,5,,\n2,1", kind="instantaneous", value_column="power_w")
    assert meters.channels[0].times_s.tolist() == [0.0, 1.0]
    assert meters.channels[0].left_out == {"cut short at the end of the file": 1}


def test_what_stands_above_the_header_is_counted(read):
    text = "Logger 3000\nSerial: 17\n\ntime,power_w,state\n0,5,ok\n1,5,ok\n"
    meters = read(text, kind="instantaneous", time_unit="s", value_column="power_w")
    assert meters.channels[0].left_out == {"before the header": 2}


@pytest.mark.parametrize("cell", ["[N/A]", "nan", "-1", "-2", "9.91e37", "", "ERR!", "#DIV/0!", "null", "--", "-1.0", "inf"])
def test_readings_that_failed_are_left_out_and_counted_never_0(read, cell):
    meters = read(f"t_s,state,power_w\n0,a,100\n1,a,{cell}\n2,a,100\n", kind="instantaneous", value_column="power_w")
    channel = meters.channels[0]
    assert channel.times_s.tolist() == [0.0, 2.0]
    assert list(channel.left_out.values()) == [1]
    assert channel.rows == 3


def test_further_sentinels_are_declared(read):
    text = "t_s,power_w\n0,100\n1,65535\n2,sleep\n3,100\n"
    meters = read(text, kind="instantaneous", sentinels=[65535, "sleep"])
    assert meters.channels[0].left_out == {"65535": 1, "sleep": 1}


def test_numbers_that_no_meter_reads_are_refused_or_counted(refusal, read):
    assert "too large a number" in refusal("t_s,power_w\n0,100\n1,1e15\n", kind="instantaneous")
    beyond = read("t_s,power_w\n0,100\n1," + "9" * 400 + "\n", kind="instantaneous")
    assert beyond.channels[0].left_out == {"infinite": 1}


def test_a_file_of_several_channels_needs_their_column(refusal, energy):
    text = "t_s,outlet,power_w\n" + "".join(f"{t + 0.1 * n},{n},{100 * n}\n" for t in range(5) for n in (1, 2))
    assert "channel_column: rows of several channels, it seems: outlet differs" in refusal(text, kind="instantaneous")
    assert energy(text, kind="instantaneous", channel_column="outlet") == pytest.approx(1200.0)  # hand: (100 + 200) x 4
    assert energy(text, kind="instantaneous", channel_column="outlet", channels=["2"]) == pytest.approx(800.0)
    assert "no such channel; found '3'" in refusal(text, kind="instantaneous", channel_column="outlet", channels=["3"])


def test_columns_of_channels_and_their_total(read):
    text = "t_s,L1 (W),L2 (W),Total (W)\n" + "".join(f"{t},100,50,150\n" for t in range(5))
    meters = read(text, kind="instantaneous", value_column=["L1 (W)", "L2 (W)", "Total (W)"])
    with pytest.raises(InputError, match=r"Total \(W\) holds L1 \(W\)"):
        energy_of(meters)
    kept = read(text, kind="instantaneous", value_column=["L1 (W)", "L2 (W)"])
    assert energy_of(kept) == 600.0


def test_several_files_of_one_meter_in_any_order(tmp_path):
    for name, first in (("b.csv", 5), ("a.csv", 0), ("c.csv.gz", 10)):
        text = "t_s,power_w\n" + "".join(f"{first + t},100\n" for t in range(5))
        (tmp_path / name).write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    meters = read_meters([{"name": "m", "files": ["b.csv", "a.csv", "c.csv.gz"], "kind": "instantaneous"}], tmp_path)
    assert energy_of(meters) == 1400.0
    assert meters.channels[0].rows == 15


def test_parquet_and_excel_are_as_csv(tmp_path, energy):
    times = pd.date_range("2024-06-03 12:00", periods=5, freq="10s")
    table = pd.DataFrame({"time": times, "power_w": [100.0, 110.0, None, 130.0, 140.0]})
    pq.write_table(pa.Table.from_pandas(table), tmp_path / "log.parquet")
    pq.write_table(pa.Table.from_pandas(table.assign(time=times.tz_localize("Europe/Berlin"))), tmp_path / "zone.parquet")
    book = openpyxl.Workbook()
    book.active.append(["Logger 3000"])
    book.active.append(["time", "power_w"])
    for row in table.itertuples(index=False):
        book.active.append([row.time.to_pydatetime(), None if pd.isna(row.power_w) else row.power_w])
    book.save(tmp_path / "log.xlsx")
    for name, declared in (
        ("log.parquet", {"timezone": "Europe/Berlin"}),
        ("zone.parquet", {}),
        ("log.xlsx", {"timezone": "Europe/Berlin"}),
    ):
        meters = read_meters([{"name": "m", "file": name, "kind": "instantaneous", **declared}], tmp_path)
        assert meters.origin == HOUR_LATER
        assert energy_of(meters) == 4800.0  # hand: mean of 100 and 140 x 40 s, a straight line over the reading that failed
        assert "nan" in meters.channels[0].left_out


@pytest.mark.parametrize("name", ["log.parquet", "log.xlsx", "log.xls", "log.csv.gz"])
def test_files_that_are_not_what_they_say_are_refused(refusal, name):
    assert name in refusal("no such thing", name, kind="instantaneous")


def test_a_workbook_of_several_sheets_asks_which(tmp_path):
    book = openpyxl.Workbook()
    book.create_sheet("other")
    book.active.append(["t_s", "power_w"])
    book.save(tmp_path / "log.xlsx")
    with pytest.raises(InputError, match=r"sheet: several sheets; allowed: Sheet or other"):
        read_meters([{"name": "m", "file": "log.xlsx", "kind": "instantaneous"}], tmp_path)


def test_declarations_are_checked_and_all_faults_named():
    wrong = {"unit": "kVA", "timezone": "Europe/Berlyn", "interval_s": -1, "knd": "counter"}
    with pytest.raises(InputError) as error:
        check_declarations([{"name": "a", "file": "x.csv", **wrong}])
    words = str(error.value)
    due = ["meters[0].unit: apparent or reactive power", "meters[0].interval_s: out of limits"]
    for text in (*due, "did you mean Europe/Berlin?", "did you mean kind?"):
        assert text in words
    with pytest.raises(InputError, match=r"meters\[1\].file: missing"):
        check_declarations([{"name": "a", "file": "x.csv"}, {"name": "b"}])


def test_a_declaration_serves_as_it_is(tmp_path):
    (tmp_path / "log.csv").write_text("t_s,power_w\n0,100\n1,100\n")
    meters = read_meters([Declaration(name="m", file="log.csv", kind="instantaneous", boundary="rack")], tmp_path)
    assert meters.channels[0].boundary == "rack"


def test_a_large_file_is_read_in_blocks_and_its_progress_told(tmp_path, monkeypatch):
    monkeypatch.setattr("joulebook.intake.meters.lines.BLOCK", 1000)
    rows = [f"{t},{100 + t % 7},{'ä' * (t % 3)}\n" for t in range(2000)]
    (tmp_path / "log.csv").write_text("t_s,power_w,note\n" + "".join(rows) + "\n")
    told = []
    meters = read_meters(
        [{"name": "m", "file": "log.csv", "kind": "instantaneous"}], tmp_path, progress=lambda *step: told.append(step)
    )
    assert meters.channels[0].values.tolist() == [100.0 + t % 7 for t in range(2000)]
    assert meters.channels[0].left_out == {"blank": 1}
    assert [share for _, share in told] == sorted(share for _, share in told)
    assert told[-1] == ("log.csv", 1.0)
    rows[1500] = "1500,x,\n"
    (tmp_path / "log.csv").write_text("t_s,power_w,note\n" + "".join(rows))
    with pytest.raises(InputError, match=r"log.csv:1502: power_w: no number; found 'x'"):
        read_meters([{"name": "m", "file": "log.csv", "kind": "instantaneous"}], tmp_path)


def test_a_mark_that_later_rows_settle_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.setattr("joulebook.intake.meters.lines.BLOCK", 1000)
    rows = [f"{t};1.480" for t in range(500)] + ["500;1.480,5"]  # its first blocks were read before the last told
    (tmp_path / "log.csv").write_text("t_s;power_w\n" + "\n".join(rows) + "\n")
    declared = {"name": "m", "file": "log.csv", "kind": "instantaneous"}
    with pytest.raises(InputError, match="decimal: decimal mark or thousands mark"):
        read_meters([declared], tmp_path)
    assert read_meters([{**declared, "decimal": ","}], tmp_path).channels[0].values[[0, -1]].tolist() == [1480.0, 1480.5]


def test_intervals_of_local_time_by_their_begins(read, refusal):
    begins = ["01:30", "02:00", "02:30", "02:00", "02:30", "03:00"]
    text = "begin,energy_wh\n" + "".join(f"2024-10-27 {time},100\n" for time in begins)
    declared = {"kind": "interval_energy", "timezone": "Europe/Berlin"}
    meters = read(text, **declared, begin_column="begin", interval_s=1800)
    channel = meters.channels[0]
    assert np.diff(channel.times_s).tolist() == [1800.0] * 5
    assert channel.values.tolist() == [200.0] * 6  # hand: 100 Wh in half an hour
    both = "begin,end,energy_wh\n2024-10-27 02:30,2024-10-27 03:00,100\n"
    words = refusal(both, **declared, begin_column="begin", time_column="end")
    assert "an interval that begins in an hour that the clock of Europe/Berlin shows twice" in words


def test_intervals_that_overlap_are_refused(refusal):
    text = "start,end,energy_wh\n2024-06-03T10:00Z,2024-06-03T11:00Z,5\n2024-06-03T10:30Z,2024-06-03T11:30Z,5\n"
    assert "intervals that overlap" in refusal(text, kind="interval_energy")


def test_a_declared_comma_holds_for_every_block(tmp_path, monkeypatch):
    monkeypatch.setattr("joulebook.intake.meters.lines.BLOCK", 1000)
    (tmp_path / "log.csv").write_text("t_s,power_w\n" + "".join(f"{t},1.480\n" for t in range(500)))
    declared = {"name": "m", "file": "log.csv", "kind": "instantaneous"}
    assert set(read_meters([{**declared, "decimal": ","}], tmp_path).channels[0].values) == {1480.0}
    assert set(read_meters([declared], tmp_path).channels[0].values) == {1.48}  # commas between cells: a decimal point


@pytest.mark.parametrize(
    ("cell", "due"), [("1 299.5", 1299.5), ("12'345", 12345.0), ("1790004 500", None), ("12 34", None), ("1 2345", None)]
)
def test_a_mark_between_digits_stands_between_thousands(cell, due):
    values, _, wrong = Numbers(".", True).read(pa.array([cell, "x"]))
    assert bool(wrong[0]) == (due is None)
    assert due is None or values[0] == due
