"""A changed data file, a changed line of the package and a changed pin always show: in a copy of the workbook, end to end.

Cases J10, J11 and J15 were met by users of jupyter-book.
"""

import json
import os
import shutil
import subprocess
import sys

import pytest

from joulebook.workbook import ROOT

PARTS = ("_config.yml", "_toc.yml", "requirements.txt", "book", "data", "joulebook", "notebooks")
CLIENT = """client: Acme
prepared: 2026-11-30
currency: USD
topics: [cost_per_token]
labels: {workload: w, unit_of_work: output_token, quality: as served, scenario: Offline, window: w, boundary: server}
inputs:
  throughput_per_s: 5000
  active_power_w: 1000
  idle_power_w: 400
  pue: 1.3
  electricity_price_per_kwh: 0.12
  utilization: 0.4
  utilization_is: duty
  annual_volume: 6.3e10
  tariff_csv: tariff.csv
  tariff_timezone: UTC
  tariff_clock: local
  load_profile_csv: load.csv
"""
TARIFF = "days,begin,end,price_per_kwh\nall,00:00,24:00,0.20\n"
LOAD = "timestamp,utilization\n" + "".join(f"2026-06-01T{hour:02d}:00:00+00:00,0.5\n" for hour in range(24))


class Copy:
    """A copy of the workbook with one client, and its command line."""

    def __init__(self, root):
        self.root, self.client = root, root / "clients" / "acme"
        for name in PARTS:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, root / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copyfile(source, root / name)
        self.client.mkdir(parents=True)
        for name, text in (("client.yml", CLIENT), ("tariff.csv", TARIFF), ("load.csv", LOAD)):
            (self.client / name).write_text(text, encoding="utf-8")

    def __call__(self, *words, code=0):
        """Output and error stream of a command."""
        environment = {**os.environ, "PYTHONPATH": str(self.root), "JOULEBOOK_STORE": str(self.root / "store")}
        command = [sys.executable, "-c", "from joulebook.cli import main; main()", *words]
        done = subprocess.run(command, cwd=self.root, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout, done.stderr

    def run(self):
        """The one topic's results after a run, and why it was executed or not."""
        said, _ = self("run", "clients/acme", "--explain")
        results = json.loads((self.root / "runs" / "acme" / "results.json").read_bytes())["topics"]["cost_per_token"]
        return {name: entry.get("value") for name, entry in results.items()}, said.splitlines()[0]

    def edit(self, path, before, after):
        """Replace text of a file that holds it."""
        text = (self.root / path).read_text(encoding="utf-8")
        assert before in text
        (self.root / path).write_text(text.replace(before, after), encoding="utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    return Copy(tmp_path_factory.mktemp("copy"))


def test_what_changes_shows(copy):
    first, why = copy.run()
    # hand: 1000 W * 1.3 / 5000 per s * 1e6 / 3.6e6 * 0.12
    assert first["cost_per_million"] == pytest.approx(1000 * 1.3 / 5000 / 3.6 * 0.12, rel=1e-12)
    assert first["mean_price_paid_per_kwh"] == pytest.approx(0.20, rel=1e-12)
    assert why.endswith("executed: it has no earlier run")
    assert copy.run() == (first, "Acme: cost_per_token not executed: nothing that it depends on has changed")
    copy.edit("clients/acme/tariff.csv", "0.20", "0.40")
    doubled, why = copy.run()
    assert doubled["mean_price_paid_per_kwh"] == pytest.approx(0.40, rel=1e-12)
    assert why.endswith("executed: another content of tariff_csv")
    copy.edit("joulebook/units.py", "SECONDS_PER_HOUR = 3600.0", "SECONDS_PER_HOUR = 1800.0")
    half, why = copy.run()
    assert half["cost_per_million"] == pytest.approx(2 * first["cost_per_million"], rel=1e-12)
    assert why.endswith("executed: changed joulebook/units.py")
    copy.edit("requirements.txt", "numpy==", "numpy==0")
    _, why = copy.run()
    assert why.endswith("executed: requirements.txt changed")
    copy.edit("joulebook/method/idle_amortization.py", '"""', '"""\n')  # another topic's
    assert "not executed" in copy.run()[1]


def test_words_and_names_of_pages_show_in_the_book(copy):
    copy.run()
    page = copy.root / "runs" / "acme" / "book" / "notebooks" / "cost_per_token.html"
    copy.edit("notebooks/cost_per_token.md", "does an own system pay", "is owning a system worth it")
    copy("book", "clients/acme")
    assert "is owning a system worth it" in page.read_text(encoding="utf-8")  # J10
    (copy.root / "book" / "rerun.md").rename(copy.root / "book" / "again.md")
    for path in [copy.root / "_toc.yml", *copy.root.glob("book/*.md"), *copy.root.glob("notebooks/*.md")]:
        text = path.read_text(encoding="utf-8").replace("book/rerun", "book/again").replace("(rerun.md", "(again.md")
        path.write_text(text, encoding="utf-8")
    copy("book", "clients/acme")  # J11: a record of the old name stopped the build
    assert (copy.root / "runs" / "acme" / "book" / "book" / "again.html").exists()
    assert not (copy.root / "runs" / "acme" / "book" / "book" / "rerun.html").exists()
    copy.edit("book/again.md", "# ", "# {no-such-role}`x` ")
    said = [copy("book", "clients/acme", code=1)[1] for _ in range(2)]
    assert said[0] == said[1]  # J15
    assert "no-such-role" in said[0]
