"""A finished run read back: its records and executed notebooks, every one that is damaged named."""

import json
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag, TypeAdapter, ValidationError

from joulebook.errors import JoulebookError, Problems
from joulebook.inputs import Input
from joulebook.publish.branding import COPY
from joulebook.publish.collect import collect
from joulebook.publish.register import register_of
from joulebook.results import LABELS, Labels
from joulebook.show.numbers import ENGLISH, Numbers

Number = float | int | None
Copy = Annotated[str, StringConstraints(pattern=COPY)]
LabelsRecord = dict[Literal[LABELS], str | None]


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True, allow_inf_nan=False)  # keys that a later version adds do no harm


class MadeOf(_Shape):
    """Digests of what a run was made of."""

    inputs: str
    files: dict[str, str]
    notebooks: dict[str, str]
    code: str
    versions: dict[str, str]
    dictionaries: dict[str, str] = {}


class BrandingRecord(_Shape):
    """What a run is dressed in; its files are copies inside the run folder and nothing else."""

    name: str = ""
    accent: Annotated[str, StringConstraints(pattern="^#[0-9a-f]{6}$")] | None = None
    logo: Copy | None = None
    logo_on_dark: Copy | None = None
    fonts: list[Copy] = []


class Record(_Shape):
    """``run.json``."""

    client: str
    prepared: str
    currency: str
    notes: str
    labels: LabelsRecord
    topics: list[str]
    failed: dict[str, str]
    made_of: MadeOf
    holds: dict[str, str]
    valid_months: int | None = None
    use_expired: dict[str, str] = {}
    branding: BrandingRecord = Field(default_factory=BrandingRecord)
    locale: str | None = None
    paper: str | None = None
    results: str = ""


class InputRecord(_Shape):
    """One input in ``inputs.json``."""

    value: Number | str | list[dict[str, Any]] | dict[str, Number | str]
    unit: str
    low: Number
    high: Number
    range_is: str
    source: str
    evidence: str
    as_of: str | None
    given: bool
    title: str
    expires: str | None = None
    expired: bool = False
    used_because: str = ""
    plausible: str = ""

    def as_input(self):
        """The input without its title."""
        return Input(**{item.name: getattr(self, item.name) for item in fields(Input)})


class Inputs(_Shape):
    """``inputs.json``."""

    client: str
    prepared: str
    currency: str
    labels: LabelsRecord
    topics: dict[str, dict[str, InputRecord]]
    valid_months: int | None = None
    use_expired: dict[str, str] = {}


class ResultRecord(_Shape):
    """One result in ``results.json``."""

    value: Number | str
    unit: str
    low: Number
    high: Number
    evidence: str | None
    labels: LabelsRecord
    note: str


class TableRecord(_Shape):
    """One table in ``results.json``."""

    columns: dict[str, str]
    rows: list[list[Any]]
    note: str = ""


def _kind(entry):
    return "table" if isinstance(entry, TableRecord) or (isinstance(entry, dict) and "columns" in entry) else "result"


Entry = Annotated[Annotated[ResultRecord, Tag("result")] | Annotated[TableRecord, Tag("table")], Discriminator(_kind)]


class Results(_Shape):
    """``results.json``."""

    client: str
    prepared: str
    topics: dict[str, dict[str, Entry]]


@dataclass(frozen=True)
class Archive:
    """A run folder whose parts are all there and readable.

    Parameters
    ----------
    folder : pathlib.Path
        The run folder.
    record : Record
        Content of ``run.json``.
    inputs : Inputs
        Content of ``inputs.json``.
    results : dict
        Plain content of ``results.json``.
    collected : dict of str to joulebook.publish.collect.Collected
        What the executed notebooks say, by topic.
    """

    folder: Path
    record: Record
    inputs: Inputs
    results: dict
    collected: dict

    @property
    def labels(self):
        """Labels of the run."""
        return Labels(**self.record.labels)


def read_archive(folder):
    """Read a run folder without changing anything in it.

    Parameters
    ----------
    folder : str or pathlib.Path
        A folder that ``joulebook run`` made.

    Returns
    -------
    Archive

    Raises
    ------
    InputError
        If it is no run folder, or parts of it are missing or damaged: all of them, by name.
    """
    folder, found = Path(folder), Problems()
    record = _run_record(folder, found)
    inputs = _record(folder, "inputs.json", Inputs, found)
    results = _record(folder, "results.json", Results, found)
    collected = {topic: _collected(folder, topic, found) for topic in (record.topics if record else ())}
    for name in sorted(record.holds) if record else ():
        if name not in {f"{topic}.ipynb" for topic in record.topics} and not (folder / name).is_file():
            found.add("missing from the run", file=f"{folder}/{name}")
    found.stop()
    return Archive(folder, record, inputs, results.model_dump(exclude_unset=True), collected)


def read_record(folder):
    """The ``run.json`` of a run folder, as plain data.

    Raises
    ------
    InputError
        If it is no run folder, or its record is damaged.
    """
    found = Problems()
    record = _run_record(Path(folder), found)
    found.stop()
    return record.model_dump()


def collect_run(folder):
    """All that a run folder says, as its notebooks' outputs have it; numbers in words are written as its client wants them.

    Parameters
    ----------
    folder : pathlib.Path
        A run folder.

    Returns
    -------
    dict of str to joulebook.publish.collect.Collected
        By topic, in the order of the run.

    Raises
    ------
    InputError
        If its record is damaged, or notebooks are missing or damaged: all of them, by name.
    """
    record, found = read_record(folder), Problems()
    numbers = Numbers(record["locale"], record["currency"])
    collected = {topic: _collected(Path(folder), topic, found, numbers) for topic in record["topics"]}
    found.stop()
    return collected


def _run_record(folder, found):
    if not (folder / "run.json").is_file():
        found.add("no run folder: it holds no run.json", file=str(folder), allowed="a folder that joulebook run made")
        found.stop()
    return _record(folder, "run.json", Record, found)


def _record(folder, name, shape, found):
    """One of the records of a run; None, and the reason noted, where it is damaged."""
    place = f"{folder}/{name}"
    try:
        return shape.model_validate(_json((folder / name).read_text(encoding="utf-8")))
    except ValidationError as error:
        for item in error.errors(include_url=False)[:5]:
            where = ".".join(map(str, item["loc"])) or None
            found.add(f"damaged: {item['msg'][:1].lower()}{item['msg'][1:]}", file=place, field=where)
    except FileNotFoundError:
        found.add("missing from the run", file=place)
    except (OSError, ValueError, RecursionError) as error:
        found.add(f"damaged: cannot be read as JSON ({type(error).__name__})", file=place)
    return None


def _json(text):
    """Plain data of JSON; what JSON does not have, such as NaN, is an error."""

    def refuse(name):
        raise ValueError(name)

    return json.loads(text, parse_constant=refuse)


def _collected(folder, topic, found, numbers=ENGLISH):
    path = folder / f"{Path(topic).name}.ipynb"
    if not path.is_file():
        found.add("missing from the run", file=str(path))
        return None
    try:
        made = collect(path, topic, numbers)
        _results().validate_python(made.results)
        json.dumps([made.pieces, made.known.inputs, register_of([made.registered])], allow_nan=False)
        return made
    except (JoulebookError, ValidationError, KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        found.add(f"damaged: no executed notebook of a topic ({type(error).__name__})", file=str(path))
        return None


@cache
def _results():
    return TypeAdapter(dict[str, Entry])
