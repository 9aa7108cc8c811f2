"""InferenceX: an assumed all-in power of an accelerator over its rate."""

from joulebook.method.accountings.parts import PARTS, Counted
from joulebook.units import PER_MILLION, SECONDS_PER_HOUR, WATTS_PER_KILOWATT

NAME = "InferenceX"
WATTS_PER_MEGAWATT = 1e6


def token_energy_j(power_kw, rate_per_s):
    """Energy of a token: assumed power of an accelerator over its rate. [J]

    Parameters
    ----------
    power_kw : float
        All-in power of an accelerator, assumed. [kW]
    rate_per_s : float
        Tokens per second of one accelerator. [1/s]

    References
    ----------
    .. [1] InferenceX, docs/data-transforms.md, fields on energy and cost.

    Examples
    --------
    >>> token_energy_j(1.73, 1000.0)
    1.73
    """
    return power_kw * WATTS_PER_KILOWATT / rate_per_s


def rate_per_megawatt(power_kw, rate_per_s):
    """Tokens per second of a megawatt. [1/(s MW)]"""
    return WATTS_PER_MEGAWATT / token_energy_j(power_kw, rate_per_s)


def cost_per_million(hourly, rate_per_s):
    """Price of an accelerator's hour over the tokens of that hour, per million. [currency of the price]"""
    return hourly / (rate_per_s * SECONDS_PER_HOUR / PER_MILLION)


def counted(of):
    """The request by InferenceX, at the measured rate of the operating point.

    Parameters
    ----------
    of : dict of str to float
        Values of figures.

    Returns
    -------
    joulebook.method.accountings.parts.Counted
        Without parts: the assumed power does not tell them.
    """
    rate_per_s = of["mle09_rate"] / of["mle09_accelerators"]
    why = dict.fromkeys(PARTS, "all-in power: parts not told")
    return Counted(NAME, {}, why | {"idle": "no waiting"},
                   of["req_tokens"] * token_energy_j(of["ix_h100_power"], rate_per_s))  # fmt: skip
