"""Workloads of a portfolio and their profiles: right files, wrong rows by name, and what must hold beside them."""

import numpy as np
import pytest

from joulebook.errors import InputError
from joulebook.inputs import Input
from joulebook.intake.client import read_client
from joulebook.intake.tables import check_tables, read_table
from joulebook.workbook import ROOT

ROWS = """workload,unit_of_work,energy_per_unit_j,annual_volume,boundary,utilization,evidence
chat,query,360,4e7,server,0.4,measured
routing,inference,0.29,5e9,facility,1,quoted
"""
MORE = """workload,unit_of_work,energy_per_unit_j,energy_per_unit_low_j,energy_per_unit_high_j,annual_volume,peak_kw,boundary,\
utilization,idle_ratio,energy_at,system,reserved_share,servers,growth_per_year,evidence
chat,query,100,95,105,3.6e6,1,server,0.5,0.4,,pool,0.6,2,0.1,measured
route,query,100,,,1.8e6,,server,0.25,0.4,full_load,pool,0.3,2,,quoted
"""
HOURS = "".join(f"chat,{hour},{1 if hour == 9 else 0.5}\n" for hour in range(24))
PROFILES = f"workload,hour,peak_share\n{HOURS}"


def test_a_plain_portfolio(read_rows):
    table = read_rows("portfolio_csv", ROWS)
    assert table["workload"].tolist() == ["chat", "routing"]
    assert table["annual_volume"].tolist() == [4e7, 5e9]
    assert table[["peak_kw", "idle_ratio", "reserved_share", "growth_per_year"]].isna().all(axis=None)  # missing, not zero
    check_tables({}, {"portfolio_csv": table})


def test_a_full_portfolio(read_rows):
    table = read_rows("portfolio_csv", MORE)
    assert table["energy_per_unit_low_j"].tolist() == [95, pytest.approx(np.nan, nan_ok=True)]
    assert table["energy_at"].tolist() == ["", "full_load"]
    check_tables({}, {"portfolio_csv": table, "portfolio_profiles_csv": read_rows("portfolio_profiles_csv", PROFILES)})


@pytest.mark.parametrize("name", ["portfolio_csv", "portfolio_profiles_csv"])
def test_the_examples_of_the_dictionary_are_read(name):
    table = read_table(name, ROOT / "data" / "examples" / f"{name.removesuffix('_csv')}.csv")
    check_tables({}, {name: table})


