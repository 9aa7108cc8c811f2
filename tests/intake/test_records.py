"""Records of a client: what will be run, and what is known of a benchmark's result."""

import json

import jupytext
import pytest

from joulebook.dictionary import of_topic
from joulebook.errors import InputError
from joulebook.intake.client import client_record, read_client
from joulebook.intake.notebook import inputs
from joulebook.intake.records import RECORDS, check_record
from joulebook.method.matching.fields import compare
from joulebook.publish import execute
from joulebook.workbook import ROOT

from ..conftest import SHARED

HEAD = "client: Acme\nprepared: 2026-11-30\ncurrency: EUR\ntopics: [benchmark_match]\n"
DEPLOYMENT = "deployment: {model: llama2-70b, scenario: Server, unit_of_work: output_token}\n"
ROW = """\
disclosure:
  published: {round: v5.1, submitter: Lenovo, system: SR680a_V3_B200SXMx8_TRT, benchmark: llama2-70b-99.9, scenario: Server}
"""


@pytest.fixture
def acme(tmp_path):
    def write(text, head=HEAD):
        folder = tmp_path / "acme"
        folder.mkdir(exist_ok=True)
        (folder / "client.yml").write_text(head + text, encoding="utf-8")
        return folder

    return write


def refusal(folder, **how):
    with pytest.raises(InputError) as caught:
        read_client(folder, **how)
    return str(caught.value)


def test_a_deployment_is_an_input_of_plain_fields(acme):
    client = read_client(acme(DEPLOYMENT.replace("}", ", evidence: quoted, source: the plan, as_of: 2026-11-01}")))
    item = client.inputs["benchmark_match"]["deployment"]
    assert item.value == {"model": "llama2-70b", "scenario": "Server", "unit_of_work": "output_token"}
    assert (item.evidence, item.source, item.as_of) == ("quoted", "the plan", "2026-11-01")
    assert "disclosure" not in client.inputs["benchmark_match"]
    assert json.loads(json.dumps(client_record(client)))["topics"]["benchmark_match"]["deployment"]["value"] == item.value


def test_a_client_with_a_deployment_and_no_list_of_topics_means_the_match(acme):
    assert "benchmark_match" in read_client(acme(DEPLOYMENT, HEAD.replace("topics: [benchmark_match]\n", ""))).topics


def test_a_published_row_discloses_what_it_says_and_what_the_rules_fix(acme):
    # published: data/mlperf_power/published_closed.csv, the row of this system, retrieved 2026-11-30
    client = read_client(acme(DEPLOYMENT + ROW))
    item = client.inputs["benchmark_match"]["disclosure"]
    assert item.value == {
        "model": "llama2-70b", "scenario": "Server", "unit_of_work": "output_token", "quality_target_pct": 99.9,
        "quality_is": "of_reference", "boundary": "server", "cooling_included": "no", "accelerator": "NVIDIA B200-SXM-180GB",
        "accelerators_per_node": 8, "nodes": 1, "stack": "tuned", "suite": "MLPerf Inference", "round": "v5.1",
        "division": "closed", "submitter": "Lenovo", "system": "SR680a_V3_B200SXMx8_TRT", "benchmark": "llama2-70b-99.9",
        "metric": "99203.9 Tokens/s, 10434.7 W (system power)",
        "location": "github.com/mlcommons/inference_results_v5.1, "
                    "closed/Lenovo/results/SR680a_V3_B200SXMx8_TRT/llama2-70b-99.9/Server",
        "retrieved": "2026-11-30"}  # fmt: skip
    assert item.evidence == "published"
    assert "MLPerf Inference v5.1, closed, llama2-70b-99.9, Server" in item.source
    assert "data/mlperf_power/published_closed.csv" in client.sources


def test_typed_fields_complete_a_row_and_the_evidence_is_the_weakest(acme):
    more = "  precision: fp4\n  software: TensorRT 10\n"
    item = read_client(acme(DEPLOYMENT + ROW + more)).inputs["benchmark_match"]["disclosure"]
    assert (item.value["precision"], item.value["round"], item.evidence) == ("fp4", "v5.1", "assumed")
    quoted = more + "  evidence: published\n  source: description of the system\n"
    item = read_client(acme(DEPLOYMENT + ROW + quoted)).inputs["benchmark_match"]["disclosure"]
    assert item.evidence == "published"
    assert item.source.endswith("; description of the system")


