"""What decides: where the class flips, the three inputs that matter most, and what to measure next."""

from joulebook.publish.report.characters import keep_units, shortened
from joulebook.publish.report.leading import DECISION, rows_of, topic_of, value_of
from joulebook.publish.report.values import is_number, numbers_of, shown_input, shown_unit
from joulebook.show.assumptions import move_words, value_words
from joulebook.show.numbers import NO_BREAK

COUNT = 3  # of what matters, and of what to measure
SENSITIVITY, MATCH, MEASURE_FIRST, SHOWN = "sensitivity", "benchmark_match", "measure first", "shown"
# Characters that the summary has room for; what is longer stands whole in its topic or in the register.
NAME, HOW, WORTH, REASON = 60, 84, 70, 110
FAR = 4.0  # ranges from today: a flip beyond is told, not drawn
_MOVED = ((DECISION, "measurements", "moves_the_benefit"), (SENSITIVITY, "value_of_knowing", "moves_margin_by"))
_PLACES = {"yes": "within its range", "no": "beyond its range", "none stated": "no range is stated",
           "within its range": "within its range", "beyond its range": "beyond its range",
           "no range is stated": "no range is stated"}


def flips(run):
    """Where the class, or else the conclusion, flips: figures with a title and a sentence, or a note where nothing tells.

    Parameters
    ----------
    run : dict
        As of `joulebook.publish.report.report_data`.
    """
    verdict, sensitivity = topic_of(run, DECISION), topic_of(run, SENSITIVITY)
    if verdict:
        items = [_cost_flip(verdict, run), _energy_flip(verdict, run), _input_flip(run)]
    elif sensitivity:
        items = [_conclusion_flip(sensitivity, run), _input_flip(run)]
    else:
        return {"items": [], "note": ""}
    found = [item for item in items if item]
    what = "class" if verdict else "conclusion"
    return {"items": found, "note": "" if found else f"Nothing that was moved flips the {what}; its topic says why."}


def matters(run, register):
    """The inputs that move most what is decided, by how much, and where each alone would turn it.

    Parameters
    ----------
    run : dict
        As of `joulebook.publish.report.report_data`.
    register : list of dict
        Rows of `joulebook.publish.register.register_of`.

    Returns
    -------
    dict
        ``by``, what they are chosen by, and ``rows``.
    """
    topic, parts = _parts(run)
    if parts:
        turns = _turns(run)
        name = "the year's benefit over the hurdle" if topic["topic"] == DECISION else "the margin"
        found = [(_registered(register, part["title"], topic["topic"]), part) for part in parts]
        rows = [_matter(row, run, _uncertain(part["moves"], run), turns.get(row["title"])) for row, part in found if row][:COUNT]
        by = f"By their part in the standard uncertainty of {name}. Bar: range; dot: today; diamond: flip."
        return {"by": by, "rows": rows}
    moved = [(row, move) for row in register if row["given"] for move in row["moves"][:1] if "low" in move]
    moved.sort(key=lambda pair: -_swing(pair[1]))
    rows = [_matter(row, run, ": ".join(move_words(move, numbers_of(run))), None) for row, move in moved[:COUNT]]
    by = "By what each moves a main number from the low to the high of its range, all else as it is. Bar: range; dot: today."
    return {"by": by, "rows": rows}


