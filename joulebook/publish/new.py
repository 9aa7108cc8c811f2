"""A client folder to begin with: every parameter of the dictionary with its example, and what it means beside it."""

import json
import os
import re
import shutil
import textwrap
from datetime import date
from pathlib import Path

from joulebook.dictionary import AT_THE_TOP, of_topic, parameters
from joulebook.errors import InputError, Problem, RunError
from joulebook.inputs import FILE_UNITS, paths_of, with_paths
from joulebook.intake.client import FILE, read_client
from joulebook.intake.notebook import EXAMPLE
from joulebook.publish import execute
from joulebook.publish.collect import heading
from joulebook.publish.files import folder_whole, write_whole
from joulebook.results import CHOICES, EVIDENCE, LABELS
from joulebook.workbook import Workbook

WIDTH = 100
HEAD = f"""\
# A client folder made by `joulebook new` from the dictionary of inputs. It passes `joulebook check` as it is.
#
# Its values are made up, each marked illustrative, and a report made from them says so in its summary.
# Put your own in their place, each with what is known of it:
#
#   NAME: {{value: 1.3, low: 1.2, high: 1.4, source: where it comes from, evidence: quoted, as_of: 2026-03-31}}
#
# evidence: {", ".join(EVIDENCE)}. A bare number is assumed.
# It expires on the day that `expires:` names, else valid_months after as_of: then nothing is priced by it,
# unless a mapping `use_expired:` at the top of this file says why it is used all the same.
# low and high are limits, or with range_is: u95 a 95 % interval. What you do not know, take out or leave commented:
# what rests on it is then not available, and says why. book/rerun.md explains each key.
"""

DRESS = """\
# How report and book look; no input of any topic, so nothing is executed again where it changes.
# branding:
#   name: whoever gives the report
#   logo: logo.svg          # SVG or PNG in this folder; logo_on_dark for one on a dark ground
#   accent: "#0b6e8c"       # in quotes
#   fonts: fonts            # a folder in this one, for characters that the report's own fonts lack
# locale: de_DE             # numbers as 1.234,5; without it as 1,234.5
# paper: us_letter          # or a4, which it is without
"""


def new_client(folder, topics=None, workbook=None, prepared=None):
    """Write a client folder that passes the check as it is.

    Parameters
    ----------
    folder : str or pathlib.Path
        The folder to make; one that is there must be empty.
    topics : iterable of str, optional
        Topics whose parameters it has; all of them if none is given.
    workbook : joulebook.workbook.Workbook, optional
        Whose dictionary and topics these are.
    prepared : str, optional
        ISO date of the file; today if none is given.

    Returns
    -------
    pathlib.Path
        The folder, written whole.

    Raises
    ------
    InputError
        If something stands there, or a topic is unknown.
    RunError
        If it cannot be written, or the dictionary's own examples do not pass the check.
    """
    workbook = workbook or Workbook()
    final = Path(os.path.realpath(folder))
    _require_free(final, str(folder))
    wanted = {workbook.notebook(topic).stem for topic in topics or workbook.topics}
    topics = [topic for topic in workbook.topics if topic in wanted]
    text = client_text(_name(final), topics, workbook, prepared or date.today().isoformat())
    with folder_whole(final) as part:
        for row in _rows(topics, workbook):
            if row.has_files and _filled(row):
                for source, name in zip(paths_of(row.example), _files(row), strict=True):
                    shutil.copyfile(workbook.root / source, part / name)
        write_whole(part / FILE, text)
        try:
            read_client(part, workbook=workbook)
        except InputError as error:
            said = str(error).replace(f"{part}/", "")
            raise RunError(f"the examples of the dictionary do not pass the check:\n{said}") from None
    return Path(folder)


def client_text(name, topics, workbook, prepared):
    """Text of a ``client.yml`` that has every parameter of topics, with its example or commented out.

    Parameters
    ----------
    name, prepared : str
        Name of the client, and the ISO date of the file.
    topics : list of str
        Topics, in the order of the workbook.
    workbook : joulebook.workbook.Workbook
        Whose dictionary and notebooks these are.
    """
    notebooks = {topic: execute.load(workbook.notebook(topic)) for topic in topics}
    rows = _rows(topics, workbook)
    currency = next((row.example for row in rows if row.kind == "currency" and row.example), "USD")
    parts = [
        HEAD,
        f"client: {json.dumps(name, ensure_ascii=False)}\n"
        f"prepared: {prepared}  # ages of values count from this day\n"
        f"currency: {currency}  # of all amounts, a code of ISO 4217\n"
        + "\n".join(textwrap.wrap(f"topics: [{', '.join(topics)}]", WIDTH, subsequent_indent=" " * 9)) + "\n"
        "# notes: what the cover of the report should say beside the answer\n" + DRESS,
        _labels(notebooks, workbook),
        *(_meters(row) for row in rows if row.kind == "meters"),
        *(_record(row) for row in rows if row.kind == "record"),
        "inputs:",
    ]
    shown = set()
    for topic, notebook in notebooks.items():
        own = [row for row in rows if topic in row.topics and row.name not in AT_THE_TOP and row.name not in shown]
        shown |= {row.name for row in own}
        parts.append(_topic(topic, *heading(notebook)))
        parts += [_parameter(row, topics) for row in own]
    return "\n".join(parts)


