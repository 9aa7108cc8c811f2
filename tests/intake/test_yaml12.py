"""YAML 1.2 as plain data: what scalars become, where they stand, and what is refused."""

import math

import pytest

from joulebook.errors import InputError
from joulebook.intake.yaml12 import load, read, read_scalar


@pytest.fixture
def file(tmp_path):
    def write(content):
        path = tmp_path / "client.yml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path
    return write


def refusal(path):
    with pytest.raises(InputError) as error:
        read(path)
    return str(error.value)


# YAML 1.2.2, section 10.3.2 (core schema): tag resolution of plain scalars; 0o17 and 0x1F are left as text on purpose
@pytest.mark.parametrize(("text", "value"), [
    ("12", 12), ("-7", -7), ("+3", 3), ("0", 0), ("24e9", 24e9), ("1e3", 1000.0), (".5", 0.5), ("1.", 1.0), ("-1.5E-3", -0.0015),
    ("true", True), ("False", False), ("null", None), ("~", None), ("", None),
    # M12 of the cases: what YAML 1.1 turns into something else
    ("NO", "NO"), ("on", "on"), ("yes", "yes"), ("1,2", "1,2"), ("50%", "50%"), ("1_000", "1_000"), ("0x1F", "0x1F"),
    ("0o17", "0o17"),
    # M01: a bare date is text, as is one in quotes
    ("2024-03-31", "2024-03-31"), ('"2024-03-31"', "2024-03-31"), ("2024-03-31 10:00:00", "2024-03-31 10:00:00"),
    ('"22:30"', "22:30"), ("'0012'", "0012"), ('"1.5"', "1.5"), ("|\n  a\n  b\n", "a\nb\n"), ("9**9**9**9", "9**9**9**9"),
])
def test_scalars_by_the_core_schema_alone(file, text, value):
    data, _ = read(file(f"key: {text}"))
    assert data == {"key": value}
    assert type(data["key"]) is type(value)


@pytest.mark.parametrize(("text", "value"), [(".inf", math.inf), ("-.Inf", -math.inf)])
def test_infinity_is_read_and_left_to_the_dictionary_to_refuse(file, text, value):
    assert read(file(f"key: {text}"))[0] == {"key": value}


def test_nan_is_read_and_left_to_the_dictionary_to_refuse(file):
    assert math.isnan(read(file("key: .nan"))[0]["key"])


def test_lines_are_known_for_every_key_and_item(file):
    data, lines = read(file("# a comment\nclient: Acme\n\ninputs:\n  pue:\n    value: 1.3\n    low: 1\ntopics:\n  - a\n  - b\n"))
    assert data == {"client": "Acme", "inputs": {"pue": {"value": 1.3, "low": 1}}, "topics": ["a", "b"]}
    assert lines == {("client",): 2, ("inputs",): 4, ("inputs", "pue"): 5, ("inputs", "pue", "value"): 6,
                     ("inputs", "pue", "low"): 7, ("topics",): 8, ("topics", 0): 9, ("topics", 1): 10}


def test_place_falls_back_to_what_is_there(file):
    document = load(file("client: Acme\ninputs:\n  pue: 1.3\n"))
    assert document.place("inputs", "pue", "low") == {"file": "client.yml", "line": 3, "field": "inputs.pue.low"}


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_utf8_with_and_without_mark(file, mark):
    assert read(file(mark + "client: Søn & Co – 株式会社".encode()))[0] == {"client": "Søn & Co – 株式会社"}


# M11 of the cases: PyYAML reads 450 and 1350 here
@pytest.mark.parametrize("text", ["7:30", "22:30", "07:30", "07:30:00", "190:20:30.5"])
@pytest.mark.parametrize("form", ["a:\n  b: {}", "a: {{b: {}}}", "a:\n  - {}"])
def test_clock_times_ask_for_quotes_wherever_they_stand(file, text, form):
    message = refusal(file(form.format(text)))
    assert text in message
    assert "quotes" in message


def test_clock_time_as_a_name_is_text(file):
    assert read(file("22:30: x"))[0] == {"22:30": "x"}


# M12: 0012 is octal 10 in YAML 1.1, 12 in YAML 1.2, and was meant as a meter's name
@pytest.mark.parametrize(("text", "meant"), [("0012", "12"), ("-007.5", "-7.5"), ("00", "0")])
def test_leading_zeros_are_refused(file, text, meant):
    message = refusal(file(f"a: 1\nb: {text}"))
    assert "client.yml:2: b: a number with leading zeros" in message
    assert f'allowed: {meant}, or "{text}" in quotes' in message


