"""The command line as a user meets it: exit codes, one readable block, never a traceback."""

import csv
import io
import json
import subprocess
import sys

import nbformat
import pytest

from joulebook.workbook import ROOT

from .conftest import SHARED

CLIENT = """\
client: Acme
prepared: 2026-11-30
currency: EUR
labels: {unit_of_work: output_token, boundary: server}
inputs:
  throughput_per_s: 5000
  active_power_w: 1 kW
  electricity_price_per_kwh: 0.12
  pue: 1.3
"""
ONE = CLIENT + "topics: [cost_per_token]\n"
DAMAGED = """\
{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "id": "a", "metadata": {},
 "source": "", "execution_count": 1, "outputs": [{"output_type": "display_data", "data": {},
 "metadata": {"joulebook": {"kind": "results", "data": [{"value": 1}]}}}]}]}
"""
COMMANDS = ("new", "check", "params", "run", "meter", "mlperf", "book", "report", "export", "verify", "compare", "serve")


@pytest.fixture
def client(tmp_path):
    def write(text=CLIENT, name="acme"):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "client.yml").write_text(text, encoding="utf-8")
        return folder

    return write


def test_a_correct_client_passes(joulebook, client):
    code, said, _ = joulebook("check", client())
    assert code == 0
    assert "Acme: all right, 5 inputs given for cost_per_token" in said
    assert "left out: boundary_ladder, which needs boundary_csv" in said


def test_check_says_what_has_expired_and_what_that_means(joulebook, client):
    old = CLIENT.replace("0.12", "{value: 0.12, as_of: 2025-04-30}").replace("1.3", "{value: 1.3, expires: 2026-11-01}")
    code, said, _ = joulebook("check", client(old + "use_expired: {pue: '[bold]same[/bold] hall', active_power_w: new}\n"))
    said = " ".join(said.split())
    assert code == 0
    assert "expired 2026-04-30: electricity_price_per_kwh, as of 2025-04-30, shown, not used for pricing" in said
    assert "expired 2026-11-01: pue, used for pricing all the same: [bold]same[/bold] hall" in said
    assert "use_expired: active_power_w has not expired, without effect" in said


