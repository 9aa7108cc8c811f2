"""The book is built whole or not at all, from executed notebooks, and shows what a client wrote as it was written."""

import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from joulebook.dictionary import definitions, parameters
from joulebook.errors import InputError, RunError
from joulebook.intake.client import read_client
from joulebook.publish.book import Page, build_book
from joulebook.publish.book.contents import left_out
from joulebook.workbook import ROOT, Workbook, read_yaml

COMMAND = "joulebook run data/clients/acme --topic topic"
TITLE = 'Energy & cost_report: ACME </title><b>(No 1)</b> "q" $5 to $6 {{ x }} \\ ** %s'
HOSTILE = 'from $148.00 to $19.00, "quoted" -- <b>bold</b> **strong** #read("x") {{ x }} \\(y\\) $$z$$'
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><circle r="4"/></svg>'
PARAMETERS = """\
name,topics,kind,unit,min,max,required,default,example,choices,title,meaning,source
pue,topic,number,1,1,,yes,,1.3,,PUE,"<b>bold</b> **strong** from $148.00 to $19.00",client
clock,topic,choice,,,,no,,local,local standard,Clock,Clock,client
"""
RESULTS = """\
topic,name,unit,kind,boundary,window,title,equation,meaning
topic,energy_j,J per {unit},number,facility,one month,Energy per {unit},eq-energy,"<b>bold</b> {{ x }} _under_"
topic,cost,{currency} per million {units},number,,,Cost,,Cost
"""


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def notebook(path, *more, injected=False):
    """An executed notebook, made by hand."""
    given = new_code_cell(f"pue = 1.5\nnote = {HOSTILE!r}", metadata={"tags": ["injected-parameters"]}, execution_count=2)
    answer = f'<section class="answer"><p class="says">{escaped(HOSTILE)}</p></section>'
    cells = [
        new_markdown_cell("# Topic\n\nThe energy is {glue:text}`energy_j:s`, by {eq}`eq-energy`, see {numref}`fig-one`.\n\n"
                          "$$ e = P / T $$ (eq-energy)"),
        new_code_cell("pue = 1.3  # the example", metadata={"tags": ["parameters"]}, execution_count=1),
        *([given] if injected else []),
        new_code_cell("answer()", execution_count=3, outputs=[
            new_output("display_data", {"text/html": answer}),
            new_output("display_data", {"application/papermill.record/text/plain": repr(HOSTILE)},
                       metadata={"scrapbook": {"name": "energy_j", "mime_prefix": "application/papermill.record/"}})]),
        new_code_cell("draw()", execution_count=4, outputs=[new_output("display_data", {"image/svg+xml": SVG})],
                      metadata={"mystnb": {"figure": {"caption": "A dot.", "name": "fig-one"}, "image": {"alt": "A dot"}}}),
        *more,
    ]
    made = new_notebook(cells=cells, metadata={
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}, "language_info": {"name": "python"},
        "papermill": {"parameters": {"note": HOSTILE}}})
    for at, cell in enumerate(made.cells):
        cell.id = f"cell-{at}"
    nbformat.write(made, path)
    return path


def workbook(root):
    """A small workbook with this one's looks."""
    (root / "book").mkdir(parents=True)
    (root / "notebooks").mkdir()
    (root / "data" / "published").mkdir(parents=True)
    shutil.copyfile(ROOT / "_config.yml", root / "_config.yml")
    for folder in ("_static", "_templates"):
        shutil.copytree(ROOT / "book" / folder, root / "book" / folder)
    (root / "book" / "references.bib").write_text("@misc{one, author = {A. Author}, title = {Title}, year = {2025}}\n")
    (root / "book" / "index.md").write_text(
        "# Welcome\n\nHere: {glue:text}`../notebooks/topic.md::energy_j:s` and {constant}`JOULES_PER_KWH` {cite}`one`, "
        "and {ref}`a link <input-pue>`.\n\nPublished: {published}`one`, {published}`two`, {published}`two:conditions`."
        "\n\n```{bibliography}\n```\n")
    (root / "book" / "look_up.md").write_text(
        "---\ntopics: [topic]\n---\n# Look up\n\n```{glossary}\nenergy\n  Power over time.\n\npower\n  Energy by time.\n```\n\n"
        "```{joulebook-dictionary} inputs\n```\n\n```{joulebook-dictionary} results\n```\n")
    (root / "notebooks" / "topic.md").write_text("# Topic\n")
    (root / "data" / "parameters.csv").write_text(PARAMETERS)
    (root / "data" / "results.csv").write_text(RESULTS)
    for file, row in (("figures.csv", "one,energy,2511.50,J/output-token,server,,A table,as published,"),
                      ("quoted.csv", "two,loss,-4,ratio,rack,in <b>2025</b>,Another,as published,")):
        head = "id,quantity,value,unit,boundary,conditions,source,kind,licence"
        (root / "data" / "published" / file).write_text(f"{head}\n{row}\n")
    (root / "_toc.yml").write_text(
        "format: jb-book\nroot: book/index\nparts:\n"
        "  - caption: Topics\n    chapters:\n      - file: notebooks/topic\n"
        "  - caption: Rest\n    chapters:\n      - file: book/look_up\n")
    return Workbook(root)


