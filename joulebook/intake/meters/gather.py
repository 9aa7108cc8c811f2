"""Blocks of a table as series of channels: times and values, and what was left out and why."""

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from joulebook.errors import Problem, Problems
from joulebook.intake.checks import refuse
from joulebook.intake.meters.cells import Numbers
from joulebook.intake.meters.scale import scale, scaled
from joulebook.intake.meters.sheets.delimited import BLANK, HEADER, LISTED
from joulebook.intake.meters.zones import passes, transitions

TIME_ALLOWED = "a date and time, such as 2026-03-31T14:00:00+02:00, or a number, in every row alike"
VALUE_ALLOWED = "a number in the unit that is declared; what failed is [N/A], nan, -1, or declared by sentinels"
# Beyond what any meter can have read, so that no sum of them overflows.
_MOST = 1 << 27  # rows that room is taken for before they are read
_LARGEST = {"power": 1e12, "energy": 1e18}


class Growing:
    """An array that grows at its end without being copied twice."""

    def __init__(self, dtype, likely=0):
        self.room, self.size = np.empty(max(likely, 1 << 16), dtype), 0  # room that is not used takes no memory

    def extend(self, values):
        """Append values."""
        end = self.size + len(values)
        if end > self.room.size:
            self.room.resize(max(end, self.room.size + max(self.room.size // 4, 1 << 16)), refcheck=False)
        self.room[self.size : end] = values
        self.size = end

    def taken(self):
        """All values; nothing can be appended after."""
        self.room.resize(self.size, refcheck=False)
        return self.room


@dataclass
class Series:
    """What one channel read, in the order of its file."""

    ns: Growing = field(default_factory=lambda: Growing(np.int64))
    values: Growing = field(default_factory=lambda: Growing(float))
    begins: Growing | None = None
    rows: int = 0
    left_out: dict = field(default_factory=dict)
    repeated: list = field(default_factory=list)
    limit_j: float | None = None
    host: str | None = None

    def leave_out(self, reason, count):
        """Count rows that are not used."""
        if count:
            self.left_out[reason] = self.left_out.get(reason, 0) + int(count)


class Gathering:
    """Reads the blocks of one table.

    Parameters
    ----------
    table, layout, clock, declaration, shown
        The table, its columns, its clock, what is declared, and how the user named the file.
    """

    def __init__(self, table, layout, clock, declaration, shown):
        self.table, self.layout, self.clock, self.declaration, self.shown = table, layout, clock, declaration, shown
        factor, quantity = scale(layout.unit) if layout.unit else (None, None)
        made = getattr(table, "usual", False)  # of text or JSON, which have points whatever the language
        usual, decimal = made or table.delimiter == ",", "." if made else declaration.decimal
        self.numbers = {
            place: Numbers(decimal, usual, factor, quantity, declaration.sentinels or ()) for place, _ in layout.values
        }
        self.begin_clock = clock.again(table.header[layout.begin]) if layout.begin is not None else None
        self.series, self.found, self.more, self.outside = {}, Problems(), 0, {}

    def read(self, progress):
        """Series by label."""
        for block in self.table.blocks(self.layout.needed):
            self._block(block)
            progress(block.share)
        for place, numbers in self.numbers.items():
            if numbers.unclear is not None:
                refuse(
                    "decimal mark or thousands mark",
                    file=self.shown,
                    field="decimal",
                    value=numbers.unclear,
                    allowed=f"decimal: . or , declared for {self.table.header[place]}",
                )
        if self.found:
            if self.more:
                self.found.append(Problem(f"and {self.more} more such rows", file=self.shown))
            self.found.stop()
        if not self.series and not self.outside:
            refuse("no readings in it", file=self.shown, allowed="a row with the names of the columns, and rows below")
        first = next(iter(self.series.values()), None) or self.series.setdefault("", Series())
        for reason, count in self.outside.items():
            first.rows += count
            first.leave_out(reason, count)
        for series in self.series.values():
            self._second_passes(series)
        return self.series

    def _block(self, block):
        for reason, count in block.left_out.items():
            self.outside[reason] = self.outside.get(reason, 0) + count
        if not block.count:
            return
        layout, columns = self.layout, block.columns
        if layout.time is not None:
            time = self.clock.read(columns[layout.time], None if layout.offset is None else columns[layout.offset])
        begin = self.begin_clock.read(columns[layout.begin]) if self.begin_clock else None
        if layout.time is None:
            time = _later(begin, layout.interval_s)
        ns, lag, wrong, absent = time
        kept = None
        if wrong is not None:
            kept = self._without_times(block, wrong)
        if absent is not None:
            self._note(
                block,
                absent,
                layout.time if layout.time is not None else layout.begin,
                f"an hour that the clock of {layout.zone} never shows: the clock is not local time",
                "a time that exists in the time zone that is declared",
            )
            kept = ~absent if kept is None else kept & ~absent
        begins = None
        if begin is not None:
            self._note(block, begin[2], layout.begin, "no time", TIME_ALLOWED)
            self._note(block, begin[3], layout.begin, f"an hour that the clock of {layout.zone} never shows", TIME_ALLOWED)
            begins = begin[0] if layout.time is not None else None
        if begins is not None:
            if begin[1] is not None:
                what = f"an interval that begins in an hour that the clock of {layout.zone} shows twice"
                self._note(
                    block, begin[1] > 0, layout.begin, what, "begins with their offset from UTC; or ends and interval_s alone"
                )
            late = begins >= ns if kept is None else (begins >= ns) & kept
            if not (wrong is not None or (begin[2] is not None)):
                self._note(block, late, layout.begin, "an interval that begins at its end, or after it", "a begin before the end")
        codes, names = self._channels(columns, block.count)
        typed = {layout.time: self.clock.typed} if layout.time is not None and self.clock.typed is not None else {}
        for place, column_label in layout.values:
            numbers = self.numbers[place]
            values, failed, bad = numbers.read(columns[place])
            if numbers.decimal == "." or (numbers.usual and numbers.decimal is None):
                typed[place] = pa.float64()
            if bad.any():
                self._note(block, bad & kept if kept is not None else bad, place, "no number", VALUE_ALLOWED)
            large = np.abs(values) > _LARGEST[layout.quantity or "power"]
            if large.any():
                self._note(block, large, place, "too large a number", f"at most {_LARGEST[layout.quantity or 'power']:g} W or J")
            self._append(codes, names, column_label, ns, begins, lag, values, failed, bad | large, kept, block)
        self.table.typed.update(typed)

    def _append(self, codes, names, column_label, ns, begins, lag, values, failed, bad, kept, block):
        good = None
        if failed or bad.any() or kept is not None:
            good = ~bad if kept is None else ~bad & kept
            for rows in failed.values():
                good &= ~rows
        for code, name in enumerate(names):
            mine = None if codes is None else codes == code
            series = self._of(" ".join(part for part in (name, column_label) if part), block, mine)
            member = mine if kept is None else kept if mine is None else mine & kept
            series.rows += ns.size if member is None else int(member.sum())
            for reason, rows in failed.items():
                series.leave_out(reason, (rows if member is None else rows & member).sum())
            used = good if mine is None else mine if good is None else mine & good
            if lag is not None:
                local = ns if used is None else ns[used]
                late = lag if used is None else lag[used]
                places = np.flatnonzero(late)
                if places.size:
                    series.repeated.append((places + series.ns.size, local[places], late[places]))
            series.ns.extend(ns if used is None else ns[used])
            series.values.extend(values if used is None else values[used])
            if begins is not None:
                if series.begins is None:
                    series.begins = Growing(np.int64)
                series.begins.extend(begins if used is None else begins[used])

    def _of(self, label, block, mine):
        made = self.series.get(label)
        if made is None:
            made = self.series[label] = Series()
            if len(self.series) == 1 and mine is None:
                likely = min(getattr(self.table, "likely_rows", 0), _MOST)
                made.ns, made.values = Growing(np.int64, likely), Growing(float, likely)
        for place, name in ((self.layout.limit, "limit_j"), (self.layout.host, "host")):
            if place is None:
                continue
            cells = block.columns[place]
            cells = cells if mine is None else cells.filter(pa.array(mine)) if isinstance(cells, pa.Array) else cells[mine]
            said = sorted(
                {str(cell).strip() for cell in (pc.unique(cells).to_pylist() if isinstance(cells, pa.Array) else set(cells))}
            )
            said = [text for text in said if text]
            if name == "limit_j":
                said = [self._limit(text) for text in said]
            before = getattr(made, name)
            if len({*said, *([before] if before is not None else [])}) > 1:
                refuse(
                    f"{self.table.header[place]} differs within one channel",
                    file=self.shown,
                    field=self.table.header[place],
                    value=said[:3],
                    allowed="one for each channel; declare channel_column",
                )
            if said:
                setattr(made, name, said[0])
        return made

    def _limit(self, text):
        try:
            made = scaled(float(text), scale(self.layout.unit)[0] if self.layout.unit else 1.0)
        except ValueError:
            made = 0.0
        if not 0 < made < _LARGEST["energy"]:
            refuse(
                "no range of a counter",
                file=self.shown,
                field=self.table.header[self.layout.limit],
                value=text,
                allowed="a number above 0",
            )
        return made

    def _channels(self, columns, count):
        """Code of the channel of each row, and names of channels by code."""
        if not self.layout.channel:
            return None, [""]
        texts = []
        for place in self.layout.channel:
            cells = columns[place]
            if isinstance(cells, np.ndarray):
                cells = pa.array([f"{cell:g}" for cell in cells])
            texts.append(pc.utf8_trim_whitespace(pc.cast(cells, pa.string())))
        joined = texts[0] if len(texts) == 1 else pc.binary_join_element_wise(*texts, "\x1f")
        coded = pc.dictionary_encode(joined)
        names = [self.layout.label(name.split("\x1f")) for name in coded.dictionary.to_pylist()]
        unique = list(dict.fromkeys(names))
        codes = coded.indices.to_numpy()
        if len(unique) < len(names):
            codes = np.array([unique.index(name) for name in names])[codes]
        return codes, unique

    def _without_times(self, block, wrong):
        """Rows to keep where some have no time: blank rows and headers are counted, others noted as wrong."""
        rows = np.flatnonzero(wrong)
        place = self.layout.time if self.layout.time is not None else self.layout.begin
        cells = [_cell(block.columns[place], row) for row in rows]
        noted = np.zeros(wrong.size, bool)
        for row, cell in zip(rows, cells, strict=True):
            if cell.strip() == self.table.header[place]:
                self._outside(HEADER)
            elif not cell.strip() and not any(_cell(block.columns[value], row).strip() for value, _ in self.layout.values):
                self._outside(BLANK)
            else:
                noted[row] = True
        what = "a time without a time zone's offset, or of another form than the first" if self.clock.form else "no time"
        self._note(block, noted, place, what, TIME_ALLOWED)
        return ~wrong

    def _outside(self, reason):
        self.outside[reason] = self.outside.get(reason, 0) + 1

    def _note(self, block, rows, place, what, allowed):
        if rows is None:
            return
        rows = np.flatnonzero(rows)
        for row in rows[: max(0, LISTED - len(self.found))]:
            self.found.add(
                what,
                file=self.shown,
                line=block.line(row),
                field=self.table.header[place],
                value=_cell(block.columns[place], row),
                allowed=allowed,
            )
        self.more += max(0, len(rows) - max(0, LISTED - len(self.found) + len(rows[:LISTED])))

    def _second_passes(self, series):
        """Tell the passes of repeated local hours apart."""
        if not series.repeated:
            return
        places, first, lag = (np.concatenate(parts) for parts in zip(*series.repeated, strict=True))
        group = transitions(first)
        for number in np.unique(group):
            mine = group == number
            second = passes(first[mine], series.values.room[places[mine]], self.declaration.repeated_hour)
            if second is None:
                when = np.datetime_as_string(first[mine].min().astype("datetime64[ns]"), unit="m")
                refuse(
                    f"the clock of {self.layout.zone} shows this hour twice, and the rows do not tell which pass they are",
                    file=self.shown,
                    field="repeated_hour",
                    value=f"from {when}Z",
                    allowed="repeated_hour: first, second or in_order; or an offset_column",
                )
            series.ns.room[places[mine]] += np.where(second, lag[mine], 0)


def _later(begin, interval_s):
    ns, lag, wrong, absent = begin
    return ns + round(interval_s * 1e9), lag, wrong, absent


def _cell(cells, row):
    value = cells[row]
    return str(value.as_py() if isinstance(value, pa.Scalar) else value)
