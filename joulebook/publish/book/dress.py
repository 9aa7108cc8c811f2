"""A client's book in the colours of whoever gives it: name and logo in the side bar, the accent in both modes."""

import shutil

from joulebook.colours import readable
from joulebook.intake.branding import LOGOS

# The boxes that text with the accent stands on, light and dark, as in theme.css: less far from it than the page is.
GROUNDS = {"light": "#f3f6f8", "dark": "#1b2127"}
POINTED = 7  # contrast of a link that is pointed at
FILE = "brand.css"


def dress(static, config, branding):
    """Lay name, logos and accent into a staged book.

    Parameters
    ----------
    static : pathlib.Path
        Its folder of static files.
    config : dict
        Its configuration, changed in place.
    branding : dict
        Of `joulebook.publish.branding.branding_of`.

    Notes
    -----
    A logo is a picture of its own, as files are that the page shows and does not take in: what it holds runs nowhere. Colours
    that mean something, such as those of evidence, do not follow the accent, nor do figures.
    """
    settings = config["sphinx"]["config"]
    logos = {}
    for name in LOGOS:
        if branding[name]:
            logos[name] = f"brand-{name.replace('_', '-')}{branding[name].suffix}"
            shutil.copyfile(branding[name], static / logos[name])
    if branding["name"] or logos:
        settings["html_context"] = {**settings.get("html_context", {}), "brand": {"name": branding["name"], **logos}}
    if branding["accent"]:
        (static / FILE).write_text(accent_css(branding["accent"]), encoding="utf-8")
        settings["html_css_files"] = [*settings.get("html_css_files", []), FILE]


def accent_css(accent):
    """Style of an accent that can be read in both modes.

    Parameters
    ----------
    accent : str
        As ``#rrggbb``.

    Examples
    --------
    >>> print(accent_css("#0b6e8c"))
    html[data-theme="light"] { --accent: #0b6e8c; --pst-color-link-hover: ...; }
    html[data-theme="dark"] { --accent: #1392b9; --pst-color-link-hover: ...; }
    """
    lines = []
    for mode, ground in GROUNDS.items():
        pointed = readable(accent, ground, POINTED)  # the theme has links in tables of a stronger colour, too
        lines.append(f'html[data-theme="{mode}"] {{ --accent: {readable(accent, ground)}; --pst-color-link-hover: {pointed}; '
                     f"--pst-color-link-higher-contrast: {pointed}; }}")
    return "\n".join(lines) + "\n"
