"""Cases that people who read power logs have met: the right value, and the trap that gives another."""

import json

import pytest

from joulebook.errors import InputError
from joulebook.intake.mlperf import find_results, parse_power_log
from tests.intake.mlperf.made import epoch, one, problems_of, row, run, submission

NINE_HOURS = 9 * 3600


def local_or_not(folder, shift, phases=None):
    """Eleven rows of 200 W on a clock that is shifted, a window of 7 s, and a server east of UTC."""
    run(folder, [row(shift + second, "200.000000") for second in range(11)], begin=1.5, end=8.5, result_samples_per_second=700.0)
    (folder / "client.json").write_text('{"timezone": 0}', encoding="utf-8")
    server = {"timezone": -NINE_HOURS} | ({"phases": phases} if phases else {})
    (folder / "server.json").write_text(json.dumps(server), encoding="utf-8")
    return folder


def p01(path, **how):
    (result,), _, problems = find_results([path], **how)
    assert problems == []
    return result


def test_p01_a_log_in_utc_is_taken_as_it_is(tmp_path):
    # hand: 7 rows of 200 W strictly inside 7 s: 1400 J; trap: the zone added to a log in UTC leaves 0 rows
    result = p01(local_or_not(tmp_path / "utc", 0))
    assert (result.n_samples, result.avg_power_w, result.energy_mean_x_duration_j) == (7, 200.0, 1400.0)
    (told,) = [check.words for check in result.checks if check.rule == "time_base"]
    assert "0 of 7 samples would be left in the window" in told


def test_p01_a_local_log_is_shifted_where_it_is_declared_so(tmp_path):
    result = p01(local_or_not(tmp_path / "local", NINE_HOURS), meter_clock="local")
    assert (result.n_samples, result.energy_mean_x_duration_j) == (7, 1400.0)
    assert result.notes[0] == "the meter's rows are read as local time, -9 h added (as declared)"


def test_p01_a_local_log_is_shifted_where_the_phases_show_it(tmp_path):
    phases = {"testing": [[epoch(second), 0.0] for second in (-2, 1, 9, 12)]}
    result = p01(local_or_not(tmp_path / "local", NINE_HOURS, phases))
    assert (result.n_samples, result.energy_mean_x_duration_j) == (7, 1400.0)
    assert "only so do they lie in the testing phase of server.json" in result.notes[0]


def test_p01_an_empty_window_names_the_likely_zone(tmp_path):
    (problem,) = problems_of(local_or_not(tmp_path / "local", NINE_HOURS))  # never 0 J
    assert problem.what == "no row lies inside the window from power_begin to power_end"
    assert "with the zone of server.json (-9 h) 7 rows would lie inside" in problem.allowed
    (tmp_path / "local" / "server.json").unlink()
    (problem,) = problems_of(tmp_path / "local")
    assert "shifted by -9 h 7 rows would lie inside" in problem.allowed


def test_p01_a_log_in_utc_that_is_declared_local(tmp_path):
    _, _, (problem,) = find_results([local_or_not(tmp_path / "utc", 0)], meter_clock="local")
    assert "without the declared shift of -9 h 7 rows would lie inside: the log is not in local time" in problem.allowed
    (tmp_path / "utc" / "server.json").unlink()
    _, _, (problem,) = find_results([tmp_path / "utc"], meter_clock="local")
    assert problem.what == "the meter's clock is declared as local, and no time zone is recorded"


def test_p03_a_line_that_holds_only_a_space(tmp_path):
    # hand: 6 rows of 120 W; between the first and the last of them 5 s x 120 W = 600 J by the trapezoid
    rows = [*(row(second, "120.000000") for second in range(6)), " "]
    result = one(run(tmp_path / "r", rows, begin=-0.001, end=5.001))
    assert (result.n_samples, result.avg_power_w) == (6, 120.0)
    assert result.integral_energy_j == pytest.approx(600.0)
    assert result.notes == ("1 row of spl.txt left out: not starting with Time",)


