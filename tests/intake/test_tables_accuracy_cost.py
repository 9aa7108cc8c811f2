"""Operating points and published pairs: what becomes of right files, and what is said of wrong ones."""

import pytest

from joulebook.dictionary import parameters
from joulebook.errors import InputError
from joulebook.inputs import Input
from joulebook.intake.checks import check_together, check_value, default_input
from joulebook.intake.tables import check_tables, read_table
from joulebook.results import Labels
from joulebook.workbook import ROOT

HEAD = "name,precision,batch,quality_pct,latency_p99_s,throughput_per_s,average_power_w"
POINTS = f"{HEAD}\na,fp8,1,99.9,0.1,100,500\nb,int8,8,99,0.2,400,600\n"
RANGED = f"{HEAD},average_power_low_w,average_power_high_w\na,fp8,1,99.9,0.1,100,500,480,530\n"
PAIRS = (
    "family,round,submitter,system,scenario,division,hardware,retrieved,eff_999_over_99,perf_99,perf_999,power_99,power_999\n"
    "bert,v2.0,A,x,Offline,closed,H,2026-11-30,0.5,200,100,50,50\nbert,v2.0,A,x,Server,closed,H,2026-11-30,0.8,100,80,50,50\n"
)


def test_operating_points(read_rows):
    table = read_rows("operating_points_csv", POINTS)
    assert table["name"].tolist() == ["a", "b"]
    assert table["average_power_w"].tolist() == [500, 600]


def test_operating_points_with_ranges(read_rows):
    table = read_rows("operating_points_csv", RANGED)
    assert table[["average_power_low_w", "average_power_high_w"]].to_numpy().tolist() == [[480, 530]]


def test_a_quality_of_a_reference_may_be_above_its(read_rows):
    assert read_rows("operating_points_csv", POINTS.replace("99.9", "100.4"))["quality_pct"].tolist() == [100.4, 99]


def test_published_pairs(read_rows):
    assert read_rows("accuracy_pairs_csv", PAIRS)["eff_999_over_99"].tolist() == [0.5, 0.8]
    assert len(read_table("accuracy_pairs_csv", ROOT / "data" / "mlperf_power" / "accuracy_pairs.csv")) == 61


def test_rows_that_are_twice_in_a_file_without_its_systems(read_rows):
    lines = [line.split(",") for line in PAIRS.replace("Server", "Offline").splitlines()]
    text = "".join(",".join(cell for place, cell in enumerate(line) if place != 3) + "\n" for line in lines)
    with pytest.raises(InputError, match="system"):
        read_rows("accuracy_pairs_csv", text)


