"""DCGM: the text of ``dcgmi dmon``, scrapes of its exporter, and what Prometheus gives of its fields."""

import re

from joulebook.intake.checks import refuse
from joulebook.intake.meters.boards import known_of
from joulebook.intake.meters.layout import ASKED, Known, Layout, settle
from joulebook.intake.meters.lines import Lines
from joulebook.intake.meters.presets import prometheus
from joulebook.intake.meters.presets.metrics import METRICS
from joulebook.intake.meters.sheets.made import Made

# Short names of ``dcgmi dmon`` and what they stand for.
_FIELDS = {"POWER": "DCGM_FI_DEV_POWER_USAGE", "TOTEC": "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION",
           "PWINST": "DCGM_FI_DEV_POWER_USAGE_INSTANT"}  # fmt: skip
_ROW = re.compile(r"^(?P<time>.*?)\s*\b(?P<entity>GPU|GPU-I|GPU-CI|CPU)\s+(?P<id>[0-9]+)\s+(?P<cells>.*?)\s*$")
_SAMPLE = re.compile(r"^(?P<name>DCGM_[A-Z0-9_]+)(?:\{(?P<labels>.*)\})?\s+(?P<value>\S+)(?:\s+(?P<time>-?[0-9]{1,16}))?\s*$")
_LABEL = re.compile(r'([A-Za-z_][A-Za-z0-9_]*)="((?:[^"\\]|\\.)*)"')
_LONGEST = 4000  # characters of a line
_OTHER = "lines of another kind"


def open_file(path, shown, declaration, ask):
    """The tables of a file with their layouts."""
    if path.suffix.lower() in (".csv", ".tsv", ".json", ".parquet", ".xlsx"):
        return prometheus.open_file(path, shown, declaration, ask)
    lines = Lines(path, shown, declaration.encoding)
    if lines.head.lstrip()[:1] in ("{", "["):
        return prometheus.open_file(path, shown, declaration, ask)
    text = lines.whole(prometheus.MOST).split("\n")
    if any(_SAMPLE.match(line) for line in text[:200] if len(line) <= _LONGEST):
        return _scrapes(text, shown, declaration, ask)
    return _dmon(text, shown, declaration, ask)


def _dmon(text, shown, declaration, ask):
    header = next((line for line in text if line.lstrip("# ").startswith("Entity")), None)
    if header is None:
        refuse(
            "no output of dcgmi dmon", file=shown, allowed="its header, such as #Entity POWER TOTEC, and rows such as GPU 0 65.1"
        )
    names = header.lstrip("# ").split()[1:]
    known = [name for name in names if name in _FIELDS]
    if declaration.quantity is not None and len(known) > 1:
        known = [name for name in known if METRICS[_FIELDS[name]].quantity == declaration.quantity]
    if declaration.value_column:
        known = [name for name in names if name in declaration.value_column and name in _FIELDS]
    if not known:
        refuse("no field of power or energy", file=shown, value=" ".join(names), allowed="POWER (155) or TOTEC (156)")
    if len(known) > 1:
        key = "quantity" if len({METRICS[_FIELDS[name]].quantity for name in known}) > 1 else "value_column"
        ask("several readings of the same boards", key, allowed="power or energy" if key == "quantity" else " or ".join(known))
    field, place = METRICS[_FIELDS[known[0]]], names.index(known[0])
    times, polls, boards, values, numbers, left_out, wrong = [], [], [], [], [], {}, []
    seen, poll = set(), 0
    for number, line in enumerate(text, start=1):
        if not line.strip():
            continue
        row = _ROW.match(line) if len(line) <= _LONGEST and not line.lstrip().startswith("#") else None
        cells = row["cells"].split() if row else []
        if row is None or len(cells) != len(names):
            if row is not None:
                wrong.append((number, line))
            else:
                left_out[_OTHER] = left_out.get(_OTHER, 0) + 1
            continue
        board = f"{row['entity'].lower()} {row['id']}"
        if board in seen:
            seen, poll = set(), poll + 1
        seen.add(board)
        times.append(row["time"].strip().strip("[]#").strip())
        polls.append(poll)
        boards.append(board)
        values.append(cells[place])
        numbers.append(number)
    for number, line in wrong[:1]:
        refuse(f"a row of other cells than the header{f', and {len(wrong) - 1} more' if len(wrong) > 1 else ''}", file=shown,
               line=number, value=line, allowed=header)  # fmt: skip
    timed = any(times)
    if not timed and poll and declaration.interval_s is None:
        ask("rows without times", "interval_s", allowed="interval_s, the time between two polls in seconds; or a time in each")
    if not timed:
        times = [repr(one * (declaration.interval_s or 1.0)) for one in polls]
    table = Made(["time", "entity", known[0]], [times, boards, values], numbers, left_out)
    layout = Layout(0, [(2, "")], channel=(1,), label=lambda texts: texts[0], time_unit=None if timed else "s")
    layout.scope = lambda label: "gpu" if label.startswith("gpu") else "cpu"
    if field.quantity == "power":
        layout.of_label = lambda label: known_of(None)
    settle(layout, table, declaration, Known(field.quantity, field.unit, field.kind, field.boundary), ask)
    return [(table, _without_interval(layout))]


def _scrapes(text, shown, declaration, ask):
    """Scrapes of the exporter: samples with their labels, and times where they have any."""
    series, left_out, polls, timed = {}, 0, {}, True
    for line in text:
        sample = _SAMPLE.match(line) if len(line) <= _LONGEST else None
        if sample is None:
            if line.strip() and not line.startswith("#"):
                left_out += 1
            continue
        if sample["name"] not in METRICS:
            continue
        labels = dict(_LABEL.findall(sample["labels"] or ""))
        key = (sample["name"], *sorted(labels.items()))
        polls[key] = polls.get(key, -1) + 1
        timed &= sample["time"] is not None
        time = sample["time"] and repr(int(sample["time"]) / 1000)
        labels["__name__"] = sample["name"]
        series.setdefault(key, (labels, []))[1].append((time, polls[key], sample["value"]))
    if not series:
        refuse(
            "no sample of power or energy", file=shown, allowed=" or ".join(name for name in METRICS if name.startswith("DCGM"))
        )
    if not timed and max(polls.values()) and declaration.interval_s is None:
        ask("scrapes without times", "interval_s", allowed=ASKED["interval_s"])
    step = declaration.interval_s or 0.0
    made = [
        (labels, [(time if timed else repr(poll * step), value) for time, poll, value in some])
        for labels, some in series.values()
    ]
    notes = (f"{left_out} {_OTHER}",) if left_out else ()
    return [
        (table, _without_interval(layout)) for table, layout in prometheus.series_layouts(made, shown, declaration, ask, notes)
    ]


def _without_interval(layout):
    layout.interval_s = None
    return layout
