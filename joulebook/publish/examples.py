"""The topics run on the examples of the dictionary: what the public book shows."""

from contextlib import ExitStack

from joulebook.dictionary import of_topic
from joulebook.inputs import paths_of
from joulebook.publish import execute
from joulebook.publish.depends import Surroundings
from joulebook.publish.files import digest_file, folder_whole, write_whole
from joulebook.publish.kernels.forks import KERNELS
from joulebook.publish.topic import execute_task, task_of
from joulebook.publish.workers import Workers
from joulebook.workbook import ROOT, Workbook


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
    return {topic: folder / f"{topic}.ipynb" for topic in workbook.topics}


def task_of_examples(topic, surroundings):
    """Task of a topic on the examples of the dictionary, as its notebook stands."""
    def files(cell):
        rows = of_topic(topic, surroundings.workbook.root).items()
        given = {name: paths_of(cell[name]) for name, row in rows if row.has_files and cell[name]}
        return {name: [digest_file(ROOT / path) for path in paths] for name, paths in given.items()}

    return task_of(topic, surroundings, (), lambda cell: {}, files)
