"""An archived run executed again from its own inputs: what differs, and why."""

import json
import math
import tempfile
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

from joulebook.dictionary import of_topic, parameters
from joulebook.errors import InputError, Problem
from joulebook.inputs import FILE_UNITS, described
from joulebook.intake.client import Client
from joulebook.publish.archive import read_archive, read_record
from joulebook.publish.collect import collect
from joulebook.publish.copies import FOLDER, copies_of, copy_names
from joulebook.publish.current import holds
from joulebook.publish.files import digest
from joulebook.publish.report import visible
from joulebook.publish.run import run_client
from joulebook.show.numbers import INPUT_DIGITS, number
from joulebook.workbook import Workbook

TOLERANCE = 1e-9  # relative
WIDTH = 100
_WRAP = {"subsequent_indent": "      ", "break_on_hyphens": False}
WORDING = "note"  # the one field of a result that is words alone


@dataclass(frozen=True)
class Difference:
    """Something that was one thing in the archived run and is another now.

    Parameters
    ----------
    where : str
        What it is: ``topic.result``, ``topic.table[row].column``, or the name of a package.
    archived, now : object
        What it was and what it is; None where there is none.
    what : str
        Field of a result that differs.
    """

    where: str
    archived: object
    now: object
    what: str = "value"

    @property
    def relative(self):
        """Relative difference, None where one of the two is no number or the archived one is zero."""
        return (self.now - self.archived) / abs(self.archived) if _numbers(self.archived, self.now) and self.archived else None


@dataclass
class Verification:
    """What came of executing an archived run again.

    Parameters
    ----------
    client : str
        Name of the client.
    topics : tuple of str
        Topics of the archived run.
    moved : list of Difference
        Results that differ by more than `TOLERANCE`, or that are no longer there.
    added : list of str
        Results that the archived run did not have.
    pieces : list of str
        Pieces of the pages, other than results, whose data or face differ.
    failed : dict of str to str
        Reason of each topic that could not be executed again.
    tampered : list of str
        What was changed in the run folder since the run.
    changed : list of str
        Notebooks and code that are not those of the run.
    versions : list of Difference
        Packages in another version.
    not_done : list of str
        Topics that failed in the archived run already; they are left alone.
    """

    client: str
    topics: tuple
    moved: list = field(default_factory=list)
    added: list = field(default_factory=list)
    pieces: list = field(default_factory=list)
    failed: dict = field(default_factory=dict)
    tampered: list = field(default_factory=list)
    changed: list = field(default_factory=list)
    versions: list = field(default_factory=list)
    not_done: list = field(default_factory=list)

    @property
    def holds(self):
        """Whether the archived results are those that its inputs give, and nothing was changed in it."""
        return not (self.failed or self.tampered or any(item.what != WORDING for item in self.moved))

    @property
    def exit_code(self):
        """0, or 1 where results differ or the run folder was changed."""
        return 0 if self.holds else 1


def verify_run(folder, workbook=None, progress=lambda topic: None):
    """Execute an archived run again from its own inputs, with the code of today.

    Parameters
    ----------
    folder : str or pathlib.Path
        A run folder. Nothing in it is changed, and nothing in it is executed but its inputs' values.
    workbook : joulebook.workbook.Workbook, optional
        Where notebooks come from.
    progress : callable
        Called with the name of each topic before it runs.

    Returns
    -------
    Verification

    Raises
    ------
    InputError
        If it is no run folder, or a damaged one.
    RunError
        If nothing can be executed at all.
    """
    workbook, archive = workbook or Workbook(), read_archive(folder)
    made = Verification(archive.record.client, tuple(archive.record.topics), not_done=list(archive.record.failed))
    made.tampered = _tampered(archive)
    client = _client(archive, workbook, made.failed)
    with tempfile.TemporaryDirectory(prefix="joulebook-") as aside:
        again = run_client(client, Path(aside), workbook, progress)
        made.failed |= again.failed
        now = read_record(again.folder)["made_of"]
        for topic in again.done:
            _compare_topic(made, archive, collect(again.folder / f"{topic}.ipynb", topic))
    then = archive.record.made_of
    made.changed = [f"notebook of {topic}" for topic in client.topics if now["notebooks"][topic] != then.notebooks.get(topic)]
    made.changed += ["code of the workbook"] if now["code"] != then.code else []
    dictionaries = now["dictionaries"].items()
    made.changed += [f"data/{name}.csv" for name, held in dictionaries if then.dictionaries.get(name, held) != held]
    names = sorted({*then.versions, *now["versions"]})
    pairs = [Difference(name, then.versions.get(name), now["versions"].get(name), "version") for name in names]
    made.versions = [pair for pair in pairs if pair.archived != pair.now]
    return made


