"""A checked input, and all the inputs that a topic was given."""

from dataclasses import dataclass, field

from joulebook.results import Labels

RANGES = ("limits", "u95")


@dataclass(frozen=True)
class Input:
    """One input as it will be used, in SI units.

    Parameters
    ----------
    value : float, int, str or None
        The value; for a file its path, relative to the folder of the run; None where nothing is given.
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

    @property
    def ranged(self):
        """Whether a range was stated that is wider than the value."""
        return self.low is not None and self.high is not None and self.low < self.high

    def as_dict(self):
        """Plain data, as it stands in ``inputs.json``."""
        return dict(vars(self))


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
    """

    topic: str
    inputs: dict
    tables: dict = field(default_factory=dict)
    labels: Labels = field(default_factory=Labels)
    parameters: dict = field(default_factory=dict)
    definitions: dict = field(default_factory=dict)

    @property
    def currency(self):
        """Currency of all amounts of money."""
        return self.inputs["currency"].value
