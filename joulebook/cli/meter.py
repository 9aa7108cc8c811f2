"""The command that reads the log of any meter."""

import json
from pathlib import Path
from typing import Annotated

import typer

from joulebook.cli.app import app
from joulebook.cli.terminal import err, say
from joulebook.errors import InputError, Problem
from joulebook.units import kwh_from_joules

_LEAST_KWH = 0.01  # smaller energies are told in joules alone
_WORDS = {"as": "--as", "value_column": "--value-column", "channels": "--channel", "sentinels": "--sentinel", "files": "FILE"}


def _option(*names, text, kind=str, **more):
    return Annotated[kind | None, typer.Option(*names, help=text, **more)]


@app.command(short_help="Read the log of any power or energy meter.")
def meter(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of one meter, in any order.")],
    preset: _option(
        "--as", metavar="PRESET", text="csv (any table), mlperf, nvidia-smi, dcgm, prometheus, rapl, ipmitool or redfish."
    ) = None,
    quantity: _option("--quantity", text="power or energy.") = None,
    unit: _option("--unit", text="W, kW, mW, J, kWh ..., or a scale such as '0.1 kW'.") = None,
    kind: _option("--kind", text="instantaneous, interval_mean, interval_energy, on_change or counter.") = None,
    interval_s: _option("--interval-s", kind=float, text="Length of an interval, or time between rows without stamps.") = None,
    timezone: _option("--timezone", text="Zone of stamps without offset, such as Europe/Berlin, UTC or +01:00.") = None,
    repeated_hour: _option("--repeated-hour", text="Pass of a repeated local hour: first, second or in_order.") = None,
    time_column: _option("--time-column", text="Column of the stamps.") = None,
    begin_column: _option("--begin-column", text="Column of the begins of intervals.") = None,
    value_column: _option("--value-column", kind=list[str], text="Column of values; may be given again.") = None,
    channel_column: _option("--channel-column", text="Column of the names of channels.") = None,
    host_column: _option("--host-column", text="Column of the names of machines.") = None,
    offset_column: _option("--offset-column", text="Column of offsets from UTC.") = None,
    time_unit: _option("--time-unit", text="Unit of numeric stamps: s, ms, us, ns or excel_days.") = None,
    date_order: _option("--date-order", text="dmy, mdy or ymd.") = None,
    decimal: _option("--decimal", text="Decimal mark: . or ,") = None,
    delimiter: _option("--delimiter", text="comma, semicolon, tab, bar or space.") = None,
    encoding: _option("--encoding", text="Encoding that is not UTF-8 or UTF-16, such as cp1252.") = None,
    sheet: _option("--sheet", text="Sheet of a workbook.") = None,
    channels: _option("--channel", kind=list[str], text="Channel to keep; may be given again.") = None,
    boundary: _option("--boundary", text="accelerator, node_dc, server, rack or facility.") = None,
    scope: _option("--scope", text="What of the machine it covers, such as machine, package, gpu, module.") = None,
    host: _option("--host", text="Machine that it belongs to.") = None,
    counter_range: _option("--counter-range", text="Energy at which a counter begins again at 0, such as '262143.3 J'.") = None,
    on_fall: _option("--on-fall", text="What a fall of a counter is: bad_row or reset.") = None,
    sentinels: _option("--sentinel", kind=list[str], text="A value of readings that failed; may be given again.") = None,
    clock_offset_s: _option("--clock-offset-s", kind=float, text="Clock of the meter minus that of the load generator.") = None,
    max_clock_offset_s: _option("--max-clock-offset-s", kind=float, text="Largest clock offset that is accepted.") = None,
    accuracy_pct_of_reading: _option("--accuracy-pct-of-reading", kind=float, text="Limit of error, % of reading.") = None,
    accuracy_pct_of_range: _option("--accuracy-pct-of-range", kind=float, text="Limit of error, % of range.") = None,
    range_w: _option("--range-w", kind=float, text="Largest power that the meter can read.") = None,
    resolution_w: _option("--resolution-w", kind=float, text="Step of the display or of the file.") = None,
    calibrated: _option("--calibrated", text="Date of the calibration.") = None,
    sensor_placement: _option("--sensor-placement", text="Where the sensor sits.") = None,
    inlet_temperature_c: _option("--inlet-temperature-c", kind=float, text="Temperature of the air at the inlet.") = None,
    begin: _option("--begin", text="Begin of the window: a stamp with its offset, or bare seconds.") = None,
    end: _option("--end", text="End of the window.") = None,
    phases: _option("--phases", kind=Path, text="CSV of windows: phase, begin, end.") = None,
    max_gap_s: _option("--max-gap-s", kind=float, text="Longest gap that is bridged; three median intervals.") = None,
    min_coverage: _option("--min-coverage", kind=float, text="Smallest covered share that is accepted.") = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Read the log of any meter: energy of a window, what it covers, what was left out and why.

    What the file and its preset do not say must be declared; what is missing is asked for, all at once.

    Example:  joulebook meter smi.csv --as nvidia-smi --timezone Europe/Berlin --begin 2026-03-31T14:00:00+02:00 --end ...
    """
    declared = {
        "as": preset, "quantity": quantity, "unit": unit, "kind": kind, "interval_s": interval_s, "timezone": timezone,
        "repeated_hour": repeated_hour, "time_column": time_column, "begin_column": begin_column, "value_column": value_column,
        "channel_column": channel_column, "host_column": host_column, "offset_column": offset_column, "time_unit": time_unit,
        "date_order": date_order, "decimal": decimal, "delimiter": delimiter, "encoding": encoding, "sheet": sheet,
        "channels": channels, "boundary": boundary, "scope": scope, "host": host, "counter_range": counter_range,
        "on_fall": on_fall, "sentinels": sentinels, "clock_offset_s": clock_offset_s, "max_clock_offset_s": max_clock_offset_s,
        "accuracy_pct_of_reading": accuracy_pct_of_reading, "accuracy_pct_of_range": accuracy_pct_of_range, "range_w": range_w,
        "resolution_w": resolution_w, "calibrated": calibrated, "sensor_placement": sensor_placement,
        "inlet_temperature_c": inlet_temperature_c,
    }  # fmt: skip
    _show(_measured(files, declared, begin, end, phases, max_gap_s, min_coverage), as_json)


def _measured(files, declared, begin, end, phases, max_gap_s, min_coverage):
    from joulebook.intake.meters import read_meters
    from joulebook.intake.meters.energy import told

    for name, value, top in (("--max-gap-s", max_gap_s, None), ("--min-coverage", min_coverage, 1.0)):
        if value is not None and not (value > 0 if top is None else 0 <= value <= top):
            raise InputError(Problem("out of limits", field=name, value=value, allowed="above 0" if top is None else "0 to 1"))
    if phases is not None and (begin is not None or end is not None):
        raise InputError(Problem("--phases and --begin, --end exclude each other"))
    windows = None
    if phases is not None:
        from joulebook.intake.tables import read_table

        windows = read_table("phases_csv", phases, str(phases))
    given = {key: value for key, value in declared.items() if value not in (None, [])}
    declaration = {"name": files[0].stem or str(files[0]), "files": [str(path) for path in files], **given}

    def place(_=None, key=None, *more):
        return {} if key is None else {"field": _WORDS.get(key, f"--{key.replace('_', '-')}")}

    with _Bar() as bar:
        meters = read_meters([declaration], None, place, bar.step)
    return told(meters, begin, end, windows, max_gap_s, min_coverage)


class _Bar:
    """Share of the files that is read; silent where nobody watches."""

    def __init__(self):
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = [TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()]
        self.bar = Progress(*columns, console=err(), transient=True, disable=not err().is_terminal)
        self.tasks = {}

    def __enter__(self):
        self.bar.start()
        return self

    def __exit__(self, *_):
        self.bar.stop()

    def step(self, name, share):
        """Say how much of a file is read."""
        if name not in self.tasks:
            self.tasks[name] = self.bar.add_task(name, total=1.0)
        self.bar.update(self.tasks[name], completed=share)


def _show(made, as_json):
    if as_json:
        print(json.dumps(made, indent=1, ensure_ascii=False, allow_nan=False))
        return
    for row in made["channels"]:
        scope = f", {row['scope']}" if row["scope"] else ""
        say([f"{row['name']} ({row['kind'].replace('_', ' ')}, boundary {row['boundary'] or 'not stated'}{scope})"])
        say(
            _energy(row)
            if "no_energy" not in row
            else [f"    {row['no_energy']}: {row.get('reading', 0):.7g} at {row.get('reading_at')}"]
        )
        left_out = ", ".join(f"{count} {reason}" for reason, count in row["left_out"].items()) or "none"
        rows = f"{row['rows']} rows read, {row['rows_used']} used; left out: {left_out}"
        say([f"    {rows}; time base: {row['time_base']}"])
        say(f"    - {note}" for note in row["notes"])
    for name, reason in made["missing"].items():
        say([f"{name}: missing, not 0: {reason}"])
    if made["total"]:
        partial = f" (partial: without {', '.join(made['total']['partial'])})" if made["total"]["partial"] else ""
        say([f"total{partial}", *_energy(made["total"])])
    elif made.get("no_total"):
        say([f"no total: {made['no_total']}"])


def _energy(row):
    without = "" if "meter" in row["uncertainties_j"] or not row["uncertainties_j"] else " without the meter's own"
    lines = [
        f"    {_joules(row['energy_j'])} (low {_number(row['energy_low_j'])}, high {_number(row['energy_high_j'])}, standard "
        f"uncertainty {_number(row['energy_standard_uncertainty_j'], 3, 'not known')}{without}), "
        f"{_number(row['average_power_w'])} W on average, {_number(row['peak_power_w'])} W at most",
        f"    {row['begin']} to {row['end']}: {_number(row['window_s'])} s, coverage {_number(row['coverage'], 4)}, longest gap "
        f"{_number(row['longest_gap_s'], 4)} s, sampling interval {_number(row['sampling_interval_s'], 4)} s",
    ]
    lines += [f"    not covered: {begin} to {end}" for begin, end in row["gaps"]]
    lines += [f"    and {row['more_gaps']} more such stretches"] if row["more_gaps"] else []
    for name, phase in row.get("phases", {}).items():
        lines.append(f"    {name}: {_joules(phase['energy_j'])} in {_number(phase['window_s'])} s, "
                     f"{_number(phase['average_power_w'])} W on average, {_number(phase['peak_power_w'])} W at most, "
                     f"coverage {_number(phase['coverage'], 4)}")  # fmt: skip
    return lines


def _joules(energy_j):
    """An energy; beside a large one its kilowatt-hours."""
    if energy_j is None or abs(kwh_from_joules(energy_j)) < _LEAST_KWH:
        return f"{_number(energy_j)} J"
    return f"{_number(energy_j)} J, {kwh_from_joules(energy_j):.5g} kWh"


def _number(value, digits=7, absent="—"):
    if value is None:
        return absent
    return f"{value:,.0f}" if abs(value) >= 10**digits else f"{value:.{digits}g}"
