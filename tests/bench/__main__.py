"""Paired rounds of a plain baseline and of ours, as a table and in ``_build/bench.json``: ``make bench``."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from joulebook.publish.book import kept
from joulebook.publish.files import write_whole
from joulebook.workbook import ROOT
from tests.bench import arithmetic, mlperf, year_log
from tests.bench.topics import lay_out

BUILD = ROOT / "_build"
COMMAND = [sys.executable, "-c", "from joulebook.cli import main; main()"]
PEAK = "import atexit, resource, sys; of = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss; "
PEAK += "atexit.register(lambda: print('peak', of(), file=sys.stderr)); "  # [kB]
WATCHED = [*COMMAND[:2], PEAK + COMMAND[2]]
EMPTY = [sys.executable, "-c", "pass"]
CLIENTS = ("chat-assistant", "document-batch", "edge-sensor")
ONE_INPUT = "api_price_per_million_output"  # of one topic
ONE_TOPIC = "cost_per_token"


class Bench:
    """The files that rows work on, and the times of their rounds.

    Parameters
    ----------
    folder : pathlib.Path
        A folder of its own.
    """

    def __init__(self, folder):
        self.folder = folder
        self.environment = {**os.environ, "JOULEBOOK_STORE": str(folder / "store")}
        self.sets, self.clients, self.rounds, self.times = {}, {}, {}, {}
        self.said, self.remarks = [], {}

    def round(self, number):
        """The bench in a round; rows that need the same time of topics share it."""
        self.times = self.rounds.setdefault(number, {})
        return self

    def seconds(self, command):
        """Wall time of a process, start and end included. [s]"""
        start = perf_counter()
        self.output(command)
        return perf_counter() - start

    def output(self, command):
        """What a process prints."""
        done = subprocess.run([*map(str, command)], cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
        self.said += re.findall(r"^peak (\d+)$", done.stderr, re.M)
        return done.stdout

    def topics(self, way, number, workers=1):
        """Seconds of so many topics executed in one of the ways of `tests.bench.topics`; once a round."""
        made = (way, number, workers)
        if made not in self.times:
            self.times[made] = self._topics(*made)
        return self.times[made]

    def _topics(self, way, number, workers):
        if number not in self.sets:
            self.sets[number] = self.folder / f"topics-{number}"
            lay_out(self.sets[number], number)
        return self.seconds([sys.executable, "-m", "tests.bench.topics", way, self.sets[number], workers])

    def folders(self, number):
        """So many client folders, copies of the examples by turns, each with a price of its own."""
        if number not in self.clients:
            self.clients[number] = []
            for place in range(number):
                source = ROOT / "data" / "clients" / CLIENTS[place % len(CLIENTS)]
                folder = self.folder / f"clients-{number}" / f"client{place:03d}"
                shutil.copytree(source, folder)
                path = folder / "client.yml"
                text = path.read_text(encoding="utf-8")
                apart = re.sub(r"^(  quality: )[^#\n]*", rf"\g<1>copy {place}", text, flags=re.M)
                if apart == text:
                    sys.exit(f"{source}: no label to tell its copies apart by")
                path.write_text(apart, encoding="utf-8")
            self.clients[number] = sorted((self.folder / f"clients-{number}").iterdir())
        return self.clients[number]

    def run(self, number, *words, fresh=False, command=COMMAND):
        """Seconds of ``joulebook run`` over so many clients."""
        if fresh:
            for name in ("store", "runs"):
                shutil.rmtree(self.folder / name, ignore_errors=True)
        return self.seconds([*command, "run", *self.folders(number), "--out", self.folder / "runs", *words])


def papermill(number, workers):
    """Topics against a loop over papermill."""

    def row(bench):
        baseline = bench.topics("plain", number)
        return baseline, bench.topics("ours", number, workers), bench.topics("floor", number)

    return row


def two_workers(bench):
    """Two workers against one."""
    return bench.topics("ours", 32), bench.topics("ours", 32, 2)


def unchanged(bench):
    """A re-run against the first run."""
    return bench.run(32, fresh=True), bench.run(32)


def one_input(bench):
    """A re-run after one input changed against the first run; only its topic may be executed."""
    first = bench.run(8, fresh=True)
    words = ["--set", f"{ONE_INPUT}=0.7"]
    again = bench.run(8, *words, "--workers", 2)
    said = bench.output([*COMMAND, "run", *bench.folders(8), "--out", bench.folder / "runs", "--explain", "--dry-run"])
    executed = set(re.findall(r": (\w+) executed:", said))
    if executed - {ONE_TOPIC}:
        sys.exit(f"one-input: {executed} would be executed, not {ONE_TOPIC} alone")
    return first, again


def many_clients(bench):
    """Time of 64 clients against eight times that of 8; the memory of the parent is told beside it."""
    times = [bench.run(number, fresh=True, command=WATCHED) for number in (8, 64)]
    memory = [int(text) / 1024 for text in bench.said[-2:]]
    bench.remarks["clients-64v8"] = f"the parent takes {memory[0]:.0f} MB for 8 clients, {memory[1]:.0f} MB for 64"
    return 8 * times[0], times[1]


def cli_start(bench):
    """The command line's help against an empty Python."""
    times = [(bench.seconds(EMPTY), bench.seconds([*COMMAND, "--help"])) for _ in range(5)]
    return tuple(min(column) for column in zip(*times, strict=True))


def pdf(bench):
    """A report of a run that is there against one that is executed first."""
    command = [*COMMAND, "report", bench.folders(8)[0], "--out", bench.folder / "runs"]
    for name in ("store", "runs"):
        shutil.rmtree(bench.folder / name, ignore_errors=True)
    return bench.seconds(command), bench.seconds(command)


