"""Arithmetic against a plain loop over its samples."""

from time import perf_counter

import numpy as np
import pandas as pd

from joulebook import dictionary
from joulebook.inputs import Given, Input
from joulebook.method import cost_per_token, tariff
from joulebook.method.chain import chain
from joulebook.method.metering import energy_of_samples
from joulebook.method.study import Study, arguments_of
from joulebook.method.whatif.conclusion import OUTPUTS, TRIED, model_of
from joulebook.method.whatif.model import varied
from joulebook.results import Labels

DRAWS = 2**13
FEW = 512  # points of the loop that `sensitivity` is measured against


def best(function, repeats=3):
    """Shortest of a few runs. [s]"""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        function()
        times.append(perf_counter() - start)
    return min(times)


def ranges(_):
    """A study with ranges against the same calculations called once a draw."""
    rows = dictionary.of_topic("cost_per_token")
    inputs = {name: Input(row.example, row.unit) for name, row in rows.items() if row.example is not None and row.kind != "file"}
    for name in ("throughput_per_s", "pue", "electricity_price_per_kwh"):
        inputs[name] = Input(inputs[name].value, low=inputs[name].value, high=inputs[name].value * 1.2)
    given = Given(
        "cost_per_token", inputs, {}, Labels(unit_of_work="output_token"), rows, dictionary.definitions()["cost_per_token"]
    )
    single = Given(
        "cost_per_token", {name: Input(item.value) for name, item in inputs.items()}, {}, given.labels, rows, given.definitions
    )
    few = 64
    loop = best(lambda: [Study(single).run_all(cost_per_token.CALCULATIONS) for _ in range(few)], 1) * DRAWS / few
    return loop, best(lambda: Study(given).run_all(cost_per_token.CALCULATIONS))


def bills(_):
    """A year of hours joined with a tariff against a loop over hours."""
    load = pd.DataFrame({"timestamp": pd.date_range("2026-01-01", periods=8760, freq="60min", tz="UTC"), "utilization": 0.5})
    periods = [(day, begin, begin + 720, 0.1 + begin / 7200) for day in range(7) for begin in (0, 720)]
    week = pd.DataFrame(periods, columns=["day", "begin_min", "end_min", "price_per_kwh"])

    def loop():
        for stamp in load["timestamp"]:
            local = stamp.tz_convert("Europe/Berlin")
            minute = local.hour * 60
            week[(week.day == local.day_of_week) & (week.begin_min <= minute) & (week.end_min > minute)].price_per_kwh.iloc[0]

    return best(loop, 1), best(lambda: tariff.bill(load, week, "Europe/Berlin", "local"))


def integral(_):
    """An integral with gap rule against a loop over samples."""
    times = np.arange(0, 200_000.0)
    power = 1000 + np.sin(times)

    def loop():
        return sum((power[i] + power[i + 1]) / 2 * (times[i + 1] - times[i]) for i in range(len(times) - 1))

    return best(loop, 1), best(lambda: energy_of_samples(times, power, 0.5, 199_998.5, 3.0))


def sensitivity(_):
    """A million evaluations of cost and conclusion with all inputs varied against the same calculations called once a point.

    The loop is timed at a few points and scaled: a million would take minutes.
    """
    rows = dictionary.of_topic("sensitivity")
    inputs = {name: Input(row.example, row.unit) for name, row in rows.items() if row.example is not None and row.kind != "file"}
    labels = Labels(unit_of_work="output_token", boundary="server")
    given = Given("sensitivity", inputs, {}, labels, rows, dictionary.definitions()["sensitivity"])
    model = model_of(given, 1000.0, 250.0)
    varied_inputs = varied(given, model.names, 0.2)
    points = model.drawn(varied_inputs, np.random.default_rng(1).random((10**6, len(varied_inputs))))
    few = FEW
    plain = chain(TRIED, OUTPUTS)
    values = {**arguments_of(given), "input_tokens_per_request": 1000.0, "output_tokens_per_request": 250.0}
    each = [{name: float(column[place]) for name, column in points.items()} for place in range(few)]
    made = model({name: column[:few] for name, column in points.items()})
    for name in OUTPUTS:  # the two do the same work
        np.testing.assert_allclose([plain({**values, **point})[name] for point in each], made[name], rtol=1e-12)
    loop = best(lambda: [plain({**values, **point}) for point in each], 1) * 10**6 / few
    return loop, best(lambda: model(points))


ROWS = {
    "ranges": ("the ranges of a topic", "its calculations called once a draw", ranges),
    "bill": ("a year of hours by time of use", "a loop over hours", bills),
    "sensitivity": (
        "a million evaluations of a conclusion",
        f"its calculations called once a point ({FEW} of them, scaled)",
        sensitivity,
    ),
    "integral": ("the integral of 200 000 samples", "a loop over samples", integral),
}
