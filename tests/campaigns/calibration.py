"""Intervals against known truth: how often does the 95 % interval of a cost hold the cost that is true?

Made-up clients state values and ranges; the truth of each is known here and nowhere else. It goes two ways:

- ``believed``: a client states a value and a range, and the truth is drawn from what that range stands for (method, rule 6).
- ``read``: the truth stands first, what a client states is a reading of it, truth and error added, with a range about the
  reading. Nothing in the package is made for this way; an interval of draws covers here as well as the cost is near to
  straight in what was read.

Statements pass the checks of the intake with the rows of the dictionary, `joulebook.method.study.Study` draws and calculates.
The truth is drawn and calculated here by other code: numpy's generators, and the formulas of the method written out.
"""

import math
from collections import Counter
from functools import cache, partial

import numpy as np

from joulebook import dictionary
from joulebook.errors import Problems
from joulebook.inputs import Given, Input
from joulebook.intake.checks import check_entry, default_input
from joulebook.method import cost_per_token as calculations
from joulebook.method.study import Study
from joulebook.results import Labels

TOPIC = "cost_per_token"
RESULTS = ("cost_per_million", "cost_per_million_always_on")
KINDS = ("normal", "rectangular", "triangular", "mixed")  # of the ranges of a client
WAYS = ("believed", "read")
SEEDS = (1, 2, 3)
CLIENTS = 10_000  # of each way, kind and seed
COVERED = (0.94, 0.96)
NARROWEST, WIDEST = 0.01, 0.5  # half width of a range, relative

_RUN = (calculations.energy_at_full_load, calculations.facility_energy_at_full_load, calculations.cost_at_full_load,
        calculations.work_of_a_year, calculations.always_on)
_STATED = {  # how a kind of range is written
    "normal": {"range_is": "u95", "evidence": "measured"},
    "rectangular": {"range_is": "limits", "evidence": "published"},
    "triangular": {"range_is": "limits", "evidence": "assumed"},
}


def covered(way, kind, seed, clients=CLIENTS):
    """Clients whose intervals hold the truth.

    Parameters
    ----------
    way, kind : str
        One of `WAYS`, one of `KINDS`.
    seed : int
        Seed of the clients.
    clients : int
        How many.

    Returns
    -------
    collections.Counter
        Clients covered by result, and below and above the interval as ``(result, "below")`` and ``(result, "above")``.
    """
    rng = np.random.default_rng([seed, WAYS.index(way), KINDS.index(kind)])
    counted = Counter(dict.fromkeys(RESULTS, 0))
    for _ in range(clients):
        stated, truth = client(rng, kind, way)
        results = Study(_given(stated)).run_all(_RUN).results
        for name, true in zip(RESULTS, costs(**truth), strict=True):
            low, high = results[name].low, results[name].high
            counted[name if low <= true <= high else (name, "below" if true < low else "above")] += 1
    return counted


def client(rng, kind, way):
    """What a client states, and what is true.

    Parameters
    ----------
    rng : numpy.random.Generator
    kind, way : str
        See `covered`.

    Returns
    -------
    tuple of dict
        By parameter an entry of a client's file, and a value; the boundary beside both.
    """
    boundary = str(rng.choice(["server", "facility"], p=[0.8, 0.2]))
    centre = {
        "throughput_per_s": 10 ** rng.uniform(2, 5.5),
        "active_power_w": 10 ** rng.uniform(1, 4.2),
        "electricity_price_per_kwh": rng.uniform(0.04, 0.5),
        "utilization": rng.uniform(0.02, 0.6),
    }
    centre["idle_power_w"] = centre["active_power_w"] * rng.uniform(0.1, 0.5)
    exact = {"servers": int(rng.integers(1, 4)), "redundancy": int(rng.integers(0, 2)), "max_utilization": 0.8}
    if boundary == "server":
        centre["pue"] = rng.uniform(1.03, 1.9)
    if rng.random() < 0.5:  # then servers are added for part of the range
        load = centre.pop("utilization") * rng.uniform(1, 4)
        centre["annual_volume"] = load * exact["servers"] * centre["throughput_per_s"] * 8760 * 3600
    stated, truth = {}, {}
    for name, value in centre.items():
        of = str(rng.choice(KINDS[:-1])) if kind == "mixed" else kind
        known = name not in ("throughput_per_s", "active_power_w") and rng.random() < 0.1
        stated[name], truth[name] = _known(value) if known else (_believed if way == "believed" else _read)(rng, name, of, value)
    return {**stated, **{name: {"value": value} for name, value in exact.items()}, "boundary": boundary}, {
        **truth, **exact, "boundary": boundary}


