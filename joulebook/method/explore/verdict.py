"""The benefit of a year over the hurdle, topic verdict, as a sum of parts, and the class that its sign decides."""

from joulebook.method import economics
from joulebook.method.chain import chain
from joulebook.method.decision import NONE, decide
from joulebook.method.explore import cost_per_token as costs
from joulebook.method.explore.exploration import Exploration, sums_of
from joulebook.method.explore.levers import EFFICIENCY, SHARE, levers
from joulebook.method.study import arguments_of

MOVED = (SHARE, "electricity_price_per_kwh", "pue", "throughput_per_s", EFFICIENCY, "value_per_task")
OVER, COST, BENEFIT, TASK, RUN = (
    "net_benefit_over_hurdle", "annual_cost", "annual_benefit", "unit_cost", "run_cost_per_million"
)
HURDLED = "Cost of a year with the hurdle on it"
BESIDE, OTHER = "annual_cost_beside", "other_cost_per_task"
# What the run cost of a million is made of, by its basis.
BASES = {"owning": costs.OWNING, "electricity, always on": costs.ALWAYS, "electricity, full load": costs.FULL}
_YEAR = (*economics.RUN_COST, economics.run_cost, economics.cost_of_a_task, economics.quality_of_tasks, economics.year_beside,
         economics.return_of_a_year)
_RESULTS = chain(_YEAR, [OVER, COST, BENEFIT, TASK, RUN, costs.SERVERS])
_BESIDE = chain((economics.quality_of_tasks, economics.year_beside), [BENEFIT, BESIDE])


def explored(study):
    """Benefit, cost and the class of a year over what moves them.

    Parameters
    ----------
    study : joulebook.method.study.Study
        A study of the topic that has run.

    Returns
    -------
    joulebook.method.explore.exploration.Exploration
        Of all inputs as they are, their ranges left out.
    """
    given = arguments_of(study.given)
    fixed = {name: result.value for name, result in study.results.items() if name == "acceptable_share" and result.available}
    moved, run = levers(study, MOVED, costs.utilization_of(study)), _run_parts(study)
    sums, lines = {}, {}
    if study.results[OVER].available:
        of_run = dict.fromkeys(run, economics.unit_cost(1.0, given["units_per_task"], 0.0))
        of_task = of_run | {OTHER: 1.0}
        tasks, hurdle = given["annual_tasks"], given["roi_hurdle"]
        of_year = {name: economics.annual_cost(weight, tasks, 0.0) for name, weight in of_task.items()} | {BESIDE: 1.0}
        over = {name: economics.net_benefit_over_hurdle(0.0, weight, hurdle) for name, weight in of_year.items()}
        lines = {BENEFIT: {BENEFIT: 1.0}, HURDLED: {name: -weight for name, weight in over.items()}}
        sums = {OVER: {BENEFIT: 1.0} | over, COST: of_year, BENEFIT: {BENEFIT: 1.0}, TASK: of_task,
                RUN: dict.fromkeys(run, 1.0), costs.SERVERS: {"servers": 1.0}}
    return Exploration(OVER, moved, lambda values: _RESULTS(values | fixed), lambda values: _parts(values | fixed),
                       sums_of(study, sums), over=SHARE if SHARE in moved.start else next(iter(moved.start), ""), lines=lines,
                       steps=costs.SERVERS if study.results[costs.SERVERS].available else "", outcomes=outcomes(study))


def outcomes(study):
    """The class where the hurdle is reached at inputs that are taken as sure, and where it is missed.

    Parameters
    ----------
    study : joulebook.method.study.Study
        A study of the topic that has run.

    Returns
    -------
    dict of str to dict
        ``reached`` and ``missed``, each with `joulebook.method.decision.decide`'s class and sub-class, and why it is no better.
    """
    names = ("quality_shown", "grade")
    known = {name: study.results[name].value for name in names}
    known["throughput_per_s"] = arguments_of(study.given).get("throughput_per_s")
    asked = {name: study.given.inputs[name].value for name in ("automatable_probability", "uneconomic_probability")}
    told = {name: study.results[name].note for name in names}
    chances = {"reached": 1.0, "missed": 0.0}
    made = {word: decide(**known, **asked, told=told, hurdle_probability=chance) for word, chance in chances.items()}
    return {word: {**{name: said[name] for name in decide.results}, "note": _because(said, known["grade"])}
            for word, said in made.items()}


def _because(said, grade):
    """Why it is no better, beside the hurdle: what is not shown, or the benchmark's grade."""
    if said["verdict"] in (None, "research"):
        return said["notes"]["verdict"]
    return f"the benchmark's grade is {grade}" if (said["verdict"], said["verdict_sub_class"]) == ("speculative", NONE) else ""


def _run_parts(study):
    basis = study.results["run_cost_basis"].value
    return costs.SUMS[BASES[basis]] if basis else ()


def _parts(values):
    year = _BESIDE(values)
    return costs.parts_of(values) | {BENEFIT: year[BENEFIT], BESIDE: year[BESIDE], OTHER: values[OTHER]}
