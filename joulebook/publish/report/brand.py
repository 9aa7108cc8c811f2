"""What the report is dressed in: size of its pages, name, logos and accent of whoever gives it."""

from xml.etree.ElementTree import fromstring

from joulebook.colours import readable
from joulebook.intake.branding import LOGOS

PAPERS = {"a4": "a4", "us_letter": "us-letter"}  # by the word of client.yml, the name that typst has for it


def paper_of(run):
    """Size of the pages, by typst's name."""
    return PAPERS[run.get("paper") or "a4"]


def brand_of(run):
    """Name, logos by the names of their files, and accent that can be read on white; what is not given is empty or None.

    Parameters
    ----------
    run : dict
        With ``branding`` of `joulebook.publish.branding.branding_of`, or without.

    Examples
    --------
    >>> brand_of({})
    {'name': '', 'accent': None, 'logo': None, 'logo_on_dark': None}
    """
    branding = run.get("branding") or {}
    logos = {name: _file(name, branding[name]) if branding.get(name) else None for name in LOGOS}
    accent = branding.get("accent") and readable(branding["accent"])
    return {"name": branding.get("name") or "", "accent": accent, **logos}


def brand_files(run):
    """Content of the logos, by the names that the template knows them by."""
    branding = run.get("branding") or {}
    return {_file(name, branding[name]): branding[name].read_bytes() for name in LOGOS if branding.get(name)}


def with_letters(run):
    """A run in which the letters of its logos stand where their paths do: they are printed like any text."""
    branding = run.get("branding") or {}
    drawn = {name: branding[name] for name in LOGOS if branding.get(name) and branding[name].suffix == ".svg"}
    return {**run, "branding": {**branding, **{name: _letters(path.read_bytes()) for name, path in drawn.items()}}}


def brand_fonts(run):
    """Folders of the fonts that the client brought, each once."""
    return list(dict.fromkeys(str(path.parent) for path in (run.get("branding") or {}).get("fonts", ())))


def _letters(svg):
    texts = [node for node in fromstring(svg).iter() if str(node.tag).endswith("}text")]
    return " ".join(part for node in texts for part in node.itertext())


def _file(name, path):
    return f"{name}{path.suffix}"
