"""A server of a built book: to this machine alone, files of the book alone."""

import errno
import shutil
import tempfile
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import MimeTypes
from pathlib import Path
from threading import Thread
from urllib.parse import quote, unquote, urlsplit

from joulebook.errors import InputError, Problem

LOOPBACK = "127.0.0.1"
VERSION = "/.version"  # which of its books the server shows; no file of a book begins with a dot
_TYPES = MimeTypes()  # those of Python, whatever this system has
for _ending, _type in {
    ".js": "text/javascript", ".md": "text/markdown", ".woff2": "font/woff2", ".ipynb": "application/x-ipynb+json",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".inv": "application/octet-stream",
}.items():
    _TYPES.add_type(_type, _ending)
# Added to what is served, never to what is built. A page asks the server that it came from, and nobody else.
_RELOAD = """<script>
(() => {{
  const ask = () => fetch("{path}", {{cache: "no-store"}}).then(answer => answer.text())
    .then(version => version === "{version}" ? setTimeout(ask, 1000) : location.reload())
    .catch(() => setTimeout(ask, 3000));
  setTimeout(ask, 1000);
}})();
</script>
"""


class BookServer(ThreadingHTTPServer):
    """Serves the book that `show` was given last, from a copy of its own.

    Parameters
    ----------
    port : int
        Port of the loopback address; 0 for one that is free.

    Raises
    ------
    InputError
        If the port is not to be had.
    """

    daemon_threads = True

    def __init__(self, port):
        self._own = self._thread = None
        try:
            super().__init__((LOOPBACK, port), _Handler)
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            raise InputError(Problem("this port is in use" if taken else f"this port cannot be used, {error.strerror}",
                                     field="--port", value=port, allowed="another one; 0 takes one that is free")) from None
        self.port = self.server_address[1]
        self.hosts = {f"{host}:{self.port}" for host in (LOOPBACK, "localhost")}
        if self.port == 80:  # the port of the protocol goes without saying
            self.hosts |= {LOOPBACK, "localhost"}
        self.version, self.book = 0, None
        self._own = tempfile.TemporaryDirectory(prefix="joulebook-")
        self._thread = Thread(target=self.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
        self._thread.start()

    @property
    def url(self):
        """Where a browser finds it."""
        return f"http://{LOOPBACK}:{self.port}/"

    def show(self, book):
        """Show a book from now on.

        Parameters
        ----------
        book : pathlib.Path
            Folder of built pages; it is copied, as the next build may take it away.
        """
        copy, earlier = Path(self._own.name) / f"{self.version + 1}", self.book
        try:
            shutil.copytree(book, copy, symlinks=True)  # one that leads elsewhere is not followed
        except OSError:
            shutil.rmtree(copy, ignore_errors=True)
            raise
        self.book, self.version = copy, self.version + 1
        if earlier is not None:
            shutil.rmtree(earlier, ignore_errors=True)

    def server_close(self):
        """Stop serving, and remove the copy."""
        if self._thread is not None:  # else it never began
            self.shutdown()
        super().server_close()
        if self._own is not None:
            self._own.cleanup()

    def handle_error(self, request, client_address):
        """A browser that hangs up is no error; nothing else gets here."""


class _Handler(BaseHTTPRequestHandler):
    server_version, sys_version = "joulebook", ""
    timeout = 30

    def do_GET(self):
        """Answer with a file of the book."""
        self._answer(with_body=True)

    def do_HEAD(self):
        """Answer with the head alone."""
        self._answer(with_body=False)

    def log_message(self, *_):
        """Say nothing: a request holds names of pages, and they are a client's."""

    def _answer(self, with_body):
        server = self.server
        # A page of elsewhere whose name was made to lead here asks by that name.
        if self.headers.get("Host", "").lower() not in server.hosts:
            self._send(HTTPStatus.MISDIRECTED_REQUEST, "text/plain; charset=utf-8", b"no such host\n", with_body)
            return
        path, version, book = unquote(urlsplit(self.path).path, errors="replace"), server.version, server.book
        if path == VERSION:
            self._send(HTTPStatus.OK, "text/plain; charset=utf-8", str(version).encode(), with_body)
            return
        found = _file(book, path)
        if found is not None and found.is_dir():
            if not path.endswith("/"):
                self._send(HTTPStatus.MOVED_PERMANENTLY, "text/plain; charset=utf-8", b"", with_body,
                           Location=quote(f"/{path.strip('/')}/"))
                return
            found = found / "index.html"
        try:
            content = found.read_bytes()
        except (AttributeError, OSError):
            self._send(HTTPStatus.NOT_FOUND, "text/plain; charset=utf-8", b"no such page\n", with_body)
            return
        kind = _TYPES.guess_type(found.name)[0] or "application/octet-stream"
        if kind == "text/html":
            before, tag, after = content.rpartition(b"</body>")
            content = before + _RELOAD.format(path=VERSION, version=version).encode() * bool(tag) + tag + after
        text = kind.startswith("text/") or kind in ("image/svg+xml", "application/json")
        self._send(HTTPStatus.OK, kind + "; charset=utf-8" * text, content, with_body)

    def _send(self, status, kind, content, with_body, **heads):
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(content)), "Cache-Control": "no-store",
                            "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin",
                            "Referrer-Policy": "no-referrer", **heads}.items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(content)


def _file(book, path):
    """The file or folder of a book that a path names; None where it would lead elsewhere, or there is no book."""
    parts = [part for part in path.split("/") if part]
    if book is None or not path.startswith("/") or any(part.startswith(".") or set(part) & set("\\\0:") for part in parts):
        return None
    found = book.joinpath(*parts)
    try:
        return found if found.resolve().is_relative_to(book.resolve()) else None
    except OSError:
        return None
