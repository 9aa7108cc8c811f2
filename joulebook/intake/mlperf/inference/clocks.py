"""The clock of a meter's log: the load generator's own, or the local time of the machine that measured."""

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.inference.power import seconds
from joulebook.intake.mlperf.logs.session import parse_session
from joulebook.intake.mlperf.validity.check import hours, plural

METER_CLOCKS = ("logged", "local")
_SLACK_S = 60.0  # a log may begin before the phase that it belongs to
_WIDEST_S, _STEP_S = 14 * 3600, 1800  # zones, and the steps between them


def meter_times(meter, window, files, power_name, declared):
    """Time stamps of a meter's log on the clock of the load generator.

    A zone is added only where the log is known to be local: because it was declared, or because the phases of
    ``server.json`` hold the run as logged, and the meter's rows only when they are read as local time.

    Parameters
    ----------
    meter : joulebook.intake.mlperf.logs.power_log.PowerLog
        The meter's log.
    window : (datetime64, datetime64)
        Begin and end of the run.
    files : joulebook.intake.mlperf.files.ResultFiles
        The result's files.
    power_name : callable
        Name, among them, of a file of the session.
    declared : str
        ``logged``: as the load generator's; ``local``: local time of the machine that measured.

    Returns
    -------
    times : ndarray of datetime64[us], shape (n,)
        The time stamps.
    notes : list of str
        What was added, and why.

    Raises
    ------
    InputError
        If the log is declared local and no time zone is recorded.
    """
    begin, end = window
    inside = _inside(meter.times, begin, end)
    if declared != "local" and inside:
        return meter.times, []
    place = power_name("server.json")
    server, why = files.parsed(place, parse_session)
    zone_s = server.timezone_s if server else None
    if declared == "local":
        if zone_s is None:
            raise InputError(Problem("the meter's clock is declared as local, and no time zone is recorded",
                                     file=files.name(place), field="timezone", allowed=why or "seconds west of UTC"))
        return meter.times + np.timedelta64(zone_s, "s"), [_said(zone_s, "as declared")]
    if zone_s and server.phases and _known_local(meter.times, begin, end, zone_s, server.phases):
        shifted = meter.times + np.timedelta64(zone_s, "s")
        return shifted, [_said(zone_s, "only so do they lie in the testing phase of server.json")]
    return meter.times, []


def likely_zone(times, window, zone_s, declared):
    """Why no row may lie inside a window, in words.

    Parameters
    ----------
    times : ndarray of datetime64[us]
        Time stamps of the meter, as they were read.
    window : (datetime64, datetime64)
        Begin and end of the run.
    zone_s : int or None
        Time zone that ``server.json`` records. [s west of UTC]
    declared : str
        Clock that was declared.

    Returns
    -------
    str
        The shift that would bring the rows into the window, if it is one of a time zone.
    """
    begin, end = window
    if declared == "local":
        before = _inside(times - np.timedelta64(zone_s or 0, "s"), begin, end)
        return (f"without the declared shift of {hours(zone_s)} {plural(before, 'row')} would lie inside: the log is not in "
                "local time" if zone_s and before else "declared as local")
    shifts = [*([zone_s] if zone_s else []), *sorted(range(-_WIDEST_S, _WIDEST_S + 1, _STEP_S), key=abs)]
    found = {shift: _inside(times + np.timedelta64(shift, "s"), begin, end) for shift in shifts}
    most = max(found.values())
    if not most:
        return "no time zone brings them there"
    shift = next(shift for shift, count in found.items() if count == most)
    if shift == zone_s:
        return (f"the meter's clock seems to be local: with the zone of server.json ({hours(shift)}) {plural(most, 'row')} would "
                "lie inside; no time zone is added unless the log is known to be local: declare its clock so (meter_clock: "
                "local, or --meter-clock local)")
    return (f"shifted by {hours(shift)} {plural(most, 'row')} would lie inside, as in another time zone; no time zone is ever "
            "added unless the log is known to be local")


def utc_seconds(time):
    """A naive time read as UTC. [s since 1970]"""
    return seconds(time - np.datetime64(0, "us"))


def _inside(times, begin, end):
    return int(np.count_nonzero((times > begin) & (times < end)))


def _known_local(times, begin, end, zone_s, phases):
    """Whether phases in UTC hold the run as logged, and the meter's rows only after its zone is added."""
    if "testing" not in phases:
        return False
    first, last = phases["testing"][0] - _SLACK_S, phases["testing"][-1] + _SLACK_S
    rows = utc_seconds(times[0]), utc_seconds(times[-1])
    run = first <= utc_seconds(begin) and utc_seconds(end) <= last
    as_logged = first <= rows[0] <= last or first <= rows[1] <= last
    return run and not as_logged and all(first <= row + zone_s <= last for row in rows)


def _said(zone_s, why):
    return f"the meter's rows are read as local time, {hours(zone_s)} added ({why})"

