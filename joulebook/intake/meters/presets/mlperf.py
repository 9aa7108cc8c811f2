"""MLPerf's ``spl.txt``: the total of each row, its stamps in a zone that the log does not state."""

import re

import pyarrow as pa

from joulebook.intake.checks import refuse
from joulebook.intake.meters.layout import Known, Layout, settle
from joulebook.intake.meters.sheets.made import Made
from joulebook.intake.mlperf import parse_power_log
from joulebook.intake.text import read_bytes

_MOST = 1 << 31
_OTHER = "does not start with Time"
ZERO = "0 W: a failed read"  # of a meter at the wall of a machine at work, as the official checker takes it
_BELOW = re.compile(rb",(?:Analyzer|Ch)(\d+),(?:Time,[^,\n]*,)?Watts,(-[0-9.]+)")


def open_file(path, shown, declaration, ask):
    """The table of a file with its layout."""
    data = read_bytes(path, shown, _MOST)
    log = parse_power_log(data, shown)
    years = log.times.astype("datetime64[Y]").astype(int) + 1970
    if log.times.size and not (years.min() >= 1970 and years.max() < 2200):
        wrong = log.times[(years < 1970) | (years >= 2200)][0]
        refuse("no date of a measurement", file=shown, field="Time", value=str(wrong), allowed="a date of 1970 to 2199")
    notes = ()
    if log.channels > 1:
        notes += (f"the total of each row is used; its {log.channels} channels are within it and are not added",)
    if log.apart:
        notes += (f"the total is not the sum of its channels in {log.apart} rows, furthest: {log.apart_words}",)
    for channel in sorted(
        {int(number) for number, watts in _BELOW.findall(data) if watts.rstrip(b"0").rstrip(b".") not in (b"-1", b"-2")}
    ):
        notes += (f"channel {channel} reads below 0 W: its sign is wrong, or it feeds back",)
    read = log.watts != 0
    left_out = {_OTHER: log.other_rows, ZERO: int((~read).sum())}
    columns = [pa.array(log.times[read].astype("datetime64[ns]")), log.watts[read]]
    table = Made(["Time", "Watts"], columns, left_out={reason: count for reason, count in left_out.items() if count})
    layout = Layout(0, [(1, "")], notes=notes)
    settle(layout, table, declaration, Known(quantity="power", unit="W", kind="instantaneous", date_order="mdy"), ask)
    return [(table, layout)]
