"""The files of generations: what becomes of right ones, and what is said of wrong ones."""

import numpy as np
import pytest

from joulebook.errors import InputError
from joulebook.inputs import Input
from joulebook.intake.client import read_client
from joulebook.intake.tables import check_tables, read_table
from joulebook.workbook import ROOT

HEAD = "corner,hardware,software,date,workload,quality,energy_j,evidence"
RECORD = f"""{HEAD}
A1,gpu A,stack 1,2025-03-01,chat,99 %,1.0,measured
A2,gpu A,stack 2,2025-09-01,chat,99 %,0.8,measured
B2,gpu B,stack 2,2025-09-01,chat,99 %,0.5,measured
,gpu B,stack 3,2026-03-01,chat,99 %,0.45,quoted
"""
METERED = f"""{HEAD},work,meter,meter_limit_pct,released,scenario
A1,gpu A,stack 1,2025-03-01,chat,99 %,10,measured,10,m,0.5,2025-01-01,Offline
A1,gpu A,stack 1,2025-03-02,chat,99 %,11,measured,10,m,0.5,,Offline
B2,gpu B,stack 2,2025-09-01,chat,99 %,5,measured,10,,,,Offline
"""
SUBSET = """workload,match,generation,energy_j,evidence
chat,best,old,1,measured
chat,best,new,1,measured
chat,worst,old,2,measured
chat,worst,new,2,measured
"""
SAVING = """measure,when,energy_j,work,workload,quality,promised_saving,evidence
batching,before,100,10,chat,99 %,0.3,measured
batching,after,60,8,chat,99 %,0.3,measured
"""
NAMES = ("generations_csv", "stable_subset_csv", "saving_csv")


def test_a_record(read_rows):
    table = read_rows("generations_csv", RECORD)
    assert table["corner"].tolist() == ["A1", "A2", "B2", ""]
    assert table["work"].tolist() == [1.0] * 4  # energies of a unit of work
    assert table["released"].tolist() == table["date"].tolist()
    assert table[["energy_low_j", "meter_limit_pct"]].isna().all(axis=None)
    assert "scenario" not in table  # a label that no row states is that of the page


