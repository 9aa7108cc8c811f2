"""What an MLPerf result gives a client: its figures, its labels, and what does not fit them."""

from dataclasses import dataclass, field

import pytest

from joulebook.intake.mlperf.tree import Skipped
from joulebook.intake.mlperf.validity.check import Check
from joulebook.results import Labels
from joulebook.workbook import ROOT

SAMPLE = ROOT.parent / "shared/mlperf/samples/v5.1/Lenovo/SR780a_V3_B200SXMx8_TRT/stable-diffusion-xl/Server"


@dataclass
class Result:
    """What `joulebook.intake.mlperf` gives for a result."""

    throughput_per_s: float | None = 50.0
    avg_power_w: float = 5000.0
    unit_of_work: str = "query"
    power_begin: str = "03-15-2021 22:16:05.906"
    validity: str | None = "VALID"
    uncertainty_pct: float | None = None
    uncertainty_source: str | None = None
    broken: list = field(default_factory=list)
    files: dict = field(default_factory=lambda: {"performance/run_1/spl.txt": "ab12"})

    def labels(self):
        return Labels("llama2-70b", self.unit_of_work, "99 % of reference", "Server", "performance run", "server")

    def failed(self):
        return self.broken

    def source_text(self):
        return "MLPerf Inference v4.1, closed, Acme, box, llama2-70b-99, Server"


MLPERF = """\
client: Acme
prepared: 2026-11-30
currency: EUR
topics: [cost_per_token]
mlperf: result
labels:
  workload: llama2-70b
inputs:
  electricity_price_per_kwh: 0.12
  pue: 1.3
"""
TOKENS = MLPERF.replace("labels:", "labels:\n  unit_of_work: output_token")
FACTOR = TOKENS.replace("mlperf: result", "mlperf: {path: result, unit_of_work_factor: 294.45}")


def mlperf(text):
    return MLPERF.replace("mlperf: result", text)


def factor(text):
    return FACTOR.replace("294.45", text)


@pytest.fixture
def results(monkeypatch):
    found = [Result()]
    skipped = [Skipped("x", "a run without power")]
    monkeypatch.setattr("joulebook.intake.mlperf.find_results", lambda paths, *_: (found, skipped, []))
    return found


def test_a_run_that_calls_itself_invalid_is_refused(refusal, results):
    results[0].validity = "INVALID"
    assert "mlperf" in refusal(MLPERF)
    assert "INVALID" in refusal(MLPERF)


def test_an_mlperf_result_gives_throughput_power_and_labels(read, results):
    client = read(MLPERF)
    inputs = client.inputs["cost_per_token"]
    assert client.labels == Result().labels()
    assert inputs["throughput_per_s"].value == 50.0
    assert inputs["active_power_w"].value == 5000.0
    for name in ("throughput_per_s", "active_power_w"):
        assert (inputs[name].evidence, inputs[name].as_of) == ("measured", "2021-03-15")
        assert inputs[name].source.startswith(Result().source_text())
    assert client.sources["mlperf/performance/run_1/spl.txt"] == "ab12"


def test_the_meter_s_limit_of_error_is_the_range_of_the_power(read, results):
    # hand: 1 % of 5000 W is 50 W
    results[0].uncertainty_pct, results[0].uncertainty_source = 1.0, "the rule's limit of 1 %, checked by the power daemon"
    inputs = read(MLPERF).inputs["cost_per_token"]
    power = inputs["active_power_w"]
    assert (power.value, power.low, power.high, power.range_is, power.evidence) == (5000.0, 4950.0, 5050.0, "limits", "measured")
    assert power.source == (f"{Result().source_text()}; limit of error 1 % of the reading: the rule's limit of 1 %, checked by "
                            "the power daemon")
    assert (inputs["throughput_per_s"].low, inputs["throughput_per_s"].source) == (None, Result().source_text())


def test_a_broken_rule_is_said_beside_every_figure(read, results):
    results[0].broken = [Check("gaps", "fail", "longest gap 3.111 s"), Check("uncertainty", "fail", "up to 1.45 %" + 1000 * "x")]
    for name in ("throughput_per_s", "active_power_w"):
        source = read(MLPERF).inputs["cost_per_token"][name].source
        assert "warning, rules of the submission not kept: gaps (longest gap 3.111 s); uncertainty (up to 1.45 %" in source
        assert len(source) <= 1000


def test_a_meter_in_local_time_is_declared(read, monkeypatch):
    asked = []
    monkeypatch.setattr("joulebook.intake.mlperf.find_results", lambda paths, *how: asked.append(how) or ([Result()], [], []))
    read(mlperf("mlperf: {path: result, meter_clock: local}"))
    read(MLPERF)
    assert asked == [(True, "local"), (True, "logged")]


def test_a_result_without_a_date(read, results):
    results[0].power_begin = None  # as of Tiny
    assert read(MLPERF).inputs["cost_per_token"]["active_power_w"].as_of is None


