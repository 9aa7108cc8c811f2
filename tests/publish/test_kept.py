"""A book that is built on its last build is, byte for byte, the one built from clean; what cannot be built on is not."""

import json
import shutil

import pytest

from joulebook.errors import RunError
from joulebook.publish.book import build_book, kept
from joulebook.publish.held import holding
from tests.publish.test_book import files, notebook, workbook

OTHER = """\
# Other

Repeated: {glue:text}`../notebooks/topic.md::energy_j:s`, see {doc}`/notebooks/topic` and {numref}`fig-one`.
"""


class Book:
    """A small book that is built again and again; tells which builds were from clean."""

    def __init__(self, folder):
        self.folder, self.builds = folder, []
        self.workbook = workbook(folder / "workbook")
        (self.workbook.root / "book" / "other.md").write_text(OTHER)
        toc = self.workbook.root / "_toc.yml"
        toc.write_text(toc.read_text() + "      - file: book/other\n")
        self.topic = notebook(folder / "topic.ipynb")
        self.client = notebook(folder / "client.ipynb", injected=True)
        self.kept = kept.kept_in(folder / "build", "book")

    def build(self, place="build", on=None):
        pages = {"notebooks/topic": self.topic, "clients/acme/topic": self.client}
        parts = [{"caption": "Acme", "chapters": [{"file": "clients/acme/topic", "title": "Acme"}]}]
        return build_book(pages, self.folder / place / "book", workbook=self.workbook, extra_parts=parts, kept=on)

    def again(self):
        """Build on the last build; whether each build that took was from clean."""
        inner, made = kept.build_pages, []

        def watched(stage, fresh=True, process=None):
            made.append(fresh)
            return inner(stage, fresh, process)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kept, "build_pages", watched)
            self.build(on=self.kept)
        return made

    def change(self, path, *words):
        text = path.read_text(encoding="utf-8")
        assert words[0] in text
        path.write_text(text.replace(*words), encoding="utf-8")

    def same_as_from_clean(self):
        there, clean = files(self.folder / "build" / "book"), files(self.build("clean"))
        assert sorted(there) == sorted(clean)
        return [name for name in clean if there[name] != clean[name]] == []


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    made = Book(tmp_path_factory.mktemp("kept"))
    assert made.again() == [True]
    return made


def pages(book):
    folder = book.folder / "build" / "book"
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}


def test_nothing_changed_nothing_is_built(book):
    before = files(book.folder / "build" / "book")
    assert book.again() == []
    assert files(book.folder / "build" / "book") == before


def test_a_value_that_another_page_repeats_is_new_on_both(book):
    book.change(book.topic, r"\"quoted\" -- <b>bold", r"\"quoted again\" -- <b>bold")
    html = book.kept / kept.STAGE / "_build" / "html"
    written = {path: path.stat().st_mtime_ns for path in html.rglob("*.html")}
    assert book.again() == [False]
    assert {path.relative_to(html).as_posix() for path, stamp in written.items() if path.stat().st_mtime_ns != stamp} == {
        "notebooks/topic.html", "book/other.html", "book/index.html", "search.html"}
    made = pages(book)
    assert all("quoted again" in made[name] for name in ("notebooks/topic.html", "book/other.html", "book/index.html"))
    assert "quoted again" not in made["clients/acme/topic.html"]
    assert book.same_as_from_clean()


def test_titles_figures_and_prose_that_change_are_seen_on_other_pages(book):
    book.change(book.client, "# Topic", "# Another matter\\n\\n## Part")
    other = book.workbook.root / "book" / "other.md"
    book.change(other, "# Other", "# Some other page")
    assert book.again() == [False]
    assert all("Some other page" in page for name, page in pages(book).items() if name not in ("index.html",))
    assert book.same_as_from_clean()


def test_a_page_that_fails_is_told_as_from_clean_and_nothing_is_built_on_it(book):
    other = book.workbook.root / "book" / "other.md"
    before = files(book.folder / "build" / "book")
    book.change(other, "fig-one", "fig-none")
    with pytest.raises(RunError) as told:
        book.build(on=book.kept)
    with pytest.raises(RunError) as told_again:
        book.build(on=book.kept)
    assert str(told.value) == str(told_again.value)
    assert "book/other: line 3" in str(told.value)
    assert str(book.folder) not in str(told.value)
    assert not (book.kept / kept.RECORD).exists()
    assert not (book.kept / kept.STAGE).exists()
    assert files(book.folder / "build" / "book") == before
    book.change(other, "fig-none", "fig-one")
    assert book.again() == [True]
    assert files(book.folder / "build" / "book") == before


@pytest.mark.parametrize("what", ["looks", "record", "stopped", "busy"])
def test_what_cannot_be_built_on_is_not(book, monkeypatch, what):
    made = []

    def quick(stage, fresh=True, process=None):
        made.append(fresh)
        folder = stage / "_build" / "html"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "index.html").write_text("page")
        (folder / "_static").mkdir(exist_ok=True)
        return folder

    monkeypatch.setattr(kept, "build_pages", quick)
    place = kept.kept_in(book.folder / "quick", what)
    out = book.folder / "quick" / "html"

    def build():
        stage = book.folder / "quick" / "stage"
        shutil.rmtree(out, ignore_errors=True)
        stage.mkdir(parents=True)
        (stage / "page.md").write_text("# Page\n")
        (stage / "theme.css").write_text(css)
        kept.build_again(stage, place, out)
        shutil.rmtree(stage, ignore_errors=True)

    css = "a {}"
    build()
    build()
    assert made == [True]
    if what == "looks":
        css = "b {}"
    elif what == "record":
        (place / kept.RECORD).write_text('{"key": 1}')
    elif what == "stopped":  # in the middle: the record is gone
        with monkeypatch.context() as patch:
            patch.setattr(kept.shutil, "copytree", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                build()
        shutil.rmtree(book.folder / "quick" / "stage", ignore_errors=True)
    else:
        with holding(place) as ours:
            assert ours
            build()
        assert made == [True, True]
        assert (out / "index.html").exists()
        assert json.loads((place / kept.RECORD).read_text())["pages"].keys() == {"page.md"}
        return
    build()
    assert made == [True, True]
    assert (out / "index.html").exists()


def test_few_books_are_kept_and_all_can_be_cleared(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "MOST", 2)
    for number in range(4):
        place = kept.kept_in(tmp_path, f"{number}")
        place.mkdir(parents=True)
        (place / kept.RECORD).write_text(str(number))
        kept._bound(place.parent)
    left = {path.read_text() for path in tmp_path.rglob(kept.RECORD)}
    assert left == {"2", "3"}
    with holding(kept.kept_in(tmp_path, "3")):
        assert kept.clear_kept(tmp_path) == 1
    assert {path.read_text() for path in tmp_path.rglob(kept.RECORD)} == {"3"}
