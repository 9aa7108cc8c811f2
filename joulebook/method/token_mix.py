"""Tokens of a request, the energy of each kind, and of a mix of one's own (method, section 5)."""

import numpy as np
from scipy.optimize import nnls

from joulebook.method.fleet import NO_WORK, per_million
from joulebook.method.ranges import DRAWS, bootstrap_means
from joulebook.method.study import gives
from joulebook.units import PER_MILLION

CONDITION_LIMIT = 1000.0


def units_per_request(input_tokens, output_tokens, unit_of_work):
    """Units of work in a request, or None where the unit of work is no token.

    Examples
    --------
    >>> units_per_request(1000.0, 250.0, "output_token"), units_per_request(1000.0, 250.0, "token")
    (250.0, 1250.0)
    """
    return {"input_token": input_tokens, "output_token": output_tokens, "token": input_tokens + output_tokens}.get(unit_of_work)


@gives("requests_counted", "input_tokens_per_request", "output_tokens_per_request", "total_tokens_per_request")
def request_tokens(requests, rng=None):
    """Tokens per request of a sample of completed requests, with a bootstrap interval.

    Parameters
    ----------
    requests : pandas.DataFrame
        Columns `ok`, `input_tokens`, `output_tokens`.
    rng : numpy.random.Generator, optional
        Draws the resamples; without one, the means of the sample itself.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    done = requests.loc[requests["ok"].to_numpy(bool), ["input_tokens", "output_tokens"]].to_numpy(float)
    failed = len(requests) - len(done)
    if not len(done):
        names = request_tokens.results
        return {
            **dict.fromkeys(names),
            "requests_counted": 0.0,
            "notes": dict.fromkeys(names, "no request of the sample was completed"),
        }
    means = done.mean(axis=0) if rng is None else bootstrap_means(done, rng)
    return {
        "requests_counted": len(done),
        "input_tokens_per_request": means[..., 0],
        "output_tokens_per_request": means[..., 1],
        "total_tokens_per_request": means.sum(axis=-1),
        "notes": {"requests_counted": f"{failed} not completed, left out"} if failed else {},
    }


@gives("energy_per_input_token_j", "energy_per_output_token_j", "energy_per_request_j")
def energy_of_tokens(energy_windows, rng=None):
    r"""Energy of an input token, an output token and a request, from runs at several mixes.

    Parameters
    ----------
    energy_windows : pandas.DataFrame
        Columns `input_tokens`, `output_tokens`, `energy_j` and, optionally, `requests`; a row a run.
    rng : numpy.random.Generator, optional
        Draws what the scatter of the runs about the fit leaves open; without one, the fit itself.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    Non-negative least squares of

    .. math:: E = e_\mathrm{in} N_\mathrm{in} + e_\mathrm{out} N_\mathrm{out} + e_\mathrm{req} N_\mathrm{req}

    Refused where the condition number of the matrix with its columns scaled to length one exceeds 1000:
    the mixes are then too alike to tell the parts apart. The scatter of the runs gives the parts a type A uncertainty with as
    many degrees of freedom as there are runs beyond the unknowns; as many runs as unknowns leave none, and no range.
    """
    columns = [name for name in ("input_tokens", "output_tokens", "requests") if name in energy_windows]
    work = energy_windows[columns].to_numpy(float)
    lengths = np.linalg.norm(work, axis=0)
    names = energy_of_tokens.results
    condition = np.linalg.cond(work / lengths) if lengths.all() else np.inf
    if len(work) < 3 or len(work) < len(columns) or not condition <= CONDITION_LIMIT:
        reason = (
            f"refused: the condition number is {condition:.3g}, above {CONDITION_LIMIT:g}; the mixes of the runs are too alike"
            if len(work) >= max(3, len(columns))
            else "refused: fewer than three runs, or fewer than unknowns"
        )
        return {**dict.fromkeys(names), "notes": dict.fromkeys(names, reason)}
    energy_j = energy_windows["energy_j"].to_numpy(float)
    fitted = nnls(work / lengths, energy_j)[0]
    if rng is not None:
        fitted = _scattered(work / lengths, energy_j, fitted, rng)
    per = dict(zip(columns, np.moveaxis(fitted / lengths, -1, 0), strict=True))
    notes = {} if "requests" in per else {"energy_per_request_j": "the runs have no requests column"}
    return {
        "energy_per_input_token_j": per["input_tokens"],
        "energy_per_output_token_j": per["output_tokens"],
        "energy_per_request_j": per.get("requests"),
        "notes": notes,
    }


def _scattered(work, energy_j, fitted, rng, draws=DRAWS):
    """Draws of fitted parts by the scatter about the fit, multivariate t, none below 0; the fit itself where none is known.

    A part that the fit holds at 0 is no least-squares estimate, so that its scatter says nothing of it.
    """
    dof = len(work) - work.shape[1]
    if dof < 1 or not fitted.all():
        return np.broadcast_to(fitted, (draws, len(fitted)))
    variance = np.sum((energy_j - work @ fitted) ** 2) / dof
    spread = rng.multivariate_normal(np.zeros(len(fitted)), variance * np.linalg.inv(work.T @ work), size=draws)
    return np.maximum(fitted + spread / np.sqrt(rng.chisquare(dof, (draws, 1)) / dof), 0.0)


@gives("mix_energy_per_request_j", "mix_energy_per_unit_j", "transfer_ratio")
def energy_of_my_mix(
    energy_per_input_token_j,
    energy_per_output_token_j,
    input_tokens_per_request,
    output_tokens_per_request,
    energy_per_unit_j,
    unit_of_work=None,
    energy_per_request_j=None,
):
    """Energy of a request with my tokens, per unit of work, and against the figure at full load.

    Parameters
    ----------
    energy_per_input_token_j, energy_per_output_token_j, energy_per_request_j : float or ndarray
        Results of `energy_of_tokens`. [J]
    input_tokens_per_request, output_tokens_per_request : float or ndarray
        Results of `request_tokens`.
    energy_per_unit_j : float or ndarray
        Result of `at_full_load`, the published or measured figure. [J]
    unit_of_work : str, optional
        What that figure counts.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    request_j = energy_per_input_token_j * input_tokens_per_request + energy_per_output_token_j * output_tokens_per_request
    if energy_per_request_j is not None:
        request_j = request_j + energy_per_request_j
    tokens = units_per_request(input_tokens_per_request, output_tokens_per_request, unit_of_work)
    mine = np.nan if tokens is None else per_million(request_j, tokens) / PER_MILLION
    reason = no_tokens(unit_of_work) if tokens is None else NO_WORK
    notes = {} if np.all(np.isfinite(mine)) else dict.fromkeys(("mix_energy_per_unit_j", "transfer_ratio"), reason)
    return {
        "mix_energy_per_request_j": request_j,
        "mix_energy_per_unit_j": mine,
        "transfer_ratio": mine / energy_per_unit_j,
        "notes": notes,
    }


def no_tokens(unit_of_work):
    """Reason why a unit of work cannot be counted in tokens."""
    return f"units of work mixed without a factor: {unit_of_work or 'not stated'} and tokens"
