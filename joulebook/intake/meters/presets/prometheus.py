"""Answers of Prometheus to a range query, as JSON or CSV: series of metrics by their labels."""

import json
import re

from joulebook.intake.checks import refuse
from joulebook.intake.meters.boards import known_of, scope_of
from joulebook.intake.meters.layout import Known, Layout, find_column, settle, table_layout
from joulebook.intake.meters.lines import Lines
from joulebook.intake.meters.presets.metrics import metric_of
from joulebook.intake.meters.presets.table import open_table
from joulebook.intake.meters.sheets.made import Made

MOST = 1 << 29  # bytes of a file that is read whole
HELD = "a range query repeats the last scrape for up to five minutes: a gap shorter than that is not seen"
_FORM = "the answer to a range query: status, data, result with metric and values"
_BOARD = ("modelName", "model_name", "gpu_model", "name")


def open_file(path, shown, declaration, ask):
    """The tables of a file with their layouts, one for each metric."""
    lines = None if path.suffix.lower() in (".csv", ".tsv", ".parquet", ".xlsx") else Lines(path, shown, declaration.encoding)
    if lines is None or lines.head.lstrip()[:1] not in ("{", "["):
        return _table(path, shown, declaration, ask)
    return series_layouts(_series(lines.whole(MOST), shown), shown, declaration, ask)


def read_json(text, shown, line=None):
    """A JSON document; an error by name where it is none."""
    try:
        return json.loads(text)
    except RecursionError:
        return refuse("no JSON that can be read: too deep", file=shown, line=line)
    except ValueError as error:
        return refuse(f"no JSON: {getattr(error, 'msg', error)}", file=shown, line=getattr(error, "lineno", line),
                      allowed="JSON from beginning to end")  # fmt: skip


def _series(text, shown):
    data = read_json(text, shown)
    if isinstance(data, dict) and data.get("status") == "error":
        refuse(f"an error that Prometheus answered: {data.get('error')}"[:200], file=shown)
    result = data.get("data", data) if isinstance(data, dict) else data
    result = result.get("result") if isinstance(result, dict) else result
    if not isinstance(result, list):
        refuse("no answer to a range query", file=shown, allowed=_FORM)
    made = []
    for number, one in enumerate(result, start=1):
        labels = one.get("metric") if isinstance(one, dict) else None
        values = one.get("values", [one["value"]] if "value" in one else None) if isinstance(one, dict) else None
        pairs = isinstance(values, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in values)
        if not isinstance(labels, dict) or not pairs:
            refuse(f"series {number} of the answer is none", file=shown, value=str(one)[:60], allowed=_FORM)
        made.append(({str(key): str(value) for key, value in labels.items()}, [(_cell(t), _cell(v)) for t, v in values]))
    if not made:
        refuse("an answer without any series", file=shown, allowed="a query that finds a metric")
    return made


def _cell(value):
    if isinstance(value, float):
        return repr(value)
    return str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""


def series_layouts(series, shown, declaration, ask, notes=(HELD,), missing_time=False):
    """Tables of series of metrics: pairs of labels and of (time, value) texts."""
    metrics = {}
    for labels, pairs in series:
        metrics.setdefault(labels.get("__name__", ""), []).append((labels, pairs))
    kinds = {name: metric_of(name) for name in metrics}
    quantities = {metric.quantity for metric in kinds.values() if metric}
    if len(quantities) > 1:
        if declaration.quantity is None:
            ask("power and energy of the same machines", "quantity", value=sorted(metrics), allowed="power or energy")
            return []
        metrics = {name: some for name, some in metrics.items() if kinds[name] and kinds[name].quantity == declaration.quantity}
    several = len(metrics) > 1
    return [_layout(name, some, several, shown, declaration, ask, notes) for name, some in metrics.items()]


