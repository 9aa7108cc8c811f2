"""The owner's side of the warm parent: it is started once, asked for kernels, and gone with its owner."""

import atexit
import json
import logging
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path

from joulebook.publish.held import clear_left_over, held_folder

NAME, ENDING = "joulebook", "kernels"
LONGEST_FOLDER = 60  # characters; a socket's whole path has room for 107
START_S = 60
ENVIRONMENT = {
    "MPLBACKEND": "agg",
    "PYTHONHASHSEED": "0",
    "JUPYTER_PLATFORM_DIRS": "1",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    # Sums depend on how many threads share them. One each is the same on every machine, leaves none in a process that
    # forks, and several kernels at once do not contend for the cores.
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "JE_ARROW_MALLOC_CONF": "background_thread:false",  # as Arrow's allocator would
}
_START = "from joulebook.publish.kernels.parent import main; main()"
log = logging.getLogger("joulebook")


class ColdStart(Exception):
    """Kernels cannot be forked here, with the reason."""


class ForkedKernel:
    """A forked kernel: the part of `subprocess.Popen` that a provisioner uses.

    Parameters
    ----------
    pid, pidfd : int
        Process, and a descriptor that stays its own when the number is used again.
    lifeline : socket.socket
        Kernel ends when this is closed; says how it ended.
    """

    stdin = stdout = stderr = None

    def __init__(self, pid, pidfd, lifeline):
        self.pid, self.returncode, self._pidfd, self._lifeline = pid, None, pidfd, lifeline

    def poll(self):
        """Exit status, negative the signal that killed it; None while it runs."""
        if self.returncode is None and select.select([self._pidfd], [], [], 0)[0]:
            self._ended()
        return self.returncode

    def wait(self, timeout=None):
        """Exit status once it has ended.

        Raises
        ------
        subprocess.TimeoutExpired
            If it runs for longer.
        """
        if self.returncode is None:
            if not select.select([self._pidfd], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("kernel", timeout)
            self._ended()
        return self.returncode

    def send_signal(self, number):
        """Send a signal, if it still runs."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._pidfd, number)

    def kill(self):
        """Kill it."""
        self.send_signal(signal.SIGKILL)

    def terminate(self):
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def _ended(self):
        try:
            self._lifeline.settimeout(START_S)
            self.returncode = int(self._lifeline.recv(64) or -signal.SIGKILL)
        except OSError:
            self.returncode = -signal.SIGKILL  # the parent was killed, and its kernels with it
        os.close(self._pidfd)
        self._lifeline.close()


class WarmParent:
    """A running parent of warm kernels.

    Parameters
    ----------
    folder : pathlib.Path
        Folder for the sockets of kernels.

    Raises
    ------
    ColdStart
        If it cannot be started, or is not fit to fork.
    """

    def __init__(self, folder):
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _START, str(theirs.fileno()), str(folder)],
                pass_fds=[theirs.fileno()],
                env=os.environ | ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._ready, self._asking = None, threading.Lock()

    def spawn(self, argv, env, cwd, streams):
        """Fork a kernel.

        Parameters
        ----------
        argv : list of str
            Arguments of ``ipykernel_launcher``, its name first.
        env : dict of str to str
            Its whole environment.
        cwd : str
            Its working directory.
        streams : tuple of int
            Descriptors of its standard input, output and error.

        Returns
        -------
        ForkedKernel

        Raises
        ------
        ColdStart
            If it cannot be forked.
        """
        with self._asking:
            self._wait_until_ready()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        request = json.dumps({"argv": argv, "env": env, "cwd": cwd}).encode()
        try:
            with theirs:
                socket.send_fds(self.control, [request], [theirs.fileno(), *streams])
            ours.settimeout(START_S)
            pid, (pidfd,), *_ = socket.recv_fds(ours, 64, 1)
            return ForkedKernel(int(pid), pidfd, ours)
        except (OSError, ValueError) as error:
            ours.close()
            raise ColdStart(f"the warm parent does not answer ({error})") from None

    def close(self):
        """End it, and all kernels with it."""
        self.control.close()
        try:
            self.process.wait(START_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _wait_until_ready(self):
        if self._ready is None:
            try:
                self.control.settimeout(START_S)
                self._ready = json.loads(self.control.recv(1 << 16) or b'{"failed": "it died"}')
                self.control.settimeout(None)
            except (OSError, ValueError) as error:
                self._ready = {"failed": str(error)}
        if "failed" in self._ready:
            raise ColdStart(f"the warm parent did not start, {self._ready['failed']}")
        if self._ready["ready"] != 1:
            raise ColdStart(f"the warm parent has {self._ready['ready']} threads, and one alone may fork")


class _Kernels:
    """What this process has of kernels: the folder of their sockets, and the warm parent, each made when first asked for."""

    def __init__(self):
        self.lock, self.stack, self.folder, self.parent, self.cold, self.count = threading.Lock(), ExitStack(), None, None, "", 0
        self.code = None

    def start(self, code=None):
        """Start the warm parent, if that can be done and was not.

        Parameters
        ----------
        code : str, optional
            Digest of the package's files: a parent that has imported others is replaced.
        """
        if code is not None and self.code not in (None, code):
            self.close()
        with self.lock:
            self.code = code or self.code
            self._start()

    def _start(self):
        if self.folder is None:
            self.folder = self.stack.enter_context(held_folder(sockets_folder(), NAME, ENDING, 0o700))
        if self.parent is None and not self.cold:
            if sys.platform != "linux" or not hasattr(os, "pidfd_open"):
                self.turn_cold("kernels are forked on Linux only")
            else:
                self.parent = WarmParent(self.folder)
                self.stack.callback(self.parent.close)

    def turn_cold(self, reason):
        """Start kernels the ordinary way from now on, and say so once."""
        if not self.cold:
            log.warning("kernels start the ordinary way, which is slower: %s", reason)
            self.cold = reason

    def place(self):
        """A new folder for the sockets of one kernel."""
        with self.lock:
            self._start()
            self.count += 1
            place = self.folder / str(self.count)
        place.mkdir(mode=0o700)
        return place

    def spawn(self, *request):
        """A forked kernel, None where kernels start cold."""
        self.start()
        if self.cold:
            return None
        try:
            return self.parent.spawn(*request)
        except ColdStart as error:
            self.turn_cold(str(error))
            return None

    def close(self):
        """End the warm parent with all kernels, and remove the folder; both come again when asked for."""
        with self.lock:
            self.stack.close()
            self.folder = self.parent = self.code = None


KERNELS = _Kernels()
atexit.register(KERNELS.close)


def clear_sockets():
    """Remove the folders of sockets that owners left which were killed."""
    clear_left_over(sockets_folder(), NAME, ENDING)


def sockets_folder():
    """Where folders of sockets stand: the system's temporary folder, unless its path is too long for a socket's."""
    folder = Path(tempfile.gettempdir())
    return folder if len(str(folder)) <= LONGEST_FOLDER else Path("/tmp")
