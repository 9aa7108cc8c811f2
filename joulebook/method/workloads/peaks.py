"""What must be provisioned: coincident peak, racks and connection (method, section 8)."""

import numpy as np

from joulebook.method.study import gives
from joulebook.method.workloads.conversion import path_of
from joulebook.method.workloads.energies import OF_ALL
from joulebook.method.workloads.rows import lacking, rows_of
from joulebook.results import weakest

HOURS = 24
NO_PEAK = "the peak of a workload is not known"
HOURLY = "from hourly means: a shorter peak may be higher"
_WHOLE = 1e-9  # a number of servers that is whole but for rounding


def factor_of_peaks(coincident_peak_kw, peaks_kw):
    r"""Coincident peak over the sum of the peaks.

    Parameters
    ----------
    coincident_peak_kw : float or ndarray, shape (...)
        Largest power of all together. [kW]
    peaks_kw : ndarray, shape (..., n)
        Peak of each. [kW]

    Returns
    -------
    float or ndarray
        One where the peaks coincide; nan where there is no power. [1]

    Notes
    -----
    .. math:: k = \max_t \sum_k P_k(t) \big/ \sum_k \max_t P_k(t)        (equation ``eq-coincidence`` in the book)

    Examples
    --------
    >>> float(factor_of_peaks(20.0, np.array([12.0, 8.0, 5.0])))
    0.8
    """
    total = np.asarray(peaks_kw).sum(axis=-1)
    return np.divide(coincident_peak_kw, total, out=np.full(np.shape(total), np.nan), where=total > 0)[()]


def coincident_peak(peaks_kw, hourly_shares=None, factor=None):
    """Largest power of all workloads together: over the hours of their profiles, or by a factor on the sum of their peaks.

    Parameters
    ----------
    peaks_kw : ndarray, shape (..., n)
        Peak of each. [kW]
    hourly_shares : ndarray, shape (n, 24), optional
        Power of each over its peak, by hour; comes before a factor.
    factor : float or ndarray, shape (...), optional
        Coincidence factor. [1]

    Returns
    -------
    float or ndarray, shape (...)
        Power. [kW]

    Examples
    --------
    >>> round(float(coincident_peak(np.array([12.0, 8.0, 5.0]), factor=0.8)), 9)
    20.0
    """
    if hourly_shares is not None:
        return (peaks_kw @ hourly_shares).max(axis=-1)
    return peaks_kw.sum(axis=-1) * factor


def hourly_shares(workloads, portfolio_profiles):
    """Power of each workload over its peak, by hour; one in all hours where it has no profile.

    Parameters
    ----------
    workloads : sequence of str
        Names of the workloads.
    portfolio_profiles : pandas.DataFrame
        Columns workload, hour, peak_share.

    Returns
    -------
    ndarray, shape (n, 24)
    """
    shares = np.ones((len(workloads), HOURS))
    places = {name: row for row, name in enumerate(workloads)}
    at = [places[name] for name in portfolio_profiles["workload"]]
    shares[at, portfolio_profiles["hour"].to_numpy(int)] = portfolio_profiles["peak_share"].to_numpy(float)
    return shares


def facility_peaks(portfolio, pue=None, peak_pue=None, psu_efficiency=None, network_storage_share=None):
    """Peak of each workload at the facility, and why there is none.

    Parameters
    ----------
    portfolio : pandas.DataFrame
        See `joulebook.method.workloads.rows.rows_of`.
    pue, peak_pue, psu_efficiency, network_storage_share : float or ndarray, optional
        See ``data/parameters.csv``; without a `peak_pue` that of the year counts.

    Returns
    -------
    tuple
        Rows, peaks (shape (n,) or (draws, n), nan where there is none) and by row the gap, empty where there is none. [kW]
    """
    rows = rows_of(portfolio)
    path = path_of(rows, pue if peak_pue is None else peak_pue, psu_efficiency, network_storage_share)
    gaps = [gap or ("needs peak_kw" if np.isnan(peak) else "") for gap, peak in zip(path.gaps, rows.peak_kw, strict=True)]
    return rows, rows.peak_kw * path.to_facility, gaps


@gives("sum_of_peaks_kw", "coincident_peak_kw", "coincidence_factor_used", "peak_by_hour", how=("coincidence_factor",))
def coincidence(
    portfolio,
    coincidence_factor,
    portfolio_profiles=None,
    pue=None,
    peak_pue=None,
    psu_efficiency=None,
    network_storage_share=None,
):
    """Largest power of all workloads together, at the facility.

    Parameters
    ----------
    portfolio, pue, peak_pue, psu_efficiency, network_storage_share
        As in `facility_peaks`.
    coincidence_factor : float or ndarray
        See ``data/parameters.csv``; used where there are no profiles.
    portfolio_profiles : pandas.DataFrame, optional
        As in `hourly_shares`.

    Returns
    -------
    dict
        The results named in `gives`; the table has a row an hour.
    """
    names = coincidence.results[:3]
    rows, peaks, gaps = facility_peaks(portfolio, pue, peak_pue, psu_efficiency, network_storage_share)
    said = {"labels": dict.fromkeys(names, OF_ALL)}
    if any(gaps):  # a peak that is not known is not none
        notes = dict.fromkeys(coincidence.results, f"{NO_PEAK}: {lacking(rows.workload, gaps)}")
        return {**dict.fromkeys(coincidence.results), **said, "notes": notes}
    shares = None if portfolio_profiles is None else hourly_shares(rows.workload, portfolio_profiles)
    peak = coincident_peak(peaks, shares, coincidence_factor)
    kinds, notes = [*rows.evidence, "modelled"], []
    if shares is None:
        kinds.append("assumed")
        notes.append("by coincidence_factor, as there are no profiles")
    else:
        notes.append(HOURLY)
        flat = ~np.isin(rows.workload, portfolio_profiles["workload"].to_numpy(object))
        if flat.any():
            notes.append(f"at its peak in every hour, as it has no profile: {rows.named(flat)}")
    if peak_pue is None and (rows.boundary != "facility").any():
        notes.append("the PUE at the peak is taken as that of the year")
    table = None
    if shares is not None:
        by_hour = peaks @ shares
        table = {"hour | ": np.arange(HOURS), "power | kW": by_hour}
    total = peaks.sum(axis=-1)
    return {
        "sum_of_peaks_kw": total,
        "coincident_peak_kw": peak,
        "coincidence_factor_used": factor_of_peaks(peak, peaks),
        "peak_by_hour": table,
        **said,
        "notes": {
            "coincident_peak_kw": "; ".join(notes),
            "coincidence_factor_used": notes[0] if np.all(total > 0) else "no workload draws any power",
            "peak_by_hour": "needs portfolio_profiles_csv",
        },
        "evidence": dict.fromkeys(names, weakest(kinds)),
    }


