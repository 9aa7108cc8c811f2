"""Branding, locale and size of paper in ``client.yml``: what is accepted, and that all else is refused by name and reason.

Files are made here; expected values by hand, where nothing else is said.
"""

import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joulebook.colours import contrast, readable
from joulebook.errors import InputError
from joulebook.intake.branding import Branding, check_locale
from joulebook.intake.lettering import require_fonts

from ..fonts import font_of
from .conftest import CLIENT

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">{}</svg>'
FULL = CLIENT + """branding:
  name: Meier & Partner
  logo: art/logo.svg
  logo_on_dark: white.png
  accent: "#0B6E8C"
  fonts: lettering
locale: de-DE
paper: us_letter
"""


def png(width=4, height=2):
    """A picture of one colour, by the specification of PNG."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\x80" * width for _ in range(min(height, 64)))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@pytest.fixture
def dressed(folder):
    """A client's folder with a logo for either ground, and fonts."""
    (folder / "art").mkdir()
    (folder / "art" / "logo.svg").write_text(SVG.format('<rect width="5" height="5"/>'))
    (folder / "white.png").write_bytes(png())
    (folder / "lettering").mkdir()
    for name in ("b.ttf", "a.otf"):
        (folder / "lettering" / name).write_bytes(font_of("株"))
    (folder / "lettering" / "LICENSE.txt").write_text("free")
    return folder


def test_all_of_it_is_read(read, dressed):
    client = read(FULL)
    assert client.branding == Branding("Meier & Partner", "art/logo.svg", "white.png", "#0b6e8c",
                                       ("lettering/a.otf", "lettering/b.ttf"))
    assert (client.locale, client.paper) == ("de_DE", "us_letter")
    assert {"art/logo.svg", "white.png", "lettering/a.otf", "lettering/b.ttf"} <= client.sources.keys()


def test_none_of_it_is_needed(read):
    client = read()
    assert (client.branding, client.locale, client.paper) == (Branding(), None, None)


def test_a_font_may_be_named_itself(read, dressed):
    assert read(FULL.replace("fonts: lettering", "fonts: [lettering/b.ttf]")).branding.fonts == ("lettering/b.ttf",)


def test_inputs_are_the_same_with_and_without(read, dressed):
    plain, full = read(CLIENT), read(FULL)
    assert plain.inputs == full.inputs
    assert plain.labels == full.labels


def test_all_problems_are_told_at_once_with_their_lines(refusal, dressed):
    said = refusal(FULL.replace("art/logo.svg", "art/logo.sgv").replace("#0B6E8C", "teal").replace("de-DE", "de_DD")
                   .replace("us_letter", "letter").replace("name: Meier", "nmae: Meier")).splitlines()
    assert len(said) == 5
    lines = CLIENT.count("\n")
    assert f":{lines + 2}: branding.nmae: unknown key" in said[0]
    assert "did you mean name?" in said[0]
    assert f":{lines + 3}: branding.logo: no such file; found 'art/logo.sgv'" in said[1]
    assert "did you mean logo.svg?" in said[1]
    assert f":{lines + 5}: branding.accent: no colour; found 'teal'" in said[2]
    assert f":{lines + 7}: locale: no such locale; found 'de_DD'" in said[3]
    assert "de_DE" in said[3].split("did you mean")[1]
    assert f":{lines + 8}: paper:" in said[4]
    assert "allowed: a4 or us_letter; did you mean us_letter?" in said[4]


def test_a_bare_number_sign_is_a_comment_and_the_error_says_so(refusal):
    said = refusal(CLIENT + "branding:\n  accent: #0b6e8c\n")
    assert "branding.accent: empty: no value" in said
    assert "in quotes: what stands behind a bare # is a comment" in said


@pytest.mark.parametrize("accent", ["#fff", "0b6e8c", "#0b6e8g", "#0b6e8c ", "rgb(0,0,0)", "11"])
def test_a_colour_is_written_in_one_way(refusal, accent):
    assert "branding.accent: no colour" in refusal(f'{CLIENT}branding:\n  accent: "{accent}"\n')


