"""One topic's notebook executed by papermill, from checked parameters to a normalized executed notebook."""

import ast
import logging
import signal
from contextlib import nullcontext
from functools import cache

import jupytext
import nbformat

from joulebook.dictionary import of_topic
from joulebook.errors import InputError, Problem, Problems, RunError, near
from joulebook.workbook import ROOT

KERNEL = "python3"
START_TIMEOUT_S = 120
CELL_TIMEOUT_S = 600
STARTS = 3  # a kernel that does not start is tried again
# A kernel on this machine speaks over loopback; its warning that this is not encrypted belongs to no reader.
# Nobody asks for the history of its cells.
KERNEL_ARGUMENTS = ["--IPKernelApp.log_level=40", "--HistoryManager.enabled=False"]
INJECTED = ("labels", "provenance")  # beside the parameters


def load(path):
    """A topic's notebook, without outputs, on the kernel of this environment.

    Parameters
    ----------
    path : pathlib.Path
        A MyST notebook, or one in JSON.
    """
    notebook = jupytext.read(path)
    # A notebook may carry the kernel name of its author's environment; it always runs on this one.
    notebook.metadata = nbformat.NotebookNode(kernelspec={"name": KERNEL, "display_name": "Python 3", "language": "python"})
    return notebook


def check_parameters(notebook, names, given=(), name="notebook"):
    """Refuse a notebook whose parameters cell is not what the dictionary says, and parameters it does not know.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        The notebook.
    names : iterable of str or None
        Names that its parameters cell must have; None to take them as they are.
    given : iterable of str
        Names of parameters to be injected.
    name : str
        Name of the notebook in errors.

    Raises
    ------
    InputError
        Naming every problem: no cell or several cells tagged ``parameters``, an assignment that is no literal (a value
        derived there would keep the default), a name missing or added, an unknown parameter.
    """
    found = Problems()
    tagged = [cell for cell in notebook.cells if cell.cell_type == "code" and "parameters" in cell.metadata.get("tags", [])]
    if len(tagged) != 1:
        raise InputError(
            Problem(
                f"{len(tagged)} cells tagged parameters; given values would not reach the notebook",
                file=name,
                allowed="exactly one",
            )
        )
    cell = {}
    for line, target, value, source in _assignments(tagged[0].source, name):
        if target is None:
            found.add(
                "the parameters cell may hold plain literals only; derive values in a later cell",
                file=name,
                line=line,
                value=source,
            )
        elif target in cell:
            found.add("assigned twice in the parameters cell", file=name, line=line, field=target)
        else:
            cell[target] = value
    if names is not None:
        for missing in [item for item in names if item not in cell]:
            found.add("in the dictionary but not in the parameters cell", file=name, field=missing)
        for added in [item for item in cell if item not in names]:
            found.add("in the parameters cell but not in the dictionary", file=name, field=added, near=near(added, names))
    for unknown in [item for item in given if item not in cell]:
        found.add("unknown parameter", file=name, field=str(unknown), near=near(unknown, cell))
    found.stop()
    return cell


def check_topic(notebook, topic, given=(), root=ROOT):
    """As `check_parameters`, with the names of a topic in the dictionary below `root`."""
    return check_parameters(notebook, [*of_topic(topic, root), *INJECTED], given, f"{topic}.md")


def ready():
    """Import what executes notebooks, before several threads need it at once."""
    import papermill  # noqa: F401

    from joulebook.publish.kernels import engine  # noqa: F401


