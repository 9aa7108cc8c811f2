"""The text results of MLPerf Tiny: up to v1.2 lines of a log, from v1.3 the ``Power Edition Output`` of a new runner."""

import re
from dataclasses import dataclass

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.logs.text import decoded

_STAMP = r"(?:[\d.]+ [\w-]+: )?"  # 00138.738 ulp-ml:
_NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
_LINE = re.compile(rf"^{_STAMP}\s*(.*?)\s*$")
_BEGIN = re.compile(rf"Energy data for (?:window|trial) (\d+)(?: at time {_NUMBER} for {_NUMBER} sec\.?)?:?")
_PERFORMANCE = re.compile(r"Performance results for window (\d+):?")
_VALUE = re.compile(r"#?\s*(Energy/Inf\.?|Total Energy|Energy|Power|Inferences|Elapsed time|Runtime)\s*:\s*"
                    rf"{_NUMBER}\s*(\S*?)\.?")
_MEDIAN = re.compile(rf"Median energy cost is {_NUMBER} (\S+?)/inf\.?")
_MEDIAN_RATE = re.compile(rf"Median throughput is\s+{_NUMBER} inf\./sec\.?")
_LEAST, _MOST = 1e-9, 1e15
_NEW_RUNNER = "Power Edition Output"
_JOULES = {"uJ": 1e-6, "µJ": 1e-6, "μJ": 1e-6, "nJ": 1e-9, "mJ": 1e-3, "J": 1.0}
_WATTS = {"uW": 1e-6, "µW": 1e-6, "μW": 1e-6, "nW": 1e-9, "mW": 1e-3, "W": 1.0}
_FIELDS = {"Energy/Inf": "per_inference_j", "Total Energy": "energy_j", "Energy": "energy_j", "Power": "power_w",
           "Inferences": "inferences", "Elapsed time": "duration_s", "Runtime": "duration_s"}


@dataclass
class Window:
    """One timed window; None where the text does not say.

    Parameters
    ----------
    number : int
        Its number in the text.
    line : int
        Line it begins in.
    at_s, duration_s : float or None
        When it begins in the trace, and its length. [s]
    energy_j, power_w, per_inference_j : float or None
        Energy, mean power, energy of one inference. [J, W, J]
    inferences : int or None
        Inferences in it.
    """

    number: int
    line: int
    at_s: float | None = None
    duration_s: float | None = None
    energy_j: float | None = None
    power_w: float | None = None
    per_inference_j: float | None = None
    inferences: int | None = None


@dataclass(frozen=True)
class TinyText:
    """What a text result says.

    Parameters
    ----------
    windows : list of Window
        Windows of energy, in the order of the text.
    median_j : float or None
        The published median energy of an inference. [J]
    decimals : float
        Step of the last digit of the median. [J]
    throughput_per_s : float or None
        The median rate of inferences. [1/s]
    new_runner : bool
        Whether it is of the runner of v1.3.
    """

    windows: list
    median_j: float | None
    step_j: float
    throughput_per_s: float | None
    new_runner: bool


def parse_tiny_text(data, shown):
    r"""Read a text result.

    Parameters
    ----------
    data : bytes
        Content of ``results.txt`` or ``energy_results.txt``.
    shown : str
        How the user named the file.

    Returns
    -------
    TinyText
        What it says.

    Raises
    ------
    InputError
        If it is no text, holds no window of energy, or a window lacks or repeats a value, naming the line.

    Examples
    --------
    >>> text = b"Energy data for trial 0\n  Inferences : 2\n  Total Energy : 8.0 uJ\nMedian energy cost is 4.00 uJ/inf.\n"
    >>> told = parse_tiny_text(text, "results.txt")
    >>> told.windows[0].inferences, round(told.windows[0].energy_j * 1e6, 6), round(told.median_j * 1e6, 6)
    (2, 8.0, 4.0)
    """
    windows, current, median_j, step_j, rate, new = [], None, None, 0.0, None, False
    for number, line in enumerate(decoded(data, shown).split("\n"), start=1):
        text = _LINE.match(line)[1]
        if match := _BEGIN.fullmatch(text):
            times = [_sane(value, number, shown) if value else None for value in match.groups()[1:]]
            current = Window(int(match[1][-9:]), number, *times)
            windows.append(current)
        elif match := _PERFORMANCE.fullmatch(text):
            current = next((window for window in windows if window.number == int(match[1][-9:])), None)
        elif match := _MEDIAN.fullmatch(text):
            median_j = _sane(match[1], number, shown, _LEAST) * _scale(match[2], _JOULES, number, shown)
            step_j = 10.0 ** -len(match[1].partition(".")[2]) * _JOULES[match[2]]
        elif match := _MEDIAN_RATE.fullmatch(text):
            rate = _sane(match[1], number, shown, _LEAST)
        elif current is not None and (match := _VALUE.fullmatch(text)):
            _set(current, *match.groups(), number, shown)
        new = new or text == _NEW_RUNNER
    if not windows:
        raise InputError(Problem("no window of energy: no energy result of MLPerf Tiny", file=shown,
                                 allowed="Energy data for window 2 ..., or Energy data for trial 0"))
    wrong = [problem for window in windows for problem in _lacking(window, shown)]
    if wrong:
        raise InputError(wrong)
    return TinyText(windows, median_j, step_j, rate, new)


def _set(window, label, number, unit, line, shown):
    """Take one value of a window."""
    field = _FIELDS[label.rstrip(".")]
    value = _sane(number, line, shown)
    if field == "power_w":
        value *= _scale(unit, _WATTS, line, shown)
    elif field in ("energy_j", "per_inference_j"):
        value *= _scale(unit.partition("/")[0], _JOULES, line, shown)
    elif field == "inferences":
        if value != int(value):
            raise InputError(Problem("not a whole number", file=shown, line=line, field=label, value=number))
        value = int(value)
    known = getattr(window, field)
    if field != "duration_s" and known not in (None, value):  # a length is told twice, to two and then to three digits
        raise InputError(Problem(f"window {window.number} has two values", file=shown, line=line, field=label, value=number))
    setattr(window, field, value)


def _sane(text, line, shown, least=0.0):
    """A number of a text result, of a size that can be."""
    value = float(text)
    if not least <= value <= _MOST or 0 < value < _LEAST:
        raise InputError(Problem("not a number that can be", file=shown, line=line, value=text,
                                 allowed=f"{_LEAST:g} to {_MOST:g}"))
    return value


def _scale(unit, known, line, shown):
    if unit not in known:
        raise InputError(Problem("unit not known", file=shown, line=line, value=unit, allowed=", ".join(known)))
    return known[unit]


def _lacking(window, shown):
    """What a window lacks, or says that cannot be."""
    for field, label in (("energy_j", "Energy"), ("inferences", "Inferences"), ("duration_s", "Runtime or Elapsed time")):
        value = getattr(window, field)
        needed = field == "energy_j" or (field == "inferences" and window.per_inference_j is None)
        if (value is None and needed) or (value is not None and not value > 0):
            yield Problem(f"window {window.number} has no {label} above 0", file=shown, line=window.line, field=label,
                          value=value)
