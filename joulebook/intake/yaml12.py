"""YAML 1.2 files as plain data, with the line of every value.

Values are resolved by the core schema of YAML 1.2 alone, from the raw text of each scalar, so that
``NO``, ``1,2``, ``50%`` and dates stay text. What older readers turn into something else (clock
times, leading zeros), and what hides where a value stands (anchors, tags, several documents), is
refused. Events are read one by one, not a node graph: nothing is expanded and depth is bounded.
"""

import math
import re
from dataclasses import dataclass, field

from joulebook.errors import InputError, Problem, Problems
from joulebook.intake.text import read_text

MAX_BYTES = 2**20
MAX_DEPTH = 20
MAX_DIGITS = 308  # those of the largest float

_CONSTANTS = {"": None, "~": None, "null": None, "Null": None, "NULL": None, "true": True, "True": True, "TRUE": True,
              "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_SPECIAL = re.compile(r"([-+]?)\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_CLOCK = re.compile(r"[-+]?[0-9]{1,3}(?::[0-9]{1,2}){1,2}(?:\.[0-9]*)?")
_LEADING_ZERO = re.compile(r"([-+]?)0+([0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_CUT_SHORT = re.compile(r"[ \t]+#[^\s#!]")  # client: Acme #1
_SEPARATOR = re.compile("[\x85\u2028\u2029]")  # ruamel.yaml takes some for line breaks, and folds or drops them
_ADVICE = {"mapping values": "text with a colon in it stands in quotes", "\\t": "indent with spaces, not with tabs",
           "cannot start": "text that begins with a sign stands in quotes",
           "escape": "a backslash in double quotes is doubled, in single quotes it is not",
           "expected ':'": "a name, a colon, a space and a value", "end of stream": "a quote or bracket that is closed"}
_ALONE = "the value alone; text that begins with & or * or ! in quotes"
_REFUSED = object()  # stands for a value whose problem was noted


@dataclass
class Document:
    """What a YAML file says, where it says it, and what is wrong with it.

    Parameters
    ----------
    data : dict
        Plain data; a value that was refused is left out.
    lines : dict of tuple to int
        Line of each key and list item, counted from 1, by path; those refused included.
    shown : str
        How the user named the file.
    problems : Problems
        What was refused.
    """

    data: dict
    lines: dict
    shown: str
    problems: Problems = field(default_factory=Problems)

    def place(self, *path):
        """File, line and field of a path, for a `Problem`; the line is that of the innermost part that is there."""
        known = path
        while known and known not in self.lines:
            known = known[:-1]
        return {"file": self.shown, "line": self.lines.get(known, 1), "field": dotted(path) or None}


def dotted(path):
    """A path as text, such as ``inputs.pue.low``.

    Examples
    --------
    >>> dotted(("inputs", "pue", "low"))
    'inputs.pue.low'
    """
    return ".".join(str(part) for part in path)


def read(path, shown=None):
    """Read a YAML file.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    shown : str, optional
        How the user named it.

    Returns
    -------
    data : dict
        Plain data.
    lines : dict of tuple to int
        Line of each key, by its path such as ``("inputs", "pue", "value")``.

    Raises
    ------
    InputError
        With every problem found.
    """
    document = load(path, shown)
    document.problems.stop()
    return document.data, document.lines


def load(path, shown=None):
    """Read a YAML file, with the problems noted beside what could be read.

    Parameters
    ----------
    path, shown
        As in `read`.

    Returns
    -------
    Document

    Raises
    ------
    InputError
        If it is no YAML, or no mapping, so that nothing is left to read.
    """
    shown = shown or path.name
    return _Reader(read_text(path, shown, MAX_BYTES), shown).document()


def read_scalar(text, **place):
    """Read one value by the same rules, such as the ``1.5`` of ``--set pue=1.5``.

    Parameters
    ----------
    text : str
        The value as it would stand in a file.
    **place
        Where it stands, for the error: file, field.

    Returns
    -------
    str, int, float, bool or None

    Raises
    ------
    InputError
        If it is not one value, or one that a file could not hold either.

    Examples
    --------
    >>> read_scalar("1.5"), read_scalar("NO")
    (1.5, 'NO')
    """
    text = text.strip(" ")
    if _CONTROL.search(text):
        raise InputError(Problem("a line break or control character", value=text, allowed="one line of text", **place))
    return _Reader(text, place.get("file"), place.get("field")).scalar() if text else None


class _Reader:
    """Builds plain data from the events of ruamel.yaml."""

    def __init__(self, text, shown, name=None):
        from ruamel.yaml import YAML

        self.text, self.shown, self.name = text, shown, name
        self.events = YAML(typ="safe", pure=True).parse(text)
        self.lines, self.problems, self.line = {}, Problems(), 1

    def document(self):
        if separator := _SEPARATOR.search(self.text):
            self.line = self.text.count("\n", 0, separator.start()) + 1
            self.fatal("a control character", value=separator[0], allowed="text without control characters")
        self.start("a mapping of names to values; the file is empty")
        event = self.next()
        if self.kind(event) != "MappingStart":
            self.fatal("a list or a single value where a mapping is due", event,
                       allowed="names with their values, such as client: Acme")
        data = self.value(event, ())
        self.end()
        return Document(data, self.lines, self.shown, self.problems)

    def scalar(self):
        self.start("one value")
        event = self.next()
        whole = self.kind(event) == "Scalar" and (event.start_mark.index, event.end_mark.index) == (0, len(self.text))
        if not whole and self.kind(event) != "Alias":
            self.fatal("not one plain value", value=self.text, allowed="one number or text; mappings, lists and comments "
                       "stand in client.yml, and text with a sign of YAML in quotes")
        value = self.value(event, ())
        self.end()
        self.problems.stop()
        return value

    def start(self, due):
        self.next()
        event = self.next()
        if self.kind(event) == "StreamEnd":
            self.fatal("nothing in it", allowed=due)
        if event.version or event.tags:
            self.note("a directive", event, allowed="YAML 1.2 without directives")

    def end(self):
        self.next()
        event = self.next()
        if self.kind(event) != "StreamEnd":  # what follows is another file's matter: not read
            self.note("a second document", event, allowed="one document, with no line of --- or ... between")

    def value(self, event, path):
        if len(path) > MAX_DEPTH:
            self.fatal("nested too deeply", event, allowed=f"at most {MAX_DEPTH} levels")
        kind = self.kind(event)
        if kind == "Alias":
            return self.refuse("an alias", event, path, f"*{event.anchor}", _ALONE)
        refused = False
        if event.anchor:
            refused = self.refuse("an anchor", event, path, f"&{event.anchor}", _ALONE)
        if event.tag:
            refused = self.refuse("a tag", event, path, event.tag, _ALONE)
        if kind == "MappingStart":
            return self.mapping(path)
        if kind == "SequenceStart":
            return self.sequence(path)
        return refused or self.resolve(event, path)

    def mapping(self, path):
        data = {}
        while self.kind(event := self.next()) != "MappingEnd":
            if not self.is_name(event):
                self.note("a name that is no text", event, path, value=getattr(event, "value", None),
                          allowed="text; text that begins with a brace or bracket, or a number, in quotes")
                self.value(event, (*path, "?"))
                self.value(self.next(), (*path, "?"))
                continue
            name, line = event.value, event.start_mark.line + 1
            first = self.lines.setdefault((*path, name), line)
            value = self.value(self.next(), (*path, name))
            if name in data or first != line:
                self.note(f"given twice, in lines {first} and {line}", event, (*path, name), allowed="each name once")
            elif value is not _REFUSED:
                data[name] = value
        return data

    def sequence(self, path):
        items = []
        while self.kind(event := self.next()) != "SequenceEnd":
            self.lines.setdefault((*path, len(items)), event.start_mark.line + 1)
            items.append(self.value(event, (*path, len(items))))
        return _REFUSED if _REFUSED in items else items

    def resolve(self, event, path):
        text = event.value
        if event.style:  # quoted, or a block
            return text
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if _CLOCK.fullmatch(text):
            return self.refuse("a clock time without quotes", event, path, text, f'"{text}" in quotes')
        if zeros := _LEADING_ZERO.fullmatch(text):
            meant = "".join(zeros.groups())
            return self.refuse("a number with leading zeros", event, path, text, f'{meant}, or "{text}" in quotes')
        if special := _SPECIAL.fullmatch(text):
            return math.nan if special[1] is None else float(f"{special[1]}inf")
        if _FLOAT.fullmatch(text):
            return self.number(event, path)
        if _CUT_SHORT.match(self.text, event.end_mark.index):
            return self.refuse("text cut short: a # behind a space makes the rest a comment", event, path, text,
                               "all of the text in quotes, or a space behind the # of a comment")
        return text

    def number(self, event, path):
        text = event.value
        value = float(text)
        mantissa = re.split("[eE]", text)[0]
        if math.isinf(value) or len(mantissa) > MAX_DIGITS or (value == 0 and mantissa.strip("+-0.")):
            return self.refuse("a number too large, too small or too long to be kept", event, path, text)
        return int(text) if _INTEGER.fullmatch(text) else value

    def is_name(self, event):
        if self.kind(event) != "Scalar" or event.anchor or event.tag:
            return False
        text = event.value
        return bool(event.style) or not (text in _CONSTANTS or _FLOAT.fullmatch(text) or _SPECIAL.fullmatch(text))

    def next(self):
        try:
            event = next(self.events)
        except Exception as error:
            self.broken(error)
            raise
        self.line = event.start_mark.line + 1
        return event

    def broken(self, error):
        """Refuse what is no YAML; an error that says something else is left to the caller."""
        from ruamel.yaml.error import MarkedYAMLError
        from ruamel.yaml.reader import ReaderError

        if isinstance(error, MarkedYAMLError):
            mark = error.problem_mark or error.context_mark
            self.line = mark.line + 1 if mark else self.line
            advice = next((text for sign, text in _ADVICE.items() if sign in error.problem), "YAML 1.2")
            self.fatal(f"no YAML: {error.problem}", allowed=advice)
        if isinstance(error, ReaderError):
            self.line = self.text.count("\n", 0, error.position) + 1
            self.fatal("no YAML: a control character", value=chr(error.character), allowed="text without control characters")
        if isinstance(error, (ValueError, OverflowError)):  # an escape beyond the last character of Unicode
            self.fatal("no YAML: an escape that names no character", allowed="escapes of Unicode characters")

    @staticmethod
    def kind(event):
        return type(event).__name__.removesuffix("Event")

    def note(self, what, event=None, path=(), **more):
        line = event.start_mark.line + 1 if event else self.line
        field = self.name or dotted(path) or None
        self.problems.add(what, file=self.shown, line=None if self.name else line, field=field, **more)

    def refuse(self, what, event, path, value, allowed=None):
        self.note(what, event, path, value=value, allowed=allowed)
        return _REFUSED

    def fatal(self, what, event=None, **more):
        self.note(what, event, **more)
        self.problems.stop()
