"""The CSV files of file parameters: what becomes of right ones, and what is said of wrong ones."""

from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from joulebook.errors import InputError
from joulebook.inputs import Input
from joulebook.intake.tables import check_tables, read_table
from joulebook.workbook import ROOT

CURVE = "utilization,power_w\n0,400\n0.5,790\n1,1000\n"
HOURS = "hour,utilization\n" + "".join(f"{hour},0.5\n" for hour in range(24))
STAMPS = "timestamp,utilization\n2026-03-31T00:00:00Z,0.1\n2026-03-31T02:15+02:00,0.2\n2026-03-31 00:30Z,0.3\n"
WEEK = "days,begin,end,price_per_kwh\nmon-fri,22:00,06:00,-0.01\nmon-fri,06:00,22:00,0.3\nsat,06:00,24:00,0.2\n" \
       "sun,00:00,24:00,0.1\nmon,00:00,06:00,0.1\n"
PRICES = "timestamp,price_per_kwh\n2026-01-01T00:00,0.1\n2026-01-01T01:00,-0.2\n"
REQUESTS = "start,end,ok,input_tokens,output_tokens\n2026-10-06T09:00:42Z,2026-10-06T09:00:47.4Z,true,1277,223\n" \
           "2026-10-06T09:01:43Z,2026-10-06T09:01:43Z,FALSE,271,0\n"
WINDOWS = "input_tokens,output_tokens,requests,energy_j\n100000,25000,100,15000\n4e5,25000,400,30000\n100000,100000,100,45000\n"
FILES = {"load_curve_csv": CURVE, "load_profile_csv": STAMPS, "tariff_csv": WEEK, "requests_csv": REQUESTS,
         "energy_windows_csv": WINDOWS}


@pytest.fixture
def read(tmp_path):
    def read(name, content):
        path = tmp_path / "meter log.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_table(name, path)
    return read


@pytest.fixture
def refusal(read):
    def refusal(name, content):
        with pytest.raises(InputError) as error:
            read(name, content)
        assert all(problem.file == "meter log.csv" for problem in error.value.problems)
        return str(error.value)
    return refusal


# ---- right files


def test_load_curve(read):
    table = read("load_curve_csv", CURVE)
    assert table.to_dict("list") == {"utilization": [0, 0.5, 1], "power_w": [400, 790, 1000]}
    assert set(table.dtypes) == {np.dtype("float64")}


def test_load_profile_by_hour(read):
    table = read("load_profile_csv", HOURS)
    assert table["hour"].tolist() == list(range(24))
    assert table["utilization"].tolist() == [0.5] * 24


def test_load_profile_by_stamps_is_in_utc(read):
    table = read("load_profile_csv", STAMPS)
    assert str(table["timestamp"].dtype) == "datetime64[ns, UTC]"
    assert table["timestamp"].dt.strftime("%H:%M").tolist() == ["00:00", "00:15", "00:30"]  # hand: 02:15 at +02:00 is 00:15Z


def test_tariff_periods_are_cut_at_midnight_and_cover_the_week(read):
    table = read("tariff_csv", WEEK)
    assert (table["end_min"] > table["begin_min"]).all()
    assert (table["end_min"] - table["begin_min"]).sum() == 7 * 1440  # analytic: every minute once
    friday = table[table["day"] == 4].drop(columns="day")
    assert friday.to_numpy().tolist() == [[0, 360, -0.01], [360, 1320, 0.3], [1320, 1440, -0.01]]
    assert table[table["day"] == 5]["begin_min"].tolist() == [0, 360]  # hand: Friday's night ends on Saturday at 06:00


def test_tariff_until_midnight_may_be_written_either_way(read):
    first = read("tariff_csv", "days,begin,end,price_per_kwh\nall,00:00,22:00,1\nall,22:00,24:00,2\n")
    second = read("tariff_csv", "days,begin,end,price_per_kwh\nall,00:00,22:00,1\nall,22:00,00:00,2\n")
    pd.testing.assert_frame_equal(first, second)


