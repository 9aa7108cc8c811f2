"""Work in space: what would be emitted in other regions, and which of them may take it."""

from dataclasses import dataclass, replace

import numpy as np

from joulebook.errors import InputError
from joulebook.method.grid.calculation import on_grid
from joulebook.method.grid.series import labelled, no_series, series_of
from joulebook.method.grid.work import AVERAGE, EVEN, MARGINAL, NOW
from joulebook.method.study import gives
from joulebook.units import GRAMS_PER_KILOGRAM


@dataclass(frozen=True)
class Region:
    """A region on the steps of the work.

    Parameters
    ----------
    name : str
        Its name.
    pue : float
        PUE of the facility there. [1]
    refused : str
        Why work may not go there; empty where it may.
    g_per_kwh : dict of str to ndarray
        Intensity by basis, on the same scope, accounting and gas as at home; those there are. [g/kWh]
    network : dict of str to float
        Intensity of the network by basis, where the file states one. [g/kWh]
    hourly : dict of str to bool
        Whether the intensity is a series, not one mean for all hours.
    """

    name: str
    pue: float
    refused: str
    g_per_kwh: dict
    network: dict
    hourly: dict


def moved_intensity(g_from, g_to, network_energy_share, network_intensity_is, network=None):
    r"""Intensity of work after a move, with the energy of the network on top.

    Parameters
    ----------
    g_from, g_to : float or ndarray
        Carbon intensity of both ends. [g/kWh]
    network_energy_share : float
        Energy of the network over that of the work. [1]
    network_intensity_is : str
        ``mean_of_ends``, ``origin`` or ``destination``.
    network : float, optional
        Intensity of the network where it is stated. [g/kWh]

    Returns
    -------
    float or ndarray
        Grams for each kilowatt-hour of the work. [g/kWh]

    Notes
    -----
    .. math:: g = g_\mathrm{to} + s\, g_\mathrm{net}        (equation ``eq-move`` in the book)

    Examples
    --------
    >>> moved_intensity(400.0, 150.0, 0.05, "mean_of_ends")  # mean of ends: 275
    163.75
    """
    if network is None:
        network = {"mean_of_ends": (g_from + g_to) / 2, "origin": g_from, "destination": g_to}[network_intensity_is]
    return g_to + network_energy_share * network


def regions_of(regions, work, max_latency_s=None, timezone=None):
    """Regions of a table, on the steps of the work.

    Parameters
    ----------
    regions : pandas.DataFrame
        Columns region, basis, scope, accounting, g_per_kwh, pue; optionally timestamp, gas, latency_s, allowed,
        network_g_per_kwh.
    work : joulebook.method.grid.work.Work
        Whose steps and bases count.
    max_latency_s : float, optional
        Limit of the latency. [s]
    timezone : str, optional
        Clock of stamps without offset.

    Returns
    -------
    list of Region
        In the order of the table.

    Raises
    ------
    InputError
        If a region's series has no value for part of the work.
    """
    found = []
    for name, rows in regions.groupby("region", sort=False):
        made = Region(str(name), float(rows["pue"].iloc[0]), _refused(rows, max_latency_s), {}, {}, {})
        for labels, own in labelled(rows):
            if labels != work.basis(labels.basis):
                continue
            dated = "timestamp" in own and own["timestamp"].notna().any()
            made.hourly[labels.basis] = bool(dated)
            if dated:
                try:
                    made.g_per_kwh[labels.basis] = series_of(own, timezone, "regions_csv")[0].over(work.steps.edges)
                except InputError as error:
                    raise InputError(replace(problem, what=f"{name}: {problem.what}", field="regions_csv")
                                     for problem in error.problems) from None
            else:
                made.g_per_kwh[labels.basis] = np.full(len(work.steps.hours), float(own["g_per_kwh"].iloc[0]))
            stated = own["network_g_per_kwh"].dropna() if "network_g_per_kwh" in own else ()
            if len(stated):
                made.network[labels.basis] = float(stated.iloc[0])
        found.append(made)
    return found


