"""The files of the boundary ladder: what becomes of right ones, and what is said of wrong ones."""

import numpy as np
import pytest

from joulebook.errors import InputError
from joulebook.inputs import Input
from joulebook.intake.tables import check_tables, read_table
from joulebook.workbook import ROOT

HEAD = "boundary,variant,energy_j,evidence,components,work,quality_pct"
LADDER = f"""{HEAD}
accelerator,baseline,420000,measured,accelerators,10000,99.9
accelerator,optimized,273000,measured,accelerators,10000,99.9
server,baseline,600000,measured,accelerators+host,10000,99.9
server,optimized,492000,measured,host + accelerators,10000,99.9
"""
RANGED = f"""{HEAD},energy_low_j,energy_high_j
server,baseline,600000,measured,all,10000,99.9,594000,606000
server,optimized,492000,quoted,all,10000,99.9,,
"""
SCALE = "nodes,component,energy_j\n1,accelerators,420\n1,host,180\n8,accelerators,3360\n8,host,1440\n"
COOLING = "candidate,it_power_w,added_power_w,pue\nair,1000,0,1.3\nliquid,890,20,1.15\n"


def test_a_ladder(read_rows):
    table = read_rows("boundary_csv", LADDER)
    assert table["energy_j"].tolist() == [420e3, 273e3, 600e3, 492e3]
    assert table["components"].tolist()[2:] == ["accelerators+host"] * 2  # in order of their names
    assert table["energy_low_j"].isna().all()  # no range is not a range of nothing


def test_a_row_may_have_a_range_and_another_none(read_rows):
    table = read_rows("boundary_csv", RANGED)
    assert table["energy_high_j"].tolist() == [606e3, pytest.approx(np.nan, nan_ok=True)]


def test_scale_and_cooling(read_rows):
    assert read_rows("scale_csv", SCALE)["nodes"].tolist() == [1, 1, 8, 8]
    assert read_rows("cooling_csv", COOLING)["pue"].tolist() == [1.3, 1.15]


@pytest.mark.parametrize("name", ["boundary", "scale", "cooling"])
def test_the_examples_of_the_dictionary_are_read(name):
    assert len(read_table(f"{name}_csv", ROOT / "data" / "examples" / f"{name}.csv"))


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("boundary_csv", LADDER.replace("server,b", "servers,b"), ["file.csv:4: boundary: no such choice", "node_dc"]),
        (
            "boundary_csv",
            LADDER.replace("optimized,273", "better,273"),
            ["file.csv:3: variant: no such choice", "baseline or optimized"],
        ),
        ("boundary_csv", LADDER.replace("600000,measured", "600000,known"), ["file.csv:4: evidence: no such choice"]),
        ("boundary_csv", LADDER.replace("420000", "0"), ["file.csv:2: energy_j: out of limits", "above 0"]),
        (
            "boundary_csv",
            LADDER.replace("420000,measured,accelerators,10000", "420000,measured,accelerators,0"),
            ["file.csv:2: work: out"],
        ),
        (
            "boundary_csv",
            LADDER.replace("host + accelerators,10000,99.9", "host,10000,101"),
            ["file.csv:5: quality_pct: out of limits"],
        ),
        ("boundary_csv", LADDER.replace("accelerators+host", "host++host"), ["file.csv:4: components: no components"]),
        ("boundary_csv", LADDER.replace("accelerators+host", "host+host"), ["file.csv:4: components: a component named twice"]),
        (
            "boundary_csv",
            LADDER + "server,baseline,1,measured,host+accelerators,10000,99.9\n",
            ["file.csv:6: components: these components are there twice"],
        ),
        (
            "boundary_csv",
            LADDER.replace("host + accelerators,10000", "host,20000"),
            ["file.csv:5: work: not as in the rows above", "one run a variant"],
        ),
        (
            "boundary_csv",
            LADDER + "rack,baseline,648000,measured,all,10000,99.9\n",
            ["file.csv:6: variant: the other variant is missing at this boundary"],
        ),
        ("boundary_csv", RANGED.replace(",,\n", ",490000,\n"), ["file.csv:3: energy_low_j: half a range"]),
        ("boundary_csv", RANGED.replace("594000", "601000"), ["file.csv:2: energy_j: outside its range"]),
        (
            "boundary_csv",
            RANGED.replace("594000", "590000"),
            ["file.csv:2: energy_low_j: a measured range that is not symmetric"],
        ),
        (
            "boundary_csv",
            LADDER.replace("quality_pct", "quality"),
            ["file.csv:1: quality: unknown column", "did you mean quality_pct?"],
        ),
        ("scale_csv", SCALE.replace("8,host,1440\n", ""), ["file.csv:4: component: host is missing at this number of nodes"]),
        ("scale_csv", SCALE.replace("accelerators", "boards"), ["component: no accelerators"]),
        ("scale_csv", SCALE.replace("8,host", "8,accelerators"), ["file.csv:5: component: there twice"]),
        ("scale_csv", SCALE.replace("1,", "0,", 1), ["file.csv:2: nodes: out of limits"]),
        ("cooling_csv", COOLING.replace("1.15", "0.9"), ["file.csv:3: pue: out of limits", "at least 1"]),
        ("cooling_csv", COOLING.replace("liquid", "air"), ["file.csv:3: candidate: a candidate that is there twice"]),
        ("cooling_csv", COOLING.replace("liquid,890,20,1.15\n", ""), ["too few rows"]),
    ],
)
def test_what_is_wrong_is_named_with_its_row_and_column(read_rows, name, content, words):
    with pytest.raises(InputError) as error:
        read_rows(name, content)
    assert all(word in str(error.value) for word in words), str(error.value)


