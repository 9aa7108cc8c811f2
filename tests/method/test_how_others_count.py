"""One request by many accountings. Expected values: hand arithmetic, shown, unless a published figure is named."""

import csv

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from joulebook.dictionary import definitions, of_topic
from joulebook.inputs import Given, Input
from joulebook.intake.tables import read_table
from joulebook.method import how_others_count as m
from joulebook.method.accountings import cloud_carbon, codecarbon, ecologits, inferencex, measured
from joulebook.method.accountings.carbon import request_carbon
from joulebook.method.accountings.example import worked_example
from joulebook.method.accountings.figures import NEEDED, figure_values
from joulebook.method.accountings.parts import PARTS
from joulebook.method.accountings.steps import steps
from joulebook.method.study import Study
from joulebook.results import Labels
from joulebook.workbook import ROOT
from tests.conftest import SHARED

TOPIC = "how_others_count"
FILE = ROOT / "data" / "published" / "figures.csv"
FIGURES = read_table("published_figures_csv", FILE)
OF = figure_values(FIGURES)
OTHERS = (ecologits.counted, inferencex.counted, cloud_carbon.counted, codecarbon.counted)


@pytest.fixture(scope="module")
def study():
    item = Input("data/published/figures.csv", evidence="published", source="as each row")
    facts = Given(TOPIC, {"published_figures_csv": item}, {"published_figures_csv": FIGURES}, Labels(unit_of_work="query"),
                  of_topic(TOPIC), definitions()[TOPIC])  # fmt: skip
    return Study(facts).run_all(m.CALCULATIONS)


def value(study, name):
    return study.results[name].value


def rows_of(study, name):
    heads = [head for head, _ in study.results[name]["columns"]]
    return [dict(zip(heads, row, strict=True)) for row in study.results[name]["rows"]]


def test_ecologits_by_its_published_constants(study):
    # published (figures eco1): 0.2389 Wh at PUE 1.09; accelerators 0.12862 Wh, server 0.09056 Wh, 34.77 s, 1.158 J per token
    parts = ecologits.counted(OF).parts
    assert value(study, "ecologits_request_wh") == pytest.approx(0.2389, abs=5e-5)
    assert parts["accelerator"] / 3600 == pytest.approx(0.12862, abs=5e-6)
    assert parts["host"] / 3600 == pytest.approx(0.09056, abs=5e-6)
    assert value(study, "ecologits_latency_s") == pytest.approx(34.77, abs=5e-3)
    assert value(study, "token_fitted_j") == pytest.approx(1.158, abs=5e-4)
    assert value(study, "ecologits_accelerators") == 4


def test_inferencex_by_its_published_constants(study):
    # published (figures ix_chk): 0.3611 USD per million, 1.73 J, 578035 tokens/s of a megawatt
    assert inferencex.cost_per_million(1.3, 1000) == pytest.approx(0.3611, abs=5e-5)
    assert inferencex.rate_per_megawatt(1.73, 1000) == pytest.approx(578035, abs=0.5)
    # hand: 1.73 kW x 4 accelerators / 2511 per second x 400 tokens
    assert value(study, "inferencex_request_j") == pytest.approx(1730 * 4 / 2511 * 400)


def test_cloud_carbon_by_its_published_constants(study):
    # hand: an A100 of 400 W has 46 and 407 W, so an H100 of 700 W has 80.5 and 712.25 W; 4 of them for 400/2511 s with work and,
    # at 50 %, as long without; PUE 1.135
    busy = 400 / 2511
    assert value(study, "cloud_carbon_request_j") == pytest.approx((4 * 712.25 * busy + 4 * 80.5 * busy) * 1.135)
    # analytic: the average power over all hours, per unit of work at that utilization, is the same energy
    least, most = cloud_carbon.accelerator_watts(OF)
    whole = 4 * cloud_carbon.average_w(least, most, 0.5) * 400 / (0.5 * 2511) * 1.135
    assert value(study, "cloud_carbon_request_j") == pytest.approx(whole, rel=1e-12)


def test_codecarbon_by_its_published_defaults(study):
    # hand: 2002 W sampled; two processors of 350 W at half, 16 modules of 128 GB at 20 + 18 + 32 = 70 W, half of the machine
    assert value(study, "codecarbon_request_j") == pytest.approx((2002 + (350 + 70) / 2) * 400 / 2511)


@pytest.mark.parametrize(("memory_gb", "power_w"), [(128, 5), (512, 20), (1024, 38), (2048, 70), (4096, 126), (9999, 126)])
def test_memory_of_codecarbon_tapers(memory_gb, power_w):
    # hand: the first four modules 5 W each, four of 4.5 W, eight of 4 W, sixteen of 3.5 W, and no more
    assert codecarbon.memory_power_w({**OF, "host_memory": memory_gb}) == pytest.approx(power_w)


