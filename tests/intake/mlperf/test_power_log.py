"""Rows of the meter's log."""


import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from joulebook.errors import InputError
from joulebook.intake.mlperf.logs import regular_rows
from joulebook.intake.mlperf.logs.power_log import parse_power_log
from tests.intake.mlperf.made import one, problems_of, row, run


def test_failed_reads_are_counted_and_left_out(tmp_path):
    watts = ["100.0", "-2.000000", "100.0", "-1.000000", "100.0", "nan", "100.0", "0.0", "100.0", "100.0"]
    rows = [row(second, number) for second, number in enumerate(watts, start=1)]
    result = one(run(tmp_path / "r", [row(0, "100.0"), *rows, row(11, "100.0")], begin=0.5, end=10.5))
    # hand: 10 rows inside, 4 failed, mean of the 6 valid 100 W, 10 s: 1000 J; gaps of 2 s are bridged
    assert (result.n_samples, result.n_nonpositive, result.avg_power_w, result.energy_mean_x_duration_j) == (10, 4, 100.0, 1000.0)
    assert (result.max_gap_s, result.coverage, result.integral_energy_j) == pytest.approx((1.0, 1.0, 1000.0))


def test_a_gap_is_left_out_of_the_integral_only(tmp_path):
    rows = [row(second, "60.000000") for second in range(62) if not 30 < second < 36]
    result = one(run(tmp_path / "r", rows))
    # hand: 55 rows inside; mean 60 W x 60 s = 3600 J; 6 s from row 30 to 36 not covered: 54 s x 60 W = 3240 J
    assert (result.n_samples, result.max_gap_s, result.energy_mean_x_duration_j) == (55, 6.0, 3600.0)
    assert (result.integral_energy_j, result.coverage) == pytest.approx((3240.0, 0.9))


def test_the_integral_cuts_the_edges_by_interpolation(tmp_path):
    rows = [row(0, "100.0"), row(1, "200.0"), row(2, "200.0"), row(3, "100.0")]
    result = one(run(tmp_path / "r", rows, begin=0.5, end=2.5))
    # hand: mean 200 W x 2 s = 400 J; 0.5 s from 150 to 200 W = 87.5, 1 s x 200, 87.5: 375 J
    assert (result.energy_mean_x_duration_j, result.integral_energy_j) == pytest.approx((400.0, 375.0))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_marks_and_blank_looking_rows(tmp_path, newline, mark):
    rows = [*(row(second, "120.000000") for second in range(6)), " "]
    result = one(run(tmp_path / "r", rows, begin=-0.5, end=5.5, newline=newline, mark=mark))
    assert (result.n_samples, result.avg_power_w) == (6, 120.0)  # hand: 6 rows of 120 W
    assert result.notes == ("1 row of spl.txt left out: not starting with Time",)


def test_other_rows_are_counted(tmp_path):
    rows = ["PTD server ready", row(1, "60.0"), "", "0.0,1.0", row(2, "60.0"), row(3, "60.0"), " Time,not at the start"]
    assert one(run(tmp_path / "r", rows, begin=0.5, end=3.5)).notes == ("3 rows of spl.txt left out: not starting with Time",)


@pytest.mark.parametrize(("first", "note"), [("10.000000", ""),
                                             ("-10.000000", "total power is not the sum of its 2 channels in 11 rows")])
def test_two_analyzers_the_first_watts_are_the_total(tmp_path, first, note):
    part = ",Analyzer{0},Time,03-01-2024 10:00:00.750,Watts,{1},Volts,230.0,Amps,-0.5,PF,0.4,Mark,made_up"
    parts = part.format(1, first) + part.format(2, "300.000000")
    rows = [row(second, "310.000000", parts).replace("230.000000,Amps,1.000000,PF,0.950000", "-1.0,Amps,-1.0,PF,-1.0")
            for second in range(11)]
    result = one(run(tmp_path / "r", rows, begin=-0.0005, end=10.001))
    assert (result.avg_power_w, result.channels) == (310.0, 2)  # hand: 310 W, never 310 + 10 + 300
    assert ("; ".join(result.notes) or "").startswith(note)
    assert bool(result.notes) == bool(note)


def test_channels_with_a_failed_part_are_not_compared(tmp_path):
    rows = [row(second, "30.0", ",Ch1,Watts,-1.000000,Volts,0.0,Ch2,Watts,10.0,Volts,0.0") for second in range(3)]
    result = one(run(tmp_path / "r", rows, begin=-1, end=5))
    assert (result.channels, result.notes) == (2, ())


def test_rows_on_the_edges_are_outside(tmp_path):
    rows = [row(0, "900.0"), row(1, "100.0"), row(2, "100.0"), row(3, "900.0")]
    result = one(run(tmp_path / "r", rows, begin=0.0, end=3.0))
    assert (result.n_samples, result.avg_power_w) == (2, 100.0)  # hand: strictly between, both ends
    just_inside = one(run(tmp_path / "s", rows, begin=-0.001, end=3.001))
    assert (just_inside.n_samples, just_inside.avg_power_w) == (4, 500.0)


def test_one_row_inside(tmp_path):
    result = one(run(tmp_path / "r", [row(1, "70.0")], begin=0.5, end=1.5))
    assert (result.avg_power_w, result.max_gap_s, result.integral_energy_j, result.coverage) == (70.0, None, None, None)
    assert result.notes == ("no integral: fewer than two valid samples",)


