"""Redfish: resources Power, EnvironmentMetrics, Sensor and PowerSupplyMetrics as JSON, one or several, with or without a time."""

import re

from joulebook.intake.checks import refuse
from joulebook.intake.meters.layout import Known, Layout, settle
from joulebook.intake.meters.lines import Lines
from joulebook.intake.meters.presets.prometheus import read_json
from joulebook.intake.meters.sheets.made import Made

_MOST = 1 << 28
_DEPTH = 12
_TIMES = ("@timestamp", "timestamp", "Timestamp", "time", "Time", "ReadingTime", "SensorReadingTime", "DateTime")
_OFF = ("Disabled", "Absent", "UnavailableOffline", "StandbyOffline", "Deferring")
ZERO = "all figures 0: no sensor"
NO_TIME = "no time in the file: one reading, of which no energy follows"
_KINDS = {"power": ("W", "instantaneous"), "kWh": ("kWh", "counter"), "J": ("J", "counter")}
_PARTS = (("gpu", "gpu"), ("accelerator", "gpu"), ("cpu", "cpu"), ("processor", "cpu"), ("memory", "memory"), ("dimm", "memory"),
          ("fan", "fans"), ("psu", "psu"), ("power supply", "psu"))  # fmt: skip


def open_file(path, shown, declaration, ask):
    """The table of a file with its layout."""
    documents = _documents(Lines(path, shown, declaration.encoding).whole(_MOST), shown)
    readings, left_out = [], {}
    for number, (line, document) in enumerate(documents):
        found = list(_readings(document, _time(document), "", 0))
        if not found:
            refuse("no reading of power or energy", file=shown, line=line, value=str(document)[:60],
                   allowed="a resource Power, EnvironmentMetrics, Sensor or PowerSupplyMetrics")  # fmt: skip
        readings += [(number, line, *one) for one in found]
    quantities = {one[4] for one in readings}
    if len(quantities) > 1:
        wanted = {"power": {"power"}, "energy": {"kWh", "J"} & quantities}.get(declaration.quantity)
        if wanted is None or len(wanted) > 1:
            ask("power and energy of the same machine", "quantity", value=sorted(quantities), allowed="power or energy")
            wanted = {"power"}
        readings = [one for one in readings if one[4] in wanted]
    quantity = readings[0][4] if readings else "power"
    rows = []
    for number, line, time, name, _, value, reason in readings:
        if reason is None:
            rows.append((time, name, value, line or number + 1, number))
        else:
            left_out[reason] = left_out.get(reason, 0) + 1
    times, notes = _times(rows, len(documents), declaration, ask)
    columns = [times, [row[1] for row in rows], [row[2] for row in rows]]
    table = Made(["time", "name", "reading"], columns, [row[3] for row in rows], left_out)
    several = len({row[1] for row in rows}) > 1
    layout = Layout(0, [(2, "")], channel=(1,) if several else (), label=lambda texts: texts[0], scope=_scope,
                    time_unit="s" if notes or declaration.interval_s else None, notes=notes)  # fmt: skip
    unit, kind = _KINDS[quantity]
    settle(layout, table, declaration, Known("power" if quantity == "power" else "energy", unit, kind), ask)
    layout.interval_s = None
    return [(table, layout)]


def _documents(text, shown):
    """Documents of a file, with their lines: one, a list of them, or one on each line."""
    stripped = text.lstrip()
    if "\n{" in stripped.rstrip() and stripped.startswith("{") and stripped.split("\n", 1)[0].rstrip().endswith("}"):
        return [(i, read_json(line, shown, i)) for i, line in enumerate(text.split("\n"), start=1) if line.strip()]
    whole = read_json(text, shown)
    return [(None, one) for one in whole] if isinstance(whole, list) else [(None, whole)]


def _time(document):
    if not isinstance(document, dict):
        return None
    found = next((document[key] for key in _TIMES if isinstance(document.get(key), str | int | float)), None)
    return None if found is None or isinstance(found, bool) else str(found)


def _readings(node, time, name, depth):
    """Readings of a document: time, name, quantity, value as text, and why it is none."""
    if not isinstance(node, dict) or depth > _DEPTH:
        return
    time = _time(node) or time
    name = node["Name"] if isinstance(node.get("Name"), str) else name
    controls = node.get("PowerControl")
    if isinstance(controls, list):
        for place, control in enumerate(controls):
            if isinstance(control, dict) and "PowerConsumedWatts" in control:
                label = control.get("Name") if isinstance(control.get("Name"), str) else f"power control {place}"
                yield (time, label, "power", *_value(control["PowerConsumedWatts"], control, _figures(control)))
        return
    if "ReadingType" in node or "ReadingUnits" in node:
        quantity = {"Power": "power", "EnergykWh": "kWh", "EnergyJoules": "J"}.get(str(node.get("ReadingType")))
        units = {"W": "power", "kW.h": "kWh", "J": "J"}.get(str(node.get("ReadingUnits")))
        if quantity or units:
            yield (time, name or "sensor", quantity or units, *_value(node.get("Reading"), node, [node.get("Reading"), 1]))
        return
    for key, quantity in (("PowerWatts", "power"), ("InputPowerWatts", "power"), ("EnergykWh", "kWh"), ("EnergyJoules", "J")):
        one = node.get(key)
        if isinstance(one, dict) and "Reading" in one:
            yield (time, name or "environment", quantity, *_value(one["Reading"], node, [one["Reading"], 1]))
    for value in node.values():
        for child in value if isinstance(value, list) else [value]:
            yield from _readings(child, time, name, depth + 1)


def _figures(control):
    """All figures of a control: power, capacity, metrics. Where all are 0 there is no sensor."""
    metrics = control.get("PowerMetrics") if isinstance(control.get("PowerMetrics"), dict) else {}
    numbers = [
        control.get(key) for key in ("PowerConsumedWatts", "PowerCapacityWatts", "PowerAvailableWatts", "PowerAllocatedWatts")
    ]
    return numbers + [metrics.get(key) for key in ("AverageConsumedWatts", "MaxConsumedWatts", "MinConsumedWatts")]


def _value(value, node, figures):
    status = node.get("Status")
    state = status.get("State") if isinstance(status, dict) else None
    if state in _OFF:
        return "", f"sensor {state.lower()}"
    if value is None:
        return "", "null"
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return str(value)[:40], None
    numbers = [float(one) for one in figures if isinstance(one, int | float) and abs(one) < 1e300]
    if numbers and not any(numbers):
        return "", ZERO
    return repr(value) if isinstance(value, float) else str(value), None


def _times(rows, documents, declaration, ask):
    """Texts of times; of documents without them their numbers times the interval, or 0 for a single one."""
    if any(row[0] is not None for row in rows):
        return [row[0] or "" for row in rows], ()
    if documents <= 1:
        return ["0"] * len(rows), (NO_TIME,)
    if declaration.interval_s is None:
        ask(
            "readings without times",
            "interval_s",
            allowed="interval_s, the time between two in seconds; or a timestamp beside each",
        )
    return [repr(row[4] * (declaration.interval_s or 1.0)) for row in rows], ()


def _scope(label):
    low = re.sub(r"[^a-z ]+", " ", label.casefold())
    return next((scope for word, scope in _PARTS if word in low), "machine")
