"""How completely a result is disclosed, and what its quotation has to name (method, section 6)."""

from joulebook.method.accuracy_pairs import NOTICE
from joulebook.method.study import gives

# What a reader needs to judge or repeat a figure of energy, and the fields of a disclosure of which each has one at least.
ITEMS = {
    "hardware": ("accelerator", "system"),
    "firmware": ("firmware",),
    "software": ("software",),
    "model": ("model", "model_family"),
    "precision": ("precision",),
    "batch or scenario": ("scenario", "batch_size"),
    "quality": ("quality_target_pct",),
    "meter": ("meter",),
    "sampling": ("sampling_interval_s",),
    "boundary": ("boundary",),
    "clocks": ("clocks",),
    "power limits": ("power_limit",),
}
OF_CLUSTERS = {
    "node count": ("nodes",),
    "network": ("network",),
    "host configuration": ("host",),
    "cooling": ("cooling",),
}
DISCLOSED, MISSING = "disclosed", "missing"
NOTHING = "nothing"
_SUITES = "MLPerf"
_QUOTED = ("suite", "round", "division", "submitter", "system", "benchmark", "scenario", "metric", "location", "retrieved")


@gives("disclosure_items", "disclosure_share", "disclosure_missing")
def completeness(disclosure):
    """What of a result is disclosed, and what is missing.

    Parameters
    ----------
    disclosure : dict
        Fields as in `joulebook.intake.records`.

    Returns
    -------
    dict
        The results named in `gives`. Of one node what belongs to clusters is not due; where the number of nodes is not known,
        it is.
    """
    due = dict(ITEMS) if disclosure.get("nodes") == 1 else {**ITEMS, **OF_CLUSTERS}
    said = {item: [_said(disclosure[field]) for field in fields if field in disclosure] for item, fields in due.items()}
    missing = [item for item, found in said.items() if not found]
    kind = "one node" if len(due) == len(ITEMS) else "those of clusters among them"
    return {
        "disclosure_items": {
            "item | ": list(due),
            "disclosure | ": [DISCLOSED if found else MISSING for found in said.values()],
            "what_it_says | ": ["; ".join(found) for found in said.values()],
        },
        "disclosure_share": 1 - len(missing) / len(due),
        "disclosure_missing": ", ".join(missing) or NOTHING,
        "notes": {"disclosure_share": f"of {len(due)} items, {kind}"},
    }


@gives("attribution")
def attribution(disclosure):
    """How the result has to be quoted.

    Parameters
    ----------
    disclosure : dict
        Fields as in `joulebook.intake.records`.

    Returns
    -------
    dict
        The attribution, or the reason why the result may not be quoted yet. MLCommons asks for suite, version, division,
        benchmark, scenario and metric, for submitter and system, where the result stands and when it was read there; what is
        computed from it is no figure of theirs, and says so.
    """
    quoted = [name for name in _QUOTED if name != "scenario" or _has_scenarios(disclosure)]
    lacking = [name for name in quoted if name not in disclosure]
    if "suite" not in disclosure:
        return {"attribution": None, "notes": {"attribution": "no suite is named whose rules ask for one"}}
    if lacking:
        return {"attribution": None, "notes": {"attribution": f"may not be quoted yet: not known are {', '.join(lacking)}"}}
    one = {name: disclosure[name] for name in quoted}
    work = ", ".join(one[name] for name in ("benchmark", "scenario") if name in one)
    text = (f"{one['suite']} {one['round']}, {one['division']} division, {work}: {one['metric']}. {one['submitter']}, "
            f"{one['system']}. Retrieved {one['retrieved']} from {one['location']}.")  # fmt: skip
    own = f" Energy per unit of work and all that rests on it: {NOTICE}." if _SUITES in one["suite"] else ""
    return {"attribution": f"{text}{own}"}


def _has_scenarios(disclosure):
    """Whether results of the suite are of a scenario: those of Tiny and Training are not."""
    return not str(disclosure.get("suite", "")).endswith(("Tiny", "Training"))


def _said(value):
    return f"{value:g}" if isinstance(value, float) else str(value)
