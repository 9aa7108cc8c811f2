"""The parameters that a page was executed with, in a box of its own that is always open."""

import ast
import re
from pprint import pformat

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from joulebook.show.markup import attribute

WIDTH = 100
ELSEWHERE = "provenance"  # long, and told by the table of inputs
_COMMENT = re.compile(r"^(\w+) = .*?  # ([^\"'\n]+)$", re.MULTILINE)


def parameters_box(cell, example):
    """HTML of a parameters cell.

    Parameters
    ----------
    cell : nbformat.NotebookNode
        The cell whose values were used.
    example : nbformat.NotebookNode
        The cell of the topic's own notebook, which says the units; may be the same.

    Returns
    -------
    str
        Escaped; it scrolls within itself, by keyboard too, and can be copied as it stands.
    """
    source = cell.source if cell is example else _with_units(cell.source, dict(_COMMENT.findall(example.source)))
    # Client text is in literals, which the highlighter escapes; mathematics is only what was written as such.
    code = highlight(source, PythonLexer(), HtmlFormatter(nowrap=True))
    name = attribute("Parameters of this page")
    return (f'<div class="joulebook parameters tex2jax_ignore mathjax_ignore"><p class="caps">{name}</p>'
            f'<div class="highlight-ipython3 notranslate"><div class="highlight">'
            f'<pre role="region" aria-label="{name}" tabindex="0">{code}</pre></div></div></div>')


def _with_units(source, units):
    """Injected parameters, an assignment a line, with the comments of the notebook's own cell."""
    try:
        statements = ast.parse(source).body
        given = [(statement.targets[0].id, ast.literal_eval(statement.value)) for statement in statements]
    except (SyntaxError, ValueError, AttributeError):
        return source  # as somebody wrote it
    lines = []
    for name, value in given:
        if name == ELSEWHERE and value:
            lines.append(f"# {name}: ranges, sources and dates, as in the table above; the notebook has them whole")
            continue
        indent = " " * (len(name) + 3)
        told = pformat(value, width=WIDTH - len(indent), sort_dicts=False).replace("\n", f"\n{indent}")
        lines.append(f"{name} = {told}" + (f"  # {units[name]}" if name in units else ""))
    return "\n".join(lines)
