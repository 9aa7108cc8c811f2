"""The client's PDF, read back as text: what must stand where, literally, and the same each time."""

import copy
import io
import json
import re
import shutil
import socket
import subprocess
from importlib.resources import files
from pathlib import Path

import matplotlib
import pytest
from pypdf import PdfReader

from joulebook.errors import InputError, RunError
from joulebook.publish.report import age, keep_units, report_data, report_name, visible, write_report
from joulebook.publish.report.fonts import lacking_of
from joulebook.publish.report.register import LONG
from joulebook.publish.report.typesetting import PALETTE, template
from joulebook.results import BOUNDARIES, EVIDENCE

SVG = ('<svg xmlns="http://www.w3.org/2000/svg" width="468" height="120" viewBox="0 0 468 240">'
       '<path d="M20 220 L448 220 M20 220 L234 120 L448 30" fill="none" stroke="#0B6E8C" stroke-width="2"/></svg>')
LABELS = {"workload": "support answers", "unit_of_work": "output_token", "quality": None, "scenario": "Server",
          "window": "600 s at full load", "boundary": "server"}
HOSTILE = ('R&D_50% #1 {Ü} ~^ \\ $5', '#read("x")', "<b>bold</b>", "{{ x }}", "**", "*bold* _it_", "= heading",
           "'single' \"double\"", "`raw` $x^2$ @ref <lab> // c", "Cost fell from $148.00 to $19.00 per month.", "- item",
           "\\u{41} #let x = 1")


def an_input(name, title, value, unit, **other):
    return {"name": name, "title": title, "value": value, "unit": unit, "low": None, "high": None, "range_is": "limits",
            "evidence": "assumed", "source": "", "as_of": None, "given": True, **other}


def a_result(title, value, unit, low=None, high=None, note="", shown=True, evidence="assumed", **labels):
    return {"title": title, "value": value, "unit": unit, "low": low, "high": high, "evidence": evidence,
            "labels": LABELS | labels, "note": note, "shown": shown}


@pytest.fixture
def run():
    """A run of one client and one topic."""
    year = "all hours of the year, idle included"
    return {
        "client": "Example Support Ltd.", "prepared": "2026-11-30", "currency": "USD", "labels": LABELS,
        "notes": "For the steering group.", "version": "0.1.0",
        "topics": [{
            "topic": "cost_per_token", "title": "Cost per token", "question": "What does a million output tokens cost?",
            "inputs": [
                an_input("throughput_per_s", "Throughput at full load", 5000, "units/s", low=4900, high=5100, range_is="u95",
                         evidence="measured", source="Meter run 14", as_of="2026-10-06"),
                an_input("electricity_price_per_kwh", "Electricity price", 0.12, "money/kWh", low=0.09, high=0.18,
                         evidence="quoted", source="Supply contract, schedule 2", as_of="2024-07-01"),
                an_input("year", "Year", 2026, "year", source="calendar"),
                an_input("servers", "Servers", 1, "1", source="workbook assumption: one system", given=False),
                an_input("lifetime_years", "Lifetime", 4.0, "year"),
                an_input("requests_csv", "Sample of requests", None, "csv", given=False)],
            "results": {
                "energy_per_unit_j": a_result("Energy per output token", 0.2002, "J per output token", 0.1988, 0.2016,
                                              evidence="measured"),
                "cost_per_million": a_result("Energy cost per million, full load", 0.00866667, "USD per million output tokens",
                                             boundary="facility"),
                "annual_cost_always_on": a_result("Electricity cost a year, always on", 671.424, "USD", boundary="facility",
                                                  window=year, note="8760 h are counted: no year is given"),
                "requests_counted": a_result("Requests counted", None, "requests", note="needs requests_csv"),
                "hidden": a_result("Inner step", 77.123, "W", shown=False)},
            "tables": {"years_ahead": {"title": "Years ahead", "columns": {"year": "", "energy_kwh": "kWh", "cost": "USD"},
                                       "rows": [[2026, 5595.2, 671.424], [2027, None, 700]]}},
            "answer": {"headline": "cost_per_million", "numbers": ["cost_per_million", "energy_per_unit_j", "requests_counted"],
                       "says": "A million output tokens cost 0.0087 USD of energy.", "beside": "671 USD of electricity a year."},
            "figures": [{"name": "cost", "caption": "Cost over the volume.", "alt": "A rising line.", "svg": SVG}],
            "reading": ["The energy is a small part."], "limits": ["Full load only."],
            "rerun": "joulebook run example --topic cost_per_token"}],
        "provenance": {"files": {"client.yml": "ab" * 32}, "versions": {"joulebook": "0.1.0", "typst": "0.15.2"},
                       "notebooks": {"cost_per_token": "cd" * 32}, "code": "ef" * 32}}


