"""All pages of a client: its topics, its overview and its register, with what is said around each."""

from joulebook.publish.book.client_page import PAGE as OVERVIEW
from joulebook.publish.book.client_page import TITLE as OVERVIEW_TITLE
from joulebook.publish.book.client_page import client_card, client_page
from joulebook.publish.book.page import Page
from joulebook.publish.book.register_page import PAGE as REGISTER
from joulebook.publish.book.register_page import TITLE as REGISTER_TITLE
from joulebook.publish.book.register_page import register_page
from joulebook.publish.book.rerun_box import OWN, own_command
from joulebook.show.expiry import expired_lines
from joulebook.show.faces import banner
from joulebook.show.numbers import Numbers


def client_pages(folder, record, collected, names, place, command=OWN, downloads=None):
    """Pages of a run.

    Parameters
    ----------
    folder : pathlib.Path
        The run folder.
    record : dict
        Content of its ``run.json``.
    collected : dict of str to joulebook.publish.collect.Collected
        Its topics.
    names : dict of str to str
        Page of each topic.
    place : str
        Folder of the book for overview and register.
    command : str
        The client's folder, as a command names it.
    downloads : dict of str to tuple, optional
        What each file of the book is that the overview offers, and how it is got, by its place.

    Returns
    -------
    tuple of (dict, dict)
        Pages by name, and the part of the table of contents that has overview and register.
    """
    index, register = f"{place}/{OVERVIEW}", f"{place}/{REGISTER}"
    offered = [(what, at) for at, (what, _) in (downloads or {}).items()]
    same = {
        "banner": client_banner(record, collected),
        "whose": record["client"],
        "prepared": record["prepared"],
        "versions": record["made_of"]["versions"],
        "numbers": Numbers(record["locale"], record["currency"]),
    }
    overview = client_page(record, collected, index, names, register, offered)
    pages = {name: Page(folder / f"{topic}.ipynb", command=own_command(topic, command), **same) for topic, name in names.items()}
    pages[index] = Page(overview, card=client_card(record, collected), **same)
    pages[register] = Page(register_page(record, collected), **same)
    chapters = [{"file": index, "title": OVERVIEW_TITLE}, {"file": register, "title": REGISTER_TITLE}]
    return pages, {"caption": OVERVIEW_TITLE, "chapters": chapters}


def client_banner(record, collected):
    """Whose pages they are, as of when, and what has expired; see `joulebook.show.faces.banner`."""
    inputs = [item for content in collected.values() for item in content.known.inputs]
    return banner(record["client"], record["prepared"], record["notes"], expired_lines(inputs),
                  Numbers(record["locale"], record["currency"]), record["branding"]["name"])
