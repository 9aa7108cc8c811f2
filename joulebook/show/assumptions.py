"""The assumption register as a reader sees it: its groups, what is said of an input, and the face of the page."""

from joulebook.show.markup import badge, table, text
from joulebook.show.notices import MLPERF_NOTICE
from joulebook.show.numbers import ENGLISH, INPUT_DIGITS, NO_BREAK

# What stands above each group, in words; the order is that of the register.
GROUPS = {
    "unsourced": ("Without a source", "nobody is named who could be asked; these come first to be mended"),
    "expired": ("Expired", "older than they may be; shown, and priced by only where a reason is given"),
    "illustrative": ("Illustrative", "chosen to show the method, says nothing about the client"),
    "assumed": ("Assumed", "held to be so, without evidence"),
    "quoted": ("Quoted", "told or offered, not checked"),
    "modelled": ("Modelled", "calculated from other figures"),
    "published": ("Published", "printed by somebody who can be named"),
    "measured": ("Measured", "by a meter, on the system in question"),
    "declared": ("Declared", "says what numbers mean, and is no evidence"),
}
DEFAULTS = ("Defaults of the workbook", "not given by the client; each holds for the reason beside it")
FIRST = 3  # effects that stand open


WIDE = 120  # letters of a value that has no room in its own column: it is told beside
BESIDE = "told beside"


def value_words(row, numbers=ENGLISH):
    """An input's value with its unit, and its range, empty where it has none."""
    value = row["value"]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value), ""
    shown = numbers.with_unit(numbers.number(value, INPUT_DIGITS, row["unit"]), _unit(row["unit"], value))
    shown = f"{value:.0f}" if row["name"] == "year" else shown
    reach = numbers.span_as_given(row["low"], row["high"], row["unit"])
    kind = {"limits": "limits", "u95": numbers.percent(95)}[row["range_is"]]
    return shown, f"{reach} ({kind})" if reach else "range not stated"


def day_words(row):
    """The day on which an input was true, and the day on which it expires."""
    day = f"as of {row['as_of']}" if row["as_of"] else "no date"
    if row["expires"]:
        return f"{day}, {'expired' if row['expired'] else 'expires'} {row['expires']}"
    return day if row["as_of"] else "no date, so it does not expire"


def use_words(row):
    """What an expired input is used for, empty where it has not expired."""
    if not row["expired"]:
        return ""
    return f"used for pricing all the same: {row['used_because']}" if row["used_because"] else "not used for pricing"


def rests_words(row, titles):
    """How many results of which topics rest on an input."""
    counts = {}
    for result in row["results"]:
        counts[result["topic"]] = counts.get(result["topic"], 0) + 1
    told = [f"{count} of {titles.get(topic, topic)}" for topic, count in counts.items()]
    if not told:
        return "no result rests on it"
    total = len(row["results"])
    return f"{total} {'result rests' if total == 1 else 'results rest'} on it: {', '.join(told)}"


def move_words(move, numbers=ENGLISH):
    """What an input moves a main result from and to.

    Parameters
    ----------
    move : dict
        One of a row's ``moves``.
    numbers : joulebook.show.numbers.Numbers
        How numbers are written.

    Returns
    -------
    tuple of str
        The result, and what becomes of it.

    Examples
    --------
    >>> move_words({"title": "Energy", "unit": "J", "value": 0.2, "low": 0.15, "high": 0.3})
    ('Energy', '0.150 to 0.300\\xa0J')
    >>> move_words({"title": "Energy", "unit": "J", "value": 0.2, "for_one_pct": -0.0099})
    ('Energy', '−0.99\\xa0% for 1\\xa0% more')
    >>> move_words({"title": "Best energy", "unit": "J", "value": 0.2, "more": None})
    ('Best energy', 'not available at 1\\xa0% more')
    """
    unit = move["unit"]
    if "low" in move:
        ends = [move["low"], move["high"]]
        reach = sorted(ends) if None not in ends else (None, None)
        shown = ["not available" if end is None else numbers.rounded(end, *reach, unit) for end in ends]
        return move["title"], numbers.with_unit(" to ".join(shown), unit)
    if "for_one_pct" not in move:
        step = "more" if "more" in move else "less"
        end = "not available" if move[step] is None else numbers.with_unit(numbers.number(move[step], unit=unit), unit)
        return move["title"], f"{end} at {numbers.percent(1)} {step}"
    more = move["for_one_pct"] * 100
    sign = "" if numbers.number(more, 2).startswith("−") else "+"
    return move["title"], f"{sign}{numbers.percent(more, digits=2)} for {numbers.percent(1)} more"


