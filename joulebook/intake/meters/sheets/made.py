"""Rows that a preset made of text or JSON, as a table."""

import numpy as np
import pyarrow as pa

from joulebook.intake.meters.sheets.block import Block


class Made:
    """A table of rows that are there.

    Parameters
    ----------
    header : list of str
        Names of the columns.
    columns : list of list of str, pyarrow.Array or ndarray
        Their cells.
    lines : list of int, optional
        Lines that the rows stand in.
    left_out : dict of str to int, optional
        What of the file is no row, by reason.
    """

    delimiter, usual = None, True

    def __init__(self, header, columns, lines=None, left_out=None):
        self.header, self.typed, self.left_out = header, {}, left_out or {}
        self.columns = [pa.array(cells, pa.string()) if isinstance(cells, list) else cells for cells in columns]
        self.lines = np.arange(1, len(self.columns[0]) + 1) if lines is None else np.array(lines, dtype=np.int64)
        first = [
            [str(cell) for cell in column[:200].tolist()]
            if isinstance(column, np.ndarray)
            else [str(cell) for cell in column[:200].to_pylist()]
            for column in self.columns
        ]
        self.sample = [list(row) for row in zip(*first, strict=True)]

    def blocks(self, needed):
        """One block of all rows."""
        yield Block({place: self.columns[place] for place in needed}, self.lines, dict(self.left_out))