def test_tariff_stamps_without_offset_stay_as_written(read):
    assert str(read("tariff_csv", PRICES)["timestamp"].dtype) == "datetime64[ns]"
    assert str(read("tariff_csv", PRICES.replace("00,", "00Z,"))["timestamp"].dtype) == "datetime64[ns, UTC]"


def test_tariff_stamps_on_a_clock_with_daylight_saving(read):
    # C08 of the cases: the hour that repeats, and the one that does not exist, are no wrong steps
    autumn = [f"2024-10-27T{hour:02d}:00" for hour in (0, 1, 2, 2, 3, 4)]
    spring = [f"2024-03-31T{hour:02d}:00" for hour in (0, 1, 3, 4, 5)]
    for stamps in (autumn, spring):
        assert len(read("tariff_csv", "timestamp,price_per_kwh\n" + "".join(f"{stamp},1\n" for stamp in stamps))) == len(stamps)


def test_requests(read):
    table = read("requests_csv", REQUESTS)
    assert table["ok"].tolist() == [True, False]
    assert (table["end"] - table["start"]).dt.total_seconds().tolist() == [5.4, 0.0]
    assert table["output_tokens"].tolist() == [223.0, 0.0]  # C11: no output tokens is a fact, not an error


def test_requests_in_plain_seconds(read):
    table = read("requests_csv", "start,end,ok,input_tokens,output_tokens\n0,1.5,true,1,2\n1,3,false,3,4\n")
    assert table["end"].tolist() == [1.5, 3.0]


def test_requests_with_the_times_of_their_tokens(read):
    table = read("requests_csv", "start,end,ok,input_tokens,output_tokens,ttft_s,tpot_s\n0,1.5,true,1,2,0.5,1\n1,3,false,3,0,,\n")
    assert table["ttft_s"].tolist()[:1] == [0.5]
    assert table[["ttft_s", "tpot_s"]].isna().to_numpy().tolist() == [[False, False], [True, True]]


def test_energy_windows_with_and_without_requests(read):
    assert list(read("energy_windows_csv", WINDOWS)) == ["input_tokens", "output_tokens", "requests", "energy_j"]
    bare = "input_tokens,output_tokens,energy_j\n" + "1,2,3\n" * 3
    assert list(read("energy_windows_csv", bare)) == ["input_tokens", "output_tokens", "energy_j"]


@pytest.mark.parametrize("name", ["load_profile", "tariff", "requests", "energy_windows"])
def test_the_examples_of_the_dictionary_are_read(name):
    assert len(read_table(f"{name}_csv", ROOT / "data" / "examples" / f"{name}.csv"))


def quoted(text):
    return "\n".join(",".join(f'"{cell}"' for cell in row.split(",")) for row in text.splitlines())


@pytest.mark.parametrize("change", [
    lambda text: "\ufeff" + text, lambda text: text.replace("\n", "\r\n"), lambda text: text + "\n\n  \n",
    lambda text: text.rstrip("\n"), lambda text: text.replace(",", ", "), quoted])
@pytest.mark.parametrize("name", FILES)
def test_what_changes_no_value_is_accepted(read, name, change):
    # D02 of the cases: a mark before the first name; CRLF; empty lines at the end; quotes
    pd.testing.assert_frame_equal(read(name, change(FILES[name])), read(name, FILES[name]))


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.floats(min_value=0, max_value=1e300), min_size=2, max_size=5))
def test_numbers_come_back_to_the_last_bit(read, powers):
    rows = "".join(f"{n / (len(powers) - 1)!r},{power!r}\n" for n, power in enumerate(powers))
    assert read("load_curve_csv", "utilization,power_w\n" + rows)["power_w"].tolist() == powers


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(FILES)), st.text(max_size=60))
def test_any_text_is_read_or_refused(read, name, text):
    for content in (text, FILES[name].split("\n")[0] + "\n" + text, FILES[name].replace("0", text)):
        with suppress(InputError):
            read(name, content.encode("utf-8", "replace"))


# ---- wrong files: the parameter, its content, what must be said


