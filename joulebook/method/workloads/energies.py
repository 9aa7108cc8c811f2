"""Annual energy of each workload at the facility, in the parts that an attribution has (method, sections 3 and 8)."""

from dataclasses import dataclass

import numpy as np

from joulebook.errors import Problems
from joulebook.method.load_curve import judged
from joulebook.method.workloads.conversion import energy_at_utilization, path_of
from joulebook.method.workloads.rows import draws_of, lacking, rows_of
from joulebook.results import weakest
from joulebook.units import hours_of_year, kwh_from_joules

# What results that are of all workloads together are not valid for.
OF_ALL = {"workload": "all workloads of the portfolio", "unit_of_work": None, "quality": None, "scenario": None}
_AGREE = 0.01  # relative: figures of one system, as people write them, differ by rounding
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Energies:
    """Annual energy of each row at the facility; nan where it cannot be brought there.

    Parameters
    ----------
    rows : joulebook.method.workloads.rows.Rows
        The portfolio.
    per_unit_j, annual_kwh : ndarray, shape (n,) or (draws, n)
        Energy of a unit of work, and of a year, at the facility and at the row's own utilization.
    work_kwh, idle_kwh : ndarray
        Above idle, and of the share of the idle power that the row holds, at the IT equipment; at the facility for a row that is
        stated there. nan where the idle ratio is not known.
    overhead_kwh : ndarray
        What the facility adds to its equipment; zero for a row that is stated there, whose overhead is in the other two.
    unheld_kwh : ndarray
        Idle energy of its system that no row holds, parted evenly among the rows of the system.
    facility_factor : ndarray
        Energy of the facility over that at the row's boundary.
    gaps, how : list of str
        By row why it is not available, and how it was brought here.
    """

    rows: object
    per_unit_j: np.ndarray
    annual_kwh: np.ndarray
    work_kwh: np.ndarray
    idle_kwh: np.ndarray
    overhead_kwh: np.ndarray
    unheld_kwh: np.ndarray
    facility_factor: np.ndarray
    gaps: list
    how: list

    @property
    def there(self):
        """Which rows are available."""
        return np.array([not gap for gap in self.gaps], bool)

    @property
    def missing(self):
        """Rows that are left out of every sum, with the reasons, as one text; empty where there are none."""
        return lacking(self.rows.workload, self.gaps)

    def said(self, names, utilization_is, told=(), warned=()):
        """Labels, notes and evidence of results that are sums over the rows.

        Those told say which rows are left out, those warned that a straight line is assumed; all where there is no row.
        """
        there, rows = self.there, self.rows
        line = there & ~rows.counts_idle & (rows.utilization != rows.reserved_share)
        more = judged(names, utilization_is) if line.any() else {"notes": {}, "evidence": {}}
        kinds = [*rows.evidence[there], *more["evidence"].values()]
        if line.any() or (there & (rows.boundary != "facility")).any():
            kinds.append("modelled")
        left = f"{'partial: without' if there.any() else 'no workload can be brought to the facility:'} {self.missing}"
        parts = {name: [left] for name in (told if there.any() else names) if self.missing}
        for name in warned:
            parts.setdefault(name, []).extend(filter(None, [more["notes"].get(name)]))
        return {
            "labels": dict.fromkeys(names, OF_ALL),
            "notes": {name: "; ".join(words) for name, words in parts.items() if words},
            "evidence": dict.fromkeys(names, weakest(kinds)) if there.any() else {},
        }


def energies_of(portfolio, pue=None, psu_efficiency=None, network_storage_share=None, rng=None, beside=()):
    r"""Annual energy of each row, at the facility and at its own utilization.

    Parameters
    ----------
    portfolio : pandas.DataFrame
        As in `joulebook.method.workloads.rows.rows_of`.
    pue, psu_efficiency, network_storage_share : float or ndarray, shape (draws,), optional
        As in `joulebook.method.workloads.conversion.path_of`.
    rng : numpy.random.Generator, optional
        Draws the ranges of the file.
    beside : sequence of float or ndarray
        What else is drawn, for the number of draws.

    Returns
    -------
    Energies

    Raises
    ------
    InputError
        If rows of one system contradict each other.

    Notes
    -----
    With V units of work a year, of the idle energy of a system a row holds its share s (as tenants do, section 3):

    .. math:: E_\mathrm{work} = (1 - i) e V, \qquad E_\mathrm{idle} = s\, i\, e V / u
    """
    require_systems(portfolio)
    rows = rows_of(portfolio, rng, draws_of(pue, psu_efficiency, network_storage_share, *beside))
    path = path_of(rows, pue, psu_efficiency, network_storage_share)
    u, i, s = rows.utilization, rows.idle_ratio, rows.reserved_share
    works = u > 0
    safe = np.where(works, u, 1.0)
    rise = np.where(safe == s, 1.0, energy_at_utilization(1.0, i, safe, s))  # at s = u the idle ratio does not matter
    gaps = list(path.gaps)
    for row in np.flatnonzero(~works):
        gaps[row] = "no work, so that its energy cannot be told from it"
    for row in np.flatnonzero(works & np.isnan(rise) & ~rows.counts_idle):
        gaps[row] = ", ".join((gaps[row], "idle_ratio")) if gaps[row] else "needs idle_ratio"
    own_j = np.where(works, np.where(rows.counts_idle, rows.energy_per_unit_j, rows.energy_per_unit_j * rise), np.nan)
    per_unit_j = own_j * path.to_facility
    there = np.array([not gap for gap in gaps], bool)
    per_unit_j = np.where(there, per_unit_j, np.nan)
    annual_kwh = kwh_from_joules(per_unit_j * rows.annual_volume)
    inside_kwh = kwh_from_joules(np.where(there, own_j * path.to_equipment, np.nan) * rows.annual_volume)
    held = s * i / safe / rise  # of the row's energy
    system_idle_kwh = annual_kwh * i / safe / rise
    how = [
        words if row_u == share or counts or gap else f"idle hours, {words}".removesuffix(", as stated")
        for words, row_u, share, counts, gap in zip(path.how, u, s, rows.counts_idle, path.gaps, strict=True)
    ]
    free = free_shares(rows.system, s)
    return Energies(
        rows,
        per_unit_j,
        annual_kwh,
        inside_kwh * (1 - held),
        inside_kwh * held,
        annual_kwh - inside_kwh,
        np.where(free == 0, np.where(there, 0.0, np.nan), free * system_idle_kwh / np.bincount(rows.system)[rows.system]),
        path.to_facility,
        gaps,
        [gap or words for gap, words in zip(gaps, how, strict=True)],
    )


