"""A year of a meter at 1 Hz: its log, and its energy against a plain pandas read and a trapezoid.

``python -m tests.bench.year_log FILE [DAYS]`` writes such a log: 365 days are 31.5 million rows, about a gigabyte.
"""


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
import json, sys
from joulebook.cli import main
sys.argv = ["joulebook", "meter", sys.argv[1], "--kind", "instantaneous", "--boundary", "server", "--json"]
main()
"""


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
