"""Standard uncertainties, and whether two results differ (method, rule 6 and Uncertainty). Expected values: closed forms."""

import pytest

from joulebook.inputs import Input
from joulebook.method.uncertainty import standard_uncertainty

RANGE = {"value": 1000.0, "low": 950.0, "high": 1050.0}


@pytest.mark.parametrize(
    ("how", "u"),
    [
        ({"range_is": "u95", "evidence": "measured"}, 25.0),
        ({"range_is": "limits", "evidence": "published"}, 28.8675),  # 50/sqrt(3)
        ({"range_is": "limits", "evidence": "assumed"}, 20.4124),
    ],
)  # 50/sqrt(6)
def test_standard_uncertainty(how, u):
    assert standard_uncertainty(Input(**RANGE, **how)) == pytest.approx(u, rel=1e-5)
