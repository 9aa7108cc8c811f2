"""The two dictionaries as pages."""

from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

from joulebook.dictionary import definitions, parameters
from joulebook.show.numbers import number

_UNITS = {"money": "currency", "units": "units of work", "unit": "unit of work", "s": "second",
          "1": "share or ratio"}
ELSEWHERE = "inputs of other topics"  # in a client's book that has only some


class Dictionary(SphinxDirective):
    """All inputs or all results, grouped by topic."""

    required_arguments = 1

    def run(self):
        """Render the CSV file as sections with tables."""
        kind = self.arguments[0]
        if kind not in ("inputs", "results"):
            raise self.error(f"joulebook-dictionary: inputs or results is due, found {kind!r}")
        root = Path(self.env.srcdir)
        self.env.note_dependency(str(root / "data" / {"inputs": "parameters.csv", "results": "results.csv"}[kind]))
        groups = _inputs_by_topic(root, self.env.found_docs) if kind == "inputs" else {
            topic: list(rows.values()) for topic, rows in definitions(root).items()}
        render = self._inputs if kind == "inputs" else self._results
        return [self._section(kind, topic, render(rows)) for topic, rows in groups.items()
                if topic == ELSEWHERE or f"notebooks/{topic}" in self.env.found_docs]

    def _section(self, kind, topic, table):
        section = nodes.section(ids=[f"{kind}-{topic}"], names=[f"{kind}-{topic}"])
        section += nodes.title("", topic.replace("_", " ").capitalize())
        if topic != ELSEWHERE:
            section += _small(nodes.Text("Topic page: "), page_link(self, f"notebooks/{topic}"))
        section += nodes.container("", table, classes=["scroll"])
        return section

    def _inputs(self, rows):
        table, body = a_table(("Input", 34), ("What is allowed", 28), ("Meaning and source", 38))
        for row in rows:
            anchor = f"input-{row.name}"
            entry = [nodes.paragraph("", row.title), _small(nodes.literal("", row.name))]
            meaning = [nodes.paragraph("", row.meaning), _small(nodes.Text(f"Source: {row.source}"))]
            if len(row.topics) > 1:
                meaning.append(_small(nodes.Text("Used by: " + ", ".join(topic.replace("_", " ") for topic in row.topics))))
            allowed = [_choices(row.choices) if row.choices else nodes.paragraph("", _sentence(row.allowed))]
            notes = [_needed(row)]
            if row.kind == "number" and not row.dimensional:
                notes.insert(0, f"Unit: {_unit_of_input(row.unit)}")
            body += table_row(entry, [*allowed, _small(nodes.Text(". ".join(notes)))], meaning, ids=[anchor])
            self.env.get_domain("std").note_hyperlink_target(anchor, self.env.docname, anchor, row.title)
        return table

    def _results(self, rows):
        table, body = a_table(("Result", 36), ("Unit", 22), ("Meaning", 42))
        for row in rows:
            entry = [nodes.paragraph("", _sentence(_readable(row.title))), _small(nodes.literal("", row.name))]
            meaning = [nodes.paragraph("", _readable(row.meaning))]
            differs = [f"{label}: {text}" for label, text in (("Boundary", row.boundary), ("Window", row.window)) if text]
            notes = _small(nodes.Text(". ".join([*differs, *["Equation "] * bool(row.equation)])))
            if row.equation:
                notes += cross_reference(self, "math", "eq", row.equation)
            if notes.astext():
                meaning.append(notes)
            unit = "table" if row.kind == "table" else _UNITS["1"] if row.unit == "1" else _readable(row.unit)
            body += table_row(entry, [nodes.paragraph("", unit)], meaning, ids=[f"result-{row.topic}-{row.name}"])
        return table


def page_link(directive, page):
    """A reference to a page, which Sphinx gives its title and resolves, with a warning where it leads nowhere."""
    return cross_reference(directive, "std", "doc", f"/{page}")


def cross_reference(directive, domain, kind, target):
    """A reference that Sphinx resolves, with a warning where it leads nowhere."""
    node = addnodes.pending_xref("", nodes.literal("", target, classes=["xref"]), refdomain=domain, reftype=kind,
                                 reftarget=target, refexplicit=False, refwarn=True, refdoc=directive.env.docname)
    directive.set_source_info(node)
    return node


def _inputs_by_topic(root, found):
    """Parameters by the first of their topics that the book has."""
    groups = {}
    for row in parameters(root).values():
        topic = next((topic for topic in row.topics if f"notebooks/{topic}" in found), ELSEWHERE)
        groups.setdefault(topic, []).append(row)
    return groups


def a_table(*columns):
    """A table of the workbook's own data, and its body to be filled; `columns` are heads with their widths."""
    table = nodes.table(classes=["dictionary"])
    group = nodes.tgroup(cols=len(columns))
    group += [nodes.colspec(colwidth=width) for _, width in columns]
    group += nodes.thead("", table_row(*([nodes.paragraph("", head)] for head, _ in columns)))
    body = nodes.tbody()
    group += body
    table += group
    return table, body


def table_row(*cells, **attributes):
    """A row of cells, each a list of nodes."""
    row = nodes.row(**attributes)
    row += [nodes.entry("", *cell) for cell in cells]
    return row


def _choices(names):
    words = nodes.paragraph()
    for at, name in enumerate(names):
        words += [nodes.Text(" or ")] * bool(at) + [nodes.literal("", name)]
    return words


def _small(*children):
    return nodes.paragraph("", "", *children, classes=["small"])


def _needed(row):
    if row.required:
        return "Required"
    if row.default is not None:
        return f"Default: {number(row.default) if isinstance(row.default, int | float) else row.default}"
    return "Optional"


def _unit_of_input(unit):
    """A unit of the dictionary of inputs in words.

    Examples
    --------
    >>> _unit_of_input("money/kW/month"), _unit_of_input("units/s"), _unit_of_input("W")
    ('currency per kW per month', 'units of work per second', 'W')
    """
    return " per ".join(_UNITS.get(part, part) for part in unit.split("/"))


def _readable(text):
    """A text of the dictionary of results with its placeholders in words.

    Examples
    --------
    >>> _readable("{currency} per million {units}")
    'currency per million units of work'
    """
    for key, words in (("{currency}", "currency"), ("{units}", "units of work"), ("{unit}", "unit of work")):
        text = text.replace(key, words)
    return text


def _sentence(text):
    return text[:1].upper() + text[1:]