def _refused(rows, max_latency_s):
    if "allowed" in rows and (rows["allowed"] == "no").any():
        return "not on the list of allowed regions"
    if max_latency_s is None or np.ndim(max_latency_s):  # on draws a region was chosen before, on the values
        return ""
    latency = rows["latency_s"].max() if "latency_s" in rows else np.nan
    if not np.isfinite(latency):
        return "its latency is not stated, and there is a limit"
    return f"latency of {latency:g} s, above {max_latency_s:g} s" if latency > max_latency_s else ""


def masses_kg(work, regions, basis, network_energy_share, network_intensity_is, pue):
    """Emissions of all work at home and in each region, on a basis.

    Returns
    -------
    now, after : float or ndarray, and list of the same
        None for a region without an intensity on that basis. [kg]
    """
    home = work.intensity(basis)
    known = [region for region in regions if basis in region.g_per_kwh]
    # Linear in the share of the network, so that its draws need no matrix: emissions there, and those with all of the network's.
    weights = [home]
    for region in known:
        ends = home, region.g_per_kwh[basis]
        weights += [ends[1], moved_intensity(*ends, 1.0, network_intensity_is, region.network.get(basis))]
    flexible = work.flexible(np.stack(weights), NOW) if len(work.windows) else np.zeros(len(weights))
    mass = [(work.standing(row) + flexible[..., place][()]) / GRAMS_PER_KILOGRAM for place, row in enumerate(weights)]
    after = {region.name: (only + network_energy_share * (whole - only)) * region.pue / pue
             for region, only, whole in zip(known, mass[1::2], mass[2::2], strict=True)}
    return mass[0], [after.get(region.name) for region in regions]


def _limits(work, pue, boundary, plain):
    """Why a move has no answer; empty where it has."""
    if boundary == "facility" or pue is None:
        return "needs the PUE at home: the power is that of the facility, and what the equipment draws of it is not known"
    if plain and len(work.windows) and not np.isfinite(work.flexible(work.steps.g_per_kwh, NOW)).all():
        return "the flexible work is not feasible as it runs now"
    return ""


