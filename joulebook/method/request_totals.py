"""Requests of a load generator, on one clock: what they add up to."""

from dataclasses import dataclass, fields

import numpy as np

COUNTS = ("started", "completed", "failed", "input_tokens", "output_tokens")
RATES = {"completed_per_s": "completed", "input_tokens_per_s": "input_tokens", "output_tokens_per_s": "output_tokens"}
TIMES = {"latency": "latency_s", "latency_ttft": "ttft_s", "latency_tpot": "tpot_s"}
PERCENTILES = (50, 90, 95, 99)
_NOTHING = "no request was completed"


@dataclass(frozen=True)
class Requests:
    """Requests of one run, an entry each; nan where a number is not known.

    Parameters
    ----------
    start_s, end_s : ndarray of float, shape (n,)
        When a request was sent and when its last response came, on one clock. [s]
    ok : ndarray of bool, shape (n,)
        Whether it was answered in full; failed requests stay in the list.
    input_tokens, output_tokens : ndarray of float, shape (n,)
        Tokens of the prompt and of the answer. [tokens]
    ttft_s : ndarray of float, shape (n,)
        Time to first token. [s]
    tpot_s : ndarray of float, shape (n,)
        Time per output token after the first. [s]
    latency_s : ndarray of float, shape (n,)
        From sending to the last token. [s]
    """

    start_s: object
    end_s: object
    ok: object
    input_tokens: object
    output_tokens: object
    ttft_s: object
    tpot_s: object
    latency_s: object

    def __len__(self):
        return len(self.ok)

    def take(self, which):
        """The requests of a mask or of indices."""
        return Requests(*(getattr(self, field.name)[which] for field in fields(self)))


def time_per_output_token(latency_s, ttft_s, output_tokens):
    """Mean time of the output tokens after the first; nan where there is no second one. [s]

    Parameters
    ----------
    latency_s, ttft_s : array_like, shape (n,)
        Latency and time to first token. [s]
    output_tokens : array_like, shape (n,)
        Tokens of the answer. [tokens]

    Returns
    -------
    ndarray of float, shape (n,)
        (latency - time to first token) / (output tokens - 1).

    Examples
    --------
    >>> time_per_output_token([2.0, 2.0], [0.5, 0.5], [4, 1]).tolist()  # the second answers with a single token
    [0.5, nan]
    """
    latency, first, tokens = (np.asarray(part, float) for part in (latency_s, ttft_s, output_tokens))
    several = tokens > 1
    return np.divide(latency - first, tokens - 1, out=np.full(latency.shape, np.nan), where=several)


def totals(requests, window_s=None):
    """Counts, rates and latencies of some requests, and what is not available.

    Parameters
    ----------
    requests : Requests
        The requests.
    window_s : float, optional
        Length of time that rates are taken over, such as that of the whole run; from the first start to the last end without
        it. [s]

    Returns
    -------
    (dict of str to float, dict of str to str)
        What there is: `COUNTS` (tokens are those of completed requests), ``window_s`` from the first start to the last
        end [s], `RATES` [1/s], and the mean and `PERCENTILES` of each of `TIMES` over completed requests, such as
        ``latency_ttft_p99_s`` [s]. And what there is not, with the reason: a rate of no work is not 0.

    Examples
    --------
    >>> nan = np.full(2, np.nan)
    >>> two = Requests(np.array([0.0, 1]), np.array([2.0, 4]), np.array([True, True]), np.array([10.0, 10]), np.array([4.0, 6]),
    ...                nan, nan, np.array([2.0, 3]))
    >>> values, missing = totals(two)
    >>> values["output_tokens_per_s"], values["latency_p50_s"], missing["latency_ttft_mean_s"]
    (2.5, 2.5, 'no completed request has its ttft_s')
    """
    done = requests.take(requests.ok)
    values = {"started": len(requests), "completed": len(done), "failed": len(requests) - len(done)}
    missing = {}
    for name in ("input_tokens", "output_tokens"):
        tokens = getattr(done, name)
        unknown = int(np.isnan(tokens).sum())
        if unknown or not len(done):
            missing[name] = f"{unknown} of {len(done)} completed requests do not have theirs" if unknown else _NOTHING
        else:
            values[name] = float(tokens.sum())
    span = _span(requests)
    if span:
        values["window_s"] = span
    else:
        missing["window_s"] = "the requests have no times" if span is None else "the requests take no time"
    over = window_s or span
    for rate, work in RATES.items():
        if work not in values or not over:
            missing[rate] = missing.get(work) or missing["window_s"]
        elif not values[work]:
            missing[rate] = _NOTHING if work == "completed" else f"no {work.replace('_', ' ')}: a rate of no work is not 0"
        else:
            values[rate] = values[work] / over
    for name, field in TIMES.items():
        known = getattr(done, field)
        known = known[~np.isnan(known)]
        points = {"mean": known.mean, **{f"p{q}": lambda q=q, known=known: np.percentile(known, q) for q in PERCENTILES}}
        for point, value in points.items():
            if len(known):
                values[f"{name}_{point}_s"] = float(value())
            else:
                missing[f"{name}_{point}_s"] = f"no completed request has its {field}" if len(done) else _NOTHING
    return values, missing


def _span(requests):
    starts, ends = requests.start_s, requests.end_s
    if not np.isfinite(starts).any() or not np.isfinite(ends).any():
        return None
    return float(np.nanmax(ends) - np.nanmin(starts))
