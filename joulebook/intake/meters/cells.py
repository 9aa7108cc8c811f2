"""Cells as numbers: decimal marks, thousands marks, units in cells, and what stands for a reading that failed."""

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from joulebook.errors import InputError
from joulebook.intake.meters.scale import scale, scaled

# Texts that stand for a reading that failed, in lower case and without brackets.
_FAILED = frozenset(
    """n/a|na|#n/a|not supported|not available|unknown error|unknown|err!|error|err|nan|null|none|nil|-|--|---|----|?|*
unavailable|undef|undefined|missing|bad|invalid|no reading|no data|#value!|#div/0!|#ref!|#num!|gpu is lost|gpu requires reset
insufficient permissions|out of range|overload|requested functionality has been deprecated|1.#qnan|-1.#ind|1.#inf
deactivated|disabled|absent|stale""".replace("\n", "|").split("|")
)
NAN_OF_SCPI = 9.9e36  # 9.91e37 is not-a-number, 9.9e37 an overload, in the standard of measuring instruments
FAILED_NUMBERS = (-1.0, -2.0)
_SPACES = "'’ \u00a0\u202f"
_DIGITS = f"[0-9.,{_SPACES}]*"
_CELL = re.compile(rf"([+-]?{_DIGITS}[0-9]{_DIGITS})(?:[eE]([+-]?[0-9]{{1,4}}))?\s*([^0-9\s.,][^0-9]*)?")
_LONGEST = 64  # characters of a cell that is a number
_GROUPS = re.compile(r"[0-9]{1,3}(?:[^0-9][0-9]{3})+")
_PLAIN = pa.float64()


