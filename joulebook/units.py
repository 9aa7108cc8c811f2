"""Units: constants, conversions and the units that may be written in a client file."""

import re
from calendar import isleap
from functools import cache

from joulebook.errors import InputError, Problem, near

JOULES_PER_KWH = 3.6e6
JOULES_PER_WATT_HOUR = 3600.0
SECONDS_PER_HOUR = 3600.0
WATTS_PER_KILOWATT = 1000.0
GRAMS_PER_KILOGRAM = 1000.0
PER_MILLION = 1e6
PERCENT = 100.0
HOURS_PER_YEAR = 8760.0
MONTHS_PER_YEAR = 12.0
HOURS_PER_MONTH = 730.0  # 365 days in 12 months

_WORK = {
    "input_token": ("input token", "input tokens"),
    "output_token": ("output token", "output tokens"),
    "token": ("token", "tokens"),
    "query": ("query", "queries"),
    "sample": ("sample", "samples"),
    "inference": ("inference", "inferences"),
    "training_sample": ("training sample", "training samples"),
}

NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
# A quantity is a number and a unit name, at most one division; pint never sees the number.
_QUANTITY = re.compile(rf"({NUMBER})\s*([A-Za-zµμ°Ω]{{1,24}}(?:/[A-Za-zµμ°Ω]{{1,24}})?)")
_APPARENT = re.compile(r"(?:[a-zA-Zµμ]|[a-z]{4,5})?(?:VA|var|[Vv]olt_?[Aa]mperes?)(?:h|/.*)?")  # to pint the same as watts
_COMMON = (
    "W",
    "mW",
    "kW",
    "MW",
    "GW",
    "J",
    "kJ",
    "MJ",
    "GJ",
    "Wh",
    "kWh",
    "MWh",
    "ms",
    "s",
    "min",
    "h",
    "day",
    "year",
    "watt",
    "kilowatt",
    "g/kWh",
    "kg",
    "g",
    "Hz",
    "MHz",
    "GB",
)


def kwh_from_joules(energy_j):
    """Energy in kilowatt-hours. [kWh]

    Examples
    --------
    >>> kwh_from_joules(7.2e6)
    2.0
    """
    return energy_j / JOULES_PER_KWH


def watt_hours_from_joules(energy_j):
    """Energy in watt-hours. [Wh]

    Examples
    --------
    >>> watt_hours_from_joules(7200.0)
    2.0
    """
    return energy_j / JOULES_PER_WATT_HOUR


def hours_of_year(year):
    """Hours of a calendar year, or 8760 where no year is given. [h]

    Parameters
    ----------
    year : int or None
        Calendar year.

    Examples
    --------
    >>> hours_of_year(2024), hours_of_year(2023), hours_of_year(None)
    (8784.0, 8760.0, 8760.0)
    """
    return HOURS_PER_YEAR + (24.0 if year is not None and isleap(int(year)) else 0.0)


def hours_by_year(first_year, years):
    """Hours of each year of a span that starts with a calendar year. [h]

    Parameters
    ----------
    first_year : int or None
        First calendar year; without one every year counts 8760 h.
    years : int
        Number of years.

    Examples
    --------
    >>> sum(hours_by_year(2025, 4)), sum(hours_by_year(None, 4))
    (35064.0, 35040.0)
    """
    return [hours_of_year(None if first_year is None else first_year + n) for n in range(int(years))]


def work(unit_of_work, plural=False):
    """Name of a unit of work in words; ``unit of work`` where none was stated.

    Examples
    --------
    >>> work("output_token", plural=True), work(None)
    ('output tokens', 'unit of work')
    """
    return _WORK.get(unit_of_work, ("unit of work", "units of work"))[plural]


@cache
def _registry():
    import pint  # late: a second of every command's start otherwise

    registry = pint.UnitRegistry(cache_folder=None, on_redefinition="ignore")
    registry.define(f"year = {HOURS_PER_YEAR} * hour = a = yr = julian_year")  # as everywhere here, not 365.25 days
    return registry


def parse_quantity(text, unit, **place):
    """Number in the given unit from a text such as ``1 kW``.

    Parameters
    ----------
    text : str
        A number and a unit.
    unit : str
        Unit that is due.
    **place
        Where the text stands, for the error: file, line, field.

    Returns
    -------
    float
        The quantity in `unit`.

    Raises
    ------
    InputError
        If the text is no such quantity, or its dimension is another one.

    Examples
    --------
    >>> parse_quantity("1 kW", "W")
    1000.0
    """
    match = _QUANTITY.fullmatch(text.strip())
    allowed = f"a plain number, or a number and a unit of the dimension of {unit}, such as 2.5 {unit}"
    if match is None:
        raise InputError(Problem(f"not a quantity{hint(text)}", value=text, allowed=allowed, **place))
    number, name = match.groups()
    if _APPARENT.fullmatch(name):
        what = f"apparent or reactive power, of which active power is an unknown share: {name}"
        raise InputError(Problem(what, value=text, allowed=allowed, **place))
    import pint

    registry = _registry()
    due = registry.Unit(unit)
    try:
        given = registry.Unit(name)
        same = given.dimensionality == due.dimensionality
        value = float(registry.Quantity(float(number), given).to(due).magnitude) if same else None
    except (pint.errors.PintError, ArithmeticError, AttributeError, ValueError, TypeError):
        raise InputError(
            Problem(f"unknown unit {name!r}", value=text, allowed=allowed, near=near(name, _COMMON), **place)
        ) from None
    if value is None:
        raise InputError(Problem(f"wrong dimension: {name} is no unit of {unit}", value=text, allowed=allowed, **place))
    if abs(value) == float("inf") or (value == 0 and re.split("[eE]", number)[0].strip("+-0.")):
        raise InputError(Problem("too large or too small a number", value=text, allowed=allowed, **place))
    return value


def hint(text):
    """What is probably wrong with a text where a number is due, as the end of a sentence.

    Examples
    --------
    >>> hint("1,2")
    ': no commas; a decimal point, and no thousands marks'
    """
    if "," in text:
        return ": no commas; a decimal point, and no thousands marks"
    if "%" in text:
        return ": no percent sign; write a share, 0.5 for 50 %"
    if re.search(r"[*^+()]|//", text):
        return ": no operators"
    return ""
