"""Labels and results, and when two of them may be compared (method, section 0)."""

from dataclasses import dataclass, field, fields, replace

from joulebook.errors import InputError, Problem, near

UNITS_OF_WORK = ("input_token", "output_token", "token", "query", "sample", "inference", "training_sample")
BOUNDARIES = ("accelerator", "node_dc", "server", "rack", "facility")  # innermost first
SCENARIOS = ("Offline", "Server", "Interactive", "SingleStream", "MultiStream")
EVIDENCE = ("measured", "published", "modelled", "quoted", "assumed", "illustrative")  # strongest first
NOT_STATED = "not stated"


@dataclass(frozen=True)
class Labels:
    """What a figure of efficiency is valid for. A label that is None was not stated."""

    workload: str | None = None
    unit_of_work: str | None = None
    quality: str | None = None
    scenario: str | None = None
    window: str | None = None
    boundary: str | None = None

    def differing(self, other, vary=None):
        """Names of the labels that differ, or are not stated, but for the one named `vary`."""
        return [
            name
            for name in LABELS
            if name != vary and (getattr(self, name) is None or getattr(self, name) != getattr(other, name))
        ]


LABELS = tuple(item.name for item in fields(Labels))
CHOICES = {"unit_of_work": UNITS_OF_WORK, "scenario": SCENARIOS, "boundary": BOUNDARIES}


@dataclass(frozen=True)
class Result:
    """One number with all it takes to read it.

    Parameters
    ----------
    value : float, str or None
        The value; None where it is not available, with the reason in `note`.
    unit : str
        Unit of the value.
    low, high : float or None
        95 % coverage interval; None where no input has a range.
    evidence : str or None
        Weakest evidence among the inputs it rests on; None where there is no value.
    labels : Labels
        What it is valid for.
    note : str
        Reason of a missing value, or what else must be said.
    """

    value: object
    unit: str
    low: float | None = None
    high: float | None = None
    evidence: str | None = "assumed"
    labels: Labels = field(default_factory=Labels)
    note: str = ""

    @property
    def available(self):
        """Whether there is a value."""
        return self.value is not None

    def as_dict(self):
        """Plain data, as it stands in ``results.json``."""
        return {**vars(self), "labels": dict(vars(self.labels))}


def require_comparable(first, second, vary=None):
    """Refuse a comparison of results whose labels differ.

    Parameters
    ----------
    first, second : Labels
        Labels of the two results.
    vary : str, optional
        The one label that the comparison is about.

    Raises
    ------
    InputError
        Naming every other label that differs or is not stated.

    Notes
    -----
    Rule 1 of the ground rules: a label not stated counts as differing.
    """
    if vary is not None and vary not in LABELS:
        raise InputError(Problem("no such label", field="vary", value=vary, allowed=", ".join(LABELS), near=near(vary, LABELS)))
    differing = first.differing(second, vary)
    if differing:
        raise InputError(
            Problem(
                f"these may not be compared: the label {name} differs",
                field=name,
                value=f"{getattr(first, name) or NOT_STATED} and {getattr(second, name) or NOT_STATED}",
                allowed=f"equal labels{f', but for {vary}' if vary else ''}",
            )
            for name in differing
        )


def ratio(numerator, denominator, vary=None):
    """Ratio of two results whose labels agree but for the one named `vary`.

    Raises
    ------
    InputError
        If other labels differ, the units do, or a value is missing.
    """
    require_comparable(numerator.labels, denominator.labels, vary)
    if numerator.unit != denominator.unit:
        raise InputError(f"these may not be compared: units {numerator.unit} and {denominator.unit}")
    if numerator.value is None or not denominator.value:
        raise InputError("these may not be compared: a value is not available")
    return numerator.value / denominator.value


def convert_work(result, unit_of_work, factor=None):
    """Express a result per unit of work in another unit of work.

    Parameters
    ----------
    result : Result
        A value per unit of work, such as J per query.
    unit_of_work : str
        Unit of work that is due.
    factor : float, optional
        Units of `unit_of_work` in one unit of work of the result, such as output tokens per query.

    Returns
    -------
    Result
        The value over the factor, labelled with the new unit of work.

    Raises
    ------
    InputError
        If the units of work differ and there is no factor.
    """
    given = result.labels.unit_of_work
    if given == unit_of_work:
        return result
    if factor is None or not factor > 0:
        raise InputError(
            Problem(
                f"units of work mixed without a factor: {given or NOT_STATED} and {unit_of_work}",
                field="unit_of_work",
                value=factor,
                allowed="a positive number of the one in the other",
            )
        )
    scaled = {
        name: None if getattr(result, name) is None else getattr(result, name) / factor for name in ("value", "low", "high")
    }
    return replace(result, **scaled, labels=replace(result.labels, unit_of_work=unit_of_work))


def apply_pue(energy, boundary, pue):
    """Bring an energy or power from the IT equipment to the facility, once.

    Parameters
    ----------
    energy : float or ndarray
        Energy or power at `boundary`.
    boundary : str or None
        Where it was measured.
    pue : float, ndarray or None
        Power usage effectiveness; None where the figure is already at the facility. [1]

    Raises
    ------
    InputError
        If a PUE is given for a figure that is already at the facility.

    References
    ----------
    .. [1] ISO/IEC 30134-2:2016, Power usage effectiveness (PUE).

    Examples
    --------
    >>> apply_pue(1000.0, "server", 1.3)
    1300.0
    """
    if pue is None:
        return energy
    if boundary == "facility":
        raise InputError(
            Problem(
                "a PUE on a figure that is already at the facility would count cooling and conversion twice",
                field="pue",
                value=float(pue) if getattr(pue, "ndim", 0) == 0 else None,
                allowed="no pue where boundary is facility",
            )
        )
    return energy * pue


def weakest(evidence):
    """Weakest of several kinds of evidence.

    Examples
    --------
    >>> weakest(["measured", "assumed", "published"])
    'assumed'
    """
    kinds = list(evidence)
    return max(kinds, key=EVIDENCE.index) if kinds else "assumed"
