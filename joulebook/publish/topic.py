"""One topic made ready, executed, and kept in the store under the key of all that it depends on."""

from dataclasses import dataclass
from functools import cached_property

from joulebook.publish import execute
from joulebook.publish.depends import key_of, key_parts


@dataclass(frozen=True)
class Task:
    """A topic that is ready to be executed.

    Parameters
    ----------
    topic : str
        Its name.
    notebook : nbformat.NotebookNode
        Its notebook.
    parameters : dict
        What is injected.
    parts : dict
        All that it depends on, see `joulebook.publish.depends.key_parts`.
    """

    topic: str
    notebook: object
    parameters: dict
    parts: dict

    @cached_property
    def key(self):
        """Its key in the store."""
        return key_of(self.parts)


def task_of(topic, surroundings, given, values_of, files):
    """Make a topic ready.

    Parameters
    ----------
    topic : str
        The topic.
    surroundings : joulebook.publish.depends.Surroundings
        The workbook as it is now.
    given : iterable of str
        Names of the parameters that are to be injected.
    values_of : callable
        Called with the parameters cell of the notebook, a dict; gives what is injected.
    files : callable
        Called with the parameters cell, too; gives the digest of each file that the topic reads, by parameter.

    Returns
    -------
    Task

    Raises
    ------
    InputError
        If the notebook's parameters cell is not what the dictionary says.
    """
    text, notebook = surroundings.notebook(topic, execute.load)
    cell = execute.check_topic(notebook, topic, given, surroundings.workbook.root)
    parameters = values_of(cell)
    return Task(topic, notebook, parameters, key_parts(topic, notebook, text, parameters, files(cell), surroundings))


def execute_task(task, folder, surroundings, store=None, timeout_s=None, turn=None):
    """Execute a topic, and keep what it gives.

    Parameters
    ----------
    task : Task
        The topic.
    folder : pathlib.Path
        Where it is executed; a notebook that fails is kept in ``failed`` there.
    surroundings : joulebook.publish.depends.Surroundings
        The workbook as the task was made ready from it.
    store : joulebook.publish.store.Store, optional
        Where it is kept.
    timeout_s : float, optional
        Longest time of a cell. [s]
    turn : context manager, optional
        Entered when the kernel was started, left when it has ended.

    Returns
    -------
    tuple of (bytes, str)
        The executed notebook, and what it wrote to its error stream.

    Raises
    ------
    RunError
        If it fails, or the workbook was changed in the meantime.
    """
    limit_s = timeout_s or execute.CELL_TIMEOUT_S
    made = execute.execute(task.notebook, task.parameters, folder, task.topic, folder / "failed", limit_s, turn)
    surroundings.require_unchanged(task.topic)
    if store is not None:
        store.put(task.key, *made)
    return made