@pytest.fixture
def topic(run):
    return run["topics"][0]


@pytest.fixture
def pages(tmp_path):
    """The text of each page of a run's report, with every space and line end as one space."""
    def of(run):
        return [" ".join(page.extract_text().split()) for page in PdfReader(write_report(run, tmp_path / "report.pdf")).pages]
    return of


def test_cover_and_summary_say_who_when_and_how_much(run, pages):
    cover, summary, *others = pages(run)
    assert cover.index("What does a million output tokens cost?") < cover.index("A million output tokens cost 0.0087 USD")
    first = f"{cover} {summary}"
    for text in ("Cost per token", "What does a million output tokens cost?", "Prepared for Example Support Ltd.",
                 "30 November 2026", "A million output tokens cost 0.0087 USD of energy.", "671 USD of electricity a year.",
                 "For the steering group.",
                 "0.0086667 USD per million output tokens range not stated",  # hand: 1000 / 5000 x 1.3 x 0.12 / 3.6
                 "0.2002 J per output token 0.1988 0.2016", "Workload support answers", "Unit of work output token",
                 "Quality not stated", "Scenario Server", "Window 600 s at full load", "facility", "server",
                 "not available needs requests_csv"):
        assert text in first, text
    assert others


def test_topic_has_its_parts_in_order(run, pages):
    text = " ".join(pages(run)[2:])
    parts = ["What does a million output tokens cost?", "Inputs", "Meter run 14", "Throughput at full load 5,000 output tokens/s",
             "Results", "Range, 95 %", "0.1988 to 0.2016", "Years ahead", "5,595.2", "Cost over the volume.", "Reading",
             "The energy is a small part.", "Full load only.", "joulebook run example --topic cost_per_token",
             "Assumption register", "Provenance"]
    places = [text.index(part) for part in parts]
    assert places == sorted(places), list(zip(parts, places, strict=True))


def test_labels_that_differ_stand_in_the_rows(run, pages):
    text = " ".join(pages(run)[1:])
    assert re.search(r"Window all hours of the year, idle included Electricity cost a year, always on ?1 671\.42 USD", text)
    assert "Energy cost per million, full load 0.0086667 USD per million output tokens range not stated facility" in text
    assert "8760 h are counted: no year is given" in text
    assert "Quality not stated" in text


def test_missing_value_is_said_with_its_reason(run, pages):
    text = " ".join(pages(run))
    assert "Not available Reason Requests counted needs requests_csv" in text
    assert "Not given: Sample of requests." in text
    assert "1 more result of this topic in results.json." in text
    assert "77.123" not in text


def test_a_table_too_long_to_print_is_named(run, topic, pages):
    topic["long_tables"] = {"All published rows": 903, "None": 0}
    text = " ".join(pages(run))
    assert "In the book and in results.json, not printed here: All published rows (903 rows)." in text


def test_no_range_at_all_is_said_once(run, topic, pages):
    for result in topic["results"].values():
        result.update(low=None, high=None)
    text = pages(run)[2]
    assert "Ranges range not stated for any of these" in text
    assert "Range, 95 %" not in text


def test_register_has_every_input(run, pages):
    text = " ".join(pages(run)).split("Assumption register")[-1]
    assert "throughput_per_s 5,000 output tokens/s 4,900 to 5,100 (95 %) measured Meter run 14 2026-10-06, 55 days old" in text
    assert "0.12 USD/kWh 0.09 to 0.18 (limits) quoted Supply contract, schedule 2 2024-07-01, 2 years old" in text
    assert "Year year 2026 range not stated assumed calendar date not stated" in text
    assert "4 years range not stated assumed source not stated" in text
    assert "Not given, and nothing rests on them: Sample of requests (requests_csv)." in text


