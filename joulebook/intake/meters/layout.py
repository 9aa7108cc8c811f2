"""Which columns of a table are what: as declared, as a preset knows, or as a header says beyond doubt; else asked for."""

import re
from dataclasses import dataclass, field

from joulebook.errors import near
from joulebook.intake.meters.declaration import KINDS, QUANTITIES
from joulebook.intake.meters.scale import ALLOWED, says_quantity, scale, unit_of_header

ASKED = {
    "quantity": "declare quantity: power or energy",
    "unit": f"declare unit: {ALLOWED}",
    "kind": "declare kind",
    "interval_s": "declare interval_s, the length of an interval in seconds",
    "timezone": "declare timezone: a name such as Europe/Berlin, UTC, or an offset such as +01:00; or an offset_column",
    "time_unit": "declare time_unit: s, ms, us or ns; or excel_days",
}
_OF = {"power": ("instantaneous", "interval_mean", "on_change"), "energy": ("counter", "interval_energy")}
# Names of columns in lower case, their words joined by _.
_TIMES = frozenset(
    """timestamp time datetime date_time date t ts zeit zeitstempel datum local_time utc_time utc epoch unix_time unixtime
timestamp_utc time_utc end end_utc end_time stop stop_utc elapsed seconds""".split()  # noqa: SIM905
)
_BEGINS = frozenset("start start_utc start_time begin begin_utc begin_time from start_s begin_s start_ms".split())  # noqa: SIM905
_TOTALS = {"total", "sum", "aggregate", "gesamt", "summe", "all"}
_TIME_UNITS = {
    "s": "s",
    "sec": "s",
    "secs": "s",
    "second": "s",
    "seconds": "s",
    "ms": "ms",
    "msec": "ms",
    "milliseconds": "ms",
    "us": "us",
    "usec": "us",
    "microseconds": "us",
    "ns": "ns",
    "nanoseconds": "ns",
}
_CHANNELS = frozenset(
    """channel gpu gpu_id gpu_index index uuid host hostname node outlet sensor device meter name zone phase domain run_id
instance machine port circuit entity rack""".split()  # noqa: SIM905
)


@dataclass
class Known:
    """What a preset knows of its files, by the keys of a declaration; None is not known."""

    quantity: str | None = None
    unit: str | None = None
    kind: str | None = None
    boundary: str | None = None
    timezone: str | None = None
    interval_s: float | None = None
    time_unit: str | None = None
    date_order: str | None = None


@dataclass
class Layout:
    """Columns of a table by their places, and what their cells mean.

    `values` are the columns of values with the label of the channel of each ("" where there is one), `label` makes
    the name of a channel of the cells of `channel`, `scope` the scope of a channel of its label.
    """

    time: int | None
    values: list
    begin: int | None = None
    channel: tuple = ()
    host: int | None = None
    offset: int | None = None
    limit: int | None = None
    quantity: str | None = None
    unit: str | None = None
    kind: str | None = None
    boundary: str | None = None
    zone: str | None = None
    interval_s: float | None = None
    time_unit: str | None = None
    date_order: str | None = None
    label: object = " ".join
    scope: object = staticmethod(lambda label: None)
    accuracy: dict = field(default_factory=dict)
    notes: tuple = ()
    of_label: object = staticmethod(lambda label: {})

    @property
    def needed(self):
        """Places of all columns that are read."""
        one = [self.time, self.begin, self.host, self.offset, self.limit]
        return sorted({*(place for place in one if place is not None), *self.channel, *(place for place, _ in self.values)})


def find_column(header, name, key, ask):
    """Place of a column that is declared by its name, or by its number; None where it is not there, with the problem noted."""
    if name is None:
        return None
    names = [column.casefold() for column in header]
    if header.count(name) == 1 or names.count(name.casefold()) == 1:
        return header.index(name) if name in header else names.index(name.casefold())
    if name.isdecimal() and 1 <= int(name) <= len(header):
        return int(name) - 1
    ask("no such column", key, value=name, allowed=" or ".join(header[:40]), near=near(name, header))
    return None


