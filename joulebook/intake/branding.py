"""How a client's report and book look: a name, a logo, an accent colour, fonts, a locale and a size of paper."""

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from joulebook.intake.checks import attempt, refuse
from joulebook.intake.files import find_file, sha256
from joulebook.intake.lettering import fonts_in, require_font
from joulebook.intake.logos import require_logo
from joulebook.intake.typed import checked, choice, text

PAPERS = ("a4", "us_letter")
LOGOS = ("logo", "logo_on_dark")
_COLOUR = 'a colour as "#rrggbb", such as "#0b6e8c", in quotes: what stands behind a bare # is a comment'
_LOCALE = "a locale of the CLDR, such as de_DE or en_US"
_MOST_FONTS = 20


@dataclass(frozen=True)
class Branding:
    """What a client's report and book are dressed in; whatever is empty is that of the house.

    Parameters
    ----------
    name : str
        Name of whoever gives the report.
    logo, logo_on_dark : str or None
        Paths of pictures in the client's folder, for a light and for a dark ground.
    accent : str or None
        Colour of headings and rules, as ``#rrggbb``.
    fonts : tuple of str
        Paths of fonts in the client's folder, for characters that the report's own do not have.
    """

    name: str = ""
    logo: str | None = None
    logo_on_dark: str | None = None
    accent: str | None = None
    fonts: tuple = ()

    @property
    def files(self):
        """Paths of all files, by what they are, such as ``logo`` or ``font-1``."""
        found = {name: path for name in LOGOS if (path := getattr(self, name))}
        return found | {f"font-{number}": path for number, path in enumerate(self.fonts, 1)}


def check_colour(value):
    """Check a colour.

    Raises
    ------
    InputError
        If it is none.

    Examples
    --------
    >>> check_colour("#0B6E8C")
    '#0b6e8c'
    """
    if value is None:
        refuse("empty: no value", allowed=_COLOUR)
    if not isinstance(value, str) or not re.fullmatch(r"#[0-9a-fA-F]{6}", value):
        refuse("no colour", value=value, allowed=_COLOUR)
    return value.lower()


def check_locale(value):
    """Check the name of a locale.

    Parameters
    ----------
    value : object
        With an underscore, as Babel writes it, or with a hyphen.

    Returns
    -------
    str
        As Babel writes it; with its script, where a language has several.

    Raises
    ------
    InputError
        If Babel has none of that name.

    Examples
    --------
    >>> check_locale("de_DE"), check_locale("pt-BR"), check_locale("zh_CN")
    ('de_DE', 'pt_BR', 'zh_Hans_CN')
    >>> check_locale("de_DD")
    Traceback (most recent call last):
    joulebook.errors.InputError: no such locale; found 'de_DD'; allowed: a locale ...; did you mean ...de_DE...?
    """
    if not isinstance(value, str) or not value:
        refuse("empty: no value" if value in (None, "") else "not text", value=value or None, allowed=_LOCALE)
    from babel.localedata import locale_identifiers  # late: only for those who name one

    known, name = locale_identifiers(), value.replace("-", "_")
    if name in known and name != "root":
        return name
    found = _with_script(name)
    if found is None:
        refuse("no such locale", value=value, allowed=_LOCALE, near=_nearest(name, known))
    return found


class BrandingShape(BaseModel):
    """The block ``branding``; what its paths lead to is judged by `read_branding`."""

    model_config = ConfigDict(strict=True, extra="forbid")

    name: text(80) = ""
    logo: text(1000) = None
    logo_on_dark: text(1000) = None
    accent: Annotated[str, checked(check_colour)] = None
    fonts: list[text(1000)] = Field(default=[])


LocaleName = Annotated[str, checked(check_locale)]
PaperName = choice(PAPERS)


def read_branding(block, folder, place, found):
    """Read what a client's report is dressed in; every file is looked at.

    Parameters
    ----------
    block : dict
        The block ``branding``, in its shape.
    folder : pathlib.Path
        The client's folder.
    place : callable
        Gives the place of a key of the block, as keywords of `joulebook.errors.Problem`.
    found : joulebook.errors.Problems
        Takes what is wrong.

    Returns
    -------
    tuple of (Branding, dict of str to str)
        And the digest of each of its files, by path.
    """
    logos = {name: _checked(require_logo, folder, block[name], place(name), found) for name in LOGOS if name in block}
    fonts = {}
    for index, named in enumerate(block.get("fonts", ())):
        at = place("fonts", index)
        for path in attempt(found, fonts_in, folder, named, **at) or ():
            fonts[path] = _checked(require_font, folder, path, at, found)
    if len(fonts) > _MOST_FONTS:
        found.add("too many fonts", **place("fonts"), value=len(fonts), allowed=f"at most {_MOST_FONTS}")
    accent = block.get("accent") and check_colour(block["accent"])
    own = {"accent": accent, "fonts": tuple(filter(None, fonts.values()))}
    made = Branding(block.get("name", ""), **logos, **own)
    return made, {path: sha256(folder / path, f"{folder}/{path}") for path in made.files.values()}


def _checked(require, folder, named, place, found):
    """Path of a file on disk that was looked at; None where it is missing or refused."""
    path = attempt(found, find_file, folder, named, **place)
    before = len(found)
    if path is not None:
        attempt(found, require, folder / path, **place, value=path)
    return path if len(found) == before else None


def _with_script(name):
    """The locale of a language and a territory that the CLDR has with a script between them; None of any other name."""
    from babel import Locale, UnknownLocaleError

    try:
        found = Locale.parse(name)
    except (UnknownLocaleError, ValueError):
        return None
    return str(found) if name == f"{found.language}_{found.territory}" else None


def _nearest(name, known):
    """Locales that were probably meant, three at most: those of its language before all others, first where most speak it."""
    from babel import Locale
    from babel.core import get_global

    language = name.lower().split("_")[0]
    named = {said.lower(): code for code, said in Locale("en").languages.items()}  # German, for de
    language = named.get(language, language)
    main = [get_global("likely_subtags").get(language, "").replace("_Latn", "")]
    by_letters = {other.lower(): other for other in sorted(known)}
    same = [other for other in by_letters if other.split("_")[0] == language]
    found = get_close_matches(name.lower(), same, cutoff=0.5) or get_close_matches(name.lower(), by_letters, cutoff=0.5)
    return " or ".join([other for other in dict.fromkeys([*main, *map(by_letters.get, found)]) if other in known][:3]) or None