def _client(archive, workbook, failed):
    """The client as its run has it; a topic that the workbook of today cannot take is noted as failed."""
    rows, topics, inputs, files = parameters(workbook.root), [], {}, {}
    for topic in archive.record.topics:
        entries = archive.inputs.topics.get(topic, {})
        known = of_topic(topic, workbook.root)
        unknown = [name for name in entries if name not in known]
        if topic not in workbook.topics or topic not in archive.inputs.topics:
            place = "workbook of today" if topic in archive.inputs.topics else "inputs of the run"
            failed[topic] = f"{topic}: not in the {place}"
        elif unknown:
            failed[topic] = f"{topic}: no longer takes {', '.join(unknown)}"
        else:
            topics.append(topic)
            inputs[topic] = {name: entry.as_input() for name, entry in entries.items()}
            with_files = {name: entry.value for name, entry in entries.items() if rows[name].has_files}
            files[topic] = {name: _files(archive.folder, topic, name, value) for name, value in with_files.items()}
    record, rules = archive.record, {"valid_months": archive.inputs.valid_months, "use_expired": archive.inputs.use_expired}
    head = (archive.folder, record.client, record.prepared, record.currency)
    return Client(*head, tuple(topics), archive.labels, inputs, files, record.made_of.files, record.notes, workbook, **rules)


def _files(folder, topic, name, value):
    """Copies of a client's files inside its run."""
    there = {path.name for path in (folder / FOLDER).glob("*")}
    found = copies_of(there, topic, name, value)
    if None in found:
        raise InputError(Problem("missing from the run", file=str(folder / FOLDER / copy_names(name, value)[found.index(None)])))
    return [folder / FOLDER / copy for copy in found]


def _tampered(archive):
    """What was changed in a run folder since the run, as far as its own digests and copies tell."""
    record, inputs, made_of = archive.record, archive.inputs, archive.record.made_of
    there = holds(archive.folder)
    found = [f"{name} was changed" for name, held in sorted(record.holds.items()) if there.get(name, held) != held]
    found += [f"{name} was added" for name in sorted(there) if name not in record.holds]
    found += [
        f"{name} is none of the files that the run was made of"
        for name, held in sorted(record.holds.items())
        if name.startswith("inputs/") and held not in made_of.files.values()
    ]
    if digest((archive.folder / "inputs.json").read_bytes()) != made_of.inputs:
        found.append("inputs.json was changed")
    for key in ("client", "prepared", "currency", "labels"):
        if getattr(record, key) != getattr(inputs, key):
            found.append(f"{key} differs between run.json and inputs.json")
        if key in archive.results and getattr(record, key) != archive.results[key]:
            found.append(f"{key} differs between run.json and results.json")
    if {name for name in record.holds if name.endswith(".ipynb")} != {f"{topic}.ipynb" for topic in record.topics}:
        found.append("topics of run.json are not those of its notebooks")
    for topic, content in archive.collected.items():
        found += _inputs_that_disagree(topic, content, inputs.topics.get(topic, {}))
        found += [
            f"{item.where}{_of(item)}: {_shown(item.archived)} in results.json, {_shown(item.now)} in the executed notebook"
            for item in _moved(topic, archive.results["topics"].get(topic, {}), content.results, 0.0)
        ]
    return found


def _inputs_that_disagree(topic, content, inputs):
    used = {item["name"]: item["value"] for item in content.known.inputs if {"name", "value"} <= item.keys()}
    return [
        f"{topic}.{name}: {_shown(entry.value)} in inputs.json, {_shown(used[name])} in the executed notebook"
        for name, entry in inputs.items()
        if name in used and entry.unit not in FILE_UNITS and used[name] != described(entry.value)
    ]


def _compare_topic(made, archive, now):
    topic = now.topic
    then = archive.results["topics"].get(topic, {})
    made.moved += _moved(topic, then, now.results, TOLERANCE)
    made.added += [f"{topic}.{name}" for name in now.results if name not in then]
    made.pieces += _pieces(topic, archive.collected[topic].pieces, now.pieces)


def _moved(topic, then, now, tolerance):
    """Differences between the results of a topic; those that are new are left out."""
    found = []
    for name, record in then.items():
        where = f"{topic}.{name}"
        if name not in now:
            found.append(Difference(where, "there", "no longer there", "result"))
        elif ("columns" in record) != ("columns" in now[name]):
            found.append(
                Difference(where, *("a table" if "columns" in item else "a result" for item in (record, now[name])), "kind")
            )
        elif "columns" in record:
            found += _moved_cells(where, record, now[name], tolerance)
        else:
            found += [
                Difference(where, record[key], now[name][key], key)
                for key in record
                if not _same(record[key], now[name][key], tolerance)
            ]
    return found


