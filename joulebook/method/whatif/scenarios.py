"""The cost and the conclusion at other utilizations, prices, targets and sizes of the model (method, section 9)."""

import numpy as np

from joulebook.method import ranges
from joulebook.method.point_choice import least_energy, meets, named
from joulebook.method.study import gives
from joulebook.method.together import drawn_rows
from joulebook.method.whatif.conclusion import NO_VALUE, model_of
from joulebook.method.whatif.model import with_unit
from joulebook.units import SECONDS_PER_HOUR

UTILIZATIONS = (0.1, 0.25, 0.5)  # looked at beside today's and the highest
PRICES = (0.5, 2.0)  # times today's
LATENCIES = (0.5, 2.0)  # times the limit of today
GROWTHS = (2.0, 4.0)  # times the memory that the model takes today
NO_POINT = "no operating point meets it"
NO_REFERENCE = "no operating point meets today's targets, so there is none to compare with"


def points_over_reference(points, reference):
    """Throughput and power of operating points over those of one of them.

    Parameters
    ----------
    points : pandas.DataFrame
        Operating points.
    reference : int
        Row of the one.

    Returns
    -------
    ndarray, shape (rows, 2)

    Examples
    --------
    >>> import pandas as pd
    >>> points_over_reference(pd.DataFrame({"throughput_per_s": [1e3, 2e3], "average_power_w": [500, 800]}), 0).tolist()
    [[1.0, 1.0], [2.0, 1.6]]
    """
    both = points[["throughput_per_s", "average_power_w"]].to_numpy(float)
    return both / both[int(reference)]


@gives("scenarios", once=True)
def scenarios(
    given,
    run_cost_per_million,
    throughput_per_s,
    active_power_w,
    electricity_price_per_kwh,
    conclusion_margin=None,
    utilization_of_year=None,
    annual_volume=None,
    year_hours=None,
    servers=None,
    max_utilization=None,
    operating_points=None,
    quality_target_pct=None,
    looser_quality_target_pct=None,
    slo_latency_s=None,
    memory_limit_gb=None,
    model_memory_gb=None,
    idle_power_w=None,
    capital_cost=None,
    input_tokens_per_request=None,
    output_tokens_per_request=None,
):
    """The cost and the margin of the conclusion in each scenario whose inputs are there, all else as it is.

    Parameters
    ----------
    given, run_cost_per_million, input_tokens_per_request, output_tokens_per_request
        As in `joulebook.method.whatif.one_by_one.tornado`.
    throughput_per_s, active_power_w, electricity_price_per_kwh, annual_volume, servers, max_utilization : float, optional
        See ``data/parameters.csv``.
    conclusion_margin : float, optional
        Result of `joulebook.method.whatif.conclusion.concluded`.
    utilization_of_year, year_hours : float, optional
        Results of `joulebook.method.cost_per_token.work_of_a_year`.
    operating_points : pandas.DataFrame, optional
        Points of a machine, for targets of quality and latency: throughput and power change as from its best point at today's
        targets to its best at those of the scenario.
    quality_target_pct, looser_quality_target_pct, slo_latency_s, memory_limit_gb, model_memory_gb : float, optional
        See ``data/parameters.csv``. A model beyond the memory takes as many machines as hold it; together they are taken to
        complete what one did.
    idle_power_w, capital_cost : float, optional
        What more machines multiply beside their power.

    Returns
    -------
    dict
        The table named in `gives`.
    """
    money = f"{given.currency}/kWh"
    rows = [("Today", np.nan, "", {}, "")]
    if utilization_of_year is not None:
        rows += _utilizations(max_utilization, annual_volume, throughput_per_s * servers, year_hours)
    rows += [
        ("Electricity price", electricity_price_per_kwh * times, money, {"electricity_price_per_kwh": times}, "")
        for times in PRICES
    ]
    rows = [(axis, at, unit, _absolute(changes, given), said) for axis, at, unit, changes, said in rows]
    if operating_points is not None and quality_target_pct is not None:
        system = (throughput_per_s, active_power_w)
        targets = (quality_target_pct, slo_latency_s, memory_limit_gb)
        rows += _targets(operating_points, targets, looser_quality_target_pct, system)
    if memory_limit_gb is not None and model_memory_gb is not None:
        machine = {"active_power_w": active_power_w, "idle_power_w": idle_power_w, "capital_cost": capital_cost}
        rows += _growth(memory_limit_gb, model_memory_gb, {name: item for name, item in machine.items() if item is not None})
    model = model_of(given, input_tokens_per_request, output_tokens_per_request)
    made = _evaluated(model, [changes for *_, changes, _ in rows])
    cost, margin = made["run_cost_per_million"], made["conclusion_margin"]
    table = {
        "scenario | ": [with_unit(axis, unit) for axis, _, unit, *_ in rows],
        "at | ": np.array([at for _, at, *_ in rows], float),
        "cost | {currency} per million": cost,
        "times_today | 1": cost / run_cost_per_million,
    }
    if conclusion_margin is not None:
        holds = (margin > 0) == (conclusion_margin > 0)
        words = np.where(holds, "as today", "turns")
        table |= {
            "margin | {currency}": margin,
            "conclusion | ": np.where(np.isfinite(margin), words, "").tolist(),
        }
    return {"scenarios": table | {"said | ": [said for *_, said in rows]}}


