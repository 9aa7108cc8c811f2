"""Quality as a sample: absolute or of a reference, its interval, and whether a target or a loss is shown (method, section 4)."""

import numpy as np
from scipy.stats import norm

from joulebook.method.ranges import COVERAGE
from joulebook.method.study import gives
from joulebook.units import PERCENT

Z = float(norm.ppf((1 + COVERAGE) / 2))
FEW = 10  # items that differ: below, the normal approximation of the paired test is rough
SCORE = "a score is no share of right items: its uncertainty is its own, and has to come from its source"


def absolute_share(quality_pct, quality_is, reference_quality=None):
    r"""Quality as a share, whatever it was given of.

    Parameters
    ----------
    quality_pct : float or ndarray
        Quality. [%]
    quality_is : str
        ``absolute``, or ``of_reference`` where 100 % is the quality of a reference.
    reference_quality : float or ndarray, optional
        Absolute quality of the reference. [%]

    Returns
    -------
    float or ndarray
        Share; nan where it is of a reference whose quality is not known. [1]

    Notes
    -----
    .. math:: q = \frac{q_\%}{100} \frac{q_\mathrm{ref}}{100}

    Examples
    --------
    >>> round(float(absolute_share(99.3, "of_reference", 90.874)), 6), float(absolute_share(50.0, "absolute"))
    (0.902379, 0.5)
    """
    share = np.asarray(quality_pct, float) / PERCENT
    if quality_is == "of_reference":
        share = share * (np.nan if reference_quality is None else reference_quality / PERCENT)
    return share[()]


def wilson_interval(share, samples):
    r"""Wilson score interval of a proportion, 95 %.

    Parameters
    ----------
    share : float or ndarray
        Observed proportion k / n. [1]
    samples : float or ndarray
        Items n.

    Returns
    -------
    tuple of float or ndarray
        Low and high. [1]

    Notes
    -----
    .. math:: \frac{p + z^2/2n \pm z \sqrt{p (1 - p)/n + z^2/4n^2}}{1 + z^2/n}

    References
    ----------
    .. [1] E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927) 209.

    Examples
    --------
    >>> [round(float(end), 6) for end in wilson_interval(0.9905, 10000)]
    [0.988401, 0.992222]
    """
    spread = Z**2 / samples
    half = Z * np.sqrt(share * (1 - share) / samples + (spread / Z / 2) ** 2)
    return tuple(np.clip((share + spread / 2 + sign * half) / (1 + spread), 0, 1)[()] for sign in (-1, 1))


def wilson_samples(share, target):
    r"""Items that it takes for the Wilson interval of this proportion to lie above a target.

    Parameters
    ----------
    share : float or ndarray
        Observed proportion. [1]
    target : float or ndarray
        Target, below it. [1]

    Returns
    -------
    float or ndarray
        Items; nan where the proportion is not above the target: then no number of them will do.

    Notes
    -----
    The lower end equals t where the score test of t is just rejected:

    .. math:: n = \frac{z^2\, t (1 - t)}{(p - t)^2}

    Examples
    --------
    >>> n = wilson_samples(0.9992, 0.999)
    >>> bool(wilson_interval(0.9992, n - 1)[0] < 0.999 <= wilson_interval(0.9992, n)[0])
    True
    """
    above = np.asarray(share - target, float)
    return np.ceil(np.divide(Z**2 * target * (1 - target), above**2, out=np.full(above.shape, np.nan), where=above > 0))[()]


def paired_difference(lost, gained, samples):
    """Share of items gained less that of items lost, on the same items. [1]

    Examples
    --------
    >>> paired_difference(6, 3, 10000)
    -0.0003
    """
    return (gained - lost) / samples


def paired_uncertainty(lost, gained, samples):
    r"""Standard uncertainty of `paired_difference`.

    Parameters
    ----------
    lost, gained : float
        Items b that only the reference has right, and c that only the candidate has.
    samples : float
        Items n in all.

    Returns
    -------
    float
        u. [1]

    Notes
    -----
    .. math:: u = \frac{1}{n} \sqrt{b + c - (b - c)^2/n}

    Examples
    --------
    >>> round(float(paired_uncertainty(6, 3, 10000)), 9)
    0.000299985
    """
    return np.sqrt(lost + gained - (lost - gained) ** 2 / samples) / samples


def paired_lower(lost, gained, samples):
    """Lower end of the 95 % interval of `paired_difference`.

    Where no item differs, the formula would claim certainty from any sample; then the exact bound for no loss in n
    items stands in its place.

    Examples
    --------
    >>> round(float(paired_lower(6, 3, 10000)), 6), round(float(paired_lower(0, 0, 100)), 4)
    (-0.000888, -0.0362)
    """
    if lost + gained == 0:
        return ((1 - COVERAGE) / 2) ** (1 / samples) - 1
    return paired_difference(lost, gained, samples) - Z * paired_uncertainty(lost, gained, samples)