def execute(notebook, parameters, folder, name, failed, timeout_s=CELL_TIMEOUT_S, turn=None):
    """Execute a notebook in a folder.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        As of `load`, its parameters checked.
    parameters : dict
        Plain values by name.
    folder : pathlib.Path
        Working directory of the notebook.
    name : str
        Name of the topic.
    failed : pathlib.Path
        Folder in which a notebook that did not finish is kept.
    timeout_s : float
        Longest time of a cell. [s]
    turn : context manager, optional
        Entered when the kernel was started, left when it has ended.

    Returns
    -------
    tuple of (bytes, str)
        The executed notebook, normalized, and what it wrote to its error stream, empty if nothing.

    Raises
    ------
    RunError
        If a cell fails or takes too long, or the kernel dies; names topic and cell.
    """
    import papermill  # late: most commands do without
    from nbclient.exceptions import CellTimeoutError

    from joulebook.publish.kernels import engine

    for logger in ("asyncio", "traitlets", "papermill"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # a kernel that dies or is stopped is told by our own errors
    running = []
    try:
        done = _started(
            lambda: engine.run(
                notebook,
                parameters,
                KERNEL,
                start_timeout=START_TIMEOUT_S,
                execution_timeout=timeout_s,
                resources={"metadata": {"path": str(folder)}},
                extra_arguments=KERNEL_ARGUMENTS,
                keep=running.append,
                turn=turn or nullcontext(),
            ),
            engine.KernelNotStarted,
        )
    except engine.KernelNotStarted as error:
        raise RunError(f"{name}: the kernel did not start, {error}") from None
    except (papermill.PapermillExecutionError, CellTimeoutError, engine.KernelDied) as error:
        failed.mkdir(parents=True, exist_ok=True)
        nbformat.write(running[-1], failed / f"{name}.ipynb")
        raise RunError(f"{name}: {_reason(error, running[-1], timeout_s)}") from None
    said = normalize(done)
    return nbformat.writes(done).encode() + b"\n", said


def _started(run, not_started):
    """What a run gives; one whose kernel did not start, so that no cell ran, is tried again."""
    for _ in range(STARTS - 1):
        try:
            return run()
        except not_started:
            continue
    return run()


def _reason(error, notebook, timeout_s):
    """Why a notebook ended early, and in which cell."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    at = sum(cell.metadata.papermill.start_time is not None for cell in code)
    if hasattr(error, "ename"):
        # The input errors of a notebook are our own and say it all.
        return error.evalue if error.ename == "InputError" else f"cell {at} failed, {error.ename}: {error.evalue}"
    if not hasattr(error, "exit_status"):
        return f"cell {at} took longer than {timeout_s:g} s"
    if error.exit_status is None or error.exit_status >= 0:
        return f"the kernel ended in cell {at}, exit status {error.exit_status}"
    killed = signal.Signals(-error.exit_status).name
    return f"the kernel died in cell {at}, {killed}" + (", most often for want of memory" if killed == "SIGKILL" else "")


def normalize(notebook):
    """Take out of an executed notebook all that differs from run to run; return its error stream.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        Changed in place: numbered cell ids, no timing, no version of Python, no error stream.
    """
    said = []
    notebook.metadata.pop("papermill", None)
    notebook.metadata["language_info"] = {"name": "python"}
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number:02d}"
        for key in ("papermill", "execution"):
            cell.metadata.pop(key, None)
        if cell.cell_type == "code":
            said += [output.text for output in cell.outputs if output.output_type == "stream" and output.name == "stderr"]
            cell.outputs = [output for output in cell.outputs if not (output.output_type == "stream" and output.name == "stderr")]
    return "".join(said)


@cache
def _assignments(source, name):
    """Line, name, value and source of each statement of a parameters cell; no name where it is no assignment of a literal."""
    try:
        statements = ast.parse(source).body
    except SyntaxError as error:
        raise InputError(Problem(f"the parameters cell is no Python: {error.msg}", file=name, line=error.lineno)) from None
    return [(statement.lineno, *_assignment(statement), ast.unparse(statement)) for statement in statements]


def _assignment(statement):
    """Name and value of an assignment of a literal, or None."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        target = statement.target
    else:
        return None, None
    try:
        return (target.id, ast.literal_eval(statement.value)) if isinstance(target, ast.Name) else (None, None)
    except ValueError:
        return None, None
