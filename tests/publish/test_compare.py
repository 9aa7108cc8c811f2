"""Two runs side by side. No kernel: run folders are written as a run leaves them, with results of our own.

Intervals of ratios are worked by hand: half widths over values, in quadrature, in logs (method, Uncertainty).
"""

import json
import math

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from joulebook.errors import InputError
from joulebook.publish.compare import compare_results, compare_runs, comparison_lines
from joulebook.results import LABELS

STATED = {
    "workload": "chat",
    "unit_of_work": "query",
    "quality": "as served",
    "scenario": "Server",
    "window": "work phase",
    "boundary": "server",
}
HOSTILE = "Acme [bold]x[/bold] :house: \x1b[31m"


def result(value, low=None, high=None, unit="J per query", note="", evidence="measured", **labels):
    """A result as it stands in results.json."""
    sides = {"value": value, "unit": unit, "low": low, "high": high}
    return {**sides, "evidence": evidence, "labels": {**STATED, **labels}, "note": note}


def given(value, low=None, high=None, unit="1", evidence="assumed", title="PUE"):
    """An input as it stands in inputs.json."""
    told = {"range_is": "limits", "source": "", "as_of": None, "given": True, "title": title}
    return {"value": value, "unit": unit, "low": low, "high": high, "evidence": evidence, **told}


@pytest.fixture
def run(tmp_path):
    """Write a run folder: results by topic, as its notebooks say them, and its records."""

    def write(name, topics, labels=STATED, inputs=None, currency="EUR", client="Acme", holds=None):
        folder = tmp_path / "some runs" / name
        folder.mkdir(parents=True)
        for topic, results in topics.items():
            records = [{"name": key, "title": key, **record} for key, record in results.items()]
            tables = [("table", record) for record in records if "columns" in record]
            pieces = [("results", [record for record in records if "value" in record]), *tables]
            outputs = [
                new_output("display_data", {"text/plain": kind}, metadata={"joulebook": {"kind": kind, "data": data}})
                for kind, data in pieces
            ]
            nbformat.write(new_notebook(cells=[new_code_cell("", outputs=outputs, id="cell-00")]), folder / f"{topic}.ipynb")
        head = {"schema": 1, "client": client, "prepared": "2026-11-30"}
        both = {**head, "currency": currency, "labels": {label: labels.get(label) for label in LABELS}}
        made_of = {"inputs": "", "files": {}, "notebooks": {}, "code": "", "versions": {}}
        texts = {
            "run": {**both, "notes": "", "topics": list(topics), "failed": {}, "made_of": made_of, "holds": holds or {}},
            "inputs": {**both, "topics": {topic: inputs or {} for topic in topics}},
            "results": {**head, "topics": {}},
        }
        for key, content in texts.items():
            (folder / f"{key}.json").write_text(json.dumps(content), encoding="utf-8")
        return folder

    return write


def test_a_ratio_beyond_its_uncertainty():
    # h_A = 2/100, h_B = 3.3/110; sqrt(0.02^2 + 0.03^2) = 0.0360555; 1.1 * exp(-+0.0360555) = 1.061046 and 1.140385
    made = compare_results(result(100, 98, 102), result(110, 106.7, 113.3))
    assert (made["difference"], made["ratio"], made["verdict"]) == (10, 1.1, "beyond uncertainty")
    assert (made["low"], made["high"]) == pytest.approx((1.061046, 1.140385), abs=1e-6)


def test_the_same_ratio_within_wider_intervals():
    # h = 0.08 and 0.06: sqrt(0.0064 + 0.0036) = 0.1, and ln 1.1 = 0.0953 is less
    made = compare_results(result(100, 92, 108), result(110, 103.4, 116.6))
    assert made["verdict"] == "not distinguishable"
    assert (made["low"], made["high"]) == pytest.approx((1.1 * math.exp(-0.1), 1.1 * math.exp(0.1)))
    # h = 6.7/100 and 7.37/110: 0.067 sqrt 2 = 0.09475, and ln 1.1 = 0.09531 is more
    assert compare_results(result(100, 93.3, 106.7), result(110, 102.63, 117.37))["verdict"] == "beyond uncertainty"


