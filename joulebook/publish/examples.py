"""The topics run on the examples of the dictionary: what the public book shows."""

import json
from contextlib import ExitStack

from joulebook.dictionary import of_topic
from joulebook.inputs import paths_of
from joulebook.publish import execute
from joulebook.publish.depends import Surroundings
from joulebook.publish.files import digest, digest_file, folder_whole, json_text, write_whole
from joulebook.publish.kernels.forks import KERNELS
from joulebook.publish.topic import execute_task, task_of
from joulebook.publish.workers import Workers
from joulebook.workbook import ROOT, Workbook

RECORD = "made.json"


def run_examples(folder, store, workbook=None, progress=lambda topic: None, force=False):
    """Execute every topic's notebook as it stands, those in the store aside.

    Parameters
    ----------
    folder : pathlib.Path
        Where the executed notebooks belong; replaced whole.
    store : joulebook.publish.store.Store
        Where executed notebooks are kept.
    workbook : joulebook.workbook.Workbook, optional
        Where notebooks come from.
    progress : callable
        Called with the name of each topic before it runs.
    force : bool
        Whether to execute those in the store, too.

    Returns
    -------
    dict of str to pathlib.Path
        Executed notebook of each topic.

    Raises
    ------
    RunError
        If a notebook fails.
    """
    workbook = workbook or Workbook()
    surroundings = Surroundings.of(workbook)
    finished, made_of = {topic: folder / f"{topic}.ipynb" for topic in workbook.topics}, _made_of(surroundings)
    if not force and _is_current(folder, made_of, finished):
        return finished
    with ExitStack() as stack:
        stack.enter_context(store)
        part = stack.enter_context(folder_whole(folder))

        workers = Workers()

        def made(task):
            found = None if force else store.get(task.key)
            if found is None:
                progress(task.topic)
                KERNELS.start(surroundings.code)
                found = execute_task(task, part, surroundings, store, turn=workers.turn)
            write_whole(part / f"{task.topic}.ipynb", found[0])

        execute.ready()
        tasks = [task_of_examples(topic, surroundings) for topic in workbook.topics]
        with workers:
            list(workers.map(made, tasks))
        holds = {topic: digest_file(part / f"{topic}.ipynb") for topic in workbook.topics}
        write_whole(part / RECORD, json_text({"made_of": made_of, "holds": holds}))
    return finished


def _made_of(surroundings):
    """Digest of all that any topic may depend on; coarser than its key, and told without reading a notebook."""
    root = surroundings.workbook.root
    data = ROOT / "data"
    paths = [path for path in sorted(data.rglob("*")) if path.is_file() and data / "clients" not in path.parents]
    paths += [surroundings.workbook.notebook(topic) for topic in surroundings.workbook.topics]
    return digest(json_text([surroundings.record(), str(root.resolve()), [(path.name, digest_file(path)) for path in paths]]))


def _is_current(folder, made_of, finished):
    """Whether the executed notebooks that are there are those that would be made."""
    try:
        record = json.loads((folder / RECORD).read_bytes())
        return record["made_of"] == made_of and record["holds"] == {topic: digest_file(path) for topic, path in finished.items()}
    except (OSError, ValueError, KeyError, TypeError):
        return False


def task_of_examples(topic, surroundings):
    """Task of a topic on the examples of the dictionary, as its notebook stands."""
    def files(cell):
        rows = of_topic(topic, surroundings.workbook.root).items()
        given = {name: paths_of(cell[name]) for name, row in rows if row.has_files and cell[name]}
        return {name: [digest_file(ROOT / path) for path in paths] for name, paths in given.items()}

    return task_of(topic, surroundings, (), lambda cell: {}, files)
