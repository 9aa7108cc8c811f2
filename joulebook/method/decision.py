"""The class of a use case: automatable, speculative or research, and the gate before it (method, section 11)."""

from joulebook.method.matching.words import FEASIBILITY
from joulebook.method.quality import absolute_share
from joulebook.method.study import gives
from joulebook.units import PERCENT

NONE = "none"  # the sub-class of a class that has none
_INTERVAL = ("quality_lower_pct", "quality_target_pct", "quality_is", "reference_quality")  # for want of a paired test
GATE = {"yes": "open", "no": "closed", "unknown": "not known"}


@gives("quality_shown", once=True)
def quality_is_shown(
    paired_lower_bound=None,
    allowed_loss_share=None,
    quality_lower_pct=None,
    quality_target_pct=None,
    quality_is=None,
    reference_quality=None,
    told=None,
):
    """Whether the quality is shown: by the paired test where there is one, else by the interval against the target.

    Parameters
    ----------
    paired_lower_bound, quality_lower_pct : float, optional
        Results of `joulebook.method.quality.paired_test` and `quality_interval`.
    allowed_loss_share, quality_target_pct, quality_is, reference_quality : optional
        See ``data/parameters.csv``.
    told : dict of str to str, optional
        Notes of the results before.

    Returns
    -------
    dict
        The result named in `gives`: ``shown`` or ``not shown``, and why.
    """
    told, unused = told or {}, ()
    if paired_lower_bound is not None and allowed_loss_share is not None:
        shown, why = paired_lower_bound > -allowed_loss_share, told.get("paired_lower_bound", "")
        unused = _INTERVAL
    elif quality_lower_pct is not None:
        shown = quality_lower_pct >= absolute_share(quality_target_pct, quality_is, reference_quality) * PERCENT
        why = told.get("quality_lower_pct", "")
    else:
        none_given = told.get("paired_lower_bound", "none is given")
        shown, why = False, f"no paired test ({none_given}), and no interval against the target"
        if told.get("quality_lower_pct"):
            why += f" ({told['quality_lower_pct']})"
    why = why.replace("not shown: ", "").removeprefix("shown: ").removeprefix("not shown that ")
    return {
        "quality_shown": "shown" if shown else "not shown",
        "notes": {"quality_shown": why},
        "unused": {"quality_shown": unused},
    }


@gives("readiness", once=True)
def readiness_gate(organisational_readiness):
    """The gate before the verdict, told apart from it.

    Parameters
    ----------
    organisational_readiness : str
        ``yes``, ``no`` or ``unknown``.

    Returns
    -------
    dict
        The result named in `gives`.
    """
    return {
        "readiness": GATE[organisational_readiness],
        "notes": {"readiness": "a gate before the verdict, and no part of it"},
    }


@gives("verdict", "verdict_sub_class", once=True)
def decide(
    quality_shown,
    automatable_probability,
    uneconomic_probability,
    hurdle_probability=None,
    grade=None,
    throughput_per_s=None,
    told=None,
):
    r"""The class of a use case, and why.

    Parameters
    ----------
    quality_shown : str
        Result of `quality_is_shown`.
    automatable_probability, uneconomic_probability : float
        See ``data/parameters.csv``.
    hurdle_probability : float, optional
        Result of `joulebook.method.economics.return_of_a_year`.
    grade : str, optional
        Result of benchmark_match.
    throughput_per_s : float, optional
        See ``data/parameters.csv``.
    told : dict of str to str, optional
        Notes of the results before.

    Returns
    -------
    dict
        The results named in `gives`; the note of the class says why. No class where what decides it is not available.

    Notes
    -----
    ``research`` where the quality is not shown or the throughput is not known; ``automatable`` where
    :math:`P(\mathrm{ROI} \ge h)` is at least `automatable_probability` and the grade is feasibility evidence; else
    ``speculative``, of the sub-class ``uneconomic`` where the probability is at most `uneconomic_probability`.

    Examples
    --------
    >>> decide("shown", 0.9, 0.1, 0.95, "feasibility evidence", 5000.0)["verdict"]
    'automatable'
    >>> decide("shown", 0.9, 0.1, 0.95, "directional bound", 5000.0)["verdict"]
    'speculative'
    >>> decide("not shown", 0.9, 0.1, 0.95, "feasibility evidence", 5000.0)["verdict"]
    'research'
    """
    told = told or {}
    open_questions = [
        *(["the throughput is not known"] if throughput_per_s is None else []),
        *([_joined("the quality is not shown", told.get("quality_shown"))] if quality_shown != "shown" else []),
    ]
    if open_questions:
        # Nothing of the money decides then, nor does the quality where it is shown.
        shown = ["quality_shown"] if quality_shown == "shown" else []
        given = ["throughput_per_s"] if throughput_per_s is not None else []
        money = ["hurdle_probability", "grade", "automatable_probability", "uneconomic_probability"]
        unused = dict.fromkeys(decide.results, money + shown + given)
        return _said("research", NONE, "; ".join(open_questions)) | {"unused": unused}
    if hurdle_probability is None:
        return _said(None, None, _joined("the return is not available", told.get("hurdle_probability")))
    asked = (automatable_probability, uneconomic_probability)
    chance = {
        0.0: "the hurdle is reached nowhere in the ranges",
        1.0: "the hurdle is reached all over the ranges",
    }.get(hurdle_probability, f"the hurdle is reached with a probability of {_percent(hurdle_probability, asked)}")
    if hurdle_probability >= automatable_probability:
        if grade == FEASIBILITY:
            why = f"{chance}, the benchmark is {FEASIBILITY}, and the quality is shown"
            return _said("automatable", NONE, why)
        if grade is None:
            return _said(None, None, _joined("the benchmark has no grade", told.get("grade")))
        return _said("speculative", NONE, f"{chance}, but the benchmark's grade is {grade}")
    if hurdle_probability <= uneconomic_probability:
        why = f"{chance}, no more than the {_percent(uneconomic_probability)} at which a use case is given up"
        return _said("speculative", "uneconomic", why)
    why = f"{chance}, below the {_percent(automatable_probability)} asked for"
    return _said("speculative", NONE, why)


def _said(kind, sub_class, why):
    notes = {"verdict": why} | ({} if sub_class else {"verdict_sub_class": "there is no class"})
    return {"verdict": kind, "verdict_sub_class": sub_class, "notes": notes}


def _joined(what, why):
    return f"{what}: {why}" if why else what


def _percent(share, beside=()):
    """A probability in percent, to as many digits as tell it from certainty and from another one beside it.

    Examples
    --------
    >>> _percent(0.63721), _percent(0.8996, [0.9]), _percent(0.89999, [0.9]), _percent(0.99999), _percent(0.9)
    ('63.7 %', '89.96 %', '89.999 %', 'more than 99.9 %', '90 %')
    """
    if share > 0.999:
        return "more than 99.9 %"
    if share < 0.001:
        return "less than 0.1 %"
    shown = (round(share * PERCENT, digits) for digits in range(1, 12))
    others = [other * PERCENT for other in beside if other != share]
    return f"{next(item for item in shown if item not in others):g} %"
