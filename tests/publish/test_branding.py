"""A client's report and book in the name, colours, paper and numbers of whoever gives them, and characters that need a font."""

import json
import shutil

import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

from joulebook.errors import InputError
from joulebook.publish.archive import read_archive, read_record
from joulebook.publish.batch import Settings, run_batch
from joulebook.publish.book import build_book
from joulebook.publish.book.dress import GROUNDS
from joulebook.publish.branding import branding_of
from joulebook.publish.outputs import client_report
from joulebook.publish.report import write_report
from joulebook.publish.store import Store
from joulebook.publish.verify import verify_run
from joulebook.show.numbers import Numbers
from joulebook.workbook import ROOT

from ..fonts import font_of
from ..intake.test_branding import SVG as LOGO
from ..intake.test_branding import png
from .conftest import notebook, show
from .test_book import notebook as page
from .test_book import workbook as small_workbook
from .test_report import run, topic  # noqa: F401

NAME = 'Meier & <b>Søn</b> $5 #read("x") {{ x }} **'
EAST = "株式会社エネルギー"
DRESS = """branding:
  name: '{name}'
  logo: logo.svg
  logo_on_dark: white.png
  accent: "{accent}"
  fonts: fonts
locale: {locale}
paper: {paper}
"""


@pytest.fixture
def dressed(tmp_path):
    """What a run is dressed in, its files beside it."""
    (tmp_path / "logo.svg").write_text(LOGO.format('<rect width="20" height="10" fill="#a05000"/>'))
    (tmp_path / "logo_on_dark.png").write_bytes(png(40, 20))
    return {"name": NAME, "accent": "#ffcc00", "logo": tmp_path / "logo.svg", "logo_on_dark": tmp_path / "logo_on_dark.png",
            "fonts": []}


def texts(path):
    return [part.extract_text() for part in PdfReader(path).pages]


def tagged(node):
    """All alternative texts of a document's tags."""
    node = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(node, list):
        return [alt for child in node for alt in tagged(child)]
    if not isinstance(node, dict):
        return []
    return ([node["/Alt"]] if "/Alt" in node else []) + tagged(node.get("/K", []))


# ---- the report


def test_name_stands_on_every_page_and_the_logo_on_the_first(run, dressed, tmp_path):  # noqa: F811
    path = write_report({**run, "branding": dressed}, tmp_path / "report.pdf")
    document = PdfReader(path)
    assert document.metadata.author == NAME
    for part in document.pages:
        assert NAME in part.extract_text()
    assert f"Logo of {NAME}" in tagged(document.trailer["/Root"]["/StructTreeRoot"]["/K"])
    assert len(document.pages[0].images) == 1  # the logo for a dark ground, which is of pixels
    assert document.trailer["/Root"]["/Lang"] == "en"


@pytest.mark.parametrize("kept", ["logo", "logo_on_dark", "name", "accent", None])
def test_any_part_may_be_given_alone(run, dressed, tmp_path, kept):  # noqa: F811
    branding = {**dict.fromkeys(dressed), "name": "", "fonts": [], **({kept: dressed[kept]} if kept else {})}
    first = texts(write_report({**run, "branding": branding}, tmp_path / "report.pdf"))[0]
    assert (NAME in first) == (kept == "name")
    assert first.startswith("Joulebook") == (kept in ("accent", None))


@pytest.mark.parametrize(("paper", "size"), [(None, (210, 297)), ("a4", (210, 297)), ("us_letter", (215.9, 279.4))])
def test_pages_have_the_size_that_was_asked_for(run, tmp_path, paper, size):  # noqa: F811
    # published: ISO 216 and ANSI/ASME Y14.1, in millimetres
    for part in PdfReader(write_report({**run, "paper": paper}, tmp_path / "report.pdf")).pages:
        assert [float(side) / 72 * 25.4 for side in part.mediabox[2:]] == pytest.approx(size, abs=0.1)


def test_numbers_of_the_report_follow_the_locale(run, topic, tmp_path):  # noqa: F811
    topic["results"]["cost_per_million"] |= {"value": 1234.5, "unit": "USD", "note": "1,234.5 as told"}
    made = texts(write_report({**run, "locale": "de_DE"}, tmp_path / "report.pdf"))
    whole = " ".join(made).replace("\u00a0", " ")
    assert "30.11.2026" in made[0]
    assert "1.234,50" in whole  # hand: an amount of 1 and more has the currency's decimals
    assert "0,2002" in whole
    assert "0,1988 to 0,2016" in whole
    assert "0,12 USD/kWh" in whole
    assert "1,234.5 as told" in whole  # words stay as they are, and the last page says so
    assert "Numbers and days are written as in German (Germany): 1.234,5." in " ".join(whole.split())
    assert "0.2002" not in whole


# ---- characters


@pytest.mark.parametrize(("text", "lacking"), [
    (EAST, True), ("ลูกค้า", True), ("🔋", True), ("gCO₂e/kWh ≤ 5", False), ("株" * 100, True), ("ελληνικά", False),
    ("חברת אנרגיה", False)])
