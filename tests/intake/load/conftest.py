"""A file of a load generator, written and read."""

import pytest

from joulebook.errors import InputError
from joulebook.intake.load import read_load


@pytest.fixture
def read(tmp_path):
    def read(text, name="load file"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_load(path)
    return read


@pytest.fixture
def refusal(read):
    def refusal(text, name="load file"):
        with pytest.raises(InputError) as error:
            read(text, name)
        assert all(problem.file == name for problem in error.value.problems)
        return str(error.value)
    return refusal
