"""What an explorer holds: its sliders, the parts of its numbers on grids, and what has to be said of them."""

from dataclasses import asdict

import numpy as np

from joulebook.method.explore.deviation import TRIED, deviation
from joulebook.method.explore.grid import NoGrid, only_what_moves, tabulate
from joulebook.method.explore.levers import EFFICIENCY, SHARE, VOLUME
from joulebook.show.sliders.positions import positions, reach

MOST_OFF = 0.001  # relative: no sliders where a number would be further off than that
EXAMPLE = "example of the dictionary"  # source of an input that nobody gave
LEAST_BORDER = 1e-6  # relative: nearer to the hurdle no class is told
_EFFICIENCY_TITLE = "Performance per watt, times that of this page"
_VOLUME_TITLE = "Work, over what the servers there are do at full load"


def explorer_data(study, exploration):
    """Sliders and grids of a topic, plain data.

    Parameters
    ----------
    study : joulebook.method.study.Study
        A study that has run.
    exploration : joulebook.method.explore.exploration.Exploration
        Its main results as sums of parts.

    Returns
    -------
    dict
        With ``note``, the reason, where there is nothing to move.
    """
    headline, given = exploration.headline, study.given
    if headline not in exploration.sums:
        return _nothing(study, headline, study.results[headline].note)
    places = {name: np.array(positions(value, *reach(name, value, given))) for name, value in exploration.levers.start.items()}
    try:
        parts = tabulate(exploration, places)
        exploration = only_what_moves(exploration, parts)
        start = exploration.levers.start
        if not start:
            return _nothing(study, headline, "none of the inputs that could be moved moves it")
        places = {name: places[name] for name in start}
        off = float(f"{deviation(exploration, parts, places):.2g}")  # its last bits differ between machines
    except NoGrid as error:
        return _nothing(study, headline, str(error))
    if not off <= MOST_OFF:
        return _nothing(study, headline, "it bends in a way that a grid on one page does not hold")
    names, order = list(start), list(exploration.sums)
    moved = {*names, *(("active_power_w", "idle_power_w") if EFFICIENCY in names else ()), *((VOLUME,) if SHARE in names else ())}
    rests = [name for name in study.rests_on(headline) if name not in moved and name in given.parameters]
    return {
        "name": headline,
        "note": "",
        "sliders": [
            {"name": name, **_told(study, name), "positions": at, "start": at.index(start[name])}
            for name, at in ((name, places[name].tolist()) for name in names)
        ],
        "parts": [
            {"name": part.name, "axes": [[names.index(name), nodes.tolist()] for name, nodes in part.axes],
             "values": part.values.ravel().tolist()}
            for part in parts.values()
        ],
        "results": [{**_record(study, name), "terms": _terms(exploration.sums[name], parts)} for name in order],
        "over": names.index(exploration.over),
        "lines": [
            {"title": _title(study, name) if name in order else name, "terms": _terms(terms, parts)}
            for name, terms in exploration.lines.items()
        ],
        "outcomes": exploration.outcomes,
        "border": max(LEAST_BORDER, 2 * off),
        "off": off,
        "tried": TRIED,
        "example": all(item.source == EXAMPLE for name, item in given.inputs.items() if name in names),
        "held": [given.parameters[name].title for name in rests],
        "volume": VOLUME in given.inputs and given.inputs[VOLUME].value is not None and SHARE in names,
        "labels": asdict(study.results[headline].labels),
    }


def _nothing(study, headline, why):
    return {"name": headline, "title": _title(study, headline), "note": why}


def _told(study, name):
    """Title and unit of a slider, and how its value is written."""
    if name == EFFICIENCY:
        return {"title": _EFFICIENCY_TITLE, "unit": "1", "way": "times"}
    row, unit = study.given.parameters[name], study.given.unit_of(name)
    if name == SHARE:
        by_volume = study.given.inputs.get(VOLUME) is not None and study.given.inputs[VOLUME].value is not None
        return {"title": _VOLUME_TITLE if by_volume else row.title, "unit": unit, "way": "percent"}
    return {"title": row.title, "unit": unit, "way": "value"}


def _record(study, name):
    result = study.results[name]
    told = {key: getattr(result, key) for key in ("value", "unit", "low", "high")}
    return {"name": name, "title": _title(study, name), **told}


def _terms(terms, parts):
    """Places of parts, and how many times each counts."""
    places = {name: place for place, name in enumerate(parts)}
    return [[places[name], times] for name, times in terms.items() if name in places]


def _title(study, name):
    return study.definition(name).title.format(**study.words)