def test_repeats_and_meters(read_rows):
    table = read_rows("generations_csv", METERED)
    assert table["meter"].tolist() == ["m", "m", ""]
    assert table["released"].tolist() == ["2025-01-01", "2025-03-02", "2025-09-01"]
    assert table["meter_limit_pct"].tolist() == [0.5, 0.5, pytest.approx(np.nan, nan_ok=True)]


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_the_dictionary_are_read_and_may_be_compared(name):
    table = read_table(name, ROOT / "data" / "examples" / f"{name.removesuffix('_csv')}.csv")
    check_tables({"prepared": Input("2026-11-30")}, {name: table})


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("generations_csv", RECORD.replace("A2,", "C2,"), ["file.csv:3: corner: no corner", "A1 or A2 or B1 or B2"]),
        ("generations_csv", RECORD.replace("2025-03-01", "2025-02-30"), ["file.csv:2: date: no date of the calendar"]),
        ("generations_csv", RECORD.replace("2025-03-01", "March"), ["file.csv:2: date: no date", "2026-03-31"]),
        ("generations_csv", RECORD.replace("1.0,", "0,"), ["file.csv:2: energy_j: out of limits"]),
        ("generations_csv", METERED.replace(",10,m", ",1e-300,m", 1), ["file.csv:2: energy_j: no energy for this work"]),
        ("generations_csv", RECORD.replace("chat", "", 1), ["file.csv:2: workload: an empty cell"]),
        ("generations_csv", RECORD.replace("quoted", "known"), ["file.csv:5: evidence: no such choice"]),
        ("generations_csv", METERED.replace("m,0.5,,", "m,0.6,,"), ["file.csv:3: meter_limit_pct: another limit of this meter"]),
        ("generations_csv", METERED.replace("m,0.5,,", "m,,,"), ["file.csv:3: meter: a meter without its limit"]),
        ("generations_csv", METERED.replace("m,0.5,,", ",,,"), ["file.csv:3: meter: another meter than in the repeat above"]),
        ("generations_csv", METERED.replace("10,,,,", "10,,0.5,,"), ["file.csv:4: meter_limit_pct: a limit of error"]),
        ("generations_csv", METERED.replace("Offline", "offline", 1), ["file.csv:2: scenario: no such choice"]),
        ("generations_csv", METERED.replace("2025-01-01", "soon"), ["file.csv:2: released: no date"]),
        ("generations_csv", RECORD.replace("workload", "workloads"), ["workloads: unknown column", "did you mean workload"]),
        ("stable_subset_csv", SUBSET.replace("chat,best,new", "chat,mean,new"), ["file.csv:3: match: no such choice"]),
        ("stable_subset_csv", SUBSET.replace("worst,new", "worst,newer"), ["file.csv:5: generation: no such choice"]),
        ("saving_csv", SAVING.replace("after", "later"), ["file.csv:3: when: no such choice"]),
        ("saving_csv", SAVING.replace("8,chat,99 %,0.3", "8,chat,99 %,0.2"), ["file.csv:3: promised_saving: another promise"]),
        ("saving_csv", SAVING.replace("0.3", "30 %", 1), ["file.csv:2: promised_saving: not a number"]),
        ("saving_csv", SAVING.replace(",10,", ",,"), ["file.csv:2: work: an empty cell"]),
    ],
)
def test_what_is_said_of_wrong_files(name, content, words, read_rows):
    with pytest.raises(InputError) as error:
        read_rows(name, content)
    assert all(text in str(error.value) for text in words), str(error.value)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("generations_csv", RECORD.replace("chat,99 %,0.8", "code,99 %,0.8"), ["the label workload differs", "chat and code"]),
        ("generations_csv", RECORD.replace("99 %,0.5", "99.9 %,0.5"), ["the label quality differs", "99 % and 99.9 %"]),
        ("generations_csv", RECORD.replace("A1,", ","), ["no row is corner A1"]),
        ("generations_csv", RECORD.replace("B2,gpu B", "B2,gpu A"), ["the same hardware at both ends; found 'gpu A'"]),
        ("generations_csv", RECORD.replace("2026-03-01", "2027-03-01"), ["a day after the one that ages", "2026-11-30"]),
        ("stable_subset_csv", SUBSET.replace("worst,new", "worst,old"), ["chat: a matched result is missing, worst, new"]),
        ("saving_csv", SAVING.replace("after", "before"), ["batching: nothing after"]),
        ("saving_csv", SAVING.replace("8,chat,99 %", "8,chat,98 %"), ["the label quality differs, batching, before and after"]),
    ],
)
def test_what_may_not_be_compared_is_known_before_anything_runs(name, content, words, read_rows):
    with pytest.raises(InputError) as error:
        check_tables({"prepared": Input("2026-11-30")}, {name: read_rows(name, content)})
    said = str(error.value)
    assert name in said
    assert all(text in said for text in words), said


def test_ages_count_from_the_day_at_the_top_of_the_client_s_file(tmp_path):
    head = "client: A\nprepared: 2026-05-04\ncurrency: EUR\ntopics: [generations]\n"
    (tmp_path / "record.csv").write_text(RECORD, encoding="utf-8")
    (tmp_path / "client.yml").write_text(f"{head}inputs:\n  generations_csv: record.csv\n", encoding="utf-8")
    given = read_client(tmp_path).inputs["generations"]
    assert (given["prepared"].value, given["prepared"].source) == ("2026-05-04", "client.yml")
    assert given["valid_months"].value == 12  # the default of the dictionary
    (tmp_path / "client.yml").write_text(
        f"{head}inputs:\n  generations_csv: record.csv\n  prepared: 2026-05-05\n", encoding="utf-8"
    )
    with pytest.raises(InputError, match=r"inputs\.prepared: given once, for all topics.*prepared at the top of client\.yml"):
        read_client(tmp_path)
