"""Pieces of HTML that all faces share: everything that comes in is text."""

from html import escape

# Neither a page's nor a notebook's mathematics may read a client's dollar signs.
_DOLLAR = '<span class="tex2jax_ignore mathjax_ignore">$</span>'


def text(value):
    """Text as HTML content: data, never markup and never mathematics.

    Examples
    --------
    >>> text("<b> R&D")
    '&lt;b&gt; R&amp;D'
    """
    return escape(str(value)).replace("$", _DOLLAR)


def attribute(value):
    """Text as the value of an HTML attribute."""
    return escape(str(value), quote=True)


def table(heads, body, numeric=()):
    """A table in a box that scrolls inside itself; `body` is rows of HTML, `numeric` the places of columns of numbers."""
    top = "".join(
        f'<th scope="col"{" class=num" if place in numeric else ""}>{text(head)}</th>' for place, head in enumerate(heads)
    )
    return f'<div class="scroll"><table><thead><tr>{top}</tr></thead><tbody>{"".join(body)}</tbody></table></div>'


def badge(kind):
    """A kind of evidence, as a word with its colour."""
    return f'<span class="evidence {attribute(kind)}">{text(kind)}</span>'