def servers_per_rack(rack_power_kw, rack_derating, server_peak_kw):
    r"""Servers that a rack can supply at once, at their peak power.

    Parameters
    ----------
    rack_power_kw : float or ndarray
        Power of the rack's supply. [kW]
    rack_derating : float or ndarray
        Share of it that may be used. [1]
    server_peak_kw : float or ndarray
        Peak power of a server, not its average. [kW]

    Returns
    -------
    float or ndarray
        Number of servers.

    Notes
    -----
    .. math:: n = \lfloor d\, P_\mathrm{rack} / P_\mathrm{peak} \rfloor        (equation ``eq-racks`` in the book)

    Examples
    --------
    >>> float(servers_per_rack(17.3, 0.8, 1.35))
    10.0
    """
    return np.floor(rack_power_kw * rack_derating / server_peak_kw + _WHOLE)


@gives("servers_per_rack", "servers_placed", "racks_needed")
def racks(portfolio, rack_power_kw, rack_derating, server_peak_kw, redundancy):
    """Servers that a rack supplies, and racks for the servers of all workloads with their spares.

    Parameters
    ----------
    portfolio : pandas.DataFrame
        Column servers; rows of one system name the same ones, which count once.
    rack_power_kw, rack_derating, server_peak_kw : float or ndarray
        See ``data/parameters.csv``.
    redundancy : int
        Spare servers of each system, which take a place in a rack whether they are on or off.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    each = servers_per_rack(rack_power_kw, rack_derating, server_peak_kw)
    notes, rows = {}, rows_of(portfolio)
    first = np.unique(rows.system, return_index=True)[1]
    lacks = np.isnan(rows.servers[first])
    placed = None if lacks.any() else float((rows.servers[first] + redundancy).sum())
    if lacks.any():
        names = ", ".join(rows.workload[first][lacks])
        notes |= dict.fromkeys(("servers_placed", "racks_needed"), f"needs servers in portfolio_csv: {names}")
    elif redundancy:
        notes["servers_placed"] = f"spares of each system included: {redundancy:g}"
    if not np.all(each >= 1):
        notes["racks_needed"] = "a rack does not supply even one server at its peak"
    needed = None if placed is None else np.where(each >= 1, np.ceil(placed / np.maximum(each, 1)), np.nan)[()]
    return {
        "servers_per_rack": each,
        "servers_placed": placed,
        "racks_needed": needed,
        "labels": dict.fromkeys(racks.results, OF_ALL),
        "notes": notes,
    }


@gives("connection_usable_kw", "connection_left_kw", "connection_used_share")
def connection(connection_capacity_kw, feeds, feed_redundancy, coincident_peak_kw=None):
    r"""Power that the connection gives with its spare feeds lost, and what the coincident peak leaves of it.

    Parameters
    ----------
    connection_capacity_kw : float or ndarray
        Capacity of one feed. [kW]
    feeds, feed_redundancy : int
        Feeds there are, and those that may fail.
    coincident_peak_kw : float or ndarray, optional
        Result of `coincidence`.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: C = (n - n_r)\, C_\mathrm{feed}, \qquad C_\mathrm{left} = C - P_\mathrm{coincident}

    (equation ``eq-connection`` in the book)
    """
    names = connection.results
    said = {"labels": dict.fromkeys(names, OF_ALL)}
    usable = connection_capacity_kw * np.maximum(feeds - feed_redundancy, 0)
    if feeds <= feed_redundancy:
        notes = dict.fromkeys(names, "no feed is left when the spare ones fail")
        return {"connection_usable_kw": 0.0, "connection_left_kw": None, "connection_used_share": None, **said, "notes": notes}
    notes = {"connection_usable_kw": f"with {feed_redundancy:g} of {feeds:g} feeds lost"} if feed_redundancy else {}
    if coincident_peak_kw is None:
        notes |= dict.fromkeys(names[1:], "the coincident peak is not known")
        return {"connection_usable_kw": usable, "connection_left_kw": None, "connection_used_share": None, **said, "notes": notes}
    left = usable - coincident_peak_kw
    if np.ndim(left) == 0 and left < 0:
        notes["connection_left_kw"] = "below zero: the peak is above what the connection gives"
    return {
        "connection_usable_kw": usable,
        "connection_left_kw": left,
        "connection_used_share": coincident_peak_kw / usable,
        **said,
        "notes": notes,
    }

