"""How much of a system an MLPerf description discloses, and what of it energy depends on is missing."""

import json
from dataclasses import dataclass

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.places import DIVISIONS

# Fields without which a figure of energy cannot be compared or repeated.
POWER_RELEVANT = ("number_of_nodes", "host_processor_model_name", "host_processors_per_node", "host_memory_capacity",
                  "accelerator_model_name", "accelerators_per_node", "cooling", "power_supply_details",
                  "power_supply_quantity_and_rating_watts", "power_management", "boot_firmware_version", "host_networking",
                  "framework", "operating_system")
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
    """

    fields: int
    filled: int
    missing: tuple
    division: str | None

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
    try:
        record = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise InputError(Problem(f"no JSON: {error.msg}", file=shown, line=error.lineno)) from None
    except (ValueError, RecursionError) as error:
        raise InputError(Problem(f"no JSON that can be read ({type(error).__name__})", file=shown)) from None
    if not isinstance(record, dict):
        raise InputError(Problem("no record", file=shown, value=type(record).__name__, allowed="fields and what they say"))
    filled = {name for name, value in record.items() if _says(value)}
    division = record.get("division")
    division = division.lower() if isinstance(division, str) else None
    return Disclosure(len(record), len(filled), tuple(name for name in POWER_RELEVANT if name not in filled),
                      division if division in DIVISIONS else None)


def _says(value):
    """Whether a field is filled; a number is, also 0."""
    if isinstance(value, str):
        return value.strip().lower() not in _EMPTY
    return value is not None and value not in ([], {})