def _layout(name, series, several, shown, declaration, ask, notes):
    metric = metric_of(name)
    keys = sorted({key for labels, _ in series for key in labels} - {"__name__"})
    differ = [key for key in keys if len({labels.get(key, "") for labels, _ in series}) > 1]
    differ, made = _telling(series, differ), {}
    for labels, pairs in series:
        label = _label(labels, differ, name if several else "")
        if label in made:
            refuse("two series of the same labels", file=shown, value=label, allowed="each series once")
        made[label] = labels, pairs
    rows = [(t, label, v) for label, (_, pairs) in made.items() for t, v in pairs]
    table = Made(["time", "series", name or "value"], [list(column) for column in zip(*rows, strict=True)] or [[], [], []])

    def board(label):
        labels = made.get(label, ({},))[0]
        return next((labels[key] for key in _BOARD if key in labels), None)

    def of_label(label):
        power = metric is not None and metric.scope == "gpu" and metric.quantity == "power"
        return known_of(board(label)) if power else {}

    def scope(label):
        found = metric.scope if metric else None
        return scope_of(board(label)) if found == "gpu" else found

    layout = Layout(0, [(2, "")], channel=(1,), label=lambda texts: texts[0], scope=scope, of_label=of_label, notes=tuple(notes))
    known = Known(time_unit="s")
    if metric is not None:
        known = Known(metric.quantity, metric.unit, metric.kind, metric.boundary, time_unit="s")
    settle(layout, table, declaration, known, ask)
    return table, layout


def _telling(series, differ):
    """The fewest labels that tell the series apart: boards have many that say the same."""
    host = next((key for key in ("Hostname", "hostname", "node", "instance") if key in differ), None)
    for keys in (["gpu"], [host, "gpu"]):
        if set(keys) <= set(differ) and len({tuple(labels.get(key, "") for key in keys) for labels, _ in series}) == len(series):
            return keys
    return differ


def _label(labels, keys, name):
    words = [f"gpu {labels[key]}" if key == "gpu" and labels.get(key, "").isdecimal() else labels.get(key, "") for key in keys]
    return " ".join(word for word in [name, *words] if word)


def _table(path, shown, declaration, ask):
    """An export as CSV: a column of values with columns of labels, or a column for each series."""
    table = open_table(path, shown, declaration)
    names = [re.sub(r"[^a-z_]+", "_", name.casefold()) for name in table.header]
    said = " ".join([*table.header, *(cell for row in table.sample[:1] for cell in row)])
    found = {word for word in re.findall(r"[A-Za-z_:][A-Za-z0-9_:]*", said) if metric_of(word)}
    metric = metric_of(found.pop()) if len(found) == 1 else None
    known = Known(time_unit="s" if table.sample and re.fullmatch(r"[0-9]{10}(?:\.[0-9]+)?", table.sample[0][0]) else None)
    if metric is not None:
        known = Known(metric.quantity, metric.unit, metric.kind, metric.boundary, time_unit=known.time_unit)
    if "value" not in names or declaration.value_column:
        layout = _wide(table, declaration, known, ask)
    else:
        time = find_column(table.header, declaration.time_column, "time_column", ask)
        if time is None:
            time = next((names.index(name) for name in ("timestamp", "time") if name in names), None)
        if time is None:
            ask("which column holds the times is not declared", "time_column", allowed=" or ".join(table.header))
        labels = tuple(i for i, name in enumerate(names) if name not in ("value", "timestamp", "time") and i != time)
        layout = Layout(time, [(names.index("value"), "")], channel=labels, label=lambda texts: " ".join(filter(None, texts)))
        settle(layout, table, declaration, known, ask)
    layout.notes = (HELD,)
    if metric is not None and metric.scope:
        layout.scope = lambda label: metric.scope
    return [(table, layout)]


def _wide(table, declaration, known, ask):
    if declaration.value_column or len(table.header) == 2:
        return table_layout(table, declaration, ask, known)
    time = find_column(table.header, declaration.time_column, "time_column", ask)
    time = 0 if time is None else time
    layout = Layout(time, [(i, name) for i, name in enumerate(table.header) if i != time])
    settle(layout, table, declaration, known, ask)
    return layout
