"""Small logs of meters, read through the public entry."""

import pytest

from joulebook.errors import InputError
from joulebook.intake.meters import read_meters
from joulebook.method.meters.measure import measure


@pytest.fixture
def read(tmp_path):
    """Meters of a file's text: ``read(text, name=..., **declared)``; ``preset`` stands for ``as``."""

    def read(text, name="log.csv", preset=None, **declared):
        path = tmp_path / name
        if isinstance(text, str):
            text = text.encode()
        if text is not None:
            path.write_bytes(text)
        declared |= {"as": preset} if preset else {}
        return read_meters([{"name": "meter", "file": name, **declared}], tmp_path)

    return read


@pytest.fixture
def refusal(read):
    """What is said where a file is refused."""

    def refusal(*args, **declared):
        with pytest.raises(InputError) as error:
            read(*args, **declared)
        return str(error.value)

    return refusal


@pytest.fixture
def energy(read):
    """Energy of all that one channel read, or of a window of it. [J]"""

    def energy(*args, window=None, max_gap_s=None, **declared):
        meters = read(*args, **declared)
        return energy_of(meters, window, max_gap_s)

    return energy


def energy_of(meters, window=None, max_gap_s=None):
    """Energy of a window, or from the first reading to the last, of all channels."""
    first = min(channel.times_s[0] for channel in meters.channels)
    last = max(channel.times_s[-1] for channel in meters.channels)
    begin, end = window or (first, last)
    return measure(list(meters.channels), begin, end, max_gap_s=max_gap_s).energy_j


def said(meters):
    """All notes of the channels as one text."""
    return "; ".join(note for channel in meters.channels for note in channel.notes)
