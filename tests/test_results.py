"""Labels, comparisons and units of work (method, section 0)."""

from itertools import product

import pytest

from joulebook.errors import InputError
from joulebook.results import BOUNDARIES, LABELS, Labels, Result, apply_pue, convert_work, ratio, require_comparable, weakest

FULL = Labels("llama2-70b", "output_token", "99.9 % of reference", "Server", "run", "server")


def labelled(value, **changes):
    return Result(value, "J", labels=Labels(**{**vars(FULL), **changes}))


@pytest.mark.parametrize("name", LABELS)
def test_a_comparison_across_a_label_is_refused_by_name(name):
    other = Labels(**{**vars(FULL), name: "something else"})
    with pytest.raises(InputError, match=f"{name}: these may not be compared"):
        require_comparable(FULL, other)
    require_comparable(FULL, other, vary=name)


def test_a_label_not_stated_counts_as_differing():
    none = Labels(**{**vars(FULL), "quality": None})
    with pytest.raises(InputError, match=r"quality.*not stated"):
        require_comparable(none, none)


def test_all_differing_labels_are_named():
    with pytest.raises(InputError) as caught:
        require_comparable(FULL, Labels(), vary="boundary")
    assert len(caught.value.problems) == 5


def test_vary_must_be_a_label():
    with pytest.raises(InputError, match="did you mean boundary"):
        require_comparable(FULL, FULL, vary="bondary")


def test_published_rows_in_different_units_of_work_need_a_factor():
    # published: MLPerf inference v4.0 and v4.1, closed, llama2-70b Server, DGX-H100 and H200
    # (method, rule 2); 294.45 output tokens a query
    old = Result(5908.762 / 53.0525, "J", labels=Labels(**{**vars(FULL), "unit_of_work": "query"}))
    new = labelled(6280.214 / 23113.1)
    with pytest.raises(InputError, match="unit_of_work: these may not be compared"):
        ratio(old, new)
    with pytest.raises(InputError, match="units of work mixed without a factor: query and output_token"):
        convert_work(old, "output_token")
    converted = convert_work(old, "output_token", 294.45)
    assert converted.value == pytest.approx(0.378250, rel=2e-6)
    assert new.value == pytest.approx(0.271717, rel=2e-6)
    assert ratio(converted, new) == pytest.approx(1.392, rel=1e-3)


def test_a_missing_value_is_not_compared():
    with pytest.raises(InputError, match="not available"):
        ratio(labelled(1.0), labelled(None))


def test_pue_counts_once():
    # case C01: 5 kW and 100 kWh at the IT, PUE 1.2: 6 kW and 120 kWh, and never 144
    assert (apply_pue(5.0, "server", 1.2), apply_pue(100.0, "server", 1.2)) == (6.0, pytest.approx(120.0))
    with pytest.raises(InputError, match="twice"):
        apply_pue(120.0, "facility", 1.2)
    assert apply_pue(120.0, "facility", None) == 120.0


def test_boundaries_are_in_order():
    assert BOUNDARIES == ("accelerator", "node_dc", "server", "rack", "facility")


def test_weakest_evidence_is_commutative():
    kinds = ("measured", "published", "modelled", "quoted", "assumed", "illustrative")
    assert all(weakest([a, b]) == weakest([b, a]) == kinds[max(kinds.index(a), kinds.index(b))] for a, b in product(kinds, kinds))
