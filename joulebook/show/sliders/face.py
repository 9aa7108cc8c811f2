"""The face of an explorer: sliders, numbers and what is said of them as escaped HTML, the grids as an attribute for its script.

The box is hidden until its script is there: a page is whole without it.
"""

import json

from joulebook.show.markup import attribute, text
from joulebook.show.numbers import INPUT_DIGITS
from joulebook.show.tones import TONES

_LEAST_TOLD = 1e-6  # a deviation below this is told as less than this
_GAP = "\0"  # in the place of a number, to tell what stands before and behind it
_BOX = '<section class="explorer{kind}" aria-label="Try other inputs" data-explorer hidden'


def explorer_face(data, known, labels):
    """HTML of an explorer.

    Parameters
    ----------
    data : dict
        Of `joulebook.show.sliders.data.explorer_data`.
    known : joulebook.show.known.Known
        How numbers are written, and what the page says of the verdict.
    labels : str
        The labels of the headline as HTML.
    """
    if data["note"]:
        says = f"No sliders: {data['title']} is not available; {data['note']}."
        return f"{_BOX.format(kind=' none')}><p>{text(says)}</p></section>"
    write = known.numbers
    head, *others = data["results"]
    titles = [item["title"] for item in data["lines"]]
    back = "example" if data["example"] else "values of this page"
    return (
        f'{_BOX.format(kind="")} data-locale="{attribute(_tag(write.locale))}" '
        f'data-grid="{attribute(json.dumps(_grid(data), separators=(",", ":")))}">'
        f'<div class="top"><p class="caps">Try other inputs</p><button type="button" disabled>Back to the {back}</button></div>'
        f'<div class="sides"><div class="sliders">{"".join(_slider(item, write) for item in data["sliders"])}</div>'
        f'<div class="shown"><p class="caps">{text(head["title"])}, at these inputs</p>'
        f'<p class="value">{_number(head, write, live="polite")}</p>{_outcomes(data, known)}'
        f"<dl>{''.join(_listed(item, write) for item in others)}</dl></div></div>"
        f'<ul class="lines" aria-hidden="true">{"".join(f"<li>{text(line)}</li>" for line in titles)}</ul>'
        f'<div class="picture" role="img" aria-label="{attribute(_picture(data))}"></div>{labels}{_foot(data, write)}</section>'
    )


def _slider(item, write):
    places, start = item["positions"], item["start"]
    low, says, high = (_written(item, places[place], write) for place in (0, start, len(places) - 1))
    name, before, behind = f"explore-{item['name']}", *_around(item, write)
    return (
        f'<div class="slider"><label for="{attribute(name)}">{text(item["title"])}</label>'
        f'<output for="{attribute(name)}" aria-live="off" data-before="{attribute(before)}" '
        f'data-behind="{attribute(behind)}">{text(says)}</output><input type="range" id="{attribute(name)}" '
        f'data-input="{attribute(item["name"])}" data-value="{places[start]!r}" min="0" '
        f'max="{len(places) - 1}" step="1" value="{start}" autocomplete="off" aria-valuetext="{attribute(says)}">'
        f'<p class="ends" aria-hidden="true"><span>{text(low)}</span><span>{text(high)}</span></p></div>'
    )


def _written(item, value, write):
    if item["way"] == "percent":
        return write.with_unit(write.number(value * 100, INPUT_DIGITS), "%")
    if item["way"] == "times":
        return f"{write.number(value, INPUT_DIGITS)}×"
    return write.with_unit(write.number(value, INPUT_DIGITS, item["unit"]), item["unit"])


def _around(item, write):
    """What stands before and behind the number of a slider."""
    unit = {"percent": "%", "times": ""}.get(item["way"], item["unit"])
    before, _, behind = write.with_unit(_GAP, unit).partition(_GAP)
    return before, f"{behind}×" if item["way"] == "times" else behind


