"""Meters as they were declared, read onto one clock."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np

from joulebook.errors import Problem, Problems
from joulebook.intake.checks import attempt, refuse
from joulebook.intake.meters.clock import BARE, UTC, Clock
from joulebook.intake.meters.declaration import declarations
from joulebook.intake.meters.gather import Gathering
from joulebook.intake.meters.registers import checked
from joulebook.intake.meters.rows import COPY, in_order
from joulebook.method.series import Accuracy, Channel, Meters

_MODULES = {
    "csv": "table",
    "mlperf": "mlperf",
    "nvidia-smi": "nvidia_smi",
    "dcgm": "dcgm",
    "prometheus": "prometheus",
    "rapl": "rapl",
    "ipmitool": "ipmitool",
    "redfish": "redfish",
}
_STEPS = (1.0, 0.1, 0.01)  # of stamps, that are looked for [s]
_CHUNK = 1 << 20
_OVER_RANGE = 2  # no meter reads so far above its range; a range in kW is a thousand times too small


def read_meters(meters, folder=None, place=None, progress=None):
    """Read meters as they were declared.

    Parameters
    ----------
    meters : list of Declaration or dict
        What is declared of each.
    folder : pathlib.Path, optional
        Folder that paths are relative to.
    place : callable, optional
        Gives the place of a path in the list (index, key, ...), as keywords of `Problem`.
    progress : callable, optional
        Called with the name of a file and the share of it that is read, from 0 to 1.

    Returns
    -------
    joulebook.method.series.Meters
        Channels on one clock; those that were named but never read are missing.

    Raises
    ------
    InputError
        With everything that must be declared but is not, of all meters at once; or rows that are wrong, with file and line.
    """
    meters = declarations(meters, place)
    where = place or (lambda i, key=None: {"field": key})
    found, opened = Problems(), []
    for i, meter in enumerate(meters):
        files = [attempt(found, _open, i, meter, path, folder, where) for path in meter.paths]
        for tables in files:
            opened.extend((i, meter, *table) for table in tables or ())
    found.stop()
    parts = []
    for i, meter, shown, table, layout, clock in opened:
        read = attempt(found, _read, meter, shown, table, layout, clock, progress)
        if read is not None:
            parts.append((i, meter, shown, layout, clock, read))
    found.stop()
    return _together(meters, parts, where)


def _open(i, meter, path, folder, where):
    """Tables of a file with their layouts and clocks; all that is not declared but must be is one error."""
    found, asked = Problems(), set()
    shown = str(path)

    def ask(what, key, **more):
        if (what, key) not in asked:
            asked.add((what, key))
            found.append(
                Problem(
                    what, **{"file": shown, **where(i, key), **({"field": key} if "field" not in where(i, key) else {})}, **more
                )
            )

    preset = import_module(f"joulebook.intake.meters.presets.{_MODULES[meter.preset]}")
    tables = preset.open_file(Path(folder or ".") / path, shown, meter, ask)
    made = []
    for table, layout in tables:
        column = layout.time if layout.time is not None else layout.begin
        clock = Clock(layout, table.header[column] if column is not None else "", meter)
        if column is not None:
            clock.settle([row[column] for row in table.sample if column < len(row)], ask)
        made.append((shown, table, layout, clock))
    found.stop()
    return made


def _read(meter, shown, table, layout, clock, progress):
    def step(share):
        if progress is not None:
            progress(shown, share)

    return Gathering(table, layout, clock, meter, shown).read(step)


def _together(meters, parts, where):
    found = Problems()
    bases = {clock.base for _, _, _, _, clock, _ in parts} - {None}
    if BARE in bases and bases != {BARE}:
        refuse(
            "some files have dates and others bare seconds: they share no clock",
            field="meters",
            allowed="stamps of one kind in all files",
        )
    bare = BARE in bases
    groups = {}
    for i, meter, shown, layout, clock, read in parts:
        for label, series in read.items():
            groups.setdefault((i, label), []).append((meter, shown, layout, clock, series))
    _keep(meters, groups, where, found)
    made, missing = [], {}
    names = _names(meters, groups)
    for key, members in groups.items():
        result = attempt(found, _channel, names[key], key[1], members, bare)
        if isinstance(result, str):
            missing[names[key]] = result
        elif result is not None:
            made.append((key[0], result))
    found.stop()
    if not made:
        return Meters((), None, missing)
    made = _merged(_parts_of_totals(made))
    starts = [channel.times_s[0] for channel in made]
    first = min(starts) // 10**9 * 10**9
    origin = None if bare else np.datetime64(int(first), "ns")
    return Meters(tuple(_on_clock(channel, 0 if bare else first) for channel in made), origin, missing)


def _parts_of_totals(channels):
    """Channels of numbered meters; beside a total the others of its meter are parts of it, where nothing else is said of them."""
    totals = {i for i, channel in channels if channel.scope == "total"}
    return [replace(channel, scope="part") if i in totals and channel.scope is None else channel for i, channel in channels]


def _merged(channels):
    """Channels without those that read the same whole machine as another and the same of it: trackers, one for each process."""
    made = []
    for channel in channels:
        same = next((i for i, other in enumerate(made) if _same_machine(channel, other)), None)
        if same is None:
            made.append(channel)
            continue
        other = made[same]
        again = {f"the same of the same machine as {other.name}": channel.rows - sum(channel.left_out.values())}
        left_out = dict(other.left_out)
        for reason, count in (*again.items(), *channel.left_out.items()):
            left_out[reason] = left_out.get(reason, 0) + count
        note = f"{channel.name} read the same of the same machine ({channel.host}): it is one reading, and not added"
        made[same] = replace(other, rows=other.rows + channel.rows, left_out=left_out, notes=(*other.notes, note))
    return made


def _same_machine(one, other):
    alike = one.host is not None and one.host == other.host and one.scope == other.scope == "machine" and one.kind == other.kind
    pairs = ((one.times_s, other.times_s), (one.values, other.values), (one.interval_s, other.interval_s))
    return alike and all(np.array_equal(mine, theirs) for mine, theirs in pairs)


def _keep(meters, groups, where, found):
    """Only the channels that are to be kept."""
    for i, meter in enumerate(meters):
        labels = [label for j, label in groups if j == i]
        wanted = meter.channels or []
        scopes = list(meter.scope) if isinstance(meter.scope, dict) else []
        for key, names in (("channels", wanted), ("scope", scopes)):
            for name in names:
                if not any(_is(name, label, meter) for label in labels):
                    found.add(
                        "no such channel",
                        **where(i, key),
                        value=name,
                        allowed=" or ".join(label or meter.name for label in labels),
                    )
        if wanted:
            for label in labels:
                if not any(_is(name, label, meter) for name in wanted):
                    del groups[i, label]


def _is(name, label, meter):
    return name == (label or meter.name) or name == label.rpartition(" ")[2]


def _names(meters, groups):
    labels = {key: key[1] or meters[key[0]].name for key in groups}
    counts = {}
    for label in labels.values():
        counts[label] = counts.get(label, 0) + 1
    return {key: label if counts[label] == 1 else f"{meters[key[0]].name} {key[1]}".strip() for key, label in labels.items()}


def _channel(name, label, members, bare):
    """A channel of all its files, its times still in nanoseconds; the reason where it never read."""
    meter, shown, layout, clock, _ = members[0]
    series = [item[-1] for item in members]
    rows, left_out = sum(item.rows for item in series), {}
    for item in series:
        for reason, count in item.left_out.items():
            left_out[reason] = left_out.get(reason, 0) + count
    if not any(item.ns.size for item in series):
        return "no reading: " + (", ".join(f"{count} x {reason}" for reason, count in left_out.items()) or "no row")
    ns, values, begins = (_joined([getattr(item, part) for item in series]) for part in ("ns", "values", "begins"))
    when = _seconds_text if bare else _stamp_text
    place = f"{shown}, {name}" if layout.channel or len(layout.values) > 1 else shown
    ns, values, begins, copies, unordered = in_order(ns, values, begins, place, when)
    notes = [*layout.notes]
    if copies:
        left_out[COPY] = copies
    if unordered:
        notes.append(f"{unordered} rows stood before an earlier one; they were put in the order of time")
    limit = next((item.limit_j for item in series if item.limit_j is not None), meter.counter_range)
    limits = {item.limit_j for item in series if item.limit_j is not None} | ({meter.counter_range} - {None})
    if len(limits) > 1:
        refuse(
            "the range of the counter is stated differently",
            file=shown,
            field="counter_range",
            value=sorted(limits),
            allowed="one range",
        )
    kind, interval = layout.kind, layout.interval_s
    if kind == "counter":
        kept, values, limit, wrong, more = checked(ns, values, meter, limit, place, when)
        left_out |= wrong
        notes += more
        ns = ns[kept] if not kept.all() else ns
    elif begins is not None:
        early = np.flatnonzero(begins[1:] < ns[:-1])
        if early.size:
            refuse(
                f"intervals that overlap, {early.size} in all: the first at {when(begins[early[0] + 1])}",
                file=place,
                allowed="intervals that follow each other; declare channel_column where the rows are of several channels",
            )
        interval = (ns - begins) / 1e9
        interval = float(interval[0]) if np.ptp(interval) == 0 else interval
    if kind == "interval_energy":
        values, kind = values / interval, "interval_mean"
        notes.append("energies of intervals, as the mean power of each")
    if kind != "counter" and meter.range_w and values.max() > _OVER_RANGE * meter.range_w:
        refuse("a reading far above the range of the meter", file=place, field="range_w", value=meter.range_w,
               allowed=f"the largest power that it can read, in W; there is a reading of {values.max():g} W")
    step = _stamp_step(ns)
    if (offset := meter.clock_offset_s) is not None:
        if meter.max_clock_offset_s is not None and abs(offset) > meter.max_clock_offset_s:
            refuse(
                "the clocks differ by more than is accepted",
                field="clock_offset_s",
                value=offset,
                allowed=f"at most {meter.max_clock_offset_s:g} s either way, max_clock_offset_s",
            )
        if offset:
            ns = ns - round(offset * 1e9)
            notes.append(
                f"the clock of the meter was {offset:g} s {'ahead of' if offset > 0 else 'behind'} that of the load generator; "
                "this was taken off its times, as declared"
            )
    if kind != "counter" and np.any(values < 0):
        notes.append(f"{int((values < 0).sum())} values below 0: a channel of the wrong sign, or one that feeds back")
    scope = meter.scope if isinstance(meter.scope, str) else None
    if isinstance(meter.scope, dict):
        scope = next((given for key, given in meter.scope.items() if _is(key, label, meter)), None)
    of_label = layout.of_label(label)
    accuracy = Accuracy(
        meter.accuracy_pct_of_reading,
        meter.accuracy_pct_of_range,
        meter.range_w,
        meter.resolution_w,
        **{**layout.accuracy, **of_label.get("accuracy", {}), "stamp_step_s": step},
    )
    notes += [*of_label.get("notes", ()), *_said(meter)]
    base = BARE if bare else _base_text(clock)
    return Channel(
        name,
        ns,
        values,
        kind,
        layout.boundary,
        scope or layout.scope(label),
        interval,
        limit if kind == "counter" else None,
        rows,
        left_out,
        base,
        accuracy,
        tuple(dict.fromkeys(notes)),
        next((item.host for item in series if item.host), meter.host),
    )


def _joined(parts):
    if any(part is None for part in parts):
        return None
    arrays = [part.taken() for part in parts]
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def _on_clock(channel, first):
    """The channel with its times in seconds; in the memory of its nanoseconds, since there may be many."""
    ns = channel.times_s
    seconds = ns.view(float) if ns.flags.owndata and ns.flags.writeable else np.empty(ns.size)
    for start in range(0, ns.size, _CHUNK):
        whole, part = np.divmod(ns[start : start + _CHUNK] - first, 10**9)
        seconds[start : start + _CHUNK] = whole + part / 1e9
    return replace(channel, times_s=seconds)


def _stamp_step(ns):
    """Step that all stamps are multiples of; None below 10 ms. [s]"""
    for step in _STEPS:
        unit = round(step * 1e9)
        if all(not (ns[start : start + _CHUNK] % unit).any() for start in range(0, ns.size, _CHUNK)):
            return step
    return None


def _base_text(clock):
    if clock.base == "local":
        return clock.zone
    return UTC


def _stamp_text(ns):
    text = np.datetime_as_string(np.datetime64(int(ns), "ns"), unit="ms")
    return f"{text.removesuffix('.000')}Z"


def _seconds_text(ns):
    return f"{ns / 1e9:g} s"


def _said(meter):
    """What was declared of the sensor and is no number of the integral."""
    notes = []
    if meter.calibrated:
        notes.append(f"calibrated {meter.calibrated}")
    if meter.sensor_placement:
        notes.append(f"sensor: {meter.sensor_placement}")
    if meter.inlet_temperature_c is not None:
        notes.append(f"inlet at {meter.inlet_temperature_c:g} degC")
    return notes
