"""The colour of what is judged: good, caution or stop, for a verdict and for a grade, on a page and in print."""

TONES = {"automatable": "good", "speculative": "caution", "research": "caution", "uneconomic": "stop",
         "feasibility evidence": "good", "directional bound": "caution", "measure first": "stop"}
SUB_CLASS = "verdict_sub_class"
# Results that are judged, each with those whose words say how: the first that has a tone does.
JUDGED = {"verdict": (SUB_CLASS, "verdict"), "grade": ("grade",)}


def tone(name, results):
    """The tone of a result that is a verdict or a grade; any other is for nobody better or worse, and has none.

    Parameters
    ----------
    name : str
        The result.
    results : dict of str to dict
        Records of results, each with its value.

    Examples
    --------
    >>> tone("verdict", {"verdict": {"value": "speculative"}, "verdict_sub_class": {"value": "uneconomic"}})
    'stop'
    >>> tone("energy_j", {"energy_j": {"value": 1.0}})
    ''
    """
    said = (results.get(judged, {}).get("value") for judged in JUDGED.get(name, ()))
    return next((TONES[value] for value in said if value in TONES), "")
