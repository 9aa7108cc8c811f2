"""Commands that publish what was executed, and look back at it."""

import json
from pathlib import Path
from typing import Annotated

import typer

from joulebook.cli.app import app
from joulebook.cli.terminal import RUNS, Clients, Force, Out, Progress, Settings, Topics, escape, out, say
from joulebook.errors import InputError, JoulebookError, Problem, RunError
from joulebook.workbook import ROOT


@app.command(short_help="Build the public book, or a client's own.")
def book(
    client: Annotated[
        Path | None, typer.Argument(metavar="[CLIENT]", help="A client folder, or a run; without one, the public book.")
    ] = None,
    settings: Settings = None,
    folder: Out = RUNS,
    force: Force = False,
):
    """Build the static book: the public one with the example clients, or a client's own.

    Example:  joulebook book data/clients/chat-assistant
    """
    from joulebook.publish import outputs

    with Progress(None) as progress:
        if client is None and settings:
            raise InputError(Problem("--set needs a client", file="--set", allowed="joulebook book CLIENT --set NAME=VALUE"))
        if client is None:
            made = outputs.public_book(ROOT / "_build", folder, progress.of("book"), force)
        else:
            run = outputs.current_run(client, folder, settings or (), progress.of(client.name), force)
            made = outputs.client_book(run, progress.of(client.name))
    out().print(escape(str(made / "index.html")))


@app.command(short_help="Write a PDF for each client.")
def report(
    clients: Clients,
    settings: Settings = None,
    folder: Out = RUNS,
    force: Force = False,
    fonts: Annotated[
        list[Path] | None,
        typer.Option("--fonts", metavar="DIR", help="Fonts for characters that the report's own lack; may be given again."),
    ] = None,
):
    """Write a PDF for each client from its executed notebooks, which are run first where they are not up to date.

    A run folder in place of a client is taken as it is.

    Example:  joulebook report data/clients/chat-assistant
    """
    from joulebook.intake.lettering import require_fonts
    from joulebook.publish import outputs

    require_fonts(fonts or ())
    failed = []
    for client in clients:
        try:
            with Progress(None) as progress:
                run = outputs.current_run(client, folder, settings or (), progress.of(client.name), force)
                made = outputs.client_report(run, fonts or ())
        except JoulebookError as error:  # the others get theirs
            failed.append(error)
            continue
        out().print(escape(str(made)))
    if all(isinstance(error, InputError) for error in failed) and failed:
        raise InputError([problem for error in failed for problem in error.problems])
    if failed:
        raise RunError("\n".join(map(str, failed)))


@app.command(short_help="Execute an archived run again and compare.")
def verify(
    folder: Annotated[Path, typer.Argument(metavar="RUN_DIR", help="A run folder; nothing in it is changed.")],
):
    """Execute an archived run again from its own inputs, and say what differs and why: inputs, code, versions.

    Exit code 0 where the results are those that were archived, 1 where they differ or the folder was changed.

    Example:  joulebook verify runs/chat-assistant
    """
    from joulebook.publish.verify import verification_lines, verify_run

    with Progress(None) as progress:
        made = verify_run(folder, progress=progress.of(folder.name))
    say(verification_lines(made))
    raise typer.Exit(made.exit_code)


@app.command(short_help="Set two runs side by side.")
def compare(
    first: Annotated[Path, typer.Argument(metavar="RUN_A", help="A run folder.")],
    second: Annotated[Path, typer.Argument(metavar="RUN_B", help="Another one, of the same client or of another.")],
    vary: Annotated[str | None, typer.Option("--vary", metavar="LABEL", help="The one label that may differ.")] = None,
    topic: Topics = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Set two runs side by side: which results moved, by how much, beyond their uncertainty or not.

    Refused where labels differ or are not stated, but for the one that --vary names.

    Example:  joulebook compare runs/chat-assistant runs-with-new-tariff/chat-assistant
    """
    from joulebook.publish.compare import compare_runs, comparison_lines

    made = compare_runs(first, second, vary, topic)
    if as_json:
        print(json.dumps(made, indent=1, ensure_ascii=False, allow_nan=False))
    else:
        say(comparison_lines(made))


@app.command(short_help="Say how large the store is, or clear it.")
def store(
    folder: Out = RUNS,
    clear: Annotated[bool, typer.Option("--clear", help="Remove all that it holds, and the books kept beside it.")] = False,
):
    """Say where executed notebooks are kept, so that what did not change need not run again, and how large that is.

    It stands in the folder of runs; the environment variable JOULEBOOK_STORE moves it, JOULEBOOK_STORE_MB bounds it.

    Example:  joulebook store --clear
    """
    from joulebook.publish.book.kept import clear_kept
    from joulebook.publish.store import MB, Store

    kept = Store.of_runs(folder)
    if clear:
        out().print(f"{kept.clear()} executed notebooks removed from {escape(str(kept.folder))}")
        if books := clear_kept(folder):
            out().print(f"{books} kept {'book' if books == 1 else 'books'} removed from {escape(str(folder))}")
        return
    sizes = [size for _, size, _ in kept.entries()]
    out().print(f"{escape(str(kept.folder))}: {len(sizes)} executed notebooks, {sum(sizes) / MB:.1f} of {kept.bound_mb:g} MB")


