"""Phases of a run: a CSV of windows, in stamps or in bare seconds."""

import pandas as pd
import pytest

from joulebook.errors import InputError


def test_phases_in_stamps_and_in_seconds(read_rows):
    rows = (
        "phase,begin,end\nwork,2024-06-03T12:00:00+02:00,2024-06-03T10:10:00Z\nidle,2024-06-03T10:10:00Z,2024-06-03T10:11:00Z\n"
    )
    table = read_rows("phases_csv", rows)
    assert table["begin"].iloc[0] == pd.Timestamp("2024-06-03T10:00:00Z")
    assert list(table["phase"]) == ["work", "idle"]
    table = read_rows("phases_csv", "phase,begin,end\nidle,10,12.5\nwork,0,10\n")
    assert table["end"].tolist() == [12.5, 10.0]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("wrok,0,10\n", "phase: no such phase"),
        ("work,10,0\n", "a phase that ends before it begins"),
        ("work,0,10\nidle,9,12\n", "a phase that begins before the one before it has ended"),
        ("work,2024-06-03T10:00:00,2024-06-03T10:10:00\n", "without its offset from UTC"),
        ("work,0,2024-06-03T10:10:00Z\n", "begin: no date and time"),
    ],
)
def test_phases_that_are_none_are_refused(read_rows, rows, said):
    with pytest.raises(InputError, match=said):
        read_rows("phases_csv", "phase,begin,end\n" + rows)
