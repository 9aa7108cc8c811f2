"""Chapters teach: of a length, cited, every figure from where it is known, and with a checklist for somebody else's report."""

import csv
import re
from functools import cache

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_role import myst_role_plugin
from ruamel.yaml import YAML

from joulebook.dictionary import definitions
from joulebook.publish.collect import collect
from joulebook.publish.site.roles import PUBLISHED
from joulebook.workbook import ROOT, Workbook

PART = "Understand"
CHAPTERS = [child["file"] for part in Workbook().toc["parts"] if part["caption"] == PART for child in part["chapters"]]
GUIDES = sorted([*ROOT.glob("book/chapters/*.md"), *ROOT.glob("book/paths/*.md")])
GLUED = re.compile(r"\{glue:text\}`\.\./\.\./notebooks/(\w+)\.md::(\w+):[^`]+`")
LINKED = re.compile(r"\{doc\}`[^`<]*<\.\./\.\./notebooks/(\w+)>`")


def text_of(chapter):
    return (ROOT / f"{chapter}.md").read_text(encoding="utf-8")


def tokens_of(text):
    """Block tokens of a page, those inside its divs in their place."""
    parser = MarkdownIt("commonmark").enable("table")
    for plugin in (front_matter_plugin, colon_fence_plugin, dollarmath_plugin, myst_role_plugin):
        parser.use(plugin)
    for token in parser.parse(text):
        if token.type == "colon_fence":
            yield from tokens_of(token.content)
        else:
            yield token


def words(text):
    """Words of the prose; what a role writes and code are none."""
    inline = (child for token in tokens_of(text) if token.type == "inline" for child in token.children)
    return sum(len(re.findall(r"[^\W\d_][\w’'-]*", child.content)) for child in inline if child.type == "text")


def sections(text):
    """Items of lists below each heading of the second level, in order."""
    found, level = [], None
    for token in tokens_of(text):
        if token.type == "heading_open":
            level = token.tag
        elif token.type == "heading_close":
            level = None
        elif token.type == "inline" and level == "h2":
            found.append((token.content, []))
        elif token.type == "inline" and found and token.level >= 3:
            found[-1][1].append(token.content)
    return found


@cache
def example(topic):
    return collect(ROOT / "tests" / "reference" / "examples" / f"{topic}.ipynb").known.results


@cache
def published():
    rows = {}
    for file in PUBLISHED:
        with (ROOT / "data" / "published" / file).open(encoding="utf-8", newline="") as opened:
            rows |= {row["id"]: row for row in csv.DictReader(opened)}
    return rows


def quoted(name):
    return float(published()[name]["value"])


def value(topic, name):
    return example(topic)[name]["value"]


# ---- each chapter ----

def test_the_part_has_all_chapters():
    assert sorted(CHAPTERS) == sorted(f"book/chapters/{path.stem}" for path in ROOT.glob("book/chapters/*.md"))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_is_of_a_length(chapter):
    assert 600 <= words(text_of(chapter)) <= 1200


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_ends_in_a_checklist(chapter):
    title, items = sections(text_of(chapter))[-1]
    assert title == "Checklist"
    assert len(items) >= 6
    odd = [item for item in items if not re.fullmatch(r"\*\*[^*]+\?\*\* \*Good:\* [^*]+\. \*Bad:\* [^*]+\.", item)]
    assert odd == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_is_cited(chapter):
    cited = {key for keys in re.findall(r"\{cite\}`([^`]+)`", text_of(chapter)) for key in keys.split(",")}
    known = set(re.findall(r"^@\w+\{(\w+),$", (ROOT / "book" / "references.bib").read_text(encoding="utf-8"), re.MULTILINE))
    assert len(cited) >= 2
    assert cited <= known


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_has_its_figures_from_topics(chapter):
    glued = set(GLUED.findall(text_of(chapter)))
    assert len(glued) >= 2
    assert {(topic, name) for topic, name in glued if name not in definitions()[topic]} == set()
    lacking = [name for topic, name in glued if value(topic, name) is None]
    assert not lacking or "*not available*" in text_of(chapter), lacking


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_quotes_published_figures_by_their_rows(chapter):
    names = {name.partition(":")[0] for name in re.findall(r"\{published\}`([^`]+)`", text_of(chapter))}
    assert names <= set(published())


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_leads_to_topics_and_they_to_it(chapter):
    text, topics = text_of(chapter), set(Workbook().topics)
    assert LINKED.findall(text)
    assert set(LINKED.findall(text)) <= topics
    front = YAML(typ="safe", pure=True).load(re.match(r"---\n(.*?)\n---\n", text, re.DOTALL).group(1))
    assert front["topics"]
    assert set(front["topics"]) <= topics


@pytest.mark.parametrize("topic", Workbook().topics)
def test_a_topic_is_linked_from_a_chapter_or_a_path(topic):
    assert any(topic in LINKED.findall(path.read_text(encoding="utf-8")) for path in GUIDES)


