"""Broken trees: never a traceback, never a number that is none, and what is sound is read as before."""

import pytest

from tests.fuzz.mlperf import CASES, try_file

TRIES = 125  # of each case; ``make fuzz`` tries many more


@pytest.mark.parametrize("name", CASES)
def test_broken_trees(tmp_path, name):
    read = sum(try_file(name, seed, tmp_path) for seed in range(TRIES))
    assert 0 < read < TRIES
