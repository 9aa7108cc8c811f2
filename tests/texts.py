"""A client's folder with other words: every text that may be free is replaced, in client.yml and in every table.

Which texts are free is not listed here: intake is asked. A text that it refuses (a choice, a unit, a name of a file) is put back.
"""

import csv
import io
import re
import shutil

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from joulebook.errors import InputError
from joulebook.intake.client import read_client

_MARK = "q{:04d}z"
_MARKS = re.compile(r"q(\d{4})z")


def with_texts(source, folder, text_of):
    """Copy a client's folder with other words.

    Parameters
    ----------
    source : pathlib.Path
        A client's folder.
    folder : pathlib.Path
        The folder to write.
    text_of : callable
        Makes the text of a place out of its number.

    Returns
    -------
    dict of str to str
        The text of each place, such as ``client.yml: inputs, pue, source`` or ``portfolio.csv: workload, Assistant``.
    """
    places = list(_places(source))
    kept = set()
    while True:
        free = {place: at for at, place in enumerate(places) if at not in kept}
        _write(source, folder, {place: _MARK.format(at) for place, at in free.items()})
        try:
            read_client(folder)
        except InputError as error:
            refused = {int(mark) for mark in _MARKS.findall(str(error))} - kept
            if not refused:
                raise
            kept |= refused
        else:
            break
    texts = {place: text_of(at) for place, at in free.items()}
    _write(source, folder, texts)
    return {f"{file}: {', '.join(map(str, where))}": text for (file, *where), text in texts.items()}


def _places(folder):
    for where, text in _leaves(_yaml().load((folder / "client.yml").read_text(encoding="utf-8"))):
        if isinstance(text, str):
            yield ("client.yml", *where)
    for path in sorted(folder.glob("*.csv")):
        seen = {}
        for row in _rows(path)[1]:
            for name, cell in row.items():
                if cell and not _is_number(cell):
                    seen.setdefault((name, cell))
        yield from ((path.name, *place) for place in seen)


def _leaves(node, where=()):
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield from _leaves(value, (*where, key))
    if not isinstance(node, dict | list):
        yield where, node


def _write(source, folder, texts):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder)
    data = _yaml().load((folder / "client.yml").read_text(encoding="utf-8"))
    for (file, *where), text in texts.items():
        if file == "client.yml":
            node = data
            for key in where[:-1]:
                node = node[key]
            node[where[-1]] = DoubleQuotedScalarString(text)
    written = io.StringIO()
    _yaml().dump(data, written)
    (folder / "client.yml").write_text(written.getvalue(), encoding="utf-8")
    # One word stands for one thing in all tables of a client: a workload is named in two of them.
    same = {}
    for (file, *where), text in texts.items():
        if file != "client.yml":
            same.setdefault(tuple(where), text)
    for path in folder.glob("*.csv"):
        names, rows = _rows(path)
        for row in rows:
            row.update({name: same[name, cell] for name, cell in row.items() if (path.name, name, cell) in texts})
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(rows)


def _rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        return reader.fieldnames, list(reader)


def _is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _yaml():
    yaml = YAML()
    yaml.width, yaml.preserve_quotes = 10 ** 6, True
    return yaml
