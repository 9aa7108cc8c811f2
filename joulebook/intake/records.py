"""What a client will run, and what is known of a benchmark's result: records of plain fields, declared here once."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, ValidationError

from joulebook.errors import InputError, Problem, Problems, near
from joulebook.intake.checks import check_date, refuse
from joulebook.intake.typed import check_number, checked, choice, own_problem, text
from joulebook.method.matching.words import NO, PRECISIONS, STACKS, YES, YES_NO
from joulebook.results import BOUNDARIES, SCENARIOS, UNITS_OF_WORK

QUALITY_IS = ("absolute", "of_reference")
OF_TYPED = ("source", "evidence", "as_of", "expires")  # said of all fields that are typed
NO_FIELD = (*OF_TYPED, "plausible")  # said of the record as a whole


_Text = text()
_Long = text(500)
_Date = Annotated[str, checked(check_date)]
_Positive = Annotated[int | float, checked(check_number, above=0)]
_FromOne = Annotated[int | float, checked(check_number, low=1)]
_Percent = Annotated[int | float, checked(check_number, above=0, high=100)]
_Share = Annotated[int | float, checked(check_number, low=0, high=1)]
_Count = Annotated[int, checked(check_number, low=0, whole=True)]
_CountFromOne = Annotated[int, checked(check_number, low=1, whole=True)]


class _Run(BaseModel):
    """What is said of a deployment and of a benchmark's result alike."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, protected_namespaces=())

    model: _Text = None
    model_family: _Text = None
    model_size_b: _Positive = None
    architecture: _Text = None
    scenario: choice(SCENARIOS) = None
    unit_of_work: choice(UNITS_OF_WORK) = None
    batch_size: _FromOne = None
    concurrency: _FromOne = None
    input_tokens: _Positive = None
    output_tokens: _Positive = None
    input_form: _Text = None
    output_form: _Text = None
    precision: choice(PRECISIONS) = None
    quality_target_pct: _Percent = None
    quality_is: choice(QUALITY_IS) = None
    boundary: choice(BOUNDARIES) = None
    cooling_included: choice(YES_NO) = None
    accelerator: _Text = None
    accelerators_per_node: _Count = None
    nodes: _CountFromOne = None
    network: _Text = None
    stack: choice(STACKS) = None
    software: _Text = None
    software_date: _Date = None


class Deployment(_Run):
    """What the client will run; of each field what is known.

    Parameters
    ----------
    model, model_family, architecture : str
        The model by its full name, its family, and its architecture, such as ``dense transformer``.
    model_size_b : float
        Its parameters. [10^9]
    scenario, unit_of_work : str
        One of `joulebook.results.SCENARIOS`, of `joulebook.results.UNITS_OF_WORK`.
    batch_size, concurrency : float
        Units of work in a batch, and requests in flight at once, each on average.
    input_tokens, output_tokens : float
        Mean tokens of a request.
    input_form, output_form : str
        What goes in and comes out where it is no tokens, such as ``224 x 224 pixels``.
    precision : str
        Number format of the weights and the arithmetic, one of `joulebook.method.matching.words.PRECISIONS`.
    precision_allowed : str
        ``yes`` where the accuracy budget allows the benchmark's precision.
    quality_target_pct, quality_is : float, str
        Least quality, and whether it is ``absolute`` or a percentage ``of_reference``. [%]
    boundary, cooling_included : str
        Where the energy is to be counted, one of `joulebook.results.BOUNDARIES`, and whether with its cooling.
    accelerator : str
        Accelerator by name, ``none`` where there is none.
    accelerators_per_node, nodes : int
        How many of them in a node, and nodes.
    network : str
        What connects the nodes.
    stack : str
        ``tuned`` for the hardware, or ``default`` as installed.
    software, software_date : str
        Serving software with its version, and the day on which that version came out.
    tolerance_share : float
        How far two numbers may be apart and still count as the same; none where it is not given. [1]
    """

    precision_allowed: choice(YES_NO) = None
    tolerance_share: _Share = None


