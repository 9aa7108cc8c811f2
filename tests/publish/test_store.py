"""The store of executed notebooks: whole, found out when damaged, bounded, safe for several processes at once."""

import os
import subprocess
import sys

import pytest

from joulebook.publish.store import Store
from joulebook.workbook import ROOT

KEYS = [f"{number:064x}" for number in range(10)]


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "store", 1) as made:
        yield made


def files(store):
    return sorted(path for path in store.folder.rglob("*") if path.is_file())


def test_what_is_kept_comes_back(store):
    assert store.get(KEYS[0]) is None
    store.put(KEYS[0], b"notebook\nof two lines\n", "said\nthis é")
    assert store.get(KEYS[0]) == (b"notebook\nof two lines\n", "said\nthis é")
    assert store.get(KEYS[1]) is None


def test_nobody_else_may_read_it(store):
    store.put(KEYS[0], b"a client's words", "")
    assert oct(store.folder.stat().st_mode)[-3:] == "700"


DAMAGES = [lambda b: b[:-1], lambda b: b"", lambda b: b + b"x", lambda b: b[:70] + b"?" + b[71:], lambda b: b"\xff" * 9]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_removed(store, damage):
    store.put(KEYS[0], b"notebook of some length, so that there is something to damage", "said")
    (path,) = files(store)
    path.write_bytes(damage(path.read_bytes()))
    assert store.get(KEYS[0]) is None
    assert not files(store)
    store.put(KEYS[0], b"again", "")
    assert store.get(KEYS[0]) == (b"again", "")


def test_it_is_bounded_and_keeps_what_was_used_last(store):
    # 10 entries of 0.2 MB; the bound is 1 MB, four fifths of which are kept
    for place, key in enumerate(KEYS):
        store.put(key, b"x" * 200_000, "")
        os.utime(store._path(key), ns=(place, place))
    assert store.get(KEYS[0])  # the oldest, used again
    store.bound()
    assert [key for key in KEYS if store.has(key)] == [KEYS[0], *KEYS[8:]]
    assert sum(size for _, size, _ in store.entries()) <= 800_000


def test_it_is_cleared(store):
    store.put(KEYS[0], b"1", "")
    store.put(KEYS[1], b"2", "")
    assert store.clear() == 2
    assert store.get(KEYS[0]) is None


def test_what_a_killed_process_left_aside_is_cleared_by_the_next(store):
    script = (
        "import os, pathlib, signal\nfrom joulebook.publish.store import Store\n"
        f"store = Store(pathlib.Path({str(store.folder)!r}))\nstore.put({KEYS[0]!r}, b'1', '')\n"
        "(store._aside / 'half').write_text('torn'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", script], check=False, cwd=ROOT)
    assert [path.name for path in files(store)] == ["half", KEYS[0]]
    store.put(KEYS[1], b"2", "")
    assert [path.name for path in files(store)] == KEYS[:2]


def test_a_store_that_cannot_be_written_is_said_once(tmp_path, caplog):
    (tmp_path / "store").write_text("a file")
    with Store(tmp_path / "store") as store:
        store.put(KEYS[0], b"1", "")
        store.put(KEYS[1], b"2", "")
    assert caplog.text.count("executed notebooks are not kept") == 1


def test_many_processes_at_once(store):
    script = (
        "import pathlib, sys\nfrom joulebook.publish.store import Store\n"
        f"with Store(pathlib.Path({str(store.folder)!r}), 0.01) as store:\n"
        "    for turn in range(60):\n"
        f"        for key in {KEYS!r}:\n"
        "            found = store.get(key)\n"
        "            assert found in (None, (key.encode() * 50, 'said')), found\n"
        "            store.put(key, key.encode() * 50, 'said')\n"
        "        store.bound()\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stderr=subprocess.PIPE) for _ in range(4)]
    assert [(process.communicate()[1], process.returncode) for process in running] == [(b"", 0)] * 4
    assert not [path for path in store.folder.iterdir() if path.name.startswith(".")]