def costs(throughput_per_s, active_power_w, idle_power_w, electricity_price_per_kwh, servers, redundancy, max_utilization,
          boundary, pue=None, utilization=None, annual_volume=None):
    """Cost of energy per million units of work at full load, and over a year with the system always on, written out."""
    factor = 1.0 if boundary == "facility" else pue
    full = 1e6 * active_power_w / throughput_per_s / 3.6e6 * factor * electricity_price_per_kwh
    seconds = 8760 * 3600
    volume = utilization * servers * throughput_per_s * seconds if annual_volume is None else annual_volume
    needed = math.ceil(volume / seconds / (throughput_per_s * max_utilization) - 1e-9) + redundancy
    powered = max(servers, needed)
    load = volume / (powered * throughput_per_s * seconds)
    power_w = powered * (idle_power_w + (active_power_w - idle_power_w) * load)
    return full, power_w / 1000 * 8760 * factor * electricity_price_per_kwh / volume * 1e6


def _known(value):
    return {"value": float(value)}, float(value)


def _believed(rng, name, kind, value):
    """A statement about a value, and a truth that its range stands for."""
    least, most = _rows()[name].limits
    widths = value * rng.uniform(NARROWEST, WIDEST, 2)
    if kind == "normal":
        half = min(widths[0], value - least, most - value)  # the ends of a range are inside the limits, its tails are cut there
        low, high = value - half, value + half
        true = rng.normal(value, half / 2)
        while not least <= true <= most:
            true = rng.normal(value, half / 2)
    else:
        low, high = max(value - widths[0], least), min(value + widths[1], most)
        true = rng.triangular(low, value, high) if kind == "triangular" else rng.uniform(low, high)
    return _entry(kind, value, low, high), float(true)


def _read(rng, name, kind, true):
    """A reading of a truth, with a range as wide as the errors are; a reading beyond the limits is read again."""
    least, most = _rows()[name].limits
    half = true * rng.uniform(NARROWEST, WIDEST)
    if name in ("pue", "utilization"):  # so near to their limits no reading could be stated half of the time
        half = min(half, (true - least) / 2, (most - true) / 2)
    draw = {"normal": partial(rng.normal, true, half / 2), "rectangular": partial(rng.uniform, true - half, true + half),
            "triangular": partial(rng.triangular, true - half, true, true + half)}[kind]
    value = draw()
    while not least < value - half < value + half < most:
        value = draw()
    return _entry(kind, value, value - half, value + half), float(true)


def _entry(kind, value, low, high):
    return {"value": float(value), "low": float(low), "high": float(high), "source": "made up", **_STATED[kind]}


def _given(stated):
    found, rows = Problems(), _rows()
    labels = Labels("made up", "output_token", "as made up", "Offline", "work phase", stated["boundary"])
    entries = {**{name: entry for name, entry in stated.items() if name != "boundary"}, "utilization_is": {"value": "duty"}}
    inputs = {name: default_input(row) for name, row in rows.items() if row.default is not None}
    inputs |= {name: check_entry(rows[name], entry, partial(_place, name), found) for name, entry in entries.items()}
    found.stop()
    return Given(TOPIC, {"currency": Input("EUR"), **inputs}, {}, labels, rows, dictionary.definitions()[TOPIC])


def _place(name, key):
    return {"field": f"{name}.{key}"}


@cache
def _rows():
    return dictionary.of_topic(TOPIC)