def _listed(item, write):
    return f"<div><dt>{text(item['title'])}</dt><dd>{_number(item, write)}</dd></div>"


def _number(item, write, live="off"):
    """A number that moves, as the page says it to begin with, and its unit."""
    before, _, behind = write.with_unit(_GAP, item["unit"]).partition(_GAP)
    shown = write.rounded(item["value"], item["low"], item["high"], item["unit"])
    return (
        f'{text(before)}<output data-result="{attribute(item["name"])}" data-value="{item["value"]!r}" aria-live="{live}">'
        f"{text(shown)}</output><span>{text(behind)}</span>"
    )


def _outcomes(data, known):
    if not data["outcomes"]:
        return ""
    said = []
    for word in ("reached", "missed"):
        outcome = data["outcomes"][word]
        kind, sub = outcome["verdict"] or "", outcome["verdict_sub_class"]
        told = " and ".join(filter(None, (kind, None if sub in (None, "none") else sub))) or "no class"
        why = f", {outcome['note']}" if outcome["note"] else ""
        said.append(
            f'<span class="outcome {TONES.get(sub) or TONES.get(kind, "")}" data-outcome="{attribute(word)}" '
            f'data-class="{attribute(kind)}" hidden>Hurdle {text(word)}. With all inputs taken as certain: '
            f"<strong>{text(told)}</strong>{text(why)}.</span>"
        )
    edge = "On the hurdle, as near as can be told: no class."
    said.append(f'<span class="outcome" data-outcome="border" data-class="" hidden>{edge}</span>')
    page, beside = known.results.get("verdict", {}), ""
    if page.get("value"):
        note = f": {page['note']}" if page["note"] else ""
        says = f"With the ranges of its inputs counted, this page says {page['value']}{note}."
        beside = f'<p class="beside">{text(says)}</p>'
    return f'<output class="outcomes" data-result="verdict" data-value="" aria-live="polite">{"".join(said)}</output>{beside}'


def _picture(data):
    lines, over = ", ".join(item["title"] for item in data["lines"]), data["sliders"][data["over"]]["title"]
    return f"Lines over {over}, or over the slider moved last: {lines}. Points are where the sliders stand; numbers are above."


def _foot(data, write):
    off, tried = _off(data["off"], write), write.number(data["tried"])
    says = [
        "The numbers are the method's own: its functions were asked when this page was made, and what they gave is interpolated "
        f"in logarithms, part by part, and added up. Tried at {tried} positions of the sliders that is off by {off}.",
        "No range is given: that of this page belongs to its own inputs.",
    ]
    if data["volume"]:
        says.append("The volume of work follows the utilization and the throughput.")
    ends = (
        "Sliders go from a tenth to ten times of what this page has, utilization to full load, performance per watt from a fifth "
        "to five times, and no further than an input may go or is plausible."
    )
    held = f"Held as they are: {', '.join(data['held'])}. " if data["held"] else ""
    return (
        f'<p class="foot">{text(" ".join(says))}</p><details class="foot">'
        f"<summary>What is held fixed, and how far sliders go</summary><p>{text(held + ends)}</p></details>"
    )


def _off(share, write):
    if share < _LEAST_TOLD:
        return f"less than {write.percent(_LEAST_TOLD * 100)}"
    return f"at most {write.percent(float(f'{share * 100 * 1.05:.1g}'))}"


def _grid(data):
    return {
        "sliders": [{**{key: item[key] for key in ("positions", "start", "title")}, "percent": item["way"] == "percent"}
                    for item in data["sliders"]],
        "parts": [{"axes": part["axes"], "values": part["values"]} for part in data["parts"]],
        "results": [item["terms"] for item in data["results"]],
        "lines": [item["terms"] for item in data["lines"]],
        "over": data["over"], "border": data["border"], "judged": bool(data["outcomes"]),
    }


def _tag(locale):
    return "en" if locale is None else locale.replace("_", "-")
