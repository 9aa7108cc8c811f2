"""The files of carbon: what becomes of right ones, and what is said of wrong ones."""

import numpy as np
import pytest

from joulebook.dictionary import parameters
from joulebook.errors import InputError
from joulebook.inputs import Input
from joulebook.intake.checks import check_value
from joulebook.intake.tables import check_tables, read_table
from joulebook.workbook import ROOT

GRID = """timestamp,g_per_kwh,basis,scope,accounting,gas
2026-03-03T00:00Z,400,average,life_cycle,location,CO2e
2026-03-03T01:00Z,300,average,life_cycle,location,CO2e
2026-03-03T00:00Z,500,marginal,direct,location,
2026-03-03T00:30Z,600,marginal,direct,location,
2026-03-03T01:00Z,600,marginal,direct,location,
2026-03-03T01:30Z,600,marginal,direct,location,
"""
REGIONS = """region,basis,scope,accounting,g_per_kwh,pue,latency_s,allowed,network_g_per_kwh
north,average,life_cycle,location,45,1.1,0.03,yes,200
north,marginal,direct,location,390,1.1,,,
south,average,life_cycle,location,160,1.3,,no,
"""
FLEXIBLE = {"flexible_hours": 1.0, "flexible_power_w": 1000.0}


def given(**values):
    values = {"servers": 1, "contiguous": "no"} | values  # as the dictionary assumes
    return {name: Input(value) for name, value in values.items()}


def test_series_of_different_steps_in_one_file(read_rows):
    table = read_rows("carbon_csv", GRID)
    assert table["gas"].tolist() == ["CO2e", "CO2e", "", "", "", ""]
    assert table["g_per_kwh"].tolist() == [400, 300, 500, 600, 600, 600]
    check_tables(given(**FLEXIBLE), {"carbon_csv": table})


def test_regions_with_one_mean(read_rows):
    table = read_rows("regions_csv", REGIONS)
    assert table["allowed"].tolist() == ["yes", "", "no"]
    assert table["latency_s"].tolist() == [0.03, pytest.approx(np.nan, nan_ok=True), pytest.approx(np.nan, nan_ok=True)]
    assert "timestamp" not in table


@pytest.mark.parametrize("name", ["carbon_csv", "regions_csv"])
def test_the_examples_of_the_dictionary_are_read(name):
    table = read_table(name, ROOT / "data" / "examples" / f"{name.removesuffix('_csv')}.csv")
    assert set(table["basis"]) == {"average", "marginal"}


@pytest.mark.parametrize("client", ["chat-assistant", "document-batch", "edge-sensor"])
def test_the_days_of_the_example_clients_have_the_published_mean(client):
    # means of 2024 of data/published/figures.csv: the shape of the day is made up, its mean is not
    means = {"edge-sensor": {"average": 275.82, "marginal": 731.22}}.get(client, {"average": 396.25, "marginal": 557.17})
    table = read_table("carbon_csv", ROOT / "data" / "clients" / client / "carbon.csv")
    assert table.groupby("basis")["g_per_kwh"].mean().to_dict() == pytest.approx(means, rel=1e-12)


