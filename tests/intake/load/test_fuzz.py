"""Broken files of load generators: an error that names the file, or numbers that can be, never a traceback."""

import pytest

from tests.fuzz.load import CASES, try_file

COUNT = 500  # of each format; `make fuzz` tries more


@pytest.mark.parametrize("name", CASES)
def test_broken_files_are_refused_or_read(name, tmp_path):
    read = [try_file(name, seed, tmp_path) for seed in range(COUNT)]
    assert 0 < sum(read) < COUNT  # some changes hurt, others do not
