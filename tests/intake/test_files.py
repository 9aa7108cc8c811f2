"""Files inside a client's folder."""

import hashlib
import os

import pytest

from joulebook.errors import InputError
from joulebook.intake.files import find_file, sha256
from joulebook.intake.text import read_text


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "Acme & Søn (No 1)"  # M14 of the cases
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "meter log.csv").write_text("a\n")
    (tmp_path / "outside.csv").write_text("b\n")
    (folder / "loop").symlink_to("loop")
    (folder / "inside.csv").symlink_to("data/meter log.csv")
    (folder / "out").symlink_to(tmp_path)
    return folder


@pytest.mark.parametrize(("text", "path"), [
    ("data/meter log.csv", "data/meter log.csv"), ("./data//meter log.csv", "data/meter log.csv"),
    ("data/../inside.csv", "inside.csv"),
    ("../Acme & Søn (No 1)/inside.csv", "inside.csv")])
def test_found(folder, text, path):
    assert find_file(folder, text) == path


@pytest.mark.parametrize(("text", "words"), [
    ("data/meterlog.csv", "did you mean meter log.csv?"), ("Data/meter log.csv", "did you mean data?"),
    ("data/meter log.csv/x", "no such file"),
    ("data", "no regular file"), ("loop", "no regular file"), ("out/outside.csv", "leaves"), ("../outside.csv", "leaves"),
    ("../../../../etc/passwd", ""),
    ("/etc/passwd", "absolute"), ("~/x", "absolute"), ("C:/x", "absolute"), ("c:x", "absolute"), ("\\x", "absolute"),
    ("\\\\server\\share\\x", "absolute"),
    ("data\\meter log.csv", "forward slashes"), ("x" * 5000, "no such file"), ("", "no regular file")])
def test_not_found(folder, text, words):
    with pytest.raises(InputError) as error:
        find_file(folder, text, field="tariff_csv")
    assert words in str(error.value)


def test_sha256(folder):
    assert sha256(folder / "inside.csv") == hashlib.sha256(b"a\n").hexdigest()


def test_what_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="no regular file"):
        read_text(tmp_path / "pipe")
    with pytest.raises(InputError, match="cannot be read"):
        read_text(tmp_path / "a\0b")
    with pytest.raises(InputError, match="cannot be read"):
        read_text(tmp_path / ("x" * 300))
