"""What a client's report and book are dressed in, inside its run, which has copies of the files that it takes."""

import shutil
from pathlib import Path

from joulebook.colours import readable
from joulebook.errors import InputError, Problem
from joulebook.intake.branding import LOGOS
from joulebook.publish.copies import FOLDER

COPY = rf"^{FOLDER}/branding-[a-z0-9_-]+\.(svg|png|ttf|otf|ttc)$"  # of a copy, by its path in the run


def lay_down_branding(branding, folder, run):
    """Copy logos and fonts into a run.

    Parameters
    ----------
    branding : joulebook.intake.branding.Branding
        What was read.
    folder, run : pathlib.Path
        The client's folder and the run's.
    """
    for name, path in branding.files.items():
        shutil.copyfile(folder / path, run / _copy(name, folder / path))


def branding_record(branding, folder):
    """What a run's record says of it, its files by their copies.

    Parameters
    ----------
    branding, folder
        As of `lay_down_branding`.

    Returns
    -------
    dict
        name, accent, logo, logo_on_dark and fonts.
    """
    copies = {name: _copy(name, folder / path) for name, path in branding.files.items()}
    logos = {name: copies.pop(name, None) for name in LOGOS}
    return {"name": branding.name, "accent": branding.accent, **logos, "fonts": list(copies.values())}


def branding_of(record, run):
    """What a run is dressed in, its files with their place on disk.

    Parameters
    ----------
    record : dict
        ``branding`` of a run's record; nothing of an older run.
    run : pathlib.Path
        The run's folder.

    Returns
    -------
    dict
        name; accent as it was given, None for that of the house; logo and logo_on_dark, paths or None; fonts, paths.

    Raises
    ------
    InputError
        If a copy is missing.
    """
    record = record or {}
    logos = {name: run / record[name] if record.get(name) else None for name in LOGOS}
    fonts = [run / path for path in record.get("fonts", ())]
    absent = [path for path in (*logos.values(), *fonts) if path and not path.is_file()]
    if absent:
        raise InputError([Problem("missing from the run", file=str(path)) for path in absent])
    return {"name": record.get("name") or "", "accent": record.get("accent"), **logos, "fonts": fonts}


def accent_words(accent):
    """What is said of an accent that is too light for text on white; empty of any other.

    Examples
    --------
    >>> accent_words("#0b6e8c"), accent_words("#ffcc00")
    ('', 'branding.accent: #ffcc00 is too light for text on white, #917300 of the same hue takes its place (4.5 : 1)')
    """
    if not accent or (shown := readable(accent)) == accent:
        return ""
    return f"branding.accent: {accent} is too light for text on white, {shown} of the same hue takes its place (4.5 : 1)"


def _copy(name, path):
    """Path of a copy in the run: the client's own names of files stay at home."""
    suffix = path.suffix.lower()
    if name in LOGOS:
        with path.open("rb") as file:
            suffix = ".svg" if file.read(4) != b"\x89PNG" else ".png"
    return Path(FOLDER, f"branding-{name}{suffix}").as_posix()