def test_every_character_is_on_the_page_or_refused_by_name(run, tmp_path, text, lacking):  # noqa: F811
    """Cases R02 and R04: nothing is ever blank."""
    run["client"] = text
    try:
        made, refused = write_report(run, tmp_path / "report.pdf"), ""
    except InputError as error:
        refused = str(error)
        fonts = tmp_path / "fonts"
        fonts.mkdir()
        (fonts / "own.ttf").write_bytes(font_of(text))
        made = write_report(run, tmp_path / "report.pdf", fonts=[fonts])
    first = "".join(texts(made)[0].split())
    # the reader of PDF turns words that run from right to left, and reads a cluster of Thai letters twice
    assert all(word in first or in_order(word, first) for word in text.split())
    assert bool(refused) == lacking
    assert not refused or all(f"{sign} (U+{ord(sign):04X} " in refused for sign in set(text) - set("gCOe/kWh 5≤₂"))


def in_order(word, text):
    rest = iter(text)
    return all(sign in rest for sign in word)


def test_all_that_lacks_a_font_is_named_with_its_places_and_a_way_out(run, topic, tmp_path):  # noqa: F811
    run["client"] = topic["title"] = EAST
    topic["inputs"][1]["source"] = "ลูกค้า 株"
    topic["limits"] = ["🔋"]
    with pytest.raises(InputError) as error:
        write_report(run, tmp_path / "report.pdf")
    east, thai, sign = sorted(error.value.problems, key=lambda problem: problem.field)
    assert (east.field, thai.field) == ("client", "topics.cost_per_token.inputs.electricity_price_per_kwh.source")
    assert sign.field.startswith("topics.cost_per_token.limits")
    assert all(f"{one} (U+{ord(one):04X} " in east.what for one in EAST)
    assert "(and 2 more places)" in east.what  # hand: the title, and the source that has one of them
    assert "株" not in thai.what
    assert "ล (U+0E25 THAI CHARACTER LO LING)" in thai.what
    for problem, font in ((east, "Noto Sans CJK"), (thai, "Noto Sans Thai"), (sign, "Noto Emoji")):
        assert f"such as {font}: " in problem.allowed
        assert "`branding: {fonts: PATH}`" in problem.allowed
        assert "--fonts DIR" in problem.allowed


def test_letters_of_a_logo_need_a_font_too(run, dressed, tmp_path):  # noqa: F811
    dressed["logo"].write_text(LOGO.format('<text x="1" y="5" font-size="4">Meier <tspan>株</tspan></text>'))
    with pytest.raises(InputError) as error:
        write_report({**run, "branding": {**dressed, "logo_on_dark": None}}, tmp_path / "report.pdf")
    (problem,) = error.value.problems
    assert problem.field == "branding.logo"
    assert "株 (U+682A " in problem.what


def test_signs_of_a_locale_need_a_font_too(run, tmp_path):  # noqa: F811
    # published: the CLDR parts thousands in Fula in Adlam letters by U+2E41
    assert Numbers("ff_Adlm").number(5000) == "5\u2e41000"
    with pytest.raises(InputError, match=r"U\+2E41 REVERSED COMMA"):
        write_report({**run, "locale": "ff_Adlm"}, tmp_path / "report.pdf")


# ---- the run


@pytest.fixture
def client(client_folder):
    folder = client_folder("acme")
    (folder / "logo.svg").write_text(LOGO.format("<rect/>"))
    (folder / "white.png").write_bytes(png())
    (folder / "fonts").mkdir()
    (folder / "fonts" / "Own Name.ttf").write_bytes(font_of(EAST))
    plain = (folder / "client.yml").read_text()

    def dress(name="Meier", accent="#0b6e8c", locale="de_DE", paper="us_letter"):
        (folder / "client.yml").write_text(plain + DRESS.format(name=name, accent=accent, locale=locale, paper=paper))
        return folder

    return dress


@pytest.fixture
def execute(tmp_path, workbook):
    book = workbook(one=notebook(show("pue")))

    def call(folder):
        with Store(tmp_path / "store") as store:
            (made,) = run_batch([folder], tmp_path / "runs", Settings(), book, store)
        assert made.error is None
        return made

    call.book = book
    return call


def test_a_run_is_complete_and_no_topic_depends_on_its_dress(client, execute):
    first = execute(client())
    assert first.executed == ("one",)
    record = read_record(first.folder)
    assert record["branding"] == {
        "name": "Meier", "accent": "#0b6e8c", "logo": "inputs/branding-logo.svg",
        "logo_on_dark": "inputs/branding-logo_on_dark.png", "fonts": ["inputs/branding-font-1.ttf"]}
    assert (record["locale"], record["paper"]) == ("de_DE", "us_letter")
    assert set(record["holds"]) >= {
        "inputs/branding-logo.svg", "inputs/branding-logo_on_dark.png", "inputs/branding-font-1.ttf"}
    results = (first.folder / "results.json").read_bytes()
    again = execute(client(name="Other", accent="#a05000", locale="en_US", paper="a4"))
    assert again.executed == ()
    assert read_record(again.folder)["branding"]["name"] == "Other"
    assert (again.folder / "results.json").read_bytes() == results
    assert json.loads((again.folder / "inputs.json").read_bytes()) == json.loads((first.folder / "inputs.json").read_bytes())