@pytest.mark.parametrize(("text", "line", "words"), [
    ("a: 1\nb: 2\na: 3\n", 3, ["a: given twice, in lines 1 and 3"]),
    ("a: {b: 1, b: 2}", 1, ["a.b: given twice"]),
    ("a: &x 1", 1, ["an anchor", "&x"]), ("a: *x", 1, ["an alias", "*x"]), ("a: &E\n  b: *E", 2, ["an alias"]),
    ("a: !!str 5", 1, ["a tag"]), ("a: !x\n  b: 1", 1, ["a tag"]),
    ("a: 1\n---\nb: 2", 2, ["a second document"]), ("%YAML 1.1\n---\na: 1", 2, ["a directive"]),
    ("- a\n- b", 1, ["a list or a single value where a mapping is due"]), ("just text", 1, ["where a mapping is due"]),
    ("1: x", 1, ["a name that is no text"]), ("true: x", 1, ["a name that is no text"]),
    ("? [a]\n: 1", 1, ["a name that is no text"]),
    ("a: {{x}}", 1, ["a name that is no text"]),
    ("a: 1\n\tb: 2", 2, ["no YAML"]), ("a:\n\t- 2", 2, ["no YAML", "tabs"]),
    # J04 of the cases: a colon in a title without quotes
    ("a: 1\nclient: Energy & cost: ACME", 2, ["no YAML", "quotes"]),
    ("a: @b", 1, ["no YAML", "quotes"]), ('a: "b\\q"', 1, ["no YAML", "backslash"]), ("a: [1", 1, ["no YAML"]),
    ("a: 'x", 1, ["closed"]),
    # R01 of the cases: the name of a client must not end at its #
    ("a: 1\nclient: R&D #1", 2, ["cut short", "in quotes"]),
    ("a: \x01", 1, ["control character"]), ('a: 1\nb: "0\x85"', 2, ["control character"]),
    ("a: 1\nb: 0\u2028", 2, ["control character"]), ('a: "\\U00110000"', 1, ["names no character"]),
    ('a: "\\UFFFFFFFF"', 1, ["names no character"]),
    ("a: 1e999", 1, ["too large"]), ("a: 1e-999", 1, ["too small"]), (f"a: {'9' * 400}", 1, ["too long"]),
    ("", None, ["nothing in it"]), ("# only a comment\n", None, ["nothing in it"]),
    ("{a: " * 30 + "1" + "}" * 30, 1, ["nested too deeply"]), ("[" * 100_000, 1, ["where a mapping is due"]),
    ("a: " + "[" * 100_000, 1, ["nested too deeply"]), ("null", 1, ["where a mapping is due"]),
])
def test_what_is_refused_is_named_with_its_line(file, text, line, words):
    message = refusal(file(text))
    assert all(word in message for word in words), message
    assert line is None or f"client.yml:{line}:" in message


def test_all_is_refused_at_once(file):
    message = refusal(file("a: 22:30\nb: 0012\nc: *x\na: 3\n7: 1\nd: !x y\n"))
    assert [line.split(":")[1] for line in message.splitlines()] == ["1", "2", "3", "4", "5", "6"]


def test_what_is_right_is_read_beside_what_is_refused(file):
    document = load(file("a: 22:30\nb: 2\nc: [1, 0012]\n"))
    assert document.data == {"b": 2}
    assert [problem.line for problem in document.problems] == [1, 3]


@pytest.mark.parametrize(("content", "words"), [
    ("client: Acme".encode("utf-16"), "UTF-16"), ("client: Acme".encode("utf-16-le"), "UTF-16"),
    (b"a: 1\nclient: S\xf8n", "client.yml:2: not UTF-8"),
    (b"a: " + b"x" * 2**20, "too large"),
])
def test_other_encodings_and_sizes(file, content, words):
    assert words in refusal(file(content))


def test_missing_and_folder(tmp_path):
    assert "no such file" in refusal(tmp_path / "client.yml")
    assert "a folder where a file is due" in refusal(tmp_path)


def test_billion_laughs_end_at_once(file):
    text = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 15))
    assert "an alias" in refusal(file(text))


@pytest.mark.parametrize(("text", "value"), [("1.5", 1.5), (" 3 ", 3), ("NO", "NO"), ("1 kW", "1 kW"), ('"1.5"', "1.5"),
                                             ("meter log.csv", "meter log.csv"), ("", None), ("null", None)])
def test_one_scalar(text, value):
    assert read_scalar(text) == value


# M20 of the cases: nested values given as text would arrive as one string
@pytest.mark.parametrize("text", ['{"a": {"b": 3}}', "[1, 2]", "a: b", "- 1", "1.5 # PUE", "# x", "--- 5", "*x", "&x 5",
                                  "!!str 5", "22:30", "0012", "1\n2", "1\t2", "'a' b", "%x", "@x", "...", "5\n...", "'a"])
def test_not_one_scalar(text):
    with pytest.raises(InputError) as error:
        read_scalar(text, file="--set", field="pue")
    assert str(error.value).startswith("--set: pue: ")