def test_request_at_the_measured_point(study):
    # hand: 2002 W for 400/2511 s; the host 0.06/0.1392 of it; 20 % of 10.2 kW for half a machine waits 0.25 s a second of work
    busy = 400 / 2511
    server = 2002 * busy * (1 + 0.06 / 0.1392) + 0.2 * 10200 / 2 * 0.25 * busy
    least = 400 * 4 / 1e9 * 0.001 * 3.6e6  # of the answer, 0.00576 J
    share = (least / (server + least) + 0.1197) / 2
    assert value(study, "request_energy_j") == pytest.approx(server / (1 - share) * 1.09)
    assert value(study, "request_surveyed_j") == pytest.approx(server / (1 - share) * 1.54)
    assert value(study, "request_machine_s") == pytest.approx(busy / 0.8)
    assert value(study, "token_measured_j") == pytest.approx(0.7972, abs=2e-4)  # published: mle09
    result = study.results["request_energy_j"]
    assert result.low < result.value < result.high
    assert result.evidence == "assumed"  # the share of the network
    assert study.results["request_accelerator_j"].evidence == "published"


def test_energy_grows_from_watts_that_the_range_names():
    # hand: 1200 W of 8 accelerators for 4 of them; 8400 - 8 x 700 W for half a machine
    assert measured.host_limits_w(OF) == pytest.approx((600, 1400))


@pytest.mark.parametrize("count", OTHERS)
def test_steps_add_up_to_the_difference(count):
    other, own = count(OF), measured.measured(OF)
    between = np.nansum([energy for _, energy, _ in steps(other, own, OF)])
    assert other.total_j + between == pytest.approx(own.counted.total_j, rel=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(set(NEEDED) - {"net02", "eco_energy_beta"})), st.floats(1, 1.2), max_size=12))
def test_steps_add_up_whatever_the_figures(factors):
    of = {**OF, **{name: OF[name] * factor for name, factor in factors.items()}}
    of["idle05_engaged_high"] = min(of["idle05_engaged_high"], 1.0)
    own = measured.measured(of)
    for count in OTHERS:
        other = count(of)
        assert other.total_j + np.nansum([step[1] for step in steps(other, own, of)]) == pytest.approx(own.counted.total_j)
        if other.parts:
            assert sum(other.parts.values()) == pytest.approx(other.total_j)


def test_steps_add_up_in_every_draw():
    drawn = m.request_energy(FIGURES, np.random.default_rng(1))
    table = drawn["request_steps"]
    for name, total in (("EcoLogits", "ecologits_request_j"), ("CodeCarbon", "codecarbon_request_j")):
        own = [place for place, row in enumerate(table["accounting | "]) if row == name]
        assert drawn[total] + np.nansum(table["energy | J"][:, own], axis=1) == pytest.approx(drawn["request_energy_j"])


def test_table_of_steps_is_that_of_the_results(study):
    totals = {row["accounting"]: row["total"] for row in rows_of(study, "request_parts")}
    for name in ("EcoLogits", "InferenceX", "Cloud Carbon Footprint", "CodeCarbon"):
        own = [row["energy"] for row in rows_of(study, "request_steps") if row["accounting"] == name]
        assert totals[name] + sum(filter(None, own)) == pytest.approx(totals["This workbook"], rel=1e-12)
    embodied = [row for row in rows_of(study, "request_steps") if row["step"] == "embodied"]
    assert [row["energy"] for row in embodied] == [None]


def test_what_an_accounting_does_not_count_is_never_zero(study):
    for row in rows_of(study, "request_parts"):
        cells = [row[part] for part in PARTS]
        assert 0 not in cells
        assert (None in cells) == bool(row["not_counted"]), row["accounting"]
    for name, result in study.results.items():
        if not isinstance(result, dict) and result.value is None:
            assert name == "sci_request_j"
            assert result.note
    for name in ("worked_example", "request_carbon"):
        assert all(row["what"] for row in rows_of(study, name))


def test_labels_are_those_of_the_request_whatever_the_client_does():
    item = Input("data/published/figures.csv", evidence="published", source="as each row")
    own = Labels(workload="pictures", unit_of_work="sample", quality="of the client", scenario="SingleStream", window="a day",
                 boundary="accelerator")  # fmt: skip
    facts = Given(TOPIC, {"published_figures_csv": item}, {"published_figures_csv": FIGURES}, own, of_topic(TOPIC),
                  definitions()[TOPIC])  # fmt: skip
    for name, result in Study(facts).run_all(m.CALCULATIONS).results.items():
        if not isinstance(result, dict):
            said = vars(result.labels)
            kept = {label for label, words in vars(own).items() if said[label] == words}
            assert kept <= ({"boundary"} if definitions()[TOPIC][name].boundary == "accelerator" else set()), name


