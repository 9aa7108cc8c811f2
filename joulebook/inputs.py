"""A checked input, and all the inputs that a topic was given."""

from dataclasses import dataclass, field, replace

from joulebook.days import months_later
from joulebook.results import Labels
from joulebook.units import work

RANGES = ("limits", "u95")
DECLARING = ("choice", "date", "time", "timezone")  # kinds that say what numbers mean: where given, no evidence for one
FILE_UNITS = ("csv", "files")  # what the dictionary says of a parameter whose value names files


@dataclass(frozen=True)
class Input:
    """One input as it will be used, in SI units.

    Parameters
    ----------
    value : float, int, str, list of dict, dict or None
        The value; for a file its path, relative to the folder of the run; for meters a declaration each, with the paths of
        its files; for a record its fields; None where nothing is given.
    unit : str
        Unit of the value.
    low, high : float or None
        The range; None where none was stated.
    range_is : str
        ``limits`` (rectangular, triangular about the value where assumed) or ``u95`` (normal, half width 2 u).
    source, evidence, as_of : str
        Where it comes from, one of `joulebook.results.EVIDENCE`, and the date it was true.
    given : bool
        False where the dictionary's default holds.
    expires : str or None
        Last day on which a price may rest on it; None where no date is known.
    expired : bool
        Whether that day had passed when the client's file was prepared: then it is shown, and nothing is priced by it.
    used_because : str
        Why an expired input is used all the same, as the client's file says.
    plausible : str
        ``confirmed`` where the client says that it is right although nobody would think so; once that was judged, what has
        to be said of it; else empty (see `joulebook.intake.plausible`).
    """

    value: object
    unit: str = ""
    low: float | None = None
    high: float | None = None
    range_is: str = "limits"
    source: str = ""
    evidence: str = "assumed"
    as_of: str | None = None
    given: bool = True
    expires: str | None = None
    expired: bool = False
    used_because: str = ""
    plausible: str = ""

    @property
    def ranged(self):
        """Whether a range was stated that is wider than the value."""
        return self.low is not None and self.high is not None and self.low < self.high

    @property
    def prices(self):
        """Whether money may rest on it: it has not expired, or a reason is given to use it all the same."""
        return not self.expired or bool(self.used_because)

    def as_dict(self):
        """Plain data, as it stands in ``inputs.json``; what is plausible says nothing of it."""
        return {key: value for key, value in vars(self).items() if key != "plausible" or value}

    def aged(self, prepared, valid_months, used_because=""):
        """The same input as its age has it on a day.

        Parameters
        ----------
        prepared : str
            ISO date that ages count from.
        valid_months : int or None
            Months after `as_of` on which it expires where it names no day itself; None where only a day that is named counts.
        used_because : str
            Why it is used all the same where it has expired.

        Returns
        -------
        Input
            With `expires`, `expired` and `used_because`; an input that has neither day is as it was.

        Examples
        --------
        >>> old = Input(0.11, "money/kWh", as_of="2025-04-30").aged("2026-11-30", 12)
        >>> old.expires, old.expired, old.prices
        ('2026-04-30', True, False)
        >>> Input(0.11, as_of="2025-04-30", expires="2027-01-01").aged("2026-11-30", 12).expired
        False
        """
        expires = self.expires or (months_later(self.as_of, valid_months) if self.as_of and valid_months else None)
        expired = expires is not None and expires < prepared
        return replace(self, expires=expires, expired=expired, used_because=used_because if expired else "")


@dataclass(frozen=True)
class Given:
    """What a topic works with: its checked inputs, its files as columns, its labels.

    Parameters
    ----------
    topic : str
        Name of the topic.
    inputs : dict of str to Input
        Every parameter of the topic that has a value.
    tables : dict of str to object
        The content of each file parameter, read and checked (see `joulebook.intake.tables`).
    labels : Labels
        What the figures are valid for.
    parameters, definitions : dict
        The rows of the two dictionaries for this topic, by name.
    foundations : dict of str to dict
        Definitions of the results of every topic, for a study that rests on results of another.
    """

    topic: str
    inputs: dict
    tables: dict = field(default_factory=dict)
    labels: Labels = field(default_factory=Labels)
    parameters: dict = field(default_factory=dict)
    definitions: dict = field(default_factory=dict)
    foundations: dict = field(default_factory=dict)

    @property
    def currency(self):
        """Currency of all amounts of money; empty where the topic has none."""
        return self.inputs["currency"].value if "currency" in self.inputs else ""

    def unit_of(self, name):
        """Unit of an input in this client's words: its currency, its unit of work; empty for files."""
        words = {"money": self.currency, "units": work(self.labels.unit_of_work, plural=True), "year": "years"}
        words |= dict.fromkeys(FILE_UNITS, "")
        return "/".join(words.get(part, part) for part in self.parameters[name].unit.split("/"))


def paths_of(value):
    """Paths of the files that a value names: that of a file, or those of meters in their order.

    Parameters
    ----------
    value : str or list of dict
        Value of a parameter that has files.

    Returns
    -------
    list of str

    Examples
    --------
    >>> paths_of("a.csv"), paths_of([{"file": "b.csv"}, {"files": ["c.csv", "d.csv"]}])
    (['a.csv'], ['b.csv', 'c.csv', 'd.csv'])
    """
    if isinstance(value, str):
        return [value]
    return [path for meter in value for path in (meter.get("files") or [meter["file"]])]


def with_paths(value, paths):
    """The same value with other paths in the place of its own.

    Parameters
    ----------
    value : str or list of dict
        Value of a parameter that has files.
    paths : iterable of str
        As many as `paths_of` gives.

    Examples
    --------
    >>> with_paths([{"name": "wall", "file": "b.csv"}], ["inputs/meters-1.csv"])
    [{'name': 'wall', 'file': 'inputs/meters-1.csv'}]
    """
    paths = iter(paths)
    return next(paths) if isinstance(value, str) else [_moved(meter, paths) for meter in value]


def _moved(meter, paths):
    if meter.get("files"):
        return {**meter, "files": [next(paths) for _ in meter["files"]]}
    return {**meter, "file": next(paths)}


def described(value):
    """A value as text: of meters their names and files, of a record its fields.

    Examples
    --------
    >>> described([{"name": "wall", "file": "b.csv"}]), described({"unit_of_work": "query", "nodes": 1}), described(1.3)
    ('wall: b.csv', 'unit of work: query; nodes: 1', 1.3)
    """
    if isinstance(value, dict):
        return "; ".join(f"{name.replace('_', ' ')}: {said}" for name, said in value.items())
    if not isinstance(value, list):
        return value
    return "; ".join(f"{meter.get('name', 'meter')}: {', '.join(paths_of([meter]))}" for meter in value)