def test_units_of_work_are_converted_by_an_explicit_factor_only(read, refusal, results):
    # method, rule 2: 294.45 output tokens per query of the published llama2-70b Server row
    client = read(FACTOR)
    assert client.inputs["cost_per_token"]["throughput_per_s"].value == pytest.approx(50.0 * 294.45)  # hand
    assert client.labels.unit_of_work == "output_token"
    assert client.inputs["cost_per_token"]["throughput_per_s"].evidence == "modelled"  # the factor is no measurement
    assert client.inputs["cost_per_token"]["active_power_w"].evidence == "measured"
    message = refusal(TOKENS)
    assert "labels.unit_of_work: units of work mixed without a factor: query of the MLPerf result and output_token" in message


@pytest.mark.parametrize(("text", "words"), [
    (MLPERF.replace("inputs:", "inputs:\n  active_power_w: 5 kW"), ["inputs.active_power_w: given twice", "client.yml:9:"]),
    (MLPERF + "topic_inputs:\n  cost_per_token:\n    throughput_per_s: 5\n", ["cost_per_token.throughput_per_s: given twice"]),
    (MLPERF.replace("llama2-70b", "gptj"), ["labels.workload: differs from the label of the MLPerf result", "llama2-70b"]),
    (MLPERF.replace("workload: llama2-70b", "scenario: Offline"), ["labels.scenario: differs"]),
    (mlperf("mlperf: {path: result, unit_of_work_factor: 2}"), ["unit_of_work_factor: a factor where nothing is converted"]),
    (factor("0"), ["mlperf.unit_of_work_factor: no factor"]),
    (factor(".nan"), ["mlperf.unit_of_work_factor: no factor"]),
    (factor("true"), ["mlperf.unit_of_work_factor: no factor"]),
    (factor("two"), ["mlperf.unit_of_work_factor: no factor"]),
    (factor(""), ["mlperf.unit_of_work_factor: no factor"]),
    (factor("22:30"), ["mlperf.unit_of_work_factor: a clock time"]),
    (mlperf("mlperf: {path: result, meter_clock: noon}"), ["mlperf.meter_clock: no clock", "allowed: logged or local"]),
    (mlperf("mlperf: {path: result, meter_clock: []}"), ["mlperf.meter_clock: no clock"]),
    (mlperf("mlperf: {pth: result}"), ["mlperf.pth: unknown key", "did you mean path?"]),
    (mlperf("mlperf: 5"), ["mlperf: a single value"]),
    (mlperf("mlperf:"), ["mlperf: empty"]),
    (MLPERF.replace("2026-11-30", "2021-03-14"), ["mlperf.throughput_per_s: after the day"]),
])
def test_what_does_not_fit_an_mlperf_result(refusal, results, text, words):
    message = refusal(text)
    assert all(word in message for word in words), message


@pytest.mark.parametrize(("count", "words"), [(0, "0 MLPerf results where one is due; skipped x: a run without power"),
                                              (2, "2 MLPerf results where one is due")])
def test_one_result_is_due(refusal, results, count, words):
    results[:] = [Result()] * count
    message = refusal(MLPERF)
    assert f"client.yml:5: mlperf.path: {words}" in message
    assert "missing" not in message  # nothing follows from what could not be read


def test_a_result_without_throughput(refusal, results):
    results[:] = [Result(throughput_per_s=None)]
    assert "mlperf.path: the MLPerf result has no throughput" in refusal(MLPERF)


def test_a_result_that_is_not_there(refusal):
    assert "no such file or folder" in refusal(MLPERF)


@pytest.mark.skipif(not SAMPLE.exists(), reason="the folder of real MLPerf logs is not here")
def test_a_real_result_gives_its_published_figures(read):
    # published: MLPerf Inference v5.1, closed, Lenovo, SDXL, Server: 28.4637 queries/s at 9437.6092257002 W
    client = read(MLPERF.replace("mlperf: result", f"mlperf: {SAMPLE}").replace("llama2-70b", "stable-diffusion-xl"))
    inputs = client.inputs["cost_per_token"]
    assert inputs["throughput_per_s"].value == pytest.approx(28.4637, rel=1e-9)
    assert inputs["active_power_w"].value == pytest.approx(9437.6092257002, rel=1e-9)
    # published: MLPerf's rules for power, at most 1.00 % under load; hand: 9437.609 x 0.99 and x 1.01
    power = inputs["active_power_w"]
    assert (power.low, power.high) == (pytest.approx(9343.233, rel=1e-6), pytest.approx(9531.985, rel=1e-6))
    assert (power.range_is, power.evidence) == ("limits", "measured")
    assert inputs["throughput_per_s"].low is None
    assert "limit of error 1 % of the reading: the rule's limit of 1 %, checked by the power daemon" in power.source
    assert (client.labels.unit_of_work, client.labels.scenario, client.labels.boundary) == ("query", "Server", "server")