def book(bench):
    """The public book of executed pages against `jupyter-book build` of the same pages."""
    stage = bench.folder / "stage"
    script = (
        "import sys\nfrom pathlib import Path\nfrom joulebook.publish.book import build\n"
        "run = build.build_pages\n"
        "build.build_again = lambda stage, *_: __import__('shutil').copytree(stage, sys.argv[1]) and run(stage)\n"
        "from joulebook.publish.outputs import public_book\npublic_book(Path(sys.argv[2]), Path(sys.argv[3]))\n"
    )
    places = [bench.folder / "book", bench.folder / "runs"]
    if not stage.exists():
        bench.output([sys.executable, "-c", script, stage, *places])  # executes what is due, and keeps the staged pages
    shutil.rmtree(stage / "_build", ignore_errors=True)
    shutil.rmtree(places[0] / kept.FOLDER, ignore_errors=True)
    plain = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", stage, "--all", "-W", "-n"]
    ours = "import sys\nfrom pathlib import Path\nfrom joulebook.publish.outputs import public_book\n"
    ours += "public_book(Path(sys.argv[1]), Path(sys.argv[2]))"
    return bench.seconds(plain), bench.seconds([sys.executable, "-c", ours, *places])


def book_warm(bench):
    """The public book with one executed page changed, built on what was kept, against the book from clean; both are the same."""
    script = (
        "import sys\nimport nbformat\nfrom pathlib import Path\nfrom joulebook.publish import outputs\n"
        "build, page = outputs.build_book, 'notebooks/carbon'\n"
        "def changed(pages, *words, **more):\n"
        "    notebook = nbformat.read(getattr(pages[page], 'path', pages[page]), 4)\n"
        "    notebook.cells[0].source += '\\n\\nOne more sentence.'\n"
        "    return build({**pages, page: notebook}, *words, **more)\n"
        "outputs.build_book = changed if sys.argv[3:] else build\n"
        "outputs.public_book(Path(sys.argv[1]), Path(sys.argv[2]))\n"
    )
    places = [bench.folder / "book", bench.folder / "runs"]
    command = [sys.executable, "-c", script, *places]
    bench.output(command)  # executes what is due, and leaves a book to build on
    warm = bench.seconds([*command, "changed"])
    there = _files(places[0] / "book")
    shutil.rmtree(places[0] / kept.FOLDER)
    cold = bench.seconds([*command, "changed"])
    if there != _files(places[0] / "book"):
        sys.exit("book-warm: a book that is built on the last one differs from one that is built from clean")
    return cold, warm


def _files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


ROWS = {
    "papermill-1x1": ("1 topic, 1 worker", "a loop over papermill", papermill(1, 1)),
    "papermill-8x1": ("8 topics, 1 worker", "a loop over papermill", papermill(8, 1)),
    "papermill-32x1": ("32 topics, 1 worker", "a loop over papermill", papermill(32, 1)),
    "papermill-32x2": ("32 topics, 2 workers", "a loop over papermill", papermill(32, 2)),
    "workers-2v1": ("32 topics, 2 workers", "1 worker", two_workers),
    "unchanged": ("32 clients run again", "their first run", unchanged),
    "one-input": ("8 clients run again, one input changed", "their first run", one_input),
    "clients-64v8": ("64 clients", "eight times 8 clients", many_clients),
    "cli-start": ("joulebook --help", "python -c pass", cli_start),
    "pdf": ("a report of a finished run", "a report that runs its topics first", pdf),
    "book": ("the public book, its topics executed before", "jupyter-book build of the same pages", book),
    "book-warm": ("the public book, one page changed", "the same book from clean", book_warm),
    **arithmetic.ROWS,
    **mlperf.ROWS,
    **year_log.ROWS,
}


def measured(name, bench, rounds):
    """One row: the median times of its rounds, and their ratios."""
    what, baseline, function = ROWS[name]
    made = [function(bench.round(number)) for number in range(rounds)]
    ratios = [row[0] / row[1] for row in made]
    columns = [median(column) for column in zip(*made, strict=True)]
    return {
        "id": name,
        "what": what,
        "baseline": baseline,
        "baseline_s": columns[0],
        "ours_s": columns[1],
        "ratio": {"min": min(ratios), "median": median(ratios), "max": max(ratios)},
        "floor_s": columns[2] if len(columns) > 2 else None,
    }


def main():
    """Measure the rows that were asked for."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("rows", nargs="*", choices=[[], *ROWS], help="only these")
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    rows = []
    print(f"{'':16}{'baseline':>12}{'ours':>12}{'ratio: min':>12}{'median':>9}{'max':>9}{'floor':>10}")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        for name in asked.rows or ROWS:
            row = measured(name, bench, asked.rounds)
            rows.append(row)
            floor = "" if row["floor_s"] is None else f"{row['floor_s']:8.3f} s"
            times, ratio = f"{row['baseline_s']:10.4f} s{row['ours_s']:10.4f} s", row["ratio"]
            print(f"{name:16}{times}{ratio['min']:12.2f}{ratio['median']:9.2f}{ratio['max']:9.2f}{floor:>10}", flush=True)
            remark = f"; {bench.remarks[name]}" if name in bench.remarks else ""
            print(f"    {row['what']}, against {row['baseline']}{remark}", flush=True)
    BUILD.mkdir(exist_ok=True)
    write_whole(BUILD / "bench.json", json.dumps({"rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