@pytest.fixture
def small(tmp_path):
    return workbook(tmp_path / "workbook")


@pytest.fixture(scope="module")
def books(tmp_path_factory):
    """The same book built twice, at two places, the second over an earlier one."""
    made = []
    for name in ("one", "Acme & Søn (No 1)"):
        folder = tmp_path_factory.mktemp("book")
        out = folder / "made" / name
        if made:
            out.mkdir(parents=True)
            (out / "stale.html").write_text("earlier")
        client = notebook(folder / "client.ipynb", injected=True)
        pages = {"notebooks/topic": notebook(folder / "topic.ipynb"),
                 "clients/acme/topic": Page(client, command=COMMAND, whose=HOSTILE, prepared="2026-11-30")}
        parts = [{"caption": TITLE, "chapters": [{"file": "clients/acme/topic", "title": HOSTILE}]}]
        build_book(pages, out, title=TITLE, workbook=workbook(folder / "workbook"), extra_parts=parts)
        made.append(out)
    return made


@pytest.fixture(scope="module")
def pages(books):
    return {path.relative_to(books[0]).as_posix(): BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
            for path in sorted(books[0].rglob("*.html"))}


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# ---- a whole book ----

def test_same_inputs_same_bytes(books):
    one, two = map(files, books)
    assert sorted(one) == sorted(two)
    assert [name for name in one if one[name] != two[name]] == []


def test_only_the_finished_book_is_left(books):
    for out in books:
        assert [path.name for path in out.parent.iterdir()] == [out.name]
        assert not (out / "stale.html").exists()


def test_no_file_names_a_place_of_this_machine(books):
    places = [str(books[0].parent.parent).encode(), str(ROOT).encode(), b"/.book-"]
    assert [name for name, content in files(books[0]).items() if any(place in content for place in places)] == []


def test_all_pages_are_there(pages):
    assert {"index.html", "book/index.html", "book/look_up.html", "notebooks/topic.html", "clients/acme/topic.html"} <= set(pages)
    captions = [caption.text for caption in pages["book/index.html"].select(".bd-links .caption-text")]
    assert captions == ["Topics", TITLE, "Rest"]
    links = [link.text.strip() for link in pages["book/index.html"].select(".bd-links a")]
    assert links == ["Topic", HOSTILE, "Look up", "Status of the pages"]


def test_a_title_is_literal(pages):  # case J04
    for name, page in pages.items():
        if name == "index.html":  # leads on to the first page
            continue
        assert TITLE in page.title.text, name
        assert page.select_one(".logo__title").text == TITLE, name
        assert page.find("b") is None, name


def test_what_a_client_wrote_is_literal(pages):  # case C16
    for name in ("notebooks/topic.html", "clients/acme/topic.html"):
        article = pages[name].select_one("article")
        assert article.select_one(".answer .says").text == HOSTILE
        assert article.select_one(".pasted-text").text == HOSTILE
        assert [math.text.strip() for math in article.select(".math")] == ["(1)#\\[ e = P / T \\]"]
        assert article.find("b") is None


def test_a_glued_text_has_no_quotes_on_another_page(pages):
    assert pages["book/index.html"].select_one(".pasted-text").text == HOSTILE


def test_nothing_comes_from_the_network(pages, books):
    for name, page in pages.items():
        loaded = [tag.get("src") for tag in page.select("script, img, iframe, source, embed")]
        loaded += [tag.get("href") for tag in page.select("link")]
        for address in filter(None, loaded):
            assert "//" not in address, (name, address)
            local = (books[0] / name).parent / address.split("?")[0].split("#")[0]
            assert local.exists(), (name, address)
    for path in books[0].rglob("*.css"):
        assert "url(http" not in path.read_text(encoding="utf-8").replace('"', "").replace("'", ""), path.name


