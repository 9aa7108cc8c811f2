"""The report of a client as a download of the book: set once for each state of what it is made of."""

import shutil

from joulebook.publish.depends import Surroundings
from joulebook.publish.files import digest, digest_file, json_text, write_whole
from joulebook.workbook import ROOT

TEMPLATES = "joulebook/publish/report/**/*.typ"  # no part of the code that topics depend on


def kept_report(run, folder, workbook, make):
    """The PDF of a run, made where none of the same state is kept.

    Parameters
    ----------
    run : pathlib.Path
        The run folder.
    folder : pathlib.Path
        Where reports are kept.
    workbook : joulebook.workbook.Workbook
        The workbook as it is now.
    make : callable
        Called with the run folder; writes the PDF into it, and gives its path.

    Returns
    -------
    pathlib.Path
        The PDF, in `folder`.
    """
    made, key = folder / f"{run.name}.pdf", folder / f"{run.name}.key"
    surroundings = Surroundings.of(workbook)
    templates = [digest_file(path) for path in sorted(ROOT.glob(TEMPLATES))]
    state = digest(json_text([surroundings.code, surroundings.versions, templates, digest_file(run / "run.json")]))
    if made.is_file() and key.is_file() and key.read_text(encoding="utf-8") == state:
        return made
    folder.mkdir(parents=True, exist_ok=True)
    key.unlink(missing_ok=True)  # until the new one is whole
    shutil.copyfile(make(run), made)
    write_whole(key, state)
    return made
