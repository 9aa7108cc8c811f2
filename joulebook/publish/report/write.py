"""The report of a run as a file."""

import json
from importlib.resources import files
from pathlib import Path

from joulebook.publish.files import file_name, write_whole
from joulebook.publish.report.brand import brand_files, brand_fonts, with_letters
from joulebook.publish.report.content import report_data
from joulebook.publish.report.fonts import require_showable
from joulebook.publish.report.typesetting import PALETTE, pictures_of, template, typeset


def write_report(run, path, figures=None, fonts=()):
    """Set the report of a run as PDF/UA-1; the same run gives the same bytes.

    Parameters
    ----------
    run : dict
        As for `report_data`.
    path : pathlib.Path
        The file to write. It appears when it is whole.
    figures : dict of str to str, optional
        SVG of figures by ``topic/name``, for those that the run does not carry itself.
    fonts : iterable of pathlib.Path
        Folders with further fonts, for characters that neither the report's own nor those of the client have.

    Returns
    -------
    pathlib.Path
        `path`.

    Raises
    ------
    InputError
        If a text holds characters that no font has: they would be missing from the page.
    RunError
        If the report cannot be set for another reason.
    """
    path, fonts = Path(path), (str(files("fontpkg_fira_sans") / "files"), *brand_fonts(run), *map(str, fonts))
    data = report_data(run)
    require_showable(with_letters(run), fonts, data)
    content = {**template(), "palette.json": PALETTE.read_text(encoding="utf-8"),
               "report.json": json.dumps(data, ensure_ascii=False), **pictures_of(run, figures or {}), **brand_files(run)}
    pdf = typeset(content, fonts, run)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, pdf)
    return path


def report_name(folder_name):
    """Name of a client's PDF: that of the folder, cut to the length that a file's name may have.

    Parameters
    ----------
    folder_name : str
        Name of the client's folder.

    Returns
    -------
    str
        Whole characters and ``.pdf``, at most 255 bytes in UTF-8.

    Examples
    --------
    >>> report_name("chat-assistant"), len(report_name("株" * 100))
    ('chat-assistant.pdf', 87)
    """
    return file_name(folder_name, ".pdf")
