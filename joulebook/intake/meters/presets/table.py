"""Any table: CSV with any marks, Parquet, Excel; what its columns mean is declared."""

from joulebook.intake.meters.layout import table_layout
from joulebook.intake.meters.sheets.books import is_book, open_book
from joulebook.intake.meters.sheets.delimited import Delimited


def open_file(path, shown, declaration, ask):
    """The tables of a file with their layouts."""
    table = open_table(path, shown, declaration)
    return [(table, table_layout(table, declaration, ask))]


def open_table(path, shown, declaration, wanted=None):
    """A table of a file, by its name."""
    return open_book(path, shown, declaration) if is_book(path) else Delimited(path, shown, declaration, wanted)