# ---- across the file and the inputs beside it


def refusal(table, **inputs):
    with pytest.raises(InputError) as error:
        check_tables(
            {"boundary_csv": Input("x"), **{name: Input(value) for name, value in inputs.items()}}, {"boundary_csv": table}
        )
    return str(error.value)


def test_what_the_method_refuses_is_known_before_a_run(read_rows):
    check_tables({"boundary_csv": Input("x")}, {"boundary_csv": read_rows("boundary_csv", LADDER)})
    falling = read_rows("boundary_csv", LADDER.replace("600000", "400000"))
    assert "boundary_csv: falls from accelerator to server, baseline" in refusal(falling)
    other = read_rows(
        "boundary_csv",
        LADDER.replace("273000,measured,accelerators,10000,99.9", "273000,measured,accelerators,10000,99").replace(
            "host + accelerators,10000,99.9", "host + accelerators,10000,99"
        ),
    )
    assert "boundary_csv: these may not be compared: the label quality differs" in refusal(other)
    declared = {"boundary_csv": Input("x"), "quality_difference": Input("declared")}
    check_tables(declared, {"boundary_csv": other})


def test_a_fall_within_the_uncertainty_is_no_error(read_rows):
    rows = LADDER.replace("600000", "418000").replace(HEAD, f"{HEAD},energy_low_j,energy_high_j").replace(",99.9\n", ",99.9,,\n")
    assert "falls" in refusal(read_rows("boundary_csv", rows))
    for energy in (418000, 420000):
        rows = rows.replace(f"{energy},measured", f"{energy},quoted")
    rows = rows.replace("accelerators,10000,99.9,,", "accelerators,10000,99.9,410000,430000", 1)
    check_tables({"boundary_csv": Input("x")}, {"boundary_csv": read_rows("boundary_csv", rows)})


def test_what_says_nothing_alone(read_rows):
    table = read_rows("boundary_csv", LADDER)
    assert "host_power_is: missing: host_power_w says nothing without it; allowed: dc or ac" in refusal(table, host_power_w=200.0)
    assert "facility_slope: missing: facility_fixed_w says nothing without it" in refusal(table, facility_fixed_w=1e4)
    assert "facility_fixed_w: missing" in refusal(table, facility_slope=1.15)