def test_a_value_of_one_topic_alone_names_the_topic(run, topic, pages):
    other = copy.deepcopy(topic) | {"topic": "carbon", "title": "Time and place"}
    other["inputs"][3]["value"] = 7
    run["topics"].append(other)
    _, summary, contents, *others = pages(run)
    text = " ".join(others).split("Assumption register")[-1]
    assert "servers, for Cost per token" in text
    assert "servers, for Time and place" in text
    assert text.count("throughput_per_s") == 1
    for title in ("Cost per token", "Time and place", "Assumption register", "Provenance", "Attributions"):
        assert title in contents
    assert summary.count("0.0086667") == contents.count("0.0086667") == 2


def test_provenance_is_last(run, pages):
    last = " ".join(pages(run)).split("Provenance")[-1]
    for text in ("client.yml " + "ab" * 32, "cost_per_token " + "cd" * 32, "joulebook " + "ef" * 32,
                 "joulebook 0.1.0; typst 0.15.2", "joulebook run example --topic cost_per_token"):
        assert text in last, text


def test_trademark_notice_where_mlperf_data_are_used(run, topic, pages):
    assert "trademarks of MLCommons" not in " ".join(pages(run))
    topic["inputs"][0]["source"] = "MLPerf Inference v4.1, closed, llama2-70b-99 Server"
    assert "trademarks of MLCommons" in pages(run)[-1]


def test_illustrative_input_is_said_first(run, topic, pages):
    assert "illustrative" not in pages(run)[1].lower()
    topic["inputs"][1]["evidence"] = "illustrative"
    assert "1 of 5 inputs is illustrative, no facts about the client (Electricity price)" in pages(run)[1]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_is_literal(run, topic, pages, text):
    """Cases R01 and C16, and the markup of typst, HTML, Markdown and templates."""
    run.update(client=text, notes=text, labels=LABELS | {"workload": text})
    run["provenance"]["files"] = {text: "ab" * 32}
    topic.update(title=text, question=text, reading=[text], limits=[text], rerun=text)
    topic["answer"].update(says=text, beside=text)
    topic["inputs"][0].update(title=text, source=text)
    topic["figures"][0].update(caption=text, alt=text)
    topic["tables"]["years_ahead"] = {"title": text, "columns": {text: text}, "rows": [[text]]}
    topic["results"]["requests_counted"].update(title=text, note=text)
    topic["results"]["cost_per_million"]["labels"] = LABELS | {"workload": text}
    first, *others = pages(run)
    assert first.count(text) >= 5
    assert " ".join(others).count(text) >= 15


def test_title_and_language_and_pdf_ua(run, tmp_path):
    run["client"] = HOSTILE[0]
    document = PdfReader(write_report(run, tmp_path / "report.pdf"))
    metadata = document.xmp_metadata.stream.get_data().decode()
    assert re.search(r"pdfuaid:part>1<|pdfuaid:part=\"1\"", metadata)
    assert document.metadata.title == "Cost per token"
    assert document.trailer["/Root"]["/Lang"] == "en"
    assert document.metadata.creation_date.strftime("%Y-%m-%d") == "2026-11-30"


def test_same_run_gives_same_bytes(run, tmp_path):
    first = write_report(run, tmp_path / "a" / "report.pdf").read_bytes()
    assert write_report(copy.deepcopy(run), tmp_path / "b.pdf").read_bytes() == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b.pdf"]
    assert str(tmp_path).encode() not in first


def test_long_table_repeats_its_head(run, topic, tmp_path):
    """Case R05: 200 rows, their sum 20100 (hand: 200 x 201 / 2)."""
    rows = [[n, f"site-{n}", n] for n in range(1, 201)]
    topic["tables"] = {"sites": {"title": "Energy of the sites", "columns": {"n": "", "site": "", "energy_kwh": "kWh"},
                                 "rows": [*rows, ["total", "", sum(row[2] for row in rows)]]}}
    texts = [page.extract_text() for page in PdfReader(write_report(run, tmp_path / "report.pdf")).pages]
    with_rows = [text for text in texts if "site-" in text]
    assert len(with_rows) >= 4
    assert all(re.search(r"N\s+Site\s+Energy", text) for text in with_rows)
    assert "200 site-200 200" in " ".join(" ".join(texts).split())
    assert "20,100" in texts[texts.index(with_rows[-1])]
    assert all(re.search(rf"\bsite-{n}\b", " ".join(texts)) for n in range(1, 201))


