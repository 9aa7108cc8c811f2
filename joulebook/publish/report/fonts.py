"""Characters that no font of the report has: refused before a page lacks them."""

import json
import unicodedata
from functools import cache

from joulebook.errors import InputError, Problem
from joulebook.publish.report.characters import shortened, texts_of
from joulebook.publish.report.typesetting import compiled

_PROBE = """#set document(title: "probe")
#set text(font: ("Fira Sans", "Libertinus Serif"))
#title()
#json("signs.json")
"""
_EAST = ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "FULLWIDTH", "HALFWIDTH")
_HOW = ("characters of Fira Sans and of typst's own fonts, or a font that has them, such as {fonts}: its file or folder in the "
        "client folder, named in client.yml as `branding: {{fonts: PATH}}`, or `joulebook report CLIENT --fonts DIR`")


def require_showable(run, fonts, made=None):
    """Refuse characters that no font has: all of them by name, each where it stands first, and how a font is given.

    Parameters
    ----------
    run : dict
        Data whose texts may be printed.
    fonts : tuple of str
        Folders of fonts, beside typst's own.
    made : dict, optional
        What is made of it, which may have further characters, such as those of a locale.

    Raises
    ------
    InputError
        A problem for each text with characters that no text before it has.
    """
    texts = list(texts_of(run))
    known = set().union(*(text for _, text in texts))
    texts += [(place, text) for place, text in texts_of(made or {}) if set(text) - known]
    lacking = lacking_of("".join(sorted(known.union(*(text for _, text in texts)))), fonts)
    places = {}  # of each character, in the order in which they are read
    for place, text in texts:
        for sign in dict.fromkeys(sign for sign in text if sign in lacking):
            places.setdefault(sign, {}).setdefault(place, text)
    first = {}
    for sign, of in places.items():
        first.setdefault(next(iter(of)), []).append(sign)
    problems = []
    for place, signs in first.items():
        more = len({other for sign in signs for other in places[sign]}) - 1
        also = f" (and {more} more {'place' if more == 1 else 'places'})" if more else ""
        problems.append(Problem(f"no font of the report has {', '.join(map(_named, signs))}{also}", field=place,
                                value=shortened(places[signs[0]][place], 60), allowed=_HOW.format(fonts=_fonts_for(signs))))
    if problems:
        raise InputError(problems)


@cache
def lacking_of(signs, fonts):
    """Those characters that cannot be set: typst itself is asked, for all at once, and for each half where that fails."""
    if not signs or _settable(signs, fonts):
        return frozenset()
    if len(signs) == 1:
        return frozenset(signs)
    half = len(signs) // 2
    return lacking_of(signs[:half], fonts) | lacking_of(signs[half:], fonts)


def _settable(signs, fonts):
    from typst import TypstError

    try:
        compiled({"probe.typ": _PROBE, "signs.json": json.dumps(signs)}, "probe.typ", fonts)
    except TypstError:
        return False
    return True


def _named(sign):
    """A character with its code point and its name in Unicode."""
    return f"{sign} (U+{ord(sign):04X} {unicodedata.name(sign, 'without a name')})"


def _fonts_for(signs):
    """Fonts with an open licence that have characters of their scripts.

    Examples
    --------
    >>> _fonts_for("株ン"), _fonts_for("ลא"), _fonts_for("🔋")
    ('Noto Sans CJK', 'Noto Sans Thai and Noto Sans Hebrew', 'Noto Emoji')
    """
    found = {}
    for sign in signs:
        script = unicodedata.name(sign, "SYMBOL").split(" ")[0]
        letter = unicodedata.category(sign)[0] in "LMN"
        found["Noto Sans CJK" if script in _EAST else f"Noto Sans {script.title()}" if letter else "Noto Emoji"] = None
    names = list(found)
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