# One change of the correct client, and what the error must say.
MUTATIONS = {
    "misspelt": ("pue: 1.3", "peu: 1.3", ["peu: no such parameter", "did you mean pue?"], 9),
    "missing": ("  throughput_per_s: 5000\n", "", ["throughput_per_s: missing"], None),
    "twice": ("  pue: 1.3", "  pue: 1.3\n  pue: 1.4", ["pue"], 10),
    "wrong dimension": ("1 kW", "1 kWh", ["active_power_w: wrong dimension"], 7),
    "negative": ("5000", "-5000", ["throughput_per_s: out of limits", "above 0"], 6),
    "below 1": ("pue: 1.3", "pue: 0.9", ["pue: out of limits", "at least 1"], 9),
    "nan": ("pue: 1.3", "pue: .nan", ["pue: not a number"], 9),
    "infinite": ("pue: 1.3", "pue: .inf", ["pue: infinite"], 9),
    "comma": ("0.12", "0,12", ["electricity_price_per_kwh", "no commas"], 8),
    "percent": ("pue: 1.3", "pue: 130%", ["pue", "percent"], 9),
    "clock time": ("pue: 1.3", "pue: 22:30", ["pue", "quotes"], 9),
    "text": ("pue: 1.3", 'pue: "1.3"', ["pue: text where a number is due"], 9),
    "code as a name": ("  pue: 1.3", '  pue: 1.3\n  "pue = 1; import os": 1', ["pue = 1; import os: no such parameter"], 10),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_each_mutation_is_named(joulebook, client, name):
    before, after, said, line = MUTATIONS[name]
    folder = client(CLIENT.replace(before, after))
    code, out, err = joulebook("check", folder)
    assert code == 2, out
    for words in said:
        assert words in err, err
    if line:
        assert f"client.yml:{line}" in err, err
    assert "Traceback" not in err


def test_a_topic_is_due_where_anything_is_given_that_it_alone_requires(joulebook, client):
    # accuracy_cost alone requires operating points and a quality target; half of that is a mistake, not an omission
    code, _, err = joulebook("check", client(CLIENT + "  quality_target_pct: 99\n"))
    assert code == 2
    assert "operating_points_csv: missing: accuracy_cost needs it" in err


def test_topics_that_are_listed_are_due(joulebook, client):
    code, _, err = joulebook("check", client(CLIENT + "topics: [boundary_ladder]\n"))
    assert code == 2
    assert "boundary_csv: missing: boundary_ladder needs it" in err


def test_a_list_at_the_top_is_refused(joulebook, client):
    code, _, err = joulebook("check", client("- client: Acme\n"))
    assert code == 2
    assert "client.yml:1" in err
    assert "Traceback" not in err


def test_problems_come_all_at_once(joulebook, client):
    code, _, err = joulebook("check", client(CLIENT.replace("1.3", "0.5").replace("5000", "-1").replace("EUR", "EURO")))
    assert code == 2
    assert all(words in err for words in ("pue", "throughput_per_s", "currency"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("check", "no/such/folder"), "no/such/folder"),
        (("run", "data/clients/chat-assistant", "--topic", "cost_per_tokne"), "did you mean cost_per_token?"),
        (("run", "data/clients/chat-assistant", "--set", "peu=1"), "did you mean pue?"),
        (("params", "cost_per_tokne"), "did you mean cost_per_token?"),
        (("mlperf", "no/such/tree"), "no/such/tree"),
        (("mlperf", "data", "--json", "--csv"), "exclude each other"),
        (("report", "no/such/folder"), "no/such/folder"),
        (("book", "no/such/folder"), "no/such/folder"),
        (("run", "--tpoic", "x", "y"), "--topic"),
        (("rnu",), "No such command"),
    ],
)
def test_bad_words_exit_2(joulebook, monkeypatch, words, said):
    monkeypatch.chdir(ROOT)
    code, _, err = joulebook(*words)
    assert code == 2
    assert said in err
    assert "Traceback" not in err


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(joulebook, command):
    code, out, _ = joulebook(command, "--help")
    assert code == 0
    assert f"joulebook {command}" in out.replace("Usage: joulebook", "")


def test_params_name_unit_limits_and_meaning(joulebook):
    code, out, _ = joulebook("params", "cost_per_token")
    assert code == 0
    assert "pue  a number, at least 1; required" in out
    assert "max_utilization  a number, above 0, at most 1; default 0.8" in out
    assert "servers  a whole number, at least 1; default 1\n" in out
    code, out, _ = joulebook("params")
    assert code == 0
    assert "utilization_is  duty or load; default load" in out
    assert "boundary_csv  a path inside the client folder; required\n" in out
    assert "pue  a number, at least 1; required by cost_per_token" in out


def test_a_run_and_what_it_says(joulebook, client, tmp_path):
    code, out, err = joulebook("run", client(), "--out", tmp_path / "runs", "--set", "pue=1.5")
    assert code == 0
    assert "Acme: cost_per_token, sensitivity done" in out
    assert "Acme: boundary_ladder left out, it needs boundary_csv" in err
    results = json.loads((tmp_path / "runs" / "acme" / "results.json").read_text(encoding="utf-8"))
    # 1 kW * 1.5 * 0.12 / 18 M
    assert results["topics"]["cost_per_token"]["cost_per_million"]["value"] == pytest.approx(0.01)


def test_a_report_follows_its_settings_and_a_run_is_taken_as_it_is(joulebook, client, tmp_path):
    from pypdf import PdfReader

    def words(path):
        return "".join(page.extract_text() for page in PdfReader(path).pages)

    out = tmp_path / "runs"
    code, said, _ = joulebook("report", client(ONE), "--set", "pue=1.5", "--out", out)
    assert (code, said.strip()) == (0, str(out / "acme" / "acme.pdf"))
    assert "0.01\n" in words(out / "acme" / "acme.pdf")  # 1 kW * 1.5 * 0.12 / 18 M
    code, said, _ = joulebook("report", out / "acme")
    assert code == 0
    assert "--set on the command line" in words(out / "acme" / "acme.pdf")
    code, _, err = joulebook("report", out / "acme", "--set", "pue=1.6")
    assert code == 2
    assert "a finished run takes no other inputs" in err


