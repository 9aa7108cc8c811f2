"""Carbon of work by time and place, with embodied carbon and water as lines of their own (method, section 7)."""

import numpy as np

from joulebook.method.cost_per_token import work_of_a_year
from joulebook.method.fleet import NO_WORK, per_million
from joulebook.method.grid.calculation import on_grid
from joulebook.method.grid.moves import move, regions
from joulebook.method.grid.series import no_series
from joulebook.method.grid.shifts import day, shift
from joulebook.method.grid.work import AVERAGE, MARGINAL, NOW
from joulebook.method.intensity import emissions
from joulebook.method.load_curve import judged
from joulebook.method.study import gives
from joulebook.units import GRAMS_PER_KILOGRAM, HOURS_PER_YEAR, SECONDS_PER_HOUR

_LOAD = ("carbon_hours", "load_it_kwh", "load_facility_kwh", "load_average_kw", "load_peak_kw", "load_units")


@gives(*_LOAD)
@on_grid
def load(work, servers, boundary=None, pue=None, load_profile=None, load_curve=None, utilization_is=None, throughput_per_s=None,
         flexible_hours=None):
    r"""Energy and power of all work over the hours of the carbon series, at the equipment and at the facility.

    Parameters
    ----------
    work : joulebook.method.grid.work.Work
        Standing load, and flexible work as it runs now.
    boundary, utilization_is : str, optional
        Where the power was measured, and see `joulebook.method.load_curve.curve_for`.
    pue, throughput_per_s, servers, flexible_hours : float or ndarray, optional
        See ``data/parameters.csv``.
    load_profile, load_curve : pandas.DataFrame, optional
        See `joulebook.method.grid.steps.joined`.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: E_\mathrm{facility} = \mathrm{PUE}\, E_\mathrm{IT}, \quad P_\mathrm{facility} = \mathrm{PUE}\, P_\mathrm{IT}

    The PUE scales energy and power alike, each once; water does not follow from it.
    """
    notes, steps, fits = {}, work.steps, True
    facility, peak_kw = work.standing(np.ones(len(steps.hours))), work.peak_kw()
    if len(work.windows):
        with_flexible = work.peak_kw(NOW)
        fits = bool(work.draws) or bool(np.isfinite(with_flexible))  # a draw in which it does not fit has no value
        if fits:
            peak_kw = with_flexible
            energy = work.flexible_kw * work.rules.work_h * len(work.windows)
            facility = facility + np.where(np.isfinite(peak_kw), energy, np.nan)[()]
    nothing = not np.any(facility > 0)
    made = {
        "carbon_hours": steps.hours.sum(),
        "load_it_kwh": facility if pue is None and boundary != "facility" else facility / pue if pue is not None else None,
        "load_facility_kwh": facility,
        "load_average_kw": facility / steps.hours.sum(),
        "load_peak_kw": peak_kw,
        "load_units": None if throughput_per_s is None else
        throughput_per_s * servers * SECONDS_PER_HOUR * _full_hours(work, fits),
    }
    if steps.lost_h:
        notes["carbon_hours"] = f"what all series have in common; up to {steps.lost_h:g} h of one lie outside and are left out"
    if made["load_it_kwh"] is None:
        notes["load_it_kwh"] = "the power is that of the facility; what the equipment draws of it is not known"
    if nothing:
        made |= dict.fromkeys(_LOAD[1:])
        notes |= dict.fromkeys(_LOAD[1:], "needs load_profile_csv with idle_power_w and active_power_w, or flexible_hours")
        return {**made, "notes": notes}
    if not fits:
        notes["load_facility_kwh"] = "without the flexible work, which is not feasible as it runs now"
    if throughput_per_s is None:
        notes["load_units"] = "needs throughput_per_s"
    elif flexible_hours is not None:
        notes["load_units"] = "flexible work counts the full throughput of all servers while it runs"
    said = judged(_LOAD[1:-1], utilization_is, load_curve) if load_profile is not None else {"evidence": {}, "notes": {}}
    return {**made, "notes": {**said["notes"], **notes}, "evidence": said["evidence"]}


