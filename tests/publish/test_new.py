"""A client folder to begin with: true to the dictionary, right as it is, and honest about what it holds."""

import shutil
from datetime import date

import pytest
from pypdf import PdfReader

from joulebook.dictionary import AT_THE_TOP, of_topic, parameters
from joulebook.errors import InputError, RunError
from joulebook.intake.branding import Branding
from joulebook.intake.client import read_client
from joulebook.publish.new import DRESS, new_client
from joulebook.publish.outcome import require_all
from joulebook.publish.outputs import client_report
from joulebook.publish.run import run_client
from joulebook.workbook import ROOT, Workbook

from ..fonts import font_of
from .conftest import make_workbook, notebook, show


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return new_client(tmp_path_factory.mktemp("clients") / "Søn & Co [bold] :house:")


def test_it_passes_the_check_as_it_is(joulebook, tmp_path):
    place = tmp_path / "a folder" / "acme [red]"
    code, said, err = joulebook("new", place)
    assert (code, err) == (0, "")
    assert f"{place}/client.yml" in said  # no markup was made of it
    code, said, err = joulebook("check", place)
    assert (code, err) == (0, "")
    assert "acme [red]: all right" in said


def test_every_parameter_with_an_example_is_given_as_illustrative(made):
    client = read_client(made)
    assert client.topics == tuple(Workbook().topics)
    assert client.name == "Søn & Co [bold] :house:"
    assert client.prepared == date.today().isoformat()
    for topic, inputs in client.inputs.items():
        rows = of_topic(topic)
        assert set(inputs) == {name for name, row in rows.items() if row.example is not None}
        for name, item in inputs.items():
            if rows[name].default is not None:  # what the dictionary assumes keeps its own source and evidence
                assert not item.given
                assert item.source == rows[name].source
                continue
            if rows[name].kind == "file":
                assert (made / item.value).read_bytes() == (ROOT / rows[name].example).read_bytes()
            elif rows[name].kind == "meters":
                for meter, example in zip(item.value, rows[name].example, strict=True):
                    assert (made / meter["file"]).read_bytes() == (ROOT / example["file"]).read_bytes()
                    assert meter == {**example, "file": meter["file"]}
            elif name != "prepared":  # that is today
                assert item.value == rows[name].example, name
            if name not in AT_THE_TOP:
                assert (item.given, item.evidence, item.source) == (True, "illustrative", "example of the dictionary")


def test_every_parameter_is_there_once_with_its_meaning(made):
    text = (made / "client.yml").read_text(encoding="utf-8")
    words = " ".join(text.replace("\n  # ", " ").split())
    for name, row in parameters().items():
        if row.name not in AT_THE_TOP and set(row.topics) & set(Workbook().topics):
            given = "" if row.example is not None and row.default is None else "# "
            assert text.partition("\ninputs:")[2].count(f"\n  {given}{name}:") == 1, name
            assert " ".join(row.meaning.split()) in words, name
            assert f"{row.title}" in words, name
            assert row.allowed in words, name
    assert max(map(len, text.splitlines())) <= 130


