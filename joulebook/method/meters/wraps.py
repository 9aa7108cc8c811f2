"""Energy between two polls of a counter that begins again at 0."""

import numpy as np

from joulebook.errors import InputError, Problem

_UNLIKELY = 2.0  # times the largest mean power between polls: a channel is not taken to have drawn more, where no range says so


def poll_energies(channel, times, values, block=None):
    r"""Energy between the polls of a counter.

    Parameters
    ----------
    channel : joulebook.method.series.Channel
        The counter; of it the name, the range and the power range of its accuracy are used.
    times, values : ndarray, shape (n,)
        Polls and the register as it stood. [s, J]
    block : int, optional
        Look at so many polls at a time, to check them all; nothing is given back then.

    Returns
    -------
    ndarray, shape (n - 1,)
        Energy between each two polls, with the fewest wraps that the register allows. [J]

    Raises
    ------
    InputError
        If the register falls and has no range, holds what its range does not, or may have wrapped more than once: where another
        wrap between two polls is no more than the channel may draw, the upper end of its power range, or else twice
        the largest mean power between any two polls.

    Notes
    -----
    .. math:: E_i = (R_{i+1} - R_i) \bmod R_\mathrm{max}

    Examples
    --------
    >>> from joulebook.method.series import Channel
    >>> times, register = np.arange(4.0), np.array([900.0, 990.0, 80.0, 170.0])
    >>> poll_energies(Channel("package", times, register, "counter", counter_range_j=1000.0), times, register).tolist()
    [90.0, 90.0, 90.0]
    """
    size = channel.counter_range_j
    if block is None:
        energy = np.diff(values)
        return energy if size is None else np.where(energy < 0, energy + size, energy)
    _check_register(channel, values, size)
    if size is None:
        return None
    parts = [slice(start, start + block + 1) for start in range(0, times.size - 1, block)]
    limit = channel.accuracy.range_w or _UNLIKELY * max(
        float((poll_energies(channel, times[part], values[part]) / np.diff(times[part])).max()) for part in parts
    )
    for part in parts:
        energy, length = poll_energies(channel, times[part], values[part]), np.diff(times[part])
        doubtful = np.flatnonzero((energy + size) / length <= limit)
        if doubtful.size:
            i = int(doubtful[0])
            raise InputError(
                Problem(
                    "the counter may have wrapped more than once between two polls",
                    file=f"channel {channel.name}",
                    field="counter_range_j",
                    value=f"{length[i]:g} s from {times[part][i]:.15g} s on, in which {energy[i]:g} J or {energy[i] + size:g} J "
                    "may have been counted",
                    allowed=f"polls less than {size / limit:.6g} s apart, for {limit:.6g} W",
                )
            )
    return None


def _check_register(channel, values, size):
    about = {"file": f"channel {channel.name}", "field": "values"}
    if size is not None and not size > 0:
        raise InputError(Problem("must be positive", file=f"channel {channel.name}", field="counter_range_j", value=size))
    if size is None:
        falls = next((i for i in range(0, values.size, 2**16) if (np.diff(values[i : i + 2**16 + 1]) < 0).any()), None)
        if falls is not None:
            i = falls + int(np.flatnonzero(np.diff(values[falls : falls + 2**16 + 1]) < 0)[0])
            raise InputError(
                Problem("the counter falls", **about, value=f"{values[i]:.15g} J, then {values[i + 1]:.15g} J",
                        allowed="counter_range_j, the energy at which it begins again; or a log without resets")
            )
    elif values.min() < 0 or values.max() > size:
        raise InputError(Problem("the register holds what its range does not", **about,
                                 value=float(values.min() if values.min() < 0 else values.max()), allowed=f"0 to {size:g} J"))