def test_wide_table_is_split_with_its_first_column(run, topic, pages):
    names = [f"column_{n}" for n in range(1, 26)]
    topic["tables"] = {"wide": {"title": "Wide", "columns": dict.fromkeys(["site", *names], "kWh"),
                                "rows": [["site-1", *[1234567.0] * 25]]}}
    text = " ".join(pages(run))
    assert text.count("1,234,567") == 25
    assert text.count("site-1") == len(re.findall(r"Wide, part \d of \d", text)) >= 2


def test_long_words_stay_on_the_page(run, topic, tmp_path):
    word = "electricity_price_" * 20 + "W" * 150
    run["client"] = word
    topic["inputs"][0].update(source=word, title=word)
    topic["reading"] = [word]
    texts = [page.extract_text() for page in PdfReader(write_report(run, tmp_path / "report.pdf")).pages]
    assert max(len(line) for text in texts for line in text.splitlines()) < 140  # 481 pt of text at 3.5 pt a letter
    assert "".join("".join(texts).split()).count(word) >= 4  # nothing is added to the word


def test_character_without_glyph_is_refused(run, topic, tmp_path):
    """Case R02: never dropped silently."""
    run["client"] = "株式会社エネルギー"
    topic["inputs"][1]["source"] = "ลูกค้า 🔋 ≤ gCO₂e"
    with pytest.raises(InputError) as error:
        write_report(run, tmp_path / "report.pdf")
    first, second = error.value.problems
    assert first.field == "client"
    assert "株 (U+682A CJK UNIFIED IDEOGRAPH-682A)" in first.what
    assert "Noto Sans CJK" in first.allowed
    assert "--fonts DIR" in first.allowed
    assert second.field == "topics.cost_per_token.inputs.electricity_price_per_kwh.source"
    assert "🔋 (U+1F50B BATTERY)" in second.what
    assert "≤" not in second.what
    assert list(tmp_path.iterdir()) == []


