"""No number in prose is typed by hand: it is glued from a result, or part of a name.

Read are all pages of the book and the text of the notebooks, captions and alternative texts of figures
included. Code, mathematics, roles, options, addresses and citations are no prose.
"""

import re

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin
from mdit_py_plugins.myst_role import myst_role_plugin
from ruamel.yaml import YAML

from joulebook.workbook import ROOT

PAGES = sorted([*ROOT.glob("book/**/*.md"), *ROOT.glob("notebooks/*.md")])
NAMES = [
    r"\bMLPerf (Inference |Training )?v\d+\.\d+\b",  # a round of the benchmark
    r"\bISO/IEC \d+(-\d+)?(:\d+)?\b",  # a standard
    r"\bISO \d+(:\d+)?\b",  # a standard
    r"\bJCGM \d+:\d+\b",  # a guide
    r"\barXiv:\d+\.\d+\b",  # a paper
    r"\bPDF/UA-1\b",  # a standard
    r"\bYAML 1\.2\b",  # a version of a language
    r"\b95 % coverage interval\b",  # the kind of interval that every range of a result is, fixed by the method
]
_DIGITS = re.compile(r"\w*\d[\w.,:%]*")
_DIRECTIVE = re.compile(r"\{([\w:.-]+)\}[ \t]*(.*)")
# What these hold is no prose, or is checked as code; any other directive holds text.
_NO_PROSE = {"code-cell", "code", "code-block", "raw-cell", "math", "bibliography", "joulebook-dictionary", "eval-rst", "image",
             "toctree"}
_NO_TITLE = {"grid", "div", "figure", "glue:figure"}  # their argument is a layout, a class or an address


def typed_numbers(text, line=0):
    """Numbers that stand typed in the prose of a page, with their lines.

    Parameters
    ----------
    text : str
        Markdown as in the book.
    line : int
        Lines before it in its file.

    Yields
    ------
    tuple of int and str
        Line, counted from 1, and what stands there.
    """
    parser = MarkdownIt("commonmark").enable("table")
    for plugin in (front_matter_plugin, colon_fence_plugin, dollarmath_plugin, amsmath_plugin, deflist_plugin, myst_block_plugin,
                   myst_role_plugin):
        parser.use(plugin)
    for token in parser.parse(text):
        at = line + (token.map[0] if token.map else 0)
        if token.type == "inline":
            yield from _of_inline(token.children, at)
        elif token.type in ("fence", "colon_fence"):
            yield from _of_directive(token.info.strip(), token.content, at)
        elif token.type == "html_block":
            yield from _numbers(re.sub(r"<[^>]*>", " ", token.content), at)


def _of_inline(tokens, line):
    address = False
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            line += 1
        elif token.type == "link_open":
            address = token.markup == "autolink"
        elif token.type == "link_close":
            address = False
        elif (token.type == "text" and not address) or token.type == "image":
            yield from _numbers(re.sub(r"\]\{[^}]*\}", "]", token.content), line)


def _of_directive(info, content, line):
    match = _DIRECTIVE.match(info)
    if not match:
        return
    name, argument = match.groups()
    if name == "code-cell":
        yield from _of_figure(content, line + 1)
    if name in _NO_PROSE:
        return
    if name not in _NO_TITLE:
        yield from typed_numbers(argument, line)
    options = re.match(r"---\n(?s:.*?)\n---\n|(?::[\w-]+:.*\n)*", content).group()
    yield from typed_numbers(content[len(options):], line + 1 + options.count("\n"))


def _of_figure(content, line):
    """Caption and alternative text that a code cell gives to its figure."""
    match = re.match(r"---\n(.*?)\n---\n", content, re.DOTALL)
    given = (YAML(typ="safe", pure=True).load(match.group(1)) or {}).get("mystnb", {}) if match else {}
    for text in (given.get("figure", {}).get("caption", ""), given.get("image", {}).get("alt", "")):
        for _, found in typed_numbers(text):
            yield line + 1, found


def _numbers(text, line):
    for name in NAMES:
        text = re.sub(name, " ", text)
    for match in _DIGITS.finditer(text):
        yield line + 1 + text.count("\n", 0, match.start()), match.group()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_no_number_is_typed(page):
    found = [f"{page.relative_to(ROOT)}:{line}: {text}" for line, text in typed_numbers(page.read_text(encoding="utf-8"))]
    assert not found, "numbers typed in prose; glue them from a result:\n" + "\n".join(found)


@pytest.mark.parametrize("text", [
    "costs 5 euros", "# A 2nd title", "- a list of 3", "| head |\n|---|\n| 7 |", "**0.12** USD", "[a link 9](x.md)",
    ":::{div} rerun\nabout 1 second\n:::", "::::{grid} 1 2\n:::{card} Title with 4\n:class: x1\ntext\n:::\n::::",
    "```{note}\nNo more than 8.\n```", ":::{margin} Sources of 2026\ntext\n:::", "<p>some 6</p>", "term\n: with 3 words",
    "```{glossary}\nword\n  means 1 thing\n```", "![a picture of 2](x.svg)",
    "```{code-cell} ipython3\n---\nmystnb:\n  figure:\n    caption: falls to 0.3\n---\nx = 1\n```",
    "MLPerf v5.1 and 2 more", "about 95 % of them",
])
def test_a_typed_number_is_found(text):
    assert len(list(typed_numbers(text))) == 1


@pytest.mark.parametrize("text", [
    "`5` and ``x 6``", "```python\nx = 7\n```", "```{code-cell} ipython3\n:tags: [a1]\nx = 8\n```",
    "$2u$ and\n\n$$ 3 + 4 $$ (eq-5)",
    "{glue:text}`cost_2:s` and {cite}`jcgm100`", "[text](https://example.org/2025/1)", "<https://example.org/7>",
    "---\nkernelspec: {name: python3}\n---\n\n# Title", "::::{grid} 1 1 2 2\n:gutter: 3\n\ntext\n::::", "(label-1)=\ntext",
    "[word]{.class-2}", "% a comment with 3", "MLPerf v5.1, ISO/IEC 30134-2:2016 and its 95 % coverage interval",
])
def test_what_is_no_prose_is_left(text):
    assert list(typed_numbers(text)) == []


def test_the_line_is_named():
    text = "# Title\n\nfirst\nsecond 2\n\n:::{div} x\n:class: y\n\nthird 3\n:::\n"
    assert list(typed_numbers(text)) == [(4, "2"), (9, "3")]
