"""The validity report of an inference result: what the rules look at, and all of them in order."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from joulebook.errors import InputError
from joulebook.intake.mlperf.inference.power import power_in_window
from joulebook.intake.mlperf.logs.detail_log import parse_detail_log
from joulebook.intake.mlperf.logs.power_log import parse_power_log
from joulebook.intake.mlperf.logs.ptd_log import parse_ptd_log
from joulebook.intake.mlperf.logs.session import parse_session
from joulebook.intake.mlperf.validity import analyzer, clocks, integrity, samples
from joulebook.intake.mlperf.validity.check import several

RULES = (clocks.phase_difference, clocks.load_inside_testing, clocks.time_base, clocks.testing_duration,
         samples.testing_power, samples.failed_reads, samples.gaps, samples.sampling, samples.channel_sum, samples.run_duration,
         analyzer.uncertainty, analyzer.uncertainty_checking, analyzer.ptd_errors, analyzer.ac_wall, analyzer.whole_system,
         integrity.same_uuid, integrity.same_session, integrity.same_messages, integrity.same_versions,
         integrity.sources_sha1, integrity.results_sha1, integrity.same_run, integrity.scenario_run, integrity.load_generator)


@dataclass(frozen=True)
class Evidence:
    """What the rules look at.

    Parameters
    ----------
    run : joulebook.intake.mlperf.inference.work.Run
        What was run.
    power : joulebook.intake.mlperf.inference.power.Power
        Its power.
    meter : joulebook.intake.mlperf.logs.power_log.PowerLog
        Its meter's log.
    times : ndarray of datetime64[us]
        Time stamps of the meter on the load generator's clock.
    window : (datetime64, datetime64)
        Begin and end of the run.
    files : joulebook.intake.mlperf.files.ResultFiles
        The result's files.
    run_name, ranging_name, power_name : callable
        Names of files of the run, of its ranging run and of the session, below the result's folder.
    """

    run: object
    power: object
    meter: object
    times: np.ndarray
    window: tuple
    files: object
    run_name: object = field(repr=False)
    ranging_name: object = field(repr=False)
    power_name: object = field(repr=False)

    @property
    def rules(self):
        """Version of the rules, or None."""
        return self.run.rules

    @cached_property
    def client(self):
        """Session of the client, or None, and why there is none."""
        return self.files.parsed(self.power_name("client.json"), parse_session)

    @cached_property
    def server(self):
        """Session of the server, or None, and why there is none."""
        return self.files.parsed(self.power_name("server.json"), parse_session)

    @cached_property
    def ptd(self):
        """The power daemon's log, or None, and why there is none."""
        return self.files.parsed(self.power_name("ptd_logs.txt"), parse_ptd_log)

    def both(self, attribute):
        """An attribute of both sides, and why one of them lacks it."""
        values, why = [], []
        for (session, reason), name in ((self.client, "client.json"), (self.server, "server.json")):
            value = getattr(session, attribute) if session else None
            values.append(value)
            if value is None:
                why.append(reason or f"{name} does not record it")
        return (*values, several(why, 2))

    @cached_property
    def ranging(self):
        """Power of the ranging run, or None, and why there is none."""
        names = self.ranging_name("spl.txt"), self.ranging_name("mlperf_log_detail.txt")
        meter, why = self.files.parsed(names[0], parse_power_log)
        log, why_log = self.files.parsed(names[1], parse_detail_log)
        if meter is None or log is None:
            return None, why or why_log
        shift = self.times[0] - self.meter.times[0]
        try:
            return power_in_window(meter.times + shift, meter.watts, log.time("power_begin"), log.time("power_end"),
                                   self.files.name(names[0])), ""
        except InputError as error:
            return None, f"the ranging run has no mean power: {error.problems[0].what}"


def report(evidence):
    """Check all rules.

    Parameters
    ----------
    evidence : Evidence
        What they look at.

    Returns
    -------
    tuple of Check
        One for each rule, in the order of `RULES`.
    """
    return tuple(rule(evidence) for rule in RULES)


def columns(evidence):
    """Figures of the report that have a column of their own.

    Parameters
    ----------
    evidence : Evidence
        What the rules look at.

    Returns
    -------
    dict
        Names of `MlperfResult`.
    """
    (client, _), (server, _), (ranging, _) = evidence.client, evidence.server, evidence.ranging
    found = {**analyzer.limit_of_error(evidence), "max_phase_diff_ms": clocks.largest_difference_ms(evidence),
             "client_tz": client.timezone_s if client else None, "server_tz": server.timezone_s if server else None,
             "device_type": analyzer.device_types(server)}
    if ranging:
        found |= {"ranging_avg_w": ranging.avg_power_w,
                  "testing_vs_ranging_pct": 100 * (evidence.power.avg_power_w / ranging.avg_power_w - 1)}
    return found