@gives("move_region", "region_moves", how=("max_latency_s",))
@on_grid
def regions(work, regions, network_energy_share, network_intensity_is, pue=None, boundary=None, max_latency_s=None,
            carbon_timezone=None):
    """Emissions of all work in each region, and the one with the least by the marginal series that may take it.

    Parameters
    ----------
    work : joulebook.method.grid.work.Work
        All work as it runs now.
    regions : pandas.DataFrame
        See `regions_of`.
    network_energy_share, pue, max_latency_s : float or ndarray
        See ``data/parameters.csv``.
    network_intensity_is, boundary, carbon_timezone : str, optional
        See there.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    if why := _limits(work, pue, boundary, True):
        return {"move_region": None, "region_moves": None, "notes": {"move_region": why, "region_moves": why}}
    found = regions_of(regions, work, max_latency_s, carbon_timezone)
    parts, marginal = [], {}
    for basis in (MARGINAL, AVERAGE):
        if work.place[basis] is None:
            continue
        now, after = masses_kg(work, found, basis, network_energy_share, network_intensity_is, pue)
        parts.append((basis, now, after))
        marginal = {region.name: (now, kg) for region, kg in zip(found, after, strict=True)} if basis == MARGINAL else marginal
    best, note = _best(found, marginal, work)
    return {"move_region": best, "region_moves": _table(found, parts), "notes": {"move_region": note}}


def _best(found, marginal, work):
    if work.place[MARGINAL] is None:
        return None, f"{no_series(MARGINAL)}: whether to move is not judged on it"
    open_to = {region.name: marginal[region.name][1] for region in found if not region.refused}
    open_to = {name: kg for name, kg in open_to.items() if kg is not None}
    if not open_to:
        return None, "no region may take the work that has a marginal intensity on the basis at home"
    if any(np.ndim(kg) for kg in open_to.values()):
        return None, ""  # of draws
    return min(open_to, key=open_to.get), ""


def _table(found, parts):
    lead = np.broadcast_shapes(*(np.shape(kg) for _, home, after in parts for kg in (home, *after) if kg is not None), ())
    blank = np.full(lead, np.nan)
    rows = [(basis, region, home, blank if kg is None else kg) for basis, home, after in parts
            for region, kg in zip(found, after, strict=True)]
    kept = np.stack([np.broadcast_to(kg, lead) for *_, kg in rows], axis=-1)
    home = np.stack([np.broadcast_to(kg, lead) for *_, kg, _ in rows], axis=-1)
    return {
        "region | ": [region.name for _, region, *_ in rows],
        "basis | ": [basis for basis, *_ in rows],
        "now | kg": home,
        "moved | kg": kept,
        "saved | kg": home - kept,
        "saved_share | 1": np.where(home > 0, 1 - kept / home, np.nan),
        "may_take_it | ": [region.refused or "yes" for _, region, *_ in rows],
        "intensity | ": ["none on the basis at home" if basis not in region.g_per_kwh else
                         "by the hour" if region.hourly[basis] else "one mean for all hours" for basis, region, *_ in rows],
    }


_MOVE = ("move_now_marginal_kg", "move_marginal_kg", "move_saved_marginal_kg", "move_saved_marginal_share",
         "move_now_average_kg", "move_average_kg", "move_saved_average_kg")


@gives(*_MOVE, "move_verdict", how=("max_latency_s",))
@on_grid
def move(work, regions, move_region, network_energy_share, network_intensity_is, pue, max_latency_s=None, carbon_timezone=None):
    r"""What a move to the best region would save, by the marginal series, with the average beside it.

    Parameters
    ----------
    work, regions, network_energy_share, network_intensity_is, pue, max_latency_s, carbon_timezone
        As in `regions`.
    move_region : str
        Where to; result of `regions`.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: m = \frac{\mathrm{PUE}_\mathrm{to}}{\mathrm{PUE}_\mathrm{from}}
              \sum_h E_h \left( g_{\mathrm{to},h} + s\, g_{\mathrm{net},h} \right)
    """
    every = [region for region in regions_of(regions, work, max_latency_s, carbon_timezone) if not region.refused]
    found = [region for region in every if region.name == move_region]
    made, notes = dict.fromkeys((*_MOVE, "move_verdict")), {}
    for basis in (MARGINAL, AVERAGE):
        names = [name for name in _MOVE if f"_{basis}_" in name]
        if work.place[basis] is None:
            notes |= dict.fromkeys(names, no_series(basis))
            continue
        now, (after,) = masses_kg(work, found, basis, network_energy_share, network_intensity_is, pue)
        made[f"move_now_{basis}_kg"] = now
        notes |= dict.fromkeys(names, f"{work.basis(basis)}")
        if after is None:
            notes |= dict.fromkeys(names[1:], f"{move_region} has no {basis} intensity on the basis at home, {work.basis(basis)}")
            continue
        made |= {f"move_{basis}_kg": after, f"move_saved_{basis}_kg": now - after}
        if not found[0].hourly[basis]:
            notes |= dict.fromkeys(names[1:], f"{work.basis(basis)}; there one mean for all hours")
    now, saved = made["move_now_marginal_kg"], made["move_saved_marginal_kg"]
    made["move_saved_marginal_share"] = np.where(now > 0, saved / now, np.nan)[()]
    if not np.all(now > 0):
        notes["move_saved_marginal_share"] = "nothing is emitted now"
    if not np.ndim(saved):
        other = ""
        if made["move_average_kg"] is not None:
            _, kg = masses_kg(work, every, AVERAGE, network_energy_share, network_intensity_is, pue)
            least = min((mass, region.name) for mass, region in zip(kg, every, strict=True) if mass is not None)
            other = least[1] if least[0] < made["move_average_kg"] * (1 - EVEN) else ""
        made["move_verdict"], notes["move_verdict"] = _verdict(saved, made["move_saved_average_kg"], now, other)
    return {**made, "notes": notes}


def _verdict(saved, average, now, other):
    """What to do, and why."""
    if not saved > EVEN * now:
        if average is not None and average > EVEN * now:
            return "stay", "by the marginal series the best region emits no less, by the average it does: the two disagree"
        return "stay", "by the marginal series no region that may take the work emits less"
    if average is None:
        return "move it", "by the marginal series; there is no average on the same basis to set beside it"
    if average < -EVEN * now:
        return "move it", "by the marginal series it emits less, by the average more: the two disagree"
    return "move it", "by both series it emits less" + (f", though the average would choose {other}" if other else "")
