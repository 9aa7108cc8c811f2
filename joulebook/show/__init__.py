"""What a notebook shows: one output each, with a rounded face for readers and the full data behind it."""

from joulebook.show.pieces import answer, explorer, figure, filterable_table, inputs, limits, reading, results, table

__all__ = ["answer", "explorer", "figure", "filterable_table", "inputs", "limits", "reading", "results", "table"]
