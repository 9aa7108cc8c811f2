"""The client's PDF: what a run collected, put into words for the template, checked, and set by typst."""

import json
import math
import os
import re
import unicodedata
from collections import Counter
from datetime import UTC, date, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from joulebook.errors import InputError, Problem, RunError
from joulebook.inputs import FILE_UNITS
from joulebook.publish.files import write_whole
from joulebook.results import BOUNDARIES, EVIDENCE, LABELS, NOT_STATED
from joulebook.show.notices import MLPERF_NOTICE
from joulebook.show.numbers import INPUT_DIGITS, NO_BREAK, number, rounded, span, span_as_given, with_unit
from joulebook.units import work

TEMPLATE = Path(__file__).with_name("report.typ")
PALETTE = Path(__file__).parents[1] / "show" / "palette.json"
LABEL_NAMES = {"workload": "Workload", "unit_of_work": "Unit of work", "quality": "Quality", "scenario": "Scenario",
               "window": "Window", "boundary": "Boundary"}
EVIDENCE_MEANS = {
    "measured": "by a meter, on the system in question",
    "published": "printed by somebody who can be named",
    "modelled": "calculated from other figures",
    "quoted": "told or offered, not checked",
    "assumed": "held to be so, without evidence",
    "illustrative": "chosen to show the method, says nothing about the client"}
DEFAULTS = "defaults of the workbook, each with its reason in the register"
NAME_BYTES = 255  # longest name of a file that common file systems take
_NOTES_ON_COVER = 450  # characters of notes that the first page has room for
_TEXT_PT = 481.0  # width of the text
_SIZES = ((8.4, 4.75), (7.4, 4.2))  # of a table: size of the text and width of a digit, in pt
_SUFFIXES = ("j", "kwh", "kw", "w", "s", "h", "kg", "g")
_FILLERS = "\u034f\u115f\u1160\u3164\uffa0"  # print nothing, but count as letters or marks
_JOINERS = "\u200c\u200d"  # belong to the spelling of some scripts
_MONTHS = ("January", "February", "March", "April", "May", "June",
           "July", "August", "September", "October", "November", "December")
_UNITS = r"%|×|Hz|ms|s|h|W|Wh|[kMGT]Wh?|[mkMG]?J|k?g|[A-Z]{3}"
_PROBE = """#set document(title: "probe")
#set text(font: ("Fira Sans", "Libertinus Serif"))
#title()
#json("signs.json")
"""


def report_data(run):
    """All that the report says, as text and lists for the template.

    Parameters
    ----------
    run : dict
        What a run of one client collected: client, date and labels; per topic its inputs, results, tables,
        answer, figures, reading and limits; and the provenance.

    Returns
    -------
    dict
        Plain data. Numbers are rounded and carry their units; nothing is computed again.

    Raises
    ------
    InputError
        If `prepared` is no date.

    Notes
    -----
    Characters that print nothing (controls, changes of direction) are replaced by their code points,
    so that what is read is what was written.
    """
    notes = _paragraphs(run.get("notes"))
    short = sum(map(len, notes)) <= _NOTES_ON_COVER
    register = _register(run)
    data = {
        "document": _document(run),
        "cover": {**_cover(run, register), "notes": notes if short else []},
        "notes": [] if short else notes,
        "topics": [_topic(topic, index, run) for index, topic in enumerate(run["topics"], 1)],
        "register": register,
        "provenance": _provenance(run),
    }
    return _each_text(data, visible)


def write_report(run, path, figures=None, fonts=()):
    """Set the report of a run as PDF/UA-1; the same run gives the same bytes.

    Parameters
    ----------
    run : dict
        As for `report_data`.
    path : pathlib.Path
        The file to write. It appears when it is whole.
    figures : dict of str to str, optional
        SVG of figures by ``topic/name``, for those that the run does not carry itself.
    fonts : iterable of pathlib.Path
        Folders with further fonts, for characters that the report's own do not have.

    Returns
    -------
    pathlib.Path
        `path`.

    Raises
    ------
    InputError
        If a text holds characters that no font has: they would be missing from the page.
    RunError
        If the report cannot be set for another reason.
    """
    path, fonts = Path(path), (str(files("fontpkg_fira_sans") / "files"), *map(str, fonts))
    _require_showable(run, fonts)
    content = {TEMPLATE.name: TEMPLATE.read_text(encoding="utf-8"), "palette.json": PALETTE.read_text(encoding="utf-8"),
               "report.json": json.dumps(report_data(run), ensure_ascii=False), **_pictures(run, figures or {})}
    pdf = _typeset(content, fonts, run)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, pdf)
    return path


