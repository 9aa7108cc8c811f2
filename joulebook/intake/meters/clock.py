"""The clock of a table: its column of times as nanoseconds, in UTC, of a local clock, or seconds that no date belongs to."""

from copy import copy

import numpy as np
import pyarrow as pa

from joulebook.intake.meters.cells import Numbers
from joulebook.intake.meters.layout import ASKED
from joulebook.intake.meters.stamps import (
    FIRST_S,
    PLAIN,
    PLAIN_UTC,
    counted,
    form_of,
    is_epoch,
    offset_s,
    parsed,
    quick,
    unmistakable,
)
from joulebook.intake.meters.zones import localized
from joulebook.units import SECONDS_PER_HOUR

UTC, LOCAL, BARE = "UTC", "local", "seconds of the file"


class Clock:
    """How the times of a table are read; settled by its first rows, the same for all.

    Parameters
    ----------
    layout : Layout
        The table's.
    name : str
        Name of the column.
    declaration : Declaration
        What is declared.
    """

    def __init__(self, layout, name, declaration):
        self.name, self.zone, self.unit, self.order = name, layout.zone, layout.time_unit, layout.date_order
        self.form, self.base, self.typed, self.shape = None, None, None, None
        self.has_offset = layout.offset is not None
        self.numbers = Numbers(declaration.decimal or ".", True)

    def again(self, name):
        """The same clock for another column."""
        other = copy(self)
        other.name, other.has_offset, other.typed = name, False, None
        return other

    def settle(self, cells, ask):
        """Judge the first cells; what they leave open is asked for."""
        cells = [cell for cell in cells if cell]
        self.form = next((form for form in map(form_of, cells[:5]) if form), None)
        if self.form is None:
            return  # every row is wrong, and will be told with its line
        if self.form == "number":
            self._settle_number(cells[0], ask)
            return
        array = pa.array(cells)
        if self.form == "two" and self.order not in ("dmy", "mdy"):
            self.order = self._order(array, ask)
        _, offsets, good, shape = parsed(array, self.form, self.order)
        if not good.any():
            return
        self.shape = shape[good][0]
        self.base = LOCAL if np.isnan(offsets[good][0]) else UTC
        if self.base == LOCAL and self.has_offset:
            self.base = UTC
        elif self.base == LOCAL and self.zone is None:
            ask(
                "stamps without an offset from UTC, and no time zone declared",
                "timezone",
                value=cells[0],
                allowed=ASKED["timezone"],
            )

    def _order(self, array, ask):
        day = [parsed(array, "two", order)[2] for order in ("dmy", "mdy")]
        whole = [bool(good.all()) for good in day]
        if whole == [True, False]:
            return "dmy"
        if whole == [False, True]:
            return "mdy"
        ask("day or month may come first", "date_order", value=array[0].as_py(), allowed="dmy or mdy")
        return "dmy"

    def _settle_number(self, cell, ask):
        try:
            number = float(cell.replace(",", "."))
        except ValueError:
            return
        likely = unmistakable(number)
        if self.unit is None:
            if likely is None:
                ask("numbers whose unit is stated nowhere", "time_unit", value=cell, allowed=ASKED["time_unit"])
                return
            self.unit = likely
        ns, good = counted(np.array([number]), self.unit)
        if self.unit == "excel_days":
            self.base = LOCAL
            if self.zone is None:
                ask(
                    "stamps without an offset from UTC, and no time zone declared",
                    "timezone",
                    value=cell,
                    allowed=ASKED["timezone"],
                )
        elif good[0] and is_epoch(ns)[0]:
            self.base = UTC
        elif likely not in (None, self.unit):
            ask(f"no time in {self.unit}, but one in {likely}", "time_unit", value=cell, allowed=likely)
        else:
            self.base = BARE

    def read(self, cells, offsets=None):
        """Times of a block.

        Parameters
        ----------
        cells : pyarrow.Array or ndarray of float
            Texts, typed times or numbers.
        offsets : pyarrow.StringArray or ndarray, optional
            Cells of the column of offsets.

        Returns
        -------
        ns : ndarray of int64
            Nanoseconds since 1970 in UTC; or since 0 of the file.
        lag : ndarray of int64 or None
            What the second pass of a repeated local hour is later, where there is any.
        wrong : ndarray of bool or None
            Rows that are no time, or another kind of time than the first.
        absent : ndarray of bool or None
            Rows whose hour the local clock never showed.
        """
        ns, shift, wrong = self._clock(cells)
        if offsets is not None:
            shift = _shifts(offsets)
            wrong = np.isnan(shift) if wrong is None else wrong | np.isnan(shift)
        if self.base == LOCAL:
            if shift is not None and not np.isnan(shift).all():
                given = ~np.isnan(shift)
                wrong = given if wrong is None else wrong | given
            ns, lag, absent = localized(ns, self.zone)
            if wrong is not None:
                absent &= ~wrong
            return ns, lag if lag.any() else None, wrong, absent if absent.any() else None
        if shift is not None and self.base == UTC:
            lost = np.isnan(shift)
            if lost.any():
                wrong = lost if wrong is None else wrong | lost
            ns = ns - (np.where(lost, 0, shift) * 1e9).astype(np.int64)
        return ns, None, wrong, None

    def _clock(self, cells):
        """Nanoseconds as written, offsets (None: none is due, or in it already), and what is wrong."""
        if isinstance(cells, pa.Array) and pa.types.is_timestamp(cells.type):
            return cells.view(pa.int64()).to_numpy(), None, None
        if isinstance(cells, np.ndarray) or self.form == "number":
            return self._counted(cells)
        if not self.has_offset:
            kind = PLAIN_UTC if self.base == UTC else PLAIN
            ns = quick(cells, kind) if self.form == "ymd" else None
            if ns is not None:
                self.typed = kind
                return ns, None, None
        if self.form is None:
            return np.zeros(len(cells), np.int64), None, np.ones(len(cells), bool)
        ns, offset, good, shape = parsed(cells, self.form, self.order)
        good &= shape == self.shape
        return ns, offset, ~good if not good.all() else None

    def _counted(self, cells):
        numbers, _, wrong = self.numbers.read(cells)
        ns, good = counted(numbers, self.unit or "s")
        good &= ~wrong
        if self.unit != "excel_days":
            good &= is_epoch(ns) == (self.base == UTC)
            if self.base == BARE and np.abs(ns[good]).max(initial=0) > FIRST_S * 1e9:
                good &= np.abs(ns) <= FIRST_S * 1e9
        if not isinstance(cells, np.ndarray) and self.numbers.decimal == ".":
            self.typed = pa.float64()
        return ns, None, ~good if not good.all() else None


def _shifts(cells):
    if isinstance(cells, np.ndarray):  # hours
        return np.where(np.abs(cells) <= 14, cells * SECONDS_PER_HOUR, np.nan)
    values, places = np.unique(np.array(cells.to_pylist(), dtype=str), return_inverse=True)
    return np.array([offset_s(value) for value in values])[places]
