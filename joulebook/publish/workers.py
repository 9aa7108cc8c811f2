"""Threads that execute topics: each waits for a kernel, a process of its own that does the work."""

import os
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore

from joulebook.publish.kernels.forks import KERNELS


def cores():
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Workers(ThreadPoolExecutor):
    """Threads that execute topics.

    There is one more than topics may be executed at once: while the others compute it writes down what the last one gave,
    and starts the kernel of the next.

    Parameters
    ----------
    number : int, optional
        How many topics are executed at once; as many as there are cores where none is given.

    Attributes
    ----------
    number : int
        How many.
    turn : threading.BoundedSemaphore
        To be held from when a kernel was started until it has ended.
    """

    def __init__(self, number=None):
        self.number = number or cores()
        self.turn = BoundedSemaphore(self.number)
        super().__init__(self.number + 1, thread_name_prefix="topic")

    def submit(self, function, /, *arguments):
        """Call a function in one of the threads; gives a future of what it returns."""
        return super().submit(_call, function, *arguments)

    def stop(self):
        """End what runs: topics end when their kernels do."""
        self.shutdown(wait=False, cancel_futures=True)
        KERNELS.close()
        self.shutdown()


def _call(function, *arguments):
    from jupyter_core.utils import ensure_event_loop

    try:
        return function(*arguments)
    finally:
        ensure_event_loop().close()  # jupyter makes one for each thread that asks, and closes none