class Disclosure(_Run):
    """What is known of a benchmark's result; fields as in `Deployment`, and those by which it can be found and repeated.

    Parameters
    ----------
    suite, round, division, submitter, system, benchmark : str
        Names of the result; the round is such as ``v5.1``.
    metric : str
        What was published, with its units.
    location, retrieved : str
        Where it was published, and the day on which it was read there.
    host, firmware, cooling : str
        Host processors and memory, firmware, and how the system is cooled.
    meter : str
        Power analyzer.
    sampling_interval_s : float
        Time between two of its readings. [s]
    clocks, power_limit : str
        Clock rates and power limits that were set.
    """

    suite: _Text = None
    round: _Text = None
    division: _Text = None
    submitter: _Text = None
    system: _Text = None
    benchmark: _Text = None
    metric: _Text = None
    location: _Long = None
    retrieved: _Date = None
    host: _Text = None
    firmware: _Text = None
    cooling: _Text = None
    meter: _Text = None
    sampling_interval_s: _Positive = None
    clocks: _Text = None
    power_limit: _Text = None


class Published(BaseModel):
    """What names one row of ``data/mlperf_power/published_closed.csv``."""

    model_config = ConfigDict(strict=True, extra="forbid")

    round: _Text
    submitter: _Text
    system: _Text
    benchmark: _Text
    scenario: choice(SCENARIOS)


RECORDS = {"deployment": Deployment, "disclosure": Disclosure}


def check_record(name, fields, place=None, shape=None):
    """Check the fields of a record.

    Parameters
    ----------
    name : str
        Name of the parameter, a key of `RECORDS`.
    fields : dict
        Fields and their values.
    place : callable, optional
        Gives the place of a field, as keywords of `joulebook.errors.Problem`.
    shape : pydantic model, optional
        Other fields than those of the parameter.

    Returns
    -------
    dict
        Texts and numbers by field, in the order in which the fields are declared.

    Raises
    ------
    InputError
        With every field that is unknown or has a value that is not allowed.

    Examples
    --------
    >>> check_record("deployment", {"scenario": "Server", "model": "llama2-70b"})
    {'model': 'llama2-70b', 'scenario': 'Server'}
    >>> check_record("deployment", {"scenaro": "Server"})
    Traceback (most recent call last):
    joulebook.errors.InputError: deployment.scenaro: unknown field; allowed: model, ...; did you mean scenario?
    """
    shape, place = shape or RECORDS[name], place or (lambda *keys: {"field": ".".join((name, *map(str, keys)))})
    names = list(shape.model_fields)
    if not isinstance(fields, dict) or not fields:
        refuse("nothing in it" if fields in ({}, None) else "no record", value=fields or None,
               allowed=f"fields and what they say: {', '.join(names)}", **place())
    try:
        made = shape.model_validate(fields).model_dump(exclude_unset=True)
    except ValidationError as error:
        found = [_problem(item, names, place) for item in error.errors(include_url=False)]
        meant = {problem.near for problem in found}  # a misspelt name is one mistake, not two
        kept = (item for item in found if not (item.what == "missing" and item.field.rpartition(".")[2] in meant))
        raise InputError(Problems(kept)) from None
    if made.get("boundary") == BOUNDARIES[-1] and made.get("cooling_included") == NO:
        refuse("the facility without its cooling", value=NO, allowed=f"{YES} where boundary is {BOUNDARIES[-1]}",
               **place("cooling_included"))
    return made


def _problem(error, names, place):
    key, where = error["loc"][0], place(*error["loc"][:1])
    if error["type"] == "missing":
        return Problem("missing", **where, allowed=", ".join(names))
    return own_problem(error, where) or Problem("unknown field", **where, allowed=", ".join(names), near=near(key, names))
