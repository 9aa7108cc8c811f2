"""The command that shows a book and keeps it current."""

import signal
from pathlib import Path
from typing import Annotated

import typer

from joulebook.cli.app import app
from joulebook.cli.terminal import RUNS, Out, Settings, err, say
from joulebook.errors import InputError, Problem, RunError
from joulebook.workbook import ROOT

PORT = 8000


@app.command(short_help="Serve a book to this machine and keep it current.")
def serve(
    client: Annotated[
        Path | None, typer.Argument(metavar="[CLIENT]", help="A client folder, or a run; without one, the public book.")
    ] = None,
    port: Annotated[int, typer.Option("--port", "-p", min=0, max=65535, help="Port; 0 takes one that is free.")] = PORT,
    settings: Settings = None,
    folder: Out = RUNS,
):
    """Serve the built book to browsers of this machine, and build again what changed of the client's files or the prose.

    Nobody else on the network sees it. Where a build fails the reason is printed, and the last good book stays. Ctrl-C ends it.

    Example:  joulebook serve data/clients/chat-assistant
    """
    from joulebook.publish.serve import BookServer, Building, keep_current
    from joulebook.publish.serve.watch import stamps, watched

    if client is not None and not client.is_dir():
        raise InputError(Problem("no such folder", file=str(client), allowed="a folder with a client.yml, or a run folder"))
    words = [word for setting in settings or () for word in ("--set", setting)]
    build, paths = Building([*([client] if client else []), *words, "--out", folder]), watched(ROOT, client)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with BookServer(port) as server:
            seen = stamps(paths, [folder])
            server.show(_first(build))
            say([f"{server.url}  Ctrl-C ends it"])
            keep_current(build, server.show, lambda: stamps(paths, [folder]), lambda text: say([text]), seen)
    except KeyboardInterrupt:
        say(["stopped"])


def _first(build):
    """The first book; what its build says is passed on, and so is the code that it ends with where it fails."""
    try:
        made = build()
    except RunError:
        err().print(build.said.strip(), markup=False)
        raise typer.Exit(build.code) from None
    if build.said.strip():
        err().print(build.said.strip(), markup=False)
    return made


def _interrupt(*_):
    raise KeyboardInterrupt
