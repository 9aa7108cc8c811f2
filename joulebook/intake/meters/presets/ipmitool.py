"""``ipmitool dcmi power reading``: one answer of a BMC or several, some of them without a sensor."""

import re

from joulebook.intake.checks import refuse
from joulebook.intake.meters.layout import Known, Layout, settle
from joulebook.intake.meters.lines import Lines
from joulebook.intake.meters.sheets.made import Made

_MOST = 1 << 28
_BEGIN = re.compile(r"Instantaneous power reading\s*:")
_NOW = re.compile(r"Instantaneous power reading\s*:\s*(\S+)\s*Watts?\b")
_OTHERS = re.compile(r"(?:Minimum during|Maximum during|Average power)[^:\n]*:\s*(\d+)\s*Watts?\b")
_TIME = re.compile(r"IPMI timestamp\s*:\s*(.{0,60}?)\s*(?:Sampling period|Power reading state|$)", re.M)
_STATE = re.compile(r"Power reading state is\s*:\s*(\w+)")
_ONCE = ("IPMI timestamp", "Power reading state", "Minimum during", "Maximum during", "Average power", "Sampling period:")
DEACTIVATED, ZERO = "power reading deactivated", "all figures 0: no sensor"


def open_file(path, shown, declaration, ask):
    """The table of a file with its layout."""
    text = Lines(path, shown, declaration.encoding).whole(_MOST)
    begins = [match.start() for match in _BEGIN.finditer(text)]
    if not begins:
        refuse("no power reading", file=shown, allowed="the output of ipmitool dcmi power reading")
    times, values, numbers, left_out, line, counted = [], [], [], {}, 1, 0
    for begin, end in zip(begins, [*begins[1:], len(text)], strict=True):
        block = text[begin:end]
        line += text.count("\n", counted, begin)
        counted = begin
        if any(block.count(field) > 1 for field in _ONCE):
            refuse("fields of two readings in one", file=shown, line=line, value=block.strip()[:60], allowed="each field once")
        now, state, stamp = _NOW.search(block), _STATE.search(block), _TIME.search(block)
        if state is not None and state[1].lower() == "deactivated":
            _count(left_out, DEACTIVATED)
            continue
        others = [float(number) for number in _OTHERS.findall(block)]
        if now is not None and now[1].isdecimal() and float(now[1]) == 0 and not any(others):
            _count(left_out, ZERO)
            continue
        if now is None or state is None:
            refuse("a reading that is cut short, or of another form", file=shown, line=line, value=block.strip()[:60],
                   allowed="Instantaneous power reading in Watts, IPMI timestamp, Power reading state")  # fmt: skip
        values.append(now[1])
        times.append(stamp[1] if stamp is not None else "")
        numbers.append(line)
    if declaration.interval_s is not None and not any(times):
        times = [repr(i * declaration.interval_s) for i in range(len(times))]
    table = Made(["IPMI timestamp", "Instantaneous power reading"], [times, values], numbers, left_out)
    layout = Layout(0, [(1, "")], scope=lambda label: "machine", time_unit="s" if declaration.interval_s is not None else None)
    settle(layout, table, declaration, Known(quantity="power", unit="W", kind="instantaneous", date_order="mdy"), ask)
    layout.interval_s = None
    return [(table, layout)]


def _count(left_out, reason):
    left_out[reason] = left_out.get(reason, 0) + 1