def _full_hours(work, fits):
    """Hours at full throughput."""
    hours = work.steps.hours @ work.steps.utilization if work.steps.utilization is not None else 0.0
    if len(work.windows) and fits:
        hours = hours + work.rules.work_h * len(work.windows)
    return hours


_OPERATIONAL = ("operational_average_g", "operational_marginal_g", "average_g_per_kwh", "marginal_g_per_kwh")


@gives(*_OPERATIONAL, "operational_by_series")
@on_grid
def operational(work, load_facility_kwh):
    r"""Emissions of all work, each hour's energy at the intensity of that hour, by each series.

    Parameters
    ----------
    work : joulebook.method.grid.work.Work
        Standing load, and flexible work as it runs now.
    load_facility_kwh : float or ndarray
        Its energy at the facility; result of `load`. [kWh]

    Returns
    -------
    dict
        The results named in `gives`. Series are neither added nor swapped: each is a row, and the single results are those of
        the one average and the one marginal series that are chosen.

    Notes
    -----
    .. math:: m = \sum_h E_h\, g_h, \quad \text{never} \; \bar E\, \bar g
    """
    steps, made, notes = work.steps, [], {}
    flexible = work.flexible(steps.g_per_kwh, NOW) if len(work.windows) else np.zeros(len(steps.bases))
    flexible = flexible if work.draws else np.nan_to_num(flexible)  # what does not fit as it runs now is left out, and said
    begins, ends, hours = steps.edges[:-1], steps.edges[1:], steps.hours
    for place, (basis, g) in enumerate(zip(steps.bases, steps.g_per_kwh, strict=True)):
        # Emissions are linear in the powers: those of a kilowatt idle, of one that follows the work, and of flexible work.
        parts = [emissions(begins, ends, energy, begins, ends, g, basis).mass_g for energy in (hours, hours * work.share)]
        made.append(work.idle_kw * parts[0] + work.rise_kw * parts[1] + flexible[..., place][()])
    by_basis = {}
    for basis in (AVERAGE, MARGINAL):
        place = work.place[basis]
        mass = None if place is None else made[place]
        by_basis |= {f"operational_{basis}_g": mass, f"{basis}_g_per_kwh": None if mass is None else mass / load_facility_kwh}
        note = no_series(basis) if place is None else f"{steps.bases[place]}"
        notes |= {f"operational_{basis}_g": note, f"{basis}_g_per_kwh": note}
    return {**by_basis, "operational_by_series": _series_table(steps, made, load_facility_kwh), "notes": notes}


def _series_table(steps, made, energy_kwh):
    mean = steps.g_per_kwh @ steps.hours / steps.hours.sum()
    mass = np.stack(np.broadcast_arrays(*made), axis=-1)
    energy = np.asarray(energy_kwh)[..., None]
    return {
        "series | ": [str(one) for one in steps.bases],
        "emissions | g": mass,
        "by_energy | g/kWh": mass / energy,
        "mean_of_hours | g/kWh": mean,
        "product_of_means | g": energy * mean,
    }


_BY_WORK = ("average_per_million_g", "marginal_per_million_g", "annual_average_kg", "annual_marginal_kg")


