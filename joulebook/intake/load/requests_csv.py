"""Requests with their tokens and times as a CSV of ours has them: the columns of ``requests_csv``."""

import re

import numpy as np

from joulebook.units import NUMBER

TIMES = ("ttft_s", "tpot_s")
_ROUNDING = 1e-3  # of the request, and a thousandth of a second: stamps are often written so


def _requests(sheet):
    sheet.least(1)
    both = [cell for name in ("start", "end") if sheet.has(name) for cell in sheet.cells[name]]
    seconds = both and all(map(re.compile(NUMBER).fullmatch, filter(None, both)))
    start, end = (sheet.number(name) if seconds else sheet.stamps(name) for name in ("start", "end"))
    sheet.rows(end < start, "ends before it starts", "end", "an end that is not before the start")
    times = {name: sheet.number(name, low=0, blank=True) for name in TIMES if sheet.has(name)}
    length = np.asarray(end - start if seconds else (end - start).total_seconds(), float)
    for name, values in times.items():
        sheet.rows(values > length * (1 + _ROUNDING) + _ROUNDING, "longer than the whole request", name, "at most end - start")
    ok, right = sheet.matching("ok", "true|false|True|False|TRUE|FALSE", "neither true nor false", "true or false")
    tokens = {name: sheet.number(name, low=0, whole=True) for name in ("input_tokens", "output_tokens")}
    return {"start": start, "end": end, "ok": np.array([cell.lower() == "true" for cell in ok], bool) & right, **tokens, **times}


TABLE = ([(("start", "end", "ok", "input_tokens", "output_tokens"), TIMES)], _requests)
