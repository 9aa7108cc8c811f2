"""Emissions by the hour, and series of different steps. Expected values by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from joulebook.errors import InputError
from joulebook.method.intensity import CHOICES, Basis, Emissions, emissions
from joulebook.method.intervals import interval_means

AVERAGE, MARGINAL = (Basis(basis, "life_cycle", "location") for basis in CHOICES["basis"])
DAY = np.datetime64("2026-03-01T00:00", "m")
# section 7 of the method: g/kWh by hour
GRID = [420, 410, 400, 390, 380, 390, 420, 450, 430, 380, 300, 240, 200, 190, 210, 260, 340, 430, 480, 500, 490, 470, 450, 430]


def edges(count, minutes=60, begin=DAY):
    stamps = begin + np.arange(count + 1) * np.timedelta64(minutes, "m")
    return stamps[:-1], stamps[1:]


def test_average_and_marginal_are_two_numbers_each_with_its_basis():
    # C05 of the cases: 1 x 200 + 2 x 400 = 1000 g and 1 x 600 + 2 x 500 = 1600 g
    average = emissions(*edges(2), [1, 2], *edges(2), [200, 400], AVERAGE)
    marginal = emissions(*edges(2), [1, 2], *edges(2), [600, 500], MARGINAL)
    assert (average.mass_g, marginal.mass_g) == (1000, 1600)
    assert str(average) == "1000 g (average, life cycle, location-based)"
    assert str(marginal) == "1600 g (marginal, life cycle, location-based)"


def test_bases_are_never_added():
    average, marginal = Emissions(1000, 3, AVERAGE), Emissions(1600, 3, MARGINAL)
    with pytest.raises(InputError, match="basis: emissions on different bases are not added; found 'marginal'; allowed: average"):
        average + marginal
    other = Emissions(1.0, 1, Basis("average", "direct", "market"))
    with pytest.raises(InputError) as error:
        average + other
    assert [problem.field for problem in error.value.problems] == ["scope", "accounting"]
    with pytest.raises(TypeError):
        average + 600.0  # a number without a basis
    both = average + Emissions(500, 1, AVERAGE)
    assert (both.mass_g, both.energy_kwh, both.intensity_g_per_kwh) == (1500, 4, 375)


def test_a_basis_is_one_of_the_known():
    with pytest.raises(InputError) as error:
        Basis("mean", "direct", "grid")
    assert [problem.field for problem in error.value.problems] == ["basis", "accounting"]


def test_the_day_of_the_method():
    # section 7: 1.3 kW at the facility, 11778 g over the day
    assert emissions(*edges(24), np.full(24, 1.3), *edges(24), GRID, AVERAGE).mass_g == pytest.approx(11778, rel=1e-12)


def test_the_mean_of_products_is_no_product_of_means():
    energy = [0.0] * 10 + [2.6] * 12 + [0.0] * 2
    # 2.6 kWh x (300 + 240 + 200 + 190 + 210 + 260 + 340 + 430 + 480 + 500 + 490 + 470) = 2.6 x 4110
    assert emissions(*edges(24), energy, *edges(24), GRID, AVERAGE).mass_g == pytest.approx(10686)


def test_quarters_of_an_hour_meet_the_hour_they_lie_in():
    # C14 of the cases: four quarters of 1 kWh at 0.20 a kWh: 0.80; by equal stamps only the first would be paid
    price = interval_means(*edges(4, 15), *edges(1), [0.20], "price_per_kwh")
    assert (np.ones(4) * price).sum() == pytest.approx(0.80)


def test_an_interval_over_two_steps_takes_both_by_time():
    # 00:45 to 01:15 and 00:30 to 03:30: half of each; (0.5 x 1 + 2 + 3 + 0.5 x 4)/3
    begins, ends = (DAY + np.array(minutes) * np.timedelta64(1, "m") for minutes in ([45, 30], [75, 210]))
    assert interval_means(begins, ends, *edges(4), [1, 2, 3, 4]).tolist() == pytest.approx([1.5, 2.5])


@pytest.mark.parametrize(("series", "words"), [
    ((*edges(2), [1, 2]), "g_per_kwh: no intensity for part of the energy; found '2026-03-01T02:00:00Z'"),
    ((*edges(3, begin=DAY + np.timedelta64(1, "h")), [1, 2, 3]), "found '2026-03-01T00:00:00Z'"),
    ((edges(3)[0][[0, 2]], edges(3)[1][[0, 2]], [1, 3]), "found '2026-03-01T01:00:00Z'"),
    ((edges(3)[0][[0, 0, 1]], edges(3)[1], [1, 2, 3]), "begins before the one above it has ended"),
    ((*edges(3), [1, np.nan, 3]), "not a finite number"),
    ((*edges(3), [1, 2]), "not one begin, end and value"),
    ((edges(3)[1], edges(3)[0], [1, 2, 3]), "does not begin before it ends"),
    ((*edges(0), []), "no value at all"),
])
def test_what_cannot_be_joined(series, words):
    with pytest.raises(InputError) as error:
        emissions(*edges(3), [1, 1, 1], *series, AVERAGE)
    assert words in str(error.value)


def test_energy_that_is_no_number():
    with pytest.raises(InputError, match="energy_kwh: not a finite number for each interval"):
        emissions(*edges(2), [1, np.inf], *edges(2), [1, 1], AVERAGE)


def test_no_energy_has_no_intensity():
    nothing = emissions(*edges(0), [], *edges(2), [1, 1], AVERAGE)
    assert (nothing.mass_g, nothing.intensity_g_per_kwh) == (0, None)


@given(st.lists(st.floats(-100, 100), min_size=24, max_size=24), st.lists(st.integers(1, 1439), unique=True, max_size=8))
def test_a_partition_of_the_time_adds_up(values, cuts):
    bounds = DAY + np.array([0, *sorted(cuts), 1440]) * np.timedelta64(1, "m")
    begins, ends = bounds[:-1], bounds[1:]
    minutes = (ends - begins) / np.timedelta64(1, "m")
    whole = interval_means(DAY[None], (DAY + np.timedelta64(1, "D"))[None], *edges(24), values)[0]
    assert (interval_means(begins, ends, *edges(24), values) * minutes).sum() == pytest.approx(whole * 1440, abs=1e-6)
    assert whole == pytest.approx(np.mean(values), abs=1e-9)
