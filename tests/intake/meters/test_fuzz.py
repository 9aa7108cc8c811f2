"""Broken logs of meters: refused with an error that names the file, or read exactly, never a traceback."""

import pytest

from tests.fuzz.meters import CASES, try_file

COUNT = 500  # of each format; `make fuzz` tries more


@pytest.mark.parametrize("name", CASES)
def test_broken_logs_are_refused_or_read_exactly(name, tmp_path):
    read = [try_file(name, seed, tmp_path) for seed in range(COUNT)]
    assert 0 < sum(read) < COUNT  # some changes hurt, others do not