def paired_samples(lost, gained, samples, allowed_loss_share):
    r"""Items that it takes, at these rates of loss and gain, to exclude a loss.

    Parameters
    ----------
    lost, gained, samples : float
        As in `paired_uncertainty`.
    allowed_loss_share : float or ndarray
        Loss that is to be excluded. [1]

    Returns
    -------
    float or ndarray
        Items; nan where the loss seen is not smaller than the one allowed.

    Notes
    -----
    .. math:: n = \frac{z^2 \left(\beta + \gamma - d^2\right)}{(d + a)^2}, \qquad \beta = b/n, \quad \gamma = c/n

    Where no item differs, from the exact bound: :math:`n = \ln 0.025 / \ln (1 - a)`.

    Examples
    --------
    >>> float(paired_samples(6, 3, 10000, 0.001))
    7056.0
    """
    allowed = np.asarray(allowed_loss_share, float)
    if lost + gained == 0:
        return np.ceil(np.log((1 - COVERAGE) / 2) / np.log1p(-np.where(allowed > 0, allowed, np.nan)))[()]
    d = paired_difference(lost, gained, samples)
    room = d + allowed
    spread = Z**2 * ((lost + gained) / samples - d**2)
    return np.ceil(np.divide(spread, room**2, out=np.full(room.shape, np.nan), where=room > 0))[()]


@gives("quality_lower_pct", "quality_upper_pct", "quality_samples_needed")
def quality_interval(
    deployable_quality_pct, quality_target_pct, quality_kind, quality_is, quality_samples=None, reference_quality=None
):
    """Interval of the absolute quality of the deployable best, and whether it shows that the target is met.

    Parameters
    ----------
    deployable_quality_pct : float or ndarray
        Result of `joulebook.method.accuracy_cost.best_points`.
    quality_target_pct, quality_kind, quality_is, quality_samples, reference_quality
        See ``data/parameters.csv``.

    Returns
    -------
    dict
        The results named in `gives`; the note says shown or not shown.
    """
    names = quality_interval.results
    share, target = (absolute_share(q, quality_is, reference_quality) for q in (deployable_quality_pct, quality_target_pct))
    reason = SCORE if quality_kind == "score" else no_absolute(quality_is, reference_quality)
    if not reason and np.max(share) > 1:
        reason = "a quality above that of a reference cannot be counted as right items: it comes to more than all of them"
    if reason:
        return {**dict.fromkeys(names), "notes": dict.fromkeys(names, f"not shown: {reason}")}
    needed = wilson_samples(share, target)
    take = f"it would take {needed:,.0f} items" if np.ndim(needed) == 0 and needed > 0 else "no number of items would show it"
    if quality_samples is None:
        unknown = f"not shown: the number of items is not known; {take}"
        ends, notes = (None, None), dict.fromkeys(names[:2], unknown)
    else:
        ends = tuple(end * PERCENT for end in wilson_interval(share, quality_samples))
        shown = np.ndim(ends[0]) == 0 and ends[0] >= target * PERCENT
        notes = {"quality_lower_pct": "shown: the target is met" if shown else f"not shown that the target is met: {take}"}
    if np.ndim(needed) == 0 and not needed > 0:
        notes["quality_samples_needed"] = "the quality is at the target itself: no number of items would show it"
    return {"quality_lower_pct": ends[0], "quality_upper_pct": ends[1], "quality_samples_needed": needed, "notes": notes}


@gives("paired_difference", "paired_standard_uncertainty", "paired_lower_bound", "paired_samples_needed")
def paired_test(lost, gained, allowed_loss_share=None, quality_samples=None, quality_kind=None):
    """Loss of quality against a reference on the same items, and whether a loss above the allowed one is excluded.

    Parameters
    ----------
    lost, gained, allowed_loss_share, quality_samples, quality_kind
        See ``data/parameters.csv``.

    Returns
    -------
    dict
        The results named in `gives`; the note of the bound says shown or not shown.
    """
    names = paired_test.results
    reason = (
        SCORE
        if quality_kind == "score"
        else "the number of items is not known: needs quality_samples"
        if not quality_samples
        else ""
    )
    if reason:
        return {**dict.fromkeys(names), "notes": dict.fromkeys(names, f"not shown: {reason}")}
    lower = paired_lower(lost, gained, quality_samples)
    needed, notes = None, {}
    if allowed_loss_share is None:
        notes = {
            "paired_lower_bound": "needs allowed_loss_share to be judged",
            "paired_samples_needed": "needs allowed_loss_share",
        }
    else:
        needed = paired_samples(lost, gained, quality_samples, allowed_loss_share)
        if np.ndim(needed) == 0:
            notes = _judged(lower, needed, allowed_loss_share)
    if lost + gained == 0:
        notes["paired_difference"] = "no item differs: the bound is the exact one for no loss"
    elif lost + gained < FEW:
        notes["paired_difference"] = f"{lost + gained:g} items differ: with so few the bound is rough"
    return {
        "paired_difference": paired_difference(lost, gained, quality_samples),
        "paired_standard_uncertainty": paired_uncertainty(lost, gained, quality_samples),
        "paired_lower_bound": lower,
        "paired_samples_needed": needed,
        "notes": notes,
    }


def _judged(lower, needed, allowed):
    loss = f"a loss of {allowed * PERCENT:.6g} %"
    never = "the loss seen is not smaller than the one allowed: no number of items would exclude it"
    if lower > -allowed:
        return {"paired_lower_bound": f"shown: {loss} is excluded"}
    if needed > 0:
        return {"paired_lower_bound": f"not shown that {loss} is excluded: it would take {needed:,.0f} items at these rates"}
    return {"paired_lower_bound": f"not shown that {loss} is excluded: {never}", "paired_samples_needed": never}


def no_absolute(quality_is, reference_quality):
    """Why a quality cannot be made absolute; empty where it can."""
    if quality_is == "of_reference" and reference_quality is None:
        return "the quality is of a reference's: needs reference_quality to be absolute"
    return ""
