"""The limits of what is plausible: each with its source, on names that there are, and those of published work as published."""

import re

import numpy as np
import pandas as pd
import pytest

from joulebook.dictionary import parameters
from joulebook.intake.records import Deployment, Disclosure
from joulebook.intake.tables import _TABLES
from joulebook.method.published_energy import distinct_runs
from joulebook.plausible import TAKEN, Limits, limits, units_per_dollar
from joulebook.results import CHOICES, LABELS
from joulebook.workbook import ROOT

RECORDS = {"deployment": Deployment, "disclosure": Disclosure}
COLUMNS = {name: {column for needed, more in variants for column in (*needed, *more)} for name, (variants, _) in _TABLES.items()}


def row(**given):
    plain = {"name": "x", "of": ("pue",), "over": (), "take": "each", "where": (), "least": None, "most": None, "unit": ""}
    return Limits(**{**plain, "meaning": "x", "source": "s", **given})


@pytest.mark.parametrize("limit", limits(), ids=lambda limit: limit.name)
def test_a_row_is_about_what_there_is(limit):
    for part in (*limit.of, *limit.over):
        name, dot, column = part.partition(".")
        assert name in parameters(), part
        assert not dot or column in COLUMNS.get(name, ()) or column in RECORDS[name].model_fields, part
    files = {part.partition(".")[0] for part in (*limit.of, *limit.over) if "." in part}
    assert len(files - set(RECORDS)) <= 1  # columns of one file go together, row by row
    assert limit.take in TAKEN
    assert limit.source
    assert limit.meaning
    assert None in (limit.least, limit.most) or limit.least < limit.most
    for name, _, choices in limit.where:
        assert name in (*LABELS, *parameters())
        assert name not in CHOICES or set(choices) <= set(CHOICES[name])
    default = None if limit.over or "." in limit.of[0] else parameters()[limit.of[0]].default
    assert default is None or limit.outside(default) is None


def test_names_are_there_once():
    assert len({limit.name for limit in limits()}) == len(limits())


def published():
    path = ROOT / "data" / "mlperf_power" / "published_closed.csv"
    return distinct_runs(pd.read_csv(path, keep_default_na=False).assign(
        acc_target=lambda table: pd.to_numeric(table["acc_target"]))).assign(
        family=lambda table: table["benchmark"].str.replace(r"-99(\.9)?$", "", regex=True))


def test_limits_of_published_work_are_those_of_the_published_runs():
    # published: data/mlperf_power/published_closed.csv; a tenth of the lowest, a hundred times the highest, three digits
    rows = {limit.name: limit for limit in limits()}
    runs, told = published(), set()
    for (family, unit), of in runs.groupby(["family", "unit_of_work"]):
        name = re.sub(r"[-.]", "_", f"published_{family}_{unit}")
        told.add(name)
        assert rows[name].least == float(f"{of['energy_j'].min() / 10:.3g}")
        assert rows[name].most == float(f"{of['energy_j'].max() * 100:.3g}")
        assert f" {len(of)} published runs" in rows[name].source
    for unit, names in (("output_token", ("energy_per_output_token", "energy_per_input_token", "energy_per_token")),
                        ("sample", ("energy_per_sample",))):
        highest = float(f"{runs.loc[runs['unit_of_work'] == unit, 'energy_j'].max() * 100:.3g}")
        assert {rows[name].most for name in names} == {highest}
    tokens, queries = (set(runs.loc[runs["unit_of_work"] == unit, "family"]) for unit in ("output_token", "sample"))
    for family in tokens - queries:  # ten tokens an answer at least, ten thousand times a hundred at most
        name = re.sub(r"[-.]", "_", f"published_{family}_query")
        told.add(name)
        energy = runs.loc[runs["family"] == family, "energy_j"]
        assert rows[name].least == float(f"{energy.min() * 10:.3g}")
        assert rows[name].most == float(f"{energy.max() * 1e6:.3g}")
    assert told == {name for name in rows if name.startswith("published_") and name != "published_token_unit"}


@pytest.mark.parametrize(("values", "take", "found"), [
    (5.0, "each", None), (0.5, "each", 0.5), (20.0, "each", 20.0), (0.0, "each", None), (np.nan, "each", None),
    ([2.0, 30.0, 40.0], "each", 40.0), ([0.1, 0.2], "each", 0.1), ([0.0, 8.0, 9.0], "mean", None), ([8.0, 90.0], "min", None),
    ([0.2, 8.0], "max", None), ([1.0, 30.0], "spread", 30.0), ([3.0, 30.0], "spread", None)])
def test_what_lies_outside(values, take, found):
    # hand: limits of 1 and 10; mean of 8 and 9 is 8.5, spread 30 / 3 is 10
    assert row(least=1.0, most=10.0, take=take).outside(values) == (None if found is None else pytest.approx(found))


def test_a_row_without_limits_allows_nothing():
    assert row().outside(3.0) == 3.0
    assert row().allowed == "none (s)"


@pytest.mark.parametrize(("where", "holds"), [
    ((("workload", "=", ("llama2-70b", "x")),), True), ((("workload", "=", ("llama2",)),), False),
    ((("workload", "~", ("MLPerf",)),), True), ((("workload", "~", ("own data",)),), False),
    ((("unit_of_work", "=", ("query",)),), False), ((("workload", "~", ("MLPerf",)), ("unit_of_work", "=", ("query",))), False)])
def test_conditions(where, holds):
    words = {"workload": "llama2-70b, MLPerf Inference data set", "unit_of_work": None}
    assert row(where=where).holds(words) is holds


def test_rates_of_currencies_are_there_once():
    assert units_per_dollar()["USD"] == 1.0
    assert all(rate > 0 for rate in units_per_dollar().values())