@pytest.mark.parametrize(("name", "content", "words"), [
    ("carbon_csv", GRID.replace("marginal", "mean", 1), ["file.csv:4: basis: no such choice", "average or marginal"]),
    ("carbon_csv", GRID.replace("direct", "full", 1), ["file.csv:4: scope: no such choice", "direct or life_cycle"]),
    ("carbon_csv", GRID.replace("location", "grid", 1), ["file.csv:2: accounting: no such choice", "location or market"]),
    ("carbon_csv", GRID.replace("CO2e", "CO2eq", 1), ["file.csv:2: gas: no such choice", "CO2 or CO2e"]),
    ("carbon_csv", GRID.replace("400", "-1"), ["file.csv:2: g_per_kwh: out of limits"]),
    ("carbon_csv", GRID.replace("400", ""), ["file.csv:2: g_per_kwh: an empty cell"]),
    ("carbon_csv", GRID.replace("T01:00Z,600", "T01:10Z,600"), ["file.csv:6: timestamp: not at an equal step"]),
    ("carbon_csv", GRID.replace("01:00Z,300,average", "01:00Z,300,marginal"), [
         "file.csv:2: timestamp: a single row does not tell how long it holds", "average, life_cycle, location, CO2e"]),
    ("carbon_csv", GRID.replace("00:30Z", "00:30"), ["file.csv:5: timestamp: a stamp without its offset"]),
    ("carbon_csv", GRID.replace("timestamp", "time"), ["file.csv:1: time: unknown column", "did you mean timestamp"]),
    ("carbon_csv", GRID.replace("g_per_kwh", "kg_per_kwh"), ["kg_per_kwh: unknown column", "did you mean g_per_kwh"]),
    ("regions_csv", REGIONS.replace("390,1.1", "390,1.2"), ["file.csv:3: pue: not as in the rows above of this region"]),
    ("regions_csv", REGIONS.replace("390,1.1", "390,0.9"), ["file.csv:3: pue: out of limits"]),
    ("regions_csv", REGIONS.replace("marginal,direct", "average,life_cycle"), ["file.csv:3: region: a second value"]),
    ("regions_csv", REGIONS.replace(",no,", ",maybe,"), ["file.csv:4: allowed: no such choice"]),
    ("regions_csv", REGIONS.replace("south", ""), ["file.csv:4: region: an empty cell"]),
])
def test_what_is_wrong_in_a_file(name, content, words, read_rows):
    with pytest.raises(InputError) as error:
        read_rows(name, content)
    assert all(word in str(error.value) for word in words), str(error.value)


def local(text):
    return text.replace("Z,", ",")


@pytest.mark.parametrize(("content", "inputs", "words"), [
    (local(GRID), {}, "carbon_timezone: stamps without offset, and no time zone"),
    (local(GRID).replace("03-03T0", "03-29T0").replace("T01", "T02"), {"carbon_timezone": "Europe/Berlin"}, "not a local time"),
    (GRID + GRID.split("\n", 1)[1].replace("location", "market"), {}, "carbon_accounting: several average series"),
    (GRID, {"flexible_hours": 1.0}, "flexible_power_w: flexible work without its power"),
    (GRID, {**FLEXIBLE, "deadline": "07:00"}, "carbon_timezone: a time of the day without its time zone"),
    (GRID, {**FLEXIBLE, "deadline": "2026-03-04T00:00Z"}, "deadline: outside the hours that the carbon series have in common"),
    (GRID, {**FLEXIBLE, "earliest_start": "2026-03-03T01:00Z", "deadline": "01:00"}, "a time of the day in one"),
    (GRID, {**FLEXIBLE, "current_start": "2026-03-03T05:00Z"}, "current_start: not between the earliest start and the deadline"),
])
def test_what_cannot_be_joined_is_known_before_anything_runs(content, inputs, words, read_rows):
    table = read_rows("carbon_csv", content)
    with pytest.raises(InputError) as error:
        check_tables(given(**inputs), {"carbon_csv": table})
    assert words in str(error.value)


def test_a_region_whose_series_is_too_short(read_rows):
    bases = ("average,life_cycle,location", "marginal,direct,location")
    hours = "".join(f"north,{basis},2026-03-03T0{hour}:00Z,10,1.1\n" for basis in bases for hour in (1, 2))
    regions = read_rows("regions_csv", f"region,basis,scope,accounting,timestamp,g_per_kwh,pue\n{hours}")
    with pytest.raises(InputError, match=r"regions_csv: north: the series average.* has no value for part of the time"):
        check_tables(given(), {"carbon_csv": read_rows("carbon_csv", GRID.replace(",CO2e", ",")), "regions_csv": regions})


@pytest.mark.parametrize("value", ["07:30", "24:00", "2026-03-31T07:30+02:00", "2026-03-31 07:30Z"])
def test_times(value):
    assert check_value(parameters()["deadline"], value) == value


@pytest.mark.parametrize(("value", "words"), [
    (450, "a number where a time is due: put it in quotes"),  # 7:30 as some readers of YAML take it
    (True, "true or false where a time is due"),
    ("7:30", "no time"),
    ("25:00", "no time"),
    ("2026-03-31T07:30", "no time"),  # without its offset
    ("2026-02-30T07:30Z", "no date and time of the calendar"),
    ("0001-01-01T00:00+23:00", "no date and time of the calendar"),
])
def test_what_is_no_time(value, words):
    with pytest.raises(InputError, match=words):
        check_value(parameters()["deadline"], value, field="deadline")
