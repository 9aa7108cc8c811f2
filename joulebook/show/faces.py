"""The faces of a page's pieces: plain data in, escaped HTML out.

The same function makes a face in the notebook and again when a book is staged, so that a page shows what
stands in the metadata and nothing else.
"""

from functools import partial

from joulebook.results import LABELS, NOT_STATED
from joulebook.show.assumptions import register_face
from joulebook.show.expiry import expired_lines
from joulebook.show.known import Shown, fill, fill_all, ranged_columns
from joulebook.show.marks import marked
from joulebook.show.markup import attribute, badge, table, text
from joulebook.show.notices import MLPERF_NOTICE
from joulebook.show.numbers import ENGLISH, INPUT_DIGITS, with_unit
from joulebook.show.sliders.face import explorer_face
from joulebook.show.tones import tone

_LONG = 40  # letters from which a value that is text reads from the left


def face(kind, data, known):
    """HTML of one piece.

    Parameters
    ----------
    kind : str
        A key of `FACES`.
    data : object
        The piece's own data.
    known : joulebook.show.known.Known
        Results, inputs, labels and words that it is filled from.
    """
    return f'<div class="joulebook tex2jax_ignore mathjax_ignore">{FACES[kind](data, known)}</div>'


def banner(client, prepared, notes, expired=(), numbers=ENGLISH, by=""):
    """Whose page it is, as of when, what the client's file notes, and what has expired.

    Parameters
    ----------
    client, prepared, notes : str
        Name, ISO date and free text.
    expired : iterable of str
        Of `joulebook.show.expiry.expired_lines`.
    numbers : joulebook.show.numbers.Numbers
        How numbers and days are written; where that is not the way of the house, it is said.
    by : str
        Name of whoever gives the page.
    """
    said = "".join(f"<p>{text(line)}</p>" for line in notes.splitlines() if line.strip())
    said += "".join(f'<p class="expired">{text(line)}</p>' for line in expired)
    said += f"<p><small>{text(numbers.rule)}</small></p>" if numbers.rule else ""
    giver = f' <span class="caps">by</span> <strong>{text(by)}</strong>' if by else ""
    return (
        f'<div class="joulebook banner tex2jax_ignore mathjax_ignore"><p><span class="caps">Prepared for</span> '
        f"<strong>{text(client)}</strong>, {text(numbers.day(prepared))}{giver}</p>{said}</div>"
    )


def glued(record, numbers=ENGLISH):
    """A result as a text for use in prose."""
    return f"{Shown(record, numbers)}" if record["value"] is not None else f"not available ({record['note']})"


def answer_words(data, known):
    """What the answer says, and the absolute beside it.

    Parameters
    ----------
    data : dict
        The answer's headline, says and beside.
    known : joulebook.show.known.Known
        What they are filled from.
    """
    record = known.results[data["headline"]]
    says = fill(known, data["says"]) if record["value"] is not None else f"Not available: {record['note']}."
    return says or "", fill(known, data["beside"]) or ""


def _answer(data, known):
    record = known.results[data["headline"]]
    says, beside = answer_words(data, known)
    value, judged = '<p class="value">—</p>', tone(data["headline"], known.results)
    if isinstance(record["value"], str):
        value = f'<p class="value words">{text(record["value"])}</p>'
    elif record["value"] is not None:
        shown = known.numbers.rounded(record["value"], record["low"], record["high"], record["unit"])
        unit = "" if record["unit"] == "1" else record["unit"]
        value = f'<p class="value">{text(shown)}<span>{text(unit)}</span></p>{_bar(record, known.numbers)}'
    kind = f"answer {judged}".strip()
    return (
        f'<section class="{kind}" aria-label="The answer"><p class="caps">{text(record["title"])}</p>{value}'
        f'<p class="says">{text(says)}</p>{_expired(data, known)}{_chips(record["labels"])}'
        f'<p class="beside">{text(beside)}</p></section>'
    )


def _expired(data, known):
    """What has expired of the inputs that the main numbers rest on, as the answer says it."""
    shared = data.get("basis", {}).get("rests_on", [])
    under = {name for entry in shared if set(entry["results"]) & set(data["numbers"]) for name in entry["inputs"]}
    lines = expired_lines(record for record in known.inputs if record["name"] in under)
    return "".join(f'<p class="expired">{text(line)}</p>' for line in lines)