def test_rows_of_published_figures_have_one_name_and_a_source():
    names = []
    for file in PUBLISHED:
        with (ROOT / "data" / "published" / file).open(encoding="utf-8", newline="") as opened:
            rows = list(csv.DictReader(opened))
        names += [row["id"] for row in rows]
        assert [row["id"] for row in rows if not (row["value"] and row["source"] and row["kind"] and row["licence"])] == []
    assert len(names) == len(set(names))


# ---- what is said of numbers in words is true ----

def test_figures_derived_for_chapters():
    """By hand, from the rows that they are derived from and the rules of MLPerf."""
    assert quoted("mlp03_query") == pytest.approx(quoted("mlp03_power") / quoted("mlp03_rate"), rel=1e-4)
    assert quoted("mlp05") == pytest.approx(quoted("mlp05_power") / quoted("mlp05_rate"), rel=1e-4)
    assert quoted("mlt01_wall") == pytest.approx(quoted("mlt01_dc") / quoted("mlt01_eff"), rel=1e-6)
    assert quoted("net03") == pytest.approx(16100 / (16100 + 8 * 5811), rel=1e-3)
    load, idle = quoted("idle03_load"), quoted("idle01_lowest")
    for name, share in (("idle03_fifth", 0.2), ("idle03_twentieth", 0.05)):
        assert quoted(name) == pytest.approx((share * load + (1 - share) * idle) / (share * load), rel=1e-3)


def test_what_the_chapter_on_labels_says():
    assert quoted("mle01") == pytest.approx(quoted("mle01_power") / quoted("mle01_rate"), rel=5e-3)  # "up to rounding"
    assert quoted("mle03") == pytest.approx(quoted("mle03_power") / quoted("mle03_rate"), rel=5e-3)
    assert quoted("mle03_power") / quoted("mle01_power") < 1.5  # "less than half"
    results = "published_results"
    assert value(results, "round_gain_median") < value(results, "scenario_ratio_median") < value(results, "pairs_energy_ratio")


def test_what_the_chapter_on_the_unit_of_work_says():
    assert value("published_results", "heading_ratio") == pytest.approx(quoted("mlp03_query") / quoted("mlp05"), rel=1e-4)
    before = quoted("mlp03_query") / quoted("mlp10_tokens")
    assert value("published_results", "energy_before_j") == pytest.approx(before, rel=1e-4)
    cost = {name: result["value"] for name, result in example("cost_per_token").items() if "value" in result}
    added = sum(cost[f"energy_per_{kind}_token_j"] * cost[f"{kind}_tokens_per_request"] for kind in ("input", "output"))
    assert cost["mix_energy_per_request_j"] == pytest.approx(added, rel=1e-3)
    of_output = added / cost["output_tokens_per_request"]
    assert cost["transfer_ratio"] == pytest.approx(of_output / cost["energy_per_unit_j"], rel=1e-3)


def test_what_the_chapter_on_one_clock_says():
    table = example("metering")["uncertainty_by_source_j"]
    errors = {source: error for source, error, _ in table["rows"]}
    assert min(errors, key=errors.get) == "residual of the clock offset"
    assert max(errors, key=errors.get) == "accuracy of the meter"
    difference = value("metering", "mean_power_energy_j") - value("metering", "energy_j")
    gap = (1 - value("metering", "coverage")) * value("metering", "window_s") * value("metering", "average_power_w")
    assert gap == pytest.approx(difference, rel=0.05)  # "nearly all of the difference is the gap"


def test_what_the_chapter_on_idle_energy_says():
    idle = {name: value("idle_amortization", name) for name in (
        "energy_per_unit_marginal_j", "energy_per_unit_reserved_j", "energy_per_unit_full_j", "power_at_utilization_w",
        "metered_power_w", "allocated_power_w", "unallocated_power_w")}
    share, rate = value("cost_per_token", "utilization_of_year"), quoted("worked1_rate")
    drawn = quoted("worked1_idle") + (quoted("worked1_power") - quoted("worked1_idle")) * share
    assert idle["power_at_utilization_w"] == pytest.approx(drawn)
    assert idle["energy_per_unit_full_j"] == pytest.approx(drawn / (share * rate))
    assert idle["energy_per_unit_marginal_j"] < idle["energy_per_unit_reserved_j"] < idle["energy_per_unit_full_j"]
    assert idle["allocated_power_w"] + idle["unallocated_power_w"] == pytest.approx(idle["metered_power_w"])
    assert 8.5 < quoted("mle03_rate") / quoted("mle01_rate") < 9.5  # "about a ninth"
    assert quoted("mle01_power") / quoted("mle03_power") > 2 / 3  # "did not fall by a third"
    assert quoted("idle01_lowest") < quoted("idle03_load") / 4  # "less than a quarter"