def table_layout(table, declaration, ask, known=None, taken=()):
    """Layout of any table by what is declared of it and what its header says.

    Parameters
    ----------
    table : object
        With `header` and `sample`.
    declaration : Declaration
        What is declared.
    ask : callable
        Takes what is missing or wrong: what, key, and keywords of `Problem`.
    known : Known, optional
        What the preset knows.
    taken : collection of int
        Columns that the preset has a use for already.
    """
    known, header = known or Known(), table.header
    time = find_column(header, declaration.time_column, "time_column", ask)
    begin = find_column(header, declaration.begin_column, "begin_column", ask)
    offset = find_column(header, declaration.offset_column, "offset_column", ask)
    channel = find_column(header, declaration.channel_column, "channel_column", ask)
    host = find_column(header, declaration.host_column, "host_column", ask)
    used = {place for place in (time, begin, offset, channel, host, *taken) if place is not None}
    if declaration.time_column is None:
        found = [i for i, name in enumerate(header) if i not in used and is_time(name)]
        starts = [i for i, name in enumerate(header) if i not in used and _plain(name) in _BEGINS]
        intervals = declaration.begin_column is None and (declaration.kind or known.kind) in ("interval_mean", "interval_energy")
        if intervals and len(starts) == 1 and len(found) == 1:
            begin = starts[0]
            used.add(begin)
        if len(found) == 1:
            time = found[0]
        elif begin is None or found:
            ask("which column holds the times is not declared", "time_column", allowed=" or ".join(header[:40]))
        elif declaration.interval_s is None:
            ask(
                "intervals whose end is in no column",
                "time_column",
                allowed="time_column, the column of their ends; or interval_s",
            )
        used.add(time)
    values = value_columns(table, declaration, used, ask)
    layout = Layout(time, values, begin, (channel,) if channel is not None else (), host, offset, scope=total_scope)
    if channel is None and declaration.channel_column is None:
        _ask_for_channels(table, used | {place for place, _ in values}, ask)
    settle(layout, table, declaration, known, ask)
    return layout


def is_time(name):
    """Whether the name of a column says that it holds times.

    Examples
    --------
    >>> is_time("Timestamp [UTC]"), is_time("t_s"), is_time("power_w")
    (True, True, False)
    """
    plain = _plain(name)
    stem = re.sub(r"_(?:s|sec|secs|seconds|ms|us|ns|utc|local)$", "", plain)
    return plain in _TIMES or stem in _TIMES


def total_scope(label):
    """Scope of a channel that its name calls the total: it holds the others.

    Examples
    --------
    >>> total_scope("Total (W)"), total_scope("L1 (W)")
    ('total', None)
    """
    return "total" if set(re.split(r"[^a-zäöü]+", label.casefold())) & _TOTALS else None


def _plain(name):
    return re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")


def time_unit_of(name):
    """Unit that the name of a column of times states, or None.

    Examples
    --------
    >>> time_unit_of("t_s"), time_unit_of("time (ms)"), time_unit_of("timestamp")
    ('s', 'ms', None)
    """
    parts = _plain(name).split("_")
    return _TIME_UNITS.get(parts[-1])


def value_columns(table, declaration, used, ask):
    """Columns of values with their labels; asked for where there may be several."""
    header = table.header
    if declaration.value_column:
        places = [find_column(header, name, "value_column", ask) for name in declaration.value_column]
        places = [place for place in places if place is not None]
        return [(place, header[place] if len(places) > 1 else "") for place in places]
    free = [i for i in range(len(header)) if i not in used]
    with_unit = [i for i in free if unit_of_header(header[i])]
    named = [i for i in free if says_quantity(header[i])]
    for found in (with_unit, named, free):
        if len(found) == 1:
            return [(found[0], "")]
        if found:
            break
    names = " or ".join(header[i] for i in (with_unit or named or free)[:40])
    ask("which column holds the values is not declared", "value_column", allowed=names or "the name of a column")
    return []