def test_mathematics_and_fonts_are_in_the_book(pages, books):
    scripts = [tag.get("src") or "" for tag in pages["notebooks/topic.html"].select("script")]
    assert any(source.startswith("../_static/tex-svg-full.js") for source in scripts)
    assert (books[0] / "_static" / "tex-svg-full.js").stat().st_size > 2e6
    fonts = {path.name for path in (books[0] / "_static" / "fonts").iterdir()}
    assert fonts == {"LICENSE", *(f"FiraSans-{face}.woff2" for face in ("Regular", "Italic", "Medium", "SemiBold"))}


def test_mathematics_is_only_what_was_written_as_such(pages):
    settings = [tag.string for tag in pages["notebooks/topic.html"].select("script") if "window.MathJax" in (tag.string or "")]
    assert '"ignoreHtmlClass": ".*"' in settings[0]


def test_the_parameters_that_were_used_are_shown_open_and_reached_by_keyboard(pages):
    boxes = {name: pages[name].select("article .parameters pre") for name in ("notebooks/topic.html", "clients/acme/topic.html")}
    assert [len(found) for found in boxes.values()] == [1, 1]
    for (box,) in boxes.values():
        assert (box["tabindex"], box["role"]) == ("0", "region")
        assert box["aria-label"]
        assert not box.find_parent("details")
    assert boxes["notebooks/topic.html"][0].text.strip() == "pue = 1.3  # the example"
    assert boxes["clients/acme/topic.html"][0].text.startswith("pue = 1.5  # the example\n")  # its value, with the unit beside it
    assert "pue = 1.3" not in pages["clients/acme/topic.html"].text


def test_a_page_says_what_makes_it_again_and_offers_its_notebook(pages, books):
    commands = {name: [block.text.strip() for block in pages[name].select(".rerun pre")] for name in
                ("notebooks/topic.html", "clients/acme/topic.html")}
    by_hand = "jupytext --to ipynb -o - notebooks/topic.md | papermill - out.ipynb"
    assert commands["notebooks/topic.html"][0] == by_hand
    assert commands["clients/acme/topic.html"] == [COMMAND, "joulebook run CLIENT --topic topic"]
    for name in commands:
        link = pages[name].select_one(".rerun a[download]")
        there = (books[0] / name).parent / link["href"]
        made = nbformat.read(there, as_version=4)
        assert len(made.cells) == 4 + ("clients" in name)
    assert (books[0] / "clients/acme/topic.ipynb").read_bytes() == (books[0].parent.parent / "client.ipynb").read_bytes()


def test_what_is_related_is_found_in_the_pages(pages):
    """The prose page names the topic in its front matter, the glossary has a term that the topic's prose uses."""
    related = pages["clients/acme/topic.html"].select_one("article .related")
    told = {head.text: [link["href"] for link in said.select("a")]
            for head, said in zip(related.select("dt"), related.select("dd"), strict=True)}
    assert told == {"Read more": ["../../book/look_up.html"], "Terms": ["../../book/look_up.html#term-energy"]}


def test_every_copy_of_a_topic_has_its_own_labels(pages):
    for name in ("notebooks/topic.html", "clients/acme/topic.html"):
        article = pages[name].select_one("article")
        targets = [link["href"] for link in article.select("section > p a.reference.internal")]
        assert len(targets) == 2
        assert all(target.startswith("#") and article.find(id=target[1:]) for target in targets), targets


def test_a_dictionary_is_text_with_links(pages):
    article = pages["book/look_up.html"].select_one("article")
    row = article.find(id="input-pue")
    assert [cell.get_text(" ", strip=True) for cell in row.select("td")] == [
        "PUE pue", "A number, at least 1 Unit: share or ratio. Required",
        "<b>bold</b> **strong** from $148.00 to $19.00 Source: client"]
    assert article.find(id="input-clock").select("td")[1].get_text(" ", strip=True) == "local or standard Optional"
    row = article.find(id="result-topic-energy_j")
    assert [cell.get_text(" ", strip=True) for cell in row.select("td")] == [
        "Energy per unit of work energy_j", "J per unit of work",
        "<b>bold</b> {{ x }} _under_ Boundary: facility. Window: one month. Equation (1)"]
    page, _, anchor = row.select_one("a")["href"].partition("#")
    assert page == "../notebooks/topic.html"
    assert pages["notebooks/topic.html"].find(id=anchor)
    assert all(table.find_parent(class_="scroll") for table in article.select("table"))


def test_a_page_links_to_an_input_and_names_a_constant(pages):
    article = pages["book/index.html"].select_one("article")
    assert article.find("a", string="a link")["href"] == "look_up.html#input-pue"
    assert "3,600,000" in article.text  # hand: 1000 W x 3600 s
    assert "Published: 2,511.50\u00a0J per output token, −4, in <b>2025</b>." in article.text  # the digits of the rows


