"""What a load generator's file says of a run: as it states it, and as its requests add up."""

from dataclasses import dataclass, field

import numpy as np

from joulebook.method.request_totals import COUNTS, RATES, totals

CLOCKS = {
    "utc": "UTC",
    "seconds": "seconds from an origin that the file does not name",
    "unknown": "no clock that could be joined with a meter's: for totals only",
}
_ROUNDING = 1e-3  # relative; generators print rates and latencies with three digits or more
_LATEST_US = 1e-6
_OVERHEAD = 0.01  # share by which the stated duration may exceed the span of the requests without a word


@dataclass(frozen=True)
class Load:
    """A run of a load generator.

    Parameters
    ----------
    generator : str
        Whose file it is, such as ``vLLM bench serve``.
    shown : str
        How the user named the file.
    clock : str
        One of `CLOCKS`.
    origin : numpy.datetime64 or None
        Time in UTC that the requests' times count from, on the clock ``utc``.
    requests : joulebook.method.request_totals.Requests or None
        The requests in the order of the file, failed ones too; None where the file has totals alone.
    stated : dict of str to float
        Totals, rates and latencies as the file states them, in SI units and by the names of `totals`.
    counted : dict of str to float
        The same, from the requests; rates over the stated window where there is one.
    missing : dict of str to str
        What neither of them has, and why.
    left_out : dict of str to int
        Records of the file that were not used, by reason.
    notes : tuple of str
        What must be said beside the numbers, disagreements between `stated` and `counted` among them.
    """

    generator: str
    shown: str
    clock: str
    origin: object = None
    requests: object = None
    stated: dict = field(default_factory=dict)
    counted: dict = field(default_factory=dict)
    missing: dict = field(default_factory=dict)
    left_out: dict = field(default_factory=dict)
    notes: tuple = ()

    def value(self, name):
        """A total by its name: counted from the requests where there are any, else as stated; None where there is neither."""
        return self.counted.get(name, self.stated.get(name))


def load(generator, shown, clock, requests=None, stated=None, why=None, **more):
    """Put a `Load` together: count its requests and compare that with what the file states.

    Parameters
    ----------
    generator, shown, clock, requests, stated
        As in `Load`.
    why : str, optional
        Why there are no requests, where there are none.
    **more
        The rest of `Load`; `notes` and `missing` are added to.

    Returns
    -------
    Load
        The run.
    """
    stated = dict(stated or {})
    if stated.get("window_s") == 0:
        del stated["window_s"]
        more["missing"] = {**more.get("missing", {}), "window_s": "the file states a run of no time"}
    counted, missing = totals(requests, stated.get("window_s")) if requests is not None else ({}, {"requests": why})
    missing = {**missing, **more.pop("missing", {})}
    missing = {name: reason for name, reason in missing.items() if name not in stated and name not in counted}
    notes = (*more.pop("notes", ()), *_disagreements(stated, counted, requests))
    return Load(generator, shown, clock, requests=requests, stated=stated, counted=counted, missing=missing, notes=notes, **more)


def _disagreements(stated, counted, requests):
    ended = requests is not None and not np.isnan(requests.end_s).any()  # else the run may have gone on
    for name in (name for name in stated if name in counted):
        said, own = stated[name], counted[name]
        if name == "window_s":
            apart = said < own * (1 - _ROUNDING) or (ended and said > own * (1 + _OVERHEAD))
        elif name in COUNTS:
            apart = said != own
        else:
            apart = abs(said - own) > _ROUNDING * abs(own) + _LATEST_US
        if apart:
            yield f"the file states {name} {said:.6g}, its requests give {own:.6g}"
    for rate, work in RATES.items():
        if rate not in counted and {rate, work, "window_s"} <= set(stated):
            own = stated[work] / stated["window_s"]
            if abs(stated[rate] - own) > _ROUNDING * own:
                yield f"the file states {rate} {stated[rate]:.6g}, its totals give {own:.6g}"