def test_the_check_of_the_method():
    # method, Uncertainty: two meters of +-1 %, 0.971795 to 1.004906 with t of 1.962 in place of 1.960
    sides = []
    for mean, u in ((0.2002, 0.000353553), (0.19784, 0.000348712)):
        half = 1.959964 * math.hypot(u, mean * 0.01 / math.sqrt(3))
        sides.append(result(mean, mean - half, mean + half))
    made = compare_results(*sides)
    assert made["ratio"] == pytest.approx(0.988212, abs=5e-7)
    assert (made["low"], made["high"]) == pytest.approx((0.971795, 1.004906), abs=3e-5)
    assert made["verdict"] == "not distinguishable"


def test_values_that_are_not_positive_are_told_apart_by_their_difference():
    # half widths 12.5 and 6: sqrt(156.25 + 36) = 13.8654; 20 -+ 13.8654
    made = compare_results(result(-10, -20, 5), result(10, 4, 16))
    assert (made["difference"], made["ratio"], made["interval_of"]) == (20, None, "difference")
    assert (made["low"], made["high"]) == pytest.approx((6.1346, 33.8654), abs=1e-4)
    assert made["verdict"] == "beyond uncertainty"
    assert compare_results(result(0, -1, 1), result(1, 0, 2))["verdict"] == "not distinguishable"  # 1 -+ 1.41


def test_without_a_range_there_is_the_difference_alone():
    made = compare_results(result(100, 98, 102), result(400))
    assert (made["difference"], made["ratio"], made["low"]) == (300, 4, None)
    assert (made["verdict"], made["note"]) == ("range not stated", "no range in B")
    assert compare_results(result(1), result(2))["note"] == "no range in A and B"


def test_what_is_the_same_and_what_is_not_available():
    assert compare_results(result(0), result(0))["verdict"] == "the same"
    assert compare_results(result(1, 0.5, 2), result(1 + 1e-12, 0.5, 2))["verdict"] == "the same"
    assert compare_results(result(1, 0.5, 2), result(1, 0.6, 2))["verdict"] == "not distinguishable"
    made = compare_results(result(None, note="needs pue"), result(2))
    assert (made["verdict"], made["note"], made["difference"]) == ("not available", "A: needs pue", None)
    made = compare_results(result(None, note="needs pue"), result(None, note="needs pue"))
    assert made["note"] == "in both: needs pue"
    made = compare_results(result(None, note="needs pue"), result(None, note="no work"))
    assert made["note"] == "A: needs pue; B: no work"


def test_units_and_labels_of_single_results_are_refused_by_name(run):
    # the boundary and the window of a result may be its own
    one = {"topic": {"a_j": result(1), "b_w": result(1, unit="W"), "c": result(1, window="a year")}}
    other = {"topic": {"a_j": result(1, unit="J per sample"), "b_w": result(2, unit="W"), "c": result(1, window="a month")}}
    rows = compare_runs(run("one", one), run("other", other))["topics"]["topic"]
    assert (rows["a_j"]["verdict"], rows["a_j"]["note"]) == ("not compared", "the units differ: J per query and J per sample")
    assert (rows["c"]["verdict"], rows["c"]["note"]) == ("not compared", "the label window differs: a year and a month")
    assert rows["b_w"]["difference"] == 1


def test_labels_that_differ_are_refused_but_for_the_one_that_is_named(joulebook, run):
    topics = {"topic": {"energy_j": result(1)}}
    one = run("one", topics)
    other = run("other", {"topic": {"energy_j": result(2, boundary="rack")}}, {**STATED, "boundary": "rack", "quality": None})
    code, said, err = joulebook("compare", one, other)
    assert (code, said) == (2, "")
    assert "the label boundary differs; found 'server and rack'" in err
    assert "the label quality differs; found 'as served and not stated'" in err
    code, _, err = joulebook("compare", one, other, "--vary", "boundary")
    assert code == 2
    assert "quality" in err
    assert "boundary differs" not in err
    third = run("third", {"topic": {"energy_j": result(2, boundary="rack")}}, {**STATED, "boundary": "rack"})
    code, said, err = joulebook("compare", one, third, "--vary", "boundary")
    assert (code, err) == (0, "")
    assert "they differ in the label boundary: server and rack" in said
    code, _, err = joulebook("compare", one, third, "--vary", "boundry")
    assert code == 2
    assert "did you mean boundary?" in err