def _ask_for_channels(table, used, ask):
    """Ask for the column of channels where one may be it: mixed channels would be taken for one."""
    for i, name in enumerate(table.header):
        if i in used or _plain(name) not in _CHANNELS:
            continue
        cells = {row[i] for row in table.sample if i < len(row)} - {""}
        if len(cells) > 1:
            ask(
                f"rows of several channels, it seems: {name} differs from row to row",
                "channel_column",
                value=sorted(cells)[:3],
                allowed=f"channel_column: {name}, or another column",
            )
            return


def settle(layout, table, declaration, known, ask):
    """Quantity, unit, kind and what rests on them: known, declared, said by headers; the rest is asked for."""
    for key in ("quantity", "kind", "boundary", "timezone", "interval_s", "time_unit", "date_order"):
        stated, given = getattr(known, key), getattr(declaration, key)
        if stated is not None and given is not None and stated != given:
            ask(f"contradicts what {declaration.preset} gives", key, value=given, allowed=str(stated))
        name = "zone" if key == "timezone" else key
        if getattr(layout, name) is None:
            setattr(layout, name, stated if stated is not None else given)
    _settle_unit(layout, table, declaration, known, ask)
    if layout.quantity is None and layout.unit is not None:
        ask("what the values are is not declared", "quantity", allowed=" or ".join(QUANTITIES))
    if layout.kind is None:
        kinds = _OF.get(layout.quantity, KINDS)
        ask("what a value says of the time between two rows is not declared", "kind", allowed=" or ".join(kinds))
    elif layout.quantity and layout.kind not in _OF[layout.quantity]:
        ask(f"no kind of {layout.quantity}", "kind", value=layout.kind, allowed=" or ".join(_OF[layout.quantity]))
    if layout.kind == "interval_energy" and layout.begin is None and layout.interval_s is None:
        ask("the length of the intervals is not declared", "interval_s", allowed="interval_s in seconds, or begin_column")
    if layout.time is not None and layout.time_unit is None:
        layout.time_unit = time_unit_of(table.header[layout.time])


def _settle_unit(layout, table, declaration, known, ask):
    said = {unit_of_header(table.header[place]) for place, _ in layout.values} - {None}
    if known.unit is not None:
        if declaration.unit is not None and scale(declaration.unit) != scale(known.unit):
            ask(f"contradicts what {declaration.preset} gives", "unit", value=declaration.unit, allowed=known.unit)
        said = {known.unit}
    scales = {scale(unit) for unit in said}
    if declaration.unit is not None:
        if known.unit is None and scales and scales != {scale(declaration.unit)}:
            ask("contradicts the header", "unit", value=declaration.unit, allowed=" or ".join(sorted(said)))
        layout.unit = declaration.unit
    elif len(scales) == 1:
        layout.unit = sorted(said)[0]
    elif len(scales) > 1:
        ask("columns of several units", "unit", value=sorted(said), allowed="value_column: columns of one unit")
    cells = [row[place] for row in table.sample for place, _ in layout.values if place < len(row)]
    in_cells = next((unit for unit in map(_unit_of_cell, cells) if unit), None)
    if layout.unit is None and in_cells is None and layout.values:
        names = ", ".join(table.header[place] for place, _ in layout.values)
        ask(f"the unit of {names} is stated nowhere", "unit", allowed=ALLOWED)
    stated = layout.unit or in_cells
    if stated is not None:
        quantity = scale(stated)[1]
        if layout.quantity is not None and layout.quantity != quantity:
            ask(f"a unit of {quantity}, no unit of {layout.quantity}", "unit", value=stated, allowed=ALLOWED)
        layout.quantity = layout.quantity or quantity


def _unit_of_cell(cell):
    match = len(cell) <= 64 and re.fullmatch(r"[+-]?[0-9][0-9.,]*(?:[eE][+-]?[0-9]+)?\s*([A-Za-zµμ·]{1,24})", cell.strip())
    if not match:
        return None
    return match[1] if unit_of_header(f"[{match[1]}]") else None