def _utilizations(highest, annual_volume, throughput, hours):
    """Utilizations to look at; where a volume is given, that of each utilization."""
    rows = []
    for share in sorted({*(item for item in UTILIZATIONS if item < highest), highest}):
        change = {"utilization": share}
        if annual_volume is not None:
            change = {"annual_volume": share * throughput * hours * SECONDS_PER_HOUR}
        rows.append(("Utilization", share, "", {name: ("to", value) for name, value in change.items()}, ""))
    return rows


def _absolute(changes, given):
    """Changes as values: a factor is one on today's value."""
    return {
        name: change[1] if isinstance(change, tuple) else given.inputs[name].value * change for name, change in changes.items()
    }


def _targets(points, targets, looser, system):
    """Rows of the targets of quality and latency, by the best point under each."""
    quality, latency, memory = targets
    today = int(least_energy(points, meets(points, quality, latency, memory)))
    asked = []
    if looser is not None:
        asked.append(("Quality target", looser, "%", (looser, latency, memory)))
    if latency is not None:
        asked += [("Latency target", latency * times, "s", (quality, latency * times, memory)) for times in LATENCIES]
    rows = []
    for axis, at, unit, wanted in asked:
        row = int(least_energy(points, meets(points, *wanted)))
        if today < 0 or row < 0:
            rows.append((axis, at, unit, None, NO_REFERENCE if today < 0 else NO_POINT))
            continue
        times = points_over_reference(points, today)[row]
        changes = dict(zip(("throughput_per_s", "active_power_w"), times * system, strict=True))
        said = "the point of today" if row == today else named(points, row)
        rows.append((axis, at, unit, changes, said))
    return rows


def _growth(limit, memory, machine):
    """Rows of a model that grows beyond the memory of a machine."""
    before = np.ceil(memory / limit)
    rows = []
    for times in GROWTHS:
        machines = np.ceil(memory * times / limit)
        changes = {name: value * machines / before for name, value in machine.items()}
        said = f"{'one machine holds' if machines == 1 else f'{machines:g} machines hold'} it, today {before:g}"
        rows.append(("Memory of the model", memory * times, "GB", changes, said))
    return rows


def _evaluated(model, rows):
    """Outputs of the model with the changes of each row; nan where a row has none."""
    given = model.given.inputs
    names = sorted({name for changes in rows if changes for name in changes if name in given})
    points = {name: np.array([(changes or {}).get(name, given[name].value) for changes in rows], float) for name in names}
    made = model(points, len(rows))
    lost = np.array([changes is None for changes in rows])
    return {name: np.where(lost, np.nan, values) for name, values in made.items()}


@gives("probability_holds_by_points", "cost_by_points", once=True)
def by_points(
    given,
    run_cost_per_million,
    conclusion_margin,
    throughput_per_s,
    active_power_w,
    operating_points,
    quality_target_pct,
    slo_latency_s=None,
    memory_limit_gb=None,
    input_tokens_per_request=None,
    output_tokens_per_request=None,
):
    """How likely the conclusion holds where throughput and power are those of an operating point, each as likely as another.

    Parameters
    ----------
    given, run_cost_per_million, conclusion_margin, throughput_per_s, active_power_w, operating_points, quality_target_pct
        As in `scenarios`.
    slo_latency_s, memory_limit_gb, input_tokens_per_request, output_tokens_per_request
        As in `scenarios`.

    Returns
    -------
    dict
        The results named in `gives`: over the points that meet today's targets, scaled so that the best of them is today's
        system; all else is drawn from its range.
    """
    right = meets(operating_points, quality_target_pct, slo_latency_s, memory_limit_gb)
    if not right.any():
        return {**dict.fromkeys(by_points.results), "notes": dict.fromkeys(by_points.results, NO_REFERENCE)}
    times = points_over_reference(operating_points, least_energy(operating_points, right))[right]
    rows = given.parameters
    drawn = ranges.draw(
        given.inputs,
        {name: row.limits for name, row in rows.items()},
        places={name: row.place for name, row in rows.items()},
    )
    row = drawn_rows(ranges.shares(rows["operating_points_csv"].place), len(times))
    points = drawn | {"throughput_per_s": throughput_per_s * times[row, 0], "active_power_w": active_power_w * times[row, 1]}
    model = model_of(given, input_tokens_per_request, output_tokens_per_request)
    made = model({name: values for name, values in points.items() if name in model.names})
    margin, cost = made["conclusion_margin"], made["run_cost_per_million"]
    if not (np.isfinite(margin).all() and np.isfinite(cost).all()):
        return {**dict.fromkeys(by_points.results), "notes": dict.fromkeys(by_points.results, NO_VALUE)}
    said = "one operating point meets today's targets"
    if len(times) > 1:
        said = f"{len(times)} operating points meet today's targets, each as likely as another"
    return {
        "probability_holds_by_points": np.mean((margin > 0) == (conclusion_margin > 0)),
        "cost_by_points": np.mean(cost),
        "ranges": {"cost_by_points": ranges.interval(cost)},
        "notes": dict.fromkeys(by_points.results, said),
    }
