"""The file of a load generator, as a table of its requests."""

import numpy as np
import pandas as pd

from joulebook.intake.load import CLOCKS, read_load

COLUMNS = ("start", "end", "ok", "input_tokens", "output_tokens", "ttft_s", "tpot_s", "latency_s")


def requests_table(path, shown=None):
    """Read the file of a load generator into the columns of ``requests_csv``.

    Parameters
    ----------
    path : pathlib.Path
        A file that `joulebook.intake.load.read_load` knows.
    shown : str, optional
        How the user named it.

    Returns
    -------
    pandas.DataFrame
        A row a request with `COLUMNS`: `start` and `end` in UTC, or in bare seconds (nan where the file does not have them), the
        rest as in `joulebook.method.request_totals.Requests`. No row where the file has totals alone. In `attrs` stand
        ``generator``, ``clock`` and what it is in words (``clock_in_words``), ``stated``, ``counted``, ``missing``, ``left_out``
        and ``notes`` of the `joulebook.intake.load.Load`.

    Raises
    ------
    InputError
        As `read_load`.
    """
    return as_table(read_load(path, shown))


def as_table(load):
    """The requests of a `joulebook.intake.load.Load` as `requests_table` gives them."""
    table = pd.DataFrame({name: [] for name in COLUMNS}, dtype=float).astype({"ok": bool})
    if load.requests is not None:
        columns = {"start": load.requests.start_s, "end": load.requests.end_s,
                   **{name: getattr(load.requests, name) for name in COLUMNS[2:]}}
        if load.origin is not None:
            columns |= {name: _stamps(columns[name], load.origin) for name in ("start", "end")}
        table = pd.DataFrame(columns)
    table.attrs = {"generator": load.generator, "clock": load.clock, "clock_in_words": CLOCKS[load.clock], "stated": load.stated,
                   "counted": load.counted, "missing": load.missing, "left_out": load.left_out, "notes": list(load.notes)}
    return table


def _stamps(times_s, origin):
    known = np.isfinite(times_s)
    nanoseconds = np.round(np.where(known, times_s, 0) * 1e9).astype("timedelta64[ns]")
    stamps = np.where(known, np.datetime64(origin, "ns") + nanoseconds, np.datetime64("NaT", "ns"))
    return pd.DatetimeIndex(stamps, tz="UTC")


FILES = {"load_file": requests_table}
