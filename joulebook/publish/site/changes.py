"""The changes of the method as a page."""

import csv
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from joulebook.publish.site.dictionaries import a_table, page_link, table_row

FILE = "data/method_changes.csv"
ALL = "all"  # in place of topics
UNRELEASED = "not yet released"


class Changes(SphinxDirective):
    """``{joulebook-changes}``: a section a version, the newest first, with what changed, how far results moved, and why."""

    def run(self):
        """Render the file."""
        root = Path(self.env.srcdir)
        self.env.note_dependency(str(root / FILE))
        versions = {}
        for row in method_changes(root):
            versions.setdefault((row["version"], row["date"]), []).append(row)
        return [self._version(version, day, rows) for (version, day), rows in versions.items()]

    def _version(self, version, day, rows):
        anchor = f"version-{version.replace('.', '-')}"
        section = nodes.section(ids=[anchor], names=[anchor])
        section += nodes.title("", f"{version}, {day or UNRELEASED}")
        table, body = a_table(("Topic", 20), ("What changed", 36), ("Results", 12), ("Why", 32))
        for row in rows:
            cells = [nodes.paragraph("", row[key]) for key in ("what", "effect", "why")]
            body += table_row([self._topics(row["topics"])], *([cell] for cell in cells))
        section += nodes.container("", table, classes=["scroll"])
        return section

    def _topics(self, names):
        words = nodes.paragraph()
        for name in names.split():
            page = f"notebooks/{name}"
            known = page in self.env.found_docs
            words += [nodes.Text(", ")] * bool(words.children)
            words += page_link(self, page) if known else nodes.Text("all topics" if name == ALL else name.replace("_", " "))
        return words


def method_changes(root):
    """Changes of the method below a folder, as they stand in the file: version, date, topics, what, effect and why."""
    with (Path(root) / FILE).open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))