def test_what_nobody_would_believe_is_confirmed_for_the_record(acme):
    text = "deployment: {model: x, tolerance_share: 1e-5, as_of: 2026-10-01, expires: 2026-10-31, plausible: confirmed}\n"
    item = read_client(acme(text)).inputs["benchmark_match"]["deployment"]
    assert item.value == {"model": "x", "tolerance_share": 1e-5}
    assert item.plausible.startswith("not plausible, and confirmed: tolerance of two numbers: 1e-05")
    assert (item.expires, item.expired) == ("2026-10-31", True)


def test_a_source_stays_as_long_as_a_notebook_takes_it(acme):
    client = read_client(acme(f"{DEPLOYMENT}{ROW}  network: x\n  source: {'long ' * 180}end\n"))
    item = client.inputs["benchmark_match"]["disclosure"]
    assert item.source.endswith(" ...")
    assert len(item.source) == 1000
    cell = {**dict.fromkeys(of_topic("benchmark_match")), "deployment": {"model": "x"}, "disclosure": item.value, "labels": {}}
    assert inputs("benchmark_match", cell, {"disclosure": item.as_dict()}).inputs["disclosure"].source == item.source


def test_one_query_at_a_time_is_known_by_the_rules(acme):
    text = ROW.replace("llama2-70b-99.9", "resnet50").replace("Lenovo", "NVIDIA").replace("v5.1", "v3.0")
    text = text.replace("SR680a_V3_B200SXMx8_TRT", "Orin_TRT_MaxQ").replace("scenario: Server", "scenario: MultiStream")
    item = read_client(acme(DEPLOYMENT + text)).inputs["benchmark_match"]["disclosure"]
    known = {name: item.value[name] for name in ("model", "batch_size", "concurrency", "unit_of_work")}
    assert known == {"model": "resnet50", "batch_size": 8, "concurrency": 1, "unit_of_work": "sample"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("deployment:\n  scenaro: Server\n", ["client.yml:6", "deployment.scenaro: unknown field", "did you mean scenario?"]),
        ("deployment:\n  scenario: Sever\n", ["client.yml:6: deployment.scenario", "did you mean Server?"]),
        ("deployment: {batch_size: eight}\n", ["deployment.batch_size: text where a number is due"]),
        ("deployment: {nodes: 1.5}\n", ["deployment.nodes: not a whole number"]),
        ("deployment: {nodes: 0}\n", ["deployment.nodes: out of limits"]),
        ("deployment: {nodes: true}\n", ["deployment.nodes: not a number"]),
        ("deployment: {nodes: }\n", ["deployment.nodes: empty: no value"]),
        ("deployment: {quality_target_pct: 101}\n", ["out of limits"]),
        ("deployment: {software: \"a\\u0000b\"}\n", ["control character"]),
        ("deployment: {boundary: facility, cooling_included: no}\n", ["the facility without its cooling"]),
        ("deployment: {published: {round: v5.1}, nodes: 1}\n", ["deployment.published: unknown field"]),
        ("deployment: {nodes: 1, evidence: measured}\n", ["deployment.source: measured, but without its source"]),
        ("deployment: {nodes: 1, as_of: 2027-01-01}\n", ["after the day on which the client's file was prepared"]),
        ("deployment: {}\n", ["deployment: nothing in it"]),
        ("deployment: {source: me}\n", ["deployment: nothing in it"]),
        ("deployment:\n", ["client.yml:5: deployment: empty"]),
        ("deployment: 3\n", ["deployment: a single value where a mapping"]),
        ("deploymnt: {nodes: 1}\n", ["unknown key", "did you mean deployment?"]),
        ("", ["deployment: missing: benchmark_match needs it"]),
        (DEPLOYMENT + ROW.replace("Lenovo,", "Lenvo,"), ["published.submitter: no such published result", "mean Lenovo?"]),
        (DEPLOYMENT + ROW.replace("Server", "Offlin"), ["disclosure.published.scenario", "did you mean Offline?"]),
        (DEPLOYMENT + ROW.replace("llama2-70b-99.9", "bert-99"), ["disclosure.published.benchmark: no such published result"]),
        (DEPLOYMENT + ROW.replace("round: v5.1, ", ""), ["disclosure.published.round: missing"]),
        (DEPLOYMENT + ROW.replace("round:", "rond:"), ["published.rond: unknown field", "did you mean round?"]),
        ("deployment:\n  nodes: 1\n  tolerance_share: 1e-5\n",
         ["client.yml:7: deployment.tolerance_share: not plausible", "found 1e-05; allowed: at least 0.001"]),
        ("deployment: {nodes: 1, plausible: yes}\n", ["deployment.plausible: no such choice", "allowed: confirmed"]),
        (DEPLOYMENT + ROW + "  as_of: 2026-10-01\n", ["client.yml:8: disclosure.as_of: said of typed fields"]),
        (DEPLOYMENT + ROW + "  nodes: 2\n", ["client.yml:8: disclosure.nodes: differs from what the result says", "allowed: 1"]),
    ],
)  # fmt: skip
def test_each_fault_is_named(acme, text, words):
    message = refusal(acme(text))
    assert all(word in message for word in words), message
    assert len(message.splitlines()) == 1, message


