"""A PDF as its readers' programs see it: tags, fonts, and where everything that is drawn stands."""

import shutil
import subprocess
from itertools import product
from xml.etree import ElementTree

from pypdf.generic import ContentStream

_WITH_POINTS = (b"m", b"l", b"c", b"v", b"y", b"re")  # operators that make a path
_ENDS = (b"S", b"s", b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"n")  # that draw it, the last without a mark
_EVERYWHERE = (-1e9, -1e9, 1e9, 1e9)
_EMBEDDED = ("/FontFile", "/FontFile2", "/FontFile3")


def tags(document):
    """Every tag of a document, in the order of reading."""
    yield from _tags(document.trailer["/Root"]["/StructTreeRoot"]["/K"])


def _tags(node):
    node = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(node, list):
        for child in node:
            yield from _tags(child)
    elif isinstance(node, dict) and "/S" in node:
        yield node
        yield from _tags(node.get("/K", []))


def fonts(document):
    """Names of all fonts of a document, and whether each is embedded."""
    found = {}
    for page in document.pages:
        for resources in _resources(page["/Resources"]):
            for font in (resources.get("/Font") or {}).values():
                font = font.get_object()
                whole = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
                described = whole.get("/FontDescriptor", {}).get_object()
                found[font["/BaseFont"]] = any(name in described for name in _EMBEDDED)
    return found


def images(document):
    """Numbers of the pages that hold a picture of pixels."""
    return [at for at, page in enumerate(document.pages, 1) for resources in _resources(page["/Resources"])
            if any(held.get_object()["/Subtype"] == "/Image" for held in (resources.get("/XObject") or {}).values())]


def _resources(resources):
    resources = resources.get_object()
    yield resources
    for inner in (resources.get("/XObject") or {}).values():
        if "/Resources" in inner.get_object():
            yield from _resources(inner.get_object()["/Resources"])


def drawn(document, page):
    """Boxes of what is drawn on a page, lines and areas and pictures, as left, bottom, right, top from its lower left corner.

    A box ends where what it is of is cut.
    """
    yield from _drawn(document, page.get_contents(), page["/Resources"], (1, 0, 0, 1, 0, 0), _EVERYWHERE)


def _drawn(document, content, resources, matrix, clip):
    kept, points, cut, resources = [], [], False, resources.get_object()
    for operands, operator in ContentStream(content, document).operations:
        if operator in _WITH_POINTS:
            numbers = [float(part) for part in operands]
            if operator == b"re":
                x, y, width, height = numbers
                numbers = [x, y, x + width, y, x, y + height, x + width, y + height]
            points += [_at(pair, matrix) for pair in zip(numbers[::2], numbers[1::2], strict=True)]
        elif operator in (b"W", b"W*"):
            cut = True
        elif operator in _ENDS:
            if points and operator != b"n":
                yield _within(clip, points)
            if cut:
                clip = _within(clip, points)
            points, cut = [], False
        elif operator == b"q":
            kept.append((matrix, clip))
        elif operator == b"Q":
            matrix, clip = kept.pop()
        elif operator == b"cm":
            matrix = _times([float(part) for part in operands], matrix)
        elif operator == b"Do":
            yield from _picture(resources["/XObject"][operands[0]].get_object(), matrix, clip)


def _within(clip, points):
    xs, ys = zip(*points, strict=True)
    left, bottom, right, top = clip
    return (*(min(max(value, low), high) for value, low, high in
              ((min(xs), left, right), (min(ys), bottom, top), (max(xs), left, right), (max(ys), bottom, top))),)


def _picture(picture, matrix, clip):
    left, bottom, right, top = (0, 0, 1, 1) if picture["/Subtype"] == "/Image" else map(float, picture["/BBox"])
    inner = _times([float(part) for part in picture.get("/Matrix", (1, 0, 0, 1, 0, 0))], matrix)
    yield _within(clip, [_at(corner, inner) for corner in product((left, right), (bottom, top))])


def _times(first, then):
    a, b, c, d, e, f = first
    (p, q), (r, s), (t, u) = ((x * then[0] + y * then[2], x * then[1] + y * then[3]) for x, y in ((a, b), (c, d), (e, f)))
    return p, q, r, s, t + then[4], u + then[5]


def _at(point, matrix):
    x, y = point
    return x * matrix[0] + y * matrix[2] + matrix[4], x * matrix[1] + y * matrix[3] + matrix[5]


def texts(page):
    """Text of a page, and where each piece of it begins, in points from the lower left corner."""
    begins = []

    def visit(text, matrix, of_text, font, size):
        if text.strip():
            begins.append((text.strip(), _at((of_text[4], of_text[5]), matrix)))

    return page.extract_text(visitor_text=visit), begins


def words(path):
    """Every word of each page with its box, left, top, right and bottom from the upper left corner; None without poppler."""
    if not shutil.which("pdftotext"):
        return None
    told = subprocess.run(["pdftotext", "-bbox", str(path), "-"], capture_output=True, check=True).stdout.decode()
    whole = ElementTree.fromstring("".join(sign for sign in told if sign >= " " or sign in "\n\t"))
    space, sides = "{http://www.w3.org/1999/xhtml}", ("xMin", "yMin", "xMax", "yMax")
    return [[(word.text, *(float(word.get(side)) for side in sides)) for word in page.iter(f"{space}word")]
            for page in whole.iter(f"{space}page")]
