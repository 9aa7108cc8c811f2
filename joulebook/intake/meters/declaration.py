"""What a user declares of a meter: the same for an entry of ``meters:`` in a client's file and for the command line."""

import re
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from joulebook.errors import Problem, Problems, near
from joulebook.intake.checks import check_date, check_text, refuse, timezones
from joulebook.intake.meters.scale import scale
from joulebook.intake.typed import check_number, checked, choice, own_problem, text
from joulebook.results import BOUNDARIES, EVIDENCE
from joulebook.units import parse_quantity

PRESETS = ("csv", "mlperf", "nvidia-smi", "dcgm", "prometheus", "rapl", "ipmitool", "redfish")
QUANTITIES = ("power", "energy")
KINDS = ("instantaneous", "interval_mean", "interval_energy", "on_change", "counter")
TIME_UNITS = ("s", "ms", "us", "ns", "excel_days")
DATE_ORDERS = ("dmy", "mdy", "ymd")
REPEATED = ("first", "second", "in_order")
ON_FALL = ("bad_row", "reset")
ENCODINGS = ("utf-8", "utf-16", "cp1252", "latin-1", "cp437", "shift_jis")
DELIMITERS = {
    "comma": ",",
    "semicolon": ";",
    "tab": "\t",
    "bar": "|",
    "space": " ",
    ",": ",",
    ";": ";",
    "\t": "\t",
    "|": "|",
    " ": " ",
}
OFFSET = re.compile(r"[+-](?:0[0-9]|1[0-4]):[0-5][0-9]")


def _quantity(value, unit):
    if isinstance(value, str):
        value = parse_quantity(value, unit)
    return check_number(value, above=0)


def _zone(value):
    if not isinstance(value, str) or not (value in timezones() or OFFSET.fullmatch(value)):
        refuse(
            "no such time zone",
            value=value,
            allowed="a name of the IANA database such as Europe/Berlin, UTC, or an offset such as +01:00",
            near=near(value, sorted(timezones())) if isinstance(value, str) else None,
        )
    return value


def _unit(value):
    check_text(value, 40)
    scale(value)
    return value


def _texts(value, most=1000):
    if isinstance(value, list) and value:
        return [check_text(item, most) for item in value]
    return [check_text(value, most)]


def _sentinels(value):
    values = value if isinstance(value, list) else [value]
    for item in values:
        if isinstance(item, bool) or not isinstance(item, str | int | float):
            refuse("no sentinel", value=item, allowed="numbers or texts that stand for a reading that failed")
    return values


def _scope(value):
    if isinstance(value, dict) and value:
        return {check_text(name, 200): check_text(scope, 200) for name, scope in value.items()}
    return check_text(value, 200)


_Amount = Annotated[float, checked(check_number)]
_Positive = Annotated[float, checked(check_number, above=0)]
_NotNegative = Annotated[float, checked(check_number, low=0)]
_Texts = Annotated[list[str], checked(_texts)]