@pytest.mark.parametrize("client", ["chat-assistant", "document-batch"])
def test_the_portfolios_of_the_example_clients_are_read(client):
    given = read_client(ROOT / "data" / "clients" / client, topics=["portfolio"]).inputs["portfolio"]
    assert given["portfolio_csv"].value == "portfolio.csv"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("portfolio_csv", ROWS.replace("routing", "chat"), ["file.csv:3: workload: a workload that is there twice"]),
        ("portfolio_csv", ROWS.replace("routing", "Unattributed"), ["file.csv:3: workload: a name that is taken"]),
        ("portfolio_csv", ROWS.replace("routing", "residual"), ["file.csv:3: workload: a name that is taken"]),
        ("portfolio_csv", ROWS.replace("inference", "task"), ["file.csv:3: unit_of_work: no such choice", "'task'"]),
        ("portfolio_csv", ROWS.replace("server", "wall"), ["file.csv:2: boundary: no such choice", "accelerator or node_dc"]),
        ("portfolio_csv", ROWS.replace("0.29", "0"), ["file.csv:3: energy_per_unit_j: out of limits"]),
        ("portfolio_csv", ROWS.replace("5e9", "-5e9"), ["file.csv:3: annual_volume: out of limits"]),
        ("portfolio_csv", ROWS.replace("5e9", "5e99"), ["file.csv:3: annual_volume: out of limits"]),
        ("portfolio_csv", ROWS.replace("5e9", "0"), ["file.csv:3: annual_volume: no work, but a utilization"]),
        ("portfolio_csv", ROWS.replace("0.4", "0"), ["file.csv:2: utilization: no utilization, but work is done"]),
        ("portfolio_csv", ROWS.replace("0.4", "40 %"), ["file.csv:2: utilization: not a number", "write a share"]),
        ("portfolio_csv", ROWS.replace("0.4", "40"), ["file.csv:2: utilization: out of limits", "at most 1"]),
        ("portfolio_csv", ROWS.replace("quoted", ""), ["file.csv:3: evidence: an empty cell"]),
        ("portfolio_csv", ROWS.replace("energy_per_unit_j", "energy_j"), ["energy_j: unknown column", "energy_per_unit_j"]),
        ("portfolio_csv", MORE.replace("full_load", "full"), ["file.csv:3: energy_at: no such choice"]),
        ("portfolio_csv", MORE.replace("95,105", "95,"), ["file.csv:2: energy_per_unit_low_j: half a range"]),
        ("portfolio_csv", MORE.replace("95,105", "101,105"), ["file.csv:2: energy_per_unit_j: outside its range"]),
        ("portfolio_csv", MORE.replace("95,105", "90,105"), ["a measured range that is not symmetric"]),
        ("portfolio_csv", MORE.replace("energy_per_unit_low_j,", "").replace("95,", "").replace(",,,1.8", ",,1.8"),
         ["half a range: energy_per_unit_low_j is missing"]),
        ("portfolio_csv", MORE.replace(",2,0.1", ",1.5,0.1"), ["file.csv:2: servers: not a whole number"]),
        ("portfolio_csv", ROWS.splitlines()[0] + "\n", ["too few rows"]),
        ("portfolio_profiles_csv", PROFILES.replace("chat,5,", "chat,4,"), ["file.csv:7: hour: an hour that is there twice"]),
        ("portfolio_profiles_csv", PROFILES.replace("chat,9,1", "chat,9,0.9"), ["chat: never at its peak", "0.9"]),
        ("portfolio_profiles_csv", PROFILES.replace("chat,9,1\n", "other,9,1\n"), ["chat: hours are missing", "'9'"]),
        ("portfolio_profiles_csv", PROFILES.replace("chat,9,1", "chat,9,1.2"), ["file.csv:11: peak_share: out of limits"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_row_and_column(read_rows, name, content, words):
    with pytest.raises(InputError) as error:
        read_rows(name, content)
    assert all(word in str(error.value) for word in words), str(error.value)


def test_rows_of_one_machine_must_agree(read_rows):
    # 100 J x 3.6e6 x 0.4 / 0.5 is not 100 J x 3.6e6 x 0.4 / 0.25
    tables = {"portfolio_csv": read_rows("portfolio_csv", MORE.replace("1.8e6", "3.6e6"))}
    with pytest.raises(InputError, match="portfolio_csv: rows of the system pool make different idle energies"):
        check_tables({}, tables)


def test_a_peak_below_the_average_is_refused_with_the_hours_of_the_year(read_rows):
    # 100 J x (1 + 0.4 x (0.6 - 0.5)/0.5) x 3.6e6 = 108 kWh: 12.33 W over 8760 h, 12.30 W over 8784 h
    tables = {"portfolio_csv": read_rows("portfolio_csv", MORE.replace("3.6e6,1,", "3.6e6,0.01231,"))}
    check_tables({"year": Input(2024)}, tables)
    with pytest.raises(InputError, match="chat: a peak below the average power"):
        check_tables({"year": Input(2023)}, tables)


def test_rows_have_boundaries_of_their_own():
    """A PUE is refused where the labels are at the facility, but not for rows that are not."""
    from joulebook.errors import Problems
    from joulebook.intake.checks import check_together
    from joulebook.results import Labels

    for beside, refused in (({}, True), ({"portfolio_csv": Input("rows.csv")}, False)):
        found = Problems()
        check_together({"pue": Input(1.3), **beside}, Labels(boundary="facility"), lambda name: {"field": name}, found)
        assert bool(found) is refused


def test_a_profile_belongs_to_a_workload(read_rows):
    tables = {"portfolio_csv": read_rows("portfolio_csv", ROWS)}
    tables["portfolio_profiles_csv"] = read_rows("portfolio_profiles_csv", PROFILES.replace("chat", "chats"))
    with pytest.raises(InputError, match="a profile of no workload of the portfolio; found 'chats'; allowed: chat or routing"):
        check_tables({}, tables)


def test_a_feed_must_be_left():
    with pytest.raises(InputError, match="no feed is left when the spare ones fail"):
        check_tables({"feeds": Input(2), "feed_redundancy": Input(2)}, {})
