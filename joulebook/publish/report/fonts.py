"""Characters that no font of the report has: refused before a page lacks them."""

import json
from functools import cache

from joulebook.errors import InputError, Problem
from joulebook.publish.report.characters import shortened, texts_of
from joulebook.publish.report.typesetting import compiled

_PROBE = """#set document(title: "probe")
#set text(font: ("Fira Sans", "Libertinus Serif"))
#title()
#json("signs.json")
"""


def require_showable(run, fonts):
    """Refuse characters that no font has, each where it stands first."""
    texts = list(texts_of(run))
    lacking = lacking_of("".join(sorted(set().union(*(text for _, text in texts)))), fonts)
    problems, named = [], set()
    for place, text in texts:
        signs = "".join(dict.fromkeys(sign for sign in text if sign in lacking and sign not in named))
        if signs:
            named.update(signs)
            codes = ", ".join(f"{sign} (U+{ord(sign):04X})" for sign in signs[:12])
            more = f" and {len(signs) - 12} more" if len(signs) > 12 else ""
            problems.append(Problem(f"no font of the report has {codes}{more}", field=place, value=shortened(text, 60),
                                    allowed="characters of Fira Sans and of typst's own fonts, or of a font that is given"))
    if problems:
        raise InputError(problems)


@cache
def lacking_of(signs, fonts):
    """Those characters that cannot be set: typst itself is asked, for all at once, and for each where that fails."""
    return frozenset() if _settable(signs, fonts) else frozenset(sign for sign in signs if not _settable(sign, fonts))


def _settable(signs, fonts):
    from typst import TypstError

    try:
        compiled({"probe.typ": _PROBE, "signs.json": json.dumps(signs)}, "probe.typ", fonts)
    except TypstError:
        return False
    return True