def _inputs(data, known):
    body, write = [], known.numbers
    for record in data["records"]:
        value, side = record["value"], "num"
        if isinstance(value, int | float):
            shown = write.with_unit(write.number(value, INPUT_DIGITS, record["unit"]), record["unit"])
        else:
            shown, side = value, _side_of(value)
        reach = write.span_as_given(record["low"], record["high"], record["unit"])
        day = record.get("expires") and f"{'expired' if record.get('expired') else 'expires'} {record['expires']}"
        source = ", ".join(filter(None, (record["source"], record["as_of"] and f"as of {record['as_of']}", day)))
        source = "; ".join(filter(None, (source, record.get("plausible"))))
        body.append(
            f'<tr><td>{_titled("input", record, known)}</td><td class="{side}">{text(shown)}'
            f"<br><small>{text(reach)}</small></td><td>{badge(record['evidence'])}<br><small>{text(source)}</small></td></tr>"
        )
    told = " ".join(record["source"] for record in data["records"]) + " ".join(filter(None, known.labels.values()))
    foot = f'<p class="foot">{text(MLPERF_NOTICE)}</p>' if "MLPerf" in told else ""
    return table(("Input", "Value, low to high", "Evidence, source"), body, numeric=(1,)) + _chips(known.labels) + foot


def _titled(kind, record, known):
    """Title and name of an input or a result, with the way to the row that defines it where the page knows one."""
    title, address = text(record["title"]), known.link and known.link(kind, record)
    if address:
        title = f'<a class="define" href="{attribute(address)}">{title}</a>'
    return f"{title}<br><small>{text(record['name'])}</small>"


def _no_range(known):
    """Why none of some results has a range."""
    if any(record["low"] is not None for record in known.inputs):
        return "Ranges not stated: these are of the values alone, or no input with a range moves them."
    return "Ranges not stated: no input of these has one."


def _results(data, known):
    body = []
    ranged = any(record["low"] is not None for record in data)
    for record in data:
        as_in = f"as in {record['of']}" if "of" in record else ""
        about = "; ".join(filter(None, (_differing(record["labels"], known.labels), record["note"], as_in)))
        if record["value"] is None:
            value, aside = "not available", f"<small>{text(record['note'])}</small>"
        else:
            value, aside = text(f"{Shown(record, known.numbers)}"), f"{badge(record['evidence'])}<br><small>{text(about)}</small>"
            told = ranged and not isinstance(record["value"], str)
            reach = known.numbers.span(record["low"], record["high"], record["unit"])
            value += f"<br><small>{text(reach)}</small>" if told else ""
        body.append(
            f"<tr><td>{_titled('result', record, known)}</td>"
            f'<td class="{_side_of(record["value"])}">{value}</td><td>{aside}</td></tr>'
        )
    foot = "" if ranged or all(isinstance(record["value"], str) for record in data) else f'<p class="foot">{_no_range(known)}</p>'
    return table(("Result", "Value, low to high" if ranged else "Value", "Evidence, valid for"), body, numeric=(1,)) + foot


def _side_of(value):
    """Class of the cell of a value: numbers and short words stand on the right, texts read from the left."""
    if not isinstance(value, str):
        return "num"
    return "num words" if len(value) < _LONG else "words"


def _a_table(record, known):
    if not record["rows"]:
        return f"<p>{text(record['title'])}: not available, {text(record['note'])}.</p>"
    shown = ranged_columns(record)
    heads = [
        with_unit(name.removesuffix(f"_{unit.lower()}").replace("_", " "), "" if unit in ("", "1") else f"({unit})")
        for name, unit, *_ in shown
    ]
    numeric = [
        place for place, (_, _, value, *_) in enumerate(shown) if not any(isinstance(row[value], str) for row in record["rows"])
    ]
    body = []
    for row in record["rows"]:
        cells = []
        for place, (name, unit, value, low, high) in enumerate(shown):
            ends = (None, None) if low is None or row[low] == row[high] else (row[low], row[high])
            reach = "" if None in ends else f"<br><small>{text(known.numbers.span(*ends, unit))}</small>"
            side = ' class="num"' if place in numeric else ""
            cells.append(f"<td{side}>{text(cell(row[value], name, *ends, unit, known.numbers))}{reach}</td>")
        body.append(f"<tr>{''.join(cells)}</tr>")
    return table(heads, body, numeric)


