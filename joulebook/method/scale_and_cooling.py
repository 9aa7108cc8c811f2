"""The share outside the accelerators with scale, and cooling by candidate (method, section 2)."""

import numpy as np

from joulebook.method.study import gives

ACCELERATORS = "accelerators"


@gives("outside_by_scale", "outside_share_smallest", "outside_share_largest")
def scale(scale):
    r"""Share of the energy outside the accelerators, by number of nodes.

    Parameters
    ----------
    scale : pandas.DataFrame
        Columns nodes, component, energy_j; one component is ``accelerators``.

    Returns
    -------
    dict
        The results named in `gives`; the table has a row a number of nodes.

    Notes
    -----
    .. math:: 1 - E_\mathrm{accelerators} / \sum_i E_i        (equation ``eq-outside`` in the book)
    """
    energy = scale.pivot(index="nodes", columns="component", values="energy_j").sort_index()
    inside, outside = energy[ACCELERATORS].to_numpy(), energy.drop(columns=ACCELERATORS)
    total = inside + outside.sum(axis=1).to_numpy()
    share = 1 - inside / total
    sizes = [f"{int(count)} nodes" if count != 1 else "1 node" for count in energy.index]
    return {
        "outside_by_scale": {
            "nodes | ": energy.index.to_numpy(float),
            "accelerators_j | J": inside,
            "outside_j | J": total - inside,
            "outside_share | 1": share,
            "largest_outside | ": list(outside.idxmax(axis=1)),
            "largest_share | 1": outside.max(axis=1).to_numpy() / total,
        },
        "outside_share_smallest": share[0],
        "outside_share_largest": share[-1],
        "notes": {"outside_share_smallest": f"at {sizes[0]}", "outside_share_largest": f"at {sizes[-1]}"},
    }


def cooled_power(it_power_w, added_power_w, pue):
    r"""Power at the facility of equipment with what its cooling adds inside it.

    Parameters
    ----------
    it_power_w, added_power_w : float or ndarray
        Power of the equipment, and of the pumps or fans that this candidate adds. [W]
    pue : float or ndarray
        PUE of this candidate. [1]

    Returns
    -------
    float or ndarray
        Power at the facility. [W]

    Notes
    -----
    .. math:: P = (P_\mathrm{IT} + P_\mathrm{added})\, \mathrm{PUE}        (equation ``eq-cooling`` in the book)

    Examples
    --------
    >>> cooled_power(1000.0, 0.0, 1.3), round(cooled_power(890.0, 20.0, 1.15), 9)
    (1300.0, 1046.5)
    """
    return (it_power_w + added_power_w) * pue


@gives("cooling_candidates", "cooling_power_first_w", "cooling_power_lowest_w", "cooling_saving_pct")
def cooling(cooling):
    """Power at the facility of each candidate for cooling, against the first of them.

    Parameters
    ----------
    cooling : pandas.DataFrame
        Columns candidate, it_power_w, added_power_w, pue; each does the same work in the same time.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    power = cooled_power(*(cooling[name].to_numpy(float) for name in ("it_power_w", "added_power_w", "pue")))
    lowest, names = int(np.argmin(power)), list(cooling["candidate"])
    return {
        "cooling_candidates": {
            "candidate | ": names,
            "it_power_w | W": cooling["it_power_w"].to_numpy(float),
            "added_power_w | W": cooling["added_power_w"].to_numpy(float),
            "pue | 1": cooling["pue"].to_numpy(float),
            "facility_power_w | W": power,
            "saving | 1": 1 - power / power[0],
        },
        "cooling_power_first_w": power[0],
        "cooling_power_lowest_w": power[lowest],
        "cooling_saving_pct": 100 * (1 - power[lowest] / power[0]),
        "notes": {
            "cooling_power_first_w": names[0],
            "cooling_power_lowest_w": names[lowest],
            "cooling_saving_pct": names[lowest],
        },
    }
