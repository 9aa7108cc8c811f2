"""Characters of a text as they are printed: what prints nothing is shown, and no number parts from its unit."""

import re
import unicodedata

from joulebook.show.numbers import NO_BREAK

_FILLERS = "\u034f\u115f\u1160\u3164\uffa0"  # print nothing, but count as letters or marks
_JOINERS = "\u200c\u200d"  # belong to the spelling of some scripts
_UNITS = r"%|×|Hz|ms|s|h|W|Wh|[kMGT]Wh?|[mkMG]?J|k?g|[A-Z]{3}"


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


def paragraphs(text):
    """Paragraphs of a text, visible, without blank ones."""
    return [part.strip() for part in re.split(r"\n\s*\n", visible(text or "")) if part.strip()]


def shortened(text, length):
    """A text cut to a length, with a sign that it was; what is as wide as it is high counts as two letters.

    Examples
    --------
    >>> shortened("Energy", 6), shortened("Energy", 5), shortened("株式会社", 6)
    ('Energy', 'Ener…', '株式…')
    """
    widths = [2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text]
    if sum(widths) <= length:
        return text
    while text and sum(widths[: len(text)]) > length - 1:
        text = text[:-1]
    return f"{text.rstrip()}…"


def each_text(data, change):
    """The same data with every text changed."""
    if isinstance(data, str):
        return change(data)
    if isinstance(data, dict):
        return {name: each_text(value, change) for name, value in data.items()}
    return [each_text(value, change) for value in data] if isinstance(data, list) else data


def texts_of(data, place=""):
    """Every text of a run that may be printed, and where it stands, such as ``topics.cost_per_token.inputs.pue.source``."""
    if isinstance(data, str):
        yield place, visible(data)
    elif isinstance(data, dict):
        for name, value in data.items():
            if name not in ("alt", "svg"):
                yield place, visible(name)
                yield from texts_of(value, f"{place}.{name}".strip("."))
    elif isinstance(data, list):
        for index, value in enumerate(data, 1):
            name = (value.get("topic") or value.get("name") or index) if isinstance(value, dict) else index
            yield from texts_of(value, f"{place}.{name}")


def _prints_nothing(sign):
    return sign in _FILLERS or (unicodedata.category(sign) in ("Cc", "Cf", "Cs") and sign not in f"\n{_JOINERS}")