def test_all_faults_are_told_at_once(acme):
    message = refusal(acme("deployment: {scenaro: Server, nodes: 0}\ndisclosure: {precison: fp8, boundary: sever}\n"))
    told = ("deployment.scenaro", "deployment.nodes", "disclosure.precison", "disclosure.boundary")
    assert all(word in message for word in told)


def test_no_setting_and_no_input_among_others(acme):
    assert "given once" in refusal(acme(DEPLOYMENT), settings=["deployment=1"])
    assert "deployment at the top of client.yml" in refusal(acme(DEPLOYMENT + "inputs: {deployment: 3}\n"))


def test_every_field_that_is_compared_may_be_given():
    every = {name: set(shape.model_fields) for name, shape in RECORDS.items()}

    class Asked(dict):
        def get(self, name, default=None):
            asked.add(name)
            return default

    for place, name in enumerate(("deployment", "disclosure")):
        asked = set()
        sides = [{}, {}]
        sides[place] = Asked()
        compare(*sides)
        assert asked <= every[name]


def test_a_notebook_takes_the_fields_and_keeps_their_origin():
    fields = {"model": "llama2-70b", "nodes": 2}
    record = {"value": fields, "source": "the plan", "evidence": "quoted"}
    cell = {**dict.fromkeys(of_topic("benchmark_match")), "deployment": fields, "labels": {}}
    item = inputs("benchmark_match", cell, {"deployment": record}).inputs["deployment"]
    assert (item.value, item.source, item.evidence) == (fields, "the plan", "quoted")
    by_hand = inputs("benchmark_match", {**cell, "deployment": {**fields, "nodes": 1}}, {"deployment": record})
    assert by_hand.inputs["deployment"].source == "given by hand"
    with pytest.raises(InputError, match=r"parameters cell: deployment.nods: unknown field"):
        inputs("benchmark_match", {**cell, "deployment": {"nods": 1}}, {})
    with pytest.raises(InputError, match=r"parameters cell: deployment.nodes: more digits than a number keeps"):
        inputs("benchmark_match", {**cell, "deployment": {"nodes": 10**400}}, {})


def test_a_record_can_be_written_into_a_parameters_cell():
    made = check_record("deployment", {"software": "it's \"new\" \\ {x} $y", "nodes": 2})
    notebook = jupytext.reads(f"# %% tags=['parameters']\ndeployment = {made!r}\n", "py:percent")
    assert execute.check_parameters(notebook, ["deployment"])["deployment"] == made


@pytest.mark.skipif(not SHARED.exists(), reason="the raw logs of submissions are not here")
def test_an_mlperf_result_is_disclosed_by_its_files(acme):
    place = SHARED / "mlperf/samples/v2.0/NVIDIA/Orin_TRT_MaxQ/ssd-resnet34/Offline"
    text = f"{DEPLOYMENT.replace('output_token', 'sample')}mlperf: {place}\n"
    item = read_client(acme(text)).inputs["benchmark_match"]["disclosure"]
    # published: systems/Orin_TRT_MaxQ.json and measurements/Orin_TRT_MaxQ_Offline.json of that result
    known = {"model": "ssd-resnet34", "scenario": "Offline", "precision": "int8", "accelerator": "NVIDIA Orin", "nodes": 1,
             "accelerators_per_node": 1, "software": "JetPack 5.0, TensorRT 8.4.0, CUDA 11.4", "boundary": "server",
             "host": "12-core Cortex-A78 CPU, 32 GB", "round": "v2.0", "stack": "tuned"}  # fmt: skip
    assert known.items() <= item.value.items()
    assert item.evidence == "measured"
    assert ROOT.name not in item.value["location"]


@pytest.mark.skipif(not SHARED.exists(), reason="the raw logs of submissions are not here")
def test_a_result_is_not_disclosed_twice(acme):
    place = SHARED / "mlperf/samples/v2.0/NVIDIA/Orin_TRT_MaxQ/ssd-resnet34/Offline"
    message = refusal(acme(f"{DEPLOYMENT}mlperf: {place}\n{ROW}"))
    assert "disclosure.published: given twice" in message
