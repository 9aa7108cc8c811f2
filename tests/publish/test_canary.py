"""No word of one client is in what is made of another: each text of theirs is a canary, a word that stands nowhere else."""

import re
import shutil
import sys
from base64 import b64decode
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from zipfile import ZipFile

import pytest
from pypdf import PdfReader

from joulebook import cli
from joulebook.workbook import ROOT
from tests.texts import with_texts

TOPICS = "currency: EUR\nbranding: {name: Consultants}\ntopics: [boundary_ladder, idle_amortization]\n"
CANARY = re.compile(rb"zq\d{4}(alph|bet)", re.IGNORECASE)  # the index of a search cuts ends of words off
PICTURE = re.compile(rb"data:image/[\w+.-]+;base64,([A-Za-z0-9+/=]+)")
ALPHA, OTHER = "zq9000alpha", "other"  # names of folders
WAYS = (("book",), ("report",), ("export", "--xlsx", "--csv", "--json"))


class House:
    """Clients and their runs, in one folder with one store; keeps what each command said."""

    def __init__(self, folder):
        self.folder, self.said = folder, {}

    def call(self, client, *words):
        """A command as a user gives it, for one client or several."""
        said, folders = StringIO(), [self.folder / "clients" / name for name in client.split()]
        with redirect_stdout(said), redirect_stderr(said), pytest.MonkeyPatch.context() as patch:
            command = ["joulebook", words[0], *folders, *words[1:], "--out", self.folder / "runs"]
            patch.setattr(sys, "argv", list(map(str, command)))
            with pytest.raises(SystemExit) as stopped:
                cli.main()
        assert stopped.value.code == 0, said.getvalue()
        self.said[client] = self.said.get(client, "") + said.getvalue()

    def outputs(self, client):
        """Content of every file of a client's run, and of what is inside them."""
        for path in sorted((self.folder / "runs" / client).rglob("*")):
            if path.is_file():
                yield str(path.relative_to(self.folder)), path.read_bytes()
            if path.suffix == ".xlsx":
                with ZipFile(path) as whole:
                    yield f"{path.name} unpacked", b"".join(map(whole.read, whole.namelist()))
            if path.suffix == ".pdf":
                pdf = PdfReader(path)
                texts = [*(page.extract_text() for page in pdf.pages), str(pdf.metadata), str(pdf.outline)]
                yield f"{path.name} as text", re.sub(r"\s", "", "".join(texts)).encode()


def whose(outputs):
    """Names of outputs by the client whose words they hold."""
    found = {}
    for name, content in outputs:
        for text in (content, *(b64decode(picture) for picture in PICTURE.findall(content))):
            for match in CANARY.findall(text):
                found.setdefault(match.lower().decode(), set()).add(name)
    return found


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    folder = tmp_path_factory.mktemp("canary")
    base = shutil.copytree(ROOT / "data" / "clients" / "edge-sensor", folder / "base")
    text = (base / "client.yml").read_text(encoding="utf-8")
    (base / "client.yml").write_text(text.replace("currency: EUR\n", TOPICS, 1), encoding="utf-8")
    (folder / "clients").mkdir()
    with_texts(base, folder / "clients" / ALPHA, lambda at: f"zq{at:04d}alpha")
    become(folder / "clients" / ALPHA, "alpha", folder / "clients" / OTHER, "beta")
    made = House(folder)
    made.call(f"{ALPHA} {OTHER}", "run")  # side by side
    for client in (ALPHA, OTHER):
        for words in WAYS:
            made.call(client, *words)
    return made


def become(source, word, target, other):
    """Copy a client's folder with the canaries of another."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    for path in target.iterdir():
        path.write_text(path.read_text(encoding="utf-8").replace(word, other), encoding="utf-8")


def test_side_by_side(house):
    for client, own, other in ((ALPHA, "alph", "bet"), (OTHER, "bet", "alph")):
        found = whose(house.outputs(client))
        assert other not in found, found
        told = {name.split(".")[-1].split(" ")[0] for name in found[own]} | {name.split("/")[-1] for name in found[own]}
        # the canary is alive: all that was made of a client holds its own words
        assert {"html", "ipynb", "csv", "json", "pdf", "xlsx", "searchindex.js"} <= told
        assert other not in whose([("terminal", house.said[client].encode())])


def test_one_after_the_other_under_one_name(house):
    """In the place of one client another: the same run folder, the same kept book."""
    clients = house.folder / "clients"
    assert whose(house.outputs(OTHER)).keys() == {"bet"}
    become(clients / ALPHA, "beta", clients / OTHER, "none")
    house.said.clear()
    for words in (("run",), *WAYS):
        house.call(OTHER, *words)
    assert whose(house.outputs(OTHER)).keys() == {"alph"}
    assert "bet" not in whose([("terminal", house.said[OTHER].encode())])


def test_a_client_s_book_has_its_own_topics_and_no_example(house):
    book = house.folder / "runs" / ALPHA / "book"
    pages = {path.relative_to(book).as_posix(): path.read_text(encoding="utf-8") for path in book.rglob("*.html")}
    assert {name for name in pages if name.startswith("notebooks/")} == {
        "notebooks/boundary_ladder.html", "notebooks/idle_amortization.html"}
    assert not [name for name in pages if name.startswith("clients/")]
    names = [line.split(":", 1)[1].strip() for path in sorted((ROOT / "data" / "clients").glob("*/client.yml"))
             for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("client:")]
    assert len(names) >= 3
    for name, page in pages.items():
        assert not [word for word in names if word in page], name
    assert "zq0000alpha" in pages["index.html"] or "zq0000alpha" in pages["book/index.html"]