def test_a_report_that_cannot_be_made_holds_up_no_other(joulebook, client, tmp_path):
    code, said, err = joulebook("report", tmp_path / "nothing", client(), tmp_path / "nowhere", "--out", tmp_path / "runs")
    assert code == 2
    assert said.strip() == str(tmp_path / "runs" / "acme" / "acme.pdf")
    assert "nothing/client.yml" in err
    assert "nowhere/client.yml" in err


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("run.json", "{}", "run.json: client: damaged: field required"),
        ("run.json", "[1", "run.json: damaged: cannot be read as JSON"),
        ("cost_per_token.ipynb", None, "cost_per_token.ipynb: missing from the run"),
        ("cost_per_token.ipynb", "{}", "cost_per_token.ipynb: damaged: no executed notebook of a topic"),
        ("cost_per_token.ipynb", DAMAGED, "cost_per_token.ipynb: damaged: no executed notebook of a topic"),
    ],
)
def test_a_report_of_a_damaged_run_names_what_is_damaged(joulebook, client, tmp_path, name, content, words):
    out = tmp_path / "runs"
    assert joulebook("run", client(), "--out", out)[0] == 0
    place = out / "acme" / name
    place.unlink() if content is None else place.write_text(content, encoding="utf-8")
    held = (out / "acme" / "results.json").read_bytes()
    code, _, err = joulebook("report", out / "acme")
    assert code == 2
    assert words in " ".join(err.split())
    assert "fault of the program" not in err
    assert (out / "acme" / "results.json").read_bytes() == held


def test_a_clients_words_are_printed_as_they_are(joulebook, client):
    name = "[bold]Acme[/bold] :house: [/x]"
    code, said, _ = joulebook("check", client(CLIENT.replace("client: Acme", f"client: '{name}'")))
    assert code == 0
    assert name in said


def test_a_run_that_fails_exits_1_and_names_client_and_topic(joulebook, client, tmp_path, monkeypatch):
    from nbformat.v4 import new_code_cell

    from joulebook.publish import execute

    load = execute.load

    def with_a_fault(path):
        notebook = load(path)
        notebook.cells.append(new_code_cell("1 / 0"))
        return notebook

    monkeypatch.setattr(execute, "load", with_a_fault)
    monkeypatch.setenv("JOULEBOOK_STORE", str(tmp_path / "store"))
    code, _, err = joulebook("run", client(), "--out", tmp_path / "runs")
    assert code == 1
    assert "Acme: cost_per_token: cell" in err
    assert "ZeroDivisionError: division by zero" in err
    assert "Traceback" not in err
    assert not (tmp_path / "runs" / "acme" / "cost_per_token.ipynb").exists()


