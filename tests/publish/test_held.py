"""Folders that belong to a living process."""

import os
import subprocess
import sys

import pytest

from joulebook.publish import files
from joulebook.publish.files import folder_whole
from joulebook.publish.held import clear_left_over, held_folder
from joulebook.workbook import ROOT


def names(folder):
    return sorted(path.name.split(".")[0] for path in folder.iterdir())


def test_a_folder_is_there_while_it_is_held(tmp_path):
    with held_folder(tmp_path, "one", "part") as first, held_folder(tmp_path, "one", "part") as second:
        assert first != second
        clear_left_over(tmp_path, "one", "part")
        assert names(tmp_path) == ["one", "one"]
    assert names(tmp_path) == []


def test_a_folder_of_a_killed_process_is_cleared_whatever_its_number(tmp_path):
    script = (
        "import os, pathlib\nfrom joulebook.publish.held import held_folder\n"
        f"with held_folder(pathlib.Path({str(tmp_path)!r}), 'one', 'part') as folder:\n"
        "    (folder / 'half').write_text('torn'); print(folder.name, flush=True); os.kill(os.getpid(), 9)"
    )
    left = subprocess.run([sys.executable, "-c", script], check=False, cwd=ROOT, capture_output=True, text=True).stdout.strip()
    assert (tmp_path / left).is_dir()
    with held_folder(tmp_path, "other", "part"):  # another kind leaves it alone
        assert (tmp_path / left).is_dir()
    with held_folder(tmp_path, "one", "part"):
        assert not (tmp_path / left).exists()


def test_a_folder_of_another_living_process_stays(tmp_path):
    script = (
        "import pathlib, sys\nfrom joulebook.publish.held import held_folder\n"
        f"with held_folder(pathlib.Path({str(tmp_path)!r}), 'one', 'part'):\n    print(1, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"1\n"
        clear_left_over(tmp_path, "one", "part")
        assert names(tmp_path) == ["one"]
        other.stdin.close()
    assert names(tmp_path) == []


@pytest.mark.parametrize("exchange", [True, False])
def test_a_folder_takes_the_place_of_another_whole(tmp_path, monkeypatch, exchange):
    if not exchange:  # as on a system that cannot swap two names
        monkeypatch.setattr(files, "_exchange", lambda one, other: False)
    for text in "123":
        with folder_whole(tmp_path / "run") as part:
            (part / "a").write_text(text)
        assert (tmp_path / "run" / "a").read_text() == text
        assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_run_that_was_killed_between_two_steps_is_put_back(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_exchange", lambda one, other: False)
    with folder_whole(tmp_path / "run") as part:
        (part / "a").write_text("1")
    name = f".{files.digest('run')[:12]}"
    (tmp_path / "run").rename(tmp_path / f"{name}.00000000.old")  # and then the power failed
    with pytest.raises(KeyboardInterrupt), folder_whole(tmp_path / "run") as part:
        raise KeyboardInterrupt
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    assert (tmp_path / "run" / "a").read_text() == "1"


def test_a_run_folder_may_be_read_as_the_user_says(tmp_path):
    before = os.umask(0o027)
    try:
        with folder_whole(tmp_path / "run"):
            pass
        assert oct((tmp_path / "run").stat().st_mode)[-3:] == "750"
    finally:
        os.umask(before)