def test_published_pairs_are_those_of_the_results_beside_them():
    # published: performance and power of each end as in published_closed.csv
    import pandas as pd

    folder = ROOT / "data" / "mlperf_power"
    pairs = pd.read_csv(folder / "accuracy_pairs.csv")
    closed = pd.read_csv(folder / "published_closed.csv").set_index("location")
    for end in ("99", "999"):
        key = pairs.set_index(["round", f"location_{end}"]).index
        rows = closed.reset_index().set_index(["round", "location"]).loc[key]
        assert (rows["perf"].to_numpy() == pairs[f"perf_{end}"].to_numpy()).all()
        assert (rows["power_value"].to_numpy() == pairs[f"power_{end}"].to_numpy()).all()
        assert (rows["accelerator"].to_numpy() == pairs["accelerator"].to_numpy()).all()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("operating_points_csv", HEAD + "\n", ["too few rows", "at least 1"]),
        ("operating_points_csv", POINTS.replace("\nb,", "\na,"), ["file.csv:3: name: a name that is there twice"]),
        ("operating_points_csv", POINTS.replace("a,fp8", ",fp8"), ["file.csv:2: name: an empty cell"]),
        ("operating_points_csv", POINTS.replace("a,fp8", "a,"), ["file.csv:2: precision: an empty cell"]),
        ("operating_points_csv", POINTS.replace(",8,", ",8.5,"), ["file.csv:3: batch: not a whole number"]),
        ("operating_points_csv", POINTS.replace("0.2", "0"), ["file.csv:3: latency_p99_s: out of limits", "above 0"]),
        ("operating_points_csv", POINTS.replace("400", "0"), ["file.csv:3: throughput_per_s: out of limits"]),
        ("operating_points_csv", POINTS.replace("600", "-1"), ["file.csv:3: average_power_w: out of limits"]),
        ("operating_points_csv", POINTS.replace("99.9", "99.9%"), ["file.csv:2: quality_pct: not a number"]),
        (
            "operating_points_csv",
            POINTS.replace("quality_pct", "quality"),
            ["quality: unknown column", "did you mean quality_pct?"],
        ),
        ("operating_points_csv", RANGED.replace("480", "510"), ["file.csv:2: average_power_low_w: above average_power_w"]),
        ("operating_points_csv", RANGED.replace("530", "490"), ["file.csv:2: average_power_high_w: below average_power_w"]),
        (
            "operating_points_csv",
            f"{HEAD},throughput_low_per_s\na,fp8,1,99,0.1,100,500,90\n",
            ["throughput_low_per_s: half a range: throughput_high_per_s is missing"],
        ),
        ("accuracy_pairs_csv", PAIRS.replace("Server", "Offline"), ["file.csv:3: system: a pair that is there twice"]),
        ("accuracy_pairs_csv", PAIRS.replace("0.8", "0.81"), ["file.csv:3: eff_999_over_99: not the ratio of perf over power"]),
        ("accuracy_pairs_csv", PAIRS.replace(",200,", ",0,"), ["file.csv:2: perf_99: out of limits"]),
        ("accuracy_pairs_csv", PAIRS.replace("\nbert,v2.0,A,x,S", "\ngptj,v2.0,A,x,S"), ["file.csv:3: family: another family"]),
        ("accuracy_pairs_csv", PAIRS.replace(",H,2026-11-30,0.8", ",,2026-11-30,0.8"), ["file.csv:3: hardware: an empty cell"]),
        ("accuracy_pairs_csv", PAIRS.split("\n")[0] + "\n", ["too few rows"]),
    ],
)
def test_what_is_wrong_is_named_with_its_row_and_column(read_rows, name, text, words):
    with pytest.raises(InputError) as error:
        read_rows(name, text)
    assert all(word in str(error.value) for word in words), str(error.value)


# ---- across tables and inputs


def refusal(inputs, tables):
    with pytest.raises(InputError) as error:
        check_tables(inputs, tables)
    return str(error.value)


def test_a_limit_of_memory_needs_the_memory_of_the_points(read_rows):
    tables = {"operating_points_csv": read_rows("operating_points_csv", POINTS)}
    assert "memory_limit_gb: a limit of memory, but the operating points do not state theirs" in refusal(
        {"memory_limit_gb": Input(8.0)}, tables
    )
    check_tables({"memory_limit_gb": Input(8.0)}, {"operating_points_csv": tables["operating_points_csv"].assign(memory_gb=4.0)})


def test_an_absolute_quality_has_an_end(read_rows):
    tables = {"operating_points_csv": read_rows("operating_points_csv", POINTS.replace("99.9", "100.4"))}
    message = refusal({"quality_is": Input("absolute")}, tables)
    assert "an absolute quality above 100 % in column quality_pct; found 100.4" in message
    check_tables({"quality_is": Input("of_reference")}, tables)


def together(**values):
    from joulebook.errors import Problems

    found = Problems()
    check_together({name: Input(value) for name, value in values.items()}, Labels(), lambda name: {"field": name}, found)
    return [f"{problem.field}: {problem.what}" for problem in found]


def test_targets_and_counts_agree():
    assert together(looser_quality_target_pct=99.9, quality_target_pct=99.0) == [
        "looser_quality_target_pct: above quality_target_pct"
    ]
    assert together(lost=6, gained=3, quality_samples=8) == ["lost: more items differ than there are"]
    assert together(looser_quality_target_pct=99.0, quality_target_pct=99.0, lost=6, gained=3, quality_samples=9) == []


def test_a_percentage_takes_no_sign():
    row = parameters()["quality_target_pct"]
    assert check_value(row, 99.9) == 99.9
    with pytest.raises(InputError, match=r"no percent sign; the number alone.*in percent, without the sign"):
        check_value(row, "99.9 %")


def test_the_published_pairs_stand_in_with_their_source():
    item = default_input(parameters()["accuracy_pairs_csv"])
    assert (item.evidence, item.given) == ("published", False)
    assert "MLPerf" in item.source
