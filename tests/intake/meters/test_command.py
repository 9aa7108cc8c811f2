"""``joulebook meter`` as a user meets it."""

import json

import pytest

LOG = "timestamp,power_w\n" + "".join(f"2024-06-03T10:00:{t:02}Z,{200 + t}\n" for t in range(21))


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "pdu.csv"
    path.write_text(LOG)
    return path


def test_it_tells_energy_and_all_that_must_be_known_beside_it(joulebook, log):
    code, out, err = joulebook("meter", log, "--kind", "instantaneous", "--boundary", "server")
    assert (code, err) == (0, "")
    for words in (
        "pdu (instantaneous, boundary server)",
        "4200 J (low 4200, high 4200",  # hand: mean of 200 and 220 W x 20 s
        "210 W on average, 219 W at most",  # the reading at the end of a window is not in it
        "2024-06-03T10:00:00Z to 2024-06-03T10:00:20Z: 20 s, coverage 1, longest gap 1 s, sampling interval 1 s",
        "21 rows read, 21 used; left out: none; time base: UTC",
        "its accuracy is not stated",
        "its stamps come in steps of 1 s",
    ):
        assert words in out, out


def test_it_asks_for_what_is_missing_by_the_names_of_its_options(joulebook, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("time,power\n2024-06-03 10:00:00,1\n")
    code, out, err = joulebook("meter", path)
    assert (code, out) == (2, "")
    for option in ("--unit", "--kind", "--timezone"):
        assert f"{path}: {option}: " in err
    code, _, err = joulebook("meter", tmp_path / "none.csv")
    assert code == 2
    assert "none.csv: no such file" in err
    code, _, err = joulebook("meter", path, "--as", "nvidiasmi")
    assert code == 2
    assert "--as: no such choice" in err
    assert "did you mean nvidia-smi?" in err


def test_a_window_is_cut_and_printed_as_json(joulebook, log):
    window = ["--begin", "2024-06-03T12:00:02.5+02:00", "--end", "2024-06-03T10:00:04.5Z"]
    code, out, _ = joulebook("meter", log, "--kind", "instantaneous", *window, "--json")
    assert code == 0
    channel = json.loads(out)["channels"][0]
    assert channel["energy_j"] == pytest.approx(407.0, rel=1e-12)  # hand: mean of 202.5 and 204.5 W x 2 s
    assert (channel["window_s"], channel["coverage"], channel["rows"]) == (2.0, 1.0, 21)


def test_phases_are_told_each(joulebook, log, tmp_path):
    phases = tmp_path / "phases.csv"
    phases.write_text("phase,begin,end\nwarmup,2024-06-03T10:00:00Z,2024-06-03T10:00:10Z\n"
                      "work,2024-06-03T10:00:10Z,2024-06-03T10:00:20Z\n")  # fmt: skip
    code, out, _ = joulebook("meter", log, "--kind", "instantaneous", "--phases", phases, "--json")
    assert code == 0
    channel = json.loads(out)["channels"][0]
    assert {name: phase["energy_j"] for name, phase in channel["phases"].items()} == pytest.approx(
        {"warmup": 2050.0, "work": 2150.0}
    )
    assert channel["energy_j"] == pytest.approx(4200.0)
    code, out, _ = joulebook("meter", log, "--kind", "instantaneous", "--phases", phases)
    assert "work: 2150 J in 10 s" in out
    code, _, err = joulebook("meter", log, "--kind", "instantaneous", "--phases", phases, "--begin", "1")
    assert code == 2
    assert "exclude each other" in err
    phases.write_text("phase,begin,end\nwork,0,10\n")
    code, _, err = joulebook("meter", log, "--kind", "instantaneous", "--phases", phases)
    assert code == 2
    assert "share no clock" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--begin", "5", "--end", "10"), "--begin: no date and time"),
        (("--begin", "2024-06-03T10:00:00", "--end", "2024-06-03T10:00:10Z"), "--begin: no date and time with its offset"),
        (("--begin", "2024-06-03T10:00:10Z", "--end", "2024-06-03T10:00:00Z"), "a window must begin before it ends"),
        (("--begin", "2024-06-03T09:00:00Z", "--end", "2024-06-03T10:00:20Z"), "the window is not covered well enough"),
        (("--max-gap-s", "0"), "--max-gap-s: out of limits"),
        (("--min-coverage", "2"), "--min-coverage: out of limits"),
        (("--channel", "wall"), "--channel: no such channel"),
    ],
)
def test_windows_and_limits_that_are_none_are_refused(joulebook, log, words, said):
    code, out, err = joulebook("meter", log, "--kind", "instantaneous", *words)
    assert (code, out) == (2, "")
    assert said in err
