"""Measurements that could be made: right files, wrong rows by name, and what must hold beside them."""

import pytest

from joulebook.errors import InputError
from joulebook.inputs import Input
from joulebook.intake.tables import check_tables, read_table
from joulebook.workbook import ROOT

HEAD = "measurement,input,standard_uncertainty,cost\n"
ROWS = f"{HEAD}run,throughput_per_s,50,400\nrun,active_power_w,5,0\nbid,capital_cost,2000,0\n"
GIVEN = {"throughput_per_s": Input(5000.0), "active_power_w": Input(1000.0), "capital_cost": Input(250000.0)}


def test_measurements(read_rows):
    table = read_rows("measurements_csv", ROWS)
    assert table["measurement"].tolist() == ["run", "run", "bid"]
    assert table["standard_uncertainty"].tolist() == [50, 5, 2000]
    assert table["cost"].tolist() == [400, 0, 0]
    check_tables(GIVEN, {"measurements_csv": table})


def test_the_example_is_of_inputs_that_there_are():
    table = read_table("measurements_csv", ROOT / "data" / "examples" / "measurements.csv")
    inputs = {name: Input(1.0) for name in table["input"]}
    check_tables(inputs, {"measurements_csv": table})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (ROWS.replace("active_power_w", "throughput_per_s"), ["file.csv:3: input: an input that this measurement measures"]),
        (ROWS.replace("bid,", ","), ["file.csv:4: measurement: an empty cell"]),
        (ROWS.replace("bid,capital_cost", "bid,"), ["file.csv:4: input: an empty cell"]),
        (ROWS.replace("50", "-50"), ["file.csv:2: standard_uncertainty: out of limits", "at least 0"]),
        (ROWS.replace("400", "much"), ["file.csv:2: cost: not a number", "'much'"]),
        (ROWS.replace("cost\n", "price\n"), ["file.csv:1: price: unknown column", "file.csv:1: cost: missing column"]),
        (HEAD, ["too few rows"]),
    ],
)
def test_what_is_wrong_is_named_with_its_row_and_column(read_rows, content, words):
    with pytest.raises(InputError) as error:
        read_rows("measurements_csv", content)
    assert all(word in str(error.value) for word in words), str(error.value)


def test_measured_are_numbers_that_are_given(read_rows):
    tables = {"measurements_csv": read_rows("measurements_csv", ROWS.replace("capital_cost", "capital_costs"))}
    with pytest.raises(InputError, match=r"no such number to measure; found 'capital_costs'.*did you mean capital_cost\?"):
        check_tables(GIVEN, tables)
    tables = {"measurements_csv": read_rows("measurements_csv", ROWS.replace("capital_cost", "utilization_is"))}
    with pytest.raises(InputError, match="no such number to measure"):
        check_tables(GIVEN, tables)
    tables = {"measurements_csv": read_rows("measurements_csv", ROWS)}
    with pytest.raises(InputError, match="a measurement of an input that is not given; found 'capital_cost'"):
        check_tables({name: item for name, item in GIVEN.items() if name != "capital_cost"}, tables)
    check_tables({name: item for name, item in GIVEN.items() if name != "capital_cost"}, tables, unclear={"capital_cost"})
