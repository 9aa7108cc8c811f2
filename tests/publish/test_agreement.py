"""A number is the same wherever it is computed: what two topics say of one client, in the reference notebooks."""

import pytest

from joulebook.publish.collect import collect
from joulebook.publish.outputs import example_clients
from joulebook.publish.reference import REFERENCE

PAIRS = {  # of sensitivity and of verdict
    "conclusion_margin": "net_benefit_over_hurdle",
    "probability_positive": "hurdle_probability",
    "first_flip": "first_flip",
    "value_of_perfect_information": "information_value",
}


@pytest.mark.parametrize("client", [folder.name for folder in example_clients()])
def test_sensitivity_and_verdict_agree(client):
    first, second = (collect(REFERENCE / client / f"{topic}.ipynb").results for topic in ("sensitivity", "verdict"))
    for one, other in PAIRS.items():
        pair = [results[name]["value"] for results, name in ((first, one), (second, other))]
        assert pair[0] is not None, one
        assert pair[0] == (pytest.approx(pair[1], rel=1e-9) if isinstance(pair[1], float) else pair[1]), one
    knowing = {row[0].split(" (")[0]: row[-1] for row in first["value_of_knowing"]["rows"]}
    measured = {row[0]: row[-1] for row in second["measurements"]["rows"]}
    assert {name for name, value in measured.items() if value > 1} <= set(knowing)
    for name, value in measured.items():
        if value > 1:  # in money
            assert knowing[name] == pytest.approx(value, rel=1e-9), name
