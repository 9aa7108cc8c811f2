"""A client's run: every topic executed, collected, and laid down whole in one self-contained folder."""

import platform
from dataclasses import dataclass, field, replace
from importlib.metadata import distributions
from pathlib import Path

from joulebook import __version__
from joulebook.errors import InputError, JoulebookError, Problem, RunError
from joulebook.intake.client import client_record, read_client
from joulebook.publish import execute
from joulebook.publish.archive import read_record
from joulebook.publish.collect import collect
from joulebook.publish.files import digest, digest_tree, folder_whole, json_text, write_whole
from joulebook.workbook import ROOT, Workbook

CODE = ("joulebook/**/*.py", "joulebook/**/*.json", "joulebook/**/*.mplstyle", "data/parameters.csv", "data/results.csv")


@dataclass
class Run:
    """What came of a client's run.

    Parameters
    ----------
    folder : pathlib.Path
        The finished folder.
    client : str
        Name of the client.
    done : tuple of str
        Topics that finished.
    failed : dict of str to str
        Reason of each topic that did not.
    warnings : dict of str to str
        What a topic wrote to its error stream.
    """

    folder: Path
    client: str
    done: tuple = ()
    failed: dict = field(default_factory=dict)
    warnings: dict = field(default_factory=dict)


def run_client(client, out, workbook=None, progress=lambda topic: None):
    """Execute a client's topics and write its run folder.

    Parameters
    ----------
    client : joulebook.intake.client.Client
        A checked client.
    out : pathlib.Path
        Folder of runs; the run stands in it under the name of the client's folder.
    workbook : joulebook.workbook.Workbook, optional
        Where notebooks come from.
    progress : callable
        Called with the name of each topic before it runs.

    Returns
    -------
    Run

    Raises
    ------
    JoulebookError
        If nothing could be written at all. A topic that fails is in the `Run` and the others finish.
    """
    workbook = workbook or Workbook()
    run = Run(Path(out) / client.folder.resolve().name, client.name)
    with folder_whole(run.folder) as part:
        paths = _copy_files(client, part)
        for topic in client.topics:
            progress(topic)
            try:
                said = _run_topic(client, topic, part, paths, workbook)
            except JoulebookError as error:
                run.failed[topic] = str(error)
                continue
            run.done += (topic,)
            if said:
                run.warnings[topic] = said
        _write_records(client, run, part, workbook)
    return run


def results_record(client, prepared, collected):
    """Content of ``results.json``.

    Parameters
    ----------
    client, prepared : str
        Name of the client, and the date that ages count from.
    collected : dict of str to joulebook.publish.collect.Collected
        Topics.
    """
    return {
        "schema": 1,
        "client": client,
        "prepared": prepared,
        "topics": {topic: content.results for topic, content in collected.items()},
    }


def is_current(folder, client, workbook=None):
    """Whether a run folder was made of these inputs by this code.

    Parameters
    ----------
    folder : pathlib.Path
        A run folder, or nothing.
    client : joulebook.intake.client.Client
        The client as it is now.
    workbook : joulebook.workbook.Workbook, optional
        Where notebooks come from.
    """
    try:
        record = read_record(folder)
    except InputError:
        return False
    return (
        record["made_of"] == made_of(client, workbook or Workbook())
        and not record["failed"]
        and all((folder / f"{topic}.ipynb").exists() for topic in record["topics"])
    )


def made_of(client, workbook):
    """Digests of all that a run depends on: inputs, files, notebooks, code and versions."""
    return {
        "inputs": digest(json_text(client_record(client))),
        "files": dict(sorted(client.sources.items())),
        "notebooks": {topic: digest(workbook.notebook(topic).read_bytes()) for topic in client.topics},
        "code": digest_tree(ROOT, CODE),
        "versions": versions(),
    }


def holds(folder):
    """Digests of the files of a run that its records rest on: copied inputs and executed notebooks, by their place in it."""
    kept = sorted([*folder.glob("inputs/*"), *folder.glob("*.ipynb")])
    return {path.relative_to(folder).as_posix(): digest(path.read_bytes()) for path in kept}


def versions():
    """Version of Python and of every package of this environment, by name."""
    found = {item.metadata["Name"].lower(): item.version for item in distributions()}
    return {"python": platform.python_version(), **dict(sorted({**found, "joulebook": __version__}.items()))}


def _run_topic(client, topic, part, paths, workbook):
    notebook = execute.load(workbook.notebook(topic))
    given = {name: replace(item, value=paths.get((topic, name), item.value)) for name, item in client.inputs[topic].items()}
    known = execute.check_topic(notebook, topic, given, workbook.root)
    # What the client does not give is None: no example of the dictionary reaches a client's numbers.
    values = {name: given[name].value if name in given else None for name in known if name not in execute.INJECTED}
    provenance = {name: item.as_dict() for name, item in given.items()}
    parameters = {**values, "labels": dict(vars(client.labels)), "provenance": provenance}
    return execute.execute(notebook, parameters, part, topic, part / "failed")


def _copy_files(client, part):
    """Copy a client's files beside the run; their new relative path by topic and parameter."""
    folder, paths = part / "inputs", {}
    folder.mkdir()
    for topic, files in client.files.items():
        for name, path in files.items():
            content = path.read_bytes()
            place = folder / f"{name}.csv"  # the client's own file name stays at home
            if place.exists() and place.read_bytes() != content:
                place = folder / f"{topic}-{place.name}"  # two topics, two files of one parameter
            place.write_bytes(content)
            paths[topic, name] = f"inputs/{place.name}"
    return paths


def _write_records(client, run, part, workbook):
    collected = {topic: collect(part / f"{topic}.ipynb", topic) for topic in run.done}
    write_whole(part / "inputs.json", json_text(client_record(client)))
    write_whole(part / "results.json", json_text(results_record(client.name, client.prepared, collected)))
    record = {"schema": 1, "client": client.name, "prepared": client.prepared, "currency": client.currency, "notes": client.notes}
    record |= {
        "labels": vars(client.labels),
        "topics": list(run.done),
        "failed": run.failed,
        "made_of": made_of(client, workbook),
        "holds": holds(part),
    }
    write_whole(part / "run.json", json_text(record))


def runs_of(folders, settings=(), topics=None, workbook=None):
    """Clients read and checked, the problems of all of them together.

    Parameters
    ----------
    folders : iterable of pathlib.Path
        Client folders.
    settings : iterable of str
        ``name=value`` on top of the client's inputs.
    topics : iterable of str, optional
        Topics to run instead of the client's.
    workbook : joulebook.workbook.Workbook, optional
        Where notebooks come from.

    Returns
    -------
    list of joulebook.intake.client.Client

    Raises
    ------
    InputError
        With every problem of every client, and where two folders of one name would share a run.
    """
    problems, clients, places = [], [], {}
    for folder in folders:
        try:
            client = read_client(Path(folder), settings, topics, workbook or Workbook())
        except InputError as error:
            problems += error.problems
            continue
        real = client.folder.resolve()
        if places.setdefault(real.name, real) != real:
            what = "two client folders of one name would share one run folder"
            problems.append(Problem(what, file=str(folder), allowed="different names, or one run at a time with --out"))
        clients.append(client)
    if problems:
        raise InputError(problems)
    return clients


def require_all(runs):
    """Raise what failed in runs.

    Raises
    ------
    RunError
        Naming client and topic of each failure.
    """
    failed = [f"{run.client}: {reason}" for run in runs for reason in run.failed.values()]
    if failed:
        raise RunError("\n".join(failed))