class Declaration(BaseModel):
    """What is declared of one meter; what its preset knows need not be, and must not be contradicted.

    Parameters
    ----------
    name : str
        Its name among the meters.
    file, files : str or list of str
        Its file, or its files in any order; one of the two.
    preset : str
        Written ``as``: whose format the files have, one of `PRESETS`; ``csv`` is any table: CSV, TSV, Parquet, Excel.
    quantity, unit, kind : str
        What a column means: one of `QUANTITIES`; a unit such as ``kW`` or a scale such as ``0.1 kW``; one of `KINDS`.
    interval_s : float
        Length of an interval mean or energy, or the time between readings that have no stamps. [s]
    timezone : str
        Zone of stamps without offset: IANA, ``UTC``, or an offset such as ``+01:00``.
    repeated_hour : str
        Which pass a repeated local hour is: one of `REPEATED`.
    time_column, begin_column, offset_column, channel_column, host_column : str
        Columns of stamps (ends of intervals), of begins, of offsets from UTC, of channel and host names; a number counts columns.
    value_column : str or list of str
        Column or columns of values; each is a channel.
    time_unit, date_order : str
        Unit of numeric stamps, one of `TIME_UNITS`; order of day and month, one of `DATE_ORDERS`.
    decimal, delimiter, encoding, sheet : str
        Decimal mark, mark between cells, encoding, sheet of a workbook.
    boundary : str
        One of `joulebook.results.BOUNDARIES`.
    scope : str or dict of str to str
        What of the machine it covers, for all channels or by channel.
    host : str
        Machine that it covers.
    channels : list of str
        Channels to keep.
    counter_range : str or float
        Energy at which a counter begins again at 0, with its unit. [J]
    on_fall : str
        What a fall of a counter without range is: one of `ON_FALL`.
    sentinels : list
        Further values that stand for a reading that failed.
    clock_offset_s, max_clock_offset_s : float
        Clock of the meter minus clock of the load generator, subtracted; and the largest that is accepted. [s]
    accuracy_pct_of_reading, accuracy_pct_of_range, range_w, resolution_w : float
        Limit of error as printed, the largest power that the meter can have read, and the resolution. [%, %, W, W]
    calibrated, sensor_placement, inlet_temperature_c : str, str, float
        Date of calibration, where the sensor sits, temperature of the air at the inlet. [degC]
    source, evidence : str
        Where the file comes from, and of what kind it is.
    """

    model_config = ConfigDict(strict=True, extra="forbid", validate_by_name=True, validate_by_alias=True, frozen=True)

    name: text()
    file: text(1000) | None = None
    files: _Texts | None = None
    preset: Annotated[choice(PRESETS), Field(alias="as")] = "csv"
    quantity: choice(QUANTITIES) | None = None
    unit: Annotated[str, checked(_unit)] | None = None
    kind: choice(KINDS) | None = None
    interval_s: _Positive | None = None
    timezone: Annotated[str, checked(_zone)] | None = None
    repeated_hour: choice(REPEATED) | None = None
    time_column: text() | None = None
    begin_column: text() | None = None
    value_column: _Texts | None = None
    channel_column: text() | None = None
    host_column: text() | None = None
    offset_column: text() | None = None
    time_unit: choice(TIME_UNITS) | None = None
    date_order: choice(DATE_ORDERS) | None = None
    decimal: choice((".", ",")) | None = None
    delimiter: choice(tuple(DELIMITERS)) | None = None
    encoding: choice(ENCODINGS) | None = None
    sheet: text() | None = None
    boundary: choice(BOUNDARIES) | None = None
    scope: Annotated[Any, checked(_scope)] | None = None
    host: text() | None = None
    channels: _Texts | None = None
    counter_range: Annotated[float, checked(_quantity, "J")] | None = None
    on_fall: choice(ON_FALL) | None = None
    sentinels: Annotated[list[Any], checked(_sentinels)] | None = None
    clock_offset_s: _Amount | None = None
    max_clock_offset_s: _NotNegative | None = None
    accuracy_pct_of_reading: _NotNegative | None = None
    accuracy_pct_of_range: _NotNegative | None = None
    range_w: _Positive | None = None
    resolution_w: _Positive | None = None
    calibrated: Annotated[str, checked(check_date)] | None = None
    sensor_placement: text(500) | None = None
    inlet_temperature_c: _Amount | None = None
    source: text(1000) | None = None
    evidence: choice(EVIDENCE) | None = None

    @property
    def paths(self):
        """Paths of its files as they were declared."""
        return self.files or [self.file]


def check_declarations(meters, place=None):
    """Check the declarations of some meters.

    Parameters
    ----------
    meters : list of dict
        Declarations as mappings, such as those of ``meters:`` in a client's file.
    place : callable, optional
        Gives the place of a path in the list (index, key, ...), as keywords of `Problem`.

    Returns
    -------
    list of dict
        The same with checked values; what was not declared is not in it.

    Raises
    ------
    InputError
        With every key that is unknown, missing or has a value that is not allowed.

    Examples
    --------
    >>> check_declarations([{"name": "wall", "file": "pdu.csv", "counter_range": "1 kWh"}])
    [{'name': 'wall', 'file': 'pdu.csv', 'counter_range': 3600000.0}]
    >>> check_declarations([{"name": "wall", "file": "pdu.csv", "knd": "counter"}])
    Traceback (most recent call last):
    joulebook.errors.InputError: meters[0].knd: unknown key; allowed: name, file, ...; did you mean kind?
    """
    return [checked.model_dump(by_alias=True, exclude_unset=True) for checked in declarations(meters, place)]


def declarations(meters, place=None):
    """Some meters as `Declaration`, whether they are mappings or were checked before; errors as in `check_declarations`."""
    found, made = Problems(), []
    place = place or _place
    if not isinstance(meters, list | tuple) or not meters:
        refuse("no meters", value=meters, allowed="a list of meters, each with name, file and what its columns mean", **place())
    for i, meter in enumerate(meters):
        if not isinstance(meter, Declaration):
            try:
                meter = Declaration.model_validate(meter)
            except ValidationError as error:
                found.extend(_problem(item, i, place) for item in error.errors(include_url=False))
                continue
        made.append(meter)
        if (meter.file is None) == (meter.files is None):
            what = "missing" if meter.file is None else "file and files exclude each other"
            found.add(what, **place(i, "file"), allowed="the path of its file; or files, a list of paths")
        if any(meter.name == other.name for other in made[:-1]):
            found.add(
                "a name that is there twice", **place(i, "name"), value=meter.name, allowed="each meter with a name of its own"
            )
    found.stop()
    return made


def _place(*path):
    return {"field": "meters" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)}


def _problem(error, i, place):
    path, kind, value = error["loc"], error["type"], error["input"]
    where = place(i, *path[:1])
    if own := own_problem(error, where):
        return own
    names = [field.alias or name for name, field in Declaration.model_fields.items()]
    if kind == "missing":
        return Problem("missing", **where, allowed="a name for the meter")
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        return Problem("unknown key", **where, allowed=", ".join(names), near=near(path[-1], names))
    return Problem("not what is due", **where, value=value, allowed="a mapping of keys to values: " + ", ".join(names))
