"""Delimited text (CSV, TSV, with any of the usual marks) as blocks of columns."""

import csv
import io

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow

from joulebook.errors import Problem, Problems
from joulebook.intake.checks import refuse
from joulebook.intake.meters.declaration import DELIMITERS
from joulebook.intake.meters.lines import Lines
from joulebook.intake.meters.sheets.block import Block

LISTED = 20  # wrong rows that are named; the rest is counted
BLANK, COMMENT, HEADER, CUT = "blank", "comment", "header again", "cut short at the end of the file"
BEFORE = "before the header"
_CANDIDATES = (",", ";", "\t", "|")
_SEARCHED = 60  # lines in which a header is looked for


class Delimited:
    """A delimited text file.

    Parameters
    ----------
    path, shown, declaration
        The file, how the user named it, and what is declared of it.
    wanted : callable, optional
        Whether a row of cells is the header, where that is known.
    """

    def __init__(self, path, shown, declaration, wanted=None):
        self.shown = shown
        self.lines = Lines(path, shown, declaration.encoding)
        self.delimiter = DELIMITERS.get(declaration.delimiter)
        self.header, self.first, self.before = self._header(declaration, wanted)
        self.sample = [row for row in self._rows(self.lines.head.split("\n")[self.first - 1 :][:200]) if "".join(row).strip()]
        per_row = len(self.lines.head) / max(self.lines.head.count("\n"), 1)
        self.likely_rows = int(1.05 * self.lines.size / max(per_row, 1.0))
        self.typed = {}  # types that the columns are tried as, by place, once they are known
        self.quoted = '"' in self.lines.head

    def _rows(self, lines):
        try:
            if self.delimiter == " ":
                return [line.split() for line in lines]
            return [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=self.delimiter)]
        except csv.Error as error:
            return refuse(f"no table: {error}", file=self.shown)

    def _header(self, declaration, wanted):
        lines = self.lines.head.split("\n")[:_SEARCHED]
        begin = 0
        if lines[0].lower().startswith("sep=") and len(lines[0]) == 5 and self.delimiter is None:
            self.delimiter, begin = lines[0][4], 1
        filled = [i for i in range(begin, len(lines)) if lines[i].strip(" \t,;") and not lines[i].lstrip().startswith("#")]
        if not filled:
            refuse("nothing in it", file=self.shown, allowed="a row with the names of the columns, and rows below")
        names = [name for name in (declaration.time_column, declaration.begin_column, *(declaration.value_column or ())) if name]
        if wanted is None and names:

            def wanted(row):
                return any(name.casefold() in [cell.casefold() for cell in row] for name in names)

        for mark in [self.delimiter] if self.delimiter else sorted(_CANDIDATES, key=lambda mark: -lines[filled[0]].count(mark)):
            self.delimiter = mark
            rows = {i: self._rows([lines[i]])[0] for i in filled}
            found = next((i for i in filled if wanted is not None and wanted(rows[i])), None)
            if found is not None:
                return self._named(rows[found], found, self._above(lines, begin, found))
        self.delimiter = self.delimiter if declaration.delimiter else self._likely(lines, filled)
        rows = {i: self._rows([lines[i]])[0] for i in filled}
        # The first row whose number of cells is that of the row below; what is above it is told as left out.
        pairs = zip(filled, [*filled[1:], None], strict=True)
        found = next(
            (i for i, after in pairs if len(rows[i]) > 1 and (after is None or _same_width(rows[i], rows[after]))), filled[0]
        )
        return self._named(rows[found], found, self._above(lines, begin, found))

    @staticmethod
    def _above(lines, begin, found):
        return sum(bool(line.strip(" \t,;")) for line in lines[begin:found])

    def _likely(self, lines, filled):
        counts = {mark: max((lines[i].count(mark) for i in filled[:3]), default=0) for mark in _CANDIDATES}
        first = lines[filled[0]]
        return max(_CANDIDATES, key=lambda mark: (first.count(mark), counts[mark]))

    def _named(self, row, found, before):
        if row and all(_is_data(cell) for cell in row if cell) and any(row):
            return [str(i + 1) for i in range(len(row))], found + 1, before
        names, counts = [], {}
        for i, cell in enumerate(row):
            name = cell or f"column {i + 1}"
            counts[name] = counts.get(name, 0) + 1
            names.append(name if counts[name] == 1 else f"{name} ({counts[name]})")
        return names, found + 2, before

    def blocks(self, needed):
        """Blocks of rows with the columns that are needed, by place; wrong rows are an error with their lines."""
        found, more, line = Problems(), 0, 1
        for data, share, last in self.lines.blocks(self.delimiter != " "):
            start = 0
            while line < self.first and start < len(data):
                start, line = data.index(b"\n", start) + 1, line + 1
            if start == len(data):
                continue
            data = data[start:] if start else data
            block = self._quick(data, line, needed)
            if block is not None:
                line += block.count
            else:
                block, again = self._slow(data, line, needed, found, last)
                line, more = line + data.count(b"\n"), more + again
            block.share = share
            if self.before:
                block.left_out[BEFORE] = self.before
                self.before = 0
            yield block
        if found:
            if more:
                found.append(Problem(f"and {more} more such rows", file=self.shown))
            found.stop()

    def _quick(self, data, line, needed):
        """A block read by Arrow where every row has its cells and no line is blank; else None."""
        if self.delimiter == " " or (b"#" in data and (b"\n#" in data or data.startswith(b"#"))):
            return None
        names = [str(i) for i in range(len(self.header))]
        quotes = b'"' in data
        read = arrow.ReadOptions(column_names=names, block_size=len(data) if quotes else 1 << 20)
        parse = arrow.ParseOptions(
            delimiter=self.delimiter, quote_char='"' if quotes else False, newlines_in_values=quotes, ignore_empty_lines=quotes
        )
        lines = data.count(b"\n") if quotes else None
        plain = {str(i): pa.string() for i in needed}
        typed = {**plain, **{str(i): kind for i, kind in self.typed.items() if i in needed}}
        for types in [typed, plain] if self.typed and not quotes else [plain]:
            convert = arrow.ConvertOptions(
                include_columns=[*plain], column_types=types, null_values=[], strings_can_be_null=False
            )
            try:
                table = arrow.read_csv(pa.py_buffer(data), read, parse, convert)
            except pa.ArrowException:
                continue
            if lines is not None and table.num_rows != lines:
                return None  # a blank line, or a line's end in quotes
            return Block({i: _column(table[str(i)]) for i in needed}, line)
        return None

    def _slow(self, data, line, needed, found, last):
        """A block read row by row: what is blank is counted, what is ragged is named."""
        width, rows, numbers, left_out, more = len(self.header), [], [], {}, 0
        text = data.decode(errors="replace")
        try:
            if self.delimiter == " ":
                each = [(i, row.split()) for i, row in enumerate(text.split("\n")[:-1], start=line)]
            else:
                reader = csv.reader(io.StringIO(text, newline=""), delimiter=self.delimiter)
                each = [(line + reader.line_num - 1, row) for row in reader]
        except csv.Error as error:
            refuse(f"no table: {error}", file=self.shown, line=line)
        final = each[-1][0] if each else None
        for number, row in each:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                reason = BLANK
            elif cells[0].startswith("#"):
                reason = COMMENT
            elif len(cells) >= width and not any(cells[width:]):
                rows.append(cells)
                numbers.append(number)
                continue
            elif last and number == final and len(cells) < width:
                reason = CUT
            else:
                if len(found) < LISTED:
                    found.add(
                        f"{len(row)} cells where {width} are due",
                        file=self.shown,
                        line=number,
                        value=self.delimiter.join(row),
                        allowed=f"{width} cells, as many as the header has",
                    )
                else:
                    more += 1
                continue
            left_out[reason] = left_out.get(reason, 0) + 1
        columns = {i: pa.array([row[i] for row in rows], pa.string()) for i in needed}
        return Block(columns, np.array(numbers, dtype=np.int64), left_out), more


def _column(chunked):
    if pa.types.is_floating(chunked.type):
        return chunked.to_numpy()
    return chunked.combine_chunks() if chunked.num_chunks != 1 else chunked.chunk(0)


def _same_width(row, after):
    return len(row) == len(after) or (len(after) > len(row) and not any(after[len(row) :]))


def _is_data(cell):
    return cell[0] in "+-.0123456789" and not any(
        sign.isalpha() for sign in cell.replace("T", "").replace("Z", "").replace("e", "")
    )