@pytest.mark.parametrize("first", ["10.000000", "-10.000000"])
def test_p04_two_analyzers(tmp_path, first):
    part = ",Analyzer{0},Time,03-01-2024 10:00:00.750,Watts,{1},Volts,230.0,Amps,-0.5,PF,0.4,Mark,made_up"
    rows = [row(second, "310.000000", part.format(1, first) + part.format(2, "300.000000"))
            .replace("230.000000,Amps,1.000000,PF,0.950000", "-1.0,Amps,-1.0,PF,-1.0", 1) for second in range(11)]
    result = one(run(tmp_path / "r", rows, begin=0.0 - 0.0005, end=10.0005))
    # hand: 310 W over 10.001 s; trap: the sum of all Watts fields is 620 W
    assert (result.avg_power_w, result.channels) == (310.0, 2)
    assert result.integral_energy_j == pytest.approx(3100.0)
    told = next(check for check in result.checks if check.rule == "channel_sum")
    assert told.warning == first.startswith("-")
    if told.warning:
        assert "first Watts 310, channels 290, 20 W apart: channel 1 reads -10 W, look at its sign" in told.words
        assert told.words in told.line()


def test_p32_testing_is_longer_than_ranging(tmp_path):
    # hand: 108 rows less 2 s of edges = 106 s of testing, 102 rows = 100 s of ranging: +6.0 %; power of the testing run alone
    result = one(submission(tmp_path / "Offline", seconds=108, ranging_s=102, ranging_w="61.000000"))
    told = next(check for check in result.checks if check.rule == "testing_duration")
    assert (told.status, told.warning, told.measured) == ("pass", True, pytest.approx(6.0))
    assert "testing 106 s is +6.0 % against ranging 100 s" in told.words
    assert (result.avg_power_w, result.duration_s) == (60.0, 106.0)  # trap: both runs together


def test_c04_a_query_of_multi_stream_is_eight_samples(tmp_path):
    # hand: 60 W x 60 s = 3600 J; / 450 queries = 8000 mJ; / 8 = 1.0 J per sample
    result = one(run(tmp_path / "multistream", effective_scenario="MultiStream", result_query_count=450,
                     generated_query_count=270336, generated_samples_per_query=8, loadgen_version="4.1 @ 0"))
    assert (result.energy_mean_x_duration_j, result.power_metric, result.power_unit) == (3600.0, 8000.0, "mJ/query")
    assert result.avg_power_w / result.throughput_per_s == 1.0
    assert result.power_metric != pytest.approx(13.316761)  # trap: by the generated query count
    assert result.efficiency_per_j == 1.0  # trap: a query taken as a sample gives 8 J


@pytest.mark.parametrize(
    "stamp", ["03-01-2024 10:0:04.000", "3-01-2024 10:00:04.000", "03-01-2024 10:00:04", "03-01-2024 10:00:٤4.000"]
)
def test_a_stamp_with_digits_missing_is_refused_by_its_line(stamp):
    rows = [f"Time,03-01-2024 10:00:0{i}.000,Watts,200.0,Volts,230.0" for i in range(4)]
    log = "\n".join([*rows, f"Time,{stamp},Watts,200.0,Volts,230.0", ""])
    with pytest.raises(InputError, match=r"spl\.txt:5: Time: not a time"):
        parse_power_log(log.encode(), "spl.txt")


def test_a_row_that_is_cut_before_its_number_takes_none_from_the_next_line():
    rows = [f"Time,03-01-2024 10:00:0{i}.000,Watts,200.0,Volts,230.0,Amps,1.0" for i in range(4)]
    log = "\n".join(["Time,03-01-2024 09:59:59.000,Watts,", "200.0,Volts,230.0", *rows, ""])
    with pytest.raises(InputError, match=r"spl\.txt:1: Watts: not a number"):
        parse_power_log(log.encode(), "spl.txt")
