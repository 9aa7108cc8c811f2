"""A forked kernel against a plain start: the same outputs, figures included, and the same state of the process."""

import json

import nbformat
import papermill
import pytest
from jupyter_client.provisioning import KernelProvisionerFactory
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from joulebook.publish import examples, execute
from joulebook.publish.depends import Surroundings
from joulebook.publish.kernels import forks
from joulebook.publish.outputs import example_clients
from joulebook.publish.run import ClientRun, runs_of
from joulebook.workbook import Workbook

from ..conftest import notebook

pytestmark = pytest.mark.skipif(not hasattr(__import__("os"), "pidfd_open"), reason="kernels are forked on Linux only")

STATE = """
import builtins, decimal, gc, json, locale, os, random, signal, sys, threading, time, warnings
import matplotlib, numpy, pandas, scipy.sparse, scipy.special
print(json.dumps({
    "path": sys.path, "cwd": os.getcwd(), "argv": [arg for arg in sys.argv if ".json" not in arg], "name": __name__,
    "environment": sorted(set(os.environ) - {"_"}), "backend": matplotlib.get_backend(),
    "style": {key: str(value) for key, value in matplotlib.rcParams.items()},
    "options": {key: str(pandas.get_option(key)) for key in ("display.precision", "display.max_rows", "mode.copy_on_write")},
    "hash": hash("joulebook"), "recursion": sys.getrecursionlimit(), "switch": sys.getswitchinterval(),
    "flags": [sys.flags.hash_randomization, sys.flags.utf8_mode, sys.flags.dev_mode],
    "locale": [locale.getlocale(), locale.getpreferredencoding()], "umask": os.umask(0o22),
    "signals": [str(signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGPIPE)],
    "filters": sorted([str(part) for part in entry] for entry in warnings.filters),
    "threads": sorted(thread.name.split("-")[0] for thread in threading.enumerate()),
    "decimal": str(decimal.getcontext()), "errors": numpy.geterr(), "gc": [gc.isenabled(), gc.get_threshold()],
    "streams": [type(sys.stdout).__name__, type(sys.stderr).__name__, sys.stdin.isatty()],
    "leader": os.getsid(0) == os.getpid() == os.getpgid(0), "names": sorted(set(dir(builtins))),
}))
"""


def printed(made):
    """What a notebook's cells printed."""
    cells = nbformat.reads(made.decode(), 4).cells
    return "".join(out.text for cell in cells for out in cell.get("outputs", []))


started = []


def launched(launch):
    """Keep who launched a kernel: the tests of this file compare nothing if both ways are one."""

    async def noted(self, *words, **how):
        started.append(type(self))
        return await launch(self, *words, **how)

    return noted


def plain(source, parameters, folder):
    """The notebook as a plain papermill executes it, with the environment of every kernel."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KernelProvisionerFactory.instance(), "default_provisioner_name", "local-provisioner")
        patch.setattr(LocalProvisioner, "launch_kernel", launched(LocalProvisioner.launch_kernel))
        for name, value in forks.ENVIRONMENT.items():
            patch.setenv(name, value)
        how = {"kernel_name": execute.KERNEL, "extra_arguments": execute.KERNEL_ARGUMENTS, "progress_bar": False}
        started.clear()
        made = papermill.execute_notebook(source, None, parameters, cwd=folder, **how)
        assert started == [LocalProvisioner]
    execute.normalize(made)
    return nbformat.writes(made).encode() + b"\n"


@pytest.fixture(scope="module")
def chat(tmp_path_factory):
    """The tasks of an example client, and the folder in which they are executed."""
    (folder,) = [path for path in example_clients() if path.name == "chat-assistant"]
    (client,) = runs_of([folder])
    with ClientRun(client, tmp_path_factory.mktemp("runs"), Surroundings.of(Workbook())) as making:
        yield {task.topic: task for task in making.tasks}, making._part


@pytest.mark.parametrize("topic", Workbook().topics)
def test_outputs_are_those_of_a_plain_start(chat, topic):
    tasks, folder = chat
    task = tasks.get(topic) or examples.task_of_examples(topic, Surroundings.of(Workbook()))  # one that this client has not
    made, said = execute.execute(task.notebook, task.parameters, folder, topic, folder / "failed")
    assert not said
    drawn = any("show.figure(" in cell.source for cell in task.notebook.cells)
    assert (b"image/svg" in made) == drawn
    assert made == plain(task.notebook, task.parameters, folder)


def test_the_process_is_that_of_a_plain_start(tmp_path):
    found = []
    for made in (execute.execute(notebook(STATE), {}, tmp_path, "state", tmp_path)[0], plain(notebook(STATE), {}, tmp_path)):
        found.append(json.loads(printed(made)))
    warm, cold = found
    assert warm.pop("leader") and cold.pop("leader")  # noqa: PT018
    assert warm == cold


def test_random_streams_are_a_kernels_own(tmp_path):
    source = "import random, numpy\nprint(random.random(), numpy.random.random(), numpy.random.default_rng().random())"
    drawn = set()
    for _ in range(3):
        made, _ = execute.execute(notebook(source), {}, tmp_path, "random", tmp_path)
        drawn |= set(printed(made).split())
    assert len(drawn) == 9


def test_nothing_passes_from_one_kernel_to_the_next(tmp_path):
    source = (
        "import os, pandas, sys\nprint(hasattr(pandas, 'left'), 'LEFT' in os.environ, 'left' in sys.modules)\n"
        "pandas.left = 1; os.environ['LEFT'] = '1'; sys.modules['left'] = sys"
    )
    for _ in range(2):
        made, _ = execute.execute(notebook(source), {}, tmp_path, "left", tmp_path)
        assert b"False False False" in made
