"""Published rows and figures of others: what becomes of right files, and what is said of wrong ones."""

import pytest

from joulebook.errors import InputError
from joulebook.intake.tables import read_table
from joulebook.workbook import ROOT

FOLDER = ROOT / "data" / "mlperf_power"
ROW = {
    "round": "v4.0", "division": "closed", "submitter": "A", "system": "x", "system_name": "", "benchmark": "resnet",
    "acc_target": "", "scenario": "Offline", "perf": "100", "perf_unit": "Samples/s", "perf_unit_checked": "Samples/s",
    "power_value": "200", "power_unit": "Watts", "inferred": "0", "accelerator": "", "n_accel": "", "location": "closed/A",
    "source_repo": "repository", "run_begin": "", "run_end": "", "retrieved": "2026-11-30",
}  # fmt: skip
STREAM = {"scenario": "SingleStream", "power_unit": "millijoules", "perf_unit_checked": "Latency (ms)"}
FIGURE = "name,value,benchmark,round,submitter,system,scenario,source,retrieved\n"


def closed(*changes):
    lines = [",".join({**ROW, **change}.values()) for change in changes]
    return "\n".join([",".join(ROW), *lines, ""])


def figures(without=None):
    names = ("results_counted", "systems_counted", "target_factor", "workload_factor", "workload_high_j", "workload_low_j",
             "output_tokens_per_query")
    return FIGURE + "".join(f"{name},2,b,r,s,y,Offline,paper,2026-11-30\n" for name in names if name != without)


def test_published_rows(read_rows):
    table = read_rows("published_closed_csv", closed({}, STREAM))
    assert table["power_value"].tolist() == [200, 200]
    assert len(read_table("published_closed_csv", FOLDER / "published_closed.csv")) == 903  # published: as its README counts


def test_figures_of_the_paper(read_rows):
    assert len(read_rows("reference_figures_csv", figures())) == 7


@pytest.mark.parametrize(("change", "said"), [
    ({"scenario": "offline"}, "no such word"),
    ({"round": "4.0"}, "no round"),
    ({"perf": "0"}, "out of limits"),
    ({"perf": "1,670"}, "cells"),
    ({"power_unit": "millijoules"}, "not the unit of power of this scenario"),
    ({"perf_unit_checked": "Latency (ms)"}, "not the unit of performance of this scenario"),
    ({**STREAM, "perf_unit_checked": "Samples/s"}, "not the unit of performance of this scenario"),
    ({"perf_unit_checked": "frames"}, "no such word"),
    ({"inferred": "2"}, "out of limits"),
    ({"run_begin": "2022-02-25 01:07:13"}, "a begin without an end"),
    ({"submitter": ""}, "an empty cell"),
    ({"acc_target": "999"}, "out of limits"),
    ({"n_accel": "1.5"}, "not a whole number"),
])
def test_wrong_rows_are_named(read_rows, change, said):
    with pytest.raises(InputError, match=said) as error:
        read_rows("published_closed_csv", closed({"system": "other"}, change))
    assert error.value.problems[0].line == 3


def test_a_result_that_is_there_twice(read_rows):
    with pytest.raises(InputError, match="a result that is there twice"):
        read_rows("published_closed_csv", closed({}, {"perf": "101"}))


@pytest.mark.parametrize(("text", "said"), [
    (figures(without="target_factor"), "a figure is missing"),
    (figures() + "target_factor,2,b,r,s,y,Offline,paper,2026-11-30\n", "a figure that is there twice"),
    (figures().replace("target_factor", "factor"), "no figure that is used"),
    (figures().replace("workload_high_j,2,b", "workload_high_j,2,"), "an empty cell"),
    (figures().replace("target_factor,2", "target_factor,two"), "not a number"),
])
def test_wrong_figures_are_named(read_rows, text, said):
    with pytest.raises(InputError, match=said):
        read_rows("reference_figures_csv", text)
