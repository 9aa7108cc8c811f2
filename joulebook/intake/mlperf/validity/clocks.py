"""Rules about clocks: how far two machines are apart, and whether the run lies where the session says it was."""

import numpy as np

from joulebook.intake.mlperf.inference.clocks import utc_seconds
from joulebook.intake.mlperf.inference.rounds import named, phase_limit_ms
from joulebook.intake.mlperf.validity.check import hours, judged, unknown

_SAVING_S = 3600  # a clock put forward in summer
_SHORTER_PCT, _DIFFER_PCT = 50.0, 5.0


def largest_difference_ms(evidence):
    """Largest difference between the two sides' times of the same point, or None. [ms]"""
    client, server, _ = evidence.both("phases")
    if client is None or server is None or client.keys() != server.keys():
        return None
    differences = [abs(a - b) for name in client for a, b in zip(client[name], server[name], strict=True)]
    return 1000 * max(differences) if differences else None


def phase_difference(evidence):
    """The clocks of client and server are close to each other."""
    limit, difference = phase_limit_ms(evidence.rules), largest_difference_ms(evidence)
    if difference is None:
        _, _, why = evidence.both("phases")
        return unknown("phase_difference", why or "the two sides record different phases", limit, "ms")
    words = f"client and server are {difference:.1f} ms apart at most; {named(evidence.rules)} allows {limit:g} ms"
    return judged("phase_difference", difference <= limit, words, difference, limit, "ms")


def load_inside_testing(evidence):
    """The load generator's run lies inside the testing phase; daylight saving and local time are told, not failed."""
    client, why = evidence.client
    if client is None or not client.phases or "testing" not in client.phases:
        return unknown("load_inside_testing", why or "client.json records no testing phase")
    first, last = client.phases["testing"][1:3]
    begin, end = map(utc_seconds, evidence.window)
    zone = client.timezone_s or 0
    for shift in (0, -_SAVING_S, zone, zone - _SAVING_S, zone + _SAVING_S):
        if first < begin + shift and end + shift < last:
            margin = min(begin + shift - first, last - end - shift)
            return judged("load_inside_testing", True, _inside(shift, zone, margin), margin, 0.0, "s", warning=shift != 0)
    outside = max(first - begin, end - last)
    words = (f"the load generator's run lies {outside:.1f} s outside the testing phase, and no shift of daylight saving or of "
             "the client's time zone brings it there")
    return judged("load_inside_testing", False, words, -outside, 0.0, "s")


def _inside(shift, zone, margin):
    """Where a run lies, in words."""
    if shift == 0:
        return f"power_begin and power_end lie inside the testing phase, {margin:.1f} s from its edge"
    if shift == -_SAVING_S:
        return ("the load generator's clock is 1 h ahead of the session's phases (daylight saving): with the tolerated shift of "
                f"1 h the run lies inside the testing phase, {margin:.1f} s from its edge")
    saving = "" if shift == zone else ", daylight saving included"
    return (f"the logs are in local time, {hours(-shift)} from UTC{saving} (client.json: {hours(-zone)}): read so, the run lies "
            f"inside the testing phase, {margin:.1f} s from its edge; today's checker, which takes them as UTC, refuses it")


def time_base(evidence):
    """The meter's rows and the load generator's are in one frame of time; recorded time zones are told, and not added."""
    client, server, why = evidence.both("timezone_s")
    if client is None and server is None:
        return unknown("time_base", why)
    zones = ", ".join(f"{name} {hours(-zone)}" for name, zone in (("client", client), ("server", server)) if zone is not None)
    words = f"time zones recorded, from UTC: {zones}"
    if (evidence.times[0] - evidence.meter.times[0]) != np.timedelta64(0, "us"):
        words += "; the server's was added to the meter's rows, which are in local time"
        return judged("time_base", True, words, warning=True)
    begin, end = evidence.window
    wrong = {zone for zone in (client, server) if zone}
    left = [int(np.count_nonzero((evidence.times + np.timedelta64(zone, "s") > begin)
                                 & (evidence.times + np.timedelta64(zone, "s") < end))) for zone in sorted(wrong)]
    if wrong:
        words += (f"; both logs are on one clock and none is added: added to the meter's rows, {max(left)} of "
                  f"{evidence.power.n_samples} samples would be left in the window")
    return judged("time_base", True, words, warning=client != server)


def testing_duration(evidence):
    """The testing run is about as long as the ranging run; the figures are those of the testing run alone."""
    ranging, why = evidence.ranging
    if ranging is None:
        return unknown("testing_duration", why, -_SHORTER_PCT, "%")
    longer = 100 * (evidence.power.duration_s / ranging.duration_s - 1)
    words = f"testing {evidence.power.duration_s:g} s is {longer:+.1f} % against ranging {ranging.duration_s:g} s"
    if longer < -_SHORTER_PCT:
        words += f": more than {_SHORTER_PCT:g} % shorter, which is a warning"
    elif abs(longer) > _DIFFER_PCT:
        words += f": they differ by more than {_DIFFER_PCT:g} %; the figures are those of the testing run alone"
    return judged("testing_duration", True, words, longer, -_SHORTER_PCT, "%", warning=abs(longer) > _DIFFER_PCT)

