"""How kernels end: killed, hung, out of memory, with their owner or without; nothing is left running or lying about."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from joulebook.errors import RunError
from joulebook.publish import execute
from joulebook.publish.kernels import forks
from joulebook.publish.kernels.forks import KERNELS
from joulebook.publish.kernels.provisioner import WarmProvisioner
from joulebook.workbook import ROOT

from ..conftest import notebook

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="kernels are forked on Linux only")

ENDS_S = 5


def run(folder, *sources, **how):
    return execute.execute(notebook(*sources), {}, folder, "topic", folder / "failed", **how)


def printed(made):
    cells = nbformat.reads(made.decode(), 4).cells
    return "".join(out.text for cell in cells for out in cell.get("outputs", []) if out.output_type == "stream")


def alive(pid):
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(condition, seconds=ENDS_S):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


def sockets():
    """Folders of kernels' sockets in this process's folder."""
    return [path.name for path in KERNELS.folder.iterdir()] if KERNELS.folder else []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import os; os.kill(os.getpid(), 9)", "the kernel died in cell 3, SIGKILL, most often for want of memory"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "the kernel died in cell 3, SIGSEGV"),
        ("import os; os._exit(3)", "the kernel ended in cell 3, exit status 3"),
        ("raise MemoryError('no room')", "cell 3 failed, MemoryError: no room"),
    ],
)
def test_how_a_kernel_ended_is_told_with_its_cell(tmp_path, source, words):
    with pytest.raises(RunError) as caught:
        run(tmp_path, "print('before')", source, "print('after')")
    assert str(caught.value) == f"topic: {words}"
    kept = nbformat.read(tmp_path / "failed" / "topic.ipynb", 4)
    assert "before" in str(kept.cells)
    assert not sockets()


def test_memory_that_runs_out_fails_by_name(tmp_path):
    source = "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))\nx = bytearray(2**32)"
    with pytest.raises(RunError, match="topic: cell 2 failed, MemoryError"):
        run(tmp_path, source)


def test_a_cell_that_hangs_is_stopped_with_all_that_it_started(tmp_path):
    pids = tmp_path / "pids"
    source = (
        "import os, pathlib, subprocess\nhelper = subprocess.Popen(['sleep', '600'])\n"
        f"pathlib.Path({str(pids)!r}).write_text(f'{{os.getpid()}} {{helper.pid}}')\nwhile True: pass"
    )
    with pytest.raises(RunError, match="topic: cell 2 took longer than 1 s"):
        run(tmp_path, source, timeout_s=1)
    assert wait_until(lambda: not any(map(alive, pids.read_text().split())))
    assert not sockets()


def test_what_a_kernel_started_ends_with_it(tmp_path):
    made, _ = run(tmp_path, "import subprocess; print(subprocess.Popen(['sleep', '600']).pid)")
    assert wait_until(lambda: not alive(printed(made).strip()))


def test_the_parent_has_one_thread(tmp_path):
    run(tmp_path, "1")
    assert not KERNELS.cold
    assert len([*Path(f"/proc/{KERNELS.parent.process.pid}/task").iterdir()]) == 1


def test_a_parent_that_was_killed_is_told_and_the_next_kernels_start_plainly(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(forks, "KERNELS", KERNELS)
    run(tmp_path, "1")
    pid = KERNELS.parent.process.pid
    with pytest.raises(RunError, match="the kernel died in cell 2, SIGKILL"):
        run(tmp_path, f"import os, signal, time; os.kill({pid}, signal.SIGKILL); time.sleep(60)")
    try:
        assert printed(run(tmp_path, "print('still')")[0]) == "still\n"
        assert printed(run(tmp_path, "print('here')")[0]) == "here\n"
        assert caplog.text.count("kernels start the ordinary way") == 1
    finally:
        KERNELS.close()
        KERNELS.cold = ""


OWNER = """
import sys
from pathlib import Path
from joulebook.publish import execute
from tests.publish.conftest import notebook
folder = Path(sys.argv[1])
source = "import os, pathlib; pathlib.Path('pid').write_text(f'{os.getpid()} {os.getppid()}')\\n" + sys.argv[2]
execute.execute(notebook(source), {}, folder, "topic", folder / "failed")
"""


@pytest.mark.parametrize("work", ["while True: pass", "import time; time.sleep(600)"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_kernels_end_within_five_seconds_of_their_owner(tmp_path, work, number):
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary)} if len(str(temporary)) <= forks.LONGEST_FOLDER else dict(os.environ)
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(tmp_path), work], cwd=ROOT, env=environment)
    try:
        assert wait_until((tmp_path / "pid").exists, 60)
        assert wait_until((tmp_path / "pid").read_text, 5)
        kernel, parent = (tmp_path / "pid").read_text().split()
        assert alive(kernel)
        assert alive(parent)
        os.kill(owner.pid, number)
        owner.wait(ENDS_S)
        assert wait_until(lambda: not alive(kernel) and not alive(parent))
    finally:
        owner.kill()
        owner.wait()
    assert wait_until(lambda: not [*temporary.iterdir()])


@pytest.mark.parametrize("start", ["raise SystemExit('no')", "import os; os._exit(1)"])
def test_kernels_start_plainly_where_the_parent_does_not(tmp_path, caplog, monkeypatch, start):
    KERNELS.close()
    monkeypatch.setattr(forks, "_START", start)
    try:
        for _ in range(2):
            assert printed(run(tmp_path, "import os; print(os.environ['MPLBACKEND'])")[0]) == "agg\n"
        assert caplog.text.count("kernels start the ordinary way, which is slower: the warm parent did not start") == 1
    finally:
        KERNELS.close()
        KERNELS.cold = ""
    assert not sockets()


def test_a_parent_with_more_threads_does_not_fork(tmp_path, caplog, monkeypatch):
    KERNELS.close()
    more = "import threading, time; threading.Thread(target=time.sleep, args=(600,), daemon=True).start();"
    monkeypatch.setattr(forks, "_START", more + forks._START)
    try:
        assert printed(run(tmp_path, "print(1)")[0]) == "1\n"
        assert "the warm parent has 2 threads, and one alone may fork" in caplog.text
    finally:
        KERNELS.close()
        KERNELS.cold = ""


def test_elsewhere_than_on_linux_kernels_start_plainly(tmp_path, caplog, monkeypatch):
    KERNELS.close()
    monkeypatch.setattr(forks.sys, "platform", "darwin")
    try:
        assert printed(run(tmp_path, "print(1)")[0]) == "1\n"
        assert "kernels are forked on Linux only" in caplog.text
    finally:
        KERNELS.close()
        KERNELS.cold = ""


def test_a_start_that_fails_is_tried_again_and_no_cell_runs_twice(tmp_path, monkeypatch):
    # M15: of kernels that start at once some fail before the first cell
    launch, failed = WarmProvisioner.launch_kernel, []

    async def fails_twice(self, cmd, **kwargs):
        if len(failed) < 2:
            failed.append(1)
            cmd = [sys.executable, "-c", "import sys; sys.exit('Address already in use')"]
        return await launch(self, cmd, **kwargs)

    monkeypatch.setattr(WarmProvisioner, "launch_kernel", fails_twice)
    count = tmp_path / "count"
    made, _ = run(tmp_path, f"open({str(count)!r}, 'a').write('x'); print('done')")
    assert printed(made) == "done\n"
    assert count.read_text() == "x"
    failed[:] = []
    monkeypatch.setattr(execute, "STARTS", 2)
    with pytest.raises(RunError, match="topic: the kernel did not start, Address already in use"):
        run(tmp_path, "1")


def test_many_lines_are_all_kept(tmp_path):
    # M18: papermill alone may stop reading after 4 s
    made, _ = run(tmp_path, "for i in range(100_000): print(i)")
    assert printed(made) == "".join(f"{i}\n" for i in range(100_000))


def test_sockets_have_a_short_path_and_a_folder_of_their_own(tmp_path):
    made, _ = run(tmp_path, "import json, ipykernel\nprint(ipykernel.connect.get_connection_file())")
    place = Path(printed(made).strip()).parent
    info = json.dumps(str(place / "s-5"))
    assert len(info) < 107
    assert place.parent == KERNELS.folder
    assert not place.exists()
    assert oct(KERNELS.folder.stat().st_mode)[-3:] == "700"
