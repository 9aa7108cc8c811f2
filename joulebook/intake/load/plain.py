"""A CSV of requests, as anyone may write it: the columns of ``requests_csv``."""

import re

import numpy as np

from joulebook.intake.load.requests_csv import TABLE
from joulebook.intake.load.result import load
from joulebook.intake.sheet import table_of
from joulebook.method.request_totals import Requests, time_per_output_token

GENERATOR = "CSV of requests"
_COLUMNS = {"start", "end", "ok", "input_tokens", "output_tokens"}


def knows(text):
    """Whether a text begins with the names of such columns; what is wrong with them is told when it is read."""
    header = {cell.strip().strip('"') for cell in re.split(r"[,;|\t]", text.split("\n", 1)[0])}
    return len(_COLUMNS & header) > 1


def read(text, shown):
    """Read a CSV of requests.

    Parameters
    ----------
    text : str
        Its content.
    shown : str
        How the user named the file.

    Returns
    -------
    joulebook.intake.load.result.Load
        Requests in UTC where the stamps have offsets, else in bare seconds.
    """
    table = table_of(text, shown, *TABLE)
    dated, origin = table["start"].dtype.kind == "M", None
    start, end = table["start"], table["end"]
    if dated:
        first = start.min()
        origin = first.tz_convert(None).to_datetime64().astype("datetime64[ns]")
        start, end = ((stamps - first).dt.total_seconds() for stamps in (start, end))
    start, end = start.to_numpy(float), end.to_numpy(float)
    ok = table["ok"].to_numpy(bool)
    unknown = np.full(len(table), np.nan)
    ttft = table["ttft_s"].to_numpy(float) if "ttft_s" in table else unknown
    tokens = {name: table[name].to_numpy(float) for name in ("input_tokens", "output_tokens")}
    latency = np.where(ok, end - start, np.nan)
    tpot = table["tpot_s"].to_numpy(float) if "tpot_s" in table else time_per_output_token(latency, ttft, tokens["output_tokens"])
    requests = Requests(start, end, ok, **tokens, ttft_s=ttft, tpot_s=np.where(ok, tpot, np.nan), latency_s=latency)
    return load(GENERATOR, shown, "utc" if dated else "seconds", requests, origin=origin)
