"""Kernels for jupyter_client, forked from the warm parent where that can be done."""

import asyncio
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import EntryPoint
from pathlib import Path
from time import monotonic

from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.provisioning import KernelProvisionerFactory
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from joulebook.publish.kernels.forks import ENVIRONMENT, KERNELS

NAME = "joulebook-warm"
LAUNCHER = "ipykernel_launcher"
KILLED_S = 5
BOUND_S = 60
MOST_WORDS = 2000  # characters
PORTS = ("shell_port", "iopub_port", "stdin_port", "control_port", "hb_port")


class WarmProvisioner(LocalProvisioner):
    """Starts a kernel over sockets in a folder of its own, forked from the warm parent or the ordinary way."""

    place = None
    patient = False  # whether its client may come before its sockets
    exit_status = None
    last_words = ""

    async def pre_launch(self, **kwargs):
        """Settle where the kernel's sockets and its connection file stand, and what its client is."""
        manager = self.parent
        if sys.platform != "win32" and self.place is None:
            self.place = KERNELS.place()
            manager.transport, manager.ip = "ipc", str(self.place / "s")
            manager.connection_file = str(self.place / "kernel.json")
        self.patient = issubclass(manager.client_factory, AsyncKernelClient)
        kind = "ReadyClient" if self.patient else "ReadyBlockingClient"
        manager.client_class = f"joulebook.publish.kernels.client.{kind}"
        kwargs["env"] = {**(kwargs.get("env") or os.environ), **ENVIRONMENT}
        return await super().pre_launch(**kwargs)

    async def launch_kernel(self, cmd, **kwargs):
        """Start the kernel; returns how to reach it."""
        said = None
        if self.place is not None and kwargs.get("stderr") is None:
            said = kwargs["stdout"] = kwargs["stderr"] = (self.place / "said").open("ab")
        try:
            if not self._fork(cmd, kwargs):
                await super().launch_kernel(cmd, **kwargs)
        finally:
            if said is not None:
                said.close()
        if not self.patient:
            await self._bound()
        return self.connection_info

    async def poll(self):
        """Exit status, None while the kernel runs."""
        status = await super().poll()
        if self.process is not None:
            self.exit_status = status
        return status

    async def kill(self, restart=False):
        """Kill the kernel, and wait until it is gone: its manager would look for it every 100 ms."""
        process = self.process
        await super().kill(restart)
        if process is not None:
            with suppress(subprocess.TimeoutExpired):  # its manager asks again
                process.wait(KILLED_S)

    async def cleanup(self, restart=False):
        """Remove the kernel's folder; its last words are kept."""
        await super().cleanup(restart)
        if self.place is not None and not restart:
            with suppress(OSError):
                self.last_words = (self.place / "said").read_text(encoding="utf-8", errors="replace").strip()[-MOST_WORDS:]
            shutil.rmtree(self.place, ignore_errors=True)
            self.place = None

    def _fork(self, cmd, kwargs):
        if self.place is None or LAUNCHER not in cmd:
            return False
        nothing = os.open(os.devnull, os.O_RDWR)
        try:
            streams = [_fd(kwargs.get(name), nothing) for name in ("stdin", "stdout", "stderr")]
            argv = cmd[cmd.index(LAUNCHER) :]
            self.process = KERNELS.spawn(argv, dict(kwargs["env"]), str(kwargs.get("cwd") or Path.cwd()), streams)
        finally:
            os.close(nothing)
        if self.process is None:
            return False
        self.pid = self.pgid = self.process.pid  # it leads a session of its own
        return True

    async def _bound(self):
        """Wait for the kernel's sockets: a blocking client that comes before them tries again after 100 ms only."""
        if self.place is None:
            return
        wanted, end = [f"{self.connection_info['ip']}-{self.connection_info[port]}" for port in PORTS], monotonic() + BOUND_S
        while not all(map(os.path.exists, wanted)) and self.process.poll() is None and monotonic() < end:
            await asyncio.sleep(0.002)


def register():
    """Make the provisioner known to jupyter_client, in this process; nothing is installed for it.

    Returns
    -------
    str
        Its name, for a kernel's specification or as the default of all kernels.
    """
    factory = KernelProvisionerFactory.instance()
    place = f"{WarmProvisioner.__module__}:{WarmProvisioner.__qualname__}"
    factory.provisioners[NAME] = EntryPoint(NAME, place, factory.GROUP_NAME)
    return NAME


def _fd(stream, otherwise):
    if hasattr(stream, "fileno"):
        return stream.fileno()
    return stream if isinstance(stream, int) and stream >= 0 else otherwise
