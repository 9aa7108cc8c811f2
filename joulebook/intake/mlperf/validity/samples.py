"""Rules about samples: how many, how regular, how many failed, and what they say against the ranging run."""

from joulebook.intake.mlperf.inference.power import stamp
from joulebook.intake.mlperf.inference.rounds import FILTER_FROM, named, shortest_run_s
from joulebook.intake.mlperf.validity.check import judged, plural, unknown
from joulebook.method.meters.pieces import GAP_IN_INTERVALS

_BELOW_PCT = 5.0
_LEAST_COVERAGE = 0.99  # below it an energy is not that of its window
_LONGEST_INTERVAL_S = 1.0
_STAMP_S = 0.05  # time stamps of one meter differ by so much from row to row


def testing_power(evidence):
    """Mean power under test is not far below that of the ranging run, which did the same."""
    ranging, why = evidence.ranging
    if ranging is None:
        return unknown("testing_power", why, -_BELOW_PCT, "%")
    testing_w = evidence.power.avg_power_w
    above = round(100 * (testing_w / ranging.avg_power_w - 1), 2)  # as the official checker rounds it
    words = f"testing mean {testing_w:.6g} W is {above:+.2f} % against ranging {ranging.avg_power_w:.6g} W"
    kept = above > -_BELOW_PCT
    if not kept:
        words += f": more than {_BELOW_PCT:g} % below, invalid under today's rule"
    return judged("testing_power", kept, words, above, -_BELOW_PCT, "%")


def failed_reads(evidence):
    """Failed reads are told; they are left out of the mean."""
    power = evidence.power
    if not power.n_nonpositive:
        return judged("failed_reads", True, f"no failed read among {plural(power.n_samples, 'sample')}", 0.0, None, "%")
    share = 100 * power.n_nonpositive / power.n_samples
    words = (f"{plural(power.n_nonpositive, 'failed read')} (not positive, or nan) among {plural(power.n_samples, 'sample')} in "
             f"the window ({share:.2f} %), left out of the mean")
    if evidence.rules is not None and evidence.rules < FILTER_FROM:
        words += f"; {named(evidence.rules)} itself still counted them"
    return judged("failed_reads", True, words, share, None, "%", warning=True)


def gaps(evidence):
    """No gap is longer than three sampling intervals: it would not be bridged."""
    power = evidence.power
    if power.max_gap_s is None or power.interval_s is None:
        return unknown("gaps", "fewer than two samples in the window", None, "s")
    limit = GAP_IN_INTERVALS * power.interval_s
    words = f"longest gap {power.max_gap_s:.3f} s after {stamp(power.gap_at)}; {GAP_IN_INTERVALS:g} intervals are {limit:.3f} s"
    short = power.max_gap_s <= limit * (1 + 1e-9)
    share = "" if power.coverage is None else f", the integral covers {100 * power.coverage:.2f} % of the window"
    if not short:
        return judged("gaps", False, f"{words}: not bridged{share}", power.max_gap_s, limit, "s")
    holes = power.coverage is not None and power.coverage < 1 - 1e-9
    if holes:
        words += f"; failed reads leave holes that are longer and not bridged{share}"
    return judged("gaps", not holes or power.coverage >= _LEAST_COVERAGE, words, power.max_gap_s, limit, "s", warning=holes)


def sampling(evidence):
    """The meter reads at least once a second."""
    interval = evidence.power.interval_s
    if interval is None:
        return unknown("sampling", "fewer than two samples in the log", _LONGEST_INTERVAL_S, "s")
    words = f"a sample each {interval:.3f} s (median); at least one a second is asked"
    return judged("sampling", interval <= _LONGEST_INTERVAL_S + _STAMP_S, words, interval, _LONGEST_INTERVAL_S, "s")


def channel_sum(evidence):
    """The total is the sum of its channels, all with the right sign."""
    meter = evidence.meter
    if meter.channels == 1:
        return judged("channel_sum", True, "one channel", 1.0)
    many = f"multi-channel: the first Watts field is the total of {meter.channels} channels"
    if not meter.apart:
        return judged("channel_sum", True, f"{many}, which they add up to", float(meter.apart), 0.0, "rows")
    apart = f"in {plural(meter.apart, 'row')} they do not add up to it ({meter.apart_words})"
    return judged("channel_sum", True, f"{many}, but {apart}", float(meter.apart), 0.0, "rows", warning=True)


def run_duration(evidence):
    """The run is long enough."""
    limit, length = shortest_run_s(evidence.rules), evidence.power.duration_s
    return judged("run_duration", length >= limit, f"the run lasts {length:g} s; {named(evidence.rules)} asks for {limit:g} s",
                  length, limit, "s")
