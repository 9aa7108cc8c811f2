"""Rules about the meter: its uncertainty, its errors, and where it measures."""

import numpy as np

from joulebook.intake.mlperf.inference.rounds import phase_limit_ms
from joulebook.intake.mlperf.logs.power_log import volts
from joulebook.intake.mlperf.validity.check import judged, plural, several, unknown

LIMIT_PCT = 1.0
_ACCEPTED = "USB."
_DC_DEVICES = {508, 549, 586}  # numbers of the power daemon for meters set to direct current
_MAINS_V = (85.0, 500.0)


def device_types(session):
    """Meters as the power daemon numbers them, such as ``77``; None where the server does not say."""
    types = [str(device["device_type"]) for device in session.devices if "device_type" in device] if session else []
    return "+".join(types) or None


def uncertainty(evidence):
    """No sample under load has an uncertainty above the limit; the two clocks' difference is allowed at the edges."""
    log, why = evidence.ptd
    if log is None:
        return unknown("uncertainty", why, LIMIT_PCT, "%")
    stated, not_evaluated = _under_load(evidence, log)
    above = [number for number in stated if number > LIMIT_PCT]
    if above:
        words = f"{plural(len(above), 'sample')} under load above {LIMIT_PCT:.2f} %, up to {max(above):.2f} %"
        return judged("uncertainty", False, words, max(above), LIMIT_PCT, "%")
    if log.checking_from() is None:
        return unknown("uncertainty", "its check was not switched on", LIMIT_PCT, "%")
    words = f"no sample under load stated above {LIMIT_PCT:.2f} %"
    if not_evaluated:
        words += f", {not_evaluated} could not be evaluated"
    return judged("uncertainty", True, words, None, LIMIT_PCT, "%", warning=not_evaluated)


def uncertainty_checking(evidence):
    """The meter's uncertainty was checked from before ranging on."""
    log, why = evidence.ptd
    if log is None:
        return unknown("uncertainty_checking", why)
    ranging, since = log.phases("ranging"), log.checking_from()
    if since is None:
        return judged("uncertainty_checking", False, "the power daemon's log does not say that uncertainty is checked")
    if not ranging:
        return unknown("uncertainty_checking", "the power daemon's log does not tell when ranging began")
    before = (ranging[0][0] - since) / np.timedelta64(1, "s")
    words = f"switched on {abs(before):.1f} s {'before' if before > 0 else 'after'} ranging began"
    return judged("uncertainty_checking", before > 0, words, before, 0.0, "s")


def ptd_errors(evidence):
    """The power daemon has no error outside ranging, but for those of its own connection."""
    log, why = evidence.ptd
    if log is None:
        return unknown("ptd_errors", why, 0.0, "errors")
    ranging = log.phases("ranging")
    if not ranging or any(end is None for _, end in ranging):
        return unknown("ptd_errors", "the power daemon's log does not tell when ranging began and ended", 0.0, "errors")
    outside = [(line, words) for time, line, words in log.errors() if not any(begin <= time <= end for begin, end in ranging)]
    failing = [(line, words) for line, words in outside if words != _ACCEPTED]
    accepted = len(outside) - len(failing)
    if failing:
        kinds = dict.fromkeys(words for _, words in failing)
        words = f"{plural(len(failing), 'error')} outside ranging, first in line {failing[0][0]}: {several(kinds, 2)}"
        return judged("ptd_errors", False, words, float(len(failing)), 0.0, "errors")
    words = "no error outside ranging" + (f" but {plural(accepted, 'line')} {_ACCEPTED}, which is accepted" if accepted else "")
    return judged("ptd_errors", True, words, 0.0, 0.0, "errors", warning=accepted)


def ac_wall(evidence):
    """The meter measures alternating current, at the wall."""
    server, why = evidence.server
    devices = server.devices if server else ()
    direct = [device for device in devices if device.get("dc_flag") or device.get("device_type") in _DC_DEVICES]
    identity = (server.identity or "").split(",")[0] if server else ""
    if direct or identity.endswith("_DC"):
        return judged("ac_wall", False, f"the meter is set to direct current ({identity or device_types(server)})")
    mains = volts(evidence.files.read(evidence.run_name("spl.txt")))
    if not mains:
        return unknown("ac_wall", "the meter's log reports no voltage")
    middle = float(np.median(mains))
    if not devices and not identity:
        return unknown("ac_wall", f"{middle:.0f} V as of mains, but no meter is named: {why or 'server.json does not name it'}")
    kept = _MAINS_V[0] <= middle <= _MAINS_V[1]
    words = f"{identity or device_types(server)} reads {middle:.0f} V" + (", as of mains" if kept else ": no voltage of mains")
    if server.listed:
        words += f"; ptd_config is a list of {plural(len(devices), 'analyzer')} (multi-analyzer format)"
    return judged("ac_wall", kept, words, middle, _MAINS_V[0], "V")


def whole_system(evidence):
    """The whole system is measured and runs on no battery: no log can show it."""
    return unknown("whole_system", "no log tells what was plugged into the meter, nor of a battery: see the submitter's pictures "
                   "and power settings")


def limit_of_error(evidence):
    """Limit of error of the mean power, and where it comes from, as columns of a result.

    The power daemon states the uncertainty of a sample only where it is above 1 % of the reading. So the largest that it
    states under load, and else 1 %, is a limit that holds for every sample that was checked, and for their mean.
    """
    log, why = evidence.ptd
    if log is None:
        return _limit(f"the rule's limit of {LIMIT_PCT:g} %; not shown: {why}")
    stated, not_evaluated = _under_load(evidence, log)
    if stated and max(stated) > LIMIT_PCT:
        return {"uncertainty_pct": max(stated), "uncertainty_source": "ptd_logs.txt, the largest stated of a sample under load"}
    if log.checking_from() is None:
        return _limit(f"the rule's limit of {LIMIT_PCT:g} %; not shown: uncertainty was not checked")
    but = f"; {plural(not_evaluated, 'sample')} not evaluated" if not_evaluated else ""
    return _limit(f"the rule's limit of {LIMIT_PCT:g} %, checked by the power daemon: no sample under load stated above it{but}")


def _limit(source):
    return {"uncertainty_pct": LIMIT_PCT, "uncertainty_source": source}


def _under_load(evidence, log):
    """Uncertainties stated under load, and how many could not be evaluated."""
    begin, end = evidence.window
    shift = evidence.times[0] - evidence.meter.times[0]
    edge = np.timedelta64(int(phase_limit_ms(evidence.rules)), "ms")
    return log.uncertainties(begin - shift + edge, end - shift - edge)
