"""Units of what meters say: by declaration, or in the name of a column, where that is unmistakable."""

import re
from functools import cache

from joulebook.errors import InputError, near
from joulebook.intake.checks import refuse
from joulebook.units import NUMBER, parse_quantity

ALLOWED = "a unit of power or energy such as W, kW, mW, J, kWh, or a scale such as 0.1 kW"
_POWER_OF_TEN = re.compile(r"(?:10*|0?\.0*1)?\s*[^0-9.\s]")  # a scale that a header may have: another number is a slip
# Spellings that are unmistakable although they are not those of the SI; mw, mj and mwh may be milli or mega.
_SPELLINGS = {
    "w": "W",
    "kw": "kW",
    "KW": "kW",
    "Kw": "kW",
    "watt": "W",
    "watts": "W",
    "Watt": "W",
    "Watts": "W",
    "WATTS": "W",
    "kilowatt": "kW",
    "kilowatts": "kW",
    "milliwatts": "mW",
    "microwatts": "uW",
    "j": "J",
    "kj": "kJ",
    "KJ": "kJ",
    "uj": "uJ",
    "nj": "nJ",
    "joule": "J",
    "joules": "J",
    "Joule": "J",
    "Joules": "J",
    "microjoules": "uJ",
    "millijoules": "mJ",
    "Ws": "J",
    "ws": "J",
    "kWs": "kJ",
    "wh": "Wh",
    "WH": "Wh",
    "kwh": "kWh",
    "KWh": "kWh",
    "KWH": "kWh",
    "Kwh": "kWh",
    "kW·h": "kWh",
    "W·h": "Wh",
}
_APPARENT = re.compile(r"[kMm]?(?:VA|var|VAR|va|VAh|varh)")
_UNIT = re.compile(rf"({NUMBER})?\s*([A-Za-zµμ·]{{1,24}})")
_LONGEST = 120  # characters of a name that are looked at, from its end
_SMALLEST, _LARGEST = 1e-9, 1e13  # nW or nJ, and some GWh: beyond that a letter is wrong
_MEANS = {"W": "power", "J": "energy"}
# Words beside a unit in the name of a column that change nothing of it; any other word, such as tenths, may.
_WORDS = frozenset(
    """power energy leistung energie wirkleistung active real total sum avg average mean draw drawn import imported consumption
consumed consumptions used wall input output ac dc reading value system server node host gpu cpu meter pdu register in meas
measured inst instant instantaneous current now machine board package pkg core uncore dram psys rack outlet channel ch phase l rms
p e load module chip accelerator cumulative counter verbrauch gesamt zaehlerstand zählerstand stand psu supply chassis
wirk""".split()  # noqa: SIM905
)


@cache
def scale(text):
    """What a unit or a scale means in watts or joules.

    Parameters
    ----------
    text : str
        Such as ``kW`` or ``0.1 kW``.

    Returns
    -------
    tuple of (float, str)
        Factor to watts or joules, and ``power`` or ``energy``.

    Raises
    ------
    InputError
        If it is no unit of either, or may be two.

    Examples
    --------
    >>> scale("0.1 kW"), scale("uJ")
    ((100.0, 'power'), (1e-06, 'energy'))
    >>> scale("mw")
    Traceback (most recent call last):
    joulebook.errors.InputError: milli or mega; found 'mw'; allowed: mW or MW
    """
    text = text.strip()
    match = _UNIT.fullmatch(text.removesuffix(" h") + "h" if text.endswith(" h") else text) if len(text) <= 40 else None
    if match is None:
        refuse("no unit of power or energy", value=text, allowed=ALLOWED)
    number, name = match[1] or "1", match[2]
    if _APPARENT.fullmatch(name):
        refuse("apparent or reactive power, which is not power: the power factor is not in it", value=text, allowed=ALLOWED)
    if name in ("mw", "mj", "mwh"):
        both = {"mw": "mW or MW", "mj": "mJ or MJ", "mwh": "mWh or MWh"}[name]
        refuse("milli or mega", value=text, allowed=both)
    name = _SPELLINGS.get(name, name)
    for unit, quantity in _MEANS.items():
        try:
            factor = parse_quantity(f"{number} {name}", unit)
        except InputError:
            continue
        if not _SMALLEST <= factor <= _LARGEST:
            refuse("no unit that a meter has", value=text, allowed=ALLOWED)
        return _plain(factor), quantity
    return refuse(
        "no unit of power or energy", value=text, allowed=ALLOWED, near=near(name, ("W", "kW", "mW", "J", "kJ", "kWh", "Wh"))
    )


def scaled(values, factor):
    """Values in watts or joules; by a division where the factor is a part of one, so that 900 mW are 0.9 W to the last digit.

    Examples
    --------
    >>> scaled(65712999613, 1e-6), scaled(3.5, 100.0)
    (65712.999613, 350.0)
    """
    if factor in (None, 1.0):
        return values
    parts = round(1 / factor) if factor < 1 else 0
    return values / parts if parts and abs(parts * factor - 1) < 1e-9 else values * factor


def _plain(factor):
    """A factor without the last digits that conversions leave: 1e-6, not 9.999999999999999e-07."""
    return float(f"{factor:.12g}")


@cache
def unit_of_header(header):
    """Unit that the name of a column states beyond doubt, or None.

    A unit in brackets at its end, or as a word of its own among words that change nothing of it. ``power_tenths_of_kW``
    states none, since a word in it scales the number; ``power_mw`` none, since it may be milli or mega.

    Examples
    --------
    >>> [unit_of_header(name) for name in ("power.draw [W]", "Power (kW)", "energy_uj", "kwh_total")]
    ['W', 'kW', 'uj', 'kwh']
    >>> [unit_of_header(name) for name in ("power_tenths_of_kW", "P (4W)", "power_mw")]
    [None, None, None]
    """
    header = header[-_LONGEST:].strip()
    if header[-1:] in ("]", ")"):
        inside = re.split(r"[\[(]", header[:-1])[-1].strip()
        return inside if _known(inside) and _POWER_OF_TEN.match(inside) else None
    parts = [part for part in re.split(r"[^A-Za-zµμäöüß0-9]+", header) if part]
    units = [part for part in parts if not part[0].isdigit() and _known(part)]
    words = [re.sub(r"[0-9]+$", "", part).lower() for part in parts if part not in units]
    return units[0] if len(units) == 1 and not {word for word in words if word} - _WORDS and all(words) else None


def says_quantity(header):
    """Whether the name of a column speaks of power or energy, with or without a unit.

    Examples
    --------
    >>> says_quantity("power"), says_quantity("temperature [C]")
    (True, False)
    """
    words = {part.lower() for part in re.split(r"[^A-Za-zäöüß]+", header[-_LONGEST:])}
    return unit_of_header(header) is not None or bool(words & {"power", "energy", "leistung", "energie", "watts", "verbrauch"})


def _known(text):
    try:
        scale(text)
    except InputError:
        return False
    return True
