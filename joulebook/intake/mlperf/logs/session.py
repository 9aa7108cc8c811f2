"""What the two sides of a power measurement recorded, ``client.json`` and ``server.json``."""

import json
import math
from dataclasses import dataclass

from joulebook.errors import InputError, Problem, Problems

PHASES = ("ranging", "testing")
_POINTS = 4  # of a phase; the second and the third bracket the run


@dataclass(frozen=True)
class Session:
    """One side of a measurement; None where the file does not say.

    Parameters
    ----------
    shown : str
        How the user named the file.
    timezone_s : int or None
        Seconds west of UTC: local time plus this is UTC.
    version, name : str or None
        Version of the program, and the session's name.
    uuid : dict of str to str or None
        Identifiers of client and server.
    messages : list of (str, str) or None
        Commands and replies.
    sources, results : dict of str to str or None
        SHA-1 of the program's files, and of the result's.
    phases : dict of str to list of float or None
        Time of the four points of `ranging` and `testing`, since 1970 in UTC. [s]
    devices : list of dict
        The meters, as the power daemon was configured; of the server alone.
    identity : str or None
        How the meter named itself.
    listed : bool
        Whether the configuration is a list of meters, as since v5.1.
    """

    shown: str
    timezone_s: int | None = None
    version: str | None = None
    name: str | None = None
    uuid: dict | None = None
    messages: list | None = None
    sources: dict | None = None
    results: dict | None = None
    phases: dict | None = None
    devices: tuple = ()
    identity: str | None = None
    listed: bool = False


def parse_session(data, shown):
    """Read one side of a measurement.

    Parameters
    ----------
    data : bytes
        Content of the file.
    shown : str
        How the user named it.

    Returns
    -------
    Session
        What it records.

    Raises
    ------
    InputError
        If it is no JSON, naming the line, or a field has another form, naming the field; all of them at once.

    Examples
    --------
    >>> parse_session(b'{"timezone": -32400}', "server.json").timezone_s
    -32400
    """
    try:
        record = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(Problem("not UTF-8", file=shown, line=data.count(b"\n", 0, error.start) + 1)) from None
    except json.JSONDecodeError as error:
        raise InputError(Problem(f"no JSON: {error.msg}", file=shown, line=error.lineno)) from None
    except (RecursionError, ValueError):  # ValueError: a whole number of thousands of digits
        raise InputError(Problem("no JSON that can be read", file=shown)) from None
    if not isinstance(record, dict):
        raise InputError(Problem("no record", file=shown, value=type(record).__name__, allowed='{"version": ..., ...}'))
    wrong = Problems()

    def take(field, form, allowed):
        value = record.get(field)
        if value is None:
            return None
        try:
            return form(value)
        except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError):
            wrong.add("has another form", file=shown, field=field, value=value, allowed=allowed)
            return None

    session = Session(
        shown, take("timezone", _whole, "seconds west of UTC"), take("version", _text, "text"),
        take("session_name", _text, "text"),
        take("uuid", _texts, '{"client": ..., "server": ...}'), take("messages", _messages, '[{"cmd": ..., "reply": ...}]'),
        take("sources", _texts, "{file: SHA-1}"), take("results", _texts, "{file: SHA-1}"),
        take("phases", _phases, '{"ranging": [[time, ...]] x 4, "testing": ...}'),
        take("ptd_config", _devices, "a record, or a list of records") or (),
        take("ptd_messages", _identity, '[{"cmd": ..., "reply": ...}]'), isinstance(record.get("ptd_config"), list))
    wrong.stop()
    return session


def _text(value):
    if not isinstance(value, str):
        raise TypeError
    return value


def _whole(value):
    if isinstance(value, bool) or int(value) != value or abs(value) > 86400:
        raise ValueError
    return int(value)


def _texts(value):
    return {_text(key): _text(item) for key, item in value.items()}


def _messages(value):
    return [(_text(message["cmd"]), str(message.get("reply"))) for message in value]


def _phases(value):
    return {name: _points(value[name]) for name in PHASES if name in value}


def _points(value):
    points = [float(point[0]) for point in value]
    if len(points) != _POINTS or not all(math.isfinite(point) and abs(point) < 1e11 for point in points):
        raise ValueError
    return points


def _devices(value):
    devices = [device for device in (value if isinstance(value, list) else [value]) if device is not None]
    plain = (str, int, float, type(None))
    if not all(isinstance(device, dict) and isinstance(device.get("device_type"), plain) for device in devices):
        raise TypeError
    return tuple(devices)


def _identity(value):
    return next((_text(reply) for command, reply in _messages(value) if command == "Identify"), None)