def test_a_pue_that_is_set_is_counted():
    # hand: 1.2 times the same energy
    plain, cooled = codecarbon.counted(OF), codecarbon.counted({**OF, "cc_pue": 1.2})
    assert "overhead" not in plain.parts
    assert cooled.total_j == pytest.approx(1.2 * plain.total_j)


def test_worked_example(study):
    # published: section 5 of the method. 0.2 J, 1.3 x 0.2 J, 0.00866667 per million
    assert value(study, "example_energy_j") == pytest.approx(0.2)
    assert value(study, "example_facility_j") == pytest.approx(0.26)
    assert value(study, "example_cost_per_million") == pytest.approx(0.00866667, rel=1e-6)
    # hand: 1730 W / 5000 per second; 1.30 per hour / 18 million
    assert value(study, "example_provisioned_j") == pytest.approx(0.346)
    assert value(study, "example_hour_per_million") == pytest.approx(1.3 / 18)
    rows = {row["accounting"]: row for row in rows_of(study, "worked_example")}
    # hand: (400 + 0.5 x 600) W / 2500 per second = 0.28 J, as topic 3 says at a quarter less load; x 1.3
    assert rows["Cloud Carbon Footprint, its default"]["facility"] == pytest.approx(0.364)
    assert rows["CodeCarbon, its default"]["facility"] is None
    assert rows["EcoLogits"]["equipment"] is rows["SCI specification"]["equipment"] is None


def test_carbon_of_the_request(study):
    # hand: 0.2389 Wh x 383.55 g/kWh; (4 x 164 + 5700/2) kg over 3 years, for 34.77 s shared by 64
    assert value(study, "ecologits_usage_g") == pytest.approx(0.2389e-3 * 383.55, rel=2e-4)
    assert value(study, "ecologits_embodied_g") == pytest.approx(3506e3 * 34.77 / 64 / (3 * 8760 * 3600), rel=2e-4)
    assert value(study, "request_embodied_g") == pytest.approx(3506e3 * 400 / 2511 / 0.8 / (3 * 8760 * 3600))
    assert value(study, "sci_request_g") == pytest.approx(value(study, "request_usage_g") + value(study, "request_embodied_g"))
    assert value(study, "sci_per_million_g") == pytest.approx(130)  # published: 6500 kg over 50e9 tokens


def test_known_figures_are_reproduced(study):
    assert value(study, "checks_reproduced") == value(study, "checks_counted") == 6


def test_a_wrong_constant_is_not_reproduced():
    wrong = FIGURES.assign(value=FIGURES["value"].where(FIGURES["id"] != "eco_batch", 32.0))
    outcome = m.request_energy(wrong)
    checks = m.formula_checks(wrong, outcome["ecologits_request_j"], worked_example(wrong)["example_cost_per_million"])
    assert checks["checks_reproduced"] == 5


def test_energy_by_batch(study):
    rows = rows_of(study, "energy_by_batch")
    # published: mle07 to mle11
    points = [(8, 3.7587), (16, 2.091), (64, 0.7972), (256, 0.479), (1024, 0.3731)]
    assert [(row["batch"], row["measured"]) for row in rows] == points
    # hand: far beyond the points that it was made of, the fit is its constant: 4 x 4.052928e-5 Wh
    assert ecologits.token_energy_j(OF, 1e6) == pytest.approx(4 * 4.052928146734005e-05 * 3600)


def test_figures_of_other_work_keep_their_units(study):
    rows = rows_of(study, "published_beside")
    assert len({row["unit"] for row in rows}) > 3
    assert next(row for row in rows if row["value_low"] is not None)["value"] == 0.34  # published: msft1


def test_usage_follows_energy_in_every_draw():
    drawn = m.request_energy(FIGURES, np.random.default_rng(1))
    carbon = request_carbon(FIGURES, *(drawn[name] for name in ("request_energy_j", "request_machine_s", "ecologits_request_j",
                                                               "cloud_carbon_request_j", "codecarbon_request_j")))  # fmt: skip
    # hand: 383.55 g of 3.6e6 J
    assert carbon["request_usage_g"] == pytest.approx(drawn["request_energy_j"] * 383.55 / 3.6e6)


def test_carried_figures_are_those_of_their_source():
    if not (SHARED / "figures.csv").exists():
        pytest.skip("the collection of figures that these rows were read from is not here")
    with (SHARED / "figures.csv").open(encoding="utf-8", newline="") as file:
        known = {row["id"]: row["value"] for row in csv.DictReader(file)}
    for name, number in OF.items():
        if name in known:
            assert float(known[name].split(" ")[0]) == number, name
