"""``nvidia-smi --query-gpu=... --format=csv``: power of boards, their stamps in local time without a zone."""

import numpy as np

from joulebook.intake.checks import refuse
from joulebook.intake.meters.boards import known_of, scope_of
from joulebook.intake.meters.layout import Known, Layout, find_column, settle
from joulebook.intake.meters.presets.table import open_table
from joulebook.intake.meters.stamps import form_of, parsed

_POWER = ("power.draw", "power.draw.average", "power.draw.instant", "module.power.draw.average", "module.power.draw.instant")
_BUNDLED = 0.3  # share of short steps between rows from which they come in bundles, a row of each board
_IDS = ("index", "uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id", "serial", "gpu_serial")


def open_file(path, shown, declaration, ask):
    """The table of a file with its layout."""
    table = open_table(path, shown, declaration, lambda row: any(_field(cell) in _POWER for cell in row))
    fields = [_field(name) for name in table.header]
    powers = [i for i, name in enumerate(fields) if name in _POWER]
    if not powers:
        refuse("no column of power", file=shown, value=", ".join(table.header)[:80],
               allowed="the header of nvidia-smi with power.draw, power.draw.average or power.draw.instant")  # fmt: skip
    if declaration.value_column:
        powers = [place for name in declaration.value_column if (place := _chosen(fields, table.header, name, ask)) is not None]
    elif len(powers) > 1:
        ask("several readings of the same boards", "value_column", allowed=" or ".join(fields[i] for i in powers))
    time = find_column(table.header, declaration.time_column, "time_column", ask)
    if time is None and declaration.time_column is None:
        time = fields.index("timestamp") if "timestamp" in fields else None
        if time is None:
            ask("no column of times", "time_column", allowed=" or ".join(table.header))
    ids = [fields.index(name) for name in _IDS if name in fields][:1]
    if declaration.channel_column:
        ids = [
            place for place in [find_column(table.header, declaration.channel_column, "channel_column", ask)] if place is not None
        ]
    board = next((fields.index(name) for name in ("name", "gpu_name") if name in fields), None)
    name = fields[powers[0]] if powers else "power.draw"
    average = True if name.endswith(".average") else False if name.endswith(".instant") else None

    def label(texts):
        return f"gpu {texts[0]}" if texts[0].isdecimal() else texts[0]

    boards = {label([row[ids[0]]]) if ids else "": row[board] for row in table.sample if board is not None and len(row) > board}
    if not ids and powers and time is not None:
        _refuse_mixed([row[time] for row in table.sample if time < len(row)], shown)

    def of_label(text):
        return known_of(boards.get(text.partition(" power.")[0]), average)

    def scope(text):
        return "module" if name.startswith("module.") else scope_of(boards.get(text))

    layout = Layout(time, [(place, fields[place] if len(powers) > 1 else "") for place in powers], channel=tuple(ids),
                    label=label, scope=scope, of_label=of_label)  # fmt: skip
    known = Known(quantity="power", unit="W", kind="instantaneous", boundary="accelerator", date_order="ymd")
    settle(layout, table, declaration, known, ask)
    return [(table, layout)]


def _field(cell):
    return cell.partition("[")[0].strip().lower()


def _chosen(fields, header, name, ask):
    if _field(name) in fields:
        return fields.index(_field(name))
    return find_column(header, name, "value_column", ask)


def _refuse_mixed(cells, shown):
    """Refuse rows of several boards that nothing tells apart: stamps that come in bundles."""
    import pyarrow as pa

    if not cells or form_of(cells[0]) != "ymd":
        return
    ns, _, good, _ = parsed(pa.array(cells), "ymd", None)
    steps = np.diff(ns[good])
    if steps.size and (steps < 0.2 * np.quantile(steps, 0.95)).mean() > _BUNDLED:
        refuse("rows of several boards, it seems, and no column tells which", file=shown, field="index",
               allowed="index or uuid among the fields that were queried")  # fmt: skip
