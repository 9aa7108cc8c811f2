"""A sample of requests, and the energy of runs at several mixes of tokens."""

import pandas as pd

from joulebook.units import NUMBER


def _requests(sheet):
    sheet.least(1)
    both = pd.concat([sheet.cells[name] for name in ("start", "end") if sheet.has(name)] or [pd.Series(dtype="str")])
    seconds = len(both) > 0 and both[both != ""].str.fullmatch(NUMBER).all()
    start, end = (sheet.number(name) if seconds else sheet.stamps(name) for name in ("start", "end"))
    sheet.rows(end < start, "ends before it starts", "end", "an end that is not before the start")
    ok, right = sheet.matching("ok", "true|false|True|False|TRUE|FALSE", "neither true nor false", "true or false")
    tokens = {name: sheet.number(name, low=0, whole=True) for name in ("input_tokens", "output_tokens")}
    return pd.DataFrame({"start": start, "end": end, "ok": ok.str.lower().eq("true") & right, **tokens})


def _energy_windows(sheet):
    sheet.least(3)  # as many as there are unknowns at most
    counts = {name: sheet.number(name, low=0, whole=True) for name in ("input_tokens", "output_tokens", "requests")
              if name != "requests" or sheet.has(name)}
    return pd.DataFrame({**counts, "energy_j": sheet.number("energy_j", above=0)})


TABLES = {
    "requests_csv": ([(("start", "end", "ok", "input_tokens", "output_tokens"), ())], _requests),
    "energy_windows_csv": ([(("input_tokens", "output_tokens", "energy_j"), ("requests",))], _energy_windows),
}
CHECKS = ()
