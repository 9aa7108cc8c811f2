"""What is made of executed notebooks: a client's PDF, a client's book, and the public book."""

from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from joulebook import __version__
from joulebook.errors import InputError, Problem
from joulebook.publish.archive import collect_run, read_record
from joulebook.publish.batch import Settings, run_batch
from joulebook.publish.book import Page, build_book
from joulebook.publish.book.client_pages import client_pages
from joulebook.publish.book.kept import kept_in
from joulebook.publish.book.reports import kept_report
from joulebook.publish.branding import branding_of
from joulebook.publish.collect import picture
from joulebook.publish.current import says_what_it_holds
from joulebook.publish.depends import code, versions
from joulebook.publish.examples import run_examples
from joulebook.publish.files import json_text, write_whole
from joulebook.publish.outcome import require_all
from joulebook.publish.report import report_name, write_report
from joulebook.publish.run import results_record
from joulebook.publish.store import Store
from joulebook.show.faces import answer_words
from joulebook.show.known import fill_all, ranged_columns
from joulebook.show.numbers import rounded_value
from joulebook.workbook import Workbook

CLIENTS = "data/clients"
DOWNLOADS = {"register.csv": "The assumption register, as CSV", "results.json": "All results, as JSON"}  # of a run folder


def client_report(folder, fonts=()):
    """Write the PDF of a run into its folder.

    Parameters
    ----------
    folder : pathlib.Path
        A run folder. Its ``results.json`` is collected again, so that both say the same.
    fonts : iterable of pathlib.Path
        Folders with further fonts, beside those of the client.

    Returns
    -------
    pathlib.Path
        The PDF.
    """
    folder = Path(folder).absolute()
    record, collected = _collect_again(folder)
    content = {**report_content(record, collected), "branding": branding_of(record["branding"], folder)}
    return write_report(content, folder / report_name(folder.name), fonts=fonts)


def client_book(folder, progress=lambda step: None):
    """Build the book of a run, its own numbers on every page, into its folder.

    Parameters
    ----------
    folder : pathlib.Path
        A run folder.
    progress : callable
        Called with the name of each step.

    Returns
    -------
    pathlib.Path
        Folder of the pages.
    """
    folder, workbook = Path(folder).absolute(), Workbook()
    record, collected = _collect_again(folder)
    progress("building the pages")
    names = {topic: f"notebooks/{topic}" for topic in collected}
    pages, part = client_pages(folder, record, collected, names, "client")
    title = f"Joulebook: {record['client']}"
    return build_book(pages, folder / "book", title=title, workbook=workbook, partial=True, extra_parts=[part],
                      branding=branding_of(record["branding"], folder), kept=kept_in(folder.parent, folder.name))


def public_book(build, out, progress=lambda step: None, force=False):
    """Build the public book: every topic on the examples of the dictionary, and the example clients.

    Parameters
    ----------
    build : pathlib.Path
        Folder for what is built; the book stands in ``book``.
    out : pathlib.Path
        Folder of runs.
    progress : callable
        Called with the name of each step.
    force : bool
        Whether to execute what did not change, too.

    Returns
    -------
    pathlib.Path
        Folder of the pages.
    """
    workbook = Workbook()
    finished = run_examples(build / "examples", Store.of_runs(out), workbook, progress, force)
    pages, parts, files = {f"notebooks/{topic}": Page(path, versions=versions()) for topic, path in finished.items()}, [], {}
    runs = {folder.name: current_run(folder, out, progress=progress, force=force) for folder in example_clients(workbook)}
    with ThreadPoolExecutor(1) as reports:  # set while the pages are built
        for client, run in runs.items():
            record, collected = _collect_again(run)
            place = f"clients/{client}"
            report = reports.submit(kept_report, run, build / "reports", workbook, client_report)
            downloads = {f"{place}/{report_name(run.name)}": ("The report, as PDF", report.result)}
            downloads |= {f"{place}/{name}": (what, partial(Path, run / name)) for name, what in DOWNLOADS.items()}
            names = {topic: f"{place}/{topic}" for topic in collected}
            made, part = client_pages(run, record, collected, names, place, f"{CLIENTS}/{client}", downloads)
            part["chapters"][1:1] = [{"file": name, "title": collected[topic].title} for topic, name in names.items()]
            pages |= made
            parts.append({**part, "caption": f"Example: {record['client']}"})
            files |= {name: path for name, (_, path) in downloads.items()}
        progress("building the pages")
        return build_book(pages, build / "book", workbook=workbook, extra_parts=parts, files=files, kept=kept_in(build, "book"))


