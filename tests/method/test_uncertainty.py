"""Measurements and what they are worth (method, rule 6 and Uncertainty).

Expected values: the checks of the method, worked by plain arithmetic apart from this project; the end gauge of the GUM
(published: JCGM 100:2008, H.1, table H.1); closed forms, said where they stand.
"""

import numpy as np
import pytest
import uncertainties
from hypothesis import given as for_all
from hypothesis import strategies as st

from joulebook.errors import InputError
from joulebook.inputs import Input
from joulebook.method.uncertainty import (
    budget,
    correlated_gains,
    coverage_factor,
    coverage_interval,
    dof_of,
    effective_dof,
    expanded_uncertainty,
    meter_limit,
    of_input,
    of_limits,
    of_runs,
    quantity,
    standard_uncertainty,
)

RANGE = {"value": 1000.0, "low": 950.0, "high": 1050.0}
A = [0.2012, 0.1998, 0.2005, 0.1991, 0.2004]  # J
B = [0.1969, 0.1981, 0.1975, 0.1990, 0.1977]


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
    assert of_input(Input(**RANGE, **how)).std_dev == pytest.approx(u, rel=1e-5)


def test_an_input_without_a_range_is_its_value():
    assert of_input(Input(5.0)) == 5.0
    assert coverage_interval(of_input(Input(5.0))) == (5.0, 5.0)


def test_runs():
    for runs, mean, u in ((A, 0.2002, 0.000353553), (B, 0.19784, 0.000348712)):
        made = of_runs(runs)
        assert (made.nominal_value, made.std_dev) == (pytest.approx(mean, rel=1e-12), pytest.approx(u, abs=5e-10))
        assert dof_of(made) == pytest.approx(4, rel=1e-12)


def test_a_meter_beside_the_repeats():
    energy = of_runs(A) * of_limits(1.0, 0.005, name="meter")
    assert energy.std_dev == pytest.approx(0.000677496, abs=5e-10)
    assert dof_of(energy) == pytest.approx(53.934, abs=5e-4)
    assert coverage_factor(dof_of(energy)) == pytest.approx(2.004935, abs=5e-7)
    assert expanded_uncertainty(energy) == pytest.approx(0.001358335, abs=5e-10)
    # hand: 0.2002 x 0.005 / sqrt(3) of the meter, larger than 0.000353553 of the repeats
    parts = {source.name: round(part, 9) for source, part in budget(energy)}
    assert list(parts.items()) == [("meter", 0.000577928), ("repeats", 0.000353553)]


def test_limits_of_a_meter():
    limits = meter_limit(np.array([1000.0, 400.0]), 0.1, 0.1, 5000.0)
    assert limits == pytest.approx([6.0, 5.4], rel=1e-12)


def test_end_gauge_of_the_gum():
    """JCGM 100:2008, H.1: calibration of an end gauge of 50 mm against a standard; lengths in nm, temperatures in deg C."""
    length = quantity(50_000_623, 25, 18, "standard")  # H.1.3.1: 75 nm over 3
    seen = 215 + (  # H.1.3.2: mean difference
        quantity(0, 13 / np.sqrt(5), 24, "repeats")
        + quantity(0, 10 / 2.57, 5, "comparator, random")
        + quantity(0, 20 / 3, 8, "comparator, systematic")
    )
    expansion = of_limits(11.5e-6, 2e-6, name="expansion of the standard")  # H.1.3.3
    expansions_differ = of_limits(0.0, 1e-6, dof=50, name="difference of expansion")  # H.1.3.5
    theta = quantity(-0.1, 0.41, name="temperature of the bed")  # H.1.3.4
    temperatures_differ = of_limits(0.0, 0.05, dof=2, name="difference of temperature")  # H.1.3.6
    gauge = length + seen - length * (expansions_differ * theta + expansion * temperatures_differ)  # equation (H.3)

    assert gauge.nominal_value == 50_000_838
    assert round(gauge.std_dev) == 32
    assert int(dof_of(gauge)) == 16
    # As the GUM does it: from the rounded uncertainty and the truncated degrees of freedom, 2.92 x 32 nm.
    assert coverage_factor(16, 0.99) == pytest.approx(2.92, abs=0.005)
    assert round(expanded_uncertainty(quantity(50_000_838, round(gauge.std_dev), int(dof_of(gauge))), 0.99)) == 93
    assert expanded_uncertainty(gauge, 0.99) == pytest.approx(93, abs=1.5)  # unrounded
    # Table H.1, last column; what its two first-order zeros would add is not there.
    parts = {source.name: round(part, 1) for source, part in budget(gauge)}
    assert parts == {
        "standard": 25.0,
        "difference of temperature": 16.6,
        "comparator, systematic": 6.7,
        "repeats": 5.8,
        "comparator, random": 3.9,
        "difference of expansion": 2.9,
    }


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: of_runs([1.0]),
        lambda: of_runs([]),
        lambda: of_runs([1.0, float("nan")]),
        lambda: of_runs([[1.0, 2.0]]),
        lambda: quantity(1.0, -1.0),
        lambda: quantity(1.0, float("nan")),
        lambda: quantity(float("inf"), 1.0),
        lambda: quantity(1.0, 1.0, 0),
        lambda: quantity(1.0, 1.0, float("nan")),
        lambda: of_limits(1.0, 0.1, "round"),
        lambda: correlated_gains(0.01, 0.01, 1.1),
    ],
)
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(InputError):
        wrong()


parts = st.lists(st.tuples(st.floats(1e-3, 1e3), st.floats(1, 1e3)), min_size=1, max_size=6)


@for_all(parts)
def test_effective_degrees_of_freedom_lie_between_the_smallest_and_the_sum(rows):
    u, dof = np.array(rows).T
    assert dof.min() * (1 - 1e-9) <= effective_dof(u, dof) <= dof.sum() * (1 + 1e-9)  # analytic: JCGM 100:2008, G.4.1
    assert effective_dof(u * 1e-200, dof) == pytest.approx(effective_dof(u, dof), rel=1e-9)


def test_a_budget_adds_in_quadrature_and_what_is_shared_counts_once():
    shared = quantity(10.0, 0.5, name="shared")
    total = 2 * shared + shared  # hand: 3 x 0.5
    assert [(source.name, part) for source, part in budget(total)] == [("shared", 1.5)]
    assert uncertainties.std_dev(total) == 1.5
