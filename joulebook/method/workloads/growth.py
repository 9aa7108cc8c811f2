"""Energy and peak of the years ahead, and the year in which the connection is full (method, section 8)."""

import numpy as np

from joulebook.method.study import gives
from joulebook.method.workloads.energies import OF_ALL, energies_of
from joulebook.method.workloads.peaks import NO_PEAK, coincident_peak, facility_peaks, hourly_shares
from joulebook.method.workloads.rows import lacking
from joulebook.results import weakest
from joulebook.units import PERCENT

KEPT = "utilization and coincidence are kept: servers grow with the volume"


def grown(today, growth_per_year, years):
    r"""A quantity after some years of compound growth.

    Parameters
    ----------
    today : float or ndarray
        The quantity today.
    growth_per_year : float or ndarray
        Growth each year. [1]
    years : int or ndarray
        Years from today.

    Returns
    -------
    float or ndarray

    Notes
    -----
    .. math:: V_k = V (1 + g)^k        (equation ``eq-growth`` in the book)

    Examples
    --------
    >>> round(grown(100.0, 0.5, 2), 9)
    225.0
    """
    return today * (1 + growth_per_year) ** years


def first_above(by_year, limit):
    """Number of the first year that is above a limit; nan where none is.

    Parameters
    ----------
    by_year : ndarray, shape (..., years)
        What rises.
    limit : float or ndarray, shape (...)
        The limit.

    Returns
    -------
    ndarray, shape (...)

    Examples
    --------
    >>> first_above(np.array([[8.0, 10.0, 12.0], [1.0, 1.0, 1.0]]), 10.0).tolist()
    [2.0, nan]
    """
    above = by_year > np.asarray(limit, float)[..., None]
    return np.where(above.any(axis=-1), above.argmax(axis=-1), np.nan)


@gives("kwh_last_year", "peak_last_year_kw", "years_until_full", "portfolio_years", how=("coincidence_factor", "utilization_is"))
def growth(
    portfolio,
    utilization_is,
    horizon_years,
    coincidence_factor,
    volume_growth_per_year=None,
    portfolio_profiles=None,
    pue=None,
    peak_pue=None,
    psu_efficiency=None,
    network_storage_share=None,
    connection_usable_kw=None,
    year=None,
    rng=None,
    sampled=None,
):
    """Energy and coincident peak of each year of a horizon, the first at today's volumes.

    Parameters
    ----------
    portfolio, utilization_is, pue, psu_efficiency, network_storage_share, rng
        As in `joulebook.method.workloads.shares.by_workload`.
    horizon_years : int
        Years to look ahead.
    volume_growth_per_year : float or ndarray, optional
        Growth of the rows that state none.
    coincidence_factor, portfolio_profiles, peak_pue
        As in `joulebook.method.workloads.peaks.coincidence`.
    connection_usable_kw : float or ndarray, optional
        Result of `joulebook.method.workloads.peaks.connection`.
    year : int, optional
        Calendar year of the first.
    sampled : dict, optional
        What the draws gave, for in how many of them the connection is full within the horizon.

    Returns
    -------
    dict
        The results named in `gives`; the table has a row a year.
    """
    names = growth.results[:-1]
    beside = (volume_growth_per_year, connection_usable_kw, coincidence_factor, peak_pue)
    made = energies_of(portfolio, pue, psu_efficiency, network_storage_share, rng, beside)
    said = made.said(names, utilization_is, ("kwh_last_year",))
    own = made.rows.growth_per_year
    unstated = made.there & np.isnan(own)
    reason = ""
    if not made.there.any():
        reason = said["notes"]["kwh_last_year"]
    elif unstated.any() and volume_growth_per_year is None:
        reason = f"needs volume_growth_per_year, or growth_per_year of {made.rows.named(unstated)}"
    if reason:
        return {**dict.fromkeys(growth.results), "labels": dict.fromkeys(names, OF_ALL),
                "notes": dict.fromkeys(growth.results, reason)}  # fmt: skip
    rate = own if volume_growth_per_year is None else np.where(
        np.isnan(own), np.asarray(volume_growth_per_year, float)[..., None], own
    )
    after = np.arange(int(horizon_years))
    today_kwh = np.where(made.there, made.annual_kwh + np.nan_to_num(made.unheld_kwh), 0.0)
    known = np.where(made.there, rate, 0.0)  # what is left out does not grow
    kwh = np.stack(np.broadcast_arrays(*(grown(today_kwh, known, k).sum(axis=-1) for k in after)), axis=-1)
    peaks, why = _peaks(portfolio, rate, after, coincidence_factor, portfolio_profiles,
                        (pue, peak_pue, psu_efficiency, network_storage_share))
    notes = {"kwh_last_year": _joined(said["notes"].get("kwh_last_year"), KEPT)}
    if why:
        notes |= dict.fromkeys(("peak_last_year_kw", "years_until_full"), why)
        full = None
    else:
        notes["peak_last_year_kw"] = KEPT
        full, words = _until_full(peaks, connection_usable_kw, year)
        notes["years_until_full"] = _joined(words, _how_often(sampled))
    table = {"year | ": after + (1 if year is None else int(year)), "annual_energy | kWh": kwh}
    if not why:
        table["coincident_peak | kW"] = peaks
        if connection_usable_kw is not None:
            table["connection_left | kW"] = np.asarray(connection_usable_kw, float)[..., None] - peaks
    return {
        "kwh_last_year": kwh[..., -1],
        "peak_last_year_kw": None if why else peaks[..., -1],
        "years_until_full": full,
        "portfolio_years": table,
        "labels": said["labels"],
        "notes": notes,
        "evidence": {name: weakest([kind, "assumed"]) for name, kind in said["evidence"].items()},
    }


def _peaks(portfolio, rate, after, factor, profiles, path):
    """Coincident peak by year, shape (..., years), and why there is none. [kW]"""
    rows, peaks, gaps = facility_peaks(portfolio, *path)
    if any(gaps):
        return None, f"{NO_PEAK}: {lacking(rows.workload, gaps)}"
    if np.isnan(rate).any():
        return None, "the growth of a workload without energy is not known"
    shares = None if profiles is None else hourly_shares(rows.workload, profiles)
    by_year = [coincident_peak(grown(peaks, rate, k), shares, factor) for k in after]
    return np.stack(np.broadcast_arrays(*by_year), axis=-1), ""


def _until_full(peaks, usable, year):
    """Years from today until the peak is above what the connection gives, and what must be said of it."""
    if usable is None:
        return None, "needs connection_capacity_kw"
    full = first_above(peaks, usable)[()]
    if np.ndim(full):
        return full, ""
    if np.isnan(full):
        return None, f"not within the horizon: {peaks[-1]:.6g} kW in its last year"
    if full == 0:
        return full, "the connection is full today"
    return full, f"full in year {int(full) + 1}, today's being the first" if year is None else f"full in {int(year + full)}"


def _how_often(sampled):
    """In how many of the draws the connection is full within the horizon; empty where that is sure."""
    years = np.asarray((sampled or {}).get("years_until_full"), float)
    share = np.isfinite(years).mean() if years.ndim else 1.0
    return f"within the horizon in {PERCENT * share:.3g} % of the draws" if 0 < share < 1 else ""


def _joined(*texts):
    return "; ".join(filter(None, texts))
