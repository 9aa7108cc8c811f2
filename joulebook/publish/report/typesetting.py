"""The PDF of the template with its data and pictures, set by typst."""

import os
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from joulebook.errors import RunError
from joulebook.publish.report.characters import visible
from joulebook.publish.report.days import date_of

TEMPLATE = Path(__file__).with_name("template")
MAIN = "report.typ"
PALETTE = Path(__file__).parents[2] / "show" / "palette.json"


def template():
    """The parts of the template, by the names that they know each other by."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(TEMPLATE.glob("*.typ"))}


def pictures_of(run, figures):
    """SVG of every figure, by the name that the template knows it by."""
    pictures = {}
    for index, topic in enumerate(run["topics"], 1):
        for position, figure in enumerate(topic["figures"], 1):
            name = f"{topic['topic']}/{figure['name']}"
            svg = figure.get("svg") or figures.get(name)
            if not svg:
                raise RunError(f"{visible(run['client'])}: the figure {name} has no picture")
            pictures[picture_name(index, position)] = svg
    return pictures


def picture_name(index, position):
    """Name of a figure's file, by the places of its topic and of itself."""
    return f"figure-{index}-{position}.svg"


def typeset(content, fonts, run):
    """The PDF of the template with its data and pictures."""
    from typst import TypstError

    day = date_of(run)
    try:
        return compiled(content, MAIN, fonts, int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()))
    except TypstError as error:
        says = "; ".join([error.message, *(error.hints or ())])
        raise RunError(f"{visible(run['client'])}: the report could not be set: {says}") from None


def compiled(content, main, fonts, timestamp=0):
    """PDF/UA-1 of a few files, in a folder of their own that nothing else can be read from."""
    import typst  # late: it is a large library

    with TemporaryDirectory(prefix="joulebook-") as folder:
        for name, held in content.items():
            (Path(folder) / name).write_bytes(held.encode() if isinstance(held, str) else held)
        try:
            return typst.compile(str(Path(folder) / main), root=folder, font_paths=list(fonts), ignore_system_fonts=True,
                                 pdf_standards=["ua-1"], timestamp=timestamp)
        except typst.TypstError as error:
            error.message = error.message.replace(f"{folder}{os.sep}", "").replace(folder, "")
            raise
