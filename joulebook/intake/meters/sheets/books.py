"""Parquet files and Excel workbooks as blocks of columns, with the types that their cells have."""

import warnings
import zipfile
from datetime import date, datetime, time, timedelta
from pathlib import PurePath

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from joulebook.errors import InputError, Problem, near
from joulebook.intake.checks import refuse
from joulebook.intake.meters.lines import _size
from joulebook.intake.meters.sheets.block import Block
from joulebook.intake.meters.sheets.delimited import BEFORE, BLANK

_ROWS = 1 << 18
_SEARCHED = 60
EXCEL, PARQUET = (".xlsx", ".xlsm"), (".parquet", ".pq")


def is_book(path):
    """Whether a file is a Parquet file or a workbook, by its name.

    Examples
    --------
    >>> is_book("pdu.xlsx"), is_book("pdu.csv")
    (True, False)
    """
    return PurePath(path).suffix.lower() in (*EXCEL, *PARQUET, ".xls")


def open_book(path, shown, declaration):
    """A Parquet file or a workbook as a table with `header`, `sample` and `blocks`."""
    _size(path, shown)
    suffix = path.suffix.lower()
    if suffix == ".xls":
        refuse("a workbook of the old form", file=shown, allowed="a workbook saved as .xlsx, or CSV")
    return Parquet(path, shown) if suffix in PARQUET else Excel(path, shown, declaration)


class Parquet:
    """A Parquet file."""

    delimiter = None

    def __init__(self, path, shown):
        import pyarrow.parquet as pq

        self.shown, self.before, self.typed, self.quoted = shown, 0, {}, False
        try:
            self.file = pq.ParquetFile(path)
            self.header = list(self.file.schema_arrow.names)
            head = next(self.file.iter_batches(200), None)
            self.sample = [] if head is None else [[str(value) for value in row.values()] for row in head.to_pylist()]
        except (pa.ArrowException, OSError, ValueError) as error:
            refuse(f"no Parquet file that can be read: {str(error).splitlines()[0]}", file=shown)
        if not self.file.metadata.num_rows:
            refuse("nothing in it", file=shown, allowed="a table with rows")

    def blocks(self, needed):
        """Blocks of rows with the columns that are needed, by place."""
        total, done, names = self.file.metadata.num_rows, 0, [self.header[i] for i in needed]
        try:
            for batch in self.file.iter_batches(_ROWS, columns=names):
                columns = {
                    i: _typed(batch.column(batch.schema.get_field_index(self.header[i])), self.shown, self.header[i])
                    for i in needed
                }
                done += batch.num_rows
                yield Block(columns, done - batch.num_rows + 1, {}, done / total)
        except (pa.ArrowException, OSError) as error:
            refuse(f"cannot be read: {str(error).splitlines()[0]}", file=self.shown)


def _typed(column, shown, name):
    kind = column.type
    if pa.types.is_timestamp(kind):
        if column.null_count:
            refuse("a row without its time", file=shown, field=name, allowed="a time in every row")
        return pc.cast(column, pa.timestamp("ns", kind.tz))
    if pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_decimal(kind):
        return pc.cast(column, pa.float64(), safe=False).to_numpy(zero_copy_only=False)  # null becomes nan
    if pa.types.is_date(kind):
        return pc.cast(column, pa.timestamp("ns"))
    return pc.fill_null(pc.cast(column, pa.string()), "")