def grouped(rows):
    """Rows of the client by group, in order: name of the group, and its rows."""
    there = [row for row in rows if row["given"]]
    return {name: found for name in GROUPS if (found := [row for row in there if row["group"] == name])}


def register_face(data, known):
    """The register as a page shows it.

    Parameters
    ----------
    data : dict
        rows of `joulebook.publish.register.register_of`; titles of topics; prepared, valid_months; not_told, main numbers of
        which no single effect is known; without_effect, names that may be used although expired, and have not expired.
    """
    write = known.numbers
    parts = [f"<p>{text(_intro(data))}</p>"]
    about = [*not_told_lines(data.get("not_told") or ()), *without_effect_lines(data["without_effect"])]
    parts += [f"<p>{text(line)}</p>" for line in about]
    for name, rows in grouped(data["rows"]).items():
        parts.append(_part(*GROUPS[name], rows, data["titles"], write))
    defaults = [row for row in data["rows"] if not row["given"]]
    if defaults:
        parts.append(_part(*DEFAULTS, defaults, data["titles"], write))
    if any("mlperf" in row["source"].lower() for row in data["rows"]):
        parts.append(f'<p class="foot">{text(MLPERF_NOTICE)}</p>')
    return "".join(parts)


def not_told_lines(titles):
    """What is said of main numbers of which no single effect is known."""
    if not titles:
        return []
    are = "comes out of a table or of draws" if len(titles) == 1 else "come out of tables or draws"
    return [f"Not told one input at a time, as {'it' if len(titles) == 1 else 'they'} {are}: {'; '.join(titles)}."]


def without_effect_lines(names):
    """What is said of permissions that are not needed."""
    return [f"use_expired names {name}, which has not expired: without effect." for name in names]


def rule_words(prepared, valid_months):
    """The rule by which inputs expire."""
    after = f", else {valid_months} months after its date" if valid_months else ""
    return f"An input expires on the day that its entry names{after}; ages count from {prepared}."


def _intro(data):
    given = sum(row["given"] for row in data["rows"])
    assumed = len(data["rows"]) - given
    return (f"{given} {'input was' if given == 1 else 'inputs were'} given, "
            f"{assumed} {'is a default' if assumed == 1 else 'are defaults'} of the workbook. "
            f"{rule_words(data['prepared'], data['valid_months'])} What an input moves is told of the main results of each "
            f"topic: from its low to its high, all else as it is; or for 1{NO_BREAK}% more of it where it has no range.")


def _part(title, means, rows, titles, numbers):
    head = f'<p class="group"><strong>{text(title)}</strong> <span>{len(rows)}, {text(means)}</span></p>'
    heads = ("Input", "Value, range", "Evidence, source", "What rests on it")
    body = [_row(row, titles, numbers) for row in rows]
    return f'<section class="assumptions">{head}{table(heads, body)}</section>'


def _row(row, titles, numbers):
    value, reach = value_words(row, numbers)
    wide = len(value) > WIDE
    said = [value if wide else "", row["source"] or "no source", day_words(row), use_words(row),
            row.get("plausible")]
    lines = "".join(f"<br><small>{text(line)}</small>" for line in said if line)
    kind = "" if row["group"] == "declared" else row["evidence"]
    return (f'<tr><td>{text(row["title"])}<br><small>{text(row["name"])}</small></td>'
            f"<td>{text(BESIDE if wide else value)}<br><small>{text(reach)}</small></td>"
            f"<td>{badge(kind) if kind else '<b>declared</b>'}{lines}</td><td>{_effects(row, titles, numbers)}</td></tr>")


def _effects(row, titles, numbers):
    lines = [_effect(move, titles, numbers) for move in row["moves"]]
    first = "".join(f"<li>{line}</li>" for line in lines[:FIRST])
    rest = "".join(f"<li>{line}</li>" for line in lines[FIRST:])
    shown = f"<ul>{first}</ul>" if first else ""
    if rest:
        shown += f"<details><summary>{len(lines) - FIRST} more</summary><ul>{rest}</ul></details>"
    return f"<small>{text(rests_words(row, titles))}</small>{shown}"


def _effect(move, titles, numbers):
    title, becomes = move_words(move, numbers)
    return f"{text(title)}: <b>{text(becomes)}</b> <small>{text(titles.get(move['topic'], move['topic']))}</small>"


def _unit(unit, value):
    return "year" if unit == "years" and value == 1 else unit
