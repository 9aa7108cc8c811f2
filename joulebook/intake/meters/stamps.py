"""Texts of stamps as nanoseconds: every usual way to write a date and a time, and numbers that count from an epoch."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_CLOCK = (
    r"(?P<h>\d{1,2}):(?P<mi>\d{2})(?::(?P<s>\d{2})(?:[.,](?P<f>\d{1,9})\d*)?)?"
    r"\s*(?P<ap>[AaPp]\.?[Mm]\.?)?\s*(?P<o>Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
FORMS = {
    "ymd": rf"^\s*(?P<y>\d{{4}})[-/.](?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})(?:[T ,]\s*{_CLOCK})?\s*$",
    "compact": r"^\s*(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})T(?P<h>\d{2})(?P<mi>\d{2})(?P<s>\d{2})(?:\.(?P<f>\d{1,9}))?(?P<o>Z)?$",
    "dots": rf"^\s*(?P<d>\d{{1,2}})\.(?P<m>\d{{1,2}})\.(?P<y>\d{{4}}|\d{{2}})(?:[T ,]\s*{_CLOCK})?\s*$",
    "two": rf"^\s*(?P<d>\d{{1,2}})[-/](?P<m>\d{{1,2}})[-/](?P<y>\d{{4}}|\d\d)(?:[T ,]\s*{_CLOCK})?\s*$",
    "named": rf"^\s*(?:[A-Za-z]{{3}},? +)?(?P<d>\d{{1,2}})[- ](?P<m>[A-Za-z]{{3}})[- ](?P<y>\d{{4}})(?:[T ,]\s*{_CLOCK})? *$",
    "ctime": rf"^\s*(?:[A-Za-z]{{3}}\s+)?(?P<m>[A-Za-z]{{3}})\s+(?P<d>\d{{1,2}})\s+{_CLOCK}\s+(?P<y>\d{{4}})\s*$",
}
UNIT_NS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0, "excel_days": 86400e9}
_EXCEL_EPOCH_NS = -2209161600 * 10**9  # 1899-12-30
FIRST_S, LAST_S = 978307200.0, 4102444800.0  # 2001 to 2100: what an epoch may be
MOST_S = 9.0e9  # what nanoseconds can hold
PLAIN_UTC, PLAIN = pa.timestamp("ns", "UTC"), pa.timestamp("ns")


def form_of(text):
    """Form of a stamp, ``number``, or None.

    Examples
    --------
    >>> form_of("2024-03-01T10:00Z"), form_of("01.03.2024 10:00:00"), form_of("1709287200.5"), form_of("noon")
    ('ymd', 'dots', 'number', None)
    """
    try:
        float(text.replace(",", "."))
        return "number"
    except ValueError:
        pass
    one = pa.array([text])
    return next((form for form, pattern in FORMS.items() if pc.match_substring_regex(one, pattern)[0].as_py()), None)


def quick(cells, kind):
    """Stamps in ISO 8601 as nanoseconds, all at once; None where one is of another form."""
    try:
        return pc.cast(cells, kind).view(pa.int64()).to_numpy()
    except pa.ArrowException:
        return None


def parsed(cells, form, order):
    """Stamps of one form.

    Parameters
    ----------
    cells : pyarrow.StringArray
        The texts.
    form : str
        A key of `FORMS`.
    order : str or None
        ``dmy`` or ``mdy`` for the form ``two``.

    Returns
    -------
    ns : ndarray of int64
        Nanoseconds since 1970 of the clock as written, without its offset.
    offset_s : ndarray of float
        Offset from UTC; nan where none is written. [s]
    good : ndarray of bool
        Which texts are a time of the calendar.
    shape : ndarray of int
        How the year and the time of day are written: texts of one column have one shape.
    """
    fields = pc.extract_regex(cells, FORMS[form])
    good = fields.is_valid().to_numpy(zero_copy_only=False)
    names = [fields.type.field(i).name for i in range(fields.type.num_fields)]

    def text(name):
        if name not in names:
            return pa.array([""] * len(cells), pa.string())
        return pc.fill_null(pc.struct_field(fields, name), "")

    def number(name):
        return _integers(text(name))

    written = number("y")
    year = np.where(written < 100, written + 2000, written)
    month = _months(text("m")) if form in ("named", "ctime") else number("m")
    day = number("d")
    if form == "two" and order == "mdy":
        month, day = day, month
    hour = number("h")
    half = pc.utf8_lower(pc.utf8_slice_codeunits(text("ap"), 0, 1))
    afternoon, morning = (pc.equal(half, sign).to_numpy(zero_copy_only=False) for sign in "pa")
    good &= np.where(afternoon | morning, (hour >= 1) & (hour <= 12), hour < 24)
    hour = np.where(morning & (hour == 12), 0, np.where(afternoon & (hour < 12), hour + 12, hour))
    fraction = text("f")
    part = _integers(pc.utf8_rpad(fraction, 9, "0")) if pc.any(pc.not_equal(fraction, "")).as_py() else 0
    minute, second = number("mi"), number("s")
    good &= (month >= 1) & (month <= 12) & (day >= 1) & (minute < 60) & (second < 60) & (year >= 1970) & (year < 2200)
    months = ((np.where(good, year, 1970) - 1970) * 12 + np.where(good, month, 1) - 1).astype("datetime64[M]")
    days = months.astype("datetime64[D]")
    good &= day <= ((months + 1).astype("datetime64[D]") - days).astype(np.int64)
    whole = (days.astype(np.int64) + day - 1) * 86400 + hour * 3600 + minute * 60 + second
    ns = np.where(good, whole, 0) * 10**9 + part
    offset = _offsets(text("o"))
    good &= ~np.isnan(offset) | pc.equal(text("o"), "").to_numpy(zero_copy_only=False)  # an offset that is none is no stamp
    shape = (written < 100) * 2 + pc.not_equal(text("h"), "").to_numpy(zero_copy_only=False)
    return ns, offset, good, shape


def _integers(texts):
    return pc.cast(pc.if_else(pc.equal(texts, ""), "0", texts), pa.int64()).to_numpy()


def _months(texts):
    places = pc.index_in(pc.utf8_lower(texts), pa.array(_MONTHS))
    return pc.fill_null(places, -1).to_numpy().astype(np.int64) + 1


def _offsets(texts):
    if not pc.any(pc.not_equal(texts, "")).as_py():
        return np.full(len(texts), np.nan)
    values, places = np.unique(texts.to_numpy(zero_copy_only=False).astype(str), return_inverse=True)
    return np.array([offset_s(value) if value else np.nan for value in values])[places]


def offset_s(text):
    """Offset from UTC in seconds of a text such as ``+01:00``; nan where it is none. [s]

    Examples
    --------
    >>> offset_s("+0130"), offset_s("UTC"), offset_s("-2")
    (5400.0, 0.0, -7200.0)
    """
    text = text.strip()
    if text in ("Z", "z", "UTC", "GMT"):
        return 0.0
    digits = text[1:].replace(":", "")
    if text[:1] not in ("+", "-") or not digits.isdecimal() or len(digits) > 4 or len(digits) == 3:
        return np.nan
    hours, minutes = (int(digits), 0) if len(digits) <= 2 else (int(digits[:2]), int(digits[2:]))
    if hours > 14 or minutes > 59:
        return np.nan
    return (-1.0 if text[0] == "-" else 1.0) * (hours * 3600 + minutes * 60)


def counted(numbers, unit):
    """Numeric stamps of a unit as nanoseconds, and which are in limits.

    Fractions are kept to the microsecond for stamps since 1970, which is what a float of their size holds.
    """
    with np.errstate(all="ignore"):
        seconds = numbers * (UNIT_NS[unit] / 1e9)
        good = np.isfinite(numbers) & (np.abs(seconds) < MOST_S)
        step = 1000.0 if unit in ("s", "excel_days") else 1.0
        large = np.abs(seconds) >= FIRST_S / 100
        ns = np.where(large, np.round(numbers * (UNIT_NS[unit] / step)) * step, np.round(numbers * UNIT_NS[unit]))
    ns = np.where(good, ns, 0.0).astype(np.int64)
    return (ns + _EXCEL_EPOCH_NS if unit == "excel_days" else ns), good


def is_epoch(ns):
    """Which nanoseconds are a time of 2001 to 2100, so that they count from 1970."""
    return (ns >= FIRST_S * 1e9) & (ns < LAST_S * 1e9)


def unmistakable(number):
    """Unit in which a number is a time since 1970 of the years 2001 to 2100, or None; no number is one in two units.

    Examples
    --------
    >>> unmistakable(1709287200.5), unmistakable(1709287200500), unmistakable(12.0)
    ('s', 'ms', None)
    """
    return next((unit for unit in ("s", "ms", "us", "ns") if FIRST_S <= number * (UNIT_NS[unit] / 1e9) < LAST_S), None)
