"""Small fonts with exactly the characters that a test asks for, each a box."""

from io import BytesIO

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

EM = 1000
MADE = 3_800_000_000  # in seconds from 1904 on


def font_of(signs, family="Boxes", fs_type=0):
    """A TrueType font, as bytes.

    Parameters
    ----------
    signs : str
        Its characters; they are as wide as they are high, but for a space.
    family : str
        Its name.
    fs_type : int
        What its licence says of embedding, as the field fsType of table OS/2 does.
    """
    names = {ord(sign): f"u{ord(sign):05X}" for sign in sorted(set(signs))}
    glyphs = [".notdef", *names.values()]
    pen = TTGlyphPen(None)
    pen.moveTo((100, 0))
    for point in ((100, 700), (900, 700), (900, 0)):
        pen.lineTo(point)
    pen.closePath()
    box = pen.glyph()
    made = FontBuilder(EM, isTTF=True)
    made.setupGlyphOrder(glyphs)
    made.setupCharacterMap(names)
    made.setupGlyf(dict.fromkeys(glyphs, box))
    made.setupHorizontalMetrics(dict.fromkeys(glyphs, (EM, 100)))
    made.setupHorizontalHeader(ascent=800, descent=-200)
    made.setupNameTable({"familyName": family, "styleName": "Regular", "psName": f"{family}-Regular"})
    made.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200, fsType=fs_type)
    made.setupPost()
    made.setupHead(unitsPerEm=EM, created=MADE, modified=MADE)
    content = BytesIO()
    made.save(content)
    return content.getvalue()