class Numbers:
    """A column of values, block by block: what its first blocks settle holds for the others.

    Parameters
    ----------
    decimal : str or None
        Decimal mark where it is declared.
    usual : bool
        Whether a single point is a decimal point: a file with commas between its cells, or JSON.
    factor, quantity : float or None, str or None
        Of the column's unit where it is known; else the cells must say it.
    sentinels : collection
        Declared values and texts of readings that failed.
    """

    def __init__(self, decimal, usual, factor=1.0, quantity=None, sentinels=()):
        self.decimal, self.usual, self.factor, self.quantity = decimal, usual, factor, quantity
        self.texts = {str(item).strip().casefold() for item in sentinels if isinstance(item, str)}
        self.numbers = [float(item) for item in sentinels if not isinstance(item, str)]
        self.numbers += [float(text) for text in self.texts if re.fullmatch(r"[+-]?[0-9.]+(?:e[+-]?[0-9]+)?", text)]
        self.unclear = None  # a cell whose mark may be either

    def read(self, cells):
        """Values of a block.

        Parameters
        ----------
        cells : pyarrow.StringArray or ndarray of float
            The cells.

        Returns
        -------
        values : ndarray of float
            In watts or joules; nan where there is none.
        failed : dict of str to ndarray of bool
            Rows of readings that failed, by reason.
        wrong : ndarray of bool
            Rows that are no number.
        """
        if isinstance(cells, np.ndarray):
            values, failed, wrong = cells.astype(float), {}, np.zeros(cells.size, bool)
        else:
            values, failed, wrong = self._texts(cells)
        self._judged(values, failed, wrong)
        if self.usual and self.decimal is None and np.any(values % 1 > 0):
            self.decimal = "."  # it has been read as one
        return scaled(values, self.factor), failed, wrong

    def _judged(self, values, failed, wrong):
        finite = np.isfinite(values)
        if not finite.all():
            known = wrong.copy()
            for rows in failed.values():
                known |= rows
            _add(failed, "nan", np.isnan(values) & ~known)
            _add(failed, "infinite", np.isinf(values))
        with np.errstate(invalid="ignore"):
            if values.size and (values.min(initial=0) < 0 or not finite.all()):
                for number in FAILED_NUMBERS:
                    _add(failed, f"{number:g}", values == number)
            _add(failed, "9.91e37", (np.abs(values) >= NAN_OF_SCPI) & finite)
            for number in self.numbers:
                _add(failed, f"{number:g}", values == number)
        for rows in failed.values():
            values[rows] = np.nan

    def _texts(self, cells):
        none = np.zeros(len(cells), bool)
        if self.decimal == "." or (self.decimal is None and self.usual):
            try:
                return pc.cast(pc.utf8_trim_whitespace(cells), _PLAIN).to_numpy(zero_copy_only=False).copy(), {}, none
            except pa.ArrowException:
                pass
        coded = pc.dictionary_encode(cells)
        uniques = coded.dictionary.to_pylist()
        places = coded.indices.to_numpy()
        parts = [self._part(text) for text in uniques]
        self._settle(parts)
        values, reasons, wrong = np.full(len(uniques), np.nan), {}, np.zeros(len(uniques), bool)
        for i, part in enumerate(parts):
            if isinstance(part, str):
                reasons.setdefault(part, np.zeros(len(uniques), bool))[i] = True
            elif part is None or (value := self._value(part)) is None:
                wrong[i] = True
            else:
                values[i] = value
        return values[places], {reason: rows[places] for reason, rows in reasons.items()}, wrong[places]

    def _part(self, text):
        """Sign and digits, marks, exponent and unit of a cell; a reason where it failed; None where it is no number."""
        text = text.strip().strip("\u00a0")
        bare = text.strip("[]<>() ").casefold()
        if text.casefold() in self.texts:
            return text
        if not bare:
            return "empty cell"
        if bare in _FAILED or text.casefold() in _FAILED:
            return text if len(text) <= 40 else text[:40]
        if bare in ("inf", "+inf", "-inf", "infinity", "-infinity", "+infinity"):
            return "infinite"
        match = _CELL.fullmatch(text) if len(text) <= _LONGEST else None
        if match is None:
            return None
        digits = match[1].strip(" \u00a0\u202f")
        whole = re.match(rf"[+-]?([0-9{_SPACES}]*)", digits)[1]
        if re.search(f"[{_SPACES}]", whole):  # a mark stands between thousands, or the cell is two
            if not _GROUPS.fullmatch(whole):
                return None
            digits = digits.replace(whole, re.sub(f"[{_SPACES}]", "", whole), 1)
        if re.search(r"[^0-9.,+-]", digits):
            return None
        return digits, match[2], (match[3] or "").strip()

    def _settle(self, parts):
        """Which mark is the decimal one, by cells that leave no doubt."""
        if self.decimal is not None:
            return
        said, unclear = set(), None
        for part in parts:
            if isinstance(part, tuple):
                mark = _decimal(part[0], part[1])
                if mark == "?":
                    unclear = part[0]
                elif mark:
                    said.add(mark)
        if len(said) == 1:
            self.decimal = said.pop()
        elif self.usual and unclear is not None and "." in unclear and not said:
            self.decimal = "."
        elif unclear is not None or said:
            self.unclear = unclear or "both marks"

    def _value(self, part):
        digits, exponent, unit = part
        if unit:
            try:
                factor, quantity = scale(unit)
            except InputError:
                return None
            if self.quantity is None:
                self.factor, self.quantity = factor, quantity
            if quantity != self.quantity or abs(factor - self.factor) > 1e-9 * factor:
                return None
        mark = self.decimal or "."
        other = "," if mark == "." else "."
        whole, _, fraction = digits.lstrip("+-").partition(mark)
        if other in fraction or mark in fraction:
            return None
        if other in whole:
            if not _GROUPS.fullmatch(whole):
                return None
            whole = whole.replace(other, "")
        sign = -1.0 if digits.startswith("-") else 1.0
        try:
            return sign * float(f"{whole or '0'}.{fraction or '0'}e{exponent or '0'}")
        except (ValueError, OverflowError):
            return None


def _decimal(digits, exponent):
    """Decimal mark that a number shows: ``.``, ``,``, ``?`` where a mark may be either, or none."""
    digits = digits.lstrip("+-")
    dots, commas = digits.count("."), digits.count(",")
    if not dots and not commas:
        return None
    if dots and commas:
        return "." if digits.rfind(".") > digits.rfind(",") else ","
    mark, other = (".", ",") if dots else (",", ".")
    if dots + commas > 1:
        return other
    before, _, after = digits.partition(mark)
    if exponent or len(after) != 3 or not 1 <= len(before) <= 3 or before.startswith("0"):
        return mark
    return "?"


def _add(failed, reason, rows):
    if rows.any():
        failed[reason] = failed[reason] | rows if reason in failed else rows