def test_rows_out_of_order_and_doubled(tmp_path):
    rows = [row(second, "60.0") for second in (0, 2, 1, 3, 3, 4)]
    result = one(run(tmp_path / "r", rows, begin=0.5, end=3.5))
    assert result.integral_energy_j == pytest.approx(180.0)  # hand: 60 W x 3 s
    assert result.notes == ("the meter's time steps back 1 time: rows sorted by time",
                            "1 row of the meter repeated: counted once in the integral")
    differing = one(run(tmp_path / "s", [*rows, row(4, "61.0")], begin=0.5, end=3.5))
    assert (differing.integral_energy_j, differing.avg_power_w) == (None, 60.0)
    assert "no integral: two values at 2024-03-01 10:00:04.000" in differing.notes


def test_no_time_zone_is_added(tmp_path):
    rows = [row(9 * 3600 + second, "200.0") for second in range(11)]
    folder = run(tmp_path / "performance" / "run_1", rows, begin=1.5, end=8.5)
    (tmp_path / "performance" / "power").mkdir()
    (tmp_path / "performance" / "power" / "server.json").write_text('{"timezone": -32400}', encoding="utf-8")
    (problem,) = problems_of(folder)
    assert problem.what == "no row lies inside the window from power_begin to power_end"
    assert (problem.file, problem.field) == (str(folder / "spl.txt"), "Time")
    assert problem.value == "11 rows, 2024-03-01 19:00:00.000 to 2024-03-01 19:00:10.000"
    assert "strictly between 2024-03-01 10:00:01.500 and 2024-03-01 10:00:08.500" in problem.allowed


def test_many_rows(tmp_path):
    minute = [row(second, "60.000000") for second in range(60)]
    rows = [line.replace("03-01-2024 10:", f"{month:02d}-{day:02d}-2024 {hour:02d}:")
            for month in (1, 2, 3) for day in range(1, 29) for hour in range(24) for line in minute]
    result = one(run(tmp_path / "r", rows, power_begin="01-01-2024 00:00:30.500", power_end="03-28-2024 23:00:58.500"))
    assert result.n_samples == 3 * 28 * 24 * 60 - 32  # hand: without seconds 0 to 30 of the first minute and 59 of the last
    assert result.avg_power_w == 60.0


NUMBERS = st.sampled_from(["60.000000", "-2.000000", "nan", "0.0", "7", "1234567.25", "0.000001", ".5", "5.", "1e3", "-0.0",
                           "99999999.999999", "100000000.000001", " 60.0", "6_0", "", "x", "inf", "1e12", "12.5.1", "+3.0"])
STAMPS = st.sampled_from(["03-01-2024 10:00:00.000", "12-31-2023 23:59:59.999", "02-29-2024 00:00:00.001",
                          "02-30-2024 10:00:00.000", "03-01-2024 24:00:00.000", "03-01-2024 10:00:00",
                          "2024-03-01 10:00:00.000", "00-01-2024 10:00:00.000"])
ENDS = st.sampled_from(["\n", "\r\n", "\n\n", "\r", "\n \n", ""])
MORE = st.sampled_from(["", ",Volts,230.0", ",Volts,-1,Mark,a_testing", ",Ch1,Watts,10.5,Volts,1.0,Ch2,Watts,-2,Volts,1.0",
                        ",Ch1,Watts,10.5,Volts,1.0,Ch2,Watts,49.5,Volts,1.0", ",Ch1,Watts,x,Volts,1.0,Ch2,Watts,1,Volts,1.0",
                        ",Analyzer1,Time,03-01-2024 10:00:00.750,Watts,-10.5,Volts,2,Analyzer2,Time,x,Watts,300.0,Volts,1"])
LINES = st.tuples(STAMPS, NUMBERS, MORE, ENDS).map(lambda parts: f"Time,{parts[0]},Watts,{parts[1]}{parts[2]}{parts[3]}")
OTHERS = st.sampled_from(["", " ", "PTD ready\n", "Time\n", "Time,x\n", "\u00e9\n"])


@settings(max_examples=300, deadline=None)
@example(f"{row(1, '60.000000')}\n {row(2, '60.000000')},Ch1,Watts,10.5,Volts,1.0,Ch2,Watts,49.5,Volts,1.0\r\n")
@given(st.lists(LINES | OTHERS, min_size=1, max_size=8).map("".join))
def test_rows_that_are_read_at_once_are_read_as_one_by_one(text):
    data = text.encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(regular_rows, "read", lambda *_: None)
        plain = outcome(data)
    assert outcome(data) == plain
    if isinstance(plain, tuple):
        assert parse_power_log(data, "spl.txt", channels=False).channels == plain[3]


def outcome(data):
    """What a log is read into, or refused for."""
    try:
        log = parse_power_log(data, "spl.txt")
    except InputError as error:
        return [str(problem) for problem in error.problems]
    return (log.times.tolist(), [str(watt) for watt in log.watts.tolist()], log.other_rows, log.channels, log.apart,
            log.apart_words)


def test_a_sentinel_of_a_meter_is_no_power(tmp_path):
    (problem,) = problems_of(run(tmp_path / "r", [row(1, "60.0"), row(2, "9.91E+37"), row(3, "60.0")], begin=0.5, end=3.5))
    assert (problem.line, problem.field, problem.value) == (2, "Watts", "9.91E+37")
