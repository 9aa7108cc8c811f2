"""A book on loopback: its own files and nothing else, to this machine and nobody else, built again where something changes."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time

import pytest

from joulebook.errors import InputError, RunError
from joulebook.publish.serve import BookServer, keep_current
from joulebook.publish.serve.watch import stamps, watched
from joulebook.workbook import ROOT

CLIENT = """\
client: Acme & Søn
prepared: 2026-11-30
currency: EUR
topics: [boundary_ladder]
labels: {unit_of_work: output_token, boundary: server}
inputs:
  boundary_csv: boundary.csv
  pue: 1.25
"""


@pytest.fixture
def book(tmp_path):
    folder = tmp_path / "book"
    (folder / "notebooks").mkdir(parents=True)
    (folder / "index.html").write_text("<html><body>First</body></html>")
    (folder / "notebooks" / "a page.html").write_text("<html><body>é</body></html>", encoding="utf-8")
    for name in ("a.js", "a.css", "a.svg", "a.woff2", "a.json", "a.csv", "a.ipynb", "a.xlsx", "objects.inv", ".hidden"):
        (folder / name).write_bytes(b"x")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    return folder


@pytest.fixture
def server(book):
    with BookServer(0) as made:
        made.show(book)
        yield made


def ask(server, path, method="GET", host=None):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.putrequest(method, path, skip_host=True)
    if host != "":
        connection.putheader("Host", host or f"127.0.0.1:{server.port}")
    connection.endheaders()
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, dict(answer.getheaders()), content


def test_pages_and_files_have_their_types(server):
    types = {name: ask(server, f"/{name}")[1]["Content-Type"] for name in (
        "index.html", "a.js", "a.css", "a.svg", "a.woff2", "a.json", "a.csv", "a.ipynb", "a.xlsx", "objects.inv")}
    assert types == {
        "index.html": "text/html; charset=utf-8", "a.js": "text/javascript; charset=utf-8", "a.css": "text/css; charset=utf-8",
        "a.svg": "image/svg+xml; charset=utf-8", "a.woff2": "font/woff2", "a.json": "application/json; charset=utf-8",
        "a.csv": "text/csv; charset=utf-8", "a.ipynb": "application/x-ipynb+json",
        "a.xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "objects.inv": "application/octet-stream"}
    status, heads, content = ask(server, "/notebooks/a%20page.html?x=1")
    assert status == 200
    assert "é".encode() in content
    assert heads["X-Content-Type-Options"] == "nosniff"
    assert heads["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in heads
    assert ask(server, "/a.js", "HEAD")[2] == b""
    assert ask(server, "/", "POST")[0] == 501


@pytest.mark.parametrize("path", [
    "/../secret.txt", "/%2e%2e/secret.txt", "/notebooks/../../secret.txt", "/..%2fsecret.txt", "/..%5csecret.txt", "//etc/passwd",
    "/link.txt", "/.hidden", "/%00", "/a.js%00.html", "/a.js/x", "/c:/x", "http://elsewhere/..%2fsecret.txt", "/none", "*"])
def test_nothing_but_files_of_the_book_is_served(server, path):
    status, _, content = ask(server, path)
    assert (status, content) == (404, b"no such page\n")


def test_a_folder_has_its_first_page_or_none(server):
    assert b"First" in ask(server, "/")[2]
    status, heads, _ = ask(server, "/notebooks")
    assert (status, heads["Location"]) == (301, "/notebooks/")
    assert ask(server, "/notebooks/")[0] == 404
    assert ask(server, "//notebooks")[1].get("Location", "/notebooks/") == "/notebooks/"


@pytest.mark.parametrize("host", ["", "elsewhere.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.elsewhere.example:{port}"])
def test_who_asks_by_another_name_gets_nothing(server, host):
    status, _, content = ask(server, "/", host=host.format(port=server.port))
    assert (status, content) == (421, b"no such host\n")
    assert ask(server, "/", host=f"LOCALHOST:{server.port}")[0] == 200


def test_only_this_machine_is_served(server):
    assert server.socket.getsockname() == ("127.0.0.1", server.port)
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.2", server.port), timeout=5):
        pass


def test_pages_are_told_of_a_new_book_and_files_stay_as_built(server, book):
    version = ask(server, "/.version")[2]
    assert f'version === "{version.decode()}"'.encode() in ask(server, "/")[2]
    assert b"<script>" not in (book / "index.html").read_bytes()
    (book / "index.html").write_text("<html><body>Second</body></html>")
    assert b"First" in ask(server, "/")[2]
    server.show(book)
    assert b"Second" in ask(server, "/")[2]
    assert ask(server, "/.version")[2] != version


def test_a_port_that_is_in_use_is_an_error(server):
    with pytest.raises(InputError, match=rf"--port: this port is in use; found {server.port}; allowed: another one"):
        BookServer(server.port)


def test_a_build_that_fails_leaves_the_last_book(tmp_path):
    states = iter([{"a": 1}, {"a": 1}, {"a": 2}, {"a": 3}, {"a": 3}, {"a": 4}, {"a": 4}, {"a": 5}, {"a": 5}])
    builds = iter([RunError("a page is wrong"), OSError(28, "No space left on device"), None])
    shown, said = [], []

    def build():
        problem = next(builds)
        if problem:
            raise problem
        return "third"

    def look():
        state = next(states, None)
        if state is None:
            raise KeyboardInterrupt
        return state

    with pytest.raises(KeyboardInterrupt):
        keep_current(build, shown.append, look, said.append, sleep=lambda _: None)
    assert shown == ["third"]
    assert [text for text in said if "stays" in text] == [
        "a page is wrong\nthe last good book stays", "No space left on device\nthe last good book stays"]


def test_what_is_watched(tmp_path):
    client, runs = tmp_path / "acme", tmp_path / "acme" / "runs"
    runs.mkdir(parents=True)
    for name in ("client.yml", "a.csv", "runs/run.json", ".a.csv.swp", "a.csv~"):
        (client / name).write_text("1")
    paths = watched(tmp_path, client)
    assert {os.path.relpath(path, client) for path in stamps(paths, [runs])} == {"client.yml", "a.csv"}
    (client / "client.yml").unlink()
    (client / "run.json").write_text("{}")
    assert {os.path.relpath(path, client) for path in stamps(watched(tmp_path, client))} == {"run.json"}
    assert {path.name for path in watched(ROOT)} == {"book", "notebooks", "data", "_toc.yml", "_config.yml"}


def test_a_changed_input_is_seen_and_a_wrong_one_said(tmp_path):
    client = tmp_path / "acme"
    client.mkdir()
    example = (ROOT / "data" / "clients" / "edge-sensor" / "boundary.csv").read_text(encoding="utf-8")
    (client / "boundary.csv").write_text(example, encoding="utf-8")
    (client / "client.yml").write_text(CLIENT, encoding="utf-8")
    code = "from joulebook.cli import main; main()"
    command = [sys.executable, "-c", code, "serve", client, "--port", "0", "--out", tmp_path / "runs"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
                               env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(ROOT)})
    try:
        line = process.stdout.readline()
        port = int(re.fullmatch(r"http://127\.0\.0\.1:(\d+)/  Ctrl-C ends it\n", line).group(1))

        def page():
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("GET", "/notebooks/boundary_ladder.html")
            return connection.getresponse().read().decode()

        assert "1.25" in page()
        (client / "client.yml").write_text(CLIENT.replace("1.25", "0.5"), encoding="utf-8")
        lines = [process.stdout.readline()]
        while "stays" not in lines[-1]:
            lines.append(process.stdout.readline())
        assert any("client.yml:8: inputs.pue" in line for line in lines)
        assert "1.25" in page()
        (client / "client.yml").write_text(CLIENT.replace("1.25", "1.375"), encoding="utf-8")
        while "built" not in process.stdout.readline():
            time.sleep(0.01)
        assert "1.375" in page()
        results = json.loads((tmp_path / "runs" / "acme" / "results.json").read_text(encoding="utf-8"))
        assert "1.375" in json.dumps(results)
    finally:
        process.send_signal(signal.SIGINT)
        rest, said = process.communicate(timeout=60)
    assert process.returncode == 0
    assert rest.endswith("stopped\n")
    assert "Traceback" not in said


def test_what_cannot_be_served_is_said(joulebook, tmp_path, server):
    code, _, said = joulebook("serve", tmp_path / "none", "--port", "0")
    assert code == 2
    assert "no such folder" in said
    code, _, said = joulebook("serve", tmp_path, "--port", server.port)
    assert code == 2
    assert "this port is in use" in said
    code, _, said = joulebook("serve", tmp_path, "--port", "0", "--out", tmp_path / "runs")
    assert code == 2
    assert "client.yml" in said