def test_what_the_chapter_on_boundaries_says():
    saved = [value("boundary_ladder", f"saving_at_{rung}_pct") for rung in ("accelerator", "server", "rack", "facility")]
    assert saved[0] > saved[1] > saved[2] > 0
    assert saved[3] is None
    assert value("boundary_ladder", "outside_share_largest") > value("boundary_ladder", "outside_share_smallest")
    assert quoted("net02") < quoted("net03")  # "the larger has the smaller share"


def test_what_the_chapter_on_accuracy_says():
    quality, results = "accuracy_cost", example("accuracy_cost")
    best = results["deployable_energy_per_unit_j"]["value"]
    assert value(quality, "accuracy_price_ratio") == pytest.approx(best / results["looser_energy_per_unit_j"]["value"])
    assert value(quality, "slo_price_ratio") == pytest.approx(best / results["energy_without_slo_j"]["value"])
    assert value(quality, "accuracy_price_ratio") < value(quality, "slo_price_ratio")  # "the smaller of the two"
    assert quoted("mle11") < quoted("slo_H100_30_med") < quoted("mle07")
    assert value(quality, "pairs_last_round_mean") > value(quality, "pairs_first_round_mean")
    assert value(quality, "expected_cost_per_million") < value(quality, "looser_expected_cost_per_million")
    assert value(quality, "paired_samples_needed") < value(quality, "quality_samples_needed")
    target = 99.9  # of the example
    assert value(quality, "quality_lower_pct") < target < results["deployable_quality_pct"]["value"]


def test_what_the_chapter_on_a_facility_says():
    site = {name: value("portfolio", name) for name in (
        "average_power_kw", "coincident_peak_kw", "sum_of_peaks_kw", "connection_usable_kw", "connection_left_kw",
        "peak_last_year_kw", "total_energy_ratio", "rebound_share")}
    assert site["average_power_kw"] < site["coincident_peak_kw"] < site["sum_of_peaks_kw"]
    assert site["connection_left_kw"] == pytest.approx(site["connection_usable_kw"] - site["coincident_peak_kw"])
    assert site["peak_last_year_kw"] > site["connection_usable_kw"]
    assert 1 - (1 - site["total_energy_ratio"]) / 0.5 == pytest.approx(site["rebound_share"])  # "half the energy a unit"
    assert quoted("node01_peak") < quoted("node01_rated")
    assert value("benchmark_match", "energy_bound") == "lower bound"
    assert value("boundary_ladder", "saving_equal_time_pct") < value("boundary_ladder", "saving_equal_work_pct")


def test_what_the_chapter_on_time_and_place_says():
    first, last = value("cost_per_token", "cost_per_million"), value("cost_per_token", "cost_per_million_billed")
    assert last > 2 * first
    assert quoted("tar1_CA_commercial") > 2 * quoted("tar1_VA_commercial")
    carbon = {name: record["value"] for name, record in example("carbon").items() if "value" in record}
    assert carbon["shift_saved_marginal_g"] > 0 > carbon["shift_saved_average_g"]
    moved = {basis: quoted(f"ci_europe-west9_{basis}") / quoted(f"ci_us-east-1_{basis}") for basis in ("average", "marginal")}
    assert moved["average"] < 0.05  # "nearly all"
    assert 2 / 3 < moved["marginal"] < 1  # "less than a third"
    rows = example("carbon")["shift_by_series"]["rows"]
    now, _, saved, by_average = next(row[1:5] for row in rows if row[0].startswith("marginal"))
    assert now - by_average < saved / 2  # "most of the saving by the other is missed"
    reasons = [row[6] for row in example("carbon")["region_moves"]["rows"]]
    assert any("latency" in reason for reason in reasons)
    assert any("list" in reason for reason in reasons)


def test_what_the_chapter_on_keeping_says():
    assert quoted("long1_before") / quoted("long1_after") == pytest.approx(5 / 3, rel=1e-3)  # "by two thirds"
    assert value("published_results", "round_gain_lowest") < 1 < value("published_results", "round_gain_median")
    assert value("generations", "verified_saving") < value("generations", "promised_saving")
    assert value("benchmark_match", "repeats_by_z") < value("benchmark_match", "repeats_needed")


def test_what_the_chapter_on_limits_says():
    requests = {name: record["value"] for name, record in example("how_others_count").items() if "value" in record}
    named = [requests[f"{other}_request_j"] for other in ("codecarbon", "inferencex", "cloud_carbon", "ecologits")]
    assert min(named) == requests["codecarbon_request_j"]
    assert max(named) == requests["inferencex_request_j"]
    assert requests["cloud_carbon_request_j"] == pytest.approx(requests["request_energy_j"], rel=0.02)  # "the one that agrees"
    assert value("verdict", "hurdle_probability") == 1
    assert value("sensitivity", "probability_holds") < 0.5
    assert value("sensitivity", "energy_lever_ratio") > 0.9  # "hardly anything"
    assert value("sensitivity", "throughput_lever_ratio") < 0.5  # "most of the cost"
