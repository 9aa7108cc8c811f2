"""A workbook of a run's sheets: text is text, numbers are numbers, and the same run gives the same bytes."""

import re
from datetime import datetime
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from joulebook.errors import Problems
from joulebook.spreadsheets import runs

MOST_ROWS, MOST_CHARACTERS, NAME_CHARACTERS = 1_048_576, 32_767, 31  # of a sheet, a cell, a sheet's name, in Excel
NARROWEST, WIDEST = 9, 60  # characters of a column
LOOKED_AT = 200  # rows that a column's width is taken from
_CORE = "docProps/core.xml"
# Characters that XML has not, and what reads like the way they are written.
_ESCAPED = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")


def xlsx_bytes(sheets, prepared):
    """Sheets as a workbook.

    Parameters
    ----------
    sheets : list of joulebook.publish.export.sheets.Sheet
        What it holds.
    prepared : str
        ISO date that stands for the time at which the workbook was made.

    Returns
    -------
    bytes

    Raises
    ------
    InputError
        If a sheet has more rows, or a cell more characters, than a workbook may have.
    """
    from openpyxl import Workbook

    _require_room(sheets)
    book, names = Workbook(write_only=True), _names(sheets)
    for sheet, name in zip(sheets, names, strict=True):
        _write(book.create_sheet(name), sheet)
    properties = book.properties
    properties.creator = "joulebook"
    properties.created = properties.modified = datetime.fromisoformat(prepared)
    made = BytesIO()
    book.save(made)
    properties.modified = properties.created  # openpyxl writes the time of the clock
    return _without_clock(made, properties)


def _require_room(sheets):
    found, instead = Problems(), "--csv and --json have no limit"
    for sheet in sheets:
        if len(sheet.rows) >= MOST_ROWS:
            found.add("more rows than a sheet of a workbook has", field=sheet.name, value=len(sheet.rows),
                      allowed=f"{MOST_ROWS - 1}; {instead}")
        for row in sheet.rows:
            for head, value in zip(sheet.heads, row, strict=True):
                if isinstance(value, str) and len(_escape(value)) > MOST_CHARACTERS:
                    found.add("a text longer than a cell of a workbook", field=f"{sheet.name}, {head}", value=f"{value[:20]}...",
                              allowed=f"{MOST_CHARACTERS} characters; {instead}")
    found.stop()


def _names(sheets):
    """Names of sheets, each different also where upper and lower case are the same."""
    taken = set()
    for sheet in sheets:
        whole = sheet.name.partition(".")[2] if sheet.table else sheet.name  # a table's own name says more than its topic's
        name, number = whole[:NAME_CHARACTERS], 1
        while name.lower() in taken:
            number += 1
            ending = f" {number}"
            name = whole[: NAME_CHARACTERS - len(ending)] + ending
        taken.add(name.lower())
        yield name


def _write(made, sheet):
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    units = sheet.units or [""] * len(sheet.heads)
    heads = [f"{head} [{unit}]" if unit else head for head, unit in zip(sheet.heads, units, strict=True)]
    for at, head in enumerate(heads):
        longest = max((len(str(row[at])) for row in sheet.rows[:LOOKED_AT] if row[at] is not None), default=0)
        made.column_dimensions[get_column_letter(at + 1)].width = min(max(NARROWEST, len(head) + 2, longest + 1), WIDEST)
    made.freeze_panes = "A2"
    made.auto_filter.ref = f"A1:{get_column_letter(len(heads))}{len(sheet.rows) + 1}"
    bold, top = Font(bold=True), Alignment(vertical="top", wrap_text=True)

    def cell(value):
        if isinstance(value, float):
            written = WriteOnlyCell(made, repr(value))  # openpyxl itself writes a digit less than it takes
            written.data_type = "n"
            return written
        if not isinstance(value, str):
            return value
        if not value:
            return None
        written = WriteOnlyCell(made, _escape(value))
        written.data_type = "s"  # never a formula, an error or a date
        if runs(value):
            written.quotePrefix = True  # nor is it one after it was edited
        if len(value) > WIDEST:
            written.alignment = top
        return written

    titles = [cell(head) for head in heads]
    for title in titles:
        title.font = bold
    made.append(titles)
    for row in sheet.rows:
        made.append([cell(value) for value in row])


def _escape(value):
    """Text as a workbook writes it: ``_x0007_`` stands for a character that XML has not."""
    return _ESCAPED.sub(lambda found: f"_x{ord(found.group()):04X}_", value)


def _without_clock(made, properties):
    """The same workbook with fixed times in place of the clock's."""
    from openpyxl.xml.functions import tostring

    whole = BytesIO()
    with ZipFile(made) as old, ZipFile(whole, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = tostring(properties.to_tree()) if name == _CORE else old.read(name)
            entry = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            new.writestr(entry, content)
    return whole.getvalue()