@pytest.mark.parametrize(("path", "what"), [
    ("../logo.svg", "leaves the client folder"), ("/etc/hostname", "an absolute path"), ("lettering", "no regular file"),
    ("link.svg", "leaves the client folder")])
def test_a_file_outside_the_folder_is_refused(refusal, dressed, path, what):
    (dressed.parent / "logo.svg").write_text(SVG.format(""))
    (dressed / "link.svg").symlink_to(dressed.parent / "logo.svg")
    assert f"branding.logo: {what}" in refusal(FULL.replace("art/logo.svg", path))


@pytest.mark.parametrize(("inside", "what"), [
    ("<script>1</script>", "an element that runs, moves or embeds: <script>, line 1"),
    ("<foreignObject/>", "an element that runs, moves or embeds: <foreignObject>"),
    ('<p xmlns="http://www.w3.org/1999/xhtml"/>', "an element that runs, moves or embeds: <p>"),
    ('<rect onload="x()"/>', "a script: onload of <rect>"),
    ('<a href="https://example.com"><rect/></a>', "an external reference: href of <a>"),
    ('<a href="javascript:x()"><rect/></a>', "an external reference: href of <a>"),
    ('<image href="other.png"/>', "an external reference: href of <image>"),
    ('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>', "an external reference: href of <image>"),
    ('<use xmlns:l="http://www.w3.org/1999/xlink" l:href="x.svg#a"/>', "an external reference: href of <use>"),
    ('<rect fill="url(http://example.com/a)"/>', "an external reference: url() in fill of <rect>"),
    ('<rect style="fill:\\75 rl(x)"/>', "a style that imports, runs or hides something: style of <rect>"),
    ("<style>@import 'x.css';</style>", "a style that imports, runs or hides something: <style>"),
    ("<style>rect { fill: url( 'x' ) }</style>", "an external reference: url() in <style>"),
    ('<animate attributeName="href"/>', "an element that runs, moves or embeds: <animate>"),
    ('<g xml:base="http://example.com/"/>', "an external reference: xml:base of <g>"),
    ("<?xml-stylesheet href='x'?>", "a processing instruction"),
    ("<g>", "not well-formed")])
def test_an_svg_that_does_more_than_show_itself_is_refused(refusal, dressed, inside, what):
    (dressed / "art" / "logo.svg").write_text(SVG.format(inside))
    said = refusal(FULL)
    assert "branding.logo: an SVG" in said
    assert what.split(", line")[0] in said
    assert "art/logo.svg, line 1" in said


@pytest.mark.parametrize("inside", [
    '<linearGradient id="a"/><rect fill="url(#a)"/><use href="#a"/>', '<image href="data:image/png;base64,iVBORw0KGgo="/>',
    '<style>rect { fill: url("#a"); stroke: #fff }</style>', "<text>Meier</text>", "<metadata><x/></metadata>"])
def test_an_svg_that_stands_for_itself_is_accepted(read, dressed, inside):
    (dressed / "art" / "logo.svg").write_text(SVG.format(inside))
    assert read(FULL).branding.logo == "art/logo.svg"


@pytest.mark.parametrize(("content", "what"), [
    ('<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>' + SVG.format("&c;"), "a document type, in which entities"),
    ('<!DOCTYPE svg SYSTEM "file:///etc/passwd">' + SVG.format(""), "a document type, in which entities"),
    ("<svg viewBox='0 0 1 1'/>", "<svg> at its root, not <svg> of the namespace"),
    ('<svg xmlns="http://www.w3.org/2000/svg"/>', "no size"),
    ("no markup", "not well-formed"), ("", "not well-formed"), (SVG.format(" " * 10**6), "too large")])
def test_a_file_that_is_no_such_picture_is_refused(refusal, dressed, content, what):
    (dressed / "art" / "logo.svg").write_text(content)
    assert what in refusal(FULL)


