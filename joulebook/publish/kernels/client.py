"""Clients of a kernel that go on as soon as it answers, where jupyter_client waits for a fixed time."""

from functools import cache
from queue import Empty
from time import monotonic

import zmq.asyncio
from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.utils import run_sync
from jupyter_core.utils import ensure_async
from traitlets import default

RETRY_MS = 2
ANSWER_S = 0.3  # a kernel that is asked while it starts does not always answer


@cache
def shared_context():
    """The context of all sockets of this process's kernels; one of its own for each would be waited for when it ends."""
    context = zmq.asyncio.Context()
    context.reconnect_ivl = RETRY_MS  # a client may come before the kernel's sockets are there
    return context


async def ready(client, timeout=None):
    """Wait until a kernel answers on both channels that an execution needs.

    Parameters
    ----------
    client : jupyter_client.client.KernelClient
        Client with its channels started.
    timeout : float, optional
        Longest wait. [s]

    Raises
    ------
    RuntimeError
        If the kernel dies, or takes longer.
    """
    end = monotonic() + (timeout or float("inf"))
    while True:
        asked = client.kernel_info()
        try:
            reply = await _answer(client.shell_channel, asked, "kernel_info_reply")
            # The end of our own request on the other channel: it is connected, and all that came before is read.
            await _answer(client.iopub_channel, asked, "status")
            client._handle_kernel_info_reply(reply)
            return
        except Empty:
            pass
        if not await ensure_async(client.is_alive()):
            raise RuntimeError("Kernel died before replying to kernel_info")
        if monotonic() > end:
            raise RuntimeError(f"Kernel didn't respond in {timeout:g} seconds")


async def _answer(channel, asked, kind):
    end = monotonic() + ANSWER_S
    while True:
        message = await ensure_async(channel.get_msg(timeout=max(end - monotonic(), 0)))
        ours = message["parent_header"].get("msg_id") == asked and message["msg_type"] == kind
        if ours and message["content"].get("execution_state", "idle") == "idle":
            return message


class ReadyClient(AsyncKernelClient):
    """As its base, without fixed waits and on the context of sockets that all clients of a process share."""

    @default("context")
    def _shared_context(self):
        return shared_context()

    async def wait_for_ready(self, timeout=None):
        """See `ready`."""
        await ready(self, timeout)


class ReadyBlockingClient(BlockingKernelClient):
    """As its base, without fixed waits."""

    def wait_for_ready(self, timeout=None):
        """See `ready`."""
        run_sync(ready)(self, timeout)