def report_name(folder_name):
    """Name of a client's PDF: that of the folder, cut to the length that a file's name may have.

    Parameters
    ----------
    folder_name : str
        Name of the client's folder.

    Returns
    -------
    str
        Whole characters and ``.pdf``, at most 255 bytes in UTF-8.

    Examples
    --------
    >>> report_name("chat-assistant"), len(report_name("株" * 100))
    ('chat-assistant.pdf', 87)
    """
    name = folder_name
    while len(os.fsencode(f"{name}.pdf")) > NAME_BYTES:
        name = name[:-1]
    return f"{name}.pdf"


def visible(text):
    """A text with every character that prints nothing replaced by its code point.

    Parameters
    ----------
    text : str
        Any text. Ends of lines become line feeds, tabulators spaces.

    Examples
    --------
    >>> visible("Acme\\u202eLtd\\x07"), visible("two\\r\\nlines")
    ('Acme[U+202E]Ltd[U+0007]', 'two\\nlines')
    """
    lines = re.sub("\r\n|[\r\v\f\x85\u2028\u2029]", "\n", text).replace("\t", " ")
    return "".join(f"[U+{ord(sign):04X}]" if _prints_nothing(sign) else sign for sign in lines)


def keep_units(text):
    """A text in which no number parts from its unit at the end of a line.

    Parameters
    ----------
    text : str
        Prose.

    Examples
    --------
    >>> keep_units("It draws 1.3 kW, or 35 % more, in 4 months.").count("\\u00a0")
    2
    """
    return re.sub(rf"(?<=[0-9]) (?=(?:{_UNITS})(?!\w))", NO_BREAK, text)