def test_what_it_says_of_looks_is_right_once_it_is_no_comment(made, tmp_path):
    folder = shutil.copytree(made, tmp_path / "acme")
    text = (folder / "client.yml").read_text(encoding="utf-8")
    lines = [line[2:] for line in DRESS.splitlines()[1:]]
    assert DRESS in text
    (folder / "client.yml").write_text(text.replace(DRESS, "\n".join(lines) + "\n"), encoding="utf-8")
    (folder / "logo.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')
    (folder / "fonts").mkdir()
    (folder / "fonts" / "own.ttf").write_bytes(font_of("株"))
    client = read_client(folder)
    assert client.branding == Branding("whoever gives the report", "logo.svg", None, "#0b6e8c", ("fonts/own.ttf",))
    assert (client.locale, client.paper) == ("de_DE", "us_letter")


def test_it_follows_the_dictionary(tmp_path):
    # one more row is one more parameter, in the block of the first topic that takes it
    row = "zone,two,timezone,,,,no,,Europe/Berlin,,Zone,Where the clock stands,client\n"
    row += "first_day,one two,date,,,,no,,,,First day,The first day,client\n"
    book = make_workbook(tmp_path / "workbook", rows=row, one=notebook(show("pue")), two=notebook(show("pue")))
    text = (new_client(tmp_path / "acme", workbook=book) / "client.yml").read_text(encoding="utf-8")
    assert text.index("---- one -") < text.index("  pue:") < text.index("  # first_day:")
    assert text.index("  # first_day:") < text.index("---- two -") < text.index("  zone: {value: Europe/Berlin,")
    assert "# PUE: a number, at least 1; required" in text
    assert "# labels:" in text  # the notebooks have none
    assert "zone" not in (new_client(tmp_path / "other", ["one"], book) / "client.yml").read_text(encoding="utf-8")


def test_a_report_made_from_it_says_so_in_its_summary(tmp_path):
    folder = new_client(tmp_path / "acme", ["cost_per_token"])
    run = run_client(read_client(folder), tmp_path / "runs")
    require_all([run])
    summary = " ".join(PdfReader(client_report(run.folder)).pages[1].extract_text().split())
    # every input but the currency and what the dictionary assumes
    rows = [row for row in of_topic("cost_per_token").values() if row.example is not None]
    filled = sum(row.default is None for row in rows) - 1
    assert f"{filled} of {len(rows)} inputs are illustrative" in summary


def test_what_is_there_is_never_overwritten(joulebook, tmp_path, monkeypatch):
    folder = tmp_path / "acme"
    folder.mkdir()
    (folder / "mine").write_text("x")
    code, _, err = joulebook("new", folder)
    assert code == 2
    assert f"{folder}: is there already and not empty" in err
    assert [path.name for path in folder.iterdir()] == ["mine"]
    code, _, err = joulebook("new", folder / "mine")
    assert (code, (folder / "mine").read_text()) == (2, "x")
    assert "a file stands there" in err
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    code, _, err = joulebook("new", ".")
    assert code == 2
    assert "the folder you stand in" in err
    monkeypatch.chdir(tmp_path)
    assert joulebook("new", "empty")[0] == 0


def test_bad_words(joulebook, tmp_path):
    code, _, err = joulebook("new", tmp_path / "acme", "--topic", "cost_per_tokne")
    assert code == 2
    assert "did you mean cost_per_token?" in err
    (tmp_path / "file").write_text("")
    code, _, err = joulebook("new", tmp_path / "file" / "acme")
    assert code == 1
    assert "cannot be written" in err
    assert "Traceback" not in err
    assert not (tmp_path / "acme").exists()


def test_examples_that_do_not_pass_leave_nothing(tmp_path):
    # a second parameter whose example is out of its own limits
    row = "share,one,number,1,0,1,no,,1.5,,Share,A share,client\n"
    book = make_workbook(tmp_path / "workbook", rows=row, one=notebook(show("pue")))
    with pytest.raises(RunError, match=r"do not pass the check:\nclient\.yml:\d+: inputs\.share: out of limits"):
        new_client(tmp_path / "clients" / "acme", workbook=book)
    assert list((tmp_path / "clients").iterdir()) == []


def test_a_name_that_cannot_be_printed_is_not_taken(tmp_path):
    book = make_workbook(tmp_path / "workbook", one=notebook(show("pue")))
    for name in ("bell\x07", "x" * 201, "turn\u202eed"):
        assert read_client(new_client(tmp_path / name, workbook=book), workbook=book).name == "New client"
        shutil.rmtree(tmp_path / name)
    with pytest.raises(InputError, match="no such topic"):
        new_client(tmp_path / "acme", ["tow"], book)