def test_further_fonts_may_be_given(run, tmp_path):
    run["client"] = "\u4dc0 Ltd."  # a hexagram: DejaVu Sans has it
    with pytest.raises(InputError):
        write_report(run, tmp_path / "report.pdf")
    folder = tmp_path / "fonts"
    folder.mkdir()
    shutil.copy(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf", folder)
    assert run["client"] in PdfReader(write_report(run, tmp_path / "report.pdf", fonts=[folder])).pages[0].extract_text()


@pytest.mark.parametrize("text", ["gCO₂e/kWh ≤ 5", "Søn & Łódź GmbH", "Ωμέγα, Энергия", "→ × − µ ½ €", "e\u0301nergie"])
def test_characters_with_glyphs_are_shown(run, pages, text):
    run["client"] = text
    assert text in pages(run)[0]


def test_characters_that_print_nothing_are_shown(run, pages):
    run["client"] = "Acme\u202eLtd\u200b \x07\u3164!"
    run["notes"] = "one\r\n\r\ntwo\x00"
    first = pages(run)[0]
    assert "Acme[U+202E]Ltd[U+200B][U+0007][U+3164]!" in first.replace(" ", "")
    assert "one two[U+0000]" in first


def test_broken_figure_is_a_readable_error(run, topic, tmp_path):
    topic["figures"][0]["svg"] = "<svg"
    with pytest.raises(RunError) as error:
        write_report(run, tmp_path / "report.pdf")
    assert "Example Support Ltd.: the report could not be set" in str(error.value)
    assert "/tmp" not in str(error.value)
    assert "joulebook-" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_figures_may_be_given_apart(run, topic, tmp_path):
    del topic["figures"][0]["svg"]
    with pytest.raises(RunError, match="cost_per_token/cost has no picture"):
        write_report(run, tmp_path / "report.pdf")
    assert write_report(run, tmp_path / "report.pdf", {"cost_per_token/cost": SVG}).exists()


def test_nothing_to_show_still_makes_a_report(run, topic, pages):
    empty = {"title": "Years ahead", "columns": {}, "rows": [], "note": "needs horizon_years"}
    topic.update(inputs=[], results={}, tables={"none": empty}, figures=[], reading=[], limits=[], answer=None)
    run.update(notes="", provenance={"files": {}, "versions": {}, "notebooks": {}, "code": ""})
    assert "Years ahead: not available. needs horizon_years" in " ".join(pages(run))


def test_wrong_date_is_refused(run, tmp_path):
    run["prepared"] = "30.11.2026"
    with pytest.raises(InputError, match="prepared: not a date"):
        write_report(run, tmp_path / "report.pdf")


def test_data_are_a_pure_function_of_the_run(run):
    before = copy.deepcopy(run)
    assert report_data(run) == report_data(run)
    assert run == before


def test_place_of_the_value_in_its_range(run):
    numbers = report_data(run)["summary"]["numbers"]
    assert [number["at"] for number in numbers] == [None, pytest.approx(0.5), None]  # hand: (0.2002 - 0.1988) / (0.2016 - 0.1988)


@pytest.mark.parametrize(("name", "characters"), [("株" * 100, 83), ("a" * 255, 251), ("é" * 200, 125), ("Acme & Søn", 10)])
def test_name_fits_a_file_system(name, characters):
    """Case R04; hand: (255 - 4) // bytes of a character."""
    made = report_name(name)
    assert made == f"{name[:characters]}.pdf"
    assert len(made.encode()) <= 255


def test_texts_of_the_template_are_settable():
    fonts = (str(files("fontpkg_fira_sans") / "files"),)
    assert lacking_of("".join(map(chr, range(0x20, 0x7f))) + "−×…·“”’→\u00a0", fonts) == frozenset()


def test_every_role_of_the_template_has_a_colour():
    assert set(EVIDENCE) | set(BOUNDARIES) - {"node_dc"} | {"caution"} <= set(json.loads(PALETTE.read_text()))


def test_small_pieces():
    assert visible("a\tb\u2028c") == "a b\nc"
    assert keep_units("5 kWh and 3 servers") == "5\u00a0kWh and 3 servers"
    assert age("2026-11-29", "2026-11-30") == "2026-11-29, 1\u00a0day old"


def test_pdf_of_a_run_is_whole(run, tmp_path):
    assert len(PdfReader(io.BytesIO(write_report(run, tmp_path / "report.pdf").read_bytes())).pages) <= 5


# ---- ages, and what rests on an input

OLD = {"as_of": "2025-04-30", "expires": "2026-04-30", "expired": True}


def test_what_has_expired_is_said_in_the_summary_with_the_reason(run, topic, pages):
    topic["inputs"][1] |= {**OLD, "used_because": HOSTILE[1]}
    topic["inputs"][0] |= {**OLD, "used_because": ""}
    _, first, *others = pages(run)
    assert f"Expired, and used for pricing all the same: Electricity price (2026-04-30), because: {HOSTILE[1]}." in first
    assert ("Expired, and not used for pricing: Throughput at full load (2026-04-30). What it would price is not available."
            in first)
    register = " ".join(others).split("Assumption register")[-1]
    assert "2025-04-30, 19 months old; expired 2026-04-30" in register
    assert f"used for pricing all the same: {HOSTILE[1]}" in register
    assert "not used for pricing" in register


def test_a_long_reason_is_cut_in_the_summary_alone(run, topic, pages):
    reason = "the supplier " * 60 + "agreed"
    topic["inputs"][1] |= {**OLD, "used_because": reason}
    _, first, *others = pages(run)
    assert "agreed" not in first
    assert "the supplier the supplier" in first
    assert "agreed" in " ".join(others).split("Assumption register")[-1]


def test_the_register_begins_with_what_is_weakest_and_ends_with_defaults(run, topic, pages):
    topic["inputs"][1] |= {**OLD, "used_because": "same contract"}
    text = "".join(pages(run)).replace(" ", "").split("Assumptionregister")[-1]
    parts = ["nobody is named who could be asked", "lifetime_years", "older than they may be", "electricity_price_per_kwh",
             "held to be so", "calendar", "by a meter", "throughput_per_s", "Defaults of the workbook", "servers",
             "workbook assumption: one system", "Not given, and nothing rests on them"]
    places = [text.index(part.replace(" ", "")) for part in parts]
    assert places == sorted(places), list(zip(parts, places, strict=True))


def test_the_register_says_what_rests_on_an_input_and_what_it_moves(run, topic, pages):
    names = ["energy_per_unit_j", "cost_per_million", "annual_cost_always_on", "hidden"]
    move = {"input": "throughput_per_s", "low": 0.1988, "high": 0.2016}
    topic["basis"] = {"rests_on": [{"results": names, "inputs": ["throughput_per_s"]}],
                      "moves": {name: [move] for name in names}}
    topic["basis"]["moves"]["cost_per_million"] = [{"input": "throughput_per_s", "for_one_pct": -0.0099}]
    text = " ".join(pages(run)).split("Assumption register")[-1]
    assert "4 results rest on it: 4 of Cost per token" in text
    assert "Energy per output token: 0.1988 to 0.2016 J per output token Cost per token" in text
    assert "1 more in the book and in register.csv" in text
    assert "An input expires on the day that its entry names; ages count from 2026-11-30." in text


def test_long_words_of_the_register_break(run, topic, pages):
    word = "measured_by_somebody_whose_system_has_a_very_long_name/" * 6
    topic["inputs"][0] |= {"source": word, "title": "T" * 120}
    text = "".join(pages(run)).replace(" ", "")
    assert word in text
    assert "T" * 120 in text


def test_the_decision_leads_where_there_is_one(run, topic, pages):
    verdict = copy.deepcopy(topic) | {"topic": "verdict", "title": "Verdict"}
    verdict["results"] = {"verdict": a_result("Verdict", "speculative", "1")}
    verdict["answer"] = {"headline": "verdict", "numbers": ["verdict"], "says": "Because the hurdle is not reached."}
    run["topics"].append(verdict)
    cover, first, *_ = pages(run)
    assert "Because the hurdle is not reached." in cover
    assert "Because the hurdle is not reached." in first
    assert first.index("Speculative") < first.index("0.0086667")
    verdict["results"]["verdict_sub_class"] = a_result("Sub-class", "uneconomic", "1")
    assert report_data(run)["summary"]["decision"] == {"word": "Speculative, uneconomic", "role": "stop"}
    verdict["results"]["verdict"]["value"] = None
    assert "Speculative" not in "".join(pages(run)[:3])


def test_rows_of_the_contents_name_the_labels_in_which_they_differ(run, topic, pages):
    for name, boundary in (("b", "facility"), ("c", "rack")):
        other = copy.deepcopy(topic) | {"topic": name, "title": f"Topic {name}"}
        other["results"]["cost_per_million"]["labels"] = LABELS | {"boundary": boundary, "scenario": None}
        run["topics"].append(other)
    data = report_data(run)["overview"]
    assert data["labels_hold"] == "These hold for, but where a row names another"
    assert dict(data["labels"])["Boundary"] == "facility"
    assert [row["labels"] for row in data["numbers"]] == [["Server"], [], ["rack"]]  # two of three have no scenario


def test_a_report_needs_no_network_no_browser_and_no_other_program(run, tmp_path, monkeypatch):
    """Case J14: a PDF by a browser fetched one, or waited for it. Here there is none, and nothing may be reached or started."""
    def refused(*_, **__):
        raise AssertionError("reached out of the process")

    monkeypatch.setenv("PATH", "")
    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.setattr(subprocess.Popen, "__init__", refused)
    assert PdfReader(write_report(run, tmp_path / "report.pdf")).pages
    assert "@preview" not in "".join(template().values())  # typst would fetch a package by itself


def test_what_has_no_room_in_its_column_of_the_register_stands_below(run, topic, pages):
    source, value = "measured by the team of the site, who " * 12 + "signed it", "model: large; " * 12 + "stack: tuned"
    topic["inputs"][0] |= {"source": source}
    topic["inputs"][5] |= {"value": value, "given": True, "source": "minutes"}
    text = " ".join(pages(run)).split("Assumption register")[-1]
    assert f"Source {source}" in text
    assert f"Value {value}" in text
    assert text.count("told below") == 1
    assert len(source) > LONG


def test_attributions_name_fonts_and_libraries_with_version_and_licence(run, pages):
    # published: the projects' own licences, as their packages state them
    run["provenance"]["versions"] = {"numpy": "2.4.1", "salib": "1.5.2"}
    text = pages(run)[-1].split("Fonts and libraries")[-1]
    assert re.search(r"numpy 2\.4\.1 .*BSD-3-Clause", text)
    assert re.search(r"SALib 1\.5\.2 .*MIT", text)
    assert re.search(r"Fira Sans .*SIL Open Font License 1\.1", text)
    assert "Babel" not in text  # it writes the numbers of a locale, and none is asked for
    assert "Babel" in pages(run | {"locale": "de_DE"})[-1]