def age(as_of, prepared):
    """How old a value was on the day of the report.

    Parameters
    ----------
    as_of : str or None
        When the value was true: a day, a month or a year.
    prepared : str
        Date of the report.

    Examples
    --------
    >>> age("2026-11-01", "2026-11-30"), age("2025-11-30", "2026-11-30"), age("2024-06", "2026-11-30")
    ('2026-11-01, 29\\xa0days old', '2025-11-30, 12\\xa0months old', '2024-06, 2\\xa0years old')
    >>> age("2027-01-01", "2026-11-30"), age(None, "2026-11-30"), age("last spring", "2026-11-30")
    ('2027-01-01, after the date of this report', 'date not stated', 'last spring')
    """
    if not as_of:
        return "date not stated"
    begin, end = _day(as_of), _day(prepared)
    if begin is None or end is None:
        return as_of
    if begin > end:
        return f"{as_of}, after the date of this report"
    days = (end - begin).days
    months = (end.year - begin.year) * 12 + end.month - begin.month - (end.day < begin.day)
    count, unit = (days, "day") if days < 90 else (months, "month") if months < 24 else (months // 12, "year")
    return f"{as_of}, {count}{NO_BREAK}{unit}{'' if count == 1 else 's'} old"


# ---------------------------------------------------------------- first page


def _document(run):
    day, title = _date_of(run), _title(run)
    return {"title": title, "author": "Joulebook", "date": [day.year, day.month, day.day],
            "client": _short(run["client"], 70), "foot": f"{_short(title, 60)}, Joulebook {run['version']}"}


def _title(run):
    return run["topics"][0]["title"] if len(run["topics"]) == 1 else "Energy and cost of the work"


def _cover(run, register):
    several, day = len(run["topics"]) != 1, _date_of(run)
    chosen = [(index, topic, name) for index, topic in enumerate(run["topics"], 1) for name in _main(topic, several)]
    common = _common([topic["results"][name]["labels"] for _, topic, name in chosen])
    answer = {} if several else run["topics"][0]["answer"] or {}
    return {
        "title": _title(run),
        "question": "" if several else run["topics"][0]["question"],
        "facts": [["Prepared for", run["client"]], ["Date", f"{day.day} {_MONTHS[day.month - 1]} {day.year}"],
                  ["Currency", run["currency"]], ["Made with", f"Joulebook {run['version']}"]],
        "answer": keep_units(answer.get("says") or ""),
        "beside": keep_units(answer.get("beside") or ""),
        "warning": _warning(register["rows"]),
        "several": several,
        "numbers": [{**_main_number(topic, name, common, run), "index": index} for index, topic, name in chosen],
        "labels": [[LABEL_NAMES[label], text] for label, text in common.items()],
        "evidence": register["evidence"],
    }


def _main(topic, several):
    """Names of a topic's main numbers: its headline among several topics, else up to three."""
    answer = topic["answer"] or {}
    names = [] if several else answer.get("numbers") or []
    return [name for name in (names or [answer.get("headline")])[:3] if name in topic["results"]]


def _main_number(topic, name, common, run):
    result = topic["results"][name]
    own = {label: _label(result["labels"], label) for label in LABELS if label not in common}
    return {**_number(result, run), "title": result["title"], "topic": topic["title"], "evidence": result["evidence"],
            "labels": [f"{LABEL_NAMES[label].lower()} {text}" if text == NOT_STATED else text for label, text in own.items()],
            "note": "" if result["value"] is None else keep_units(result["note"] or ""),
            "says": keep_units(topic["answer"].get("says") or "")}


def _warning(rows):
    weak = [row["title"] for row in rows if row["evidence"] == "illustrative"]
    if not weak:
        return ""
    names = ", ".join(weak[:4]) + (f" and {len(weak) - 4} more" if len(weak) > 4 else "")
    are, them = ("is", "it") if len(weak) == 1 else ("are", "them")
    return (f"{len(weak)} of {len(rows)} inputs {are} illustrative: chosen to show the method, not facts about the client "
            f"({names}). A number that rests on {them} decides nothing.")


# ---------------------------------------------------------------- topics


def _topic(topic, index, run):
    shown = {name: result for name, result in topic["results"].items() if result.get("shown", True)}
    answer = (topic["answer"] or {}) if len(run["topics"]) > 1 else {}  # else the first page has it
    main = _main(topic, several=False)
    rows = {name: result for name, result in shown.items() if result["value"] is not None}
    hidden = len(topic["results"]) - len(shown)
    return {
        "index": index, "title": topic["title"], "question": topic["question"],
        "answer": keep_units(answer.get("says") or ""),
        "beside": keep_units(answer.get("beside") or ""),
        "inputs": _sources(topic["inputs"], run),
        "results": _results(rows, main, run),
        "missing": _missing(shown.values()),
        "rest": _elsewhere(hidden, topic.get("long_tables", {})),
        "tables": [_table(table, run) for table in topic["tables"].values()],
        "figures": [{"path": _picture_name(index, position), "caption": keep_units(figure["caption"]),
                     "alt": figure["alt"] or figure["caption"]} for position, figure in enumerate(topic["figures"], 1)],
        "reading": [keep_units(text) for text in topic["reading"]],
        "limits": [keep_units(text) for text in topic["limits"]],
        "rerun": topic["rerun"],
    }


def _elsewhere(hidden, long_tables):
    """What is not printed, and where it stands: further results, and tables that are too long for a page."""
    said = [f"{hidden} more {'result' if hidden == 1 else 'results'} of this topic in results.json."] if hidden else []
    names = [f"{title} ({count} rows)" for title, count in long_tables.items() if count]
    return " ".join([*said, *([f"In the book and in results.json, not printed here: {'; '.join(names)}."] if names else [])])


def _sources(inputs, run):
    """Inputs with their values, gathered by evidence and source, the strongest evidence first."""
    groups = {}
    for item in inputs:
        if item["value"] is not None:
            source = (item["source"] or "source not stated") if item["given"] else DEFAULTS
            groups.setdefault((EVIDENCE.index(item["evidence"]), source), []).append([item["title"], _input_value(item, run)])
    ordered = sorted(groups.items(), key=lambda group: group[0][0])
    return {"rows": [{"evidence": EVIDENCE[rank], "source": source, "items": items} for (rank, source), items in ordered],
            "not_given": [item["title"] for item in inputs if item["value"] is None]}


def _results(results, main, run):
    """The table of results, grouped by window; labels that its rows share stand beside it, the others in the rows."""
    texts = [{label: _label(result["labels"], label) for label in LABELS} for result in results.values()]
    usual = {label: Counter(text[label] for text in texts).most_common(1)[0][0] for label in LABELS} if texts else {}
    own = {label for label in usual if any(text[label] != usual[label] for text in texts)}
    kinds = {result["evidence"] for result in results.values()}
    notes, groups = [], {}
    for (name, result), text in zip(results.items(), texts, strict=True):
        row = {**_row(result, text, usual, notes, run), "main": name in main}
        groups.setdefault(text["window"] if "window" in own else "", []).append(row)
    beside = [[LABEL_NAMES[label], _beside(label, usual[label], label in own)] for label in usual]
    ranged = any(_has_range(result) for result in results.values())
    if results and not ranged:
        beside.append(["Ranges", "range not stated for any of these"])
    if len(kinds) == 1:
        beside.append(["Evidence", f"{kinds.pop()}, the weakest of the inputs"])
    return {"labels": beside, "groups": [{"window": window, "rows": rows} for window, rows in groups.items()], "notes": notes,
            "ranged": ranged, "boundary": "boundary" in own, "evidence": len(kinds) > 1}


def _row(result, text, usual, notes, run):
    note = keep_units(result["note"] or "")
    if note and note not in notes:
        notes.append(note)
    others = [f"{LABEL_NAMES[label].lower()}: {text[label]}" for label in LABELS
              if label not in ("window", "boundary") and text[label] != usual[label]]
    return {**_number(result, run), "title": result["title"], "others": ", ".join(others),
            "mark": str(notes.index(note) + 1) if note else "", "boundary": text["boundary"],
            "rung": result["labels"].get("boundary") or "", "evidence": result["evidence"]}


def _beside(label, text, differs):
    if not differs:
        return text
    apart = {"window": "named above each group of rows", "boundary": "named in each row"}
    return apart.get(label, f"{text}, but for rows that name another")


def _missing(results):
    """Results that are not available, gathered by reason."""
    reasons = {}
    for result in results:
        if result["value"] is None:
            reasons.setdefault(keep_units(result["note"] or "no reason given"), []).append(result["title"])
    return [{"reason": reason, "titles": titles} for reason, titles in reasons.items()]


def _table(table, run):
    """A table in parts that fit the width of the page, each with the first column."""
    names, rows = list(table["columns"]), table["rows"]
    cells = [[_cell(value, name) for value, name in zip(row, names, strict=True)] for row in rows]
    columns = list(zip(*cells, strict=True)) or [()] * len(names)
    heads = [{"name": _column(name, unit), "unit": _unit(unit, run)} for name, unit in table["columns"].items()]
    right = [any(_is_number(row[index]) for row in rows) for index in range(len(names))]
    letters = [max(map(_longest, (*column, head["name"], head["unit"]))) for column, head in zip(columns, heads, strict=True)]
    size, parts = _parts(letters)
    return {"title": table["title"], "note": keep_units(table.get("note") or ""), "size": size, "parts": [
        {"head": [heads[index] for index in part], "right": [right[index] for index in part],
         "rows": [[row[index] for index in part] for row in cells]} for part in parts]}


def _parts(letters):
    """Size of the text and the columns that go side by side, from the letters of the longest word of each column."""
    for size, digit in _SIZES:
        widths = [min(count, 30) * digit + 10 for count in letters]
        if sum(widths) <= _TEXT_PT:
            return size, [list(range(len(letters)))] if letters else []
    parts, used = [], math.inf
    for column in range(1, len(letters)):
        if used + widths[column] > _TEXT_PT:
            parts.append([0])
            used = widths[0]
        parts[-1].append(column)
        used += widths[column]
    return size, parts


def _cell(value, name):
    if value is None:
        return "not available"
    return _words(value) if not _is_number(value) else f"{value:.0f}" if name == "year" else number(value)


def _column(name, unit):
    """The name of a column in words, without the unit that stands below it."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        return name
    words = name.split("_")
    kept = [word for word in words if word not in _SUFFIXES or word != (unit or "").lower()] or words
    return " ".join(kept).capitalize()


def _longest(text):
    return max(map(len, text.split(" ")))


# ---------------------------------------------------------------- register and provenance


def _register(run):
    """Every input of every topic once; where topics have different values, each says for which."""
    entries = {}
    for topic in run["topics"]:
        for item in topic["inputs"]:
            variants = entries.setdefault(item["name"], {})
            variants.setdefault(json.dumps(item, sort_keys=True), (item, []))[1].append(topic["title"])
    rows, missing = [], []
    for variants in entries.values():
        for item, topics in variants.values():
            if item["value"] is None:
                missing.append({"title": item["title"], "key": item["name"]})
            else:
                rows.append(_register_row(item, topics if len(variants) > 1 else [], run))
    counts = Counter(row["evidence"] for row in rows)
    evidence = [{"kind": kind, "count": counts[kind], "means": EVIDENCE_MEANS[kind]} for kind in EVIDENCE if counts[kind]]
    return {"rows": rows, "missing": missing, "evidence": evidence}


def _register_row(item, topics, run):
    reach = "range not stated" if _is_number(item["value"]) else ""
    if reach and _has_range(item):
        reach = span_as_given(item["low"], item["high"])
        reach += {"limits": " (limits)", "u95": f" (95{NO_BREAK}%)"}[item["range_is"]]
    return {"title": item["title"], "key": item["name"], "topics": ", ".join(topics), "value": _input_value(item, run),
            "range": reach, "evidence": item["evidence"], "source": item["source"] or "source not stated",
            "as_of": age(item["as_of"], run["prepared"])}


def _provenance(run):
    origin = run["provenance"]
    groups = {"the client": origin.get("files") or {}, "the notebooks": origin.get("notebooks") or {},
              "the code": {"joulebook": origin["code"]} if origin.get("code") else {}}
    return {
        "groups": [{"title": title, "rows": [{"name": name, "sha": sha} for name, sha in rows.items()]}
                   for title, rows in groups.items() if rows],
        "versions": [f"{name}{NO_BREAK}{version}" for name, version in (origin.get("versions") or {}).items()],
        "rerun": list(dict.fromkeys(topic["rerun"] for topic in run["topics"])),
        "notes": [MLPERF_NOTICE] if any("mlperf" in text.lower() for _, text in _texts(run)) else [],
    }


# ---------------------------------------------------------------- numbers and labels as text


def _number(result, run):
    """Value, unit and range of a result as text, and where between low and high the value lies."""
    value, low, high = result["value"], result["low"], result["high"]
    plain = {"value": "", "unit": "", "text": "", "low": "", "high": "", "at": None, "range": ""}
    if value is None:
        return {**plain, "text": "not available", "range": keep_units(result["note"] or "no reason given")}
    if not _is_number(value):
        return {**plain, "text": _words(value)}
    shown = {**plain, "value": rounded(value, low, high), "unit": _unit(result["unit"], run),
             "range": span(low, high)}
    if _has_range(result):
        at = min(1.0, max(0.0, (value - low) / (high - low))) if high > low else None
        shown |= {"low": rounded(low, low, high), "high": rounded(high, low, high), "at": at}
    return shown


def _input_value(item, run):
    value = item["value"]
    if not _is_number(value):
        return _words(value)
    if item["name"] == "year":
        return f"{value:.0f}"
    return with_unit(number(value, INPUT_DIGITS), _unit(item["unit"], run, value))


def _unit(unit, run, value=None):
    """A unit in the words of the run: its currency, its unit of work."""
    if unit == "year" and value != 1:
        return "years"
    name = (run["labels"] or {}).get("unit_of_work")
    words = {"money": run["currency"], "units": work(name, plural=True), **dict.fromkeys(FILE_UNITS, ""), "1": ""}
    return "/".join(words.get(part, part) for part in (unit or "").split("/"))


def _label(labels, label):
    value = labels.get(label)
    if not value:
        return NOT_STATED
    if label == "unit_of_work":
        return work(value)
    return value.replace("_dc", ", DC") if value in BOUNDARIES else value


def _common(labels):
    """Labels in which all agree, as text."""
    return {label: _label(labels[0], label) for label in LABELS
            if labels and len({_label(one, label) for one in labels}) == 1}


def _has_range(item):
    return item["low"] is not None and item["high"] is not None


def _is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


def _words(value):
    return str(value) if not isinstance(value, bool) else "yes" if value else "no"


def _paragraphs(text):
    return [part.strip() for part in re.split(r"\n\s*\n", visible(text or "")) if part.strip()]


def _short(text, length):
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


def _day(text):
    parts = re.fullmatch(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?", text.strip())
    try:
        return date(*(int(part or 1) for part in parts.groups())) if parts else None
    except ValueError:
        return None


def _date_of(run):
    day = _day(run["prepared"])
    if day is None:
        raise InputError(Problem("not a date", field="prepared", value=run["prepared"], allowed="a date, such as 2026-03-31"))
    return day


# ---------------------------------------------------------------- characters


def _prints_nothing(sign):
    return sign in _FILLERS or (unicodedata.category(sign) in ("Cc", "Cf", "Cs") and sign not in f"\n{_JOINERS}")


def _each_text(data, change):
    """The same data with every text changed."""
    if isinstance(data, str):
        return change(data)
    if isinstance(data, dict):
        return {name: _each_text(value, change) for name, value in data.items()}
    return [_each_text(value, change) for value in data] if isinstance(data, list) else data


def _texts(data, place=""):
    """Every text of a run that may be printed, and where it stands, such as ``topics.cost_per_token.inputs.pue.source``."""
    if isinstance(data, str):
        yield place, visible(data)
    elif isinstance(data, dict):
        for name, value in data.items():
            if name not in ("alt", "svg"):
                yield place, visible(name)
                yield from _texts(value, f"{place}.{name}".strip("."))
    elif isinstance(data, list):
        for index, value in enumerate(data, 1):
            name = (value.get("topic") or value.get("name") or index) if isinstance(value, dict) else index
            yield from _texts(value, f"{place}.{name}")


def _require_showable(run, fonts):
    """Refuse characters that no font has, each where it stands first."""
    texts = list(_texts(run))
    lacking = _lacking("".join(sorted(set().union(*(text for _, text in texts)))), fonts)
    problems, named = [], set()
    for place, text in texts:
        signs = "".join(dict.fromkeys(sign for sign in text if sign in lacking and sign not in named))
        if signs:
            named.update(signs)
            codes = ", ".join(f"{sign} (U+{ord(sign):04X})" for sign in signs[:12])
            more = f" and {len(signs) - 12} more" if len(signs) > 12 else ""
            problems.append(Problem(f"no font of the report has {codes}{more}", field=place, value=_short(text, 60),
                                    allowed="characters of Fira Sans and of typst's own fonts, or of a font that is given"))
    if problems:
        raise InputError(problems)


@cache
def _lacking(signs, fonts):
    """Those characters that cannot be set: typst itself is asked, for all at once, and for each where that fails."""
    return frozenset() if _settable(signs, fonts) else frozenset(sign for sign in signs if not _settable(sign, fonts))


def _settable(signs, fonts):
    from typst import TypstError

    try:
        _compile({"probe.typ": _PROBE, "signs.json": json.dumps(signs)}, "probe.typ", fonts)
    except TypstError:
        return False
    return True


# ---------------------------------------------------------------- typst


def _pictures(run, figures):
    """SVG of every figure, by the name that the template knows it by."""
    pictures = {}
    for index, topic in enumerate(run["topics"], 1):
        for position, figure in enumerate(topic["figures"], 1):
            name = f"{topic['topic']}/{figure['name']}"
            svg = figure.get("svg") or figures.get(name)
            if not svg:
                raise RunError(f"{visible(run['client'])}: the figure {name} has no picture")
            pictures[_picture_name(index, position)] = svg
    return pictures


def _picture_name(index, position):
    return f"figure-{index}-{position}.svg"


def _typeset(content, fonts, run):
    """The PDF of the template with its data and pictures."""
    from typst import TypstError

    day = _date_of(run)
    try:
        return _compile(content, TEMPLATE.name, fonts, int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()))
    except TypstError as error:
        says = "; ".join([error.message, *(error.hints or ())])
        raise RunError(f"{visible(run['client'])}: the report could not be set: {says}") from None


def _compile(content, main, fonts, timestamp=0):
    """PDF/UA-1 of a few files, in a folder of their own that nothing else can be read from."""
    import typst  # late: it is a large library

    with TemporaryDirectory(prefix="joulebook-") as folder:
        for name, text in content.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        try:
            return typst.compile(str(Path(folder) / main), root=folder, font_paths=list(fonts), ignore_system_fonts=True,
                                 pdf_standards=["ua-1"], timestamp=timestamp)
        except typst.TypstError as error:
            error.message = error.message.replace(f"{folder}{os.sep}", "").replace(folder, "")
            raise
