"""Requests with their tokens and times, and the energy of runs at several mixes of tokens."""

from joulebook.intake.load import requests_csv


def _energy_windows(sheet):
    sheet.least(3)  # as many as there are unknowns at most
    counts = {name: sheet.number(name, low=0, whole=True) for name in ("input_tokens", "output_tokens", "requests")
              if name != "requests" or sheet.has(name)}
    return {**counts, "energy_j": sheet.number("energy_j", above=0)}


TABLES = {
    "requests_csv": requests_csv.TABLE,
    "energy_windows_csv": ([(("input_tokens", "output_tokens", "energy_j"), ("requests",))], _energy_windows),
}
CHECKS = ()