def test_a_label_that_neither_states_counts_as_differing(run):
    topics, labels = {"topic": {"energy_j": result(1, quality=None)}}, {**STATED, "quality": None}
    one, other = run("one", topics, labels), run("other", topics, labels)
    with pytest.raises(InputError, match=r"quality: .* found 'not stated and not stated'"):
        compare_runs(one, other)
    assert compare_runs(one, other, vary="quality")["topics"]["topic"]["energy_j"]["verdict"] == "the same"


def test_currencies_and_labels_are_refused_together(run):
    topics = {"topic": {"cost": result(1, unit="EUR")}}
    with pytest.raises(InputError) as caught:
        compare_runs(run("one", topics), run("other", topics, {**STATED, "scenario": "Offline"}, currency="USD"))
    assert "currency: these may not be compared: the currency differs; found 'EUR and USD'" in str(caught.value)
    assert "scenario" in str(caught.value)


def test_topics_that_only_one_has(joulebook, run):
    rows = {"energy_j": result(1)}
    one, other = run("one", {"first": rows, "shared": rows}), run("other", {"shared": rows, "last": rows})
    made = compare_runs(one, other)
    assert list(made["topics"]) == ["shared"]
    assert made["left_out"] == {"a": ["first"], "b": ["last"]}
    assert "topics that only A has: first" in comparison_lines(made)
    code, _, err = joulebook("compare", one, other, "--topic", "frist")
    assert code == 2
    assert "did you mean first?" in err
    assert "other" in err
    with pytest.raises(InputError, match="no topic in common"):
        compare_runs(one, run("third", {"last": rows}))


def test_inputs_that_differ_are_told_once(run):
    rows = {"energy_j": result(1)}
    shared = {"same": given(1.0), "price": given(0.1, unit="money/kWh"), "log_csv": given("log.csv", unit="csv")}
    files = {"inputs/log_csv.csv": "a" * 64}, {"inputs/log_csv.csv": "b" * 64}
    one = run("one", {"x": rows, "y": rows}, inputs={**shared, "pue": given(1.2, 1.1, 1.4)}, holds=files[0])
    other = run("other", {"x": rows, "y": rows}, inputs={**shared, "pue": given(1.2), "year": given(2026)}, holds=files[1])
    for folder, held in zip((one, other), files, strict=True):
        (folder / "inputs").mkdir()
        for name in held:
            (folder / name).write_text("")
    made = compare_runs(one, other)
    assert [(row["name"], row["topics"]) for row in made["inputs"]] == [
        ("log_csv", ["x", "y"]),
        ("pue", ["x", "y"]),
        ("year", ["x", "y"]),
    ]
    lines = comparison_lines(made)
    assert "  pue: A 1.2 (1.1 to 1.4), assumed; B 1.2, assumed" in lines
    assert "  year: A not given; B 2,026, assumed" in lines


def test_tables_are_the_same_or_not(run):
    table = {"columns": [["hour", "h"], ["power_w", "W"]], "rows": [[0, 1.0], [1, 2.0]]}
    other = {**table, "rows": [[0, 1.0], [1, 3.0]]}
    empty = {"columns": [], "rows": [], "note": "needs load_profile_csv"}
    one = run("one", {"topic": {"a": table, "b": table, "c": table, "d": result(1)}})
    two = run("two", {"topic": {"a": table, "b": other, "c": empty, "e": result(1)}})
    rows = compare_runs(one, two)["topics"]["topic"]
    told = {name: (row["verdict"], row["note"]) for name, row in rows.items()}
    assert told == {
        "a": ("the same", ""),
        "b": ("tables that differ", "2 and 2 rows"),
        "c": ("not available", "B: needs load_profile_csv"),
        "d": ("in one run only", "only in A"),
        "e": ("in one run only", "only in B"),
    }


