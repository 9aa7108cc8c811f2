"""How much of a system an MLPerf description discloses, and what of it energy depends on is missing."""

import json
from dataclasses import dataclass, field

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.places import DIVISIONS

# Fields without which a figure of energy cannot be compared or repeated.
POWER_RELEVANT = ("number_of_nodes", "host_processor_model_name", "host_processors_per_node", "host_memory_capacity",
                  "accelerator_model_name", "accelerators_per_node", "cooling", "power_supply_details",
                  "power_supply_quantity_and_rating_watts", "power_management", "boot_firmware_version", "host_networking",
                  "framework", "operating_system")
# Fields whose words are kept: what a deployment is compared with.
TOLD = (*POWER_RELEVANT, "accelerator_frequency")
_EMPTY = ("", "-", "n/a", "na", "none", "null", "tbd", "todo", "unknown")


@dataclass(frozen=True)
class Disclosure:
    """What a description tells.

    Parameters
    ----------
    fields, filled : int
        Fields of the description, and those that say something.
    missing : tuple of str
        Fields that energy depends on and that are absent or empty.
    division : str or None
        Division, where it is one of MLPerf's.
    told : dict of str to str
        What the fields `TOLD` say, where they say something.
    """

    fields: int
    filled: int
    missing: tuple
    division: str | None
    told: dict = field(default_factory=dict)

    @property
    def share(self):
        """Share of the fields that say something; None where there is no field. [1]"""
        return self.filled / self.fields if self.fields else None


def parse_description(data, shown):
    """Read the description of a system, ``systems/*.json``.

    Parameters
    ----------
    data : bytes
        Content of the file.
    shown : str
        How the user named it.

    Returns
    -------
    Disclosure
        What it tells.

    Raises
    ------
    InputError
        If it is no JSON record, naming the line.

    Examples
    --------
    >>> told = parse_description(b'{"cooling": "air", "framework": "", "division": "closed"}', "systems/box.json")
    >>> told.filled, told.fields, "cooling" in told.missing, "framework" in told.missing, told.division
    (2, 3, False, True, 'closed')
    """
    record = _record(data, shown)
    filled = {name for name, value in record.items() if _says(value)}
    division = record.get("division")
    division = division.lower() if isinstance(division, str) else None
    return Disclosure(len(record), len(filled), tuple(name for name in POWER_RELEVANT if name not in filled),
                      division if division in DIVISIONS else None, {name: str(record[name]) for name in TOLD if name in filled})


def parse_measurement(data, shown):
    """Number formats of a submission, ``measurements/.../*.json``: what its fields on data types say.

    Parameters
    ----------
    data, shown : bytes, str
        Content of the file, and how the user named it.

    Returns
    -------
    dict of str to str

    Examples
    --------
    >>> parse_measurement(b'{"weight_data_types": "int8", "retraining": "No"}', "box_Offline.json")
    {'weight_data_types': 'int8'}
    """
    record = _record(data, shown)
    return {name: str(record[name]) for name in ("input_data_types", "weight_data_types") if _says(record.get(name))}


def _record(data, shown):
    try:
        record = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise InputError(Problem(f"no JSON: {error.msg}", file=shown, line=error.lineno)) from None
    except (ValueError, RecursionError) as error:
        raise InputError(Problem(f"no JSON that can be read ({type(error).__name__})", file=shown)) from None
    if not isinstance(record, dict):
        raise InputError(Problem("no record", file=shown, value=type(record).__name__, allowed="fields and what they say"))
    return record


def _says(value):
    """Whether a field is filled; a number is, also 0."""
    if isinstance(value, str):
        return value.strip().lower() not in _EMPTY
    return value is not None and value not in ([], {})
