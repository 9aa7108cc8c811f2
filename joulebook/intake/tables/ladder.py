"""Energies by boundary and variant, by number of nodes, and candidates for cooling."""

import numpy as np

from joulebook.dictionary import parameters
from joulebook.intake.checks import attempt_at
from joulebook.intake.sheet import again
from joulebook.intake.tables.ranged import ENDS, add_range
from joulebook.results import BOUNDARIES, EVIDENCE

VARIANTS = ("baseline", "optimized")
_PARTS = r"[^+]*[^+\s][^+]*(\+[^+]*[^+\s][^+]*)*"
_TOGETHER = {  # what says nothing without the others
    "host_power_w": ("host_power_is",),
    "facility_fixed_w": ("facility_slope",),
    "facility_slope": ("facility_fixed_w",),
}


def _boundary(sheet):
    sheet.least(2)
    words = {
        name: sheet.choice(name, choices)[0]
        for name, choices in (("boundary", BOUNDARIES), ("variant", VARIANTS), ("evidence", EVIDENCE))
    }
    allowed = "names of components joined by +, such as accelerators+host"
    components, right = sheet.matching("components", _PARTS, "no components", allowed)
    named = np.array(["+".join(sorted({part.strip() for part in text.split("+")})) for text in components], object)
    fewer = np.array([few.count("+") < many.count("+") for few, many in zip(named, components, strict=True)], bool)
    sheet.rows(right & fewer, "a component named twice", "components", allowed)
    table = {
        **words,
        "components": named,
        "energy_j": sheet.number("energy_j", above=0),
        "work": sheet.number("work", above=0),
        "quality_pct": sheet.number("quality_pct", low=0, high=100),
    }
    add_range(sheet, table, "energy_j", *ENDS)
    boundary, variant = table["boundary"], table["variant"]
    twice = again(boundary, variant, named) & right
    sheet.rows(twice, "these components are there twice at this boundary and variant", "components", "each once")
    for name in ("work", "quality_pct"):
        first, differs = {}, ~np.isnan(table[name])
        pairs = zip(variant[differs], table[name][differs], strict=True)
        differs[differs] = [value != first.setdefault(run, value) for run, value in pairs]
        sheet.rows(differs, "not as in the rows above of this variant", name, "one run a variant")
    at = {name: set(boundary[variant == name]) for name in VARIANTS}
    alone = [name in at and any(place not in rows for rows in at.values()) for place, name in zip(boundary, variant, strict=True)]
    allowed = "rows of both variants at each boundary"
    sheet.rows(np.array(alone, bool), "the other variant is missing at this boundary", "variant", allowed)
    return table


def _scale(sheet):
    sheet.least(2)
    nodes = sheet.number("nodes", low=1, whole=True)
    names, right = sheet.text("component", "no component", "a name, such as accelerators")
    energy = sheet.number("energy_j", low=0)
    sheet.rows(again(nodes, names) & right, "there twice at this number of nodes", "component", "each once")
    known = set(names[right])
    if "accelerators" not in known or len(known) < 2:
        sheet.note("no accelerators, or nothing beside them", "component", None, allowed="accelerators and at least one other")
    for count in sorted(dict.fromkeys(nodes[~np.isnan(nodes)].tolist())):
        rows = nodes == count
        line = int(sheet.numbers[rows][0])
        for name in sorted(known - set(names[rows])):
            sheet.note(
                f"{name} is missing at this number of nodes",
                "component",
                line,
                value=f"{count:g}",
                allowed="0 where it draws nothing",
            )
        with np.errstate(over="ignore"):
            total = np.nansum(energy[rows])
        if total == 0:
            sheet.note("no energy at this number of nodes", "energy_j", line, value=f"{count:g}", allowed="above 0")
    return {"nodes": nodes, "component": names, "energy_j": energy}


def _cooling(sheet):
    sheet.least(2)
    names, right = sheet.text("candidate", "no candidate", "a name, such as air")
    sheet.rows(again(names) & right, "a candidate that is there twice", "candidate", "each once")
    power = {"it_power_w": sheet.number("it_power_w", above=0), "added_power_w": sheet.number("added_power_w", low=0)}
    return {"candidate": names, **power, "pue": sheet.number("pue", low=1)}


def _check_ladder(inputs, tables, place, unclear, found):
    if "boundary_csv" not in tables:
        return
    before = len(found)
    for name, others in _TOGETHER.items():
        for other in others:
            if name in inputs and other not in inputs and other not in unclear:
                found.add(
                    f"missing: {name} says nothing without it",
                    **{**place(name), "field": other},
                    allowed=parameters()[other].allowed,
                )
    if len(found) == before and not unclear:
        attempt_at(place("boundary_csv"), found, _climb, inputs, tables["boundary_csv"])


def _climb(inputs, table):
    from inspect import signature

    from joulebook.method import boundary_ladder, ranges

    used = {name: item for name, item in inputs.items() if name in signature(boundary_ladder.ladder).parameters}
    del used["boundary_csv"]
    values = {name: item.value for name, item in used.items()}
    rows = parameters()
    drawn = ranges.draw(
        used, {name: row.limits for name, row in rows.items()}, places={name: row.place for name, row in rows.items()}
    )
    rng = np.random.default_rng(ranges.SEED)
    sampled = boundary_ladder.ladder(table, **{**values, **drawn}, rng=rng)
    boundary_ladder.ladder(table, **values, sampled=sampled)


_COLUMNS = ("boundary", "variant", "energy_j", "evidence", "components", "work", "quality_pct")
TABLES = {
    "boundary_csv": ([(_COLUMNS, ENDS)], _boundary),
    "scale_csv": ([(("nodes", "component", "energy_j"), ())], _scale),
    "cooling_csv": ([(("candidate", "it_power_w", "added_power_w", "pue"), ())], _cooling),
}
CHECKS = (_check_ladder,)