def test_no_place_to_write_exits_1(joulebook, client, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = joulebook("run", client(), "--out", tmp_path / "file" / "runs")
    assert code == 1
    assert "cannot be written" in err


@pytest.mark.skipif(not (SHARED / "mlperf" / "samples").exists(), reason="the folder of real MLPerf logs is not here")
def test_mlperf_as_json_and_csv(joulebook):
    code, out, err = joulebook("mlperf", SHARED / "mlperf" / "samples", "--json")
    rows = json.loads(out)
    assert (code, len(rows)) == (0, 18)  # 14 of inference, 2 of Tiny, 2 of Training
    assert err == ""
    assert {row["suite"] for row in rows} == {"inference", "tiny", "training"}
    code, out, _ = joulebook("mlperf", SHARED / "mlperf" / "samples", "--csv")
    table = list(csv.DictReader(io.StringIO(out)))
    assert (code, len(table)) == (0, 18)
    assert {"avg_power_w", "integral_energy_j", "max_gap_s"} <= set(table[0])


def test_by_hand_with_papermill(tmp_path):
    # 1 kW * 1.5 * 0.12 / 18 M; such a value has no provenance
    convert = f"{sys.executable} -m jupytext --to ipynb -o - notebooks/cost_per_token.md"
    run = f"{convert} | {sys.executable} -m papermill - {tmp_path}/out.ipynb -p pue 1.5"
    done = subprocess.run(run, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made = nbformat.read(tmp_path / "out.ipynb", as_version=4)
    records = {}
    for cell in made.cells:
        for output in cell.get("outputs", []):
            piece = output.get("metadata", {}).get("joulebook", {})
            if piece.get("kind") == "results":
                records |= {record["name"]: record for record in piece["data"]}
            if piece.get("kind") == "inputs":
                records |= {record["name"]: record for record in piece["data"]["records"]}
    assert records["cost_per_million"]["value"] == pytest.approx(0.01)
    assert records["pue"]["source"] == "given by hand"
    assert "papermill - out.ipynb -p pue 1.5" in made.cells[-1].source


def test_many_clients_a_summary_and_one_that_fails(joulebook, client, tmp_path, monkeypatch):
    monkeypatch.delenv("JOULEBOOK_STORE")
    good, bad = client(ONE, name="good"), client(CLIENT.replace("pue:", "peu:"), name="bad")
    code, said, err = joulebook("run", good, bad, "--out", tmp_path / "runs", "--workers", "2")
    assert code == 2
    assert "bad/client.yml" in err
    assert "did you mean pue?" in err
    assert (tmp_path / "runs" / "good" / "results.json").exists()
    rows = [line.split() for line in said.splitlines()]
    assert ["client", "executed", "unchanged", "failed"] in rows
    assert ["bad", "0", "0", "inputs"] in rows
    assert ["Acme", "1", "0", "0"] in rows


def test_what_is_unchanged_is_said_and_why(joulebook, client, tmp_path, monkeypatch):
    monkeypatch.delenv("JOULEBOOK_STORE")
    out, folder = tmp_path / "runs", client(ONE)
    code, said, _ = joulebook("run", folder, "--out", out, "--dry-run")
    assert (code, said) == (0, "Acme: cost_per_token executed: it has no earlier run\n")
    assert not out.exists()
    assert joulebook("run", folder, "--out", out)[1] == f"Acme: cost_per_token done, in {out / 'acme'}\n"
    assert joulebook("run", folder, "--out", out)[1] == f"Acme: cost_per_token unchanged, in {out / 'acme'}\n"
    _, said, _ = joulebook("run", folder, "--out", out, "--set", "pue=1.5", "--explain", "--dry-run")
    assert said.startswith("Acme: cost_per_token executed: pue is 1.5, was 1.")


def test_the_store_is_shown_and_cleared(joulebook, client, tmp_path, monkeypatch):
    monkeypatch.delenv("JOULEBOOK_STORE")
    out = tmp_path / "runs"
    assert joulebook("run", client(ONE), "--out", out)[0] == 0
    code, said, _ = joulebook("store", "--out", out)
    assert code == 0
    assert said.startswith(f"{out / '.store'}: 1 executed notebooks, 0.")
    assert said.endswith(" of 2000 MB\n")
    assert joulebook("store", "--out", out, "--clear")[1] == f"1 executed notebooks removed from {out / '.store'}\n"
    monkeypatch.setenv("JOULEBOOK_STORE_MB", "much")
    code, _, err = joulebook("store", "--out", out)
    assert code == 2
    assert "JOULEBOOK_STORE_MB: no size; found 'much'; allowed: a number of megabytes" in " ".join(err.split())


@pytest.mark.parametrize("words", [("--workers", "0"), ("--workers", "two"), ("--timeout", "0")])
def test_numbers_that_are_none_exit_2(joulebook, client, words):
    code, _, err = joulebook("run", client(), *words)
    assert code == 2
    assert words[0] in err