def test_verify_looks_at_the_copies_and_finds_the_results_the_same(client, execute):
    made = execute(client())
    assert verify_run(made.folder, execute.book).holds
    (made.folder / "inputs" / "branding-logo.svg").write_text(LOGO.format("<circle/>"))
    assert "inputs/branding-logo.svg was changed" in verify_run(made.folder, execute.book).tampered


def test_a_copy_that_is_gone_is_missed(client, execute):
    made = execute(client())
    (made.folder / "inputs" / "branding-logo.svg").unlink()
    with pytest.raises(InputError, match=r"inputs/branding-logo\.svg: missing from the run"):
        branding_of(read_record(made.folder)["branding"], made.folder)
    with pytest.raises(InputError, match="missing from the run"):
        read_archive(made.folder)


@pytest.mark.parametrize("path", ["../secret.svg", "/etc/hostname", "inputs/../../x.svg", "inputs/branding-logo.sh"])
def test_a_record_leads_to_no_file_outside_of_its_run(client, execute, path):
    made = execute(client())
    record = json.loads((made.folder / "run.json").read_text())
    record["branding"]["logo"] = path
    (made.folder / "run.json").write_text(json.dumps(record))
    with pytest.raises(InputError, match="damaged"):
        read_record(made.folder)


def test_a_report_of_a_run_is_the_same_wherever_the_run_stands(tmp_path, dressed):
    """From executed examples: numbers in sentences, too."""
    runs = [tmp_path / name / "edge" for name in ("one", "two")]
    for folder in runs:
        shutil.copytree(ROOT / "tests" / "reference" / "edge-sensor", folder)
        (folder / "inputs").mkdir(exist_ok=True)
        shutil.copyfile(dressed["logo"], folder / "inputs" / "branding-logo.svg")
        branding = {"name": "Meier", "accent": "#ffcc00", "logo": "inputs/branding-logo.svg", "logo_on_dark": None, "fonts": []}
        record = {"client": "Edge", "prepared": "2026-11-30", "currency": "EUR", "notes": "", "labels": {}, "failed": {},
                  "topics": ["cost_per_token", "verdict"], "holds": {}, "locale": "de_DE", "paper": "us_letter",
                  "branding": branding,
                  "made_of": {"inputs": "", "files": {}, "notebooks": {}, "code": "", "versions": {}}}
        (folder / "run.json").write_text(json.dumps(record))
    one, two = (client_report(folder) for folder in runs)
    assert one.read_bytes() == two.read_bytes()
    whole = " ".join(" ".join(texts(one)).split())
    assert "14,815 W at full load" in whole.replace("\u00a0", " ")  # of the reference's 14.8146166667 W
    assert "14.815" not in whole


# ---- the book


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A small book that is dressed, its pages read."""
    folder = tmp_path_factory.mktemp("dressed")
    (folder / "logo.svg").write_text(LOGO.format("<rect/>"))
    branding = {"name": NAME, "accent": "#e2a000", "logo": folder / "logo.svg", "logo_on_dark": None, "fonts": []}
    out = build_book({"notebooks/topic": page(folder / "topic.ipynb")}, folder / "out", workbook=small_workbook(folder / "small"),
                     branding=branding)
    return out, {path.relative_to(out).as_posix(): BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
                 for path in out.rglob("*.html") if "_static" not in path.parts}


def test_every_page_has_name_and_logo(pages):
    out, soups = pages
    for name in ("book/index.html", "notebooks/topic.html"):
        (brand,) = soups[name].select("a.navbar-brand .brand")
        assert brand.select_one(".brand-name").text == NAME
        light, dark = brand.select("img")
        assert (out / name).parent.joinpath(light["src"]).resolve() == out / "_static" / "brand-logo.svg"
        assert (out / "_static" / "brand-logo.svg").read_text() == LOGO.format("<rect/>")
        assert "plate" not in light["class"]
        assert "plate" in dark["class"]  # meant for a light ground
        assert soups[name].html["lang"] == "en"
        assert not brand.find("b")


def test_the_accent_can_be_read_in_both_modes(pages):
    out, soups = pages
    css = (out / "_static" / "brand.css").read_text()
    assert '[data-theme="dark"] { --accent: #e2a000;' in css  # light enough as it is
    assert '[data-theme="light"] { --accent: #956800;' in css  # that every such colour can be read is held in tests/intake
    assert any("brand.css" in link["href"] for link in soups["notebooks/topic.html"].select("link[rel=stylesheet]"))
    theme = (ROOT / "book" / "_static" / "theme.css").read_text()
    assert all(f"--wash: {ground};" in theme for ground in GROUNDS.values())
