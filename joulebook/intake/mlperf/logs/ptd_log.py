"""What the power daemon says about its meter, ``ptd_logs.txt``: when it measured, errors, warnings, uncertainty."""

import re
from dataclasses import dataclass

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.logs.text import TIME_FORM, WIDE

_LINE = re.compile(rb"^(\d\d-\d\d-\d{4} \d\d:\d\d:\d\d\.\d{3})[^\S\n]*:[^\S\n]*"
                   rb"(Go with mark '[^'\n]*'|Completed test|Uncertainty checking for \S+ is activated|"
                   rb"(?:WARNING|ERROR):[^\r\n]*)", re.MULTILINE)
_STAMP = re.compile(rb"^\d\d-\d\d-\d{4} \d\d:\d\d:\d\d\.\d{3}", re.MULTILINE)
_UNCERTAIN = re.compile(r"WARNING: Uncertainty (\d+(?:\.\d+)?)%")
_UNKNOWN = "WARNING: Uncertainty unknown"


@dataclass(frozen=True)
class PtdLog:
    """Messages of the power daemon, on the clock of the meter's log.

    Parameters
    ----------
    times : ndarray of datetime64[us], shape (n,)
        Times of the messages.
    words : list of str, length n
        Messages that begin or end a measurement, switch the check of uncertainty on, warn or name an error.
    lines : list of int, length n
        Lines they stand in.
    """

    times: np.ndarray
    words: list
    lines: list

    def phases(self, name):
        """Measurements of a phase.

        Parameters
        ----------
        name : str
            ``ranging`` or ``testing``.

        Returns
        -------
        list of (datetime64, datetime64 or None)
            Begin and end of each; a second analyzer has its own. The end is None where the log does not tell it.
        """
        found = []
        for i, words in enumerate(self.words):
            if words.startswith("Go with mark") and words.endswith(f"_{name}'"):
                ends = (self.times[j] for j in range(i + 1, len(self.words)) if self.words[j] == "Completed test")
                found.append((self.times[i], next(ends, None)))
        return found

    def errors(self):
        """Errors: their time, their line and what they say."""
        return [(self.times[i], self.lines[i], words.removeprefix("ERROR:").strip())
                for i, words in enumerate(self.words) if words.startswith("ERROR:")]

    def checking_from(self):
        """When the check of uncertainty was switched on; None where it was not."""
        return next((self.times[i] for i, words in enumerate(self.words) if words.startswith("Uncertainty checking")), None)

    def uncertainties(self, begin, end):
        """Uncertainties stated between two times [%]; the daemon states those above its limit of 1 %.

        Parameters
        ----------
        begin, end : datetime64
            The two times.

        Returns
        -------
        stated : list of float
            Percentages of the reading.
        unknown : int
            Samples whose uncertainty could not be evaluated.
        """
        stated, unknown = [], 0
        inside = (self.times > begin) & (self.times < end)
        for i in np.flatnonzero(inside).tolist():
            match = _UNCERTAIN.match(self.words[i])
            if match:
                stated.append(float(match[1]))
            unknown += self.words[i].startswith(_UNKNOWN)
        return stated, unknown


def parse_ptd_log(data, shown):
    r"""Read the log of the power daemon.

    Parameters
    ----------
    data : bytes
        Content of the file.
    shown : str
        How the user named the file.

    Returns
    -------
    PtdLog
        What it says about measurements, errors and uncertainty.

    Raises
    ------
    InputError
        If it is no text, no line begins with a time, or a time does not exist.

    Examples
    --------
    >>> log = parse_ptd_log(b"03-01-2024 10:00:00.000: WARNING: Uncertainty 1.45%, which is above 1.00% limit\n", "ptd_logs.txt")
    >>> log.uncertainties(log.times[0] - 1, log.times[0] + 1)
    ([1.45], 0)
    """
    if b"\x00" in data or data.startswith(WIDE):
        raise InputError(Problem("no text in UTF-8: binary, or UTF-16", file=shown))
    if _STAMP.search(data) is None:
        raise InputError(Problem("no line begins with a time: no log of the power daemon", file=shown,
                                 allowed=f"{TIME_FORM}: ..."))
    stamps, words, lines, last, line = [], [], [], 0, 1
    for match in _LINE.finditer(data):
        line += data.count(b"\n", last, match.start())
        last = match.start()
        stamp = match[1].decode()
        stamps.append(f"{stamp[6:10]}-{stamp[:2]}-{stamp[3:5]}T{stamp[11:]}")
        words.append(match[2].decode("utf-8", "replace"))
        lines.append(line)
    try:
        times = np.array(stamps, dtype="datetime64[us]")
    except ValueError:
        raise InputError(_wrong_time(stamps, lines, shown)) from None
    return PtdLog(times, words, lines)


def _wrong_time(stamps, lines, shown):
    """The first time that does not exist, as a problem."""
    for stamp, line in zip(stamps, lines, strict=True):
        try:
            np.datetime64(stamp, "us")
        except ValueError:
            return Problem("not a time", file=shown, line=line, value=stamp, allowed=TIME_FORM)
    return Problem("not a time", file=shown, allowed=TIME_FORM)
