"""Rules for nbval: warm kernels, one place for limits, and cells after one that hangs are not run."""

import pytest
from jupyter_client.provisioning import KernelProvisionerFactory

from joulebook.publish.execute import START_TIMEOUT_S
from joulebook.publish.kernels.provisioner import register

OUTPUT_TIMEOUT_S = 60  # nbval's own 5 s are not enough on a machine that is busy


def pytest_configure(config):
    """Kernels of this process start warm, and have as long to start as those of a run."""
    KernelProvisionerFactory.instance().default_provisioner_name = register()
    config.option.nbval_kernel_startup_timeout = START_TIMEOUT_S


def pytest_itemcollected(item):
    """What a notebook says on its error stream (progress, warnings) is no result; output may come late."""
    parent = getattr(item, "parent", None)
    compared = getattr(parent, "skip_compare", None)
    if compared is not None:
        item.output_timeout = OUTPUT_TIMEOUT_S
        if "stderr" not in compared:
            parent.skip_compare = (*compared, "stderr")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Stop the kernel of a notebook whose cell took too long; its later cells would run on half of the state."""
    notebook = getattr(item, "parent", None)
    if getattr(notebook, "timed_out", False):
        if notebook.kernel.is_alive():
            notebook.kernel.stop()
        pytest.skip("not run: an earlier cell took too long")
