"""The public book as it is published, and as a plain jupyter-book builds it."""

import json
import re
import shutil
import subprocess
import sys

import pytest
from bs4 import BeautifulSoup

from joulebook.intake.client import read_client
from joulebook.publish.batch import run_batch
from joulebook.publish.outcome import require_all
from joulebook.publish.outputs import client_book, example_clients, public_book
from joulebook.publish.run import run_client, runs_of
from joulebook.workbook import ROOT, Workbook

CANARY = """\
client: zq0001canary
prepared: 2026-11-30
currency: EUR
notes: zq0002canary
topics: [boundary_ladder]
labels: {workload: zq0003canary, unit_of_work: output_token, boundary: server}
inputs:
  boundary_csv: {value: boundary.csv, source: zq0004canary}
  pue: {value: 1.25, source: zq0005canary}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Folder of the pages, beside that of the runs, in which a client of one's own was run before."""
    folder = tmp_path_factory.mktemp("public")
    (folder / "canary").mkdir()
    shutil.copy(ROOT / "data" / "clients" / "edge-sensor" / "boundary.csv", folder / "canary")
    (folder / "canary" / "client.yml").write_text(CANARY, encoding="utf-8")
    require_all(list(run_batch([folder / "canary"], folder / "runs")))
    return public_book(folder / "build", folder / "runs")


def test_no_word_of_another_client_is_in_the_public_book(built):
    runs = built.parent.parent / "runs"
    assert b"zq0001canary" in (runs / "canary" / "results.json").read_bytes()
    found = [path for path in built.rglob("*") if path.is_file() and re.search(rb"zq\d{4}canar", path.read_bytes().lower())]
    assert found == []


@pytest.fixture(scope="module")
def pages(built):
    return {
        path.relative_to(built).as_posix(): BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for path in built.rglob("*.html")
    }


def test_every_page_and_every_example_client_is_there(pages):
    names = {f"{name}.html" for name in Workbook().pages}
    names |= {f"clients/{folder.name}/{topic}.html" for folder in example_clients() for topic in read_client(folder).topics}
    names |= {f"clients/{folder.name}/{name}.html" for folder in example_clients() for name in ("index", "assumption_register")}
    names.add("book/status.html")
    assert names <= set(pages)


def test_example_shows_the_numbers_of_the_method(pages):
    # method, section 5: 0.2 J, 0.0086667 a million at full load, 1.2058 owned with the demand charge of 177.84 a year
    text = pages["notebooks/cost_per_token.html"].get_text()
    assert all(number in text for number in ("0.2\u00a0J per output token", "0.0086667", "14.82"))


def test_landing_page_has_the_answer_of_the_example(pages):
    headline = pages["notebooks/cost_per_token.html"].select_one(".answer .value").find(string=True, recursive=False).strip()
    assert headline in pages["book/index.html"].get_text()


def test_landing_page_leads_to_every_topic_and_to_clients_with_their_verdicts(pages, built):
    article = pages["book/index.html"].select_one("article")
    links = {link["href"] for link in article.select("a[href]")}
    assert {f"../notebooks/{topic}.html" for topic in Workbook().topics} <= links
    assert [heading.text.rstrip("#") for heading in article.select("h2")][:3] == [
        "Start from your question", "Start from your role", "Example clients"]
    runs = [built.parent.parent / "runs" / folder.name for folder in example_clients()]
    results = {run.name: json.loads((run / "results.json").read_text()) for run in runs}
    cards = {card["href"]: card.select_one(".verdict b").text for card in article.select("a.client-card")}
    verdicts = {name: told["topics"]["verdict"]["verdict"]["value"] for name, told in results.items()}
    assert cards == {f"../clients/{name}/index.html": verdict for name, verdict in verdicts.items()}


def test_an_overview_has_verdict_and_main_numbers_of_every_topic(pages, built):
    for folder in example_clients():
        article = pages[f"clients/{folder.name}/index.html"].select_one("article")
        results = json.loads((built.parent.parent / "runs" / folder.name / "results.json").read_text())["topics"]
        topics = read_client(folder).topics
        assert article.select_one(".answer .value").text == results["verdict"]["verdict"]["value"]
        links = [link["href"] for link in article.select("h3 a.internal")]
        assert links == [f"{topic}.html" for topic in topics]
        tables = article.select("section section table")
        assert len(tables) == len(topics)
        for topic, table in zip(topics, tables, strict=True):
            names = [small.text for small in table.select("td:first-child small")]
            assert set(names) <= set(results[topic])
        assert "assumption_register.html" in {link["href"] for link in article.select(".rests a")}


def test_downloads_are_what_the_archive_has_and_name_no_place(pages, built):
    runs = built.parent.parent / "runs"
    sources = {f"notebooks/{topic}.ipynb": built.parent / "examples" / f"{topic}.ipynb" for topic in Workbook().topics}
    for folder in example_clients():
        own = {f"{topic}.ipynb" for topic in read_client(folder).topics}
        own |= {"register.csv", "results.json", f"{folder.name}.pdf"}
        sources |= {f"clients/{folder.name}/{name}": runs / folder.name / name for name in own}
    offered = {(built / name).parent.joinpath(link["href"]).relative_to(built).as_posix()
               for name, page in pages.items() for link in page.select("a[download]")}
    assert offered == set(sources)
    for name, source in sources.items():
        content = (built / name).read_bytes()
        assert content == source.read_bytes(), name
        assert str(ROOT).encode() not in content, name
        assert str(built.parent).encode() not in content, name


def test_names_in_tables_lead_to_the_rows_that_define_them(pages):
    article = pages["clients/chat-assistant/carbon.html"].select_one("article")
    links = {link["href"] for link in article.select("a.define")}
    assert "../../book/inputs.html#input-pue" in links
    assert "../../book/results.html#result-carbon-operational_average_g" in links
    assert pages["book/results.html"].find(id="result-carbon-operational_average_g")


def test_status_page_has_every_topic_page(pages):
    links = {link["href"] for link in pages["book/status.html"].select(".status td a")}
    topics = {f"../notebooks/{topic}.html" for topic in Workbook().topics}
    topics |= {f"../clients/{folder.name}/{topic}.html" for folder in example_clients() for topic in read_client(folder).topics}
    assert links == topics


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
    landing = BeautifulSoup((book / "book" / "index.html").read_text(encoding="utf-8"), "html.parser")
    assert [link.get_text(strip=True) for link in landing.select(".bd-links a")][:2] == ["Overview", "Assumption register"]
    assert landing.select_one("a.client-card")["href"] == "../client/index.html"
    commands = BeautifulSoup((book / "notebooks" / "idle_amortization.html").read_text(encoding="utf-8"), "html.parser")
    assert [block.text.strip() for block in commands.select(".rerun pre")] == ["joulebook run CLIENT --topic idle_amortization"]
    cards = landing.select(".sd-card-title")
    assert [card.get_text(strip=True) for card in cards] == ["What does idle time cost?"]


def test_plain_jupyter_book_builds_too(tmp_path):
    root = tmp_path / "workbook"
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(".venv", "_build", "runs", ".git", "tests", "__pycache__"))
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", ".", "-W", "-n", "--keep-going"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "0.0086667" in (root / "_build" / "html" / "notebooks" / "cost_per_token.html").read_text(encoding="utf-8")
