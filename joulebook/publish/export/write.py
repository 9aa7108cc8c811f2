"""The files of an export, each written whole."""

from pathlib import Path

from joulebook.errors import InputError, RunError
from joulebook.publish.archive import collect_run, read_record
from joulebook.publish.export.content import exported
from joulebook.publish.export.sheets import TABLES, sheets_of
from joulebook.publish.export.xlsx import xlsx_bytes
from joulebook.publish.files import file_name, folder_whole, json_text, why, write_whole
from joulebook.spreadsheets import csv_text

CSV_FOLDER = "-csv"


def export_run(folder, formats, to=None):
    """Write what a run says.

    Parameters
    ----------
    folder : pathlib.Path
        A run folder.
    formats : iterable of str
        Of `FORMATS`: ``xlsx`` and ``json`` are a file each, ``csv`` is a folder.
    to : pathlib.Path, optional
        Where they are written; into the run folder without it.

    Returns
    -------
    list of pathlib.Path
        What was written, one for each format.

    Raises
    ------
    InputError
        If it is no run folder, parts of it are damaged, or there is more than a workbook can hold.
    RunError
        If it cannot be written; what stood there before stays.
    """
    folder = Path(folder).absolute()
    to = folder if to is None else Path(to).absolute()
    if to.exists() and not to.is_dir():
        raise InputError(f"{to.name} is a file; a folder is due for what is exported")
    export = exported(read_record(folder), collect_run(folder))
    try:
        to.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{to.name}: cannot be written, {why(error)}") from None
    return [FORMATS[name](export, to, folder.name) for name in dict.fromkeys(formats)]


def _xlsx(export, to, name):
    path = to / file_name(name, ".xlsx")
    write_whole(path, xlsx_bytes(sheets_of(export), export.prepared))
    return path


def _csv(export, to, name):
    path = to / file_name(name, CSV_FOLDER)
    if path.exists() and not path.is_dir():
        raise InputError(f"{path.name} is a file; a folder is due for the CSV files")
    with folder_whole(path) as part:
        (part / TABLES).mkdir()
        for sheet in sheets_of(export):
            place = part / TABLES if sheet.table else part
            write_whole(place / f"{sheet.name}.csv", csv_text(sheet.heads, sheet.rows))
    return path


def _json(export, to, name):
    path = to / file_name(name, ".json")
    write_whole(path, json_text(export.model_dump(exclude_unset=True)))
    return path


FORMATS = {"xlsx": _xlsx, "csv": _csv, "json": _json}