@pytest.mark.parametrize(("content", "what"), [
    (png()[:40], "a damaged PNG"), (png()[:20], "a damaged PNG"), (png(9000, 3), "too many pixels: 9000 x 3"),
    (b"GIF89a", "neither an SVG nor a PNG"), (b"", "neither an SVG nor a PNG")])
def test_a_picture_of_pixels_is_looked_at(refusal, dressed, content, what):
    (dressed / "white.png").write_bytes(content)
    assert f"branding.logo_on_dark: {what}" in refusal(FULL)


@pytest.mark.parametrize(("name", "content", "what"), [
    ("a.otf", b"no font", "no font that can be read"), ("a.otf", b"", "no font that can be read"),
    ("a.ttc", font_of("株"), "no font that can be read"), ("a.otf", font_of("株")[:300], "no font that can be read"),
    ("a.otf", font_of("株", fs_type=2), "the licence of this font forbids to embed it")])
def test_a_font_is_looked_at(refusal, dressed, name, content, what):
    (dressed / "lettering" / name).write_bytes(content)
    said = refusal(FULL)
    assert f"branding.fonts.0: {what}" in said.replace("[0]", ".0")
    assert f"lettering/{name}" in said


@pytest.mark.parametrize(("fonts", "what"), [
    ("art", "no font in this folder"), ("..", "leaves the client folder"), ("/usr/share/fonts", "leaves the client folder"),
    ("white.png", "no font by its name"), ("fonts.ttf", "no such file")])
def test_fonts_are_fonts_of_the_folder(refusal, dressed, fonts, what):
    assert what in refusal(FULL.replace("fonts: lettering", f"fonts: {fonts}"))


def test_folders_of_the_command_line_are_told_together(tmp_path):
    with pytest.raises(InputError) as error:
        require_fonts([tmp_path / "none", tmp_path])
    assert [problem.what for problem in error.value.problems] == ["no folder", "no font in this folder"]


@pytest.mark.parametrize(("locale", "meant"), [
    ("de_De", "de_DE"), ("enUS", "en_US"), ("fr_RF", "fr_FR"), ("pt-BZ", "pt_BR"), ("ger_DE", "de_DE"), ("German", "de_DE")])
def test_the_nearest_locale_is_offered(locale, meant):
    with pytest.raises(InputError) as error:
        check_locale(locale)
    assert meant in error.value.problems[0].near.split(" or ")


@pytest.mark.parametrize("value", [None, "", 5, "xx_YY", "../de_DE", "de_DE.UTF-8", "root"])
def test_what_is_no_locale_is_refused(value):
    with pytest.raises(InputError):
        check_locale(value)


# ---- the accent


COLOURS = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


@given(COLOURS, st.sampled_from(["#ffffff", "#f3f6f8", "#121212", "#1b2127"]))
def test_a_readable_colour_is_readable_and_no_further_away_than_it_must_be(colour, ground):
    made = readable(colour, ground)
    assert contrast(made, ground) >= 4.5  # WCAG 2.2, 1.4.3
    if contrast(colour, ground) >= 4.5:
        assert made == colour
    else:
        assert contrast(made, ground) < 4.5 + 0.35  # published: sRGB steps of a dark colour are as coarse


@given(COLOURS)
def test_contrast_is_symmetric_and_between_one_and_twenty_one(colour):
    assert 1 <= contrast(colour, "#ffffff") <= 21
    assert contrast(colour, "#777777") == contrast("#777777", colour)


@pytest.mark.parametrize(("one", "other", "ratio"), [("#777777", "#ffffff", 4.48), ("#ff0000", "#ffffff", 4.0),
                                                     ("#0000ff", "#ffffff", 8.59)])
def test_contrast_is_that_of_wcag(one, other, ratio):
    # published: the examples that WCAG's techniques and checkers agree on
    assert contrast(one, other) == pytest.approx(ratio, abs=0.006)