def _filterable(data, known):
    record = data["table"]
    if not record["rows"]:
        return _a_table(record, known)
    names = [name for name, _ in record["columns"]]
    fields = []
    for place, column in enumerate(ranged_columns(record)):
        if column[0] not in data["by"]:
            continue
        at, told = names.index(column[0]), partial(cell, column=column[0], unit=column[1], numbers=known.numbers)
        kinds = sorted({told(row[at]) for row in record["rows"]}, key=str.casefold)
        options = "".join(f'<option value="{attribute(kind)}">{text(kind)}</option>' for kind in kinds)
        fields.append(f'<label>{text(column[0].replace("_", " "))} <select data-column="{place}">'
                      f'<option value="">all</option>{options}</select></label>')
    fields.append('<label>any text <input type="search" autocomplete="off" spellcheck="false"></label>')
    count = len(record["rows"])
    # The form does nothing without its script, which shows it.
    return (
        f'<div class="filterable"><form role="search" aria-label="{attribute(record["title"])}" hidden>{"".join(fields)}'
        f'<button type="reset">Show all</button></form><p class="title"><strong>{text(record["title"])}</strong> '
        f'<span class="count" role="status" aria-live="polite">{count} rows</span></p>{_a_table(record, known)}</div>'
    )


def _reading(data, known):
    return "".join(f"<p>{text(line)}</p>" for line in fill_all(known, data["sentences"]))


def _limits(data, known):
    return f"<ul>{''.join(f'<li>{text(line)}</li>' for line in fill_all(known, data['sentences']))}</ul>"


def _figure(data, known):
    if not data["image"]:
        return f"<p>No figure: {text(known.results[data['name']]['note'])}.</p>"
    caption, alt = (" ".join(fill_all(known, data[key])) for key in ("caption", "alt"))
    return (
        f'<figure><img class="figure" alt="{attribute(alt)}" src="data:image/svg+xml;base64,{attribute(data["image"])}">'
        f"<figcaption><p>{text(caption)}</p></figcaption></figure>"
    )


def _explorer(data, known):
    return explorer_face(data, known, "" if data["note"] else _chips(data["labels"]))


FACES = {
    "answer": _answer,
    "inputs": _inputs,
    "results": _results,
    "table": _a_table,
    "filterable": _filterable,
    "reading": _reading,
    "limits": _limits,
    "figure": _figure,
    "register": register_face,
    "explorer": _explorer,
}


def cell(value, column, low=None, high=None, unit="", numbers=ENGLISH):
    """A table's cell as text; years are names, not amounts."""
    if value is None or isinstance(value, str):
        return marked(value) if value else "—"
    return str(value) if column == "year" else numbers.rounded(value, low, high, unit)


def label_text(labels, name):
    """A label as text."""
    value = labels[name]
    return NOT_STATED if value is None else value.replace("_", " ") if name in ("unit_of_work", "boundary") else value


def _chips(labels):
    return (
        '<ul class="labels">'
        + "".join(f"<li><b>{name.replace('_', ' ')}</b>{text(label_text(labels, name))}</li>" for name in LABELS)
        + "</ul>"
    )


def _differing(labels, page):
    return "; ".join(label_text(labels, name) for name in LABELS if labels[name] != page[name])


def _bar(record, numbers):
    low, high = record["low"], record["high"]
    if low is None:
        return '<p class="range">range not stated</p>'
    at = min(1, max(0, (record["value"] - low) / (high - low))) if high > low else 0.5
    left, right = numbers.ends(low, high, record["unit"])
    dot = f'<i style="--at: {at:.0%}" aria-hidden="true"></i>'
    return f'<div class="span"><span>{text(left)}</span>{dot}<span>{text(right)}</span></div>'