def _rows(topics, workbook):
    return [row for row in parameters(workbook.root).values() if set(row.topics) & set(topics)]


def _require_free(final, shown):
    if final.exists() and not final.is_dir():
        raise InputError(Problem("a file stands there", file=shown, allowed="the name of a new folder"))
    if final.is_dir() and any(final.iterdir()):
        raise InputError(Problem("is there already and not empty", file=shown, allowed="a new folder or an empty one"))
    if final.is_dir() and final == Path.cwd():  # it would be replaced under the user's feet
        raise InputError(Problem("the folder you stand in", file=shown, allowed="the name of a new folder"))


def _name(final):
    """Name of the client: that of its folder, where it can be printed."""
    name = final.name
    return name if name.isprintable() and name.strip() and len(name) <= 200 else "New client"


def _filled(row):
    """Whether a parameter is filled in: what the dictionary assumes where nothing is given keeps its own source."""
    return row.example is not None and row.default is None


def _files(row):
    """Names of the files of a parameter's example: those of a CSV file after the parameter."""
    own = row.name.endswith("_csv")
    return [f"{row.name.removesuffix('_csv')}.csv"] if own else [Path(path).name for path in paths_of(row.example)]


def _labels(notebooks, workbook):
    """Labels of the last topic's example that rests on a throughput: those are what a throughput and a power hold for."""
    measured = [notebook for topic, notebook in notebooks.items() if "throughput_per_s" in of_topic(topic, workbook.root)]
    cell = execute.check_parameters((measured or list(notebooks.values()))[-1], None)
    lines = ["labels:  # what the figures are valid for: yours in place of these; one that is left out shows as not stated"]
    for label in LABELS:
        text = (cell.get("labels") or {}).get(label)
        choices = f"  # {', '.join(CHOICES[label])}" if label in CHOICES else ""
        lines.append(f"  {label}: {_scalar(text)}{choices}" if text else f"  # {label}:{choices}")
    if all(line.startswith("  #") for line in lines[1:]):
        lines[0] = f"# {lines[0]}"
    return "\n".join([*lines, ""])


def _meters(row):
    """The meters, in a place of their own, with the example's declarations."""
    lines = [*(line.replace("  # ", "# ", 1) for line in _comment(f"{row.title}: {row.meaning}")), "meters:"]
    for meter in with_paths(row.example, _files(row)):
        pairs = [f"{key}: {_value(value)}" for key, value in {**meter, **EXAMPLE}.items()]
        lines += [f"  - {pairs[0]}", *(f"    {pair}" for pair in pairs[1:])]
    return "\n".join([*lines, ""])


def _record(row):
    """A record, in a place of its own, with the example's fields."""
    lines = [*(line.replace("  # ", "# ", 1) for line in _comment(f"{row.title}: {row.meaning}")), f"{row.name}:"]
    return "\n".join([*lines, *(f"  {name}: {_scalar(said)}" for name, said in {**row.example, **EXAMPLE}.items()), ""])


def _value(value):
    return f"[{', '.join(map(_scalar, value))}]" if isinstance(value, list) else _scalar(value)


def _topic(topic, title, question):
    return "\n".join([f"  # ---- {topic} ".ljust(WIDTH, "-"), *_comment(title), *_comment(question), ""])


def _parameter(row, topics):
    """A parameter as client.yml has it, under what it means."""
    unit = "" if row.unit in ("", "1", *FILE_UNITS) else f" [{row.unit}]"
    of = [topic for topic in row.topics if topic in topics]
    lines = [
        *_comment(f"{row.title}{unit}: {row.allowed}; {_due(row, of)}"),
        *_comment(row.meaning),
        *(_comment(f"for {', '.join(of)}") if len(of) > 1 else ()),
    ]
    if not _filled(row):
        return "\n".join([*lines, f"  # {row.name}:", ""])
    value = _scalar(_files(row)[0] if row.kind == "file" else row.example)
    return "\n".join(
        [*lines, f"  {row.name}: {{value: {value}, evidence: {EXAMPLE['evidence']}, source: {EXAMPLE['source']}}}", ""]
    )


def _due(row, of):
    needing = [topic for topic in of if topic in row.required]
    if needing:
        return "required" if needing == of else f"required by {', '.join(needing)}"
    return "optional" if row.default is None else f"default {_scalar(row.default)}"


def _comment(text):
    return textwrap.wrap(text, WIDTH, initial_indent="  # ", subsequent_indent="  # ", break_long_words=False)


def _scalar(value):
    """A value as YAML 1.2 reads it back: a text that could be taken for something else in quotes."""
    if isinstance(value, str):
        plain = re.fullmatch(r"[A-Za-z][\w/.-]*", value) and value.lower() not in ("true", "false", "null")
        return value if plain else json.dumps(value, ensure_ascii=False)
    return repr(value).removesuffix(".0")
