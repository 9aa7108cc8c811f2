"""Logos: an SVG or a PNG that is a picture and nothing else."""

import re
from functools import partial
from io import BytesIO
from xml.parsers import expat

from joulebook.intake.checks import refuse
from joulebook.intake.text import read_bytes

MOST_BYTES = 10**6
MOST_PIXELS = 4096  # on either side
_PNG = b"\x89PNG\r\n\x1a\n"
_ALLOWED = "an SVG or PNG file inside the client folder, at most 1 MB"
_SVG = "http://www.w3.org/2000/svg"
_XHTML = "http://www.w3.org/1999/xhtml"
_ACTIVE = {"script", "foreignObject", "iframe", "embed", "object", "audio", "video", "canvas", "handler", "listener",
           "animate", "animateColor", "animateMotion", "animateTransform", "set", "discard"}
_PICTURES = re.compile(r"\s*data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*")
_URL = re.compile(r"url\(\s*[\"']?\s*(.)", re.IGNORECASE | re.DOTALL)
_NOT_IN_STYLE = re.compile(r"@import|expression\s*\(|javascript:|\\", re.IGNORECASE)


def require_logo(path, **place):
    """Refuse a file that is no picture, is too large, or does more than show itself.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    **place
        Where it is named, and how, for the error.

    Raises
    ------
    InputError
        With the reason, for an SVG with its line: scripts, what moves, references to anything outside of it, and entities are
        refused, as a picture needs none of them.
    """
    data = read_bytes(path, place.get("value"), MOST_BYTES)
    if data.startswith(_PNG):
        _require_png(data, place)
    elif path.suffix.lower() == ".svg":
        _SvgCheck(place).require(data)
    else:
        refuse("neither an SVG nor a PNG", **place, allowed=_ALLOWED)


def _require_png(data, place):
    from PIL import Image, UnidentifiedImageError  # late: only for those who bring one

    sides = [int.from_bytes(data[at:at + 4]) for at in (16, 20)]
    if len(data) < 33 or min(sides) < 1:
        refuse("a damaged PNG", **place, allowed=_ALLOWED)
    if max(sides) > MOST_PIXELS:
        refuse(f"too many pixels: {sides[0]} x {sides[1]}", **place, allowed=f"at most {MOST_PIXELS} on either side")
    try:
        with Image.open(BytesIO(data), formats=["PNG"]) as picture:
            picture.load()
    except (OSError, SyntaxError, ValueError, UnidentifiedImageError) as error:
        refuse(f"a damaged PNG ({type(error).__name__})", **place, allowed=_ALLOWED)


class _SvgCheck:
    """One reading of an SVG, by a parser that fetches nothing and expands no entity."""

    def __init__(self, place):
        self.refuse = partial(self._refuse, place)
        self.parser = parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartDoctypeDeclHandler = lambda *_: self.refuse("a document type, in which entities could be declared")
        parser.EntityDeclHandler = lambda *_: self.refuse("an entity")
        parser.ProcessingInstructionHandler = lambda *_: self.refuse("a processing instruction, which could fetch a style sheet")
        parser.StartElementHandler, parser.EndElementHandler = self._element, self._end
        parser.CharacterDataHandler = self._text
        self.style, self.root = None, True

    def require(self, data):
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            self.refuse(f"not well-formed ({expat.ErrorString(error.code)})", error.lineno)

    def _refuse(self, place, what, line=None):
        place = {**place, "value": f"{place.get('value')}, line {line or self.parser.CurrentLineNumber}"}
        refuse(f"an SVG with {what}" if line is None else f"an SVG that is {what}", **place,
               allowed="shapes, gradients and text that stand in the file itself")

    def _element(self, name, attributes):
        space, _, tag = name.rpartition(" ")
        if self.root:
            self._require_root(space, tag, attributes)
        if space == _XHTML or tag in _ACTIVE:
            self.refuse(f"an element that runs, moves or embeds: <{tag}>")
        if space == _SVG and tag == "style":
            self.style = []
        for key, value in attributes.items():
            self._attribute(tag, key.rpartition(" ")[2], value)

    def _require_root(self, space, tag, attributes):
        self.root = False
        if (space, tag) != (_SVG, "svg"):
            self.refuse(f"<{tag}> at its root, not <svg> of the namespace {_SVG}")
        if "viewBox" not in attributes and not {"width", "height"} <= attributes.keys():
            self.refuse("no size: neither viewBox nor width and height")

    def _attribute(self, tag, key, value):
        if key.lower().startswith("on"):
            self.refuse(f"a script: {key} of <{tag}>")
        if key == "base":
            self.refuse(f"an external reference: xml:base of <{tag}>")
        if key in ("href", "src") and not (value.lstrip().startswith("#") or (tag == "image" and _PICTURES.fullmatch(value))):
            self.refuse(f"an external reference: {key} of <{tag}>")
        self._styled(value, f"{key} of <{tag}>", strict=key == "style" or "(" in value)

    def _text(self, text):
        if self.style is not None:
            self.style.append(text)

    def _end(self, _):
        if self.style is not None:
            self._styled("".join(self.style), "<style>", strict=True)
            self.style = None

    def _styled(self, text, where, strict):
        if any(sign != "#" for sign in _URL.findall(text)):
            self.refuse(f"an external reference: url() in {where}")
        if strict and _NOT_IN_STYLE.search(text):
            self.refuse(f"a style that imports, runs or hides something: {where}")
