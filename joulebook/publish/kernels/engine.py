"""papermill's engine on warm kernels, without a file written after each cell, that tells how a kernel ended."""

from contextlib import ExitStack

import papermill
from ipykernel.kernelspec import RESOURCES, get_kernel_dict
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient.exceptions import DeadKernelError
from nbformat import from_dict
from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import NBClientEngine, papermill_engines
from papermill.execute import raise_for_execution_errors
from traitlets import default

from joulebook.publish.kernels.client import shared_context
from joulebook.publish.kernels.provisioner import register

NAME = "joulebook"
PASSED = ("resources", "extra_arguments")
OUTPUT_S = 60  # longest wait for the last output of a cell that has ended


class KernelDied(Exception):
    """A kernel that ended in the middle of a notebook.

    Parameters
    ----------
    exit_status : int or None
        Its exit status, negative the signal that killed it; None where it is not known.
    """

    def __init__(self, exit_status):
        super().__init__(exit_status)
        self.exit_status = exit_status


class KernelNotStarted(Exception):
    """A kernel that did not start, with the reason; no cell ran."""


class _Manager(AsyncKernelManager):
    @default("context")
    def _shared_context(self):
        return shared_context()

    @property
    def kernel_spec(self):
        """The kernel of this environment, whatever a user's folders call by its name."""
        metadata = {"kernel_provisioner": {"provisioner_name": register()}}
        return KernelSpec(resource_dir=RESOURCES, **{**get_kernel_dict(), "metadata": metadata})


class _Client(PapermillNotebookClient):
    manager, turn = None, None

    def execute(self, **kwargs):
        """Execute the notebook."""
        with ExitStack() as self.held:
            return super().execute(**kwargs)

    def start_new_kernel_client(self):
        """Wait for this notebook's turn; its kernel starts in the meantime."""
        self.held.enter_context(self.turn)
        return super().start_new_kernel_client()

    def output(self, outs, msg, display_id, cell_index):
        """Keep an output; what is shown is checked with the whole notebook, not once more by itself."""
        plain = msg["msg_type"] == "display_data" and not display_id and not self.clear_before_next_output
        if not plain or self.output_hook_stack[msg["parent_header"].get("msg_id")]:
            return super().output(outs, msg, display_id, cell_index)
        shown = {name: msg["content"][name] for name in ("data", "metadata")}
        outs.append(from_dict({"output_type": "display_data", **shown}))
        return outs[-1]

    def create_kernel_manager(self):
        self.manager = super().create_kernel_manager()
        return self.manager

    def known(self, name):
        """Something that the kernel's provisioner knows, None where there is none."""
        return getattr(self.manager.provisioner, name, None) if self.manager else None


class Engine(NBClientEngine):
    """Executes a notebook and writes nothing."""

    @classmethod
    def execute_managed_notebook(cls, nb_man, kernel_name, *, keep, turn, start_timeout, execution_timeout, **kwargs):
        """Execute a notebook.

        Parameters
        ----------
        nb_man : papermill.engines.NotebookExecutionManager
            The notebook.
        kernel_name : str
            Its kernel.
        keep : callable
            Called with the notebook before it runs; it holds what was done where it ends early.
        turn : context manager
            Entered when the kernel was started, left when it has ended.
        start_timeout, execution_timeout : float
            Longest wait for a kernel, and longest time of a cell. [s]

        Raises
        ------
        KernelDied, KernelNotStarted
        nbclient.exceptions.CellTimeoutError
        """
        keep(nb_man.nb)
        client = _Client(
            nb_man,
            kernel_name=kernel_name,
            kernel_manager_class=_Manager,
            startup_timeout=start_timeout,
            timeout=execution_timeout,
            iopub_timeout=OUTPUT_S,
            shutdown_kernel="immediate",
            **{name: kwargs[name] for name in PASSED if name in kwargs},
        )
        client.turn = turn
        try:
            return client.execute()
        except DeadKernelError:
            raise KernelDied(client.known("exit_status")) from None
        except RuntimeError as error:  # jupyter_client's, from before the first cell
            words = (client.known("last_words") or "").splitlines()
            raise KernelNotStarted(words[-1] if words else str(error)) from None


papermill_engines.register(NAME, Engine)


def run(notebook, parameters, kernel_name, **how):
    """Inject parameters into a notebook and execute it, as `papermill.execute_notebook` does, without a file at the end.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        The notebook.
    parameters : dict
        Plain values by name.
    kernel_name : str
        Its kernel.
    **how
        For `Engine.execute_managed_notebook`.

    Returns
    -------
    nbformat.NotebookNode
        The executed notebook.

    Raises
    ------
    papermill.PapermillExecutionError
        If a cell fails.
    KernelDied, KernelNotStarted
    nbclient.exceptions.CellTimeoutError
    """
    ready = papermill.execute_notebook(notebook, None, parameters, kernel_name=kernel_name, prepare_only=True, progress_bar=False)
    done = papermill_engines.execute_notebook_with_engine(NAME, ready, kernel_name, progress_bar=False, log_output=False, **how)
    raise_for_execution_errors(done, None)
    return done
