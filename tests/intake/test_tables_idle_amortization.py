"""Tenants and operating points: right files, wrong rows by name, and what must hold beside them."""

import pandas as pd
import pytest

from joulebook.errors import InputError
from joulebook.inputs import Input
from joulebook.intake.tables import check_tables, read_table
from joulebook.workbook import ROOT

TENANTS = "tenant,share,utilization\nassistant,0.25,0.1\nsearch,0.5,0.3\n"
NAMES = "name,precision,batch,quality_pct,latency_p99_s,throughput_per_s,average_power_w\n"


def test_tenants(read_rows):
    table = read_rows("tenants_csv", TENANTS)
    assert table["tenant"].tolist() == ["assistant", "search"]
    assert table["share"].tolist() == [0.25, 0.5]


def test_the_example_has_the_values_of_the_method():
    example = read_table("tenants_csv", ROOT / "data" / "examples" / "tenants.csv")
    pd.testing.assert_frame_equal(
        example[["share", "utilization"]], pd.DataFrame({"share": [0.25, 0.5], "utilization": [0.1, 0.3]})
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (TENANTS.replace("search", "assistant"), ["file.csv:3: tenant: a tenant that is there twice", "'assistant'"]),
        (TENANTS.replace("search", "Unallocated"), ["file.csv:3: tenant: a name that is taken"]),
        (TENANTS.replace("search", ""), ["file.csv:3: tenant: an empty cell"]),
        (TENANTS.replace("0.25", "-0.25"), ["file.csv:2: share: out of limits", "at least 0"]),
        (TENANTS.replace("0.3", "1.3"), ["file.csv:3: utilization: out of limits", "at most 1"]),
        (TENANTS.replace("0.5", "half"), ["file.csv:3: share: not a number", "'half'"]),
        (TENANTS.replace("share", "shares"), ["file.csv:1: shares: unknown column", "did you mean share?"]),
        ("tenant,share,utilization\n", ["too few rows"]),
    ],
)
def test_what_is_wrong_is_named_with_its_row_and_column(read_rows, content, words):
    with pytest.raises(InputError) as error:
        read_rows("tenants_csv", content)
    assert all(word in str(error.value) for word in words), str(error.value)


def test_shares_above_one_are_refused_unless_overcommitted(read_rows):
    tables = {"tenants_csv": read_rows("tenants_csv", TENANTS.replace("0.25", "0.75"))}
    with pytest.raises(InputError, match=r"tenants_csv: the shares of the tenants add to more than one; found 1\.25"):
        check_tables({"overcommit": Input("no")}, tables)
    check_tables({"overcommit": Input("yes")}, tables)
    check_tables({}, tables, unclear={"overcommit"})  # what was given there is wrong itself, and said


def test_more_work_than_one_system_does_is_refused(read_rows):
    tables = {"tenants_csv": read_rows("tenants_csv", TENANTS.replace("0.1", "0.8"))}
    with pytest.raises(InputError, match=r"the utilizations of the tenants add to more than one; found 1\.1"):
        check_tables({"overcommit": Input("yes")}, tables)


def test_points_that_draw_less_than_idle_are_of_another_boundary(read_rows):
    tables = {
        "operating_points_csv": read_rows("operating_points_csv", f"{NAMES}one,fp8,1,99,0.1,100,620\ntwo,fp8,8,99,0.1,500,300\n")
    }
    check_tables({"idle_power_w": Input(300.0)}, tables)
    with pytest.raises(InputError, match="the point two draws less than idle_power_w"):
        check_tables({"idle_power_w": Input(400.0)}, tables)
