"""Traces of MLPerf Tiny's energy monitor: microjoules per sample, and when windows begin and end."""

import json
import struct

import numpy as np

from joulebook.errors import InputError, Problem

_SIGN = 0xF1
_HEAD = 5  # the sign, and the sample rate as a number of four bytes
_FASTEST_HZ = 1e7


def parse_trace(data, shown):
    """Read a trace, ``trace1-energy.bin``.

    Parameters
    ----------
    data : bytes
        The byte 0xF1, the sample rate and then microjoules of each sample, all as little-endian float32.
    shown : str
        How the user named the file.

    Returns
    -------
    rate_hz : float
        Samples a second. [Hz]
    energy_j : ndarray of float, shape (n,)
        Energy of each sample. [J]

    Raises
    ------
    InputError
        If it has another form, is cut short, or holds what is no energy.

    Examples
    --------
    >>> import struct
    >>> rate_hz, energy_j = parse_trace(b"\\xf1" + struct.pack("<3f", 1000.0, 2.0, 4.0), "trace1-energy.bin")
    >>> rate_hz, [round(energy * 1e6, 6) for energy in energy_j.tolist()]
    (1000.0, [2.0, 4.0])
    """
    if len(data) < _HEAD or data[0] != _SIGN:
        raise InputError(Problem("no trace of an energy monitor", file=shown, value=data[:1], allowed="the byte 0xF1 first"))
    rate_hz, = struct.unpack_from("<f", data, 1)
    if not 0 < rate_hz <= _FASTEST_HZ:
        raise InputError(Problem("no sample rate", file=shown, value=rate_hz, allowed=f"above 0, up to {_FASTEST_HZ:g} Hz"))
    if (len(data) - _HEAD) % 4:
        raise InputError(Problem("cut short: the last sample is not whole", file=shown, value=f"{len(data)} bytes"))
    energy_uj = np.frombuffer(data, "<f4", offset=_HEAD).astype(float)
    if not np.isfinite(energy_uj).all():
        first = int(np.flatnonzero(~np.isfinite(energy_uj))[0])
        raise InputError(Problem(f"sample {first + 1} is no number", file=shown, value=float(energy_uj[first])))
    return rate_hz, energy_uj * 1e-6


def parse_timestamps(data, shown):
    """Read the times of a trace, ``trace1-timestamps.json``.

    Parameters
    ----------
    data : bytes
        A list of seconds.
    shown : str
        How the user named the file.

    Returns
    -------
    ndarray of float
        Times since the trace began, increasing. [s]

    Raises
    ------
    InputError
        If it is no list of increasing numbers.

    Examples
    --------
    >>> parse_timestamps(b"[0.015, 9.126, 20.061]", "trace1-timestamps.json").tolist()
    [0.015, 9.126, 20.061]
    """
    try:
        times = np.array(json.loads(data.decode("utf-8-sig")), dtype=float)
    except json.JSONDecodeError as error:
        raise InputError(Problem(f"no JSON: {error.msg}", file=shown, line=error.lineno)) from None
    except (ValueError, TypeError, RecursionError, OverflowError):
        raise InputError(Problem("no list of times", file=shown, allowed="[0.015, 9.126, 20.061, ...]")) from None
    if times.ndim != 1 or not np.isfinite(times).all() or (np.diff(times) <= 0).any():
        raise InputError(Problem("times must be a list of increasing numbers", file=shown, allowed="[0.015, 9.126, 20.061, ...]"))
    return times


def window_energies(rate_hz, energy_j, times):
    """Energy between the second and the third time, the fourth and the fifth, and so on.

    Parameters
    ----------
    rate_hz : float
        Samples a second. [Hz]
    energy_j : ndarray of float, shape (n,)
        Energy of each sample. [J]
    times : ndarray of float
        Times of the trace; the first is a sign of life before all windows. [s]

    Returns
    -------
    list of (float, float) or None
        Energy and length of each window [J, s]; None where the trace does not hold all of them.

    Examples
    --------
    >>> window_energies(2.0, np.array([1.0, 1.0, 2.0, 3.0]), np.array([0.0, 1.0, 2.0]))
    [(5.0, 1.0)]
    """
    edges = np.round(np.asarray(times) * rate_hz)
    if edges.size < 3 or edges[0] < 0 or edges[-1] > energy_j.size:
        return None
    edges = edges.astype(int)
    running = np.concatenate(([0.0], np.cumsum(energy_j)))
    pairs = [(edges[i], edges[i + 1]) for i in range(1, edges.size - 1, 2)]
    return [(float(running[end] - running[begin]), float((end - begin) / rate_hz)) for begin, end in pairs]