def to_measure(run):
    """What to measure next: what the class waits for, then what is worth more than it costs."""
    verdict, match = topic_of(run, DECISION), topic_of(run, MATCH)
    items, note = [], ""
    if verdict and value_of(verdict, "quality_shown") not in (None, SHOWN):
        items.append(_item("Quality of the work", verdict["results"]["quality_shown"]["note"], "settles the class"))
    if match and value_of(match, "grade") == MEASURE_FIRST:
        why = value_of(match, "grade_reason") or MEASURE_FIRST
        items.append(_item("Energy of the deployment itself", _runs(match, run), why))
    ranked = rows_of(topic_of(run, SENSITIVITY), "measurements_ranked")
    worthy = [row for row in ranked if row["net_value"] is not None and row["net_value"] > 0]
    items += [_item(row["measurement"], row["measures"],
                    f"worth {_money(row['value'], run)}, costs {_money(row['cost'], run)}") for row in worthy]
    if ranked and not worthy:
        none = f"None of the {len(ranked)} measurements on offer is" if len(ranked) > 1 else "The one measurement on offer is not"
        note = f"{none} worth what it costs: what is not known would not change the decision by as much."
    if verdict and not ranked and (alone := verdict["results"].get("next_measurement", {}).get("value")):
        worth = value_of(verdict, "next_measurement_value")
        items.append(_item(alone, "the input whose range leaves most open", worth and f"worth up to {_money(worth, run)} a year"))
    return {"items": items[:COUNT], "note": note}


def _cost_flip(verdict, run):
    result = verdict["results"].get("flip_multiple")
    if not result or result["value"] is None:
        return _none("Cost of a task", result)
    write, reach = numbers_of(run), ""
    if result["low"] is not None:
        reach = f"; 95{NO_BREAK}%: {write.span(result['low'], result['high']).replace(' to ', '× to ')}×"
    today, then = (value_of(verdict, name) for name in ("unit_cost", "flip_unit_cost"))
    told = _span(today, then, run["currency"], run) if is_number(today) and is_number(then) else "times today's"
    return _flip(_times(result, run), "Cost of a task", f"{told}{reach}")


def _energy_flip(verdict, run):
    energy, work = (verdict["results"].get(name) for name in ("energy_case_flip", "throughput_case_flip"))
    if not energy or energy["value"] is None:
        return _none("Performance per watt", energy)
    other = f"; {_times(work, run)} if the throughput falls" if work and work["value"] is not None else ""
    return _flip(_times(energy, run), "Worse performance per watt", f"if energy alone rises{other}")


def _conclusion_flip(sensitivity, run):
    result = sensitivity["results"].get("flip_cost_per_million")
    if not result or result["value"] is None:
        return _none("Cost per million", result)
    write, ranged = numbers_of(run), result["low"] is not None
    reach = f"95{NO_BREAK}%: {write.span(result['low'], result['high'], result['unit'])}" if ranged else "range not stated"
    return _flip(write.rounded(result["value"], result["low"], result["high"], result["unit"]), "Cost that turns the conclusion",
                 f"{shown_unit(result['unit'], run)}; {reach}")


def _input_flip(run):
    nearest = next(iter(_turns(run).values()), None)
    if not nearest:
        return None
    return _flip(_signed(nearest["change"], run), f"{nearest['title']}, alone",
                 f"{_span(nearest['today'], nearest['at'], nearest['unit'], run)}, {nearest['place']}")


def _flip(value, title, text):
    return {"value": value, "title": shortened(title, NAME), "text": shortened(keep_units(text), REASON)}


def _none(title, result):
    return _flip("none", title, result["note"]) if result and result["note"] else None


def _times(result, run):
    write, ranged = numbers_of(run), result["low"] is not None
    return f"{write.rounded(result['value'], result['low'], result['high']) if ranged else write.number(result['value'], 3)}×"


def _parts(run):
    """Inputs by their part in the uncertainty of what is decided, the largest first, and the topic that says so."""
    for name, table, column in _MOVED:
        topic = topic_of(run, name)
        rows = [row for row in rows_of(topic, table) if row[column]]
        if rows:
            rows.sort(key=lambda row: -row[column])
            return topic, [{"title": _plain(row["input"]), "moves": row[column]} for row in rows]
    return None, []