class Excel:
    """A sheet of a workbook; its cells are read as they are typed, formulas as their last results."""

    delimiter = None

    def __init__(self, path, shown, declaration):
        import openpyxl

        self.shown, self.typed, self.quoted = shown, {}, False
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of styles and extensions, which are of no use here
                self.book = openpyxl.load_workbook(path, read_only=True, data_only=True)
                names = self.book.sheetnames
                if declaration.sheet is not None and declaration.sheet not in names:
                    refuse(
                        "no such sheet",
                        file=shown,
                        field="sheet",
                        value=declaration.sheet,
                        allowed=" or ".join(names),
                        near=near(declaration.sheet, names),
                    )
                if declaration.sheet is None and len(names) > 1:
                    refuse("several sheets", file=shown, field="sheet", allowed=" or ".join(names))
                rows = [list(row) for row in self.book[declaration.sheet or names[0]].iter_rows(values_only=True)]
        except InputError:
            raise
        except (
            OSError,
            KeyError,
            ValueError,
            TypeError,
            AttributeError,
            IndexError,
            SyntaxError,
            zipfile.BadZipFile,
            NotImplementedError,
            EOFError,
        ) as error:  # whatever a damaged workbook makes of its reader
            raise InputError(
                Problem(
                    f"no workbook that can be read: {type(error).__name__}",
                    file=shown,
                    allowed="a workbook saved as .xlsx, or CSV",
                )
            ) from None
        self._take(rows, declaration)

    def _take(self, rows, declaration):
        names = {
            name.casefold()
            for name in (declaration.time_column, declaration.begin_column, *(declaration.value_column or ()))
            if name
        }
        filled = [i for i, row in enumerate(rows[:_SEARCHED]) if any(_text(cell) for cell in row)]
        if not filled:
            refuse("nothing in it", file=self.shown, allowed="a row with the names of the columns, and rows below")
        named = [i for i in filled if names & {_text(cell).casefold() for cell in rows[i]}]
        wide = max(sum(bool(_text(cell)) for cell in rows[i]) for i in filled)
        start = (named or [i for i in filled if sum(bool(_text(cell)) for cell in rows[i]) == wide])[0]
        self.before = filled.index(start)
        width = max(i for i, cell in enumerate(rows[start]) if _text(cell)) + 1
        self.header = [_text(cell) or f"column {i + 1}" for i, cell in enumerate(rows[start][:width])]
        self.rows = [(i + 1, [*row, *[None] * width][:width]) for i, row in enumerate(rows) if i > start]
        self.sample = [[_text(cell) for cell in row] for _, row in self.rows[:200]]

    def blocks(self, needed):
        """Blocks of rows with the columns that are needed, by place."""
        good = [(number, row) for number, row in self.rows if any(_text(cell) for cell in row)]
        left_out = {BLANK: len(self.rows) - len(good)} if len(self.rows) > len(good) else {}
        if self.before:
            left_out[BEFORE] = self.before
        columns = {i: _cells([row[i] for _, row in good]) for i in needed}
        yield Block(columns, np.array([number for number, _ in good], dtype=np.int64), left_out)


def _text(cell):
    return "" if cell is None else str(cell).strip()


def _cells(cells):
    """A column of cells as numbers or times where all are that; text else."""
    filled = [cell for cell in cells if cell is not None]
    if filled and all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in filled):
        return np.array([np.nan if cell is None else float(cell) for cell in cells])
    if len(filled) == len(cells) and all(isinstance(cell, date) for cell in filled):
        cells = [_nearest(cell) for cell in cells]
        if all(1970 <= cell.year < 2200 for cell in cells):
            return pa.array(cells, pa.timestamp("ns"))
        return pa.array([cell.isoformat(sep=" ") for cell in cells], pa.string())
    return pa.array([_shown(cell) for cell in cells], pa.string())


def _nearest(cell):
    """A time of a workbook, which is a fraction of a day, to the nearest millisecond."""
    stamp = cell if isinstance(cell, datetime) else datetime.combine(cell, time())
    return (stamp + timedelta(microseconds=500)).replace(microsecond=0) + timedelta(
        milliseconds=(stamp + timedelta(microseconds=500)).microsecond // 1000
    )


def _shown(cell):
    if isinstance(cell, datetime | date):
        return _nearest(cell).isoformat(sep=" ")
    if isinstance(cell, float):
        return repr(cell)
    return _text(cell)
