"""Corners of a comparison over generations: hardware A or B with software 1 or 2, and the ways from one end to the other."""

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.method.differences import compared, smallest_detectable
from joulebook.method.measured_rows import differing_labels, ends, is_uncertain, values
from joulebook.results import LABELS, weakest

STEPS = {  # what each order changes, from corner to corner
    "software first": (("software", "A1", "A2"), ("hardware", "A2", "B2")),
    "hardware first": (("hardware", "A1", "B1"), ("software", "B1", "B2")),
}
TINY = 1e-12  # relative; below it two figures differ by rounding only
MLPERF = "Result not verified by MLCommons Association"


def at_corners(generations):
    """Rows that are corners of the comparison.

    Parameters
    ----------
    generations : pandas.DataFrame
        Rows of the record; `corner` is empty where a row is on record only.

    Returns
    -------
    pandas.DataFrame
        Rows with a corner, those of one corner being repeats; empty where there are none.

    Raises
    ------
    InputError
        Naming each label that differs, a corner of other hardware or software than its name says, and corners that lack.
    """
    rows = generations[generations["corner"] != ""]
    if not len(rows):
        return rows
    problems = differing_labels(rows, "within the corners", "generations_csv")
    for what, place in (("hardware", 0), ("software", 1)):
        named = {}
        for corner, name in zip(rows["corner"], rows[what], strict=True):
            named.setdefault(corner[place], {})[name] = None
        for key, names in named.items():
            if len(names) > 1:
                allowed = f"one {what} in all corners of {key}"
                found = " and ".join(names)
                problems.append(Problem(f"{what} {key} is several", field="generations_csv", value=found, allowed=allowed))
        if len(named) == 2 and len({name for names in named.values() for name in names}) == 1:
            found = next(iter(rows[what]))
            problems.append(Problem(f"the same {what} at both ends", field="generations_csv", value=found, allowed="two"))
    there = set(rows["corner"])
    if "A1" not in there or len(there) < 2:
        what = "no row is corner A1" if "A1" not in there else "no row is another corner than A1"
        problems.append(Problem(what, field="generations_csv", allowed="A1, and B2 with A2 or B1 for what lies between"))
    if problems:
        raise InputError(problems)
    return rows


def paths(energy):
    """Orders in which hardware and software can be changed with the corners that there are, software first before hardware first.

    Examples
    --------
    >>> [[what for what, _, _ in way] for way in paths({"A1": 1.0, "B1": 0.7, "B2": 0.5})]
    [['hardware', 'software']]
    """
    return [steps for steps in STEPS.values() if all(corner in energy for _, *both in steps for corner in both)]


def first_steps(energy):
    """The steps whose gains are told: those of the first path that there is, else what can be told from A1 alone."""
    steps = paths(energy)[0] if paths(energy) else [STEPS["software first"][0], STEPS["hardware first"][0]]
    return [(what, start, end) for what, start, end in steps if start in energy and end in energy]


def known_ratio(first, second):
    """Whether the uncertainty of a ratio is known: that of both, and more of it than one meter's gain, which cancels.

    Examples
    --------
    >>> from joulebook.method.uncertainty import of_limits
    >>> meter = of_limits(1.0, 0.01)
    >>> known_ratio(2.0 * meter, 1.0 * meter), known_ratio(2.0 * meter, 1.0 * of_limits(1.0, 0.01)), known_ratio(2.0, 1.0)
    (False, True, False)
    """
    return is_uncertain(first) and is_uncertain(second) and compared(first, second).relative_u > TINY


def all_known(energy):
    """Whether something is known of the uncertainty of every corner."""
    return all(map(is_uncertain, energy.values()))


def corner_table(rows, energy):
    """The corners side by side, with their energy per unit of work and its interval."""
    low, high = ends(*energy.values())
    own = {corner: rows[rows["corner"] == corner] for corner in energy}
    table = {"corner | ": list(energy)}
    for name in ("hardware", "software", "date"):
        table[f"{name} | "] = [max(of[name]) for of in own.values()]
    table["runs | "] = np.array([len(of) for of in own.values()], float)
    table["energy_per_unit | J per {unit}"] = values(*energy.values())
    if np.isfinite(low).any():
        table |= {"energy_per_unit_low | J per {unit}": low, "energy_per_unit_high | J per {unit}": high}
    return {**table, "evidence | ": [weakest(of["evidence"]) for of in own.values()]}


def detectable(rows):
    """Smallest difference that the repeats of both ends could have shown."""
    if "B2" not in set(rows["corner"]):
        return None, "needs repeated runs of A1 and of B2"
    both = rows[rows["corner"].isin(("A1", "B2"))]
    runs = [(own["energy_j"] / own["work"]).to_numpy(float) for _, own in both.groupby("corner")]
    if min(map(len, runs)) < 2:
        return None, "needs repeated runs of A1 and of B2"
    cv = np.sqrt(np.mean([(own.std(ddof=1) / own.mean()) ** 2 for own in runs]))
    fewest = min(map(len, runs))
    return smallest_detectable(cv, fewest), f"of {fewest} runs each, by their spread alone"


def step_note(rows, what, start, end, reach):
    """What a step changes, with what, and whether its gain is distinguishable from none."""
    label = rows[rows["corner"].isin((start, end))]
    fixed = "hardware" if what == "software" else "software"
    old, new = (rows[rows["corner"] == corner][what].iloc[0] for corner in (start, end))
    return "; ".join(filter(None, (f"{old} to {new}, with {label[fixed].iloc[0]}", unclear(reach))))


def unclear(reach):
    """What must be said of a gain whose interval holds 1; empty where it does not."""
    return "not distinguishable from none" if reach is not None and reach[0] <= 1 <= reach[1] else ""


def unknown(energy):
    """What must be said where nothing of the uncertainty of the total gain is known."""
    if known_ratio(energy["A1"], energy["B2"]):
        return ""
    lacking = [corner for corner in ("A1", "B2") if not is_uncertain(energy[corner])]
    why = f"no uncertainty is stated of {' and '.join(lacking)}" if lacking else "one meter read both, and there are no repeats"
    return f"{why}: that the gain exceeds its uncertainty is not shown"


def in_words(rows, way):
    """A path from corner to corner."""
    corners = [way[0][1], *(end for _, _, end in way)]
    return ", then ".join(named(rows, corner) for corner in corners)


def named(rows, corner):
    """A corner in words."""
    row = rows[rows["corner"] == corner].iloc[0]
    return f"{row['hardware']} with {row['software']}"


def notice(rows):
    """What must be said of figures that are derived from published results of MLPerf."""
    return MLPERF if rows["source"].str.contains("MLPerf").any() else ""


def said_of(rows, names):
    """Evidence and labels of results that rest on rows."""
    labels = {label: rows[label].iloc[0] for label in LABELS if label in rows}
    return {"evidence": dict.fromkeys(names, weakest(rows["evidence"])), "labels": dict.fromkeys(names, labels)}