def _turns(run):
    """Where each input alone turns what is decided, by its title, the nearest first."""
    rows = rows_of(topic_of(run, DECISION), "input_flips")
    if rows:
        return {row["input"]: {"title": row["input"], "unit": row["unit"], "today": row["today"], "at": row["at_the_flip"],
                               "change": row["change"], "place": _PLACES[row["inside_its_range"]]} for row in rows}
    rows = [row for row in rows_of(topic_of(run, SENSITIVITY), "break_evens") if row["break_even"] is not None]
    return {_plain(row["input"]): {
        "title": _plain(row["input"]), "unit": row["input"][len(_plain(row["input"])):].strip(" ()"), "today": row["today"],
        "at": row["break_even"], "change": (row["times_today"] - 1) * 100, "place": _PLACES[row["said"]]}
        for row in rows if row["times_today"] is not None and row["said"] in _PLACES}


def _plain(title):
    """The title of an input without the unit in brackets that a table may give it."""
    return title[: title.rindex(" (")] if title.endswith(")") and " (" in title else title


def _registered(register, title, topic):
    """The row of an input in the register: that of the topic, where topics have different values."""
    rows = [row for row in register if row["title"] == title]
    return next((row for row in rows if topic in row["topics"]), next(iter(rows), None))


def _span(today, then, unit, run):
    write = numbers_of(run)
    return f"from {_brief(today, unit, write)} to {write.with_unit(_brief(then, unit, write), unit)}"


def _brief(value, unit, write):
    """A number to three digits, also where it is a large one."""
    return write.number(float(f"{value:.3g}"), 3, unit)


def _signed(change, run):
    told = numbers_of(run).percent(change)
    return told if told.startswith("−") else f"+{told}"


def _matter(row, run, effect, turn):
    write = numbers_of(run)
    value, reach = value_words(row, write)
    effects = [effect]
    if turn:
        at = write.with_unit(_brief(turn["at"], turn["unit"], write), turn["unit"])
        effects.append(f"turns it at {at} ({_signed(turn['change'], run)}), {turn['place']}")
    value = shown_input(row, run) if is_number(row["value"]) else value
    return {**{key: shortened(text, NAME) for key, text in (("title", row["title"]), ("value", value), ("range", reach))},
            "evidence": row["evidence"], "effects": [shortened(keep_units(line), REASON) for line in effects],
            "bar": _bar(row, turn)}


def _money(value, run):
    write = numbers_of(run)
    return write.with_unit(write.number(value, 3, run["currency"]), run["currency"])


def _uncertain(moves, run):
    """A standard uncertainty, to two digits."""
    write = numbers_of(run)
    return f"{write.with_unit(write.rounded(moves, 0, 2 * moves, run['currency']), run['currency'])} of uncertainty"


def _bar(row, turn):
    """Places of low, today, high and, where it is near enough, the flip, from 0 to 1; None without a range."""
    low, high, today = row["low"], row["high"], row["value"]
    if low is None or high is None or not high > low or not is_number(today):
        return None
    flip, far = turn["at"] if turn else None, FAR * (high - low)
    if flip is not None and not min(low, today) - far <= flip <= max(high, today) + far:
        flip = None
    ends = [low, high, today, *([] if flip is None else [flip])]
    least, most = min(ends), max(ends)
    return {name: None if value is None else (value - least) / (most - least)
            for name, value in (("low", low), ("today", today), ("high", high), ("flip", flip))}


def _swing(move):
    ends = (move["low"], move["high"])
    return float("inf") if None in ends or not move["value"] else abs(ends[1] - ends[0]) / abs(move["value"])


def _runs(match, run):
    count, time = (match["results"].get(name) or {} for name in ("repeats_needed", "measuring_time_s"))
    if count.get("value") is None:
        return "plan in its topic"
    return f"{numbers_of(run).number(count['value'])} {time.get('note') or 'runs'}; plan in its topic"


def _item(what, how, worth):
    told = {"what": (what, NAME), "how": (how or "", HOW), "worth": (worth or "", WORTH)}
    return {key: shortened(keep_units(text), most) for key, (text, most) in told.items()}