@pytest.mark.parametrize(("name", "content", "words"), [
    ("load_curve_csv", "", ["nothing in it"]), ("load_curve_csv", "\n\n", ["nothing in it"]),
    ("load_curve_csv", CURVE.replace(",", ";"), ["log.csv:1: cells parted by semicolons", "commas between cells"]),
    ("load_curve_csv", CURVE.replace(",", "\t"), ["cells parted by tabs"]),
    # D01 of the cases: semicolons and decimal commas; D07: thousands marks in quotes
    ("load_curve_csv", "utilization;power_w\n0;1.299,50\n", ["cells parted by semicolons"]),
    ("load_curve_csv", 'utilization,power_w\n0,"1,250.5"\n1,2\n', ["log.csv:2: power_w: not a number: no commas", "'1,250.5'"]),
    ("load_curve_csv", "utilization,power_w\n0,1,5\n1,2\n", ["log.csv:2: 3 cells where 2 are due", "decimal point"]),
    ("load_curve_csv", CURVE.encode("utf-16"), ["UTF-16", "UTF-8"]),
    ("load_curve_csv", CURVE.replace("power_w", "Größe").encode("latin-1"), ["log.csv:1: not UTF-8"]),
    ("load_curve_csv", 'utilization,power_w\n0,"1\n', ["no CSV"]),
    # columns
    ("load_curve_csv", CURVE.replace("power_w", "power_kw"), ["log.csv:1: power_kw: unknown column", "did you mean power_w?"]),
    ("load_curve_csv", "utilization\n0\n1\n", ["power_w: missing column"]),
    ("load_curve_csv", "utilization,power_w,power_w\n0,1,1\n1,2,2\n", ["power_w: a column that is there twice"]),
    ("load_curve_csv", "utilization,power_w,\n0,1,\n1,2,\n", ["column 3: unknown column"]),
    ("load_profile_csv", "time,load\n1,2\n", ["hour, utilization; or timestamp, utilization"]),
    # rows; D04 of the cases: rows of commas, as a spreadsheet leaves them
    ("load_curve_csv", CURVE + ",\n,\n", ["log.csv:5: a row without values", "log.csv:6: a row without values"]),
    ("load_curve_csv", "utilization,power_w\n0,400\n\n1,1000\n", ["log.csv:3: an empty line"]),
    ("load_curve_csv", "utilization,power_w\n0,400\n1\n", ["log.csv:3: 1 cells where 2 are due"]),
    ("load_curve_csv", "utilization,power_w\n0,\n1,1000\n", ["log.csv:2: power_w: an empty cell"]),
    ("load_curve_csv", "utilization,power_w\n", ["too few rows", "at least 2"]),
    # cells
    ("load_curve_csv", CURVE.replace("790", "nan"), ["log.csv:3: power_w: not a number", "'nan'"]),
    ("load_curve_csv", CURVE.replace("790", "inf"), ["power_w: not a number"]),
    ("load_curve_csv", CURVE.replace("790", "0x1F"), ["not a number"]),
    ("load_curve_csv", CURVE.replace("790", "1e999"), ["power_w: too large"]),
    ("load_curve_csv", CURVE.replace("790", "٧٩٠"), ["not a number"]),
    ("load_curve_csv", CURVE.replace("790", "1_0"), ["power_w: not a number"]),
    ("load_curve_csv", CURVE.replace("790", "50%"), ["no percent sign"]),
    ("load_curve_csv", CURVE.replace("790", "-1"), ["power_w: out of limits", "at least 0"]),
    # load curve
    ("load_curve_csv", CURVE.replace("0.5", "1.5"), ["log.csv:3: utilization: out of limits"]),
    ("load_curve_csv", CURVE.replace("0.5", "0"), ["log.csv:3: utilization: not above the row above"]),
    ("load_curve_csv", CURVE.replace("\n0,", "\n0.1,"), ["log.csv:2: utilization: an end of the curve is missing"]),
    ("load_curve_csv", CURVE.replace("\n1,", "\n0.9,"), ["log.csv:4: utilization: an end of the curve is missing"]),
    # load profile
    ("load_profile_csv", HOURS.replace("23,", "22,"), ["log.csv:25: hour: an hour that is there twice", "missing; found '23'"]),
    ("load_profile_csv", HOURS.replace("\n7,0.5", ""), ["hours are missing; found '7'"]),
    ("load_profile_csv", HOURS.replace("\n7,", "\n24,"), ["log.csv:9: hour: out of limits"]),
    ("load_profile_csv", HOURS.replace("\n7,", "\n7.5,"), ["log.csv:9: hour: not a whole number"]),
    ("load_profile_csv", HOURS.replace("\n7,0.5", "\n7,1.5"), ["log.csv:9: utilization: out of limits"]),
    ("load_profile_csv", STAMPS.replace("00:00Z", "00:00"), ["log.csv:2: timestamp: a stamp without its offset from UTC"]),
    ("load_profile_csv", STAMPS.replace("03-31T00:00", "02-30T00:00"), ["log.csv:2: timestamp: no date and time of"]),
    ("load_profile_csv", STAMPS.replace("2026-03-31T00:00", "31.03.2026 00:00"), ["log.csv:2: timestamp: no date and time"]),
    ("load_profile_csv", STAMPS.replace("2026", "9026"), ["timestamp: no date and time of the calendar"]),
    ("load_profile_csv", STAMPS.replace("00:30", "00:31"), ["log.csv:4: timestamp: not at an equal step", "15 min"]),
    ("load_profile_csv", STAMPS.replace("00:30", "00:15"), ["log.csv:4: timestamp: not at an equal step"]),
    ("load_profile_csv", "timestamp,utilization\n2026-01-01T00:00Z,1\n2026-01-01T00:01:30Z,1\n", ["no whole minutes"]),
    ("load_profile_csv", "timestamp,utilization\n2026-01-01T00:01Z,1\n2026-01-01T00:00Z,1\n", ["not at an equal step"]),
    ("load_profile_csv", "timestamp,utilization\n2026-01-01T00:01Z,1\n", ["too few rows"]),
    # tariff
    ("tariff_csv", WEEK.replace("mon-fri,06", "mon-thu,06"), ["log.csv:3: days: no days", "mon-fri"]),
    ("tariff_csv", WEEK.replace("22:00,06", "10pm,06"), ["log.csv:2: begin: no time of day", "HH:MM"]),
    ("tariff_csv", WEEK.replace("22:00,06", "24:00,06"), ["begin: no time of day"]),
    ("tariff_csv", WEEK.replace("06:00,24", "6:00,24"), ["no time of day"]),
    ("tariff_csv", WEEK.replace("00:00,24:00", "08:00,08:00"), ["log.csv:5: end: begin and end are equal"]),
    ("tariff_csv", WEEK.replace("sun,00:00,24:00", "sun,00:00,20:30"), ["days: no price from sun 20:30 to sun 24:00"]),
    ("tariff_csv", WEEK.replace("sat,06:00", "sat,05:00"), ["days: 2 prices at once from sat 05:00 to sat 06:00"]),
    ("tariff_csv", WEEK.replace("-0.01", "free"), ["log.csv:2: price_per_kwh: not a number"]),
    ("tariff_csv", PRICES.replace("T01:00", "T01:00Z"), ["log.csv:2: timestamp: a stamp without its offset"]),
    ("tariff_csv", PRICES + "2026-01-01T04:00,1\n", ["not at an equal step"]),
    # requests
    ("requests_csv", REQUESTS.replace("47.4Z", "37.4Z"), ["log.csv:2: end: ends before it starts"]),
    ("requests_csv", "start,end,ok,input_tokens,output_tokens,tpot_s\n0,1,true,1,2,-1\n", ["log.csv:2: tpot_s: out of limits"]),
    ("requests_csv", REQUESTS.replace("true", "1"), ["log.csv:2: ok: neither true nor false"]),
    ("requests_csv", REQUESTS.replace("223", "22.3"), ["log.csv:2: output_tokens: not a whole number"]),
    ("requests_csv", REQUESTS.replace("223", "-2"), ["log.csv:2: output_tokens: out of limits"]),
    ("requests_csv", REQUESTS.replace("2026-10-06T09:01:43Z,2", "103,2"), ["log.csv:3: start: no date and time"]),
    ("requests_csv", "start,end,ok,input_tokens,output_tokens\n", ["too few rows"]),
    # energy windows
    ("energy_windows_csv", WINDOWS.replace("15000", "0"), ["log.csv:2: energy_j: out of limits", "above 0"]),
    ("energy_windows_csv", "input_tokens,output_tokens,energy_j\n1,2,3\n1,2,3\n", ["too few rows", "at least 3"]),
    ("energy_windows_csv", WINDOWS.replace("4e5", "4.5"), ["log.csv:3: input_tokens: not a whole number"]),
])
def test_what_is_wrong_is_named_with_its_row_and_column(refusal, name, content, words):
    message = refusal(name, content)
    assert all(word in message for word in words), message


