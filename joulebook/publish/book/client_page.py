"""The page of a client: what came of it, the main numbers of each topic, and what they rest on."""

import posixpath
from collections import Counter

from nbformat.v4 import new_markdown_cell, new_notebook

from joulebook.publish.book.page import folder_of
from joulebook.publish.book.topic_page import html_cell
from joulebook.publish.register import GROUP_ORDER, register_of
from joulebook.publish.site.listings import plain_question
from joulebook.show.assumptions import DEFAULTS, GROUPS, rule_words
from joulebook.show.faces import face
from joulebook.show.known import Known
from joulebook.show.markup import attribute, badge, text
from joulebook.show.notices import MLPERF_NOTICE
from joulebook.show.tones import tone

PAGE = "index"
TITLE = "Overview"
QUESTION = "What came of it, how sure is it, and what does it rest on?"
VERDICT = "verdict"


def client_page(record, collected, name, pages, register, downloads=()):
    """The page of a client, for the public book and for a client's own.

    Parameters
    ----------
    record : dict
        Content of ``run.json``.
    collected : dict of str to joulebook.publish.collect.Collected
        Topics.
    name : str
        Name of this page.
    pages : dict of str to str
        Page of each topic.
    register : str
        Page of the assumption register.
    downloads : iterable of tuple of str
        Files of the book that belong to the client: what each is, and its place in the book.

    Returns
    -------
    nbformat.NotebookNode
        Not executed by anybody: its faces are made of what the topics' notebooks say.
    """
    cells = [new_markdown_cell(f"# {TITLE}\n\n:::{{div}} question\n{QUESTION}\n:::", id="title")]
    if VERDICT in collected:
        content = collected[VERDICT]
        (answer,) = content.of_kind("answer")
        cells.append(html_cell(face("answer", answer, content.known), "answer"))
        cells.append(new_markdown_cell(f"Why, and where it flips: {_doc(pages[VERDICT])}.", id="why"))
    cells.append(new_markdown_cell("## Main numbers", id="numbers"))
    for topic, content in collected.items():
        mark = topic.replace("_", "-")
        asks = plain_question(content.question)
        cells.append(new_markdown_cell(f"### {_doc(pages[topic], content.title)}\n\n{asks}", id=f"topic-{mark}"))
        cells.append(html_cell(_numbers(content), f"numbers-{mark}"))
    cells.append(new_markdown_cell("## What it rests on", id="rests"))
    cells.append(html_cell(_rests(record, collected, _way(name, f"{register}.html")), "register"))
    if downloads:
        cells.append(new_markdown_cell("## Take it along", id="downloads"))
        cells.append(html_cell(_downloads(downloads, name), "files"))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def client_card(record, collected):
    """What another page says of a client: plain data.

    Returns
    -------
    dict
        title, the client; says, what its file notes; answer, the verdict or None; tone of it.
    """
    known = collected[VERDICT].known if VERDICT in collected else Known()
    value = known.results.get(VERDICT, {}).get("value")
    return {"title": record["client"], "says": record["notes"].strip().splitlines()[0] if record["notes"].strip() else "",
            "answer": value, "tone": tone(VERDICT, known.results) if value else ""}


def _numbers(content):
    """Main numbers of a topic: the headline, and the others that there are."""
    (answer,) = content.of_kind("answer")
    results = content.known.results
    names = dict.fromkeys(name for name in answer["numbers"] if name == answer["headline"] or results[name]["value"] is not None)
    return face("results", [results[name] for name in names], content.known)


def _rests(record, collected, register):
    rows = register_of(content.registered for content in collected.values())
    groups = Counter(row["group"] for row in rows if row["given"])
    defaults = sum(not row["given"] for row in rows)
    told = [f"<li>{_group(group, groups[group])}</li>" for group in GROUP_ORDER if groups[group]]
    told.append(f"<li><b>{defaults}</b> {text(DEFAULTS[0].split()[0].lower())} <small>{text(DEFAULTS[1])}</small></li>")
    notice = any("mlperf" in row["source"].lower() for row in rows)
    foot = f'<p class="foot">{text(MLPERF_NOTICE)}</p>' if notice else ""
    return (f'<div class="joulebook rests tex2jax_ignore mathjax_ignore"><ul class="counts">{"".join(told)}</ul>'
            f"<p>{text(rule_words(record['prepared'], record.get('valid_months')))} "
            f'The <a href="{attribute(register)}">assumption register</a> has every input with its source, and what it moves.</p>'
            f"{foot}</div>")


def _group(group, count):
    title, means = GROUPS[group]
    word = badge(group) if group in _EVIDENCE_GROUPS else text(title.lower())
    return f"<b>{count}</b> {word} <small>{text(means)}</small>"


_EVIDENCE_GROUPS = ("illustrative", "assumed", "quoted", "modelled", "published", "measured")


def _downloads(downloads, name):
    items = "".join(f'<li><a download href="{attribute(_way(name, place))}">{text(what)}</a></li>' for what, place in downloads)
    return f'<div class="joulebook tex2jax_ignore mathjax_ignore"><ul class="downloads">{items}</ul></div>'


def _doc(page, title=None):
    """A way to a page, as MyST; a heading gives its title, for the list of headings knows no page."""
    return f"{{doc}}`{title} </{page}>`" if title else f"{{doc}}`/{page}`"


def _way(name, place):
    """Relative address of a place of the book on a page."""
    return posixpath.relpath(place, folder_of(name))
