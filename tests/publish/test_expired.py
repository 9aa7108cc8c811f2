"""An expired price, from the client's file to the page, the PDF, the records, the comparison and the archive."""

import json

import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

from joulebook.publish.archive import collect_run, read_record
from joulebook.publish.book import Page
from joulebook.publish.book.client_pages import client_banner
from joulebook.publish.book.topic_page import for_reading
from joulebook.publish.collect import read_notebook, refresh
from joulebook.publish.compare import compare_runs
from joulebook.publish.outcome import require_all
from joulebook.publish.outputs import client_report
from joulebook.publish.run import run_client, runs_of
from joulebook.publish.verify import verify_run

REASON = 'the contract <b>runs on</b>, $5 #read("x")'
CLIENT = """\
client: Acme
prepared: 2026-11-30
currency: EUR
topics: [cost_per_token]
labels: {unit_of_work: output_token, boundary: server, workload: chat, quality: as served, scenario: Server, window: work phase}
inputs:
  throughput_per_s: {value: 5000, low: 4500, high: 5500, source: run 14}
  active_power_w: 1 kW
  idle_power_w: 400
  electricity_price_per_kwh: {value: 0.12, source: price list, evidence: published, as_of: 2025-04-30}
  pue: 1.3
  utilization: 0.4
  utilization_is: duty
  capital_cost: 250000
  lifetime_years: 4
  discount_rate: 0.08
"""
ALLOWED = CLIENT + f"use_expired: {{electricity_price_per_kwh: {json.dumps(REASON)}}}\n"
NOTE = "expired, not used for pricing: electricity_price_per_kwh (2026-04-30)"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Runs of the same client without and with a reason to price by what has expired."""
    root, made = tmp_path_factory.mktemp("expired"), {}
    for name, text in (("refused", CLIENT), ("allowed", ALLOWED)):
        folder = root / name
        folder.mkdir()
        (folder / "client.yml").write_text(text, encoding="utf-8")
        run = run_client(runs_of([folder])[0], root / "runs")
        require_all([run])
        made[name] = run.folder
    return made


def results(folder):
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))


def page(folder):
    notebook = read_notebook(folder / "cost_per_token.ipynb")
    refresh(notebook)
    made = for_reading(notebook, "notebooks/cost_per_token", Page(notebook, banner=client_banner(*said(folder))))
    shown = [output.data["text/html"] for cell in made.cells
             if cell.cell_type == "code" for output in cell.outputs if "text/html" in output.data]
    return BeautifulSoup("".join(shown), "html.parser")


def said(folder):
    return read_record(folder), collect_run(folder)


def test_an_expired_price_makes_no_money_anywhere(runs):
    topic, allowed = (results(runs[name])["topics"]["cost_per_token"] for name in ("refused", "allowed"))
    money = [name for name, result in allowed.items() if "EUR" in result.get("unit", "") and result["value"] is not None]
    rests = {result["name"] for row in results(runs["allowed"])["register"] if row["name"] == "electricity_price_per_kwh"
             for result in row["results"]}
    assert {"cost_per_million", "annual_cost_always_on", "ownership_cost_per_million", "energy_share"} <= rests
    for name in money:
        if name in rests:
            assert (topic[name]["value"], topic[name]["note"]) == (None, NOTE), name
        else:
            assert topic[name] == allowed[name], name
    assert topic["energy_share"]["value"] is None
    assert topic["ownership_parts"]["rows"] == []
    assert topic["energy_per_unit_j"] == allowed["energy_per_unit_j"]  # 1000 / 5000
    assert topic["energy_per_unit_j"]["value"] == pytest.approx(0.2)


def test_the_answer_says_why_there_is_none(runs):
    text = page(runs["refused"]).select_one("section.answer").get_text(" ")
    assert f"Not available: {NOTE}." in text
    assert "Expired, and not used for pricing: Electricity price (2026-04-30). What it would price is not available." in text


def test_the_answer_the_page_and_the_summary_say_what_is_used_and_why(runs):
    words = f"Expired, and used for pricing all the same: Electricity price (2026-04-30), because: {REASON}."
    shown = page(runs["allowed"])
    for place in (".answer .expired", ".banner .expired"):
        assert shown.select_one(place).get_text() == words
        assert shown.select_one(place).select("b") == []
    summary = PdfReader(client_report(runs["allowed"])).pages[1].extract_text()
    assert "".join(words.split()) in "".join(summary.split())


def test_the_register_tells_what_it_moves(runs):
    rows = {row["name"]: row for row in results(runs["allowed"])["register"]}
    (move,) = [move for move in rows["throughput_per_s"]["moves"] if move["name"] == "cost_per_million"]
    # 1000 W / T x 1e6 / 3.6e6 x 1.3 x 0.12 per kWh
    assert move["low"] == pytest.approx(1000 / 4500 / 3.6 * 1.3 * 0.12)
    assert move["high"] == pytest.approx(1000 / 5500 / 3.6 * 1.3 * 0.12)
    assert [row["group"] for row in rows.values()][:2] == ["unsourced", "unsourced"]
    assert rows["electricity_price_per_kwh"]["group"] == "expired"
    refused = {row["name"]: row for row in results(runs["refused"])["register"]}
    assert "cost_per_million" not in [move["name"] for move in refused["throughput_per_s"]["moves"]]
    lines = (runs["refused"] / "register.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(refused) + 1


def test_the_archive_verifies_and_the_runs_compare(runs):
    assert verify_run(runs["allowed"]).exit_code == 0
    made = compare_runs(runs["allowed"], runs["refused"])
    row = made["topics"]["cost_per_token"]["cost_per_million"]
    assert (row["verdict"], row["note"]) == ("not available", f"B: {NOTE}")
