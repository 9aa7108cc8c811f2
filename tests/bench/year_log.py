"""A year of a meter at 1 Hz: its log, and its energy against a plain pandas read and a trapezoid.

``python -m tests.bench.year_log FILE [DAYS]`` writes such a log: 365 days are 31.5 million rows, about a gigabyte.
"""

import json
import sys
from math import isclose
from pathlib import Path
from time import perf_counter

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv

DAYS, SECONDS = 365, 86400
FIRST = np.datetime64("2025-01-01T00:00:00", "s")
SEED = 20250101
PLAIN = """
import sys
import numpy as np, pandas as pd
log = pd.read_csv(sys.argv[1], parse_dates=["timestamp"])
seconds = (log["timestamp"] - log["timestamp"].iloc[0]).dt.total_seconds().to_numpy()
print(repr(float(np.trapezoid(log["power_w"].to_numpy(), seconds))))
"""
OURS = """
import sys
from joulebook.cli import main
sys.argv = ["joulebook", "meter", sys.argv[1], "--kind", "instantaneous", "--boundary", "server", "--json"]
try:
    main()
except SystemExit as end:
    if end.code:
        raise
"""

ENDS = "\nimport resource\nprint('peak', resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
MOST_MB = 1500


def write_log(path, days=DAYS):
    """Write the log of so many days: a timestamp in UTC, power with a daily course and noise, in steps of 0.1 W."""
    noise = np.random.default_rng(SEED)
    with path.open("wb") as file:
        for day in range(days):
            seconds = np.arange(SECONDS) + day * SECONDS
            times = pa.array(FIRST + seconds.astype("timedelta64[s]"), pa.timestamp("s", "UTC"))
            power = np.round(900 + 300 * np.sin(2 * np.pi * seconds / SECONDS) + noise.normal(0, 20, SECONDS), 1)
            columns = {"timestamp": times, "power_w": power, "meter": pa.array(["pdu-a"] * SECONDS)}
            table = pa.table(columns)
            csv.write_csv(table, file, csv.WriteOptions(include_header=day == 0, quoting_style="none"))


def year_log(bench):
    """The energy of a year of seconds; both must give the same, and ours in bounded memory."""
    path = bench.folder / "year.csv"
    if not path.exists():
        write_log(path)
    times, energies = [], []
    for code in (PLAIN, OURS):
        start = perf_counter()
        said = bench.output([sys.executable, "-c", code + ENDS, path])
        times.append(perf_counter() - start)
        energies.append(float(said) if code is PLAIN else json.loads(said)["channels"][0]["energy_j"])
    memory = [int(text) / 1024 for text in bench.said[-2:]]
    if not isclose(*energies, rel_tol=1e-12):
        sys.exit(f"year-log: {energies} J are not the same")
    if memory[1] > MOST_MB:
        sys.exit(f"year-log: {memory[1]:.0f} MB are more than {MOST_MB}")
    bench.remarks["year-log"] = f"peak memory {memory[0]:.0f} MB in pandas, {memory[1]:.0f} MB in ours"
    return tuple(times)


ROWS = {"year-log": ("joulebook meter: a year at 1 Hz", "pandas.read_csv and a trapezoid", year_log)}

if __name__ == "__main__":
    write_log(Path(sys.argv[1]), *map(int, sys.argv[2:]))
