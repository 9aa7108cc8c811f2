"""What leads a report: the topic whose answer comes first, and the main numbers of a topic."""

from joulebook.show.tones import SUB_CLASS, TONES, tone

DECISION = "verdict"  # the topic whose answer leads, and the result that is its class


def leading_topic(run):
    """The topic whose answer comes first: the only one, else that of the decision; None where nothing was decided.

    Parameters
    ----------
    run : dict
        As of `joulebook.publish.report.report_data`.
    """
    return run["topics"][0] if len(run["topics"]) == 1 else decided_topic(run)


def decided_topic(run):
    """The topic that decides, where it came to a class."""
    return next((topic for topic in run["topics"] if topic["topic"] == DECISION and decision_of(topic)), None)


def decision_of(topic):
    """The class in a word, with its sub-class, and the role of its colour; None where the topic has no class."""
    kind, sub = (topic["results"].get(name, {}).get("value") for name in (DECISION, SUB_CLASS))
    if not isinstance(kind, str):
        return None
    word = f"{kind[:1].upper()}{kind[1:]}"
    return {"word": f"{word}, {sub}" if sub in TONES else word, "role": tone(DECISION, topic["results"])}


def main_numbers(topic, several):
    """Names of a topic's main numbers: its headline among several topics, else up to three."""
    answer = topic["answer"] or {}
    names = [] if several else answer.get("numbers") or []
    return [name for name in (names or [answer.get("headline")])[:3] if name in topic["results"]]


def topic_of(run, name):
    """The topic of a name, None where the report has none."""
    return next((topic for topic in run["topics"] if topic["topic"] == name), None)


def rows_of(topic, name):
    """Rows of a topic's table as dictionaries by column, none where there is no such table."""
    table = ((topic or {}).get("tables") or {}).get(name)
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]] if table else []


def value_of(topic, name):
    """Value of a topic's result, None where it has none."""
    return ((topic or {}).get("results") or {}).get(name, {}).get("value")
