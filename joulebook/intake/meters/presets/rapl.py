"""RAPL counters of the powercap interface: registers of zones that are nested, each with its range."""

import re

from joulebook.intake.checks import refuse
from joulebook.intake.meters.layout import Known, Layout, find_column, is_time, settle
from joulebook.intake.meters.lines import Lines
from joulebook.intake.meters.presets.prometheus import MOST
from joulebook.intake.meters.presets.table import open_table
from joulebook.intake.meters.scale import unit_of_header
from joulebook.intake.meters.sheets.made import Made

_ZONE = r"(?P<zone>(?:intel|amd)-rapl(?:-mmio)?(?::[0-9]+)+)"
_FILE = re.compile(rf"^\s*\S*?{_ZONE}/(?P<key>name|energy_uj|max_energy_range_uj)\s*[:=]\s*(?P<value>\S+)\s*$")
_LONGEST = 4000  # characters of a line
_OTHER = "lines of another kind"
_LIMITS = ("max_energy_range_uj", "max_energy_range")
_SCOPES = ("package", "core", "uncore", "dram", "psys")
_KNOWN = {"quantity": "energy", "kind": "counter"}


def open_file(path, shown, declaration, ask):
    """The table of a file with its layout."""
    if path.suffix.lower() not in (".csv", ".tsv", ".parquet", ".xlsx"):
        lines = Lines(path, shown, declaration.encoding)
        if any(_FILE.match(line) for line in lines.head.split("\n") if len(line) <= _LONGEST):
            return _text(lines.whole(MOST).split("\n"), shown, declaration, ask)
    table = open_table(path, shown, declaration)
    names = [re.sub(r"[^a-z0-9_-]+", "_", name.casefold()) for name in table.header]
    time = find_column(table.header, declaration.time_column, "time_column", ask)
    if time is None and declaration.time_column is None:
        found = [i for i, name in enumerate(table.header) if is_time(name)]
        time = found[0] if len(found) == 1 else None
        if time is None:
            ask("which column holds the times is not declared", "time_column", allowed=" or ".join(table.header[:40]))
    limit = next((names.index(name) for name in _LIMITS if name in names), None)
    zone = [names.index(name) for name in ("zone", "path", "name", "domain") if name in names]
    if declaration.channel_column:
        zone = [
            place for place in [find_column(table.header, declaration.channel_column, "channel_column", ask)] if place is not None
        ]
    rest = [i for i in range(len(names)) if i not in (time, limit, *zone) and unit_of_header(_of_zone(table.header[i]))]
    if declaration.value_column:
        rest = [find_column(table.header, name, "value_column", ask) for name in declaration.value_column]
        rest = [place for place in rest if place is not None]
    if not rest:
        ask("no column of energy with its unit", "value_column", allowed="a column such as energy_uj, or package-0_uj")
    parents = _parents(table.sample, zone)

    def label(texts):
        return _label(texts, parents)

    values = [(place, _stem(table.header[place]) if len(rest) > 1 else "") for place in rest]
    layout = Layout(time, values, channel=tuple(zone), limit=limit, label=label, scope=scope_of)
    units = {unit_of_header(_of_zone(table.header[place])) for place in rest} - {None}
    known = Known(**_KNOWN, unit=units.pop() if len(units) == 1 else None)
    settle(layout, table, declaration, known, ask)
    return [(table, layout)]


def _text(text, shown, declaration, ask):
    """Files of the interface as ``grep . .../energy_uj`` prints them; a line with a time begins a poll."""
    names, limits, rows, time, poll, seen, other = {}, {}, [], None, 0, set(), 0
    for number, line in enumerate(text, start=1):
        if not line.strip():
            continue
        match = _FILE.match(line) if len(line) <= _LONGEST else None
        if match is None:
            if re.match(r"^\s*[0-9]", line):
                time, seen = line.strip(), set()
            else:
                other += 1
            continue
        zone, key, value = match["zone"], match["key"], match["value"]
        if key == "name":
            names[zone] = value
        elif key == "max_energy_range_uj":
            if limits.setdefault(zone, value) != value:
                refuse("the range of a zone differs", file=shown, line=number, value=value, allowed=limits[zone])
        else:
            if zone in seen and time is None:
                seen, poll = set(), poll + 1
            seen.add(zone)
            rows.append((time, poll, zone, value, number))
    if not rows:
        refuse("no register of a zone", file=shown, allowed="lines such as .../intel-rapl:0/energy_uj:123456")
    timed = all(row[0] is not None for row in rows)
    if not timed and poll and declaration.interval_s is None:
        ask(
            "polls without times",
            "interval_s",
            allowed="interval_s, the time between two polls in seconds; or a line with the time",
        )
    step = declaration.interval_s or 0.0
    columns = [[row[0] if timed else repr(row[1] * step) for row in rows], [row[2] for row in rows], [row[3] for row in rows],
               [limits.get(row[2], "") for row in rows]]  # fmt: skip
    table = Made(
        ["time", "zone", "energy_uj", "max_energy_range_uj"], columns, [row[4] for row in rows], {_OTHER: other} if other else {}
    )
    parents = {zone: (names.get(zone, zone), names.get(zone.rpartition(":")[0])) for zone in {row[2] for row in rows}}
    layout = Layout(0, [(2, "")], channel=(1,), limit=3, label=lambda texts: _label(texts, parents), scope=scope_of,
                    time_unit=None if timed else "s")  # fmt: skip
    settle(layout, table, declaration, Known(**_KNOWN, unit="uJ"), ask)
    layout.interval_s = None
    return [(table, layout)]


def _parents(sample, columns):
    """Name of each zone and of the zone around it, where the rows say both."""
    if len(columns) < 2:
        return {}
    names = {row[columns[0]]: row[columns[1]] for row in sample if max(columns[:2]) < len(row)}
    return {zone: (name, names.get(zone.rpartition(":")[0])) for zone, name in names.items()}


def _label(texts, parents):
    """Name of a zone, with that of the package that it lies in."""
    name, around = parents.get(texts[0], (texts[-1], None))
    return f"{around} {name}" if around else name


def scope_of(label):
    """Scope of a zone by its name.

    Examples
    --------
    >>> scope_of("package-0"), scope_of("package-0 core"), scope_of("intel-rapl:0")
    ('package', 'core', None)
    """
    word = re.sub(r"[-_]?[0-9]+$", "", label.split()[-1].casefold()) if label.split() else ""
    return word if word in _SCOPES else None


def _of_zone(header):
    """The header of a column without the name of its zone, so that its unit can be told."""
    return re.sub(r"^(?:package|core|uncore|dram|psys)[-_]?[0-9]*_", "energy_", header.casefold())


def _stem(header):
    return re.sub(r"_(?:energy_)?[a-z]+$", "", header)
