"""``make fuzz``: ``kill -9`` of a run at random instants, and broken files.

Nothing torn is ever seen of a run that is killed, and the last restart completes it. Of a broken file there is never a traceback.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

from joulebook.publish.archive import read_archive
from joulebook.publish.current import holds
from joulebook.workbook import ROOT
from tests.bench.__main__ import Bench
from tests.fuzz import broken

COMMAND = [sys.executable, "-c", "from joulebook.cli import main; main()", "run"]
ENDS_S = 5
SEED = 20260101


class Fuzz:
    """A batch of clients, and a mark by which its processes are known."""

    def __init__(self, folder, clients):
        self.folder, self.mark = folder, uuid.uuid4().hex
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.clients = Bench(folder).folders(clients)

    def start(self, runs, store):
        """Start the batch."""
        environment = {
            **os.environ,
            "JOULEBOOK_STORE": str(self.folder / store),
            "JOULEBOOK_FUZZ": self.mark,
            "TMPDIR": str(self.temporary),
        }
        command = [*COMMAND, *self.clients, "--out", self.folder / runs]
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        return subprocess.Popen([*map(str, command)], cwd=ROOT, env=environment, **pipes)

    def complete(self, runs, store):
        """Run the batch to its end. [s]"""
        begin = time.monotonic()
        process = self.start(runs, store)
        _, errors = process.communicate()
        require(process.returncode == 0, f"the batch fails: {errors.decode()}")
        return time.monotonic() - begin

    def processes(self):
        """Processes of the batch that are there."""
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            try:
                ours = self.mark.encode() in (place / "environ").read_bytes()
                state = (place / "stat").read_text().rsplit(")", 1)[1].split()[0]
            except OSError:
                continue
            if ours and state != "Z":
                found.append(place.name)
        return found

    def require_gone(self, what):
        """All processes of the batch end soon."""
        end = time.monotonic() + ENDS_S
        while self.processes() and time.monotonic() < end:
            time.sleep(0.05)
        require(not self.processes(), f"{what}: processes {self.processes()} are left")

    def require_whole(self, what):
        """Every run folder that can be seen is whole."""
        for folder in (self.folder / "runs").glob("[!.]*"):
            archive = read_archive(folder)
            require(archive.record.holds == holds(folder), f"{what}: {folder.name} is torn")


def require(condition, words):
    """End with an error unless something holds."""
    if not condition:
        sys.exit(words)


def contents(folder):
    """Bytes of all files below a folder."""
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def main():
    """Kill, restart, and compare with an undisturbed run."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--inputs", type=int, default=20000, help="broken files of each format")
    asked = parser.parse_args()
    broken.main(asked.inputs)
    instants, killed, whole = random.Random(SEED), 0, 0
    with tempfile.TemporaryDirectory() as place:
        fuzz = Fuzz(Path(place), asked.clients)
        duration = fuzz.complete("undisturbed", "store-undisturbed")
        print(f"undisturbed: {duration:.1f} s for {asked.clients} clients", flush=True)
        while killed < asked.kills:
            process = fuzz.start("runs", "store")
            try:
                process.wait(instants.uniform(0, duration))
                errors = process.stderr.read().decode()
                require(process.returncode == 0, f"after {killed} kills: {errors}")
                whole += 1  # it was faster: from the beginning again
                require(contents(fuzz.folder / "runs") == contents(fuzz.folder / "undisturbed"), "not as undisturbed")
                for name in ("runs", "store"):
                    shutil.rmtree(fuzz.folder / name)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                killed += 1
                fuzz.require_gone(f"kill {killed}")
                fuzz.require_whole(f"kill {killed}")
            process.stderr.close()
        fuzz.complete("runs", "store")
        fuzz.require_gone("the last restart")
        require(contents(fuzz.folder / "runs") == contents(fuzz.folder / "undisturbed"), "not as undisturbed")
        left = [path.name for name in ("runs", "store") for path in (fuzz.folder / name).glob(".*")]
        left += [path.name for path in fuzz.temporary.iterdir()]
        require(not left, f"{left} are left")
    print(f"{killed} kills, {whole} batches completed between them, the last restart as undisturbed; nothing is left")


if __name__ == "__main__":
    main()
