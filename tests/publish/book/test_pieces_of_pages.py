"""What stands around the pieces of a topic's page: parameters, commands, ways to other pages."""

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from joulebook.errors import RunError
from joulebook.publish.book import Page
from joulebook.publish.book.links import check_links
from joulebook.publish.book.parameters_cell import parameters_box
from joulebook.publish.book.related import Relations, built_on
from joulebook.publish.book.rerun_box import rerun_box
from joulebook.publish.book.topic_page import for_reading
from joulebook.workbook import ROOT, Workbook

OWN = "joulebook run CLIENT --topic topic"
HOSTILE = '</pre><script>alert(1)</script> $5 to $6 "q" \u202eabc ' + "x" * 300


def code(source, *tags, kind=None):
    shown = [new_output("display_data", {"text/html": kind}, metadata={"joulebook": {"kind": kind, "data": {}}})] if kind else []
    return new_code_cell(source, metadata={"tags": list(tags)}, outputs=shown, execution_count=1)


def topic(*more):
    return new_notebook(cells=[
        new_markdown_cell("# Topic"), code("pue = 1.3  # a share or ratio", "parameters", "hide-input"),
        code("pue = 1.5\nprovenance = {'pue': {}}", "injected-parameters"),
        code("show.answer(study)", "hide-input", kind="answer"),
        new_markdown_cell("## Inputs"), code("show.inputs(study)", "hide-input", kind="inputs"), *more,
        code("show.limits(study)", "remove-input", kind="limits"),
        new_markdown_cell("::::{div} rerun\nearlier\n\n```bash\nearlier\n```\n::::")])


# ---- order ----

def test_the_answer_comes_first_and_all_code_after_what_was_given():
    page = Page(None, banner="<b>Acme</b>", command="joulebook run acme")
    made = for_reading(topic(), "clients/acme/topic", page, "## Related")
    shown = [(cell.source if cell.cell_type == "markdown" else cell.outputs[0].data["text/html"][:9] if cell.outputs else "code",
              "hide-input" in cell.metadata.get("tags", [])) for cell in made.cells]
    assert shown[:7] == [("# Topic", False), ("<b>Acme</", False), ("answer", False), ("## Inputs", False), ("inputs", False),
                         ("<div clas", False), ("code", True)]
    assert made.cells[6].source == "show.answer(study)\n\nshow.inputs(study)"
    assert [words for words, _ in shown[7:9]] == ["limits", "## Related"]
    assert "joulebook run acme" in shown[9][0]
    assert "earlier" not in shown[9][0]


def test_a_page_that_nobody_can_run_again_has_no_box():
    made = for_reading(new_notebook(cells=[new_markdown_cell("# Register")]), "client/register")
    assert [cell.source for cell in made.cells] == ["# Register"]


# ---- parameters ----

def test_parameters_are_text_with_their_units():
    used = new_code_cell(f"# Parameters\npue = 1.5\nname = {HOSTILE!r}\nprovenance = {{'pue': {{'source': 'secret'}}}}")
    example = new_code_cell('pue = 1.3  # a share or ratio\nname = "#1"  # a text')
    page = BeautifulSoup(parameters_box(used, example), "html.parser")
    lines = page.pre.text.splitlines()
    assert lines[0] == "pue = 1.5  # a share or ratio"
    assert page.find("script") is None
    assert "secret" not in page.text  # told by the table of inputs, and whole in the notebook
    assert "$5 to $6" in page.text
    assert "alert(1)" in page.text


def test_parameters_that_are_no_literals_stand_as_they_were_written():
    source = "pue = max(1.2, 1.5)"
    page = BeautifulSoup(parameters_box(new_code_cell(source), new_code_cell("pue = 1.3")), "html.parser")
    assert page.pre.text.strip() == source


# ---- commands ----

@pytest.mark.parametrize(("command", "said"), [
    ("joulebook run data/clients/acme --topic topic", ["joulebook run data/clients/acme --topic topic", OWN]),
    (OWN, [OWN]),
])
def test_the_box_has_the_command_of_its_page(command, said):
    text = rerun_box("clients/acme/topic", Page(None, command=command))
    assert [line for line in text.splitlines() if line.startswith("joulebook run")] == said


# ---- ways to other pages ----

def test_what_a_notebook_builds_on_is_read_from_its_code():
    notebook = new_notebook(cells=[
        code("study = Study(x).build_on('cost_per_token', method.A)"),
        code("study.build_on('verdict', method.B).build_on('carbon', method.C)"),
        code("print('build_on nothing')")])
    assert built_on(notebook) == ["cost_per_token", "verdict", "carbon"]


def test_relations_of_the_workbook_are_those_of_its_notebooks():
    import jupytext

    notebooks = {f"notebooks/{name}": jupytext.read(ROOT / "notebooks" / f"{name}.md") for name in Workbook().topics}
    relations = Relations.of(Workbook(), notebooks, Workbook().pages)
    # hand: the calls of build_on in notebooks/verdict.md
    assert relations.rests_on["verdict"] == ["cost_per_token", "accuracy_cost", "benchmark_match"]
    lines = relations.lines("notebooks/cost_per_token", notebooks["notebooks/cost_per_token"], notebooks)
    users = lines.split("Used by\n: ")[1].splitlines()[0]
    assert {"{doc}`/notebooks/carbon`", "{doc}`/notebooks/verdict`"} <= set(users.split(", "))
    assert "{term}`PUE`" in lines
    alone = relations.lines("clients/acme/verdict", notebooks["notebooks/verdict"], {"clients/acme/verdict"})
    assert "notebooks/" not in alone  # a client's pages lead to that client's pages
    assert "Rests on" not in alone


def test_a_link_of_a_built_page_that_leads_nowhere_is_named(tmp_path):
    (tmp_path / "book").mkdir()
    (tmp_path / "one.html").write_text(
        '<a href="book/two.html#there">a</a><a href="book/two.html#gone">b</a><a href="three.html">c</a><a href="#">d</a>'
        '<a download href="file.csv">e</a><a href="https://example.org/x#y">f</a>')
    (tmp_path / "book" / "two.html").write_text('<p id="there"></p><a href="../one.html">a</a><a href="#there">b</a>')
    (tmp_path / "file.csv").write_text("a")
    with pytest.raises(RunError) as error:
        check_links(tmp_path)
    assert str(error.value).splitlines()[1:] == ["one: book/two.html#gone", "one: three.html"]
