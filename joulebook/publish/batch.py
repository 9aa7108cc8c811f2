"""Runs of many clients: several topics at once, what did not change left alone, one failure stopping nothing else."""

import tempfile
from collections import Counter, deque
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from joulebook.errors import InputError, JoulebookError
from joulebook.publish.current import UNCHANGED, asked, is_current
from joulebook.publish.depends import Surroundings
from joulebook.publish.files import PART
from joulebook.publish.held import clear_left_over
from joulebook.publish.kernels.forks import KERNELS, clear_sockets
from joulebook.publish.outcome import Run
from joulebook.publish.run import sharing_a_run
from joulebook.publish.store import Store
from joulebook.publish.workers import Workers
from joulebook.workbook import Workbook

AHEAD = 2  # tasks made ready for each worker, so that none waits and memory does not grow with the number of clients


@dataclass(frozen=True)
class Settings:
    """How clients are run.

    Parameters
    ----------
    settings : tuple of str
        ``name=value`` on top of the clients' inputs.
    topics : tuple of str or None
        Topics in place of the clients'.
    workers : int or None
        Topics executed at once; as many as there are cores where None.
    force : bool
        Whether to execute what did not change, too.
    explain : bool
        Whether to say why each topic is executed or not.
    dry : bool
        Whether to execute nothing and to write nothing.
    timeout_s : float or None
        Longest time of a cell; the usual one where None. [s]
    """

    settings: tuple = ()
    topics: tuple | None = None
    workers: int | None = None
    force: bool = False
    explain: bool = False
    dry: bool = False
    timeout_s: float | None = None


def run_batch(folders, out, how=None, workbook=None, store=None, progress=lambda name, topic: None):
    """Run clients, each into a folder of its own.

    Parameters
    ----------
    folders : iterable of pathlib.Path
        Client folders.
    out : pathlib.Path
        Folder of runs.
    how : Settings, optional
        How they are run.
    workbook : joulebook.workbook.Workbook, optional
        Where notebooks come from.
    store : joulebook.publish.store.Store, optional
        Where executed notebooks are kept; that of the folder of runs if none is given.
    progress : callable
        Called with a client's name and a topic before it is executed.

    Yields
    ------
    joulebook.publish.outcome.Run
        Of each client once it is finished, in no order.

    Raises
    ------
    InputError
        Where two folders of one name would share a run, before anything runs.
    """
    how, workbook = how or Settings(), workbook or Workbook()
    folders = _apart(folders)
    clear_sockets()
    clear_left_over(out, ".*", PART)
    with ExitStack() as stack:
        store = stack.enter_context(store or Store.of_runs(out))
        place = Path(stack.enter_context(tempfile.TemporaryDirectory())) if how.dry else Path(out)
        batch = stack.enter_context(_Batch(Path(out), place, how, workbook, store, progress))
        yield from batch.run(folders)
        if not how.dry:
            store.bound()


def _apart(folders):
    """Folders, each once."""
    folders = list(map(Path, folders))
    found = sharing_a_run(folders)
    if found:
        raise InputError(found)
    return list({folder.resolve(): folder for folder in folders}.values())


class _Batch:
    """The clients that are being run."""

    def __init__(self, out, place, how, workbook, store, progress):
        self.out, self.place, self.how, self.workbook, self.store, self.progress = out, place, how, workbook, store, progress
        self.surroundings = Surroundings.of(workbook)
        self.workers = Workers(how.workers)
        self.making = {}  # future: the run that its topic belongs to
        self.left = Counter()  # topics of a run that are not finished

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if self.making:  # stopped in the middle
            self.workers.stop()
            for making in set(self.making.values()):
                making.__exit__(kind, error, trace)
        self.workers.shutdown()

    def run(self, folders):
        due = deque(folders)
        while due or self.making:
            while due and len(self.making) < AHEAD * self.workers.number:
                yield from self._begin(due.popleft())
            if self.making:
                finished, _ = wait(self.making, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield from self._finished(future)

    def _begin(self, folder):
        """Read a client and submit what is due of it; gives its run where nothing is."""
        name = folder.resolve().name
        wanted = asked(folder, self.how.settings, self.how.topics, [self.out])
        record = None if self.how.force else is_current(self.out / name, wanted, self.surroundings)
        if record is not None:
            done = tuple(record["topics"])
            why = dict.fromkeys(done if self.how.explain else (), f"not executed: {UNCHANGED}")
            yield Run(self.out / name, record["client"], done, reasons=why)
            return
        try:
            making = self._prepare(folder, wanted)
            making.__enter__()
        except JoulebookError as error:
            yield Run(self.out / name, name, error=error)
            return
        due = [task for task in making.tasks if self.how.force or not making.kept(task)]
        if self.how.explain:
            from joulebook.publish.explain import reasons

            making.run.reasons = reasons(making, due, self.out / name, self.how.force)
        if self.how.dry:
            making.run.executed = tuple(task.topic for task in due)
            due = []
        for task in due:
            self.making[self.workers.submit(self._execute, making, task)] = making
            self.left[making] += 1
        if not due:
            yield self._end(making)

    def _prepare(self, folder, wanted):
        if not self.how.dry:  # the warm parent imports while the client is read
            KERNELS.start(self.surroundings.code)
        from joulebook.intake.client import read_client
        from joulebook.publish import execute
        from joulebook.publish.run import ClientRun

        execute.ready()
        client = read_client(folder, self.how.settings, self.how.topics, self.workbook)
        return ClientRun(client, self.place, self.surroundings, self.store, wanted, self.how.timeout_s, self.workers.turn)

    def _execute(self, making, task):
        self.progress(making.client.name, task.topic)
        try:
            making.execute(task)
        except Exception as error:  # told as a failure of its client; the others go on
            making.run.failed[task.topic] = f"{task.topic}: a fault of the program, {type(error).__name__}: {error}"

    def _finished(self, future):
        making = self.making.pop(future)
        if future.exception() is not None:
            raise future.exception()
        self.left[making] -= 1
        if not self.left[making]:
            del self.left[making]
            yield self._end(making)

    def _end(self, making):
        try:
            with ExitStack() as stack:
                stack.push(making)  # it was entered when it began
                if not self.how.dry:
                    making.finish()
        except JoulebookError as error:
            making.run.error = error
        return making.run
