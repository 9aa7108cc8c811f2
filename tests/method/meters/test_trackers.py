"""Trackers of several processes on one machine: each reads the whole machine, and what it reads is counted once."""

import pytest

from joulebook.errors import InputError
from joulebook.intake.meters import check_declarations, read_meters
from joulebook.method.meters.run import metered_run
from joulebook.method.meters.scopes import check_added

ROWS = "process,machine,start,end,energy_kwh\n" + "".join(
    f"p{number},n1,2024-03-01T10:00:00Z,2024-03-01T11:00:00Z,1.0\n" for number in range(4))
DECLARED = {"name": "trackers", "file": "trackers.csv", "as": "csv", "quantity": "energy", "kind": "interval_energy",
            "unit": "kWh", "begin_column": "start", "time_column": "end", "value_column": "energy_kwh",
            "channel_column": "process", "host_column": "machine", "scope": "machine", "boundary": "server"}


@pytest.fixture
def read(tmp_path):
    def read(text, **changes):
        (tmp_path / "trackers.csv").write_text(text)
        return read_meters(check_declarations([{**DECLARED, **changes}]), tmp_path)
    return read


def test_trackers_of_one_machine_are_one_reading(read):
    # C12 of the cases: four processes each read 1.0 kWh of the same machine and hour: 1.0 kWh, not 4.0
    meters = read(ROWS)
    assert metered_run(meters, None, None, None, "server").work.energy_j == pytest.approx(3.6e6)  # hand: 1 kWh
    assert meters.channels[0].left_out == {"the same of the same machine as p0": 3}
    assert "p1 read the same of the same machine (n1): it is one reading, and not added" in meters.channels[0].notes


def test_trackers_that_disagree_are_not_added(read):
    with pytest.raises(InputError, match="p0 holds p1: they are not added"):
        check_added(read(ROWS.replace("p1,n1,2024-03-01T10:00:00Z,2024-03-01T11:00:00Z,1.0",
                                      "p1,n1,2024-03-01T10:00:00Z,2024-03-01T11:00:00Z,1.1")).channels)


def test_machines_of_their_own_are_added(read):
    meters = read(ROWS.replace("p3,n1", "p3,n2"))  # hand: one hour of two machines
    assert metered_run(meters, None, None, None, "server").work.energy_j == pytest.approx(7.2e6)