def example_clients(workbook=None):
    """Folders of the example clients, in order of their names."""
    root = (workbook or Workbook()).root / CLIENTS
    return sorted(path.parent for path in root.glob("*/client.yml"))


def current_run(folder, out, settings=(), progress=lambda topic: None, force=False):
    """Run folder of a client, its topics executed first where something that they depend on has changed.

    Parameters
    ----------
    folder : pathlib.Path
        A client's folder, or a run folder, which is taken as it is.
    out : pathlib.Path
        Folder of runs.
    settings : iterable of str
        ``name=value`` on top of the client's inputs.
    progress : callable
        Called with the name of each topic before it runs.
    force : bool
        Whether to execute what did not change, too.

    Raises
    ------
    InputError
        If the client's inputs are wrong.
    RunError
        If a topic fails.
    """
    if (folder / "run.json").exists() and not (folder / "client.yml").exists():
        if settings or force:
            what = "a finished run takes no other inputs, and is not executed"
            raise InputError(Problem(what, file=str(folder), allowed="--set and --force with a client's folder"))
        return folder
    how = Settings(settings=tuple(settings), force=force)
    (run,) = run_batch([folder], out, how, progress=lambda name, topic: progress(topic))
    require_all([run])
    return run.folder


def report_content(record, collected):
    """All that a report says, as plain data for `joulebook.publish.report.write_report`.

    Parameters
    ----------
    record : dict
        Content of ``run.json``.
    collected : dict of str to joulebook.publish.collect.Collected
        Topics.
    """
    made_of = record["made_of"]
    return {
        **{key: record[key] for key in ("client", "prepared", "currency", "labels", "notes", "valid_months", "use_expired")},
        **{key: record.get(key) for key in ("locale", "paper")},
        "version": __version__,
        "topics": [_topic(content) for content in collected.values()],
        "provenance": {
            "files": made_of["files"],
            "versions": made_of["versions"],
            "notebooks": made_of["notebooks"],
            "code": made_of["code"],
        },
    }


def _topic(content):
    known = content.known
    tables = content.of_kind("table")
    (answer,) = content.of_kind("answer")
    says, beside = answer_words(answer, known)
    # The headline stands whether or not it is available; what else is said first should be a number.
    others = [name for name in answer["numbers"] if name != answer["headline"] and known.results[name]["value"] is not None]
    return {
        "topic": content.topic,
        "title": content.title,
        "question": content.question,
        "inputs": known.inputs,
        "basis": content.basis,
        "titles": {name: record["title"] for name, record in known.results.items()},
        "results": {name: record for name, record in known.results.items() if "value" in record and "of" not in record},
        "tables": {table["name"]: _without_ranges(table) for table in tables if table["rows"]},
        "long_tables": {data["table"]["title"]: len(data["table"]["rows"]) for data in content.of_kind("filterable")},
        "answer": {"headline": answer["headline"], "numbers": [answer["headline"], *others], "says": says, "beside": beside},
        "figures": [_figure(data, html, known) for kind, data, html in content.pieces if kind == "figure" and picture(html)],
        "reading": [line for data in content.of_kind("reading") for line in fill_all(known, data["sentences"])],
        "limits": [line for data in content.of_kind("limits") for line in fill_all(known, data["sentences"])],
        "rerun": f"joulebook run CLIENT --topic {content.topic}",
    }


def _without_ranges(table):
    """A table without its columns of low and high, for which a printed page has no room; they round its values."""
    shown = ranged_columns(table)
    rows = [[_of_row(row, *places) for _, _, *places in shown] for row in table["rows"]]
    return {**table, "columns": {name: unit for name, unit, *_ in shown}, "rows": rows}


def _of_row(row, place, low, high):
    if low is None or row[place] is None or row[low] is None:
        return row[place]
    return rounded_value(row[place], row[low], row[high])


def _figure(data, html, known):
    caption, alt = (" ".join(fill_all(known, data[key])) for key in ("caption", "alt"))
    return {"name": data["name"], "caption": caption, "alt": alt, "svg": b64decode(picture(html)).decode()}


def _collect_again(folder):
    """What a run says; where it was changed since, by hand or by new code, its ``results.json`` is written again."""
    record, collected = read_record(folder), collect_run(folder)
    if not says_what_it_holds(folder, record, code()):
        results = results_record(record["client"], record["prepared"], collected, record["valid_months"])
        write_whole(folder / "results.json", json_text(results))
    return record, collected