# ---- no half book ----

@pytest.mark.parametrize(("toc", "said"), [
    ("- file: book/index\n- file: notebooks/topic\n", "a mapping"),
    ("format: jb-book\nparts:\n  - chapters:\n      - file: notebooks/topic\n", "root"),
    ("format: jb-book\nroot: book/index.md\nparts:\n  - chapters:\n      - file: notebooks/topic\n", "without its ending"),
    ("format: jb-book\nroot: book/index\nparts:\n  - chapters:\n      - file: notebooks/topics\n", "no such page"),
    ("format: jb-book\nroot: book/index\nparts:\n  - caption: a: b\n", "_toc.yml:4"),
])
def test_a_malformed_list_of_pages_is_named(small, tmp_path, toc, said):  # case J01
    (small.root / "_toc.yml").write_text(toc)
    with pytest.raises(InputError, match=r"_toc\.yml") as error:
        build_book({"notebooks/topic": notebook(tmp_path / "topic.ipynb")}, tmp_path / "out", workbook=small)
    assert said in str(error.value)
    assert not (tmp_path / "out").exists()


def test_a_second_title_is_named(small, tmp_path):  # case J01
    (small.root / "book" / "look_up.md").write_text("# Energy\n\n```python\n# no title\n```\n\n## Method\n\n# Second heading\n")
    with pytest.raises(InputError, match=r"book/look_up\.md:9: a second title"):
        build_book({"notebooks/topic": notebook(tmp_path / "topic.ipynb")}, tmp_path / "out", workbook=small)


def test_a_notebook_that_failed_is_refused(small, tmp_path):  # case J03
    failed = new_code_cell("raise ValueError('no meter file')", execution_count=5,
                           outputs=[new_output("error", ename="ValueError", evalue="no meter file", traceback=[])])
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "index.html").write_text("earlier")
    with pytest.raises(RunError, match=r"notebooks/topic: cell 5 raised ValueError: no meter file"):
        build_book({"notebooks/topic": notebook(tmp_path / "topic.ipynb", failed)}, tmp_path / "out", workbook=small)
    assert (tmp_path / "out" / "index.html").read_text() == "earlier"


def test_a_notebook_that_was_not_executed_is_refused(small, tmp_path):
    nbformat.write(new_notebook(cells=[new_markdown_cell("# Topic"), new_code_cell("1 + 1")]), tmp_path / "topic.ipynb")
    with pytest.raises(RunError, match="notebooks/topic: was never executed"):
        build_book({"notebooks/topic": tmp_path / "topic.ipynb"}, tmp_path / "out", workbook=small)


@pytest.mark.parametrize(("pages", "said"), [
    ({}, "notebooks/topic: no executed notebook"),
    ({"notebooks/topic": "topic.ipynb", "clients/acme/topic": "topic.ipynb"}, "clients/acme/topic: this page is in no part"),
    ({"notebooks/topic": "topic.ipynb", "../topic": "topic.ipynb"}, "not the name of a page"),
    ({"notebooks/topic": "topic.ipynb", "notebooks/x.ipynb": "topic.ipynb"}, "not the name of a page"),
])
def test_pages_that_do_not_fit_are_named(small, tmp_path, pages, said):
    notebook(tmp_path / "topic.ipynb")
    with pytest.raises(InputError) as error:
        build_book({name: tmp_path / path for name, path in pages.items()}, tmp_path / "out", workbook=small)
    assert said in str(error.value)


def test_what_cannot_be_built_is_named_and_nothing_is_left(small, tmp_path):
    (small.root / "data" / "results.csv").write_text(RESULTS.replace("eq-energy", "eq-nowhere"))
    broken = new_markdown_cell("And {ref}`nowhere`.")
    with pytest.raises(RunError) as error:
        build_book({"notebooks/topic": notebook(tmp_path / "topic.ipynb", broken)}, tmp_path / "made" / "out", workbook=small)
    assert "book/look_up: line 17: WARNING: equation not found: eq-nowhere" in str(error.value)
    assert "notebooks/topic: cell 5: WARNING: undefined label: 'nowhere'" in str(error.value)
    assert str(tmp_path) not in str(error.value)
    assert list((tmp_path / "made").iterdir()) == []


