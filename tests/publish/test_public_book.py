"""The public book as it is published, and as a plain jupyter-book builds it."""

import shutil
import subprocess
import sys

import pytest
from bs4 import BeautifulSoup

from joulebook.intake.client import read_client
from joulebook.publish.outcome import require_all
from joulebook.publish.outputs import client_book, example_clients, public_book
from joulebook.publish.run import run_client, runs_of
from joulebook.workbook import ROOT, Workbook


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("public")
    made = public_book(folder / "build", folder / "runs")
    return {
        path.relative_to(made).as_posix(): BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for path in made.rglob("*.html")
    }


def test_every_page_and_every_example_client_is_there(pages):
    names = {f"{name}.html" for name in Workbook().pages}
    names |= {f"clients/{folder.name}/{topic}.html" for folder in example_clients() for topic in read_client(folder).topics}
    names |= {f"clients/{folder.name}/assumption_register.html" for folder in example_clients()}
    assert names <= set(pages)


def test_example_shows_the_numbers_of_the_method(pages):
    # method, section 5: 0.2 J, 0.0086667 a million at full load, 1.2058 owned with the demand charge of 177.84 a year
    text = pages["notebooks/cost_per_token.html"].get_text()
    assert all(number in text for number in ("0.2\u00a0J per output token", "0.0086667", "14.82"))


def test_landing_page_has_the_answer_of_the_example(pages):
    headline = pages["notebooks/cost_per_token.html"].select_one(".answer .value").find(string=True, recursive=False).strip()
    assert headline in pages["book/index.html"].get_text()


def test_pages_need_no_network(pages):
    for name, page in pages.items():
        wanted = [tag.get(key, "") for tag, key in ((tag, "src") for tag in page.find_all(["script", "img", "iframe"]))]
        wanted += [tag.get("href", "") for tag in page.find_all("link")]
        assert not [address for address in wanted if address.startswith(("http:", "https:", "//"))], name


def test_each_client_has_a_register_that_says_what_has_expired(pages):
    for folder in example_clients():
        page, client = pages[f"clients/{folder.name}/assumption_register.html"], read_client(folder)
        rows = [row.select_one("td small").get_text() for row in page.select(".assumptions tbody tr")]
        assert {name for inputs in client.inputs.values() for name in inputs} == set(rows)
        heads = [head.get_text() for head in page.select(".assumptions .group strong")]
        assert heads[0] == "Without a source"
        assert heads[-1] == "Defaults of the workbook"
        assert client.expired
        assert all(item.used_because in page.select_one(".banner").get_text() for item in client.expired.values())
        assert "The MLPerf name and logo" in page.select_one("article").get_text()


def test_figures_have_alt_texts_with_numbers(pages):
    images = pages["clients/chat-assistant/cost_per_token.html"].select("img.figure")
    assert len(images) == 2
    assert all(any(sign.isdigit() for sign in image["alt"]) for image in images)


def test_mlperf_data_carry_their_notice(pages):
    text = pages["clients/chat-assistant/cost_per_token.html"].get_text()
    assert "MLPerf Inference v5.1, closed, llama2-70b-99.9, Server" in text
    assert any("The MLPerf name and logo" in page.get_text() for page in pages.values())


def test_a_client_with_some_topics_has_a_book_of_those(tmp_path):
    folder = ROOT / "data" / "clients" / "document-batch"
    made = run_client(runs_of([folder], topics=["idle_amortization"])[0], tmp_path)
    require_all([made])
    book = client_book(made.folder)
    assert [path.stem for path in (book / "notebooks").glob("*.html")] == ["idle_amortization"]
    cards = BeautifulSoup((book / "book" / "index.html").read_text(encoding="utf-8"), "html.parser").select(".sd-card-title")
    assert [card.get_text(strip=True) for card in cards] == ["What does a unit of work cost at my duty cycle?"]


def test_plain_jupyter_book_builds_too(tmp_path):
    root = tmp_path / "workbook"
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(".venv", "_build", "runs", ".git", "tests", "__pycache__"))
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", ".", "-W", "-n", "--keep-going"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "0.0086667" in (root / "_build" / "html" / "notebooks" / "cost_per_token.html").read_text(encoding="utf-8")
