"""Tables of measured energies: rows of one run each, as quantities per unit of work, and labels that must agree."""

import numpy as np
import uncertainties

from joulebook.errors import Problem
from joulebook.method.uncertainty import coverage_interval, of_limits, of_runs
from joulebook.results import LABELS, NOT_STATED
from joulebook.units import PERCENT

_SHAPES = {"measured": "u95", "assumed": "triangular"}  # as the ranges of inputs; all others are limits


def energies_per_unit(rows, of):
    r"""Energy per unit of work of groups of rows.

    Parameters
    ----------
    rows : pandas.DataFrame
        A row a run: `energy_j`, `work`, `evidence` and, where they are known, `energy_low_j` and `energy_high_j` (nan where not),
        `meter` (empty where not) and `meter_limit_pct`, its limit of error as a share of the reading.
    of : list of str
        Columns that name a group. Several rows of a group are repeats.

    Returns
    -------
    dict
        Quantity by group, in the order of the file; a float where nothing of its uncertainty is known. [J]

    Notes
    -----
    Repeats give a type A part of n - 1 degrees of freedom; the range of a row, and of repeats their mean relative range, a type B
    part; a meter another, which all groups that name it share, so that it cancels in their ratios.

    .. math:: e = \overline{(E/N)}\,(1 + \delta_\mathrm{range})\,(1 + \delta_\mathrm{meter})
    """
    meters, made = {}, {}
    for name, own in rows.groupby(of, sort=False):
        runs = (own["energy_j"] / own["work"]).to_numpy(float)
        energy = of_runs(runs, "repeats") if len(runs) > 1 else float(runs[0])
        half = ((own["energy_high_j"] - own["energy_low_j"]) / 2 / own["energy_j"]).to_numpy(float)
        if not np.isnan(half).all():
            shape = _SHAPES.get(own["evidence"].iloc[0], "rectangular")
            energy = energy * of_limits(1.0, float(np.nanmean(half)), shape, name="range")
        meter, limit = own["meter"].iloc[0], own["meter_limit_pct"].iloc[0]
        if meter and limit > 0:
            gain = meters.setdefault(meter, of_limits(1.0, float(limit) / PERCENT, name=f"meter {meter}"))
            energy = energy * gain
        made[name[0] if len(of) == 1 else name] = energy
    return made


def ends(*quantities):
    """Low and high of each quantity; nan where nothing of its uncertainty is known.

    Returns
    -------
    tuple of ndarray, shape (n,)
    """
    both = [coverage_interval(item) if is_uncertain(item) else (np.nan, np.nan) for item in quantities]
    return tuple(np.array(both, float).reshape(-1, 2).T)


def values(*quantities):
    """Value of each quantity, shape (n,)."""
    return np.array([uncertainties.nominal_value(item) for item in quantities], float)


def is_uncertain(quantity):
    """Whether anything is known of a quantity's uncertainty."""
    return uncertainties.std_dev(quantity) > 0


def differing_labels(rows, who, field):
    """Problems of rows that are set against each other although their labels differ (rule 1).

    Parameters
    ----------
    rows : pandas.DataFrame
        The rows; each label that is a column must be stated and the same in all of them.
    who : str
        What the rows are, in words.
    field : str
        The parameter that the rows are from.

    Returns
    -------
    list of joulebook.errors.Problem
        One for each label that differs.
    """
    problems = []
    for label in LABELS:
        if label in rows and len(set(rows[label])) > 1:
            found = " and ".join(dict.fromkeys(text or NOT_STATED for text in rows[label]))
            what = f"these may not be compared: the label {label} differs, {who}"
            problems.append(Problem(what, field=field, value=found, allowed="equal labels, stated in all of these rows"))
    return problems