def free_shares(system, share):
    """Share of the idle power of its system that no row holds, by row. [1]

    Examples
    --------
    >>> free_shares(np.array([0, 0, 1]), np.array([0.25, 0.5, 1.0])).tolist()
    [0.25, 0.25, 0.0]
    """
    return np.round(1 - np.bincount(system, share)[system], 12) + 0.0  # shares as written in decimals add to one but for rounding


def require_systems(portfolio):
    """Refuse rows of one system that contradict each other.

    Parameters
    ----------
    portfolio : pandas.DataFrame
        As in `energies_of`.

    Raises
    ------
    InputError
        If a row of a shared system states no reserved share, the shares or the utilizations add to more than one, the boundaries
        differ, or the rows make different idle energies of it.
    """
    rows, found = rows_of(portfolio), Problems()
    idle_kwh, count = _idle_of_system(rows), np.bincount(rows.system)
    totals = {name: np.bincount(rows.system, np.nan_to_num(getattr(rows, name))) for name in ("reserved_share", "utilization")}
    kinds = np.unique(rows.boundary, return_inverse=True)[1].astype(float)
    apart, spread = _spread(rows.system, kinds), _spread(rows.system, idle_kwh)
    wrong = (apart > 0) | (spread > _AGREE) | np.isnan(np.bincount(rows.system, rows.reserved_share))
    for total in totals.values():
        wrong |= total > 1 + _ROUNDING
    for number in np.flatnonzero(wrong & (count > 1)):
        own = rows.system == number
        name, unstated = portfolio["system"].to_numpy(object)[own][0], own & np.isnan(rows.reserved_share)
        if unstated.any():
            found.add(f"no reserved_share on the shared system {name}", field="portfolio_csv", value=rows.named(unstated),
                      allowed="a share for each of its rows")
        for column, total in totals.items():
            if total[number] > 1 + _ROUNDING:
                found.add(f"{column} adds to more than one on the system {name}", field="portfolio_csv",
                          value=float(total[number]), allowed="at most 1")
        if apart[number] > 0:
            found.add(f"rows of the system {name} at several boundaries", field="portfolio_csv",
                      value=" and ".join(sorted(set(rows.boundary[own]))), allowed="one boundary a system")
        elif spread[number] > _AGREE:
            found.add(f"rows of the system {name} make different idle energies of it", field="portfolio_csv",
                      value=" and ".join(f"{value:.6g} kWh" for value in idle_kwh[own] if not np.isnan(value)),
                      allowed="energy x volume x idle_ratio / utilization equal to a hundredth: it is one machine")
    found.stop()


def _spread(system, values):
    """Largest less smallest value of each system over the largest; nan is left out, and none of all nan. [1]"""
    low, high = np.full(system.max() + 1, np.inf), np.full(system.max() + 1, -np.inf)
    np.minimum.at(low, system, np.where(np.isnan(values), np.inf, values))
    np.maximum.at(high, system, np.where(np.isnan(values), -np.inf, values))
    return np.where(high > 0, (high - low) / np.where(high > 0, high, 1.0), 0.0)


def _idle_of_system(rows):
    """Idle energy of a year that each row makes of its system, at the row's boundary. [kWh]"""
    with np.errstate(all="ignore"):
        rise = energy_at_utilization(1.0, rows.idle_ratio, rows.utilization, rows.reserved_share)
        full_j = np.where(rows.counts_idle, rows.energy_per_unit_j / rise, rows.energy_per_unit_j)
        return kwh_from_joules(full_j * rows.annual_volume * rows.idle_ratio / rows.utilization)


def require_peaks(portfolio, year=None):
    """Refuse a peak below the average power that the row's own energy makes.

    Parameters
    ----------
    portfolio : pandas.DataFrame
        As in `energies_of`.
    year : int, optional
        Calendar year, for its hours.

    Raises
    ------
    InputError
        Naming every such row.
    """
    rows, found = rows_of(portfolio), Problems()
    with np.errstate(all="ignore"):
        rise = energy_at_utilization(1.0, rows.idle_ratio, rows.utilization, rows.reserved_share)
        own_j = np.where(rows.counts_idle | np.isnan(rise), rows.energy_per_unit_j, rows.energy_per_unit_j * rise)
        average_kw = kwh_from_joules(own_j * rows.annual_volume) / hours_of_year(year)
    for row in np.flatnonzero(average_kw > rows.peak_kw * (1 + _ROUNDING)):
        found.add(
            f"{rows.workload[row]}: a peak below the average power of its energy and volume, in columns peak_kw, "
            "energy_per_unit_j, annual_volume and utilization",
            field="portfolio_csv",
            value=f"{rows.peak_kw[row]:g} kW",
            allowed=f"at least {average_kw[row]:.6g} kW, at the boundary of the row",
        )
    found.stop()
