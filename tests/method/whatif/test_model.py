"""The cost of a million as a model of its inputs. Expected values: section 9 of the method, and hand arithmetic, shown."""

import numpy as np
import pytest

from joulebook import dictionary
from joulebook.inputs import Given, Input
from joulebook.method import cost_per_token
from joulebook.method.whatif.indices import sobol_indices
from joulebook.method.whatif.model import Model, varied
from joulebook.results import Labels

PLAIN = {"throughput_per_s": 5000.0, "active_power_w": 1000.0, "pue": 1.3, "electricity_price_per_kwh": 0.12}
LABELS = Labels("chat", "output_token", "as served", "Server", "work phase", "server")
TODAY = 0.026 / 3  # 1.3 kW x 0.12 / 18 million an hour


def given(**inputs):
    inputs = {name: item if isinstance(item, Input) else Input(item) for name, item in {**PLAIN, **inputs}.items()}
    topic = "cost_per_token"
    return Given(topic, inputs, {}, LABELS, dictionary.of_topic(topic), dictionary.definitions()[topic])


def model(**inputs):
    return Model(given(**inputs), cost_per_token.CALCULATIONS, ["cost_per_million"])


def test_each_input_a_fifth_either_way():
    # section 9: throughput 1.25 / 0.833333, power, PUE, price 0.8 / 1.2
    made = model()
    inputs = varied(made.given, made.names, 0.2)
    ends = dict(zip([item.name for item in inputs], made.ends(inputs)["cost_per_million"].T / TODAY, strict=True))
    assert ends.pop("throughput_per_s") == pytest.approx([1 / 0.8, 1 / 1.2], rel=1e-12)
    for name in ("active_power_w", "electricity_price_per_kwh"):
        assert ends.pop(name) == pytest.approx([0.8, 1.2], rel=1e-12)
    # a PUE is at least 1: 1.04 is not cut
    assert ends.pop("pue") == pytest.approx([0.8, 1.2], rel=1e-12)
    assert not ends


def test_a_made_range_ends_at_a_limit():
    found = {item.name: item for item in varied(given(pue=1.1), {"pue", "active_power_w"}, 0.2)}
    assert (found["pue"].given.low, found["pue"].given.high, found["pue"].cut) == (1.0, pytest.approx(1.32), True)
    assert not found["active_power_w"].cut


def test_a_range_of_its_own_comes_first():
    inputs = given(pue=Input(1.3, low=1.25, high=1.5), other_cost_per_year=0.0, servers=2)
    found = {item.name: item for item in varied(inputs, {"pue", "other_cost_per_year", "servers"}, 0.2)}
    assert list(found) == ["pue"]  # a share moves no zero, and no count
    assert (found["pue"].given.low, found["pue"].given.high, found["pue"].stated) == (1.25, 1.5, True)


def test_indices_and_moments_of_the_method():
    # section 9: all four +-20 %, independent, rectangular; to the tolerance of 4096 base samples, 24576 evaluations
    made = model()
    inputs = varied(made.given, made.names, 0.2)
    seen = {}

    def outputs(shares):
        seen.update(made(made.drawn(inputs, shares)))
        return seen

    names = [item.name for item in inputs]
    found = sobol_indices(outputs, names, samples=4096)["cost_per_million"]
    first, total = (dict(zip(names, values, strict=True)) for values in (found.first, found.total))
    assert len(seen["cost_per_million"]) == 6 * 4096
    assert first.pop("throughput_per_s") == pytest.approx(0.251058, abs=1e-3)
    assert total.pop("throughput_per_s") == pytest.approx(0.261235, abs=1e-3)
    assert list(first.values()) == pytest.approx([0.243001] * 3, abs=1e-3)
    assert list(total.values()) == pytest.approx([0.252961] * 3, abs=1e-3)
    assert (found.first_half_width > 0).all()
    cost = seen["cost_per_million"].reshape(-1, 6)[:, 0]  # the base sample
    assert cost.mean() == pytest.approx(0.00878508, rel=1e-3)
    assert cost.std() / cost.mean() == pytest.approx(0.234243, rel=3e-3)


def test_a_flip_is_where_the_cost_is_what_it_was_set_to():
    # analytic: the cost less the price of an API, in each input a product or a quotient
    def margin(cost_per_million):
        return {"margin": 0.0108 - cost_per_million}

    margin.results, margin.how, margin.once = ("margin",), frozenset(), False
    made = Model(given(), [*cost_per_token.CALCULATIONS, margin], ["margin"])
    inputs = varied(made.given, made.names, 0.2)
    found, searched = made.flips(inputs, "margin")
    flips = dict(zip([item.name for item in inputs], found, strict=True))
    assert flips["active_power_w"] == pytest.approx(1000 * 0.0108 / TODAY, rel=1e-11)
    assert flips["throughput_per_s"] == pytest.approx(5000 * TODAY / 0.0108, rel=1e-11)
    assert flips["pue"] == pytest.approx(1.3 * 0.0108 / TODAY, rel=1e-11)
    assert searched[[item.name for item in inputs].index("pue")] == (1.0, pytest.approx(1300))


def test_a_group_moves_together():
    made = model(throughput_power_rank_correlation=1.0)
    inputs = varied(made.given, made.names, 0.2)
    shares = np.random.default_rng(1).random((1000, len(inputs)))
    points = made.drawn(inputs, shares)
    assert points["active_power_w"] / 1000 == pytest.approx(points["throughput_per_s"] / 5000, rel=1e-9)
    groups = ["system" if item.name in ("throughput_per_s", "active_power_w") else item.name for item in inputs]
    names = [item.name for item in inputs]
    found = sobol_indices(lambda shares: made(made.drawn(inputs, shares)), names, groups, samples=4096)
    # analytic: their quotient stays, so that PUE and price are left; b with E 1, Var 1/75 each: S1 = 75 / 151
    by_group = dict(zip(dict.fromkeys(groups), found["cost_per_million"].first, strict=True))
    assert by_group["system"] == pytest.approx(0, abs=1e-9)
    assert by_group["pue"] == pytest.approx(75 / 151, abs=1e-3)


def test_many_points_are_their_parts():
    made = model()
    many = np.linspace(500, 2000, 40_000)  # more than are evaluated at a time
    cost = made({"active_power_w": many})["cost_per_million"]
    assert cost == pytest.approx(TODAY * many / 1000, rel=1e-12)
    assert made({})["cost_per_million"] == pytest.approx([TODAY])
