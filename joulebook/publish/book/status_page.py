"""The page that says of every other what it rests on, how old that was when it was prepared, and what executed it."""

from collections import Counter

from nbformat.v4 import new_markdown_cell, new_notebook

from joulebook.days import age_months
from joulebook.publish.book.contents import STATUS
from joulebook.publish.book.page import folder_of, to_root
from joulebook.publish.book.topic_page import html_cell
from joulebook.publish.collect import heading
from joulebook.results import EVIDENCE
from joulebook.show.markup import attribute, badge, table, text

TITLE = "Status of the pages"
QUESTION = "What does each page rest on, how old was it, and with which versions was it executed?"
EXAMPLES = "Examples of the dictionary"
# Packages that numbers and pictures come from; the record of a run has all.
PACKAGES = ("joulebook", "python", "numpy", "scipy", "pandas", "salib", "uncertainties", "matplotlib")
_NONE = "—"
_ABOUT = (
    "Evidence is that of the inputs of a page, defaults of the workbook among them. Ages count in whole months from the day on "
    "which the client’s inputs were prepared, not from today. An input without a date does not age, and nobody knows how old "
    "it is. What has expired prices nothing unless its page says why."
)


def status_page(notebooks, pages):
    """The page of all pages that show inputs.

    Parameters
    ----------
    notebooks : dict of str to nbformat.NotebookNode
        Executed notebooks by page.
    pages : dict of str to joulebook.publish.book.page.Page
        What is said around each.

    Returns
    -------
    nbformat.NotebookNode
    """
    groups = {}
    for name, notebook in notebooks.items():
        shown = _inputs(notebook)
        if shown is not None:
            groups.setdefault(folder_of(name), []).append((name, notebook, shown))
    cells = [new_markdown_cell(f"# {TITLE}\n\n:::{{div}} question\n{QUESTION}\n:::\n\n{_ABOUT}", id="title")]
    for at, rows in enumerate(groups.values()):
        cells.append(html_cell(_group([(pages[name], name, notebook, shown) for name, notebook, shown in rows]), f"group-{at}"))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def status_of(records, prepared):
    """What is said of the inputs of a page.

    Parameters
    ----------
    records : list of dict
        Inputs with evidence, as_of and expired.
    prepared : str or None
        Day from which ages count.

    Returns
    -------
    dict
        ``count``; ``evidence``, how many by kind, strongest first; ``oldest``, the earliest day; ``age_months`` of it;
        ``undated``; ``expired``.
    """
    records = [record for record in records if record["value"] is not None]
    kinds, days = Counter(record["evidence"] for record in records), [record["as_of"] for record in records if record["as_of"]]
    oldest = min(days, default=None)
    return {
        "count": len(records),
        "evidence": {kind: kinds[kind] for kind in EVIDENCE if kinds[kind]},
        "oldest": oldest,
        "age_months": age_months(oldest, prepared) if oldest and prepared else None,
        "undated": len(records) - len(days),
        "expired": sum(bool(record.get("expired")) for record in records),
    }


def _inputs(notebook):
    """Records of the inputs that a notebook shows; None where it has no table of them."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            made = output.get("metadata", {}).get("joulebook", {})
            if made.get("kind") == "inputs":
                return made["data"]["records"]
    return None


def _group(rows):
    page = rows[0][0]
    head = text(page.whose or EXAMPLES)
    prepared = f", prepared {text(page.prepared)}" if page.prepared else ""
    versions = ", ".join(f"{name} {page.versions[name]}" for name in PACKAGES if name in page.versions)
    heads = ("Page", "Inputs", "Evidence", "Oldest, age then", "Undated", "Expired")
    body = [_row(name, notebook, status_of(shown, page.prepared)) for page, name, notebook, shown in rows]
    return (f'<div class="joulebook status tex2jax_ignore mathjax_ignore"><p class="group"><strong>{head}</strong>'
            f"<span>{prepared}</span></p>{table(heads, body, numeric=(1, 4, 5))}"
            f'<p class="foot">Executed with: {text(versions or "not stated")}.</p></div>')


def _row(name, notebook, told):
    href, title = attribute(f"{to_root(STATUS)}{name}.html"), heading(notebook)[0] or name
    kinds = " ".join(f'<span class="count">{count} {badge(kind)}</span>' for kind, count in told["evidence"].items()) or _NONE
    age = "" if told["age_months"] is None else f"<br><small>{_months(told['age_months'])}</small>"
    return (f'<tr><td><a href="{href}">{text(title)}</a></td><td class="num">{told["count"]}</td><td>{kinds}</td>'
            f'<td>{text(told["oldest"] or _NONE)}{age}</td><td class="num">{told["undated"]}</td>'
            f'<td class="num">{told["expired"]}</td></tr>')


def _months(count):
    return f"{count} {'month' if count == 1 else 'months'}"
