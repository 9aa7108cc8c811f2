"""Links lead somewhere: to a file of the book, and to something on it; what leads out is a plain link to a page."""

from functools import cache
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup


@cache
def _page(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@cache
def _anchors(path):
    page = _page(path)
    return {tag["id"] for tag in page.find_all(id=True)} | {tag["name"] for tag in page.find_all("a", attrs={"name": True})}


def test_links_and_anchors_resolve(path):
    lost = []
    for tag in _page(path).find_all(True):
        for key in ("href", "src", "action"):
            if not tag.get(key):
                continue
            to = urlsplit(tag[key])
            if to.scheme in ("http", "https"):
                if tag.name != "a":
                    lost.append(f"{tag.name} from the network: {tag[key]}")
                continue
            if to.scheme or to.netloc:
                if to.scheme != "data":
                    lost.append(f"{tag[key][:80]}: no page of the book and none of the web")
                continue
            target = (path.parent / unquote(to.path)).resolve() if to.path else path
            if not target.is_file():
                lost.append(f"{tag[key]}: no such file")
            elif to.fragment and target.suffix == ".html" and unquote(to.fragment) not in _anchors(target):
                lost.append(f"{tag[key]}: nothing of that name on the page")
    assert not lost, "\n".join(dict.fromkeys(lost))


def test_ids_are_unique(path):
    ids = [tag["id"] for tag in _page(path).find_all(id=True)]
    assert not {one for one in ids if ids.count(one) > 1}
