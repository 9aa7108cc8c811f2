"""The facility's energy of a year line by line, which add to its meter (method, sections 3 and 8)."""

import numpy as np

from joulebook.method.study import gives
from joulebook.method.workloads.energies import energies_of
from joulebook.units import hours_of_year

UNATTRIBUTED, RESIDUAL = "unattributed", "residual"  # lines of their own, which no workload may be named


@gives(
    "attributed_kwh",
    "unattributed_kwh",
    "portfolio_kwh",
    "average_power_kw",
    "residual_kwh",
    "residual_share",
    "attribution_lines",
    how=("utilization_is",),
)
def attribution(
    portfolio, utilization_is, pue=None, psu_efficiency=None, network_storage_share=None, year=None, metered_kwh=None, rng=None
):
    r"""The facility's energy of a year line by line; with a meter, the lines and the residual add to it.

    Parameters
    ----------
    portfolio, utilization_is, pue, psu_efficiency, network_storage_share, rng
        As in `joulebook.method.workloads.shares.by_workload`.
    year : int, optional
        Calendar year, for its hours.
    metered_kwh : float or ndarray, optional
        See ``data/parameters.csv``.

    Returns
    -------
    dict
        The results named in `gives`; the table has a row a workload in the order of the file, then what no row holds and, with a
        meter, the residual.

    Notes
    -----
    .. math:: E_\mathrm{meter} = \sum_k (E_{\mathrm{work},k} + E_{\mathrm{idle},k} + E_{\mathrm{overhead},k})
        + E_\mathrm{unattributed} + E_\mathrm{residual}        (equation ``eq-attribution`` in the book)
    """
    made = energies_of(portfolio, pue, psu_efficiency, network_storage_share, rng, (metered_kwh,))
    there, rows = made.there, made.rows
    names = attribution.results[:-1]
    said = made.said(names, utilization_is, ("attributed_kwh", "portfolio_kwh"), ("portfolio_kwh",))
    attributed = np.where(there, made.annual_kwh, 0.0).sum(axis=-1)
    unknown = there & ~np.isfinite(np.atleast_2d(made.unheld_kwh)).all(axis=0)
    unheld = np.where(there & ~unknown, made.unheld_kwh, 0.0).sum(axis=-1)
    if unknown.any():
        more = f"not known of {rows.named(unknown)}: needs idle_ratio"
        for name in ("unattributed_kwh", "portfolio_kwh"):
            said["notes"][name] = "; ".join(filter(None, (said["notes"].get(name), more)))
    if not there.any():
        return {**dict.fromkeys(names), "attribution_lines": None, **said,
                "notes": {**said["notes"], "attribution_lines": said["notes"]["portfolio_kwh"]}}  # fmt: skip
    total = attributed + unheld
    lines = [*rows.workload, UNATTRIBUTED]
    last = [np.nan, np.nan, np.nan, unheld]
    parts = [made.work_kwh, made.idle_kwh, made.overhead_kwh, made.annual_kwh]
    residual = None if metered_kwh is None else metered_kwh - total
    more = [[value] for value in last]
    if residual is None:
        said["notes"] |= dict.fromkeys(("residual_kwh", "residual_share"), "needs metered_kwh")
        share = np.nan
    else:
        lines.append(RESIDUAL)
        more = [[value, np.nan] for value in last[:3]] + [[unheld, residual]]
        share = residual / metered_kwh
        if np.ndim(residual) == 0 and residual < 0:
            words = "more is attributed than metered: a row counts too much, or another meter"
            said["notes"]["residual_kwh"] = "; ".join(filter(None, (said["notes"].get("residual_kwh"), words)))
    whole = total if metered_kwh is None else metered_kwh
    columns = [_and(own, *rest) for own, rest in zip(parts, more, strict=True)]
    table = {f"{name} | kWh": column for name, column in zip(("work", "idle", "overhead", "energy"), columns, strict=True)}
    return {
        "attributed_kwh": attributed,
        "unattributed_kwh": unheld,
        "portfolio_kwh": total,
        "average_power_kw": total / hours_of_year(year),
        "residual_kwh": residual,
        "residual_share": share,
        "attribution_lines": {"line | ": lines, **table, "share | 1": columns[-1] / np.asarray(whole, float)[..., None]},
        **said,
    }


def _and(rows, *last):
    """Values of the rows, and behind them those of further lines; one value for all draws, or one for each."""
    shape = np.broadcast_shapes(rows.shape[:-1], *(np.shape(item) for item in last))
    parts = [np.broadcast_to(rows, (*shape, rows.shape[-1])), *(np.broadcast_to(item, shape)[..., None] for item in last)]
    return np.concatenate(parts, axis=-1)
