"""Broken files of every known format, and trees: each is refused with an error that names it, or read, never a traceback."""

import sys
import tempfile
import warnings
from pathlib import Path

from tests.fuzz import load, meters, mlperf

# Each has CASES, the names of its formats, and try_file(name, seed, folder), which tells whether a broken file was read.
MODULES = (load, meters, mlperf)


def main(count):
    """Try some broken files of every format."""
    warnings.simplefilter("error")
    with tempfile.TemporaryDirectory() as place:
        for module in MODULES:
            for name in module.CASES:
                read = sum(module.try_file(name, seed, Path(place)) for seed in range(count))
                print(f"{name}: {count} broken files, {count - read} refused and {read} read", flush=True)
                if not 0 < read < count:
                    sys.exit(f"{name}: the changes do nothing, or everything")