@gives(*_BY_WORK)
def by_work(carbon_hours, load_units=None, operational_average_g=None, operational_marginal_g=None):
    """Operational emissions for the work that was done, and for a year of such hours.

    Parameters
    ----------
    carbon_hours, load_units : float or ndarray
        Hours that are known, and work done in them; results of `load`.
    operational_average_g, operational_marginal_g : float or ndarray, optional
        Results of `operational`.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    year = f"as if all {HOURS_PER_YEAR:.0f} h of a year were as the {carbon_hours:g} h of the series"
    made, notes, evidence = {}, {}, {}
    for basis, mass in ((AVERAGE, operational_average_g), (MARGINAL, operational_marginal_g)):
        per, annual = f"{basis}_per_million_g", f"annual_{basis}_kg"
        made |= {per: None, annual: None}
        if mass is None:
            notes |= dict.fromkeys((per, annual), f"operational_{basis}_g is not available")
            continue
        made[annual] = mass / GRAMS_PER_KILOGRAM * HOURS_PER_YEAR / carbon_hours
        if carbon_hours < HOURS_PER_YEAR:
            notes[annual], evidence[annual] = year, "assumed"
        if load_units is None:
            notes[per] = "needs throughput_per_s"
            continue
        made[per] = per_million(mass, load_units)
        if not np.all(load_units > 0):
            notes[per] = NO_WORK
    return {**made, "notes": notes, "evidence": evidence}


@gives("embodied_lifetime_kg", "embodied_annual_kg", "embodied_per_million_g")
def embodied(embodied_kg, embodied_share, lifetime_years, servers, servers_powered=None, units_per_year=None):
    r"""Embodied carbon by share and lifetime: of a year, and of a million units of work.

    Parameters
    ----------
    embodied_kg, embodied_share, lifetime_years, servers : float or ndarray
        See ``data/parameters.csv``.
    servers_powered, units_per_year : float or ndarray, optional
        Results of `joulebook.method.cost_per_token.work_of_a_year`: the embodied carbon of servers that are added is that of the
        others.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: M = M_0\, s / N

    References
    ----------
    .. [1] ISO/IEC 21031:2024, Software Carbon Intensity (SCI) specification.
    """
    powered = servers if servers_powered is None else servers_powered
    lifetime = embodied_kg * embodied_share * powered / servers
    annual = lifetime / lifetime_years
    notes = {} if units_per_year is not None else {"embodied_per_million_g": "needs annual_volume or utilization"}
    if np.all(powered > servers):
        notes["embodied_lifetime_kg"] = "servers that are added count like those there are; the load above is that of the latter"
    if units_per_year is not None and not np.all(units_per_year > 0):
        notes["embodied_per_million_g"] = NO_WORK
    return {
        "embodied_lifetime_kg": lifetime,
        "embodied_annual_kg": annual,
        "embodied_per_million_g": None if units_per_year is None else per_million(annual * GRAMS_PER_KILOGRAM, units_per_year),
        "notes": notes,
    }


@gives("water_l", "water_per_million_l")
def water(wue_l_per_kwh, load_it_kwh, load_units=None):
    r"""Water of the site over the hours of the carbon series: litres for each kilowatt-hour of the equipment.

    Parameters
    ----------
    wue_l_per_kwh : float or ndarray
        See ``data/parameters.csv``.
    load_it_kwh, load_units : float or ndarray
        Energy of the equipment, not of the facility, and work done; results of `load`.

    Returns
    -------
    dict
        The results named in `gives`.

    Notes
    -----
    .. math:: W = \mathrm{WUE}\, E_\mathrm{IT}

    References
    ----------
    .. [1] ISO/IEC 30134-9:2022, Water usage effectiveness (WUE).
    """
    litres = wue_l_per_kwh * load_it_kwh
    if load_units is None:
        return {"water_l": litres, "water_per_million_l": None, "notes": {"water_per_million_l": "needs throughput_per_s"}}
    notes = {} if np.all(load_units > 0) else {"water_per_million_l": NO_WORK}
    return {"water_l": litres, "water_per_million_l": per_million(litres, load_units), "notes": notes}


# Calculations of the topic cost_per_token that run before.
BUILT_ON = (work_of_a_year,)

# All calculations of the topic, in the order in which they run: later ones use results of earlier ones.
CALCULATIONS = (load, operational, by_work, shift, day, regions, move, embodied, water)
