"""The warm parent: one process that imports what notebooks need, and forks a fresh kernel for each of them.

It runs in a process of its own, with one thread, and speaks with its owner over a socket. Each kernel has a lifeline: a
socket whose other end its owner holds. When the owner lets go of it, dies or is killed, the kernel is killed; when the
kernel ends, its exit status goes the other way.
"""

import array
import ctypes
import gc
import importlib.util
import json
import os
import pkgutil
import selectors
import shutil
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

PR_SET_PDEATHSIG = 1  # linux/prctl.h
LIBRARIES = (  # the second half is what these import late
    "ipykernel.kernelapp",
    "ipykernel.ipkernel",
    "matplotlib.pyplot",
    "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_svg",
    "matplotlib_inline.backend_inline",
    "pandas",
    "IPython.core.completerlib",
    "IPython.core.debugger",
    "IPython.core.oinspect",
    "IPython.extensions.storemagic",
    "encodings.cp437",
    "encodings.idna",
    "encodings.latin_1",
    "encodings.utf_16_be",
    "importlib.readers",
    "importlib.resources.readers",
    "ipykernel.debugger",
    "pandas.core.methods.to_dict",
    "pandas.core.reshape.reshape",
    "sqlite3",
    "tornado.platform.asyncio",
    "tornado.queues",
    "tzdata",
    "zmq.utils.garbage",
)
# What notebooks import; of intake that is not the readers of whole clients and of MLPerf's trees.
PACKAGES = (
    "joulebook.method",
    "joulebook.intake.notebook",
    "joulebook.intake.tables",
    "joulebook.intake.meters",
    "joulebook.show",
)
MOST_FDS = 3


def main():
    """Serve an owner until it goes away; arguments: number of the socket, and the owner's folder of sockets."""
    control, folder = socket.socket(fileno=int(sys.argv[1])), Path(sys.argv[2])
    sys.path[:] = [entry for entry in sys.path if entry]
    environment = dict(os.environ)
    try:
        preload()
        ready = {"ready": threads()}
    except Exception as error:  # the owner says why its kernels start cold
        ready = {"failed": f"{type(error).__name__}: {error}"}
    control.send(json.dumps(ready).encode())
    try:
        _Parent(control, {name: value for name, value in os.environ.items() if environment.get(name) != value}).serve()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)  # there is nothing to tidy, and much to forget


def preload():
    """Import what notebooks import, and the package's own modules for them."""
    gc.disable()  # nothing of it is garbage
    for name in LIBRARIES:
        importlib.import_module(name)
    for package in PACKAGES:
        found = importlib.import_module(package)
        for item in pkgutil.walk_packages(getattr(found, "__path__", ()), f"{package}."):
            importlib.import_module(item.name)
    fill_caches()
    gc.enable()
    gc.collect()
    gc.freeze()  # pages stay shared after a fork


def fill_caches():
    """Look up once what each kernel would look up anew, and what depends on no input: tables, a locale, fonts."""
    from babel.numbers import format_decimal, list_currencies
    from scipy.stats import qmc

    from joulebook import dictionary
    from joulebook.show import style

    dictionary.parameters()
    dictionary.definitions()
    format_decimal(0.5, locale="en")
    list_currencies()
    qmc.Sobol(2, rng=1).random(2)  # its table of direction numbers
    with style.settings():
        drawn, ax = style.figure(1)
        for weight in (400, 500, 600):
            style.label(ax, "1", (0, 0), "ink", fontweight=weight)
        style.svg(drawn)


def threads():
    """Number of threads of this process, those of libraries included."""
    return len([*Path("/proc/self/task").iterdir()])


class _Parent:
    """The loop that forks kernels and watches them and their owner."""

    def __init__(self, control, environment):
        self.control, self.environment = control, environment  # what imports set in it
        self.selector = selectors.DefaultSelector()
        self.selector.register(control, selectors.EVENT_READ, self._request)
        self.kernels = {}  # pid: (pidfd, lifeline)
        self.serving, self.pid = True, os.getpid()

    def serve(self):
        while self.serving:
            for key, _ in self.selector.select():
                if key.fileobj in self.selector.get_map():  # not let go of by one before it
                    key.data()
        for pid in [*self.kernels]:
            _kill(pid)
            self._reap(pid)

    def _request(self):
        message, fds = _receive(self.control)
        if not message:
            self.serving = False
            return
        lifeline, *streams = fds
        pid = os.fork()
        if pid == 0:
            try:
                self._become_kernel(json.loads(message), lifeline, streams)
            except BaseException:
                sys.excepthook(*sys.exc_info())
            finally:
                os._exit(1)
        for fd in streams:
            os.close(fd)
        pidfd, line = os.pidfd_open(pid), socket.socket(fileno=lifeline)
        self.kernels[pid] = (pidfd, line)
        self.selector.register(pidfd, selectors.EVENT_READ, lambda: self._reap(pid))
        self.selector.register(line, selectors.EVENT_READ, lambda: _kill(pid) or self.selector.unregister(line))
        try:
            socket.send_fds(line, [b"%d" % pid], [pidfd])
        except OSError:  # its owner is gone already
            _kill(pid)

    def _reap(self, pid):
        pidfd, line = self.kernels.pop(pid)
        _kill(pid)  # what it started and left running
        _, status = os.waitpid(pid, 0)
        for fileobj in (pidfd, line):
            if fileobj in self.selector.get_map():
                self.selector.unregister(fileobj)
        with suppress(OSError):  # nobody is waiting for it
            line.send(b"%d" % os.waitstatus_to_exitcode(status))
        line.close()
        os.close(pidfd)

    def _become_kernel(self, request, lifeline, streams):
        """In the forked process: all that a plain start would have made anew, then the kernel."""
        os.setsid()
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != self.pid:  # it died before the line above
            os._exit(1)
        self.selector.close()
        self.control.close()
        os.close(lifeline)
        for pidfd, line in self.kernels.values():
            os.close(pidfd)
            line.close()
        for number, fd in enumerate(streams):
            os.dup2(fd, number)
            if fd >= MOST_FDS:
                os.close(fd)
        os.environ.clear()
        os.environ.update({**request["env"], **self.environment, "JPY_PARENT_PID": str(self.pid)})
        os.chdir(request["cwd"])
        _expendable()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _seed()
        from ipykernel.kernelapp import IPKernelApp

        name, *words = request["argv"]
        sys.argv = [importlib.util.find_spec(name).origin, *words]
        # the default of parent_handle was read from the environment when it was imported
        IPKernelApp.launch_instance(argv=[*words, f"--IPKernelApp.parent_handle={self.pid}"])
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def _seed():
    """Random streams of its own for a forked process, as a fresh start has."""
    import random

    import numpy as np

    random.seed()
    np.random.seed()


def _expendable():
    """Where memory runs out, a kernel goes before those who can tell of it."""
    with suppress(OSError):  # a hint, nothing more
        Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")


def _receive(sock):
    message, ancillary, _, _ = sock.recvmsg(1 << 20, socket.CMSG_SPACE((MOST_FDS + 1) * array.array("i").itemsize))
    fds = array.array("i")
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            fds.frombytes(data)
    return message, list(fds)


def _kill(pid):
    """Kill a kernel with all that it started."""
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError):
            kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
