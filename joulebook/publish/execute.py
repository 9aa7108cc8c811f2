"""One topic's notebook executed by papermill, from checked parameters to a normalized executed notebook."""

import ast
import logging
import os
from contextlib import contextmanager

import jupytext
import nbformat

from joulebook.dictionary import of_topic
from joulebook.errors import InputError, Problem, Problems, RunError, near
from joulebook.workbook import ROOT

KERNEL = "python3"
START_TIMEOUT_S = 120
CELL_TIMEOUT_S = 600
# A kernel on this machine speaks over loopback; its warning that this is not encrypted belongs to no reader.
KERNEL_ARGUMENTS = ["--IPKernelApp.log_level=40"]
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
    try:
        statements = ast.parse(tagged[0].source).body
    except SyntaxError as error:
        raise InputError(Problem(f"the parameters cell is no Python: {error.msg}", file=name, line=error.lineno)) from None
    for statement in statements:
        target, value = _assignment(statement)
        if target is None:
            found.add(
                "the parameters cell may hold plain literals only; derive values in a later cell",
                file=name,
                line=statement.lineno,
                value=ast.unparse(statement),
            )
        elif target in cell:
            found.add("assigned twice in the parameters cell", file=name, line=statement.lineno, field=target)
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


def execute(notebook, parameters, folder, name, failed):
    """Execute a notebook in a folder and leave the finished one there.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        As of `load`, its parameters checked.
    parameters : dict
        Plain values by name.
    folder : pathlib.Path
        Working directory of the notebook; ``<name>.ipynb`` is written there when it is whole.
    name : str
        Name of the topic.
    failed : pathlib.Path
        Folder in which a notebook that did not finish is kept.

    Returns
    -------
    str
        What the notebook wrote to its error stream, empty if nothing.

    Raises
    ------
    RunError
        If a cell fails or takes too long, or the kernel dies; names topic and cell.
    """
    import papermill  # late: most commands do without
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    source, part = (folder / f".{name}.{ending}.ipynb" for ending in ("source", "part"))
    nbformat.write(notebook, source)
    try:
        with _quiet_kernel():
            papermill.execute_notebook(
                str(source),
                str(part),
                parameters,
                kernel_name=KERNEL,
                cwd=str(folder),
                progress_bar=False,
                log_output=False,
                start_timeout=START_TIMEOUT_S,
                execution_timeout=CELL_TIMEOUT_S,
                extra_arguments=KERNEL_ARGUMENTS,
            )
        done = nbformat.read(part, as_version=4)
        said = normalize(done)
        nbformat.write(done, part)
        part.rename(folder / f"{name}.ipynb")
        return said
    except papermill.PapermillExecutionError as error:
        _keep(part, failed / f"{name}.ipynb")
        # The input errors of a notebook are our own and say it all.
        head = f"{name}: " if error.ename == "InputError" else f"{name}: cell {error.exec_count} failed, {error.ename}: "
        raise RunError(head + error.evalue) from None
    except CellTimeoutError:
        _keep(part, failed / f"{name}.ipynb")
        raise RunError(f"{name}: a cell took longer than {CELL_TIMEOUT_S} s") from None
    except DeadKernelError:
        _keep(part, failed / f"{name}.ipynb")
        raise RunError(f"{name}: the kernel died, perhaps for want of memory") from None
    except RuntimeError as error:  # jupyter_client: the kernel did not start
        raise RunError(f"{name}: the kernel did not start, {error}") from None
    finally:
        for path in (source, part):
            path.unlink(missing_ok=True)


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


def _keep(part, aside):
    if part.exists():
        aside.parent.mkdir(parents=True, exist_ok=True)
        part.replace(aside)


@contextmanager
def _quiet_kernel():
    """The environment that every kernel starts with."""
    wanted = {"MPLBACKEND": "agg", "PYTHONHASHSEED": "0", "JUPYTER_PLATFORM_DIRS": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    for name in ("asyncio", "traitlets", "papermill"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # a kernel that dies or is stopped is told by our own errors
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