def test_what_is_printed_fits_and_is_literal(joulebook, run, tmp_path):
    label = "a workload of many words, " * 8
    labels = {**STATED, "workload": label}
    rows = {
        "energy_per_unit_j": result(0.2002, 0.1988, 0.2016, workload=label),
        "a_result_with_a_rather_long_name_of_its_own": result(1.5e12, 1.4e12, 1.6e12, "units of a long name", workload=label),
        "nothing": result(None, note=f"needs {HOSTILE} " + "and more " * 20, workload=label),
    }
    moved = {**rows, "energy_per_unit_j": result(0.1, 0.099, 0.101, workload=label)}
    one, two = run("one", {"topic": rows}, labels, client=HOSTILE), run("two", {"topic": moved}, labels)
    code, said, err = joulebook("compare", one, two)
    assert (code, err) == (0, "")
    assert "Acme [bold]x[/bold] :house: [U+001B][31m" in said
    assert "\x1b" not in said
    assert "needs Acme [bold]x[/bold] :house: [U+001B][31m and more" in said.replace("\n        ", " ")
    # half widths 0.0014/0.2002 and 0.001/0.1: sqrt(4.890e-5 + 1e-4) = 0.012202; 0.4995005 exp(-+0.012202) = 0.49344, 0.50563
    shown = said.replace("\u00a0", " ")
    assert "A 0.2002 (0.1988 to 0.2016)   B 0.1000 (0.0990 to 0.1010)   B − A −0.1002" in shown
    assert "B / A 0.4995 (0.4934 to 0.5056)" in shown
    told = [line for line in said.splitlines() if not line.startswith(("A:", "B:"))]  # a path is never broken
    assert max(map(len, told)) <= 100


def test_as_json(joulebook, run):
    rows = {"energy_j": result(100, 98, 102), "gone": result(None, note="needs pue")}
    one, two = run("one", {"topic": rows}), run("two", {"topic": {**rows, "energy_j": result(110, 106.7, 113.3)}})
    code, said, _ = joulebook("compare", one, two, "--json")
    made = json.loads(said)
    assert code == 0
    assert made["topics"]["topic"]["energy_j"]["verdict"] == "beyond uncertainty"
    assert made["topics"]["topic"]["gone"]["note"] == "in both: needs pue"
    assert (made["a"]["client"], made["a"]["labels"], made["vary"]) == ("Acme", STATED, None)


@pytest.mark.parametrize("value", [math.nan, math.inf, [1], True])
def test_a_damaged_run_is_refused(joulebook, run, value):
    whole = run("whole", {"topic": {"energy_j": result(1)}})
    damaged = run("damaged", {"topic": {"energy_j": result(value)}})
    code, _, err = joulebook("compare", whole, damaged)
    assert code == 2
    assert "topic.ipynb: damaged" in err
    assert "Traceback" not in err
    code, _, err = joulebook("compare", whole, whole.parent / "none")
    assert code == 2
    assert "no run folder" in err


def test_a_run_with_itself_is_the_same(run):
    place = run("one", {"topic": {"energy_j": result(1), "table": {"columns": [["x", ""]], "rows": [[1]]}}})
    made = compare_runs(place, place)
    assert {row["verdict"] for row in made["topics"]["topic"].values()} == {"the same"}
    assert made["inputs"] == []


def test_records_are_compared_field_by_field(run):
    records = [{"scenario": "Server", "nodes": 1}, {"scenario": "Server", "nodes": 2, "software": "S 2"}]
    folders = [run(name, {"x": {"a": result(1)}}, inputs={"deployment": given(value, unit="")})
               for name, value in zip(("one", "other"), records, strict=True)]  # fmt: skip
    found = {row["name"]: (row["a"] and row["a"]["value"], row["b"]["value"]) for row in compare_runs(*folders)["inputs"]}
    assert found == {"deployment.nodes": (1, 2), "deployment.software": (None, "S 2")}
