"""Rows of a table, column by column."""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Block:
    """Some rows of a table.

    Parameters
    ----------
    columns : dict of int to pyarrow.Array or ndarray
        Columns by their place: text, or numbers (float64) and times (datetime64[ns], in UTC or of a clock) where they are typed.
    lines : int or ndarray of int
        Lines or rows of the file that the rows stand in, or the first of lines that follow each other.
    left_out : dict of str to int
        Rows of the file that are none of these, by reason.
    share : float
        Share of the file that is read with it.
    """

    columns: dict
    lines: object
    left_out: dict = field(default_factory=dict)
    share: float = 1.0

    @property
    def count(self):
        """Number of rows."""
        return len(next(iter(self.columns.values()))) if self.columns else 0

    def line(self, row):
        """Line of a row."""
        return int(self.lines + row) if np.ndim(self.lines) == 0 else int(self.lines[row])
