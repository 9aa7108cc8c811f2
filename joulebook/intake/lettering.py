"""Fonts that a client brings for characters that the report's own do not have."""

from io import BytesIO

from joulebook.errors import Problems
from joulebook.intake.checks import refuse
from joulebook.intake.text import read_bytes

SUFFIXES = (".ttf", ".otf", ".ttc")
MOST_BYTES = 40 * 10**6  # the largest collections for Chinese, Japanese and Korean have half of that
_ALLOWED = f"a font ({', '.join(SUFFIXES)}) or a folder of fonts, inside the client folder"
_POSTSCRIPT = 6  # of the names of a font
_RESTRICTED = 0x0002  # of OS/2.fsType, by itself: no embedding without the owner's leave


def fonts_in(folder, named, **place):
    """Fonts that a path names: itself, or those in the folder that it is, in order of their names.

    Parameters
    ----------
    folder : pathlib.Path
        The client's folder.
    named : str
        A path inside it.
    **place
        Where it is named, for the error.

    Returns
    -------
    list of str
        Paths in the client's folder.

    Raises
    ------
    InputError
        If the path leaves the folder, or the folder that it is has no font.
    """
    inside = (folder / named).resolve()
    if not inside.is_dir():
        return [named]
    if not inside.is_relative_to(folder.resolve()):
        refuse("leaves the client folder", **place, value=named, allowed=_ALLOWED)
    names = sorted(path.name for path in inside.iterdir() if path.suffix.lower() in SUFFIXES)
    if not names:
        refuse("no font in this folder", **place, value=named, allowed=_ALLOWED)
    return [f"{named.rstrip('/')}/{name}" for name in names]


def require_fonts(folders):
    """Refuse folders without a font, all of them together.

    Parameters
    ----------
    folders : iterable of pathlib.Path
        As they were named on the command line.

    Raises
    ------
    InputError
        Naming each that is no folder, and each that has no font.
    """
    found = Problems()
    for folder in folders:
        if not folder.is_dir():
            found.add("no folder", file="--fonts", value=str(folder), allowed="a folder of fonts")
        elif not any(path.suffix.lower() in SUFFIXES for path in folder.rglob("*")):
            found.add("no font in this folder", file="--fonts", value=str(folder), allowed=f"fonts: {', '.join(SUFFIXES)}")
    found.stop()


def require_font(path, **place):
    """Refuse a file that is no font, or whose licence forbids what a PDF does with it.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    **place
        Where it is named, and how, for the error.

    Raises
    ------
    InputError
        If it is none that can be embedded.
    """
    from fontTools.ttLib import TTCollection, TTFont  # late: only for those who bring fonts

    if path.suffix.lower() not in SUFFIXES:
        refuse("no font by its name", **place, allowed=_ALLOWED)
    data = BytesIO(read_bytes(path, place.get("value"), MOST_BYTES))
    try:
        fonts = TTCollection(data, lazy=True).fonts if path.suffix.lower() == ".ttc" else [TTFont(data, lazy=True)]
        signs = [font.getBestCmap() for font in fonts]
        unnamed = [font for font in fonts if not font["name"].getDebugName(_POSTSCRIPT)]
        locked = [font["OS/2"].fsType & 0x000F == _RESTRICTED for font in fonts if "OS/2" in font]
    except Exception as error:  # fontTools raises whatever a damaged table leads it to
        refuse(f"no font that can be read ({type(error).__name__})", **place, allowed=_ALLOWED)
    if not any(signs):
        refuse("a font without characters", **place, allowed=_ALLOWED)
    if unnamed:
        refuse("a font without a PostScript name, by which typst knows it", **place, allowed=_ALLOWED)
    if any(locked):
        refuse("the licence of this font forbids to embed it", **place, allowed="one that may be embedded, such as a Noto font")