def test_a_build_that_breaks_off_leaves_no_record_elsewhere(small, tmp_path, monkeypatch):
    """Sphinx writes down an exception among the machine's temporary files, with words of the pages."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    (small.root / "data" / "published" / "figures.csv").write_text("no,such,columns\n1,2,3\n")
    with pytest.raises(RunError, match="the book cannot be built"):
        build_book({"notebooks/topic": notebook(tmp_path / "topic.ipynb")}, tmp_path / "made" / "out", workbook=small)
    assert list((tmp_path / "temporary").iterdir()) == []
    assert list((tmp_path / "made").iterdir()) == []


def test_a_plain_build_fails_where_a_notebook_does(small):  # case J03
    (small.root / "notebooks" / "topic.md").write_text(
        "---\nkernelspec: {display_name: Python 3, language: python, name: python3}\n"
        "jupytext: {text_representation: {extension: .md, format_name: myst}}\n---\n\n"
        "# Topic\n\n```{code-cell} ipython3\nraise ValueError('no meter file')\n```\n")
    done = subprocess.run([sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", "."], cwd=small.root,
                          env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "notebooks/topic" in done.stderr
    assert "no meter file" in done.stderr


# ---- a client's book ----

def test_a_clients_book_has_no_prose_about_the_example(small):
    """Left out: what quotes a topic, what leads to an absent topic, and what leads to these; the first page loses cards only."""
    texts = {
        "quotes": "{glue:text}`../notebooks/topic.md::energy_j:s`",
        "leads": "{doc}`the other <../notebooks/other>`",
        "leads_on": "see [what leads](leads.md#there)",
        "card": "::::{grid-item-card} Why?\n:link: leads_on\n:link-type: doc\n::::",
        "kept": "{doc}`the topic <../notebooks/topic>`, [this](kept.md), {doc}`look_up` and {constant}`JOULES_PER_KWH`",
    }
    for name, text in texts.items():
        (small.root / "book" / f"{name}.md").write_text(f"# {name}\n\n{text}\n")
    (small.root / "notebooks" / "other.md").write_text("# Other\n")
    with (small.root / "_toc.yml").open("a") as toc:
        toc.write("".join(f"      - file: {name}\n" for name in ["notebooks/other", *(f"book/{name}" for name in texts)]))
    assert left_out(small, ["notebooks/other"]) == ["book/quotes", "book/leads", "book/leads_on", "book/card"]
    assert left_out(small, []) == ["book/quotes"]


# ---- the workbook's own ----

def test_the_example_of_a_client_folder_is_true(tmp_path):
    """What the book tells a reader to write passes every check."""
    page = (ROOT / "book" / "rerun.md").read_text(encoding="utf-8")
    (tmp_path / "client.yml").write_text(page.split("```yaml\n")[1].split("```")[0], encoding="utf-8")
    shutil.copyfile(ROOT / "data" / "examples" / "load_profile.csv", tmp_path / "load_profile.csv")
    inputs = read_client(tmp_path).inputs["cost_per_token"]
    assert inputs["active_power_w"].value == 1000.0  # hand: 1 kW
    assert (inputs["throughput_per_s"].evidence, inputs["idle_power_w"].evidence) == ("measured", "assumed")
    assert inputs["servers"].value == 2


def test_the_workbook_shows_every_topic_of_its_dictionaries():
    topics = set(Workbook().topics)
    assert set(definitions()) == topics
    assert {topic for row in parameters().values() for topic in row.topics} == topics


def test_colours_are_those_of_the_palette():
    """The book's light values repeat the palette; every kind of evidence has its colour."""
    import json
    import re

    from joulebook.results import EVIDENCE

    palette = {name: code.lower() for name, code in json.loads((ROOT / "joulebook/show/palette.json").read_text()).items()}
    css = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "book/_static").glob("*.css")).lower()
    light = css.split('html[data-theme="light"] {')[1].split("}")[0]
    given = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{3,6})\b", light))
    given["paper"] = "#ffffff" if given["paper"] == "#fff" else given["paper"]
    assert given == {name: palette[name] for name in given}
    for kind in EVIDENCE:
        assert kind in given
        assert f".evidence.{kind} " in css


@pytest.mark.parametrize("script", sorted((ROOT / "book" / "_static").glob("*.js")), ids=lambda path: path.name)
def test_a_script_is_small_loaded_late_and_reaches_nothing(script):
    text = script.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")  # a name, no address
    assert len(text.splitlines()) <= 200
    assert not re.search(r"https?:|fetch|XMLHttpRequest|import\b|eval|innerHTML|document\.write", text)
    loaded = dict(read_yaml(ROOT / "_config.yml")["sphinx"]["config"]["html_js_files"])
    assert loaded[script.name] == {"defer": "defer"}
