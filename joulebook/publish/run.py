"""A client's run: each topic from the store or executed, collected, and laid down whole in one self-contained folder."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Lock

from joulebook.errors import InputError, JoulebookError, Problem
from joulebook.inputs import with_paths
from joulebook.intake.client import client_record, read_client
from joulebook.publish import execute
from joulebook.publish.branding import branding_record, lay_down_branding
from joulebook.publish.collect import collect
from joulebook.publish.copies import lay_down
from joulebook.publish.current import holds
from joulebook.publish.depends import Surroundings
from joulebook.publish.files import digest, digest_file, folder_whole, json_text, why, write_whole
from joulebook.publish.outcome import Run
from joulebook.publish.register import register_of
from joulebook.publish.tables import write_tables
from joulebook.publish.topic import execute_task, task_of
from joulebook.workbook import Workbook


class ClientRun:
    """The making of a client's run: to be entered, its tasks executed in any order, then finished.

    Parameters
    ----------
    client : joulebook.intake.client.Client
        A checked client.
    out : pathlib.Path
        Folder of runs; the run stands in it under the name of the client's folder.
    surroundings : joulebook.publish.depends.Surroundings
        The workbook as it is now.
    store : joulebook.publish.store.Store, optional
        Where executed notebooks are kept; nothing is kept without one.
    asked : dict, optional
        Of `joulebook.publish.current.asked`.
    timeout_s : float, optional
        Longest time of a cell. [s]
    turn : context manager, optional
        Entered when the kernel was started, left when it has ended.
    """

    def __init__(self, client, out, surroundings, store=None, asked=None, timeout_s=None, turn=None):
        self.client, self.surroundings, self.store = client, surroundings, store
        self.timeout_s, self.turn = timeout_s, turn
        self.asked = asked or {"settings": [], "topics": None, "folder": None}
        self.run = Run(Path(out) / client.folder.resolve().name, client.name, left_out=client.left_out)
        self._stack, self._lock, self.tasks, self._part = None, Lock(), [], None

    def __enter__(self):
        with ExitStack() as stack:
            self._part = stack.enter_context(folder_whole(self.run.folder))
            paths = lay_down(self.client.files, self.client.inputs, self._part)
            lay_down_branding(self.client.branding, self.client.folder, self._part)
            for topic in self.client.topics:
                try:
                    self.tasks.append(self._task(topic, paths))
                except JoulebookError as error:
                    self.run.failed[topic] = str(error)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error):
        return self._stack.__exit__(*error)

    def kept(self, task):
        """Lay down a topic from the store; whether it is there."""
        found = self.store.get(task.key) if self.store else None
        if found is not None:
            self._lay_down(task, *found)
        return found is not None

    def execute(self, task):
        """Execute a topic, keep it in the store, and lay it down; what fails is noted. Several threads may do so at once."""
        try:
            made = execute_task(task, self._part, self.surroundings, self.store, self.timeout_s, self.turn)
            self._lay_down(task, *made)
            with self._lock:
                self.run.executed += (task.topic,)
        except JoulebookError as error:
            self.run.failed[task.topic] = str(error)
        except OSError as error:
            self.run.failed[task.topic] = f"{task.topic}: cannot be written, {why(error)}"

    def finish(self):
        """Write the records, once all tasks were executed."""
        for name in ("done", "executed"):
            setattr(self.run, name, tuple(topic for topic in self.client.topics if topic in getattr(self.run, name)))
        collected = {topic: collect(self._part / f"{topic}.ipynb", topic) for topic in self.run.done}
        client, run = self.client, self.run
        results = json_text(results_record(client.name, client.prepared, collected, client.valid_months))
        write_whole(self._part / "inputs.json", json_text(client_record(client)))
        write_whole(self._part / "results.json", results)
        write_tables(collected, self._part)
        record = {
            "schema": 1,
            "client": client.name,
            "prepared": client.prepared,
            "currency": client.currency,
            "notes": client.notes,
            "labels": vars(client.labels),
            "valid_months": client.valid_months,
            "use_expired": client.use_expired,
            "branding": branding_record(client.branding, client.folder),
            "locale": client.locale,
            "paper": client.paper,
            "topics": list(run.done),
            "failed": run.failed,
            "warned": [topic for topic in client.topics if topic in run.warnings],
            "asked": self.asked,
            "made_of": self._made_of(),
            "holds": holds(self._part),
            "results": digest(results),
        }
        write_whole(self._part / "run.json", json_text(record))

    def _lay_down(self, task, notebook, said):
        write_whole(self._part / f"{task.topic}.ipynb", notebook)
        with self._lock:
            if said:
                self.run.warnings[task.topic] = said
            self.run.done += (task.topic,)

    def _task(self, topic, paths):
        client = self.client
        given = {name: _moved(item, paths.get((topic, name))) for name, item in client.inputs[topic].items()}

        def values(cell):
            # What the client does not give is None: no example of the dictionary reaches a client's numbers.
            plain = {name: given[name].value if name in given else None for name in cell if name not in execute.INJECTED}
            provenance = {name: item.as_dict() for name, item in given.items()}
            return {**plain, "labels": dict(vars(client.labels)), "provenance": provenance}

        def files(_):
            mine = {name: paths[topic, name] for name in given if (topic, name) in paths}
            return {name: [digest_file(self._part / path) for path in of] for name, of in mine.items()}

        return task_of(topic, self.surroundings, given, values, files)

    def _made_of(self):
        """Digests of all that a run depends on: inputs, files, notebooks, code and versions."""
        return {
            "inputs": digest(json_text(client_record(self.client))),
            "files": dict(sorted(self.client.sources.items())),
            "notebooks": {topic: digest(self.surroundings.notebook(topic, execute.load)[0]) for topic in self.client.topics},
            "depends": {task.topic: {name: task.parts[name] for name in ("files", "dictionaries")} for task in self.tasks},
            **self.surroundings.record(),
        }


def _moved(item, paths):
    """An input whose files lie elsewhere."""
    return item if paths is None else replace(item, value=with_paths(item.value, paths))


def run_client(client, out, workbook=None, progress=lambda topic: None, store=None):
    """Execute a client's topics one after the other and write its run folder.

    Parameters
    ----------
    client : joulebook.intake.client.Client
        A checked client.
    out : pathlib.Path
        Folder of runs; the run stands in it under the name of the client's folder.
    workbook : joulebook.workbook.Workbook, optional
        Where notebooks come from; the client's own if none is given.
    progress : callable
        Called with the name of each topic before it runs.
    store : joulebook.publish.store.Store, optional
        Where executed notebooks are taken from and kept; every topic is executed without one.

    Returns
    -------
    Run

    Raises
    ------
    JoulebookError
        If nothing could be written at all. A topic that fails is in the `Run` and the others finish.
    """
    client = replace(client, workbook=workbook or client.workbook)
    with ClientRun(client, out, Surroundings.of(client.workbook), store) as making:
        for task in making.tasks:
            if not making.kept(task):
                progress(task.topic)
                making.execute(task)
        making.finish()
    return making.run


def results_record(client, prepared, collected, valid_months=None):
    """Content of ``results.json``.

    Parameters
    ----------
    client, prepared : str
        Name of the client, and the date that ages count from.
    collected : dict of str to joulebook.publish.collect.Collected
        Topics.
    valid_months : int, optional
        Months after its date on which an input expires that names no day itself.
    """
    return {
        "schema": 1,
        "client": client,
        "prepared": prepared,
        "valid_months": valid_months,
        "register": register_of(content.registered for content in collected.values()),
        "topics": {topic: content.results for topic, content in collected.items()},
    }


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
    folders = list(map(Path, folders))
    problems, clients = sharing_a_run(folders), []
    for folder in folders:
        try:
            clients.append(read_client(folder, settings, topics, workbook or Workbook()))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return clients


def sharing_a_run(folders):
    """Problems of client folders whose name another one has: they would share a run folder.

    Parameters
    ----------
    folders : list of pathlib.Path
        Client folders; one that is there twice is one.

    Returns
    -------
    list of Problem
    """
    places, found = {}, []
    for folder in folders:
        real = folder.resolve()
        if places.setdefault(real.name, real) != real:
            what = "two client folders of one name would share one run folder"
            found.append(Problem(what, file=str(folder), allowed="different names, or one run at a time with --out"))
    return found
