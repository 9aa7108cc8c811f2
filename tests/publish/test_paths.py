"""Reading paths lead through the book: to chapters and topics that are there, each chapter on at least one of them."""

import re
from posixpath import join, normpath

import pytest
from docutils import nodes

from joulebook.publish.site.mending import _set_percent_signs
from joulebook.workbook import ROOT, Workbook

PATHS = sorted((ROOT / "book" / "paths").glob("*.md"))
_LED_TO = re.compile(r"\{doc\}`[^`<]*<([^`>]+)>`")
_NO_WORDS = re.compile(r"^(:::|```|#).*$|\{[\w:]+\}`[^`<]*(<[^`]*)?`", re.MULTILINE)


def led_to(path):
    """Pages that a path leads to, in its order."""
    return [normpath(join("book/paths", target)) for target in _LED_TO.findall(path.read_text(encoding="utf-8"))]


@pytest.fixture(scope="module")
def pages():
    return Workbook().pages


def test_there_is_a_path_for_each_reader(pages):
    assert {path.stem for path in PATHS} == {"buyer", "planner", "architect"}
    assert {f"book/paths/{path.stem}" for path in PATHS} <= set(pages)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_path_leads_to_pages_that_are_there(path, pages):
    targets = led_to(path)
    assert not set(targets) - set(pages)
    assert len({target for target in targets if target.startswith("book/chapters/")}) >= 4
    assert len({target for target in targets if target.startswith("notebooks/")}) >= 4


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_path_is_short_and_ends_in_something_to_do(path):
    text = path.read_text(encoding="utf-8")
    words = len(_NO_WORDS.sub(" ", re.sub(r"^```bash\n.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)).split())
    assert 200 <= words <= 400
    assert "\n## Afterwards\n" in text
    assert re.search(r"^```bash\njoulebook ", text.partition("## Afterwards")[2], re.MULTILINE)


def test_every_chapter_is_on_a_path(pages):
    on_paths = {target for path in PATHS for target in led_to(path)}
    assert {page for page in pages if page.startswith("book/chapters/")} <= on_paths


def test_a_glued_percentage_is_set_as_elsewhere():
    doctree = nodes.paragraph("", "", nodes.inline("", "1.4%", classes=["pasted-text"]), nodes.inline("", "2%"),
                              nodes.inline("", "0.5 J", classes=["pasted-text"]))
    _set_percent_signs(None, doctree, "book/page")
    assert [node.astext() for node in doctree.findall(nodes.inline)] == ["1.4\u00a0%", "2%", "0.5 J"]
