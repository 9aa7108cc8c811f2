"""The books that the browser reads: the public one, and one client's own, whose words are hostile."""

import os
from pathlib import Path

from joulebook.publish.batch import run_batch
from joulebook.publish.outcome import require_all
from joulebook.publish.outputs import client_book, public_book
from joulebook.workbook import ROOT
from tests.hostile import hostile
from tests.texts import with_texts

FOLDER = Path(os.environ.get("JOULEBOOK_BROWSER_BOOKS", ROOT / "_build" / "browser"))
CLIENT = ROOT / "data" / "clients" / "document-batch"  # the one whose tables have most texts


def build():
    """Build both, from what was executed before where that is up to date.

    Returns
    -------
    dict of str to pathlib.Path
        Folders of the pages, ``public`` and ``client``.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    public = public_book(FOLDER, ROOT / "runs")
    with_texts(CLIENT, FOLDER / "hostile", hostile)
    (run,) = runs = list(run_batch([FOLDER / "hostile"], FOLDER / "runs"))
    require_all(runs)
    return {"public": public, "client": client_book(run.folder)}


def built():
    """Folders of the books as they stand."""
    return {"public": FOLDER / "book", "client": FOLDER / "runs" / "hostile" / "book"}


if __name__ == "__main__":
    for name, folder in build().items():
        print(name, folder)