def test_all_is_found_at_once(refusal):
    message = refusal("requests_csv", REQUESTS.replace("true", "maybe").replace("271", "x").replace("ok,", "okay,"))
    assert "okay: unknown column" in message
    assert "log.csv:3: input_tokens: not a number" in message


def test_twenty_problems_are_listed_and_the_rest_counted(refusal):
    message = refusal("load_curve_csv", "utilization,power_w\n" + "0.5,x\n" * 1000).splitlines()
    assert len(message) == 21
    assert message[0].startswith("meter log.csv:2: ")
    assert message[-1].startswith("meter log.csv: and ")


def test_a_large_file_is_read_by_columns(read):
    rows = "2026-10-06T09:00:42Z,2026-10-06T09:00:47.4Z,true,1277,223\n"
    assert len(read("requests_csv", REQUESTS.split("\n")[0] + "\n" + rows * 50_000)) == 50_000


# ---- across tables and inputs


def frame(name, read):
    return {name: read(name, FILES[name])}


def test_ends_of_the_load_curve_are_idle_and_active_power(read):
    tables = frame("load_curve_csv", read)
    check_tables({"idle_power_w": Input(400.0), "active_power_w": Input(1000.0)}, tables)
    with pytest.raises(InputError) as error:
        check_tables({"idle_power_w": Input(380.0), "active_power_w": Input(1001.0)}, tables)
    assert "another power than idle_power_w; found 400.0; allowed: 380.0" in str(error.value)
    assert "another power than active_power_w; found 1000.0; allowed: 1001.0" in str(error.value)