def _moved_cells(where, then, now, tolerance):
    if then["columns"] != now["columns"]:
        return [Difference(where, ", ".join(then["columns"]), ", ".join(now["columns"]), "columns")]
    if len(then["rows"]) != len(now["rows"]):
        return [Difference(where, len(then["rows"]), len(now["rows"]), "rows")]
    found = [
        Difference(f"{where}[{row}].{column}", *pair)
        for row, rows in enumerate(zip(then["rows"], now["rows"], strict=True), 1)
        for column, *pair in zip(then["columns"], *rows, strict=False)
        if not _same(*pair, tolerance)
    ]
    return found + [Difference(where, *notes, WORDING) for notes in [(then.get("note"), now.get("note"))] if notes[0] != notes[1]]


def _pieces(topic, then, now):
    """Pieces of a page that differ; the values of results and tables are compared by name elsewhere."""
    if [kind for kind, *_ in then] != [kind for kind, *_ in now]:
        return [f"{topic}: {len(now)} pieces in another order, {len(then)} then"]
    found = []
    for place, ((kind, data, html), (_, data_now, html_now)) in enumerate(zip(then, now, strict=True), 1):
        what = [word for word, same in (("data", _same(data, data_now, TOLERANCE)), ("face", html == html_now)) if not same]
        found += [f"{topic}: {' and '.join(what)} of piece {place} ({kind})"] if what else []
    return found


def _same(one, other, tolerance):
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key], tolerance) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(_same(*pair, tolerance) for pair in zip(one, other, strict=True))
    return math.isclose(one, other, rel_tol=tolerance) if _numbers(one, other) else one == other


def _numbers(*values):
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


# ---- in words ----


def verification_lines(made):
    """A verification as lines of text.

    Parameters
    ----------
    made : Verification

    Returns
    -------
    list of str
        What differs, then why; every line can be printed as it is.
    """
    blocks = {
        "failed in the run, not executed again": made.not_done,
        "could not be executed again": list(made.failed.values()),
        "changed in the run folder since the run": made.tampered,
        "results that differ": _moved_lines(made.moved),
        "results that the run did not have": made.added,
        "pages that differ": made.pieces,
        "not as in the run": [*made.changed, *(f"{item.where}: {_version(item)}" for item in made.versions)],
    }
    lines = [f"{made.client}: {_head(made)}"]
    for title, entries in blocks.items():
        if entries:
            lines.append(f"{title} ({len(entries)})")
            lines += [line for entry in entries for line in _wrapped(entry)]
    if made.moved and not (made.tampered or made.changed or made.versions):
        lines.append("no cause found: inputs, notebooks, code and versions are those that the run recorded")
    return [visible(line) for line in lines]


def _head(made):
    topics = f"{len(made.topics)} {'topic' if len(made.topics) == 1 else 'topics'} executed again"
    if not made.holds:
        return f"{topics}, not as archived"
    quiet = not (made.moved or made.added or made.pieces or made.changed or made.versions)
    return f"{topics}, nothing differs" if quiet else f"{topics}, the results are those that were archived"


def _moved_lines(moved):
    """A line for each result: what differs first in it, and how many more of its numbers do."""
    groups = {}
    for item in moved:
        groups.setdefault(item.where.split("[")[0], []).append(item)
    return [_line(first) + (f"; {len(more)} more of its numbers" if more else "") for first, *more in groups.values()]


def _line(item):
    relative = "" if item.relative is None else f" (relative {item.relative:+.3g})".replace("-", "−")
    return f"{item.where}{_of(item)}: {_shown(item.archived)} then, {_shown(item.now)} now{relative}"


def _of(item):
    return "" if item.what == "value" else f", {item.what}"


def _version(item):
    return f"{item.archived or 'not there'} then, {item.now or 'not there'} now"


def _shown(value):
    if value is None or value == "":
        return "nothing" if value == "" else "not available"
    if _numbers(value):
        return number(value, INPUT_DIGITS)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _wrapped(text):
    """Lines of an entry; those of an error that names several problems stay lines."""
    lines = visible(text).splitlines() or [""]
    return [
        line
        for place, part in enumerate(lines)
        for line in textwrap.wrap(part, WIDTH, initial_indent="  " if place == 0 else "    ", **_WRAP)
    ]
