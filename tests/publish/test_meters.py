"""A client's meters on their way through a run: copied, injected, verified and compared."""

import csv
import io
import json
import shutil

import pytest

from joulebook.intake.client import read_client
from joulebook.publish.compare import compare_runs
from joulebook.publish.run import run_client
from joulebook.publish.verify import verify_run

CLIENT = """\
client: Acme
prepared: 2026-11-30
currency: EUR
topics: [metering]
labels: {workload: w, unit_of_work: query, quality: q, scenario: Server, window: work, boundary: server}
meters:
  - name: "=wall"
    files: [Acme secret b.csv, Acme secret a.csv]
    quantity: power
    unit: W
    kind: instantaneous
    boundary: server
"""


def log(begin, end):
    return "timestamp,power_w\n" + "".join(f"2026-03-31T10:{s // 60:02d}:{s % 60:02d}Z,200\n" for s in range(begin, end))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clients") / "acme"
    folder.mkdir()
    (folder / "client.yml").write_text(CLIENT)
    (folder / "Acme secret a.csv").write_text(log(0, 600))
    (folder / "Acme secret b.csv").write_text(log(600, 1201))
    run = run_client(read_client(folder), tmp_path_factory.mktemp("runs"))
    assert not run.failed, run.failed
    return folder, run.folder


def results(run):
    return json.loads((run / "results.json").read_text())["topics"]["metering"]


def test_the_energy_of_both_files_is_that_of_one_log(made):
    assert results(made[1])["energy_j"]["value"] == pytest.approx(240000.0, rel=1e-12)  # hand: 200 W x 1200 s


def test_copies_have_no_name_of_the_client(made):
    held = sorted(path.name for path in (made[1] / "inputs").iterdir())
    assert held == ["meters-1.csv", "meters-2.csv"]
    assert "secret" not in (made[1] / "metering.ipynb").read_text()


def test_the_timeline_stands_beside_the_records_and_runs_nothing(made):
    text = (made[1] / "timeline.csv").read_text()
    rows = list(csv.reader(io.StringIO(text)))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert not any(cell.startswith(("=", "@")) for row in rows for cell in row)
    assert "timeline.csv" in json.loads((made[1] / "run.json").read_text())["holds"]


def test_an_archived_run_with_meters_verifies(made, tmp_path):
    moved = tmp_path / "archived"
    shutil.copytree(made[1], moved)
    found = verify_run(moved)
    assert (found.exit_code, found.tampered, found.failed) == (0, [], {})
    (moved / "inputs" / "meters-2.csv").write_text(log(0, 599))
    assert any("inputs/meters-2.csv" in said for said in verify_run(moved).tampered)


def test_what_is_declared_of_meters_is_compared_by_key(made, tmp_path):
    folder = tmp_path / "acme"
    shutil.copytree(made[0], folder)
    (folder / "client.yml").write_text(CLIENT.replace("kind: instantaneous", "kind: on_change"))
    other = run_client(read_client(folder), tmp_path / "runs").folder
    found = compare_runs(made[1], other)["inputs"]
    assert {row["name"]: (row["a"]["value"], row["b"]["value"]) for row in found} == {
        "meters.=wall.kind": ("instantaneous", "on_change")
    }