def test_the_clock_of_a_tariff_is_a_required_field(read):
    # C07 of the cases: the same hours cost 0.40 on the local clock and 0.20 on the standard clock
    tables = frame("tariff_csv", read)
    check_tables({"tariff_timezone": Input("Europe/Berlin"), "tariff_clock": Input("local")}, tables)
    with pytest.raises(InputError) as error:
        check_tables({}, tables)
    assert [problem.field for problem in error.value.problems] == ["tariff_timezone", "tariff_clock"]
    check_tables({}, {"tariff_csv": read("tariff_csv", PRICES.replace("00,", "00Z,"))})


def test_a_tariff_that_does_not_reach_over_the_profile_is_known_before_a_run(read):
    tables = {"tariff_csv": read("tariff_csv", PRICES.replace("00,", "00Z,")), **frame("load_profile_csv", read)}
    with pytest.raises(InputError, match="no price for part of the load profile"):
        check_tables({}, tables)


def test_the_second_pass_of_an_hour_must_be_there(read):
    # P27 of the cases: with one pass missing the clock cannot be told
    stamps = [f"2024-10-27T{hour:02d}:00" for hour in (0, 1, 2, 3, 4)]
    tariff = read("tariff_csv", "timestamp,price_per_kwh\n" + "".join(f"{stamp},1\n" for stamp in stamps))
    profile = read("load_profile_csv", HOURS)
    with pytest.raises(InputError, match="not a local time of Europe/Berlin"):
        check_tables({"tariff_timezone": Input("Europe/Berlin"), "tariff_clock": Input("local")},
                     {"tariff_csv": tariff, "load_profile_csv": profile})
